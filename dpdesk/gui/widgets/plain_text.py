"""Text of the user's data shown as it is.

Qt takes `<img src=…>` in a label, a message box or a tooltip for markup: a column of that name
would be rendered. A bidirectional control in a name would turn the words of dpdesk around it.
Everything that may hold such text goes through this file.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape

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
    shown = QFontMetrics(font).elidedText(
        literal_line(text), Qt.TextElideMode.ElideRight, max(width, 12)
    )
    # Qt puts a joiner beside the sign between joined letters, as in Arabic; what shows texts
    # literally would show an escape for it.
    return shown.replace("\N{ZERO WIDTH JOINER}", "")


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
    """A line of text that ends in "…" where it has no room; its tooltip has the full text.

    Args:
        text: What is shown.
        tone: Which style of the theme it takes.
    """

    def __init__(self, text: str = "", tone: str = "", *, parent: QWidget | None = None) -> None:
        self._full = ""
        super().__init__("", tone, parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        # One character is the least: a long name must never widen the window.
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * 2)
        self.set_text(text)

    def full_text(self) -> str:
        """The text without elision."""
        return self._full

    def set_text(self, text: str) -> None:
        """Shows another text, as much of it as there is room for."""
        text = literal(text)
        if text != self._full:
            self._full = text
            self.setAccessibleName(text)
            self.updateGeometry()
            self._elide()

    def sizeHint(self) -> QSize:
        width = QFontMetrics(self.font()).horizontalAdvance(self._full)
        # Two pixels more: at exactly its own width, Qt elides some texts all the same.
        return QSize(width + 2, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._elide()

    def _elide(self) -> None:
        shown = elided(self._full, self.font(), self.width())
        if shown != self.text():
            self.setText(shown)
        tip = whole_tooltip(self._full, shown)
        if tip != self.toolTip():
            self.setToolTip(tip)
