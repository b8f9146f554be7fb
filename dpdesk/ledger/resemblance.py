"""Which known file a new one resembles, and in what."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from dpdesk.ledger.account import KnownFile
from dpdesk.ledger.coded import CodedTable
from dpdesk.ledger.common_columns import agreeing_counts, agreeing_orders
from dpdesk.ledger.common_rows import common_rows
from dpdesk.ledger.comparing import Compared
from dpdesk.ledger.key import LedgerKey
from dpdesk.ledger.sketch import MAGIC, FileSketch

Basis = Literal["rows", "rows of the other", "counts", "order"]
"""What two files have in common: rows of the new one, rows of the known one, how often answers
occur, or in which order."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a table has in common with a known file.

    Attributes:
        basis: What is alike.
        share: Share of the rows of the new table (or of the other one) that both have, or of its
            columns that agree.
        columns: How many columns agree, where columns are compared.
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
        likeness: What is alike.
    """

    population: str
    number: int
    file: KnownFile
    likeness: Likeness

    @property
    def sentence(self) -> str:
        """The same in words."""
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
        # The window asks while a release of the same table runs.
        self._lock = threading.Lock()

    def knows(self, name: bytes) -> bool:
        """Whether the table was compared with what is kept under a name."""
        return name in self._known

    def likeness(self, name: bytes, sketch: bytes, tick: Callable[[], None]) -> Likeness | None:
        """Returns what the table has in common with a known file; None if little, or by chance.

        Args:
            name: SHA-256 under which the ledger keeps it.
            sketch: What it keeps; not read where it was compared before.
            tick: Called now and then; may raise to stop.
        """
        with self._lock:
            if name not in self._known:
                tick()
                self._known[name] = self._compare(sketch, tick)
            return self._known[name]

    def let_go(self) -> None:
        """Frees what is large, after the last of several known files."""
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
