"""Axes on the stage: where a number stands, and the round numbers below."""

from __future__ import annotations

import math
from itertools import pairwise

from dpdesk.demonstrations.picture import Axis

_ROUND = (1, 2, 2.5, 5, 10)


def share_of(axis: Axis, number: float) -> float:
    """Where a number stands, from 0 at the lower end to 1 at the upper; beyond them outside."""
    if axis.is_logarithmic:
        low, high = math.log(axis.least), math.log(axis.largest)
        return (math.log(max(number, axis.least / 1e6)) - low) / (high - low)
    return (number - axis.least) / (axis.largest - axis.least)


def ticks_of(axis: Axis, most: int) -> tuple[float, ...]:
    """Returns at most so many round numbers within the ends of an axis, at least two."""
    most = max(most, 2)
    return _powers(axis, most) if axis.is_logarithmic else _steps(axis, most)


def tick_text(axis: Axis, number: float, ticks: tuple[float, ...]) -> str:
    """A number below an axis, with its unit and as many decimals as its neighbours need."""
    steps = [b - a for a, b in pairwise(ticks)]
    step = abs(number) if axis.is_logarithmic else min(steps, default=1.0)
    decimals = max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0 else 0
    if not axis.is_logarithmic and round(step, decimals) != round(step, decimals + 1):
        decimals += 1
    # "-0" is written without its sign.
    text = f"{round(number, decimals) + 0.0:,.{decimals}f}".replace("-", "−")
    return f"{text}\u00a0{axis.unit}" if axis.unit else text


def _steps(axis: Axis, most: int) -> tuple[float, ...]:
    span = axis.largest - axis.least
    rough = span / most
    power = 10.0 ** math.floor(math.log10(rough))
    for factor in (*_ROUND, 20, 25, 50):
        step = factor * power
        first = math.ceil(axis.least / step - 1e-9)
        last = math.floor(axis.largest / step + 1e-9)
        if last - first + 1 <= most:
            return tuple(number * step for number in range(first, last + 1))
    return (axis.least, axis.largest)


def _powers(axis: Axis, most: int) -> tuple[float, ...]:
    first = math.ceil(math.log10(axis.least) - 1e-9)
    last = math.floor(math.log10(axis.largest) + 1e-9)
    if last - first < 1:
        return (axis.least, axis.largest)
    step = math.ceil((last - first + 1) / most)
    return tuple(10.0**power for power in range(first, last + 1, step))
