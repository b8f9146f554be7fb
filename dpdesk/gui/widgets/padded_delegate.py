"""Cells of text whose edges stand below those of their heads."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from dpdesk.gui.theme import Theme, ThemeSwitch

PADDING = 8
"""The padding of a head in the style sheet."""


class PaddedDelegate(QStyledItemDelegate):
    """Paints one line of literal text over a hairline, elided where it has no room.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Room for the text and its padding."""
        hint = super().sizeHint(option, index)
        return QSize(hint.width() + 2 * PADDING, hint.height())

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paints a cell."""
        styled = QStyleOptionViewItem(option)
        self.initStyleOption(styled, index)
        theme, rect = self._theme.theme, styled.rect
        selected = bool(styled.state & QStyle.StateFlag.State_Selected)
        colour = index.data(Qt.ItemDataRole.ForegroundRole) or QColor(theme.text)
        room = rect.adjusted(PADDING, 0, -PADDING, 0)
        metrics = QFontMetrics(styled.font)
        text = " ".join(styled.text.splitlines())
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        flags = int(styled.displayAlignment) | int(Qt.TextFlag.TextSingleLine)
        painter.save()
        paint_ground(painter, rect, theme, selected=selected)
        painter.setFont(styled.font)
        painter.setPen(colour)
        painter.drawText(room, flags, shown)
        painter.restore()


def paint_ground(painter: QPainter, rect: QRect, theme: Theme, *, selected: bool) -> None:
    """Fills a cell as its row is selected or not, with the hairline that parts it from the next."""
    painter.fillRect(rect, QColor(theme.selection if selected else theme.surface))
    painter.setPen(QPen(QColor(theme.hairline), 1))
    painter.drawLine(rect.bottomLeft(), rect.bottomRight())
