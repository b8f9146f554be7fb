"""What is supposed to be true of the people whom a survey asks: a share, several shares, a mean."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum, isfinite, sqrt
from typing import ClassVar, NamedTuple, NoReturn, Self

from dpdesk.designs.base import Design
from dpdesk.designs.beliefs import belief_table, posterior_range
from dpdesk.designs.cases import Cases, Result
from dpdesk.designs.law import require_share
from dpdesk.designs.number_design import NumberDesign, TrueNumbers
from dpdesk.designs.several_answers import SeveralDesign, share_variances
from dpdesk.designs.texts import T
from dpdesk.designs.warner import WarnerDesign
from dpdesk.designs.yes_no import PlannedVariance, YesNoDesign
from dpdesk.errors import ParameterError
from dpdesk.i18n import translated


class Decided(NamedTuple):
    """The design whose epsilon is to be found.

    Attributes:
        design: The design; where an epsilon decides no design of the quantity, the one that was
            asked for.
        note: Why it is another one than was asked for; empty where it is that one.
    """

    design: Design
    note: str = ""


class People(ABC):
    """What is supposed of the people; there is one class for each quantity that is estimated."""

    word: ClassVar[str]
    """What the value is, in a file."""

    @property
    @abstractmethod
    def value(self) -> float:
        """The true value of what is estimated: a share, or a mean in the unit of the answers."""

    def supposed(self) -> dict[str, float]:
        """Returns what is supposed, by name."""
        return {"share": self.value}

    @abstractmethod
    def at(self, value: float) -> Self:
        """Returns other people of whom this value is true, as like these as they can be."""

    @property
    @abstractmethod
    def spread(self) -> float:
        """Variance of what direct, truthful answers say of a respondent."""

    def variance(self, design: Design) -> PlannedVariance:
        """Returns n times the variance of the estimate, everybody following the instruction.

        Raises:
            ParameterError: The people are impossible, or the design is for another quantity.
        """
        return self.cases.of(design)

    @property
    @abstractmethod
    def cases(self) -> Cases[PlannedVariance]:
        """The variance by a design of each quantity; those of other quantities are refused."""

    def interval_variance(self, design: Design) -> PlannedVariance:
        """Returns n times the variance that the interval of the estimate rests on.

        It is that of the estimate, or larger where the interval is a bound.

        Raises:
            ParameterError: As `variance`.
        """
        return self.variance(design)

    @abstractmethod
    def denied(self, denial: float, design: Design) -> tuple[float, float]:
        """Returns what a direct question errs by where some deny what is true of them.

        Args:
            denial: Part of those whom it concerns; they give the least suspect answer.
            design: The design, which knows the bounds of numbers.

        Returns:
            The bias, above 0 where the estimate is too low, and n times the variance.
        """

    @abstractmethod
    def beliefs(self, design: Design, epsilon: float) -> tuple[float, float] | None:
        """Returns between what an answer can move the belief in the value that is estimated.

        Args:
            design: The design.
            epsilon: Its privacy loss, or a bound of it.

        Returns:
            The least and the largest belief; None where the value is no share of believers.
        """

    def decided(self, design: Design) -> Decided:
        """Returns a design, or a better known one where an epsilon does not decide it."""
        return Decided(design)

    @classmethod
    @abstractmethod
    def mixed(cls, parts: Sequence[tuple[float, Self]]) -> Self:
        """Returns the people that several groups make, each with its share of all."""

    def check(self, what: str = "expected share") -> None:
        """Refuses people for whom nothing can be planned.

        Args:
            what: What the value is, for the refusal.

        Raises:
            ParameterError: The value is impossible.
        """
        require_share(self.value, what)

    def require_value(self, value: float) -> None:
        """Refuses a value that nothing can be told from.

        Raises:
            ParameterError: It is impossible.
        """
        if not 0 <= value <= 1:
            raise ParameterError(T.NO_SHARE(what="share"))

    def require_margin(self, margin: float, what: str = "margin") -> None:
        """Refuses a margin that no interval has.

        Raises:
            ParameterError: It is impossible; the refusal says what it is.
        """
        require_share(margin, what)


@dataclass(frozen=True)
class Share(People):
    """A question answered with yes or no.

    Attributes:
        prevalence: The expected share of carriers.
    """

    prevalence: float

    word = "prevalence"

    @property
    def value(self) -> float:
        return self.prevalence

    def at(self, value: float) -> Self:
        return type(self)(value)

    @property
    def spread(self) -> float:
        return self.prevalence * (1 - self.prevalence)

    @property
    def cases(self) -> Cases[PlannedVariance]:
        return _of_share(lambda design: design.planned_variance(self.prevalence))

    def interval_variance(self, design: Design) -> PlannedVariance:
        return _of_share(lambda asked: asked.interval_variance(self.prevalence)).of(design)

    def denied(self, denial: float, design: Design) -> tuple[float, float]:
        seen = self.prevalence * (1 - denial)
        return self.prevalence * denial, seen * (1 - seen)

    def beliefs(self, design: Design, epsilon: float) -> tuple[float, float]:
        return posterior_range(self.prevalence, epsilon)

    def decided(self, design: Design) -> Decided:
        if design.epsilon_decides:
            return Decided(design)
        return Decided(WarnerDesign(), T.INSTEAD_WARNER())

    @classmethod
    def mixed(cls, parts: Sequence[tuple[float, Self]]) -> Self:
        return cls(sum(weight * people.prevalence for weight, people in parts))


@dataclass(frozen=True)
class Shares(People):
    """A question with several answers, one of which is looked at.

    Attributes:
        shares: The expected shares of the answers; their sum is 1.
        looked: Number of the answer that is looked at, from 0.
    """

    shares: tuple[float, ...]
    looked: int = 0

    word = "share_looked_at"

    @property
    def value(self) -> float:
        return self.shares[self.looked]

    def at(self, value: float) -> Self:
        rest = fsum(share for i, share in enumerate(self.shares) if i != self.looked)
        scale = (1 - value) / rest if rest else 0.0
        moved = (value if i == self.looked else scale * s for i, s in enumerate(self.shares))
        return type(self)(tuple(moved), self.looked)

    @property
    def spread(self) -> float:
        return Share(self.value).spread

    @property
    def cases(self) -> Cases[PlannedVariance]:
        def variance(design: SeveralDesign) -> PlannedVariance:
            sampling, privacy = share_variances(design, self.shares)
            return PlannedVariance(float(sampling[self.looked]), float(privacy[self.looked]))

        return _of_shares(variance)

    def denied(self, denial: float, design: Design) -> tuple[float, float]:
        return Share(self.value).denied(denial, design)

    def beliefs(self, design: Design, epsilon: float) -> tuple[float, float] | None:
        def after(asked: SeveralDesign) -> tuple[float, float]:
            table, looked = belief_table(asked, self.shares), self.looked
            return (table.lowering(looked).beliefs[looked], table.raising(looked).beliefs[looked])

        return _of_shares(after).of(design)

    @classmethod
    def mixed(cls, parts: Sequence[tuple[float, Self]]) -> Self:
        columns = zip(*(people.shares for _, people in parts), strict=True)
        weights = [weight for weight, _ in parts]
        means = (fsum(w * s for w, s in zip(weights, c, strict=True)) for c in columns)
        return cls(tuple(means), parts[0][1].looked)


@dataclass(frozen=True)
class Mean(People):
    """A question whose answer is a number.

    Attributes:
        mean: The expected mean of the true answers.
        deviation: Their expected standard deviation.
    """

    mean: float
    deviation: float

    word = "mean"

    @property
    def value(self) -> float:
        return self.mean

    def supposed(self) -> dict[str, float]:
        return {"mean": self.mean, "deviation": self.deviation}

    def at(self, value: float) -> Self:
        return type(self)(value, self.deviation)

    @property
    def spread(self) -> float:
        return self.deviation**2

    @property
    def cases(self) -> Cases[PlannedVariance]:
        def variance(design: NumberDesign) -> PlannedVariance:
            # Refuses a mean and a deviation that no answers between the bounds have.
            TrueNumbers(self.mean, self.deviation, design.lower, design.upper)
            return PlannedVariance(*design.planned_variance(self.mean, self.spread))

        return _of_mean(variance)

    def denied(self, denial: float, design: Design) -> tuple[float, float]:
        above = self.mean - _of_mean(lambda asked: asked.lower).of(design)
        # Between both parts of the mixture, and within the one that tells the truth.
        variance = (1 - denial) * (self.deviation**2 + denial * above**2)
        return denial * above, variance

    def beliefs(self, design: Design, epsilon: float) -> None:
        return

    @classmethod
    def mixed(cls, parts: Sequence[tuple[float, Self]]) -> Self:
        mean = sum(weight * people.mean for weight, people in parts)
        squares = (w * (p.deviation**2 + (p.mean - mean) ** 2) for w, p in parts)
        return cls(mean, sqrt(fsum(squares)))

    def check(self, what: str = "") -> None:
        """Refuses nothing: the design knows the bounds, and refuses in `variance`."""

    def require_value(self, value: float) -> None:
        """Refuses nothing, as `check`."""

    def require_margin(self, margin: float, what: str = "margin") -> None:
        if not (isfinite(margin) and margin > 0):
            raise ParameterError(T.NO_MARGIN(what=what))


def _of_share(found: Callable[[YesNoDesign], Result]) -> Cases[Result]:
    return Cases(found, _refuse, _refuse)


def _of_shares(found: Callable[[SeveralDesign], Result]) -> Cases[Result]:
    return Cases(_refuse, found, _refuse, single=False)


def _of_mean(found: Callable[[NumberDesign], Result]) -> Cases[Result]:
    return Cases(_refuse, _refuse, found)


def _refuse(design: Design) -> NoReturn:
    """Refuses a design of another quantity than is supposed of the people."""
    raise ParameterError(T.OTHER_QUANTITY(design=translated(design.title)))
