"""Files that a user names, opened without harm: regular files of limited size.

A pipe or a device can keep a reader waiting forever, a tape is rewound by being opened, and a file
of the system can be endless though its stated size is 0. Every input of every command and of the
window is opened here: data, plans, codebooks, matrices, records, manifests.
"""

from __future__ import annotations

import os
import stat
from typing import BinaryIO

from dpdesk.data.texts import T

DATA_MAX = 8 << 30
"""Most bytes of a file that is held in memory as a whole."""

TABLE_MAX = 1 << 39
"""Most bytes of a table of answers that is read piece by piece: what of the system has no end is
left there."""

RELEASED_MAX = 1 << 44
"""Most bytes of a file of a release, which is read piece by piece: the reports of one answer can
take thousands of times its bytes."""

TEXT_MAX = 64 << 20
"""Most bytes of a plan or a codebook: one of 10,000 columns is far smaller."""

_PIECE = 1 << 20


class FileRefusedError(Exception):
    """A file that is not read.

    Attributes:
        reason: Why, as a clause: "it is a folder".
        is_missing: Whether there is no such file.
        is_endless: Whether it is a pipe, a device or the like, which can keep a reader waiting.
    """

    def __init__(self, reason: str, *, is_missing: bool = False, is_endless: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_missing = is_missing
        self.is_endless = is_endless


def open_regular(path: str | os.PathLike[str], most: int) -> BinaryIO:
    """Opens a regular file for reading.

    Raises:
        FileRefusedError: It does not exist, is not a regular file, is too large or not readable.
    """
    try:
        # Checked before it is opened, because opening a device can have effects, and again after,
        # because another file may be there by then.
        _require_regular(os.stat(path), most)  # noqa: PTH116 - a path that is no path is an error
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        file = os.fdopen(os.open(path, flags | getattr(os, "O_NOCTTY", 0)), "rb")
    except FileNotFoundError:
        raise FileRefusedError(T.NO_SUCH_FILE(), is_missing=True) from None
    except (OSError, ValueError) as error:
        reason = refusal(error) if isinstance(error, OSError) else T.BAD_PATH()
        raise FileRefusedError(reason) from None
    try:
        _require_regular(os.fstat(file.fileno()), most)
    except BaseException:
        file.close()
        raise
    return file


def read_regular(path: str | os.PathLike[str], most: int) -> bytes:
    """Reads a regular file whole.

    Raises:
        FileRefusedError: As for `open_regular`, or it grows beyond `most` while it is read.
    """
    pieces: list[bytes] = []
    size = 0
    with open_regular(path, most) as file:
        # One allocation for a file of its stated length; pieces for one that grows.
        wanted = os.fstat(file.fileno()).st_size + 1
        while piece := read_piece(file, wanted):
            pieces.append(piece)
            size += len(piece)
            if size > most:
                raise FileRefusedError(too_large(most))
            wanted = _PIECE
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def read_piece(file: BinaryIO, most: int) -> bytes:
    """Reads the next bytes of a file, at most so many; none at its end.

    Raises:
        FileRefusedError: It cannot be read, or would keep the reader waiting.
    """
    try:
        piece: bytes | None = file.read(most)
    except OSError as error:
        raise FileRefusedError(refusal(error)) from None
    if piece is None:
        # A file of the system that would keep the reader waiting.
        raise FileRefusedError(T.NOT_REGULAR(), is_endless=True)
    return piece


def refusal(error: OSError) -> str:
    """Returns why the system refused, as a clause: "permission denied"."""
    return error.strerror.lower() if error.strerror else T.SYSTEM_REFUSED()


def is_endless(path: str | os.PathLike[str]) -> bool:
    """Whether a reader could wait forever on it: a pipe, a device, a log of the system."""
    try:
        with open_regular(path, DATA_MAX) as file:
            read_piece(file, 1)
    except FileRefusedError as refused:
        return refused.is_endless
    return False


def is_file(path: str | os.PathLike[str]) -> bool:
    """Whether a regular file exists; False for a path that is invalid on this system."""
    # Not Path.is_file, which raises for a name that is too long and for a closed folder.
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Whether a folder exists; False for a path that is invalid on this system."""
    return os.path.isdir(path)  # noqa: PTH112


def _require_regular(found: os.stat_result, most: int) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise FileRefusedError(T.IS_FOLDER())
    if not stat.S_ISREG(found.st_mode):
        raise FileRefusedError(T.NOT_REGULAR(), is_endless=True)
    if found.st_size > most:
        raise FileRefusedError(too_large(most))


def too_large(most: int) -> str:
    """Returns that a file has more than some bytes, as a clause."""
    return T.LARGER(size=most >> 30) if most >= 1 << 30 else T.LARGER_MB(size=most >> 20)
