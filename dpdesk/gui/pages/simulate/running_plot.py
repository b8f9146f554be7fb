"""The estimate after each respondent, with its interval, closing in on the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import significant
from dpdesk.preview.survey.running import running_axis

_ROWS = 200


class Estimated(Protocol):
    """What the survey knows after a respondent."""

    @property
    def number(self) -> int:
        """Number of the respondent, from 1."""

    @property
    def estimate(self) -> float | None:
        """The estimate; None while there are too few respondents for one."""

    @property
    def lower(self) -> float:
        """Lower end of its interval."""

    @property
    def upper(self) -> float:
        """Upper end of its interval."""


@dataclass(frozen=True)
class RunningAxis:
    """The axis of estimates.

    Attributes:
        title: Its title.
        heads: Heads of the table's columns: respondents, estimate, and both ends of its interval.
        truth: The true value on it.
        reach: Its ends.
        scale: What an estimate is multiplied by to stand on it.
    """

    title: str
    heads: tuple[str, str, str, str]
    truth: float
    reach: tuple[float, float]
    scale: float


class RunningPlot(PlotCanvas):
    """The line of the estimate between those of its interval.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        name = QCoreApplication.translate("RunningPlot", "Estimate after each respondent")
        super().__init__(theme, name, parent=parent)
        self.getPlotItem().setContentsMargins(0, 9, 0, 0)
        self._ends = (self.line("muted", style="hairline"), self.line("muted", style="hairline"))
        self._estimate = self.line(0)
        self._truth = self.marker(angle=0)
        self._ranges: tuple[object, ...] = ()

    def show_run(self, axis: RunningAxis, respondents: Sequence[Estimated]) -> None:
        """Shows the estimates after each of these respondents."""
        known = [found for found in respondents if found.estimate is not None]
        numbers = np.array([found.number for found in known], dtype=np.float64)
        self._estimate.setData(numbers, axis.scale * np.array([f.estimate or 0.0 for f in known]))
        for line, ends in zip(
            self._ends,
            ([found.lower for found in known], [found.upper for found in known]),
            strict=True,
        ):
            line.setData(numbers, axis.scale * np.array(ends))
        self._truth.setValue(axis.truth)
        ranges = ((0.0, float(running_axis(len(respondents)))), axis.reach)
        if ranges != self._ranges:
            self._ranges = ranges
            self.set_ranges(*ranges)
        self.set_axis_titles(self.tr("respondents"), axis.title)
        self.set_table_source(lambda: _table_of(axis, known))


def _table_of(axis: RunningAxis, known: Sequence[Estimated]) -> PlotTable:
    step = max(1, len(known) // _ROWS)
    rows = tuple(
        (
            f"{found.number:,}",
            *(
                significant(axis.scale * value, 4)
                for value in (found.estimate or 0.0, found.lower, found.upper)
            ),
        )
        for found in known[::step]
    )
    return PlotTable(axis.heads, rows)
