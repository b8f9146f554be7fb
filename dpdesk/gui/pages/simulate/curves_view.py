"""The 95 % error against respondents, and against epsilon where it decides the device."""

from __future__ import annotations

from math import isfinite, log10

import numpy as np
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from dpdesk.gui.pages.simulate.design_words import design_title
from dpdesk.gui.pages.simulate.scales import epsilon_words
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.theme import ThemeSwitch, theme_in_force
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.log_axis import set_log_ticks
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import error_text, significant
from dpdesk.preview.survey import ErrorCurves, error_curves
from dpdesk.preview.survey.margins import EPSILON_ENDS

_MARK = 11
_ROOM = 1.25


class CurvesView(QWidget):
    """Two plots side by side; where epsilon decides nothing, the second says why.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.reading = ElidedLabel("", "strong", parent=self)
        self.legend = LegendRow(parent=self)
        self.by_people = CurveCanvas(self.tr("95 % error against n"), parent=self)
        self.by_epsilon = CurveCanvas(self.tr("95 % error against ε"), parent=self)
        self.reason = PlainLabel("", "muted", wrap=True, parent=self)
        self.reason.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.second = QStackedWidget(self)
        self.second.addWidget(self.by_epsilon)
        self.second.addWidget(self.reason)
        plots = QHBoxLayout()
        plots.setSpacing(14)
        plots.addWidget(self.by_people, 1)
        plots.addWidget(self.second, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.reading)
        column.addWidget(self.legend)
        column.addLayout(plots, 1)

    def show_scenario(self, scenario: Scenario) -> None:
        """Shows the errors around a scenario."""
        curves, unit = error_curves(scenario.survey), scenario.error_unit
        self.reading.set_text(
            self.tr("ε = {epsilon}, n = {people}: {error}").format(
                epsilon=epsilon_words(curves.epsilon),
                people=f"{curves.people:,}",
                error=error_text(curves.margin, unit),
            )
        )
        self.legend.set_entries(
            (
                LegendEntry(design_title(scenario.design), 0),
                LegendEntry(self.tr("direct question"), "muted", "dashed"),
            )
        )
        title = self.tr("95 % error ({unit})").format(unit=unit) if unit else self.tr("95 % error")
        head = self.tr("Respondents n")
        self.by_people.show_curve(
            curves.respondents,
            curves.by_respondents,
            curves.direct,
            (float(curves.people), curves.margin),
            (head, title),
        )
        drawn = len(curves.epsilons) > 1
        self.second.setCurrentWidget(self.by_epsilon if drawn else self.reason)
        if drawn:
            self.by_epsilon.show_curve(
                curves.epsilons,
                curves.by_epsilon,
                np.full(len(curves.epsilons), curves.floor),
                (curves.epsilon, curves.margin),
                (self.tr("Privacy ε"), title),
                EPSILON_ENDS,
            )
        else:
            self.reason.setText(self._reason(scenario, curves))

    def show_table(self) -> None:
        """Shows the numbers as tables."""
        self.by_people.show_table()
        if self.second.currentWidget() is self.by_epsilon:
            self.by_epsilon.show_table()

    def _reason(self, scenario: Scenario, curves: ErrorCurves) -> str:
        if isfinite(curves.epsilon):
            return self.tr(
                "The error against ε is not drawn: the device has several chances of its own, "
                "which no single ε decides. Change them, and look at the ε that follows."
            )
        return self.tr(
            "The error against ε is not drawn: with this design ε is infinite, whatever its "
            "other parameters are."
        )


class CurveCanvas(PlotCanvas):
    """A curve over logarithms, a dashed one below it, and a dot at the choice in force.

    Args:
        name: Accessible name.
        parent: Qt's owner.
    """

    def __init__(self, name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(name, parent=parent)
        self.getPlotItem().setContentsMargins(0, 9, 6, 0)
        self._direct = self.line("muted", style="dashed")
        self._curve = self.line(0)
        self._mark = self.line(1)
        self._mark.setSymbol("o")
        self._mark.setSymbolSize(_MARK)
        self._upright = self.marker()
        self._ends: tuple[float, ...] = ()
        ThemeSwitch.instance().themeChanged.connect(self._paint_mark)
        self._paint_mark()

    def show_curve(
        self,
        x: np.ndarray,
        y: np.ndarray,
        direct: np.ndarray,
        at: tuple[float, float],
        titles: tuple[str, str],
        reach: tuple[float, float] | None = None,
    ) -> None:
        """Shows errors.

        Args:
            x: Where, above 0, shape (p,).
            y: The errors there, shape (p,).
            direct: Those of direct questions, shape (p,).
            at: The choice in force.
            titles: Of both axes.
            reach: Ends of the axis; those of `x` if None.
        """
        logs = np.log10(x)
        floors = np.log10(np.maximum(direct, 1e-300))
        self._curve.setData(logs, np.log10(y))
        self._direct.setData(logs, floors)
        low, high = reach or (float(x[0]), float(x[-1]))
        shown = low <= at[0] <= high
        self._mark.setData([log10(at[0])] if shown else [], [log10(at[1])] if shown else [])
        self._upright.setVisible(shown)
        if shown:
            self._upright.setValue(log10(at[0]))
        bottom = _stepped(float(direct.min()), up=False)
        top = _stepped(float(y.max()), up=True)
        ends = (low, high, bottom, top)
        if ends != self._ends:
            self._ends = ends
            self.set_ranges((log10(low), log10(high)), (log10(bottom), log10(top)))
            plot = self.getPlotItem()
            set_log_ticks(plot.getAxis("bottom"), low, high)
            set_log_ticks(plot.getAxis("left"), bottom, top)
        self.set_axis_titles(*titles)
        self.set_description(
            QCoreApplication.translate("CurveCanvas", "At {x}: {y}").format(
                x=significant(at[0], 4), y=error_text(at[1], "")
            )
        )
        self.set_table_source(
            lambda: PlotTable(
                (*titles, QCoreApplication.translate("CurveCanvas", "Direct question")),
                tuple(
                    (significant(a, 3), significant(b, 3), significant(c, 3))
                    for a, b, c in zip(x, y, direct, strict=True)
                ),
            )
        )

    def _paint_mark(self) -> None:
        theme = theme_in_force()
        self._mark.setSymbolBrush(theme.series(1))
        self._mark.setSymbolPen(theme.surface)


def _stepped(value: float, *, up: bool) -> float:
    """The next of 1, 2, 5, 10 … beyond a value, so that an axis stays while a slider moves."""
    wanted = value * _ROOM if up else value / _ROOM
    decade = 10.0 ** np.floor(np.log10(wanted))
    steps = [decade * step for step in (1.0, 2.0, 5.0, 10.0)]
    if up:
        return float(next(step for step in steps if step >= wanted * (1 - 1e-12)))
    return float(next(step for step in reversed(steps) if step <= wanted * (1 + 1e-12)))
