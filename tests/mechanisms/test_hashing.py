from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.stats import binomtest

from dpdesk.channel.hashing import HASHED_MAX
from dpdesk.errors import ParameterError
from dpdesk.mechanisms.local_hashing import Blh, Olh
from dpdesk.randomness import SystemWords
from tests.mechanisms import hashing_checks
from tests.mechanisms.drawn_checks import ALPHA
from tests.mechanisms.estimator_checks import bind, categories


def test_that_the_hashes_of_two_values_are_independent() -> None:
    hashing_checks.hashes_of_two_values_are_independent()


def test_that_a_report_supports_the_values_of_its_bucket() -> None:
    hashing_checks.a_report_supports_the_values_of_its_bucket()


def test_that_a_report_is_two_seeds_and_a_randomized_bucket() -> None:
    hashing_checks.a_report_is_two_seeds_and_a_randomized_bucket()


def test_that_the_chance_to_collide_is_that_of_the_buckets() -> None:
    hashing_checks.the_chance_to_collide_is_that_of_the_buckets()


def test_that_shares_from_hashes_are_unbiased_with_the_variance_of_the_formula() -> None:
    hashing_checks.hashed_estimates_are_unbiased_with_their_variance()


def test_that_the_loss_of_hashing_is_that_of_its_buckets() -> None:
    hashing_checks.the_loss_of_hashing_is_that_of_its_buckets()


def test_that_no_hashing_exceeds_its_epsilon_and_each_comes_close() -> None:
    hashing_checks.hashing_certificates_hold()


def test_that_the_number_of_buckets_left_open_is_that_of_least_noise() -> None:
    hashing_checks.the_number_of_buckets_is_that_of_least_noise()


@pytest.mark.parametrize(("kind", "epsilon"), [("blh", "0.5"), ("olh", "1"), ("olh", "0.9")])
def test_that_categories_are_supported_as_often_as_p_and_q_say(kind: str, epsilon: str) -> None:
    # Words of the system; the support of a category is binomial, whatever the seeds are.
    rows, size = 200_000, 6
    oracle = bind(kind, categories(size), epsilon)
    codes = np.full(rows, 4, dtype=np.int32)
    counts = oracle.tally(oracle.randomize(codes, SystemWords())).counts
    p, q = oracle.parameters()["p"], oracle.parameters()["q"]
    for value, count in enumerate(counts.tolist()):
        chance = p if value == 4 else q
        assert binomtest(int(count), rows, chance).pvalue > ALPHA / size / 3


def test_that_the_largest_list_is_served_and_a_longer_one_refused() -> None:
    largest = categories(HASHED_MAX)
    oracle = Olh(epsilon=Decimal(3)).bind(largest)
    reports = oracle.randomize(np.array([HASHED_MAX - 1], dtype=np.int32), SystemWords())
    assert oracle.tally(reports).counts.size == HASHED_MAX
    for mechanism in (Olh(epsilon=Decimal(3)), Blh(epsilon=Decimal(3))):
        with pytest.raises(ParameterError, match="65,536"):
            mechanism.bind(categories(HASHED_MAX + 1))


def test_that_the_released_columns_have_names_limits_and_meanings() -> None:
    oracle = bind("olh", categories(20), "1")
    assert oracle.mechanism.released_names("diet", oracle.domain) == (
        "diet:seed_a",
        "diet:seed_b",
        "diet:bucket",
    )
    assert oracle.limits == (2**32, 2**32, 4)
    assert len(oracle.part_meanings()) == 3
    reports = oracle.randomize(np.zeros(5_000, dtype=np.int32), SystemWords())
    assert reports.dtype == np.int64
    assert reports.min() >= 0
    assert (reports.max(axis=0) < np.array(oracle.limits)).all()


def test_that_the_rule_in_words_is_the_estimate() -> None:
    oracle = bind("olh", categories(9), "1.3")
    rule = oracle.estimation_rule(" (weighted by w)")
    assert "(weighted by w)" in rule
    g = int(oracle.parameters()["buckets"])
    assert f"floor(h x {g} / 2^17)" in rule
    reports = oracle.randomize((np.arange(3_000) % 9).astype(np.int32), SystemWords())
    # What an analyst does who has the rule and no dpdesk.
    p, q = oracle.parameters()["p"], oracle.parameters()["q"]
    for v, found in enumerate(oracle.estimate(oracle.tally(reports)).value.tolist()):
        supported = [(a * v + b) % 2**32 // 2**15 * g // 2**17 == y for a, b, y in reports.tolist()]
        assert found == pytest.approx((sum(supported) / 3_000 - q) / (p - q), rel=1e-12)


def test_that_a_chunk_is_smaller_where_categories_are_many() -> None:
    sizes = [bind("olh", categories(k), "1").bytes_per_row for k in (2, 1_000, 10_000, HASHED_MAX)]
    assert sizes == sorted(sizes)
    assert 40 < sizes[0] < 60
    # 2^23 bytes are a chunk: some 500 reports against every one of 65,536 categories.
    assert 400 < 2**23 / sizes[-1] < 600


@pytest.mark.parametrize("buckets", [0, 1, 4_097, -3, 2.5])
def test_that_a_number_of_buckets_outside_its_bounds_is_refused(buckets: float) -> None:
    with pytest.raises(ValidationError):
        Olh(epsilon=Decimal(1), buckets=buckets)
