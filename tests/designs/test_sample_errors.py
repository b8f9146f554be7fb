"""Errors by the sample's design, by enumeration and by formulas written out again."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import f, t

from dpdesk.data.read_file import load
from dpdesk.data.table import SurveyTable
from dpdesk.designs import Count
from dpdesk.designs.sample_design import SampleDesign, mean_score, scores
from dpdesk.errors import InputError
from dpdesk.estimation.survey_answers import DeviceColumns, SampleColumns, SurveyAnswers
from dpdesk.numbers.arrays import Floats
from tests.designs.cases import made
from tests.refusals import refused

A, B = 0.75, 0.2
FORCED = made("forced", {"forced_no": "1/4", "forced_yes": "1/5"})
CHEATING = made("cheating_detection", {"p1": "1/4", "p2": "3/4"})


def answers_of(truth: tuple[int, ...]) -> Iterator[tuple[float, Floats]]:
    """Every way in which these respondents can answer, with its chance."""
    for said in product((0, 1), repeat=len(truth)):
        chance = 1.0
        for carrier, yes in zip(truth, said, strict=True):
            a = A if carrier else B
            chance *= a if yes else 1 - a
        n = len(truth)
        yield chance, scores(np.array(said, dtype=float), np.full(n, A), np.full(n, B))


@pytest.mark.parametrize("n", [2, 3, 5])
def test_that_the_error_without_replacement_is_unbiased_over_all_samples(n: int) -> None:
    truth = (1, 0, 1, 0, 0)
    everybody = np.ones(n, dtype=bool)
    sample = SampleDesign(np.ones(n), np.zeros(n, dtype=np.int64), np.arange(n), population=5)
    drawn = list(combinations(range(5), n))
    mean = square = variance = 0.0
    for members in drawn:
        for chance, score in answers_of(tuple(truth[i] for i in members)):
            found = mean_score(score, sample, everybody)
            weight = chance / len(drawn)
            mean += weight * found.estimate
            square += weight * found.estimate**2
            variance += weight * found.standard_error**2
    assert mean == pytest.approx(0.4, abs=1e-12)
    assert variance == pytest.approx(square - mean**2, rel=1e-9)


def test_that_the_error_of_clusters_in_strata_is_unbiased_over_all_samples() -> None:
    # Two strata of two clusters of two people; two clusters drawn with replacement in each.
    strata = [((1, 0), (0, 0)), ((1, 1), (0, 1))]
    sample = SampleDesign(
        weights=np.ones(8),
        strata=np.repeat([0, 1], 4),
        clusters=np.repeat([0, 1, 0, 1], 2),
    )
    everybody, cases = np.ones(8, dtype=bool), list(product((0, 1), repeat=4))
    mean = square = variance = 0.0
    for first, second, third, fourth in cases:
        truth = strata[0][first] + strata[0][second] + strata[1][third] + strata[1][fourth]
        for chance, score in answers_of(truth):
            found = mean_score(score, sample, everybody)
            weight = chance / len(cases)
            mean += weight * found.estimate
            square += weight * found.estimate**2
            variance += weight * found.standard_error**2
    assert mean == pytest.approx(0.5, abs=1e-12)
    assert variance == pytest.approx(square - mean**2, rel=1e-9)


def test_that_a_group_is_corrected_by_the_share_of_people_who_were_drawn() -> None:
    score = scores(np.tile([1.0, 0.0, 0.0], 20), np.full(60, A), np.full(60, B))
    sample = SampleDesign(np.ones(60), np.zeros(60, dtype=np.int64), np.arange(60), population=60)
    group = np.arange(60) < 30
    found = mean_score(score, sample, group)
    # All were asked: only the device's noise is left, of a part as of all.
    device = float((score[group] * (score[group] - 1)).sum()) / 30**2
    assert found.standard_error == pytest.approx(sqrt(device))


@pytest.fixture
def table(tmp_path: Path) -> SurveyTable:
    """240 respondents in 4 strata of 5 clusters each, which hold both sexes."""
    generator = np.random.default_rng(12)
    rows = ["said,version,sex,x,w,stratum,cluster,how"]
    for i in range(240):
        x = round(float(generator.normal()), 4)
        chance = B + (A - B) * expit(-0.5 + x + 0.5 * (i // 12 % 3))
        rows.append(
            f"{int(generator.random() < chance)},{'AB'[i % 4 > 1]},{'fm'[i % 2]},{x},"
            f"{1 + i % 5},{i // 60},{i // 12},{'open' if i % 8 == 7 else 'device'}"
        )
    path = tmp_path / "sample.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return load(path)


SAMPLE = SampleColumns("w", "stratum", "cluster")


def column(table: SurveyTable, name: str) -> np.ndarray:
    texts = table.column(name)
    return np.array(texts.distinct)[texts.codes]


def by_clusters(table: SurveyTable, contributions: np.ndarray) -> np.ndarray:
    """Covariance of a sum, cluster by cluster."""
    strata, clusters = column(table, "stratum"), column(table, "cluster")
    total = np.zeros((contributions.shape[1],) * 2)
    for stratum in np.unique(strata):
        here = strata == stratum
        sums = [
            contributions[here & (clusters == c)].sum(axis=0) for c in np.unique(clusters[here])
        ]
        apart = np.array(sums) - np.mean(sums, axis=0)
        total += len(sums) / (len(sums) - 1) * sum(np.outer(row, row) for row in apart)
    return total


def test_that_groups_that_share_clusters_are_compared_with_their_covariance(
    table: SurveyTable,
) -> None:
    answers = SurveyAnswers(table, FORCED, "said", sample=SAMPLE)
    weights, score = column(table, "w").astype(float), answers.scores
    residuals, means = [], []
    for sex in "fm":
        mine = np.where(column(table, "sex") == sex, weights, 0.0)
        means.append(mine @ score / mine.sum())
        residuals.append(mine * (score - means[-1]) / mine.sum())
    spread = by_clusters(table, np.column_stack(residuals))
    gap = means[1] - means[0]
    statistic = gap**2 / (spread[0, 0] + spread[1, 1] - 2 * spread[0, 1])
    assert abs(spread[0, 1]) > 1e-5
    found = answers.difference("sex")
    assert found is not None
    # 20 clusters in 4 strata: 16 degrees of freedom.
    assert (found.freedom, found.denominator) == (1, 16)
    assert found.statistic == pytest.approx(statistic)
    assert found.p_value == pytest.approx(f.sf(statistic, 1, 16))
    errors = [mean.standard_error for _, mean in answers.by("sex")]
    assert errors == pytest.approx(np.sqrt(np.diag(spread)))


def test_that_the_errors_of_a_regression_follow_the_sample(table: SurveyTable) -> None:
    fit = SurveyAnswers(table, FORCED, "said", sample=SAMPLE).regression("x")
    weights = column(table, "w").astype(float)
    said, x = column(table, "said").astype(float), column(table, "x").astype(float)
    design = np.column_stack([np.ones(240), x])

    def slopes(at: np.ndarray) -> np.ndarray:
        mu = expit(design @ at)
        chance = B + (A - B) * mu
        residual = (said - chance) / (chance * (1 - chance)) * (A - B) * mu * (1 - mu)
        return np.asarray(design * (weights * residual)[:, None])

    # FORCED has a = 3/4 and b = 1/5, as A and B.
    assert slopes(fit.coefficients).sum(axis=0) == pytest.approx([0.0, 0.0], abs=1e-6)
    step = 1e-5
    information = -np.column_stack(
        [
            (slopes(fit.coefficients + aside) - slopes(fit.coefficients - aside)).sum(axis=0)
            / (2 * step)
            for aside in step * np.eye(2)
        ]
    )
    inverse = np.linalg.inv(information)
    expected = inverse @ by_clusters(table, slopes(fit.coefficients)) @ inverse
    assert fit.by_sample
    assert fit.covariance == pytest.approx(expected, rel=1e-5)


def test_that_the_size_of_the_weights_does_not_matter(tmp_path: Path) -> None:
    rows = [f"{int(i % 3 == 0)},{i % 7},{1 + i % 4},{(1 + i % 4) * 12345.5}" for i in range(200)]
    path = tmp_path / "weights.csv"
    path.write_text("\n".join(["said,x,w,many", *rows]) + "\n", encoding="utf-8")
    fits = []
    for weights in ("w", "many"):
        answers = SurveyAnswers(load(path), FORCED, "said", sample=SampleColumns(weights))
        fits.append(answers.regression("x"))
    assert fits[1].coefficients == pytest.approx(fits[0].coefficients)
    assert fits[1].standard_errors == pytest.approx(fits[0].standard_errors)
    assert fits[1].log_likelihood == pytest.approx(fits[0].log_likelihood)


def test_that_direct_answers_are_pooled_with_those_of_two_groups(table: SurveyTable) -> None:
    columns = DeviceColumns(group="version", direct="how", direct_text="open")
    answers = SurveyAnswers(table, CHEATING, "said", columns=columns)
    said, version = column(table, "said").astype(int), column(table, "version")
    opened = column(table, "how") == "open"
    groups = [said[(version == v) & ~opened] for v in "AB"]
    counted = CHEATING.estimate([Count(int(g.sum()), g.size) for g in groups])
    share, n = said[opened].mean(), int(opened.sum())
    found = answers.overall()
    assert answers.asked_directly == n
    assert found.estimate == pytest.approx((n * share + (240 - n) * counted.estimate) / 240)
    variance = (n / 240) ** 2 * share * (1 - share) / (n - 1)
    variance += ((240 - n) / 240 * counted.standard_error) ** 2
    assert found.standard_error == pytest.approx(sqrt(variance), rel=1e-9)
    assert np.nanmean(answers.scores) == pytest.approx(found.estimate)


def written(folder: Path, head: str, rows: list[str]) -> SurveyTable:
    path = folder / "odd.csv"
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return load(path)


def test_that_codes_of_missing_answers_are_no_answers(tmp_path: Path) -> None:
    said = ["1.0", "0.0", "0.0", "-9.0", "refused", ""] * 10
    table = written(tmp_path, "said,n", [f"{text},{i}" for i, text in enumerate(said)])
    with pytest.raises(InputError, match="more than two answers"):
        SurveyAnswers(table, FORCED, "said", yes="1")
    answers = SurveyAnswers(table, FORCED, "said", yes="1", missing=("-9", "refused"))
    assert (answers.respondents, answers.missing) == (30, 30)
    counted = FORCED.estimate([Count(10, 30)])
    assert answers.overall().estimate == pytest.approx(counted.estimate)


def test_that_a_column_without_answers_is_refused(tmp_path: Path) -> None:
    table = written(tmp_path, "said,n", [f",{i}" for i in range(5)])
    with pytest.raises(InputError, match="“said” has no answers"):
        SurveyAnswers(table, FORCED, "said")


def test_that_texts_among_own_chances_are_refused(tmp_path: Path) -> None:
    rows = [f"{i % 2},{'often' if i == 3 else 0.75},{'' if i == 4 else 0.2}" for i in range(20)]
    table = written(tmp_path, "said,a,b", rows)
    with pytest.raises(InputError, match="not probabilities"):
        SurveyAnswers(table, None, "said", columns=DeviceColumns(a="a", b="b"))
    table = written(tmp_path, "said,a,b", [row.replace("often", "0.75") for row in rows])
    answers = SurveyAnswers(table, None, "said", columns=DeviceColumns(a="a", b="b"))
    assert answers.missing == 1


def test_that_direct_answers_beside_numbers_are_zero_or_one(tmp_path: Path) -> None:
    rows = [f"{i % 3},{'open' if i > 15 else 'cards'}" for i in range(20)]
    table = written(tmp_path, "said,how", rows)
    design = made("kuk", {"p1": "3/4", "p2": "1/4", "draws": 2})
    columns = DeviceColumns(direct="how", direct_text="open")
    with pytest.raises(InputError, match="not 0 or 1"):
        SurveyAnswers(table, design, "said", columns=columns)


@pytest.mark.parametrize(("kind", "p"), [("warner", "3/4"), ("crosswise", "1/4")])
def test_that_records_have_the_interval_of_their_counts(tmp_path: Path, kind: str, p: str) -> None:
    table = written(tmp_path, "said,w", [f"{int(i < 31)},1" for i in range(80)])
    design = made(kind, {"p": p})
    found = SurveyAnswers(table, design, "said").overall(0.9)
    counted = design.estimate([Count(31, 80)], 0.9)
    assert (found.lower, found.upper) == pytest.approx((counted.lower, counted.upper))
    weighted = SurveyAnswers(table, design, "said", sample=SampleColumns("w")).overall(0.9)
    # Respondents are the clusters of one stratum: 79 degrees of freedom.
    assert weighted.freedom == 79
    half = t.ppf(0.95, 79) * weighted.standard_error
    assert weighted.upper - weighted.estimate == pytest.approx(half)


def test_that_both_groups_of_extended_crosswise_have_the_interval_of_their_counts(
    tmp_path: Path,
) -> None:
    rows = [f"{int(i < 31)},A" for i in range(80)] + [f"{int(i < 57)},B" for i in range(90)]
    design = made("extended_crosswise", {"p": "1/4"})
    columns = DeviceColumns(group="version")
    table = written(tmp_path, "said,version", rows)
    found = SurveyAnswers(table, design, "said", columns=columns).overall()
    counted = design.estimate([Count(31, 80), Count(57, 90)])
    assert (found.lower, found.upper) == pytest.approx((counted.lower, counted.upper))


def test_that_numbers_with_texts_among_them_are_no_covariate(tmp_path: Path) -> None:
    rows = [f"{i % 2},{'DK' if i == 9 else 20 + i % 30}" for i in range(99)]
    answers = SurveyAnswers(written(tmp_path, "said,age", rows), FORCED, "said")
    with refused("data.texts-among-numbers", name="age"):
        answers.regression("age")


def test_that_a_stratum_of_one_cluster_is_told_from_a_sample_of_one(tmp_path: Path) -> None:
    rows = [f"{i % 2},{i // 10},{i // 5 if i > 9 else 0}" for i in range(40)]
    table = written(tmp_path, "said,s,c", rows)
    sample = SampleColumns(strata="s", clusters="c")
    with refused("designs.lonely-stratum"):
        SurveyAnswers(table, FORCED, "said", sample=sample).overall()


def test_that_a_text_of_each_respondent_is_no_category(tmp_path: Path) -> None:
    table = written(tmp_path, "said,who", [f"{i % 2},person {i}" for i in range(501)])
    with refused("data.many-categories", name="who"):
        SurveyAnswers(table, FORCED, "said").regression("who")


def test_that_strata_and_clusters_have_no_gaps_and_blanks_make_no_others(tmp_path: Path) -> None:
    rows = [
        f"{i % 2},{'AB'[i // 2 % 2]}{' ' * (i % 3 == 0)},{i // 4},{'x ' if i % 5 else 'x'}"
        for i in range(40)
    ]
    head = "said,s,c,x"
    table = written(tmp_path, head, rows)
    plain = written(tmp_path, head, [row.replace(" ", "") for row in rows])
    sample = SampleColumns(strata="s")
    found = [SurveyAnswers(data, FORCED, "said", sample=sample) for data in (table, plain)]
    assert found[0].overall() == found[1].overall()
    assert len(found[0].regression("s").names) == 2
    gaps = written(tmp_path, head, ["1,A,,x", "0,,2,x", *rows[:6]])
    for sample in (SampleColumns(strata="s"), SampleColumns(clusters="c")):
        with pytest.raises(InputError, match="empty cells"):
            SurveyAnswers(gaps, FORCED, "said", sample=sample)


ADHERENCE = [
    ("cheating_detection", {"p1": "1/4", "p2": "3/4"}, 0),
    ("extended_crosswise", {"p": "1/4"}, 0),
    ("stochastic_lie_detector", {"s1": "1/4", "s2": "4/5"}, 0),
    ("anchored_crosswise", {"p": "1/4", "anchor": "9/10"}, 1),
]


@pytest.mark.parametrize(("kind", "settings", "anchored"), ADHERENCE)
def test_that_adherence_is_tested_by_the_samples_design(
    table: SurveyTable, tmp_path: Path, kind: str, settings: dict[str, object], anchored: int
) -> None:
    # The anchor's answers: those of the respondent before.
    rows = [
        f"{row},{before}"
        for row, before in zip(
            (",".join(column(table, n)[i] for n in table.names) for i in range(240)),
            np.roll(column(table, "said"), 1),
            strict=True,
        )
    ]
    table = written(tmp_path, ",".join(table.names) + ",beside", rows)
    design = made(kind, settings)
    columns = DeviceColumns(anchor="beside") if anchored else DeviceColumns(group="version")
    simple = SurveyAnswers(table, design, "said", columns=columns).adherence()
    assert simple is not None
    # Everybody a cluster, in one stratum for each device: as if drawn one by one.
    rows = [f"{row},{i},1" for i, row in enumerate(rows)]
    table = written(tmp_path, ",".join(table.names) + ",self,one", rows)
    alone = SampleColumns(clusters="self", strata="one" if anchored else "version")
    again = SurveyAnswers(table, design, "said", sample=alone, columns=columns).adherence()
    assert again is not None
    assert again.value == pytest.approx(simple.value, rel=1e-9)
    assert again.standard_error == pytest.approx(simple.standard_error, rel=1e-6)
    weighted = SurveyAnswers(
        table, design, "said", sample=SampleColumns("one"), columns=columns
    ).adherence()
    assert weighted is not None
    assert weighted.standard_error == pytest.approx(simple.standard_error, rel=1e-6)
    clustered = SurveyAnswers(table, design, "said", sample=SAMPLE, columns=columns).adherence()
    assert clustered is not None
    assert clustered.quantity == simple.quantity
    assert clustered.standard_error != pytest.approx(simple.standard_error, rel=1e-3)


def test_that_answers_all_alike_have_an_interval_whatever_the_sample(tmp_path: Path) -> None:
    rows = [f"{int(i % 4 == 0)},{i % 4 // 2},{1 + i % 3},{i // 10}" for i in range(120)]
    table = written(tmp_path, "said,half,w,c", rows)
    design = made("warner", {"p": "3/4"})
    for sample, most in ((SampleColumns("w"), 60), (SampleColumns("w", clusters="c"), 12)):
        # Nobody of the second half says yes, through a device that lets a quarter say it.
        (alike,) = (
            mean
            for name, mean in SurveyAnswers(table, design, "said", sample=sample).by("half")
            if name == "1"
        )
        assert alike.stated_error is None
        z = t.ppf(0.975, alike.freedom)
        assert alike.lower == pytest.approx(-0.5)
        assert alike.upper - alike.lower >= 2 * z**2 / (most + z**2) * 0.999
