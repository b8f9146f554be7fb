from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from dpdesk.data.read_file import load
from dpdesk.designs import design_named
from dpdesk.designs.answer_likelihood import Likelihood, yes_no_chances
from dpdesk.designs.regression import logistic_regression
from dpdesk.errors import InputError, ParameterError
from dpdesk.estimation.survey_answers import SurveyAnswers
from tests.refusals import refused

NIGERIA = Path(__file__).parents[3] / "shared" / "data" / "nigeria.csv"
TERMS = "cov.age + cov.asset.index + cov.married + cov.education + cov.female"
N = 10_000


def hypothetical(a: float, b: float) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(11)
    covariates = np.column_stack(
        [np.ones(N), generator.normal(size=N), generator.integers(0, 2, N)]
    )
    carrier = generator.random(N) < expit(covariates @ [-1.0, 0.5, -0.7])
    said = generator.random(N) < np.where(carrier, a, b)
    return said.astype(float), covariates


@pytest.mark.parametrize(("a", "b"), [(1.0, 0.0), (0.75, 0.25), (1.0, 0.3), (0.2, 0.8)])
def test_that_true_coefficients_lie_within_their_errors(a: float, b: float) -> None:
    said, covariates = hypothetical(a, b)
    fit = logistic_regression(
        yes_no_chances(said, np.full(N, a), np.full(N, b)), covariates, ("1", "x", "z")
    )
    standardised = (fit.coefficients - [-1.0, 0.5, -0.7]) / fit.standard_errors
    assert np.abs(standardised).max() < 4.5
    assert fit.gradient_norm < 1e-6


def test_that_derivatives_are_those_of_the_likelihood() -> None:
    said, covariates = hypothetical(0.75, 0.25)
    few = slice(0, 60)
    weights = 1.0 + np.arange(60) % 3
    chances = yes_no_chances(said[few], np.full(60, 0.75), np.full(60, 0.25))
    likelihood = Likelihood(chances, covariates[few], weights)
    at, step = np.array([-0.4, 0.3, 0.2]), 1e-5
    gradient, observed, _ = likelihood.derivatives(at)
    for i in range(3):
        aside = step * np.eye(3)[i]
        slope = (likelihood.value(at + aside) - likelihood.value(at - aside)) / (2 * step)
        assert slope == pytest.approx(gradient[i], rel=1e-6)
        bend = likelihood.derivatives(at + aside)[0] - likelihood.derivatives(at - aside)[0]
        assert -bend / (2 * step) == pytest.approx(observed[i], rel=1e-5, abs=1e-5)


def test_that_people_asked_directly_can_be_pooled() -> None:
    said, covariates = hypothetical(0.75, 0.25)
    direct, _ = hypothetical(1.0, 0.0)
    half = np.arange(N) < N // 2
    a, b = np.where(half, 1.0, 0.75), np.where(half, 0.0, 0.25)
    pooled = logistic_regression(
        yes_no_chances(np.where(half, direct, said), a, b), covariates, ("1", "x", "z")
    )
    alone = logistic_regression(
        yes_no_chances(said[~half], a[~half], b[~half]), covariates[~half], ("1", "x", "z")
    )
    assert (pooled.standard_errors < alone.standard_errors / 1.5).all()
    assert np.abs((pooled.coefficients - [-1.0, 0.5, -0.7]) / pooled.standard_errors).max() < 4.5


def test_that_a_likelihood_without_a_maximum_is_refused() -> None:
    x = np.linspace(-1, 1, 50)
    covariates = np.column_stack([np.ones(50), x])
    with refused("designs.no-maximum"):
        logistic_regression(
            yes_no_chances((x > 0).astype(float), np.ones(50), np.zeros(50)),
            covariates,
            ("1", "x"),
        )


def test_that_covariates_that_depend_on_each_other_are_refused() -> None:
    covariates = np.column_stack([np.ones(9), np.arange(9.0), 2 * np.arange(9.0)])
    with refused("designs.dependent-covariates"):
        logistic_regression(
            yes_no_chances(np.ones(9), np.ones(9), np.zeros(9)), covariates, ("1", "x", "y")
        )
    with refused("designs.some-alike"):
        yes_no_chances(np.ones(9), np.full(9, 0.5), np.full(9, 0.5))


@pytest.mark.skipif(not NIGERIA.exists(), reason="the survey in Nigeria is not here")
def test_that_the_model_of_the_survey_in_nigeria_is_at_the_maximum() -> None:
    forced = design_named("forced")(forced_no="1/6", forced_yes="1/6")
    answers = SurveyAnswers(load(NIGERIA), forced, "rr.q1")
    overall = answers.overall()
    assert round(overall.estimate, 8) == 0.26190965
    assert round(overall.standard_error, 8) == 0.01441567
    fit = answers.regression(TERMS)
    assert fit.respondents == 2423
    assert fit.gradient_norm < 1e-6
    again = _by_another_optimiser()
    assert fit.log_likelihood == pytest.approx(again[0], abs=1e-6)
    assert fit.coefficients == pytest.approx(again[1], abs=1e-4)


def _by_another_optimiser() -> tuple[float, np.ndarray]:
    """Without our derivatives or our likelihood, from several starts."""
    pandas = pytest.importorskip("pandas")
    data = pandas.read_csv(NIGERIA)[["rr.q1", *TERMS.split(" + ")]].dropna().astype(float)
    covariates = np.column_stack([np.ones(len(data)), data.iloc[:, 1:]])
    said = data["rr.q1"].to_numpy()

    def loss(coefficients: np.ndarray) -> float:
        chance = 1 / 6 + 2 / 3 * expit(covariates @ coefficients)
        return float(-np.sum(said * np.log(chance) + (1 - said) * np.log(1 - chance)))

    starts = np.random.default_rng(5).normal(0, 0.02, (3, 6))
    options = {"maxiter": 20_000, "maxfev": 40_000, "xatol": 1e-9, "fatol": 1e-10, "adaptive": True}
    found = [minimize(loss, start, method="Nelder-Mead", options=options) for start in starts]
    heights = [-result.fun for result in found]
    assert max(heights) - min(heights) < 1e-6
    return max(heights), found[int(np.argmax(heights))].x


def test_that_formulas_take_numbers_and_categories(tmp_path: Path) -> None:
    generator = np.random.default_rng(3)
    rows = ["said,age.years,region,I"]
    for _ in range(400):
        age, region = generator.integers(18, 80), generator.choice(["north", "south", "west"])
        rows.append(f"{generator.integers(0, 2)},{age},{region},{generator.integers(0, 9)}")
    rows.append(",30,north,1")
    rows.append("1,,south,1")
    path = tmp_path / "survey.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    answers = SurveyAnswers(load(path), design_named("direct")(), "said")
    assert answers.missing == 1
    fit = answers.regression("age.years + region + I")
    assert fit.names == (
        "Intercept",
        "age.years",
        "region[T.south]",
        "region[T.west]",
        "I",
    )
    assert fit.respondents == 400
    several = ("age.years | region", "0")
    for wrong in ("age.years +", "nothing", "log(age.years)", "said ~ region", *several):
        with pytest.raises(ParameterError, match="formula"):
            answers.regression(wrong)


def test_that_scores_are_unbiased_and_empty_without_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "survey.csv"
    path.write_text("q,w\nyes,1\nno,2\n,1\n", encoding="utf-8")
    answers = SurveyAnswers(load(path), design_named("warner")(p="3/4"), "q", yes="yes")
    assert answers.scores[:2].tolist() == [1.5, -0.5]
    assert np.isnan(answers.scores[2])
    with pytest.raises(InputError, match="means yes"):
        SurveyAnswers(load(path), design_named("warner")(p="3/4"), "q", yes="ja")
    with pytest.raises(InputError, match="no column"):
        SurveyAnswers(load(path), design_named("warner")(p="3/4"), "r")
    with pytest.raises(ParameterError, match="two groups"):
        SurveyAnswers(load(path), design_named("item_count")(items=3), "q")
