"""What hypothetical surveys estimate: one quantity with its theory, and all answers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from dpdesk.designs.estimator_law import EstimatorTheory
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.pages.simulate.scenario_kinds import SharesScenario
from dpdesk.gui.pages.simulate.survey_tabs import FitButton, PlottedView
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_marks import Line, whisker_points
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.numbers.digits import percent_text
from dpdesk.preview import significant
from dpdesk.preview.survey import BINS, EstimatesView, estimates_view, stepped_up, theory_curve

THEORY = 1
"""Colour of the curve of theory; those of other designs follow it."""

_RIVALS = 4
_ROOM = 2.0
"""How much wider the axis is than the survey that it was fitted to."""
_ABOVE = 1.5
"""The same for their height."""
_BARS = round(_ROOM * BINS)
_BESIDE = 0.01
"""Share of the surveys outside of the axis from which on that is said."""
_ZOOM = 2.0
_LEAST_HALF, _LARGEST_HALF = 1e-9, 1e15
"""Half-widths of the axis between which one zooms; the least as a part of its middle."""
_HIGHEST = 4.0
"""How many times as high as its own a design leaves the curves of others room."""
_NEAR = np.linspace(-4.5, 4.5, 91)
_MIDDLE = (2.5, 97.5)
_BAR = 0.55
_HALF_TICK = 0.36
_CAP = 0.07
_HEADROOM = 1.05

Floats = NDArray[np.float64]


class EstimatorPlot(PlottedView):
    """The picture with its legend, and what of it lies outside of its axes."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.legend = LegendRow(parent=self)
        self.rivals = LegendRow(parent=self)
        self.outside = FitButton(parent=self)
        self.plot = EstimatorCanvas(parent=self)
        self.plot.setMinimumHeight(160)
        head = lay_row(self.outside, (self.legend, 1), spacing=8)
        lay_column(head, self.rivals, (self.plot, 1), spacing=4, on=self)
        self.outside.clicked.connect(self.plot.fit)
        self.plot.axesMoved.connect(self._tell_outside)

    def show_scenario(self, scenario: Scenario[Any]) -> None:
        """Shows the estimates of a scenario."""
        self.plot.show_scenario(scenario)
        self._tell_outside()
        surveys = (
            self.tr("all outcomes, out of {count} surveys")
            if scenario.survey.is_exact
            else self.tr("{count} simulated surveys")
        ).format(count=f"{scenario.survey.repetitions:,}")
        theory = self.tr("theory, {design}").format(design=scenario.design.list_name)
        shown = [
            LegendEntry(surveys, 0, "bars", self.tr("surveys")),
            LegendEntry(theory, THEORY, "solid", self.tr("theory")),
        ]
        if scenario.before_theory is not None:
            shown.append(LegendEntry(self.tr("before"), "muted", "dashed"))
        self.legend.set_entries(shown)
        others = [
            LegendEntry(rival.title, THEORY + 1 + number, short=rival.short)
            for number, rival in enumerate(scenario.compared[:_RIVALS])
        ]
        if (kept := scenario.kept_rival) is not None:
            others.append(LegendEntry(kept.title, "text", "dotted", kept.short))
        self.rivals.setVisible(bool(others))
        self.rivals.set_entries(others)

    def _tell_outside(self) -> None:
        self.outside.tell(self.plot.outside_words())


class EstimatorCanvas(PlotCanvas):
    """The bars and the curves, over axes that stand still while the survey changes.

    F fits the axes to the survey, + and - zoom.

    Attributes:
        axesMoved: Emitted when the user moved the axes.
    """

    axesMoved = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        name = QCoreApplication.translate("EstimatorPlot", "Estimates of hypothetical surveys")
        super().__init__(name, parent=parent)
        # Room for the upper half of the number at the end of the axis.
        self._bars = self.bars(0)
        self._before = self.line("muted", style="dashed")
        self._curve = self.line(THEORY)
        self._rivals = [self.line(THEORY + 1 + number) for number in range(_RIVALS)]
        self._kept = self.line("text", style="dotted")
        self._truth = self.marker()
        self._scenario: Scenario[Any] | None = None
        self._view: EstimatesView | None = None
        self._kept_for: tuple[object, ...] = ()
        self._x_range, self._top = (0.0, 1.0), 1.0
        # Heights are surveys per this width: that of the bars to which the axes were fitted.
        self._per = 1.0
        self._beside: tuple[object, ...] = ()

    def show_scenario(self, scenario: Scenario[Any]) -> None:
        """Shows the estimates of a scenario."""
        self._scenario = scenario
        if scenario.same_axes != self._kept_for:
            self._kept_for = scenario.same_axes
            self._fit_to(scenario)
        self._draw_all(scenario)

    def view(self) -> EstimatesView | None:
        """What is drawn."""
        return self._view

    def forget_axes(self) -> None:
        """Fits the axes to the next survey that is shown."""
        self._kept_for = ()

    def fit(self) -> None:
        """Fits the axes to the survey that is shown."""
        if self._scenario is not None:
            self._fit_to(self._scenario)
            self._move_axes()

    def zoom(self, factor: float) -> None:
        """Shows a part of the axis that is so many times as wide, around its middle."""
        low, high = self._x_range
        middle, half = (low + high) / 2, factor * (high - low) / 2
        if half < _LEAST_HALF * max(abs(middle), 1.0) or half > _LARGEST_HALF:
            return
        self._x_range = (middle - half, middle + half)
        # Bars are as much narrower or wider, and so lower or higher.
        self._top *= factor
        self._per *= factor
        self._move_axes()

    def outside_words(self) -> str:
        """What of the surveys lies outside of the axes, in few words; empty if nothing does."""
        view = self._view
        if view is None:
            return ""
        beside, highest = view.beside / view.repetitions, float(self._heights(view).max())
        if beside >= _BESIDE:
            share = percent_text(round(beside, 3))
            return _tr("{share} outside: fit the axes").format(share=share)
        if highest > self._top:
            most = f"{highest:,.0f}"
            return _tr("Bars up to {count}: fit the axes").format(count=most)
        return ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_F:
            self.fit()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(1 / _ZOOM)
        elif key == Qt.Key.Key_Minus:
            self.zoom(_ZOOM)
        else:
            super().keyPressEvent(event)

    def _move_axes(self) -> None:
        if self._scenario is not None:
            self._draw_all(self._scenario)
            self.axesMoved.emit()

    def _fit_to(self, scenario: Scenario[Any]) -> None:
        """Leaves room around a survey: a half or a double error is still within."""
        low, high = estimates_view(scenario.survey).x_range
        middle, half = (low + high) / 2, _ROOM * (high - low) / 2
        self._x_range = (middle - half, middle + half)
        view = self._view_of(scenario)
        self._per = view.width
        self._top = stepped_up(_ABOVE * max(self._own_peak(view), 1.0))
        self._beside = ()

    def _heights(self, view: EstimatesView) -> Floats:
        """Bars of few respondents are wider: areas stay comparable, not counts."""
        return np.asarray(view.counts * (self._per / view.width))

    def _own_peak(self, view: EstimatesView) -> float:
        heights = self._heights(view)
        return max(float(heights.max()), float(view.y.max()) * self._per / view.width)

    def _view_of(self, scenario: Scenario[Any]) -> EstimatesView:
        return estimates_view(scenario.survey, self._x_range, _BARS)

    def _draw_all(self, scenario: Scenario[Any]) -> None:
        view = self._view = self._view_of(scenario)
        middles = (view.edges[:-1] + view.edges[1:]) / 2
        self._bars.setOpts(x=middles, height=self._heights(view), width=0.96 * view.width)
        self._truth.setValue(view.truth)
        rivals = [rival.theory for rival in scenario.compared]
        kept = scenario.kept_rival
        drawn = [
            (self._curve, scenario.survey.shown_theory),
            *zip(self._rivals, [*rivals, *[None] * _RIVALS], strict=False),
            (self._kept, None if kept is None else kept.theory),
        ]
        peak = max(self._draw(line, theory, view) for line, theory in drawn)
        self._draw(self._before, scenario.before_theory, view)
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
        y = theory_curve(theory, x, self._per, view.repetitions)
        line.setData(x, y)
        return float(y.max())

    def _show_axes(self, view: EstimatesView, peak: float, scenario: Scenario[Any]) -> None:
        """Shows the axes; others that are compared with get room, as long as bars can be read."""
        beside = (scenario.rivals, scenario.equal_epsilon, scenario.kept)
        if beside != self._beside:
            self._beside = beside
            own = self._own_peak(view)
            wanted = stepped_up(max(_HEADROOM * min(peak, _HIGHEST * own), 1.0))
            self._top = max(self._top, wanted) if peak > own else self._top
        top = min(self._top, stepped_up(_HEADROOM * view.repetitions))
        self.set_ranges(self._x_range, (0.0, top))
        width = f"{significant(self._per, 2)} {scenario.error_unit}".strip()
        surveys = self.tr("Surveys out of {count}, per {width}").format(
            count=f"{view.repetitions:,}", width=width
        )
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
        self._spans = self.line("text")
        self._truth = self.line(1)
        self._truth.opts["connect"] = "pairs"
        self._zero = self.marker(angle=0, role="axis", style="solid")
        self._zero.setValue(0)
        self._ranges: tuple[object, ...] = ()

    def show_scenario(self, scenario: SharesScenario) -> None:
        """Shows the answers of a scenario."""
        found = scenario.survey.all_outcomes()
        means = 100 * found.means
        low, high = 100 * np.percentile(found.estimates, _MIDDLE, axis=0)
        places = np.arange(len(means), dtype=np.float64)
        self._bars.setOpts(x=places, height=means, width=_BAR)
        spans = whisker_points(places, np.minimum(low, means), np.maximum(high, means), _CAP)
        self._spans.setData(*spans, connect="pairs")
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
            self.name_bars(scenario.names)
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
