"""Colours, fonts and sizes on the stage, and its words: wrapped, measured, with bold numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextLayout, QTextOption

from dpdesk.demonstrations.picture import Role
from dpdesk.gui.theme import Theme
from dpdesk.gui.widgets.plain_text import literal

DRAWN_WIDTH, DRAWN_HEIGHT = 1360, 850
"""Size of the drawing that all lengths are taken from, in pixels."""

TITLE, SENTENCE, TODO, CAPTION, LABEL, FOOT = 45.0, 28.0, 25.0, 25.0, 21.0, 19.0
"""Heights of letters in that drawing. A caption is 1/34 of the height: read from the back row."""

_NUMBER = re.compile(r"(?<![\w.,])[±−-]?\d(?:[\d.,\u202f]*\d)?(?:[\u00a0\u202f ]?%)?(?!\w)")
_TORN = re.compile(r"(?<=±) (?=\d)|(?<=ε) (?==)|(?<=ε\u00a0=) (?=\S)|(?<=\d) (?=%|pp\b)")
"""Blanks between a number and its sign, letter or unit."""
_LATER = re.compile(r"[.!?…]\s+")


@dataclass(frozen=True)
class Look:
    """How everything on the stage looks at one size.

    Attributes:
        theme: Where colours come from.
        font: Family of all letters.
        space: Pixels of the screen for one pixel of the drawing.
        letters: The same for letters, which can be larger or smaller.
    """

    theme: Theme
    font: QFont
    space: float
    letters: float

    def font_of(self, size: float, *, bold: bool = False) -> QFont:
        """The font for letters of a size in the drawing."""
        font = QFont(self.font)
        font.setPixelSize(max(round(size * self.letters), 6))
        font.setBold(bold)
        return font

    def metrics(self, size: float, *, bold: bool = False) -> QFontMetricsF:
        """The metrics of that font."""
        return QFontMetricsF(self.font_of(size, bold=bold))

    def colour(self, role: Role, place: int = 0) -> QColor:
        """The colour of a role; of several others each has its own, by their places."""
        theme = self.theme
        named = {"now": theme.accent, "before": theme.muted, "truth": theme.series(1)}
        return QColor(named.get(role) or theme.series(2 + place % 6))


class Words:
    """A text within a width, broken into lines, its numbers in bold.

    Args:
        text: The text.
        look: The look.
        size: Height of its letters in the drawing.
        width: The room in pixels.
        colour: The colour; that of text if empty.
        bold: Whether all of it is bold.
        later: Another colour after the first sentence, if any.
        numbers: Whether numbers are bold.
    """

    def __init__(
        self,
        text: str,
        look: Look,
        size: float,
        width: float,
        *,
        colour: str = "",
        bold: bool = False,
        later: str = "",
        numbers: bool = True,
    ) -> None:
        self.text = literal(text)
        self._colour = QColor(colour or look.theme.text)
        self._layout = QTextLayout(whole(self.text), look.font_of(size, bold=bold))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._layout.setTextOption(option)
        self._layout.setFormats(self._formats(later, numbers=numbers and not bold))
        self._layout.setCacheEnabled(True)
        self.height = self._break(max(width, 1.0))
        lines = range(self._layout.lineCount())
        self.width = max((self._layout.lineAt(i).naturalTextWidth() for i in lines), default=0.0)

    @property
    def lines(self) -> int:
        """Into how many lines it is broken."""
        return self._layout.lineCount()

    def paint(self, painter: QPainter, place: QPointF) -> None:
        """Paints it with its upper left corner at a place."""
        painter.setPen(self._colour)
        self._layout.draw(painter, place)

    def line_texts(self) -> tuple[str, ...]:
        """The lines that it is broken into."""
        lines = (self._layout.lineAt(number) for number in range(self._layout.lineCount()))
        return tuple(
            self.text[line.textStart() : line.textStart() + line.textLength()] for line in lines
        )

    def _formats(self, later: str, *, numbers: bool) -> list[QTextLayout.FormatRange]:
        ranges = []
        if later and (end := _LATER.search(self.text)):
            muted = QTextLayout.FormatRange()
            muted.start, muted.length = end.end(), len(self.text) - end.end()
            muted.format.setForeground(QColor(later))
            ranges.append(muted)
        for found in _NUMBER.finditer(self.text) if numbers else ():
            number = QTextLayout.FormatRange()
            number.start, number.length = found.start(), found.end() - found.start()
            number.format.setFontWeight(QFont.Weight.Bold)
            ranges.append(number)
        return ranges

    def _break(self, width: float) -> float:
        height = 0.0
        self._layout.beginLayout()
        while (line := self._layout.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(0, height))
            height += line.height()
        self._layout.endLayout()
        return height


def whole(text: str) -> str:
    """Returns a text whose lines end neither between ± and its number, nor before %."""
    return _TORN.sub("\u00a0", _TORN.sub("\u00a0", text))


def paint_line(
    painter: QPainter,
    text: str,
    rect: QRectF,
    font: QFont,
    colour: QColor,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> None:
    """Paints one line of text into a rectangle, in its vertical middle."""
    painter.setFont(font)
    painter.setPen(colour)
    flags = int(align | Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextDontClip)
    painter.drawText(rect, flags, literal(text))
