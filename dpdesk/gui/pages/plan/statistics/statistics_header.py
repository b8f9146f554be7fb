"""The head of the statistics: the survey, their budget, whom they protect."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.help import HelpButton
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.plan.budget_editor import BudgetEditor
from dpdesk.gui.pages.plan.statistics.query_edits import QueryEdits
from dpdesk.gui.release_kind_switch import ReleaseKindSwitch
from dpdesk.gui.widgets.budget_bar import BudgetBar, BudgetSegment
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine
from dpdesk.gui.widgets.page_header import PageHeader
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip
from dpdesk.numbers import exact_number
from dpdesk.plan import errors_of

_HELP_PAGE = "statistics"


class UnitStrip(QWidget):
    """Neighbouring tables, whose row it is, how many rows count, confidence of intervals.

    Args:
        document: What is shown.
        edits: Where edits go.
        parent: Qt's owner.
    """

    def __init__(
        self, document: Document, edits: QueryEdits, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._edits = edits
        self.relation = ChoiceBox(self.tr("Which change of the data is hidden"), parent=self)
        self.relation.addItem(self.tr("who took part"), "add_remove")
        self.relation.addItem(self.tr("who answered what"), "replace")
        self.relation.setMinimumContentsLength(7)
        self.whose = ChoiceBox(self.tr("Column that tells whose row it is"), parent=self)
        self.whose.setMinimumContentsLength(7)
        self.rows = CommitLine(self.tr("Most rows of one respondent"), parent=self)
        self.rows.setFixedWidth(self.fontMetrics().horizontalAdvance("000,000") + 14)
        self.confidence = CommitLine(self.tr("Confidence of intervals, in per cent"), parent=self)
        self.confidence.setFixedWidth(self.fontMetrics().horizontalAdvance("99.99") + 14)
        relation, whose = QLabel(self.tr("H&ides"), self), QLabel(self.tr("pe&ople by"), self)
        most = QLabel(self.tr("a&t most"), self)
        relation.setBuddy(self.relation)
        whose.setBuddy(self.whose)
        most.setBuddy(self.rows)
        level = QLabel(self.tr("inte&rvals"), self)
        level.setBuddy(self.confidence)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(7)
        self._each = PlainLabel(self.tr("rows"), parent=self)
        for widget in (
            relation,
            self.relation,
            whose,
            self.whose,
            most,
            self.rows,
            self._each,
        ):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(level)
        row.addWidget(self.confidence)
        row.addWidget(PlainLabel("%", parent=self))
        row.addWidget(HelpButton(_HELP_PAGE, self.tr("What statistics protect"), parent=self))
        self.relation.activated.connect(lambda _: self._take(relation=self.relation.currentData()))
        self.whose.activated.connect(
            lambda _: self._take(respondent_column=self.whose.currentData())
        )
        self.rows.committed.connect(self._take_rows)
        self.confidence.committed.connect(self._take_confidence)
        for line in (self.rows, self.confidence):
            line.refused.connect(self._tell)
        document.planChanged.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Shows what the plan now says."""
        plan = self._document.plan
        unit = plan.statistics.unit
        self.relation.setCurrentIndex(self.relation.findData(unit.relation))
        meaning = (
            self.tr("Nobody can tell whether a respondent is in the file; how many are is noisy.")
            if unit.relation == "add_remove"
            else self.tr("Nobody can tell what a respondent answered; how many are is public.")
        )
        self.relation.setToolTip(plain_tooltip(meaning))
        self.relation.setAccessibleDescription(meaning)
        names = ["", *(column.name for column in plan.columns)]
        if [self.whose.itemData(i) for i in range(self.whose.count())] != names:
            self.whose.clear()
            self.whose.addItem(self.tr("row"), "")
            for name in names[1:]:
                self.whose.addItem(name, name)
        self.whose.setCurrentIndex(self.whose.findData(unit.respondent_column))
        self.whose.setToolTip(
            self.tr(
                "What tells whose row it is: every row is another respondent, or a column names "
                "them and of too many rows some are drawn"
            )
        )
        self.rows.set_value(f"{unit.rows_per_respondent:,}")
        level = 100 * plan.statistics.confidence
        self.confidence.set_value(format(level.normalize(), "f"))

    def _take(self, **fields: object) -> None:
        sentence = self._edits.set_unit(**fields)
        if sentence:
            self._edits.refused.emit(sentence)
            self.refresh()

    def _take_rows(self, text: str) -> None:
        sentence = self._edits.set_unit(rows_per_respondent=text.strip().replace(",", ""))
        if sentence:
            self.rows.refuse(sentence)

    def _take_confidence(self, text: str) -> None:
        typed = text.replace("%", "").replace(",", ".").strip()
        percent = exact_number(typed)
        if percent is None:
            sentence = self.tr("This is not a number. Type one such as 95.")
        else:
            sentence = self._edits.set_confidence(percent / 100)
        if sentence:
            self.confidence.refuse(sentence)

    def _tell(self, sentence: str) -> None:
        if sentence:
            self._edits.refused.emit(sentence)


_BAR_MIN, _BAR_MAX = 268, 346


class StatisticsHeader(QWidget):
    """Title, budget bar with its buttons, and Release; the privacy unit below.

    Args:
        document: What is shown.
        edits: Where edits go.
        parent: Qt's owner.

    Attributes:
        releaseAsked: The button of the release was clicked.
    """

    releaseAsked = Signal()

    def __init__(
        self, document: Document, edits: QueryEdits, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self.words = PageHeader(parent=self)
        self.budget = BudgetBar(parent=self)
        self.change_budget = self._small_button("pencil", self.tr("Change the budget…"))
        self.split = self._small_button(
            "refresh", self.tr("Split the budget evenly over the statistics not locked")
        )
        self.release = QPushButton(self.tr("Relea&se…"), self)
        self.release.setProperty("look", "primary")
        IconBond(self.release, "play", "accent_text")
        self.kind = ReleaseKindSwitch(document, parent=self)
        self.unit = UnitStrip(document, edits, parent=self)
        self.editor = BudgetEditor(parent=self)
        self.editor.split.setToolTip(
            self.tr("Splits it evenly over the statistics that are not locked")
        )
        self.editor.budgetTyped.connect(lambda budget, split: edits.set_budget(budget, split=split))
        self.change_budget.clicked.connect(self.edit_budget)
        self.split.clicked.connect(edits.resplit)
        self.release.clicked.connect(self.releaseAsked)
        small = QHBoxLayout()
        small.setSpacing(0)
        small.setContentsMargins(0, 0, 6, 0)
        small.addWidget(self.change_budget)
        small.addWidget(self.split)
        buttons = QWidget(self)
        buttons.setLayout(small)
        self.budget.setMinimumWidth(_BAR_MIN)
        self.budget.setMaximumWidth(_BAR_MAX)
        for widget in (self.budget, buttons, self.release):
            self.words.add_widget(widget)
        strip = QHBoxLayout()
        strip.setSpacing(14)
        strip.addWidget(self.kind)
        strip.addWidget(self.unit, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.words)
        column.addLayout(strip)
        for signal in (document.planChanged, document.problemsChanged, document.tableChanged):
            signal.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Shows what the document now says."""
        plan, table = self._document.plan, self._document.table
        source = "" if table is None else table.name
        self.words.set_title(plan.details.title or source or self.tr("New plan"))
        self.words.set_subtitle(self._facts())
        queries = plan.statistics.queries
        segments = tuple(
            BudgetSegment(query.heading, query.epsilon, series)
            for series, query in enumerate(queries)
        )
        self.budget.set_budget(segments, plan.statistics.budget)
        self.split.setEnabled(bool(queries) and plan.statistics.budget is not None)
        self.release.setEnabled(bool(queries))
        problems = len(errors_of(self._document.problems))
        self.release.setToolTip(
            self.tr("{count} problems stand in the way; Release lists them").format(count=problems)
            if problems
            else self.tr("Go on to Release (Ctrl+Return)")
        )

    def edit_budget(self) -> None:
        """Opens the field of the budget."""
        self.editor.open_below(self.change_budget, self._document.plan.statistics.budget)

    def _facts(self) -> str:
        plan = self._document.plan
        count = plan.respondents
        people = (
            self.tr("number of rows not stated")
            if count is None
            else self.tr("{count} rows").format(count=f"{count:,}")
        )
        asked = self.tr("{count} statistics").format(count=f"{len(plan.statistics.queries):,}")
        model = self.tr("central model: the file is trusted, its statistics get noise")
        return f"{people} · {asked} · {model}"

    def _small_button(self, icon_name: str, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setAutoRaise(True)
        button.setIconSize(QSize(16, 16))
        button.setAccessibleName(name)
        button.setToolTip(name)
        IconBond(button, icon_name, "muted")
        return button
