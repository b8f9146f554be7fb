"""What the page supposes of a question with several answers, and of one answered by a number."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from dpdesk.designs.additive import Additive
from dpdesk.designs.estimator_law import EstimatorTheory
from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.several_answers import SeveralDesign
from dpdesk.engine.simulate.further_respondents import (
    FurtherStream,
    NumberStream,
    SeveralStream,
)
from dpdesk.preview.survey import REPETITIONS
from dpdesk.preview.survey.further import (
    ErrorCurves,
    EstimatesPile,
    NumberRequest,
    SeveralRequest,
    error_curves,
    pile_of_number,
    pile_of_share,
)

RESPONDENTS = 3_000
SHARES = (0.7, 0.18, 0.08, 0.04)
ORDERS = (Fraction(1, 8),) * len(SHARES)
"""The truth with chance 1/2, else any answer alike: e^epsilon is 5."""


@dataclass(frozen=True)
class SeveralScenario:
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
        rivals: Words of the designs to compare with, see `rivals.py`.
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
    def can_be_exact(self) -> bool:
        """Surveys of several answers have too many outcomes to go through them all."""
        return False

    @property
    def is_exact(self) -> bool:
        """Surveys are always drawn."""
        return False

    @property
    def instead(self) -> int:
        """The answer that those give who hide the one that is looked at: the commonest other."""
        others = [index for index in range(len(self.shares)) if index != self.looked]
        return max(others, key=lambda index: self.shares[index])

    @property
    def truth(self) -> float:
        """The true share that is looked at, in per cent."""
        return 100 * self.shares[self.looked]

    @cached_property
    def epsilon(self) -> float:
        """The privacy loss of the design; infinite where an answer is a proof."""
        return self.design.loss.epsilon

    @property
    def epsilon_decides(self) -> bool:
        """Whether an epsilon decides the parameters of the design."""
        return self.design.epsilon_decides

    @cached_property
    def request(self) -> SeveralRequest:
        """What the previews are asked for."""
        return SeveralRequest(
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

    def pile(self) -> EstimatesPile:
        """The estimates of the share looked at, in per cent; raises `ParameterError`."""
        return pile_of_share(self.request)

    def theory(self) -> EstimatorTheory:
        """Mean and error of that estimate, in per cent; raises `ParameterError`."""
        found = self.request.theory
        looked = self.looked
        return EstimatorTheory(100 * float(found.means[looked]), 100 * float(found.errors[looked]))

    def curves(self) -> ErrorCurves:
        """Its margins around this scenario, in pp; raises `ParameterError`."""
        return error_curves(self.request)

    def stream(self) -> FurtherStream:
        """Respondents one by one; raises `ParameterError`."""
        return SeveralStream(
            self.design, self.shares, self.names, self.looked, self.seed, self.request.evasion
        )

    def changed(self, **changes: object) -> SeveralScenario:
        """This scenario with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True)
class NumberScenario:
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
        rivals: Words of the designs to compare with, see `rivals.py`.
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
    def can_be_exact(self) -> bool:
        """Means of numbers have too many outcomes to go through them all."""
        return False

    @property
    def is_exact(self) -> bool:
        """Surveys are always drawn."""
        return False

    @property
    def truth(self) -> float:
        """The true mean."""
        return self.mean

    @property
    def epsilon(self) -> float:
        """The privacy loss of the design; infinite where an answer rules true answers out."""
        return self.design.loss.epsilon

    @property
    def epsilon_decides(self) -> bool:
        """Whether an epsilon decides the parameters of the design."""
        return self.design.epsilon_decides

    @cached_property
    def request(self) -> NumberRequest:
        """What the previews are asked for."""
        return NumberRequest(
            design=self.design,
            mean=self.mean,
            deviation=self.deviation,
            respondents=self.respondents,
            understating=self.understating,
            repetitions=self.repetitions,
            seed=self.seed,
        )

    def pile(self) -> EstimatesPile:
        """The estimates of the mean; raises `ParameterError`."""
        return pile_of_number(self.request)

    def theory(self) -> EstimatorTheory:
        """Mean and error of that estimate; raises `ParameterError`."""
        return self.request.theory

    def curves(self) -> ErrorCurves:
        """Its margins around this scenario; raises `ParameterError`."""
        return error_curves(self.request)

    def stream(self) -> FurtherStream:
        """Respondents one by one; raises `ParameterError`."""
        return NumberStream(self.design, self.request.true, self.seed)

    def changed(self, **changes: object) -> NumberScenario:
        """This scenario with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]


FurtherScenario = SeveralScenario | NumberScenario
