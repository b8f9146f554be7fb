"""The help: bundled pages, without any network, and the button that opens one."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, QUrl, Signal
from PySide6.QtGui import QColor, QKeySequence, QShortcut, QTextCharFormat
from PySide6.QtWidgets import (
    QLineEdit,
    QListWidget,
    QPushButton,
    QTextBrowser,
    QTextEdit,
    QWidget,
)

from dpdesk.gui.icons import IconButton
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.boxes import SideDialog, lay_column, lay_row
from dpdesk.gui.widgets.commit_line import limit_length
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.requests.registry import REQUESTS
from dpdesk.resources import resource, resource_root

_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKUP = re.compile(r"[*_`#|>]+|-{3,}|^\s*[-+]\s+|\s{2,}", re.MULTILINE)
_REQUEST = re.compile(r'^\[request\]: # "([^"]*)"$', re.MULTILINE)
"""Where a page has the table of the options of a request."""
_KEYWORDS = re.compile(r'^\[keywords\]: # "([^"]*)"$', re.MULTILINE)
"""Other words for what a page is about, on a line below its title that no reader shows."""
_BRITISH = re.compile(r"is(?=(?:e[ds]?|ing|ations?)\b)")
_AROUND = 45
"""Letters before and after the first place of a word, in what is told of a hit."""
_TITLE_WORTH, _KEYWORD_WORTH, _PHRASE_WORTH = 1000, 700, 500
"""A word in the title counts as much as so many in the text, and so do declared words and the words
as they stand."""
_OF_DEVELOPERS = "decisions/"
"""Pages of why it is built so; those of how it is used come first."""


@dataclass(frozen=True)
class Hit:
    """A page that holds all words.

    Attributes:
        page: Its path below `docs`, without suffix.
        title: Its title.
        excerpt: The words around the first place.
        count: How often the words stand on it.
    """

    page: str
    title: str
    excerpt: str
    count: int


@dataclass(frozen=True)
class _Page:
    name: str
    title: str
    text: str
    lower: str
    keywords: str

    def count(self, word: str) -> int:
        """How often the page says a word, or declares it."""
        return self.lower.count(word) + self.keywords.count(word)


def find_in_help(words: str) -> tuple[Hit, ...]:
    """Returns the pages that hold or declare all words, parts of words too; the best first.

    Pages of decisions follow those for users. British and American spellings, "randomised" and
    "randomized", are one word.

    Args:
        words: What is looked for, in any case of letters; nothing finds nothing.
    """
    wanted = _words_of(words)
    if not wanted:
        return ()
    found = []
    for page in _pages():
        counts = [page.count(word) for word in wanted]
        if all(counts):
            in_title = sum(word in _spelt(page.title) for word in wanted)
            declared = sum(word in page.keywords for word in wanted)
            together = page.count(" ".join(wanted)) if len(wanted) > 1 else 0
            worth = _TITLE_WORTH * in_title + _KEYWORD_WORTH * declared + sum(counts)
            found.append((worth + _PHRASE_WORTH * together, page, sum(counts)))
    found.sort(key=lambda one: (one[1].name.startswith(_OF_DEVELOPERS), -one[0], one[1].name))
    return tuple(
        Hit(page.name, page.title, _excerpt(page, wanted), count) for _, page, count in found
    )


def unknown_words(words: str) -> tuple[str, ...]:
    """Returns those of some words that no page holds, as they were typed."""
    return tuple(
        word
        for word in words.split()
        if not any(page.count(spelt) for spelt in _words_of(word) for page in _pages())
    )


def _read_page(path: Path) -> str:
    """Returns the text of a page; the options of a request stand where it names one."""

    def table(found: re.Match[str]) -> str:
        return REQUESTS[found[1]].help_table()

    return _REQUEST.sub(table, path.read_text(encoding="utf-8"))


@cache
def _pages() -> tuple[_Page, ...]:
    folder = resource_root() / "docs"
    pages = []
    for path in sorted(folder.rglob("*.md")):
        name = path.relative_to(folder).with_suffix("").as_posix()
        written = _read_page(path)
        title = next((line[2:] for line in written.splitlines() if line.startswith("# ")), name)
        declared = _KEYWORDS.search(written)
        shown = _KEYWORDS.sub("", written)
        text = " ".join(_MARKUP.sub(" ", _LINK.sub(r"\1", shown)).split())
        keywords = _spelt(declared[1]) if declared else ""
        pages.append(_Page(name, title, text, _spelt(text), keywords))
    return tuple(pages)


def _words_of(words: str) -> list[str]:
    return _spelt(words).split()


def _spelt(text: str) -> str:
    """A text in small letters and one spelling; as long as it was."""
    return _BRITISH.sub("iz", text.lower())


def _excerpt(page: _Page, wanted: list[str]) -> str:
    # Behind the title, which stands above it already.
    behind = len(page.title) + 1
    together = page.lower.find(" ".join(wanted), behind)
    places = [page.lower.find(word, behind) for word in wanted]
    apart = min((place for place in places if place >= 0), default=0)
    place = together if together >= 0 else apart
    # The title stands above it already.
    first = behind if len(page.text) > behind else 0
    start, end = max(place - _AROUND, first), min(place + _AROUND, len(page.text))
    left = page.text[start:end]
    if start > first:
        left = f"…{left.partition(' ')[2]}"
    return f"{left.rpartition(' ')[0]}…" if end < len(page.text) else left


_LONGEST = 100


class HelpPages(QTextBrowser):
    """Shows pages of `resources/docs` only, with links between them."""

    pageChanged = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setAccessibleName(self.tr("Help"))
        self.anchorClicked.connect(self._follow)
        self._visited: list[str] = []

    def show_page(self, name: str) -> None:
        """Shows a page by its path below `docs`, without suffix, such as "mechanisms/grr".

        Raises:
            FileNotFoundError: There is no such page.
        """
        text = _read_page(resource(f"docs/{name}.md"))
        folder = (resource_root() / "docs" / name).parent
        self.document().setBaseUrl(QUrl.fromLocalFile(f"{folder}/"))
        self.setMarkdown(text)
        self.document().setDocumentMargin(14)
        self._visited.append(name)
        self.pageChanged.emit(name)

    def mark(self, words: str) -> int:
        """Marks each place of words on the page and shows the first; returns how many there are."""
        marks = []
        colour = QColor(theme_in_force().warning_wash)
        for word in words.split():
            place = self.document().find(word)
            while not place.isNull():
                mark = QTextEdit.ExtraSelection()
                mark.cursor, mark.format = place, QTextCharFormat()
                mark.format.setBackground(colour)
                marks.append(mark)
                place = self.document().find(word, place)
        self.setExtraSelections(marks)
        if marks:
            first = min((mark.cursor for mark in marks), key=lambda cursor: cursor.position())
            self.setTextCursor(first)
            self.ensureCursorVisible()
        return len(marks)

    @property
    def can_go_back(self) -> bool:
        """Whether another page was shown before this one."""
        return len(self._visited) > 1

    def go_back(self) -> None:
        """Shows the page before this one again, if there is one."""
        if self.can_go_back:
            self._visited.pop()
            self.show_page(self._visited.pop())

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        url = QUrl(name)
        if url.isRelative() or url.isLocalFile():
            return super().loadResource(kind, url)
        return None

    def _follow(self, url: QUrl) -> None:
        target = self.document().baseUrl().resolved(url).toLocalFile()
        place = posixpath.relpath(target, str(resource_root() / "docs")) if target else ".."
        name = place.removesuffix(".md")
        if not name.startswith("..") and (resource_root() / "docs" / f"{name}.md").is_file():
            self.show_page(name)


class HelpWindow(SideDialog):
    """The help in a window of its own, not modal.

    Args:
        parent: The window.
    """

    shows_nothing_private = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Help for dpdesk"), parent=parent)
        self.resize(760, 640)
        self.pages = HelpPages(self)
        self._back = QPushButton(self.tr("&Back"), self)
        self._back.setShortcut(QKeySequence.StandardKey.Back)
        self._back.setAutoDefault(False)
        self._back.clicked.connect(self.pages.go_back)
        contents = QPushButton(self.tr("&Contents"), self)
        contents.setAutoDefault(False)
        contents.clicked.connect(lambda: self.pages.show_page("help"))
        self.pages.pageChanged.connect(lambda _: self._back.setEnabled(self.pages.can_go_back))
        self.search = QLineEdit(self)
        self.search.setPlaceholderText(self.tr("Search the help"))
        self.search.setAccessibleName(self.tr("Search the help"))
        self.search.setToolTip(self.tr("Pages that hold all words; Enter shows the first (Ctrl+F)"))
        self.search.setClearButtonEnabled(True)
        limit_length(self.search, _LONGEST)
        self.search.textChanged.connect(self._find)
        self.search.returnPressed.connect(self._show_first)
        QShortcut(QKeySequence.StandardKey.Find, self, self.search.setFocus)
        self.hits = QListWidget(self)
        self.hits.setObjectName("choices")
        self.hits.setAccessibleName(self.tr("Pages that were found"))
        self.hits.setWordWrap(True)
        self.hits.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.hits.currentRowChanged.connect(self._show_hit)
        self.none = PlainLabel("", "muted", wrap=True, parent=self)
        self._found: tuple[Hit, ...] = ()
        bar = lay_row(self._back, contents, (self.search, 1), spacing=8)
        found = lay_column((self.hits, 1), self.none, spacing=6)
        lay_column(bar, lay_row((found, 2), (self.pages, 5), spacing=10), margins=12, on=self)
        self._find("")

    def show_page(self, name: str) -> None:
        """Shows the window with a page."""
        self.search.clear()
        self.pages.show_page(name)
        self.show_beside()

    def _find(self, words: str) -> None:
        """Lists the pages that hold all words."""
        self._found = find_in_help(words)
        with QSignalBlocker(self.hits):
            self.hits.clear()
            for hit in self._found:
                self.hits.addItem(f"{hit.title}\n{hit.excerpt}")
        self.hits.setVisible(bool(self._found))
        nothing = bool(words.split()) and not self._found
        self.none.setText(self._what_to_try(words) if nothing else "")
        self.none.setVisible(nothing)
        if not words.split():
            self.pages.setExtraSelections([])

    def _what_to_try(self, words: str) -> str:
        unknown = unknown_words(words)
        if not unknown:
            return self.tr("No page holds all of these words. Leave one of them out.")
        return self.tr(
            "No page holds “{word}”. Type its beginning, or another word for it, such as "
            "anonymous, noise or sample; Contents lists all pages."
        ).format(word=unknown[0])

    def _show_first(self) -> None:
        if self._found:
            self.hits.setCurrentRow(0)
            self._show_hit(0)

    def _show_hit(self, row: int) -> None:
        if 0 <= row < len(self._found):
            self.pages.show_page(self._found[row].page)
            self.pages.mark(self.search.text())


class HelpButton(IconButton):
    """A button with a question mark that opens a page of the help.

    Args:
        page: Path of the page below `docs`, without suffix.
        name: Accessible name.
    """

    def __init__(self, page: str, name: str, *, parent: QWidget | None = None) -> None:
        super().__init__("help-circle", name, parent=parent)
        self.setWhatsThis(self.tr("Opens the page of the help about what is shown here."))
        self._page = page
        self._window: HelpWindow | None = None
        self.clicked.connect(self.show_help)

    def show_help(self) -> None:
        """Shows the page of the help."""
        if self._window is None:
            self._window = HelpWindow(self.window())
        self._window.show_page(self._page)
