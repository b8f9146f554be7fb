"""The head of the page: the question, which can be typed, and what follows from the survey."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from dpdesk.gui.help import HelpButton
from dpdesk.gui.icons import IconBond
from dpdesk.gui.widgets.commit_line import CommitLine
from dpdesk.gui.widgets.plain_text import ElidedLabel

_LONGEST = 500


class QuestionHeader(QWidget):
    """The question as a title, a line that says what this page is not, and buttons.

    Args:
        parent: Qt's owner.

    Attributes:
        questionChanged: Emitted with the question when it was typed.
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
        words = self.tr("Simulation: nothing here touches respondents or spends a budget")
        self._subtitle = ElidedLabel(words, "muted", parent=self)
        self.help = HelpButton("simulate", self.tr("Help on this page"), parent=self)
        self.again = QToolButton(self)
        self.again.setAutoRaise(True)
        self.again.setAccessibleName(self.tr("Start over"))
        self.again.setToolTip(self.tr("Start over with the survey as it was at first"))
        IconBond(self.again, "restart", "muted")
        self.sheet = QPushButton(self.tr("&Instruction sheet"), self)
        self.sheet.setToolTip(self.tr("What the respondents get to read, to print (Ctrl+I)"))
        IconBond(self.sheet, "printer", "text")
        self.use = QPushButton(self.tr("&Use in plan"), self)
        self.use.setProperty("look", "primary")
        self.use.setToolTip(
            self.tr("A protected column of the plan with this question and epsilon (Ctrl+Return)")
        )
        IconBond(self.use, "arrow-right", "accent_text")
        words_column = QVBoxLayout()
        words_column.setSpacing(1)
        words_column.addWidget(self.question)
        words_column.addWidget(self._subtitle)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addLayout(words_column, 1)
        for widget in (self.help, self.again, self.sheet, self.use):
            row.addWidget(widget)

    def set_question(self, question: str) -> None:
        """Shows a question without a signal."""
        self.question.set_value(question)

    def _take(self, text: str) -> None:
        self.question.set_value(text)
        self.questionChanged.emit(text)
