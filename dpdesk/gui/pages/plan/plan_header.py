"""The head of the Plan page: the survey, its budget, and what one can do with all of it."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.help import HelpButton
from dpdesk.gui.icons import IconBond, IconButton
from dpdesk.gui.pages.plan.budget_editor import BudgetEditor
from dpdesk.gui.pages.plan.edits import Edits, PlanEdits, QueryEdits
from dpdesk.gui.release_kind_switch import ReleaseKindSwitch
from dpdesk.gui.strategy_words import (
    FAKES_WORDS,
    STRATEGY_WORDS,
    losses_reason,
    losses_texts,
    strategy_meaning,
    tr_plan,
)
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.budget_bar import BudgetBar
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine
from dpdesk.gui.widgets.page_header import PageHeader
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel, counted, plain_tooltip
from dpdesk.gui.widgets.problem_list import ProblemCounts
from dpdesk.gui.widgets.steady import Steady
from dpdesk.numbers import exact_number
from dpdesk.plan import Plan

_BETWEEN = 7
_GAP = 9
_BAR_MIN, _BAR_MAX = 268, 346


class SubtitleWords(NamedTuple):
    """What stands below the title of a plan.

    Attributes:
        unstated: Said where the number of respondents is not stated.
        counted: A template for a number that is.
        asked: How many attributes or statistics there are.
        model: Who is trusted.
    """

    unstated: str
    counted: str
    asked: str
    model: str


class PlanHeader(QWidget):
    """Title, budget bar with its buttons, and the way on; what holds for the whole plan below.

    Args:
        document: What is shown.
        edits: Where edits go.

    Attributes:
        releaseAsked: The button that goes on to the release was clicked.
    """

    releaseAsked = Signal()

    def __init__(
        self, document: Document, edits: PlanEdits, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self.words = PageHeader(parent=self)
        self.budget = BudgetBar(parent=self)
        self.change_budget = IconButton("pencil", self.tr("Change the budget…"), parent=self)
        self.change_budget.setWhatsThis(
            self.tr("The most that one respondent may lose by the whole release.")
        )
        self.split = IconButton("refresh", "", parent=self)
        self.release = QPushButton(self)
        self.release.setProperty("look", "primary")
        IconBond(self.release, "play", "accent_text")
        self.kind = ReleaseKindSwitch(document, parent=self)
        self.editor = BudgetEditor(parent=self)
        self.editor.budgetTyped.connect(lambda budget, split: edits.set_budget(budget, split=split))
        self.change_budget.clicked.connect(self.edit_budget)
        self.split.clicked.connect(edits.resplit)
        self.release.clicked.connect(self.releaseAsked)

    def refresh(self) -> None:
        """Shows what the document now says."""
        plan, table = self._document.plan, self._document.table
        source = "" if table is None else table.name
        self.words.set_title(plan.details.title or source or self.tr("New plan"))
        self.words.set_subtitle(self._facts(plan))
        self._show_plan(plan)
        counts = ProblemCounts.of(self._document.problems)
        self.release.setToolTip(
            self.tr("{counts}: go on to Release, which lists them").format(counts=counts.words)
            if counts.blocking
            else self.tr("Go on to Release (Ctrl+Return)")
        )

    def edit_budget(self) -> None:
        """Opens the field of the budget."""
        self.editor.open_below(self.change_budget, self._budget_of(self._document.plan))

    def _show_plan(self, plan: Plan) -> None:
        """Shows the budget, what may be done, and what holds for the whole plan."""
        raise NotImplementedError

    def _facts(self, plan: Plan) -> str:
        """The subtitle, made of `_words_of`."""
        words = self._words_of(plan)
        count = plan.judged_respondents
        people = words.unstated if count is None else words.counted.format(count=f"{count:,}")
        return f"{people} · {words.asked} · {words.model}"

    def _words_of(self, plan: Plan) -> SubtitleWords:
        raise NotImplementedError

    def _budget_of(self, plan: Plan) -> Decimal | None:
        raise NotImplementedError

    def _furnish(
        self, small: Sequence[QToolButton], buttons: Sequence[QPushButton], strip: PlanStrip
    ) -> None:
        """Lays out small buttons beside the bar, large ones after it, and a strip below."""
        beside = QWidget(self)
        row = lay_row(spacing=0, margins=(0, 0, 6, 0), on=beside)
        for button in (self.change_budget, self.split, *small):
            row.addWidget(button)
        self.budget.setMinimumWidth(_BAR_MIN)
        self.budget.setMaximumWidth(_BAR_MAX)
        for widget in (self.budget, beside, *buttons, self.release):
            self.words.add_widget(widget)
        below = lay_row(self.kind, (strip, 1), spacing=14)
        lay_column(self.words, below, spacing=8, on=self)
        # The parts that every head has were made before those of its kind.
        for before, after in pairwise((self.split, *small, *buttons, self.release, self.kind)):
            QWidget.setTabOrder(before, after)
        self.refresh()


class RecordsHeader(PlanHeader):
    """With Choose best, Sanitize and the errors that one can live with; the strategy below.

    Args:
        document: What is shown.
        edits: Where edits go.

    Attributes:
        errorsAsked: The button of the errors that one can live with was clicked.
    """

    errorsAsked = Signal()

    def __init__(self, document: Document, edits: Edits, *, parent: QWidget | None = None) -> None:
        super().__init__(document, edits, parent=parent)
        errors = self.tr("Epsilon for errors: the least ε for the errors that you can live with…")
        self.errors = IconButton("flask", errors, parent=self)
        self.errors.setWhatsThis(self.tr("The least epsilons for the errors that you accept."))
        self.errors.clicked.connect(self.errorsAsked)
        self.best = QPushButton(self.tr("Choose &best"), self)
        self.best.setToolTip(
            self.tr("For each unlocked attribute, the mechanism of least error at its ε")
        )
        IconBond(self.best, "auto-fix", "text")
        self.best.clicked.connect(lambda _clicked: edits.choose_best())
        self.release.setText(self.tr("Saniti&ze…"))
        self.strategy = StrategyStrip(document, edits, parent=self)
        self._furnish((self.errors,), (self.best,), self.strategy)

    def _show_plan(self, plan: Plan) -> None:
        self.budget.show_attributes(plan)
        split = (
            self.tr("Split the budget evenly over the attributes not locked")
            if plan.strategy == "spl"
            else self.tr("Give the whole budget to each attribute that is not locked")
        )
        if split != self.split.accessibleName():
            self.split.setAccessibleName(split)
            self.split.setToolTip(split)
            self.split.setWhatsThis(self.tr("No epsilon is left over, and none is too large."))
        for button in (self.best, self.split, self.errors):
            button.setEnabled(bool(plan.protected))
        self.release.setEnabled(bool(plan.protected or plan.kept))
        self.strategy.refresh()

    def _words_of(self, plan: Plan) -> SubtitleWords:
        unit = plan.statistics.unit
        model = self.tr("local model, one row is one respondent")
        if unit.respondent_column:
            model = self.tr("local model, the first row of each respondent counts")
        one, many = self.tr("1 respondent"), self.tr("{count} respondents")
        if unit.rows_per_respondent > 1:
            one, many = self.tr("1 row"), self.tr("{count} rows")
            most = f"{unit.rows_per_respondent:,}"
            model = self.tr("local model, up to {most} rows of each respondent").format(most=most)
        return SubtitleWords(
            unstated=self.tr("number of respondents not stated"),
            counted=one if plan.judged_respondents == 1 else many,
            asked=self._attributes(plan),
            model=model,
        )

    def _attributes(self, plan: Plan) -> str:
        """How many attributes there are, and how many of them are protected where not all are."""
        total, protected = f"{len(plan.columns):,}", f"{len(plan.protected):,}"
        if total == protected:
            one, many = self.tr("1 attribute"), self.tr("{count} attributes")
            return counted(len(plan.columns), one, many)
        some = self.tr("{protected} of {count} protected")
        return some.format(protected=protected, count=total)

    def _budget_of(self, plan: Plan) -> Decimal | None:
        return plan.budget


class StatisticsHeader(PlanHeader):
    """With Release; the privacy unit below.

    Args:
        document: What is shown.
        edits: Where edits go.
    """

    def __init__(
        self, document: Document, edits: QueryEdits, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(document, edits, parent=parent)
        split = self.tr("Split the budget evenly over the statistics not locked")
        self.split.setAccessibleName(split)
        self.split.setToolTip(split)
        self.split.setWhatsThis(self.tr("Each statistic gets the same epsilon."))
        self.release.setText(self.tr("Relea&se…"))
        self.editor.split.setToolTip(
            self.tr("Splits it evenly over the statistics that are not locked")
        )
        self.unit = UnitStrip(document, edits, parent=self)
        self._furnish((), (), self.unit)

    def _show_plan(self, plan: Plan) -> None:
        queries = plan.statistics.queries
        self.budget.show_statistics(plan)
        self.split.setEnabled(bool(queries) and plan.statistics.budget is not None)
        self.release.setEnabled(bool(queries))
        self.unit.refresh()

    def _words_of(self, plan: Plan) -> SubtitleWords:
        one, many = self.tr("1 statistic"), self.tr("{count} statistics")
        asked = counted(len(plan.statistics.queries), one, many)
        model = self.tr("central model: the file is trusted, its statistics get noise")
        rows = self.tr("1 row") if plan.judged_respondents == 1 else self.tr("{count} rows")
        return SubtitleWords(self.tr("number of rows not stated"), rows, asked, model)

    def _budget_of(self, plan: Plan) -> Decimal | None:
        return plan.statistics.budget


class PlanStrip(QWidget):
    """What holds for the whole plan, on one line below its head.

    Args:
        document: What is shown.
        edits: Where edits go.
    """

    def __init__(
        self, document: Document, edits: PlanEdits, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._edits = edits
        self.compose()

    def compose(self) -> None:
        """Makes the widgets of the strip and lays them out."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Shows what the plan now says."""
        raise NotImplementedError


class StrategyStrip(PlanStrip):
    """Purpose, strategy, and both losses: of the whole record, and of one answer alone.

    Attributes:
        purposeAsked: The button of the purpose was clicked.
    """

    purposeAsked = Signal()

    _edits: Edits

    def compose(self) -> None:
        self._texts = ("", "")
        self.strategy = ChoiceBox(self.tr("Strategy for several attributes"), parent=self)
        for strategy, words in STRATEGY_WORDS.items():
            self.strategy.addItem(tr_plan(words), strategy)
        self.fakes = ChoiceBox(self.tr("What a fake report is made from"), parent=self)
        for fakes, words in FAKES_WORDS.items():
            self.fakes.addItem(tr_plan(words), fakes)
        self.purpose = QPushButton(self)
        self.purpose.clicked.connect(self.purposeAsked)
        self._losses = ElidedLabel("", "muted", parent=self)
        name = self.tr("Help on strategies and their losses")
        self.why = HelpButton("strategies", name, parent=self)
        label = QLabel(self.tr("Stra&tegy"), self)
        label.setBuddy(self.strategy)
        row = lay_row(self.purpose, 4, label, self.strategy, self.fakes, 6, spacing=_GAP, on=self)
        # The losses change with every step of a slider: their frame keeps that to itself.
        self._frame = Steady(self._losses, "", parent=self)
        row.addWidget(self._frame, 1)
        row.addWidget(self.why)
        self.strategy.activated.connect(lambda _: self._take_strategy())
        self.fakes.activated.connect(lambda _: self._take_fakes())

    def _enable_purpose(self, possible: bool) -> None:
        """Makes the button of the purpose work, or says why it does not."""
        self.purpose.setEnabled(possible)
        told = (
            self.tr(
                "What people will do with the file, strategies side by side, five rows (Ctrl+U)"
            )
            if possible
            else self.tr("Protect a column first: strategies differ in what they do to answers.")
        )
        if told != self.purpose.toolTip():
            self.purpose.setToolTip(told)

    def losses(self) -> str:
        """The losses in full."""
        return self._texts[0]

    def refresh(self) -> None:
        plan = self._document.plan
        words = tr_plan(plan.wanted.short)
        if words != self.purpose.text():
            self.purpose.setText(words)
        self._enable_purpose(bool(plan.protected))
        index = self.strategy.findData(plan.strategy)
        if index != self.strategy.currentIndex():
            self.strategy.setCurrentIndex(index)
            self.strategy.updateGeometry()
        meaning = strategy_meaning(plan.strategy)
        if meaning != self.strategy.accessibleDescription():
            self.strategy.setAccessibleDescription(meaning)
            self.strategy.setToolTip(plain_tooltip(meaning))
        self.fakes.setCurrentIndex(self.fakes.findData(plan.fakes))
        if self.fakes.isHidden() == (plan.strategy == "rsfd"):
            self.fakes.setVisible(plan.strategy == "rsfd")
        self._texts, reason = losses_texts(plan), losses_reason(plan)
        self._losses.set_text(self._texts[1])
        self._losses.setAccessibleName(self._texts[0])
        if reason != self.why.accessibleDescription():
            self.why.setAccessibleDescription(reason)
            self.why.setToolTip(plain_tooltip(reason))

    def _take_strategy(self) -> None:
        self._edits.set_strategy(self.strategy.currentData())

    def _take_fakes(self) -> None:
        self._edits.set_fakes(self.fakes.currentData())


class UnitStrip(PlanStrip):
    """Neighbouring tables, what of people in several rows counts, confidence of intervals.

    Attributes:
        peopleAsked: The button of people in several rows was clicked.
    """

    peopleAsked = Signal()

    _edits: QueryEdits

    def compose(self) -> None:
        self.relation = ChoiceBox(self.tr("Which change of the data is hidden"), parent=self)
        self.relation.addItem(self.tr("who took part"), "add_remove")
        self.relation.addItem(self.tr("who answered what"), "replace")
        self.relation.setMinimumContentsLength(7)
        self.people = QPushButton(self)
        self.people.setWhatsThis(self.tr("Says whose row each is, and what of a person counts."))
        self.people.clicked.connect(self.peopleAsked)
        self.confidence = CommitLine(self.tr("Confidence of intervals, in per cent"), parent=self)
        self.confidence.setWhatsThis(self.tr("How often an interval holds the true number."))
        self.confidence.setFixedWidth(self.fontMetrics().horizontalAdvance("99.99") + 14)
        relation = QLabel(self.tr("H&ides"), self)
        relation.setBuddy(self.relation)
        level = QLabel(self.tr("inte&rvals"), self)
        level.setBuddy(self.confidence)
        row = lay_row(spacing=_BETWEEN, on=self)
        for widget in (relation, self.relation, self.people):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(level)
        row.addWidget(self.confidence)
        row.addWidget(PlainLabel("%", parent=self))
        row.addWidget(HelpButton("statistics", self.tr("What statistics protect"), parent=self))
        self.relation.activated.connect(lambda _: self._take(relation=self.relation.currentData()))
        self.confidence.committed.connect(self._take_confidence)
        self.confidence.refused.connect(self._tell)

    def refresh(self) -> None:
        plan = self._document.plan
        unit = plan.statistics.unit
        self.relation.setCurrentIndex(self.relation.findData(unit.relation))
        meaning = (
            self.tr("Protects whether a respondent is in the file; how many are is noisy.")
            if unit.relation == "add_remove"
            else self.tr("Protects what a respondent answered; how many are is public.")
        )
        self.relation.setToolTip(plain_tooltip(meaning))
        self.relation.setAccessibleDescription(meaning)
        one, many = self.tr("1 row per pers&on…"), self.tr("{count} rows per pers&on…")
        self.people.setText(counted(unit.rows_per_respondent, one, many))
        self.people.setToolTip(plain_tooltip(plan.enforcement))
        level = 100 * plan.statistics.confidence
        self.confidence.set_value(format(level.normalize(), "f"))

    def _take(self, **fields: object) -> None:
        sentence = self._edits.set_unit(**fields)
        if sentence:
            self._edits.refused.emit(sentence)
            self.refresh()

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
