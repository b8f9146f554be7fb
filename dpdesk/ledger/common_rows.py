"""Which rows a new table and a known file have in common, beyond chance.

Other people of the same kind give the same answers too. How often is estimated from the new table
itself: a row of somebody else is found in it as often as its own rows occur again in it (Good 1953,
by Turing's argument: 1 - (rows that occur once) / rows). If the known file holds only some kinds of
people, it is estimated from the rows of those kinds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.ledger.comparing import Compared, Match, RowCounts
from dpdesk.ledger.fingerprint import Words
from dpdesk.ledger.sketch import FileSketch

_LEAST_EVIDENCE = 25.0
"""Twice the log-likelihood ratio against chance, after subtracting three standard errors."""

_ERRORS = 3.0
_LEAST_SHARE = 0.2
"""Share of the rows of one of the two files that the other one must have."""

_LEAST_OF_SAMPLE = 0.004
_STRATUM = 10
_QUESTIONS = 4
_KEPT_SHARE = 0.8
_ANSWERS_MOST, _KINDS_MOST = 1_000, 64
_LEFT_OUT_MOST = 40
_CELLS = 30_000_000
"""Cells of the new table that may be read again without one or two of its columns."""


@dataclass(frozen=True, slots=True)
class CommonRows:
    """Comparison of the rows that two files have in common.

    Attributes:
        of_known: Share of the rows of the known file that the new one has, beyond chance.
        of_new: Share of the rows of the new file that the known one has, beyond chance.
        evidence: Twice the log-likelihood ratio against the level of chance.
        columns: Number of columns compared.
    """

    of_known: float
    of_new: float
    evidence: float
    columns: int

    @property
    def counts(self) -> bool:
        """Whether they share more rows than chance explains, and more than a few."""
        share = max(self.of_known, self.of_new)
        is_large = share >= _LEAST_SHARE and self.of_known >= _LEAST_OF_SAMPLE
        return is_large and self.evidence >= _LEAST_EVIDENCE


@dataclass(frozen=True, slots=True, eq=False)
class _Strata:
    """Kinds of people within which chance is the same.

    Attributes:
        controls: The kind of each control row of the new table.
        sampled: The kind of each sampled row of the known file.
        is_compared: Whether the new table has enough people of a sampled row's kind.
        count: A number above those of all kinds.
    """

    controls: NDArray[np.int64]
    sampled: NDArray[np.int64]
    is_compared: NDArray[np.bool_]
    count: int


def common_rows(new: Compared, known: FileSketch, matches: tuple[Match, ...]) -> CommonRows | None:
    """Looks up the sampled rows of a known file by the columns that both files have.

    A column of the same name may have been changed: so the columns are also tried without those
    whose answers are partly unknown, and without each one or two of them.

    Args:
        new: The new table.
        known: The known file.
        matches: The matching columns.

    Returns:
        The best comparison that counts, or None.
    """
    distinctive = tuple(
        match
        for match in matches
        if not new.table.columns[match.new].is_serial and not known.columns[match.known].is_serial
    )
    if not distinctive:
        return None
    strata = _strata(new, distinctive)
    whole = (
        distinctive,
        tuple(match for match in distinctive if match.found > 1 - _LEAST_SHARE / 2),
    )
    tried = [some for some in dict.fromkeys(whole) if some]
    new.look_through(_asked(new, tried))
    results = [_looked_up(new, known, some, strata) for some in tried]
    counting = [common for common in results if common.counts]
    if not counting:
        fewer = _left_out(distinctive, new.table.rows)
        new.look_through(_asked(new, fewer))
        for some in fewer:
            common = _looked_up(new, known, some, strata)
            if common.counts:
                return common
    return max(counting, key=lambda common: common.evidence, default=None)


def _asked(
    new: Compared, tried: Sequence[tuple[Match, ...]]
) -> list[tuple[tuple[int, ...], Words]]:
    """The columns and the known rows that are looked up by them."""
    return [(tuple(m.new for m in some), new.known_rows(some)[0]) for some in tried]


def _left_out(matches: tuple[Match, ...], rows: int) -> list[tuple[Match, ...]]:
    """Returns the columns without each one and, as far as time allows, without each two."""
    size = len(matches)
    if not 2 < size <= _LEFT_OUT_MOST:
        return []
    every = range(size)
    gone = [{i} for i in every] + [{i, j} for i in every for j in range(i) if size > 3]
    most = max(_CELLS // (rows * size), size)
    return [tuple(matches[i] for i in every if i not in out) for out in gone[:most]]


def _looked_up(
    new: Compared, known: FileSketch, matches: tuple[Match, ...], strata: _Strata
) -> CommonRows:
    by = new.rows_by(tuple(match.new for match in matches))
    rows, possible = new.known_rows(matches)
    hit = ((by.occurrences(rows) > 0) & possible)[strata.is_compared]
    if not hit.size:
        return CommonRows(0.0, 0.0, 0.0, len(matches))
    by_chance, error = _chance(by, new.copies, strata)
    expected = min(by_chance + _ERRORS * error + new.copies / new.table.rows, 1.0)
    share = float(hit.mean())
    evidence = 2 * hit.size * _divergence(share, expected) if share > expected else 0.0
    beyond = max((share - by_chance) / (1 - by_chance), 0.0) if by_chance < 1 else 0.0
    of_known = beyond * hit.size / strata.is_compared.size
    of_new = min(of_known * known.rows * new.copies / new.table.rows, 1.0)
    return CommonRows(of_known, of_new, evidence, len(matches))


def _chance(by: RowCounts, copies: int, strata: _Strata) -> tuple[float, float]:
    """Returns the share of rows of other people that the new table has, and its standard error."""
    count = strata.count
    # In a table that has every row twice, a row that occurs twice is one person.
    is_single, is_double = by.controls <= copies, by.controls <= 2 * copies
    each = np.bincount(strata.controls, minlength=count) / copies
    singles = np.bincount(strata.controls, is_single, count) / copies
    doubles = np.bincount(strata.controls, is_double & ~is_single, count) / copies
    share = (each - singles + 0.5) / (each + 1)
    sampled = strata.sampled[strata.is_compared]
    weights = np.bincount(sampled, minlength=count) / sampled.size
    squared = weights**2 @ _variance(singles, doubles, each)
    return float(weights @ share), math.sqrt(float(squared))


def _variance(once: Any, twice: Any, size: Any) -> Any:
    """Returns the variance of Good's estimate: (N1 (1 - N1 / n) + 2 N2) / n^2 (Esty 1983)."""
    return (once * (1 - once / np.maximum(size, 1)) + 2 * twice + 1) / (size + 1) ** 2


def _strata(new: Compared, matches: tuple[Match, ...]) -> _Strata:
    """Divides people by the questions in whose answers the known file differs most."""
    differing = [(d, match) for match in matches if (d := _difference(new, match)) > 0]
    differing.sort(key=lambda pair: -pair[0])
    controls = np.zeros(new.controls.size, dtype=np.int64)
    sampled = np.zeros(matches[0].codes.size, dtype=np.int64)
    strata = _grouped(new, controls, sampled)
    for _, match in differing[:_QUESTIONS]:
        column = new.table.columns[match.new]
        finer = _grouped(
            new,
            strata.controls * column.digests.size + column.codes(new.controls),
            np.where(
                (match.codes < 0) | ~strata.is_compared,
                -1,
                strata.sampled * column.digests.size + match.codes,
            ),
        )
        is_first = strata.count == 1
        if is_first or finer.is_compared.mean() >= _KEPT_SHARE * strata.is_compared.mean():
            strata = finer
    return strata


def _grouped(new: Compared, controls: NDArray[np.int64], sampled: NDArray[np.int64]) -> _Strata:
    """Numbers the kinds of people that the new table has; others are not compared."""
    kinds, numbers, sizes = np.unique(controls, return_inverse=True, return_counts=True)
    places = np.minimum(np.searchsorted(kinds, sampled), kinds.size - 1)
    is_large = sizes >= min(_STRATUM, new.table.rows // 2)
    is_compared = (kinds[places] == sampled) & is_large[places]
    return _Strata(numbers, places, is_compared, kinds.size)


def _difference(new: Compared, match: Match) -> float:
    """Returns how far the answers to a question are from those in the new table.

    Returns:
        Half the sum of the differences of shares; 0 if chance can explain them, or if the question
        has too many answers to distinguish kinds of people.
    """
    column = new.table.columns[match.new]
    size = column.digests.size
    if not 2 <= size <= _ANSWERS_MOST:
        return 0.0
    seen = np.bincount(match.codes + 1, minlength=size + 1)
    here = np.concatenate([[0], column.counts])
    if size > _KINDS_MOST and (here >= _STRATUM) @ seen < seen.sum() / 2:
        return 0.0
    each = 1 / seen.sum() + 1 / here.sum()
    usual = np.maximum((seen + here) / (seen.sum() + here.sum()), 1e-12)
    differences = seen / seen.sum() - here / here.sum()
    statistic = float((differences**2 / usual).sum() / each)
    is_chance = statistic <= size + _ERRORS * math.sqrt(2 * size)
    return 0.0 if is_chance else float(np.abs(differences).sum() / 2)


def _divergence(share: float, expected: float) -> float:
    """Returns the Kullback-Leibler divergence of two chances, in nats."""
    divergence = share * math.log(share / expected) if share else 0.0
    if share < 1:
        divergence += (1 - share) * math.log((1 - share) / (1 - expected)) if expected < 1 else 0.0
    return divergence
