from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from dpdesk.mechanisms.possible_shares import iterative_bayes

Floats = NDArray[np.float64]


def _channel(size: int, epsilon: float) -> Floats:
    """Generalized randomized response on `size` answers."""
    law = np.ones((size, size)) + (np.exp(epsilon) - 1) * np.eye(size)
    return np.asarray(law / law.sum(axis=1, keepdims=True))


def _wave(size: int) -> Floats:
    """Reports that fall with the distance from the answer: a channel for ordered answers."""
    places = np.arange(size)
    law = np.exp(-np.abs(places[:, None] - places[None, :]) / 3)
    return np.asarray(law / law.sum(axis=1, keepdims=True))


def _likelihood(counts: Floats, channel: Floats, shares: Floats) -> float:
    return float(counts @ np.log(shares @ channel) / counts.sum())


COUNTS = np.array([5.0, 0.0, 40.0, 13.0, 1.0, 90.0, 7.0, 0.0])


@pytest.mark.parametrize("channel", [_channel(8, 1.0), _wave(8)])
def test_that_no_step_makes_the_reports_less_likely(channel: Floats) -> None:
    likelihoods = [
        _likelihood(COUNTS, channel, iterative_bayes(COUNTS, channel, most_steps=steps))
        for steps in range(60)
    ]
    gains = np.diff(likelihoods)
    assert (gains >= -1e-14).all()
    assert gains[0] > 1e-3


@pytest.mark.parametrize("first", [700.0, 300.0, 900.0])
def test_that_two_answers_have_the_analytic_maximum(first: float) -> None:
    """The maximum is (c/n - q)/(p - q), moved into 0..1."""
    channel = np.array([[0.75, 0.25], [0.25, 0.75]])
    counts = np.array([first, 1000 - first])
    shares = iterative_bayes(counts, channel, tolerance=1e-12, most_steps=100_000)
    expected = min(max((first / 1000 - 0.25) / 0.5, 0.0), 1.0)
    assert shares[0] == pytest.approx(expected, abs=1e-6)
    assert shares.sum() == pytest.approx(1, abs=1e-12)


def test_that_the_law_of_the_reports_gives_the_answers_back() -> None:
    truth = np.array([0.1, 0.3, 0.2, 0.25, 0.15])
    for channel in (_channel(5, 2.0), _wave(5)):
        counts = 1e6 * truth @ channel
        shares = iterative_bayes(counts, channel, tolerance=1e-13, most_steps=100_000)
        assert np.abs(shares - truth).max() < 1e-5


def test_that_the_iteration_ends_within_the_tolerance_of_the_maximum() -> None:
    channel = _wave(8)
    best = iterative_bayes(COUNTS, channel, tolerance=0.0, most_steps=200_000)
    for tolerance in (1e-2, 1e-4, 1e-6):
        shares = iterative_bayes(COUNTS, channel, tolerance=tolerance, most_steps=200_000)
        missing = _likelihood(COUNTS, channel, best) - _likelihood(COUNTS, channel, shares)
        assert 0 <= missing <= tolerance
        assert not np.array_equal(shares, best)


def test_that_smoothing_ends_at_its_fixed_point_and_is_smoother() -> None:
    channel = _wave(8)
    plain = iterative_bayes(COUNTS, channel)
    smooth = iterative_bayes(COUNTS, channel, smooth=True, tolerance=1e-12, most_steps=100_000)
    assert smooth.sum() == pytest.approx(1, abs=1e-12)
    assert np.abs(np.diff(smooth)).max() < np.abs(np.diff(plain)).max()
    step = smooth * (channel @ (COUNTS / COUNTS.sum() / (smooth @ channel)))
    middle = (step[:-2] + 2 * step[1:-1] + step[2:]) / 4
    ends = [(3 * step[0] + step[1]) / 4, (step[-2] + 3 * step[-1]) / 4]
    assert np.abs(smooth - np.concatenate([ends[:1], middle, ends[1:]])).max() < 1e-11


def test_that_smoothing_leaves_even_shares_as_they_are() -> None:
    channel = _channel(6, 1.0)
    shares = iterative_bayes(np.full(6, 100.0), channel, smooth=True)
    assert np.abs(shares - 1 / 6).max() < 1e-15


def test_that_an_output_nobody_reported_changes_nothing() -> None:
    channel = _wave(8)
    wider = np.hstack([channel * 0.5, channel * 0.25, channel * 0.25])
    counts = np.concatenate([COUNTS, np.zeros(8), np.zeros(8)])
    assert np.array_equal(iterative_bayes(counts, wider), iterative_bayes(counts, channel * 0.5))
