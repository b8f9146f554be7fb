"""Estimates as tidy rows: one per quantity, for a table, a file or JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import isnan

from dpdesk.estimate.released import ReleasedAttribute


@dataclass(frozen=True, slots=True)
class EstimateRow:
    """One estimated quantity.

    Attributes:
        attribute: Name of the column.
        quantity: "share" or "mean".
        category: The category's text; empty for a mean.
        label: What the category means; the column's label for a mean.
        unit: Unit of the numbers; empty for a share, which is a fraction of 1.
        estimate: The unbiased estimate as it is.
        truncated: The estimate moved into the possible range.
        noise_error: Standard error that the mechanism adds.
        sampling_error: Standard error of drawing the respondents, or None if unidentified.
        total_error: Standard error of both.
        lower, upper: 95 % interval from the total error.
        reports: Number of reports.
        effective_reports: Kish's effective number of reports.
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

    def as_dict(self) -> dict[str, object]:
        """Returns the row as plain values, in the order of the columns of `estimates.csv`."""
        return asdict(self)


def estimate_rows(attribute: ReleasedAttribute) -> Iterator[EstimateRow]:
    """Yields the rows of one attribute: one per category, or one for a mean."""
    estimate = attribute.estimate
    column, domain = attribute.column, attribute.bound.domain
    is_share = estimate.quantity == "share"
    for i in range(estimate.value.size):
        sampling = float(estimate.sampling_error[i])
        yield EstimateRow(
            attribute=column.name,
            quantity=estimate.quantity,
            category=domain.texts[i] if is_share else "",
            label=domain.label(i) if is_share else column.title,
            unit="" if is_share else domain.unit,
            estimate=float(estimate.value[i]),
            truncated=float(estimate.truncated[i]),
            noise_error=float(estimate.noise_error[i]),
            sampling_error=None if isnan(sampling) else sampling,
            total_error=float(estimate.total_error[i]),
            lower=float(estimate.lower[i]),
            upper=float(estimate.upper[i]),
            reports=estimate.reports,
            effective_reports=estimate.effective_reports,
        )
