"""Intervals cover what they say they cover: by exact sums over the laws, and by draws."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from dpdesk.domains import Categorical, Integer
from dpdesk.queries import (
    CodedRows,
    Condition,
    Count,
    Histogram,
    Mean,
    MeasuredQuery,
    PrivacyUnit,
    Query,
    Share,
    Sum,
    Variance,
)
from dpdesk.queries.combined import quotient_intervals, total_interval, widths_between
from dpdesk.queries.noise import GAUSSIAN_KINDS, NOISE_KINDS, CalibratedNoise, NoiseKind
from dpdesk.queries.variance import Spread

ALPHA = 1e-9
SEX, SCORE = Categorical(values=("F", "M", "other")), Integer(lower=0, upper=4)
DOMAINS = {"sex": SEX, "score": SCORE}
FEMALE = Condition(column="sex", values=("F",))
UNITS = (PrivacyUnit(), PrivacyUnit(relation="replace"))
Floats = NDArray[np.float64]


def noisy(query: Query, kind: NoiseKind, epsilon: str = "1") -> Query:
    delta = Decimal("1e-6") if kind in GAUSSIAN_KINDS else Decimal(0)
    return query.changed(noise=kind, epsilon=Decimal(epsilon), delta=delta)


def bound_of(query: Query, unit: PrivacyUnit = UNITS[0]) -> MeasuredQuery:
    bound = query.bind(DOMAINS, unit)
    assert isinstance(bound, MeasuredQuery)
    return bound


def points(noise: CalibratedNoise) -> tuple[Floats, Floats]:
    """Where a noise lies and how likely; a continuous one on a fine grid."""
    far = float(noise.half_width(1 - 1e-10))
    at = np.arange(-far, far + 1) if noise.whole else np.linspace(-far, far, 6001)
    law = noise.law(at)
    return at, law / law.sum()


def chance_within(a: CalibratedNoise, u: float, b: CalibratedNoise, v: float, w: float) -> float:
    """P(|u A + v B| <= w), by enumeration."""
    (x, p), (y, q) = points(a), points(b)
    reached = np.concatenate([[0.0], np.cumsum(p)])
    upper = np.searchsorted(u * x, w + 1e-9 - v * y, side="right")
    lower = np.searchsorted(u * x, -w - 1e-9 - v * y, side="left")
    return float(q @ (reached[upper] - reached[lower]))


@pytest.mark.parametrize("epsilon", ["0.2", "1", "4", "10"])
@pytest.mark.parametrize("kind", NOISE_KINDS)
def test_that_widths_of_quotients_hold_their_noise_at_every_ratio(
    kind: NoiseKind, epsilon: str
) -> None:
    cases = []
    mean = bound_of(noisy(Mean(column="score"), kind, epsilon))
    reach = 4.0
    cases.append((mean.parts[0].noise, mean.parts[1].noise, ((1.0, -reach), (1.0, reach))))
    if kind != "staircase":
        share = bound_of(noisy(Share(meeting=(FEMALE,)), kind, epsilon)).parts[0].noise
        cases.append((share, share, ((1.0, 0.0), (0.0, 1.0))))
    for confidence in (0.5, 0.95, 0.99):
        for first, second, weights in cases:
            shares, widths = widths_between(first, second, weights, confidence)
            (u0, v0), (u1, v1) = weights
            for t in np.linspace(0.5, 1, 41).tolist():
                u, v = u0 + t * (u1 - u0), v0 + t * (v1 - v0)
                # Subtracted from the other: u A - v B has the same chances.
                width = float(np.interp(t, shares, widths))
                chance = chance_within(first, max(u, 1e-12), second, abs(v), width)
                assert chance >= confidence, (confidence, t)
                tight = chance_within(first, max(u, 1e-12), second, abs(v), width / 1.35 - 1)
                assert tight < confidence, (confidence, t)


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_that_a_mean_in_the_middle_is_told_as_closely_as_its_sum(kind: NoiseKind) -> None:
    # The number of rows is multiplied by the distance from the middle of the bounds: its noise
    # counts at the bounds and not there.
    bound = bound_of(noisy(Mean(column="score"), kind))
    rows, top = 1e6, bound.parts[0].noise
    counts = np.array([rows])
    (middle,) = bound.statistics((np.array([0.0]), counts), None, 0.95)
    (end,) = bound.statistics((np.array([4 * rows]), counts), None, 0.95)
    sum_alone = bound.clamp.half_step * top.half_width(0.95) / rows
    assert middle.value == 2
    assert middle.upper - middle.value == pytest.approx(sum_alone, rel=0.05)
    assert middle.value - middle.lower == pytest.approx(sum_alone, rel=0.05)
    assert end.value - end.lower > 1.2 * sum_alone


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_that_the_mean_behind_a_variance_is_left_as_little_open_as_its_sum(
    kind: NoiseKind,
) -> None:
    sums, squares, rows = (
        part.noise for part in bound_of(noisy(Variance(column="score"), kind)).parts
    )
    spread = Spread(4.0, sums, squares, rows, 0.95)
    lows, highs = spread._means(np.array([0.0]), np.array([1e6]))
    # A tenth of the doubt goes to the mean.
    half = sums.half_width(1 - 0.1 * 0.05) / 1e6
    assert highs[0] == pytest.approx(half, rel=0.05)
    assert lows[0] == pytest.approx(-half, rel=0.05)


def test_that_quotients_are_solved_to_the_last_digit_in_tables_of_any_size() -> None:
    at, widths = np.linspace(-50.0, 50.0, 11), np.linspace(3.0, 9.0, 11)
    for rows in (30.0, 1e4, 1e9):
        for ratio in (-49.0, -7.3, 0.0, 31.0):
            top, bottom = np.array([ratio * rows]), np.array([rows])
            low, high = quotient_intervals(top, bottom, at, widths)
            assert low[0] <= ratio <= high[0]
            for end in (low[0], high[0]):
                width = np.interp(end, at, widths)
                if abs(end) < 50:
                    gap = abs(top[0] - end * rows)
                    assert gap == pytest.approx(width, rel=1e-6, abs=rows * 1e-13)


def test_that_a_quotient_of_nothing_leaves_everything_open_and_one_beyond_keeps_its_noise() -> None:
    at, widths = np.array([0.0, 1.0]), np.array([2.0, 2.0])
    low, high = quotient_intervals(
        np.array([0.0, -9.0, 25.0]), np.array([0.0, 20.0, 10.0]), at, widths
    )
    assert (low[0], high[0]) == (0, 1)
    assert (low[1], high[1]) == pytest.approx((0, 0.1))
    assert (low[2], high[2]) == pytest.approx((0.8, 1))


def table(sizes: tuple[int, ...]) -> CodedRows:
    """Groups of these sizes, with scores that lean to one side."""
    sex = np.repeat(np.arange(len(sizes)), sizes).astype(np.int32)
    score = (np.arange(sex.size) % 7 % 4).astype(np.int32)
    return CodedRows(sex.size, {"sex": sex, "score": score}, DOMAINS)


QUERIES: tuple[Query, ...] = (
    Count(where=(FEMALE,)),
    Count(by=("sex",)),
    Histogram(column="score"),
    Sum(column="score", by=("sex",)),
    Share(meeting=(Condition(column="score", lower=Decimal(2)),), by=("sex",)),
    Mean(column="score", by=("sex",)),
    Variance(column="score", by=("sex",)),
    Variance(column="score", root=True),
    Mean(column="score", complete=True),
    Share(meeting=(FEMALE,), complete=True),
    Variance(column="score", complete=True),
)
DRAWS = 120


def draws_of(bound: MeasuredQuery, rows: CodedRows, releases: int) -> list[Floats]:
    """Many releases' noisy parts, shape (releases, cells) each, drawn as a release draws them."""
    drawn = []
    for part, sums in zip(bound.parts, bound.sums(rows), strict=True):
        exact = sums.reshape(-1).tolist()
        drawn.append(np.array([part.noise.draw(exact) for _ in range(releases)], np.float64))
    return drawn


@pytest.mark.parametrize("kind", NOISE_KINDS)
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.relation)
def test_that_every_interval_covers_in_large_small_and_empty_groups(
    kind: NoiseKind, unit: PrivacyUnit
) -> None:
    rows = table((300, 4, 0))
    for query in QUERIES:
        if kind == "staircase" and (
            getattr(query, "by", ()) or query.kind in {"histogram", "share"}
        ):
            continue
        bound = bound_of(noisy(query, kind), unit)
        # Where nobody is, no mean has a truth to be covered.
        cells = 2 if query.kind in {"share", "mean", "variance"} else 3
        exact = [s.value for s in bound.exact(rows)][:cells]
        hits = np.zeros(len(exact), dtype=int)
        drawn = draws_of(bound, rows, DRAWS)
        public = rows.rows if unit.rows_are_public else None
        for release in range(DRAWS):
            found = bound.statistics([part[release] for part in drawn], public, 0.95)
            for cell, truth in enumerate(exact):
                one = found[cell]
                assert truth is not None
                assert one.lower is not None
                assert one.upper is not None
                hits[cell] += one.lower - 1e-9 <= truth <= one.upper + 1e-9
                assert one.lower <= one.upper
                low, high = one.possible
                assert one.value is not None
                assert one.is_outside == (not low <= one.value <= high)
        assert (binom.cdf(hits, DRAWS, 0.95) > ALPHA).all(), (query.description, hits)


@pytest.mark.parametrize("kind", ["geometric", "discrete_gaussian"])
def test_that_what_was_expected_before_bounds_what_came_after(kind: NoiseKind) -> None:
    rows = 100_000
    for query in QUERIES:
        for unit in UNITS:
            bound = bound_of(noisy(query, kind), unit)
            told = bound.expected_error(rows).half_width
            cells = len(bound.keys)
            # Means and shares of a half, numbers as they are in the middle of their bounds.
            sums = []
            for part in bound.parts:
                middle = -4.0 * rows if "squares" in part.name else 0.0
                sums.append(np.full(part.cells, float(rows) if part.name == "rows" else middle))
            if query.kind == "share":
                sums = [np.full(bound.parts[0].cells, rows / 2)]
            for statistic in bound.statistics(sums, rows, 0.95)[:cells]:
                assert statistic.lower is not None
                assert statistic.upper is not None
                width = (statistic.upper - statistic.lower) / 2
                assert width <= told * (1 + 1e-9), query.description
                # Spreads are planned for means that are not in the middle, which these are.
                slack = 5 if query.kind == "variance" else 1.5
                assert told <= slack * width, query.description


@pytest.mark.parametrize("epsilon", ["0.3", "20"])
@pytest.mark.parametrize(("rows", "share"), [(60, 0.01), (60, 0.5), (2_000, 0.002), (2_000, 0.3)])
def test_that_intervals_for_the_population_cover_for_rare_answers_too(
    rows: int, share: float, epsilon: str
) -> None:
    bound = bound_of(noisy(Share(meeting=(FEMALE,)), "geometric", epsilon))
    noise = bound.parts[0].noise
    samples = np.random.default_rng(5).binomial(rows, share, 600)
    hits = 0
    for met in samples.tolist():
        drawn = np.asarray(noise.draw([met, rows - met]), dtype=np.float64)
        (found,) = bound.statistics([drawn], None, 0.95)
        assert found.total_lower is not None
        assert found.total_upper is not None
        hits += found.total_lower <= 100 * share <= found.total_upper
        assert 0 <= found.total_lower <= found.total_upper <= 100
    assert binom.cdf(hits, samples.size, 0.95) > ALPHA, hits


def test_that_the_interval_of_a_sample_alone_is_wilsons_with_its_correction() -> None:
    # Newcombe 1998, table I, method 4: 81 of 263, and 0 of 20.
    assert total_interval(81 / 263, 81 / 263, 81 / 263, 263, 0.95) == pytest.approx(
        (0.2535, 0.3682), abs=5e-5
    )
    assert total_interval(0.0, 0.0, 0.0, 20, 0.95) == pytest.approx((0, 0.2005), abs=5e-5)


def test_that_an_empty_group_is_told_like_any_other() -> None:
    bound = bound_of(Mean(column="score", by=("sex",)))
    for noise in (-3.0, 0.0, 2.0):
        sums = [np.array([600.0, 8.0, noise]), np.array([300.0, 4.0, -2.0])]
        statistics = bound.statistics(sums, None, 0.95)
        assert [s.key for s in statistics] == [("F",), ("M",), ("other",)]
        assert (statistics[2].lower, statistics[2].upper) == (0.0, 4.0)
        assert not statistics[2].is_outside
