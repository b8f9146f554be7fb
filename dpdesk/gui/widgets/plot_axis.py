"""The axes of a plot: their numbers and dates, painted with the ground."""

from __future__ import annotations

from math import ceil, floor, log10
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionGraphicsItem

from dpdesk.numbers.calendar import date_text, date_ticks, date_unit
from dpdesk.preview import significant

ROOM = 10.0
"""Room above and below an upright axis for half a line of text, in pixels."""

DESCENT = 6.0
"""What hangs down from a line of text at the largest letters, in pixels."""

_TICK_WIDTH = 70
"""Least pixels from one date at an axis to the next."""

_FEW_DECADES = 2.5


def set_log_ticks(axis: pg.AxisItem, lowest: float, highest: float) -> None:
    """Writes 1, 10, 100 … at their logarithms; also 2 and 5 where there are few decades.

    Args:
        axis: The axis; the plot holds log10 of what it shows.
        lowest: Lower end of the axis, above 0.
        highest: Upper end of the axis.
    """
    steps = (1, 2, 5) if log10(highest / lowest) <= _FEW_DECADES else (1,)
    decades = range(floor(log10(lowest)), ceil(log10(highest)) + 1)
    values = [step * 10.0**decade for decade in decades for step in steps]
    inside = [value for value in values if lowest <= value * 1.0001 and value <= highest * 1.0001]
    axis.setTicks([[(log10(value), _tick_text(value)) for value in inside], []])


def _tick_text(value: float) -> str:
    """1, 20, 5k, 2M: neighbouring ticks have little room."""
    for factor, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= factor * (1 - 1e-9):
            return f"{value / factor:,.0f}{letter}"
    return significant(value, 1)


class GroundAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis with its grid that is a part of the ground of the plot.

    The ground is painted once and kept, since the axes stay while a slider moves what is on it.
    An upright axis may have its first and last label half beyond the plot: pyqtgraph drops every
    label that leaves the axis by a pixel as soon as the grid is shown.

    Args:
        side: "bottom" or "left".
    """

    def __init__(self, side: str) -> None:
        self._unit = ""
        self._dates: dict[float, str] = {}
        self._room = (ROOM, ROOM) if side == "left" else (0.0, DESCENT)
        super().__init__(side)
        # Painted with the ground.
        self.label.setOpacity(0.0)

    def set_unit(self, unit: str) -> None:
        """Writes dates at the ticks where this unit is one of the calendar."""
        if unit != self._unit:
            self._unit = unit
            self.picture = None
            self.update()

    def tickValues(self, least: float, largest: float, size: float) -> Any:
        most = max(2, int(size / _TICK_WIDTH))
        dates = date_ticks(self._unit, least, largest, most) if self._unit else None
        self._dates = dict(dates or ())
        if dates is None:
            return super().tickValues(least, largest, size)
        return [(largest - least, [place for place, _ in dates])]

    def boundingRect(self) -> QRectF:
        """The area of the axis, an upright one with half a line of text above and below.

        pyqtgraph has four fifths of a line for the words at the ticks, and cuts a g or p there.
        """
        area: QRectF = super().boundingRect()
        above, below = self._room
        return area.adjusted(0, -above, 0, below)

    def update(self, *area: Any) -> None:
        """Has the ground painted anew, at any change of range, ticks, words or colours."""
        super().update(*area)
        self._renew_ground()

    def resizeEvent(self, event: Any = None) -> None:
        super().resizeEvent(event)
        self._keep_title_inside()
        self._renew_ground()

    def paint(self, *_: object) -> None:
        """Paints nothing: it lies on the ground."""

    def tickStrings(self, values: Any, scale: float, spacing: float) -> list[str]:
        if self._dates:
            return [self._dates.get(value, "") for value in values]
        if date_unit(self._unit) is not None:
            return [date_text(value, self._unit) or "" for value in values]
        texts = super().tickStrings(values, scale, spacing)
        return [
            f"{round(value * scale):,}" if text.lstrip("-").isdigit() else text
            for value, text in zip(values, texts, strict=True)
        ]

    def paint_ground(self, painter: QPainter) -> None:
        """Paints axis, grid, numbers and title."""
        painter.save()
        painter.setTransform(self.sceneTransform(), True)
        super().paint(painter, None, None)
        painter.restore()
        if self.label is not None and self.label.isVisible():
            painter.save()
            painter.setTransform(self.label.sceneTransform(), True)
            self.label.paint(painter, QStyleOptionGraphicsItem(), None)
            painter.restore()

    def _renew_ground(self) -> None:
        scene = self.scene()
        for view in scene.views() if scene is not None else ():
            view.resetCachedContent()
            view.viewport().update()

    def _keep_title_inside(self) -> None:
        view = None if self.label is None else self.getViewWidget()
        if view is None:
            return
        title, picture = self.label.mapRectToScene(self.label.boundingRect()), view.rect()
        first, last = (
            (picture.left() - title.left(), picture.right() - title.right())
            if self.orientation == "bottom"
            else (picture.top() - title.top(), picture.bottom() - title.bottom())
        )
        shift = max(first, min(last, 0.0))
        if shift:
            self.label.moveBy(*((shift, 0) if self.orientation == "bottom" else (0, shift)))
