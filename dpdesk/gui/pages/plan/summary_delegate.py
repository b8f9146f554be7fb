"""Items of a list with a sentence below their name."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from dpdesk.gui.theme import ThemeSwitch

Index = QModelIndex | QPersistentModelIndex

SUMMARY_ROLE = int(Qt.ItemDataRole.UserRole) + 1
"""The sentence of an item; an item without one has a line of its own."""

_CAPTION = 0.85
_MARGIN = 8
_GAP = 3
_SEPARATOR_HEIGHT = 9


class SummaryDelegate(QStyledItemDelegate):
    """Paints name over summary, and separators as Qt's own boxes have them.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """One line, or two where there is a summary."""
        if _is_separator(index):
            return QSize(1, _SEPARATOR_HEIGHT)
        height = QFontMetrics(option.font).height()
        if index.data(SUMMARY_ROLE):
            height += QFontMetrics(_small(option.font)).height()
        return QSize(super().sizeHint(option, index).width(), height + 2 * _GAP)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints an item."""
        theme, rect = self._theme.theme, option.rect
        painter.save()
        if _is_separator(index):
            painter.setPen(QPen(QColor(theme.hairline), 1))
            painter.drawLine(rect.left(), rect.center().y(), rect.right(), rect.center().y())
            painter.restore()
            return
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.fillRect(rect, QColor(theme.selection if chosen else theme.surface))
        width = rect.width() - 2 * _MARGIN
        lines = [(option.font, theme.text, str(index.data() or ""))]
        if index.data(SUMMARY_ROLE):
            lines.append((_small(option.font), theme.muted, str(index.data(SUMMARY_ROLE))))
        top = rect.top() + _GAP
        for font, colour, text in lines:
            metrics = QFontMetrics(font)
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
            painter.setFont(font)
            painter.setPen(QColor(colour))
            painter.drawText(rect.left() + _MARGIN, top + metrics.ascent(), shown)
            top += metrics.height()
        painter.restore()


def _is_separator(index: Index) -> bool:
    # This is how QComboBox marks the separators that it inserts.
    return bool(index.data(Qt.ItemDataRole.AccessibleDescriptionRole) == "separator")


def _small(font: QFont) -> QFont:
    small = QFont(font)
    small.setPointSizeF(small.pointSizeF() * _CAPTION)
    return small
