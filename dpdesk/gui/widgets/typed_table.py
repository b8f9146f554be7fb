"""A table in which texts are typed: what stands in a cell is kept, right or wrong.

What the texts mean is for others to judge; they may mark cells that cannot be taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QPushButton,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)

from dpdesk.gui.icons import IconBond
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.gui.widgets.plain_text import plain_tooltip
from dpdesk.gui.widgets.read_table import PaddedDelegate, TableView
from dpdesk.gui.widgets.row_model import Head, Index, RowModel

TYPED_ROLE = Qt.ItemDataRole.UserRole + 1
"""Whether a cell can be typed in."""
REFUSAL_ROLE = Qt.ItemDataRole.UserRole + 2
"""Why what was typed cannot be taken; empty where it can."""

ROWS_MAX = 200

_NOWHERE = QModelIndex()
_LONGEST = 500
_ROW_HEIGHT = 28
_ROOMY = 30
"""Height of rows that are added and removed."""
_ROWS_HINTED = 4
_SPACING = 6


@dataclass(frozen=True)
class TypedColumn:
    """A column.

    Attributes:
        title: Its head.
        typed: Whether it is typed; the others are found.
        words: Whether it holds words, which stand at the left.
        hint: What it means, in more words than the head has room for.
    """

    title: str
    typed: bool = True
    words: bool = False
    hint: str = ""


class TypedModel(RowModel[list[str]]):
    """Texts by row and column; columns that are found are filled by `set_found`.

    Args:
        columns: The columns.
        rows: The texts of the rows at first.
    """

    def __init__(
        self,
        columns: Sequence[TypedColumn],
        rows: Sequence[Sequence[str]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.columns = list(columns)
        self.heads = tuple(Head(c.title, c.hint, number=not c.words) for c in columns)
        self.rows = tuple(list(row) for row in rows)
        self._refusals: dict[tuple[int, int], str] = {}

    @classmethod
    def last_typed(
        cls,
        heads: Sequence[str],
        given: Sequence[tuple[str, ...]],
        texts: Sequence[str],
        parent: QObject | None = None,
    ) -> TypedModel:
        """Returns rows of given texts, each with a last cell that is typed.

        Args:
            heads: The heads of all columns.
            given: The texts of each row, one less than there are heads.
            texts: What stands in the last cells at first.
            parent: Qt's owner.
        """
        last = len(heads) - 1
        columns = [TypedColumn(h, typed=i == last, words=not i) for i, h in enumerate(heads)]
        rows = [(*row, text) for row, text in zip(given, texts, strict=True)]
        return cls(columns, rows, parent)

    def typed(self) -> list[str]:
        """What stands in the cells of the last column, without spaces at the ends."""
        return [row[-1] for row in self.rows]

    def clear(self) -> None:
        """Empties the cells of the last column."""
        for row in self.rows:
            row[-1] = ""
        self._tell_all()

    def texts(self) -> tuple[tuple[str, ...], ...]:
        """What stands in the cells, row by row."""
        return tuple(tuple(row) for row in self.rows)

    def set_typed(self, column: int, typed: bool) -> None:
        """Lets a column be typed, or found; the texts stay."""
        if self.columns[column].typed == typed:
            return
        self.columns[column] = replace(self.columns[column], typed=typed)
        self._tell_all()

    def set_text(self, row: int, column: int, text: str) -> None:
        """Writes a text that was not typed."""
        if self.rows[row][column] != text:
            self.rows[row][column] = text
            index = self.index(row, column)
            self.dataChanged.emit(index, index, [Qt.ItemDataRole.DisplayRole])

    def set_refusals(self, refusals: dict[tuple[int, int], str]) -> None:
        """Marks the cells (row, column) that cannot be taken, and no others."""
        if refusals != self._refusals:
            self._refusals = dict(refusals)
            self._tell_all()

    def add_row(self, texts: Sequence[str]) -> None:
        """Adds a row at the end."""
        place = len(self.rows)
        self.beginInsertRows(_NOWHERE, place, place)
        self.rows = (*self.rows, list(texts))
        self.endInsertRows()

    def remove_row(self, row: int) -> None:
        """Removes a row."""
        self.beginRemoveRows(_NOWHERE, row, row)
        self.rows = (*self.rows[:row], *self.rows[row + 1 :])
        self._refusals = {}
        self.endRemoveRows()

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid() and self.columns[index.column()].typed:
            return flags | Qt.ItemFlag.ItemIsEditable
        return flags

    def text(self, row: list[str], column: int) -> str:
        return row[column]

    def spoken(self, row: list[str], column: int) -> str:
        return f"{self.heads[column].text}: {row[column]}"

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        text, about = self.rows[row][column], self.columns[column]
        refusal = self._refusals.get((row, column), "")
        if role == Qt.ItemDataRole.EditRole:
            return text if about.typed else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(refusal or (text if about.words else ""))
        if role == TYPED_ROLE:
            return about.typed
        if role in (REFUSAL_ROLE, Qt.ItemDataRole.AccessibleDescriptionRole):
            return refusal
        return super().data(index, role)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        if not self.columns[index.column()].typed:
            return False
        self.rows[index.row()][index.column()] = str(value).strip()[:_LONGEST]
        self.dataChanged.emit(index, index, [Qt.ItemDataRole.EditRole])
        return True

    def _tell_all(self) -> None:
        if self.rows:
            last = self.index(len(self.rows) - 1, len(self.columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last, [Qt.ItemDataRole.DisplayRole])


class _FieldDelegate(PaddedDelegate):
    """Cells to type in have a frame; a wrong one has that of an error."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        if not index.data(TYPED_ROLE):
            return
        theme = theme_in_force()
        focused = bool(option.state & QStyle.StateFlag.State_Selected)
        colour = theme.accent if focused else theme.control_border
        if index.data(REFUSAL_ROLE):
            colour = theme.danger
        painter.save()
        painter.setPen(QPen(QColor(colour), 1))
        painter.drawRoundedRect(option.rect.adjusted(3, 3, -4, -4), 3, 3)
        painter.restore()


class TypedTable(TableView):
    """The view of a `TypedModel`; the first cell that can be typed in is chosen.

    Args:
        name: Accessible name.
        model: What is shown.
    """

    def __init__(self, name: str, model: TypedModel, *, parent: QWidget | None = None) -> None:
        super().__init__(model, name, row_height=_ROW_HEIGHT, parent=parent)
        self.setItemDelegate(_FieldDelegate(self))
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(
            triggers.AnyKeyPressed
            | triggers.EditKeyPressed
            | triggers.DoubleClicked
            | triggers.SelectedClicked
        )
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        first = next(i for i, column in enumerate(model.columns) if column.typed)
        self.setCurrentIndex(model.index(0, first))


class _RowsView(TypedTable):
    """A table with room for some rows."""

    def __init__(self, name: str, model: TypedModel, parent: QWidget) -> None:
        super().__init__(name, model, parent=parent)
        self.verticalHeader().setDefaultSectionSize(_ROOMY)
        heads = self.horizontalHeader()
        heads.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        heads.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    def sizeHint(self) -> QSize:
        height = self.horizontalHeader().sizeHint().height() + _ROOMY * _ROWS_HINTED
        return QSize(super().sizeHint().width(), height)

    def minimumSizeHint(self) -> QSize:
        height = self.horizontalHeader().sizeHint().height() + 2 * _ROOMY
        return QSize(0, height)


class TypedRows(QWidget):
    """A table to type in; below it stands what is wrong with its first wrong cell.

    Args:
        name: Accessible name of the table.
        model: What is shown.
        new_row: The texts of the next row, made when it is added.
        add_words: The words of the button that adds a row.

    Attributes:
        edited: Emitted when something was typed, or a row was added or removed.
    """

    edited = Signal()

    def __init__(
        self,
        name: str,
        model: TypedModel,
        new_row: Callable[[], Sequence[str]],
        add_words: str,
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.model, self._new_row = model, new_row
        self.view = _RowsView(name, model, self)
        self.refusal = RefusalLabel(parent=self)
        self.add = QPushButton(add_words, self)
        self.remove = QPushButton(self.tr("&Remove it"), self)
        self.remove.setToolTip(self.tr("Removes the row that the cursor is in"))
        IconBond(self.add, "plus", "text")
        IconBond(self.remove, "minus", "text")
        self.buttons = lay_row(self.add, self.remove, STRETCH, spacing=8)
        lay_column((self.view, 1), self.refusal, self.buttons, spacing=_SPACING, on=self)
        self.add.clicked.connect(self.add_row)
        self.remove.clicked.connect(self.remove_row)
        model.dataChanged.connect(self._tell_edit)
        self._refresh()

    def add_row(self) -> None:
        """Adds a row and goes to its first cell."""
        self.model.add_row(self._new_row())
        self.view.setCurrentIndex(self.model.index(self.model.rowCount() - 1, 0))
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)
        self._refresh()
        self.edited.emit()

    def remove_row(self) -> None:
        """Removes the row of the cursor; one row stays."""
        row = self.view.currentIndex().row()
        if self.model.rowCount() > 1:
            self.model.remove_row(row if row >= 0 else self.model.rowCount() - 1)
            self._refresh()
            self.edited.emit()

    def show_refusals(self, refusals: dict[tuple[int, int], str]) -> None:
        """Marks wrong cells, and says of the first what is wrong."""
        self.model.set_refusals(refusals)
        if not refusals:
            self.refusal.show_sentence("")
            return
        row, column = place = min(refusals)
        words = self.tr("Row {row}, {column}: {sentence}")
        self.refusal.show_sentence(
            words.format(
                row=row + 1, column=self.model.columns[column].title, sentence=refusals[place]
            )
        )

    def _tell_edit(self, _first: Index, _last: Index, roles: list[int]) -> None:
        # What was found and written into the table is no edit.
        if Qt.ItemDataRole.EditRole in roles:
            self.edited.emit()

    def _refresh(self) -> None:
        self.add.setEnabled(self.model.rowCount() < ROWS_MAX)
        self.remove.setEnabled(self.model.rowCount() > 1)
