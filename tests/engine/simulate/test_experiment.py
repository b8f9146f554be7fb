from __future__ import annotations

from math import exp, log
from pathlib import Path

import numpy as np
import pytest

from dpdesk.data.read_file import load
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.engine import Tracker, untracked
from dpdesk.engine.simulate.attributes import attributes_of_plan, attributes_of_table
from dpdesk.engine.simulate.experiment import (
    ExperimentRequest,
    run_experiment,
)
from dpdesk.engine.simulate.variants import STRATEGIES, clip_and_normalise, laws_of, prior_of
from dpdesk.errors import Cancelled, ParameterError
from tests.engine.survey import survey, survey_plan
from tests.refusals import refused

# Arcolezi et al. 2021, Nursery: mean squared errors x 1000 at epsilon = ln 2, ..., ln 7, of
# estimates that are clipped and normalised. SPL and SMP choose between GRR and OUE (ADP).
PUBLISHED = {
    "grr": (2.49, 1.73, 1.52, 1.48, 1.47, 1.45),
    "oue-z": (2.32, 1.28, 0.958, 0.754, 0.643, 0.621),
    "spl": (26.0, 11.0, 7.18, 5.53, 4.34, 3.67),
    "smp": (2.75, 0.994, 0.621, 0.477, 0.377, 0.324),
}


def answers(rows: int = 3000) -> SurveyTable:
    return table_from_texts(
        {
            "a": [str(row * row % 3) for row in range(rows)],
            "b": ["x" if row % 5 else "y" for row in range(rows)],
            "c": [str(row % 7 % 4) for row in range(rows)],
        }
    )


def test_that_the_published_errors_are_reproduced(shared_data: Path) -> None:
    attributes = attributes_of_table(load(shared_data / "nursery.csv"))
    request = ExperimentRequest(strategies=tuple(PUBLISHED), seed=1)
    result = run_experiment(attributes, request, untracked())
    assert (result.respondents, len(result.attributes)) == (12_960, 9)
    found = iter(result.points)
    for strategy, published in PUBLISHED.items():
        for epsilon, error in zip(ExperimentRequest().epsilons, published, strict=True):
            point = next(found)
            assert (point.strategy, point.epsilon) == (strategy, epsilon)
            assert point.projected * 1000 == pytest.approx(error, rel=0.10)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_that_the_raw_error_is_the_variance_of_the_formula_sheet(strategy: str) -> None:
    attributes = attributes_of_table(answers())
    d, n = len(attributes), 3000
    request = ExperimentRequest(
        strategies=(strategy,), epsilons=(log(3),), repetitions=2000, seed=2
    )
    (point,) = run_experiment(attributes, request, untracked()).points
    laws = laws_of(strategy, log(3), attributes)
    expected = 0.0
    for attribute, law in zip(attributes, laws, strict=True):
        f = attribute.shares
        if strategy in ("spl", "smp"):
            p, q = law.p, law.q
            noise = q * (1 - q) + f * (p - q) * (1 - p - q)
            # In a group of n/d of the respondents, drawn without looking at the answers.
            sampling = f * (1 - f) * (p - q) ** 2 * (1 - 1 / d) if strategy == "smp" else 0
            reports = n / d if strategy == "smp" else n
            expected += float(np.mean((noise + sampling) / (reports * (p - q) ** 2))) / d
        else:
            # Given the answers: each respondent's support is one draw with chance delta.
            p, q = law.chances
            variance = f * p * (1 - p) + (1 - f) * q * (1 - q)
            expected += float(np.mean(variance / (n * (p - q) ** 2))) / d
    assert point.raw == pytest.approx(expected, abs=5 * point.raw_error)
    assert point.raw_error < 0.05 * point.raw


def test_that_nominal_epsilons_are_those_of_the_publications() -> None:
    attributes = attributes_of_table(answers())
    (law, *_) = laws_of("grr", log(3), attributes)
    assert law.real.p / law.real.q == pytest.approx(3 * (3 - 1) + 1)
    (law, *_) = laws_of("spl", log(3), attributes)
    assert law.p / law.q == pytest.approx(3 ** (1 / 3))


def test_that_adaptive_choices_have_the_least_noise() -> None:
    rows = 400
    table = table_from_texts(
        {"few": [str(i % 2) for i in range(rows)], "many": [str(i % 40) for i in range(rows)]}
    )
    attributes = attributes_of_table(table)
    few, many = laws_of("smp", 1.0, attributes)
    assert (few.form, many.form) == ("symbol", "bits")
    for adaptive, grr, oue in zip(
        *(laws_of(name, 1.0, attributes) for name in ("adp", "grr", "oue-z")), strict=True
    ):
        assert adaptive.noise_constant == min(grr.noise_constant, oue.noise_constant)


def test_that_clipped_and_normalised_shares_are_shares() -> None:
    shares = clip_and_normalise(np.array([[0.5, -0.2, 0.3], [-1.0, -1.0, -0.5]]))
    assert np.allclose(shares, [[0.625, 0, 0.375], [1 / 3, 1 / 3, 1 / 3]])


def test_that_a_point_depends_on_nothing_else_that_is_asked_for() -> None:
    attributes = attributes_of_table(answers())
    alone = ExperimentRequest(("oue-r",), (1.0,), repetitions=5, seed=9)
    among = ExperimentRequest(("grr", "oue-r"), (0.5, 1.0), repetitions=5, seed=9)
    other_seed = ExperimentRequest(("oue-r",), (1.0,), repetitions=5, seed=10)
    (point,) = run_experiment(attributes, alone, untracked()).points
    assert point == run_experiment(attributes, among, untracked()).points[-1]
    assert point != run_experiment(attributes, other_seed, untracked()).points[0]


def test_that_realistic_fakes_follow_what_is_declared() -> None:
    plan = survey_plan().with_column("colour", expected=("2", "1", "1"))
    colour, fruit = attributes_of_plan(survey(), plan)
    assert prior_of(colour) == (0.5, 0.25, 0.25)
    assert prior_of(fruit) == pytest.approx((401 / 502, 101 / 502))
    colour, _ = attributes_of_plan(survey(), plan.with_column("colour", expected=("2", "0", "1")))
    with refused("engine.zero-weight", column="colour"):
        prior_of(colour)


def test_that_answers_outside_a_plan_are_refused_without_quoting_them() -> None:
    table = table_from_texts({"colour": ["red", "mauve"], "fruit": ["apple", "pear"]})
    with refused("engine.not-declared", count=1, column="colour") as refusal:
        attributes_of_plan(table, survey_plan())
    assert "mauve" not in str(refusal.value)
    with refused("engine.no-column", column="fruit"):
        attributes_of_plan(table_from_texts({"colour": ["red"]}), survey_plan())


def test_that_columns_that_are_no_categories_are_refused() -> None:
    with refused("engine.not-2-to-most", column="one", answers=1):
        attributes_of_table(table_from_texts({"one": ["x", "x"], "two": ["x", "y"]}))
    (two,) = attributes_of_table(table_from_texts({"one": ["x", "x"], "two": ["x", "y"]}), ["one"])
    assert two.name == "two"
    with refused("engine.no-column", column="three"):
        attributes_of_table(table_from_texts({"one": ["x", "y"]}), ["three"])


@pytest.mark.parametrize(
    "wrong",
    [
        {"strategies": ("nothing",)},
        {"strategies": ()},
        {"epsilons": ()},
        {"epsilons": (0.0,)},
        {"epsilons": (exp(4),)},
        {"repetitions": 1},
        {"seed": -1},
    ],
)
def test_that_a_request_out_of_range_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ParameterError):
        ExperimentRequest(**wrong)  # type: ignore[arg-type]


def test_that_one_attribute_is_too_few() -> None:
    attributes = attributes_of_table(answers(), ["b", "c"])
    with refused("engine.few-columns"):
        run_experiment(attributes, ExperimentRequest(), untracked())


def test_that_an_experiment_can_be_cancelled_between_blocks() -> None:
    stages: list[float] = []
    tracker = Tracker(lambda p: stages.append(p.done), lambda: len(stages) == 3)
    with pytest.raises(Cancelled):
        run_experiment(attributes_of_table(answers()), ExperimentRequest(repetitions=2), tracker)
    assert len(stages) == 3
