"""Rounding of a real channel to integer weights that never exceed its epsilon.

With c = ceil(coth(eps / 2)) and A = N - m c, take w = floor(A p) + c, and add single units so that
each row sums to N. Then w <= A p + c + 1 and w' > A p' + c - 1, and c + 1 <= e^eps (c - 1), so
p <= e^eps p' implies w <= e^eps w'. Every weight is at least 2, so every report is possible under
every answer. c = 1 would not do: it fails on half of the grids at eps = 0.01.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from math import ceil

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.certificate import WORD_TOTAL
from dpdesk.channel.texts import T
from dpdesk.cost import exp_lower
from dpdesk.errors import CertificateError

SCALE_BITS = 224
"""Powers of e are held as integers over 2^224, far finer than weights of 64 bits."""

_DIGITS = Context(prec=90)


def padding(epsilon: Decimal) -> int:
    """Returns c = ceil(coth(epsilon / 2)), with e^epsilon taken from below."""
    growth = exp_lower(epsilon)
    return ceil(Fraction(growth + 1) / Fraction(growth - 1))


def scaled_power(exponent: Fraction) -> int:
    """Returns e^exponent as an integer over 2^224."""
    quotient = _DIGITS.divide(Decimal(exponent.numerator), Decimal(exponent.denominator))
    return int(_DIGITS.multiply(_DIGITS.exp(quotient), Decimal(1 << SCALE_BITS)))


def rounded_rows(
    rows: Iterator[tuple[Sequence[int], int]], outputs: int, epsilon: Decimal
) -> Iterator[list[int]]:
    """Rounds rows of a channel to integer weights.

    Args:
        rows: For each true value, the numerators of its report probabilities and their sum.
        outputs: Number of reports, m.
        epsilon: The loss of the channel before rounding; the rounded one stays below it.

    Yields:
        Weights of at least 2 that sum to 2^64, length m.

    Raises:
        CertificateError: There are so many reports that 64 bits do not hold them.
    """
    c = padding(epsilon)
    spread = WORD_TOTAL - outputs * c
    if spread <= WORD_TOTAL // 2:
        raise CertificateError(T.FINE_GRID())
    for numerators, total in rows:
        parts = [divmod(spread * p, total) for p in numerators]
        weights = [floor + c for floor, _ in parts]
        missing = WORD_TOTAL - sum(weights)
        for y in sorted(range(outputs), key=lambda y: -parts[y][1])[:missing]:
            weights[y] += 1
        yield weights


def geometric_weights(
    size: int, epsilon: Decimal, tick: Callable[[], None] | None = None
) -> NDArray[np.uint64]:
    """Returns the integer law of the bounded geometric (discrete Laplace) channel.

    The probability of y given x is proportional to r^|x - y| with r = e^(-eps / (m - 1)); its
    loss is exactly eps, the worst pair being the two ends.

    Args:
        size: Number of grid points, m >= 2.
        epsilon: The loss.
        tick: Called once per row; may raise to stop the work.

    Returns:
        Weights, shape (m, m), row x for the true value x; each row sums to 2^64.
    """
    powers = [scaled_power(Fraction(-d, size - 1) * Fraction(epsilon)) for d in range(size)]

    def rows() -> Iterator[tuple[Sequence[int], int]]:
        for x in range((size + 1) // 2):
            if tick is not None:
                tick()
            row = powers[x:0:-1] + powers[: size - x]
            yield row, sum(row)

    weights = np.empty((size, size), dtype=np.uint64)
    for x, row in enumerate(rounded_rows(rows(), size, epsilon)):
        weights[x] = np.array(row, dtype=np.uint64)
        # The channel is symmetric under reversal of the grid, so half of the rows suffice.
        weights[size - 1 - x] = weights[x, ::-1]
    return weights
