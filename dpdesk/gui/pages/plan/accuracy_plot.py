"""Two plots that share an axis: error against epsilon, and against the number of respondents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QToolTip, QVBoxLayout, QWidget

from dpdesk.gui.pages.plan.plan_view import PlanView
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plain_text import plain_tooltip
from dpdesk.gui.widgets.plot_canvas import PlotCanvas, set_log_ticks
from dpdesk.gui.widgets.plot_marks import Line
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.i18n import N_
from dpdesk.preview import (
    AccuracyView,
    Curve,
    PreviewRequest,
    accuracy_view,
    error_text,
    significant,
)

Floats = NDArray[np.float64]


_MARGIN = 0.03
_NAMED_MAX = 3
# How near to a curve the pointer must be, as a part of the height of the plot.
_REACH = 0.02


class LogCurves(PlotCanvas):
    """Curves on two logarithmic axes, with a cross-hair at the current choice.

    Args:
        names: What it shows against ε, and what against the number of respondents.
        of_epsilon: Whether it is against ε.
        parent: Qt's owner.
    """

    def __init__(self, names: tuple[str, str], *, of_epsilon: bool, parent: QWidget | None) -> None:
        super().__init__(names[0 if of_epsilon else 1], parent=parent)
        self._of_epsilon = of_epsilon
        self._frame: tuple[object, ...] = ()
        self.getPlotItem().showGrid(x=True, y=True, alpha=1.0)

    def _make_cross_hair(self) -> None:
        self._upright = self.marker(angle=90, role="text")
        self._level = self.marker(angle=0, role="text")

    def _scale(self, x: Floats, errors: tuple[float, float], bottom: str, left: str) -> None:
        """Sets the axes: against n the left one has its title at the plot beside it."""
        first, last = float(x[0]), float(x[-1])
        self.set_ranges(_widened(first, last), _widened(*errors))
        plot = self.getPlotItem()
        set_log_ticks(plot.getAxis("bottom"), first, last)
        set_log_ticks(plot.getAxis("left"), *errors)
        of_epsilon = self._of_epsilon
        self.set_axis_titles("ε" if of_epsilon else bottom, left if of_epsilon else "")

    def _show_cross_hair(self, here: float, error: float) -> None:
        self._upright.setValue(np.log10(here))
        self._level.setValue(np.log10(error))

    def _rows(self, x: Floats, curves: Sequence[Floats]) -> tuple[tuple[str, ...], ...]:
        """Every place with its errors, as texts."""
        return tuple(
            (
                significant(float(at), 3) if self._of_epsilon else f"{at:,.0f}",
                *(significant(float(error), 3) for error in errors),
            )
            for at, *errors in zip(x, *curves, strict=True)
        )


class TwoCurves(PlanView):
    """Error against ε and against the number of respondents, beside each other."""

    def _lay_out(self, by_epsilon: LogCurves, by_count: LogCurves, spacing: int) -> QVBoxLayout:
        self._plots = by_epsilon, by_count
        self.legend = LegendRow(parent=self)
        row = lay_row((by_epsilon, 1), (by_count, 1), spacing=6)
        return lay_column(self.legend, (row, 1), spacing=spacing, on=self)

    def show_table(self) -> None:
        """Shows the numbers of the plot that has the focus, else of the first."""
        first, second = self._plots
        (second if second.hasFocus() else first).show_table()


class ErrorCurves(LogCurves):
    """Curves of the 95 % error with a cross-hair at the current choice.

    Args:
        against: "epsilon" or "respondents".
        parent: Qt's owner.
    """

    def __init__(self, against: str, *, parent: QWidget | None = None) -> None:
        names = self.tr("95 % error against ε"), self.tr("95 % error against n")
        super().__init__(names, of_epsilon=against == "epsilon", parent=parent)
        self._drawn: dict[Line, Floats] = {}
        self._view: AccuracyView | None = None
        self.setMouseTracking(True)

    def show_view(self, view: AccuracyView) -> None:
        """Shows the curves; items are made anew only where the mechanisms or the ends differ."""
        self._view = view
        x = view.epsilons if self._of_epsilon else view.respondents
        frame = (
            view.chosen.kind,
            tuple(curve.kind for curve in view.others),
            (x[0], x[-1], view.error_range, view.unit),
        )
        if frame != self._frame:
            self._build(view, x)
            self._frame = frame
        logs = np.log10(x)
        chosen = view.chosen
        heights = chosen.by_epsilon if self._of_epsilon else chosen.by_respondents
        self._draw(self._chosen, logs, heights)
        ordered = _by_error(view)
        if self._of_epsilon:
            for item, curve in zip(self._others, ordered, strict=True):
                self._draw(item, logs, curve.by_epsilon)
        else:
            rivals_and_rest = (ordered[:_NAMED_MAX], ordered[_NAMED_MAX:])
            for item, curves in zip(self._others, rivals_and_rest, strict=True):
                self._draw_straight(item, logs, curves)
        floor = np.full(len(x), view.floor) if self._of_epsilon else view.unprotected
        self._draw(self._floor, logs, floor)
        here = view.epsilon if self._of_epsilon else view.count
        self._show_cross_hair(here, view.error)
        self.set_table_source(lambda: self._table_of(view, x))
        self.set_description(
            self.tr("{mechanism} at ε = {epsilon} with {count} respondents: {error}").format(
                mechanism=chosen.short,
                epsilon=significant(view.epsilon, 3),
                count=f"{view.count:,}",
                error=error_text(view.error, view.unit),
            )
        )

    def _draw(self, item: Line, logs: Floats, heights: Floats) -> None:
        """Draws a curve that is another one: those against ε stay while ε moves."""
        drawn = self._drawn.get(item)
        if drawn is None or not np.array_equal(drawn, heights):
            self._drawn[item] = heights
            item.setData(logs, np.log10(heights))

    def _draw_straight(self, item: Line, logs: Floats, curves: tuple[Curve, ...]) -> None:
        """Draws several curves against n as one item.

        Between logarithms they are straight, so that their ends are enough; every one of them
        moves at each step of ε, and an item costs more than what it draws.
        """
        heights = np.array([curve.by_respondents[[0, -1]] for curve in curves]).ravel()
        item.setData(np.tile(logs[[0, -1]], len(curves)), np.log10(heights), connect="pairs")

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Names the curve under the pointer."""
        super().mouseMoveEvent(event)
        box = self.getPlotItem().getViewBox()
        scene = self.mapToScene(event.position().toPoint())
        if self._view is None or not box.sceneBoundingRect().contains(scene):
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
        """The mechanisms whose curves pass near a point, both of them logarithms; may be empty.

        Args:
            x: Logarithm to base 10 of epsilon or of the number of respondents.
            y: Logarithm to base 10 of the error.
            reach: How far above or below it a curve may pass.
        """
        view = self._view
        if view is None:
            return ""
        logs = np.log10(view.epsilons if self._of_epsilon else view.respondents)
        near = []
        for curve in (view.chosen, *view.others):
            errors = curve.by_epsilon if self._of_epsilon else curve.by_respondents
            distance = abs(float(np.interp(x, logs, np.log10(errors))) - y)
            if distance <= reach:
                near.append((distance, curve.short))
        return ", ".join(short for _, short in sorted(near))

    def _build(self, view: AccuracyView, x: Floats) -> None:
        self.clear_items()
        self._drawn.clear()
        # The nearest rivals, which the legend names, are drawn heavier than the rest.
        count = len(view.others) if self._of_epsilon else 2
        heavy = _NAMED_MAX if self._of_epsilon else 1
        self._others = [
            self.line("disabled", style="solid" if place < heavy else "hairline")
            for place in range(count)
        ]
        self._floor = self.line("muted", style="dotted")
        self._chosen = self.line(0)
        self._make_cross_hair()
        error = self.tr("95 % error ({unit})") if view.unit else self.tr("95 % error")
        self._scale(x, view.error_range, self.tr("respondents"), error.format(unit=view.unit))

    def _table_of(self, view: AccuracyView, x: Floats) -> PlotTable:
        curves = (view.chosen, *view.others)
        head = "ε" if self._of_epsilon else self.tr("Respondents")
        template = self.tr("{mechanism}, 95 % error ({unit})") if view.unit else "{mechanism}"
        headers = [head] + [template.format(mechanism=c.short, unit=view.unit) for c in curves]
        errors = [c.by_epsilon if self._of_epsilon else c.by_respondents for c in curves]
        return PlotTable(tuple(headers), self._rows(x, errors))


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


class AccuracyPlot(TwoCurves):
    """Both plots beside each other.

    Args:
        parent: Qt's owner.
    """

    title = N_("Accuracy")

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.by_epsilon = ErrorCurves("epsilon", parent=self)
        self.by_respondents = ErrorCurves("respondents", parent=self)
        self._lay_out(self.by_epsilon, self.by_respondents, 6)

    def show_request(self, request: PreviewRequest) -> None:
        """Shows the curves of a request."""
        view = accuracy_view(request)
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
        self.by_epsilon.show_view(view)
        self.by_respondents.show_view(view)
