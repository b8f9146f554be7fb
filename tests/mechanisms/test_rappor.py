from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from pydantic import ValidationError

from dpdesk.mechanisms.rappor import RAPPOR_MAX, Rappor
from dpdesk.mechanisms.texts import T
from dpdesk.randomness import SystemWords
from tests.mechanisms import rappor_checks as checks
from tests.mechanisms.estimator_checks import AGES, categories


def test_that_both_losses_are_certified_and_nearly_used_up() -> None:
    checks.both_losses_are_certified_and_nearly_used_up()


def test_that_no_two_answers_are_told_apart_by_more_than_the_certificate_says() -> None:
    checks.no_two_answers_are_told_apart_by_more()


def test_that_bits_turn_at_their_thresholds() -> None:
    checks.bits_turn_at_their_thresholds()


def test_that_bloom_filters_never_change() -> None:
    checks.bloom_filters_never_change()


def test_that_the_estimates_are_unbiased_with_their_variance() -> None:
    checks.estimates_are_unbiased_with_their_variance()


def test_that_the_errors_are_the_exact_ones_on_expected_counts() -> None:
    checks.errors_are_the_exact_ones_on_expected_counts()


def test_that_counts_are_those_of_each_cohort() -> None:
    checks.weighted_counts_are_those_of_each_cohort()


def test_that_the_lasso_ends_where_no_share_can_move() -> None:
    checks.the_lasso_ends_where_no_share_can_move()


def test_that_the_lasso_selects_the_categories_that_occur() -> None:
    checks.categories_that_do_not_occur_are_not_selected()


def test_that_many_reports_show_the_permanent_response_and_no_more() -> None:
    checks.many_reports_show_the_permanent_response_and_no_more()


def test_that_the_loss_that_can_be_shown_is_epsilon() -> None:
    checks.the_loss_that_can_be_shown_is_epsilon()


@pytest.mark.parametrize("size", [2, 3, 16, 17, 100, RAPPOR_MAX])
@pytest.mark.parametrize("hashes", [1, 2, 4])
def test_that_the_automatic_design_tells_all_categories_apart(size: int, hashes: int) -> None:
    made = Rappor(epsilon=Decimal(1), hashes=hashes)
    assert made.objection(categories(size)) is None
    design = made.design(categories(size))
    assert design.cohorts * design.bits >= 4 * size
    names = made.released_names("q", categories(size))
    assert names[:2] == ("q:cohort", "q:bit1")
    assert len(set(names)) == 1 + design.bits


def test_that_a_design_that_mixes_categories_up_is_refused() -> None:
    mixed = Rappor(epsilon=Decimal(1), bits=4, cohorts=1)
    assert mixed.objection(categories(40)) == T.FILTERS_ALIKE()
    assert Rappor.misfit(AGES)
    assert Rappor.misfit(categories(RAPPOR_MAX + 1))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"cohorts": 3}, T.COHORTS()),
        ({"bits": 3}, T.FEW_BITS()),
        ({"hashes": 0}, "hashes"),
        ({"permanent_ratio": "1"}, "permanent_ratio"),
        ({"permanent_ratio": 1.5}, T.NO_RATIO()),
        ({"permanent_ratio": True}, T.NO_RATIO()),
        ({"epsilon": "40", "permanent_ratio": "9"}, T.RARE_FLIPS()),
    ],
)
def test_that_parameters_without_a_law_are_refused(fields: dict[str, object], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        Rappor(**({"epsilon": "1"} | fields))


def test_that_cohorts_are_drawn_evenly() -> None:
    bound = Rappor(epsilon=Decimal(1)).bind(categories(3))
    cohorts = bound.cohorts_of(80_000, SystemWords())
    counts = np.bincount(cohorts, minlength=bound.design.cohorts)
    # 10,000 are expected of each, with a standard deviation of 94: six of them.
    assert abs(counts - 10_000).max() < 570


def test_that_shares_are_found_from_drawn_reports() -> None:
    bound = Rappor(epsilon=Decimal(4)).bind(categories(20))
    codes = (np.arange(20_000) % 4).astype(np.int32)
    estimate = bound.estimate(bound.tally(bound.randomize(codes, SystemWords())))
    truth = np.bincount(codes, minlength=20) / codes.size
    # Seven standard errors: by chance less than once in 10^10 for each of 20.
    assert (abs(estimate.value - truth) < 7 * estimate.noise_error).all()
    assert (estimate.possible["lasso"][:4] > 0.2).all()


@pytest.mark.parametrize("hashes", [1, 2, 3])
@pytest.mark.parametrize("epsilon", ["0.1", "1", "4", "12"])
def test_that_the_least_noise_is_never_above_that_of_any_design(epsilon: str, hashes: int) -> None:
    rappor = Rappor(epsilon=Decimal(epsilon), hashes=hashes)
    floor = rappor.noise_at_least()
    for size in (2, 3, 7, 20, 64):
        if rappor.objection(categories(size)) is None:
            noise = rappor.forecast(categories(size)).accuracy(1.0).noise ** 2
            assert 0 < floor <= noise * (1 + 1e-9), size
