"""The Data page: header, list of columns and column editor, or the start view."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QFileDialog,
    QProgressBar,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from dpdesk.data.regular_file import is_folder
from dpdesk.engine.jobs import Progress
from dpdesk.errors import DpdeskError
from dpdesk.gui.actions import ActionButton
from dpdesk.gui.document import Document
from dpdesk.gui.file_commands import endings_of_data, kinds_of_data
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.pages.data.column_editor import ColumnEditor
from dpdesk.gui.pages.data.column_section import ColumnSelection
from dpdesk.gui.pages.data.column_words import (
    columns_words,
    questions_words,
    respondents_words,
)
from dpdesk.gui.pages.data.dialogs import AllowedUnfit, ConfirmDomains, ReadingOptions
from dpdesk.gui.pages.data.page_commands import PageCommands
from dpdesk.gui.pages.data.start_view import RespondentsField, StartView
from dpdesk.gui.pages.data.variable_card import VariableCard
from dpdesk.gui.pages.page import Page
from dpdesk.gui.settings import Settings
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.page_header import PageHeader
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel
from dpdesk.gui.widgets.when_shown import WhenShown
from dpdesk.i18n import N_
from dpdesk.plan import Plan, confirm_domains, draft_questionnaire
from dpdesk.plan.column_changes import set_confirmed_by


class SurveyHeader(QWidget):
    """The header of the survey with its facts and the next steps.

    Args:
        document: The document.
        commands: The actions of the page.
        parent: Qt's owner.

    Attributes:
        openAsked: Emitted when the user wants to open data for this plan.
        planAsked: Emitted when the user wants to go to the Plan page.
    """

    openAsked = Signal()
    planAsked = Signal()

    def __init__(
        self, document: Document, commands: PageCommands, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._head = PageHeader(parent=self)
        self.respondents = RespondentsField(parent=self)
        self.respondents.valueChanged.connect(self._expect)
        self.respondents.editingFinished.connect(document.end_gesture)
        self._expected = QWidget(self)
        label = PlainLabel(self.tr("Expected &respondents"), "muted", parent=self._expected)
        label.setBuddy(self.respondents)
        lay_row(label, self.respondents, on=self._expected)
        self.open_button = QPushButton(self.tr("Open &its data…"), self)
        self.open_button.clicked.connect(self.openAsked)
        self.plan_button = QPushButton(self.tr("Choose protec&tion"), self)
        self.plan_button.setProperty("look", "primary")
        self.plan_button.clicked.connect(self.planAsked)
        self._head.add_widget(self._expected)
        self._head.add_widget(ActionButton(commands.reading, parent=self))
        self._head.add_widget(self.open_button)
        self._head.add_widget(self.plan_button)
        lay_column(self._head, on=self)

    def facts(self) -> str:
        """The line of facts."""
        table, plan = self._document.table, self._document.plan
        if table is None:
            count = questions_words(len(plan.columns))
            return self.tr("Questionnaire without data · {count}").format(count=count)
        parts = (
            respondents_words(table.rows),
            columns_words(len(table.columns)),
            table.reading.words,
        )
        return " · ".join(parts)

    def show_document(self) -> None:
        """Shows the current document."""
        table, plan = self._document.table, self._document.plan
        name = table.name if table is not None else plan.details.title
        self._head.set_title(name or self.tr("Untitled"))
        self._head.set_subtitle(self.facts())
        self._expected.setVisible(table is None)
        self.open_button.setVisible(table is None)
        self.plan_button.setEnabled(bool(plan.columns))
        if table is None and plan.respondents is not None:
            self.respondents.blockSignals(True)
            self.respondents.setValue(min(plan.respondents, self.respondents.maximum()))
            self.respondents.blockSignals(False)

    def _expect(self, count: int) -> None:
        plan = self._document.plan.with_fields(respondents=count)
        self._document.edit(self.tr("Change the expected respondents"), plan, "respondents")


_STEPS = 1_000


class LoadingStrip(Card):
    """The progress of reading; hidden while nothing is read.

    Args:
        watch: The watch of the job that reads data.
        parent: Qt's owner.
    """

    def __init__(self, watch: JobWatch, *, parent: QWidget | None = None) -> None:
        super().__init__(margin=12, parent=parent)
        self._title = ElidedLabel("", "strong", parent=self)
        self._stage = PlainLabel("", "muted", parent=self)
        self.bar = QProgressBar(self)
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress of reading"))
        self.cancel_button = QPushButton(self.tr("&Cancel"), self)
        self.cancel_button.clicked.connect(watch.cancel)
        words = lay_row((self._title, 1), self._stage, self.cancel_button)
        self.body.addLayout(words)
        self.body.addWidget(self.bar)
        watch.started.connect(self._begin)
        watch.progressed.connect(self._show)
        watch.ended.connect(self.hide)
        self.hide()

    def _begin(self, title: str) -> None:
        self._title.set_text(title)
        self._stage.setText("")
        self.bar.setValue(0)
        self.show()

    def _show(self, progress: Progress) -> None:
        stage = QCoreApplication.translate("Stage", progress.stage)
        if progress.seconds_left is not None and progress.seconds_left >= 1:
            left = self.tr("{stage} · about {seconds} s left")
            stage = left.format(stage=stage, seconds=f"{progress.seconds_left:,.0f}")
        self._stage.setText(stage)
        self.bar.setValue(round(progress.done * _STEPS))


_PLAN_ENDING = ".json"


class DataPage(Page):
    """Opens data or begins a questionnaire, and declares what each column is.

    Args:
        document: The document.
        parent: Qt's owner.
    """

    key = "data"
    title = N_("Data")
    icon_name = "table"

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self._settings = Settings()
        self._following = WhenShown(self, self._show_plan)
        self.selection = ColumnSelection(document, self)
        self.commands = PageCommands(self.selection, self)
        self.header = SurveyHeader(document, self.commands, parent=self)
        self.loading = LoadingStrip(document.loading, parent=self)
        self.notice = NoticeBar(parent=self)
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
        self._survey.setSizes([704, 524])
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.start)
        self._stack.addWidget(self._survey)
        column = lay_column(spacing=10, on=self)
        for part in (self.header, self.loading, self.notice):
            column.addWidget(part)
        column.addWidget(self._stack, 1)
        self._connect()
        self._show_table()

    def show_path(self, path: str) -> None:
        """Shows the column of a path and sets the focus on its field."""
        names = [
            c.name for c in self.document.plan.columns if path.startswith(f"columns.{c.name}.")
        ]
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
        """Ends the background jobs of the page."""
        self.selection.reasons.shut_down()

    def open_file(self, path: Path) -> None:
        """Opens a plan or data; errors are shown on the page."""
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
        """Begins a plan for a future survey."""
        self.notice.clear()
        self.document.reset(draft_questionnaire(respondents))
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
        """Asks how many answers may be outside their domains."""
        dialog = AllowedUnfit(self.document.plan.allowed_unfit, self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def allow() -> None:
            plan = self.document.plan.with_fields(allowed_unfit=dialog.allowed())
            self.document.edit(self.tr("Change how many answers may not fit"), plan)

        dialog.accepted.connect(allow)
        dialog.open()

    def _connect(self) -> None:
        document, commands, view = self.document, self.commands, self.variables.view
        document.planChanged.connect(self._following.request)
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
        self.selection.choose(name or None)
        self.commands.follow()

    def _begin_question(self, name: str) -> None:
        self.variables.view.choose(name)
        self.editor.focus_field("name")

    def _ask_file(self) -> None:
        kinds = self.tr("Data and plans ({endings} *.json);;All files (*)")
        kinds = kinds.replace("{endings}", endings_of_data())
        path = self._ask(kinds)
        if path is not None:
            self.open_file(path)

    def _ask_data(self) -> None:
        path = self._ask(kinds_of_data())
        if path is not None:
            self.notice.clear()
            self.document.open_table(path)

    def _ask(self, kinds: str) -> Path | None:
        known = self.document.table_path or next(iter(self._settings.recent_files()), Path.home())
        folder = known if is_folder(known) else known.parent
        chosen, _ = QFileDialog.getOpenFileName(self, self.tr("Open"), str(folder), kinds)
        return Path(chosen) if chosen else None

    def _show_plan(self) -> None:
        self._show_head()
        self.variables.set_plan(self.document.plan)
        self.editor.show_column()
        self.commands.follow()

    def _show_problems(self) -> None:
        if self.isVisible():
            self.editor.show_column()

    def _show_table(self) -> None:
        self.selection.reasons.set_table(self.document.table)
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
        # Shown where it can be corrected, whichever page the file was opened from.
        self.goTo.emit(self.key, "")
        self.notice.show_notice("error", str(error), self.tr("Reading options…"))
