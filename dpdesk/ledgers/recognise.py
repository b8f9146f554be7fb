"""How a ledger recognises a table: by its fingerprint, and by the known files that it resembles."""

from __future__ import annotations

import hashlib
import json
import threading
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.table import SurveyTable
from dpdesk.i18n import Message
from dpdesk.ledgers.account import KnownFile
from dpdesk.ledgers.chain import LedgerKey
from dpdesk.ledgers.fingerprint import (
    CodedColumn,
    CodedTable,
    Short,
    Words,
    cell_digests,
    coded_table,
    fingerprint_of,
    hashed_pieces,
    scrambled,
)
from dpdesk.ledgers.texts import T
from dpdesk.numbers.arrays import pieces_of
from dpdesk.numbers.digits import fixed_percent
from dpdesk.randomness import SystemWords

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
    """The sketch of a file: some rows drawn at random, with the keyed digest of every cell.

    A later table is compared in full, so that a sample of the known one is enough. The ledger
    encrypts it: without the key not even the frequency of an answer can be seen.

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


_CONTROLS = 20_000
"""Rows of the new table from which the level of chance is read."""

_LEAST_SHARE = 0.2
"""Share of the rows of one of the two files that the other one must have."""

_LEAST_HITS = 5
_ERRORS = 5.0
"""Standard errors by which the share must exceed that of chance."""

_NEARLY_ALL = 0.9
"""Share of the known answers that a column must have: one with fewer was recoded."""

_FLAGS = 8
_HALF = np.uint64(32)
_COPIES_MOST = 4


Basis = Literal["rows", "rows of the other"]
"""Whose rows the share is of: the new file's, or the known one's."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """The similarity of a table and a known file.

    Attributes:
        basis: Whose rows the share is of.
        share: Share of those rows that both files have, beyond chance.
    """

    basis: Basis
    share: float


@dataclass(frozen=True, slots=True)
class Resemblance:
    """A likeness to a known file of a population.

    Attributes:
        population: Name of the population.
        number: Its number in the ledger.
        file: The known file.
        likeness: The similarity.
    """

    population: str
    number: int
    file: KnownFile
    likeness: Likeness

    @property
    def sentence(self) -> Message:
        """The resemblance in words."""
        return likeness_sentence(self.likeness, self.population, self.file)


def likeness_sentence(likeness: Likeness, population: str, file: KnownFile) -> Message:
    """Returns in words what a table has in common with a known file."""
    date = file.time.date().isoformat()
    known = T.KNOWN_FILE(population=population, count=file.rows, date=date)
    text = T.SAME_ROWS if likeness.basis == "rows" else T.SAME_ROWS_OF_OTHER
    return text(share=fixed_percent(likeness.share, 0), file=known)


class Comparison:
    """A table against any number of known files; each is compared once.

    Args:
        table: The table.
        key: The ledger's key.
    """

    def __init__(self, table: CodedTable, key: LedgerKey) -> None:
        self._table, self._key = table, key
        self._known: dict[bytes, Likeness | None] = {}
        # The window may compare while a release of the same table runs.
        self._lock = threading.Lock()

    def knows(self, name: bytes) -> bool:
        """Whether the table was compared with the sketch of a name."""
        return name in self._known

    def likeness(self, name: bytes, sketch: bytes, tick: Callable[[], None]) -> Likeness | None:
        """Returns what the table has in common with a known file; None if little, or by chance.

        Args:
            name: SHA-256 under which the ledger stores the sketch.
            sketch: The sketch; not read if it was compared before.
            tick: Called now and then; may raise to stop.
        """
        with self._lock:
            if name not in self._known:
                tick()
                self._known[name] = self._compare(sketch, tick)
            return self._known[name]

    def _compare(self, sketch: bytes, tick: Callable[[], None]) -> Likeness | None:
        if not sketch.startswith(MAGIC):
            return None  # of a kind that only another version of dpdesk knows
        return compare_rows(self._table, FileSketch.from_bytes(sketch, self._key), tick)


def compare_rows(table: CodedTable, known: FileSketch, tick: Callable[[], None]) -> Likeness | None:
    """Returns the share of rows that a table and a known file have in common, beyond chance.

    Rows are compared by the columns of the same name, but for those that number the rows and those
    that were recoded. Other people of the same kind give the same answers too: how often is
    estimated from the new table, 1 - (rows that occur once) / rows (Good 1953, by Turing's
    argument). Columns whose rows repeat, such as a few questions of yes and no, say nothing.

    Args:
        table: The new table.
        known: The known file.
        tick: Called now and then; may raise to stop.
    """
    named = {column.name: column for column in table.columns if not column.is_serial}
    pairs = [
        (named[other.name], other)
        for other in known.columns
        if not other.is_serial and other.name in named and _is_alike(named[other.name], other)
    ]
    if not pairs or not known.rows or not table.rows:
        return None
    tags = [np.uint64((i * 0x9E3779B97F4A7C15 + 1) % 2**64) for i in range(len(pairs))]
    rows = _row_digests([known.answers[known.codes] for _, known in pairs], tags)
    positions = table.sample(_CONTROLS)
    controls = _row_digests([c.short(c.codes(positions)) for c, _ in pairs], tags)
    sought = _Sought(np.concatenate([rows, controls]))
    for piece in hashed_pieces(table.rows):
        tick()
        sought.count(_row_digests([c.short(c.codes(piece)) for c, _ in pairs], tags))
    occurring, repeated = np.split(sought.counts, [rows.size])
    # In a table that has every row twice, a row that occurs twice is one person.
    copies = _copies(repeated)
    size, once = repeated.size, np.count_nonzero(repeated <= copies)
    twice = np.count_nonzero(repeated <= 2 * copies) - once
    chance = (size - once + 0.5) / (size + 1)
    share = float(np.mean(occurring > 0))
    # Esty 1983: the variance of Good's estimate; and that of the sampled rows.
    variance = (once * (1 - once / size) + 2 * twice + 1) * copies / size**2
    variance += chance * (1 - chance) / rows.size
    enough = np.count_nonzero(occurring) - chance * rows.size >= _LEAST_HITS
    if not enough or share <= chance + _ERRORS * float(np.sqrt(variance)):
        return None
    of_known = (share - chance) / (1 - chance)
    of_new = min(of_known * known.rows * copies / table.rows, 1.0)
    if max(of_known, of_new) < _LEAST_SHARE:
        return None
    basis: Basis = "rows" if of_new >= of_known else "rows of the other"
    return Likeness(basis, float(max(of_new, of_known)))


def _is_alike(column: CodedColumn, known: SampledColumn) -> bool:
    """Whether nearly all of a known column's answers occur in the new one."""
    found = np.zeros(known.answers.size, dtype=np.bool_)
    for some in pieces_of(column.digests.size):
        found |= np.isin(known.answers, column.short(some))
    return bool(found[known.codes].mean() >= _NEARLY_ALL) if known.codes.size else False


def _row_digests(answers: Sequence[Short], tags: Sequence[np.uint64]) -> Words:
    """Returns digests of rows: sums of the digests of their answers with their questions.

    Args:
        answers: For each column the digest of each row's answer, shape (rows,).
        tags: A word for each column.
    """
    total = np.zeros(answers[0].size, dtype=np.uint64)
    for own, tag in zip(answers, tags, strict=True):
        total += scrambled(own.astype(np.uint64) + tag)
    return total


def _copies(counts: NDArray[np.int64]) -> int:
    """Returns how many times a table has every row: 1, or more where the file was doubled."""
    for copies in range(_COPIES_MOST, 1, -1):
        if np.mean(counts % copies == 0) >= _NEARLY_ALL:
            return copies
    return 1


class _Sought:
    """Some rows, and how often they occur among those that were looked at.

    Args:
        rows: Their digests.
    """

    def __init__(self, rows: Words) -> None:
        self._distinct, self._place_of = np.unique(rows, return_inverse=True)
        self._counts = np.zeros(self._distinct.size, dtype=np.int64)
        # Most rows are none of these, which either half of their digests tells.
        flags = 1 << (_FLAGS * self._distinct.size).bit_length()
        self._part = np.uint64(flags - 1)
        self._first, self._second = (np.zeros(flags, dtype=np.bool_) for _ in range(2))
        self._first[self._distinct & self._part] = True
        self._second[(self._distinct >> _HALF) & self._part] = True

    def count(self, rows: Words) -> None:
        """Counts rows of the table."""
        rows = rows[self._first[rows & self._part]]
        rows = rows[self._second[(rows >> _HALF) & self._part]]
        places = np.minimum(np.searchsorted(self._distinct, rows), self._distinct.size - 1)
        met = places[self._distinct[places] == rows]
        self._counts += np.bincount(met, minlength=self._distinct.size)

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often each row occurred, in the order in which they were given."""
        return self._counts[self._place_of]


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The data by which a ledger recognises a table; meaningless without the ledger's key.

    Attributes:
        digest: Keyed digest of the multiset of rows, in hexadecimal.
        rows: Number of rows.
        columns: Number of columns.
        sketch: Its sketch, by which similar files are found.
        comparison: Compares it with the sketches of other files.
    """

    digest: str
    rows: int
    columns: int
    sketch: bytes = field(repr=False)
    comparison: Comparison = field(repr=False, compare=False)


_KNOWN: WeakKeyDictionary[SurveyTable, tuple[LedgerKey, Fingerprint]] = WeakKeyDictionary()
"""Cache by table: a table does not change, and a large one takes a second."""


def recognise(table: SurveyTable, key: LedgerKey, tick: Callable[[], None]) -> Fingerprint:
    """Returns the fingerprint of a table under a ledger's key; cached.

    Args:
        table: The table.
        key: The ledger's key.
        tick: Called now and then; may raise to stop.
    """
    # Which columns are joined to questions changes nothing of whose data they are.
    table = table.in_file
    known = _KNOWN.get(table)
    if known is not None and known[0] == key:
        return known[1]
    cells = cell_digests(table, key)
    tick()
    digest = fingerprint_of(cells, key)
    coded = coded_table(table, cells, key, tick)
    nonce = SystemWords().take(NONCE // 8).tobytes()
    sketch = sketch_of(coded, tick).to_bytes(key, nonce)
    comparison = Comparison(coded, key)
    fingerprint = Fingerprint(digest, table.rows, len(table.columns), sketch, comparison)
    _KNOWN[table] = (key, fingerprint)
    return fingerprint
