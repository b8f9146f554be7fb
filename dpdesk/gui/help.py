"""The help: bundled pages, without any network, and the button that opens one."""

from __future__ import annotations

import posixpath
from typing import Any

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QPushButton,
    QTextBrowser,
    QWidget,
)

from dpdesk.gui.icons import IconButton
from dpdesk.gui.widgets.boxes import SideDialog, lay_column, lay_row
from dpdesk.resources import resource, resource_root


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
        text = resource(f"docs/{name}.md").read_text(encoding="utf-8")
        folder = (resource_root() / "docs" / name).parent
        self.document().setBaseUrl(QUrl.fromLocalFile(f"{folder}/"))
        self.setMarkdown(text)
        self.document().setDocumentMargin(14)
        self._visited.append(name)
        self.pageChanged.emit(name)

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
        """Loads bundled pictures; addresses on a network load nothing."""
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
        bar = lay_row(self._back, contents)
        bar.addStretch()
        lay_column(bar, self.pages, margins=12, on=self)

    def show_page(self, name: str) -> None:
        """Shows the window with a page."""
        self.pages.show_page(name)
        self.show_beside()


class HelpButton(IconButton):
    """A button with a question mark that opens a page of the help.

    Args:
        page: Path of the page below `docs`, without suffix.
        name: Accessible name.
    """

    def __init__(self, page: str, name: str, *, parent: QWidget | None = None) -> None:
        super().__init__("help-circle", name, parent=parent)
        self._page = page
        self._window: HelpWindow | None = None
        self.clicked.connect(self.show_help)

    def show_help(self) -> None:
        """Shows the page of the help."""
        if self._window is None:
            self._window = HelpWindow(self.window())
        self._window.show_page(self._page)
