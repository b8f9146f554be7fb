"""What a column is called, what it means, and which kind of answer it holds."""

from __future__ import annotations

from typing import get_args

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QGridLayout, QVBoxLayout, QWidget

from dpdesk.gui.pages.data.column_changes import rename, set_kind, set_label
from dpdesk.gui.pages.data.column_words import kind_help, kind_word
from dpdesk.gui.pages.data.desk import ColumnDesk
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.plan import ColumnKind, ColumnPlan


class IdentitySection(QWidget):
    """Name, label and kind of the chosen column; the name of a column of data is the file's.

    Args:
        desk: The chosen column.
        parent: Qt's owner.
    """

    def __init__(self, desk: ColumnDesk, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.name = CommitLine(self.tr("Name"), parent=self)
        self.name.committed.connect(self._rename)
        self.label = CommitLine(self.tr("Label"), parent=self)
        self.label.setPlaceholderText(self.tr("the question, in words"))
        self.label.committed.connect(self._relabel)
        self.kind = QComboBox(self)
        self.kind.setAccessibleName(self.tr("Kind of answer"))
        for kind in get_args(ColumnKind):
            self.kind.addItem(kind_word(kind), kind)
            place = self.kind.count() - 1
            self.kind.setItemData(place, kind_help(kind), Qt.ItemDataRole.ToolTipRole)
        self.kind.activated.connect(self._choose_kind)
        self._refusal = RefusalLabel(parent=self)
        self._name_label = self._buddy(self.tr("Na&me"), self.name)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(7)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self._name_label, 0, 0)
        grid.addWidget(self.name, 0, 1, 1, 3)
        grid.addWidget(self._buddy(self.tr("&Label"), self.label), 1, 0)
        grid.addWidget(self.label, 1, 1)
        grid.addWidget(self._buddy(self.tr("&Kind"), self.kind), 1, 2)
        grid.addWidget(self.kind, 1, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(grid)
        column.addWidget(self._refusal)

    def refusal(self) -> str:
        """Why the last edit was refused; empty if it was not."""
        return self._refusal.text()

    def show_column(self, column: ColumnPlan) -> None:
        """Shows a column."""
        in_file = self._desk.table is not None
        for widget in (self.name, self._name_label):
            widget.setVisible(not in_file)
        self.name.set_value(column.name)
        self.label.set_value(column.label)
        self.kind.setCurrentIndex(self.kind.findData(column.kind))
        self.kind.setToolTip(kind_help(column.kind))
        self._refusal.show_sentence("")

    def focus_label(self) -> None:
        """Puts the focus on the first thing that can be typed."""
        target = self.label if self._desk.table is not None else self.name
        target.setFocus()
        target.selectAll()

    def _buddy(self, text: str, field: QWidget) -> PlainLabel:
        label = PlainLabel(text, parent=self)
        label.setBuddy(field)
        return label

    def _rename(self, typed: str) -> None:
        old, new = self._desk.name, typed.strip()
        text = self.tr("Rename {name}").format(name=old)
        sentence = self._desk.edit(text, lambda plan, name: rename(plan, name, new))
        self._refuse(self.name, sentence)

    def _relabel(self, typed: str) -> None:
        text = self.tr("Change the label of {name}").format(name=self._desk.name)
        label = typed.strip()
        self._refuse(
            self.label, self._desk.edit(text, lambda plan, name: set_label(plan, name, label))
        )

    def _choose_kind(self, place: int) -> None:
        kind, table = self.kind.itemData(place), self._desk.table
        text = self.tr("Change the kind of {name}").format(name=self._desk.name)
        sentence = self._desk.edit(text, lambda plan, name: set_kind(plan, name, kind, table))
        column = self._desk.column
        if sentence and column is not None:
            self.kind.setCurrentIndex(self.kind.findData(column.kind))
        self._refusal.show_sentence(sentence)

    def _refuse(self, line: CommitLine, sentence: str) -> None:
        if sentence:
            line.refuse(sentence)
        self._refusal.show_sentence(sentence)
