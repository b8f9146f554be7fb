"""The categories of a domain as an editable table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from dpdesk.domains import Categorical
from dpdesk.gui.pages.data.domain_change import LISTED_MAX
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.widgets.plain_text import plain_tooltip

VALUE, MEANING = range(2)

_Index = QModelIndex | QPersistentModelIndex


class CategoryModel(QAbstractTableModel):
    """Values and meanings; an edit is tried at once, and a refused one leaves all as it was.

    Args:
        replace: Tries another domain and returns why it was refused, or "".
        parent: Qt's owner.

    Attributes:
        refused: Emitted with the sentence of a refusal; empty when an edit was taken.
    """

    refused = Signal(str)

    def __init__(
        self, replace: Callable[[Categorical], str], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._replace = replace
        self._domain: Categorical | None = None
        self._new_row = False

    @property
    def is_listed(self) -> bool:
        """Whether all categories are shown and can be edited one by one."""
        return self._domain is None or self._domain.size <= LISTED_MAX

    @property
    def domain(self) -> Categorical | None:
        """The domain that is shown."""
        return self._domain

    def set_domain(self, domain: Categorical | None) -> None:
        """Shows a domain; where only texts changed, the rows stay where they are."""
        if domain == self._domain and not self._new_row:
            return
        same_size = (
            domain is not None
            and self._domain is not None
            and domain.size == self._domain.size
            and not self._new_row
        )
        if same_size:
            self._domain = domain
            last = self.index(self.rowCount() - 1, MEANING)
            self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        self._domain, self._new_row = domain, False
        self.endResetModel()

    def begin_category(self) -> QModelIndex:
        """Adds an empty row to type a category into, and returns where that is."""
        row = self.rowCount()
        if not self._new_row:
            self.beginInsertRows(QModelIndex(), row, row)
            self._new_row = True
            self.endInsertRows()
        return self.index(self.rowCount() - 1, VALUE)

    def give_up_category(self) -> None:
        """Removes the empty row that nothing was typed into."""
        if self._new_row:
            row = self.rowCount() - 1
            self.beginRemoveRows(QModelIndex(), row, row)
            self._new_row = False
            self.endRemoveRows()

    def remove(self, row: int) -> None:
        """Tries to remove a category."""
        if self._domain is not None and row < self._domain.size:
            values = list(self._domain.values)
            del values[row]
            self._try(values, dict(self._domain.labels))

    def move(self, row: int, steps: int) -> int:
        """Tries to move a category and returns its row afterwards."""
        if self._domain is None or not 0 <= row + steps < self._domain.size:
            return row
        values = list(self._domain.values)
        values.insert(row + steps, values.pop(row))
        return row + steps if self._try(values, dict(self._domain.labels)) else row

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """The categories that are shown, and the row of a new one."""
        if parent.isValid():
            return 0
        shown = 0 if self._domain is None else min(self._domain.size, LISTED_MAX)
        return shown + self._new_row

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Value and meaning."""
        return 0 if parent.isValid() else 2

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The words above."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return (self.tr("Category"), self.tr("Meaning"))[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Editable unless the list is too long to be edited one by one."""
        flags = super().flags(index)
        editable = index.isValid() and self.is_listed
        return flags | Qt.ItemFlag.ItemIsEditable if editable else flags

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The text of a cell."""
        wanted = (
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.EditRole,
            Qt.ItemDataRole.ToolTipRole,
        )
        if role not in wanted or not index.isValid():
            return None
        text = self._text(index)
        return plain_tooltip(text) if role == Qt.ItemDataRole.ToolTipRole else text

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Tries an edit."""
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        text = str(value).strip()
        if text == self._text(index):
            return True
        values = list(self._domain.values) if self._domain is not None else []
        labels = dict(self._domain.labels) if self._domain is not None else {}
        row = index.row()
        if index.column() == VALUE:
            label = labels.pop(values[row], "") if row < len(values) else ""
            values[row : row + 1] = [text]
            if label:
                labels[text] = label
        elif row >= len(values):
            return False
        elif text:
            labels[values[row]] = text
        else:
            labels.pop(values[row], None)
        return self._try(values, labels)

    def _text(self, index: _Index) -> str:
        row = index.row()
        if self._domain is None or row >= self._domain.size:
            return ""
        value = self._domain.values[row]
        return value if index.column() == VALUE else self._domain.labels.get(value, "")

    def _try(self, values: list[str], labels: dict[str, str]) -> bool:
        try:
            domain = Categorical(values=tuple(values), labels=labels)
        except Refused as error:
            self.refused.emit(refusal_of(error))
            return False
        sentence = self._replace(domain)
        self.refused.emit(sentence)
        return not sentence
