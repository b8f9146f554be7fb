"""A table with intervals: their common axis, how they are painted, and the column widths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from statistics import median
from typing import Any, ClassVar, Protocol, cast

from PySide6.QtCore import (
    QAbstractItemModel,
    QLineF,
    QObject,
    QPointF,
    QRect,
    QRectF,
    Qt,
)
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import (
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.plain_text import elided
from dpdesk.gui.widgets.read_table import PADDING, PlainHeader, ReadTable, paint_ground
from dpdesk.gui.widgets.row_model import Index, Row, RowModel
from dpdesk.reports.number_text import number_text

PLOT = 1
"""The column whose cells are painted."""
ROW_ROLE = int(Qt.ItemDataRole.UserRole)
"""The `IntervalRow` of a row of the table; None if there is nothing to draw."""

_ROW_HEIGHT = 34
_LEAST_PLOT = 180
"""Least width of the intervals; a narrower table scrolls."""
_WILD = 8.0
"""An interval so many times as wide as the median does not decide about the axis."""
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_TICKS = 4
_SIDE = 26
_DOT = 4.0
_TICK_GAP = 8
_BEYOND = 14
"""How far an interval that goes on is drawn beyond the axis, in pixels."""


@dataclass(frozen=True)
class IntervalScale:
    """An axis with marks at round numbers.

    Attributes:
        lower, upper: Its ends, in the unit of the estimates.
        ticks: Place and text of each mark.
    """

    lower: float
    upper: float
    ticks: tuple[tuple[float, str], ...]

    def holds(self, value: float) -> bool:
        """Whether a value lies on the axis, up to rounding."""
        return -1e-6 <= self.at(value) <= 1 + 1e-6

    def at(self, value: float) -> float:
        """Returns the position of a value as a share of the axis, 0 at its lower end."""
        return (value - self.lower) / (self.upper - self.lower)


def scale_for(ends: Sequence[float], *, share: bool) -> IntervalScale:
    """Returns an axis that holds all given values between two marks.

    Args:
        ends: Ends of the intervals; at least one.
        share: Whether they are shares: their marks are in per cent, and their axis includes 0.
    """
    lower, upper = min(ends), max(ends)
    if share:
        lower, upper = min(lower, 0.0), max(upper, 0.0)
    if upper <= lower:
        lower, upper = lower - 0.5, upper + 0.5
    rough = (upper - lower) / _TICKS
    power = 10.0 ** floor(log10(rough))
    step = next(power * digit for digit in _STEPS if power * digit >= rough * 0.999)
    first, last = floor(lower / step + 1e-9), ceil(upper / step - 1e-9)
    scale, sign = (100, "\u00a0%") if share else (1, "")
    decimals = _decimals(step * scale)
    ticks = tuple(
        (step * i, number_text(scale * step * i, decimals) + sign) for i in range(first, last + 1)
    )
    return IntervalScale(step * first, step * last, ticks)


def useful_ends(
    intervals: Sequence[tuple[float, float]],
    marks: Sequence[float],
    possible: tuple[float, float],
) -> list[float]:
    """Returns what an axis shall hold: a few wild intervals must not flatten all others.

    Intervals many times as wide as half of them do not count, nor what is far from what can be
    true at all.

    Args:
        intervals: Both ends of each interval.
        marks: Other numbers that are drawn.
        possible: The least and the largest number that can be the truth.
    """
    if not intervals:
        return []
    usual = median(upper - lower for lower, upper in intervals)
    ends = [
        end
        for interval in intervals
        if interval[1] - interval[0] <= _WILD * usual or len(intervals) <= 2
        for end in interval
    ]
    ends += [mark for mark in marks if min(ends) <= mark <= max(ends)]
    beyond = (possible[1] - possible[0]) / 2
    return [min(max(end, possible[0] - beyond), possible[1] + beyond) for end in ends]


def _decimals(step: float) -> int:
    """Returns the decimals that a step needs: 2.5 needs one, 25 none."""
    digits = max(0, -floor(log10(step) + 1e-9))
    whole = round(step * 10**digits, 6) % 1 == 0
    return digits if whole else digits + 1


def place(scale: IntervalScale, rect: QRect, value: float) -> float:
    """Returns the horizontal position of a value in a cell."""
    inner = rect.width() - 2 * _SIDE
    return rect.left() + _SIDE + inner * scale.at(value)


class IntervalRow(Protocol):
    """The numbers drawn in a row: an estimate with its interval, and the truncated estimate."""

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
        """The estimate truncated to its possible range."""


class IntervalModel(RowModel[Row]):
    """Rows with a common axis, on which the column `PLOT` draws their intervals.

    Attributes:
        shares: Whether the axis is one of shares while there are no rows.
    """

    shares: ClassVar[bool] = False

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scale = scale_for((0.0, 1.0), share=self.shares)

    @property
    def scale(self) -> IntervalScale:
        """The axis."""
        return self._scale

    def drawn(self, row: Row) -> Row | None:
        """The drawn numbers of a row; None if nothing is drawn."""
        return row

    def untold(self, row: Row) -> str:
        """What stands in place of a drawing where nothing is drawn; may be empty."""
        return ""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == ROW_ROLE:
            return self.drawn(self.row(index.row()))
        if role == Qt.ItemDataRole.DisplayRole and index.column() == PLOT:
            return ""
        return super().data(index, role)


def _scale_of(model: QAbstractItemModel) -> IntervalScale:
    return cast("IntervalModel[Any]", model).scale


def _model(index: Index) -> IntervalModel[Any]:
    return cast("IntervalModel[Any]", index.model())


class IntervalDelegate(QStyledItemDelegate):
    """Paints an interval with its estimate; an open ring marks the truncated estimate."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, scale, rect = theme_in_force(), _scale_of(index.model()), option.rect
        row: IntervalRow | None = index.data(ROW_ROLE)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        paint_ground(painter, rect, theme, selected=selected)
        words = "" if row is not None else _model(index).untold(_model(index).row(index.row()))
        for value, _ in () if words else scale.ticks:
            strong = value == 0
            painter.setPen(QPen(QColor(theme.field_border if strong else theme.grid), 1))
            x = round(place(scale, rect, value)) + 0.5
            painter.drawLine(QLineF(x, rect.top(), x, rect.bottom() + 1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row is not None:
            self.paint_interval(painter, rect, row, scale)
        elif words:
            room = rect.adjusted(PADDING, 0, -PADDING, 0)
            painter.setPen(QColor(theme.muted))
            flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine)
            painter.drawText(room, flags, elided(words, option.font, room.width()))
        painter.restore()

    def paint_interval(
        self, painter: QPainter, rect: QRect, row: IntervalRow, scale: IntervalScale
    ) -> None:
        """Paints the interval of a row into a cell."""
        theme = theme_in_force()
        accent = QColor(theme.accent)
        middle = rect.center().y() + 0.5
        first, last = place(scale, rect, scale.lower), place(scale, rect, scale.upper)
        # Of an interval that lies beyond the axis only an arrow is seen.
        left = min(max(place(scale, rect, row.lower), first - _BEYOND), last)
        right = max(min(place(scale, rect, row.upper), last + _BEYOND), first)
        painter.setPen(QPen(accent, 2.0))
        painter.drawLine(QLineF(left, middle, right, middle))
        for x, end, side in ((left, row.lower, 1), (right, row.upper, -1)):
            if scale.holds(end):
                painter.drawLine(QLineF(x, middle - 4, x, middle + 4))
            elif not first <= x <= last:
                painter.drawLine(QLineF(x, middle, x + 5 * side, middle - 4))
                painter.drawLine(QLineF(x, middle, x + 5 * side, middle + 4))
        painter.setBrush(accent)
        painter.setPen(Qt.PenStyle.NoPen)
        at = place(scale, rect, row.estimate)
        if scale.holds(row.estimate):
            painter.drawEllipse(QPointF(at, middle), _DOT, _DOT)
        moved = place(scale, rect, row.truncated)
        if abs(moved - at) >= 1 and scale.holds(row.truncated):
            painter.setBrush(QColor(theme.surface))
            painter.setPen(QPen(QColor(theme.text), 1.5))
            painter.drawEllipse(QPointF(moved, middle), _DOT, _DOT)


class IntervalHeader(PlainHeader):
    """The header; the section of the intervals shows their axis."""

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        if logicalIndex != PLOT:
            super().paintSection(painter, rect, logicalIndex)
            return
        theme, scale = theme_in_force(), _scale_of(self.model())
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
        # If numbers would touch, only every second or third is written, including the 0.
        stride = max(1, ceil(widest / max(room, 1.0)))
        zero = next((i for i, (value, _) in enumerate(scale.ticks) if value == 0), 0)
        for value, text in scale.ticks[zero % stride :: stride]:
            left = place(scale, rect, value) - widest / 2
            spot = QRectF(left, rect.top(), widest, rect.height())
            painter.drawText(spot, int(Qt.AlignmentFlag.AlignCenter), text)
        painter.restore()


class IntervalTable(ReadTable):
    """A table of numbers; the intervals have the width that these leave.

    Args:
        model: The model.
        delegate: Paints the intervals.
        name: Accessible name.
    """

    def __init__(
        self,
        model: IntervalModel[Any],
        delegate: type[IntervalDelegate],
        name: str,
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(model, name, row_height=_ROW_HEIGHT, parent=parent)
        self._intervals = model
        model.setParent(self)
        self.setHorizontalHeader(IntervalHeader(self))
        self.setItemDelegateForColumn(PLOT, delegate(self))
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        self.stretch(PLOT, _LEAST_PLOT)
        model.modelReset.connect(self._show_anew)

    def _show_anew(self) -> None:
        """Other rows have other columns, and are read from the first one on."""
        self.choose_columns()
        self.scrollToTop()

    def choose_columns(self) -> None:
        """Hides the columns that there is nothing in."""
