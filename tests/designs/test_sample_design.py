"""Few clusters: degrees of freedom, lonely clusters, missing ones, known populations."""

from __future__ import annotations

from itertools import combinations, product
from math import sqrt

import numpy as np
import pytest
from scipy.stats import f as f_law
from scipy.stats import norm
from scipy.stats import t as t_law

from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.designs.inference import chance_beyond, equality_test, quantile, wald_test
from dpdesk.designs.sample_design import SampleDesign, mean_score, scores
from dpdesk.errors import InputError, ParameterError
from dpdesk.estimation.survey_answers import DeviceColumns, SampleColumns, SurveyAnswers
from dpdesk.numbers.arrays import Floats
from tests.designs.cases import made
from tests.refusals import refused

A, B = 0.75, 0.25
WARNER = made("warner", {"p": "3/4"})
EACH = 25
"""Respondents of a cluster."""


def drawn(generator: np.random.Generator, clusters: int) -> Floats:
    """Scores of Warner's design; the clusters' shares of carriers differ around 0.4."""
    share = np.repeat(np.clip(generator.normal(0.4, 0.12, clusters), 0, 1), EACH)
    yes = generator.random(share.size) < B + (A - B) * share
    return scores(yes.astype(float), np.full(yes.size, A), np.full(yes.size, B))


def test_that_intervals_of_four_clusters_cover_by_students_t_and_not_by_the_normal_law() -> None:
    generator = np.random.default_rng(5)
    sample = SampleDesign(
        np.ones(4 * EACH), np.repeat([0, 0, 1, 1], EACH), np.repeat(np.arange(4), EACH)
    )
    everybody = np.ones(4 * EACH, dtype=bool)
    covered: list[tuple[bool, bool]] = []
    for _ in range(1500):
        found = mean_score(drawn(generator, 4), sample, everybody)
        off = abs(found.estimate - 0.4)
        covered.append((found.lower <= 0.4 <= found.upper, off <= 1.96 * found.standard_error))
    assert found.freedom == 2
    by_t, by_normal = np.mean(covered, axis=0)
    # The coverage of 1,500 surveys is known to 0.6 points.
    assert 0.93 < by_t < 0.97
    assert by_normal < 0.86


def test_that_a_test_of_four_groups_in_eight_clusters_keeps_its_level_by_f_alone() -> None:
    generator = np.random.default_rng(6)
    n = 8 * EACH
    sample = SampleDesign(np.ones(n), np.zeros(n, np.int64), np.repeat(np.arange(8), EACH))
    group = np.arange(n) % 4
    rejected: list[tuple[bool, bool]] = []
    for _ in range(1500):
        score = drawn(generator, 8)
        # Groups differ from cluster to cluster, and not on the average.
        score += generator.normal(0, 0.3, (8, 4))[np.repeat(np.arange(8), EACH), group]
        means = np.array([score[group == g].mean() for g in range(4)])
        residuals = np.column_stack(
            [np.where(group == g, score - means[g], 0.0) / (group == g).sum() for g in range(4)]
        )
        covariance = sample.covariance_of_sum(residuals)
        tests = [equality_test(means, covariance, d) for d in (sample.freedom(), None)]
        rejected.append(tuple(test is not None and test.p_value < 0.05 for test in tests))
    assert tests[0] is not None
    assert (tests[0].freedom, tests[0].denominator) == (3, 5)
    by_f, by_chi_square = np.mean(rejected, axis=0)
    assert 0.03 < by_f < 0.07
    assert by_chi_square > 0.2


def test_that_the_laws_are_those_of_scipy() -> None:
    assert quantile(0.9, None) == pytest.approx(norm.ppf(0.95), rel=1e-12)
    assert chance_beyond(1.3, None) == pytest.approx(norm.sf(1.3), rel=1e-12)
    for freedom in (1, 2, 7, 1000):
        assert quantile(0.9, freedom) == pytest.approx(t_law.ppf(0.95, freedom), rel=1e-9)
        assert chance_beyond(1.3, freedom) == pytest.approx(t_law.sf(1.3, freedom), rel=1e-9)
    covariance = np.array([[2.0, 0.5], [0.5, 1e-6]])
    values = np.array([1.0, 2e-3])
    wald = values @ np.linalg.solve(covariance, values)
    for freedom in (2, 9):
        found = wald_test(values, covariance, freedom)
        assert found is not None
        assert found.statistic == pytest.approx(wald * (freedom - 1) / (2 * freedom))
        assert found.p_value == pytest.approx(f_law.sf(found.statistic, 2, freedom - 1))
    # One quantity: F is the square of t.
    one = wald_test(np.array([1.5]), np.array([[0.5]]), 6)
    assert one is not None
    assert one.p_value == pytest.approx(2 * t_law.sf(1.5 / sqrt(0.5), 6))
    assert wald_test(values, covariance, 1) is None
    assert wald_test(np.ones(2), np.ones((2, 2)), 9) is None
    assert wald_test(np.ones(2), np.diag([1.0, 0.0]), 9) is None


SCORES = np.array([1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0])
STRATA, CLUSTERS = np.array([0, 0, 0, 1, 1, 2, 2]), np.array([0, 1, 1, 0, 1, 0, 0])
"""Two strata of two clusters, and one of a single cluster of two respondents."""


@pytest.mark.parametrize(
    ("lonely", "added", "factor"),
    [("certainty", 0.0, 1.0), ("centred", 1.0, 1.0), ("average", 0.0, 3 / 2)],
)
def test_that_a_lonely_cluster_adds_what_was_chosen(
    lonely: str, added: float, factor: float
) -> None:
    n = SCORES.size
    sample = SampleDesign(np.ones(n), STRATA, CLUSTERS, lonely=lonely)  # type: ignore[arg-type]
    residual = (SCORES - SCORES.mean()) / n
    sums = [residual[(s == STRATA) & (c == CLUSTERS)].sum() for s in (0, 1) for c in (0, 1)]
    # Two clusters of a stratum: 2 / (2 - 1) times their squares about the mean.
    expected = (sums[0] - sums[1]) ** 2 + (sums[2] - sums[3]) ** 2
    # The mean of all clusters' residuals is 0.
    expected = factor * expected + added * residual[STRATA == 2].sum() ** 2
    found = mean_score(SCORES, sample, np.ones(n, dtype=bool))
    assert found.standard_error == pytest.approx(sqrt(expected), rel=1e-12)
    assert (sample.lonely_strata, sample.freedom(), found.freedom) == (1, 2, 2)


def test_that_a_lonely_cluster_is_refused_with_the_ways_out_named() -> None:
    n = SCORES.size
    with refused("designs.lonely-stratum") as caught:
        mean_score(SCORES, SampleDesign(np.ones(n), STRATA, CLUSTERS), np.ones(n, dtype=bool))
    ways = ("--lonely-psu", "certainty", "centred", "average")
    assert all(way in caught.value.with_command for way in ways)
    for lonely in ("certainty", "centred", "average"):
        sample = SampleDesign(np.ones(n), STRATA, STRATA, lonely=lonely)  # type: ignore[arg-type]
        with refused("designs.lonely-strata"):
            mean_score(SCORES, sample, np.ones(n, dtype=bool))


def test_that_a_stratum_whose_only_cluster_is_all_of_it_is_not_lonely() -> None:
    n = SCORES.size
    sample = SampleDesign(np.ones(n), STRATA, CLUSTERS, population=np.array([10.0, 10.0, 1.0]))
    certain = SampleDesign(np.ones(n), STRATA, CLUSTERS, lonely="certainty")
    assert (sample.lonely_strata, certain.lonely_strata) == (0, 1)
    assert mean_score(SCORES, sample, np.ones(n, dtype=bool)).standard_error > 0


def texts(**columns: list[object]) -> SurveyTable:
    return table_from_texts({name: [str(v) for v in values] for name, values in columns.items()})


def test_that_a_cluster_without_answers_stays_in_the_design() -> None:
    said = [1, 0, 1, 1, 0, 0, 1, 0, "", "", "", ""]
    clusters = [i // 2 for i in range(12)]
    table = texts(said=said, c=clusters)
    answers = SurveyAnswers(table, WARNER, "said", sample=SampleColumns(clusters="c"))
    found = answers.overall()
    score = answers.scores[:8]
    sums = np.array([(score[i : i + 2] - score.mean()).sum() / 8 for i in (0, 2, 4, 6)])
    # Six clusters were drawn, two of which add 0.
    assert found.standard_error == pytest.approx(sqrt(6 / 5 * (sums**2).sum()))
    assert found.freedom == 3
    assert answers.sample.clusters == 6
    apart = SurveyAnswers(
        texts(said=said[:8], c=clusters[:8]), WARNER, "said", sample=SampleColumns(clusters="c")
    )
    assert apart.overall().standard_error > found.standard_error


def test_that_a_group_keeps_the_clusters_that_it_has_no_member_in() -> None:
    said = [1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0]
    group = ["x", "y"] * 4 + ["y"] * 4
    strata = [0] * 6 + [1] * 6
    table = texts(said=said, g=group, s=strata, c=[i // 2 for i in range(12)])
    answers = SurveyAnswers(table, WARNER, "said", sample=SampleColumns(strata="s", clusters="c"))
    found = dict(answers.by("g"))["x"]
    mine = np.array(group) == "x"
    score = answers.scores
    residual = np.where(mine, score - score[mine].mean(), 0.0) / mine.sum()
    sums = residual.reshape(6, 2).sum(axis=1).reshape(2, 3)
    expected = 3 / 2 * ((sums - sums.mean(axis=1, keepdims=True)) ** 2).sum()
    assert found.standard_error == pytest.approx(sqrt(expected))
    # Its members are in four clusters of two strata; the sample has six.
    assert found.freedom == 2
    assert (answers.sample.strata, answers.sample.clusters, answers.sample.freedom) == (2, 6, 4)


def test_that_a_group_of_one_cluster_has_no_error() -> None:
    table = texts(said=[1, 0, 1, 0, 1, 0], g=["x", "x", "y", "y", "y", "y"], c=[0, 0, 1, 1, 2, 2])
    answers = SurveyAnswers(table, WARNER, "said", sample=SampleColumns(clusters="c"))
    with refused("designs.one-cluster-in-group"):
        list(answers.by("g"))


def test_that_sizes_of_strata_give_weights_and_an_unbiased_error_over_all_samples() -> None:
    # Two strata of 4 and 3 people, of whom 2 and 2 are drawn without replacement and answer.
    truth = ((1, 0, 0, 1), (1, 1, 0))
    sample = SampleColumns(strata="s").with_population("a=4, b=3")
    samples = list(product(combinations(range(4), 2), combinations(range(3), 2)))
    mean = square = variance = 0.0
    for first, second in samples:
        carriers = [truth[0][i] for i in first] + [truth[1][i] for i in second]
        for said in product((0, 1), repeat=4):
            chance = 1.0
            for carrier, yes in zip(carriers, said, strict=True):
                a = A if carrier else B
                chance *= a if yes else 1 - a
            if not any(said):
                # A file without any yes is taken for a mistake.
                found = (4 * -0.5 + 3 * -0.5) / 7, None
                score = np.full(4, -0.5)
            else:
                answers = SurveyAnswers(
                    texts(said=list(said), s=["a", "a", "b", "b"]), WARNER, "said", sample=sample
                )
                overall = answers.overall()
                found, score = (overall.estimate, overall.standard_error**2), answers.scores
            by_hand = sum(
                (size / 7) ** 2
                * ((1 - 2 / size) * part.var(ddof=1) / 2 + (part * (part - 1)).sum() / size / 2)
                for size, part in ((4, score[:2]), (3, score[2:]))
            )
            if found[1] is not None:
                assert found[1] == pytest.approx(max(by_hand, 0.0), rel=1e-9, abs=1e-12)
            weight = chance / len(samples)
            mean += weight * found[0]
            square += weight * found[0] ** 2
            variance += weight * by_hand
    assert mean == pytest.approx(4 / 7, abs=1e-12)
    assert variance == pytest.approx(square - mean**2, rel=1e-9)


def test_that_clusters_of_a_known_number_shorten_the_error_between_them_alone() -> None:
    generator = np.random.default_rng(3)
    score = drawn(generator, 6)
    n = score.size
    clusters = np.repeat(np.arange(6), EACH)
    everybody = np.ones(n, dtype=bool)
    zeros = np.zeros(n, np.int64)
    endless = mean_score(score, SampleDesign(np.ones(n), zeros, clusters), everybody)
    errors = [
        mean_score(score, SampleDesign(np.ones(n), zeros, clusters, size), everybody).standard_error
        for size in (6.0, 60.0, 1e9)
    ]
    within = sum(score[clusters == c].var(ddof=1) * EACH for c in range(6)) / n**2
    # All clusters were drawn: what is left is the error of people and devices within them.
    assert errors[0] == pytest.approx(sqrt(within))
    assert errors[0] < errors[1] < errors[2]
    assert errors[2] == pytest.approx(endless.standard_error)


def test_that_sizes_by_column_are_those_by_name() -> None:
    said = [1, 0, 1, 0, 1, 1, 0, 0, 1, 0]
    strata = ["a"] * 4 + ["b"] * 6
    table = texts(said=said, s=strata, size=[4000] * 4 + [900] * 6)
    ways = [SampleColumns(strata="s").with_population(way) for way in ("a=4000,b=900", "size")]
    found = [SurveyAnswers(table, WARNER, "said", sample=way) for way in ways]
    assert found[0].overall() == found[1].overall()
    score = found[0].scores
    expected = (4000 * score[:4].mean() + 900 * score[4:].mean()) / 4900
    assert found[0].overall().estimate == pytest.approx(expected)
    facts = found[0].sample
    assert (facts.strata, facts.clusters, facts.freedom) == (2, None, 8)
    assert (facts.weights, facts.population) == ("population sizes", 4900)


@pytest.mark.parametrize(
    ("columns", "population", "said"),
    [
        (SampleColumns(strata="s"), "a=4000", "has no size"),
        (SampleColumns(strata="s"), "a=4000,b=900,c=3", "no stratum “c”"),
        (SampleColumns(strata="s"), "a=4000,b=3", "more respondents than people"),
        (SampleColumns(strata="s"), "a=4000,b=many", "of the form STRATUM=N"),
        (SampleColumns(strata="s"), "a=4000,a=900", "of the form STRATUM=N"),
        (SampleColumns(strata="s"), "said", "one size for each stratum"),
        (SampleColumns(strata="s"), "nothing", "no column “nothing”"),
        (SampleColumns(strata="s"), "5000", "simple random samples"),
        (SampleColumns(), "a=4000,b=900", "need the column of the strata"),
        (SampleColumns(strata="s", clusters="c"), "a=4000,b=900", "do not determine the weights"),
    ],
)
def test_that_a_population_that_does_not_fit_is_refused(
    columns: SampleColumns, population: str, said: str
) -> None:
    table = texts(said=[1, 0] * 5, s=["a"] * 4 + ["b"] * 6, c=[i // 2 for i in range(10)])
    with pytest.raises((InputError, ParameterError), match=said):
        SurveyAnswers(table, WARNER, "said", sample=columns.with_population(population)).overall()


def test_that_the_test_of_adherence_counts_the_degrees_of_freedom() -> None:
    said = [int(i % 7 < 3) for i in range(80)]
    table = texts(said=said, v=["A", "B"] * 40, c=[i // 10 for i in range(80)])
    design = made("extended_crosswise", {"p": "1/4"})
    found = SurveyAnswers(
        table,
        design,
        "said",
        sample=SampleColumns(clusters="c"),
        columns=DeviceColumns(group="v"),
    ).adherence()
    assert found is not None
    assert found.freedom == 7
    assert found.p_value == pytest.approx(2 * t_law.sf(abs(found.statistic), 7))


def test_that_cheaters_and_their_error_are_those_of_who_used_the_device_in_each_group() -> None:
    n, first, second = 120, 1 / 4, 3 / 4
    how = np.arange(n) % 6  # 0 is asked directly, 5 did not answer
    group = np.arange(n) // 3 % 2
    said = (np.arange(n) ** 2 % 7 < 2 + 2 * group).astype(int)
    clusters = np.arange(n) // 12
    table = texts(
        said=["" if h == 5 else s for h, s in zip(how, said, strict=True)],
        v=["AB"[g] for g in group],
        how=["open" if h == 0 else "cards" for h in how],
        c=list(clusters),
        one=[1] * n,
    )
    columns = DeviceColumns(group="v", direct="how", direct_text="open")
    design = made("cheating_detection", {"p1": "1/4", "p2": "3/4"})
    used = [(how % 5 > 0) & (group == number) for number in (0, 1)]
    shares = [said[who].mean() for who in used]
    # Of a group, pi + p beta say yes; pi are honest carriers, beta honest others.
    beta = (shares[1] - shares[0]) / (second - first)
    carriers = shares[0] - first * beta
    slopes = [(1 - second) / (second - first), -(1 - first) / (second - first)]
    added = sum(
        slope * np.where(who, said - share, 0) / who.sum()
        for slope, who, share in zip(slopes, used, shares, strict=True)
    )
    sums = np.bincount(clusters, weights=added)
    error = sqrt(10 / 9 * ((sums - sums.mean()) ** 2).sum())
    for sample in (SampleColumns(clusters="c"), SampleColumns("one", clusters="c")):
        found = SurveyAnswers(table, design, "said", sample=sample, columns=columns).adherence()
        assert found is not None
        assert found.quantity == "cheaters"
        assert found.value == pytest.approx(1 - carriers - beta)
        assert found.standard_error == pytest.approx(error, rel=1e-6)
    simple = SurveyAnswers(table, design, "said", columns=columns).adherence()
    assert simple is not None
    assert simple.value == pytest.approx(1 - carriers - beta)
