"""Staircase noise on the whole numbers: its exact integer law and its draw.

With D the sensitivity and g the width of the upper step, 1 <= g <= D, P(N = d) is proportional to
b^k for k D <= |d| < k D + g and to b^(k+1) from there to (k + 1) D (Geng & Viswanath 2016). Two
answers at most D apart therefore see chances whose largest ratio is exactly 1/b, and b is a
rational a little above e^-epsilon. OpenDP has no such noise; the law is drawn here from words of
the operating system, without floating point.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.certificate import Certificate, certify, fingerprint_of
from dpdesk.cost import exp_lower
from dpdesk.numbers.arrays import Floats
from dpdesk.queries.noise.law import IntegerLaw
from dpdesk.randomness import WordSource

_ONE = 1 << 128
# Widths of the upper step that are tried at a time.
_TRIALS = 1_000


@dataclass(frozen=True)
class StaircaseLaw(IntegerLaw):
    """The exact law.

    Attributes:
        width: D, in steps of the grid.
        upper: g, in steps of the grid.
        fall: b as a whole number over 2^128.
    """

    width: int
    upper: int
    fall: int

    @property
    def ratio(self) -> Fraction:
        """The largest ratio of the chances of one result under two answers D steps apart."""
        return Fraction(_ONE, self.fall)

    def certificate(self, epsilon: Decimal) -> Certificate:
        """Certifies the law against a nominal epsilon."""
        numbers = (self.width, self.upper, self.fall)
        return certify(self.ratio, epsilon, fingerprint_of("staircase noise", numbers))

    @property
    def heads(self) -> int:
        """Weight of the first period on both sides together: 2^128 on steps that are up.

        On the side of 0 it holds the distances 0 to D - 1, of which g are up; on the other side
        the distances 1 to D, of which g - 1 are, so that 0 is there once.
        """
        return (2 * self.upper - 1) * _ONE + (2 * (self.width - self.upper) + 1) * self.fall

    def weight(self, k: int) -> Fraction:
        """Returns P(N = k), exactly."""
        period, place = divmod(abs(k), self.width)
        b = Fraction(self.fall, _ONE)
        level = b ** (period + (place >= self.upper))
        return level * (1 - b) * Fraction(_ONE, self.heads)

    def head(self, place: int) -> int:
        """Returns the noise of the first period that holds a place in 0..heads-1."""
        up, down = self.upper, self.width - self.upper
        ups = (2 * up - 1) * _ONE
        if place < ups:
            step = place // _ONE
            return step if step < up else up - 1 - step
        step = (place - ups) // self.fall
        return up + step if step < down else -(up + step - down)

    def draw(self, words: WordSource) -> int:
        """Draws one noise.

        A first period and a number of falls, which are independent: a uniform place among the
        heads, and the number of words of 128 bits below `fall` before one that is not. How many
        words that takes depends on the noise alone.

        Args:
            words: Where random words come from.
        """
        head = self.head(uniform_below(self.heads, words))
        farther = falls_before_end(self.fall, words) * self.width
        return head + farther if head >= 0 else head - farther

    @cached_property
    def _shares(self) -> tuple[float, float, float]:
        """b, the chance of 0, and the chances of one period on one side from 0 on."""
        fall = self.fall / _ONE
        zero = float(self.weight(0))
        return fall, zero, zero * (self.upper + fall * (self.width - self.upper))

    def tail_beyond(self, distance: int) -> float:
        fall, zero, period_share = self._shares
        period, place = divmod(distance + 1, self.width)
        left = max(self.upper - place, 0) + fall * (self.width - max(self.upper, place))
        rest = 1 - Fraction(self.fall, _ONE)
        return float(2 * fall**period * (zero * left + fall * period_share / float(rest)))

    def chances(self, points: NDArray[Any]) -> Floats:
        fall, zero, _ = self._shares
        periods, places = np.divmod(np.abs(np.asarray(points, dtype=np.float64)), self.width)
        return np.asarray(zero * fall ** (periods + (places >= self.upper)))

    @cached_property
    def variance(self) -> float:  # type: ignore[override]
        """In squared steps."""
        return float(_variance(np.array([float(self.upper)]), self.width, self.fall / _ONE)[0])


@lru_cache(maxsize=512)
def staircase_law(width: int, epsilon: Decimal) -> StaircaseLaw:
    """Returns the law with the least variance whose loss is at most epsilon.

    Args:
        width: The sensitivity D in steps.
        epsilon: The loss asked for.
    """
    # Rounded up, so that 1/b is at most e^epsilon.
    fall = ceil(_ONE / exp_lower(epsilon))
    return StaircaseLaw(width, _best_upper(width, fall / _ONE), fall)


def _best_upper(width: int, fall: float) -> int:
    """Returns the g of the least variance; the variance falls to it and rises from it."""
    low, high = 1, width
    while True:
        g = np.unique(np.linspace(low, high, _TRIALS).round())
        best = int(_variance(g, width, fall).argmin())
        if g.size >= high - low + 1:
            return int(g[best])
        low, high = int(g[max(best - 1, 0)]), int(g[min(best + 1, g.size - 1)])


def _variance(g: Floats, width: int, fall: float) -> Floats:
    """Returns the variance for each width of the upper step, shape of `g`."""
    D, rest = float(width), 1 - fall
    # Sums over a period of 1, a and a^2, weighted by 1 for a < g and by b beyond.
    ones = fall * D + rest * g
    firsts = (fall * D * (D - 1) + rest * g * (g - 1)) / 2
    squares = (fall * D * (D - 1) * (2 * D - 1) + rest * g * (g - 1) * (2 * g - 1)) / 6
    # Sums over the periods k of b^k, k b^k and k^2 b^k.
    moment = D**2 * ones * fall * (1 + fall) / rest**3
    moment += 2 * D * firsts * fall / rest**2 + squares / rest
    return np.asarray(2 * moment / (2 * ones / rest - 1))


def uniform_below(limit: int, words: WordSource) -> int:
    """Returns a uniform whole number in 0..limit-1, exactly.

    64 bits more than the limit has are drawn, so that a draw is repeated once in 2^64 times.
    """
    count = -(-limit.bit_length() // 64) + 1
    largest = (1 << 64 * count) // limit * limit
    while True:
        number = int.from_bytes(words.take(count).tobytes(), "little")
        if number < largest:
            return number % limit


def falls_before_end(fall: int, words: WordSource) -> int:
    """Returns how many numbers of 128 bits are below `fall` before the first that is not."""
    high, low = np.uint64(fall >> 64), np.uint64(fall & (1 << 64) - 1)
    # Nearly all draws end within this many numbers, at least four.
    block = int(min(4 + 4 / (1 - fall / _ONE), 1 << 16))
    falls = 0
    while True:
        pairs = words.take(2 * block).reshape(block, 2)
        ends = (pairs[:, 0] > high) | ((pairs[:, 0] == high) & (pairs[:, 1] >= low))
        if ends.any():
            return falls + int(ends.argmax())
        falls += block
