"""ZIP archives, opened without harm: spreadsheets are such archives, too."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from dpdesk.errors import InputError

SIGNATURE = b"PK\x03\x04"

_ALWAYS = 256 << 20
"""Bytes that an archive may unpack to in any case."""

_RATIO = 200
"""How many times its own size it may unpack to beyond that: a table in text shrinks to a tenth."""

UNPACKED_MAX = 4 << 30
"""Most bytes that an archive may unpack to."""


def members(raw: bytes) -> tuple[str, ...]:
    """Names of the files in an archive, without folders; empty for what is none."""
    if not raw.startswith(SIGNATURE):
        return ()
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            return tuple(one.filename for one in archive.infolist() if not one.is_dir())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return ()


@contextmanager
def opened(raw: bytes, name: str) -> Iterator[zipfile.ZipFile]:
    """Opens an archive that does not unpack to more than a table holds.

    Raises:
        InputError: It is damaged, encrypted, or unpacks to far more than it holds.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            listed = archive.infolist()
            if any(one.flag_bits & 1 for one in listed):
                raise locked(name)
            require_sane(sum(one.file_size for one in listed), len(raw), name)
            yield archive
        return
    except RecursionError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError):
        damaged = InputError(
            f"{name} cannot be unpacked: it is damaged, or a part of it is missing.",
            remedy="Copy or download it anew.",
        )
    raise damaged


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
