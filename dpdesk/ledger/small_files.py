"""Small files that are written whole, made durable, and read by their owner alone."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_durably(path: Path, content: bytes) -> None:
    """Writes a file of mode 0600 whole or not at all, and does not return before it is durable.

    Raises:
        OSError: It cannot be written; what stood there before still does.
    """
    descriptor, made = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    part = Path(made)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        sync_folder(path.parent)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder durable."""
    if os.name != "posix":  # other systems cannot open a folder
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
