"""What designs for a question with several answers are, and the theory of their estimates."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs.base import Departure, Design, Quantity
from dpdesk.designs.behaviour import NONE_EVADES, Evasion
from dpdesk.designs.devices import ANY_DEVICE, DeviceChoice
from dpdesk.designs.estimator_law import require_respondents
from dpdesk.designs.instructions import Way
from dpdesk.designs.law import Group, Loss, loss_of
from dpdesk.designs.texts import T
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Floats

if TYPE_CHECKING:
    from dpdesk.mechanisms import Mechanism

_NEARLY_ONE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Reports:
    """What the reports of a design say of the true answers.

    Attributes:
        law: Chance of each report (column) by each true answer (row), up to a factor of its column.
        alone: Whether a report is of one answer; else it may be for several answers at once, and
            each column is of the report that is for one alone, which discloses most.
    """

    law: Floats
    alone: bool


@dataclass(frozen=True, slots=True)
class Program:
    """What draws a report instead of the respondent.

    Attributes:
        mechanism: The mechanism, at its epsilon.
        p: Chance that a report supports the answer it is of.
        q: Chance that it supports any other one.
    """

    mechanism: Mechanism
    p: float
    q: float


@dataclass(frozen=True, slots=True, eq=False)
class SharesTheory:
    """Means and errors of the estimated shares by theory, shape (m,) each."""

    means: Floats
    errors: Floats


class SeveralDesign(Design):
    """A design for a question with several answers; shares are arrays of shape (m,)."""

    quantity: ClassVar[Quantity] = "shares"
    proof: ClassVar[str] = N_("an answer can rule true answers out for certain.")
    departures: ClassVar[tuple[Departure, ...]] = ("denial", "carelessness")

    @classmethod
    @abstractmethod
    def for_answers(cls, answers: int) -> Self:
        """Returns the usual design for a question with so many answers, at least 2."""

    def usual_for(self, answers: int) -> Self:
        """Returns the usual design of this variant for so many answers, at least 2."""
        return self.for_answers(answers)

    @abstractmethod
    def resized(self, answers: int, removed: int | None = None) -> Self:
        """Returns the design for another number of answers, as similar to this one as possible.

        Args:
            answers: Number of answers from now on.
            removed: Number of the answer that was removed, from 0; None if answers were added at
                the end.
        """

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of answers, m."""

    @property
    @abstractmethod
    def groups(self) -> tuple[Group, ...]:
        """The law of the reports that depend on the true answer."""

    @property
    def loss(self) -> Loss:
        return loss_of(self.groups)

    @property
    @abstractmethod
    def reports(self) -> Reports:
        """The law of the reports, for beliefs."""

    @property
    def program(self) -> Program | None:
        """What draws the reports; None where respondents use a device and say an answer."""
        return None

    def report_law(self, evasion: Evasion = NONE_EVADES) -> Floats:
        """Returns the chance of each answer said (column) by each true answer (row).

        To be asked of designs without a program.
        """
        raise TypeError(self.kind)

    def ways(
        self, names: Sequence[str] = (), choice: DeviceChoice = ANY_DEVICE
    ) -> tuple[tuple[Way, ...], ...]:
        """Returns all that can happen, for each true answer; nothing with a program."""
        return ()

    @abstractmethod
    def planned_variances(self, shares: Floats) -> tuple[Floats, Floats]:
        """Returns n times the variance of each share: the sampling's part and the device's.

        Args:
            shares: The true shares, everybody following the instruction.
        """

    @abstractmethod
    def scores(self, answer: int) -> Floats:
        """Returns what reports count for in the estimated share of one answer.

        Args:
            answer: Number of the answer, from 0.
        """

    @abstractmethod
    def moments_of_shares(self, shares: Floats, evasion: Evasion) -> tuple[Floats, Floats]:
        """Returns the means of the estimated shares, and n times their variances, exactly.

        Args:
            shares: The true shares.
            evasion: Respondents who do not follow the instruction.
        """

    @abstractmethod
    def estimates_of_shares(
        self, counts: NDArray[np.int64] | Floats, respondents: int, confidence: float
    ) -> tuple[Floats, Floats, Floats]:
        """Returns the shares of many surveys and both ends of their intervals.

        Args:
            counts: How often each answer was said, or supported, shape (surveys, m).
            respondents: Number of respondents of each survey.
            confidence: Coverage of the intervals.
        """

    def answer_names(self, given: Sequence[str]) -> tuple[str, ...]:
        """Returns the words of the answers: as given, else their numbers."""
        names = (*given, *[""] * self.size)[: self.size]
        return tuple(name.strip() or f"answer {number}" for number, name in enumerate(names, 1))


def require_shares(design: SeveralDesign, shares: Sequence[float]) -> Floats:
    """Returns the supposed shares as an array.

    Raises:
        ParameterError: There is not one share per answer, one is negative, or the sum is not 1.
    """
    size = design.size
    if len(shares) != size:
        raise ParameterError(T.COUNT_OF_ANSWERS(answers=size, given=len(shares)))
    if min(shares) >= 0 and sum(share > 0 for share in shares) == 1 and max(shares) < 1:
        raise ParameterError(T.ONE_SHARE())
    if min(shares) < 0 or abs(fsum(shares) - 1) > _NEARLY_ONE:
        raise ParameterError(T.BAD_SHARES())
    return np.array(shares, dtype=np.float64) / fsum(shares)


def shares_theory(
    design: SeveralDesign, shares: Sequence[float], respondents: int, evasion: Evasion = NONE_EVADES
) -> SharesTheory:
    """Returns means and errors of all estimated shares, exactly.

    Raises:
        ParameterError: The survey is impossible, or the design does not identify the shares.
    """
    true = require_shares(design, shares)
    require_respondents(respondents)
    means, variances = design.moments_of_shares(true, evasion)
    return SharesTheory(means, np.sqrt(np.maximum(variances, 0.0) / respondents))


def share_variances(design: SeveralDesign, shares: Sequence[float]) -> tuple[Floats, Floats]:
    """Returns n times the variance of each share: the sampling's part and the device's.

    Everybody follows the instruction.

    Raises:
        ParameterError: The shares are impossible, or the design does not identify them.
    """
    return design.planned_variances(require_shares(design, shares))
