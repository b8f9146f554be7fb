"""Shares among those who answered, where "no answer" is a category of its own.

With f_a the share of a category among all and f_0 that of missing answers, the share among those
who answered is f_a / (1 - f_0): a ratio of two unbiased estimates from the same reports. Its error
is that of Taylor linearisation, the standard error of s_a - r (1 - s_0) over 1 - f_0, where s are
the scores of a report, E[s_a | x] = 1[x = a]. Its interval holds the ratios r that the reports do
not contradict (Fieller 1954, JRSS B 16, 175-185),

    (f_a - r (1 - f_0))^2 <= z^2 v(r) / n.

For frequency oracles v(r) is the variance that holds if r is true, which is quadratic in r; without
missing answers and noise the interval is Wilson's. For other mechanisms it is the variance at the
estimates, as in their other intervals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.mechanisms.estimates import Estimate
from dpdesk.mechanisms.possible_shares import simplex_projection
from dpdesk.mechanisms.score_rule import Numbers, numbers_of
from dpdesk.mechanisms.tally import Tally
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.intervals import Quadratic, ratio_interval

_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Supports:
    """The chances that a report supports a category, and that it also supports "no answer".

    Attributes:
        p: Chance to support the true category, shape (k,).
        q: Chance to support another one, shape (k,).
        true: Chance to support a category and the missing one where one of both is true, (k,).
        other: The same where another category is true, (k,).
        overlap: Which part of the reports that tell of a category tell of the missing one, too.
        thirds: Code of another category that is like one of both where it is true, shape (k,);
            -1 where there is none.
    """

    p: Floats
    q: Floats
    true: Floats
    other: Floats
    overlap: float
    thirds: NDArray[np.intp]

    @classmethod
    def of(
        cls,
        size: int,
        chances: tuple[Floats | float, Floats | float],
        both: tuple[Floats | float, Floats | float],
        overlap: float = 1.0,
        thirds: NDArray[np.intp] | None = None,
    ) -> Supports:
        """Returns chances for `size` categories, each of them a number or one for each."""
        p, q, true, other = (
            np.broadcast_to(np.asarray(x, np.float64), (size,)) for x in (*chances, *both)
        )
        none = np.full(size, -1, dtype=np.intp)
        return cls(p, q, true, other, overlap, none if thirds is None else thirds)

    def numbers(self) -> dict[str, Numbers]:
        """Returns what a program needs that knows p and q (`ScoreRule`)."""
        found = {"both_true": self.true, "both_other": self.other, "third": self.thirds}
        return {key: numbers_of(of.astype(np.float64)) for key, of in found.items()}

    def squares(self, shares: Floats) -> Floats:
        """Returns E[s_a^2] of categories with these shares, shape (k,)."""
        gap = self.p - self.q
        noise = self.q * (1 - self.q) / gap**2 + shares * (1 - self.p - self.q) / gap
        return np.asarray(noise + shares)

    def of_thirds(self, value: Floats) -> Floats:
        """Returns the possible share of each category's third one, shape (k,); 0 without one."""
        return np.where(self.thirds < 0, 0.0, np.clip(value[self.thirds], 0.0, 1.0))

    def products(
        self, shares: Floats, missing: int, share_missing: float, of_thirds: Floats
    ) -> Floats:
        """Returns E[s_a s_0] of categories with these shares, shape (k,)."""
        p, q, gap = self.p, self.q, self.p - self.q
        alike = shares + share_missing + of_thirds
        joint = alike * self.true + (1 - alike) * self.other
        of_one = shares * p + (1 - shares) * q
        of_missing = share_missing * p[missing] + (1 - share_missing) * q[missing]
        centred = joint - q * of_missing - q[missing] * of_one + q * q[missing]
        return np.asarray(centred / (gap * gap[missing]))


def shares_by_support(tally: Tally, supports: Supports, missing: int) -> Estimate:
    """Returns shares among those who answered from how many reports support each category.

    With weights the interval is that of as many reports as would have the linearised variance
    without (Korn & Graubard 1998), at most their number.

    Args:
        tally: Support of each category.
        supports: The law of the reports.
        missing: The category of missing answers.

    Returns:
        Arrays of shape (k - 1,), with 95 % intervals: every category but that of missing answers.
    """
    gap = supports.p - supports.q
    value, squared = ((shares - supports.q) / gap for shares in (tally.shares, tally.square_shares))
    plain = _at_possible(value, missing, tally.reports)
    gone, overlap = 1 - plain.below, supports.overlap
    nobody, all_of = np.zeros(gap.size), np.ones(gap.size)
    # Both moments are straight lines in the share of the category.
    square, thirds = supports.squares(nobody), supports.of_thirds(value)
    product = supports.products(nobody, missing, gone, thirds)
    square_slope = supports.squares(all_of) - square
    product_slope = supports.products(all_of, missing, gone, thirds) - product
    own = supports.squares(np.full(gap.size, gone))[missing] - gone**2
    variance = Quadratic(
        constant=square,
        linear=square_slope * plain.below + 2 * overlap * product,
        square=own - plain.below**2 + 2 * overlap * plain.below * (product_slope - gone),
    )
    reports = np.full(gap.size, tally.effective_reports)
    if tally.square_counts is not None:
        weighted = np.clip(squared, 0.0, 1.0)
        by = float(min(weighted[missing], 1.0))
        ratio, own_share = plain.ratio, plain.ratio * plain.below
        spread = supports.squares(weighted) - 2 * own_share * weighted + own_share**2
        mixed = supports.products(weighted, missing, by, supports.of_thirds(squared))
        mixed = mixed - gone * weighted - by * own_share + gone * own_share
        of_missing = supports.squares(np.full(gap.size, by))[missing] - 2 * gone * by + gone**2
        linearised = spread + 2 * overlap * ratio * mixed + ratio**2 * of_missing
        binomial = variance.at(ratio)
        inner = (binomial > 0) & (linearised > 0)
        factor = np.divide(binomial, linearised, out=np.ones_like(binomial), where=inner)
        reports = np.minimum(reports * factor, float(tally.reports))
    return _estimate(value, squared, missing, variance, reports, tally)


def shares_by_scores(
    value: Floats,
    squared: Floats,
    products: Callable[[Floats], tuple[Floats, Floats]],
    tally: Tally,
    missing: int,
) -> Estimate:
    """Returns shares among those who answered, with the variance at the estimates.

    Args:
        value: The unbiased shares of all categories, shape (k,).
        squared: The same by squared weights; `value` without weights.
        products: E[s_a^2] and E[s_a s_0] for true shares, each of shape (k,).
        tally: Counts of the reports.
        missing: The category of missing answers.

    Returns:
        Arrays of shape (k - 1,), as `shares_by_support`.
    """
    centre = simplex_projection(value)
    shares = centre if tally.square_counts is None else simplex_projection(squared)
    squares, mixed = products(shares)
    own = squares - 2 * centre * shares + centre**2
    cross = mixed - centre * shares[missing] - centre[missing] * shares
    cross = cross + centre * centre[missing]
    # The score of an answer is 1 - s_0.
    variance = Quadratic.of(own, -cross, own[missing])
    reports = np.full(value.size, tally.effective_reports)
    return _estimate(value, squared, missing, variance, reports, tally)


@dataclass(frozen=True, slots=True)
class _Possible:
    """Possible shares near the estimates: those among who answered, and that of who answered."""

    ratio: Floats
    below: float


def _at_possible(value: Floats, missing: int, reports: int) -> _Possible:
    below = float(np.clip(1 - value[missing], 1 / reports, 1.0))
    return _Possible(np.clip(value / below, 0.0, 1.0), below)


def _estimate(
    value: Floats,
    squared: Floats,
    missing: int,
    variance: Quadratic,
    reports: Floats,
    tally: Tally,
) -> Estimate:
    """Returns the ratios with their errors; `variance` is that of one of `reports` reports."""
    plain, below = _at_possible(value, missing, tally.reports), float(1 - value[missing])
    of_mean = variance.times(1 / reports)
    lower, upper = ratio_interval(value, below, of_mean, _CONFIDENCE)
    total = of_mean.at(plain.ratio) / plain.below**2
    answered = float(np.clip(1 - squared[missing], 0.0, 1.0))
    own = np.clip(squared, 0.0, answered)
    drawn = own * (1 - plain.ratio) ** 2 + (answered - own) * plain.ratio**2
    sampling = np.minimum(drawn / (plain.below**2 * tally.effective_reports), total)
    ratio = value / max(below, 1 / tally.reports)

    def shown(numbers: Floats) -> Floats:
        return np.delete(numbers, missing)

    return Estimate(
        quantity="share",
        value=shown(ratio),
        truncated=shown(np.clip(ratio, 0.0, 1.0)),
        noise_error=shown(np.sqrt(total - sampling)),
        sampling_error=shown(np.sqrt(sampling)),
        total_error=shown(np.sqrt(total)),
        lower=shown(np.where(np.isnan(lower), 0.0, lower)),
        upper=shown(np.where(np.isnan(upper), 1.0, upper)),
        reports=tally.reports,
        effective_reports=tally.effective_reports,
    )
