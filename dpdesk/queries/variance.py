"""The variance or the standard deviation of a column of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, sqrt
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Counts, Floats
from dpdesk.numbers.calendar import difference_unit
from dpdesk.queries.base import ExpectedError, ExpectedSize, Query, Statistic
from dpdesk.queries.bound import Noisy, Wanted
from dpdesk.queries.clamped import AverageQuery, BoundAverage, Clamp
from dpdesk.queries.combined import (
    Sizes,
    combined_sizes,
    quotient_intervals,
    sizes_of,
    width_of_sizes,
    widths_between,
)
from dpdesk.queries.condition import Domains
from dpdesk.queries.contribution import Contribution
from dpdesk.queries.noise import CalibratedNoise
from dpdesk.queries.phrase_reader import PhraseReader
from dpdesk.queries.released_law import FirstOrder, ReleasedLaw
from dpdesk.queries.texts import T
from dpdesk.queries.unit import Complete, PrivacyUnit, YesNo
from dpdesk.queries.written import write_phrase

_DOUBT_OF_MEAN = 0.1
# Weights are rounded up to so many parts of their range, so that cells share their widths.
_WEIGHTS = 64
_ROUNDS = 4


@dataclass(frozen=True)
class Spread:
    """How variances follow from noisy sums.

    Attributes:
        reach: R, the distance of a bound from the middle, in half steps.
        first: Noise of the sums of distances.
        second: Noise of the sums of squares.
        count: Noise of the numbers of rows; None where they are public.
        confidence: Coverage of each interval.
    """

    reach: float
    first: CalibratedNoise
    second: CalibratedNoise
    count: CalibratedNoise | None
    confidence: float

    def intervals(self, s: Floats, q: Floats, n: Floats) -> tuple[Floats, Floats]:
        """Returns the ends of each variance in squared half steps, within 0 to R^2.

        Args:
            s: Noisy sums of distances, shape (cells,).
            q: Noisy sums of squares, same shape.
            n: Noisy or public numbers of rows, same shape.
        """
        lows, highs = self._means(s, n)
        cells = zip(*(x.tolist() for x in (s, q, n, lows, highs)), strict=True)
        ends = np.array([self._one(*cell) for cell in cells]).reshape(-1, 2)
        return ends[:, 0], ends[:, 1]

    def _means(self, s: Floats, n: Floats) -> tuple[Floats, Floats]:
        """The interval of the means, in half steps."""
        level, reach = 1 - _DOUBT_OF_MEAN * (1 - self.confidence), self.reach
        if self.count is None:
            half = self.first.half_width(level)
            return np.clip((s - half) / n, -reach, reach), np.clip((s + half) / n, -reach, reach)
        weights = ((1.0, -reach), (1.0, reach))
        shares, widths = widths_between(self.first, self.count, weights, level)
        return quotient_intervals(s, n, reach * (2 * shares - 1), widths)

    def _one(
        self, s: float, q: float, n: float, m_low: float, m_high: float
    ) -> tuple[float, float]:
        square = self.reach**2
        if n <= 0:
            return 0.0, square
        m_most = max(abs(m_low), abs(m_high))
        m_least = 0.0 if m_low <= 0 <= m_high else min(abs(m_low), abs(m_high))
        # As a function of the mean a parabola with its lowest point at s / n.
        flat = min(max(s / n, m_low), m_high)
        least = _about(s, q, n, flat, square)
        most = max(_about(s, q, n, m, square) for m in (m_low, m_high))
        low, high = 0.0, square - m_least**2
        half = 0.0
        # A smaller range of variances has a smaller width, and that again a smaller range.
        for _ in range(_ROUNDS):
            farthest = max(abs(m_most**2 + square / 2 - low), abs(m_least**2 + square / 2 - high))
            half = self._width(m_most, farthest) / n
            low, high = max(least - half, low), min(most + half, high)
            if low > high:
                break
        if low <= high:
            return low, high
        # The noise contradicts every possible variance: the interval holds the nearest one and
        # reaches as far as the noise.
        return (0.0, min(half, square)) if most < square / 2 else (max(square - half, 0.0), square)

    def _width(self, mean: float, rows: float) -> float:
        """Width of A/2 - 2 m B + c C for all means and weights of C up to these."""
        square = self.reach**2
        level = 1 - (1 - _DOUBT_OF_MEAN) * (1 - self.confidence)
        m = ceil(mean / self.reach * _WEIGHTS) / _WEIGHTS
        c = 0.0 if self.count is None else ceil(rows / square * _WEIGHTS) / _WEIGHTS
        return _width(self, m * self.reach, c * square, level)


@lru_cache(maxsize=4096)
def _width(spread: Spread, mean: float, rows: float, level: float) -> float:
    others: Sizes = sizes_of(spread.first)
    at = 2 * mean
    if spread.count is not None:
        others = combined_sizes(others, at, sizes_of(spread.count), rows)
        at = 1.0
    return width_of_sizes(sizes_of(spread.second), 0.5, others, at, level)


def _about(s: float, q: float, n: float, mean: float, square: float) -> float:
    """The mean of (d - m)^2 from noisy sums: the variance where m is the mean."""
    return (q / 2 - 2 * mean * s) / n + mean**2 + square / 2


class Variance(AverageQuery):
    """The variance of numbers, clamped to declared bounds; missing answers are left out.

    It is that of the rows in the table: the sum of squares is divided by their number.

    Attributes:
        root: Whether the standard deviation is given instead.
        complete: Whether the curator states that every row has an answer; see `counts_all_rows`.
    """

    title = N_("Variance or standard deviation")
    summary = N_("How much the numbers of a column differ, in all or in each group.")
    words = ("variance", "standard", "deviation")
    examples = ("standard deviation of income",)
    form = ("column", "by", "where", "noise", "root", "lower", "upper")

    kind: Literal["variance"] = "variance"
    root: Annotated[
        bool,
        Field(title=N_("Given as")),
        YesNo(N_("Standard deviation"), N_("Variance")),
    ] = False
    complete: Complete = False

    @classmethod
    def read(cls, phrase: PhraseReader, fields: dict[str, Any]) -> Query | None:
        root = phrase.take("standard", "deviation") or phrase.take("sd")
        if not root and not phrase.take("variance"):
            return None
        phrase.take("of")
        return cls(root=root, **phrase.column(fields))

    @property
    def measure(self) -> str:
        return "standard deviation" if self.root else "variance"

    def spread_of(self, released: Statistic) -> float:
        """Returns the standard deviation of what it released, moved into its possible range."""
        known = released.clipped or 0.0
        return known if self.root else sqrt(known)

    def unit_in(self, domains: Domains) -> str:
        # The spread of dates is a number of months, not a date.
        unit = difference_unit(super().unit_in(domains))
        return f"{unit}²" if unit and not self.root else unit

    def summed(self, clamp: Clamp, groups: int, public: bool) -> list[Wanted]:
        reach = clamp.reach
        # 2 d^2 - reach^2 lies about as far below 0 as above it: half the sensitivity of d^2. Where
        # no point of the grid is in the middle, the smallest d^2 is 1.
        square = Contribution(
            2 * (reach % 2) - reach * reach,
            reach * reach,
            groups,
            may_skip=not public,
            adds=T.SQUARE(),
        )
        return [
            (write_phrase("sum of", self.column), clamp.half_step, clamp.contribution(groups)),
            (write_phrase("sum of squares of", self.column), clamp.half_step**2 / 2, square),
        ]

    def bind(self, domains: Domains, unit: PrivacyUnit) -> BoundVariance:
        return BoundVariance(self, domains, unit, *self.calibrated(domains, unit, self.complete))


@dataclass(frozen=True)
class BoundVariance(BoundAverage):
    """A variance from noisy sums of distances and of squares."""

    query: Variance

    def summed(self, distances: Counts) -> tuple[Counts, ...]:
        return distances, 2 * distances * distances - self.clamp.reach**2

    def statistics(
        self, noisy: Noisy, rows: int | None, confidence: float
    ) -> tuple[Statistic, ...]:
        sums, squares = noisy[0], noisy[1]
        counts = noisy[2] if len(noisy) > 2 else np.full(1, float(max(rows or 1, 1)))
        lows, highs = self._spread(confidence).intervals(sums, squares, counts)
        columns = (sums, squares, counts, lows, highs)
        cells = zip(self.keys, *(column.tolist() for column in columns), strict=True)
        return tuple(self._statistic(key, *cell) for key, *cell in cells)

    def _spread(self, confidence: float) -> Spread:
        noises = [part.noise for part in self.parts]
        count = noises[2] if len(noises) > 2 else None
        return Spread(float(self.clamp.reach), noises[0], noises[1], count, confidence)

    def _statistic(
        self, key: tuple[str, ...], s: float, q: float, n: float, low: float, high: float
    ) -> Statistic:
        reach = float(self.clamp.reach)
        value = _variance(s, q, n, reach) if n > 0 else (low + high) / 2
        scale = self.clamp.half_step**2
        most = reach * reach * scale
        ends = (value * scale, low * scale, high * scale)
        if not self.query.root:
            return Statistic(key, *ends, possible=(0.0, most))
        # A negative variance has no root: the root of its size keeps the sign, which shows it.
        rooted = [sqrt(abs(end)) * (1 if end >= 0 else -1) for end in ends]
        return Statistic(key, rooted[0], rooted[1], rooted[2], possible=(0.0, sqrt(most)))

    def released_law(self, rows: int, confidence: float = 0.95) -> ReleasedLaw:
        reach, scale = float(self.clamp.reach), self.clamp.half_step**2
        if self.query.root:
            # d sqrt(v) = dv / (2 sqrt(v)), in half steps.
            scale = self.clamp.half_step / (2 * reach / sqrt(3))
        # v = (q / n + reach^2) / 2 - (s / n)^2 with q / n = -reach^2 / 3 and s = 0.
        noises = [(self.parts[1].noise, scale / (2 * rows))]
        if len(self.parts) == 3:
            noises.append((self.parts[2].noise, scale * reach**2 / (6 * rows)))
        shift = scale * (2 / 3) * reach**2 * self.unit.rows_per_respondent / rows
        return FirstOrder(tuple(noises), shift)

    def expected_error(self, respondents: int, confidence: float = 0.95) -> ExpectedError:
        """The half-width where the mean is far from the middle and the numbers lie close.

        Such are numbers within half of the bounds, more or less; others have smaller errors.
        """
        n, reach = float(max(respondents, 1)), float(self.clamp.reach)
        mean, variance = reach / 2, reach * reach / 9
        squares = 2 * n * (variance + mean * mean - reach * reach / 2)
        lows, highs = self._spread(confidence).intervals(
            np.full(1, n * mean), np.full(1, squares), np.full(1, n)
        )
        low, high = float(lows[0]), float(highs[0])
        scale, unit = self.clamp.half_step**2, self.clamp.domain.error_unit
        basis = T.AT_USUAL_SPREAD()
        if self.query.root:
            return ExpectedError((sqrt(high * scale) - sqrt(low * scale)) / 2, unit, basis)
        return ExpectedError((high - low) * scale / 2, f"{unit}²" if unit else "", basis)

    def expected_size(self, rows: int) -> ExpectedSize:
        spread = self.clamp.even_spread
        if self.query.root:
            return ExpectedSize("the standard deviation", spread / 2)
        return ExpectedSize("the variance", spread**2 / 2)


def _variance(s: float, q: float, n: float, reach: float) -> float:
    """The variance in squared half steps, from the sum of d and that of 2 d^2 - reach^2."""
    return (q / n + reach * reach) / 2 - (s / n) ** 2
