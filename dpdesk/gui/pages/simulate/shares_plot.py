"""The estimates of all answers beside each other: what is true, estimated, and how surely."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QColor, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.gui.pages.simulate.scenario import SharesScenario
from dpdesk.gui.theme import Theme, ThemeSwitch, theme_in_force
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import significant
from dpdesk.preview.survey import stepped_up

_MIDDLE = (2.5, 97.5)
_BAR = 0.55
_HALF_TICK = 0.36
_HEADROOM = 1.05


class SharesView(QWidget):
    """The picture with its legend.

    Args:
        parent: Qt's owner.
    """

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
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.legend)
        column.addWidget(self.plot, 1)

    def show_scenario(self, scenario: SharesScenario) -> None:
        """Shows the answers of a scenario."""
        self.plot.show_scenario(scenario)

    def show_table(self) -> None:
        """Shows the numbers as a table."""
        self.plot.show_table()


class SharesCanvas(PlotCanvas):
    """One bar for each answer.

    Args:
        parent: Qt's owner.
    """

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
                    scenario.names, scenario.shares, low, high, strict=True
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
