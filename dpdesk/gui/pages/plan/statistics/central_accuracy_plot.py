"""Error against epsilon and against the number of rows, central beside local."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QWidget

from dpdesk.gui.pages.plan.accuracy_plot import Floats, LogCurves, TwoCurves
from dpdesk.gui.pages.plan.words import level_text
from dpdesk.gui.widgets.legend_row import LegendEntry
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.i18n import N_
from dpdesk.preview import error_text, significant
from dpdesk.preview.central import CentralAccuracyView, QueryRequest, central_accuracy


class _Curves(LogCurves):
    def __init__(self, *, of_epsilon: bool, parent: QWidget) -> None:
        names = self.tr("Error against ε"), self.tr("Error against n")
        super().__init__(names, of_epsilon=of_epsilon, parent=parent)
        self._central = self.line(0)
        self._local = self.line(1, style="dashed")
        self._make_cross_hair()

    def show_view(self, view: CentralAccuracyView) -> None:
        x, central, local = self._of(view)
        frame = (float(x[0]), float(x[-1]), view.error_range, view.unit)
        if frame != self._frame:
            self._frame = frame
            error = self.tr("error ({unit})") if view.unit else self.tr("error")
            self._scale(x, view.error_range, self.tr("rows"), error.format(unit=view.unit))
        logs = np.log10(x)
        least = view.error_range[0] / 10
        self._central.setData(logs, np.log10(np.maximum(central, least)), connect="finite")
        if local is None:
            self._local.setData([], [])
        else:
            self._local.setData(logs, np.log10(np.maximum(local, least)))
        here = view.epsilon if self._of_epsilon else view.rows
        self._show_cross_hair(here, max(view.error, least))
        self.set_description(
            self.tr("At ε = {epsilon} with {rows} rows: {error}").format(
                epsilon=significant(view.epsilon, 3),
                rows=f"{view.rows:,}",
                error=error_text(view.error, view.unit),
            )
        )
        self.set_table_source(lambda: self._table_of(view))

    def _of(self, view: CentralAccuracyView) -> tuple[Floats, Floats, Floats | None]:
        """Where the curves are known, the central one and, if there is one, the local one."""
        if self._of_epsilon:
            return view.epsilons, view.central, view.local
        return view.counts, view.central_of_count, view.local_of_count

    def _table_of(self, view: CentralAccuracyView) -> PlotTable:
        x, central, local = self._of(view)
        heads = ["ε" if self._of_epsilon else self.tr("Rows"), self.tr("Central error")]
        columns = [central]
        if local is not None:
            heads.append(self.tr("Local error"))
            columns.append(local)
        return PlotTable(tuple(heads), self._rows(x, columns))


class CentralAccuracyPlot(TwoCurves):
    """Both plots beside each other.

    Args:
        parent: Qt's owner.
    """

    title = N_("Accuracy")

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.by_epsilon = _Curves(of_epsilon=True, parent=self)
        self.by_rows = _Curves(of_epsilon=False, parent=self)
        self._note = PlainLabel("", "caption", wrap=True, parent=self)
        self._lay_out(self.by_epsilon, self.by_rows, 4).addWidget(self._note)

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
