"""The Simulate page: what will a survey show that is still to be held?"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from dpdesk.errors import DpdeskError, ParameterError
from dpdesk.gui.document import Document
from dpdesk.gui.pages.page import Page
from dpdesk.gui.pages.simulate.answer_kind import BINARY, SEVERAL
from dpdesk.gui.pages.simulate.betrayal_view import BetrayalPanel
from dpdesk.gui.pages.simulate.collected_view import CollectedView
from dpdesk.gui.pages.simulate.design_words import design_title
from dpdesk.gui.pages.simulate.estimator_plot import EstimatorPlot
from dpdesk.gui.pages.simulate.figures_row import SurveyFigureRow
from dpdesk.gui.pages.simulate.papers_dialog import MEMO, SHEET, PapersDialog
from dpdesk.gui.pages.simulate.picture import save_picture
from dpdesk.gui.pages.simulate.planning import SamplePlanningView
from dpdesk.gui.pages.simulate.played_survey import PlayedSurvey
from dpdesk.gui.pages.simulate.question_header import QuestionHeader
from dpdesk.gui.pages.simulate.result_table import save_results
from dpdesk.gui.pages.simulate.scales import RESPONDENTS_MIN, percent_text
from dpdesk.gui.pages.simulate.scenario import ShareScenario
from dpdesk.gui.pages.simulate.seed_bar import SeedBar
from dpdesk.gui.pages.simulate.supposed_card import ShareCard
from dpdesk.gui.pages.simulate.surface_plot import SurfacePlot
from dpdesk.gui.pages.simulate.survey_desk import SurveyDesk, number_desk, several_desk
from dpdesk.gui.pages.simulate.survey_tabs import SurveyTabs
from dpdesk.gui.pages.simulate.take_over import TakeOver
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.save_dialog import asked_path
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.throttle import Throttle
from dpdesk.i18n import N_
from dpdesk.report.survey import PlannedQuestions

_CARD_WIDTH = 350


class SimulatePage(Page):
    """The supposed survey on the left, views of what it will show on the right.

    Attributes:
        tabs: The views; `tabs.add(title, view)` adds one.
    """

    key = "simulate"
    title = N_("Simulate")
    icon_name = "dice-multiple"

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        first = self.tr("Have you ever had an extramarital affair?")
        self._scenario = self._first = ShareScenario(question=first)
        self._answer_notice: Callable[[], None] = self._go_to_plan
        self._take_over = TakeOver(document)
        self._impossible = ""
        self._desks: dict[str, SurveyDesk[Any]] = {}
        self._desk: SurveyDesk[Any] | None = None
        self.header = QuestionHeader(parent=self)
        self.notice = NoticeBar(parent=self)
        self.card = ShareCard(parent=self)
        self.card.setFixedWidth(_CARD_WIDTH)
        self.tabs = SurveyTabs(parent=self)
        self.estimator = EstimatorPlot(parent=self)
        self.surface = SurfacePlot(parent=self)
        self._add_views()
        self.seed = SeedBar(parent=self)
        self.figures = SurveyFigureRow(parent=self)
        self._throttle = Throttle(self._refresh, self)
        self._actions = self._make_actions()
        self._lay_out()
        self._connect()
        self.card.show_scenario(self._scenario)
        self.header.set_question(self._scenario.question)
        self._throttle.flush()

    def scenario(self) -> ShareScenario:
        """The scenario in force."""
        return self._scenario

    def set_scenario(self, scenario: ShareScenario) -> None:
        """Puts another scenario in force."""
        self._scenario = scenario
        self.card.show_scenario(scenario)
        self.header.set_question(scenario.question)
        self._throttle.request()

    def desk(self) -> SurveyDesk[Any] | None:
        """What stands on the page for several answers or a number; None for yes or no."""
        return self._desk

    def choose_kind(self, kind: str) -> None:
        """Shows what is supposed of another kind of answer, as it was left.

        Args:
            kind: One of `ANSWER_KINDS`.
        """
        self._desk = None if kind == BINARY else self._desk_of(kind)
        self._stack.setCurrentWidget(self._desk or self._binary)
        self.header.set_question((self._desk or self).scenario().question)
        self.notice.clear()
        (self._desk or self).card.kind.setFocus(Qt.FocusReason.OtherFocusReason)
        self._offer_saving()

    def show_path(self, path: str) -> None:
        """Goes to the design."""
        if self._desk is not None:
            self._desk.card.design.kinds.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.card.design.kinds.setFocus(Qt.FocusReason.OtherFocusReason)

    def panes(self) -> list[QWidget]:
        """Head, scenario, views and figures."""
        if self._desk is not None:
            return [self.header, *self._desk.panes()]
        return [self.header, self.card, self.tabs, self.figures]

    def page_actions(self) -> list[QAction]:
        """What the page can do, for the menu."""
        return list(self._actions)

    def cancel(self) -> bool:
        """Cancels what runs in a view, else closes the notice."""
        for view in self.tabs.views():
            cancel = getattr(view, "cancel", None)
            if cancel is not None and cancel():
                return True
        if self.notice.isVisible():
            self.notice.clear()
            return True
        return False

    def shut_down(self) -> None:
        """Ends what runs in a view."""
        for view in self.tabs.views():
            shut_down = getattr(view, "shut_down", None)
            if shut_down is not None:
                shut_down()

    def new_seed(self) -> None:
        """Holds the surveys anew."""
        if self._desk is not None:
            self._desk.new_seed()
            return
        self._change(seed=self._scenario.seed + 1)

    def start_over(self) -> None:
        """Supposes again what was supposed at first; what stood there can be brought back."""
        supposed = (self._desk or self).scenario()
        first = self._first if self._desk is None else self._desk.first
        (self._desk or self).card.solve.start_over()
        (self._desk or self).tabs.tabs.setCurrentIndex(0)
        self._put_back(first)
        self._answer_notice = lambda: self._bring_back(supposed)
        self.notice.show_notice(
            "info", self.tr("The survey is as it was at first."), self.tr("Bring back mine")
        )

    def use_in_plan(self) -> None:
        """Takes question, epsilon and respondents over into the plan, as one step of undo."""
        try:
            words = (
                self._take_over.take(self._scenario)
                if self._desk is None
                else self._take_over.take(self._desk.scenario())
            )
        except Refused as error:
            self.notice.show_notice("error", refusal_of(error))
            return
        self._answer_notice = self._go_to_plan
        self.notice.show_notice("success", words, self.tr("Go to Plan"))

    def show_sheet(self) -> None:
        """Shows the respondents' instruction sheet, to save or print."""
        self._show_papers(SHEET)

    def show_memo(self) -> None:
        """Shows the planning memo, to save or print."""
        self._show_papers(MEMO)

    def save_picture(self) -> None:
        """Asks for a file and writes the view that is looked at to it, as SVG or PNG."""
        title, kinds = self.tr("Save the picture"), self.tr("Pictures (*.svg *.png)")
        path = asked_path(self, title, "simulation.svg", kinds, (".svg", ".png"))
        view = (self._desk or self).tabs.current()
        if path is None or not isinstance(view, QWidget):
            return
        if self._desk is not None:
            self._save_view(path, view, self._desk.scenario().question, self._desk.note())
            return
        exact, seeded = self.tr("exact"), self.tr("seed {seed}").format(seed=self._scenario.seed)
        note = self.tr("Simulation ({how}): {design}, n = {people}, true share {share}")
        words = note.format(
            how=exact if self._scenario.is_exact else seeded,
            design=design_title(self._scenario.design),
            people=f"{self._scenario.respondents:,}",
            share=percent_text(self._scenario.prevalence),
        )
        self._save_view(path, view, self._scenario.question, words)

    def save_results(self) -> None:
        """Asks for a file and writes the results of the designs to it, as CSV."""
        title, kinds = self.tr("Save the results"), self.tr("Tables (*.csv)")
        path = asked_path(self, title, "simulation.csv", kinds, (".csv",))
        if path is None:
            return
        desk = self._desk
        if desk is None:
            self._tell_saved(path, lambda: save_results(self._scenario, path))
        else:
            self._tell_saved(path, lambda: save_results(desk.scenario(), path))

    def _save_view(self, path: Path, view: QWidget, title: str, words: str) -> None:
        self._tell_saved(path, lambda: save_picture(view, path, title, words, theme_in_force()))

    def _put_back(self, scenario: Any) -> None:
        if isinstance(scenario, ShareScenario):
            self.set_scenario(scenario)
            return
        desk = next(desk for desk in self._desks.values() if type(desk.first) is type(scenario))
        desk.set_scenario(scenario)
        if desk is self._desk:
            self.header.set_question(scenario.question)

    def _bring_back(self, scenario: Any) -> None:
        self.notice.clear()
        self._put_back(scenario)

    def _desk_of(self, kind: str) -> SurveyDesk[Any]:
        """The desk of a kind of answer, made when it is first wanted."""
        if kind not in self._desks:
            make = several_desk if kind == SEVERAL else number_desk
            desk: SurveyDesk[Any] = make(self)
            desk.card.kind.kindChosen.connect(self.choose_kind)
            desk.impossible.connect(self._say_impossible)
            desk.tabs.offer_saving(self._saving)
            self._stack.addWidget(desk)
            self._desks[kind] = desk
        return self._desks[kind]

    def _show_papers(self, paper: int) -> None:
        if self._desk is not None:
            self._open_papers(PapersDialog(self._desk.scenario(), self), paper)
            return
        self.planning.show_scenario(self._scenario)
        dialog = PapersDialog(self._scenario, self, planned=self.planning.add_to_memo)
        self._open_papers(dialog, paper)

    def _open_papers(self, dialog: PapersDialog, paper: int) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.tabs.setCurrentIndex(paper)
        dialog.open()

    def _tell_saved(self, path: Path, save: Callable[[], None]) -> None:
        try:
            save()
        except DpdeskError as error:
            self.notice.show_notice("error", str(error))
            return
        saved = self.tr("The simulation was saved as {name}.")
        self.notice.show_notice("success", saved.format(name=path.name))

    def _add_views(self) -> None:
        self.tabs.add(self.tr("Estimator"), self.estimator)
        self.tabs.add(self.tr("Error by n and ε"), self.surface)
        self.respondents = PlayedSurvey(parent=self)
        self.tabs.add(self.tr("One by one"), self.respondents)
        self.betrayal = BetrayalPanel(parent=self)
        self.tabs.add(self.tr("What answers betray"), self.betrayal)
        self.planning = SamplePlanningView(parent=self)
        self.tabs.add(self.tr("Sample planning"), self.planning)
        self.collected = CollectedView(self.document, parent=self)
        self.collected.dataAsked.connect(lambda: self.goTo.emit("data", ""))
        self.tabs.add(self.tr("Collected answers"), self.collected)

    def _make_actions(self) -> tuple[QAction, ...]:
        self._saving = saving = (
            self._action(self.tr("Save the &picture…"), "Ctrl+Shift+G", self.save_picture),
            self._action(self.tr("Save the &results…"), "Ctrl+Shift+T", self.save_results),
        )
        self.tabs.offer_saving(saving)
        return (
            self._action(self.tr("&Use in plan"), "Ctrl+Return", self.use_in_plan, "arrow-right"),
            self._action(self.tr("&Instruction sheet…"), "Ctrl+I", self.show_sheet, "printer"),
            self._action(
                self.tr("Planning &memo…"), "Ctrl+Shift+M", self.show_memo, "file-document"
            ),
            self._action(self.tr("&New seed"), "Ctrl+R", self.new_seed, "refresh"),
            self._action(self.tr("Start &over"), "Ctrl+Shift+R", self.start_over, "restart"),
            *saving,
        )

    def _lay_out(self) -> None:
        views = Card(parent=self)
        views.body.addWidget(self.tabs, 1)
        views.body.addWidget(self.seed)
        right = QVBoxLayout()
        right.setSpacing(12)
        right.addWidget(views, 1)
        right.addWidget(self.figures)
        right.addWidget(self.planning.figures)
        self.planning.figures.hide()
        self._binary = QWidget(self)
        row = QHBoxLayout(self._binary)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self.card)
        row.addLayout(right, 1)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._binary)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.header)
        column.addWidget(self.notice)
        column.addWidget(self._stack, 1)

    def _connect(self) -> None:
        self.card.scenarioChanged.connect(self._take_scenario)
        self.card.kind.kindChosen.connect(self.choose_kind)
        self.header.questionChanged.connect(self._take_question)
        self.header.use.clicked.connect(self.use_in_plan)
        self.header.sheet.clicked.connect(self.show_sheet)
        self.header.again.clicked.connect(self.start_over)
        self.seed.newSeedAsked.connect(self.new_seed)
        self.seed.seedTyped.connect(lambda seed: self._change(seed=seed))
        self.seed.exactChosen.connect(lambda exact: self._change(exact=exact))
        self.seed.repetitionsChosen.connect(lambda count: self._change(repetitions=count))
        self.notice.actionTriggered.connect(self._follow_notice)
        self.surface.pointTaken.connect(self._take_point)
        self.tabs.viewChosen.connect(self._take_view)
        self.planning.respondentsTaken.connect(lambda n: self._change(respondents=n))
        self.planning.epsilonTaken.connect(self._take_epsilon)
        self.planning.questionsTaken.connect(self._use_questions)
        self.planning.told.connect(self.notice.show_notice)

    def _change(self, **changes: object) -> None:
        self.set_scenario(self._scenario.changed(**changes))

    def _take_question(self, question: str) -> None:
        if self._desk is None:
            self._change(question=question)
        else:
            self._desk.set_question(question)

    def _take_scenario(self, scenario: ShareScenario) -> None:
        # The card does not know the fields that stand elsewhere on the page.
        self._scenario = scenario
        self._throttle.request()

    def _take_view(self, view: object) -> None:
        # Seed and figures are of supposed people; collected answers are of real ones.
        # Other views draw nothing, or have a seed of their own.
        self.seed.setVisible(view is self.estimator)
        self.figures.setVisible(view not in (self.collected, self.planning))
        self.planning.figures.setVisible(view is self.planning)
        self._offer_saving()

    def _offer_saving(self) -> None:
        """Collected answers and plans of samples have their own ways to be saved."""
        own = self._desk is None and self.tabs.current() in (self.collected, self.planning)
        for action in self._saving:
            action.setEnabled(not own)

    def _take_point(self, epsilon: float, respondents: float) -> None:
        """Takes epsilon and respondents; a design that has its own parameters keeps them."""
        changes: dict[str, object] = {"respondents": max(round(respondents), RESPONDENTS_MIN)}
        if self._scenario.design.epsilon_decides:
            with suppress(ParameterError):
                changes["design"] = self._scenario.design.at_epsilon(epsilon)
        self._change(**changes)

    def _take_epsilon(self, epsilon: float) -> None:
        try:
            self._change(design=self._scenario.design.at_epsilon(epsilon))
        except ParameterError as error:
            self.notice.show_notice("error", str(error))

    def _use_questions(self, found: PlannedQuestions) -> None:
        """Takes every question of the questionnaire over into the plan, as one step of undo."""
        try:
            words = self._take_over.take_questions(found)
        except Refused as error:
            self.notice.show_notice("error", refusal_of(error))
            return
        self._answer_notice = self._go_to_plan
        self.notice.show_notice("success", words, self.tr("Go to Plan"))

    def _follow_notice(self) -> None:
        self._answer_notice()

    def _go_to_plan(self) -> None:
        self.notice.clear()
        self.goTo.emit("plan", self._take_over.path())

    def _refresh(self) -> None:
        self.card.show_scenario(self._scenario)
        self.seed.show_scenario(self._scenario)
        self.tabs.show_scenario(self._scenario)
        try:
            self.figures.show_scenario(self._scenario)
        except DpdeskError as error:
            self._say_impossible(str(error))
            return
        self._say_impossible("")

    def _say_impossible(self, sentence: str) -> None:
        """Says why a survey cannot be held, until it is mended."""
        if sentence:
            self.notice.show_notice("error", sentence)
        elif self._impossible and self.notice.message() == self._impossible:
            self.notice.clear()
        self._impossible = sentence
