"""The list of answers of a question: type, add, remove, move, or replace by text."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from dpdesk.domains import Categorical
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.data.action_button import ActionButton, ActionIcon
from dpdesk.gui.pages.data.category_delegate import CategoryDelegate
from dpdesk.gui.pages.data.category_dialog import CategoryDialog
from dpdesk.gui.pages.data.category_model import MEANING, VALUE, CategoryModel
from dpdesk.gui.pages.data.category_text import text_of_categories
from dpdesk.gui.pages.data.domain_change import LISTED_MAX
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel

_ROW_HEIGHT = 28


class _CategoryView(QTableView):
    """A table whose Enter, F2 and typing begin an edit, and whose Delete removes."""

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
    """Edits a categorical domain; every change is tried at once.

    Args:
        replace: Tries another domain and returns why it was refused, or "".
        theme: The switch that the icons follow.
        parent: Qt's owner.
    """

    def __init__(
        self,
        replace: Callable[[Categorical], str],
        theme: ThemeSwitch,
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._replace = replace
        self.model = CategoryModel(replace, self)
        self.view = _CategoryView(self)
        self.view.setModel(self.model)
        self._dress_view(theme)
        self._count = PlainLabel("", "caption", wrap=True, parent=self)
        self._refusal = RefusalLabel(parent=self)
        self._make_actions(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.view, 1)
        column.addWidget(self._refusal)
        column.addLayout(self._buttons(theme))
        self.model.refused.connect(self._refusal.show_sentence)
        self.model.modelReset.connect(self._follow)
        self.view.removeAsked.connect(self.remove_action.trigger)
        self.view.selectionModel().currentChanged.connect(self._follow)
        self.view.itemDelegate().closeEditor.connect(self._end_edit)
        self.setFocusProxy(self.view)

    def refusal(self) -> str:
        """The sentence of the refused edit; empty if there is none."""
        return self._refusal.text()

    def set_domain(self, domain: Categorical | None) -> None:
        """Shows a domain; the row in hand stays in hand."""
        row, column = self.view.currentIndex().row(), self.view.currentIndex().column()
        before = self.model.domain
        self.model.set_domain(domain)
        if domain != before:
            self._refusal.show_sentence("")
        if row >= 0 and not self.view.currentIndex().isValid() and self.model.rowCount():
            row = min(row, self.model.rowCount() - 1)
            self.view.setCurrentIndex(self.model.index(row, max(column, 0)))
        self._follow()

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

    def _dress_view(self, theme: ThemeSwitch) -> None:
        view = self.view
        view.setAccessibleName(self.tr("Categories"))
        view.setAccessibleDescription(self.tr("F2 or Enter edits, Delete removes a category."))
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        triggers = QAbstractItemView.EditTrigger
        view.setEditTriggers(
            triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed
        )
        view.setTabKeyNavigation(False)
        view.setWordWrap(False)
        view.setItemDelegate(CategoryDelegate(theme, view))
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.verticalHeader().setVisible(False)
        view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        view.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        view.setShowGrid(False)
        header = view.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(VALUE, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(MEANING, QHeaderView.ResizeMode.Stretch)

    def _make_actions(self, theme: ThemeSwitch) -> None:
        self.add_action = self._action(self.tr("&Add category"), self.add)
        self.remove_action = self._action(
            self.tr("Remove category"), lambda: self.model.remove(self.view.currentIndex().row())
        )
        self.up_action = self._action(self.tr("Move category up"), lambda: self._move(-1))
        self.down_action = self._action(self.tr("Move category down"), lambda: self._move(1))
        self.text_action = self._action(self.tr("Edit as te&xt…"), self.replace_by_text)
        self.text_action.setStatusTip(self.tr("Type or paste the whole list, one category a line"))
        IconBond(self.add_action, theme, "plus", "muted")

    def _action(self, text: str, run: Callable[[], object]) -> QAction:
        action = QAction(text, self)
        action.triggered.connect(lambda _checked=False: run())
        return action

    def _buttons(self, theme: ThemeSwitch) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(ActionButton(self.add_action, parent=self))
        row.addWidget(ActionIcon(self.remove_action, theme, "delete", parent=self))
        row.addWidget(ActionIcon(self.up_action, theme, "arrow-up", parent=self))
        row.addWidget(ActionIcon(self.down_action, theme, "arrow-down", parent=self))
        row.addWidget(self._count, 1)
        row.addWidget(ActionButton(self.text_action, parent=self))
        return row

    def _move(self, steps: int) -> None:
        index = self.view.currentIndex()
        row = self.model.move(index.row(), steps)
        self.view.setCurrentIndex(self.model.index(row, max(index.column(), 0)))

    def _end_edit(
        self, _editor: QWidget, _hint: QAbstractItemDelegate.EndEditHint | None = None
    ) -> None:
        # A new category that was refused or given up leaves no empty row behind.
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
