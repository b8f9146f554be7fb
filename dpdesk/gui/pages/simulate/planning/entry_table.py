"""The view of rows that are typed, with buttons to add and to remove some."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStyle,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.simulate.planning.entry_model import (
    REFUSAL_ROLE,
    TYPED_ROLE,
    EntryModel,
    Index,
)
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.gui.widgets.padded_delegate import PaddedDelegate
from dpdesk.gui.widgets.read_table import PlainHeader

ROWS_MAX = 200
_ROW_HEIGHT = 30
_ROWS_HINTED = 4
_SPACING = 6


class EntryTable(QWidget):
    """A table to type in; below it stands what is wrong with its first wrong cell.

    Args:
        name: Accessible name of the table.
        model: What is shown.
        new_row: The texts of the next row, made when it is added.
        add_words: The words of the button that adds a row.
        parent: Qt's owner.

    Attributes:
        edited: Emitted when something was typed, or a row was added or removed.
    """

    edited = Signal()

    def __init__(
        self,
        name: str,
        model: EntryModel,
        new_row: Callable[[], Sequence[str]],
        add_words: str,
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.model, self._new_row = model, new_row
        self.view = _EntryView(name, model, self)
        self.refusal = RefusalLabel(parent=self)
        self.add = QPushButton(add_words, self)
        self.remove = QPushButton(self.tr("&Remove it"), self)
        self.remove.setToolTip(self.tr("Removes the row that the cursor is in"))
        IconBond(self.add, "plus", "text")
        IconBond(self.remove, "minus", "text")
        self.buttons = QHBoxLayout()
        self.buttons.setSpacing(8)
        self.buttons.addWidget(self.add)
        self.buttons.addWidget(self.remove)
        self.buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_SPACING)
        column.addWidget(self.view, 100)
        column.addWidget(self.refusal)
        column.addLayout(self.buttons)
        column.addStretch(1)
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

    def full_height(self) -> int:
        """Height at which every row is seen."""
        told = 0 if self.refusal.isHidden() else self.refusal.sizeHint().height() + _SPACING
        rest = _SPACING + self.buttons.sizeHint().height()
        return self.view.full_height() + told + rest

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
        # What is below the last row belongs to the picture.
        self.view.setMaximumHeight(self.view.full_height())


class _EntryDelegate(PaddedDelegate):
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
        painter.drawRoundedRect(option.rect.adjusted(2, 3, -3, -4), 3, 3)
        painter.restore()


class _EntryView(QTableView):
    def __init__(self, name: str, model: EntryModel, parent: QWidget) -> None:
        super().__init__(parent)
        self.setHorizontalHeader(PlainHeader(self))
        self.setModel(model)
        self.setItemDelegate(_EntryDelegate(self))
        self.setAccessibleName(name)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(
            triggers.AnyKeyPressed
            | triggers.EditKeyPressed
            | triggers.DoubleClicked
            | triggers.SelectedClicked
        )
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setShowGrid(False)
        rows, heads = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(_ROW_HEIGHT)
        heads.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        heads.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.setCurrentIndex(model.index(0, 0))

    def full_height(self) -> int:
        rows = max(self.model().rowCount(), 2)
        return self.horizontalHeader().sizeHint().height() + _ROW_HEIGHT * rows + 2

    def sizeHint(self) -> QSize:
        """Some rows: a table scrolls before it pushes its neighbours out of the window."""
        height = self.horizontalHeader().sizeHint().height() + _ROW_HEIGHT * _ROWS_HINTED
        return QSize(super().sizeHint().width(), height)

    def minimumSizeHint(self) -> QSize:
        """Two rows."""
        height = self.horizontalHeader().sizeHint().height() + 2 * _ROW_HEIGHT
        return QSize(0, height)
