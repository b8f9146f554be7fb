"""Draws a category or its meaning, in line with the words above, and edits it in place."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from dpdesk.gui.theme import ThemeSwitch

_MARGIN = 8


class CategoryDelegate(QStyledItemDelegate):
    """Paints literal text in one line, with a hairline below.

    Args:
        theme: Where the colours come from.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._switch = theme

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paints one cell; the cell that keys go to has a frame."""
        theme, place = self._switch.theme, option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(place, QColor(theme.selection))
        painter.setPen(QColor(theme.hairline))
        painter.drawLine(place.bottomLeft(), place.bottomRight())
        inside = place.adjusted(_MARGIN, 0, -_MARGIN, 0)
        text = " ".join(str(index.data() or "").split("\n"))
        painter.setPen(QColor(theme.text))
        painter.drawText(
            inside,
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
            painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, inside.width()),
        )
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QColor(theme.accent))
            painter.drawRect(place.adjusted(0, 0, -1, -1))
        painter.restore()
