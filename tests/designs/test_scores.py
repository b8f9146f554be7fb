from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from dpdesk.designs import Count, design_named
from dpdesk.designs.inference import equality_test
from dpdesk.designs.sample_design import SampleDesign, mean_score, scores
from tests.refusals import refused

EVERYBODY = np.ones(125, dtype=bool)
SAID = np.repeat([1.0, 0.0], [60, 65])
WARNER = design_named("warner")(p="7/10")


def sample(n: int, **changes) -> SampleDesign:
    fields = {
        "weights": np.ones(n),
        "strata": np.zeros(n, dtype=np.int64),
        "clusters": np.arange(n),
        "population": None,
    }
    return SampleDesign(**(fields | changes))


def test_that_without_weights_the_mean_score_is_the_designs_estimate() -> None:
    score = scores(SAID, np.full(125, 0.7), np.full(125, 0.3))
    found = mean_score(score, sample(125), EVERYBODY)
    counted = WARNER.estimate([Count(60, 125)])
    assert found.estimate == pytest.approx(counted.estimate, rel=1e-12)
    assert found.standard_error == pytest.approx(counted.standard_error, rel=1e-12)


def test_that_a_finite_population_shortens_the_sampling_part_alone() -> None:
    # R package RRTCS, Warner, 60 of 125 of a population of 802.
    score = scores(SAID, np.full(125, 0.7), np.full(125, 0.3))
    found = mean_score(score, sample(125, population=802), EVERYBODY)
    assert found.estimate == pytest.approx(0.45)
    assert found.standard_error**2 == pytest.approx(0.0122563550800418, abs=1e-15)
    whole = mean_score(score, sample(125, population=125), EVERYBODY)
    # All were asked: what is left is the device's own noise, a (1 - a) / (a - b)^2 each.
    assert whole.standard_error**2 == pytest.approx(0.21 / 0.16 / 125)


def test_that_equal_answers_within_clusters_count_once_for_each_cluster() -> None:
    clusters = np.repeat(np.arange(25), 5)
    score = np.repeat(scores(SAID[::5], np.full(25, 0.7), np.full(25, 0.3)), 5)
    found = mean_score(score, sample(125, clusters=clusters), EVERYBODY)
    alone = mean_score(score[::5], sample(25), np.ones(25, dtype=bool))
    assert found.estimate == pytest.approx(alone.estimate)
    assert found.standard_error == pytest.approx(alone.standard_error)


def test_that_strata_take_the_difference_of_their_means_out() -> None:
    strata = np.repeat([0, 1], [60, 65])
    score = np.where(strata == 0, 1.0, 0.0) + np.tile([0.1, -0.1], 63)[:125]
    together = mean_score(score, sample(125), EVERYBODY)
    apart = mean_score(score, sample(125, strata=strata), EVERYBODY)
    assert apart.estimate == together.estimate
    assert apart.standard_error < together.standard_error / 3


def test_that_a_respondent_of_weight_two_counts_as_two_in_the_mean() -> None:
    score = np.array([1.75, -0.75, -0.75])
    found = mean_score(score, sample(3, weights=np.array([2.0, 1.0, 1.0])), np.ones(3, dtype=bool))
    assert found.estimate == pytest.approx((2 * 1.75 - 2 * 0.75) / 4)


def test_that_groups_too_small_for_an_error_are_refused() -> None:
    with refused("designs.small-group"):
        mean_score(np.array([1.0, 0.0]), sample(2), np.array([True, False]))
    with refused("designs.one-cluster"):
        mean_score(np.ones(4), sample(4, clusters=np.zeros(4, dtype=np.int64)), np.ones(4, bool))
    with refused("designs.more-than-people"):
        mean_score(np.ones(4), sample(4, population=3), np.ones(4, bool))


def test_that_the_test_of_groups_is_close_to_pearsons_for_direct_answers() -> None:
    direct = design_named("direct")()
    groups = []
    for yes, n in ((431, 1_000), (380, 1_000)):
        answers = np.repeat([1.0, 0.0], [yes, n - yes])
        groups.append(mean_score(answers, sample(n), np.ones(n, dtype=bool)))
        assert groups[-1].estimate == direct.estimate([Count(yes, n)]).estimate
    values = np.array([group.estimate for group in groups])
    found = equality_test(values, np.diag([group.standard_error**2 for group in groups]))
    reference = chi2_contingency([[431, 569], [380, 620]], correction=False)
    assert found is not None
    assert (found.denominator, found.freedom) == (None, 1)
    assert found.statistic == pytest.approx(reference.statistic, rel=0.01)
    assert found.p_value == pytest.approx(reference.pvalue, rel=0.05)
