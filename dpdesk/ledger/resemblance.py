"""Which known file a new one resembles, and in what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dpdesk.ledger.account import KnownFile
from dpdesk.ledger.sketch import SetSketch, TableSketch

_LEAST_SHARE = 0.5
"""Files that have fewer rows in common are not called alike."""

_LEAST_EXCESS = 0.5
"""How far the share must stand above the one that chance gives, on the way to 1."""

_MOST_CHANCE = 0.9
"""Rows that are so often those of other people as well say nothing."""

_LEAST_BITS = 60.0
"""Columns that say less together may agree by chance."""


@dataclass(frozen=True, slots=True)
class Resemblance:
    """What a table has in common with a known file of a population.

    Attributes:
        population: Name of the population.
        file: The known file.
        basis: "rows" if whole rows are compared, "rows but one column" if without one column of
            either or both, "columns" if the answers of whole columns.
        share: Share of the table's distinct rows that the file has, or of its columns.
        matched: How many columns agree, where columns are compared.
    """

    population: str
    file: KnownFile
    basis: Literal["rows", "rows but one column", "columns"]
    share: float
    matched: int = 0

    @property
    def sentence(self) -> str:
        """The same in words."""
        percent = f"{100 * self.share:.0f} %"
        day = f"{self.file.time:%Y-%m-%d}"
        known = f"a file of {self.population} ({self.file.rows:,} rows, {day})"
        if self.basis == "rows":
            return f"About {percent} of its rows are those of {known}."
        if self.basis == "columns":
            return f"{self.matched} of its columns have exactly the answers of {known}."
        return f"But for one column, about {percent} of its rows are those of {known}."


def resemblance(
    population: str, file: KnownFile, known: TableSketch, new: TableSketch
) -> Resemblance | None:
    """Compares a new table with a known file.

    Rows are compared as wholes, then without one column of either or of both. A share counts only
    if it stands well above the one that other people of the same population would reach by
    chance, because few questions with few answers make everybody's rows alike.

    Returns:
        What they have in common, or None if that is little or can be chance.
    """
    share = _alike(new.whole, known.whole)
    if share:
        return Resemblance(population, file, "rows", share)
    pairs = (
        *((part, known.whole) for part in new.without),
        *((new.whole, part) for part in known.without),
        *((part, other) for part in new.without for other in known.without),
    )
    best = max((_alike(one, other) for one, other in pairs), default=0.0)
    if best:
        return Resemblance(population, file, "rows but one column", best)
    if known.rows == new.rows:
        digests = {column.digest for column in known.columns}
        agreeing = [column for column in new.columns if column.digest in digests]
        if sum(column.bits for column in agreeing) >= _LEAST_BITS:
            share = len(agreeing) / len(new.columns)
            return Resemblance(population, file, "columns", share, len(agreeing))
    return None


def _alike(new: SetSketch, known: SetSketch) -> float:
    """Returns the share of a set that is in another one; 0 if it is small or can be chance."""
    chance = max(new.coverage, known.coverage)
    if not new.size or chance > _MOST_CHANCE:
        return 0.0
    share = min(new.common(known) / new.size, 1.0)
    is_alike = share >= _LEAST_SHARE and share - chance >= _LEAST_EXCESS * (1 - chance)
    return share if is_alike else 0.0
