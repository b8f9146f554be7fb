"""Where a file is to be saved."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget


def asked_path(
    parent: QWidget, title: str, name: str, kinds: str, endings: tuple[str, ...]
) -> Path | None:
    """Asks for a file.

    Args:
        parent: Over what the question is shown.
        title: What is saved.
        name: The name that is proposed, in the folder of documents.
        kinds: The kinds of files as Qt's dialog lists them.
        endings: The endings that are known; another name gets the first of them.

    Returns:
        The file; None if the question was left.
    """
    documents = QStandardPaths.StandardLocation.DocumentsLocation
    proposal = Path(QStandardPaths.writableLocation(documents)) / name
    chosen, _ = QFileDialog.getSaveFileName(parent, title, str(proposal), kinds)
    if not chosen:
        return None
    path = Path(chosen)
    known = path.suffix.lower() in endings
    return path if known else path.with_name(path.name + endings[0])
