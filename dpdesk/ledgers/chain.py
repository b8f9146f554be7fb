"""The chain of rows of a ledger, and the secret key that they are signed with.

Each row carries a digest of itself and the row before, and a keyed digest (MAC). Anybody can
recompute the digest, so that a damaged ledger can be examined without its key; nobody can make the
MAC without the key. A fingerprint without a key could be compared with that of any guess: a person
who found the ledger could try out a respondent's answers.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpdesk.data.regular_file import FileRefusedError, read_regular
from dpdesk.data.write_file import write_durably
from dpdesk.errors import DamagedLedgerError, LedgerError
from dpdesk.i18n import Message
from dpdesk.ledgers.place import key_path
from dpdesk.ledgers.texts import T
from dpdesk.randomness import SystemWords

_BYTES = 32
_KEY_MOST = 1 << 12


def damaged(reason: Message) -> DamagedLedgerError:
    """Returns the error of a ledger that cannot be trusted."""
    return DamagedLedgerError(T.DAMAGED(reason=reason))


@dataclass(frozen=True, slots=True)
class LedgerKey:
    """A secret, and what is derived from it.

    Attributes:
        secret: 32 random bytes; never shown.
    """

    secret: bytes = field(repr=False)

    def derived(self, purpose: str, size: int = 32) -> bytes:
        """Returns `size` bytes (at most 64) of a key derived for one purpose."""
        return hashlib.blake2b(purpose.encode(), key=self.secret, digest_size=size).digest()

    def seal(self, release_id: str) -> str:
        """Returns the mark in a release's report by which the ledger recognises it as its own.

        It is computed from the random identifier and the secret alone. So it does not depend on
        the data, and without the key it cannot be distinguished from random digits.
        """
        content = b"release " + release_id.encode("utf-8", "replace")
        return hmac.digest(self.derived("seals"), content, "sha256")[:16].hex()

    def mac(self, content: bytes) -> bytes:
        """Returns HMAC-SHA-256 of a content."""
        return hmac.digest(self.secret, content, "sha256")


def read_key(ledger: Path) -> LedgerKey:
    """Reads the key of a ledger.

    Raises:
        LedgerError: The file is missing, or cannot be read.
    """
    path = key_path(ledger)
    try:
        secret = read_regular(path, _KEY_MOST)
    except FileRefusedError as refused:
        if refused.is_missing:
            raise DamagedLedgerError(T.KEY_GONE(file=path.name)) from None
        raise LedgerError(T.KEY_REFUSED(file=path.name, reason=str(refused))) from None
    if len(secret) != _BYTES:
        raise DamagedLedgerError(T.KEY_DAMAGED(file=path.name))
    return LedgerKey(secret)


def make_key(ledger: Path) -> LedgerKey:
    """Draws a key for a new ledger and writes it, readable by its owner alone.

    Raises:
        OSError: The file cannot be written.
        ReleaseError: The system's source of randomness failed.
    """
    secret = SystemWords().take(_BYTES // 8).tobytes()
    write_durably(key_path(ledger), secret, private=True)
    return LedgerKey(secret)


START = bytes(32)
"""The digest that the first row is chained to."""


class BrokenChainError(Exception):
    """A row was changed or is missing; `place` is its number."""

    def __init__(self, place: int) -> None:
        super().__init__(f"row {place}")
        self.place = place


@dataclass(frozen=True, slots=True)
class Row:
    """A row as stored in the file.

    Attributes:
        number: From 1, without gaps.
        kind: The kind of entry.
        content: Canonical JSON.
        attachment: SHA-256 of the row's attachment, or empty.
        digest: SHA-256 over the row and the digest of the row before.
        mac: HMAC of the digest with the ledger's key.
    """

    number: int
    kind: str
    content: str
    attachment: bytes
    digest: bytes
    mac: bytes


def canonical(content: dict[str, Any]) -> str:
    """Returns canonical JSON: equal contents have equal texts."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def sealed(
    number: int, kind: str, content: str, attachment: bytes, before: bytes, key: LedgerKey
) -> Row:
    """Returns a new row, chained to the digest of the row before."""
    digest = _digest(number, kind, content, attachment, before)
    return Row(number, kind, content, attachment, digest, key.mac(digest))


def verify(rows: Iterable[Row], key: LedgerKey | None) -> bytes:
    """Follows the chain to its end.

    Args:
        rows: All rows in their order.
        key: The key; without one only the digests are verified.

    Returns:
        The digest of the last row.

    Raises:
        BrokenChainError: A row is missing, out of order, or was changed.
    """
    before = START
    for place, row in enumerate(rows, start=1):
        if not _has_types(row):
            raise BrokenChainError(place)
        digest = _digest(place, row.kind, row.content, row.attachment, before)
        if row.number != place or not hmac.compare_digest(digest, row.digest):
            raise BrokenChainError(place)
        if key is not None and not hmac.compare_digest(key.mac(digest), row.mac):
            raise BrokenChainError(place)
        before = digest
    return before


def _has_types(row: Any) -> bool:
    """Whether the cells have their types: SQLite stores any type in any column."""
    are_bytes = all(isinstance(cell, bytes) for cell in (row.attachment, row.digest, row.mac))
    return are_bytes and isinstance(row.kind, str) and isinstance(row.content, str)


def _digest(number: int, kind: str, content: str, attachment: bytes, before: bytes) -> bytes:
    # Only the content, which comes last, may hold a line break.
    line = f"{number}\n{kind}\n{attachment.hex()}\n{content}"
    return hashlib.sha256(before + line.encode()).digest()
