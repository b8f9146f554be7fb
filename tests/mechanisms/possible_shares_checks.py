"""Exact checks of the possible estimates, shared with the kill matrix."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from dpdesk.mechanisms import Estimate, Tally
from dpdesk.mechanisms.possible_shares import (
    iterative_bayes,
    most_likely_of_supports,
    most_likely_of_symbols,
    norm_sub,
    simplex_projection,
)
from tests.mechanisms.estimator_checks import bind, categories

VECTORS = [
    [0.5, 0.5],
    [0.7, 0.6, -0.3],
    [0.2, -0.1, 0.05],
    [-0.4, -0.2],
    [1.4, -0.1, -0.1, -0.2],
    [0.3, 0.3, 0.3, 0.3, -0.05, -0.15],
]


def _possible(shares: np.ndarray) -> None:
    assert shares.min() >= 0
    assert shares.sum() == pytest.approx(1, abs=1e-12)


def the_projection_is_the_nearest_possible_distribution() -> None:
    """No point of a fine grid of the simplex lies nearer; the conditions of Kuhn-Tucker hold."""
    for vector in VECTORS:
        v = np.array(vector)
        projected = simplex_projection(v)
        _possible(projected)
        taken = v - projected
        above = projected > 0
        # One amount is taken from all that stay above 0, no less from the others.
        assert np.ptp(taken[above]) < 1e-12
        assert (taken[~above] <= taken[above].max() + 1e-12).all()
        if v.size == 3:
            steps = np.arange(101) / 100
            grid = [(a, b, 1 - a - b) for a, b in product(steps, steps) if a + b <= 1]
            nearest = min(float(((v - np.array(g)) ** 2).sum()) for g in grid)
            assert ((v - projected) ** 2).sum() <= nearest + 1e-12


def norm_sub_is_its_iteration() -> None:
    """Clip, take one amount from the positive ones, again and again: Wang et al. 2020."""
    for vector in VECTORS:
        v = np.array(vector)
        normed = norm_sub(v)
        _possible(normed)
        if not (v > 0).any():
            assert np.allclose(normed, 1 / v.size)
            continue
        step = v.copy()
        for _ in range(200):
            step = np.maximum(step, 0)
            step[step > 0] += (1 - step.sum()) / (step > 0).sum()
        assert np.allclose(normed, step, atol=1e-12), vector


def the_likeliest_symbols_are_the_limit_of_iterative_bayes() -> None:
    """The closed form is where expectation maximisation with the true channel leads."""
    for size, epsilon, counts in [
        (3, "1", [60, 30, 10]),
        (4, "0.5", [40, 30, 20, 10]),
        (5, "3", [0, 5, 5, 10, 80]),
        (2, "1", [90, 10]),
    ]:
        bound = bind("grr", categories(size), epsilon)
        tally = Tally(100, 100.0, 100.0, np.array(counts, dtype=float))
        found = bound.estimate(tally).possible["iterative_bayes"]
        _possible(found)
        p, q = bound.parameters()["p"], bound.parameters()["q"]
        channel = np.full((size, size), q) + (p - q) * np.eye(size)
        climbed = iterative_bayes(tally.counts, channel, tolerance=1e-12, most_steps=200_000)
        assert np.allclose(found, climbed, atol=1e-5), (size, epsilon)
        assert _symbols(found, tally.shares, p, q) >= _symbols(climbed, tally.shares, p, q) - 1e-12


def _symbols(f: np.ndarray, reported: np.ndarray, p: float, q: float) -> float:
    return float((reported * np.log(q + (p - q) * f)).sum())


def the_likeliest_supports_beat_every_other_distribution() -> None:
    """On a grid of the simplex, and a little way towards every corner, none is likelier."""
    p, q = 0.5, 0.2689
    for support in ([0.4, 0.3, 0.28], [0.2, 0.2, 0.2], [0.5, 0.5, 0.5], [0.0, 1.0, 0.3], [0.0] * 3):
        s = np.array(support)
        best = most_likely_of_supports(s, p, q)
        _possible(best)
        reached = _supports(best, s, p, q)
        steps = np.arange(51) / 50
        for a, b in product(steps, steps):
            if a + b <= 1:
                other = np.array([a, b, 1 - a - b])
                assert _supports(other, s, p, q) <= reached + 1e-10
        for corner in np.eye(3):
            near = best + 1e-4 * (corner - best)
            assert _supports(near, s, p, q) <= reached + 1e-12


def _supports(f: np.ndarray, s: np.ndarray, p: float, q: float) -> float:
    chance = q + (p - q) * f
    return float((s * np.log(chance) + (1 - s) * np.log(1 - chance)).sum())


def chances_of_their_own_for_each_category_are_taken() -> None:
    """With p and q per category the expected reports give the true shares back."""
    f = np.array([0.6, 0.3, 0.1, 0.0])
    q = np.array([0.1, 0.2, 0.15, 0.05])
    # One symbol each: the chances of all categories sum to 1.
    p = q + (1 - q.sum())
    assert np.allclose(most_likely_of_symbols(q + (p - q) * f, p, q), f, atol=1e-12)
    p = q + np.array([0.3, 0.4, 0.2, 0.5])
    assert np.allclose(most_likely_of_supports(q + (p - q) * f, p, q), f, atol=1e-9)


def expected_reports_give_the_truth_back() -> None:
    """Where the unbiased estimate is possible, every further one agrees with it."""
    f = np.array([0.5, 0.3, 0.15, 0.05])
    for kind in ("grr", "sue", "oue"):
        bound = bind(kind, categories(4), "1")
        p, q = bound.parameters()["p"], bound.parameters()["q"]
        tally = Tally(1000, 1000.0, 1000.0, 1000 * (q + (p - q) * f))
        estimate: Estimate = bound.estimate(tally)
        for name, shares in estimate.possible.items():
            assert np.allclose(shares, f, atol=1e-9), (kind, name)


def a_half_is_found_where_clipping_alone_loses_it() -> None:
    """True 0.5 of 50 categories, 2,000 reports at eps = 1: clip and rescale gives a third of it.

    The counts are those expected, with a noise of one standard error up and down in turn.
    """
    n, k = 2_000, 50
    bound = bind("grr", categories(k), "1")
    p, q = bound.parameters()["p"], bound.parameters()["q"]
    f = np.full(k, 0.5 / (k - 1))
    f[0] = 0.5
    chance = q + (p - q) * f
    sign = np.where(np.arange(k) % 2 == 0, 1.0, -1.0)
    sign[0], sign[1] = 0.0, 0.0
    noise = sign * np.sqrt(n * chance * (1 - chance))
    estimate = bound.estimate(Tally(n, float(n), float(n), n * chance + noise - noise.mean()))
    clipped = np.maximum(estimate.value, 0)
    assert clipped[0] / clipped.sum() < 0.25
    for name in ("simplex", "norm_sub", "iterative_bayes"):
        assert 0.3 < estimate.possible[name][0] < 0.55, (name, estimate.possible[name][0])
