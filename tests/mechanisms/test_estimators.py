from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from dpdesk.mechanisms import Tally
from dpdesk.numbers.intervals import normal_quantile, wilson_interval
from tests.mechanisms import estimator_checks
from tests.mechanisms.estimator_checks import AGES, bind, categories
from tests.randomness.word_sources import ShakeWords


def test_that_shares_are_unbiased_with_the_variance_of_the_formula() -> None:
    estimator_checks.frequency_estimates_are_unbiased_with_their_variance()


def test_that_noise_and_sampling_add_up_to_the_total_variance() -> None:
    estimator_checks.drawing_respondents_adds_the_sampling_variance()


def test_that_the_errors_of_shares_are_the_exact_variances() -> None:
    estimator_checks.frequency_errors_are_the_exact_variances()


def test_that_weights_enter_by_the_effective_sample_size() -> None:
    estimator_checks.weights_enter_by_the_effective_sample_size()


def test_that_the_mean_of_bounded_laplace_is_unbiased_with_its_errors() -> None:
    estimator_checks.bounded_laplace_mean_is_unbiased_with_its_errors()


def test_that_the_mean_of_duchi_is_unbiased_with_its_errors() -> None:
    estimator_checks.duchi_mean_is_unbiased_with_its_errors()


def test_that_forecasts_are_the_law_that_is_run() -> None:
    estimator_checks.forecasts_are_the_law_that_is_run()


def test_that_the_noise_constants_are_the_published_ones() -> None:
    estimator_checks.noise_constants_are_the_published_ones()


def test_that_the_counts_of_bits_are_the_sums_of_their_columns() -> None:
    estimator_checks.tallies_of_bits_are_plain_sums()


def test_that_wilsons_interval_solves_the_score_equation() -> None:
    estimator_checks.wilson_is_the_score_interval()


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
@pytest.mark.parametrize(("count", "n"), [(0, 5), (1, 30), (17, 40), (500, 1000), (9, 9)])
def test_that_wilsons_interval_is_that_of_scipy(count: int, n: int, confidence: float) -> None:
    lower, upper = wilson_interval(np.array([count / n]), n, confidence)
    reference = binomtest(count, n).proportion_ci(confidence, method="wilson")
    assert lower[0] == pytest.approx(reference.low, abs=1e-12)
    assert upper[0] == pytest.approx(reference.high, abs=1e-12)


def test_that_without_reports_the_interval_says_nothing() -> None:
    lower, upper = wilson_interval(np.array([0.0, 0.5]), 0.0)
    assert lower.tolist() == [0, 0]
    assert upper.tolist() == [1, 1]


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99])
def test_that_the_normal_quantile_is_that_of_scipy(confidence: float) -> None:
    assert normal_quantile(confidence) == pytest.approx(norm.ppf((1 + confidence) / 2), rel=1e-12)


@pytest.mark.parametrize("kind", ["grr", "oue"])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5])
def test_that_intervals_of_shares_cover_at_their_confidence(kind: str, share: float) -> None:
    # The support of a category is binomial, so the coverage is summed over it, not simulated.
    from scipy.stats import binom

    n, bound = 400, bind(kind, categories(8), "1.5")
    p, q = bound.parameters()["p"], bound.parameters()["q"]
    counts = np.arange(n + 1, dtype=np.float64)
    estimate = bound.estimate(Tally(n, n, n, counts))
    covered = (estimate.lower <= share) & (share <= estimate.upper)
    coverage = binom.pmf(counts, n, share * p + (1 - share) * q)[covered].sum()
    assert 0.935 < coverage < 0.965


def test_that_82_ages_have_the_planned_errors() -> None:
    # 95 % errors of the mean at eps = 1 and n = 10,000, respondents drawn, in years.
    z = normal_quantile(0.95)
    assert AGES.size == 82
    errors = {
        kind: z * bind(kind, AGES, "1").mechanism.forecast(AGES).accuracy(10_000).total
        for kind in ("bounded_laplace", "duchi")
    }
    assert errors["bounded_laplace"] == pytest.approx(6.3, abs=0.05)
    assert errors["duchi"] == pytest.approx(1.7, abs=0.05)


@pytest.mark.parametrize("kind", ["bounded_laplace", "duchi"])
def test_that_the_error_reported_from_ages_is_the_one_planned(kind: str) -> None:
    bound = bind(kind, AGES, "1")
    codes = (np.arange(10_000) % 82).astype(np.int32)
    tally = bound.tally(bound.randomize(codes, ShakeWords("ages")))
    planned = bound.mechanism.forecast(AGES).accuracy(10_000)
    estimate = bound.estimate(tally)
    # The spread of the inverse rests on the some 250 reports at either end: known to 6 %.
    assert estimate.total_error[0] == pytest.approx(planned.total, rel=0.15)
    assert abs(estimate.value[0] - 58.5) < 5 * planned.total
    assert estimate.lower[0] < estimate.value[0] < estimate.upper[0]


@pytest.mark.parametrize("kind", ["warner", "grr", "sue", "oue", "bounded_laplace", "duchi"])
def test_that_tallies_of_chunks_add_up_to_the_tally_of_all(kind: str) -> None:
    domain = AGES if kind in ("bounded_laplace", "duchi") else categories(2)
    bound = bind(kind, domain, "1")
    codes = (np.arange(1_000) % domain.size).astype(np.int32)
    reports = bound.randomize(codes, ShakeWords("chunks"))
    weights = 1.0 + np.arange(1_000) % 3
    for each in (None, weights):
        whole = bound.tally(reports, each)
        parts = bound.tally(reports[:1], None if each is None else each[:1])
        for rows in (slice(1, 400), slice(400, 1000), slice(1000, 1000)):
            parts += bound.tally(reports[rows], None if each is None else each[rows])
        assert parts.counts.tolist() == whole.counts.tolist()
        assert (parts.reports, parts.weight) == (whole.reports, whole.weight)
        assert parts.weight_squares == whole.weight_squares
    assert bound.tally(reports, np.full(1_000, 2.5)).effective_reports == pytest.approx(1_000)


def test_that_truncated_shares_lie_between_zero_and_one_and_the_others_are_left_alone() -> None:
    bound = bind("grr", categories(3), "0.5")
    estimate = bound.estimate(Tally(10, 10.0, 10.0, np.array([10.0, 0.0, 0.0])))
    assert estimate.value[0] > 1
    assert estimate.value[1] < 0
    assert estimate.truncated.tolist() == [1.0, 0.0, 0.0]
    assert estimate.value.sum() == pytest.approx(1)
