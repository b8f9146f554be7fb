"""The sketch of a file, by which the ledger recognises a file that is nearly the same.

A later table is available in full when it is compared, so that a sample of the known file is
enough: rows drawn at random, with the keyed digest of every cell. They are looked up among all rows
of the new table by the columns that both have.

It is encrypted with the ledger's key: without it, not even the frequency of an answer can be seen.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.ledger.chain import LedgerKey
from dpdesk.ledger.fingerprint import CodedTable, Short

MAGIC = b"dpdesk sketch 2\n"
"""First bytes of a sketch; those of the first version begin with a number of rows."""

_SAMPLE = 2_048
_CELLS = 400_000
_SAMPLE_LEAST = 128
NONCE = 16
"""Bytes of the nonce that a sketch is encrypted with."""


@dataclass(frozen=True, slots=True, eq=False)
class SampledColumn:
    """A column of the sampled rows."""

    name: int
    """Keyed digest of its name."""
    is_serial: bool
    """Whether it numbers the rows."""
    answers: Short
    """Keyed digests of the answers that occur in the sample, shape (k,)."""
    codes: NDArray[np.uint16]
    """Position of each sampled row's answer among them, shape (sample,)."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often each answer occurs in the sample, shape (k,)."""
        return np.bincount(self.codes, minlength=self.answers.size)


@dataclass(frozen=True, slots=True, eq=False)
class FileSketch:
    """The sketch of a file.

    Attributes:
        rows: Number of its rows.
        columns: Its columns in the sampled rows.
    """

    rows: int
    columns: tuple[SampledColumn, ...]

    def to_bytes(self, key: LedgerKey, nonce: bytes) -> bytes:
        """Returns the encrypted sketch.

        Args:
            key: The ledger's key.
            nonce: `NONCE` bytes, used for nothing else.
        """
        head = {
            "rows": self.rows,
            "columns": [
                [column.name, column.is_serial, column.answers.size, column.codes.size]
                for column in self.columns
            ],
        }
        parts = [json.dumps(head, separators=(",", ":")).encode(), b"\n"]
        for column in self.columns:
            parts.append(column.answers.astype("<u4").tobytes())
            parts.append(column.codes.astype(_code_type(column.answers.size)).tobytes())
        return MAGIC + nonce + _sealed(zlib.compress(b"".join(parts)), key, nonce)

    @classmethod
    def from_bytes(cls, content: bytes, key: LedgerKey) -> FileSketch:
        """Reads the bytes that `to_bytes` wrote with the same key.

        Sketches of version 0.1.0 hold more behind the columns, which is not read.
        """
        start = len(MAGIC)
        nonce, sealed = content[start : start + NONCE], content[start + NONCE :]
        plain = zlib.decompress(_sealed(sealed, key, nonce))
        line = plain.index(b"\n")
        head = json.loads(plain[:line])
        place = line + 1

        def take(kind: str, count: int) -> NDArray[np.generic]:
            nonlocal place
            values = np.frombuffer(plain, dtype=kind, count=count, offset=place)
            place += values.nbytes
            return values

        columns = []
        for name, is_serial, answers, codes in head["columns"]:
            kept = take("<u4", answers).astype(np.uint32)
            positions = take(_code_type(answers), codes).astype(np.uint16)
            columns.append(SampledColumn(name, is_serial, kept, positions))
        return cls(head["rows"], tuple(columns))


def sketch_of(table: CodedTable, tick: Callable[[], None]) -> FileSketch:
    """Sketches a table.

    Args:
        table: The table.
        tick: Called now and then; may raise to stop.
    """
    size = min(max(_CELLS // len(table.columns), _SAMPLE_LEAST), _SAMPLE)
    positions = table.sample(size)
    columns = []
    for column in table.columns:
        tick()
        drawn, codes = np.unique(column.codes(positions), return_inverse=True)
        answers = column.short(drawn)
        columns.append(
            SampledColumn(column.name, column.is_serial, answers, codes.astype(np.uint16))
        )
    return FileSketch(table.rows, tuple(columns))


def _code_type(answers: int) -> str:
    return "u1" if answers <= 1 << 8 else "<u2"


def _sealed(content: bytes, key: LedgerKey, nonce: bytes) -> bytes:
    """Encrypts with a stream derived from key and nonce; applied twice it restores the content."""
    stream = hashlib.shake_256(key.derived("sketches") + nonce).digest(len(content))
    both = np.frombuffer(content, dtype=np.uint8) ^ np.frombuffer(stream, dtype=np.uint8)
    return both.tobytes()
