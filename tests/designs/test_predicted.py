"""Tests of a regression's terms, predicted shares, and the device against direct questions."""

from __future__ import annotations

import json
import re
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import chi2, norm
from scipy.stats import f as f_law
from scipy.stats import t as t_law

from dpdesk.cli.main import main
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.designs import Count
from dpdesk.designs.answer_likelihood import yes_no_chances
from dpdesk.designs.regression import CovariateGroup, logistic_regression, predicted_shares
from dpdesk.engine import untracked
from dpdesk.engine.collected import CollectedRequest, analyse_collected, write_collected
from dpdesk.estimation.survey_answers import DeviceColumns, SampleColumns, SurveyAnswers
from dpdesk.numbers.arrays import Floats
from dpdesk.reports.survey.collected_memo import collected_memo_html
from tests.designs.cases import made

A, B = 0.75, 0.25
WARNER = made("warner", {"p": "3/4"})
N = 600
SAMPLE = SampleColumns("w", "s", "c")


@pytest.fixture(scope="module")
def table() -> SurveyTable:
    """600 respondents of 24 clusters in 2 strata; region matters, age does, colour does not."""
    generator = np.random.default_rng(9)
    region = generator.integers(0, 3, N)
    age = np.round(generator.normal(40, 12, N), 1)
    chance = expit(-1 + 0.8 * (region == 2) + 0.03 * (age - 40))
    yes = generator.random(N) < B + (A - B) * (generator.random(N) < chance)
    columns = {
        "said": yes.astype(int),
        "region": [("east", "north", "west")[r] for r in region],
        "age": age,
        "colour": [("blue", "green", "red")[i % 3] for i in range(N)],
        "woman": generator.integers(0, 2, N),
        "w": 1 + np.arange(N) % 4,
        "s": np.arange(N) // 300,
        "c": np.arange(N) // 25,
    }
    return table_from_texts({k: [str(v) for v in values] for k, values in columns.items()})


@pytest.mark.parametrize("sample", [SampleColumns(), SAMPLE])
def test_that_coefficients_have_intervals_and_their_terms_tests(
    table: SurveyTable, sample: SampleColumns
) -> None:
    fit = SurveyAnswers(table, WARNER, "said", sample=sample).regression("age + region")
    freedom = 22 if sample.clusters else None
    assert fit.freedom == freedom
    assert [name for name, _ in fit.term_tests()] == ["region"]
    rows = fit.coefficient_rows(0.9)
    reach = norm.ppf(0.95) if freedom is None else t_law.ppf(0.95, freedom)
    beyond = norm.sf if freedom is None else lambda ratio: t_law.sf(ratio, freedom)
    for row, value, error in zip(rows, fit.coefficients, fit.standard_errors, strict=True):
        assert (row.lower, row.upper) == pytest.approx(
            (value - reach * error, value + reach * error)
        )
        assert row.p_value == pytest.approx(2 * beyond(abs(value) / error))
    both = [fit.names.index(name) for name in ("region[T.north]", "region[T.west]")]
    values = fit.coefficients[both]
    wald = values @ np.linalg.solve(fit.covariance[np.ix_(both, both)], values)
    ((_, test),) = fit.term_tests()
    assert test is not None
    if freedom is None:
        assert (test.statistic, test.p_value) == pytest.approx((wald, chi2.sf(wald, 2)))
    else:
        assert (test.freedom, test.denominator) == (2, 21)
        statistic = wald * 21 / (2 * 22)
        assert test.statistic == pytest.approx(statistic)
        assert test.p_value == pytest.approx(f_law.sf(statistic, 2, 21))


def test_that_predicted_shares_are_the_mean_chances_with_one_answer_for_all(
    table: SurveyTable,
) -> None:
    answers = SurveyAnswers(table, WARNER, "said", sample=SAMPLE)
    formula = "age + region*woman"
    fit = answers.regression(formula)
    found = {p.column: p for p in answers.predicted(formula, fit, 0.9)}
    # Ages are too many to be groups.
    assert list(found) == ["region", "woman"]
    age, woman = (
        np.array([float(text) for text in table.column(name).texts()]) for name in ("age", "woman")
    )
    weights = 1.0 + np.arange(N) % 4
    by_name = dict(zip(fit.names, fit.coefficients.tolist(), strict=True))
    for text, mean in found["region"].shares:
        own = by_name.get(f"region[T.{text}]", 0.0)
        own = own + woman * by_name.get(f"region[T.{text}]:woman", 0.0)
        odds = by_name["Intercept"] + by_name["age"] * age
        chance = expit(odds + by_name["woman"] * woman + own)
        assert mean.estimate == pytest.approx(np.average(chance, weights=weights), rel=1e-9)
        # The interval is that of the log odds.
        half = t_law.ppf(0.95, 22) * mean.standard_error / (mean.estimate * (1 - mean.estimate))
        assert logit([mean.lower, mean.upper]) == pytest.approx(
            [logit(mean.estimate) - half, logit(mean.estimate) + half]
        )
    assert sum(mean.respondents for _, mean in found["woman"].shares) == N
    assert found["region"].test is not None
    assert (found["region"].test.freedom, found["region"].test.denominator) == (2, 21)


def _fitted(weights: Floats, x: Floats, said: Floats) -> float:
    """The predicted share of the second group, of respondents with these weights."""
    chances = yes_no_chances(said, np.full(said.size, A), np.full(said.size, B))
    fit = logistic_regression(chances, x, ("1", "g", "x"), weights)
    group = x.copy()
    group[:, 1] = 1.0
    return float(np.average(expit(group @ fit.coefficients), weights=weights))


def test_that_the_error_of_a_predicted_share_is_that_of_its_derivatives_by_the_weights() -> None:
    """The linearised share is its derivative by each respondent's weight, times the weight."""
    generator = np.random.default_rng(1)
    n = 60
    x = np.column_stack([np.ones(n), np.arange(n) % 2, generator.normal(size=n)])
    said = (generator.random(n) < 0.45).astype(float)
    weights = 1.0 + np.arange(n) % 3
    chances = yes_no_chances(said, np.full(n, A), np.full(n, B))
    seen: list[Floats] = []

    def spread(contributions: Floats) -> Floats:
        seen.append(contributions)
        return np.asarray(contributions.T @ contributions)

    fit = logistic_regression(chances, x, ("1", "g", "x"), weights, spread)
    group = x.copy()
    group[:, 1] = 1.0
    predicted_shares(fit, "g", (CovariateGroup("1", n, group),), weights, spread)
    step = 1e-4
    for i in range(0, n, 7):
        ends = []
        for sign in (1, -1):
            changed = weights.copy()
            changed[i] *= 1 + sign * step
            ends.append(_fitted(changed, x, said))
        assert seen[-1][i, 0] == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-3, abs=1e-7)


def test_that_intervals_of_predicted_shares_cover_the_share_of_the_population() -> None:
    """Surveys of 500: the share if all were of the group, over the covariates of everybody."""
    generator = np.random.default_rng(8)
    n, surveys = 500, 250
    heights = generator.normal(size=200_000)
    true = float(expit(-0.5 + 1.0 + 0.9 * heights).mean())
    covered = []
    for _ in range(surveys):
        x = np.column_stack([np.ones(n), generator.random(n) < 0.3, generator.normal(size=n)])
        carrier = generator.random(n) < expit(x @ [-0.5, 1.0, 0.9])
        said = (generator.random(n) < np.where(carrier, 0.9, 0.1)).astype(float)
        chances = yes_no_chances(said, np.full(n, 0.9), np.full(n, 0.1))
        fit = logistic_regression(chances, x, ("1", "g", "x"))
        group = x.copy()
        group[:, 1] = 1.0
        found = predicted_shares(fit, "g", (CovariateGroup("1", n, group),), np.ones(n), None)
        ((_, mean),) = found.shares
        covered.append(mean.lower <= true <= mean.upper)
    assert 0.91 < np.mean(covered) < 0.985


# Jann, Jerke & Krumpal 2012 (POQ 76, 32-49), partial plagiarism: crosswise 198 "same" of 310 at
# p = 1/4, and 7 of 96 who were asked directly.
JANN = (
    [("same", "cm")] * 198 + [("other", "cm")] * 112 + [("same", "dq")] * 7 + [("other", "dq")] * 89
)
CROSSWISE = made("crosswise", {"p": "1/4"})
DIRECT = DeviceColumns(direct="how", direct_text="dq")


def _jann(**more: list[str]) -> SurveyTable:
    said, how = zip(*JANN, strict=True)
    return table_from_texts({"said": list(said), "how": list(how), **more})


def test_that_the_device_is_compared_with_direct_questions_of_a_published_study() -> None:
    contrast = SurveyAnswers(_jann(), CROSSWISE, "said", "same", columns=DIRECT).contrast()
    assert contrast is not None
    assert contrast.randomized.estimate == pytest.approx(0.223, abs=5e-4)
    assert contrast.randomized.standard_error == pytest.approx(0.0547, abs=5e-5)
    assert contrast.direct.estimate == pytest.approx(0.073, abs=5e-4)
    assert contrast.direct.standard_error == pytest.approx(0.0267, abs=5e-5)
    gap = contrast.difference
    first, second = (
        CROSSWISE.estimate([Count(198, 310)]),
        made("direct", {}).estimate([Count(7, 96)]),
    )
    error = sqrt(first.standard_error**2 + second.standard_error**2)
    assert gap.estimate == pytest.approx(first.estimate - second.estimate)
    assert gap.standard_error == pytest.approx(error)
    assert contrast.p_value == pytest.approx(2 * norm.sf(gap.estimate / error))
    # Made of the intervals of both, whose lower ends are nearer than their upper ones.
    reach = sqrt((first.upper - first.estimate) ** 2 + (second.estimate - second.lower) ** 2)
    assert gap.upper - gap.estimate == pytest.approx(reach)


def test_that_a_contrast_within_clusters_counts_what_they_share() -> None:
    clusters = [str(i % 20) for i in range(len(JANN))]
    answers = SurveyAnswers(
        _jann(c=clusters), CROSSWISE, "said", "same", SampleColumns(clusters="c"), DIRECT
    )
    contrast = answers.contrast()
    assert contrast is not None
    direct = np.array([how == "dq" for _, how in JANN])
    score = answers.scores
    residual = np.where(
        direct, -(score - score[direct].mean()) / 96, (score - score[~direct].mean()) / 310
    )
    sums = np.bincount([int(c) for c in clusters], weights=residual)
    error = sqrt(20 / 19 * ((sums - sums.mean()) ** 2).sum())
    assert contrast.difference.standard_error == pytest.approx(error)
    assert contrast.difference.freedom == 19
    ratio = contrast.difference.estimate / error
    assert contrast.p_value == pytest.approx(2 * t_law.sf(ratio, 19))


def test_that_nobody_asked_directly_is_no_contrast(table: SurveyTable) -> None:
    assert SurveyAnswers(table, WARNER, "said").contrast() is None


def test_that_command_line_csv_and_memo_tell_the_same(
    table: SurveyTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "answers.csv"
    columns = [table.column(name).texts() for name in table.names]
    rows = [
        ",".join((*row, "open" if i % 6 == 0 else "cards"))
        for i, row in enumerate(zip(*columns, strict=True))
    ]
    path.write_text("\n".join([",".join((*table.names, "how")), *rows]) + "\n", encoding="utf-8")
    memo = tmp_path / "memo.html"
    words = ["survey", "estimate", str(path), "--design", "warner", "--set", "p=3/4"]
    words += ["--answer", "said", "--by", "colour", "--formula", "age + region", "--weights", "w"]
    words += ["--strata", "s", "--clusters", "c", "--direct", "how=open"]
    assert main([*words, "--json", "--memo", str(memo), "--wording", "Did you?"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["sample"] == {
        "strata": 2,
        "psus": 24,
        "df": 22,
        "lonely_strata": 0,
        "lonely_psu": "fail",
        "weights": "w",
        "population": None,
    }
    assert found["df"] == 22
    assert found["f_test"]["denominator_df"] == 21
    assert found["regression"]["df"] == 22
    assert found["regression"]["tests"][0]["term"] == "region"
    assert {p["column"] for p in found["predicted"]} == {"region"}
    assert found["contrast"]["difference"]["df"] == 22
    assert main(words) == 0
    told = re.sub(" +", " ", capsys.readouterr().out)
    for part in (
        "sample 2 strata, 24 clusters (PSUs), 22 degrees of freedom, weighted by w",
        "95 % interval",
        "difference of groups F",
        "with 2 and 21 degrees of freedom",
        "Device less direct",
        "region F",
        "Predicted shares if all respondents were of one group of region",
    ):
        assert part in told, part
    html = memo.read_text(encoding="utf-8")
    for part in (
        "Did you?",
        "Clusters, PSUs (c)",
        "Degrees of freedom",
        "Predicted shares by region",
        "The device against direct questions",
        "Korn &amp; Graubard 1990",
        f"{100 * found['estimate']:.2f}".replace("-", "\N{MINUS SIGN}"),
    ):
        assert part in html, part
    request = CollectedRequest("said", formula="age + region", sample=SAMPLE)
    result = analyse_collected(table, WARNER, request, untracked())
    write_collected(tmp_path / "results.csv", result)
    kinds = [line.split(",")[0] for line in (tmp_path / "results.csv").read_text().splitlines()]
    assert kinds.count("predicted share") == 3
    assert "Korn" not in collected_memo_html(
        analyse_collected(table, WARNER, CollectedRequest("said"), untracked())
    )


def test_that_respondents_with_devices_of_their_own_have_a_memo_too(table: SurveyTable) -> None:
    rows = table.rows
    own = table_from_texts(
        {
            "said": table.column("said").texts(),
            "a": ["0.8", "0.7"] * (rows // 2),
            "b": ["0.2"] * rows,
        }
    )
    request = CollectedRequest("said", devices=DeviceColumns(a="a", b="b"))
    html = collected_memo_html(analyse_collected(own, None, request, untracked()), "Did you?")
    assert "a device of their own" in html
    assert "What an answer discloses" not in html
