"""The head of the Data page: the survey, its facts, its next steps; the progress of reading."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesk.engine.jobs import Progress
from dpdesk.gui.actions import ActionButton
from dpdesk.gui.document import Document
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.pages.data.column_words import columns_words, questions_words, respondents_words
from dpdesk.gui.pages.data.page_commands import PageCommands
from dpdesk.gui.pages.data.start_view import RespondentsField
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.page_header import PageHeader
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel, short_name
from dpdesk.gui.widgets.progress_line import STEPS, progress_bar


class SurveyHeader(QWidget):
    """The header of the survey with its facts and the next steps.

    Args:
        document: The document.
        commands: The actions of the page.

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
        label = PlainLabel(self.tr("E&xpected respondents"), "muted", parent=self._expected)
        label.setBuddy(self.respondents)
        lay_row(label, self.respondents, on=self._expected)
        self.open_button = QPushButton(self.tr("Open its data…"), self)
        self.open_button.clicked.connect(self.openAsked)
        self.plan_button = QPushButton(self.tr("Choose protec&tion"), self)
        self.plan_button.setWhatsThis(
            self.tr("Goes to Plan, where the protection of each column is chosen.")
        )
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

    def show_document(self, known_data: Path | None = None) -> None:
        """Shows the current document.

        Args:
            known_data: The data that the plan was last used with, if there are none open.
        """
        table, plan = self._document.table, self._document.plan
        name = table.name if table is not None else plan.details.title
        self._head.set_title(name or self.tr("Untitled"))
        self._head.set_subtitle(self.facts())
        self._expected.setVisible(table is None)
        self.open_button.setVisible(table is None)
        name = "" if known_data is None else short_name(known_data.name).replace("&", "&&")
        opens = self.tr("Open {name}").format(name=name) if name else self.tr("Open its data…")
        self.open_button.setText(opens)
        self.open_button.setProperty("look", "primary" if name else "")
        self.open_button.style().polish(self.open_button)
        self.plan_button.setEnabled(bool(plan.columns))
        if table is None and plan.respondents is not None:
            self.respondents.blockSignals(True)
            self.respondents.setValue(min(plan.respondents, self.respondents.maximum()))
            self.respondents.blockSignals(False)

    def _expect(self, count: int) -> None:
        plan = self._document.plan.with_fields(respondents=count)
        self._document.edit(self.tr("Change the expected respondents"), plan, "respondents")


class LoadingStrip(Card):
    """The progress of reading; hidden while nothing is read.

    Args:
        watch: The watch of the job that reads data.
    """

    def __init__(self, watch: JobWatch, *, parent: QWidget | None = None) -> None:
        super().__init__(margin=12, parent=parent)
        self._title = ElidedLabel("", "strong", parent=self)
        self._stage = PlainLabel("", "muted", parent=self)
        self.bar = progress_bar(self.tr("Progress of reading"), self)
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
        self.bar.setValue(round(progress.done * STEPS))
