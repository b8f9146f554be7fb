"""The four figures of a released attribute, as texts."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_CEILING, Decimal

from dpdesk.estimate import EstimateRow, ReleasedAttribute
from dpdesk.mechanisms import normal_quantile
from dpdesk.report.number_text import error_text

_Z = normal_quantile(0.95)
_SHOWN = Decimal("0.000001")


def certified_text(attributes: Sequence[ReleasedAttribute], *, adds_up: bool = True) -> str:
    """Returns the certified epsilon of attributes together, rounded up: it is a bound.

    Args:
        attributes: At least one.
        adds_up: Whether a respondent reports them all; else the largest bounds the record.
    """
    certified = [attribute.bound.certificate.epsilon_certified for attribute in attributes]
    total = sum(certified, Decimal(0)) if adds_up else max(certified)
    return format(total.quantize(_SHOWN, ROUND_CEILING).normalize(), "f")


def largest_error_text(rows: Sequence[EstimateRow], *, noise_only: bool) -> str:
    """Returns the largest 95 % error of an attribute's estimates with its unit."""
    errors = (row.noise_error if noise_only else row.total_error for row in rows)
    share = is_share(rows[0])
    return error_text(_Z * max(errors), rows[0].unit, share=share)


def is_share(row: EstimateRow) -> bool:
    """Tells whether a row is a share, of a category or of an interval of numbers."""
    return row.quantity != "mean"
