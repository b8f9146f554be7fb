"""What every design is: parameters in the designer's words, and the law of each group's answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from dpdesk.designs.counts import Count
from dpdesk.designs.survey_estimate import Floats, SurveyEstimate, SurveyEstimates
from dpdesk.errors import ParameterError

CARRIER, OTHER = "carrier", "non-carrier"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a design, for lists and forms.

    Attributes:
        name: Its name on the command line.
        title: What it is, in the designer's words.
        default: Its usual value as text; empty where it must be given.
    """

    name: str
    title: str
    default: str


@dataclass(frozen=True, slots=True)
class Group:
    """Respondents who use the same device.

    Attributes:
        name: Name of the group; empty where there is one.
        states: What a respondent can truly be.
        answers: What a respondent can say.
        law: Chance of each answer (column) in each state (row), exactly.
    """

    name: str
    states: tuple[str, ...]
    answers: tuple[str, ...]
    law: tuple[tuple[Fraction, ...], ...]


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


class Design(BaseModel, ABC):
    """Parameters of a randomized-response design; the tag is `kind`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: ClassVar[str]
    """The name in full."""
    summary: ClassVar[str]
    """What a respondent does, in one sentence."""
    reference: ClassVar[str]
    """The publication that the formulas come from."""
    group_count: ClassVar[int] = 1
    """Number of groups that get different devices."""
    largest_answer: ClassVar[int] = 1
    """The largest number that one respondent's answer can be."""
    same_respondents: ClassVar[bool] = False
    """Whether everybody answers for every group: there are several items, not several groups."""
    caution: ClassVar[str] = ""
    """What the epsilon of the design rests on, where that is not the device alone."""

    kind: str

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

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Returns the parameters, in the order in which they are asked for."""
        found = []
        for name, field in cls.model_fields.items():
            if name == "kind":
                continue
            default = "" if field.is_required() else str(field.default)
            found.append(Parameter(name, field.description or field.title or name, default))
        return tuple(found)


def binary_group(a: Fraction, b: Fraction, name: str = "") -> Group:
    """Returns the law of a group that answers yes or no.

    Args:
        a: Chance of "yes" of a carrier.
        b: Chance of "yes" of a non-carrier.
        name: Name of the group.

    Raises:
        ParameterError: Both are equal, so that an answer tells nothing.
    """
    if a == b:
        raise ParameterError(
            "With these parameters carriers and non-carriers answer alike, so that the answers "
            "tell nothing.",
            remedy="Choose parameters under which a carrier says yes more often, or less often.",
        )
    return Group(name, (CARRIER, OTHER), ("yes", "no"), ((a, 1 - a), (b, 1 - b)))
