"""Packed files: gzip, and ZIP archives, of which spreadsheets are some; opened without harm."""

from __future__ import annotations

import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator
from pathlib import PurePosixPath
from typing import Any, TypeVar

from dpdesk.data.column_description import shortened
from dpdesk.data.formats.texts import T
from dpdesk.data.regular_file import TABLE_MAX
from dpdesk.data.source import PIECE, Memory, Source
from dpdesk.errors import InputError, printable

Made = TypeVar("Made")

SIGNATURE = b"PK\x03\x04"
_EMPTY = b"PK\x05\x06"

_ALWAYS = 256 << 20
"""Bytes that an archive may unpack to in any case."""

_RATIO = 200
"""How many times its own size it may unpack to beyond that: a table in text shrinks to a tenth."""

UNPACKED_MAX = 4 << 30
"""Most bytes that an archive may unpack to in memory."""

_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    ValueError,
    # Also a method of compression that Python lacks.
    RuntimeError,
)
"""What reading a damaged archive raises."""


def members(raw: bytes) -> tuple[str, ...]:
    """Names of the files in an archive, without folders; empty if it is not an archive."""
    if not raw.startswith(SIGNATURE):
        return ()
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            return tuple(one.filename for one in archive.infolist() if not one.is_dir())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return ()


def with_archive(raw: bytes, name: str, work: Callable[[zipfile.ZipFile], Made]) -> Made:
    """Returns what work makes of an archive that does not unpack to more than a table holds.

    Raises:
        InputError: It is damaged, encrypted, or unpacks to far more than it holds.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            listed = archive.infolist()
            if any(one.flag_bits & 1 for one in listed):
                raise InputError(T.LOCKED(file=name))
            require_sane(sum(one.file_size for one in listed), len(raw), name)
            return work(archive)
    except _UNREADABLE:
        refused = InputError(T.DAMAGED(file=name))
    raise refused


def require_sane(
    unpacked: int, packed: int, name: str, most: int = UNPACKED_MAX, *, copies: int = 1
) -> None:
    """Refuses what unpacks to far more than it holds.

    Args:
        unpacked: Bytes that there would be.
        packed: Bytes that there are.
        name: Name of the file, for the message.
        most: Most bytes that there may be in any case.
        copies: How many times they are in memory at once.

    Raises:
        InputError: There would be too many.
    """
    if unpacked > (room := min(most, most_unpacked(packed)) // copies):
        raise InputError(T.UNPACKS_TO_MORE(file=name, size=room >> 20))


def most_unpacked(packed: int) -> int:
    """Returns the most bytes of memory that what is in so many bytes of a file may take."""
    return max(_ALWAYS, _RATIO * packed)


_GZIP = b"\x1f\x8b"
_BESIDE = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini")
"""What programs put beside a table."""
_TEXT = ".txt"


def unpacked(source: Source, endings: Collection[str]) -> Source:
    """Returns the one table of a gzip file or a ZIP archive; another file as it is.

    Args:
        source: The file.
        endings: Endings of the names of tables; an archive may hold other files, too.

    Raises:
        InputError: It is damaged, encrypted, holds no table or several, or unpacks to far more than
            it holds.
    """
    found: Source
    if source.head.startswith(_GZIP):
        found = Gzip(source)
    elif source.head.startswith((SIGNATURE, _EMPTY)) and not is_workbook(source.whole):
        table = _only_table(source.whole, source.name, endings)
        found = Memory(table, source.name, source.tick)
    else:
        return source
    is_archive = found.head.startswith(SIGNATURE) and not is_workbook(found.whole)
    if found.head.startswith(_GZIP) or is_archive:
        raise InputError(T.ARCHIVE_IN_ARCHIVE(file=source.name))
    return found


def is_workbook(raw: bytes) -> bool:
    """Whether an archive is a spreadsheet."""
    names = members(raw)
    return "mimetype" in names[:1] or any(name.startswith("xl/workbook.") for name in names)


class Gzip(Source):
    """A gzip file, unpacked while it is read."""

    whole_most = UNPACKED_MAX

    def __init__(self, packed: Source) -> None:
        super().__init__(packed.name, packed.size, packed.tick)
        self._packed = packed

    def pieces(self, size: int = PIECE) -> Iterator[bytes]:
        done = 0
        with gzip.GzipFile(
            fileobj=io.BufferedReader(_Joined(self._packed.pieces()), PIECE)
        ) as file:
            while True:
                try:
                    piece = file.read(size)
                except (gzip.BadGzipFile, zlib.error, EOFError):
                    refused = InputError(T.DAMAGED(file=self.name))
                else:
                    if not piece:
                        return
                    self.tick()
                    done += len(piece)
                    self.done = self._packed.done
                    require_sane(done, self.size, self.name, TABLE_MAX)
                    yield piece
                    continue
                raise refused


class _Joined(io.RawIOBase):
    """Pieces as a file that is read from its beginning to its end."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._rest:
            self._rest = memoryview(next(self._pieces, b""))
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count


def _only_table(raw: bytes, name: str, endings: Collection[str]) -> bytes:
    def table(archive: zipfile.ZipFile) -> bytes:
        listed = [
            one.filename
            for one in archive.infolist()
            if not one.is_dir() and not one.filename.startswith(_BESIDE[0])
        ]
        kept = [one for one in listed if PurePosixPath(one).name not in _BESIDE]
        tables = [one for one in kept if PurePosixPath(one).suffix.lower() in endings]
        # Beside a table, a text says something about it.
        tables = [one for one in tables if not one.lower().endswith(_TEXT)] or tables
        tables = tables or (kept if len(kept) == 1 else [])
        if len(tables) == 1:
            return archive.read(tables[0])
        if not tables:
            raise InputError(T.NO_TABLE(file=name))
        listed_tables = shortened(printable(", ".join(tables)), 200)
        raise InputError(T.SEVERAL_TABLES(file=name, number=len(tables), tables=listed_tables))

    return with_archive(raw, name, table)
