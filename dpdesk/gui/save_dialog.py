"""Asks where to save a file, and refuses a file that holds the open data."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget

from dpdesk.data.write_file import check_place
from dpdesk.errors import ReleaseError
from dpdesk.gui.messages import show_error

_OPEN_DATA = "openData"


def note_open_data(paths: Iterable[Path]) -> None:
    """Sets the files of the open data, which must not be overwritten."""
    application = QCoreApplication.instance()
    if application is not None:
        application.setProperty(_OPEN_DATA, [str(path) for path in paths])


def asked_path(
    parent: QWidget,
    title: str,
    name: str,
    kinds: str,
    endings: tuple[str, ...],
    folder: Path | None = None,
) -> Path | None:
    """Asks for a file; the dialog itself asks before it replaces one.

    Args:
        parent: Parent of the dialog.
        title: Its title.
        name: The proposed name.
        kinds: The kinds of files as Qt's dialog lists them.
        endings: The allowed suffixes; any other name gets the first of them.
        folder: The proposed folder; that of documents if None.

    Returns:
        The file; None if the user cancelled, or if it must not be replaced, which is shown.
    """
    documents = QStandardPaths.StandardLocation.DocumentsLocation
    place = folder or Path(QStandardPaths.writableLocation(documents))
    chosen, _ = QFileDialog.getSaveFileName(parent, title, str(place / name), kinds)
    if not chosen:
        return None
    asked = Path(chosen)
    path = asked if asked.suffix.lower() in endings else asked.with_name(asked.name + endings[0])
    try:
        # With its suffix added, it is another file than the one that the dialog asked about.
        check_place(path, inputs=_open_data(), overwrite=path == asked)
    except ReleaseError as error:
        show_error(parent, title, error)
        return None
    return path


def _open_data() -> list[Path]:
    application = QCoreApplication.instance()
    paths: list[str] = [] if application is None else application.property(_OPEN_DATA) or []
    return [Path(path) for path in paths]
