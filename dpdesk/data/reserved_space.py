"""Space on a disk that is held until it is needed.

What a release writes after its charge could find a disk that is full: so its space is taken before
anything is charged.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

_PIECE = 1 << 20


class ReservedSpace:
    """Space in a folder, held by a file without a name: it is free again after a crash.

    Args:
        folder: Where something will be written.
        size: How many bytes to hold.

    Raises:
        OSError: There is not so much space.
    """

    def __init__(self, folder: Path, size: int) -> None:
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - held open
        try:
            _allocate(self._file.fileno(), size)
        except OSError:
            self._file.close()
            raise

    def shrink(self, size: int) -> None:
        """Frees all but some bytes."""
        with suppress(OSError, ValueError):
            os.ftruncate(self._file.fileno(), size)

    def free(self) -> None:
        """Frees all of it; may be called again."""
        with suppress(OSError):
            self._file.close()


def _allocate(descriptor: int, size: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, 0, size)
        return
    # Elsewhere only what is written is sure to have its place.
    for start in range(0, size, _PIECE):
        os.write(descriptor, bytes(min(_PIECE, size - start)))
    os.fsync(descriptor)
