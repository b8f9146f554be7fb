"""The list of answers of a question: type, add, remove or move them, or replace all as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import QAction, QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)

from dpdesk.domains import Categorical
from dpdesk.gui.actions import ActionButton, ActionIcon
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.data.answers_picture import share_words
from dpdesk.gui.pages.data.category_dialog import CategoryDialog, text_of_categories
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip
from dpdesk.gui.widgets.read_table import PADDING, PaddedDelegate, TableView
from dpdesk.gui.widgets.row_model import Index
from dpdesk.plan.column_changes import LISTED_MAX
from dpdesk.plan.given_answers import GivenAnswers


class CategoryDelegate(PaddedDelegate):
    """Paints literal text in one line, a count behind its bar; the current cell has a frame."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        share = index.data(SHARE_ROLE)
        if share:
            room = option.rect.adjusted(PADDING, 0, 0, 0)
            # A count in large text leaves less room for bars, the same in every row.
            words = option.fontMetrics.horizontalAdvance(index.data(LARGEST_ROLE)) + 2 * PADDING
            longest = min(_BAR, max(room.width() - words, 0))
            # A stump of a bar compares nothing.
            longest = longest if longest >= _BAR_LEAST else 0
            bar = QRect(room.left(), room.center().y() - 4, round(share * longest), 9)
            painter.fillRect(bar, QColor(theme_in_force().accent))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.save()
            painter.setPen(QColor(theme_in_force().accent))
            painter.drawRect(option.rect.adjusted(0, 0, -1, -1))
            painter.restore()


VALUE, MEANING, GIVEN = range(3)
SHARE_ROLE = int(Qt.ItemDataRole.UserRole)
"""The length of a bar, as a share of that of the most frequent category."""
LARGEST_ROLE = SHARE_ROLE + 1
"""The largest count of the column with its share."""
_BAR = 70
_BAR_LEAST = 24
_SLACK = 4
"""Pixels by which measured and painted text may differ."""


class CategoryModel(QAbstractTableModel):
    """Values, meanings and how many gave each; an edit is applied at once, or changes nothing.

    Args:
        replace: Tries another domain and returns why it was refused, or "".

    Attributes:
        refused: Emitted with the reason of a refused edit; empty when an edit was accepted.
    """

    refused = Signal(str)

    def __init__(
        self, replace: Callable[[Categorical], str], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._replace = replace
        self._domain: Categorical | None = None
        self._new_row = False
        self._given: GivenAnswers | None = None

    def show_given(self, given: GivenAnswers | None) -> None:
        """Shows how many respondents gave each category; without counts there is no column."""
        if given is self._given:
            return
        last = GIVEN
        if (given is None) != (self._given is None):
            change = (QModelIndex(), last, last)
            if given is None:
                self.beginRemoveColumns(*change)
                self._given = None
                self.endRemoveColumns()
            else:
                self.beginInsertColumns(*change)
                self._given = given
                self.endInsertColumns()
        elif self.rowCount():
            self._given = given
            self.dataChanged.emit(self.index(0, last), self.index(self.rowCount() - 1, last))
        else:
            self._given = given

    @property
    def largest_given(self) -> str:
        """The largest count and its share, which is the longest; empty without counts."""
        given = self._given
        return "" if given is None else share_words(int(given.counts.max(initial=0)), given.total)

    @property
    def is_listed(self) -> bool:
        """Whether all categories are shown and can be edited one by one."""
        return self._domain is None or self._domain.size <= LISTED_MAX

    @property
    def domain(self) -> Categorical | None:
        """The domain that is shown."""
        return self._domain

    def set_domain(self, domain: Categorical | None) -> None:
        """Shows a domain; if only texts changed, the rows stay where they are."""
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
        """Adds an empty row for a new category, and returns its index."""
        row = self.rowCount()
        if not self._new_row:
            self.beginInsertRows(QModelIndex(), row, row)
            self._new_row = True
            self.endInsertRows()
        return self.index(self.rowCount() - 1, VALUE)

    def give_up_category(self) -> None:
        """Removes the empty row of a new category."""
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

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        if parent.isValid():
            return 0
        shown = 0 if self._domain is None else min(self._domain.size, LISTED_MAX)
        return shown + self._new_row

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 2 + (self._given is not None)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return (self.tr("Category"), self.tr("Meaning"), self.tr("Answers"))[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        editable = index.isValid() and self.is_listed and index.column() != GIVEN
        return flags | Qt.ItemFlag.ItemIsEditable if editable else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        wanted = (
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.EditRole,
            Qt.ItemDataRole.ToolTipRole,
        )
        if index.isValid() and index.column() == GIVEN:
            return self._given_data(index.row(), role)
        if role not in wanted or not index.isValid():
            return None
        text = self._text(index)
        return plain_tooltip(text) if role == Qt.ItemDataRole.ToolTipRole else text

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
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

    def _given_data(self, row: int, role: int) -> Any:
        given = self._given
        if given is None or row >= len(given.counts):
            return None
        if role == SHARE_ROLE:
            return float(given.counts[row]) / max(int(given.counts.max()), 1)
        if role == LARGEST_ROLE:
            return self.largest_given
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.DisplayRole:
            return share_words(int(given.counts[row]), given.total)
        return None

    def _text(self, index: Index) -> str:
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


_ROW_HEIGHT = 28


class _CategoryView(TableView):
    """A table in which Enter, F2 and typing begin an edit, and Delete removes a row."""

    removeAsked = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Delete:
            self.removeAsked.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and (
            self.state() != QAbstractItemView.State.EditingState
        ):
            self.edit(self.currentIndex())
        else:
            super().keyPressEvent(event)


class CategoriesEditor(QWidget):
    """Edits a categorical domain; every change is applied at once.

    Args:
        replace: Tries another domain and returns why it was refused, or "".
    """

    def __init__(
        self, replace: Callable[[Categorical], str], *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._replace = replace
        self.model = CategoryModel(replace, self)
        self.view = _CategoryView(
            self.model, self.tr("Categories"), row_height=_ROW_HEIGHT, parent=self
        )
        self._dress_view()
        self._count = PlainLabel("", "caption", wrap=True, parent=self)
        self._refusal = RefusalLabel(parent=self)
        self._make_actions()
        lay_column((self.view, 1), self._refusal, self._buttons(), spacing=4, on=self)
        self.model.refused.connect(self._refusal.show_sentence)
        self.model.modelReset.connect(self._follow)
        self.view.removeAsked.connect(self.remove_action.trigger)
        self.view.selectionModel().currentChanged.connect(self._follow)
        self.view.itemDelegate().closeEditor.connect(self._end_edit)
        self.setFocusProxy(self.view)

    def refusal(self) -> str:
        """The reason of the refused edit; empty if there is none."""
        return self._refusal.text()

    def set_domain(self, domain: Categorical | None) -> None:
        """Shows a domain; the current row stays current."""
        row, column = self.view.currentIndex().row(), self.view.currentIndex().column()
        before = self.model.domain
        self.model.set_domain(domain)
        if domain != before:
            self._refusal.show_sentence("")
            self._share_width()
        if row >= 0 and not self.view.currentIndex().isValid() and self.model.rowCount():
            row = min(row, self.model.rowCount() - 1)
            self.view.setCurrentIndex(self.model.index(row, max(column, 0)))
        self._follow()

    def show_given(self, given: GivenAnswers | None) -> None:
        """Shows how many respondents gave each category."""
        self.model.show_given(given)
        self._share_width()

    def _share_width(self) -> None:
        header, domain, modes = self.view.horizontalHeader(), self.model.domain, QHeaderView
        meant = domain is not None and bool(domain.labels)
        mode = modes.ResizeMode.Stretch if meant else modes.ResizeMode.ResizeToContents
        header.setSectionResizeMode(MEANING, mode)
        if self.model.columnCount() > GIVEN:
            header.setSectionResizeMode(GIVEN, modes.ResizeMode.ResizeToContents)

    def add(self) -> None:
        """Begins to type a new category; without a list yet, the whole list."""
        if self.model.domain is None:
            self.replace_by_text()
            return
        index = self.model.begin_category()
        self.view.setCurrentIndex(index)
        self.view.scrollTo(index)
        self.view.edit(index)

    def replace_by_text(self) -> None:
        """Opens the list as text."""
        domain = self.model.domain
        text = text_of_categories(domain) if domain is not None and self.model.is_listed else ""
        dialog = CategoryDialog(text, self._replace, self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _dress_view(self) -> None:
        view = self.view
        view.setAccessibleDescription(self.tr("F2 or Enter edits, Delete removes a category."))
        triggers = QAbstractItemView.EditTrigger
        view.setEditTriggers(
            triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed
        )
        view.setItemDelegate(CategoryDelegate(view))
        view.setFrameShape(QFrame.Shape.NoFrame)
        header = view.horizontalHeader()
        header.setSectionResizeMode(VALUE, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(MEANING, QHeaderView.ResizeMode.Stretch)

    def _make_actions(self) -> None:
        self.add_action = self._action(self.tr("Add categor&y"), self.add)
        self.remove_action = self._action(
            self.tr("Remove category"), lambda: self.model.remove(self.view.currentIndex().row())
        )
        self.up_action = self._action(self.tr("Move category up"), lambda: self._move(-1))
        self.down_action = self._action(self.tr("Move category down"), lambda: self._move(1))
        for action, what in (
            (self.add_action, self.tr("Adds an answer that somebody could have given.")),
            (self.remove_action, self.tr("Cells with it are outside the domain then.")),
            (self.up_action, self.tr("Order matters for ordered answers.")),
            (self.down_action, self.tr("Order matters for ordered answers.")),
        ):
            action.setWhatsThis(what)
        self.text_action = self._action(self.tr("Edit a&s text…"), self.replace_by_text)
        self.text_action.setStatusTip(self.tr("Type or paste the whole list, one category a line"))
        IconBond(self.add_action, "plus", "muted")

    def _action(self, text: str, run: Callable[[], object]) -> QAction:
        action = QAction(text, self)
        action.triggered.connect(lambda _checked=False: run())
        return action

    def _buttons(self) -> QHBoxLayout:
        return lay_row(
            ActionButton(self.add_action, parent=self),
            ActionIcon(self.remove_action, "delete", parent=self),
            ActionIcon(self.up_action, "arrow-up", parent=self),
            ActionIcon(self.down_action, "arrow-down", parent=self),
            (self._count, 1),
            ActionButton(self.text_action, parent=self),
            spacing=4,
        )

    def _move(self, steps: int) -> None:
        index = self.view.currentIndex()
        row = self.model.move(index.row(), steps)
        self.view.setCurrentIndex(self.model.index(row, max(index.column(), 0)))

    def _end_edit(
        self, _editor: QWidget, _hint: QAbstractItemDelegate.EndEditHint | None = None
    ) -> None:
        # A new category that was refused or abandoned leaves no empty row behind.
        self.model.give_up_category()
        self._follow()

    def _follow(self, *_: QModelIndex) -> None:
        domain, row = self.model.domain, self.view.currentIndex().row()
        listed = self.model.is_listed and domain is not None
        size = 0 if domain is None else domain.size
        self.add_action.setEnabled(self.model.is_listed)
        self.remove_action.setEnabled(listed and row >= 0)
        self.up_action.setEnabled(listed and row > 0)
        self.down_action.setEnabled(listed and 0 <= row < size - 1)
        if listed or domain is None:
            self._count.setText("")
        else:
            shown = self.tr("The first {shown} of {count} categories; edit the list as text.")
            self._count.setText(shown.format(shown=f"{LISTED_MAX:,}", count=f"{size:,}"))
