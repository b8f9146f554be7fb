"""The axis that the intervals of one attribute share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from dpdesk.report.number_text import number_text

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_TICKS = 4


@dataclass(frozen=True)
class IntervalScale:
    """An axis with marks at round numbers.

    Attributes:
        lower, upper: Its ends, in the unit of the estimates.
        ticks: Place and text of each mark.
    """

    lower: float
    upper: float
    ticks: tuple[tuple[float, str], ...]

    def at(self, value: float) -> float:
        """Returns the place of a value as a share of the axis, 0 at its lower end."""
        return (value - self.lower) / (self.upper - self.lower)


def scale_for(ends: Sequence[float], *, share: bool) -> IntervalScale:
    """Returns an axis that holds all given values between two marks.

    Args:
        ends: Ends of the intervals; at least one.
        share: Whether they are shares: these are marked in per cent, and their axis has the 0.
    """
    lower, upper = min(ends), max(ends)
    if share:
        lower, upper = min(lower, 0.0), max(upper, 0.0)
    if upper <= lower:
        lower, upper = lower - 0.5, upper + 0.5
    rough = (upper - lower) / _TICKS
    power = 10.0 ** floor(log10(rough))
    step = next(power * digit for digit in _STEPS if power * digit >= rough * 0.999)
    first, last = floor(lower / step + 1e-9), ceil(upper / step - 1e-9)
    scale, sign = (100, "\u00a0%") if share else (1, "")
    decimals = _decimals(step * scale)
    ticks = tuple(
        (step * i, number_text(scale * step * i, decimals) + sign) for i in range(first, last + 1)
    )
    return IntervalScale(step * first, step * last, ticks)


def _decimals(step: float) -> int:
    """Returns the decimals that a step needs: 2.5 needs one, 25 none."""
    digits = max(0, -floor(log10(step) + 1e-9))
    whole = round(step * 10**digits, 6) % 1 == 0
    return digits if whole else digits + 1
