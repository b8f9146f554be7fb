"""How a ledger recognises a table: by its fingerprint, and by the known files that it resembles."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.table import SurveyTable
from dpdesk.ledger.account import KnownFile
from dpdesk.ledger.chain import LedgerKey
from dpdesk.ledger.common_rows import common_rows
from dpdesk.ledger.comparing import Compared, Match
from dpdesk.ledger.fingerprint import CodedTable, Short, cell_digests, coded_table, fingerprint_of
from dpdesk.ledger.sketch import MAGIC, NONCE, FileSketch, JointCounts, sketch_of
from dpdesk.numbers.tails import chi_square_below
from dpdesk.randomness import SystemWords

_LEAST_EXPECTED = 5.0
_MOST_CHANCE = 1e-5
"""Largest probability that files of other people agree so closely."""

_BALANCED = 1e-3
"""Counts that are equal more closely than with this chance were balanced by a design."""

_SHARE_OF_WINDOWS = 0.2
_LEAST_WINDOWS = 6


def agreeing_counts(new: Compared, known: FileSketch, matches: tuple[Match, ...]) -> int:
    """Returns the number of columns with the same frequencies as in a known file, beyond chance.

    For each set of columns that are counted together, the two samples are compared by Pearson's
    chi-square (of homogeneity). The chance that it is so small is counted only where it is so for
    at least half of the columns, and multiplied by the number of all columns over that of those:
    a valid chance however they depend on each other (Rueger 1978). So quotas on some questions,
    which every wave of a survey meets, do not make two waves look like one.

    Returns:
        The number of columns; 0 if chance can explain it.
    """
    place_of = {match.known: match.new for match in matches}
    chances: list[tuple[float, int]] = []
    for joint in known.joint:
        shared = [i for i, number in enumerate(joint.columns) if number in place_of]
        if not shared:
            continue
        places = tuple(place_of[joint.columns[i]] for i in shared)
        combinations = new.combinations(places)
        if combinations is None:
            continue
        answers, counts = _narrowed(joint, shared)
        chance = _chance_of_agreement(answers, counts, combinations.answers, combinations.counts)
        if chance is not None:
            chances.append((chance, len(shared)))
    chances.sort()
    columns = sum(size for _, size in chances)
    reached = 0
    for chance, size in chances:
        reached += size
        if 2 * reached >= columns:
            agreeing = sum(size for other, size in chances if other <= _MOST_CHANCE)
            return max(agreeing, reached) if chance * columns / reached <= _MOST_CHANCE else 0
    return 0


def agreeing_orders(new: Compared, known: FileSketch, matches: tuple[Match, ...]) -> int:
    """Returns the number of columns whose answers are in the same order as in a known file.

    At least half of the columns that both files have must agree: one list that two surveys share,
    such as random assignments, does not make them one.
    """
    place_of = {match.known: match.new for match in matches}
    few = range(len(new.table.columns))
    agreeing = compared = 0
    for order in known.orders:
        place = place_of.get(order.column)
        # A renamed column of few answers may have been taken for another one.
        places = (
            few
            if place is None or known.columns[order.column].name != (new.table.columns[place].name)
            else (place,)
        )
        shares = [_share_of_windows(order.windows, new.windows(p, order.length)) for p in places]
        agrees = max(shares, default=0.0) >= _SHARE_OF_WINDOWS
        agreeing += agrees
        compared += agrees or place is not None
    return agreeing if 2 * agreeing >= max(compared, 1) else 0


def _share_of_windows(known: NDArray[np.uint64], new: NDArray[np.uint64]) -> float:
    """Returns the share of the windows of one of two columns that the other one has."""
    if not known.size or not new.size:
        return 0.0
    # A digest beyond the end of a sample may be absent from it.
    end = min(known[-1], new[-1])
    some, others = known[known <= end], new[new <= end]
    common = np.intersect1d(some, others, assume_unique=True).size
    return 0.0 if common < _LEAST_WINDOWS else common / min(some.size, others.size)


def _narrowed(joint: JointCounts, shared: list[int]) -> tuple[Short, NDArray[np.int64]]:
    """Returns counts of the combinations of some of the columns."""
    if len(shared) == len(joint.columns):
        return joint.answers, joint.counts
    answers, which = np.unique(joint.answers[:, shared], axis=0, return_inverse=True)
    return answers, np.bincount(which.ravel(), joint.counts).astype(np.int64)


def _chance_of_agreement(
    known: Short, known_counts: NDArray[np.int64], new: Short, new_counts: NDArray[np.int64]
) -> float | None:
    """Returns how often samples of other people agree so closely; None if that says nothing."""
    both, which = np.unique(np.vstack([known, new]), axis=0, return_inverse=True)
    which = which.ravel()
    first = np.bincount(which[: len(known)], known_counts, len(both))
    second = np.bincount(which[len(known) :], new_counts, len(both))
    if first.sum() > second.sum():
        first, second = second, first
    size, ratio = first.sum(), second.sum() / first.sum()
    expected = (first + second) / (1 + ratio)
    is_rare = expected < _LEAST_EXPECTED
    if is_rare.any():
        # Rare combinations are counted together.
        first = np.append(first[~is_rare], first[is_rare].sum())
        second = np.append(second[~is_rare], second[is_rare].sum())
        expected = (first + second) / (1 + ratio)
        kept = expected >= _LEAST_EXPECTED
        first, second, expected = first[kept], second[kept], expected[kept]
    degrees = first.size - 1
    if degrees < 1:
        return None
    even = size / first.size
    if chi_square_below(float(((first - even) ** 2).sum() / even), degrees) < _BALANCED:
        return None
    # Counts are whole numbers: a difference represents all that round to it.
    differences = np.abs(first - second / ratio) + 0.5
    statistic = float((differences**2 / expected).sum() / (1 + 1 / ratio))
    return chi_square_below(statistic, degrees)


Basis = Literal["rows", "rows of the other", "counts", "order"]
"""The property that two files share: rows of the new one, rows of the known one, frequencies of
answers, or their order."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """The similarity of a table and a known file.

    Attributes:
        basis: The property that they share.
        share: Share of the rows of the new table (or of the other one) that both have, or of its
            columns that agree.
        columns: Number of columns that agree, if columns are compared.
    """

    basis: Basis
    share: float
    columns: int = 0


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
    def sentence(self) -> str:
        """The resemblance in words."""
        return likeness_sentence(self.likeness, self.population, self.file)


def likeness_sentence(likeness: Likeness, population: str, file: KnownFile) -> str:
    """Returns in words what a table has in common with a known file."""
    percent = f"{100 * likeness.share:.0f} %"
    known = f"a file of “{population}” ({file.rows:,} rows, {file.time:%Y-%m-%d})"
    if likeness.basis == "rows":
        return f"About {percent} of its rows are those of {known}."
    if likeness.basis == "rows of the other":
        return f"It has about {percent} of the rows of {known}."
    columns = "1 of its columns" if likeness.columns == 1 else f"{likeness.columns} of its columns"
    if likeness.basis == "counts":
        return (
            f"In {columns}, {percent} of them, answers are as frequent as in {known}: more "
            "exactly than among other people."
        )
    return f"In {columns}, {percent} of them, answers follow each other as in {known}."


class Comparison:
    """A table against any number of known files; each is compared once.

    Args:
        table: The table.
        key: The ledger's key.
    """

    def __init__(self, table: CodedTable, key: LedgerKey) -> None:
        self._table, self._key = table, key
        self._compared: Compared | None = None
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

    def let_go(self) -> None:
        """Frees large arrays, after the last of several known files."""
        with self._lock:
            if self._compared is not None:
                self._compared.let_go()

    def _compare(self, sketch: bytes, tick: Callable[[], None]) -> Likeness | None:
        if not sketch.startswith(MAGIC):
            return None  # of a kind that only another version of dpdesk knows
        known = FileSketch.from_bytes(sketch, self._key)
        if not known.rows or not self._table.rows:
            return None
        if self._compared is None:
            self._compared = Compared(self._table, tick)
        new = self._compared
        new.tick = tick
        matches = new.matches(known)
        if matches:
            common = common_rows(new, known, matches)
            if common is not None and common.of_new >= common.of_known:
                return Likeness("rows", common.of_new)
            if common is not None:
                return Likeness("rows of the other", common.of_known)
        size = len(self._table.columns)
        counts = agreeing_counts(new, known, matches)
        if counts:
            return Likeness("counts", min(counts / size, 1.0), counts)
        orders = agreeing_orders(new, known, matches)
        return Likeness("order", min(orders / size, 1.0), orders) if orders else None


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
