"""The head of a system file of SPSS, for what pyreadstat does not tell: weight and short names.

Layout of the records by the documentation of PSPP, "System File Format".
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

_FIRST = 176
_COLUMN = 2
_ENCRYPTED = b"ENCRYPTEDSAV"
_LONG_NAMES = 13
_FLOATS = 4
"""The record of the numbers that stand for a missing one and for the ends of ranges."""


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
        """Reads the head; what is damaged is left out, as pyreadstat refuses such a file."""
        try:
            return _read(raw)
        except (struct.error, UnicodeDecodeError, IndexError):
            return cls()

    @staticmethod
    def without_sysmis_of_zero(raw: bytes) -> bytes:
        """Returns a file in which 0 is a number: some programs state it as the missing one."""
        try:
            head = _Words.of(raw)
            at, size = head.extension(_FLOATS)
        except (struct.error, IndexError):
            return raw
        number = f"{head.order}d"
        if size < struct.calcsize(number) or struct.unpack_from(number, raw, at)[0]:
            return raw
        missing = struct.pack(number, -sys.float_info.max)
        return b"".join((raw[:at], missing, raw[at + len(missing) :]))

    def column(self, short: str, names: Sequence[str]) -> str | None:
        """Returns the name of a column by its short or long name in any case; None for none."""
        wanted = self.long_names.get(short.upper(), short)
        return next((name for name in names if name.upper() == wanted.upper()), None)


def _read(raw: bytes) -> SpssHead:
    head = _Words.of(raw)
    weight, weight_name = head.whole(76), ""
    for number, at in enumerate(head.columns(), 1):
        if number == weight:
            weight_name = raw[at + 24 : at + 32].decode("ascii").rstrip()
    place, size = head.extension(_LONG_NAMES)
    pairs = (pair.partition("=") for pair in raw[place : place + size].decode().split("\t"))
    long_names = {short.upper(): name for short, mark, name in pairs if mark}
    return SpssHead(long_names.get(weight_name.upper(), weight_name), long_names)


@dataclass(frozen=True, slots=True)
class _Words:
    """The whole numbers of a head, in an order of bytes as `struct` names it."""

    raw: bytes
    order: str

    @classmethod
    def of(cls, raw: bytes) -> _Words:
        """Returns the numbers of a file."""
        return cls(raw, "<" if raw[64:68] in (b"\2\0\0\0", b"\3\0\0\0") else ">")

    def columns(self) -> Iterator[int]:
        """Yields where the record of each column is, and where what follows them begins."""
        at = _FIRST
        while self.whole(at) == _COLUMN:
            yield at
            has_label, missing = self.whole(at + 8), self.whole(at + 12)
            at += 32
            if has_label:
                at += 4 + -(-self.count(at) // 4) * 4
            at += 8 * abs(missing)
        yield at

    def extension(self, wanted: int) -> tuple[int, int]:
        """Returns where a record behind those of the columns has its content, and its bytes.

        Both are 0 where there is none.
        """
        *_, at = self.columns()
        while True:
            kind = self.whole(at)
            if kind == 3:
                labels, at = self.count(at + 4), at + 8
                for _ in range(labels):
                    at += 8 + -(-(self.raw[at + 8] + 1) // 8) * 8
            elif kind == 4:
                at += 8 + 4 * self.count(at + 4)
            elif kind == 6:
                at += 8 + 80 * self.count(at + 4)
            elif kind == 7:
                subtype, size = self.whole(at + 4), self.count(at + 8) * self.count(at + 12)
                at += 16
                if subtype == wanted:
                    return at, size
                at += size
            else:
                return 0, 0

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
