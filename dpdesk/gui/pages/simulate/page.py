"""The Simulate page: what will a survey show that is still to be held?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from dpdesk.designs.devices import SCREEN, DeviceChoice
from dpdesk.gui.document import Document
from dpdesk.gui.help import HelpButton
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.page import Page
from dpdesk.gui.pages.simulate.planning import SamplePlanningView
from dpdesk.gui.pages.simulate.results import save_picture, save_results
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.pages.simulate.scenario_kinds import ShareScenario
from dpdesk.gui.pages.simulate.survey_pane import EXPLORE, PANES, SurveyPane
from dpdesk.gui.pages.simulate.survey_tabs import BINARY
from dpdesk.gui.pages.simulate.take_over import TakeOver
from dpdesk.gui.paper import PaperDialog
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.save_dialog import asked_path
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.commit_line import CommitLine, limit_length
from dpdesk.gui.widgets.notice_bar import NoticeBar, succeeded
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs
from dpdesk.i18n import N_
from dpdesk.numbers import whole_number
from dpdesk.preview.command_words import CommandWords
from dpdesk.preview.survey.words import simulate_words
from dpdesk.reports.survey import (
    PlannedQuestions,
    PlanningMemo,
    memo_html,
    question_notes,
    sheet_html,
    sheet_parts,
)

SHEET, MEMO = range(2)


class PapersDialog(PaperDialog):
    """Shows both papers of a scenario and saves them.

    Args:
        scenario: The supposed survey.
        parent: The window it belongs to.
        planned: Adds what was planned of the sample to the memo.
    """

    def __init__(
        self,
        scenario: Scenario[Any],
        parent: QWidget | None = None,
        *,
        planned: Callable[[Any], PlanningMemo] = lambda memo: memo,
    ) -> None:
        super().__init__(parent)
        self._scenario, self._planned = scenario, planned
        self.setWindowTitle(self.tr("Papers of the survey"))
        titles = (self.tr("Instruction sheet"), self.tr("Planning memo"))
        self.tabs = UnderlineTabs(titles, parent=self)
        self.tabs.setAccessibleName(self.tr("Papers of the survey"))
        self.fields = self._make_fields()
        self.notes = PlainLabel("", "muted", wrap=True, parent=self)
        self.screens = QCheckBox(self.tr("Exact chances, for a survey on &screens"), self)
        self.screens.setToolTip(
            self.tr(
                "A program on a screen draws, by a rule for web forms and spreadsheets that the "
                "sheet ends with"
            )
        )
        self.screens.setVisible(self._offers_screen())
        self.screens.toggled.connect(lambda _: self.show_paper())
        self.tabs.currentChanged.connect(lambda _: self.show_paper())
        self._lay_out()
        self.show_paper()

    def others(self) -> tuple[str, ...]:
        """The innocent questions as they were typed."""
        return tuple(field.text() for field in self.fields)

    def _make_fields(self) -> tuple[QLineEdit, ...]:
        fields = []
        for blank in self._scenario.design.blanks:
            field = QLineEdit(self)
            limit_length(field, _LONGEST)
            field.setPlaceholderText(blank.proposal or self.tr("left open, to be filled in"))
            field.setAccessibleName(blank.meaning)
            field.textChanged.connect(lambda _: self.show_paper())
            fields.append(field)
        return tuple(fields)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        form.setVerticalSpacing(4)
        for blank, field in zip(self._scenario.design.blanks, self.fields, strict=True):
            form.addRow(PlainLabel(blank.meaning, "muted", parent=self), field)
        self.above.setSpacing(8)
        self.above.addLayout(lay_row(self.tabs, STRETCH))
        self.above.addLayout(form)
        self.above.addWidget(self.notes)
        self.above.addWidget(self.screens)

    def show_paper(self) -> None:
        super().show_paper()
        scenario = self._scenario
        told: tuple[str, ...] = ()
        if not self.words.text():
            words = scenario.sheet_words(self.others())
            parts = sheet_parts(scenario.design, scenario.question, words, self._choice())
            told = question_notes(parts)
        self.notes.setText("\n".join(told))
        self.notes.setVisible(bool(told))

    def page(self, *, paper: bool = False) -> str:
        scenario = self._scenario
        if self.tabs.currentIndex() == SHEET:
            words = scenario.sheet_words(self.others())
            return sheet_html(
                scenario.design, scenario.question, words, paper=paper, choice=self._choice()
            )
        memo = replace(self._planned(scenario.memo(self.others())), choice=self._choice())
        return memo_html(memo, paper=paper)

    def _choice(self) -> DeviceChoice:
        """The device of the survey, or a screen if that is asked for."""
        return DeviceChoice(SCREEN) if self.screens.isChecked() else self._scenario.choice

    def _offers_screen(self) -> bool:
        """Whether a screen could draw in place of the respondent, and is not chosen already."""
        design, chosen = self._scenario.design, self._scenario.chosen_device
        return not design.no_device and chosen is not SCREEN

    def title(self) -> str:
        return str(self.tabs.tabText(self.tabs.currentIndex()))

    def stem(self) -> str:
        return "instruction-sheet" if self.tabs.currentIndex() == SHEET else "planning-memo"


_LONGEST = 500
_LINE_ENDS = 16
"""What a line of text leaves free around it, in pixels."""


class SimulatePage(Page):
    """Header and notice above the pane of the kind of answer that is looked at."""

    key = "simulate"
    title = N_("Simulate")
    icon_name = "dice-multiple"

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self._answer_notice: Callable[[], None] = self._go_to_plan
        self._take_over = TakeOver(document)
        self._started_over: dict[str, Scenario[Any]] = {}
        self.header = QuestionHeader(parent=self)
        self.notice = NoticeBar(parent=self)
        self._actions = self._make_actions()
        self._stack = QStackedWidget(self)
        lay_column(self.header, self.notice, (self._stack, 1), spacing=10, on=self)
        self._panes: dict[str, SurveyPane[Any]] = {}
        self._kind = BINARY
        self.header.set_question(self.pane.scenario().question)
        self.header.questionChanged.connect(lambda question: self.pane.change(question=question))
        self.header.rooms.currentChanged.connect(self.show_room)
        self.header.use.clicked.connect(self.use_in_plan)
        self.header.sheet.clicked.connect(self.show_sheet)
        self.notice.actionTriggered.connect(self._follow_notice)
        self.notice.closed.connect(lambda: self._started_over.pop(self._kind, None))

    @property
    def pane(self) -> SurveyPane[Any]:
        """The pane that is looked at; one is made when it is first wanted."""
        if self._kind not in self._panes:
            pane = PANES[self._kind](self.document.settings, self)
            pane.card.kind.kindChosen.connect(self.choose_kind)
            pane.impossible.connect(self.notice.show_until_mended)
            pane.exploreAsked.connect(lambda: self.header.rooms.setCurrentIndex(EXPLORE))
            pane.planningMade.connect(lambda planning: self._follow_planning(pane, planning))
            pane.tabs.offer([pane.seed.fold])
            pane.tabs.offer(self._saving)
            pane.tabs.offer(self._others)
            if self._kind == BINARY:
                # Answers are collected through designs of yes or no alone.
                pane.shown.connect(self._tell_design)
            self._stack.addWidget(pane)
            self._panes[self._kind] = pane
            pane.set_room(self.header.rooms.currentIndex())
        return self._panes[self._kind]

    def private_parts(self) -> list[QWidget]:
        return []

    @property
    def planning(self) -> SamplePlanningView:
        """The plan of the sample of the survey that is looked at."""
        return self.pane.planning

    def scenario(self) -> Any:
        """The scenario that is looked at."""
        return self.pane.scenario()

    def set_scenario(self, scenario: Scenario[Any]) -> None:
        """Puts another scenario in force."""
        pane = next(pane for pane in self._panes.values() if type(pane.first) is type(scenario))
        pane.set_scenario(scenario)
        if pane is self.pane:
            self.header.set_question(scenario.question)

    def room(self) -> int:
        """The room that is looked at: `EXPLORE` or `PLAN`."""
        return self.pane.room()

    def show_room(self, room: int) -> None:
        """Goes to a room.

        Args:
            room: `EXPLORE` or `PLAN`.
        """
        self.header.rooms.setCurrentIndex(room)
        self.pane.set_room(room)
        for action in self._saving:
            # Plans of samples have their own ways to be saved.
            action.setEnabled(room == EXPLORE)

    def kind(self) -> str:
        """The kind of answer that is looked at, one of `ANSWER_KINDS`."""
        return self._kind

    def choose_kind(self, kind: str) -> None:
        """Shows what is supposed of another kind of answer, as it was left.

        Args:
            kind: One of `ANSWER_KINDS`.
        """
        self._kind = kind
        pane = self.pane
        self._stack.setCurrentWidget(pane)
        pane.set_room(self.header.rooms.currentIndex())
        self.header.set_question(pane.scenario().question)
        self.notice.clear()
        if kind in self._started_over:
            self._offer_back()
        pane.card.kind.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_path(self, path: str) -> None:
        self.show_room(EXPLORE)
        part, _, typed = path.partition(".")
        respondents = whole_number(typed)
        if part == "respondents" and respondents is not None:
            self.pane.change(respondents=respondents)
            self.header.question.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.pane.card.design.kinds.setFocus(Qt.FocusReason.OtherFocusReason)

    def shows_plan(self) -> bool:
        return False

    def panes(self) -> list[QWidget]:
        return [self.header, *self.pane.panes()]

    def command(self) -> CommandWords:
        return simulate_words(self.scenario().survey)

    def page_actions(self) -> list[QAction]:
        return list(self._actions)

    def cancel(self) -> bool:
        return self.notice.dismiss()

    def new_seed(self) -> None:
        """Draws the surveys again, by the next seed."""
        self.pane.new_seed()

    def start_over(self) -> None:
        """Supposes again what was supposed at first; what stood there can be brought back."""
        self._started_over[self._kind] = self.scenario()
        self.pane.start_over()
        self.header.set_question(self.scenario().question)
        self._offer_back()

    def _offer_back(self) -> None:
        """Offers what was supposed before starting over, until it is taken or closed."""
        self._answer_notice = self._bring_back
        self.notice.show_notice(
            "info", self.tr("The survey is as it was at first."), self.tr("Bring back mine")
        )

    def use_in_plan(self) -> None:
        """Takes question, epsilon and respondents over into the plan, as one step of undo."""
        self._try_taking(lambda: self._take_over.take(self.scenario()))

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
        pane = self.pane
        view = pane.tabs.current()
        if path is None or not isinstance(view, QWidget):
            return
        question, note = pane.scenario().question, pane.note()
        self._tell_saved(path, lambda: save_picture(view, path, question, note, theme_in_force()))

    def save_results(self) -> None:
        """Asks for a file and writes the results of the designs to it, as CSV."""
        title, kinds = self.tr("Save the results"), self.tr("Tables (*.csv)")
        path = asked_path(self, title, "simulation.csv", kinds, (".csv",))
        if path is not None:
            self._tell_saved(path, lambda: save_results(self.scenario(), path))

    def _tell_design(self, scenario: ShareScenario) -> None:
        told = self.document.survey_design, self.document.survey_device
        if (scenario.design, scenario.device) != told:
            self.document.survey_design = scenario.design
            self.document.survey_device = scenario.device
            self.document.surveyDesigned.emit()

    def _show_papers(self, paper: int) -> None:
        dialog = PapersDialog(self.scenario(), self, planned=self.pane.planned)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.tabs.setCurrentIndex(paper)
        dialog.open()

    def _tell_saved(self, path: Path, save: Callable[[], None]) -> None:
        if succeeded(save, self.notice.show_notice):
            saved = self.tr("The simulation was saved as {name}.")
            self.notice.show_notice("success", saved.format(name=path.name))

    def _make_actions(self) -> tuple[QAction, ...]:
        self._saving = (
            self._action(self.tr("Save the &picture…"), "Ctrl+Shift+G", self.save_picture),
            self._action(self.tr("Save the &results…"), "Ctrl+Shift+T", self.save_results),
        )
        memo = self._action(
            self.tr("Planning &memo…"), "Ctrl+Shift+M", self.show_memo, "file-document"
        )
        seed = self._action(self.tr("&New seed"), "Ctrl+R", self.new_seed, "refresh")
        again = self._action(self.tr("Start &over"), "Ctrl+Shift+R", self.start_over, "restart")
        self._others = (memo, seed, again)
        return (
            self._action(self.tr("&Use in plan"), "Ctrl+Return", self.use_in_plan, "arrow-right"),
            self._action(self.tr("&Instruction sheet…"), "Ctrl+I", self.show_sheet, "printer"),
            *self._others,
            *self._saving,
        )

    def _follow_planning(self, pane: SurveyPane[Any], planning: SamplePlanningView) -> None:
        planning.epsilonTaken.connect(lambda epsilon: self._take_epsilon(pane, epsilon))
        planning.questionsTaken.connect(self._use_questions)
        planning.noticeRaised.connect(self.notice.show_notice)
        planning.offer(self._others[:1])

    def _take_epsilon(self, pane: SurveyPane[Any], epsilon: float) -> None:
        succeeded(partial(pane.take_epsilon, epsilon), self.notice.show_notice)

    def _use_questions(self, found: PlannedQuestions) -> None:
        """Takes every question of the questionnaire over into the plan, as one step of undo."""
        self._try_taking(lambda: self._take_over.take_questions(found, self.scenario()))

    def _try_taking(self, take: Callable[[], str]) -> None:
        try:
            words = take()
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

    def _bring_back(self) -> None:
        self.notice.clear()
        self.set_scenario(self._started_over.pop(self._kind))


class QuestionHeader(QWidget):
    """The question as a title, a line that says what this page is not, and buttons.

    Attributes:
        questionChanged: Emitted with the question when it was typed.
        rooms: The choice of what is looked at.
        sheet: The button of the instruction sheet.
        use: The button that takes the design over into the plan.
    """

    questionChanged = Signal(str)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.question = CommitLine(self.tr("The sensitive question"), longest=_LONGEST, parent=self)
        self.question.setProperty("look", "title")
        # The letters stand above those of the line below; a field has a margin of its own.
        self.question.setTextMargins(-4, 0, 0, 0)
        self.question.setPlaceholderText(self.tr("Type the sensitive question"))
        self.question.setToolTip(self.tr("The sensitive question: type your own"))
        self.question.committed.connect(self._take)
        self.subtitle = ElidedLabel(self.tr("A simulation only"), "muted", parent=self)
        self.help = HelpButton("simulate", self.tr("Help on this page"), parent=self)
        self.rooms = UnderlineTabs((self.tr("Explore"), self.tr("Plan the sample")), parent=self)
        self.rooms.setAccessibleName(self.tr("Rooms of the page"))
        self.rooms.setWhatsThis(
            self.tr("What one question would give, or a sample for a wanted error.")
        )
        self.sheet = QPushButton(self.tr("&Instruction sheet"), self)
        self.sheet.setToolTip(self.tr("What the respondents get to read, to print (Ctrl+I)"))
        IconBond(self.sheet, "printer", "text")
        self.use = QPushButton(self.tr("&Use in plan"), self)
        self.use.setProperty("look", "primary")
        self.use.setToolTip(
            self.tr("A protected column of the plan with this question and epsilon (Ctrl+Return)")
        )
        IconBond(self.use, "arrow-right", "accent_text")
        tools = (self.rooms, self.help, self.sheet, self.use)
        lay_column(self.question, lay_row((self.subtitle, 1), *tools, spacing=12), on=self)

    def set_question(self, question: str) -> None:
        """Shows a question without a signal."""
        self.question.set_value(question)

    def _take(self, text: str) -> None:
        self.set_question(text)
        self.questionChanged.emit(text)
