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
    chance = max(known.coverage, new.coverage)
    whole = _share(new.whole, known.whole)
    if _is_alike(whole, chance):
        return Resemblance(population, file, "rows", whole)
    pairs = (
        *((part, known.whole) for part in new.without),
        *((new.whole, part) for part in known.without),
        *((part, other) for part in new.without for other in known.without),
    )
    best = max((_share(one, other) for one, other in pairs), default=0.0)
    if _is_alike(best, chance):
        return Resemblance(population, file, "rows but one column", best)
    if known.rows == new.rows:
        digests = {column.digest for column in known.columns}
        agreeing = [column for column in new.columns if column.digest in digests]
        if sum(column.bits for column in agreeing) >= _LEAST_BITS:
            share = len(agreeing) / len(new.columns)
            return Resemblance(population, file, "columns", share, len(agreeing))
    return None


def _is_alike(share: float, chance: float) -> bool:
    return share >= _LEAST_SHARE and share - chance >= _LEAST_EXCESS * (1 - chance)


def _share(new: SetSketch, known: SetSketch) -> float:
    return min(new.common(known) / new.size, 1.0) if new.size else 0.0
