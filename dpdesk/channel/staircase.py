"""The bounded staircase channel: calibration, kernel and inverse in floating point, and weights.

On a grid of m points, with the interval's width as sensitivity, staircase noise that is kept
within the interval has two levels: a report y under the answer x has the chance (1 + u) / Z_x if
|x - y| < g, and 1 / Z_x otherwise, with Z_x = m + u n_x, n_x being the number of points nearer to
x than g. With eps0 = ln(1 + u) the loss is not eps0: the normalisers differ, and the worst pair, 0
against g, has the likelihood ratio (1 + u)(m + u n_g) / (m + u g). Setting this to e^eps gives a
quadratic equation for u, so the calibration is exact. Without it (eps0 = eps) the loss is
eps + ln(2 - e^(-eps/2)) on a fine grid.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import lru_cache
from math import exp, expm1, log, sqrt

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.certificate import WORD_TOTAL
from dpdesk.channel.rounding import SCALE_BITS, padding
from dpdesk.cost import exp_lower
from dpdesk.numbers.arrays import Floats


@lru_cache(maxsize=256)
def invertible_widths(size: int) -> tuple[int, ...]:
    """Returns the steps g for which the channel on m points has an inverse, ascending.

    Two neighbouring windows of 2g - 1 points differ in one point at either end. A vector that
    sums to 0 over all windows therefore repeats itself after 2g - 1 points, and is 0 outside the
    grid; only where 2g - 1 divides m or m - 1 does this leave nothing but 0. Elsewhere no numbers
    make the mean unbiased. g = 1 and the g nearest to m / 2 are always among them.
    """
    odd = range(1, size + 1, 2)
    return tuple((p + 1) // 2 for p in odd if size % p == 0 or (size - 1) % p == 0)


def near_the_rival(size: int, width: int) -> int:
    """Returns n_g: of the answers that g separates from 0, g has the largest normaliser."""
    return width + min(size - 1 - width, width - 1)


def calibrated_rise(size: int, width: int, epsilon: float) -> float:
    """Returns u = e^eps0 - 1 at which the loss on the grid is exactly epsilon."""
    near, over = near_the_rival(size, width), size * expm1(epsilon)
    slope = near + size - width * exp(epsilon)
    root = sqrt(slope * slope + 4 * near * over)
    # Of the two forms of the root, the one that does not subtract nearly equal numbers.
    return 2 * over / (slope + root) if slope > 0 else (root - slope) / (2 * near)


def staircase_loss(size: int, width: int, rise: float) -> float:
    """Returns the loss of the channel on the grid, whose worst pair of answers is 0 and g."""
    near = near_the_rival(size, width)
    return log((1 + rise) * (size + rise * near) / (size + rise * width))


# Kept for a slider, which tries every invertible width at each of its steps.
@lru_cache(maxsize=64)
def _near_each(size: int, width: int) -> Floats:
    """Returns how many points are nearer than `width` steps to each, itself too, shape (m,)."""
    x, reach = np.arange(size), width - 1
    near = np.minimum(x, reach) + np.minimum(x[::-1], reach) + 1.0
    near.flags.writeable = False
    return np.asarray(near)


@dataclass(frozen=True, slots=True)
class StaircaseKernel:
    """The channel in floating point.

    Attributes:
        size: Number of grid points, m.
        width: g: reports nearer than this many steps are more likely than the others.
        rise: u: by which fraction they are more likely.
    """

    size: int
    width: int
    rise: float

    @classmethod
    def at(cls, size: int, width: int, epsilon: float) -> StaircaseKernel:
        """Returns the kernel whose loss on the grid is exactly epsilon."""
        return cls(size, width, calibrated_rise(size, width, epsilon))

    @classmethod
    def least_noise(cls, size: int, epsilon: float) -> StaircaseKernel:
        """Returns, of the kernels with an inverse, that of the most accurate mean at its worst."""
        kernels = [cls.at(size, width, epsilon) for width in invertible_widths(size)]
        return min(kernels, key=cls._worst_noise)

    def _worst_noise(self) -> float:
        target = np.linspace(0.0, 1.0, self.size)
        return float((self.expected(self.unbiased(target) ** 2) - target**2).max())

    def _window_sums(self, values: Floats) -> Floats:
        """Returns for each point the sum over the points nearer than g, shape (m,)."""
        g, m = self.width, self.size
        sums = np.zeros(m + 2 * g - 1)
        np.cumsum(values, out=sums[g : m + g])
        sums[m + g :] = sums[m + g - 1]
        return np.asarray(sums[2 * g - 1 :] - sums[:m])

    def normalisers(self) -> Floats:
        """Returns Z_x, shape (m,)."""
        return np.asarray(self.size + self.rise * _near_each(self.size, self.width))

    def row(self, code: int) -> Floats:
        """Returns Pr[y | x = code], shape (m,)."""
        chances = np.full(self.size, 1 / self.normalisers()[code])
        chances[max(code - self.width + 1, 0) : code + self.width] *= 1 + self.rise
        return chances

    def largest(self) -> Floats:
        """Returns the largest chance of each report under any x, shape (m,).

        Normalisers rise from both ends: the least one near a report is that of the end of its
        window that is closer to an end of the grid, the least of all is that of such an end.
        """
        z, places, reach = self.normalisers(), np.arange(self.size), self.width - 1
        ends = np.maximum(places - reach, 0), np.minimum(places + reach, self.size - 1)
        least = np.minimum(z[ends[0]], z[ends[1]])
        return np.asarray(np.maximum((1 + self.rise) / least, 1 / z[0]))

    def expected(self, values: Floats) -> Floats:
        """Returns E[values(Y) | x] for every x, shape (m,)."""
        sums = values.sum() + self.rise * self._window_sums(values)
        return np.asarray(sums / self.normalisers())

    def unbiased(self, target: Floats) -> Floats:
        """Returns phi with E[phi(Y) | x] = target(x), shape (m,); g as in `invertible_widths`.

        The kernel is J + u B, all ones and windows. With B a = Z target and B b = 1, where b is 1
        in the middle of every period and 0 elsewhere: phi = (a - S b) / u, where S is the sum of
        phi, so that S = sum(a) / (u + sum(b)).
        """
        a = self._window_inverse(self.normalisers() * target)
        ones = np.zeros(self.size)
        ones[self._middle :: 2 * self.width - 1] = 1.0
        total = a.sum() / (self.rise + ones.sum())
        return np.asarray((a - total * ones) / self.rise)

    @property
    def _middle(self) -> int:
        """The position within a period of 2g - 1 of which every window holds exactly one point."""
        return self.width - 1 if self.size % (2 * self.width - 1) == 0 else 0

    def _window_inverse(self, sums: Floats) -> Floats:
        """Returns the values whose window sums are given, shape (m,).

        Neighbouring windows give v[j] - v[j-p] = sums[j-g+1] - sums[j-g], p = 2g - 1, with v = 0
        outside the grid. So chains of every p-th point can be summed up: from the left those that
        start between g and p - 1, from the right those that end as far from the other end. The
        chain between them starts with what is left of the first window.
        """
        g, p = self.width, 2 * self.width - 1
        rows = -(-self.size // p)
        forward, backward = np.zeros(rows * p), np.zeros(rows * p)
        steps = np.diff(sums)
        forward[g : self.size] = steps[: self.size - g]
        backward[: self.size - g] = steps[g - 1 :]
        from_left = np.cumsum(forward.reshape(rows, p), axis=0)
        from_right = -np.cumsum(backward.reshape(rows, p)[::-1], axis=0)[::-1]
        values = np.concatenate((from_right[:, :g], from_left[:, g:]), axis=1)
        middle = self._middle
        first = sums[0] - values[0, :g].sum() + values[0, middle]
        values[:, middle] = first + from_left[:, middle]
        return np.asarray(values.reshape(-1)[: self.size])


_DIGITS = Context(prec=90)


def staircase_weights(
    size: int, width: int, epsilon: Decimal, tick: Callable[[], None] | None = None
) -> NDArray[np.uint64]:
    """Returns the integer law of the calibrated bounded staircase.

    The rows are rounded as by `rounded_rows`, once for each of their two levels.

    Args:
        size: Number of grid points, m >= 2.
        width: g, from 1 to m - 1.
        epsilon: The loss on the grid.
        tick: Called once per row; may raise to stop the work.

    Returns:
        Weights, shape (m, m), row x for the true value x; each row sums to 2^64.
    """
    far, near = 1 << SCALE_BITS, _near_level(size, width, epsilon)
    c = padding(epsilon)
    spread = WORD_TOTAL - size * c
    points = np.arange(size)
    weights = np.empty((size, size), dtype=np.uint64)
    for x in range((size + 1) // 2):
        if tick is not None:
            tick()
        is_near = np.abs(points - x) < width
        count = int(is_near.sum())
        total = (size - count) * far + count * near
        (low, low_rest), (high, high_rest) = (divmod(spread * v, total) for v in (far, near))
        row = np.where(is_near, np.uint64(high + c), np.uint64(low + c))
        missing = spread - (size - count) * low - count * high
        # Single units go to the weights that lost more by rounding down.
        order = np.argsort(is_near == (low_rest > high_rest), kind="stable")
        row[order[:missing]] += np.uint64(1)
        weights[x] = row
        # The channel is symmetric under reversal of the grid, so half of the rows suffice.
        weights[size - 1 - x] = row[::-1]
    return weights


def _near_level(size: int, width: int, epsilon: Decimal) -> int:
    """Returns 1 + u as an integer over 2^224, u a little below the root of its equation."""
    growth = exp_lower(epsilon)
    rival = near_the_rival(size, width)
    # Each step uses the context of 90 digits; plain operators would round to 28.
    ratio = _DIGITS.divide(Decimal(growth.numerator), Decimal(growth.denominator))
    slope = _DIGITS.fma(ratio, Decimal(-width), Decimal(rival + size))
    over = _DIGITS.multiply(_DIGITS.subtract(ratio, Decimal(1)), Decimal(4 * rival * size))
    root = _DIGITS.sqrt(_DIGITS.fma(slope, slope, over))
    rise = _DIGITS.divide(_DIGITS.subtract(root, slope), Decimal(2 * rival))
    one = 1 << SCALE_BITS
    return one + int(_DIGITS.multiply(rise, Decimal(one)))
