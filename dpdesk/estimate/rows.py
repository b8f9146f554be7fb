"""Estimates as tidy rows: one per quantity, for a table, a file or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import pairwise, repeat
from math import isnan

import numpy as np
from numpy.typing import NDArray

from dpdesk.domains import Categorical, NumericDomain
from dpdesk.estimate.released import ReleasedAttribute
from dpdesk.mechanisms import Estimate
from dpdesk.mechanisms.estimates import IntervalShares

Floats = NDArray[np.float64]

_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class EstimateRow:
    """One estimated quantity.

    Attributes:
        attribute: Name of the column.
        quantity: "share", "mean", "share answered" of a number that may be missing, whose mean is
            that of those who answered, or "interval share": of the respondents whose number lies
            in an interval.
        category: The category's text, or the interval such as "18 to 25"; empty for a mean.
        label: What the category means, or the interval with its unit; the column's label for a
            mean.
        unit: Unit of the numbers; empty for shares, which are fractions of 1.
        estimate: The unbiased estimate.
        truncated: The estimate truncated to the possible range.
        noise_error: Standard error that the mechanism adds.
        sampling_error: Standard error of drawing the respondents, or None if unidentified.
        total_error: Standard error of both together.
        lower, upper: 95 % interval from the total error.
        error_95: Its half-width, the 95 % error.
        reports: Number of reports.
        effective_reports: Kish's effective number of reports.
        simplex, norm_sub, iterative_bayes, smoothed_bayes, lasso: Possible estimates of the same
            share, biased and without errors (see `POSSIBLE_KINDS`); None if not available.
    """

    attribute: str
    quantity: str
    category: str
    label: str
    unit: str
    estimate: float
    truncated: float
    noise_error: float
    sampling_error: float | None
    total_error: float
    lower: float
    upper: float
    error_95: float = field(init=False)
    reports: int
    effective_reports: float
    simplex: float | None = None
    norm_sub: float | None = None
    iterative_bayes: float | None = None
    smoothed_bayes: float | None = None
    lasso: float | None = None

    def __post_init__(self) -> None:
        """Works out the 95 % error."""
        object.__setattr__(self, "error_95", (self.upper - self.lower) / 2)

    def as_dict(self) -> dict[str, object]:
        """Returns the row as plain values, in the order of the columns of `estimates.csv`."""
        return asdict(self)


def estimate_rows(attribute: ReleasedAttribute) -> Iterator[EstimateRow]:
    """Yields the rows of one attribute: one per category, or one for a mean and those behind it.

    These are the share answered where answers may be missing, and the shares of intervals.
    """
    estimate = attribute.estimate
    column, domain = attribute.column, attribute.bound.domain
    if isinstance(domain, Categorical):
        named: Iterator[tuple[str, str]] = (
            (domain.texts[i], domain.label(i)) for i in range(domain.size)
        )
        yield from _rows(column.name, estimate, "share", "", named)
        return
    yield from _rows(column.name, estimate, "mean", domain.unit, [("", column.title)])
    if estimate.answered is not None:
        yield from _rows(column.name, estimate.answered, "share answered", "", [("", column.title)])
    if estimate.intervals is not None:
        shares = estimate.intervals.shares
        named = interval_names(domain, estimate.intervals)
        yield from _rows(column.name, shares, "interval share", "", named)


def interval_names(domain: NumericDomain, intervals: IntervalShares) -> Iterator[tuple[str, str]]:
    """Yields each interval as a text such as "18 to 25", and the same with the unit.

    An interval of one grid point is named by it.
    """
    if intervals.ends.size - 1 == domain.size:
        yield from ((text, domain.label(i)) for i, text in enumerate(domain.texts))
        return
    ends = [f"{end:.10g}" for end in intervals.ends.tolist()]
    for lower, upper in pairwise(ends):
        text = f"{lower} to {upper}"
        yield text, f"{text} {domain.unit}".strip()


def _rows(
    name: str, estimate: Estimate, quantity: str, unit: str, named: Iterable[tuple[str, str]]
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
            quantity=quantity,
            category=category,
            label=label,
            unit=unit,
            estimate=value,
            truncated=truncated,
            noise_error=noise,
            sampling_error=None if isnan(sampling) else sampling,
            total_error=total,
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
