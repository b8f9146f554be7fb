"""Designs for one sensitive trait: respondents are carriers of it or not.

What the interviewers bring back are counts, and what a survey shows is the share of carriers.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs.answer_likelihood import AnswerChances
from dpdesk.designs.base import Departure, Design, Quantity
from dpdesk.designs.devices import ANY_DEVICE, DeviceChoice
from dpdesk.designs.innocent_questions import filled
from dpdesk.designs.instructions import Procedure
from dpdesk.designs.law import Group, Loss, loss_of, plan_epsilon
from dpdesk.designs.texts import T
from dpdesk.errors import InputError
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.intervals import normal_quantile, stated_error

if TYPE_CHECKING:
    from dpdesk.mechanisms import Mechanism

Labels = NDArray[np.int64]

_GRAMMAR = re.compile(r"([0-9]{1,15})/([0-9]{1,15})")
_LEAST = 2


@dataclass(frozen=True, slots=True)
class Count:
    """The answers of one group of respondents.

    Attributes:
        yes: Number of answers "yes" (or the sum of all answers, where an answer is a count).
        respondents: Number of respondents.
    """

    yes: int
    respondents: int

    def checked(self, largest_answer: int = 1) -> Count:
        """Returns these counts if they are possible.

        Raises:
            InputError: There are fewer than 2 respondents, or more answers than they can give.
        """
        if self.respondents < _LEAST:
            raise InputError(T.FEW_RESPONDENTS())
        if not 0 <= self.yes <= self.respondents * largest_answer:
            raise InputError(T.TOO_MANY_YES())
        return self

    @property
    def share(self) -> float:
        """Share of "yes", or the mean answer."""
        return self.yes / self.respondents


def parse_counts(text: str, groups: int) -> tuple[Count, ...]:
    """Reads counts such as "831/2435", or "140/300,210/300" for two groups.

    Raises:
        InputError: The text is not of this form, or has another number of groups.
    """
    counts = []
    for part in text.split(","):
        found = _GRAMMAR.fullmatch(part.strip())
        if found is None:
            raise InputError(T.BAD_COUNTS())
        counts.append(Count(int(found[1]), int(found[2])))
    if len(counts) != groups:
        raise InputError(T.COUNT_OF_GROUPS(groups=groups, given=len(counts)))
    return tuple(counts)


@dataclass(frozen=True, slots=True)
class SurveyEstimate:
    """An unbiased estimate of the share of carriers.

    Attributes:
        estimate: The share as it is; it may be negative or above 1.
        truncated: The share moved between 0 and 1.
        standard_error: Standard error, respondents being a random sample.
        sampling_error: The part that direct questions would have had, at the truncated share.
        privacy_error: The part that the device adds.
        lower, upper: The default interval: Wilson's for the answers, carried over; of several
            groups, or of answers that are numbers, one that is as exact near 0.
        conservative: Clopper and Pearson's interval, carried over; None for several groups.
        other_shares: Other shares that the design estimates, by name, with their standard errors.
    """

    estimate: float
    truncated: float
    standard_error: float
    sampling_error: float
    privacy_error: float
    lower: float
    upper: float
    conservative: tuple[float, float] | None = None
    other_shares: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def stated_error(self) -> float | None:
        """The standard error; None where all answers are alike, which does not show it."""
        return stated_error(self.standard_error, self.lower, self.upper)


@dataclass(frozen=True, slots=True, eq=False)
class SurveyEstimates:
    """Estimates of many surveys of one design, every array of the same shape.

    Attributes:
        estimate: The shares as they are, not truncated.
        standard_error: Their standard errors.
        lower, upper: The default intervals.
    """

    estimate: Floats
    standard_error: Floats
    lower: Floats
    upper: Floats

    @property
    def only(self) -> tuple[float, float, float, float]:
        """The four numbers of a single survey: estimate, error, and the interval's ends."""
        found = (self.estimate, self.standard_error, self.lower, self.upper)
        estimate, error, lower, upper = (float(values.item()) for values in found)
        return estimate, error, lower, upper


def normal_estimates(value: Floats, error: Floats, confidence: float) -> SurveyEstimates:
    """Returns estimates with the normal interval."""
    half = normal_quantile(confidence) * error
    return SurveyEstimates(value, error, value - half, value + half)


def as_totals(counts: Sequence[Count]) -> tuple[Floats, tuple[int, ...]]:
    """Returns the counts of one survey as `Design.estimates` takes those of many."""
    totals = np.array([[count.yes for count in counts]], dtype=np.float64)
    return totals, tuple(count.respondents for count in counts)


@dataclass(frozen=True, slots=True)
class PlannedVariance:
    """The variance of an estimate, times the number n of all respondents.

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


class YesNoDesign(Design):
    """A design for one sensitive trait: respondents are carriers of it or not."""

    quantity: ClassVar[Quantity] = "share"
    departures: ClassVar[tuple[Departure, ...]] = ("denial", "refusal", "carelessness")
    counted: ClassVar[bool] = True
    largest_answer: ClassVar[int] = 1
    """The largest number that one respondent's answer can be."""
    same_respondents: ClassVar[bool] = False
    """Whether everybody answers for every group: there are several items, not several groups."""
    by_program: ClassVar[bool] = False
    """Whether a program sends the report, so that respondents say nothing."""
    assumes_innocent: ClassVar[bool] = False
    """Whether the law rests on shares of innocent answers that nobody knows."""

    def _in_plan(self) -> tuple[Mechanism, str]:
        from dpdesk.mechanisms.direct_encoding import Warner

        return Warner(epsilon=plan_epsilon(self.loss.epsilon * (1 + 1e-12))), ""

    def misfit(self, *, too_many_carriers: bool) -> str:
        """Returns in words how answers differ from all that the design brings about.

        Args:
            too_many_carriers: Whether the share of carriers is above 1, and not below 0.
        """
        return T.NO_SHARE_FITS()

    @property
    @abstractmethod
    def groups(self) -> tuple[Group, ...]:
        """The law of the answers of each group that depend on the sensitive trait."""

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

    def estimate(self, counts: Sequence[Count], confidence: float = 0.95) -> SurveyEstimate:
        """Returns the unbiased estimate of the share of carriers, with its errors.

        If groups are combined with weights, all error that is not due to sampling respondents
        counts as the device's part.

        Args:
            counts: The answers of each group.
            confidence: Coverage of the intervals.

        Raises:
            InputError: The counts are impossible.
        """
        counts = self._checked(counts)
        self.check_device()
        value, error, lower, upper = self.estimates(*as_totals(counts), confidence).only
        possible = min(max(value, 0.0), 1.0)
        pooled = self._pooled(counts)
        if pooled is not None:
            planned, n = self.planned_variance(possible), pooled.respondents
            sampling, privacy = planned.sampling / n, planned.privacy / n
        else:
            asked = counts[:1] if self.same_respondents else counts
            sampling = possible * (1 - possible) / sum(count.respondents for count in asked)
            privacy = max(error**2 - sampling, 0.0)
        return SurveyEstimate(
            estimate=value,
            truncated=possible,
            standard_error=error,
            sampling_error=sqrt(sampling),
            privacy_error=sqrt(privacy),
            lower=lower,
            upper=upper,
            conservative=self._conservative(pooled, confidence),
            other_shares=self._other_estimates(value, counts),
        )

    def check_device(self) -> None:
        """Refuses parameters with which answers do not depend on the trait.

        Raises:
            ParameterError: They do not.
        """
        _ = self.asked

    def _checked(self, counts: Sequence[Count]) -> tuple[Count, ...]:
        """The counts, if they are possible."""
        if len(counts) != self.group_count:
            raise ValueError(f"{self.kind}: {len(counts)}")
        return tuple(count.checked(self.largest_answer) for count in counts)

    def _pooled(self, counts: Sequence[Count]) -> Count | None:
        """The counts as those of one group; None if groups are combined with weights."""
        return counts[0] if self.group_count == 1 else None

    def _conservative(self, pooled: Count | None, confidence: float) -> tuple[float, float] | None:
        """Clopper and Pearson's interval, carried over; None where there is none."""
        return None

    def _other_estimates(
        self, value: float, counts: Sequence[Count]
    ) -> Mapping[str, tuple[float, float]]:
        """The other quantities that the counts estimate, by name, with their standard errors."""
        return {}

    @abstractmethod
    def planned_variance(self, prevalence: float) -> PlannedVariance:
        """Returns n times the variance of the estimate, groups being of equal size.

        Args:
            prevalence: The true share of carriers.
        """

    def interval_variance(self, prevalence: float) -> PlannedVariance:
        """Returns n times the variance from which intervals of counts are computed.

        It is that of the estimate, unless `error_is_bound`.

        Args:
            prevalence: The true share of carriers.
        """
        return self.planned_variance(prevalence)

    @property
    def loss(self) -> Loss:
        return loss_of(self.groups)

    @property
    def combination(self) -> tuple[float, tuple[float, ...]] | None:
        """The constant and the weight of each group's mean answer in the share of carriers.

        None if each respondent's answer has its own score.

        Raises:
            ParameterError: The parameters make no device.
        """
        return None

    def chances_of(
        self, said: Floats, group: Labels, anchor: Floats | None
    ) -> AnswerChances | None:
        """Returns the chances of answers that depend on a share which the design leaves open.

        Args:
            said: The number that each answer stands for, shape (n,).
            group: Number of the group whose device each respondent used, shape (n,).
            anchor: 1 for yes to the anchor, shape (n,); None where there is none.

        Returns:
            The chances by device; None if `groups` already holds the chances of all answers.

        Raises:
            ParameterError: The design does not define the chances of an answer.
        """
        return None

    def tested(self, shares: Sequence[float]) -> tuple[str, float] | None:
        """Returns the quantity that shows whether respondents follow the instruction.

        Args:
            shares: Share of yes of each group or item.

        Returns:
            Its name in `inference.TESTS`, and its value; None where there is none.
        """
        return None

    def with_answers(self, shares: Sequence[float]) -> Self:
        """Returns the design with what its answers show of parameters that were supposed.

        Args:
            shares: Mean answer of each group.
        """
        return self

    def linearised(self, shares: Sequence[float]) -> tuple[float, tuple[float, ...]] | None:
        """Returns the estimate at shares of yes of items, and its slopes along them.

        Args:
            shares: Share of yes of each item.

        Returns:
            Both; None if respondents answer a single item, or if nobody attends to the items.
        """
        return None

    def instructions(
        self, question: str = "", others: Sequence[str] = (), choice: DeviceChoice = ANY_DEVICE
    ) -> tuple[Procedure, ...]:
        self.check_device()
        asked, beside = question.strip() or T.QUESTION(), filled(self.blanks, others)
        return self._procedures(asked, beside, self._choice(choice, others))

    @abstractmethod
    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        """What respondents of each group do, given the questions that it has, and a device."""
