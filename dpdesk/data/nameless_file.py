"""A private file without a name, for what does not stay in memory while a table is worked on.

Its entry in the folder is gone before the first byte is written (on Windows it is deleted when it
is closed), so that nothing of it is left after the program, whatever ends it.
"""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

_OPEN_MOST = 10_240
"""As many open files as every system of today lets a program ask for."""


def allow_many_files() -> None:
    """Lets this program have as many files open as it may.

    Each column of a wide and long table is in a file of its own, and some systems begin with 256.
    """
    if sys.platform != "win32":
        import resource

        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _OPEN_MOST if most == resource.RLIM_INFINITY else min(most, _OPEN_MOST)
        if now != resource.RLIM_INFINITY and now < wanted:
            # Where even that is refused it stays as it is.
            with suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


class NamelessFile:
    """Arrays on disk, one behind the other.

    Nothing is buffered. What a full disk refused would else be written again by each later call,
    and by closing, which would raise over the refusal that is on its way.

    Attributes:
        end: Where the next array begins, in bytes.

    Raises:
        OSError: No file can be made there.
    """

    def __init__(self, folder: Path) -> None:
        allow_many_files()
        self._file = tempfile.TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115 - held open
        self.end = 0

    def append(self, array: npt.NDArray[Any]) -> int:
        """Writes an array whole; returns where it begins.

        Raises:
            OSError: It cannot be written; `end` is as before.
        """
        start = at = self.end
        left = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
        self._file.seek(at)
        while left:
            # A disk that fills up takes a part, and refuses the rest when it is asked again.
            taken = self._file.write(left)
            if not taken:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            at, left = at + taken, left[taken:]
        self.end = at
        return start

    def align(self, size: int) -> int:
        """Lets the next array begin at a multiple of some bytes; returns where."""
        self.end = -(-self.end // size) * size
        return self.end

    def read_into(self, room: npt.NDArray[Any], start: int) -> int:
        """Fills an array with what was written; returns the bytes read, fewer at the file's end.

        Raises:
            OSError: It cannot be read.
        """
        left = room.reshape(-1).view(np.uint8).data
        self._file.seek(start)
        # Without a buffer it reads into memory, which the type of any file does not say.
        read_into = cast(Any, self._file).readinto
        while left and (count := read_into(left)):
            left = left[count:]
        return room.nbytes - left.nbytes

    def fileno(self) -> int:
        """The system's number of the file."""
        return self._file.fileno()

    def close(self) -> None:
        """Gives the disk's space back; may be called more than once, and never raises."""
        with suppress(OSError):
            self._file.close()
