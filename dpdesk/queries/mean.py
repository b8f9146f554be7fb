"""The mean of a column of numbers, in all or per declared group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Literal

from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Counts
from dpdesk.queries.base import BoundQuery, ExpectedError, ExpectedSize, Statistic
from dpdesk.queries.bound import Noisy, Wanted
from dpdesk.queries.clamped import AverageQuery, BoundAverage, Clamp
from dpdesk.queries.combined import (
    combined_half_width,
    combined_sizes,
    quotient_intervals,
    sizes_of,
    total_interval,
    width_with_normal,
    widths_between,
)
from dpdesk.queries.condition import Domains
from dpdesk.queries.released_law import FirstOrder, ReleasedLaw
from dpdesk.queries.texts import T
from dpdesk.queries.unit import Complete, PrivacyUnit
from dpdesk.queries.variance import BoundVariance
from dpdesk.queries.written import write_phrase


class Mean(AverageQuery):
    """The mean of numbers, clamped to declared bounds; missing answers are left out."""

    title = N_("Mean")
    summary = N_("The mean of a column of numbers, in all or in each group.")
    words = ("mean",)
    synonyms = ("average", "avg")
    examples = ("mean of age between 18 and 90",)
    form = ("column", "by", "where", "noise", "lower", "upper")
    local = "mean"

    kind: Literal["mean"] = "mean"
    complete: Complete = False

    def summed(self, clamp: Clamp, groups: int, public: bool) -> list[Wanted]:
        return [(write_phrase("sum of", self.column), clamp.half_step, clamp.contribution(groups))]

    def bind(self, domains: Domains, unit: PrivacyUnit) -> BoundMean:
        return BoundMean(self, domains, unit, *self.calibrated(domains, unit, self.complete))


@dataclass(frozen=True)
class BoundMean(BoundAverage):
    """A mean as the quotient of a noisy sum and a noisy or public number of rows."""

    query: Mean

    def summed(self, distances: Counts) -> tuple[Counts, ...]:
        return (distances,)

    def statistics(
        self, noisy: Noisy, rows: int | None, confidence: float
    ) -> tuple[Statistic, ...]:
        reach = float(self.clamp.reach)
        if len(self.parts) == 1:
            assert rows is not None  # noqa: S101 - a public count implies public rows
            base = max(rows, 1)
            half = self.parts[0].noise.half_width(confidence) / base
            at = float(noisy[0][0]) / base
            return (self._statistic((), at, at - half, at + half, base, confidence),)
        top, bottom = self.parts[0].noise, self.parts[1].noise
        sums, counts = noisy
        weights = ((1.0, -reach), (1.0, reach))
        shares, widths = widths_between(top, bottom, weights, confidence)
        lows, highs = quotient_intervals(sums, counts, reach * (2 * shares - 1), widths)
        statistics = []
        cells = zip(self.keys, *(x.tolist() for x in (sums, counts, lows, highs)), strict=True)
        for key, s, n, low, high in cells:
            at = s / n if n > 0 else (low + high) / 2
            statistics.append(self._statistic(key, at, low, high, n, confidence))
        return tuple(statistics)

    def _statistic(
        self, key: tuple[str, ...], at: float, low: float, high: float, base: float, level: float
    ) -> Statistic:
        """Turns distances in half steps into the column's unit, and adds the sampling error.

        The standard deviation is not released; of numbers within bounds it is largest where all
        of them lie at the bounds (Bhatia & Davis 2000), which is supposed in its place.
        """
        middle, step, reach = self.clamp.middle, self.clamp.half_step, float(self.clamp.reach)
        share, least, most = ((x + reach) / (2 * reach) for x in (at, low, high))
        least, most = total_interval(share, least, most, base, level)
        lower, upper = self.clamp.lower, self.clamp.upper
        return Statistic(
            key,
            middle + step * at,
            middle + step * low,
            middle + step * high,
            lower + (upper - lower) * least,
            lower + (upper - lower) * most,
            (lower, upper),
            answers=base,
        )

    def released_law(self, rows: int, confidence: float = 0.95) -> ReleasedLaw:
        step, reach = self.clamp.half_step / rows, self.clamp.reach
        noises = [(self.parts[0].noise, step)]
        if len(self.parts) == 2:
            noises.append((self.parts[1].noise, step * reach))
        span = 2 * reach * self.clamp.half_step
        return FirstOrder(tuple(noises), min(span * self.unit.rows_per_respondent / rows, span))

    def sampling_note(self, statistics: Sequence[Statistic]) -> str:
        if all(statistic.spread is not None for statistic in statistics):
            return T.SAMPLING_BY_VARIANCE()
        return T.SAMPLING_AT_BOUNDS()

    def informed(
        self,
        statistics: tuple[Statistic, ...],
        others: Sequence[tuple[BoundQuery, tuple[Statistic, ...]]],
        confidence: float,
    ) -> tuple[Statistic, ...]:
        """The intervals for the population go by a variance of the same answers, if there is one.

        Half-width h with P(|noise + s Z| <= h) as asked, s^2 = variance / answers, at least as far
        as the noise alone reaches.
        """
        asked = self.query
        for bound, released in others:
            if not isinstance(bound, BoundVariance):
                continue
            variance = bound.query
            if (variance.column, variance.by, bound.clamp) == (
                asked.column,
                asked.by,
                self.clamp,
            ) and set(variance.where) == set(asked.where):
                spreads = {each.key: variance.spread_of(each) for each in released}
                return tuple(self._informed(x, spreads[x.key], confidence) for x in statistics)
        return statistics

    def _informed(self, found: Statistic, spread: float, confidence: float) -> Statistic:
        step, (lower, upper) = self.clamp.half_step, found.possible
        at, low, high = found.clipped, found.lower, found.upper
        assert at is not None and low is not None and high is not None  # noqa: S101, PT018
        answers = max(found.answers or 1.0, 1.0)
        sizes = sizes_of(self.parts[0].noise)
        if len(self.parts) == 2:
            away = (at - self.clamp.middle) / step
            sizes = combined_sizes(sizes, 1.0, sizes_of(self.parts[1].noise), away)
        half = width_with_normal(sizes, step / answers, spread / sqrt(answers), confidence)
        return replace(
            found,
            spread=spread,
            total_lower=max(min(at - half, low), lower),
            total_upper=min(max(at + half, high), upper),
        )

    def sampling_error(self, rows: int) -> float:
        return self.clamp.reach * self.clamp.half_step / sqrt(3 * rows)

    def expected_error(self, respondents: int, confidence: float = 0.95) -> ExpectedError:
        unit, step = self.clamp.domain.error_unit, self.clamp.half_step
        base = max(respondents, 1)
        top = self.parts[0].noise
        if len(self.parts) == 1:
            return ExpectedError(step * top.half_width(confidence) / base, unit)
        reach = float(self.clamp.reach)
        widest = combined_half_width(top, 1.0, self.parts[1].noise, reach, confidence)
        basis = T.AT_ANY_VALUE(count=respondents)
        # An interval is never wider than the bounds.
        return ExpectedError(step * min(widest / base, reach), unit, basis)

    def expected_size(self, rows: int) -> ExpectedSize:
        mean_of = self.clamp.domain if self.clamp.is_whole else None
        return ExpectedSize("the mean", self.clamp.even_spread / 2, mean_of=mean_of)
