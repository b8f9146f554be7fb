"""What is supposed to be true of the people whom a survey asks: a share, several shares, a mean."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, isfinite, sqrt
from typing import Self, TypeVar

from dpdesk.designs.base import Design
from dpdesk.designs.law import require_share
from dpdesk.designs.number_design import NumberDesign, TrueNumbers
from dpdesk.designs.several_answers import share_variances
from dpdesk.designs.warner import WarnerDesign
from dpdesk.designs.yes_no import PlannedVariance, YesNoDesign
from dpdesk.errors import ParameterError

Family = TypeVar("Family", bound=Design)


class People(ABC):
    """What is supposed of the people; there is one class for each quantity that is estimated."""

    @property
    @abstractmethod
    def value(self) -> float:
        """The true value of what is estimated: a share, or a mean in the unit of the answers."""

    @abstractmethod
    def at(self, value: float) -> Self:
        """Returns other people of whom this value is true, as like these as they can be."""

    @abstractmethod
    def variance(self, design: Design) -> PlannedVariance:
        """Returns n times the variance of the estimate, everybody following the instruction.

        Raises:
            ParameterError: The people are impossible, or the design is for another quantity.
        """

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

    def decided(self, design: Design) -> Design:
        """Returns a design, or a better known one where an epsilon does not decide it."""
        return design

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
            raise ParameterError(
                "A share must lie between 0 and 1.", remedy="Type a number such as 0.1."
            )

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

    @property
    def value(self) -> float:
        """The share."""
        return self.prevalence

    def at(self, value: float) -> Self:
        """Returns people with another share."""
        return type(self)(value)

    def variance(self, design: Design) -> PlannedVariance:
        """Returns pi (1 - pi) and the device's part, V_R."""
        return self._asked(design).planned_variance(self.prevalence)

    def interval_variance(self, design: Design) -> PlannedVariance:
        """Returns the same, or a bound of it where counts do not show how answers spread."""
        return self._asked(design).interval_variance(self.prevalence)

    def denied(self, denial: float, design: Design) -> tuple[float, float]:
        """Carriers deny: pi u, and pi' (1 - pi') with pi' = pi (1 - u)."""
        seen = self.prevalence * (1 - denial)
        return self.prevalence * denial, seen * (1 - seen)

    def decided(self, design: Design) -> Design:
        """Returns the design, or Warner's, which errs least at an epsilon."""
        return design if design.epsilon_decides else WarnerDesign()

    @classmethod
    def mixed(cls, parts: Sequence[tuple[float, Self]]) -> Self:
        """Returns people with the mean share."""
        return cls(sum(weight * people.prevalence for weight, people in parts))

    def _asked(self, design: Design) -> YesNoDesign:
        return _fitting(design, design.as_share)


@dataclass(frozen=True)
class Shares(People):
    """A question with several answers, one of which is looked at.

    Attributes:
        shares: The expected shares of the answers; their sum is 1.
        looked: Number of the answer that is looked at, from 0.
    """

    shares: tuple[float, ...]
    looked: int = 0

    @property
    def value(self) -> float:
        """The share that is looked at."""
        return self.shares[self.looked]

    def at(self, value: float) -> Self:
        """Returns people with another share of this answer, the others in the same proportions."""
        rest = fsum(share for i, share in enumerate(self.shares) if i != self.looked)
        scale = (1 - value) / rest if rest else 0.0
        moved = (value if i == self.looked else scale * s for i, s in enumerate(self.shares))
        return type(self)(tuple(moved), self.looked)

    def variance(self, design: Design) -> PlannedVariance:
        """Returns the sampling's and the device's part for the share looked at."""
        asked = _fitting(design, design.as_shares)
        sampling, privacy = share_variances(asked, self.shares)
        return PlannedVariance(float(sampling[self.looked]), float(privacy[self.looked]))

    def denied(self, denial: float, design: Design) -> tuple[float, float]:
        """Holders of the answer looked at give another one."""
        return Share(self.value).denied(denial, design)

    @classmethod
    def mixed(cls, parts: Sequence[tuple[float, Self]]) -> Self:
        """Returns people with the mean of each share."""
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

    @property
    def value(self) -> float:
        """The mean."""
        return self.mean

    def at(self, value: float) -> Self:
        """Returns people with another mean who differ as much."""
        return type(self)(value, self.deviation)

    def variance(self, design: Design) -> PlannedVariance:
        """Returns the variance of the true answers, and what the device adds."""
        asked = self._asked(design)
        # Refuses a mean and a deviation that no answers between the bounds have.
        TrueNumbers(self.mean, self.deviation, asked.lower, asked.upper)
        return PlannedVariance(*asked.planned_variance(self.mean, self.deviation**2))

    def denied(self, denial: float, design: Design) -> tuple[float, float]:
        """A part of the respondents say the least number: a mixture with a point there."""
        above = self.mean - self._asked(design).lower
        # Between both parts of the mixture, and within the one that tells the truth.
        variance = (1 - denial) * (self.deviation**2 + denial * above**2)
        return denial * above, variance

    @classmethod
    def mixed(cls, parts: Sequence[tuple[float, Self]]) -> Self:
        """Returns people whose variance is that within the groups and between them."""
        mean = sum(weight * people.mean for weight, people in parts)
        squares = (w * (p.deviation**2 + (p.mean - mean) ** 2) for w, p in parts)
        return cls(mean, sqrt(fsum(squares)))

    def check(self, what: str = "") -> None:
        """Refuses nothing: the design knows the bounds, and refuses in `variance`."""

    def require_value(self, value: float) -> None:
        """Refuses nothing, as `check`."""

    def require_margin(self, margin: float, what: str = "margin") -> None:
        """Refuses a margin that is not above 0."""
        if not (isfinite(margin) and margin > 0):
            raise ParameterError(
                f"The {what} must lie above 0.", remedy="Type one in the unit of the answers."
            )

    def _asked(self, design: Design) -> NumberDesign:
        return _fitting(design, design.as_mean)


def _fitting(design: Design, found: Family | None) -> Family:
    """The design as one of the quantity that is supposed."""
    if found is None:
        raise ParameterError(
            f"{design.title} does not estimate what is supposed of the people.",
            remedy="Choose a design for this kind of answer.",
        )
    return found
