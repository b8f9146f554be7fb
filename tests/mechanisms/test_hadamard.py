from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from scipy.stats import binomtest

from dpdesk.errors import ParameterError
from dpdesk.mechanisms.hadamard import Hadamard
from dpdesk.randomness import SystemWords
from tests.mechanisms import hadamard_checks
from tests.mechanisms.drawn_checks import ALPHA
from tests.mechanisms.estimator_checks import bind, categories


def test_that_indices_are_drawn_from_the_half_that_is_told() -> None:
    hadamard_checks.indices_are_drawn_from_the_half_that_is_told()


def test_that_every_report_supports_half_of_the_other_categories() -> None:
    hadamard_checks.every_report_supports_half_of_the_others()


def test_that_the_fast_transform_counts_what_supports() -> None:
    hadamard_checks.the_transform_counts_what_supports()


def test_that_no_hadamard_law_exceeds_its_epsilon_and_each_comes_close() -> None:
    hadamard_checks.hadamard_certificates_hold()


def test_that_shares_from_indices_are_unbiased_with_the_variance_of_the_formula() -> None:
    hadamard_checks.hadamard_estimates_are_unbiased_with_their_variance()


def test_that_indices_are_drawn_as_often_as_the_law_says() -> None:
    rows, size, code = 200_000, 6, 4
    oracle = bind("hadamard", categories(size), "1")
    counts = oracle.tally(oracle.randomize(np.full(rows, code, np.int32), SystemWords())).counts
    p = oracle.parameters()["p"]
    for y, count in enumerate(counts.tolist()):
        chance = (p if hadamard_checks.supports(y, code) else 1 - p) / 4
        assert binomtest(int(count), rows, chance).pvalue > ALPHA / 8


def test_that_the_rule_in_words_is_the_estimate() -> None:
    oracle = bind("hadamard", categories(9), "1.3")
    assert "(weighted by w)" in oracle.estimation_rule(" (weighted by w)")
    reports = oracle.randomize((np.arange(2_000) % 9).astype(np.int32), SystemWords())
    p, q = oracle.parameters()["p"], oracle.parameters()["q"]
    for r, found in enumerate(oracle.estimate(oracle.tally(reports)).value.tolist(), start=1):
        supported = [bin(y & r).count("1") % 2 == 0 for y in reports.tolist()]
        assert found == pytest.approx((sum(supported) / 2_000 - q) / (p - q), rel=1e-12)


def test_that_the_largest_list_is_served_and_a_longer_one_refused() -> None:
    made = Hadamard(epsilon=Decimal(1))
    assert len(made.bind(categories(Hadamard.most_categories)).outputs) == 16_384
    with pytest.raises(ParameterError, match="10,000"):
        made.bind(categories(Hadamard.most_categories + 1))
