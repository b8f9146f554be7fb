"""The help: pages of the bundle, without any network."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QDialog, QTextBrowser, QVBoxLayout, QWidget

from dpdesk.resources import resource, resource_root


class HelpPages(QTextBrowser):
    """Shows pages of `resources/docs` and nothing else.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setAccessibleName(self.tr("Help"))
        self.anchorClicked.connect(self._follow)

    def show_page(self, name: str) -> None:
        """Shows a page by its name without ending.

        Raises:
            FileNotFoundError: There is no such page.
        """
        text = resource(f"docs/{name}.md").read_text(encoding="utf-8")
        self.document().setBaseUrl(QUrl.fromLocalFile(str(resource_root() / "docs") + "/"))
        self.setMarkdown(text)
        self.document().setDocumentMargin(14)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Loads pictures of the bundle; an address on a network gives nothing."""
        url = QUrl(name)
        if url.isRelative() or url.isLocalFile():
            return super().loadResource(kind, url)
        return None

    def _follow(self, url: QUrl) -> None:
        name = url.path().rpartition("/")[2].removesuffix(".md")
        if (resource_root() / "docs" / f"{name}.md").is_file():
            self.show_page(name)


class HelpWindow(QDialog):
    """The help beside the window, never in its way.

    Args:
        parent: The window.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Help for dpdesk"))
        self.setModal(False)
        self.resize(760, 640)
        self.pages = HelpPages(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.addWidget(self.pages)

    def show_page(self, name: str) -> None:
        """Shows the window with a page."""
        self.pages.show_page(name)
        self.show()
        self.raise_()
        self.activateWindow()
