"""The secret key of a ledger: without it, nobody can forge rows or guess answers.

A fingerprint without a key could be compared with that of any guess: a person who found the ledger
could try out a respondent's answers.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from pathlib import Path

from dpdesk.data.regular_file import FileRefusedError, read_regular
from dpdesk.data.write_file import write_durably
from dpdesk.errors import DamagedLedgerError, LedgerError
from dpdesk.ledger.place import key_path
from dpdesk.randomness import SystemWords

_BYTES = 32
_KEY_MOST = 1 << 12
SET_ASIDE = (
    "To go on, put the missing file back from a backup; or start anew with "
    "'dpdesk ledger --set-aside', which keeps what is there under another name. "
    "A new ledger knows of no earlier release."
)
"""What to do about a ledger that cannot be trusted."""


def damaged(what: str) -> DamagedLedgerError:
    """Returns the error of a ledger that cannot be trusted."""
    return DamagedLedgerError(
        f"The ledger is damaged, so that nothing can be released. {what}", remedy=SET_ASIDE
    )


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
            raise DamagedLedgerError(
                f"The key of the ledger, {path.name}, is missing, so that the ledger cannot be "
                "trusted.",
                remedy=SET_ASIDE,
            ) from None
        raise LedgerError(
            f"The key of the ledger, {path.name}, cannot be read: {refused}.",
            remedy="Give yourself the right to read it.",
        ) from None
    if len(secret) != _BYTES:
        raise DamagedLedgerError(
            f"The key of the ledger, {path.name}, is damaged.", remedy=SET_ASIDE
        )
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
