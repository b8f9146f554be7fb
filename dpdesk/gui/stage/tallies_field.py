"""The answers of the room: two numbers that are typed in or pasted."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from dpdesk.demonstrations import Tallies
from dpdesk.gui.stage.look import TODO, Look
from dpdesk.gui.widgets.boxes import STRETCH, lay_row
from dpdesk.gui.widgets.commit_line import limit_length
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.i18n import N_
from dpdesk.numbers import grouped_number

_LONGEST = 9
_YES_WORDS = N_("yes|y|1|true")
_NO_WORDS = N_("no|n|0|false")
_PART = re.compile(r"[\s,;/]+")


class TalliesField(QWidget):
    """How many of how many said yes; a pasted list of answers is counted.

    Attributes:
        given: Emitted with the `Tallies`, or None where a number is missing or impossible.
        left: Emitted where Esc or the arrows up and down leave it.
    """

    given = Signal(object)
    left = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.yes = _NumberLine(self.tr("How many said yes"), self)
        self.asked = _NumberLine(self.tr("How many answered"), self)
        self._of = PlainLabel(self.tr("of"), parent=self)
        self._said = PlainLabel(self.tr("in this room said yes"), parent=self)
        self.problem = PlainLabel("", "danger", parent=self)
        parts = (self.yes, self._of, self.asked, self._said, self.problem)
        self._row = lay_row(*parts, STRETCH, on=self)
        for line in (self.yes, self.asked):
            line.textEdited.connect(lambda _: self._tell())
            line.pasted.connect(self._paste)
            line.left.connect(self.left)

    def tallies(self) -> Tallies | None:
        """The numbers; None where one is missing or impossible."""
        yes, asked = (grouped_number(line.text()) for line in (self.yes, self.asked))
        if yes is None or asked is None or not 0 <= yes <= asked or asked < 1:
            return None
        return Tallies(yes, asked)

    def set_tallies(self, tallies: Tallies | None) -> None:
        """Shows numbers, without telling anybody."""
        self.yes.setText("" if tallies is None else str(tallies.yes))
        self.asked.setText("" if tallies is None else str(tallies.asked))
        self.problem.setText("")

    def set_look(self, look: Look) -> None:
        """Gives it letters of a size."""
        font = look.font_of(TODO)
        for part in (self.yes, self._of, self.asked, self._said, self.problem):
            part.setFont(font)
        for line in (self.yes, self.asked):
            line.setFixedWidth(round(look.metrics(TODO).horizontalAdvance("0" * 8)))
            line.setFixedHeight(round(1.5 * look.metrics(TODO).height()))

    def wanted(self, look: Look) -> QSize:
        """The room that it needs with letters of a size."""
        self.set_look(look)
        return self._row.totalMinimumSize()

    def _tell(self) -> None:
        found = self.tallies()
        typed = [grouped_number(line.text()) for line in (self.yes, self.asked)]
        wrong = found is None and all(line.text() for line in (self.yes, self.asked))
        words = self.tr("not numbers") if None in typed else self.tr("more than answered")
        self.problem.setText(words if wrong else "")
        self.given.emit(found)

    def _paste(self, text: str) -> None:
        """Takes two numbers "12 of 30", or a list of answers, which is counted."""
        found = tallies_of(text)
        if found is None:
            self.problem.setText(self.tr("neither two numbers nor a list of yes and no"))
            return
        self.set_tallies(found)
        self._tell()


def tallies_of(text: str) -> Tallies | None:
    """Reads tallies from a pasted text: two numbers, or answers yes and no, one after the other.

    Returns:
        The tallies; None where the text holds something else.
    """
    parts = [part for part in _PART.split(text.strip().lower()) if part]
    numbers = [grouped_number(part) for part in parts if part not in ("of", "yes", "no")]
    if len(numbers) == 2 and None not in numbers and parts[0] not in ("0", "1"):
        yes, asked = numbers
        if yes is not None and asked is not None and 0 <= yes <= asked and asked > 0:
            return Tallies(yes, asked)
        return None
    yeses, noes = _YES_WORDS.split("|"), _NO_WORDS.split("|")
    if not parts or any(part not in (*yeses, *noes) for part in parts):
        return None
    return Tallies(sum(part in yeses for part in parts), len(parts))


class _NumberLine(QLineEdit):
    """A line for a number that hands what is pasted on, and arrows too."""

    pasted = Signal(str)
    left = Signal()

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setToolTip(self.tr("A number; or paste the list of answers, yes and no"))
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        limit_length(self, _LONGEST)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pastes as a whole; Esc, Return and the arrows up and down leave the line."""
        if event.matches(QKeySequence.StandardKey.Paste):
            self.pasted.emit(QGuiApplication.clipboard().text())
        elif event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.focusNextChild()
        else:
            super().keyPressEvent(event)
