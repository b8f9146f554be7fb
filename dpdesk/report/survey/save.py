"""Writes a page of a survey to a file."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from dpdesk.errors import ReleaseError


def save_page(html: str, path: Path) -> None:
    """Writes a page, whole or not at all.

    Raises:
        ReleaseError: The file cannot be written; an earlier file of this name is untouched.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(html, encoding="utf-8", newline="\n")
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise ReleaseError(
            f"{path.name} cannot be written: {error.strerror}.", remedy="Choose another folder."
        ) from None
