"""Laplace and staircase noise: a grid point plus noise that may exceed the bounds.

In steps of the grid, D = m - 1 wide: the noise d has a symmetric chance p(d) that falls by
e^-eps with every D steps. Reports lie up to K D beyond the bounds; noise that goes farther is
moved inward by D steps until it lies within the last D points (`dpdesk.channel.shift`). For each
of those points the number of moves J has P(J = j) = (1 - e^-eps) e^(-eps j) whatever the true
answer is, so they are released D E[J] = D / (e^eps - 1) farther out: the average of the reports
is then exactly the mean, and its variance is smaller by D^2 Var[J] where a report was moved.
"""

from __future__ import annotations

from abc import abstractmethod
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from math import exp, expm1
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from dpdesk.channel.rounding import SCALE_BITS, scaled_power
from dpdesk.channel.shift import (
    SHIFT_GRID_MAX,
    ShiftLaw,
    extremes_of_shifts,
    folded_row,
    periods_beyond,
    shift_weights,
)
from dpdesk.i18n import N_
from dpdesk.mechanisms.base import Tick
from dpdesk.mechanisms.mean import BoundMean, Grid, MeanForecast, TextsOnDemand
from dpdesk.mechanisms.numeric import NumericMechanism
from dpdesk.numbers.arrays import Floats

# Numbers off the grid are released with this many significant digits: rounding moves a mean by
# less than 1e-9 of the interval.
_REPORT_DIGITS = 10
# Bounds have up to 24 digits and reports lie far beyond them; the 28 digits of Python's default
# context would not be enough.
_DIGITS = Context(prec=60)


def noise_variance(period: Floats, epsilon: float) -> float:
    """Returns the variance of the noise in squared steps.

    Args:
        period: p(0) .. p(D-1) up to one factor, shape (D,).
        epsilon: The loss.
    """
    fall, rest = exp(-epsilon), -expm1(-epsilon)
    d, width = np.arange(period.size), period.size
    # With d = k D + a and p(d) = period[a] fall^k: sums over k of 1, k and k^2.
    zero, one, two = 1 / rest, fall / rest**2, fall * (1 + fall) / rest**3
    squares = width**2 * two + 2 * width * d * one + d**2 * zero
    return float(2 * period @ squares / (2 * period.sum() * zero - period[0]))


class UnboundedForecast(MeanForecast):
    """Preview of unbounded noise."""

    def __init__(self, size: int, span: float, epsilon: float, period: Floats) -> None:
        """Takes the noise.

        Args:
            size: Number of grid points, m.
            span: Width of the interval, in the attribute's unit.
            epsilon: The loss.
            period: p(0) .. p(D-1) up to one factor, shape (D,).
        """
        super().__init__(size, span)
        self.step = span / (size - 1)
        self._epsilon, self._width = epsilon, size - 1
        self._periods = periods_beyond(size, epsilon)
        # The sum of e^(-eps k) over the periods of either side, which share the shift of 0.
        self._period = period / (2 * period.sum() / -expm1(-epsilon) - period[0])
        self._moves = 1 / expm1(epsilon)
        self._moves_variance = self._moves + self._moves**2
        self.variance = noise_variance(period, epsilon) * self.step**2

    @cached_property
    def _cells(self) -> Floats:
        """Chances of the shifts from -(K+1) D to (K+1) D."""
        falls = np.exp(-self._epsilon * np.arange(self._periods + 2))
        half = np.outer(falls, self._period).ravel()[: (self._periods + 1) * self._width + 1]
        half[-self._width :] /= -expm1(-self._epsilon)
        return np.concatenate((half[:0:-1], half))

    @property
    def outputs(self) -> int:
        return (2 * self._periods + 1) * self._width + 1

    @property
    def positions(self) -> Floats:
        steps = np.arange(self.outputs, dtype=np.float64) - self._periods * self._width
        steps[: self._width] -= self._moves * self._width
        steps[-self._width :] += self._moves * self._width
        return np.asarray(steps * self.step)

    @property
    def noise_variances(self) -> Floats:
        # From the grid point x the shifts above K D - x end in the upper last D points: chances
        # that e^(-eps (K-1)) gives from those of the shifts above 0 to D, in one period.
        above = self._period.sum() / -expm1(-self._epsilon) - np.cumsum(self._period)
        above = np.append(above, exp(-self._epsilon) * above[0])
        last = exp(-self._epsilon * (self._periods - 1)) * above[::-1]
        moves = self.span**2 * self._moves_variance
        return np.asarray(self.variance - moves * (last + last[::-1]))

    def noise_of_reports(self) -> Floats:
        """Returns what each report adds to the noise variance, shape (outputs,).

        Of the variance of the noise, a report of the last D points lacks that of the moves.
        """
        noise = np.full(self.outputs, self.variance)
        noise[: self._width] -= self.span**2 * self._moves_variance
        noise[-self._width :] -= self.span**2 * self._moves_variance
        return noise

    @cached_property
    def most_likely(self) -> Floats:
        return np.asarray(extremes_of_shifts(self._cells, self.size)[0])

    def probabilities(self, code: int) -> Floats:
        return np.asarray(folded_row(self._cells, code, self.size))

    def report_law(self) -> tuple[Floats, Floats, float]:
        sums = np.concatenate(([0.0], np.cumsum(self._cells)))
        chances = sums[self.size :] - sums[: -self.size]
        # What is moved onto the j-th of the upper last D points comes from the answers above j.
        beyond = sums[-1] - sums[-self._width - 1 : -1]
        chances[-self._width :] += beyond
        chances[: self._width] += beyond[::-1]
        chances /= chances.sum()
        return self.worth, np.asarray(chances), self.span / 2

    @property
    def truthful(self) -> float:  # type: ignore[override]
        """Share of reports that are the true grid point."""
        return float(self._period[0])


class ReportTexts(TextsOnDemand):
    """The texts of the reports, made on demand, since there may be a hundred thousand.

    Points of the grid have its digits; the last D at either end, which stand for all that lies
    farther out, have 10 significant digits of the interval's width.
    """

    def __init__(
        self, lower: Decimal, step: Decimal, width: int, periods: int, moves: float
    ) -> None:
        """Takes the grid.

        Args:
            lower: The first grid point.
            step: Distance of neighbouring points.
            width: D, number of steps of the interval.
            periods: K.
            moves: E[J].
        """
        self._first = _DIGITS.fma(step, -width * periods, lower)
        self._step, self._width = step, width
        self._length = (2 * periods + 1) * width + 1
        digits = max(0, *(-int(d.as_tuple().exponent) for d in (lower, step)))
        self._quantum = Decimal(1).scaleb(-digits)
        span = step * width
        # At least one decimal, so that the column is not taken for one of whole numbers.
        fine = Decimal(1).scaleb(min(span.adjusted() - _REPORT_DIGITS, -1))
        self._beyond = _DIGITS.quantize(_DIGITS.multiply(Decimal(moves), span), fine)

    @property
    def beyond(self) -> float:
        """How much farther out the last D numbers at either end are, as written."""
        return float(self._beyond)

    def __len__(self) -> int:
        return self._length

    def text(self, index: int) -> str:
        number = _DIGITS.quantize(_DIGITS.fma(self._step, index, self._first), self._quantum)
        if index < self._width:
            number = _DIGITS.subtract(number, self._beyond)
        elif index >= self._length - self._width:
            number = _DIGITS.add(number, self._beyond)
        return format(number, "f")


class BoundUnbounded(BoundMean):
    """Unbounded noise on a domain: the integer table that is run, and the numbers it reports."""

    law: ShiftLaw

    def __init__(self, mechanism: UnboundedNoise, domain: Grid, tick: Tick | None) -> None:
        """Builds the law.

        Args:
            mechanism: The parameters.
            domain: Numbers on a grid.
            tick: Called now and then; may raise to stop the work.
        """
        epsilon, period = float(mechanism.epsilon), mechanism.weights(domain.size - 1)
        width, periods = domain.size - 1, periods_beyond(domain.size, epsilon)
        law = ShiftLaw(shift_weights(period, mechanism.epsilon, periods, tick), domain.size)
        moves = 1 / expm1(epsilon)
        outputs = ReportTexts(domain.grid_lower, domain.grid_step, width, periods, moves)
        steps = np.arange(law.outputs, dtype=np.float64) - periods * width
        worth = np.asarray(steps * float(domain.grid_step))
        worth[:width] -= outputs.beyond
        worth[-width:] += outputs.beyond
        super().__init__(mechanism, domain, law, outputs, worth, None)
        forecast = mechanism.preview(domain)
        self._numbers = mechanism.numbers(domain) | {"n_var_star": forecast.noise_constant}
        self.square_worth = worth**2 - forecast.noise_of_reports()

    def parameters(self) -> dict[str, float]:
        return self._numbers


class UnboundedNoise(NumericMechanism):
    """What Laplace and staircase noise share: only the noise of one period differs.

    A grid of m points is D = m - 1 steps wide, and so is a period.
    """

    most_points = SHIFT_GRID_MAX
    oracle = BoundUnbounded

    @abstractmethod
    def weights(self, width: int) -> list[int]:
        """Returns p(0) .. p(D-1) up to one factor, as integers over 2^224 (D = `width`)."""

    @abstractmethod
    def period(self, width: int) -> Floats:
        """Returns the same in floating point, for previews, shape (D,)."""

    @abstractmethod
    def numbers(self, grid: Grid) -> dict[str, float]:
        """Returns what shapes the noise, for a report."""

    def preview(self, grid: Grid) -> UnboundedForecast:
        return _forecast(self, grid.size, grid.span)


@lru_cache(maxsize=64)
def _forecast(noise: UnboundedNoise, size: int, span: float) -> UnboundedForecast:
    return UnboundedForecast(size, span, float(noise.epsilon), noise.period(size - 1))


class Laplace(UnboundedNoise):
    """Two-sided geometric noise of scale W/eps, W being the interval's width, on its grid."""

    short = "Laplace"
    title = N_("Laplace noise")
    summary = N_("The report is the answer plus noise, and may lie far outside the range.")
    reference = "Dwork, McSherry, Nissim & Smith 2006; Ghosh, Roughgarden & Sundararajan 2012"

    kind: Literal["laplace"] = "laplace"

    def weights(self, width: int) -> list[int]:
        ratio = scaled_power(-Fraction(self.epsilon) / width)
        powers = [1 << SCALE_BITS]
        for _ in range(width - 1):
            # Each product is short by less than 2^-224, which weights of 64 bits cannot resolve.
            powers.append(powers[-1] * ratio >> SCALE_BITS)
        return powers

    def period(self, width: int) -> Floats:
        return np.asarray(np.exp(-float(self.epsilon) / width * np.arange(width)))

    def numbers(self, grid: Grid) -> dict[str, float]:
        return {"scale": grid.span / float(self.epsilon)}


Optimize = Literal["variance", "error"]
"""What the width of the steps makes smallest: the noise's variance or its mean absolute value."""


class Staircase(UnboundedNoise):
    """Noise whose chance falls in steps, once in every width W of the interval.

    Counted in steps of the grid, D to the interval: p(d) is proportional to e^(-k eps) for
    k D <= |d| < k D + g and to e^(-(k+1) eps) up to (k+1) D. The width g of the upper step is
    that of the grid which makes the noise smallest; gamma is g / D.
    """

    short = "Staircase"
    title = N_("Staircase noise")
    summary = N_("The report is the answer plus noise in steps, and may lie far outside the range.")
    reference = "Geng, Kairouz, Oh & Viswanath 2015; Geng & Viswanath 2016"

    kind: Literal["staircase"] = "staircase"
    optimize: Annotated[
        Optimize,
        Field(
            title="Minimize",
            description="What the width of the steps makes smallest: the variance of the noise, "
            "for a mean, or its mean absolute value, for single reports.",
        ),
    ] = "variance"

    def weights(self, width: int) -> list[int]:
        upper = best_step(width, self.epsilon, self.optimize)
        lower = scaled_power(-Fraction(self.epsilon))
        return [1 << SCALE_BITS] * upper + [lower] * (width - upper)

    def period(self, width: int) -> Floats:
        upper = best_step(width, self.epsilon, self.optimize)
        return np.where(np.arange(width) < upper, 1.0, np.exp(-float(self.epsilon)))

    def numbers(self, grid: Grid) -> dict[str, float]:
        width = grid.size - 1
        return {"gamma": best_step(width, self.epsilon, self.optimize) / width}


@lru_cache(maxsize=256)
def best_step(width: int, epsilon: Decimal, optimize: Optimize) -> int:
    """Returns g, from 1 to D, that makes the noise smallest.

    In the limit of a fine grid g / D is gamma of Geng et al. 2015: 1 / (1 + e^(eps/2)) for the
    absolute value, and -b/(1-b) + (b - 2b^2 + 2b^4 - b^5)^(1/3) / (2^(1/3) (1-b)^2), b = e^-eps,
    for the variance.

    Args:
        width: D, number of steps of the interval.
        epsilon: The loss.
        optimize: What is to be smallest.
    """
    # Correctly rounded, so that every machine finds the same step.
    fall = float(Fraction(scaled_power(-Fraction(epsilon)), 1 << SCALE_BITS))
    rest = 1 - fall
    g = np.arange(1.0, width + 1)
    # Sums over a period of 1, a and a^2, weighted by 1 for a < g and by `fall` beyond.
    zeros = fall * width + rest * g
    ones = (fall * width * (width - 1) + rest * g * (g - 1)) / 2
    squares = (fall * width * (width - 1) * (2 * width - 1) + rest * g * (g - 1) * (2 * g - 1)) / 6
    if optimize == "error":
        size = width * zeros * fall / rest**2 + ones / rest
    else:
        size = width**2 * zeros * fall * (1 + fall) / rest**3
        size += 2 * width * ones * fall / rest**2 + squares / rest
    return int((size / (2 * zeros / rest - 1)).argmin()) + 1
