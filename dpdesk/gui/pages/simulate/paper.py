"""A paper of the window: as PDF, or by a printer of the system; without network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QIODevice, QMarginsF, QSaveFile
from PySide6.QtGui import QPageLayout, QPageSize, QPdfWriter, QTextDocument
from PySide6.QtWidgets import QDialog, QWidget

from dpdesk.errors import ReleaseError

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

_DOTS_PER_INCH = 300


def paper_document(html: str) -> QTextDocument:
    """Returns a page made for paper as what is printed, or written as PDF."""
    document = QTextDocument()
    document.setHtml(html)
    return document


def save_pdf(html: str, title: str, path: Path) -> None:
    """Writes a page of plain HTML as PDF on A4, whole or not at all.

    Args:
        html: A page made for paper.
        title: The title in the file's properties.
        path: The file.

    Raises:
        ReleaseError: The file cannot be written; an earlier file of this name is untouched.
    """
    file = QSaveFile(str(path))
    if file.open(QIODevice.OpenModeFlag.WriteOnly):
        writer = QPdfWriter(file)
        writer.setTitle(title)
        writer.setCreator("dpdesk")
        writer.setResolution(_DOTS_PER_INCH)
        writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
        # The document leaves two centimetres by itself when it prints.
        writer.setPageMargins(QMarginsF(0, 0, 0, 0), QPageLayout.Unit.Millimeter)
        paper_document(html).print_(writer)
        # The writer ends the file; it has to go before the file is committed.
        del writer
        if file.commit():
            return
    raise ReleaseError(
        f"{path.name} cannot be written: {file.errorString()}.", remedy="Choose another folder."
    )


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
    # The libraries of printing are loaded when somebody prints.
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrinterInfo

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
