"""The demonstrations as cards below each other: title, time, steps, and what one knows then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.plain_text import (
    bold_font,
    caption_font,
    counted,
    elided,
    elided_lines,
    line_count,
)

if TYPE_CHECKING:
    from dpdesk.demonstrations import Demonstration

_FACTS, _SUMMARY = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
_PAD, _GAP, _LINES = 12, 3, 3
Index = QModelIndex | QPersistentModelIndex


class DemonstrationList(QListWidget):
    """The demonstrations; arrow keys choose, Enter or a double click plays."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Demonstrations"))
        self.setToolTip(self.tr("Enter plays the chosen demonstration"))
        self.setObjectName("demonstrations")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setItemDelegate(_CardDelegate(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setUniformItemSizes(False)

    def show_demonstrations(
        self, demonstrations: Sequence[Demonstration], stopped: Callable[[str], int]
    ) -> None:
        """Lists demonstrations.

        Args:
            demonstrations: What is listed.
            stopped: At which step each was left, by its key, from 0.
        """
        for demonstration in demonstrations:
            item = QListWidgetItem(demonstration.title)
            item.setData(_SUMMARY, demonstration.summary)
            self.addItem(item)
        self.show_facts(demonstrations, stopped)
        self.setCurrentRow(0)

    def show_facts(
        self, demonstrations: Sequence[Demonstration], stopped: Callable[[str], int]
    ) -> None:
        """Says of each how long it takes, and where it was left."""
        for row, demonstration in enumerate(demonstrations):
            steps = len(demonstration.steps)
            facts = [
                counted(demonstration.minutes, self.tr("1 minute"), self.tr("{count} minutes")),
                counted(steps, self.tr("1 step"), self.tr("{count} steps")),
            ]
            if step := stopped(demonstration.key):
                facts.append(self.tr("left at step {step}").format(step=step + 1))
            item = self.item(row)
            item.setData(_FACTS, " · ".join(facts))
            spoken = (demonstration.title, " · ".join(facts), demonstration.summary)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, ". ".join(spoken))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()


class _CardDelegate(QStyledItemDelegate):
    """Paints a card: title, facts, summary."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        width = self._view().viewport().width()
        small = QFontMetrics(caption_font(option.font))
        bold = QFontMetrics(bold_font(option.font))
        inside = width - 2 * _PAD - 2
        lines = line_count(str(index.data(_SUMMARY)), option.font, inside, _LINES)
        high = bold.height() + small.height() + lines * QFontMetrics(option.font).height()
        return QSize(width, high + 2 * _PAD + 2 * _GAP + 8)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = theme_in_force()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        focused = chosen and self._view().hasFocus()
        card = option.rect.adjusted(1, 1, -1, -7)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = theme.accent if focused else theme.hairline
        painter.setPen(QPen(QColor(edge), 1))
        painter.setBrush(QColor(theme.selection if chosen else theme.surface))
        painter.drawRoundedRect(card, 10, 10)
        inside = card.adjusted(_PAD, _PAD, -_PAD, -_PAD)
        bold, small = bold_font(option.font), caption_font(option.font)
        top = inside.top()
        wide = inside.width()
        rows = (
            (elided(str(index.data()), bold, wide), bold, theme.text),
            (elided(str(index.data(_FACTS)), small, wide), small, theme.muted),
            (self._summary(index, option, wide), option.font, theme.text),
        )
        for text, font, colour in rows:
            painter.setFont(font)
            painter.setPen(QColor(colour))
            room = QRect(inside.left(), top, wide + 2, card.bottom() - top)
            painter.drawText(room, int(Qt.TextFlag.TextWordWrap), text)
            top += QFontMetrics(font).height() + _GAP
        painter.restore()

    def _summary(self, index: Index, option: QStyleOptionViewItem, width: int) -> str:
        text = str(index.data(_SUMMARY))
        return elided_lines(text, option.font, width, _LINES)

    def _view(self) -> QListWidget:
        view = self.parent()
        assert isinstance(view, QListWidget)  # noqa: S101 - it is given to the constructor
        return view
