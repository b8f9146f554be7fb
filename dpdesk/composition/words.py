"""Sums and deltas as texts, for the explanations of a composition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal

from dpdesk.cost import format_epsilon

_TERMS_MAX = 6
_PLAIN_DELTA_MIN = Decimal("0.0001")


def delta_text(delta: Decimal) -> str:
    """Returns a delta in full, and below 0.0001 as a power of ten: "2.5e-7"."""
    if delta == 0 or delta >= _PLAIN_DELTA_MIN:
        return format_epsilon(delta)
    sign, digits, _ = delta.normalize().as_tuple()
    mantissa = Decimal((sign, digits, 1 - len(digits)))
    return f"{format(mantissa, 'f')}e{delta.adjusted()}"


def sum_text(terms: Sequence[str]) -> str:
    """Returns "0.5 + 0.25 + 0.25", and of more than six terms "12 x 0.25 + 0.5".

    Args:
        terms: The terms as text, at least one.
    """
    if len(terms) <= _TERMS_MAX:
        return " + ".join(terms)
    counted = Counter(terms)
    parts = [f"{n} × {term}" if n > 1 else term for term, n in counted.items()]
    if len(parts) <= _TERMS_MAX:
        return " + ".join(parts)
    left_out = len(terms) - sum(counted[term] for term in list(counted)[:_TERMS_MAX])
    return " + ".join([*parts[:_TERMS_MAX], f"{left_out:,} more"])
