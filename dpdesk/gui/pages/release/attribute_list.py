"""The attributes of a release, as a list to choose one from."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from dpdesk.cost import format_epsilon
from dpdesk.estimate import ReleasedAttribute
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.plain_text import plain_tooltip

Index = QModelIndex | QPersistentModelIndex

_ROOT = QModelIndex()

_HEIGHT = 50
_MARGIN = 14
_CAPTION = 0.85
CAPTION_ROLE = int(Qt.ItemDataRole.UserRole)


@dataclass(frozen=True)
class ListEntry:
    """What stands in a row: a name over a caption.

    Attributes:
        name: The bold line.
        caption: The line below it.
        title: The tooltip.
    """

    name: str
    caption: str
    title: str = ""


class AttributesModel(QAbstractListModel):
    """One row per released attribute or statistic.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[ListEntry, ...] = ()

    def set_entries(self, entries: tuple[ListEntry, ...]) -> None:
        """Lists what another release holds."""
        self.beginResetModel()
        self._entries = entries
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Number of entries."""
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Name and caption."""
        entry = self._entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.name
        if role == CAPTION_ROLE:
            return entry.caption
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{entry.name}, {entry.caption}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(entry.title)
        return None


class AttributeList(QListView):
    """Names over mechanism and epsilon; the arrows move through them.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.

    Attributes:
        attributeSelected: Emitted with the row that was selected.
    """

    attributeSelected = Signal(int)

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = AttributesModel(self)
        self.setModel(self._model)
        self.setItemDelegate(_TwoLines(theme, self))
        self.setAccessibleName(self.tr("Released attributes"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)

    def set_attributes(self, attributes: tuple[ReleasedAttribute, ...]) -> None:
        """Lists the attributes of a release and selects the first."""
        caption = self.tr("{mechanism} · ε = {epsilon}")
        entries = (
            ListEntry(
                attribute.column.name,
                caption.format(
                    mechanism=attribute.bound.mechanism.short,
                    epsilon=format_epsilon(attribute.bound.epsilon),
                ),
                attribute.column.title,
            )
            for attribute in attributes
        )
        self.set_entries(tuple(entries))

    def set_entries(self, entries: tuple[ListEntry, ...]) -> None:
        """Lists names and captions and selects the first."""
        self._model.set_entries(entries)
        if entries:
            self.setCurrentIndex(self._model.index(0))

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Announces the attribute that the arrows or a click went to."""
        super().currentChanged(current, previous)
        if current.isValid():
            self.attributeSelected.emit(current.row())


class _TwoLines(QStyledItemDelegate):
    """Paints a bold line over a caption."""

    def __init__(self, theme: ThemeSwitch, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, _HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect = self._theme.theme, option.rect
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.fillRect(rect, QColor(theme.selection if selected else theme.surface))
        painter.setPen(QPen(QColor(theme.hairline), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if bool(option.state & QStyle.StateFlag.State_HasFocus):
            painter.setPen(QPen(QColor(theme.accent), 1))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        bold, small = QFont(option.font), QFont(option.font)
        bold.setBold(True)
        small.setPointSizeF(small.pointSizeF() * _CAPTION)
        room = rect.adjusted(_MARGIN, 7, -_MARGIN, -7)
        flags = Qt.TextFlag.TextSingleLine
        for font, colour, text, align in (
            (bold, theme.text, index.data(), Qt.AlignmentFlag.AlignTop),
            (small, theme.muted, index.data(CAPTION_ROLE), Qt.AlignmentFlag.AlignBottom),
        ):
            painter.setFont(font)
            painter.setPen(QColor(colour))
            shown = QFontMetrics(font).elidedText(
                str(text), Qt.TextElideMode.ElideRight, room.width()
            )
            painter.drawText(room, int(align) | int(flags), shown)
        painter.restore()
