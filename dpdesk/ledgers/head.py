"""The length of a ledger, stored beside it and elsewhere, so that a missing end is noticed.

Both files are written after a row is committed. So they may be behind, by rows written before a
crash or by others at this moment; they are never ahead.

The head lies beside the ledger and reveals that the ledger alone was replaced by an older copy.
The witness lies in another folder of the user and reveals that head and ledger were replaced or
removed together. A person who can write to both folders can deceive both: they guard against
accidents.
"""

from __future__ import annotations

import errno
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dpdesk.data.regular_file import DATA_MAX, FileRefusedError, open_regular
from dpdesk.data.strict_json import JsonRefusedError, parse_strict
from dpdesk.data.write_file import write_durably
from dpdesk.errors import DamagedLedgerError, OlderCopyError
from dpdesk.ledgers.chain import Row, damaged
from dpdesk.ledgers.place import head_path, witness_path
from dpdesk.ledgers.texts import T

_LARGEST = 4_096
_DIGEST = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Head:
    """The number of rows of a ledger, with the digest of the last.

    Attributes:
        rows: Number of its rows.
        digest: Digest of the last one.
    """

    rows: int
    digest: bytes

    def write(self, path: Path) -> None:
        """Writes it durably, readable by its owner alone.

        Raises:
            OSError: The file cannot be written.
        """
        content = {"rows": self.rows, "digest": self.digest.hex()}
        write_durably(path, json.dumps(content).encode(), private=True)

    @classmethod
    def read(cls, path: Path) -> Head | None:
        """Reads it; None if the file does not exist.

        Raises:
            OSError: The file cannot be read.
            ValueError: The file was changed.
        """
        try:
            with open_regular(path, DATA_MAX) as file:
                text = file.read(_LARGEST + 1)
        except FileRefusedError as refused:
            if refused.is_missing:
                return None
            if refused.is_endless:
                raise JsonRefusedError(str(refused)) from None
            raise OSError(errno.EIO, str(refused)) from None
        content = parse_strict(text)
        if isinstance(content, dict) and len(text) <= _LARGEST:
            rows, digest = content.get("rows"), content.get("digest")
            is_digest = isinstance(digest, str) and _DIGEST.fullmatch(digest)
            if type(rows) is int and rows > 0 and is_digest:
                return cls(rows, bytes.fromhex(str(digest)))
        raise JsonRefusedError("is not the head of a ledger")

    def check(self, path: Path, rows: Sequence[Row]) -> None:
        """Refuses rows that are fewer than those it was written after, or differ from them.

        Raises:
            OlderCopyError: There are fewer.
            DamagedLedgerError: They differ.
        """
        if self.rows > len(rows):
            raise OlderCopyError(T.OLDER_COPY(before=self.rows, now=len(rows)))
        if rows[self.rows - 1].digest != self.digest:
            raise damaged(T.NOT_THIS_LEDGER(file=path.name))


def check_heads(ledger: Path, rows: Sequence[Row]) -> None:
    """Refuses a ledger that is shorter than it was, or another ledger.

    Raises:
        DamagedLedgerError: It is refused, or the head or the witness is damaged or missing.
        OSError: One of the files cannot be read.
    """
    for path, head in _heads(ledger, rows):
        head.check(path, rows)


def missing_rows(ledger: Path, rows: Sequence[Row]) -> int:
    """Returns the number of rows missing at the end of a ledger that is valid up to there.

    Raises:
        DamagedLedgerError: It is another ledger, or the head or the witness is damaged.
        OSError: One of the files cannot be read.
    """
    missing = 0
    for path, head in _heads(ledger, rows):
        if head.rows > len(rows):
            missing = max(missing, head.rows - len(rows))
        else:
            head.check(path, rows)
    return missing


def _heads(ledger: Path, rows: Sequence[Row]) -> list[tuple[Path, Head]]:
    path = head_path(ledger)
    try:
        head = Head.read(path)
    except ValueError:
        raise damaged(T.FILE_CHANGED(file=path.name)) from None
    if head is None and len(rows) > 1:
        raise damaged(T.LENGTH_GONE(file=path.name))
    heads = [] if head is None else [(path, head)]
    witness = _witness(ledger)
    return heads if witness is None else [*heads, (witness_path(ledger), witness)]


def was_begun(ledger: Path) -> bool:
    """Whether a ledger existed here before, whatever became of it.

    Raises:
        DamagedLedgerError: The head or the witness is damaged.
    """
    return head_path(ledger).exists() or _witness(ledger) is not None


def write_heads(ledger: Path, last: Row) -> None:
    """Writes the head and the witness.

    A user profile that cannot be written to has no witness; the head is required.

    Raises:
        OSError: The head cannot be written.
    """
    head = Head(last.number, last.digest)
    head.write(head_path(ledger))
    path = witness_path(ledger)
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        head.write(path)


def are_written(ledger: Path) -> bool:
    """Whether both files exist."""
    return head_path(ledger).exists() and witness_path(ledger).exists()


def _witness(ledger: Path) -> Head | None:
    path = witness_path(ledger)
    try:
        return Head.read(path)
    except OSError:
        return None
    except ValueError:
        raise DamagedLedgerError(T.WITNESS_CHANGED(file=str(path))) from None
