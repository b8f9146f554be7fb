"""The head of the page: which data, how many respondents, how they were read."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.pages.data.action_button import ActionButton
from dpdesk.gui.pages.data.column_words import (
    columns_words,
    questions_words,
    respondents_words,
)
from dpdesk.gui.pages.data.page_commands import PageCommands
from dpdesk.gui.pages.data.respondents_field import RespondentsField
from dpdesk.gui.widgets.page_header import PageHeader
from dpdesk.gui.widgets.plain_text import PlainLabel


class SurveyHeader(QWidget):
    """Names the survey and leads on.

    Args:
        document: What is shown.
        commands: What the buttons do.
        parent: Qt's owner.

    Attributes:
        openAsked: Data for this plan are wanted.
        planAsked: The Plan page is wanted.
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
        row = QHBoxLayout(self._expected)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(label)
        row.addWidget(self.respondents)
        self.open_button = QPushButton(self.tr("Open &its data…"), self)
        self.open_button.clicked.connect(self.openAsked)
        self.plan_button = QPushButton(self.tr("Choose protec&tion"), self)
        self.plan_button.setProperty("look", "primary")
        self.plan_button.clicked.connect(self.planAsked)
        self._head.add_widget(self._expected)
        self._head.add_widget(ActionButton(commands.reading, parent=self))
        self._head.add_widget(self.open_button)
        self._head.add_widget(self.plan_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._head)

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
        """Shows the document as it is now."""
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
