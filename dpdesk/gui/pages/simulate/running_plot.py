"""The estimate after each respondent, with its interval, closing in on the true share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from dpdesk.engine.simulate.respondents import Respondent
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import significant
from dpdesk.preview.survey import SurveyRequest
from dpdesk.preview.survey.running import running_axis, running_reach

_ROWS = 200


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
        self.set_axis_titles(self.tr("respondents"), self.tr("estimated share (%)"))

    def show_run(self, request: SurveyRequest, respondents: Sequence[Respondent]) -> None:
        """Shows the estimates after each of these respondents."""
        known = [found for found in respondents if found.estimate is not None]
        numbers = np.array([found.number for found in known], dtype=np.float64)
        self._estimate.setData(numbers, np.array([100 * (f.estimate or 0.0) for f in known]))
        for line, ends in zip(
            self._ends,
            ([found.lower for found in known], [found.upper for found in known]),
            strict=True,
        ):
            line.setData(numbers, 100 * np.array(ends))
        self._truth.setValue(100 * request.prevalence)
        ranges = ((0.0, float(running_axis(len(respondents)))), running_reach(request))
        if ranges != self._ranges:
            self._ranges = ranges
            self.set_ranges(*ranges)
        self.set_table_source(lambda: self._table_of(known))

    def _table_of(self, known: Sequence[Respondent]) -> PlotTable:
        heads = (
            self.tr("Respondents (simulation)"),
            self.tr("Estimate (%)"),
            self.tr("From (%)"),
            self.tr("To (%)"),
        )
        step = max(1, len(known) // _ROWS)
        rows = tuple(
            (
                f"{found.number:,}",
                *(
                    significant(100 * share, 4)
                    for share in (found.estimate or 0.0, found.lower, found.upper)
                ),
            )
            for found in known[::step]
        )
        return PlotTable(heads, rows)
