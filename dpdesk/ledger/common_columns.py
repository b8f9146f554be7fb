"""Whether columns of a known file are those of a new table: by their counts, and by their order.

A single column of few answers says nothing of whose rows these are, but two samples of one
population differ in it by what chance gives, and two files of the same people differ by less.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpdesk.ledger.coded import Short
from dpdesk.ledger.comparing import Compared, Match
from dpdesk.ledger.sketch import FileSketch, JointCounts

_LEAST_EXPECTED = 5.0
_MOST_CHANCE = 1e-5
"""How seldom other people may agree so closely."""

_BALANCED = 1e-3
"""Counts nearer to equal ones than this chance were balanced by a design, as in any such file."""

_SHARE_OF_WINDOWS = 0.2
_LEAST_WINDOWS = 6


def agreeing_counts(new: Compared, known: FileSketch, matches: tuple[Match, ...]) -> int:
    """Returns in how many columns answers are as frequent as in a known file, beyond chance.

    For each set of columns that are counted together, the two samples are compared by Pearson's
    chi-square (of homogeneity). The chance that it is so small is counted only where it is so for
    at least half of the columns, and multiplied by the number of all columns over that of those:
    a valid chance however they depend on each other (Rueger 1978). So quotas on some questions,
    which every wave of a survey meets alike, do not make two waves one.

    Returns:
        The number of columns; 0 where chance can explain it.
    """
    place_of = {match.known: match.new for match in matches}
    chances: list[tuple[float, int]] = []
    for joint in known.joint:
        shared = [i for i, number in enumerate(joint.columns) if number in place_of]
        if not shared:
            continue
        places = tuple(place_of[joint.columns[i]] for i in shared)
        found = new.combinations(places)
        if found is None:
            continue
        answers, counts = _narrowed(joint, shared)
        chance = _chance_of_agreement(answers, counts, found.answers, found.counts)
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
    """Returns in how many columns the answers follow each other as in a known file.

    At least half of the columns that both files have must do so: one list that two surveys share,
    as of random assignments, does not make them one.
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
    # Beyond the end of a sample, absence says nothing.
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
    """Returns how often samples of other people agree so closely; None where it says nothing."""
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
    if _lower_tail(float(((first - even) ** 2).sum() / even), degrees) < _BALANCED:
        return None
    # Counts are whole numbers: a difference stands for all that round to it.
    differences = np.abs(first - second / ratio) + 0.5
    statistic = float((differences**2 / expected).sum() / (1 + 1 / ratio))
    return _lower_tail(statistic, degrees)


def _lower_tail(statistic: float, degrees: int) -> float:
    """Returns P(chi-square <= statistic)."""
    from scipy.special import gammainc

    return float(gammainc(degrees / 2, statistic / 2))
