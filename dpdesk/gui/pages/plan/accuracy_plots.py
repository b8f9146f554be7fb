"""Error against epsilon and against the number of respondents: two plots that share an axis.

Of an attribute there is a curve for every mechanism that fits, of a statistic one for noise that
the curator adds beside one for noise that each respondent adds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QToolTip, QWidget

from dpdesk.gui.pages.plan.plan_view import PlotView
from dpdesk.gui.pages.plan.words import level_text
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.legend_row import LegendEntry
from dpdesk.gui.widgets.plain_text import plain_tooltip
from dpdesk.gui.widgets.plot_axis import set_log_ticks
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Floats
from dpdesk.preview import (
    AccuracyView,
    Curve,
    PreviewRequest,
    accuracy_view,
    error_text,
    significant,
)
from dpdesk.preview.central import CentralAccuracyView, QueryRequest, central_accuracy

_MARGIN = 0.03
_NAMED_MAX = 3
# How near to a curve the pointer must be, as a part of the height of the plot.
_REACH = 0.02


@dataclass(frozen=True, eq=False)
class Stroke:
    """A line on logarithmic axes.

    Attributes:
        heights: Errors, one for each place.
        colour: Number of a series, from 0, or the name of a token.
        style: Of the line, as in `PlotCanvas.line`.
        places: Where the errors are known, if not at the places of the drawing.
        connect: "pairs" for pieces of two points each, "finite" to leave gaps out.
    """

    heights: Floats
    colour: int | str
    style: str = "solid"
    places: Floats | None = None
    connect: str = "all"


@dataclass(frozen=True, eq=False)
class Drawing:
    """What a view has to show against ε, or against the number of respondents.

    Attributes:
        titles: Of the axes, bottom and left.
        places: Epsilons or counts, shape (m,).
        here, error: The current choice.
        strokes: The lines, the topmost one last.
        ends: Of the axis of errors.
        heads, columns: Of the table beyond its first column: names, and errors of shape (m,).
        head: Of the first column.
        said: The current choice, in words.
        named: Curves that are named under the pointer, with their errors of shape (m,).
    """

    titles: tuple[str, str]
    places: Floats
    here: float
    error: float
    strokes: tuple[Stroke, ...]
    ends: tuple[float, float]
    head: str
    heads: tuple[str, ...]
    columns: tuple[Floats, ...]
    said: str
    named: tuple[tuple[str, Floats], ...] = ()


class LogCurves(PlotCanvas):
    """Curves on two logarithmic axes, with a cross-hair at the current choice.

    Args:
        name: Accessible name.
        of_epsilon: Whether they are against ε, and not against a count.
    """

    def __init__(self, name: str, *, of_epsilon: bool, parent: QWidget | None = None) -> None:
        super().__init__(name, parent=parent)
        self._of_epsilon = of_epsilon
        self._frame: tuple[object, ...] = ()
        self._drawing: Drawing | None = None
        self.getPlotItem().showGrid(x=True, y=True, alpha=1.0)
        self.setMouseTracking(True)

    def show_drawing(self, drawing: Drawing) -> None:
        """Shows the curves; items are made anew only where the lines or the ends differ."""
        before, self._drawing = self._drawing, drawing
        x = drawing.places
        frame = (
            [(stroke.colour, stroke.style) for stroke in drawing.strokes],
            drawing.heads,
            (float(x[0]), float(x[-1]), drawing.ends, drawing.titles),
        )
        if frame != self._frame:
            self._frame, before = frame, None
            self._build(drawing)
        old = (None,) * len(self._items_drawn) if before is None else before.strokes
        for item, stroke, drawn in zip(self._items_drawn, drawing.strokes, old, strict=True):
            # Those against ε stay while ε moves.
            if drawn is None or not np.array_equal(drawn.heights, stroke.heights):
                places = x if stroke.places is None else stroke.places
                item.setData(np.log10(places), np.log10(stroke.heights), connect=stroke.connect)
        self._upright.setValue(np.log10(drawing.here))
        self._level.setValue(np.log10(drawing.error))
        self.set_table_source(lambda: self._table_of(drawing))
        self.set_description(drawing.said)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        box = self.getPlotItem().getViewBox()
        scene = self.mapToScene(event.position().toPoint())
        if self._drawing is None or not box.sceneBoundingRect().contains(scene):
            QToolTip.hideText()
            return
        place = box.mapSceneToView(scene)
        reach = _REACH * (box.viewRange()[1][1] - box.viewRange()[1][0])
        name = self.curve_at(place.x(), place.y(), reach)
        if name:
            QToolTip.showText(event.globalPosition().toPoint(), plain_tooltip(name), self)
        else:
            QToolTip.hideText()

    def curve_at(self, x: float, y: float, reach: float) -> str:
        """The names of the curves that pass near a point, both of them logarithms; may be empty.

        Args:
            x: Logarithm to base 10 of epsilon or of the number of respondents.
            y: Logarithm to base 10 of the error.
            reach: How far above or below it a curve may pass.
        """
        if self._drawing is None:
            return ""
        logs = np.log10(self._drawing.places)
        near = []
        for name, errors in self._drawing.named:
            distance = abs(float(np.interp(x, logs, np.log10(errors))) - y)
            if distance <= reach:
                near.append((distance, name))
        return ", ".join(name for _, name in sorted(near))

    def _build(self, drawing: Drawing) -> None:
        self.clear_items()
        self._items_drawn = [self.line(s.colour, style=s.style) for s in drawing.strokes]
        self._upright = self.marker(angle=90, role="text")
        self._level = self.marker(angle=0, role="text")
        first, last = float(drawing.places[0]), float(drawing.places[-1])
        self.set_ranges(_widened(first, last), _widened(*drawing.ends))
        plot = self.getPlotItem()
        set_log_ticks(plot.getAxis("bottom"), first, last)
        set_log_ticks(plot.getAxis("left"), *drawing.ends)
        self.set_axis_titles(*drawing.titles)

    def _table_of(self, drawing: Drawing) -> PlotTable:
        rows = (
            (
                significant(float(at), 3) if self._of_epsilon else f"{at:,.0f}",
                *(significant(float(error), 3) for error in errors),
            )
            for at, *errors in zip(drawing.places, *drawing.columns, strict=True)
        )
        return PlotTable((drawing.head, *drawing.heads), tuple(rows))


def rivals(view: AccuracyView) -> tuple[Curve, ...]:
    """The other mechanisms of least error at the current ε, in the order of that error."""
    return _by_error(view)[:_NAMED_MAX]


def _by_error(view: AccuracyView) -> tuple[Curve, ...]:
    # All curves by respondents are parallel, so that one point ranks them at the current ε.
    return tuple(sorted(view.others, key=lambda curve: float(curve.by_respondents[0])))


def _widened(low: float, high: float) -> tuple[float, float]:
    """An axis of logarithms with room for half a number beyond its ends."""
    margin = _MARGIN * np.log10(high / low)
    return float(np.log10(low)), float(np.log10(high) + margin)


class TwoCurves(PlotView):
    """Error against ε and against the number of respondents, beside each other."""

    title = N_("Accuracy")

    def names(self) -> tuple[str, str]:
        """What the plots are called: against ε, and against the number of respondents."""
        raise NotImplementedError

    def compose(self) -> None:
        by_epsilon, by_count = self.names()
        self.by_epsilon = LogCurves(by_epsilon, of_epsilon=True, parent=self)
        self.by_count = LogCurves(by_count, of_epsilon=False, parent=self)
        self._make_legend()
        row = lay_row((self.by_epsilon, 1), (self.by_count, 1), spacing=6)
        lay_column(self.legend, (row, 1), spacing=4, on=self)

    def _say(self, sentence: str) -> None:
        """Says what the errors suppose, as the tooltip of the legend."""
        self.legend.setToolTip(plain_tooltip(sentence))

    def show_table(self) -> None:
        (self.by_count if self.by_count.hasFocus() else self.by_epsilon).show_table()


class AccuracyPlot(TwoCurves):
    """The 95 % error of every mechanism that fits an attribute."""

    def names(self) -> tuple[str, str]:
        return self.tr("95 % error against ε"), self.tr("95 % error against n")

    def show_request(self, request: PreviewRequest) -> None:
        view = accuracy_view(request)
        self._say(self._supposed(request))
        entries = [LegendEntry(view.chosen.short, 0)]
        named = rivals(view)
        if named:
            names = ", ".join(curve.short for curve in named)
            entries.append(LegendEntry(names, "disabled"))
        rest = len(view.others) - len(named)
        if rest:
            more, short = self.tr("{count} others: point at them"), self.tr("{count} others")
            entries.append(
                LegendEntry(
                    more.format(count=rest), "disabled", "hairline", short.format(count=rest)
                )
            )
        self.legend.set_entries(
            (*entries, LegendEntry(self.tr("no protection"), "muted", "dotted", self.tr("none")))
        )
        self.by_epsilon.show_drawing(self._drawing(view, of_epsilon=True))
        self.by_count.show_drawing(self._drawing(view, of_epsilon=False))

    def _supposed(self, request: PreviewRequest) -> str:
        """What answers all curves are for, that of no protection among them."""
        numbers = request.domain.holds_numbers
        if request.answers is not None:
            supposed = self.tr("over the answers of this file")
        elif numbers:
            supposed = self.tr("if answers are spread evenly over the bounds")
        elif request.expected:
            supposed = self.tr("over the expected answers")
        else:
            supposed = self.tr("if all answers are equally common")
        return self.tr(
            "Errors of {what}, {supposed}; also without protection, where sampling alone is left."
        ).format(what=self.tr("the mean") if numbers else self.tr("a share"), supposed=supposed)

    def _drawing(self, view: AccuracyView, *, of_epsilon: bool) -> Drawing:
        def heights(curve: Curve) -> Floats:
            return curve.by_epsilon if of_epsilon else curve.by_respondents

        curves = (view.chosen, *view.others)
        error = self.tr("95 % error ({unit})") if view.unit else self.tr("95 % error")
        head = self.tr("{mechanism}, 95 % error ({unit})") if view.unit else "{mechanism}"
        places = view.epsilons if of_epsilon else view.respondents
        floor = np.full(len(places), view.floor) if of_epsilon else view.unprotected
        # The nearest rivals, which the legend names, are drawn heavier than the rest.
        rivals_and_rest = _by_error(view)[:_NAMED_MAX], _by_error(view)[_NAMED_MAX:]
        others: list[Stroke] = []
        for alike, style in zip(rivals_and_rest, ("solid", "hairline"), strict=True):
            if of_epsilon:
                others += [Stroke(heights(curve), "disabled", style) for curve in alike]
            else:
                others.append(_straight(alike, places, style))
        said = self.tr("{mechanism} at ε = {epsilon} with {count} respondents: {error}")
        return Drawing(
            # Against n the axis of errors has its title at the plot beside it.
            titles=("ε", error.format(unit=view.unit))
            if of_epsilon
            else (self.tr("respondents"), ""),
            places=places,
            here=view.epsilon if of_epsilon else view.count,
            error=view.error,
            strokes=(*others, Stroke(floor, "muted", "dotted"), Stroke(heights(view.chosen), 0)),
            ends=view.error_range,
            head="ε" if of_epsilon else self.tr("Respondents"),
            heads=tuple(head.format(mechanism=c.short, unit=view.unit) for c in curves),
            columns=tuple(heights(curve) for curve in curves),
            said=said.format(
                mechanism=view.chosen.short,
                epsilon=significant(view.epsilon, 3),
                count=f"{view.count:,}",
                error=error_text(view.error, view.unit),
            ),
            named=tuple((curve.short, heights(curve)) for curve in curves),
        )


class CentralAccuracyPlot(TwoCurves):
    """The error of a statistic, with noise of the curator and with noise of each respondent."""

    def names(self) -> tuple[str, str]:
        return self.tr("Error against ε"), self.tr("Error against n")

    def show_request(self, request: QueryRequest, *_: object) -> None:
        view = central_accuracy(request)
        self._level = level_text(request.confidence)
        entries = [LegendEntry(self.tr("noise added by the curator (central)"), 0, "solid", "")]
        note = self.tr("{level} errors from the noise alone, of one number.")
        note = note.format(level=self._level)
        if view.local is not None:
            local = self.tr("noise added by each respondent (local)")
            entries.append(LegendEntry(local, 1, "dashed", self.tr("local")))
            note += " " + self.tr(
                "As a share of n, the central error falls with 1 / (n ε), the local one with "
                "1 / (√n ε)."
            )
        self.legend.set_entries(entries)
        self._say(note)
        by_count = view.central_of_count, view.local_of_count
        self.by_epsilon.show_drawing(self._drawing(view, view.epsilons, view.central, view.local))
        self.by_count.show_drawing(self._drawing(view, view.counts, *by_count))

    def _drawing(
        self, view: CentralAccuracyView, places: Floats, central: Floats, local: Floats | None
    ) -> Drawing:
        of_epsilon, least = places is view.epsilons, view.error_range[0] / 10
        error = self.tr("{level} error ({unit})") if view.unit else self.tr("{level} error")
        strokes = [Stroke(np.maximum(central, least), 0, connect="finite")]
        heads = [self.tr("{level} error, central").format(level=self._level)]
        columns = [central]
        if local is not None:
            strokes.append(Stroke(np.maximum(local, least), 1, "dashed"))
            heads.append(self.tr("{level} error, local").format(level=self._level))
            columns.append(local)
        return Drawing(
            titles=("ε", error.format(level=self._level, unit=view.unit))
            if of_epsilon
            else (self.tr("rows"), ""),
            places=places,
            here=view.epsilon if of_epsilon else view.rows,
            error=max(view.error, least),
            strokes=tuple(strokes),
            ends=view.error_range,
            head="ε" if of_epsilon else self.tr("Rows"),
            heads=tuple(heads),
            columns=tuple(columns),
            said=self.tr("At ε = {epsilon} with {rows} rows: {error}").format(
                epsilon=significant(view.epsilon, 3),
                rows=f"{view.rows:,}",
                error=error_text(view.error, view.unit),
            ),
        )


def _straight(curves: tuple[Curve, ...], counts: Floats, style: str) -> Stroke:
    """Several curves against n as one line.

    Between logarithms they are straight, so that their ends are enough; every one of them moves at
    each step of ε, and an item costs more than what it draws.
    """
    heights = np.array([curve.by_respondents[[0, -1]] for curve in curves]).ravel()
    places = np.tile(counts[[0, -1]], len(curves))
    return Stroke(heights, "disabled", style, places, connect="pairs")
