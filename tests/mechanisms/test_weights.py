"""Errors of weighted estimates, for every mechanism and strategy."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from dpdesk.domains import Integer, ListedDomain, OptionSet
from dpdesk.mechanisms import BoundMechanism, Tally, mechanism_named
from dpdesk.mechanisms.fake_data import FakeDataOracle
from dpdesk.mechanisms.registry import MECHANISMS, kind_of
from dpdesk.mechanisms.sampling import estimate_of_group
from tests.mechanisms import weight_checks
from tests.mechanisms.estimator_checks import bind, categories
from tests.mechanisms.golden_checks import options
from tests.randomness.word_sources import ShakeWords

GRID = Integer(lower=0, upper=3)
SURVEYS, RESPONDENTS = 300, 500
HEAVY, RARE = 4.0, 0.05
"""Weight of the respondents with the rare answer, the others having 1; and its share."""


def test_that_the_errors_of_weighted_estimates_are_those_of_a_ratio() -> None:
    weight_checks.weighted_errors_are_those_of_a_ratio()


def test_that_the_errors_of_weighted_intervals_are_those_of_a_ratio() -> None:
    weight_checks.weighted_errors_of_intervals_are_those_of_a_ratio()


def test_that_a_weighted_share_is_worth_the_reports_that_have_its_error() -> None:
    weight_checks.a_share_is_worth_the_reports_that_have_its_error()


def _bound(kind: str) -> BoundMechanism:
    if kind.startswith("fake "):
        real = mechanism_named(kind.removeprefix("fake ")).starting(categories(3), Decimal(4))
        return FakeDataOracle.bind(real, categories(3), 2, "zeros")
    named = mechanism_named(kind)
    domains = (categories(3), categories(2), GRID, options(3))
    domain = next(d for d in domains if named.misfit(d) is None)
    return bind(kind, domain, "4")


def _surveys(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Which respondents of each survey have the rare answer, and their weights."""
    rare = np.random.default_rng(seed).random((SURVEYS, RESPONDENTS)) < RARE
    return rare, np.where(rare, HEAVY, 1.0)


TRUE = HEAVY * RARE / (HEAVY * RARE + 1 - RARE)


@pytest.mark.parametrize("kind", [*map(kind_of, MECHANISMS), "fake grr", "fake oue"])
def test_that_weighted_intervals_cover_where_weights_go_with_the_answer(kind: str) -> None:
    bound = _bound(kind)
    rare, weights = _surveys(2)
    shares = isinstance(bound.domain, ListedDomain)
    # Of a set the first option, or the second.
    codes = np.where(rare, 0 if shares else 3, 1 if shares else 0).astype(np.int32)
    codes = 1 << codes if isinstance(bound.domain, OptionSet) else codes
    words = ShakeWords(f"weights/{kind}")
    true = TRUE * (1 if shares else 3)
    values, errors, covered = [], [], []
    for each, weight in zip(codes, weights, strict=True):
        found = bound.estimate(bound.tally(bound.randomize(each, words), weight))
        values.append(found.value[0])
        errors.append(found.total_error[0])
        covered.append(found.lower[0] <= true <= found.upper[0])
        if found.intervals is not None:
            shares_of = found.intervals.shares
            values[-1], errors[-1] = 3 * shares_of.value[3], 3 * shares_of.total_error[3]
    spread = np.std(values, ddof=1)
    # The spread of 300 surveys is known to 4 %, and the coverage of 95 % to 1.3 points.
    assert np.mean(values) == pytest.approx(true, abs=5 * spread / SURVEYS**0.5)
    assert np.sqrt(np.mean(np.square(errors))) == pytest.approx(spread, rel=0.2)
    assert 0.9 < np.mean(covered) < 0.99


def test_that_kishs_number_alone_would_miss_the_truth_too_often() -> None:
    bound = _bound("grr")
    rare, weights = _surveys(2)
    words = ShakeWords("weights/kish")
    covered = []
    for each, weight in zip(rare, weights, strict=True):
        tally = bound.tally(bound.randomize(np.where(each, 0, 1).astype(np.int32), words), weight)
        plain = Tally(tally.reports, tally.weight, tally.weight_squares, tally.counts)
        kish = bound.estimate(plain)
        covered.append(kish.lower[0] <= TRUE <= kish.upper[0])
    assert np.mean(covered) < 0.88


def test_that_a_group_drawn_at_random_splits_its_weighted_error_for_the_respondents() -> None:
    """The respondents stay, the group of those who report and their reports are drawn anew."""
    bound = _bound("grr")
    rare, weights = (part[0] for part in _surveys(3))
    codes, words = np.where(rare, 0, 1).astype(np.int32), ShakeWords("weights/smp")
    generator = np.random.default_rng(4)
    respondents = weights.sum() ** 2 / (weights**2).sum()
    values, noise = [], []
    for _ in range(500):
        group = generator.random(RESPONDENTS) < 1 / 2
        tally = bound.tally(bound.randomize(codes[group], words), weights[group])
        found = estimate_of_group(bound.estimate(tally), respondents)
        values.append(found.value[0])
        noise.append(found.noise_error[0])
    assert np.sqrt(np.mean(np.square(noise))) == pytest.approx(np.std(values, ddof=1), rel=0.15)


def test_that_a_tally_with_weights_is_not_added_to_one_without() -> None:
    bound = _bound("grr")
    codes = np.zeros(3, dtype=np.int32)
    with pytest.raises(ValueError, match="weighted"):
        bound.tally(codes) + bound.tally(codes, np.ones(3))
