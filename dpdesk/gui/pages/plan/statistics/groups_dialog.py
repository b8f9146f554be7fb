"""The columns that a statistic is given for, group by group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.plan import ColumnPlan

GROUPS_MAX = 4
_COLUMN = Qt.ItemDataRole.UserRole


class GroupsDialog(QDialog):
    """Ticks up to four columns of categories; their order is that of the ticks.

    Args:
        columns: Columns with declared categories.
        by: The columns in force.
        replace: Tries other columns and returns why they were refused, or "".
        parent: The window it belongs to.
    """

    def __init__(
        self,
        columns: Sequence[ColumnPlan],
        by: Sequence[str],
        replace: Callable[[tuple[str, ...]], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._replace = replace
        self._by = list(by)
        self._sizes = {
            column.name: column.effective_domain.size
            for column in columns
            if column.effective_domain is not None
        }
        self.setWindowTitle(self.tr("Groups"))
        self.resize(430, 430)
        self.list = QListWidget(self)
        self.list.setObjectName("choices")
        self.list.setAccessibleName(self.tr("Columns to group by"))
        one = self.tr("{column} · {count} categories")
        for name, size in self._sizes.items():
            item = QListWidgetItem(one.format(column=name, count=size), self.list)
            item.setData(_COLUMN, name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            ticked = name in self._by
            item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
        if self.list.count():
            self.list.setCurrentRow(0)
        self._summary = PlainLabel("", wrap=True, parent=self)
        self._refusal = RefusalLabel(parent=self)
        buttons = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(buttons.Ok | buttons.Cancel, parent=self)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.list.itemChanged.connect(self._take)
        meaning = self.tr(
            "One number for every combination of the declared categories, also for those that "
            "nobody has. All of them together cost ε once."
        )
        lay_column(
            PlainLabel(self.tr("Groups"), "heading", parent=self),
            PlainLabel(meaning, "muted", wrap=True, parent=self),
            (self.list, 1),
            self._summary,
            self._refusal,
            self.buttons,
            spacing=8,
            margins=None,
            on=self,
        )
        self._summarise()

    def by(self) -> tuple[str, ...]:
        """The columns that are ticked, in the order of the ticks."""
        return tuple(self._by)

    def tick(self, name: str, ticked: bool = True) -> None:
        """Ticks a column, or takes its tick away."""
        for row in range(self.list.count()):
            item = self.list.item(row)
            if item.data(_COLUMN) == name:
                item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)

    def accept(self) -> None:
        """Closes if the columns are taken."""
        if len(self._by) > GROUPS_MAX:
            sentence = self.tr("At most four columns can be crossed. Take a tick away.")
        else:
            sentence = self._replace(self.by())
        self._refusal.show_sentence(sentence)
        if not sentence:
            super().accept()

    def _take(self, item: QListWidgetItem) -> None:
        name: str = item.data(_COLUMN)
        if item.checkState() == Qt.CheckState.Checked:
            if name not in self._by:
                self._by.append(name)
        elif name in self._by:
            self._by.remove(name)
        self._refusal.show_sentence("")
        self._summarise()

    def _summarise(self) -> None:
        cells = prod(self._sizes.get(name, 1) for name in self._by)
        if not self._by:
            self._summary.setText(self.tr("No groups: one number."))
            return
        words = self.tr("By {columns}: {count} numbers")
        self._summary.setText(words.format(columns=", ".join(self._by), count=f"{cells:,}"))
