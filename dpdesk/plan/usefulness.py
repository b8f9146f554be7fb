"""Whether what is released will be useful: its errors against the size of what is estimated.

The rule is that of `dpdesk.plan.verdicts`. Of categories every share is judged by itself, with its
own error (`usefulness_of_shares`): those of the file where it was counted for the curator's screen
(`Counted`), else the expected ones; what is published by the released estimates. Where nothing is
known, each answer is equally common.

Numbers are spread as in the file, else evenly. Declared bounds may be far wider than the answers.
Where the file was counted, a mean is compared with the least of that,

- its distance from the nearest bound, as a share has one from 0: an error beyond it tells the mean
  from nothing that nobody could have said before; and
- half a standard deviation of the file's numbers, or the mean itself if that is more: an error
  beyond both shows no difference between groups, and not even the order of magnitude. (A balance
  has a mean near 0 and a spread, a height a large mean and little spread; either is enough.)

A mean of released records is compared with the distance of its estimate from the nearest bound, if
that is less than by the bounds alone: the spread is not released. Released statistics are judged by
the bounds alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from dpdesk.domains import NumericDomain
from dpdesk.i18n import Message
from dpdesk.mechanisms import AnyDomain, Mechanism, Sampling
from dpdesk.mechanisms.choice import mean_accuracy
from dpdesk.mechanisms.estimates import Answers
from dpdesk.mechanisms.missing_answer import MissingForecast
from dpdesk.mechanisms.sampling import SampledForecast
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.digits import bounded_error_text, fraction_text, percent_text, significant
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.plan.column import ColumnPlan, GroupSizes
from dpdesk.plan.texts import T
from dpdesk.plan.verdicts import VERDICTS, ShareCounts, Verdict, verdict_of
from dpdesk.queries import BoundQuery
from dpdesk.queries.base import ExpectedError
from dpdesk.queries.bound import sizes_of_shares

RESPONDENTS_ASSUMED = 1000
"""The number of respondents that errors are given for if a plan does not state it."""

HALF_RANGE_OF_SHARE = 50.0
"""Half the width of what a share can be, in pp."""

_HARDLY_ANYBODY = 0.01
"""Share of missing answers below which the share who answered is no question: nobody would ask how
many of them are missing, and half a standard deviation of that share is next to nothing."""

_Z = normal_quantile(0.95)


@dataclass(frozen=True, slots=True)
class Usefulness:
    """What one number of a release will be worth.

    Attributes:
        what: What is estimated, such as "a share of 1/16".
        error: Half-width of the 95 % interval, noise and sampling for records, noise alone for
            statistics of a trusted file; of several shares that of the worst against its size.
        size: What it is compared with: the thing itself, or a medium difference of it.
        unprotected: The 95 % error without protection; 0 for statistics, which describe the file.
        unit: "pp", "rows" or the attribute's unit.
        is_itself: Whether the size is the thing itself, not a medium difference of it.
        of_bounds: Whether that difference is taken from the declared bounds.
        of_file: Whether the size is that of the numbers in the file: the mean itself, a medium
            difference of it, or its distance from a bound; or that of the estimated mean.
        near: The declared bound, in print, that this mean is nearest to, where its distance from it
            is the size; empty for others.
        quantity: What it is of a column of numbers, of which both are estimated: "mean" or "share
            answered"; empty for others.
        half_range: Half the width of all that can be estimated, which an error that is told does
            not exceed: whoever asks nobody, and guesses the middle, is never farther off.
        shares: The verdict on each share, where several are judged.
        alone: The same without protection.
    """

    what: str
    error: float
    size: float
    unprotected: float
    unit: str
    is_itself: bool = False
    of_bounds: bool = False
    of_file: bool = False
    near: str = ""
    quantity: str = ""
    half_range: float = inf
    shares: ShareCounts | None = None
    alone: ShareCounts | None = None
    _largest: tuple[float, float] | None = None

    @property
    def largest(self) -> tuple[float, float]:
        """The largest error of the numbers, and the largest without protection."""
        return self._largest or (self.error, self.unprotected)

    @property
    def told(self) -> str:
        """The error in print; one beyond what is possible as more than that."""
        return self._told(self.error)

    def _told(self, error: float) -> str:
        return bounded_error_text(error, self.unit, self.half_range)

    @property
    def verdict(self) -> Verdict:
        """The verdict."""
        return verdict_of(self.error, self.size) if self.shares is None else self.shares.verdict

    @property
    def counts(self) -> ShareCounts:
        """How many numbers have each verdict."""
        return self.shares or ShareCounts(*(int(self.verdict == each) for each in VERDICTS))

    @property
    def useful_part(self) -> float:
        """The part of the numbers that is useful."""
        return self.counts.useful / sum(self.counts)

    @property
    def is_best_possible(self) -> bool:
        """Whether all that respondents alone would make useful is, and something is."""
        most = sum(self.counts) if self.alone is None else self.alone.useful
        return self.counts.useful >= most and self.counts.useful > 0

    def exceeds(self, other: Usefulness) -> bool:
        """Returns whether its verdict is better, or a larger part of as good ones is useful."""
        mine, its = ((VERDICTS.index(u.verdict), -u.useful_part) for u in (self, other))
        return mine < its

    @property
    def ratio(self) -> float:
        """The error as a multiple of the size."""
        return self.error / self.size if self.size > 0 else float("inf")

    @property
    def is_of_few_respondents(self) -> bool:
        """Whether the verdict is the same without protection, and no more numbers are useful."""
        if self.alone is None:
            return verdict_of(self.unprotected, self.size) == self.verdict != "useful"
        # Without noise a file is what it is.
        if not self.largest[1] or self.alone.useful > self.counts.useful:
            return False
        return self.alone.verdict == self.verdict != "useful"

    @property
    def reason(self) -> Message:
        """Error, what it is compared with, and the error without protection, as a sentence."""
        alone = self._told(self.unprotected)
        if self.is_of_few_respondents:
            return T.REASON_TOO_FEW(worth=self.brief, unprotected=alone)
        if not self.unprotected:
            return T.REASON(worth=self.brief)
        return T.REASON_UNPROTECTED(worth=self.brief, unprotected=alone)

    @property
    def brief(self) -> Message:
        """Error and what it is compared with; of several shares how many are useful, first."""
        error, what = self.told, self.what
        size = f"{significant(self.size, 2)} {self.unit}".strip()
        if self.size <= 0:
            head = T.WORTH_RARE(error=error, what=what)
        elif self.near:
            head = T.WORTH_NEAR(error=error, what=what, size=size, bound=self.near)
        elif self.is_itself:
            head = T.WORTH(error=error, what=what, size=size)
        else:
            head = T.WORTH_DIFFERENCE(error=error, what=what, size=size)
        if self.shares is None or not self.shares.is_mixed:
            return head
        return T.WORTH_MIXED(counts=self.shares.words, worst=head)


def usefulness_of_column(
    column: ColumnPlan, sampling: Sampling, respondents: int | None
) -> Usefulness | None:
    """Returns what the estimates of a protected column will be worth.

    Of numbers that may be missing both the mean and the share answered are looked at: the worse;
    the mean alone where hardly anybody is missing.

    Args:
        column: The column.
        sampling: The plan's strategy (`Plan.sampling`).
        respondents: Number of respondents that the plan states; `RESPONDENTS_ASSUMED` if None.

    Returns:
        None where nothing fitting protects it.
    """
    domain, mechanism = column.judged_domain, column.mechanism
    if column.role != "protect" or domain is None or mechanism is None:
        return None
    count, words = column.reports(respondents or RESPONDENTS_ASSUMED), column.judged_words
    found = usefulness_of(
        *(mechanism, domain, sampling, count, column.expected_shares, words),
        answers=column.judged_answers,
        of_file=column.is_counted,
    )
    if found is None or not column.missing.treatment.stays_blank:
        return found
    return replace(found, what=T.IF(what=found.what, supposed=words))


class ReleasedMean(NamedTuple):
    """A released mean with the half-widths of its 95 % intervals.

    Attributes:
        mean: The estimate.
        error: From noise and sampling.
        unprotected: From sampling alone; 0 if not known.
    """

    mean: float
    error: float
    unprotected: float


# Cached: a step of a slider changes one of thousands of columns.
@lru_cache(maxsize=20_000)
def usefulness_of(
    mechanism: Mechanism,
    domain: AnyDomain,
    sampling: Sampling,
    respondents: float,
    expected: tuple[float, ...] = (),
    supposed: str = "",
    answers: Answers | None = None,
    of_file: bool = False,
    released: ReleasedMean | None = None,
) -> Usefulness | None:
    """Returns what the estimates of one attribute will be worth; None if the law does not fit.

    Args:
        mechanism: Its mechanism.
        domain: The domain that the mechanism sees.
        sampling: How the attribute shares a respondent's report with others.
        respondents: Number of respondents, without those who make no report.
        expected: Expected share of each category, which fakes follow; uniform when empty.
        supposed: What is supposed of missing answers, in words; empty to say their share alone.
        answers: How the answers are spread; evenly when None.
        of_file: Whether that was counted in the file, for the curator's screen.
        released: The released estimate of their mean; its own error then counts.
    """
    if not sampling.serves(type(mechanism)) or mechanism.objection(domain) is not None:
        return None
    forecast = sampling.forecast(mechanism, domain, expected)
    if not domain.holds_numbers:
        share = T.SHARE(share=SHARE)
        what = T.EXPECTED_SHARE(share=SHARE) if answers else T.IF_EVEN(what=share)
        what = T.IN_FILE(what=share) if of_file else what
        even = Answers((1 / domain.size,) * domain.size)
        noise, sampled = forecast.variances(answers or even)
        return usefulness_of_shares(
            what,
            np.array((answers or even).shares),
            _Z * np.sqrt((noise + sampled) / respondents),
            _Z * np.sqrt(sampled / respondents),
            of_file=of_file,
        )
    accuracy = mean_accuracy(forecast, answers, respondents)
    error, unprotected = _Z * accuracy.total, _Z * accuracy.sampling
    if released is not None:
        error, unprotected = released.error, released.unprotected
    spread = spread_of(domain)
    # The share that a law was made for is part of its domain.
    if domain.missing_share and not supposed:
        supposed = T.NOT_ANSWERED(share=percent_text(domain.missing_share))
    if not domain.missing_share:
        supposed = ""
    what = T.IF(what=T.MEAN(), supposed=supposed) if supposed else T.MEAN()
    mean = Usefulness(
        what,
        error,
        spread / 2,
        unprotected,
        domain.error_unit,
        of_bounds=True,
        quantity="mean",
        half_range=half_range(domain),
    )
    if answers is not None and isinstance(domain, NumericDomain):
        mean = _by_numbers(mean, domain, answers.mean, answers.spread)
    if released is not None and isinstance(domain, NumericDomain):
        # The spread of the answers is not released: only the distance from a bound is compared.
        mean = _by_numbers(mean, domain, released.mean, inf)
    if domain.missing_share < _HARDLY_ANYBODY:
        return mean
    group = forecast.real if isinstance(forecast, SampledForecast) else forecast
    if not isinstance(group, MissingForecast):
        return mean
    answered = _share_answered(group, respondents, sampling, supposed)
    return max(mean, answered, key=lambda found: found.ratio)


def _by_numbers(found: Usefulness, domain: NumericDomain, mean: float, spread: float) -> Usefulness:
    """What an estimated mean is worth by the numbers themselves, where these are a smaller size.

    Args:
        found: What it is worth by the declared bounds.
        domain: The numbers.
        mean: Their mean, in the file or as estimated.
        spread: Their standard deviation; infinite if it is not known.
    """
    at_upper = mean - domain.origin > domain.span / 2
    away = domain.origin + domain.span - mean if at_upper else mean - domain.origin
    # Where dates are counted from is a convention: their mean has no size of its own.
    is_itself = domain.adds_up and abs(mean) >= spread / 2
    own = abs(mean) if is_itself else spread / 2
    # Where all gave the bound, or 0, one who did not would be a step of the grid away.
    away, own = (size if size > 0 else float(domain.grid_step) for size in (away, own))
    if min(away, own) >= found.size:
        return found
    judged = replace(found, of_bounds=False, of_file=True)
    if away <= own:
        return replace(judged, size=away, near=domain.bounds[at_upper])
    return replace(judged, size=own, is_itself=is_itself)


def half_range(domain: AnyDomain) -> float:
    """Returns half the width of what the mean or a share of a domain can be, in its unit."""
    return float(domain.span / 2) if domain.holds_numbers else HALF_RANGE_OF_SHARE


def spread_of(domain: AnyDomain) -> float:
    """Returns the standard deviation of numbers that are spread evenly over their domain."""
    return float(domain.span * sqrt((domain.size + 1) / (12 * max(domain.size - 1, 1))))


SHARE = "{share}"
"""Stands for the share that is shown of several."""


def usefulness_of_share(what: str, share: float, error: float, unprotected: float) -> Usefulness:
    """Returns what an estimate of a share is worth; its error is told in pp.

    Args:
        what: What is estimated.
        share: The share, as a fraction of 1.
        error: Half-width of its 95 % interval, alike.
        unprotected: The same without protection.
    """
    return usefulness_of_shares(what, *map(np.atleast_1d, (share, error, unprotected)))


def usefulness_of_shares(
    what: str, shares: Floats, errors: Floats, unprotected: Floats, *, of_file: bool = False
) -> Usefulness:
    """Returns what estimates of several shares are worth, each with its own error.

    Args:
        what: What is estimated, with `SHARE` where the share that is shown stands.
        shares: The shares, as fractions of 1; below 0 they count as 0.
        errors: Half-widths of their 95 % intervals, alike.
        unprotected: The same without protection.
        of_file: Whether the shares are those of the file.
    """
    shares = np.clip(shares, 0.0, 1.0)
    sizes, itself = sizes_of_shares(shares)
    worst = worst_number(errors, sizes)
    is_even = bool(np.ptp(shares) == 0 < shares[0])
    share = f"{significant(100 * float(shares[worst]), 2)} %"
    share = fraction_text(round(1 / float(shares[0]))) if is_even else share
    what = what.replace(SHARE, share)
    in_points = (100 * errors, 100 * sizes, 100 * unprotected)
    return replace(
        usefulness_of_numbers(what, *in_points, "pp", half_range=HALF_RANGE_OF_SHARE),
        is_itself=bool(itself[worst]),
        of_file=of_file,
    )


def worst_number(errors: Floats, sizes: Floats) -> int:
    """Returns the place of the largest error against its size; what is 0 has none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return int(np.where(sizes > 0, errors / sizes, -1.0).argmax())


def usefulness_of_numbers(
    what: str, errors: Floats, sizes: Floats, unprotected: Floats, unit: str, half_range: float
) -> Usefulness:
    """Returns what several numbers are worth, each with its own error; the worst is told.

    Args:
        what: What is estimated.
        errors: Half-widths of their 95 % intervals.
        sizes: What each is compared with, alike.
        unprotected: The errors without protection.
        unit: Their unit.
        half_range: As `Usefulness.half_range`.
    """
    worst = worst_number(errors, sizes)
    error, size, alone = (float(each[worst]) for each in (errors, sizes, unprotected))
    return Usefulness(
        *(what, error, size, alone, unit),
        half_range=half_range,
        shares=ShareCounts.of(errors, sizes),
        alone=ShareCounts.of(unprotected, sizes),
        _largest=(float(errors.max()), float(unprotected.max())),
    )


def _share_answered(
    forecast: MissingForecast, respondents: float, sampling: Sampling, supposed: str
) -> Usefulness:
    """The share of respondents who answered, whose estimate is the mean of the scores A."""
    answered = 1 - forecast.share
    p, q = forecast.scores.p, forecast.scores.q
    none = answered * q + forecast.share * p
    reports = respondents / sampling.groups
    error = sqrt(none * (1 - none) / reports) / (p - q)
    spread = sqrt(answered * forecast.share)
    what = T.IF(what=T.SHARE_ANSWERED(), supposed=supposed)
    found = usefulness_of_share(what, answered, _Z * error, _Z * spread / sqrt(respondents))
    return replace(found, quantity="share answered")


def usefulness_of_query(
    bound: BoundQuery,
    rows: int | None,
    confidence: float = 0.95,
    groups: GroupSizes | None = None,
    of_file: tuple[float, float] | None = None,
    met: float | None = None,
    shares: Floats | None = None,
    errors: Floats | None = None,
) -> Usefulness:
    """Returns what a number of a statistic will be worth; its noise is all that is looked at.

    Args:
        bound: The query, calibrated.
        rows: Number of rows that the plan states; `RESPONDENTS_ASSUMED` if None.
        confidence: Coverage of the interval.
        groups: The sizes of the groups of an average, where they are known: that of middle size is
            looked at. Else they are taken as equally large.
        of_file: Mean and standard deviation of the column's numbers in the file, where they were
            counted for the curator's screen.
        met: The share of the rows that meets the conditions; as of even answers if None.
        shares: Part of the rows in each number, where they are counted and it is known.
        errors: The half-widths of their released intervals; those to expect if None.
    """
    group = None if groups is None else groups.middle
    of_cell = bound.rows_of_cell(rows or RESPONDENTS_ASSUMED, group, met)
    error = bound.expected_error(of_cell, confidence)
    half = half_range_of_query(error, rows or RESPONDENTS_ASSUMED)
    if shares is not None:
        scale = 100.0 if error.unit == "pp" else float(rows or RESPONDENTS_ASSUMED)
        sizes, itself = sizes_of_shares(np.clip(shares, 0.0, 1.0))
        errors = np.full(sizes.shape, error.half_width) if errors is None else errors
        one = T.SHARE_ANY() if error.unit == "pp" else T.COUNT_ANY()
        numbers = usefulness_of_numbers(one, errors, scale * sizes, 0 * errors, error.unit, half)
        return replace(numbers, is_itself=bool(itself[worst_number(errors, sizes)]), of_file=True)
    size = bound.expected_size(rows or RESPONDENTS_ASSUMED)
    what: str = size.what
    if bound.query.averages and len(bound.keys) > 1:
        what = (T.IF_EQUAL if groups is None else T.IN_MIDDLE_GROUP)(what=what)
    found = Usefulness(
        what,
        error.half_width,
        size.size,
        0.0,
        error.unit,
        is_itself=size.is_itself,
        half_range=half,
    )
    if size.mean_of is None or of_file is None:
        return found
    return _by_numbers(found, size.mean_of, *of_file)


def half_range_of_query(error: ExpectedError, rows: int) -> float:
    """Returns half the width of what a number of a statistic can be; infinite for a sum.

    Args:
        error: The error to expect of it.
        rows: Number of rows that a count cannot exceed.
    """
    half = {"pp": HALF_RANGE_OF_SHARE, "rows": rows / 2}.get(error.unit, inf)
    # What can only fall short can do so by all that there is.
    return 2 * half if error.is_shortfall else half
