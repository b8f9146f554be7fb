"""Cells of text whose edges stand below those of their heads."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
)

from dpdesk.gui.theme import Theme, theme_in_force
from dpdesk.gui.widgets.plain_text import elided, whole_tooltip

PADDING = 8
"""The padding of a head in the style sheet."""

# A view paints dozens of cells while a slider moves: the roles are compared as numbers.
_FOREGROUND = int(Qt.ItemDataRole.ForegroundRole)
_FONT = int(Qt.ItemDataRole.FontRole)
_TOOLTIP = int(Qt.ItemDataRole.ToolTipRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_ONE_LINE = int(Qt.TextFlag.TextSingleLine)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter) | _ONE_LINE


class PaddedDelegate(QStyledItemDelegate):
    """Paints one line of literal text over a hairline, elided where it has no room.

    Args:
        parent: Qt's owner.
    """

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
        # Qt's own option asks the model for a dozen roles, of which four are painted here.
        theme, rect = theme_in_force(), option.rect
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        colour = index.data(_FOREGROUND) or QColor(theme.text)
        own = index.data(_FONT)
        font = option.font if own is None else own.resolve(option.font)
        room = rect.adjusted(PADDING, 0, -PADDING, 0)
        shown = elided(str(index.data() or ""), font, room.width())
        alignment = index.data(_ALIGNMENT)
        flags = _LEFT if alignment is None else int(alignment) | _ONE_LINE
        painter.save()
        paint_ground(painter, rect, theme, selected=selected)
        painter.setFont(font)
        painter.setPen(colour)
        painter.drawText(room, flags, shown)
        painter.restore()

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Tells the whole text of a cell that has no room for it, then what it means."""
        if event.type() != QEvent.Type.ToolTip or not index.isValid():
            return super().helpEvent(event, view, option, index)
        QToolTip.showText(event.globalPos(), self.tooltip(option, index), view)
        return True

    def tooltip(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> str:
        """The tooltip of a cell in the room and the font of `option`."""
        own, text = index.data(_FONT), " ".join(str(index.data() or "").splitlines())
        font = option.font if own is None else own.resolve(option.font)
        shown = elided(text, font, option.rect.width() - 2 * PADDING)
        return whole_tooltip(text, shown, str(index.data(_TOOLTIP) or ""))


def paint_ground(painter: QPainter, rect: QRect, theme: Theme, *, selected: bool) -> None:
    """Fills a cell as its row is selected or not, with the hairline that parts it from the next."""
    painter.fillRect(rect, QColor(theme.selection if selected else theme.surface))
    painter.setPen(QPen(QColor(theme.hairline), 1))
    painter.drawLine(rect.bottomLeft(), rect.bottomRight())
