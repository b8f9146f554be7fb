"""What hypothetical surveys estimate: bars, the curve of theory, and those of other designs."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.simulate.design_words import design_title, kept_title, rival_title, tr
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import significant
from dpdesk.preview.survey import (
    EstimatorView,
    SurveyRequest,
    estimator_view,
    stepped_up,
    theory_curve,
)

_THEORY = 1
_NEAR = np.linspace(-4.5, 4.5, 91)
_ROOM = 1.1
_HIGHEST = 4.0
"""How many times as high as its own a design leaves the curves of others room."""


class EstimatorPlot(QWidget):
    """The picture with its legend.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.legend = LegendRow(theme, parent=self)
        self.rivals = LegendRow(theme, parent=self)
        self.plot = EstimatorCanvas(theme, parent=self)
        self.plot.setMinimumHeight(160)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.legend)
        column.addWidget(self.rivals)
        column.addWidget(self.plot, 1)

    def show_scenario(self, scenario: Scenario) -> None:
        """Shows the estimates of a scenario."""
        self.plot.show_scenario(scenario)
        self.legend.set_entries(self._entries(scenario))
        others = [
            LegendEntry(rival_title(rival), _THEORY + 1 + number, short=tr(rival.title))
            for number, rival in enumerate(scenario.shown_rivals)
        ]
        if scenario.kept is not None:
            others.append(LegendEntry(kept_title(scenario.kept), "text", "dotted", "A"))
        self.rivals.setVisible(bool(others))
        self.rivals.set_entries(others)

    def show_table(self) -> None:
        """Shows the numbers as a table."""
        self.plot.show_table()

    def _entries(self, scenario: Scenario) -> list[LegendEntry]:
        count = f"{scenario.repetitions:,}"
        bars = (
            self.tr("all outcomes, out of {count} surveys")
            if scenario.is_exact
            else self.tr("{count} simulated surveys")
        ).format(count=count)
        theory = self.tr("theory, {design}").format(design=design_title(scenario.design))
        return [
            LegendEntry(bars, 0, "bars", self.tr("surveys")),
            LegendEntry(theory, _THEORY, "solid", self.tr("theory")),
        ]


class EstimatorCanvas(PlotCanvas):
    """The bars and the curves.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        name = QCoreApplication.translate("EstimatorCanvas", "Estimates of hypothetical surveys")
        super().__init__(theme, name, parent=parent)
        # Room for the upper half of the number at the end of the axis.
        self.getPlotItem().setContentsMargins(0, 9, 0, 0)
        self._bars = self.bars(0)
        self._curve = self.line(_THEORY)
        self._rivals = [self.line(_THEORY + 1 + number) for number in range(3)]
        self._kept = self.line("text", style="dotted")
        self._truth = self.marker()
        self._ranges: tuple[object, ...] = ()

    def show_scenario(self, scenario: Scenario) -> None:
        """Shows the estimates of a scenario."""
        view = estimator_view(scenario.request)
        middles = (view.edges[:-1] + view.edges[1:]) / 2
        self._bars.setOpts(x=middles, height=view.counts, width=0.96 * view.width)
        peaks = [self._draw(self._curve, scenario.request, view)]
        for number, line in enumerate(self._rivals):
            if number < len(scenario.shown_rivals):
                rival = scenario.request_of(scenario.shown_rivals[number])
                peaks.append(self._draw(line, rival, view))
            else:
                line.setData([], [])
        if scenario.kept is None:
            self._kept.setData([], [])
        else:
            peaks.append(self._draw(self._kept, scenario.kept.request, view))
        self._truth.setValue(view.truth)
        ranges = (view.x_range, (0.0, _top(scenario, view, max(peaks))))
        if ranges != self._ranges:
            self._ranges = ranges
            self.set_ranges(*ranges)
        surveys = self.tr("Surveys out of {count}").format(count=f"{scenario.repetitions:,}")
        self.set_axis_titles(self.tr("Estimated share (%)"), surveys)
        self.set_table_source(lambda: self._table_of(scenario, view))
        self.set_description(self._sentence(scenario, view))

    def _draw(self, line: pg.PlotDataItem, request: SurveyRequest, view: EstimatorView) -> float:
        """Draws a curve of theory over the axis and returns its peak."""
        try:
            theory = request.theory
            # The points of the picture would miss a narrow curve.
            near = 100 * (theory.mean + theory.error * _NEAR)
            x = np.union1d(view.x, near[(view.x[0] <= near) & (near <= view.x[-1])])
            y = theory_curve(request, x, view.width)
        except DpdeskError:
            line.setData([], [])
            return 0.0
        line.setData(x, y)
        return float(y.max())

    def _sentence(self, scenario: Scenario, view: EstimatorView) -> str:
        sentence: str = self.tr(
            "Simulation, seed {seed}: {count} surveys of {people} respondents; the mean estimate "
            "is {mean} %, the true share {truth} %, the standard error {spread} pp."
        ).format(
            seed=scenario.seed,
            count=f"{scenario.repetitions:,}",
            people=f"{scenario.respondents:,}",
            mean=significant(view.mean, 3),
            truth=significant(view.truth, 3),
            spread=significant(view.spread, 3),
        )
        return sentence

    def _table_of(self, scenario: Scenario, view: EstimatorView) -> PlotTable:
        kind = self.tr("Surveys (exact)") if view.exact else self.tr("Surveys (simulation)")
        heads = (self.tr("From (%)"), self.tr("To (%)"), kind)
        rows = tuple(
            (significant(low, 4), significant(high, 4), f"{count:,.4g}")
            for low, high, count in zip(view.edges[:-1], view.edges[1:], view.counts, strict=True)
        )
        return PlotTable(heads, rows)


def _top(scenario: Scenario, view: EstimatorView, peak: float) -> float:
    """Upper end of the axis: room for the curves of others, as long as the bars can be read."""
    own = max(float(view.counts.max()), float(view.y.max()))
    wanted = max(view.y_max, stepped_up(_ROOM * min(peak, _HIGHEST * own)))
    return min(wanted, stepped_up(_ROOM * scenario.repetitions))
