"""The answers of the room: two numbers that are typed in or pasted."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import QRegularExpression, QSize, Qt, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QRegularExpressionValidator,
)
from PySide6.QtWidgets import QLineEdit, QWidget

from dpdesk.demonstrations import Tallies
from dpdesk.errors import InputError
from dpdesk.gui.stage.look import TODO, Look
from dpdesk.gui.widgets.boxes import STRETCH, lay_row
from dpdesk.gui.widgets.commit_line import limit_length
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.i18n import N_
from dpdesk.numbers import grouped_number

_LONGEST = 9
_YES_WORDS = N_("yes|y|true")
_NO_WORDS = N_("no|n|false")
_PART = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)|\d+|[^\W\d_]+|[^\s,;/:=|]")
_SILENT = frozenset({"and", "said", "people", "persons", "respondents", "answers"})
"""Words beside numbers that do not change what they count."""
_HEADS = frozenset({"answer", "answers", "response", "responses", "count", "counts", "number"})
"""Words of a line above a column of answers, or of counts."""
_DIGITS = "0123456789,"
_TURNING = (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Up, Qt.Key.Key_Down)
"""Keys of a clicker, and those that a line of text has no use for."""


class TalliesField(QWidget):
    """How many of how many said yes; a pasted list of answers is counted.

    Attributes:
        given: Emitted with the `Tallies`, or None where a number is missing or impossible.
        left: Emitted where Esc leaves it.
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
        try:
            return self._typed()
        except InputError:
            return None

    def set_tallies(self, tallies: Tallies | None) -> None:
        """Shows numbers; emits nothing."""
        self.yes.setText("" if tallies is None else str(tallies.yes))
        self.asked.setText("" if tallies is None else str(tallies.asked))
        self.problem.setText("")

    def begin(self, digit: str) -> None:
        """Takes a digit that was typed elsewhere: numbers are typed anew."""
        self.yes.setFocus()
        self.yes.selectAll()
        self.yes.insert(digit)
        self._tell()

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

    def _typed(self) -> Tallies | None:
        """The numbers as they are typed; None where one is missing.

        Raises:
            InputError: One is not a number, or the two are impossible together.
        """
        texts = (self.yes.text(), self.asked.text())
        if not all(texts):
            return None
        yes, asked = (grouped_number(text) for text in texts)
        if yes is None or asked is None:
            raise InputError(self.tr("These are not two numbers."))
        return Tallies(yes, asked).checked()

    def _tell(self) -> None:
        problem = ""
        try:
            found = self._typed()
        except InputError as error:
            found, problem = None, error.message
        self.problem.setText(problem)
        self.given.emit(found)

    def _paste(self, text: str) -> None:
        """Takes "12 of 30", "12 yes 18 no", or a list of answers, which is counted."""
        try:
            found = tallies_of(text)
        except InputError as error:
            self.problem.setText(error.message)
            return
        if found is None:
            self.problem.setText(self.tr("neither two numbers nor a list of yes and no"))
            return
        self.set_tallies(found)
        self._tell()


def tallies_of(text: str) -> Tallies | None:
    """Reads tallies from a pasted text: two numbers, two counts, or the answers one by one.

    Returns:
        The tallies; None where the text holds something else.

    Raises:
        InputError: The text holds tallies, and they are impossible, as `Tallies.checked` says.
    """
    found = _PART.findall(_without_head(text).lower().rstrip().rstrip("."))
    parts = [part for part in found if part not in _SILENT]
    numbers = [number for part in parts if (number := grouped_number(part)) is not None]
    shape = "".join(_shape_of(part) for part in parts)
    if shape == "#" and "," in parts[0]:
        raise InputError(
            f"“{parts[0]}” may be one number or two.",
            remedy="Write “of” between how many said yes and how many answered.",
        )
    if parts in (["0", "1"], ["1", "1"]):
        raise InputError(
            f"“{' '.join(parts)}” may be two answers, or how many of how many.",
            remedy=f"Write answers as words, and tallies as “{' of '.join(parts)}”.",
        )
    if parts and set(shape) <= {"y", "n"}:
        return Tallies(shape.count("y"), len(parts)).checked()
    if len(parts) > 1 and set(parts) <= {"0", "1"}:
        return Tallies(parts.count("1"), len(parts)).checked()
    if shape == "##" and len(found) > len(parts):
        # "12 answers, 30 people": nobody knows which number is which.
        return None
    for shapes, read in _SHAPES:
        if shape in shapes:
            return Tallies(*read(numbers)).checked()
    return None


_SHAPES: tuple[tuple[tuple[str, ...], Callable[[list[int]], tuple[int, int]]], ...] = (
    (("##", "#of#", "#outof#", "#yof#", "y#of#", "#of#y"), lambda n: (n[0], n[1])),
    (("#y#n", "y#n#", "yn##"), lambda n: (n[0], sum(n))),
    (("#n#y", "n#y#", "ny##"), lambda n: (n[1], sum(n))),
)
"""Which numbers of a text are how many said yes, and how many answered, by its shape."""


def _without_head(text: str) -> str:
    """A pasted column without the line above it, which is a question or says what is below."""
    head, line, rest = text.strip().partition("\n")
    words = _PART.findall(head.lower())
    named = "?" in words or any(word in _HEADS for word in words)
    return rest if line and named and not any(map(str.isdigit, head)) else text


def _shape_of(part: str) -> str:
    """What a part of a pasted text is: "#" a number, "y" or "n" an answer, or a joining word."""
    if grouped_number(part) is not None:
        return "#"
    if part in _YES_WORDS.split("|"):
        return "y"
    if part in _NO_WORDS.split("|"):
        return "n"
    return part if part in ("of", "out") else "?"


class _NumberLine(QLineEdit):
    """A line for a number: what types no number goes on to the stage, as if it had the focus."""

    pasted = Signal(str)
    left = Signal()

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setToolTip(self.tr("A number; or paste the list of answers, yes and no"))
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        # No letter of a key of the stage, nor one from an input method.
        self.setValidator(QRegularExpressionValidator(QRegularExpression("[0-9,]*"), self))
        limit_length(self, _LONGEST)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if event.matches(QKeySequence.StandardKey.Paste):
            self.pasted.emit(QGuiApplication.clipboard().text())
        elif key == Qt.Key.Key_Escape:
            self.left.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.focusNextChild()
        elif self._goes_on(event):
            # The stage moves, darkens or changes its letters.
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _goes_on(self, event: QKeyEvent) -> bool:
        """Whether a key does nothing in this line."""
        bare = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        )
        at, key = self.cursorPosition(), Qt.Key(event.key())
        if bare and not self.hasSelectedText():
            if key == Qt.Key.Key_Left:
                return at == 0
            if key == Qt.Key.Key_Right:
                return at == len(self.text())
        if key in _TURNING:
            return True
        text = event.text()
        return bool(text) and text.isprintable() and text not in _DIGITS
