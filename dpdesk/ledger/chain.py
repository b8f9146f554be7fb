"""The chain of rows: each carries a digest of itself and the row before, and a keyed digest (MAC).

Anybody can recompute the digest, so that a damaged ledger can be examined without its key; nobody
can make the MAC without the key.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dpdesk.ledger.key import LedgerKey

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
