"""What hypothetical surveys estimate: one quantity with its theory, and all answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QColor, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QWidget

from dpdesk.designs.estimator_law import EstimatorTheory
from dpdesk.gui.pages.simulate.design_words import design_title
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.pages.simulate.scenario_kinds import SharesScenario
from dpdesk.gui.pages.simulate.survey_tabs import PlottedView
from dpdesk.gui.theme import Theme, ThemeSwitch, theme_in_force
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_marks import Line
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import significant
from dpdesk.preview.survey import EstimatesView, estimates_view, stepped_up, theory_curve

THEORY = 1
"""Colour of the curve of theory; those of other designs follow it."""

_RIVALS = 4
_ROOM = 1.1
_HIGHEST = 4.0
"""How many times as high as its own a design leaves the curves of others room."""
_NEAR = np.linspace(-4.5, 4.5, 91)
_MIDDLE = (2.5, 97.5)
_BAR = 0.55
_HALF_TICK = 0.36
_HEADROOM = 1.05

Floats = NDArray[np.float64]


class EstimatorPlot(PlottedView):
    """The picture with its legend."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.legend = LegendRow(parent=self)
        self.rivals = LegendRow(parent=self)
        self.plot = EstimatorCanvas(parent=self)
        self.plot.setMinimumHeight(160)
        lay_column(self.legend, self.rivals, (self.plot, 1), spacing=4, on=self)

    def show_scenario(self, scenario: Scenario[Any]) -> None:
        """Shows the estimates of a scenario."""
        self.plot.show_scenario(scenario)
        surveys = (
            self.tr("all outcomes, out of {count} surveys")
            if scenario.survey.is_exact
            else self.tr("{count} simulated surveys")
        ).format(count=f"{scenario.survey.repetitions:,}")
        theory = self.tr("theory, {design}").format(design=design_title(scenario.design))
        self.legend.set_entries(
            (
                LegendEntry(surveys, 0, "bars", self.tr("surveys")),
                LegendEntry(theory, THEORY, "solid", self.tr("theory")),
            )
        )
        others = [
            LegendEntry(rival.title, THEORY + 1 + number, short=rival.short)
            for number, rival in enumerate(scenario.compared[:_RIVALS])
        ]
        if (kept := scenario.kept_rival) is not None:
            others.append(LegendEntry(kept.title, "text", "dotted", kept.short))
        self.rivals.setVisible(bool(others))
        self.rivals.set_entries(others)


class EstimatorCanvas(PlotCanvas):
    """The bars and the curves."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        name = QCoreApplication.translate("EstimatorPlot", "Estimates of hypothetical surveys")
        super().__init__(name, parent=parent)
        # Room for the upper half of the number at the end of the axis.
        self._bars = self.bars(0)
        self._curve = self.line(THEORY)
        self._rivals = [self.line(THEORY + 1 + number) for number in range(_RIVALS)]
        self._kept = self.line("text", style="dotted")
        self._truth = self.marker()
        self._ranges: tuple[object, ...] = ()

    def show_scenario(self, scenario: Scenario[Any]) -> None:
        """Shows the estimates of a scenario."""
        view = estimates_view(scenario.survey)
        middles = (view.edges[:-1] + view.edges[1:]) / 2
        self._bars.setOpts(x=middles, height=view.counts, width=0.96 * view.width)
        self._truth.setValue(view.truth)
        rivals = [rival.theory for rival in scenario.compared]
        kept = scenario.kept_rival
        drawn = [
            (self._curve, scenario.survey.shown_theory),
            *zip(self._rivals, [*rivals, *[None] * _RIVALS], strict=False),
            (self._kept, None if kept is None else kept.theory),
        ]
        peak = max(self._draw(line, theory, view) for line, theory in drawn)
        self._show_axes(view, peak, scenario)
        self.set_table_source(lambda: _table_of(scenario, view))
        self.set_description(self._sentence(scenario, view))

    def _draw(self, line: Line, theory: EstimatorTheory | None, view: EstimatesView) -> float:
        """Draws a curve of theory over the axis, or none, and returns its peak."""
        if theory is None:
            line.setData([], [])
            return 0.0
        # Points around the peak: those of the picture would miss a narrow one.
        near = theory.mean + theory.error * _NEAR
        x = np.union1d(view.x, near[(view.x[0] <= near) & (near <= view.x[-1])])
        y = theory_curve(theory, x, view.width, view.repetitions)
        line.setData(x, y)
        return float(y.max())

    def _show_axes(self, view: EstimatesView, peak: float, scenario: Scenario[Any]) -> None:
        """Shows axes with room for the curves of others, as long as the bars can be read."""
        own = max(float(view.counts.max()), float(view.y.max()))
        wanted = max(view.y_max, stepped_up(_ROOM * min(peak, _HIGHEST * own)))
        ranges = (view.x_range, (0.0, min(wanted, stepped_up(_ROOM * view.repetitions))))
        if ranges != self._ranges:
            self._ranges = ranges
            self.set_ranges(*ranges)
        surveys = self.tr("Surveys out of {count}").format(count=f"{view.repetitions:,}")
        self.set_axis_titles(scenario.estimated, surveys)

    def _sentence(self, scenario: Scenario[Any], view: EstimatesView) -> str:
        sentence: str = self.tr(
            "Simulation, seed {seed}: {count} surveys of {people} respondents; the mean estimate "
            "is {mean}, the truth {truth}, the standard error {spread}."
        ).format(
            seed=scenario.survey.seed,
            count=f"{scenario.survey.repetitions:,}",
            people=f"{scenario.respondents:,}",
            mean=scenario.value_words(view.mean),
            truth=scenario.value_words(view.truth),
            spread=f"{significant(view.spread, 3)} {scenario.error_unit}".strip(),
        )
        return sentence


def _table_of(scenario: Scenario[Any], view: EstimatesView) -> PlotTable:
    unit = f" ({scenario.value_unit})" if scenario.value_unit else ""
    kind = _tr("Surveys (exact)") if view.exact else _tr("Surveys (simulation)")
    rows = tuple(
        (significant(low, 4), significant(high, 4), f"{count:,.4g}")
        for low, high, count in zip(view.edges[:-1], view.edges[1:], view.counts, strict=True)
    )
    return PlotTable((_tr("From") + unit, _tr("To") + unit, kind), rows)


class SharesView(PlottedView):
    """The picture with its legend."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.legend = LegendRow(parent=self)
        self.legend.set_entries(
            (
                LegendEntry(self.tr("mean estimate"), 0, "bars"),
                LegendEntry(self.tr("middle 95 % of the surveys"), "text"),
                LegendEntry(self.tr("true share"), 1),
            )
        )
        self.plot = SharesCanvas(parent=self)
        self.plot.setMinimumHeight(160)
        lay_column(self.legend, (self.plot, 1), spacing=4, on=self)

    def show_scenario(self, scenario: SharesScenario) -> None:
        """Shows the answers of a scenario."""
        self.plot.show_scenario(scenario)


class SharesCanvas(PlotCanvas):
    """One bar for each answer."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        name = QCoreApplication.translate("SharesCanvas", "Estimated shares of all answers")
        super().__init__(name, parent=parent)
        self._names: tuple[str, ...] = ()
        self._bars = self.bars(0)
        self._spans = pg.ErrorBarItem(x=np.zeros(0), y=np.zeros(0), beam=0.14)
        self.addItem(self._spans)
        self._truth = self.line(1)
        self._truth.opts["connect"] = "pairs"
        self._zero = self.marker(angle=0, role="axis", style="solid")
        self._zero.setValue(0)
        self._ranges: tuple[object, ...] = ()
        ThemeSwitch.instance().themeChanged.connect(self._colour_spans)
        self._colour_spans(theme_in_force())

    def show_scenario(self, scenario: SharesScenario) -> None:
        """Shows the answers of a scenario."""
        found = scenario.survey.all_outcomes()
        means = 100 * found.means
        low, high = 100 * np.percentile(found.estimates, _MIDDLE, axis=0)
        places = np.arange(len(means), dtype=np.float64)
        self._bars.setOpts(x=places, height=means, width=_BAR)
        self._spans.setData(
            x=places, y=means, top=np.maximum(high - means, 0), bottom=np.maximum(means - low, 0)
        )
        true = np.repeat(100 * found.shares, 2)
        ends = np.column_stack((places - _HALF_TICK, places + _HALF_TICK)).ravel()
        self._truth.setData(ends, true, connect="pairs")
        top = stepped_up(_HEADROOM * max(float(high.max()), float(true.max()), 1e-9))
        bottom = min(float(low.min()), 0.0)
        if bottom < 0:
            bottom = -stepped_up(_HEADROOM * -bottom)
        ranges = ((-0.6, len(means) - 0.4), (bottom, top))
        if ranges != self._ranges:
            self._ranges = ranges
            self.set_ranges(*ranges)
        if scenario.names != self._names:
            self._names = scenario.names
            self._write_names()
        self.set_axis_titles("", self.tr("Estimated share (%)"))
        self.set_table_source(lambda: self._table_of(scenario))
        words = self.tr("{answer}: true {truth} %, estimated {low} to {high} %")
        self.set_description(
            "; ".join(
                words.format(
                    answer=name,
                    truth=significant(100 * share, 3),
                    low=significant(float(first), 3),
                    high=significant(float(last), 3),
                )
                for name, share, first, last in zip(
                    scenario.names, scenario.survey.shares, low, high, strict=True
                )
            )
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shortens the names to the room of their bars."""
        super().resizeEvent(event)
        self._write_names()

    def _write_names(self) -> None:
        # pyqtgraph calls this event before the class is made whole.
        names = getattr(self, "_names", ())
        if not names:
            return
        room = int(0.85 * self.width() / (len(names) + 0.2))
        metrics = QFontMetrics(self.font())
        shown = [metrics.elidedText(name, Qt.TextElideMode.ElideRight, room) for name in names]
        self.set_categories(shown)

    def _colour_spans(self, theme: Theme) -> None:
        self._spans.setOpts(pen=pg.mkPen(QColor(theme.text), width=2))

    def _table_of(self, scenario: SharesScenario) -> PlotTable:
        found, theory = scenario.survey.all_outcomes(), scenario.survey.shares_theory
        heads = (
            self.tr("Answer"),
            self.tr("True share (%)"),
            self.tr("Mean estimate (%, simulation)"),
            self.tr("Standard error (pp, simulation)"),
            self.tr("By theory (pp)"),
            self.tr("Intervals that hold it (%)"),
            self.tr("Below 0 (%)"),
        )
        columns = (
            found.shares,
            found.means,
            found.spreads,
            theory.errors,
            found.coverage,
            found.negative,
        )
        rows = tuple(
            (name, *(significant(100 * float(column[i]), 4) for column in columns))
            for i, name in enumerate(scenario.names)
        )
        return PlotTable(heads, rows)


def _tr(text: str) -> str:
    return QCoreApplication.translate("EstimatorPlot", text)
