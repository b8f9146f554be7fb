"""Draws a cell of the variable view: a line, and below it a smaller one with its sign."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from dpdesk.gui.icons import icon_image
from dpdesk.gui.pages.data.variable_model import COLUMN, DetailRole, SignRole
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.padded_delegate import paint_ground

ROW_HEIGHT = 50
_MARGIN = 8
_SIGN_EDGE = 14
_CAPTION = 0.85
_SIGNS = {"warning": "alert", "success": "check-circle"}


class VariableDelegate(QStyledItemDelegate):
    """Paints literal text only; rows are separated by hairlines.

    Args:
        theme: Where the colours come from.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._switch = theme

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Room for two lines."""
        width = QFontMetrics(option.font).horizontalAdvance(str(index.data()))
        return QSize(width + 2 * _MARGIN, ROW_HEIGHT)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paints one cell."""
        theme = self._switch.theme
        painter.save()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        paint_ground(painter, option.rect, theme, selected=chosen)
        if option.state & QStyle.StateFlag.State_HasFocus and index.column() == COLUMN:
            painter.fillRect(
                QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()),
                QColor(theme.accent),
            )
        plan = index.model().column_plan(index.row())  # type: ignore[attr-defined]
        muted = plan.role == "drop"
        self._paint_lines(painter, option, index, theme.muted if muted else theme.text)
        painter.restore()

    def _paint_lines(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
        colour: str,
    ) -> None:
        theme = self._switch.theme
        detail, sign = str(index.data(DetailRole) or ""), str(index.data(SignRole) or "")
        place = option.rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
        font = QFont(option.font)
        font.setBold(index.column() == COLUMN)
        small = QFont(option.font)
        small.setPointSizeF(option.font.pointSizeF() * _CAPTION)
        first = place
        if detail:
            middle = place.center().y() + 1
            first = QRect(place.left(), middle - 19, place.width(), 19)
            second = QRect(place.left(), middle, place.width(), 17)
            if sign:
                self._paint_sign(painter, second, sign, muted=False)
                second = second.adjusted(_SIGN_EDGE + 4, 0, 0, 0)
            painter.setFont(small)
            painter.setPen(QColor(theme.warning if sign == "warning" else theme.muted))
            _draw(painter, second, detail)
        painter.setFont(font)
        painter.setPen(QColor(colour))
        _draw(painter, first, str(index.data() or ""))

    def _paint_sign(self, painter: QPainter, place: QRect, sign: str, *, muted: bool) -> None:
        theme = self._switch.theme
        ratio = painter.device().devicePixelRatioF()
        colour = theme.muted if muted else theme.colour(sign)
        image = icon_image(_SIGNS[sign], colour, round(_SIGN_EDGE * ratio))
        top = place.top() + (place.height() - _SIGN_EDGE) // 2
        painter.drawImage(QRect(place.left(), top, _SIGN_EDGE, _SIGN_EDGE), image)


def _draw(painter: QPainter, place: QRect, text: str) -> None:
    one_line = " ".join(text.split("\n"))
    shown = painter.fontMetrics().elidedText(
        one_line, Qt.TextElideMode.ElideRight, max(place.width(), 0)
    )
    painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
