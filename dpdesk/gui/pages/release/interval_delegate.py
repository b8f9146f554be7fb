"""How intervals are painted in a table, and the axis in its head."""

from __future__ import annotations

from math import ceil
from typing import Protocol

from PySide6.QtCore import QLineF, QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import (
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from dpdesk.gui.pages.release.estimates_model import PLOT, ROW_ROLE
from dpdesk.gui.pages.release.interval_scale import IntervalScale
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.padded_delegate import paint_ground

_SIDE = 26
_DOT = 4.0
_TICK_GAP = 8


def place(scale: IntervalScale, rect: QRect, value: float) -> float:
    """Returns the horizontal place of a value in a cell."""
    inner = rect.width() - 2 * _SIDE
    return rect.left() + _SIDE + inner * scale.at(value)


class IntervalRow(Protocol):
    """What is drawn of a row: an estimate with its interval, and the estimate moved into range."""

    @property
    def lower(self) -> float:
        """Lower end of the interval."""

    @property
    def upper(self) -> float:
        """Upper end of the interval."""

    @property
    def estimate(self) -> float:
        """The estimate."""

    @property
    def truncated(self) -> float:
        """The estimate moved into the range that it can have."""


class ScaledModel(Protocol):
    """A model whose rows share an axis."""

    @property
    def scale(self) -> IntervalScale:
        """The axis."""


class IntervalDelegate(QStyledItemDelegate):
    """Paints an interval with its estimate; an open ring marks the estimate moved into range.

    Args:
        theme: The switch that the colours follow.
        model: Where the axis is from.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, model: ScaledModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._model = model

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paints a cell."""
        theme, scale, rect = self._theme.theme, self._model.scale, option.rect
        row: IntervalRow | None = index.data(ROW_ROLE)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        paint_ground(painter, rect, theme, selected=selected)
        for value, _ in scale.ticks:
            strong = value == 0
            painter.setPen(QPen(QColor(theme.field_border if strong else theme.grid), 1))
            x = round(place(scale, rect, value)) + 0.5
            painter.drawLine(QLineF(x, rect.top(), x, rect.bottom() + 1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row is not None:
            self.paint_interval(painter, rect, row)
        painter.restore()

    def paint_interval(self, painter: QPainter, rect: QRect, row: IntervalRow) -> None:
        """Paints the interval of a row into a cell."""
        theme, scale = self._theme.theme, self._model.scale
        accent = QColor(theme.accent)
        middle = rect.center().y() + 0.5
        left, right = place(scale, rect, row.lower), place(scale, rect, row.upper)
        painter.setPen(QPen(accent, 2.0))
        painter.drawLine(QLineF(left, middle, right, middle))
        for x in (left, right):
            painter.drawLine(QLineF(x, middle - 4, x, middle + 4))
        painter.setBrush(accent)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawEllipse(QPointF(place(scale, rect, row.estimate), middle), _DOT, _DOT)
        if row.truncated != row.estimate:
            painter.setBrush(QColor(theme.surface))
            painter.setPen(QPen(QColor(theme.text), 1.5))
            painter.drawEllipse(QPointF(place(scale, rect, row.truncated), middle), _DOT, _DOT)


class EstimatesHeader(QHeaderView):
    """The heads of the columns; that of the intervals is their axis.

    Args:
        theme: The switch that the colours follow.
        model: Where the axis is from.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, model: ScaledModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self._model = model
        self.setSectionsClickable(False)
        self.setHighlightSections(False)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        """Paints a head, or the marks of the axis."""
        if logicalIndex != PLOT:
            super().paintSection(painter, rect, logicalIndex)
            return
        theme, scale = self._theme.theme, self._model.scale
        painter.save()
        painter.fillRect(rect, QColor(theme.surface))
        painter.setPen(QColor(theme.hairline))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        font = self.font()
        font.setBold(False)
        font.setPointSizeF(font.pointSizeF() * 0.85)
        painter.setFont(font)
        painter.setPen(QColor(theme.muted))
        metrics = QFontMetrics(font)
        widest = max(metrics.horizontalAdvance(text) for _, text in scale.ticks) + _TICK_GAP
        room = place(scale, rect, scale.ticks[1][0]) - place(scale, rect, scale.ticks[0][0])
        # Where numbers would touch only every second or third is written, the 0 among them.
        stride = max(1, ceil(widest / max(room, 1.0)))
        zero = next((i for i, (value, _) in enumerate(scale.ticks) if value == 0), 0)
        for value, text in scale.ticks[zero % stride :: stride]:
            left = place(scale, rect, value) - widest / 2
            spot = QRectF(left, rect.top(), widest, rect.height())
            painter.drawText(spot, int(Qt.AlignmentFlag.AlignCenter), text)
        painter.restore()
