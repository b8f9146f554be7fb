"""Draws a category or its meaning, in line with the words above, and edits it in place."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from dpdesk.gui.widgets.padded_delegate import PaddedDelegate


class CategoryDelegate(PaddedDelegate):
    """Paints literal text in one line; the cell that keys go to has a frame."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paints one cell."""
        super().paint(painter, option, index)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.save()
            painter.setPen(QColor(self._theme.theme.accent))
            painter.drawRect(option.rect.adjusted(0, 0, -1, -1))
            painter.restore()
