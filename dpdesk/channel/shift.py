"""Integer laws of noise that is added to a grid point and may exceed the interval.

The grid has m points, which are m - 1 = D steps wide. The chance p(d) of a shift by d steps is
symmetric, and falls by e^-eps with every D steps: p(d + D) = e^-eps p(d) for d >= 0. A report is
one of the D + 1 grid points or of K D points beyond either end. What would fall farther out is
moved inward by D steps, again and again, into the last D points: there the number of moves is
geometric with ratio e^-eps whatever the true answer is, so that the mean distance removed by the
moves is the same constant for each of these points, and does not depend on the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.certificate import (
    WORD_TOTAL,
    Certificate,
    certify,
    fingerprint_of,
    require_draw,
)
from dpdesk.channel.dense import DenseLaw
from dpdesk.channel.rounding import SCALE_BITS, padding, scaled_power
from dpdesk.channel.texts import T
from dpdesk.cost import exp_lower
from dpdesk.errors import CertificateError

SHIFT_GRID_MAX = 20_000
"""Largest grid: one width of the interval beyond either end makes 60,000 reports."""

# More points would slow down a slider; if the limit is reached, noise is moved inward earlier.
_CELLS_MAX = 1 << 15
# Noise beyond this many widths of the interval divided by epsilon has a chance below e^-12.
_REACH = 12


def periods_beyond(size: int, epsilon: float) -> int:
    """Returns K, how many widths of the interval reports may lie beyond either end; K >= 1.

    Args:
        size: Number of grid points, m.
        epsilon: The loss.
    """
    most = (_CELLS_MAX - 1) // (2 * (size - 1)) - 1
    return max(1, min(ceil(_REACH / epsilon) + 1, most))


def folded_row(cells: NDArray[Any], code: int, size: int) -> NDArray[Any]:
    """Returns the chances or weights of the reports under a true code, from those of the shifts.

    Args:
        cells: Chances or weights of the shifts from -(K+1)D to (K+1)D, shape (2 (K+1) D + 1,).
        code: The true code.
        size: Number of grid points.

    Returns:
        Chances or weights, shape (D + 1 + 2 K D,), of the type of `cells`.
    """
    width = size - 1
    outputs = cells.size - width
    row = cells[width - code : width - code + outputs].copy()
    row[outputs - width : outputs - width + code] += cells[cells.size - code :]
    row[code:width] += cells[: width - code]
    return row


def shift_weights(
    period: Sequence[int],
    epsilon: Decimal,
    periods: int,
    tick: Callable[[], None] | None = None,
) -> NDArray[np.uint64]:
    """Rounds noise to integer weights that never exceed its epsilon.

    As in `rounding`, w = floor(A p) + c and single units on top, c = ceil(coth(eps / 2)). A
    report of the last D points may be made by one shift of the last D or by two; for the one to
    hold its own against the two, the last D shifts at either end have c' with
    c + c' + 2 <= e^eps (c' - 1).

    Args:
        period: p(0) .. p(D-1), up to one factor.
        epsilon: The loss; p falls by e^-eps with every D steps.
        periods: K.
        tick: Called now and then; may raise to stop the work.

    Returns:
        Weights of the shifts from -(K+1)D to (K+1)D, shape (2 (K+1) D + 1,), each at least 2,
        summing to 2^64. The outermost D at either end hold all that lies farther out.

    Raises:
        CertificateError: There are so many shifts that 64 bits do not hold them.
    """
    width, reach = len(period), periods * len(period)
    fall, one = scaled_power(-Fraction(epsilon)), 1 << SCALE_BITS
    half, level = [], list(period)
    for _ in range(periods + 1):
        if tick is not None:
            tick()
        half += level
        level = [p * fall >> SCALE_BITS for p in level]
    half.append(level[0])
    for d in range(reach + 1, reach + width + 1):
        half[d] = (half[d] << SCALE_BITS) // (one - fall)
    c, growth = padding(epsilon), exp_lower(epsilon)
    c_last = ceil(Fraction(c + 2 + growth) / (growth - 1))
    paddings = [c] * (reach + 1) + [c_last] * width
    spread = WORD_TOTAL - 2 * sum(paddings) + c
    if spread <= WORD_TOTAL // 2:
        raise CertificateError(T.FINE_GRID())
    total = 2 * sum(half) - half[0]
    parts = [divmod(spread * p, total) for p in half]
    right = [floor + pad for (floor, _), pad in zip(parts, paddings, strict=True)]
    weights = right[:0:-1] + right
    rests = [rest for _, rest in parts]
    order = np.argsort([-(rest * 2**52 // total) for rest in rests[:0:-1] + rests], kind="stable")
    for i in order[: WORD_TOTAL - sum(weights)].tolist():
        weights[i] += 1
    return np.array(weights, dtype=np.uint64)


class ShiftLaw:
    """One table of integer weights t[d] for all true codes, each at least 1, summing to 2^64."""

    def __init__(self, weights: NDArray[np.uint64], size: int) -> None:
        """Takes the weights of `shift_weights` and builds the sampling table.

        Args:
            weights: Weights of the shifts, shape (2 (K+1) D + 1,).
            size: Number of grid points, m = D + 1.

        Raises:
            CertificateError: A weight is 0, or they do not sum to 2^64.
        """
        self.size = size
        self.width = size - 1
        self.outputs = weights.size - self.width
        self._table = DenseLaw(weights[None, :])

    @property
    def weights(self) -> NDArray[np.uint64]:
        """Weights of the shifts, shape (2 (K+1) D + 1,)."""
        return np.asarray(self._table.weights[0])

    def row(self, code: int) -> NDArray[np.uint64]:
        """Returns the weight of each report under a true code, shape (outputs,)."""
        return folded_row(self.weights, code, self.size)

    def sample(self, codes: NDArray[np.int32], words: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Draws one report per true code.

        Args:
            codes: True codes, shape (n,), in 0..m-1.
            words: One word per draw, shape (n,).

        Returns:
            Reported codes, shape (n,), in 0..outputs-1; K D is the first grid point.

        Raises:
            ReleaseError: A code lies outside the domain, or the words are not of 64 bits.
        """
        require_draw(codes, words, self.size)
        reports = self._table.sample(np.zeros_like(codes), words)
        reports += codes - np.int32(self.width)
        reports[reports < 0] += self.width
        reports[reports >= self.outputs] -= self.width
        return reports

    def extremes(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Returns the largest and the smallest weight of each report, shapes (outputs,)."""
        return extremes_of_shifts(self.weights, self.size)

    def likelihood_ratio(self) -> Fraction:
        """Returns the largest ratio of one report's weights: the exact e^loss of the law."""
        largest, smallest = self.extremes()
        ratios = largest.astype(np.float64) / smallest.astype(np.float64)
        # Floats find the few reports that may hold the largest ratio, integers compare them.
        close = np.flatnonzero(ratios >= ratios.max() * (1 - 1e-14))
        pairs = zip(largest[close].tolist(), smallest[close].tolist(), strict=True)
        return max(Fraction(above, below) for above, below in pairs)

    def certificate(self, epsilon: Decimal) -> Certificate:
        """Certifies the law against a nominal epsilon."""
        return certify(self.likelihood_ratio(), epsilon, self.fingerprint)

    @property
    def fingerprint(self) -> str:
        """Digest of the table, words in little-endian order."""
        return fingerprint_of(f"shift {self.size}", self.weights.astype("<u8").tobytes())


def extremes_of_shifts(cells: NDArray[Any], size: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Returns the largest and the smallest chance or weight of each report under any code.

    The weights of a report under the m codes are m neighbouring shifts; in the last D points
    at either end, those that are moved onto them are added first.

    Args:
        cells: Chances or weights of the shifts from -(K+1)D to (K+1)D, shape (2 (K+1) D + 1,).
        size: Number of grid points.

    Returns:
        Both, of shape (D + 1 + 2 K D,) and of the type of `cells`.
    """
    width = size - 1
    upper, lower = cells[-2 * width :].copy(), cells[: 2 * width].copy()
    upper[:width] += upper[width:]
    lower[width:] += lower[:width]
    parts = [_extremes(part, size) for part in (lower, cells[width:-width], upper)]
    most, least = (np.concatenate(each) for each in zip(*parts, strict=True))
    return most, least


def _extremes(cells: NDArray[Any], length: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Returns the largest and the smallest of each window of so many cells."""
    largest, smallest = cells, cells
    reach = 1
    # Extremes of 1, 2, 4, ... cells, and of two such stretches that overlap.
    while reach < length:
        step = min(reach, length - reach)
        largest = np.maximum(largest[:-step], largest[step:])
        smallest = np.minimum(smallest[:-step], smallest[step:])
        reach += step
    return largest, smallest
