"""The distribution of the ages of 45,222 respondents, by the square wave mechanism."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from dpdesk.data.read_file import load
from dpdesk.domains import Integer
from dpdesk.mechanisms.interval_shares import interval_edges
from tests.mechanisms.estimator_checks import bind
from tests.randomness.word_sources import ShakeWords


def test_that_smoothed_shares_of_ages_are_the_nearest_to_the_truth(shared_data: Path) -> None:
    """Half the sum of the absolute differences of 16 shares, at eps = 1 and at eps = 4."""
    domain = Integer(lower=17, upper=90, unit="years")
    codes = domain.encode(load(shared_data / "adult.csv").column("age").texts())
    edges = interval_edges(domain.size)
    truth = np.add.reduceat(np.bincount(codes, minlength=domain.size), edges[:-1]) / codes.size
    for epsilon, within in (("1", 0.06), ("4", 0.015)):
        bound = bind("square_wave", domain, epsilon)
        estimate = bound.estimate(bound.tally(bound.randomize(codes, ShakeWords("ages"))))
        assert estimate.intervals is not None
        shares = estimate.intervals.shares
        distance = {
            name: float(np.abs(found - truth).sum() / 2)
            for name, found in {**shares.possible, "unbiased": shares.value}.items()
        }
        assert distance["smoothed_bayes"] < within
        assert min(distance, key=lambda name: distance[name]) == "smoothed_bayes"
        assert (np.abs(shares.value - truth) < 5 * shares.total_error).all()
        mean = 17 + float(codes.mean())
        assert abs(estimate.value[0] - mean) < 5 * estimate.total_error[0]
