"""Which two true answers the plots compare."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLabel, QWidget

from dpdesk.domains import Categorical
from dpdesk.gui.widgets.boxes import STRETCH, lay_column
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.mechanisms import AnyDomain

LISTED_MAX = 2_000
"""Categories that a box lists; an answer out of more of them, and a number, is typed."""


class AnswersDialog(QDialog):
    """Two answers, chosen or typed; the plots follow at once.

    Args:
        title: The attribute.
        domain: The domain that its mechanism sees.
        answers: The codes that are compared now.
        parent: The window it belongs to.

    Attributes:
        answersChosen: Emitted with two codes that differ.
    """

    answersChosen = Signal(int, int)

    def __init__(
        self,
        title: str,
        domain: AnyDomain,
        answers: tuple[int, int],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._domain = domain
        self._answers = answers
        self.setWindowTitle(self.tr("Answers to compare"))
        self.resize(380, 180)
        self._refusal = RefusalLabel(parent=self)
        form = QFormLayout()
        words = (self.tr("&First true answer"), self.tr("&Second true answer"))
        self.fields = []
        for place, text in enumerate(words):
            field = self._field(place, text.replace("&", ""))
            label = QLabel(text, self)
            label.setBuddy(field)
            form.addRow(label, field)
            self.fields.append(field)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, parent=self)
        buttons.rejected.connect(self.close)
        lay_column(
            PlainLabel(title, "heading", wrap=True, parent=self),
            form,
            self._refusal,
            STRETCH,
            buttons,
            margins=None,
            on=self,
        )

    def refusal(self) -> str:
        """Why an answer was refused; empty while none was."""
        return self._refusal.text()

    def _field(self, place: int, name: str) -> QWidget:
        domain, code = self._domain, self._answers[place]
        if isinstance(domain, Categorical) and domain.size <= LISTED_MAX:
            box = ChoiceBox(name, parent=self)
            box.addItems([domain.label(i) for i in range(domain.size)])
            box.setCurrentIndex(code)
            box.activated.connect(lambda chosen: self._take(place, chosen))
            return box
        line = CommitLine(name, parent=self)
        line.set_value(domain.texts[code])
        line.committed.connect(lambda text: self._take_text(place, line, text))
        line.refused.connect(self._refusal.show_sentence)
        return line

    def _take_text(self, place: int, line: CommitLine, text: str) -> None:
        code = int(self._domain.encode([text.strip()])[0])
        if code < 0:
            line.refuse(self.tr("This is no answer of the domain. Type one that is."))
            return
        line.set_value(self._domain.texts[code])
        self._take(place, code)

    def _take(self, place: int, code: int) -> None:
        first, second = self._answers
        chosen = (code, second) if place == 0 else (first, code)
        if chosen[0] == chosen[1]:
            self._refusal.show_sentence(self.tr("Choose two answers that differ."))
            return
        self._refusal.show_sentence("")
        self._answers = chosen
        self.answersChosen.emit(*chosen)
