"""A page of the window on paper, by the dialog of the system."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QMarginsF
from PySide6.QtGui import QPageLayout, QPageSize
from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrinterInfo
from PySide6.QtWidgets import QDialog, QWidget

from dpdesk.errors import ReleaseError
from dpdesk.gui.pages.simulate.pdf import paper_document


def print_page(html: str, title: str, parent: QWidget) -> bool:
    """Asks for a printer and prints what a PDF of the page would hold.

    Args:
        html: A page made for paper.
        title: The name of the job.
        parent: Over what the question is shown.

    Returns:
        Whether the page went to a printer; False where the question was left.

    Raises:
        ReleaseError: There is no printer, or it does not take the page.
    """
    if not QPrinterInfo.availablePrinterNames():
        raise ReleaseError(
            _tr("No printer is set up on this computer."),
            remedy=_tr("Save the paper as PDF, and print it where there is one."),
        )
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
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
