"""Where the private comparison goes: a file of its own, never in the release."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from dpdesk.gui.save_dialog import asked_path
from dpdesk.release.private import PrivateDiagnostics, write_private_diagnostics


def save_private_file(
    parent: QWidget, diagnostics: PrivateDiagnostics, release: Path
) -> Path | None:
    """Asks for a file and writes the private comparison to it.

    Args:
        parent: The widget that asks.
        diagnostics: The comparison.
        release: The folder of the release that it belongs to.

    Returns:
        The file, or None if nobody chose one.

    Raises:
        DpdeskError: The file lies in a release or cannot be written.
    """
    path = asked_path(
        parent,
        parent.tr("Save the private comparison"),
        f"PRIVATE-{release.name}.html",
        parent.tr("Private comparison (*.html *.json)"),
        (".html", ".json"),
    )
    if path is not None:
        write_private_diagnostics(diagnostics, path, release)
    return path
