"""Estimates as tidy rows: one per quantity, for a table, a file or JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import isnan

from dpdesk.domains import Categorical, NumericDomain
from dpdesk.estimate.released import ReleasedAttribute
from dpdesk.mechanisms import Estimate
from dpdesk.mechanisms.estimates import IntervalShares


@dataclass(frozen=True, slots=True)
class EstimateRow:
    """One estimated quantity.

    Attributes:
        attribute: Name of the column.
        quantity: "share", "mean", or "interval share": of the respondents whose number lies in
            an interval.
        category: The category's text, or the interval such as "18 to 25"; empty for a mean.
        label: What the category means, or the interval with its unit; the column's label for a
            mean.
        unit: Unit of the numbers; empty for shares, which are fractions of 1.
        estimate: The unbiased estimate as it is.
        truncated: The estimate moved into the possible range.
        noise_error: Standard error that the mechanism adds.
        sampling_error: Standard error of drawing the respondents, or None if unidentified.
        total_error: Standard error of both.
        lower, upper: 95 % interval from the total error.
        reports: Number of reports.
        effective_reports: Kish's effective number of reports.
        simplex, norm_sub, iterative_bayes, smoothed_bayes, lasso: Further estimates of the same
            share, biased and without errors (see `FURTHER_KINDS`); None where there are none.
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
    reports: int
    effective_reports: float
    simplex: float | None = None
    norm_sub: float | None = None
    iterative_bayes: float | None = None
    smoothed_bayes: float | None = None
    lasso: float | None = None

    def as_dict(self) -> dict[str, object]:
        """Returns the row as plain values, in the order of the columns of `estimates.csv`."""
        return asdict(self)


def estimate_rows(attribute: ReleasedAttribute) -> Iterator[EstimateRow]:
    """Yields the rows of one attribute: one per category; or one for a mean, then its intervals."""
    estimate = attribute.estimate
    column, domain = attribute.column, attribute.bound.domain
    if isinstance(domain, Categorical):
        for i in range(domain.size):
            yield _row(attribute, estimate, i, "share", (domain.texts[i], domain.label(i), ""))
        return
    yield _row(attribute, estimate, 0, "mean", ("", column.title, domain.unit))
    if estimate.intervals is not None:
        named = interval_names(domain, estimate.intervals)
        for i, (text, label) in enumerate(named):
            yield _row(attribute, estimate.intervals.shares, i, "interval share", (text, label, ""))


def interval_names(domain: NumericDomain, intervals: IntervalShares) -> Iterator[tuple[str, str]]:
    """Yields each interval as a text such as "18 to 25", and the same with the unit."""
    ends = [f"{end:.10g}" for end in intervals.ends.tolist()]
    for lower, upper in pairwise(ends):
        text = f"{lower} to {upper}"
        yield text, f"{text} {domain.unit}".strip()


def _row(
    attribute: ReleasedAttribute,
    estimate: Estimate,
    i: int,
    quantity: str,
    named: tuple[str, str, str],
) -> EstimateRow:
    category, label, unit = named
    sampling = float(estimate.sampling_error[i])
    return EstimateRow(
        attribute=attribute.column.name,
        quantity=quantity,
        category=category,
        label=label,
        unit=unit,
        estimate=float(estimate.value[i]),
        truncated=float(estimate.truncated[i]),
        noise_error=float(estimate.noise_error[i]),
        sampling_error=None if isnan(sampling) else sampling,
        total_error=float(estimate.total_error[i]),
        lower=float(estimate.lower[i]),
        upper=float(estimate.upper[i]),
        reports=estimate.reports,
        effective_reports=estimate.effective_reports,
        **{name: float(shares[i]) for name, shares in estimate.further.items()},
    )
