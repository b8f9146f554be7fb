"""Estimates as tidy rows: one per quantity, for a table, a file or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import pairwise, repeat
from math import isnan

from dpdesk.domains import ListedDomain, NumericDomain
from dpdesk.estimation.released import ReleasedAttribute
from dpdesk.i18n import N_
from dpdesk.mechanisms import Estimate
from dpdesk.mechanisms.estimates import IntervalShares
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.calendar import date_text
from dpdesk.numbers.intervals import is_even


@dataclass(frozen=True, slots=True)
class Quantity:
    """What is estimated of an attribute.

    Attributes:
        key: Its name in files.
        title: What stands over its estimates.
        words: What one of its estimates is, with {answer}: the category or interval.
    """

    key: str
    title: str
    words: str


SHARE = Quantity("share", N_("Shares of all respondents"), "share of {answer}")
MEAN = Quantity("mean", N_("Mean"), "mean")
ANSWERED = Quantity("share answered", N_("Share answered"), "share answered")
"""Of a number that may be missing; its mean is then that of those who answered."""
OF_ASKED = Quantity(
    "share answered among those asked",
    N_("Share answered among those asked"),
    "share answered among those asked",
)
"""Where a question was asked because of another that the release protects, too."""
INTERVAL_SHARE = Quantity("interval share", N_("Shares of intervals"), "share of {answer}")
"""Of the respondents whose number lies in an interval."""
AMONG_ANSWERED = Quantity(
    "share among those who answered",
    N_("Shares among those who answered"),
    "share of {answer} among those who answered",
)
"""Of shares that leave out "no answer", which is a category of its own."""

QUANTITIES = (SHARE, AMONG_ANSWERED, MEAN, ANSWERED, OF_ASKED, INTERVAL_SHARE)
"""All of them; an attribute has shares or a mean, and the others behind it."""

_BY_KEY = {quantity.key: quantity for quantity in QUANTITIES}

_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class EstimateRow:
    """One estimated quantity.

    Attributes:
        attribute: Name of the column.
        quantity: Key of one of `QUANTITIES`.
        category: The category's text, or the interval such as "18 to 25"; empty for a mean.
        label: What the category means, or the interval with its unit; the column's label for a
            mean.
        unit: Unit of the numbers; empty for shares, which are fractions of 1.
        estimate: The unbiased estimate.
        truncated: The estimate truncated to the possible range.
        error_95: 95 % error, noise and sampling together: the distance of the estimate from the
            farther end of its interval.
        noise_standard_error: Standard error that the mechanism adds.
        sampling_standard_error: That of drawing the respondents, or None if unidentified.
        total_standard_error: That of both together.
        lower, upper: 95 % interval from noise and sampling.
        reports: Number of reports.
        effective_reports: Kish's effective number of reports.
        simplex, norm_sub, iterative_bayes, smoothed_bayes, lasso: Possible estimates of the same
            share, biased and without errors (see `POSSIBLE_KINDS`); None if not available.
        asked: Who was asked, such as "smoker = yes"; empty where everybody was.
    """

    attribute: str
    quantity: str
    category: str
    label: str
    unit: str
    estimate: float
    truncated: float
    error_95: float
    noise_standard_error: float
    sampling_standard_error: float | None
    total_standard_error: float
    lower: float
    upper: float
    reports: int
    effective_reports: float
    simplex: float | None = None
    norm_sub: float | None = None
    iterative_bayes: float | None = None
    smoothed_bayes: float | None = None
    lasso: float | None = None
    asked: str = ""

    @property
    def kind(self) -> Quantity:
        """The quantity with its words."""
        return _BY_KEY[self.quantity]

    @property
    def is_even(self) -> bool:
        """Whether both ends of the interval are as far from the estimate, in print."""
        return is_even(self.estimate, self.lower, self.upper)

    @property
    def is_share(self) -> bool:
        """Whether it is a share, of a category or of an interval of numbers."""
        return self.quantity != MEAN.key

    @property
    def sampled_at(self) -> float | None:
        """The share, 0 or 1, at which drawing the respondents has no error; None elsewhere."""
        return end_without_sampling(self.estimate, self.sampling_standard_error, self.kind)

    def as_dict(self) -> dict[str, str | int | float | None]:
        """Returns the row as plain values, in the order of the columns of `estimates.csv`.

        An error of 95 % is left out where the interval is longer on one side of the estimate.
        """
        return asdict(self) | ({} if self.is_even else {"error_95": None})

    @property
    def dates(self) -> dict[str, str]:
        """The estimate and its interval as dates, where the unit is one of the calendar."""
        told = {"estimate": self.estimate, "lower": self.lower, "upper": self.upper}
        dates = {f"{key}_date": date_text(number, self.unit) for key, number in told.items()}
        return {key: date for key, date in dates.items() if date is not None}


NO_SAMPLING_AT_AN_END = N_(
    "Errors are those at the nearest possible share: at 0 % or 100 % everybody gives the same "
    "answer, so that drawing other respondents would change nothing and sampling adds 0. The 95 % "
    "interval says which other shares are possible."
)
"""Why the error of drawing the respondents is 0 beside some shares."""


def end_without_sampling(
    estimate: float, sampling_error: float | None, quantity: Quantity
) -> float | None:
    """Returns the share, 0 or 1, at which errors are, where drawing respondents has none.

    Errors of a share are those at the possible share that is nearest to its estimate.

    Args:
        estimate: The unbiased estimate.
        sampling_error: Standard error of drawing the respondents, or None if unidentified.
        quantity: What is estimated.
    """
    if quantity is MEAN or sampling_error != 0:
        return None
    return float(estimate > 0.5)


def estimate_rows(attribute: ReleasedAttribute) -> Iterator[EstimateRow]:
    """Yields the rows of one attribute: one per category, or one for a mean and those behind it.

    These are shares among those who answered, or the share answered and the shares of intervals.
    """
    rule = attribute.column.missing.asked
    if rule is None:
        yield from _estimate_rows(attribute)
        return
    asked = rule.condition()
    yield from (replace(row, asked=asked) for row in _estimate_rows(attribute))


def _estimate_rows(attribute: ReleasedAttribute) -> Iterator[EstimateRow]:
    estimate = attribute.estimate
    column, domain = attribute.column, attribute.bound.domain
    if isinstance(domain, ListedDomain):
        named: Iterator[tuple[str, str]] = (
            (domain.texts[i], domain.label(i)) for i in range(domain.size)
        )
        yield from _rows(column.name, estimate, SHARE, "", named)
        yield from _among_answered(attribute, domain)
        yield from _of_asked(attribute)
        return
    yield from _rows(column.name, estimate, MEAN, domain.unit, [("", column.title)])
    if estimate.answered is not None:
        yield from _rows(column.name, estimate.answered, ANSWERED, "", [("", column.title)])
        yield from _of_asked(attribute)
    if estimate.intervals is not None:
        shares = estimate.intervals.shares
        named = interval_names(domain, estimate.intervals)
        yield from _rows(column.name, shares, INTERVAL_SHARE, "", named)


def rows_by_quantity(attribute: ReleasedAttribute) -> Mapping[Quantity, tuple[EstimateRow, ...]]:
    """Returns the rows of one attribute under each of `QUANTITIES`; none where it has none."""
    rows: dict[Quantity, list[EstimateRow]] = {quantity: [] for quantity in QUANTITIES}
    for row in estimate_rows(attribute):
        rows[row.kind].append(row)
    return {quantity: tuple(found) for quantity, found in rows.items()}


def _among_answered(attribute: ReleasedAttribute, domain: ListedDomain) -> Iterator[EstimateRow]:
    """Yields the shares among those who answered, where "no answer" is a category."""
    estimate, missing = attribute.among_answered, attribute.missing_category
    if estimate is None:
        return
    answers = (i for i in range(domain.size) if i != missing)
    named = ((domain.texts[i], domain.label(i)) for i in answers)
    yield from _rows(attribute.column.name, estimate, AMONG_ANSWERED, "", named)


def _of_asked(attribute: ReleasedAttribute) -> Iterator[EstimateRow]:
    """Yields the share answered among those asked, where the release tells it."""
    column, estimate = attribute.column, attribute.answered_of_asked
    if estimate is not None:
        yield from _rows(column.name, estimate, OF_ASKED, "", [("", column.title)])


def interval_names(domain: NumericDomain, intervals: IntervalShares) -> Iterator[tuple[str, str]]:
    """Yields each interval as a text such as "18 to 25", and the same with the unit.

    An interval of one grid point is named by it.
    """
    if intervals.ends.size - 1 == domain.size:
        yield from ((text, domain.label(i)) for i, text in enumerate(domain.texts))
        return
    unit = domain.shown_unit
    dates = [date_text(end, unit) for end in intervals.ends.tolist()]
    ends = [date or f"{end:.10g}" for date, end in zip(dates, intervals.ends.tolist(), strict=True)]
    for lower, upper in pairwise(ends):
        text = f"{lower} to {upper}"
        yield text, text if dates[0] else f"{text} {unit}".strip()


def _rows(
    name: str, estimate: Estimate, quantity: Quantity, unit: str, named: Iterable[tuple[str, str]]
) -> Iterator[EstimateRow]:
    """Yields a row for each pair of category and label."""
    numbers = zip(
        _numbers(estimate.value),
        _numbers(estimate.truncated),
        _numbers(estimate.noise_error),
        _numbers(estimate.sampling_error),
        _numbers(estimate.total_error),
        _numbers(estimate.lower),
        _numbers(estimate.upper),
        strict=True,
    )
    names = tuple(estimate.possible)
    columns = [_numbers(estimate.possible[kind]) for kind in names]
    possible_shares = zip(*columns, strict=True) if names else repeat(())
    for (category, label), row, shares in zip(named, numbers, possible_shares, strict=False):
        value, truncated, noise, sampling, total, lower, upper = row
        yield EstimateRow(
            attribute=name,
            quantity=quantity.key,
            category=category,
            label=label,
            unit=unit,
            estimate=value,
            truncated=truncated,
            error_95=max(value - lower, upper - value),
            noise_standard_error=noise,
            sampling_standard_error=None if isnan(sampling) else sampling,
            total_standard_error=total,
            lower=lower,
            upper=upper,
            reports=estimate.reports,
            effective_reports=estimate.effective_reports,
            **dict(zip(names, shares, strict=True)),
        )


def _numbers(values: Floats) -> Iterator[float]:
    """Yields an array's numbers as Python floats, converted for many rows at a time."""
    for start in range(0, values.size, _AT_ONCE):
        yield from values[start : start + _AT_ONCE].tolist()
