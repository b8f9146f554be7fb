"""Exact checks of the piecewise, the hybrid and the square wave mechanism, for the kill matrix too.

The formulas are stated anew from e^eps and the grid; none is taken from the code under test.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement
from math import exp, floor, isclose

import numpy as np
import pytest
from numpy.typing import NDArray

from dpdesk.domains import Categorical, Integer, Real
from dpdesk.mechanisms import BoundMechanism, Tally
from dpdesk.mechanisms.mean import BoundMean, MeanForecast
from tests.channel.window_checks import weights_of
from tests.cost.exact_exponential import exp_bounds
from tests.mechanisms.estimator_checks import AGES, bind
from tests.mechanisms.exact_moments import MANY, expected_tally, mixture, moments, report_law

KINDS = ("piecewise", "hybrid", "square_wave")
TENTHS = Real(lower=Decimal("-0.2"), upper=Decimal("0.2"), resolution=Decimal("0.1"))
SMALL = (Integer(lower=0, upper=1), Integer(lower=-2, upper=4, step=2), TENTHS)
EPSILONS = ("0.0001", "0.01", "0.1", "0.5", "0.6093525", "0.7", "1", "2", "5", "10", "20", "40")
FINE = Integer(lower=0, upper=999)


def _small() -> Iterator[BoundMechanism]:
    for kind in KINDS:
        for domain in SMALL:
            for epsilon in ("0.5", "1", "3"):
                yield bind(kind, domain, epsilon)


def _grid(bound: BoundMechanism) -> NDArray[np.float64]:
    assert not isinstance(bound.domain, Categorical)
    return bound.domain.values


def _channel(bound: BoundMechanism) -> NDArray[np.float64]:
    assert isinstance(bound, BoundMean)
    rows = [weights_of(bound.law, code) for code in range(bound.size)]  # type: ignore[arg-type]
    return np.array(rows, dtype=np.float64) / 2**64


def means_of_windows_are_unbiased_with_their_errors() -> None:
    """E = mean of the answers; the errors on expected counts are the exact standard deviations."""
    for bound in _small():
        grid = _grid(bound).tolist()
        laws = [report_law(bound, code) for code in range(bound.size)]
        alone = [moments(bound, [law]) for law in laws]
        for code, x in enumerate(grid):
            assert isclose(alone[code][0][0], x, rel_tol=1e-9, abs_tol=1e-9)
        for codes in combinations_with_replacement(range(bound.size), 2):
            mean, variance = moments(bound, [laws[c] for c in codes])
            noise = sum(alone[c][1][0] for c in codes) / 4
            assert isclose(mean[0], sum(grid[c] for c in codes) / 2, rel_tol=1e-9, abs_tol=1e-9)
            assert isclose(variance[0], noise, rel_tol=1e-9)
            estimate = bound.estimate(expected_tally([laws[c] for c in codes], 2 * MANY))
            spread = float(np.var([grid[c] for c in codes])) / 2
            assert isclose(estimate.total_error[0] ** 2 * MANY, noise + spread, rel_tol=1e-9)
            if bound.square_worth is None:
                assert np.isnan(estimate.sampling_error[0])
            else:
                assert isclose(estimate.noise_error[0] ** 2 * MANY, noise, rel_tol=1e-9)
                found = estimate.sampling_error[0]
                # Answers that are all alike cannot be told from noise that is.
                assert (spread == 0 and np.isnan(found)) or abs(found**2 * MANY - spread) < 1e-9


def means_of_fine_grids_are_unbiased() -> None:
    """sum_y w[x, y] / N worth(y) = x for every answer, to 1e-9 of a report's spread."""
    for kind in KINDS:
        for domain in (AGES, Integer(lower=0, upper=299)):
            for epsilon in ("0.01", "1", "4", "10"):
                bound = bind(kind, domain, epsilon)
                if bound.square_worth is None:
                    continue
                channel, steps = _channel(bound), np.arange(float(domain.size))
                worth, squares = bound.worth, bound.square_worth
                assert np.abs(channel @ worth - steps).max() < 1e-9 * np.abs(worth).max()
                off = np.abs(channel @ squares - steps**2).max()
                assert off < 1e-9 * np.abs(squares).max()


def window_mechanisms_have_the_published_widths() -> None:
    """Piecewise: (m - 1) e^(-eps/2) cells. Square wave: floor(m b) steps to either side.

    Hybrid: the piecewise mechanism with probability 1 - e^(-eps/2) above eps = 0.6093525.
    """
    for epsilon in ("0.3", "0.7", "1", "2.5", "5", "7"):
        e, growth = float(epsilon), exp(float(epsilon))
        piecewise = bind("piecewise", FINE, epsilon)
        assert piecewise.parameters()["width"] == round(999 * exp(-e / 2))
        half = (e * growth - growth + 1) / (2 * growth * (growth - 1 - e))
        wave = bind("square_wave", FINE, epsilon)
        assert wave.parameters()["reach"] == floor(1_000 * half)
        assert len(wave.outputs) == 1_000 + 2 * floor(1_000 * half)
        hybrid = bind("hybrid", FINE, epsilon)
        if e < 0.61:
            assert hybrid.outputs == bind("duchi", FINE, epsilon).outputs
            continue
        share = hybrid.parameters()["piecewise_share"]
        assert isclose(share, 1 - exp(-e / 2), rel_tol=1e-12)
        assert len(hybrid.outputs) == len(piecewise.outputs) + 2
    assert len(bind("hybrid", Integer(lower=0, upper=1), "2").outputs) == 2
    for epsilon, duchi in (("0.6093525", True), ("0.6093526", False)):
        assert (len(bind("hybrid", FINE, epsilon).outputs) == 2) is duchi


def worst_variances_are_the_published_ones() -> None:
    """On a grid of 1,000 points, within 0.1 %: a window is rounded to whole cells.

    At eps = 1: hybrid 4.289, piecewise 5.224, Duchi 4.683 (Wang et al. 2019). Piecewise at other
    epsilons: 1/(s-1) + (s+3)/(3 (s-1)^2), s = e^(eps/2).
    """
    for kind, published in (("hybrid", 4.289), ("piecewise", 5.224), ("duchi", 4.683)):
        bound = bind(kind, FINE, "1")
        assert bound.parameters()["n_var_star"] == pytest.approx(published, rel=1e-3)
        forecast = bound.mechanism.forecast(FINE).noise_constant
        assert forecast == pytest.approx(published, rel=1e-3)
    for epsilon in ("0.1", "0.5", "2", "3"):
        s = exp(float(epsilon) / 2)
        worst = 1 / (s - 1) + (s + 3) / (3 * (s - 1) ** 2)
        forecast = bind("piecewise", FINE, epsilon).mechanism.forecast(FINE)
        assert isinstance(forecast, MeanForecast)
        assert forecast.noise_constant == pytest.approx(worst, rel=5e-3)
        least = float(forecast.noise_variances.min()) / 499.5**2
        assert least == pytest.approx(worst - 1 / (s - 1), rel=5e-3)


def window_certificates_of_mechanisms_hold() -> None:
    """No mechanism exceeds its epsilon; up to eps = 20 it loses less than 1e-8 of it."""
    for kind in KINDS:
        for size in (2, 3, 5, 17, 82, 1_000, 10_000):
            for epsilon in EPSILONS:
                bound = bind(kind, Integer(lower=1, upper=size), epsilon)
                certificate = bound.certificate
                assert certificate.likelihood_ratio <= exp_bounds(Fraction(epsilon))[0]
                if float(epsilon) <= 20:
                    lost = Decimal(epsilon) - certificate.epsilon_certified
                    assert 0 <= lost < Decimal("1e-8"), (kind, size, epsilon, lost)


def forecasts_of_windows_are_the_law_that_is_run() -> None:
    """Previews have the probabilities, places, worths and errors of the integer law."""
    for bound in _small():
        domain = bound.domain
        forecast = bound.mechanism.forecast(domain)
        laws = [report_law(bound, code) for code in range(domain.size)]
        for code, law in enumerate(laws):
            expected = expected_tally([law], 1).counts
            assert np.allclose(forecast.probabilities(code), expected, rtol=1e-12, atol=1e-15)
        even = mixture(laws, [Fraction(1, domain.size)] * domain.size)
        values, chances, truth = forecast.report_law()
        assert np.allclose(chances, expected_tally([even], 1).counts, rtol=1e-12)
        grid = _grid(bound)
        assert isclose(values @ chances, truth, rel_tol=1e-9)
        assert isclose(truth, (grid[-1] - grid[0]) / 2, rel_tol=1e-12)
        assert forecast.positions is not None
        released = np.array([float(text) for text in bound.outputs])
        assert np.allclose(grid[0] + forecast.positions, released, atol=1e-9)
        assert (np.diff(forecast.positions) > 0).all()
        accuracy = forecast.accuracy(1)
        total = moments(bound, [even])[1][0]
        noise = sum(moments(bound, [law])[1][0] for law in laws) / domain.size
        assert isclose(accuracy.noise**2, noise, rel_tol=1e-9)
        assert isclose(accuracy.total**2, total, rel_tol=1e-9)


def interval_shares_are_unbiased_with_their_errors() -> None:
    """On expected counts the share of each interval and its errors are the exact ones."""
    for domain, epsilon in ((AGES, "1"), (Integer(lower=1, upper=5), "2"), (FINE, "3")):
        bound = bind("square_wave", domain, epsilon)
        truth = np.arange(1, domain.size + 1) ** 0.5
        truth /= truth.sum()
        reports = truth @ _channel(bound)
        tally = Tally(400, 400.0, 400.0, 400 * reports)
        found = bound.estimate(tally).intervals
        assert found is not None
        shares, ends = found.shares, found.ends
        values = _grid(bound)
        for i in range(shares.value.size):
            last = i == shares.value.size - 1
            inside = (values >= ends[i]) & ((values < ends[i + 1]) | (last & (values <= ends[-1])))
            share = float(truth[inside].sum())
            assert isclose(shares.value[i], share, abs_tol=1e-8)
            assert isclose(shares.sampling_error[i] ** 2, share * (1 - share) / 400, rel_tol=1e-6)
        assert isclose(shares.value.sum(), 1, abs_tol=1e-9)
        together = shares.noise_error**2 + shares.sampling_error**2
        assert np.allclose(shares.total_error**2, together, rtol=1e-9)
        # The interval holds the shares that the reports do not contradict, each with the variance
        # that it would give: the own answers' share of the squares grows with it.
        reader = bound.intervals
        squares = _channel(bound) @ reader.worth**2
        within = np.add.reduceat(squares, reader.edges[:-1], axis=0)
        own = np.diag(within) / np.diff(reader.edges)
        other = (reports @ reader.worth**2 - shares.value * own) / (1 - shares.value)
        for end in (shares.lower, shares.upper):
            variance = end * own + (1 - end) * other - end**2
            away = 1.959964 * np.sqrt(variance / 400)
            assert np.allclose(np.abs(end - shares.value), away, rtol=1e-5)


def interval_errors_are_those_of_one_report() -> None:
    """n times the squared error is the variance of what one report adds to the share."""
    domain = Integer(lower=1, upper=4)
    bound = bind("square_wave", domain, "1")
    channel = _channel(bound)
    outputs = channel.shape[1]
    ones = []
    for report in range(outputs):
        counts = np.zeros(outputs)
        counts[report] = 1.0
        found = bound.estimate(Tally(1, 1.0, 1.0, counts)).intervals
        assert found is not None
        ones.append(found.shares.value)
    worth = np.array(ones)
    assert np.allclose(channel @ worth, np.eye(4), atol=1e-12)
    truth = np.array([0.1, 0.2, 0.3, 0.4])
    chances = truth @ channel
    variance = chances @ worth**2 - truth**2
    found = bound.estimate(Tally(50, 50.0, 50.0, 50 * chances)).intervals
    assert found is not None
    assert np.allclose(found.shares.total_error**2, variance / 50, rtol=1e-9)
    # Where all reports are the same, the error is not below that of answers with the least noise.
    least = (channel @ worth**2 - np.eye(4)).min(axis=0)
    alike = bound.estimate(Tally(3, 3.0, 3.0, 3 * np.eye(outputs)[0])).intervals
    assert alike is not None
    assert (alike.shares.total_error**2 >= least / 3 * (1 - 1e-9)).all()
    assert (least > 0.1).all()


def most_likely_intervals_find_the_truth() -> None:
    """From the law of the reports, expectation maximisation finds the shares of the intervals.

    Ages with one broad peak at eps = 3: within 0.5 percentage points, smoothed or not; and on a
    grid whose points share bins.
    """
    for domain in (AGES, Integer(lower=0, upper=1_499)):
        bound = bind("square_wave", domain, "3")
        place = np.linspace(0.0, 1.0, domain.size)
        truth = place * (1 - place) ** 3
        truth /= truth.sum()
        reports = truth @ _channel(bound)
        found = bound.estimate(Tally(10**6, 1e6, 1e6, 1e6 * reports)).intervals
        assert found is not None
        possible = found.shares.possible
        assert set(possible) == {"simplex", "norm_sub", "iterative_bayes", "smoothed_bayes"}
        for name, shares in possible.items():
            assert isclose(shares.sum(), 1, abs_tol=1e-9)
            assert np.abs(shares - found.shares.value).max() < 0.005, (domain.size, name)
