"""What a release of statistics promises, what it costs, and what is asked."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from dpdesk.composition.words import delta_text
from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan.attribute_model import EPSILON, ERROR, MECHANISM, TYPE
from dpdesk.gui.pages.plan.statistics.query_model import QueryModel
from dpdesk.gui.pages.release.account_watch import AccountWatch
from dpdesk.gui.pages.release.people_row import PeopleRow
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_table import PlainTable
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.plan import Plan
from dpdesk.report.number_text import epsilon_text, ratio_text

_WIDE, _MEDIUM = 640, 520
_FIXED = (TYPE, MECHANISM, EPSILON, ERROR)


class StatisticsPromiseCard(Card):
    """The guarantee, whose data these are, and every query with the error to expect.

    Args:
        document: What is released.
        account: What the ledger says of the data.
        theme: The switch that the colours follow.
        parent: Qt's owner.

    Attributes:
        people: Whose data these are, and what their budget says.
        queryActivated: Emitted with the path of the query on which Enter was pressed or that was
            double clicked.
    """

    queryActivated = Signal(str)

    def __init__(
        self,
        document: Document,
        account: AccountWatch,
        theme: ThemeSwitch,
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(self.tr("What these statistics promise"))
        self._promise = PlainLabel("", wrap=True, parent=self)
        self.people = PeopleRow(account, theme, parent=self)
        self.table = PlainTable(
            QueryModel(document, self, in_full=True),
            theme,
            self.tr("What will be released"),
            parent=self,
        )
        heads = self.table.horizontalHeader()
        for column in _FIXED:
            # Measured when they are shown, not at every step of a slider on another page.
            heads.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        self.table.activated.connect(self._activate)
        heading = self.tr("What these statistics promise")
        self.body.addWidget(PlainLabel(heading, "heading", parent=self))
        self.body.addWidget(self._promise)
        self.body.addWidget(self.people)
        self.body.addSpacing(2)
        self.body.addWidget(self.table, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where room is short, what is asked, what it costs and its error stay."""
        super().resizeEvent(event)
        self.table.setColumnHidden(TYPE, self.width() < _WIDE)
        self.table.setColumnHidden(MECHANISM, self.width() < _MEDIUM)

    def promise(self) -> str:
        """The sentence of the guarantee."""
        return self._promise.text()

    def show_plan(self, plan: Plan) -> None:
        """Shows what the statistics of a plan promise, and what they do to the budget."""
        for column in _FIXED:
            self.table.resizeColumnToContents(column)
        statistics = plan.statistics
        if not statistics.queries:
            self._promise.setText(self.tr("Nothing yet: the plan asks for no statistic."))
            return
        cost = statistics.cost
        replaces = statistics.unit.relation == "replace"
        sentence = (
            self.tr(
                "All results together are at most {ratio} times likelier under one respondent's "
                "answers than under any others (ε = {epsilon}{delta})."
            )
            if replaces
            else self.tr(
                "All results together are at most {ratio} times likelier with any one respondent "
                "than without (ε = {epsilon}{delta})."
            )
        )
        delta = f", δ = {delta_text(cost.delta)}" if cost.delta else ""
        said = sentence.format(
            ratio=ratio_text(cost.epsilon), epsilon=epsilon_text(cost.epsilon), delta=delta
        )
        public = (
            self.tr("The number of respondents is public.")
            if statistics.unit.rows_are_public
            else self.tr("Also whether anyone took part stays hidden.")
        )
        trust = self.tr("Whoever holds the file is trusted with the answers.")
        self._promise.setText(f"{said} {public} {trust}")
        self.people.show_cost(cost)

    def _activate(self, index: QModelIndex) -> None:
        self.queryActivated.emit(f"statistics.queries.{index.row()}")
