"""Regressions through designs that leave a share open, and through answers that are numbers."""

from __future__ import annotations

from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, logit

from dpdesk.data.read_file import load
from dpdesk.data.table import SurveyTable
from dpdesk.designs import Count, YesNoDesign
from dpdesk.designs.answer_likelihood import AnswerChances, Likelihood
from dpdesk.designs.behaviour import answer_worth
from dpdesk.designs.regression import LogisticFit, logistic_regression
from dpdesk.designs.sample_groups import TwoGroupDesign
from dpdesk.estimation.survey_answers import DeviceColumns, SurveyAnswers
from dpdesk.numbers.arrays import Floats
from tests.designs.cases import made
from tests.refusals import refused

N = 1_500
TRUE = np.array([-0.5, 0.8])
UNRELATED = made("unrelated_two_samples", {"p1": "3/4", "p2": "1/5"})
CHEATING = made("cheating_detection", {"p1": "1/4", "p2": "3/4"})
SYMMETRIC = made(
    "symmetric_cheating_detection", {"yes1": "1/8", "no1": "1/4", "yes2": "3/8", "no2": "1/8"}
)
LIES = made("stochastic_lie_detector", {"s1": "1/4", "s2": "4/5"})
ANCHORED = (
    made("crosswise", {"p": "1/4"}),
    made("anchored_crosswise", {"p": "1/4", "anchor": "1/5"}),
)

# Counts whose estimates lie within what they can be.
COUNTED = [
    (UNRELATED, (120, 300), (90, 250), "innocent_share"),
    (CHEATING, (160, 300), (175, 250), "cheaters"),
    (SYMMETRIC, (90, 300), (100, 250), "cheaters"),
    (LIES, (170, 300), (70, 250), "truthful_carriers"),
]


def yes_of(design: YesNoDesign, group: Floats, mu: Floats, share: float) -> Floats:
    """The chance of yes, each written out as in its paper."""
    return np.asarray(_yes_of(design, group, mu, share))


def _yes_of(design: YesNoDesign, group: Floats, mu: Floats, share: float) -> Any:
    if design is UNRELATED:
        p = np.where(group == 1, 0.75, 0.2)
        return p * mu + (1 - p) * share
    if design is CHEATING:
        p = np.where(group == 1, 0.25, 0.75)
        return mu + p * (1 - mu - share)
    if design is SYMMETRIC:
        yes, no = np.where(group == 1, 0.125, 0.375), np.where(group == 1, 0.25, 0.125)
        return mu * (1 - no) + (1 - mu - share) * yes
    s = np.where(group == 1, 0.25, 0.8)
    return mu * share + (1 - mu) * (1 - s)


def written(folder: Path, columns: dict[str, np.ndarray]) -> SurveyTable:
    path = folder / "answers.csv"
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return load(path)


@pytest.mark.parametrize(("design", "first", "second", "name"), COUNTED)
def test_that_without_covariates_the_fit_is_the_designs_estimate(
    tmp_path: Path, design: YesNoDesign, first: tuple[int, int], second: tuple[int, int], name: str
) -> None:
    said = [np.arange(n) < yes for yes, n in (first, second)]
    group = np.repeat([1, 2], [first[1], second[1]])
    table = written(tmp_path, {"said": np.concatenate(said).astype(int), "group": group})
    answers = SurveyAnswers(table, design, "said", columns=DeviceColumns(group="group"))
    fit = answers.regression("1")
    counted = design.estimate([Count(*first), Count(*second)])
    share, error = counted.other_shares[name]
    assert 0 < share < 1
    assert fit.coefficients[0] == pytest.approx(logit(counted.estimate), abs=1e-9)
    assert fit.open_share is not None
    assert fit.open_share.name == name
    assert fit.open_share.value == pytest.approx(share, abs=1e-9)
    # Two numbers from two shares: the information is that of the shares, with n for n - 1.
    shares = [yes / n for yes, n in (first, second)]
    assert isinstance(design, TwoGroupDesign)
    weights = design.combination[1]
    parts = zip(weights, shares, (first[1], second[1]), strict=True)
    variance = sum(w * w * s * (1 - s) / n for w, s, n in parts)
    slope = counted.estimate * (1 - counted.estimate)
    assert fit.standard_errors[0] == pytest.approx(sqrt(variance) / slope, rel=1e-7)
    assert fit.open_share.standard_error == pytest.approx(error, rel=5e-3)


def hypothetical(folder: Path, design: YesNoDesign, share: float, seed: int = 7) -> SurveyTable:
    """Answers of respondents with one covariate, in two groups, a tenth of them direct."""
    generator = np.random.default_rng(seed)
    x, group = generator.normal(size=N).round(6), generator.integers(1, 3, N)
    how = np.where(generator.random(N) < 0.1, "open", "device")
    mu = expit(TRUE[0] + TRUE[1] * x)
    chance = np.where(how == "open", mu, yes_of(design, group, mu, share))
    said = (generator.random(N) < chance).astype(int)
    return written(folder, {"said": said, "group": group, "x": x, "how": how})


def by_another_optimiser(
    design: YesNoDesign, table: SurveyTable, pooled: bool
) -> tuple[float, ...]:
    """Height, coefficients and open share, without our likelihood, from several starts."""
    columns = {
        name: np.array([table.column(name).distinct[c] for c in table.column(name).codes])
        for name in table.names
    }
    direct = (columns["how"] == "open") & pooled
    said, x = columns["said"].astype(int), columns["x"].astype(float)
    group = columns["group"].astype(int)

    def loss(at: np.ndarray) -> float:
        if not 0 <= at[2] <= 1:
            return 1e9
        mu = expit(at[0] + at[1] * x)
        yes = np.where(direct, mu, yes_of(design, group, mu, at[2]))
        return float(-np.log(np.where(said == 1, yes, 1 - yes)).sum())

    options = {"maxiter": 6_000, "maxfev": 6_000, "xatol": 1e-8, "fatol": 1e-10}
    starts = [(0.0, 0.0, 0.5), (-1.0, 0.5, 0.2), (0.5, 1.0, 0.8)]
    found = [minimize(loss, start, method="Nelder-Mead", options=options) for start in starts]
    best = min(found, key=lambda result: result.fun)
    return (-best.fun, *best.x)


@pytest.mark.parametrize(
    ("design", "share"), [(UNRELATED, 0.3), (CHEATING, 0.15), (SYMMETRIC, 0.2), (LIES, 0.8)]
)
@pytest.mark.parametrize("pooled", [False, True])
def test_that_an_open_share_is_found_with_the_coefficients(
    tmp_path: Path, design: YesNoDesign, share: float, pooled: bool
) -> None:
    table = hypothetical(tmp_path, design, share)
    columns = DeviceColumns(group="group")
    if pooled:
        columns = DeviceColumns(group="group", direct="how", direct_text="open")
    fit = SurveyAnswers(table, design, "said", columns=columns).regression("x")
    height, constant, slope, other = by_another_optimiser(design, table, pooled)
    assert fit.open_share is not None
    assert fit.log_likelihood == pytest.approx(height, abs=1e-6)
    assert fit.coefficients == pytest.approx([constant, slope], abs=2e-4)
    assert fit.open_share.value == pytest.approx(other, abs=1e-4)
    assert fit.gradient_norm < 1e-6
    if pooled:
        assert fit.open_share.standard_error is not None
        assert np.abs((fit.coefficients - TRUE) / fit.standard_errors).max() < 4.5
        assert abs(fit.open_share.value - share) < 4.5 * fit.open_share.standard_error


def test_that_a_share_at_its_bound_is_said_to_be_there(tmp_path: Path) -> None:
    # Shares of yes whose sum is above 1: the cheaters would be fewer than none.
    said = [np.arange(n) < yes for yes, n in ((98, 200), (173, 200))]
    group, x = np.repeat([1, 2], 200), np.arange(400) % 7
    table = written(tmp_path, {"said": np.concatenate(said).astype(int), "group": group, "x": x})
    columns = DeviceColumns(group="group")
    fit = SurveyAnswers(table, CHEATING, "said", columns=columns).regression("x")
    assert fit.open_share is not None
    assert (fit.open_share.value, fit.open_share.standard_error) == (0.0, None)
    assert fit.gradient_norm < 1e-6

    def loss(at: np.ndarray) -> float:
        yes = yes_of(CHEATING, group, expit(at[0] + at[1] * x), at[2]).clip(1e-9, 1 - 1e-9)
        said_yes = np.concatenate(said)
        return float(-np.log(np.where(said_yes, yes, 1 - yes)).sum())

    bounds = [(-9, 9), (-9, 9), (0, 1)]
    found = minimize(loss, (-1, 0, 0.3), method="L-BFGS-B", bounds=bounds)
    assert found.x[2] == 0
    assert fit.log_likelihood == pytest.approx(-found.fun, abs=1e-6)


def test_that_carriers_fewer_than_none_have_no_most_likely_coefficients(tmp_path: Path) -> None:
    said = [np.arange(n) < yes for yes, n in ((40, 200), (170, 200))]
    group = np.repeat([1, 2], 200)
    table = written(tmp_path, {"said": np.concatenate(said).astype(int), "group": group})
    answers = SurveyAnswers(table, CHEATING, "said", columns=DeviceColumns(group="group"))
    assert answers.overall().estimate < 0
    with refused("designs.no-maximum-in-groups"):
        answers.regression("1")


def test_that_an_open_share_that_nothing_tells_is_refused(tmp_path: Path) -> None:
    table = hypothetical(tmp_path, CHEATING, 0.1)
    answers = SurveyAnswers(table, CHEATING, "said", columns=DeviceColumns(group="group"))
    with refused("designs.no-maximum-in-groups"):
        answers.regression("C(group)")


def test_that_derivatives_hold_with_an_open_share() -> None:
    generator = np.random.default_rng(2)
    low, high, steps = generator.uniform(0.1, 0.4, (3, 40))
    chances = AnswerChances(high + 0.3, low, -steps / 2, steps, "cheaters")
    covariates = np.column_stack([np.ones(40), generator.normal(size=40)])
    likelihood = Likelihood(chances, covariates, generator.uniform(0.5, 2, 40))
    at, step = np.array([-0.4, 0.3, 0.4]), 1e-6
    gradient, observed, squares = likelihood.derivatives(at)
    assert gradient == pytest.approx(likelihood.contributions(at).sum(axis=0))
    assert (np.linalg.eigvalsh(squares) > 0).all()
    for i in range(3):
        aside = step * np.eye(3)[i]
        slope = (likelihood.value(at + aside) - likelihood.value(at - aside)) / (2 * step)
        assert slope == pytest.approx(gradient[i], rel=1e-5)
        bend = likelihood.derivatives(at + aside)[0] - likelihood.derivatives(at - aside)[0]
        assert -bend / (2 * step) == pytest.approx(observed[i], rel=1e-5, abs=1e-5)


@pytest.fixture
def attending(tmp_path: Path) -> SurveyTable:
    """Answers to a crosswise question and its anchor; four in five attend."""
    generator = np.random.default_rng(17)
    x = generator.normal(size=N).round(6)
    carrier, attends = generator.random(N) < expit(TRUE[0] + TRUE[1] * x), generator.random(N) < 0.8
    question = np.where(attends, carrier == (generator.random(N) < 0.25), generator.random(N) < 0.5)
    anchor = np.where(attends, generator.random(N) < 0.8, generator.random(N) < 0.5)
    columns = {"said": question.astype(int), "beside": anchor.astype(int), "x": x}
    return written(tmp_path, columns | {"region": np.arange(N) % 3})


def test_that_records_with_an_anchor_give_the_estimate_of_their_counts(
    attending: SurveyTable,
) -> None:
    design = ANCHORED[1]
    answers = SurveyAnswers(attending, design, "said", columns=DeviceColumns(anchor="beside"))
    said = {
        name: np.array([int(attending.column(name).distinct[c]) for c in column.codes])
        for name in ("said", "beside")
        for column in (attending.column(name),)
    }
    counted = design.estimate([Count(int(said[name].sum()), N) for name in ("said", "beside")])
    found = answers.overall()
    assert found.estimate == pytest.approx(counted.estimate, rel=1e-12)
    # Records show how both answers go together, counts only what the design says of it.
    assert found.standard_error == pytest.approx(counted.standard_error, rel=0.02)
    adherence = answers.adherence()
    assert adherence is not None
    assert adherence.value == pytest.approx(counted.other_shares["attentive"][0])
    third = np.arange(N) % 3 == 0
    alone = design.estimate([Count(int(said[name][third].sum()), 500) for name in said])
    assert dict(answers.by("region"))["0"].estimate == pytest.approx(alone.estimate)


def test_that_who_attends_is_found_with_the_coefficients(attending: SurveyTable) -> None:
    answers = SurveyAnswers(attending, ANCHORED[1], "said", columns=DeviceColumns(anchor="beside"))
    fit = answers.regression("x")
    table = {
        name: np.array([float(attending.column(name).distinct[c]) for c in column.codes])
        for name in ("said", "beside", "x")
        for column in (attending.column(name),)
    }

    def loss(at: np.ndarray) -> float:
        mu = expit(at[0] + at[1] * table["x"])
        same = np.where(
            table["said"] == 1, 0.25 * mu + 0.75 * (1 - mu), 0.75 * mu + 0.25 * (1 - mu)
        )
        anchor = np.where(table["beside"] == 1, 0.8, 0.2)
        return float(-np.log(at[2] * same * anchor + (1 - at[2]) / 4).sum())

    bounds = [(-9, 9), (-9, 9), (0, 1)]
    found = minimize(loss, (0, 0, 0.5), method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-14})
    assert fit.log_likelihood == pytest.approx(-found.fun, abs=1e-5)
    assert fit.coefficients == pytest.approx(found.x[:2], abs=2e-3)
    assert fit.open_share is not None
    assert fit.open_share.name == "attentive"
    assert fit.open_share.standard_error is not None
    assert abs(fit.open_share.value - 0.8) < 4.5 * fit.open_share.standard_error
    assert np.abs((fit.coefficients - TRUE) / fit.standard_errors).max() < 4.5


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("kuk", {"p1": "7/10", "p2": "1/5", "draws": 3}),
        ("kuk", {"p1": "7/10", "p2": "3/10", "draws": 2}),
        ("christofides", {"chances": ("1/2", "1/3", "1/6")}),
    ],
)
def test_that_answers_that_are_numbers_have_a_regression(
    tmp_path: Path, kind: str, settings: dict[str, object]
) -> None:
    design, generator = made(kind, settings), np.random.default_rng(9)
    (group,) = design.groups
    law = np.array([[float(chance) for chance in row] for row in group.law])
    worth = [answer_worth(answer) for answer in group.answers]
    x = generator.normal(size=N).round(6)
    carrier = generator.random(N) < expit(TRUE[0] + TRUE[1] * x)
    drawn = [generator.choice(len(worth), p=law[0 if c else 1]) for c in carrier]
    table = written(tmp_path, {"said": np.array(worth)[drawn], "x": x})
    fit = SurveyAnswers(table, design, "said").regression("x")

    def loss(at: np.ndarray) -> float:
        mu = expit(at[0] + at[1] * x)
        return float(-np.log(mu * law[0][drawn] + (1 - mu) * law[1][drawn]).sum())

    found = minimize(loss, (0.0, 0.0), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-9})
    assert fit.log_likelihood == pytest.approx(-found.fun, abs=1e-7)
    assert fit.coefficients == pytest.approx(found.x, abs=1e-5)
    assert np.abs((fit.coefficients - TRUE) / fit.standard_errors).max() < 4.5


def test_that_one_card_is_an_answer_of_yes_or_no(tmp_path: Path) -> None:
    generator = np.random.default_rng(4)
    columns = {"said": generator.integers(0, 2, 300), "x": generator.integers(0, 9, 300)}
    table = written(tmp_path, columns)

    def fit(kind: str, settings: dict[str, object]) -> LogisticFit:
        return SurveyAnswers(table, made(kind, settings), "said").regression("x")

    kuk = fit("kuk", {"p1": "3/4", "p2": "1/4"})
    warner = fit("warner", {"p": "3/4"})
    assert kuk.coefficients == pytest.approx(warner.coefficients)
    assert kuk.standard_errors == pytest.approx(warner.standard_errors)


def test_that_an_item_count_has_no_regression_and_says_why(tmp_path: Path) -> None:
    table = written(tmp_path, {"said": np.arange(40) % 4, "list": np.repeat(["a", "b"], 20)})
    answers = SurveyAnswers(
        table, made("item_count", {"items": 3}), "said", columns=DeviceColumns(group="list")
    )
    with refused("designs.no-item-regression"):
        answers.regression("1")


def test_that_a_large_survey_has_the_maximum_of_its_repeated_part() -> None:
    generator = np.random.default_rng(6)
    few, times = 2_500, 9
    x = np.column_stack([np.ones(few), generator.normal(size=few)])
    group = generator.integers(1, 3, few)
    yes = yes_of(CHEATING, group, expit(x @ TRUE), 0.15)
    said, p = generator.random(few) < yes, np.where(group == 1, 0.25, 0.75)
    parts = [np.where(said, part, 1 - part) for part in (np.ones(few), p)]
    slopes = np.where(said, -p, p)
    chances = AnswerChances(*parts, slopes, slopes, "cheaters")
    alone = logistic_regression(chances, x, ("1", "x"))
    order = np.tile(np.arange(few), times)
    many = AnswerChances(parts[0][order], parts[1][order], slopes[order], slopes[order], "cheaters")
    together = logistic_regression(many, x[order], ("1", "x"))
    assert together.coefficients == pytest.approx(alone.coefficients, abs=1e-8)
    assert together.standard_errors == pytest.approx(alone.standard_errors / 3, rel=1e-6)
