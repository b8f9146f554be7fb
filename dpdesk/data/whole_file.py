"""Writes a file whole or not at all, where a regular file stands or none."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from dpdesk.data.regular_file import FileRefusedError

_MODE = 0o666


def name_of(path: Path) -> str:
    """The name of a file for a sentence; of `.` and `/`, which have none, the path."""
    return path.name or str(path)


def write_whole(path: Path, text: str, *, mode: int = _MODE) -> None:
    """Writes a text; until it is written whole, an earlier file of this name stays as it was.

    Args:
        path: The file. A link stays, and the file that it points to is replaced.
        text: What is written, in UTF-8.
        mode: Who may read and write the new file, as far as the umask allows it.

    Raises:
        FileRefusedError: Something else than a regular file stands there, or the system refuses.
    """
    content = text.encode()
    try:
        # A pipe or a device would be replaced by a file, for every program that uses it; links
        # such as /dev/stdout too.
        place = Path(os.path.realpath(path))
        _require_no_other(path)
        part = place.with_name(f".{place.name}.part")
    except (OSError, ValueError) as error:
        raise FileRefusedError(_reason(error)) from None
    try:
        with suppress(FileNotFoundError):
            part.unlink()
        # Made anew, so that neither a link nor a pipe of this name nor an older mode is taken.
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        part.replace(place)
    except BaseException as error:
        with suppress(OSError):
            part.unlink()
        if isinstance(error, OSError):
            raise FileRefusedError(_reason(error)) from None
        raise


def _require_no_other(path: Path) -> None:
    try:
        found = os.stat(path)  # noqa: PTH116 - a path that is no path is an error
    except FileNotFoundError:
        return
    if stat.S_ISDIR(found.st_mode):
        raise FileRefusedError("it is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise FileRefusedError("it is not a regular file")


def _reason(error: Exception) -> str:
    said = getattr(error, "strerror", None) or "the path is not valid"
    return said[:1].lower() + said[1:]
