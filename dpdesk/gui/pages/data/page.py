"""The Data page: list of columns and column editor, or the start view."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFormLayout,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from dpdesk.data.missing_codes import TypedCodes
from dpdesk.data.regular_file import is_folder
from dpdesk.data.table import SurveyTable
from dpdesk.errors import DpdeskError
from dpdesk.gui.copied_command import plan_command
from dpdesk.gui.document import Document
from dpdesk.gui.file_commands import endings_of_data, kinds_of_data
from dpdesk.gui.messages import ask_redraft
from dpdesk.gui.open_table import differences, fits, opened_as
from dpdesk.gui.pages.data.codes_dialog import CodesDialog
from dpdesk.gui.pages.data.column_editor import ColumnEditor
from dpdesk.gui.pages.data.column_section import ColumnSelection
from dpdesk.gui.pages.data.confirm_dialog import ConfirmDomains
from dpdesk.gui.pages.data.page_commands import PageCommands
from dpdesk.gui.pages.data.people_dialog import PeopleDialog
from dpdesk.gui.pages.data.question_notice import QuestionNotice
from dpdesk.gui.pages.data.reading_options import ReadingOptions
from dpdesk.gui.pages.data.start_view import StartView
from dpdesk.gui.pages.data.survey_header import LoadingStrip, SurveyHeader
from dpdesk.gui.pages.data.variable_card import VariableCard
from dpdesk.gui.pages.page import Page
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.widgets.boxes import dialog_buttons, lay_column
from dpdesk.gui.widgets.notice_bar import NoticeBar, succeeded
from dpdesk.gui.widgets.number_box import RealBox
from dpdesk.gui.widgets.plain_text import PlainLabel, short_name
from dpdesk.gui.widgets.when_shown import WhenShown
from dpdesk.i18n import N_
from dpdesk.plan import Plan, draft_questionnaire
from dpdesk.plan.code_decisions import SuspectedCode, decide_codes, suspected_in
from dpdesk.plan.given_answers import counted_columns
from dpdesk.plan.persons import UNIT_PATH, repeated_identifier
from dpdesk.preview.command_words import CommandWords


class AllowedUnfit(QDialog):
    """Asks how many answers of a column may be outside its domain.

    Args:
        allowed: The current share.
        parent: The window it belongs to.
    """

    def __init__(self, allowed: Decimal, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Answers that may not fit"))
        meaning = self.tr(
            "Answers that cannot be read or lie outside the domain of their column are counted. "
            "Where they are more than this share, nothing is released: the domain, or how the "
            "file is read, is then likely to be wrong."
        )
        self.share = RealBox(self)
        self.share.setRange(0.0, 100.0)
        self.share.setDecimals(2)
        self.share.setSuffix(self.tr(" % of a column"))
        self.share.setValue(float(100 * allowed))
        form = QFormLayout()
        form.addRow(self.tr("At &most"), self.share)
        lay_column(
            PlainLabel(meaning, wrap=True, parent=self),
            form,
            dialog_buttons(self),
            spacing=12,
            on=self,
        )
        self.setMinimumWidth(440)

    def allowed(self) -> Decimal:
        """The share, from 0 to 1."""
        return (Decimal(repr(self.share.value())) / 100).quantize(Decimal("0.0001"))


class DataPage(Page):
    """Opens data or begins a questionnaire, and declares what each column is.

    Args:
        document: The document.
    """

    key = "data"
    title = N_("Data")
    icon_name = "table"

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self._settings = document.settings
        self._follow_notice: Callable[[], object] = self.read_again
        self._kept = ""
        self._following = WhenShown(self, self._show_plan)
        self.selection = ColumnSelection(document, self)
        self.commands = PageCommands(self.selection, self)
        self.header = SurveyHeader(document, self.commands, parent=self)
        self.loading = LoadingStrip(document.loading, parent=self)
        self.notice = NoticeBar(parent=self)
        self.question = QuestionNotice(document, parent=self)
        self.start = StartView(parent=self)
        self.variables = VariableCard(self.commands, parent=self)
        self.editor = ColumnEditor(self.selection, parent=self)
        self._survey = QSplitter(Qt.Orientation.Horizontal, self)
        self._survey.setHandleWidth(12)
        self._survey.setChildrenCollapsible(False)
        self._survey.addWidget(self.variables)
        self._survey.addWidget(self.editor)
        self._survey.setStretchFactor(0, 4)
        self._survey.setStretchFactor(1, 3)
        self._survey.setSizes([744, 484])
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.start)
        self._stack.addWidget(self._survey)
        column = lay_column(spacing=10, on=self)
        for part in (self.header, self.loading, self.notice, self.question):
            column.addWidget(part)
        column.addWidget(self._stack, 1)
        self._connect()
        self._show_table()

    def show_path(self, path: str) -> None:
        names = [
            c.name for c in self.document.plan.columns if path.startswith(f"columns.{c.name}.")
        ]
        if path == UNIT_PATH:
            self.decide_people()
            return
        if path.startswith("reading"):
            self.variables.confirm_button.setFocus()
            return
        if not names:
            self._first().setFocus()
            return
        # A name may contain a dot: the longest match is meant.
        name = max(names, key=len)
        self.variables.view.choose(name)
        self.editor.focus_field(path.removeprefix(f"columns.{name}.").partition(".")[0])

    def command(self) -> CommandWords | None:
        """The command that checks the plan, or drafts one where nobody decided on it.

        Raises:
            PlanError: The plan was not saved as it is shown.
        """
        return plan_command(self.document)

    def panes(self) -> list[QWidget]:
        return [self._first()] if self._is_start() else [self.variables.view, self.editor]

    def page_actions(self) -> list[QAction]:
        return self.commands.actions()

    def cancel(self) -> bool:
        running = self.document.loading.is_running
        self.document.loading.cancel()
        return running

    def shut_down(self) -> None:
        self.selection.reasons.shut_down()

    def open_file(self, path: Path) -> None:
        """Opens a plan, data or a release; errors are shown on the page."""
        self.notice.clear()
        what = opened_as(path)
        if what == "release":
            self.document.releaseAsked.emit(path)
        elif what == "data":
            self.document.open_table(path)
        elif self.document.confirm_leaving() and succeeded(
            partial(self.document.open_plan, path), self.notice.show_notice
        ):
            self._settings.add_recent(path)

    def begin_questionnaire(self, respondents: int) -> None:
        """Begins a plan for a future survey."""
        self.notice.clear()
        self.document.reset(self.document.defaults.of(draft_questionnaire(respondents)))
        self.commands.add.trigger()

    def read_again(self) -> None:
        """Asks how to read the file, and reads it again."""
        path = self.document.asked_path
        if path is None:
            return
        table = self.document.table
        same = table is not None and path == self.document.table_path
        reading = table.reading if same and table is not None else None
        plan = self.document.plan
        dialog = ReadingOptions(
            path.name,
            reading,
            self.window(),
            is_confirmed=plan.reading_confirmed and plan.reading == reading,
            has_decisions=self.document.has_decisions,
            path=path,
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def read() -> None:
            self.notice.clear()
            redraft = same and dialog.redraft.isChecked()
            # The dialog is gone once the question below was answered.
            confirmed, parts = dialog.confirmed.isChecked(), dialog.parts()
            if redraft and self.document.has_decisions and not ask_redraft(self.window()):
                return
            self.document.open_table(path, redraft=redraft, is_confirmed=confirmed, **parts)

        dialog.accepted.connect(read)
        dialog.open()

    def confirm_all(self) -> None:
        """Asks which domains are public knowledge, and confirms them as one step."""
        self._confirm(None)

    def confirm_chosen(self) -> None:
        """Asks the same of the chosen columns only."""
        self._confirm(frozenset(column.name for column in self.selection.several))

    def _confirm(self, names: frozenset[str] | None) -> None:
        given = counted_columns(self.document.plan, self.document.table)
        dialog = ConfirmDomains(self.document.plan, given, self.window(), names=names)
        self._edit_by(dialog, self.tr("Confirm domains and reading"), dialog.confirmed)

    def _edit_by(self, dialog: QDialog, text: str, change: Callable[[Plan], Plan]) -> None:
        """Opens a dialog; what it makes of the plan is a step of undo.

        Args:
            dialog: The dialog.
            text: Name of the edit, for the Edit menu.
            change: Returns the plan as the dialog changes it, once it was accepted.
        """
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def edit() -> None:
            try:
                plan = change(self.document.plan)
            except Refused as error:
                self.notice.show_until_mended(refusal_of(error))
                return
            self.document.edit(text, plan)

        dialog.accepted.connect(edit)
        dialog.open()

    def decide_codes(self) -> None:
        """Asks which codes mean no answer, once for every column that has one."""
        table = self.document.table
        if table is None:
            return
        dialog = CodesDialog(self._suspected(table), self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def decide(codes: TypedCodes, first: bool) -> None:
            try:
                plan = decide_codes(self.document.plan, table, codes, first=first)
            except Refused as error:
                self.notice.show_until_mended(refusal_of(error))
                return
            self.document.edit(self.tr("Decide on codes of no answer"), plan)
            dialog.show_codes(self._suspected(table))

        dialog.decided.connect(decide)
        dialog.open()

    def _suspected(self, table: SurveyTable) -> tuple[SuspectedCode, ...]:
        return suspected_in(self.document.plan, table, self.document.answers.find_open)

    def decide_people(self) -> None:
        """Asks what of people in several rows counts."""
        plan, table = self.document.plan, self.document.table
        found = None if table is None else repeated_identifier(table.in_file)
        dialog = PeopleDialog(plan, found, table, self.window())
        self._edit_by(dialog, self.tr("Say what of each person counts"), dialog.decided)

    def allow_unfit(self) -> None:
        """Asks how many answers may be outside their domains."""
        dialog = AllowedUnfit(self.document.plan.allowed_unfit, self.window())
        text = self.tr("Change how many answers may not fit")
        self._edit_by(dialog, text, lambda plan: plan.with_fields(allowed_unfit=dialog.allowed()))

    def _connect(self) -> None:
        document, commands, view = self.document, self.commands, self.variables.view
        document.planChanged.connect(self._following.request)
        document.tableChanged.connect(self._show_table)
        document.pathChanged.connect(self._take_paths)
        document.problemsChanged.connect(self._show_problems)
        document.failed.connect(self._show_failure)
        document.noticeRaised.connect(self._show_opened_otherwise)
        document.planKept.connect(self._show_kept)
        commands.refused.connect(self.notice.show_until_mended)
        commands.filterAsked.connect(self.variables.focus_filter)
        commands.several.confirmAsked.connect(self.confirm_chosen)
        commands.confirmAsked.connect(self.confirm_all)
        commands.codesAsked.connect(self.decide_codes)
        commands.peopleAsked.connect(self.decide_people)
        commands.readingAsked.connect(self.read_again)
        commands.allowAsked.connect(self.allow_unfit)
        commands.added.connect(self._begin_question)
        self.variables.decideAsked.connect(lambda name: self.show_path(f"columns.{name}.missing"))
        view.chosen.connect(self._choose)
        view.severalChosen.connect(self._choose_several)
        view.editAsked.connect(self.editor.focus_field)
        self.editor.rows.columnChosen.connect(view.choose)
        self.notice.actionTriggered.connect(self._act_on_notice)
        self.header.openAsked.connect(self.open_data)
        self.editor.open_button.clicked.connect(self.open_data)
        self.header.planAsked.connect(lambda: self.goTo.emit("plan", ""))
        self.start.openAsked.connect(self._ask_file)
        self.start.fileAsked.connect(self.open_file)
        self.start.releaseAsked.connect(lambda: document.releaseAsked.emit(None))
        self.start.sampleAsked.connect(document.open_sample)
        self.start.questionnaireAsked.connect(self.begin_questionnaire)
        self.start.placeAsked.connect(self.goTo)

    def _is_start(self) -> bool:
        return self.document.table is None and self.document.plan == Plan()

    def _first(self) -> QWidget:
        return self.start.open_button if self._is_start() else self.variables.view

    def _choose(self, name: str) -> None:
        self.editor.commit()
        self.selection.choose(name or None)
        self.commands.follow()

    def _choose_several(self) -> None:
        names = self.variables.view.names()
        self.selection.choose_several(names)
        self.variables.strip.show_count(len(names))
        self.commands.several.follow()

    def _begin_question(self, name: str) -> None:
        self.variables.view.choose(name)
        self.editor.focus_field("name")

    def _ask_file(self) -> None:
        kinds = self.tr("Data and plans ({endings});;All files (*)")
        kinds = kinds.replace("{endings}", endings_of_data())
        path = self._ask(kinds)
        if path is not None:
            self.open_file(path)

    def open_data(self) -> None:
        """Opens the data that the plan was last used with, or asks for a file."""
        path = self._known_data() or self._ask(kinds_of_data())
        if path is not None:
            self.notice.clear()
            self.document.open_table(path)

    def _ask(self, kinds: str) -> Path | None:
        known = self.document.table_path or next(iter(self._settings.recent_files()), Path.home())
        folder = known if is_folder(known) else known.parent
        chosen, _ = QFileDialog.getOpenFileName(self, self.tr("Open"), str(folder), kinds)
        return Path(chosen) if chosen else None

    def _show_plan(self) -> None:
        table, told = self.document.table, self._kept and self._kept == self.notice.message()
        if told and table is not None and not differences(self.document.plan, table):
            self._show_notice()
        self._show_head()
        self.variables.set_plan(self.document.plan)
        self.editor.show_column()
        self.commands.follow()

    def _show_problems(self) -> None:
        if self.isVisible():
            self.editor.show_column()

    def _known_data(self) -> Path | None:
        """The data that the open plan was last used with; None with data."""
        plan = self.document.plan_path
        if plan is None or self.document.table is not None:
            return None
        return self._settings.data_of(plan)

    def _known_plan(self) -> Path | None:
        """The plan that the open data were last used with; None with a plan of one's own."""
        document = self.document
        if document.plan_path is not None or document.is_dirty or document.table_path is None:
            return None
        return self._settings.plan_of(document.table_path)

    def _take_paths(self) -> None:
        """Remembers plan and data that belong to each other, and offers the one that lacks."""
        document = self.document
        plan, data, table = document.plan_path, document.table_path, document.table
        belong = table is not None and fits(document.plan, table)
        if belong and plan is not None and data is not None:
            self._settings.add_pair(plan, data)
        self._show_head()
        self._show_notice()

    def _act_on_notice(self) -> None:
        self._follow_notice()

    def _show_notice(self) -> None:
        """Tells how the data were read, and offers the plan or the data that belong to it."""
        table, plan, data = self.document.table, self._known_plan(), self._known_data()
        told = [] if table is None else list(table.notices)
        action, self._follow_notice = "", self.read_again
        if plan is not None and table is not None:
            words = self.tr("{data} was used with the plan {plan} before.")
            told.insert(0, words.format(data=table.name, plan=plan.name))
            action = self.tr("Open {name}").format(name=short_name(plan.name))
            self._follow_notice = lambda: self.open_file(plan)
        elif data is not None:
            words = self.tr("This plan was used with {data} before.")
            told.insert(0, words.format(data=data.name))
            action = self.tr("Open {name}").format(name=short_name(data.name))
            self._follow_notice = self.open_data
        elif table is not None and self.document.table_path is not None:
            action = self.tr("Reading options…")
        if told:
            self.notice.show_notice("info", "\n".join(told), action)
        else:
            self.notice.clear()

    def _show_table(self) -> None:
        self.selection.reasons.set_table(self.document.table)
        self.editor.show_table()
        self._show_plan()
        self._show_notice()

    def _show_head(self) -> None:
        start = self._is_start()
        self.header.setVisible(not start)
        self._stack.setCurrentWidget(self.start if start else self._survey)
        if start:
            self.start.show_recent(self._settings.recent_files())
        self.header.show_document(self._known_data())

    def _show_opened_otherwise(self, sentence: str) -> None:
        self.goTo.emit(self.key, "")
        self._follow_notice = self.read_again
        self.notice.show_notice("info", sentence, self.tr("Reading options…"))

    def _show_kept(self, sentences: str) -> None:
        """Tells that the data have other columns than the plan, on whatever page they came."""
        self.goTo.emit(self.key, "")
        self._follow_notice, self._kept = self.document.begin_plan, sentences
        # The sample has no file to be read anew.
        action = self.tr("Start a new plan") if self.document.table_path is not None else ""
        self.notice.show_notice("warning", sentences, action)

    def _show_failure(self, error: DpdeskError) -> None:
        # Shown where it can be corrected, whichever page the file was opened from.
        self.goTo.emit(self.key, "")
        self._follow_notice = self.read_again
        self.notice.show_notice("error", str(error), self.tr("Reading options…"))
