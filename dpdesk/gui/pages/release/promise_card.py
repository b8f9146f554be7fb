"""What a release promises, what it costs, and what is in it: the card that every kind fills."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.gui.pages.release.people_row import AccountWatch, PeopleRow
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_table import PlainTable
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.row_model import RowModel
from dpdesk.gui.widgets.severity_mark import MarkedLine
from dpdesk.plan import Plan


class PromiseCard(Card):
    """The guarantee and whose data these are, over a table of what is released.

    Args:
        title: Its heading.
        model: What is released, a row each.
        name: Accessible name of the table.
        account: What the ledger says of the data.
        parent: Qt's owner.

    Attributes:
        people: Whose data these are, and what their budget says.
        passed: What is released without protection; hidden while that is nothing.
        pathActivated: Emitted with the path in the plan of the row on which Enter was pressed or
            that was double clicked.
    """

    pathActivated = Signal(str)

    def __init__(
        self,
        title: str,
        model: RowModel[Any],
        name: str,
        account: AccountWatch,
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent=parent)
        model.setParent(self)
        self.setAccessibleName(title)
        self._promise = PlainLabel("", wrap=True, parent=self)
        self.passed = MarkedLine("warning", tone="strong", parent=self)
        self.people = PeopleRow(account, parent=self)
        self.table = PlainTable(model, name, parent=self)
        self.table.activated.connect(self._activate)
        self.body.addWidget(PlainLabel(title, "heading", parent=self))
        for part in (self._promise, self.passed, self.people):
            self.body.addWidget(part)
        self.body.addSpacing(2)
        self.body.addWidget(self.table, 1)

    def promise(self) -> str:
        """The sentence of the guarantee."""
        return self._promise.text()

    def show_plan(self, plan: Plan) -> None:
        """Shows what a release of a plan promises, and what it does to the budget."""
        raise NotImplementedError

    def path_of(self, row: int) -> str:
        """The path in the plan of what a row shows."""
        raise NotImplementedError

    def _activate(self, index: QModelIndex) -> None:
        self.pathActivated.emit(self.path_of(index.row()))
