"""What an estimator needs of the reports: weighted counts that add up over chunks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# A byte holds the sum of this many bits.
_LANE_ROWS = 255
# Sums of this many words are held side by side: 32 KB stay in the fastest cache.
_SIDE_WORDS = 4096
# Bits become floating-point numbers when they are weighted; so many at a time stay in the cache.
_PRODUCT_BITS = 1 << 16


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of the reports of one attribute.

    Attributes:
        reports: Number of reports, n.
        weight: Sum of the respondents' weights (n where there are none).
        weight_squares: Sum of the squared weights.
        counts: Weight of the reports that support each output, shape (outputs,).
    """

    reports: int
    weight: float
    weight_squares: float
    counts: Floats

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.reports + other.reports,
            self.weight + other.weight,
            self.weight_squares + other.weight_squares,
            self.counts + other.counts,
        )

    @property
    def effective_reports(self) -> float:
        """Kish's effective sample size, (sum w)^2 / sum w^2; n where there are no weights."""
        return self.weight**2 / self.weight_squares if self.weight_squares > 0 else 0.0

    @property
    def shares(self) -> Floats:
        """Weighted share of the reports that support each output, shape (outputs,)."""
        return self.counts / self.weight


def tally_symbols(reports: NDArray[np.int32], outputs: int, weights: Floats | None = None) -> Tally:
    """Counts reports that are one symbol each.

    Args:
        reports: Reported codes, shape (n,), in 0..outputs-1.
        outputs: Size of the alphabet.
        weights: Weight of each respondent, shape (n,), or None for equal weights.
    """
    counts = np.bincount(reports, weights=weights, minlength=outputs).astype(np.float64)
    return tally_of_counts(reports.size, counts, weights)


def tally_bits(bits: NDArray[np.uint8], weights: Floats | None = None) -> Tally:
    """Counts reports that are bits, shape (n, k)."""
    if weights is None:
        return tally_of_counts(bits.shape[0], _column_sums(bits).astype(np.float64), None)
    rows, k = bits.shape
    counts = np.zeros(k)
    step = max(1, _PRODUCT_BITS // k)
    for start in range(0, rows, step):
        counts += weights[start : start + step] @ bits[start : start + step]
    return tally_of_counts(rows, counts, weights)


def _column_sums(bits: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Returns the sum of each column of zeros and ones, shape (k,).

    Eight bytes are added as one word of 64 bits, `_LANE_ROWS` times, so that no byte overflows
    into its neighbour; only then are the bytes told apart. Eight rows of k bytes are k words.
    """
    rows, k = bits.shape
    sums = np.zeros(k, dtype=np.int64)
    start = 0
    while rows - start >= 8 * _LANE_ROWS:
        # Sets of eight rows that are added side by side.
        side = max(1, min(_SIDE_WORDS // k, (rows - start) // (8 * _LANE_ROWS)))
        stop = start + side * 8 * _LANE_ROWS
        block = np.ascontiguousarray(bits[start:stop]).reshape(-1).view(np.uint64)
        lanes = block.reshape(_LANE_ROWS, side * k).sum(axis=0, dtype=np.uint64)
        sums += lanes.view(np.uint8).reshape(side * 8, k).sum(axis=0, dtype=np.int64)
        start = stop
    for first in range(start, rows, _LANE_ROWS):
        sums += bits[first : first + _LANE_ROWS].sum(axis=0, dtype=np.uint8)
    return sums


def tally_of_counts(rows: int, counts: Floats, weights: Floats | None) -> Tally:
    """Puts the number of reports and their weights beside their counts, shape (outputs,)."""
    if weights is None:
        return Tally(rows, float(rows), float(rows), counts)
    return Tally(rows, float(weights.sum()), float(weights @ weights), counts)
