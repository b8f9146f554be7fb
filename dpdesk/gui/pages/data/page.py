"""The Data page: what do I have?"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from dpdesk.data.regular_file import is_folder
from dpdesk.errors import DpdeskError
from dpdesk.gui.document import Document
from dpdesk.gui.pages.data.column_changes import set_confirmed_by
from dpdesk.gui.pages.data.column_editor import ColumnEditor
from dpdesk.gui.pages.data.confirm_dialog import ConfirmDomains
from dpdesk.gui.pages.data.desk import ColumnDesk
from dpdesk.gui.pages.data.loading_strip import LoadingStrip
from dpdesk.gui.pages.data.page_commands import PageCommands
from dpdesk.gui.pages.data.reading_options import AllowedUnfit, ReadingOptions
from dpdesk.gui.pages.data.start_view import StartView
from dpdesk.gui.pages.data.survey_header import SurveyHeader
from dpdesk.gui.pages.data.variable_card import VariableCard
from dpdesk.gui.pages.page import Page
from dpdesk.gui.settings import Settings
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.i18n import N_
from dpdesk.plan import Plan, confirm_domains, draft_questionnaire

_PLAN_ENDING = ".json"


class DataPage(Page):
    """Opens data or begins a questionnaire, and says what each column is.

    Args:
        document: What is shown and edited.
        theme: The switch that colours follow.
        parent: Qt's owner.
    """

    key = "data"
    title = N_("Data")
    icon_name = "table"

    def __init__(
        self, document: Document, theme: ThemeSwitch, parent: QWidget | None = None
    ) -> None:
        super().__init__(document, theme, parent)
        self._settings = Settings()
        self._stale = False
        self.desk = ColumnDesk(document, self)
        self.commands = PageCommands(self.desk, theme, self)
        self.header = SurveyHeader(document, self.commands, parent=self)
        self.loading = LoadingStrip(document.loading, parent=self)
        self.notice = NoticeBar(theme, parent=self)
        self.start = StartView(theme, parent=self)
        self.variables = VariableCard(self.commands, theme, parent=self)
        self.editor = ColumnEditor(self.desk, theme, parent=self)
        self._survey = QSplitter(Qt.Orientation.Horizontal, self)
        self._survey.setHandleWidth(12)
        self._survey.setChildrenCollapsible(False)
        self._survey.addWidget(self.variables)
        self._survey.addWidget(self.editor)
        self._survey.setStretchFactor(0, 4)
        self._survey.setStretchFactor(1, 3)
        self._survey.setSizes([704, 524])
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.start)
        self._stack.addWidget(self._survey)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        for part in (self.header, self.loading, self.notice):
            column.addWidget(part)
        column.addWidget(self._stack, 1)
        self._connect()
        self._show_table()

    def show_path(self, path: str) -> None:
        """Shows the column that a path names and puts the focus on the field."""
        names = [
            c.name for c in self.document.plan.columns if path.startswith(f"columns.{c.name}.")
        ]
        if path.startswith("reading"):
            self.variables.confirm_button.setFocus()
            return
        if not names:
            self._first().setFocus()
            return
        # A name may hold a dot: the longest that fits is meant.
        name = max(names, key=len)
        self.variables.view.choose(name)
        self.editor.focus_field(path.removeprefix(f"columns.{name}.").partition(".")[0])

    def showEvent(self, event: QShowEvent) -> None:
        """Catches up with what was edited elsewhere."""
        super().showEvent(event)
        if self._stale:
            self._show_plan()

    def panes(self) -> list[QWidget]:
        """The list of columns and the editor, or the start."""
        return [self._first()] if self._is_start() else [self.variables.view, self.editor]

    def page_actions(self) -> list[QAction]:
        """The actions of the page."""
        return self.commands.actions()

    def cancel(self) -> bool:
        """Cancels reading."""
        running = self.document.loading.is_running
        self.document.loading.cancel()
        return running

    def shut_down(self) -> None:
        """Ends what runs on the page."""
        self.desk.reasons.shut_down()

    def open_file(self, path: Path) -> None:
        """Opens a plan or data; what is wrong with a file is said on the page."""
        self.notice.clear()
        if path.suffix.lower() != _PLAN_ENDING:
            self.document.open_table(path)
            return
        try:
            self.document.open_plan(path)
        except DpdeskError as error:
            self.notice.show_notice("error", str(error))
            return
        self._settings.add_recent(path)

    def begin_questionnaire(self, respondents: int) -> None:
        """Begins a survey that is still to be held."""
        self.notice.clear()
        self.document.reset(draft_questionnaire(respondents))
        self.commands.add.trigger()

    def read_again(self) -> None:
        """Asks how the file is to be read, and reads it again."""
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
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def read() -> None:
            self.notice.clear()
            redraft = same and dialog.redraft.isChecked()
            confirmed = dialog.confirmed.isChecked()
            self.document.open_table(
                path, redraft=redraft, is_confirmed=confirmed, **dialog.parts()
            )

        dialog.accepted.connect(read)
        dialog.open()

    def confirm_all(self) -> None:
        """Asks whether all domains are public knowledge, and confirms them as one step."""
        dialog = ConfirmDomains(self.document.plan, self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def confirm() -> None:
            plan = set_confirmed_by(self.document.plan, dialog.person.text().strip())
            self.document.edit(self.tr("Confirm domains and reading"), confirm_domains(plan))

        dialog.accepted.connect(confirm)
        dialog.open()

    def allow_unfit(self) -> None:
        """Asks how many answers the domains need not have a place for."""
        dialog = AllowedUnfit(self.document.plan.allowed_unfit, self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def allow() -> None:
            plan = self.document.plan.with_fields(allowed_unfit=dialog.allowed())
            self.document.edit(self.tr("Change how many answers may not fit"), plan)

        dialog.accepted.connect(allow)
        dialog.open()

    def _connect(self) -> None:
        document, commands, view = self.document, self.commands, self.variables.view
        document.planChanged.connect(self._show_plan)
        document.tableChanged.connect(self._show_table)
        document.pathChanged.connect(self._show_head)
        document.problemsChanged.connect(self._show_problems)
        document.failed.connect(self._show_failure)
        commands.refused.connect(lambda text: self.notice.show_notice("error", text))
        commands.confirmAsked.connect(self.confirm_all)
        commands.readingAsked.connect(self.read_again)
        commands.allowAsked.connect(self.allow_unfit)
        commands.added.connect(self._begin_question)
        view.chosen.connect(self._choose)
        view.editAsked.connect(self.editor.focus_field)
        self.editor.rows.columnChosen.connect(view.choose)
        self.notice.actionTriggered.connect(self.read_again)
        self.header.openAsked.connect(self._ask_data)
        self.header.planAsked.connect(lambda: self.goTo.emit("plan", ""))
        self.start.openAsked.connect(self._ask_file)
        self.start.fileAsked.connect(self.open_file)
        self.start.sampleAsked.connect(document.open_sample)
        self.start.questionnaireAsked.connect(self.begin_questionnaire)

    def _is_start(self) -> bool:
        return self.document.table is None and self.document.plan == Plan()

    def _first(self) -> QWidget:
        return self.start.open_button if self._is_start() else self.variables.view

    def _choose(self, name: str) -> None:
        self.editor.commit()
        self.desk.choose(name or None)
        self.commands.follow()

    def _begin_question(self, name: str) -> None:
        self.variables.view.choose(name)
        self.editor.focus_field("name")

    def _ask_file(self) -> None:
        kinds = self.tr("Data and plans (*.csv *.tsv *.tab *.txt *.dat *.json);;All files (*)")
        path = self._ask(kinds)
        if path is not None:
            self.open_file(path)

    def _ask_data(self) -> None:
        kinds = self.tr("Delimited text (*.csv *.tsv *.tab *.txt *.dat);;All files (*)")
        path = self._ask(kinds)
        if path is not None:
            self.notice.clear()
            self.document.open_table(path)

    def _ask(self, kinds: str) -> Path | None:
        known = self.document.table_path or next(iter(self._settings.recent_files()), Path.home())
        folder = known if is_folder(known) else known.parent
        chosen, _ = QFileDialog.getOpenFileName(self, self.tr("Open"), str(folder), kinds)
        return Path(chosen) if chosen else None

    def _show_plan(self) -> None:
        if not self.isVisible():
            # Another page edits: what it does, say with a slider, must not wait for this one.
            self._stale = True
            return
        self._stale = False
        self._show_head()
        self.variables.set_plan(self.document.plan)
        self.editor.show_column()
        self.commands.follow()

    def _show_problems(self) -> None:
        if self.isVisible():
            self.editor.show_column()

    def _show_table(self) -> None:
        self.desk.reasons.set_table(self.document.table)
        self.editor.show_table()
        self._show_plan()
        table = self.document.table
        self.notice.clear()
        if table is not None and table.notices:
            options = self.tr("Reading options…") if self.document.table_path else ""
            self.notice.show_notice("info", "\n".join(table.notices), options)

    def _show_head(self) -> None:
        start = self._is_start()
        self.header.setVisible(not start)
        self._stack.setCurrentWidget(self.start if start else self._survey)
        if start:
            self.start.show_recent(self._settings.recent_files())
        self.header.show_document()

    def _show_failure(self, error: DpdeskError) -> None:
        # Said where one mends it, whichever page the file was opened from.
        self.goTo.emit(self.key, "")
        self.notice.show_notice("error", str(error), self.tr("Reading options…"))
