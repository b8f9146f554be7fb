"""An open question about the chosen column: a sentence and a button for each of its two answers."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QWidget

from dpdesk.gui.pages.data.column_section import ColumnSection
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.plan.open_question import OpenQuestion
from dpdesk.plan.open_questions import SuspectedCodes, decide


class QuestionSection(ColumnSection):
    """A part of a column that asks the first open question that is about it."""

    place = ""
    """Which open questions it asks, as `OpenQuestion.place`."""

    def _make_question(self) -> QWidget:
        """Returns the sentence and the buttons, to be laid out."""
        self._asked = QWidget(self)
        self.suspects = PlainLabel("", wrap=True, parent=self)
        self.mean_missing = QPushButton(self.tr(SuspectedCodes.answers[0]), self)
        self.are_answers = QPushButton(self.tr(SuspectedCodes.answers[1]), self)
        self.mean_missing.clicked.connect(lambda _checked: self._decide(first=True))
        self.are_answers.clicked.connect(lambda _checked: self._decide(first=False))
        lay_column(
            self.suspects,
            lay_row(self.mean_missing, self.are_answers, STRETCH, spacing=8),
            spacing=6,
            on=self._asked,
        )
        self._question: OpenQuestion | None = None
        return self._asked

    def _show_question(self, column: ColumnPlan) -> None:
        found = self._selection.document.answers.find_open(column)
        question = next((one for one in found if one.place == self.place), None)
        self._question = question
        self._asked.setVisible(question is not None)
        if question is not None:
            self.suspects.setText(question.sentence)
            self.mean_missing.setText(self.tr(question.answers[0]))
            self.are_answers.setText(self.tr(question.answers[1]))

    def _decide(self, *, first: bool) -> None:
        table, question = self._selection.table, self._question
        if table is None or question is None:
            return
        text = self.tr(question.edit).format(name=self._selection.name)

        def change(plan: Plan, name: str) -> Plan:
            return decide(plan, table, name, type(question), first=first)

        self._tell_refusal(self._selection.edit(text, change))

    def _tell_refusal(self, sentence: str) -> None:
        """Shows why a decision was refused; "" if it was not."""
        raise NotImplementedError
