"""Text of the user's data shown as it is.

Qt takes `<img src=…>` in a label, a message box or a tooltip for markup: a column of that name
would be rendered. A bidirectional control in a name would turn the words of dpdesk around it.
Everything that may hold such text goes through this file.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from itertools import pairwise

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextDocument,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from dpdesk.errors import printable

_BLANKS = "\n\t\N{NO-BREAK SPACE}\N{THIN SPACE}\N{NARROW NO-BREAK SPACE}"
"""Python calls these unprintable; they show as what they are, and dpdesk writes them itself."""


def literal(text: str) -> str:
    """Returns a text with its invisible characters, bidirectional controls too, as escapes.

    It is the rule of the command line, `printable`; only line breaks and blanks stay.
    """
    return text if text.isprintable() else _escaped(text)


# Tables ask for the same cells at every step of a slider; texts such as "2 %" have a blank.
@lru_cache(maxsize=1024)
def _escaped(text: str) -> str:
    return printable(text, _BLANKS)


def plain_tooltip(text: str) -> str:
    """`text` as a tooltip that shows it literally; empty text gives no tooltip."""
    if not text:
        return ""
    return f"<qt>{escape(literal(text)).replace(chr(10), '<br>')}</qt>"


class PlainLabel(QLabel):
    """A label that never renders markup, and shows invisible characters as escapes.

    Args:
        text: What is shown.
        tone: Which style of the theme it takes: "", "muted", "caption", "title", "heading",
            "strong", "strong-muted", "strong-danger", "figure", "stage", "stage-accent",
            "stage-muted", "accent", "danger", "warning" or
            "success".
        wrap: Whether long text breaks into lines.
        buddy: The field that its letter with "&" goes to.
    """

    def __init__(
        self,
        text: str = "",
        tone: str = "",
        *,
        wrap: bool = False,
        buddy: QWidget | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        self.setProperty("tone", tone)
        self.setText(text)
        if buddy is not None:
            self.setBuddy(buddy)

    def setText(self, text: str) -> None:
        super().setText(literal(text))

    def set_tone(self, tone: str) -> None:
        """Changes the style of the text."""
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            self.style().unpolish(self)
            self.style().polish(self)


def counted(count: int, one: str, many: str) -> str:
    """Returns the words for one thing, or those for many with "{count}" filled in."""
    return one if count == 1 else many.format(count=f"{count:,}")


def whole_tooltip(text: str, shown: str, meaning: str = "") -> str:
    """Returns the tooltip of a text that may have no room: the whole of it, then what it means.

    Args:
        text: The whole text, shown literally.
        shown: As much of it as there was room for.
        meaning: A further explanation as a tooltip, from `plain_tooltip`; may be empty.
    """
    if shown == literal(text) or plain_tooltip(text)[4:-5] in meaning:
        return meaning
    parted = f"<br>{meaning.removeprefix('<qt>')}" if meaning else "</qt>"
    return plain_tooltip(text).removesuffix("</qt>") + parted


_NUMBER_AND_UNIT = re.compile(r"(±?\s?[\d.,−-]+)\s+([^\W\d_][^\d→]{2,})")


def without_unit(text: str) -> tuple[str, str]:
    """Returns the number of a text such as "± 1,200 EUR a month", and its unit.

    Where there is no room for both, the unit goes as a whole: "± 1,200 E…" would be read as a
    number of its own. A short unit stays, and so does a text that is not a number with a unit.

    Returns:
        The number, and the unit that was left out; the text itself and "" if none was.
    """
    found = _NUMBER_AND_UNIT.fullmatch(text)
    return (found.group(1), found.group(2)) if found else (text, "")


_CAPTION = 0.85
"""Height of a caption's letters, of those of a line."""


def bold_font(font: QFont) -> QFont:
    """Returns a font in bold."""
    bold = QFont(font)
    bold.setBold(True)
    return bold


def caption_font(font: QFont) -> QFont:
    """Returns a font for the caption below a line in another font."""
    small = QFont(font)
    small.setPointSizeF(font.pointSizeF() * _CAPTION)
    return small


def literal_line(text: str) -> str:
    """Returns a text without line breaks, shown literally."""
    return literal(" ".join(text.splitlines()))


_NAME_MAX = 32


def short_name(name: str) -> str:
    """The name of a file with its ending, cut in its middle to what a button has room for."""
    kept = _NAME_MAX // 2
    return name if len(name) <= _NAME_MAX else f"{name[:kept]}…{name[-kept:]}"


def elided(text: str, font: QFont, width: int) -> str:
    """Returns as much of a text as one line of that many pixels holds, with "…" for the rest."""
    return cut(literal_line(text), QFontMetrics(font), Qt.TextElideMode.ElideRight, width)


def cut(text: str, metrics: QFontMetrics, mode: Qt.TextElideMode, width: int) -> str:
    """Returns as much of a literal text as fits, with "…" at the end that `mode` names.

    Qt puts a joiner beside the sign where it cuts between joined letters, as in Arabic; what shows
    texts literally would show an escape for it.
    """
    return metrics.elidedText(text, mode, max(width, 12)).replace("\N{ZERO WIDTH JOINER}", "")


def elided_parts(text: str, between: str, font: QFont, width: int) -> str:
    """Returns a text of several parts in one line of that many pixels.

    The longest parts give way first, each in its middle: names that differ in one part, or at the
    end of one, stay different.

    Args:
        text: The text.
        between: What stands between its parts.
        font: The font.
        width: The room in pixels.
    """
    metrics = QFontMetrics(font)
    one_line = literal_line(text)
    parts = one_line.split(between)
    left = width - metrics.horizontalAdvance(between) * (len(parts) - 1)
    widths = [metrics.horizontalAdvance(part) for part in parts]
    if sum(widths) <= left:
        return one_line
    most = left
    for place, wide in enumerate(sorted(widths)):
        # What is left for each of the parts that are not shorter than this one.
        most = left // (len(parts) - place)
        if wide > most:
            break
        left -= wide
    middle = Qt.TextElideMode.ElideMiddle
    return between.join(
        part if wide <= most else cut(part, metrics, middle, most)
        for part, wide in zip(parts, widths, strict=True)
    )


def elided_lines(text: str, font: QFont, width: int, lines: int) -> str:
    """Returns as much of a text as so many lines hold, with "…" where that is not all.

    A word that is wider than a line is broken, since a label would cut it without a sign.
    """
    text = literal(text)
    starts = _line_starts(text, font, width)
    kept = starts[: max(lines, 1)]
    cut = elided(text[kept[-1] :], font, width) if len(starts) > len(kept) else text[kept[-1] :]
    parts = [text[a:b] for a, b in pairwise(kept)] + [cut]
    # Between words the label breaks by itself; inside of a word it has to be told.
    broken = (part if part[-1:].isspace() else f"{part}\n" for part in parts[:-1])
    return "".join((*broken, parts[-1]))


def line_count(text: str, font: QFont, width: int, most: int) -> int:
    """Returns how many lines of that width a text takes, at most so many."""
    return max(min(len(_line_starts(literal(text), font, width)), most), 1)


_JOINTS = "_-./ "
"""Behind these a long word may be broken."""


def _line_starts(text: str, font: QFont, width: int) -> tuple[int, ...]:
    """Where the lines of a text begin in that width.

    A word that is wider than a line is broken behind one of its joints, as names of columns have
    them, and between any letters only if it has none.
    """
    return _cached_starts(text, _Letters(font), width)


class _Letters:
    """A font as the key of a cache: Qt's own compare as objects."""

    def __init__(self, font: QFont) -> None:
        self.font, self._key = font, font.key()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Letters) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


# A label asks for its lines up to six times a step: for its height, its least width, its text.
@lru_cache(maxsize=256)
def _cached_starts(text: str, letters: _Letters, width: int) -> tuple[int, ...]:
    font = letters.font
    layout = QTextLayout(text.replace("\n", "\N{LINE SEPARATOR}"), font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    starts = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 1))
        start = line.textStart()
        starts.append(start)
        end = start + line.textLength()
        if end < len(text) and not (text[end - 1].isspace() or text[end].isspace()):
            joint = max(text.rfind(joint, start, end) for joint in _JOINTS)
            if joint >= start:
                line.setNumColumns(joint + 1 - start)
    layout.endLayout()
    return tuple(starts)


class MarkupLabel(QLabel):
    """A label with markup of our own, which holds no text of the data.

    Qt's own painting lays markup out while it paints and then asks to be painted once more: while
    a slider moves, that would be a second picture of the window at every step.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._laid_out = QTextDocument(self)
        self._laid_out.setDocumentMargin(0)
        self._laid_out_for: tuple[str, str, int, str] | None = None
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def _lay_out(self) -> None:
        """Lays the text out, unless it stands already: most repaints change nothing."""
        # The colour of a link is laid out with the text.
        link = QGuiApplication.palette().color(QPalette.ColorRole.Link).name()
        wanted = (self.text(), self.font().key(), self.width(), link)
        if wanted == self._laid_out_for:
            return
        self._laid_out_for = wanted
        # An empty document takes over font and width at once; a full one is laid out for each.
        self._laid_out.clear()
        self._laid_out.setDefaultFont(self.font())
        self._laid_out.setTextWidth(self.width())
        self._laid_out.setHtml(self.text())

    def paintEvent(self, _event: QPaintEvent) -> None:
        self._lay_out()
        context = QAbstractTextDocumentLayout.PaintContext()
        context.palette = self.palette()
        colour = self.palette().color(self.foregroundRole())
        context.palette.setColor(QPalette.ColorRole.Text, colour)
        painter = QPainter(self)
        painter.translate(0, max((self.height() - self._laid_out.size().height()) / 2, 0.0))
        self._laid_out.documentLayout().draw(painter, context)


class ElidedLabel(PlainLabel):
    """A label that ends in "…" where it has no room; its tooltip has the full text.

    Args:
        text: What is shown.
        tone: Which style of the theme it takes.
        lines: How many lines it may have.
        between: What stands between its facts: facts at the end that have no room are left out as
            a whole, and the first one is cut only if it has none either.
    """

    def __init__(
        self,
        text: str = "",
        tone: str = "",
        *,
        lines: int = 1,
        between: str = "",
        parent: QWidget | None = None,
    ) -> None:
        self._full = ""
        self._shorter: tuple[str, ...] = ()
        self._lines = lines
        self._between = between
        super().__init__("", tone, wrap=lines > 1, parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        if lines > 1:
            self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        # One character is the least: a long name must never widen the window.
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * 2)
        self.set_text(text)

    def full_text(self) -> str:
        """The text without elision."""
        return self._full

    def set_text(self, text: str, *shorter: str) -> None:
        """Shows another text, as much of it as there is room for.

        Args:
            text: The text.
            *shorter: Fewer words for the same, from the longest: the first one that has room
                stands for the text before any is cut.
        """
        text, shorter = literal(text), tuple(map(literal, shorter))
        if (text, shorter) == (self._full, self._shorter):
            return
        self._full, self._shorter = text, shorter
        self.setAccessibleName(text)
        self.updateGeometry()
        self._elide()

    def set_lines(self, lines: int) -> None:
        """Changes how many lines it may have; one of several lines keeps one at least."""
        if lines != self._lines:
            self._lines = lines
            self._elide()

    def sizeHint(self) -> QSize:
        width = QFontMetrics(self.font()).horizontalAdvance(self._full)
        # Two pixels more: at exactly its own width, Qt elides some texts all the same.
        return QSize(width + 2, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """No more than the whole text: Qt's own width may be that of the text before.

        A layout gives a label what it wants, or this if it is more.
        """
        return super().minimumSizeHint().boundedTo(self.sizeHint())

    def heightForWidth(self, width: int) -> int:
        if not self.wordWrap():
            return super().heightForWidth(width)
        lines = min(len(_line_starts(self._full, self.font(), width)), self._lines)
        return max(lines, 1) * self.fontMetrics().height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._elide()

    def _fitting(self) -> str:
        """As many whole facts as there is room for; fewer words where the first has none."""
        texts = []
        for text in (self._full, *self._shorter):
            texts.append(text)
            while self._between and self._between in texts[-1]:
                texts.append(texts[-1].rpartition(self._between)[0])
        return next((text for text in texts if self._is_whole(text)), texts[-1])

    def _in_lines(self) -> str:
        """The first text whose lines there is room for, else the one of the fewest words."""
        texts = (self._full, *self._shorter)
        font, width = self.font(), self.width()
        fitting = (t for t in texts if len(_line_starts(t, font, width)) <= self._lines)
        return next(fitting, texts[-1])

    def _is_whole(self, text: str) -> bool:
        return elided(text, self.font(), self.width()) == literal_line(text)

    def _elide(self) -> None:
        if self.wordWrap():
            shown = elided_lines(self._in_lines(), self.font(), self.width(), self._lines)
        else:
            shown = elided(self._fitting(), self.font(), self.width())
        if shown != self.text():
            self.setText(shown)
        tip = whole_tooltip(self._full, shown)
        if tip != self.toolTip():
            self.setToolTip(tip)
