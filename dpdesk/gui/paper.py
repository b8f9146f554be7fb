"""A paper: looked at as it will be printed, then printed or saved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale, QMarginsF
from PySide6.QtGui import QPageLayout, QPageSize, QTextDocument
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from dpdesk.data.write_file import write_file
from dpdesk.errors import DpdeskError, ReleaseError
from dpdesk.gui.icons import IconBond
from dpdesk.gui.save_dialog import asked_path
from dpdesk.gui.theme import load_theme
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.reports.pdf import Paper, pdf_of_page

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

_PAGE_SIZES = {"a4": QPageSize.PageSizeId.A4, "letter": QPageSize.PageSizeId.Letter}


class PaperDialog(QDialog):
    """Shows a paper, and saves or prints it.

    Subclasses say what it holds (`page`), its title and the name of its file, add what can be
    chosen to `above`, and call `show_paper` at the end of their constructor and after a choice.

    Args:
        parent: The window it belongs to.

    Attributes:
        above: What stands above the paper.
        preview: The paper.
        html, pdf, printing: The buttons.
        words: What went wrong, if anything did.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.resize(760, 720)
        self.above = QVBoxLayout()
        self.preview = QTextBrowser(self)
        self.preview.setAccessibleName(self.tr("The paper as it will be printed"))
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
        IconBond(self.html, "content-save", "text")
        IconBond(self.pdf, "content-save", "text")
        IconBond(self.printing, "printer", "text")
        self.html.clicked.connect(self.save_html)
        self.pdf.clicked.connect(self.save_pdf)
        self.printing.clicked.connect(self.print_paper)
        lay_column(self.above, (self.preview, 1), self.words, buttons, spacing=8, on=self)
        self.words.hide()
        self.preview.setFocus()

    def page(self, *, paper: bool = False) -> str:
        """The page in HTML, for a browser or for a printer.

        Raises:
            DpdeskError: It cannot be written.
        """
        raise NotImplementedError

    def title(self) -> str:
        """What the paper is."""
        raise NotImplementedError

    def stem(self) -> str:
        """The proposed name of its file, without suffix."""
        raise NotImplementedError

    def show_paper(self) -> None:
        """Shows the paper as it is now, where one was reading; or why there is none."""
        bar = self.preview.verticalScrollBar()
        place = bar.value()
        self.preview.clear()
        self._try(lambda: self.preview.setHtml(self.page(paper=True)))
        self.preview.document().setDocumentMargin(24)
        bar.setValue(place)
        for button in (self.html, self.pdf, self.printing):
            button.setEnabled(not self.words.text())

    def save_html(self) -> None:
        """Asks for a file and writes the paper as a page for browsers."""
        self._save("html", self.tr("Pages (*.html)"), lambda path: write_file(path, self.page()))

    def save_pdf(self) -> None:
        """Asks for a file and writes the paper as PDF."""
        self._save(
            "pdf",
            self.tr("PDF (*.pdf)"),
            lambda path: write_file(path, pdf_of_page(self.page(), usual_paper())),
        )

    def print_paper(self) -> None:
        """Asks for a printer and prints the paper."""
        self._try(lambda: print_page(self.page(paper=True), self.title(), self))

    def _save(self, ending: str, kinds: str, write: Callable[[Path], None]) -> None:
        path = asked_path(self, self.title(), f"{self.stem()}.{ending}", kinds, (f".{ending}",))
        if path is not None:
            self._try(lambda: write(path))

    def _try(self, act: Callable[[], object]) -> None:
        """Does something with the paper, and says what went wrong."""
        try:
            act()
        except DpdeskError as error:
            self.words.setText(str(error))
        else:
            self.words.setText("")
        self.words.setVisible(bool(self.words.text()))


def usual_paper() -> Paper:
    """Returns the size of paper that is usual where the user lives, as the system says."""
    units = QLocale.system().measurementSystem()
    # Who measures in inches writes letters on Letter.
    return "letter" if units == QLocale.MeasurementSystem.ImperialUSSystem else "a4"


def paper_document(html: str) -> QTextDocument:
    """Returns a page made for paper as what is printed."""
    document = QTextDocument()
    document.setHtml(html)
    return document


def print_page(html: str, title: str, parent: QWidget) -> bool:
    """Asks for a printer and prints a page.

    Args:
        html: A page made for paper.
        title: The name of the job.
        parent: Over what the question is shown.

    Returns:
        Whether the page went to a printer; False where the question was left.

    Raises:
        ReleaseError: There is no printer, or it does not take the page.
    """
    # The libraries of printing are loaded when somebody prints.
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrinterInfo

    if not QPrinterInfo.availablePrinterNames():
        raise ReleaseError(
            _tr("No printer is set up on this computer."),
            remedy=_tr("Save the paper as PDF, and print it where there is one."),
        )
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setPageSize(QPageSize(_PAGE_SIZES[usual_paper()]))
    dialog = QPrintDialog(printer, parent)
    dialog.setWindowTitle(title)
    if dialog.exec() != QDialog.DialogCode.Accepted:
        return False
    send(html, title, printer)
    return True


def send(html: str, title: str, printer: QPrinter) -> None:
    """Prints a page.

    Args:
        html: A page made for paper.
        title: The name of the job.
        printer: The printer with its settings.

    Raises:
        ReleaseError: The printer does not take the page.
    """
    from PySide6.QtPrintSupport import QPrinter

    printer.setDocName(title)
    printer.setCreator("dpdesk")
    # The document leaves two centimetres by itself when it prints.
    printer.setFullPage(True)
    printer.setPageMargins(QMarginsF(0, 0, 0, 0), QPageLayout.Unit.Millimeter)
    paper_document(html).print_(printer)
    if printer.printerState() == QPrinter.PrinterState.Error:
        raise ReleaseError(
            _tr("The printer did not take the page."),
            remedy=_tr("Look after the printer, or save the paper as PDF."),
        )


def _tr(text: str) -> str:
    return QCoreApplication.translate("Printing", text)
