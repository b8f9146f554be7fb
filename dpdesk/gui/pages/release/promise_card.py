"""The card of a release's promise: guarantee, population with its account, table of content."""

from __future__ import annotations

from typing import Any, ClassVar

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.composition.words import delta_text
from dpdesk.cost import PrivacyCost, format_epsilon
from dpdesk.gui.pages.release.population_field import AccountWatch, PopulationField
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.read_table import PlainTable
from dpdesk.gui.widgets.row_model import RowModel
from dpdesk.gui.widgets.severity_mark import MarkedLine
from dpdesk.numbers.digits import ratio_text
from dpdesk.plan import Plan
from dpdesk.queries.unit import PrivacyUnit

_ROWS_WHOLE = 20
"""Rows up to which a table is shown in full; that of a wider survey scrolls by itself."""


class PromiseCard(Card):
    """The guarantee and the population, over a table of the release's content.

    Args:
        model: The rows of the table.
        account: The ledger's account of the data.

    Attributes:
        protection: How strongly the release protects; hidden where nothing is released.
        people: The population and its budget.
        passed: The columns released without protection; hidden if there are none.
        pathActivated: Emitted with the plan's path of a row on Enter or a double click.
    """

    pathActivated = Signal(str)

    heading: ClassVar[str]
    """What it says above the guarantee."""
    content: ClassVar[str]
    """Accessible name of the table."""

    def __init__(
        self, model: RowModel[Any], account: AccountWatch, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent=parent)
        title, name = self.tr(self.heading), self.tr(self.content)
        model.setParent(self)
        self.setAccessibleName(title)
        self.protection = PlainLabel("", "strong", wrap=True, parent=self)
        self._promise = PlainLabel("", wrap=True, parent=self)
        self.passed = MarkedLine("warning", tone="strong", parent=self)
        self.people = PopulationField(account, parent=self)
        self.table = PlainTable(model, name, parent=self)
        self.table.activated.connect(self._activate)
        self.body.addWidget(PlainLabel(title, "heading", parent=self))
        for part in (self.protection, self._promise, self.passed, self.people):
            self.body.addWidget(part)
        self.body.addSpacing(2)
        self.body.addWidget(self.table)
        model.modelReset.connect(self._fit_table)
        self._fit_table()

    def _fit_table(self) -> None:
        """Shows all rows of a table of usual length: the page scrolls, not the table in it."""
        table = self.table
        rows = min(table.model().rowCount(), _ROWS_WHOLE)
        height = table.verticalHeader().defaultSectionSize() * rows
        height += table.horizontalHeader().sizeHint().height() + 2 * table.frameWidth()
        table.setFixedHeight(height)

    def _show_promise(self, protection: str, sentence: str) -> None:
        """Shows how strongly the release protects, empty for nothing, and its guarantee."""
        self.protection.setText(protection)
        self.protection.setVisible(bool(protection))
        self._promise.setText(sentence)

    def _loss_in_words(self, what: str, cost: PrivacyCost, unit: PrivacyUnit) -> str:
        """Returns the most that one respondent changes the chances of all that is released.

        Args:
            what: What is released, such as "All rows".
            cost: The loss in the central model.
            unit: Which change of the data is hidden.
        """
        sentence = (
            self.tr(
                "{what} together are at most {ratio} times likelier under one respondent's "
                "answers than under any others (ε = {epsilon}{delta})."
            )
            if unit.relation == "replace"
            else self.tr(
                "{what} together are at most {ratio} times likelier with any one respondent "
                "than without (ε = {epsilon}{delta})."
            )
        )
        return sentence.format(
            what=what,
            ratio=ratio_text(cost.epsilon),
            epsilon=format_epsilon(cost.epsilon),
            delta=f", δ = {delta_text(cost.delta)}" if cost.delta else "",
        )

    def promise(self) -> str:
        """The sentence of the guarantee."""
        return self._promise.text()

    def show_plan(self, plan: Plan) -> None:
        """Shows the promise of a plan's release, and its effect on the budget."""
        raise NotImplementedError

    def path_of(self, row: int) -> str:
        """The plan's path of a row."""
        raise NotImplementedError

    def _activate(self, index: QModelIndex) -> None:
        self.pathActivated.emit(self.path_of(index.row()))
