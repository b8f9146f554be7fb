"""The plot of the law of a release: of its error, of the chosen number, of the right choice."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpdesk.gui.pages.plan.plan_view import PlanView
from dpdesk.gui.pages.plan.words import amount_text, level_text
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.i18n import N_
from dpdesk.preview.central import LawView, QueryRequest, law_view

_BAR = 0.4
_PAIR = 0.2


class ReleaseLawPlot(PlanView):
    """The law of what is released, beside that of a table with one respondent more or other.

    Args:
        parent: Qt's owner.
    """

    title = N_("Noise")

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.legend = LegendRow(parent=self)
        self.plot = PlotCanvas(self.tr("Noise: the law of the released number"), parent=self)
        self._note = PlainLabel("", "caption", wrap=True, parent=self)
        self._frame: tuple[object, ...] = ()
        lay_column(self.legend, (self.plot, 1), self._note, spacing=4, on=self)

    def show_request(self, request: QueryRequest, *_: object) -> None:
        """Shows the law of a request; items are made anew only where their form differs."""
        view = law_view(request)
        frame = (view.shown, view.form, len(view.lines), view.band is None)
        if frame != self._frame:
            self._frame = frame
            self._build(view)
        self.legend.set_entries(self._entries(view, request))
        self.plot.set_axis_titles(*self._titles(view))
        # A little more than the last mark, so that its number is not cut.
        self.plot.set_ranges(view.x_range, (0.0, 1.03 * view.y_max))
        self._fill(view)
        if view.band is not None:
            for marker, end in zip(self._ends, view.band, strict=False):
                marker.setValue(end)
        self._say(view, request)
        self.plot.set_table_source(lambda: self._table_of(view))

    def set_low(self, low: bool) -> None:
        """Leaves the line below the plot to its description, for a low window."""
        self._note.setVisible(not low)

    def show_table(self) -> None:
        """Shows the numbers of the plot."""
        self.plot.show_table()

    def _build(self, view: LawView) -> None:
        plot = self.plot
        plot.clear_items()
        if view.form == "bars":
            self._items = [plot.bars(series) for series in range(len(view.lines))]
        else:
            self._items = [
                plot.line(series, filled=series == 0 and view.shown == "error")
                for series in range(len(view.lines))
            ]
        count = 0 if view.band is None else 1 if view.shown == "lead" else 2
        self._ends = [plot.marker(role="muted") for _ in range(count)]

    def _fill(self, view: LawView) -> None:
        step = float(view.x[1] - view.x[0]) if len(view.x) > 1 else 1.0
        for series, (item, heights) in enumerate(zip(self._items, view.lines, strict=True)):
            if view.form == "bars":
                alone = len(view.lines) == 1
                shift = 0.0 if alone else (2 * series - 1) * _PAIR * step
                width = (2 * _BAR if alone else _BAR) * step
                item.setOpts(x=view.x + shift, height=heights, width=width)
            else:
                item.setData(view.x, heights)

    def _entries(self, view: LawView, request: QueryRequest) -> tuple[LegendEntry, ...]:
        sign = "bars" if view.form == "bars" else "solid"
        if view.shown == "lead":
            level = level_text(request.confidence)
            reached = self.tr("lead from which it is {level}").format(level=level)
            return (
                LegendEntry(self.tr("chance that the most frequent is chosen"), 0, "solid"),
                LegendEntry(reached, "muted", "dashed", level),
            )
        if view.shown == "number":
            words = self.tr("share {share}")
            return tuple(
                LegendEntry(words.format(share=share), series, sign)  # type: ignore[arg-type]
                for series, share in enumerate(view.shares)
            )
        other = (
            self.tr("with one respondent other")
            if request.unit.relation == "replace"
            else self.tr("with one respondent more")
        )
        band = self.tr("{level} of the noise").format(level=level_text(request.confidence))
        return (
            LegendEntry(self.tr("this table"), 0, sign),  # type: ignore[arg-type]
            LegendEntry(other, 1, sign, self.tr("one more")),  # type: ignore[arg-type]
            LegendEntry(band, "muted", "dashed", level_text(request.confidence)),
        )

    def _titles(self, view: LawView) -> tuple[str, str]:
        unit = f" ({view.unit})" if view.unit else ""
        if view.shown == "lead":
            return self.tr("lead over every other category (rows)"), self.tr("chance")
        if view.shown == "number":
            return self.tr("number that is released") + unit, self.tr("chance")
        height = self.tr("chance") if view.form == "bars" else self.tr("density")
        return self.tr("released minus true") + unit, height

    def _say(self, view: LawView, request: QueryRequest) -> None:
        basis = request.error.basis
        if view.shown == "number":
            basis = self.tr(
                "If the answers of {rows} rows were spread evenly between the bounds; nothing "
                "here was read from the data."
            ).format(rows=f"{request.rows:,}")
        elif view.shown == "error":
            half = f"± {amount_text(request.error.half_width, view.unit)}"
            level = level_text(request.confidence)
            said = self.tr("{level} of results lie within {error} of the truth")
            basis = ", ".join(p for p in (said.format(level=level, error=half), basis) if p) + "."
        elif basis:
            basis = self.tr("If all others are equally frequent, the worst case.")
        if basis != self._note.text():
            self._note.setText(basis)
        self.plot.set_description(basis)
        self.plot.setToolTip(plain_tooltip(basis))

    def _table_of(self, view: LawView) -> PlotTable:
        bottom, height = self._titles(view)
        names = [height] if len(view.lines) == 1 else [f"{height} {i + 1}" for i in range(9)]
        if view.shown == "error":
            names = [
                self.tr("{what}, this table").format(what=height),
                self.tr("{what}, one respondent more or other").format(what=height),
            ]
        elif view.shares:
            names = [self.tr("share {share}").format(share=share) for share in view.shares]
        rows = zip(view.x, *view.lines, strict=True)
        return PlotTable(
            (bottom, *names[: len(view.lines)]),
            tuple((f"{x:.6g}", *(f"{y:.4g}" for y in ys)) for x, *ys in rows),
        )
