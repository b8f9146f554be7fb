"""Packed files: gzip, and ZIP archives, of which spreadsheets are some; opened without harm."""

from __future__ import annotations

import gzip
import io
import lzma
import mimetypes
import zipfile
import zlib
from collections.abc import Callable, Collection
from pathlib import PurePosixPath
from typing import TypeVar

from dpdesk.data.column_description import shortened
from dpdesk.errors import InputError, printable

T = TypeVar("T")

SIGNATURE = b"PK\x03\x04"
_EMPTY = b"PK\x05\x06"

_ALWAYS = 256 << 20
"""Bytes that an archive may unpack to in any case."""

_RATIO = 200
"""How many times its own size it may unpack to beyond that: a table in text shrinks to a tenth."""

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

UNPACKED_MAX = 4 << 30
"""Most bytes that an archive may unpack to."""


def members(raw: bytes) -> tuple[str, ...]:
    """Names of the files in an archive, without folders; empty if it is not an archive."""
    if not raw.startswith(SIGNATURE):
        return ()
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            return tuple(one.filename for one in archive.infolist() if not one.is_dir())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return ()


def with_archive(raw: bytes, name: str, work: Callable[[zipfile.ZipFile], T]) -> T:
    """Returns what work makes of an archive that does not unpack to more than a table holds.

    Raises:
        InputError: It is damaged, encrypted, or unpacks to far more than it holds.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            listed = archive.infolist()
            if any(one.flag_bits & 1 for one in listed):
                raise locked(name)
            require_sane(sum(one.file_size for one in listed), len(raw), name)
            return work(archive)
    except _UNREADABLE:
        refused = damaged(name, "unpacked", _ANEW)
    raise refused


def damaged(name: str, done: str, remedy: str) -> InputError:
    """Returns the refusal of a file that is damaged.

    Args:
        name: Name of the file.
        done: What cannot be done with it, such as "unpacked".
        remedy: What to do.
    """
    return InputError(
        f"{name} cannot be {done}: it is damaged, or a part of it is missing.", remedy=remedy
    )


def require_sane(unpacked: int, packed: int, name: str) -> None:
    """Refuses what unpacks to far more than it holds.

    Args:
        unpacked: Bytes that there would be.
        packed: Bytes that there are.
        name: Name of the file, for the message.

    Raises:
        InputError: There would be too many.
    """
    if unpacked > UNPACKED_MAX or unpacked > max(_ALWAYS, _RATIO * packed):
        raise InputError(
            f"{name} would unpack to more than {max(unpacked >> 20, 1):,} MB.",
            remedy="If this is a table, unpack it yourself, and load the file of answers.",
        )


def locked(name: str) -> InputError:
    """Returns the refusal of a file that only a password opens."""
    return InputError(
        f"{name} is encrypted with a password.",
        remedy="Save it without a password and load that file.",
    )


_ANEW = "Copy or download it anew."
_GZIP = b"\x1f\x8b"
_PIECE = 1 << 20
_BESIDE = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini")
"""What programs put beside a table."""
_TEXT = ".txt"
_KINDS = mimetypes.MimeTypes()
"""Python's own list, which is the same on every computer."""


def unpacked(raw: bytes, name: str, endings: Collection[str], tick: Callable[[], None]) -> bytes:
    """Returns the one table of a gzip file or a ZIP archive; other bytes as they are.

    Args:
        raw: The bytes of a file.
        name: Its name, for messages.
        endings: Endings of the names of tables; an archive may hold other files, too.
        tick: Called between pieces; may raise to cancel.

    Raises:
        InputError: It is damaged, encrypted, holds no table or several, or unpacks to far more than
            it holds.
    """
    if raw.startswith(_GZIP):
        found = _gunzipped(raw, name, tick)
    elif raw.startswith((SIGNATURE, _EMPTY)) and not is_workbook(raw):
        found = _only_table(raw, name, endings)
    else:
        return raw
    if found.startswith((_GZIP, SIGNATURE)) and not is_workbook(found):
        raise InputError(
            f"{name} holds an archive within an archive.", remedy="Unpack it, and load the table."
        )
    return found


def is_workbook(raw: bytes) -> bool:
    """Whether an archive is a spreadsheet."""
    names = members(raw)
    return "mimetype" in names[:1] or any(name.startswith("xl/workbook.") for name in names)


def _gunzipped(raw: bytes, name: str, tick: Callable[[], None]) -> bytes:
    found = bytearray()
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as file:
            while piece := file.read(_PIECE):
                tick()
                found += piece
                require_sane(len(found), len(raw), name)
    except (gzip.BadGzipFile, zlib.error, EOFError):
        refused = damaged(name, "unpacked", _ANEW)
    else:
        return bytes(found)
    raise refused


def _is_no_table(name: str) -> bool:
    """Whether a file is a picture, a recording or a page to read, by the ending of its name."""
    kind, _ = _KINDS.guess_type(name)
    return kind is not None and kind.startswith(("image/", "audio/", "video/", "application/pdf"))


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
        tables = tables or (kept if len(kept) == 1 and not _is_no_table(kept[0]) else [])
        if len(tables) == 1:
            return archive.read(tables[0])
        what = "no table" if not tables else f"{len(tables)} tables"
        which = f": {shortened(printable(', '.join(tables)), 200)}" if tables else ""
        raise InputError(
            f"{name} holds {what}{which}.",
            remedy="Unpack it, and load the file that holds the answers.",
        )

    return with_archive(raw, name, table)
