"""The head of a system file of SPSS, for what pyreadstat does not tell: weight and short names.

Layout of the records by the documentation of PSPP, "System File Format".
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_FIRST = 176
_ENCRYPTED = b"ENCRYPTEDSAV"
_LONG_NAMES = 13


class EncryptedError(Exception):
    """A file that only a password opens."""


@dataclass(frozen=True, slots=True)
class SpssHead:
    """What the head of a file says.

    Attributes:
        weight: Name of the column that the file is weighted by; empty for none.
        long_names: Names of columns by the short names that sets of answers refer to, in capitals.
    """

    weight: str = ""
    long_names: Mapping[str, str] = field(default_factory=dict)

    @staticmethod
    def is_encrypted(raw: bytes) -> bool:
        """Whether a file is an encrypted one."""
        return raw[8:20] == _ENCRYPTED

    @classmethod
    def read(cls, raw: bytes) -> SpssHead:
        """Reads the head; what is damaged is left out, as pyreadstat refuses such a file.

        Raises:
            EncryptedError: The file is encrypted.
        """
        if cls.is_encrypted(raw):
            raise EncryptedError
        try:
            return _read(raw)
        except (struct.error, UnicodeDecodeError, IndexError):
            return cls()

    def column(self, short: str, names: Sequence[str]) -> str | None:
        """Returns the name of a column by its short or long name in any case; None for none."""
        wanted = self.long_names.get(short.upper(), short)
        return next((name for name in names if name.upper() == wanted.upper()), None)


def _read(raw: bytes) -> SpssHead:
    order = "<" if raw[64:68] in (b"\2\0\0\0", b"\3\0\0\0") else ">"
    head = _Words(raw, order)
    weight, at, number, weight_name = head.whole(76), _FIRST, 0, ""
    while head.whole(at) == 2:
        number += 1
        has_label, missing = head.whole(at + 8), head.whole(at + 12)
        if number == weight:
            weight_name = raw[at + 24 : at + 32].decode("ascii").rstrip()
        at += 32
        if has_label:
            at += 4 + -(-head.count(at) // 4) * 4
        at += 8 * abs(missing)
    long_names = _long_names(head, at)
    return SpssHead(long_names.get(weight_name.upper(), weight_name), long_names)


def _long_names(head: _Words, at: int) -> dict[str, str]:
    """The names of columns by their short names, from the records behind those of the columns."""
    while True:
        kind = head.whole(at)
        if kind == 3:
            labels, at = head.count(at + 4), at + 8
            for _ in range(labels):
                at += 8 + -(-(head.raw[at + 8] + 1) // 8) * 8
        elif kind == 4:
            at += 8 + 4 * head.count(at + 4)
        elif kind == 6:
            at += 8 + 80 * head.count(at + 4)
        elif kind == 7:
            subtype, size = head.whole(at + 4), head.count(at + 8) * head.count(at + 12)
            at += 16
            if subtype == _LONG_NAMES:
                pairs = (
                    pair.partition("=") for pair in head.raw[at : at + size].decode().split("\t")
                )
                return {short.upper(): name for short, _, name in pairs}
            at += size
        else:
            return {}


@dataclass(frozen=True, slots=True)
class _Words:
    """The whole numbers of a head.

    Attributes:
        raw: The bytes of the file.
        order: The order of the bytes of a number, as `struct` names it.
    """

    raw: bytes
    order: str

    def whole(self, place: int) -> int:
        """Returns the number of 32 bits at a place."""
        return int(struct.unpack_from(f"{self.order}i", self.raw, place)[0])

    def count(self, place: int) -> int:
        """Returns the number at a place, which counts something.

        Raises:
            IndexError: It is negative, so that a reader would go back.
        """
        number = self.whole(place)
        if number < 0:
            raise IndexError
        return number
