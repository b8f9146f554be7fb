"""Space on the disk that is held until the ledger needs it.

A release is charged before it is drawn, and its outcome and answers are written after. A disk that
is full then would leave a charge without them: so their space is taken before anything is charged.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from dpdesk.errors import LedgerError

OUTCOME = 1 << 18
"""Bytes that the end of a release takes at most: a row, the pages around it, and both heads."""

_COPIES = 3
"""Written ahead, then into the file, whose pages are split on the way."""

_PIECE = 1 << 20


def size_of(answers: int) -> int:
    """Returns the bytes to hold for answers of a size, and for the end of their release."""
    return OUTCOME + (_COPIES * answers if answers else 0)


class Reserve:
    """Space beside a ledger, held by a file without a name: it is free again after a crash.

    Args:
        ledger: The ledger's file.
        size: How many bytes to hold.

    Raises:
        LedgerError: There is not so much space.
    """

    def __init__(self, ledger: Path, size: int) -> None:
        try:
            self._file = tempfile.TemporaryFile(dir=ledger.parent)  # noqa: SIM115 - held open
        except OSError as error:
            raise _no_space(ledger, size, error) from None
        try:
            _allocate(self._file.fileno(), size)
        except OSError as error:
            self._file.close()
            raise _no_space(ledger, size, error) from None

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


def _no_space(ledger: Path, size: int, error: OSError) -> LedgerError:
    return LedgerError(
        f"The ledger {ledger.name} needs {size / 1e6:.1f} MB beside it, and the disk does not give "
        f"them: {error.strerror}. Nothing was charged or drawn.",
        remedy="Free space, or give yourself the right to write there.",
    )
