"""The secret key of a ledger: without it, rows cannot be forged nor answers be guessed.

A fingerprint without a key could be compared with that of any guess: whoever found the ledger
could try out the answers of a respondent.
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
        """Returns `size` bytes (at most 64) of a key for one purpose alone."""
        return hashlib.blake2b(purpose.encode(), key=self.secret, digest_size=size).digest()

    def seal(self, release_id: str) -> str:
        """Returns what a release carries so that its ledger knows it for its own.

        It follows from the random identifier and the secret alone. So it is the same whatever was
        released and of whom, and without the key it cannot be told from random digits.
        """
        content = b"release " + release_id.encode("utf-8", "replace")
        return hmac.digest(self.derived("seals"), content, "sha256")[:16].hex()

    def mac(self, content: bytes) -> bytes:
        """Returns HMAC-SHA-256 of a content."""
        return hmac.digest(self.secret, content, "sha256")


def read_key(ledger: Path) -> LedgerKey:
    """Reads the key of a ledger.

    Raises:
        LedgerError: There is none, or it cannot be read.
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
        OSError: It cannot be written.
        ReleaseError: The system's source of randomness failed.
    """
    secret = SystemWords().take(_BYTES // 8).tobytes()
    write_durably(key_path(ledger), secret, private=True)
    return LedgerKey(secret)
