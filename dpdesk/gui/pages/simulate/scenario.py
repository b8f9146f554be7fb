"""What the page supposes: a question, a design, people; frozen, like a plan.

There is one class for each kind of answer. Cards edit their fields; views, figures, papers and
tables ask all of them the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any, Self

from dpdesk.designs import Design, YesNoDesign
from dpdesk.designs.additive import Additive
from dpdesk.designs.estimator_law import EstimatorTheory
from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.several_answers import SeveralDesign
from dpdesk.designs.warner import WarnerDesign
from dpdesk.engine.simulate.respondents import (
    NumberStream,
    RespondentStream,
    SeveralStream,
    YesNoStream,
)
from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.simulate.design_words import design_title, rival_title, tr
from dpdesk.gui.pages.simulate.offered_designs import kind_of, usual_number, usual_several
from dpdesk.gui.pages.simulate.scales import epsilon_words
from dpdesk.preview import significant
from dpdesk.preview.survey import (
    REPETITIONS,
    SupposedMean,
    SupposedShare,
    SupposedShares,
    SupposedSurvey,
)

TWO_COINS = WarnerDesign(p=Fraction(3, 4))

YES_NO_RESPONDENTS = 3_586
"""What two coins need for a margin of 3 pp at a share of 10 %."""
RESPONDENTS = 3_000
SHARES = (0.7, 0.18, 0.08, 0.04)
ORDERS = (Fraction(1, 8),) * len(SHARES)
"""The truth with chance 1/2, else any answer alike: e^epsilon is 5."""

DIRECT = "direct"
SEVERAL_RIVALS = (DIRECT, "forced_categories", "grr", "oue")
NUMBER_RIVALS = (DIRECT, "additive", "multiplicative")


@dataclass(frozen=True)
class Rival:
    """A design, or another survey, that the one in force is compared with.

    Attributes:
        title: Its name.
        short: The same for a legend without room; empty where there is no shorter one.
        theory: Mean and error of its estimate, in per cent or in the answers' unit.
    """

    title: str
    short: str
    theory: EstimatorTheory


class Scenario(ABC):
    """A hypothetical survey of any kind of answer, and what it is compared with."""

    question: str
    design: Design
    respondents: int
    repetitions: int
    seed: int
    error_unit: str = "pp"
    """The unit of an error; may be empty."""
    value_unit: str = "%"
    """The unit of an estimate; may be empty."""

    @property
    @abstractmethod
    def survey(self) -> SupposedSurvey:
        """What the previews are asked for."""

    @property
    def design_word(self) -> str:
        """The word of the design in the list of those that are offered."""
        return kind_of(self.design)

    def refuse_design(self, design: Design) -> None:
        """Refuses a design by which these people cannot be asked.

        Raises:
            ParameterError: Its parameters make no device, or one that tells nothing.
        """
        self.changed(design=design).survey.theory  # noqa: B018 - raises what is wrong

    @property
    def epsilon(self) -> float:
        """The privacy loss of the design; infinite where an answer is a proof."""
        return self.survey.epsilon

    @property
    def epsilon_decides(self) -> bool:
        """Whether an epsilon decides the parameters of the design."""
        return self.design.epsilon_decides

    @property
    def can_be_exact(self) -> bool:
        """Whether the outcomes are few enough to go through all of them."""
        return self.survey.can_be_exact

    @property
    def is_exact(self) -> bool:
        """Whether all outcomes are gone through: nothing is drawn then."""
        return self.survey.is_exact

    @property
    def truth(self) -> float:
        """The true value as it is shown: in per cent, or in the unit of the numbers."""
        return self.survey.scale * self.survey.truth

    @abstractmethod
    def stream(self) -> RespondentStream:
        """Respondents one by one.

        Raises:
            ParameterError: The survey cannot be held.
        """

    @property
    @abstractmethod
    def compared(self) -> tuple[Rival, ...]:
        """The designs to compare with that can be; others are left out."""

    @property
    def kept_rival(self) -> Rival | None:
        """The survey that was kept to be compared with; None where there is none."""
        return None

    @property
    @abstractmethod
    def estimated(self) -> str:
        """What is estimated, as the title of an axis."""

    @property
    def estimate_axis(self) -> str:
        """The same in few words, for an axis that is short."""
        unit = self.value_unit
        return tr("Estimate ({unit})").format(unit=unit) if unit else tr("Estimate")

    def value_words(self, value: float, digits: int = 3) -> str:
        """An estimate, or the truth, as it is shown, with its unit."""
        return f"{significant(value, digits)} {self.value_unit}".strip()

    def changed(self, **changes: Any) -> Self:
        """This scenario with some fields changed."""
        return replace(self, **changes)  # type: ignore[type-var]


@dataclass(frozen=True)
class ShareScenario(Scenario):
    """A hypothetical survey of a question answered with yes or no.

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
    respondents: int = YES_NO_RESPONDENTS
    deny: float = 0.0
    refuse: float = 0.0
    careless: float = 0.0
    repetitions: int = REPETITIONS
    seed: int = 1
    exact: bool = False
    rivals: tuple[YesNoDesign, ...] = ()
    equal_epsilon: bool = True
    kept: ShareScenario | None = None

    @cached_property
    def survey(self) -> SupposedShare:
        """What the previews are asked for."""
        return SupposedShare(
            design=self.design,
            prevalence=self.prevalence,
            respondents=self.respondents,
            repetitions=self.repetitions,
            seed=self.seed,
            deny=self.deny,
            refuse=self.refuse,
            careless=self.careless,
            simulated=not self.exact,
        )

    def refuse_design(self, design: Design) -> None:
        """Refuses a design whose answers tell nothing, however many are asked."""
        ShareScenario().changed(design=design).survey.theory  # noqa: B018 - raises what is wrong

    def stream(self) -> RespondentStream:
        """Respondents one by one."""
        survey = self.survey
        return YesNoStream(
            self.design, self.prevalence, self.seed, survey.behaviour, survey.confidence
        )

    @cached_property
    def shown_rivals(self) -> tuple[YesNoDesign, ...]:
        """The rivals as they are compared: at the epsilon of the design where that is wanted."""
        return tuple(self._shown(rival) for rival in self.rivals)

    @property
    def compared(self) -> tuple[Rival, ...]:
        """The rivals by which these people could be asked."""
        found = []
        for rival in self.shown_rivals:
            try:
                theory = self.survey.asked_by(rival).shown_theory
            except DpdeskError:
                # So few respondents cannot be asked by it: nothing to compare with.
                continue
            found.append(Rival(rival_title(rival), tr(rival.title), theory))
        return tuple(found)

    @property
    def kept_rival(self) -> Rival | None:
        """The survey that was kept as A."""
        if self.kept is None:
            return None
        try:
            return Rival(kept_title(self.kept), "A", self.kept.survey.shown_theory)
        except DpdeskError:
            return None

    @property
    def estimated(self) -> str:
        """What is estimated, as the title of an axis."""
        return tr("Estimated share (%)")

    def _shown(self, rival: YesNoDesign) -> YesNoDesign:
        if not (self.equal_epsilon and rival.epsilon_decides) or self.epsilon == float("inf"):
            return rival
        try:
            return rival.at_epsilon(self.epsilon * (1 + 1e-12))
        except DpdeskError:
            return rival


@dataclass(frozen=True)
class SharesScenario(Scenario):
    """A hypothetical survey of a question with several answers.

    Attributes:
        question: The question, as the respondents would hear it.
        names: The words of the answers.
        shares: Their supposed true shares; the sum is 1.
        design: The design with its parameters.
        respondents: Number of respondents.
        looked: Number of the answer that figures and pictures are about, from 0.
        deny: Share of the holders of that answer who give the commonest other one.
        careless: Share of all who answer at random.
        repetitions: Number of hypothetical surveys.
        seed: Seed of the simulation.
        rivals: Words of the designs to compare with, of `SEVERAL_RIVALS`.
    """

    question: str = ""
    names: tuple[str, ...] = ("1", "2", "3", "4")
    shares: tuple[float, ...] = SHARES
    design: SeveralDesign = ForcedCategories(orders=ORDERS)  # noqa: RUF009 - a frozen record
    respondents: int = RESPONDENTS
    looked: int = len(SHARES) - 1
    deny: float = 0.0
    careless: float = 0.0
    repetitions: int = REPETITIONS
    seed: int = 1
    rivals: tuple[str, ...] = ()

    @property
    def instead(self) -> int:
        """The answer that those give who hide the one that is looked at: the commonest other."""
        others = [index for index in range(len(self.shares)) if index != self.looked]
        return max(others, key=lambda index: self.shares[index])

    @cached_property
    def survey(self) -> SupposedShares:
        """What the previews are asked for."""
        return SupposedShares(
            design=self.design,
            shares=self.shares,
            respondents=self.respondents,
            looked=self.looked,
            instead=self.instead,
            deny=self.deny,
            careless=self.careless,
            repetitions=self.repetitions,
            seed=self.seed,
        )

    def stream(self) -> RespondentStream:
        """Respondents one by one."""
        evasion = self.survey.evasion
        return SeveralStream(self.design, self.shares, self.names, self.looked, self.seed, evasion)

    @property
    def compared(self) -> tuple[Rival, ...]:
        """The rivals that can be, at the epsilon of the design where that is finite."""
        return _compared(self, lambda word: usual_several(word, len(self.names), self.epsilon))

    @property
    def estimated(self) -> str:
        """What is estimated, as the title of an axis."""
        name = self.names[self.looked]
        return tr("Estimated share of “{answer}” (%)").format(answer=name)


@dataclass(frozen=True)
class MeanScenario(Scenario):
    """A hypothetical survey of a question whose answer is a number.

    Attributes:
        question: The question, as the respondents would hear it.
        unit: The unit of the answers; may be empty.
        mean: The supposed mean of the true answers.
        deviation: Their supposed standard deviation.
        design: The design with its parameters and the bounds of true answers.
        respondents: Number of respondents.
        understating: Share of the respondents who act as if the least number were theirs.
        repetitions: Number of hypothetical surveys.
        seed: Seed of the simulation.
        rivals: Words of the designs to compare with, of `NUMBER_RIVALS`.
    """

    question: str = ""
    unit: str = ""
    mean: float = 400.0
    deviation: float = 350.0
    design: NumberDesign = Additive(lower=0, upper=2_000, scale=1_000)  # noqa: RUF009 - frozen
    respondents: int = RESPONDENTS
    understating: float = 0.0
    repetitions: int = REPETITIONS
    seed: int = 1
    rivals: tuple[str, ...] = ()

    @property
    def error_unit(self) -> str:  # type: ignore[override]
        """The unit of the answers."""
        return self.unit

    @property
    def value_unit(self) -> str:  # type: ignore[override]
        """The unit of the answers."""
        return self.unit

    @cached_property
    def survey(self) -> SupposedMean:
        """What the previews are asked for."""
        return SupposedMean(
            design=self.design,
            mean=self.mean,
            deviation=self.deviation,
            respondents=self.respondents,
            understating=self.understating,
            repetitions=self.repetitions,
            seed=self.seed,
        )

    def stream(self) -> RespondentStream:
        """Respondents one by one."""
        return NumberStream(self.design, self.survey.true, self.seed, unit=self.unit)

    @property
    def compared(self) -> tuple[Rival, ...]:
        """The rivals that can be, at the epsilon of the design where that is finite."""
        lower, upper = self.design.lower, self.design.upper
        return _compared(self, lambda word: usual_number(word, lower, upper, self.epsilon))

    @property
    def estimated(self) -> str:
        """What is estimated, as the title of an axis."""
        if self.unit:
            return tr("Estimated mean ({unit})").format(unit=self.unit)
        return tr("Estimated mean")


def kept_title(kept: ShareScenario) -> str:
    """What was kept, in one line: A: Warner, n = 3,586, ε = 1.10."""
    return tr("A: {design}, n = {people}, ε = {epsilon}").format(
        design=tr(kept.design.title),
        people=f"{kept.respondents:,}",
        epsilon=epsilon_words(kept.epsilon),
    )


def rival_name(word: str) -> str:
    """The name of what surveys of several answers or of numbers can be compared with."""
    if word == DIRECT:
        return tr("Direct question")
    if word in NUMBER_RIVALS:
        return design_title(usual_number(word, 1, 2, 1.0))
    return design_title(usual_several(word, 4, 1.0))


def _compared(
    scenario: SharesScenario | MeanScenario, usual: Callable[[str], Design]
) -> tuple[Rival, ...]:
    found = []
    survey: SupposedSurvey = scenario.survey
    for word in scenario.rivals:
        if word == kind_of(scenario.design):
            continue
        try:
            if word == DIRECT:
                sampling, _ = survey.parts
                error = survey.scale * sqrt(sampling / survey.respondents)
                theory = EstimatorTheory(scenario.truth, error)
            else:
                theory = survey.asked_by(usual(word)).shown_theory
        except DpdeskError:
            # There is no such device for these bounds or these answers: nothing to compare with.
            continue
        found.append(Rival(rival_name(word), "", theory))
    return tuple(found)
