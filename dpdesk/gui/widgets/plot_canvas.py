"""A plot in the colours of the theme, whose numbers can be had as a table.

pyqtgraph ignores the palette and renders labels as markup; both are dealt with here, once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import TypeVar

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QWidget

from dpdesk.gui.theme import Theme, ThemeSwitch, theme_in_force
from dpdesk.gui.widgets.plain_text import elided, literal, literal_line, plain_tooltip
from dpdesk.gui.widgets.plot_axis import DESCENT, ROOM, GroundAxis
from dpdesk.gui.widgets.plot_marks import Band, Bars, Label, Line, Marker
from dpdesk.gui.widgets.plot_table import PlotTable, TableWindow

MarkT = TypeVar("MarkT", Band, Bars, Line, Marker, Label)


class LegendSample(pg.ItemSample):  # type: ignore[misc]
    """A square for bars, a stroke for a line, without the gestures of pyqtgraph's own sample."""

    def paint(self, painter: QPainter, option: object, widget: QWidget | None = None) -> None:
        """Paints the sign in the colour that the series has now."""
        opts = self.item.opts
        if isinstance(self.item, Bars):
            painter.fillRect(QRectF(2, 2, 16, 16), pg.mkBrush(opts["brush"]))
        else:
            painter.setPen(pg.mkPen(opts["pen"]))
            painter.drawLine(QPointF(0, 10), QPointF(20, 10))

    def mouseClickEvent(self, event: object) -> None:
        """Does nothing: a click must not hide a series."""


_NAME_LINES = 3
"""Most lines in which names of bars stand by turns."""
_BETWEEN_NAMES, _BELOW_AXIS = 6, 10
"""Pixels between two names of bars, and those of the axis beside its lines of text."""
_TITLE_MARGIN = 16
"""What the title of an axis leaves free of the plot, in pixels."""


LINE_STYLES = {
    "solid": Qt.PenStyle.SolidLine,
    "dashed": Qt.PenStyle.DashLine,
    "dotted": Qt.PenStyle.DotLine,
    "hairline": Qt.PenStyle.SolidLine,
}
"""Styles of a line; a hairline is half as wide as the others."""
_WIDTHS = {"hairline": 1.0}
_MARKER_WIDTHS = {"dotted": 2.0}
"""Dots of one pixel would not be told to be those of a legend."""


class PlotCanvas(pg.PlotWidget):  # type: ignore[misc]
    """A plot with fixed ranges, hairline grid and no mouse gestures; T shows its numbers.

    Items that are added through `bars`, `line`, `marker` and `label` are coloured anew with the
    theme; change their data with `setOpts`, `setData`, `setValue`, `setText`.

    Args:
        name: Accessible name: what the plot shows.
    """

    def __init__(self, name: str, *, parent: QWidget | None = None) -> None:
        axes = {side: GroundAxis(side) for side in ("bottom", "left")}
        # To build the menu of a view box and to throw it away again is a quarter of a plot.
        super().__init__(parent, axisItems=axes, enableMenu=False)
        self._make_table: Callable[[], PlotTable] = lambda: PlotTable((), ())
        self.table_window = TableWindow(self)
        self._items: list[tuple[object, int | str, str]] = []
        self._axis_titles = {"bottom": "", "left": ""}
        self._cut = ""
        self._bar_names: tuple[str, ...] = ()
        self._bar_signs: tuple[str, ...] = ()
        self._bar_slots = 0
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseEnabled(x=False, y=False)
        self.hideButtons()
        plot = self.getPlotItem()
        # pyqtgraph's menus have no owner: though switched off, they would outlive the plot and be
        # dressed anew at every change of the theme.
        self.destroyed.connect(plot.ctrlMenu.deleteLater)
        # Half a line of text: the number at the upper end of the axis stands beyond the plot.
        plot.setContentsMargins(0, ROOM, 0, 0)
        plot.getViewBox().disableAutoRange()
        plot.getViewBox().sigResized.connect(self._fit_bar_names)
        plot.getViewBox().setDefaultPadding(0.0)
        self._legend = plot.addLegend(
            offset=(-12, 8), labelTextSize=_points(self.font()), sampleType=LegendSample
        )
        for side in ("bottom", "left"):
            axis = plot.getAxis(side)
            axis.enableAutoSIPrefix(False)
            axis.setStyle(tickFont=self.font(), tickTextOffset=5, maxTickLevel=1)
            axis.setTickDensity(0.6)
        plot.showGrid(x=False, y=True, alpha=1.0)
        ThemeSwitch.instance().themeChanged.connect(self._recolour)
        self._recolour(theme_in_force())

    def set_axis_titles(self, bottom: str, left: str) -> None:
        """Titles of the axes, shown literally; an empty one takes no room."""
        if self._axis_titles == {"bottom": bottom, "left": left}:
            return
        self._axis_titles = {"bottom": bottom, "left": left}
        self._write_axis_titles()

    def set_bottom_unit(self, unit: str) -> None:
        """Writes dates along the bottom where the unit of its numbers is one of the calendar."""
        self.getPlotItem().getAxis("bottom").set_unit(unit)

    def axis_title(self, side: str) -> str:
        """As much of the title of an axis as there is room for."""
        room = self.width() if side == "bottom" else self.height()
        return elided(self._axis_titles[side], self.font(), room - _TITLE_MARGIN)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._recolour(theme_in_force())
        return bool(super().event(event))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # pyqtgraph calls this event before the class is made whole, and once more at its end.
        if getattr(self, "_axis_titles", None) and self.getPlotItem() is not None:
            self._write_axis_titles()

    def _write_axis_titles(self) -> None:
        shown = {side: self.axis_title(side) for side in self._axis_titles}
        cut = "\n".join(t for side, t in self._axis_titles.items() if t != shown[side])
        if cut != self._cut:
            self._cut = cut
            self.setToolTip(plain_tooltip(cut))
        for side, title in shown.items():
            axis = self.getPlotItem().getAxis(side)
            if axis.labelText != escape(title):
                axis.setLabel(escape(title) if title else None)
                axis.showLabel(bool(title))
            axis.resizeEvent()
        # A title below the words at the ticks has room for what hangs down from these, too.
        self.getPlotItem().setContentsMargins(0, ROOM, 0, 0 if shown["bottom"] else DESCENT)

    def set_ranges(self, x: tuple[float, float] | None, y: tuple[float, float]) -> None:
        """The parts of the axes that are shown, from now on.

        Args:
            x: Both ends along the bottom; None over named bars, whose names need their room there.
            y: Both ends upright.
        """
        self.getPlotItem().getViewBox().setRange(xRange=x, yRange=y, padding=0)

    def set_categories(self, labels: Sequence[str], *, side: str = "bottom") -> None:
        """Writes these words at 0, 1, 2 … instead of numbers; none brings the numbers back."""
        axis = self.getPlotItem().getAxis(side)
        axis.setTicks([list(enumerate(map(literal, labels)))] if labels else None)

    def name_bars(self, names: Sequence[str], *, signs: Sequence[str] = (), slots: int = 0) -> None:
        """Writes names below the bars at 0, 1, 2 …, and anew at every width.

        Where they have no room beside each other they stand in two lines by turns, or in three;
        where even these are too narrow they end in "…".

        Args:
            names: The names, from the left.
            signs: What stands before each name, such as "+ ".
            slots: For how many bars there is room at least.
        """
        self._bar_names, self._bar_slots = tuple(names), slots
        self._bar_signs = tuple(signs) or ("",) * len(names)
        if not names:
            self.set_categories(())
            self.getPlotItem().getAxis("bottom").setHeight(None)
        self._fit_bar_names()

    def _fit_bar_names(self, _box: object = None) -> None:
        names, metrics = self._bar_names, QFontMetrics(self.font())
        if not names:
            return
        width, slots = self.getPlotItem().getViewBox().width(), max(len(names), self._bar_slots)
        sign = max(map(metrics.horizontalAdvance, self._bar_signs))
        wanted = max(metrics.horizontalAdvance(literal_line(name)) for name in names) + sign
        most = max(min(_NAME_LINES, len(names)), 2)
        rooms = ((lines, lines * width / (slots + lines - 1)) for lines in range(1, most))
        fitting = (lines for lines, room in rooms if wanted <= room - _BETWEEN_NAMES)
        lines = next(fitting, most)
        # Half a slot more at both ends, so that the outer names have as much room as the others.
        more = (lines - 1) / 2
        self.getPlotItem().getViewBox().setXRange(-0.5 - more, slots - 0.5 + more, padding=0)
        room = int(lines * width / (slots + lines - 1)) - _BETWEEN_NAMES
        self.set_categories(
            [
                "\n" * (place % lines) + own + elided(name, self.font(), room - sign)
                for place, (own, name) in enumerate(zip(self._bar_signs, names, strict=True))
            ]
        )
        height = lines * metrics.height() + _BELOW_AXIS
        if self.axis_title("bottom"):
            height += metrics.height() + _BELOW_AXIS // 2
        self.getPlotItem().getAxis("bottom").setHeight(height)

    def bars(self, series: int | str, name: str = "") -> Bars:
        """Adds empty bars in the colour of a series; `setOpts(x=…, height=…, width=…)` fills them.

        Args:
            series: Number of the colour, from 0, or the name of a token such as "track".
            name: The words in the legend, shown literally; without them there is no entry.
        """
        return self._add(Bars(), series, "bars", name)

    def line(
        self, series: int | str, name: str = "", *, style: str = "solid", filled: bool = False
    ) -> Line:
        """Adds an empty line; `setData(x, y)` fills it.

        Args:
            series: Number of the colour, from 0, or the name of a token such as "muted".
            name: The words in the legend, shown literally; without them there is no entry.
            style: "solid", "dashed", "dotted" or "hairline".
            filled: Whether the area between the line and 0 is tinted.
        """
        return self._add(Line(filled=filled), series, style, name)

    def band(self, series: int | str) -> Band:
        """Adds an empty tinted area between two lines; `setData(x, lower, upper)` fills it."""
        return self._add(Band(), series, "band", "")

    def marker(self, *, angle: int = 90, role: str = "text", style: str = "dashed") -> Marker:
        """Adds a line across the plot, upright or (angle 0) level; `setValue` moves it."""
        return self._add(Marker(upright=angle == 90), role, style, "")

    def label(self, *, role: str = "text", anchor: tuple[float, float] = (0.5, 1.0)) -> Label:
        """Adds a text at a point, shown literally; `setText` and `setPos` change it."""
        return self._add(Label(anchor), role, "text", "")

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:
        super().drawBackground(painter, rect)
        for side in ("left", "bottom"):
            self.getPlotItem().getAxis(side).paint_ground(painter)

    def remove(self, item: object) -> None:
        """Takes an item out of the plot and out of the legend."""
        self._items = [entry for entry in self._items if entry[0] is not item]
        self._legend.removeItem(item)
        self.removeItem(item)

    def clear_items(self) -> None:
        """Takes every item out of the plot."""
        for item, _, _ in list(self._items):
            self.remove(item)

    def set_table(self, headers: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Sets the numbers of the plot as texts, for those who cannot or need not see it."""
        table = PlotTable(tuple(headers), tuple(tuple(row) for row in rows))
        self.set_table_source(lambda: table)

    def set_table_source(self, make: Callable[[], PlotTable]) -> None:
        """Sets what writes the numbers of the plot down; it is asked only when they are read.

        A plot that moves with a slider has no time for hundreds of texts at every step.
        """
        self._make_table = make
        self.table_window.follow(make)

    def table_data(self) -> PlotTable:
        """The numbers of the plot."""
        return self._make_table()

    def set_description(self, description: str) -> None:
        """Sets the sentence that a screen reader says about what the plot shows now."""
        self.setAccessibleDescription(description)

    def show_table(self) -> None:
        """Shows the numbers in a window of their own, which follows the plot."""
        self.table_window.show(self.accessibleName(), self._make_table())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_T and not event.modifiers():
            self.show_table()
        else:
            super().keyPressEvent(event)

    def _add(self, item: MarkT, colour: int | str, kind: str, name: str) -> MarkT:
        self._items.append((item, colour, kind))
        self._colour_item(theme_in_force(), item, colour, kind)
        self.addItem(item)
        if name:
            self._legend.addItem(item, escape(literal(name)))
        self._legend.setVisible(bool(self._legend.items))
        return item

    def _recolour(self, theme: Theme) -> None:
        self.setBackground(QColor(theme.surface))
        plot = self.getPlotItem()
        for side in ("bottom", "left"):
            axis = plot.getAxis(side)
            axis.setPen(self._pen(theme.axis))
            axis.setTextPen(self._pen(theme.muted))
            axis.setTickPen(self._pen(theme.grid))
            title = self.axis_title(side)
            # Without its text, pyqtgraph takes a change of style for the end of the label.
            style = {"color": theme.muted, "font-size": _points(self.font())}
            axis.setLabel(escape(title) if title else None, **style)
            axis.showLabel(bool(title))
        self._legend.setLabelTextColor(QColor(theme.text))
        # Half covering: a legend that lies over bars stays readable and hides little.
        cover = QColor(theme.surface)
        cover.setAlphaF(0.75)
        self._legend.setBrush(cover)
        for _, label in self._legend.items:
            label.setText(label.text, color=QColor(theme.text))
        for item, colour, kind in self._items:
            self._colour_item(theme, item, colour, kind)

    def _colour_item(self, theme: Theme, item: object, colour: int | str, kind: str) -> None:
        shown = theme.series(colour) if isinstance(colour, int) else theme.colour(colour)
        if isinstance(item, Bars):
            # The palest bars are told from the ground by their edge.
            edge = theme.control_border if shown == theme.field_border else theme.surface
            item.setOpts(brush=QColor(shown), pen=self._pen(edge))
        elif isinstance(item, Band):
            tint = QColor(shown)
            tint.setAlphaF(0.15)
            item.fill = QBrush(tint)
            item.update()
        elif isinstance(item, Label):
            item.setColor(QColor(shown))
        elif isinstance(item, Marker):
            item.setPen(self._pen(shown, _MARKER_WIDTHS.get(kind, 1.0), style=kind))
        elif isinstance(item, Line):
            item.setPen(self._pen(shown, _WIDTHS.get(kind, 2.0), style=kind))
            if item.opts["fillLevel"] is not None:
                tint = QColor(shown)
                tint.setAlphaF(0.15)
                item.setFillBrush(tint)

    def _pen(self, colour: str, width: float = 1.0, *, style: str = "solid") -> QPen:
        """A pen whose width does not depend on the axes.

        Qt counts such a width in the pixels of the screen, of which a dense one has more. They are
        whole ones: with a part of one, some lines of a grid would be twice as thick as others.
        """
        pixels = max(1, round(width * self.devicePixelRatioF()))
        pen: QPen = pg.mkPen(QColor(colour), width=pixels, style=LINE_STYLES[style])
        return pen


def _points(font: QFont) -> str:
    return f"{font.pointSizeF():.1f}pt"
