"""What an estimator needs of the reports: weighted counts that add up over chunks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.numbers.arrays import Floats

# A byte holds the sum of this many bits.
_LANE_ROWS = 255
# Sums of this many words are held side by side: 32 KB stay in the fastest cache.
_SIDE_WORDS = 4096
# Bits become floating-point numbers when they are weighted; so many at a time stay in the cache.
_PRODUCT_BITS = 1 << 16


def effective_size(weight: float, weight_squares: float) -> float:
    """Returns Kish's effective sample size, (sum w)^2 / sum w^2; 0 without any weight.

    So many respondents without weights would have a mean that varies as much (Kish 1965, Survey
    Sampling, section 11.7).

    Args:
        weight: Sum of the respondents' weights.
        weight_squares: Sum of the squared weights.
    """
    return weight**2 / weight_squares if weight_squares > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of the reports of one attribute.

    Attributes:
        reports: Number of reports, n.
        weight: Sum of the respondents' weights (n where there are none).
        weight_squares: Sum of the squared weights.
        counts: Weight of the reports that support each output, shape (outputs,).
        square_counts: Squared weight of the same reports, shape (outputs,), from which the error of
            a weighted estimate follows; None where there are no weights.
    """

    reports: int
    weight: float
    weight_squares: float
    counts: Floats
    square_counts: Floats | None = None

    def __add__(self, other: Tally) -> Tally:
        squared = None
        if self.square_counts is not None and other.square_counts is not None:
            squared = self.square_counts + other.square_counts
        elif self.square_counts is not None or other.square_counts is not None:
            raise ValueError("a tally of weighted reports cannot be added to one without weights")
        return Tally(
            self.reports + other.reports,
            self.weight + other.weight,
            self.weight_squares + other.weight_squares,
            self.counts + other.counts,
            squared,
        )

    @property
    def effective_reports(self) -> float:
        """Kish's effective sample size; n where there are no weights."""
        return effective_size(self.weight, self.weight_squares)

    @property
    def shares(self) -> Floats:
        """Weighted share of the reports that support each output, shape (outputs,)."""
        return self.counts / self.weight

    @property
    def square_shares(self) -> Floats:
        """The same with squared weights; `shares` where there are no weights."""
        if self.square_counts is None:
            return self.shares
        return self.square_counts / self.weight_squares

    @property
    def by_squares(self) -> Tally:
        """The same reports with their weights squared; itself where there are no weights.

        For shares alone: their errors would need fourth powers of the weights.
        """
        if self.square_counts is None:
            return self
        weight = self.weight_squares
        return Tally(self.reports, weight, weight**2 / self.reports, self.square_counts)


def indicator_variance(share: Floats, square_share: Floats) -> Floats:
    """Returns the variance of a weighted share, times the effective number of reports.

    The share l = sum w y / sum w of an indicator y is a ratio, whose variance is by Taylor
    linearisation sum w^2 (y - l)^2 / (sum w)^2 (Särndal, Swensson & Wretman 1992, Model Assisted
    Survey Sampling, result 5.6.2). Times (sum w)^2 / sum w^2 it is l (1 - l) + (l2 - l) (1 - 2 l),
    l2 being the share by squared weights: l (1 - l) where weights have nothing to do with y.

    Args:
        share: l, any shape.
        square_share: l2, of the same shape.
    """
    spread = share * (1 - share) + (square_share - share) * (1 - 2 * share)
    return np.asarray(np.maximum(spread, 0.0))


def effective_number(tally: Tally, share: Floats, square_share: Floats) -> Floats:
    """Returns of how many reports without weights a share would have the same error.

    Args:
        tally: Counts of the reports.
        share: Weighted shares, any shape.
        square_share: The same by squared weights.

    Returns:
        At most the number of reports, as Korn & Graubard 1998 (Survey Methodology 24, 193-201) have
        it, since few reports would else seem to tell more than they do; Kish's number for shares of
        0 and 1.
    """
    kish = tally.effective_reports
    if tally.square_counts is None:
        return np.full(np.shape(share), kish)
    binomial, linearised = share * (1 - share), indicator_variance(share, square_share)
    inner = (binomial > 0) & (linearised > 0)
    ratio = np.divide(binomial, linearised, out=np.ones_like(binomial), where=inner)
    return np.minimum(kish * ratio, float(tally.reports))


def count_symbols(
    reports: NDArray[np.int32], outputs: int, weights: Floats | None = None
) -> Floats:
    """Counts reports that are one symbol each.

    Args:
        reports: Reported codes, shape (n,), in 0..outputs-1.
        outputs: Size of the alphabet.
        weights: Weights of each respondent, several kinds, shape (kinds, n); or None for equal
            weights.

    Returns:
        The weight of each symbol, shape (kinds, outputs), or (outputs,) without weights.
    """
    if weights is None:
        return np.bincount(reports, minlength=outputs).astype(np.float64)
    return np.stack([np.bincount(reports, weights=kind, minlength=outputs) for kind in weights])


def count_bits(bits: NDArray[np.uint8], weights: Floats | None = None) -> Floats:
    """Counts reports that are bits, shape (n, k); weights and result are as in `count_symbols`."""
    if weights is None:
        return _column_sums(bits).astype(np.float64)
    rows, k = bits.shape
    counts = np.zeros((len(weights), k))
    step = max(1, _PRODUCT_BITS // k)
    for start in range(0, rows, step):
        counts += weights[:, start : start + step] @ bits[start : start + step]
    return counts


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
