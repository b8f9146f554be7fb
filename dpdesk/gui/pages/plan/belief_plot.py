"""The attacker's view: a belief before and after the most telling report."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSlider

from dpdesk.gui.pages.plan.plan_view import PlotView
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.dots import HundredDots
from dpdesk.gui.widgets.legend_row import LegendEntry
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.gui.widgets.steady import SteadyLines
from dpdesk.i18n import N_
from dpdesk.preview import (
    BeliefView,
    PreviewRequest,
    belief_text,
    belief_view,
    highest_belief_text,
)
from dpdesk.preview.central import QueryRequest

_TABLE_STEP = 10


class BeliefPlot(PlotView):
    """The curve from prior to posterior, and both as a hundred dots."""

    title = N_("Attacker")
    meaning = N_("Attacker's view: what a report does to a belief")

    def compose(self) -> None:
        self._epsilon = 1.0
        self.plot = PlotCanvas(self.tr("Belief before and after a report"), parent=self)
        self.plot.set_axis_titles(self.tr("belief before (%)"), self.tr("belief after (%)"))
        self.plot.set_ranges((0.0, 100.0), (0.0, 102.0))
        self._highest = self.plot.line(0)
        self._lowest = self.plot.line(1, style="dashed")
        self._same = self.plot.line("muted", style="dotted")
        self._upright = self.plot.marker(angle=90, role="text")
        self._level = self.plot.marker(angle=0, role="text")
        self._same.setData([0.0, 100.0], [0.0, 100.0])
        self._before = HundredDots(0, parent=self)
        self._after = HundredDots(0, parent=self)
        self._before_text, self._after_text = (
            SteadyLines(PlainLabel("", "caption"), parent=self) for _ in range(2)
        )
        self.prior = QSlider(Qt.Orientation.Horizontal, self)
        self.prior.setRange(1, 99)
        self.prior.setValue(50)
        self.prior.setPageStep(10)
        self.prior.valueChanged.connect(self._show)
        label = QLabel(self.tr("Bel&ief before"), self)
        label.setBuddy(self.prior)
        self.prior.setAccessibleName(self.tr("Belief before, in per cent"))
        self.prior.setWhatsThis(self.tr("What an onlooker believed before they saw the report."))
        self._make_legend()
        self.legend.set_entries(
            (
                LegendEntry(self.tr("raised the most"), 0),
                LegendEntry(self.tr("lowered the most"), 1, "dashed"),
                LegendEntry(self.tr("unmoved"), "muted", "dotted"),
            )
        )
        self._lay_out(label)

    def show_request(self, request: PreviewRequest | QueryRequest, *_: object) -> None:
        self._epsilon = float(request.epsilon)
        self._show()

    def _lay_out(self, label: QLabel) -> None:
        dots = lay_column(
            label,
            self.prior,
            self._before_text,
            (self._before, 1),
            self._after_text,
            (self._after, 1),
            spacing=4,
        )
        lay_column(self.legend, (lay_row((self.plot, 3), (dots, 1), spacing=12), 1), on=self)

    def _show(self) -> None:
        view = belief_view(self._epsilon, self.prior.value() / 100)
        self._highest.setData(100 * view.priors, 100 * view.highest)
        self._lowest.setData(100 * view.priors, 100 * view.lowest)
        self._upright.setValue(100 * view.prior)
        self._level.setValue(100 * view.raised)
        before, after = belief_text(view.prior), highest_belief_text(view.raised)
        self._before_text.set_text(self.tr("before: {belief}").format(belief=before))
        self._after_text.set_text(self.tr("after, at most: {belief}").format(belief=after))
        spoken = self.tr("{full} of 100 dots")
        self._before.set_full(view.dots_before, spoken.format(full=view.dots_before))
        self._after.set_full(view.dots_after, spoken.format(full=view.dots_after))
        self.plot.set_table_source(lambda: self._table_of(view))
        self.plot.set_description(
            self.tr("One report can raise a belief of {before} to {after} at the most.").format(
                before=before, after=after
            )
        )

    def _table_of(self, view: BeliefView) -> PlotTable:
        headers = (
            self.tr("Belief before"),
            self.tr("Least belief after"),
            self.tr("Highest belief after"),
        )
        columns = zip(view.priors, view.lowest, view.highest, strict=True)
        rows = [tuple(f"{100 * belief:.4g} %" for belief in beliefs) for beliefs in columns]
        return PlotTable(headers, tuple(rows[::_TABLE_STEP]))


class QueryBelief(BeliefPlot):
    """The attacker's view of a statistic, where there is room to call it so."""

    title = N_("Attacker's view")
    meaning = ""
