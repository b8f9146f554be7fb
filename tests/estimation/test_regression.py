"""Regressions on sanitized records, against closed forms and enumeration."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from dpdesk.domains import Categorical, Integer
from dpdesk.errors import InputError, ParameterError
from dpdesk.estimation.answer_cells import AnswerCells
from dpdesk.estimation.predictors import Predictors
from dpdesk.estimation.regression import regression, score_regression
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.plan import ColumnPlan, Plan
from tests.estimation.test_joint import TRUE, example, expected_records, write
from tests.plan.plans import mechanism
from tests.refusals import refused

Floats = NDArray[np.float64]


def _kept(**kinds: str) -> Plan:
    return Plan(
        columns=tuple(
            ColumnPlan(name=name, kind=kind, role="keep", keep_confirmed=True)
            for name, kind in kinds.items()
        )
    )


def _records(path: Path, plan: Plan, **columns: Sequence[object]) -> ScoredRecords:
    rows = [tuple(map(str, row)) for row in zip(*columns.values(), strict=True)]
    return ScoredRecords(write(path / "records.csv", rows, ",".join(columns)), plan)


def _odds(u: str) -> float:
    return float(np.log(float(TRUE[u, "y"] / TRUE[u, "x"])))


def test_that_a_linear_regression_of_kept_columns_is_least_squares(tmp_path: Path) -> None:
    draw = np.random.default_rng(3)
    age, region = draw.integers(18, 80, 300), draw.integers(3, size=300)
    income = (20 + 0.5 * age + 4 * (region == 2) + draw.normal(0, 6, 300)).round(2)
    plan = _kept(income="real", age="integer", region="nominal")
    records = _records(tmp_path, plan, income=income, age=age, region=region)
    found = regression(records, "income ~ age + region")
    columns = {
        "Intercept": np.ones(300),
        "age": age,
        "C(region)[T.1]": region == 1,
        "C(region)[T.2]": region == 2,
    }
    assert set(found.names) == set(columns)
    x = np.column_stack([columns[name] for name in found.names]).astype(np.float64)
    slopes = np.linalg.lstsq(x, income, rcond=None)[0]
    assert found.coefficients == pytest.approx(slopes, rel=1e-6)
    # White's covariance of any variances, with n / (n - 1).
    left, back = x * (income - x @ slopes)[:, None], np.linalg.inv(x.T @ x)
    wanted = back @ (left.T @ left) @ back * 300 / 299
    assert np.sqrt(np.diag(found.covariance)) == pytest.approx(np.sqrt(np.diag(wanted)), rel=1e-5)


def test_that_a_column_called_intercept_is_no_intercept(tmp_path: Path) -> None:
    plan = Plan(
        columns=tuple(
            ColumnPlan(
                name=name,
                kind="integer",
                domain=Integer(lower=0, upper=9, unit=unit),
                confirmed=True,
                role="keep",
                keep_confirmed=True,
            )
            for name, unit in (("y", "kg"), ("Intercept", "years"))
        )
    )
    records = _records(tmp_path, plan, y=[1, 2, 4, 3, 5], Intercept=[0, 1, 2, 3, 4])
    found = regression(records, "y ~ Intercept")
    assert found.names == ("(Intercept)", "Intercept")
    assert found.units == ("kg", "kg per year")
    assert found.intercepts == {0}
    found = regression(records, "y ~ 0 + Intercept")
    assert (found.units, found.intercepts) == (("kg per year",), frozenset())


def test_that_names_may_hold_the_signs_of_a_formula(tmp_path: Path) -> None:
    plan = _kept(**{"log(z)": "integer", "x~y": "integer"})
    records = _records(tmp_path, plan, **{"log(z)": [1, 2, 4, 3, 5], "x~y": [0, 1, 2, 3, 4]})
    found = regression(records, "`log(z)` ~ `x~y`")
    assert found.coefficients == pytest.approx([1.2, 0.9])
    assert regression(records, "`log(z)` ~ x~y").names == found.names


def test_that_kept_categories_have_the_log_odds_ratios_of_their_table(tmp_path: Path) -> None:
    table = {("a", "x"): 30, ("a", "y"): 20, ("a", "z"): 10, ("b", "x"): 12, ("b", "y"): 40,
             ("b", "z"): 9}  # fmt: skip
    rows = [cell for cell, count in table.items() for _ in range(count)]
    plan = _kept(g="nominal", o="nominal")
    records = _records(tmp_path, plan, g=[g for g, _ in rows], o=[o for _, o in rows])
    found = regression(records, "o ~ g")
    assert (found.model, found.method) == ("multinomial", "likelihood")
    assert found.names == ("y: Intercept", "y: g[T.b]", "z: Intercept", "z: g[T.b]")
    assert found.intercepts == {0, 2}
    ratio = np.log(40 * 30 / (12 * 20))
    assert found.coefficients[1] == pytest.approx(ratio, abs=1e-7)
    assert found.covariance[1, 1] == pytest.approx(1 / 40 + 1 / 30 + 1 / 12 + 1 / 20, rel=1e-6)
    by_scores, _ = score_regression(AnswerCells.of(Predictors.of(records, "o ~ g")))
    assert by_scores == pytest.approx(found.coefficients, abs=1e-6)


def test_that_expected_reports_give_the_true_slopes(tmp_path: Path) -> None:
    records = ScoredRecords(write(tmp_path / "records.csv", expected_records(10)), example())
    found = regression(records, "B ~ A")
    assert (found.model, found.method) == ("logistic", "likelihood")
    assert found.names == ("Intercept", "A[T.b]", "A[T.c]")
    wanted = [_odds("a"), _odds("b") - _odds("a"), _odds("c") - _odds("a")]
    assert found.coefficients == pytest.approx(wanted, abs=1e-6)
    slopes, covariance = score_regression(AnswerCells.of(Predictors.of(records, "B ~ A")))
    assert slopes == pytest.approx(wanted, abs=1e-6)
    # As many slopes as shares are free: both are the delta method through the inverse channel.
    assert np.sqrt(np.diag(covariance)) == pytest.approx(
        np.sqrt(np.diag(found.covariance)), rel=1e-3
    )
    multinomial = regression(records, "A ~ B")
    assert multinomial.names == ("b: Intercept", "b: B[T.y]", "c: Intercept", "c: B[T.y]")
    across = [float(np.log(float(TRUE[u, v] / TRUE["a", v]))) for u in "bc" for v in "xy"]
    wanted = [across[0], across[1] - across[0], across[2], across[3] - across[2]]
    assert multinomial.coefficients == pytest.approx(wanted, abs=1e-6)


def test_that_the_errors_of_the_likelihood_are_those_of_its_enumeration(tmp_path: Path) -> None:
    times = 10
    records = ScoredRecords(write(tmp_path / "records.csv", expected_records(times)), example())
    found = regression(records, "B ~ A")
    # Fisher's information of all six reports, from their law, by differences of the cells' logs.
    channel = np.kron((np.ones((3, 3)) + 2 * np.eye(3)) / 5, (np.ones((2, 2)) + np.eye(2)) / 3)
    table = np.array([[float(TRUE[u, v]) for v in "xy"] for u in "abc"])
    share, slopes = table.sum(axis=1), found.coefficients

    def reports(at: Floats) -> Floats:
        logits = at[0] + np.array([0.0, at[1], at[2]])
        p = 1 / (1 + np.exp(-logits))
        a = np.array([1 - at[3] - at[4], at[3], at[4]])
        return (np.column_stack((1 - p, p)) * a[:, None]).ravel() @ channel

    at = np.array([*slopes, share[1], share[2]])
    jacobian = np.column_stack(
        [(reports(at + h) - reports(at - h)) / 2e-6 for h in 1e-6 * np.eye(5)]
    )
    information = jacobian.T @ (jacobian / reports(at)[:, None]) * 180 * times
    wanted = np.linalg.inv(information)[:3, :3]
    assert found.covariance == pytest.approx(wanted, rel=1e-3)


def test_that_a_linear_slope_on_a_protected_category_is_the_difference_of_means(
    tmp_path: Path,
) -> None:
    # The share of y by A, as a number.
    columns = [
        *example().columns[:1],
        ColumnPlan(
            name="B",
            kind="binary",
            domain=Categorical(values=("0", "1")),
            confirmed=True,
            role="protect",
            mechanism=mechanism("grr", "0.69314718056"),
        ),
    ]
    rows = [(a, "01"["xy".index(b)]) for a, b in expected_records(10)]
    records = ScoredRecords(write(tmp_path / "records.csv", rows), Plan(columns=tuple(columns)))
    found = regression(records, "B ~ A", "linear")
    share = {u: float(TRUE[u, "y"] / (TRUE[u, "x"] + TRUE[u, "y"])) for u in "abc"}
    wanted = [share["a"], share["b"] - share["a"], share["c"] - share["a"]]
    assert found.coefficients == pytest.approx(wanted, abs=1e-8)
    back = regression(records, "B ~ 0 + A", "linear")
    assert back.coefficients == pytest.approx([share[u] for u in "abc"], abs=1e-8)


def _numbers(kind: str) -> Plan:
    def number(name: str, word: str) -> ColumnPlan:
        return ColumnPlan(
            name=name,
            kind="integer",
            domain=Integer(lower=0, upper=10),
            confirmed=True,
            role="protect",
            mechanism=mechanism(word, "4"),
        )

    return Plan(columns=(number("x", kind), number("y", "duchi")))


def test_that_a_predictor_needs_reports_that_tell_of_squares(tmp_path: Path) -> None:
    from dpdesk.estimation.released import bind_attributes

    for kind, is_told in (("piecewise", True), ("duchi", False)):
        plan = _numbers(kind)
        outputs = {column.name: bound.outputs for column, bound in bind_attributes(plan)}
        draw = np.random.default_rng(1)
        texts = {
            name: [known[i] for i in draw.integers(len(known), size=400).tolist()]
            for name, known in outputs.items()
        }
        records = _records(tmp_path, plan, **texts)
        if is_told:
            assert regression(records, "y ~ x").model == "linear"
            continue
        with refused("estimation.no-squares", column="x"):
            regression(records, "y ~ x")


@pytest.mark.parametrize(
    ("formula", "told"),
    [
        ("B + A", "one outcome, a tilde"),
        ("B ~ A ~ A", "one outcome, a tilde"),
        ("B + A ~ A", "one outcome, a tilde"),
        ("B ~ B", "both sides"),
        ("B ~ C", "character 5"),
        ("B ~ I(A)", "character 5"),
        ("B ~ 0", "no term"),
    ],
)
def test_that_what_is_no_regression_is_refused(tmp_path: Path, formula: str, told: str) -> None:
    records = ScoredRecords(write(tmp_path / "records.csv", expected_records()), example())
    with pytest.raises((ParameterError, InputError), match=told):
        regression(records, formula)


@pytest.mark.parametrize("weights", [(1.0, 1.0), (0.5, 2.0), (2e6, 1e6)])
@pytest.mark.parametrize("groups", ["gg", "gh"])
def test_that_a_slope_without_end_is_refused(
    tmp_path: Path, groups: str, weights: tuple[float, float]
) -> None:
    # A tenth of the reports say c, where a fifth would with nobody in c: its log odds are best at
    # minus infinity, towards which the sandwich shrinks with the gradient.
    kept = ColumnPlan(name="g", kind="nominal", role="keep", keep_confirmed=True)
    weighted = ColumnPlan(name="w", kind="weight", role="keep", keep_confirmed=True)
    plan = Plan(columns=(*example("B").columns[:1], kept, weighted))
    said = "aaaaabbbbc" * 60
    of_group = "".join(group * 300 for group in groups)
    told = [str(weights[row % 2]) for row in range(600)]
    records = _records(tmp_path, plan, A=said, g=of_group, w=told)
    formula = "A ~ g" if groups == "gh" else "A ~ 1"
    with refused("estimation.not-estimable"):
        regression(records, formula)
    with refused("estimation.not-estimable"):
        score_regression(AnswerCells.of(Predictors.of(records, formula)))
