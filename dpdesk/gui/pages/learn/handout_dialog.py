"""The handout of a demonstration: looked at, then printed or saved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QWidget

from dpdesk.data.write_file import write_file
from dpdesk.errors import DpdeskError
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.simulate.papers_dialog import print_page
from dpdesk.gui.paper import usual_paper
from dpdesk.gui.save_dialog import asked_path
from dpdesk.gui.theme import load_theme
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.plain_text import PlainLabel

if TYPE_CHECKING:
    from dpdesk.demonstrations import Demonstration


class HandoutDialog(QDialog):
    """Shows the handout and saves it.

    Args:
        demonstration: The demonstration, with the presenter's question and data.
        parent: The window that it belongs to.

    Attributes:
        preview: The paper.
        words: What went wrong, if anything did.
    """

    shows_nothing_private = True

    def __init__(self, demonstration: Demonstration, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._demonstration = demonstration
        self.setWindowTitle(self.tr("Handout"))
        self.resize(760, 720)
        self.preview = QTextBrowser(self)
        self.preview.setAccessibleName(self.tr("The handout as it will be printed"))
        self.preview.setOpenLinks(False)
        # Paper is white in every theme.
        light = load_theme("light")
        self.preview.setStyleSheet(f"background: {light.surface}; color: {light.text}")
        self.words = PlainLabel("", "danger", wrap=True, parent=self)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, parent=self)
        buttons.rejected.connect(self.reject)
        role = QDialogButtonBox.ButtonRole.ActionRole
        self.html = buttons.addButton(self.tr("Save as &HTML…"), role)
        self.pdf = buttons.addButton(self.tr("Save as &PDF…"), role)
        self.printing = buttons.addButton(self.tr("P&rint…"), role)
        for button, name in ((self.html, "content-save"), (self.pdf, "content-save")):
            IconBond(button, name, "text")
        IconBond(self.printing, "printer", "text")
        self.html.clicked.connect(self.save_html)
        self.pdf.clicked.connect(self.save_pdf)
        self.printing.clicked.connect(self.print_paper)
        lay_column((self.preview, 1), self.words, buttons, spacing=8, on=self)
        self.words.hide()
        self._try(lambda: self.preview.setHtml(self._page(paper=True)))
        self.preview.document().setDocumentMargin(24)
        self.preview.setFocus()

    def save_html(self) -> None:
        """Asks for a file and writes the handout as a page for browsers."""
        self._save("html", self.tr("Pages (*.html)"), lambda path: write_file(path, self._page()))

    def save_pdf(self) -> None:
        """Asks for a file and writes the handout as PDF."""
        from dpdesk.report.pdf import pdf_of_page

        kinds = self.tr("PDF (*.pdf)")
        paper = usual_paper()
        self._save("pdf", kinds, lambda path: write_file(path, pdf_of_page(self._page(), paper)))

    def print_paper(self) -> None:
        """Asks for a printer and prints the handout."""
        self._try(lambda: print_page(self._page(paper=True), self._demonstration.title, self))

    def _page(self, *, paper: bool = False) -> str:
        from dpdesk.demonstrations.handout import handout_html

        return handout_html(self._demonstration, paper=paper)

    def _save(self, ending: str, kinds: str, write: Callable[[Path], None]) -> None:
        name = f"{self._demonstration.key}.{ending}"
        path = asked_path(self, self.windowTitle(), name, kinds, (f".{ending}",))
        if path is not None:
            self._try(lambda: write(path))

    def _try(self, act: Callable[[], object]) -> None:
        try:
            act()
        except DpdeskError as error:
            self.words.setText(str(error))
        else:
            self.words.setText("")
        self.words.setVisible(bool(self.words.text()))
