from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.errors import ParameterError, PlanError
from dpdesk.mechanisms import ranked
from dpdesk.mechanisms.pram import Pram
from dpdesk.mechanisms.texts import T
from dpdesk.plan import ColumnPlan, Plan, check, errors_of, load_plan, save_plan
from dpdesk.plan.budget import mechanism_at, resplit
from tests.mechanisms import pram_checks as checks
from tests.mechanisms.estimator_checks import AGES, categories

THREE = Pram.model_validate({"matrix": checks.MATRICES[1]})


def test_that_the_epsilon_of_a_matrix_is_its_largest_logarithm_rounded_up() -> None:
    checks.epsilon_is_the_largest_logarithm_rounded_up()


def test_that_the_law_is_the_matrix_and_its_certificate_holds() -> None:
    checks.the_law_is_the_matrix_and_its_certificate_holds()


def test_that_the_estimates_are_unbiased_with_their_variance() -> None:
    checks.estimates_are_unbiased_with_their_variance()


def test_that_the_errors_are_the_exact_ones_on_expected_counts() -> None:
    checks.errors_are_the_exact_ones_on_expected_counts()


def test_that_impossible_matrices_are_refused_with_their_place() -> None:
    checks.impossible_matrices_are_refused()


def test_that_drawn_reports_follow_the_rows() -> None:
    checks.drawn_reports_follow_the_rows()


def test_that_a_plan_keeps_the_texts_of_the_matrix_and_the_epsilon() -> None:
    stored = THREE.model_dump(mode="json")
    assert stored["matrix"][0] == ["1/3", "1/3", "1/3"]
    assert Pram.model_validate(stored) == THREE
    assert hash(Pram.model_validate(stored)) == hash(THREE)


def test_that_a_matrix_of_another_size_is_a_problem_of_the_plan() -> None:
    for size in (2, 4):
        assert THREE.objection(categories(size)) == T.MATRIX_SIZE(rows=3, categories=size)
        with pytest.raises(ParameterError):
            THREE.bind(categories(size))
        column = ColumnPlan(
            name="q", kind="nominal", domain=categories(size), confirmed=True,
            role="protect", mechanism=THREE,
        )  # fmt: skip
        codes = [problem.code for problem in errors_of(check(Plan(columns=(column,))))]
        assert "misfit" in codes
    assert THREE.objection(categories(3)) is None
    assert THREE.objection(AGES)


def test_that_no_split_and_no_choice_touches_a_matrix() -> None:
    with pytest.raises(ParameterError) as caught:
        mechanism_at(THREE, Decimal(1))
    assert "other parameters" in str(caught.value)
    matrix = ColumnPlan(
        name="q", kind="nominal", domain=categories(3), role="protect", mechanism=THREE
    )
    other = matrix.model_copy(update={"name": "r", "mechanism": ranked(categories(3), Decimal(1))[0].mechanism})  # fmt: skip  # noqa: E501
    split = resplit(Plan(columns=(matrix, other)), Decimal(5))
    assert split.column("q").mechanism == THREE
    assert split.column("r").mechanism.epsilon == Decimal(5) - THREE.epsilon
    assert all(c.mechanism.kind != "pram" for c in ranked(categories(3), Decimal(1)))


def test_that_a_starting_matrix_comes_near_to_its_epsilon_from_below() -> None:
    for size, epsilon in (
        (2, "0.0002"),
        (200, "0.0002"),
        (3, "1"),
        (50, "4"),
        (200, "1"),
        (2, "10"),
    ):
        made = Pram.starting(categories(size), Decimal(epsilon))
        assert made.objection(categories(size)) is None
        assert made.epsilon <= Decimal(epsilon)
        assert float(made.epsilon) > 0.9 * float(epsilon)
    assert Pram.starting(categories(2), Decimal("0.0001")).epsilon <= Decimal("0.0002")
    assert Pram.starting(categories(200), Decimal(40)).epsilon > 15


def test_that_a_plan_with_a_wrong_matrix_is_refused_at_its_place(tmp_path: Path) -> None:
    column = ColumnPlan(
        name="q", kind="nominal", domain=categories(3), role="protect", mechanism=THREE
    )
    path = tmp_path / "plan.json"
    save_plan(Plan(columns=(column,)), path)
    assert load_plan(path).column("q").mechanism == THREE
    stored = path.read_text("utf-8")
    for before, after, words in (
        ('"0.7"', '"0.6"', T.ROW_SUM(row=2, sum="0.9")),
        (f'"{THREE.epsilon}"', '"1"', T.OTHER_EPSILON(epsilon=f"{THREE.epsilon}")),
        ('"0.7"', "0.7", T.NO_PROBABILITY(row=2, column=2)),
    ):
        assert before in stored
        path.write_text(stored.replace(before, after, 1), "utf-8")
        with pytest.raises(PlanError) as caught:
            load_plan(path)
        assert words in str(caught.value)
