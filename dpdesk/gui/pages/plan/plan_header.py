"""The head of the Plan page: the survey, its budget, and what one can do with all of it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.help import HelpButton
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.plan.budget_editor import BudgetEditor
from dpdesk.gui.pages.plan.edits import Edits
from dpdesk.gui.release_kind_switch import ReleaseKindSwitch
from dpdesk.gui.strategy_words import (
    FAKES_WORDS,
    STRATEGY_WORDS,
    losses_reason,
    losses_texts,
    strategy_meaning,
    tr_plan,
)
from dpdesk.gui.widgets.budget_bar import BudgetBar, BudgetSegment
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.page_header import PageHeader
from dpdesk.gui.widgets.plain_text import ElidedLabel, plain_tooltip
from dpdesk.gui.widgets.steady import Steady
from dpdesk.plan import errors_of

_HELP_PAGE = "strategies"
_GAP = 9


class StrategyStrip(QWidget):
    """Chooses the strategy and shows both losses: of the whole record, and of one answer alone.

    Args:
        document: What is shown.
        edits: Where edits go.
        parent: Qt's owner.
    """

    def __init__(self, document: Document, edits: Edits, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._edits = edits
        self._texts = ("", "")
        self.strategy = ChoiceBox(self.tr("Strategy for several attributes"), parent=self)
        for strategy, words in STRATEGY_WORDS.items():
            self.strategy.addItem(tr_plan(words), strategy)
        self.fakes = ChoiceBox(self.tr("What a fake report is made from"), parent=self)
        for fakes, words in FAKES_WORDS.items():
            self.fakes.addItem(tr_plan(words), fakes)
        self._losses = ElidedLabel("", "muted", parent=self)
        name = self.tr("Help on strategies and their losses")
        self.why = HelpButton(_HELP_PAGE, name, parent=self)
        label = QLabel(self.tr("Stra&tegy"), self)
        label.setBuddy(self.strategy)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        row.addWidget(label)
        row.addWidget(self.strategy)
        row.addWidget(self.fakes)
        row.addSpacing(6)
        # The losses change with every step of a slider: their frame keeps that to itself.
        self._frame = Steady(self._losses, "", parent=self)
        row.addWidget(self._frame, 1)
        row.addWidget(self.why)
        self.strategy.activated.connect(lambda _: self._take_strategy())
        self.fakes.activated.connect(lambda _: self._take_fakes())
        document.planChanged.connect(self.refresh)
        self.refresh()

    def losses(self) -> str:
        """The losses in full."""
        return self._texts[0]

    def refresh(self) -> None:
        """Shows what the plan now says."""
        plan = self._document.plan
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
        self._fit_losses()
        if reason != self.why.accessibleDescription():
            self.why.setAccessibleDescription(reason)
            self.why.setToolTip(plain_tooltip(reason))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Says the losses in fewer words where there is less room."""
        super().resizeEvent(event)
        self._fit_losses()

    def _fit_losses(self) -> None:
        room = self.why.x() - self._frame.x() - _GAP
        long, short = self._texts
        fits = self._losses.fontMetrics().horizontalAdvance(long) <= room
        self._losses.set_text(long if fits else short)
        self._losses.setAccessibleName(long)

    def _take_strategy(self) -> None:
        self._edits.set_strategy(self.strategy.currentData())

    def _take_fakes(self) -> None:
        self._edits.set_fakes(self.fakes.currentData())


_BAR_MIN, _BAR_MAX = 268, 346


class PlanHeader(QWidget):
    """Title, budget bar with its two buttons, Choose best and Sanitize; the strategy below.

    Args:
        document: What is shown.
        edits: Where edits go.
        parent: Qt's owner.

    Attributes:
        errorsAsked: The button of the errors that one can live with was clicked.
    """

    errorsAsked = Signal()

    def __init__(self, document: Document, edits: Edits, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._edits = edits
        self.words = PageHeader(parent=self)
        self.budget = BudgetBar(parent=self)
        self.change_budget = self._small_button("pencil", self.tr("Change the budget…"))
        self.split = self._small_button("refresh", "")
        errors = self.tr("Epsilon for errors: the least ε for the errors that you can live with…")
        self.errors = self._small_button("flask", errors)
        self.errors.clicked.connect(self.errorsAsked)
        self.best = QPushButton(self.tr("Choose &best"), self)
        self.best.setToolTip(
            self.tr("For each unlocked attribute, the mechanism of least error at its ε")
        )
        IconBond(self.best, "auto-fix", "text")
        self.sanitize = QPushButton(self.tr("Saniti&ze…"), self)
        self.sanitize.setProperty("look", "primary")
        IconBond(self.sanitize, "play", "accent_text")
        self.kind = ReleaseKindSwitch(document, parent=self)
        self.strategy = StrategyStrip(document, edits, parent=self)
        self.editor = BudgetEditor(parent=self)
        self.editor.budgetTyped.connect(
            lambda budget, split: self._edits.set_budget(budget, split=split)
        )
        self.change_budget.clicked.connect(self.edit_budget)
        self.split.clicked.connect(self._edits.resplit)
        self.best.clicked.connect(self._choose_best)
        small = QHBoxLayout()
        small.setSpacing(0)
        small.addWidget(self.change_budget)
        small.addWidget(self.split)
        small.addWidget(self.errors)
        self.budget.setMinimumWidth(_BAR_MIN)
        self.budget.setMaximumWidth(_BAR_MAX)
        self.words.add_widget(self.budget)
        buttons = QWidget(self)
        buttons.setLayout(small)
        small.setContentsMargins(0, 0, 6, 0)
        self.words.add_widget(buttons)
        self.words.add_widget(self.best)
        self.words.add_widget(self.sanitize)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.words)
        strip = QHBoxLayout()
        strip.setSpacing(14)
        strip.addWidget(self.kind)
        strip.addWidget(self.strategy, 1)
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
        segments = tuple(
            BudgetSegment(column.title, column.mechanism.epsilon, series)
            for series, column in enumerate(plan.protected)
            if column.mechanism is not None
        )
        self.budget.set_budget(segments, plan.budget, adds_up=plan.strategy == "spl")
        split = (
            self.tr("Split the budget evenly over the attributes not locked")
            if plan.strategy == "spl"
            else self.tr("Give the whole budget to each attribute that is not locked")
        )
        if split != self.split.accessibleName():
            self.split.setAccessibleName(split)
            self.split.setToolTip(split)
        has_columns = bool(plan.columns)
        self.best.setEnabled(bool(plan.protected))
        self.split.setEnabled(bool(plan.protected))
        self.errors.setEnabled(bool(plan.protected))
        self.sanitize.setEnabled(has_columns)
        problems = len(errors_of(self._document.problems))
        self.sanitize.setToolTip(
            self.tr("{count} problems stand in the way; Release lists them").format(count=problems)
            if problems
            else self.tr("Go on to Release (Ctrl+Return)")
        )

    def edit_budget(self) -> None:
        """Opens the field of the budget."""
        self.editor.open_below(self.change_budget, self._document.plan.budget)

    def _choose_best(self) -> None:
        self._edits.choose_best()

    def _facts(self) -> str:
        plan = self._document.plan
        count = plan.respondents
        people = (
            self.tr("number of respondents not stated")
            if count is None
            else self.tr("{count} respondents").format(count=f"{count:,}")
        )
        attributes = self.tr("{count} attributes").format(count=f"{len(plan.columns):,}")
        model = self.tr("local model, one row is one respondent")
        return f"{people} · {attributes} · {model}"

    def _small_button(self, icon_name: str, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setAutoRaise(True)
        button.setIconSize(QSize(16, 16))
        button.setAccessibleName(name)
        button.setToolTip(name)
        IconBond(button, icon_name, "muted")
        return button
