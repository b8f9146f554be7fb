from __future__ import annotations

import numpy as np
import pytest

from dpdesk.mechanisms import Tally
from dpdesk.mechanisms.possible_shares import (
    POSSIBLE_KINDS,
    PossibleEstimates,
    most_likely_of_supports,
    most_likely_of_symbols,
    norm_sub,
    simplex_projection,
)
from dpdesk.randomness import SystemWords
from tests.mechanisms import possible_shares_checks as checks
from tests.mechanisms.estimator_checks import bind, categories


def test_that_the_projection_is_the_nearest_possible_distribution() -> None:
    checks.the_projection_is_the_nearest_possible_distribution()


def test_that_norm_sub_is_the_end_of_its_iteration() -> None:
    checks.norm_sub_is_its_iteration()


def test_that_the_likeliest_symbols_are_the_limit_of_iterative_bayes() -> None:
    checks.the_likeliest_symbols_are_the_limit_of_iterative_bayes()


def test_that_the_likeliest_supports_beat_every_other_distribution() -> None:
    checks.the_likeliest_supports_beat_every_other_distribution()


def test_that_chances_of_their_own_for_each_category_are_taken() -> None:
    checks.chances_of_their_own_for_each_category_are_taken()


def test_that_expected_reports_give_the_truth_back() -> None:
    checks.expected_reports_give_the_truth_back()


def test_that_a_half_is_found_where_clipping_alone_loses_it() -> None:
    checks.a_half_is_found_where_clipping_alone_loses_it()


def test_that_a_possible_estimate_is_computed_when_asked_for_and_once() -> None:
    asked = []

    def make() -> np.ndarray:
        asked.append(1)
        return np.array([1.0])

    possible = PossibleEstimates(simplex=make)
    assert (list(possible), len(possible), asked) == (["simplex"], 1, [])
    assert possible["simplex"] is possible["simplex"]
    assert asked == [1]
    with pytest.raises(KeyError):
        possible["lasso"]


def test_that_every_share_has_possible_estimates_of_known_names() -> None:
    known = [kind.name for kind in POSSIBLE_KINDS]
    assert len(set(known)) == len(known)
    for kind, size in (("warner", 2), ("grr", 3), ("sue", 3), ("oue", 3)):
        bound = bind(kind, categories(size), "1")
        estimate = bound.estimate(Tally(10, 10.0, 10.0, np.full(size, 10 / size)))
        assert list(estimate.possible) == ["simplex", "norm_sub", "iterative_bayes"]
        assert set(estimate.possible) <= set(known)


def test_that_a_million_categories_sum_to_one() -> None:
    k = 1_000_000
    reported = np.arange(k, dtype=float) / (k * (k - 1) / 2)
    p = 1e-5
    for shares in (
        most_likely_of_symbols(reported, p, (1 - p) / (k - 1)),
        simplex_projection(reported * 3 - 2e-6),
    ):
        assert shares.min() >= 0
        assert shares.sum() == pytest.approx(1, abs=1e-9)


def test_that_norm_sub_leaves_a_share_of_nothing_at_nothing() -> None:
    raised = norm_sub(np.array([0.0, 0.3, 0.2, -0.1]))
    assert raised.tolist() == pytest.approx([0.0, 0.55, 0.45, 0.0])


@pytest.mark.parametrize(("p", "q"), [(0.9, 0.02), (0.7, 0.3), (0.5, 0.45), (0.95, 0.8)])
@pytest.mark.parametrize("excess", [0.3, 1.0, 20.0])
def test_that_no_category_gains_from_another_at_the_likeliest_shares(
    p: float, q: float, excess: float
) -> None:
    # Far too much support in all, as under much noise, and far too little.
    support = q + (p - q) * excess * np.linspace(0.2, 1, 40) / 24
    shares = most_likely_of_supports(support, p, q)
    chance = q + (p - q) * shares
    gain = (p - q) * (support - chance) / (chance * (1 - chance))
    assert shares.sum() == pytest.approx(1)
    taken = shares > 0
    assert taken.any()
    multiplier = gain[taken].mean()
    assert gain[taken] == pytest.approx(multiplier, rel=1e-6, abs=1e-9)
    assert (gain[~taken] <= multiplier + 1e-9).all()


@pytest.mark.parametrize("epsilon", ["0.0001", "1", "40"])
def test_that_possible_estimates_are_possible_at_the_ends_of_epsilon(epsilon: str) -> None:
    for kind in ("warner", "grr", "sue", "oue", "blh", "olh", "hadamard", "subset_selection"):
        bound = bind(kind, categories(2), epsilon)
        for codes in ([0], [0] * 30, [0, 1] * 200):
            reports = bound.randomize(np.array(codes, dtype=np.int32), SystemWords())
            for shares in bound.estimate(bound.tally(reports)).possible.values():
                assert shares.min() >= 0
                assert shares.sum() == pytest.approx(1, abs=1e-9)
