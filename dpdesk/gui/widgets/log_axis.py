"""Ticks of an axis whose plot holds logarithms."""

from __future__ import annotations

from math import ceil, floor, log10

import pyqtgraph as pg

from dpdesk.preview import significant

_FEW_DECADES = 2.5


def set_log_ticks(axis: pg.AxisItem, lowest: float, highest: float) -> None:
    """Writes 1, 10, 100 … at their logarithms; also 2 and 5 where there are few decades.

    Args:
        axis: The axis; the plot holds log10 of what it shows.
        lowest: Lower end of the axis, above 0.
        highest: Upper end of the axis.
    """
    steps = (1, 2, 5) if log10(highest / lowest) <= _FEW_DECADES else (1,)
    decades = range(floor(log10(lowest)), ceil(log10(highest)) + 1)
    values = [step * 10.0**decade for decade in decades for step in steps]
    inside = [value for value in values if lowest <= value * 1.0001 and value <= highest * 1.0001]
    axis.setTicks([[(log10(value), _tick_text(value)) for value in inside], []])


def _tick_text(value: float) -> str:
    """1, 20, 5k, 2M: neighbouring ticks have little room."""
    for factor, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= factor * (1 - 1e-9):
            return f"{value / factor:,.0f}{letter}"
    return significant(value, 1)
