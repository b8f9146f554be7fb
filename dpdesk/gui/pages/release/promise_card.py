"""What a release promises, what it costs, and what it leaves unprotected."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.gui.pages.release.account_watch import AccountWatch
from dpdesk.gui.pages.release.marked_line import MarkedLine
from dpdesk.gui.pages.release.outline_model import OutlineModel
from dpdesk.gui.pages.release.people_row import PeopleRow
from dpdesk.gui.strategy_words import strategy_meaning
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_table import PlainTable
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.plan import Plan, plan_cost
from dpdesk.report.guarantee import guarantee_of_plan
from dpdesk.report.number_text import joined

_NAMES_SHOWN = 6


class PromiseCard(Card):
    """The guarantee as the report will state it, over the treatment of every column.

    Args:
        account: What the ledger says of the data.
        theme: The switch that the colours follow.
        parent: Qt's owner.

    Attributes:
        people: Whose data these are, and what their budget says.
        columnActivated: Emitted with the path of the column on which Enter was pressed or that
            was double clicked.
    """

    columnActivated = Signal(str)

    def __init__(
        self, account: AccountWatch, theme: ThemeSwitch, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(self.tr("What this release promises"))
        self._promise = PlainLabel("", wrap=True, parent=self)
        self.passed = MarkedLine(theme, "warning", tone="strong", parent=self)
        self.people = PeopleRow(account, theme, parent=self)
        self._model = OutlineModel(theme, self)
        self.table = PlainTable(
            self._model, theme, self.tr("Treatment of every column"), parent=self
        )
        self.table.activated.connect(self._activate)
        self.body.addWidget(
            PlainLabel(self.tr("What this release promises"), "heading", parent=self)
        )
        for part in (self._promise, self.passed, self.people):
            self.body.addWidget(part)
        self.body.addSpacing(2)
        self.body.addWidget(self.table, 1)

    def promise(self) -> str:
        """The sentence of the guarantee."""
        return self._promise.text()

    def show_plan(self, plan: Plan) -> None:
        """Shows what a release of a plan promises, and what it does to the budget."""
        nothing = self.tr("Nothing yet: the plan protects no column.")
        sentence = guarantee_of_plan(plan).sentence if plan.protected else nothing
        if plan.protected and plan.strategy != "spl":
            sentence = f"{sentence} {strategy_meaning(plan.strategy)}"
        self._promise.setText(sentence)
        self.passed.show_sentence(self._passed(plan))
        self.people.show_cost(plan_cost(plan))
        self._model.set_plan(plan)

    def _passed(self, plan: Plan) -> str:
        kept = [column.name for column in plan.kept]
        if not kept:
            return ""
        names = joined(kept[:_NAMES_SHOWN])
        if len(kept) > _NAMES_SHOWN:
            more = self.tr("{names} and {count} more")
            names = more.format(
                names=", ".join(kept[:_NAMES_SHOWN]), count=len(kept) - _NAMES_SHOWN
            )
        return self.tr("Released unprotected, exactly as in the file: {names}.").format(names=names)

    def _activate(self, index: QModelIndex) -> None:
        column = self._model.row(index.row())
        self.columnActivated.emit(f"columns.{column.name}.role")
