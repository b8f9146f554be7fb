"""What the page supposes: a question, a design, people; frozen, like a plan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from dpdesk.designs import YesNoDesign, loss_of
from dpdesk.designs.estimator_law import has_exact_law
from dpdesk.designs.warner import WarnerDesign
from dpdesk.errors import DpdeskError
from dpdesk.preview.survey import REPETITIONS, SurveyRequest

TWO_COINS = WarnerDesign(p=Fraction(3, 4))

RESPONDENTS = 3_586
"""What two coins need for a margin of 3 pp at a share of 10 %."""


@dataclass(frozen=True)
class Scenario:
    """A hypothetical survey, and what it is compared with.

    Attributes:
        question: The sensitive question, as the respondents would hear it.
        design: The design with its parameters.
        prevalence: The supposed true share of carriers, between 0 and 1.
        respondents: Number of respondents.
        deny: Share of the carriers who deny whatever the device says.
        refuse: Share of the non-carriers who never say yes.
        careless: Share of all who answer at random.
        repetitions: Number of hypothetical surveys.
        seed: Seed of the simulation.
        exact: Whether all outcomes are gone through where they are few.
        rivals: Designs to compare with, as they are.
        equal_epsilon: Whether the rivals are shown at the epsilon of the design, where one
            number decides their parameters.
        kept: Another scenario, A, that this one is compared with; it keeps no other.
    """

    question: str = ""
    design: YesNoDesign = TWO_COINS
    prevalence: float = 0.1
    respondents: int = RESPONDENTS
    deny: float = 0.0
    refuse: float = 0.0
    careless: float = 0.0
    repetitions: int = REPETITIONS
    seed: int = 1
    exact: bool = False
    rivals: tuple[YesNoDesign, ...] = ()
    equal_epsilon: bool = True
    kept: Scenario | None = None

    @cached_property
    def epsilon(self) -> float:
        """The privacy loss of the design; infinite where an answer is a proof."""
        return loss_of(self.design.groups).epsilon

    @property
    def epsilon_decides(self) -> bool:
        """Whether an epsilon decides the parameters of the design."""
        return self.design.epsilon_decides

    @property
    def can_be_exact(self) -> bool:
        """Whether the outcomes are few enough to go through all of them."""
        return has_exact_law(self.design, self.respondents)

    @property
    def is_exact(self) -> bool:
        """Whether all outcomes are gone through: nothing is drawn then."""
        return self.exact and self.can_be_exact

    @cached_property
    def request(self) -> SurveyRequest:
        """What the previews are asked for."""
        return self.request_of(self.design)

    def request_of(self, design: YesNoDesign) -> SurveyRequest:
        """The same people asked by another design."""
        return SurveyRequest(
            design=design,
            prevalence=self.prevalence,
            respondents=self.respondents,
            repetitions=self.repetitions,
            seed=self.seed,
            deny=self.deny,
            refuse=self.refuse,
            careless=self.careless,
            simulated=not self.exact,
        )

    @cached_property
    def shown_rivals(self) -> tuple[YesNoDesign, ...]:
        """The rivals as they are compared: at the epsilon of the design where that is wanted."""
        return tuple(self._shown(rival) for rival in self.rivals)

    def changed(self, **changes: object) -> Scenario:
        """This scenario with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def _shown(self, rival: YesNoDesign) -> YesNoDesign:
        if not (self.equal_epsilon and rival.epsilon_decides) or self.epsilon == float("inf"):
            return rival
        try:
            return rival.at_epsilon(self.epsilon * (1 + 1e-12))
        except DpdeskError:
            return rival
