"""Sample planning: one question, strata or a questionnaire, with the design in force."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QMenu,
    QPushButton,
    QRadioButton,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from dpdesk.composition.strength import strength_of
from dpdesk.designs.planning import TESTS, FieldError, Wanted
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.simulate.planning.cell import NumberCell
from dpdesk.gui.pages.simulate.planning.goal_pane import GoalPane
from dpdesk.gui.pages.simulate.planning.questions_pane import QuestionsPane
from dpdesk.gui.pages.simulate.planning.strata_pane import StrataPane
from dpdesk.gui.pages.simulate.planning.words import PlanWords
from dpdesk.gui.pages.simulate.scales import read_open_share
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.save_dialog import asked_path
from dpdesk.gui.theme import ScaledWidth
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.gui.widgets.figure_tile import FigureRow
from dpdesk.gui.widgets.notice_bar import succeeded
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.plot_table import PlotTable, TableWindow
from dpdesk.numbers.digits import percent_text
from dpdesk.reports.survey import PlanningMemo

Memo = TypeVar("Memo", bound=PlanningMemo)


def with_plan(memo: Memo, wanted: Wanted, plan: PlanWords) -> Memo:
    """Returns a memo with the respondents or the epsilon that were found, and what they rest on."""
    sample = plan.sample
    if sample is None:
        return memo
    contrast = wanted.contrast if wanted.goal in TESTS else None
    design = memo.design if plan.epsilon is None else memo.design.at_epsilon(plan.epsilon)
    return replace(
        memo,
        design=design,
        respondents=plan.respondents or memo.respondents,
        confidence=sample.confidence,
        population=sample.population,
        weights_cv=sample.weights_cv,
        against=None if contrast is None else contrast.against,
        alpha=wanted.alpha,
        two_sided=wanted.two_sided,
        second="" if contrast is None else contrast.second,
        denial=wanted.denial,
    )


ONE, STRATA, QUESTIONS = range(3)
_GAP = 6


class SamplePlanningView(QWidget):
    """A plan of the sample that follows the supposed survey.

    Args:
        scenario: The survey at first; its kind decides what can be planned.

    Attributes:
        respondentsTaken: Emitted with a number of respondents for the page.
        epsilonTaken: Emitted with an epsilon for the page.
        questionsTaken: Emitted with the `PlannedQuestions` that are to go into the plan.
        noticeRaised: Emitted with "success" or "error" and a sentence.
        figures: The four figures; they have their place below the view.
    """

    respondentsTaken = Signal(int)
    epsilonTaken = Signal(float)
    questionsTaken = Signal(object)
    noticeRaised = Signal(str, str)

    def __init__(self, scenario: Scenario[Any], *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scenario: Scenario[Any] | None = None
        self._outcome: PlanWords | None = None
        self.table_window = TableWindow(self)
        self._touched: set[int] = set()
        self._in_memo: set[int] = set()
        self.figures = FigureRow(4, parent=self)
        self.one = GoalPane(scenario, parent=self)
        self.strata = StrataPane(scenario, parent=self)
        self.questions = QuestionsPane(scenario, parent=self)
        self.panes = (self.one, self.strata, self.questions)
        self.kinds = QButtonGroup(self)
        self.stack = QStackedWidget(self)
        for pane in self.panes:
            self.stack.addWidget(pane)
        self.confidence = NumberCell(
            self.tr("&Confidence"),
            0.95,
            read_open_share,
            percent_text,
            self.tr("Coverage of the intervals whose half-width is the margin"),
            beside=True,
            parent=self,
        )
        ScaledWidth(self.confidence.field, 72)
        self.sentence = PlainLabel("", "strong", wrap=True, parent=self)
        self.notes = PlainLabel("", "muted", wrap=True, parent=self)
        self.refusal = RefusalLabel(parent=self)
        self._make_buttons()
        self._lay_out()
        self._connect()

    def show_scenario(self, scenario: Scenario[Any]) -> None:
        """Plans anew for a scenario."""
        self._scenario = scenario
        self._plan()

    def show_table(self) -> None:
        """Shows the numbers of the plan as a table to copy."""
        if self._outcome is not None:
            self.table_window.show(self.tr("Sample plan"), self._outcome.table)

    def offer(self, actions: Sequence[QAction]) -> None:
        """Offers what else can be done with a plan, at the end of the options."""
        menu = self.options.menu()
        menu.addSeparator()
        menu.addActions(list(actions))

    def outcome(self) -> PlanWords | None:
        """What the plan in force comes to; None where there is none."""
        return self._outcome

    def kind(self) -> int:
        """What is planned: `ONE`, `STRATA` or `QUESTIONS`."""
        return self.kinds.checkedId()

    def set_kind(self, kind: int) -> None:
        """Plans something else."""
        self.kinds.button(kind).setChecked(True)
        self._choose(kind)

    def copy(self) -> None:
        """Puts sentences and table on the clipboard."""
        if self._outcome is not None:
            QGuiApplication.clipboard().setText(self._outcome.text())
            self.noticeRaised.emit("success", self.tr("The plan was copied."))

    def save(self) -> None:
        """Asks for a file and writes the table to it, as CSV."""
        if self._outcome is None:
            return
        title, kinds = self.tr("Save the plan"), self.tr("Tables (*.csv)")
        path = asked_path(self, title, "sample-plan.csv", kinds, (".csv",))
        if path is None:
            return
        if succeeded(partial(self._outcome.save, path), self.noticeRaised.emit):
            self.noticeRaised.emit("success", self.tr("Saved as {name}.").format(name=path.name))

    def add_to_memo(self, request: Memo) -> Memo:
        """Returns a memo with the plans that are to be in it."""
        if self._scenario is None:
            return request
        if ONE in self._in_memo:
            # A wish that cannot be met leaves the memo as it is: the page says why.
            with suppress(FieldError):
                plan = self.one.found(self._scenario, self.confidence.number())
                request = with_plan(request, self.one.wanted(), plan)
        for kind, pane in ((STRATA, self.strata), (QUESTIONS, self.questions)):
            if kind in self._in_memo:
                # The supposed survey may have changed since it was looked at.
                pane.plan(self._scenario, self.confidence.number())
        return replace(
            request,
            strata=self.strata.found() if STRATA in self._in_memo else None,
            questions=self.questions.found() if QUESTIONS in self._in_memo else None,
        )

    def _choose(self, kind: int) -> None:
        self.stack.setCurrentIndex(kind)
        self._plan()

    def _touch(self) -> None:
        """What was worked on belongs in the memo, unless it is taken out."""
        kind = self.kind()
        if kind not in self._touched:
            self._touched.add(kind)
            self._in_memo.add(kind)
        self._plan()

    def _keep_in_memo(self, kept: bool) -> None:
        self._touched.add(self.kind())
        (self._in_memo.add if kept else self._in_memo.discard)(self.kind())

    def _plan(self) -> None:
        if self._scenario is None:
            return
        pane = self.panes[self.kind()]
        found = pane.plan(self._scenario, self.confidence.number())
        self._outcome = found if isinstance(found, PlanWords) else None
        self.refusal.show_sentence("" if isinstance(found, PlanWords) else found)
        self._show()

    def _show(self) -> None:
        found = self._outcome
        words = self.tr("{sentence} Protection: {strength}.")
        self.sentence.setText(
            words.format(sentence=found.sentence, strength=strength_of(found.loss)) if found else ""
        )
        self.notes.setText(" ".join(found.notes) if found else "")
        self.sentence.setVisible(found is not None)
        self.notes.setVisible(found is not None and bool(found.notes))
        for number, tile in enumerate(self.figures.tiles):
            if found is None:
                tile.set_figure("—", "")
            else:
                tile.set_figure(*found.figures[number])
        for entry in (self.copying, self.saving, self.numbers):
            entry.setEnabled(found is not None)
        self.use.setEnabled(self.questions.found() is not None)
        self._show_take(found)
        self.memo.setChecked(self.kind() in self._in_memo)
        self.table_window.follow(lambda: found.table if found else PlotTable((), ()))

    def _show_take(self, found: PlanWords | None) -> None:
        """Offers the number that was found, where the page has another one."""
        scenario = self._scenario
        words = ""
        if found is not None and scenario is not None:
            if found.epsilon is not None:
                words = self.tr("Ta&ke ε = {number}").format(number=found.epsilon_said)
            elif found.respondents not in (None, scenario.respondents):
                words = self.tr("Ta&ke n = {number}").format(number=f"{found.respondents:,}")
        self.take.setText(words)
        self.take.setVisible(bool(words))

    def _take(self) -> None:
        found = self._outcome
        if found is None:
            return
        if found.epsilon is not None:
            self.epsilonTaken.emit(found.epsilon)
        elif found.respondents is not None:
            self.respondentsTaken.emit(found.respondents)

    def _use(self) -> None:
        found = self.questions.found()
        if found is not None:
            self.questionsTaken.emit(found)

    def _make_buttons(self) -> None:
        titles = (self.tr("One &question"), self.tr("&Strata"), self.tr("Question&naire"))
        told = (
            self.tr("A sample for one question of the whole population."),
            self.tr("A sample that is divided over groups of people."),
            self.tr("A sample for several questions that share an epsilon."),
        )
        for kind, (title, what) in enumerate(zip(titles, told, strict=True)):
            button = QRadioButton(title, self)
            button.setWhatsThis(what)
            self.kinds.addButton(button, kind)
        self.kinds.button(ONE).setChecked(True)
        self.take = QPushButton("", self)
        self.take.setToolTip(self.tr("Puts this number into the supposed survey"))
        self.use = QPushButton(self.tr("All into the p&lan"), self.questions)
        self.use.setToolTip(self.tr("A protected column of the plan for each question"))
        self.questions.table.buttons.addWidget(self.use)
        self.options = QToolButton(self)
        self.options.setText(self.tr("Options"))
        self.options.setAccessibleName(self.tr("Options of the plan"))
        self.options.setToolTip(self.tr("Copy or save the plan, as sentences and numbers"))
        self.options.setProperty("look", "menu")
        self.options.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.options)
        self.options.setMenu(menu)
        self.copying = menu.addAction(self.tr("Cop&y the plan"))
        self.saving = menu.addAction(self.tr("S&ave every number…"))
        self.numbers = menu.addAction(self.tr("Numbers as a &table"))
        self.memo = QCheckBox(self.tr("In the memo"), self)
        self.memo.setToolTip(
            self.tr("Whether this plan is a part of the planning memo (Ctrl+Shift+M)")
        )
        IconBond(self.use, "arrow-right", "text")
        IconBond(self.copying, "content-copy", "muted")
        IconBond(self.saving, "content-save", "muted")

    def _lay_out(self) -> None:
        head = lay_row(*self.kinds.buttons(), STRETCH, self.confidence, spacing=8)
        foot = lay_row(self.memo, STRETCH, self.take, self.options, spacing=8)
        lay_column(
            head,
            (self.stack, 1),
            self.refusal,
            self.sentence,
            self.notes,
            foot,
            spacing=_GAP,
            on=self,
        )

    def _connect(self) -> None:
        self.kinds.idClicked.connect(self._choose)
        self.confidence.changed.connect(self._touch)
        for pane in self.panes:
            pane.changed.connect(self._touch)
        self.memo.clicked.connect(self._keep_in_memo)
        self.take.clicked.connect(self._take)
        self.use.clicked.connect(self._use)
        self.copying.triggered.connect(self.copy)
        self.saving.triggered.connect(self.save)
        self.numbers.triggered.connect(self.show_table)
