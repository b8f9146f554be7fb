"""What the rest of a budget still buys: how many more releases of a stated error."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, Decimal

from dpdesk.cost import EPSILON_MAX, EPSILON_MIN
from dpdesk.ledger.account import Model

EXAMPLE_HALF_WIDTH = 20
"""Half-width of the counts by which the rest of a budget is explained."""

_DIGITS = Decimal("0.0001")
_CONFIDENCE = 0.95
_USELESS = 50.0
"""Percentage points: a share that is off by so many is not known at all."""


def count_half_width(epsilon: Decimal, confidence: float = _CONFIDENCE) -> int:
    """Returns how far a count with geometric noise is off at the most, with this confidence.

    The noise has P(k) = (1 - a) / (1 + a) a^|k| with a = e^-epsilon (Ghosh, Roughgarden and
    Sundararajan 2012), so that P(|noise| > h) = 2 a^(h + 1) / (1 + a).

    Args:
        epsilon: Epsilon of a count of sensitivity 1, above 0.
        confidence: Between 0 and 1.
    """
    rate = float(epsilon)
    tail = math.log((1 - confidence) * (1 + math.exp(-rate)) / 2)
    return max(math.ceil(-tail / rate - 1 - 1e-12), 0)


def epsilon_of_count(half_width: int) -> Decimal:
    """Returns the least epsilon, in steps of 0.0001, whose count is off by no more, at 95 %.

    Args:
        half_width: A whole number, at least 1.
    """
    low, high = 0.0, float(EPSILON_MAX)
    for _ in range(60):
        middle = (low + high) / 2
        within = middle > 0 and _outside(middle, half_width) <= 1 - _CONFIDENCE
        low, high = (low, middle) if within else (middle, high)
    return Decimal(high).quantize(_DIGITS, rounding=ROUND_CEILING)


def counts_left(left: Decimal, half_width: int) -> int:
    """Returns how many more counts at +- a half-width an epsilon buys."""
    return int(left // epsilon_of_count(half_width))


def share_half_width(epsilon: Decimal, respondents: int) -> float:
    """Returns the 95 % half-width of a share of one half from randomized yes-no reports.

    Every respondent's report is true with probability e^eps / (1 + e^eps) (Warner 1965). The
    variance of the estimate, over respondents and reports, is 1 / (4 n tanh^2(eps / 2)).

    Args:
        epsilon: Epsilon of a report, above 0.
        respondents: n, at least 1.
    """
    return 1.959963984540054 / (2 * math.sqrt(respondents) * math.tanh(float(epsilon) / 2))


def what_is_left_buys(
    model: Model, left: Decimal, respondents: int, half_width: int = EXAMPLE_HALF_WIDTH
) -> str:
    """Returns in words what the rest of a budget buys, or nothing if it buys nothing.

    Args:
        model: "central" is put into counts, "local" into one yes-no question.
        left: The rest.
        respondents: Number of respondents of the largest file; 0 if unknown.
        half_width: 95 % half-width of the counts.
    """
    if model == "central":
        count = counts_left(left, half_width)
        if count:
            noun = "count" if count == 1 else "counts"
            return f"{count:,} more {noun} at ± {half_width}"
        return f"1 more count at ± {count_half_width(left):,}" if left >= EPSILON_MIN else ""
    if left < EPSILON_MIN or respondents < 1:
        return ""
    points = 100 * share_half_width(left, respondents)
    if points >= _USELESS:
        return ""
    return f"1 more yes-no question at ± {points:.2g} percentage points"


def _outside(epsilon: float, half_width: int) -> float:
    return 2 * math.exp(-epsilon * (half_width + 1)) / (1 + math.exp(-epsilon))
