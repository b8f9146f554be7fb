"""What every design is: parameters in the designer's words, and the law of each group's answers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from dpdesk.designs.counts import Count
from dpdesk.designs.record import DesignRecord, Parameter
from dpdesk.designs.survey_estimate import Floats, SurveyEstimate, SurveyEstimates
from dpdesk.errors import ParameterError

__all__ = ["CARRIER", "OTHER", "Design", "Group", "Parameter", "PlannedVariance", "binary_group"]

CARRIER, OTHER = "carrier", "non-carrier"


@dataclass(frozen=True, slots=True)
class Group:
    """Respondents who use the same device.

    Attributes:
        name: Name of the group; empty where there is one.
        states: What a respondent can truly be.
        answers: What a respondent can say.
        law: Chance of each answer (column) in each state (row), exactly.
        blind: Chance of each answer of who answers at random; all alike where empty.
    """

    name: str
    states: tuple[str, ...]
    answers: tuple[str, ...]
    law: tuple[tuple[Fraction, ...], ...]
    blind: tuple[Fraction, ...] = ()


@dataclass(frozen=True, slots=True)
class PlannedVariance:
    """N times the variance of an estimate, n being all respondents.

    Attributes:
        sampling: pi (1 - pi): what direct questions would have.
        privacy: What the device adds, V_R.
    """

    sampling: float
    privacy: float

    @property
    def total(self) -> float:
        """Both together."""
        return self.sampling + self.privacy


class Design(DesignRecord):
    """A design for one sensitive trait: respondents are carriers of it or not."""

    largest_answer: ClassVar[int] = 1
    """The largest number that one respondent's answer can be."""
    same_respondents: ClassVar[bool] = False
    """Whether everybody answers for every group: there are several items, not several groups."""
    unbiased: ClassVar[bool] = True
    """Whether the estimate is right on the average of all surveys; else only of large ones."""
    error_is_bound: ClassVar[bool] = False
    """Whether the error from counts is an upper bound: they do not show how answers spread."""

    @property
    @abstractmethod
    def groups(self) -> tuple[Group, ...]:
        """The law of the answers of each group, as far as they tell of the sensitive trait."""

    @property
    def asked(self) -> tuple[Group, ...]:
        """The law of everything that is counted: `group_count` groups or items."""
        return self.groups

    @abstractmethod
    def estimates(
        self, totals: Floats, respondents: Sequence[int], confidence: float = 0.95
    ) -> SurveyEstimates:
        """Returns the unbiased estimates of many surveys at once.

        Args:
            totals: Number of answers "yes", or sum of the answers, of each survey and group, shape
                (..., groups). Expected totals, which need not be integers, give the expected
                estimate where the estimator is linear.
            respondents: Number of respondents of each group, at least 2.
            confidence: Coverage of the intervals.

        Returns:
            Arrays of shape (...).
        """

    @abstractmethod
    def estimate(self, counts: Sequence[Count], confidence: float = 0.95) -> SurveyEstimate:
        """Returns the unbiased estimate of the share of carriers, with its errors.

        Args:
            counts: The answers of each group.
            confidence: Coverage of the intervals.

        Raises:
            InputError: The counts are impossible.
        """

    @abstractmethod
    def planned_variance(self, prevalence: float) -> PlannedVariance:
        """Returns n times the variance of the estimate, groups being of equal size.

        Args:
            prevalence: The true share of carriers.
        """


def require_difference(a: Fraction | float, b: Fraction | float) -> None:
    """Refuses a device under which answers tell nothing.

    Args:
        a: Chance of "yes" of a carrier.
        b: Chance of "yes" of a non-carrier.

    Raises:
        ParameterError: Both are equal.
    """
    if a == b:
        raise ParameterError(
            "With these parameters carriers and non-carriers answer alike, so that the answers "
            "tell nothing.",
            remedy="Choose parameters under which a carrier says yes more often, or less often.",
        )


def binary_group(a: Fraction, b: Fraction, name: str = "") -> Group:
    """Returns the law of a group that answers yes or no.

    Args:
        a: Chance of "yes" of a carrier.
        b: Chance of "yes" of a non-carrier.
        name: Name of the group.

    Raises:
        ParameterError: Both are equal, so that an answer tells nothing.
    """
    require_difference(a, b)
    return Group(name, (CARRIER, OTHER), ("yes", "no"), ((a, 1 - a), (b, 1 - b)))
