"""Writes a page of a survey to a file."""

from __future__ import annotations

from pathlib import Path

from dpdesk.data.regular_file import FileRefusedError
from dpdesk.data.whole_file import name_of, write_whole
from dpdesk.errors import ReleaseError


def save_page(html: str, path: Path) -> None:
    """Writes a page, whole or not at all.

    Raises:
        ReleaseError: The file cannot be written; an earlier file of this name is untouched.
    """
    try:
        write_whole(path, html)
    except FileRefusedError as refused:
        raise ReleaseError(
            f"{name_of(path)} cannot be written: {refused}.", remedy="Choose another place."
        ) from None
