"""A page of the window as PDF, without network and without a printer."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QIODevice, QMarginsF, QSaveFile
from PySide6.QtGui import QPageLayout, QPageSize, QPdfWriter, QTextDocument

from dpdesk.errors import ReleaseError

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
