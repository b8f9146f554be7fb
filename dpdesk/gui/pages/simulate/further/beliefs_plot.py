"""Beliefs as bars of one length: who gives a report, by their true answers."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable

_BAR = 0.62
_NAME_PART = 0.24
"""Part of the width that the names of the reports may take."""


class BeliefBars(QWidget):
    """One bar for each report and one above them for the belief before any.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name = QCoreApplication.translate("BeliefBars", "Beliefs in the true answers, by report")
        self.legend = LegendRow(theme, parent=self)
        self.plot = PlotCanvas(theme, name, parent=self)
        self.plot.setMinimumHeight(110)
        self.plot.getPlotItem().setContentsMargins(0, 6, 9, 0)
        self.plot.getPlotItem().showGrid(x=True, y=False, alpha=1.0)
        self._bars = [self.plot.bars(0)]
        self._texts: tuple[str, ...] = ()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.legend)
        column.addWidget(self.plot, 1)

    def show_beliefs(
        self, answers: tuple[str, ...], reports: tuple[str, ...], beliefs: np.ndarray
    ) -> None:
        """Shows beliefs.

        Args:
            answers: Names of the true answers.
            reports: Names of the bars, from above.
            beliefs: Shares between 0 and 1, shape (reports, answers).
        """
        while len(self._bars) < len(answers):
            self._bars.append(self.plot.bars(len(self._bars)))
        shares = 100 * beliefs
        starts = np.cumsum(shares, axis=1) - shares
        places = np.arange(len(reports), dtype=np.float64)[::-1]
        for number, bar in enumerate(self._bars):
            if number < len(answers):
                bar.setOpts(x0=starts[:, number], width=shares[:, number], y=places, height=_BAR)
            else:
                bar.setOpts(x0=np.zeros(0), width=np.zeros(0), y=np.zeros(0), height=_BAR)
        self.plot.set_ranges((0.0, 100.0), (-0.6, len(reports) - 0.4))
        title = QCoreApplication.translate("BeliefBars", "Who gives it, by their true answer (%)")
        self.plot.set_axis_titles(title, "")
        self._write_names(reports)
        self.legend.set_entries(
            tuple(LegendEntry(name, number, "bars") for number, name in enumerate(answers))
        )
        self.plot.set_table_source(
            lambda: PlotTable(
                ("", *answers),
                tuple(
                    (name, *(f"{share:.3g}" for share in row))
                    for name, row in zip(reports, shares.tolist(), strict=True)
                ),
            )
        )

    def _write_names(self, reports: tuple[str, ...]) -> None:
        metrics, room = QFontMetrics(self.plot.font()), int(_NAME_PART * max(self.width(), 400))
        shown = tuple(
            metrics.elidedText(name, Qt.TextElideMode.ElideRight, room) for name in reports
        )[::-1]
        if shown != self._texts:
            self._texts = shown
            self.plot.set_categories(shown, side="left")
