"""Error against epsilon and against the number of rows, central beside local."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.gui.pages.plan.log_axis import set_log_ticks
from dpdesk.gui.pages.plan.plan_view import PlanView
from dpdesk.gui.pages.plan.statistics.query_words import level_text
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.i18n import N_
from dpdesk.preview import error_text, significant
from dpdesk.preview.central import CentralAccuracyView, QueryRequest, central_accuracy

_MARGIN = 0.03


class _Curves(PlotCanvas):
    def __init__(self, *, of_epsilon: bool, parent: QWidget) -> None:
        super().__init__("", parent=parent)
        self._of_epsilon = of_epsilon
        by_epsilon, by_count = self.tr("Error against ε"), self.tr("Error against n")
        self.setAccessibleName(by_epsilon if of_epsilon else by_count)
        self._frame: tuple[object, ...] = ()
        self._central = self.line(0)
        self._local = self.line(1, style="dashed")
        self._upright = self.marker(angle=90, role="text")
        self._level = self.marker(angle=0, role="text")
        self.getPlotItem().showGrid(x=True, y=True, alpha=1.0)

    def show_view(self, view: CentralAccuracyView) -> None:
        x = view.epsilons if self._of_epsilon else view.counts
        central = view.central if self._of_epsilon else view.central_of_count
        local = view.local if self._of_epsilon else view.local_of_count
        frame = (float(x[0]), float(x[-1]), view.error_range, view.unit)
        if frame != self._frame:
            self._frame = frame
            self._scale(view, float(x[0]), float(x[-1]))
        logs = np.log10(x)
        least = view.error_range[0] / 10
        self._central.setData(logs, np.log10(np.maximum(central, least)), connect="finite")
        if local is None:
            self._local.setData([], [])
        else:
            self._local.setData(logs, np.log10(np.maximum(local, least)))
        here = view.epsilon if self._of_epsilon else view.rows
        self._upright.setValue(np.log10(here))
        self._level.setValue(np.log10(max(view.error, least)))
        self.set_description(
            self.tr("At ε = {epsilon} with {rows} rows: {error}").format(
                epsilon=significant(view.epsilon, 3),
                rows=f"{view.rows:,}",
                error=error_text(view.error, view.unit),
            )
        )
        self.set_table_source(lambda: self._table_of(view))

    def _scale(self, view: CentralAccuracyView, first: float, last: float) -> None:
        low, high = view.error_range
        margin = _MARGIN * np.log10(last / first)
        self.set_ranges(
            (np.log10(first), np.log10(last) + margin), (np.log10(low), np.log10(high) + _MARGIN)
        )
        plot = self.getPlotItem()
        set_log_ticks(plot.getAxis("bottom"), first, last)
        set_log_ticks(plot.getAxis("left"), low, high)
        error = self.tr("error ({unit})") if view.unit else self.tr("error")
        bottom = "ε" if self._of_epsilon else self.tr("rows")
        self.set_axis_titles(bottom, error.format(unit=view.unit) if self._of_epsilon else "")

    def _table_of(self, view: CentralAccuracyView) -> PlotTable:
        x = view.epsilons if self._of_epsilon else view.counts
        central = view.central if self._of_epsilon else view.central_of_count
        local = view.local if self._of_epsilon else view.local_of_count
        heads = ["ε" if self._of_epsilon else self.tr("Rows"), self.tr("Central error")]
        columns = [central]
        if local is not None:
            heads.append(self.tr("Local error"))
            columns.append(local)
        rows = [
            (
                significant(float(at), 3) if self._of_epsilon else f"{at:,.0f}",
                *(significant(float(error), 3) for error in errors),
            )
            for at, *errors in zip(x, *columns, strict=True)
        ]
        return PlotTable(tuple(heads), tuple(rows))


class CentralAccuracyPlot(PlanView):
    """Both plots beside each other.

    Args:
        parent: Qt's owner.
    """

    title = N_("Accuracy")

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.by_epsilon = _Curves(of_epsilon=True, parent=self)
        self.by_rows = _Curves(of_epsilon=False, parent=self)
        self.legend = LegendRow(parent=self)
        self._note = PlainLabel("", "caption", wrap=True, parent=self)
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.by_epsilon, 1)
        row.addWidget(self.by_rows, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.legend)
        column.addLayout(row, 1)
        column.addWidget(self._note)

    def show_request(self, request: QueryRequest, *_: object) -> None:
        """Shows the curves of a request."""
        view = central_accuracy(request)
        entries = [LegendEntry(self.tr("noise added by the curator (central)"), 0, "solid", "")]
        if view.local is not None:
            local = self.tr("noise added by each respondent (local)")
            entries.append(LegendEntry(local, 1, "dashed", self.tr("local")))
        self.legend.set_entries(entries)
        note = self.tr("{level} errors from the noise alone, of one number.")
        note = note.format(level=level_text(request.confidence))
        if view.local is not None:
            note += " " + self.tr(
                "As a share of n, the central error falls with 1 / (n ε), the local one with "
                "1 / (√n ε)."
            )
        if note != self._note.text():
            self._note.setText(note)
            self.legend.setToolTip(plain_tooltip(note))
        self.by_epsilon.show_view(view)
        self.by_rows.show_view(view)

    def set_low(self, low: bool) -> None:
        """Leaves the line below the plots to the tooltip of the legend, for a low window."""
        self._note.setVisible(not low)

    def show_table(self) -> None:
        """Shows the numbers of the plot that has the focus, else of the first."""
        plot = self.by_rows if self.by_rows.hasFocus() else self.by_epsilon
        plot.show_table()
