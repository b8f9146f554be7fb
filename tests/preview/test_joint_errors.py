"""The error of tables, group means and slopes before a release, against that of simulated ones."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpdesk.disclosure.hierarchies import by_widths
from dpdesk.domains import Categorical, Integer
from dpdesk.errors import ParameterError
from dpdesk.estimation.joint import cross_table, means_by_group, shares_by_group
from dpdesk.estimation.regression import regression
from dpdesk.estimation.released import bind_attributes
from dpdesk.estimation.released_columns import objection, released_columns
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.learning.curve import SeededWords
from dpdesk.mechanisms import AnyDomain
from dpdesk.plan import ColumnPlan, Plan, joint_errors, total_epsilon
from dpdesk.plan.checks.coarsening import keep_coarser
from dpdesk.plan.coarsening import Coarsening
from dpdesk.plan.joint_errors import joint_cell
from dpdesk.preview import JointQuestion, joint_error, plan_for_joint_error
from tests.plan.plans import mechanism
from tests.refusals import refused

Z = 1.959963984540054


def _listed(name: str, values: str, kind: str, epsilon: str) -> ColumnPlan:
    return ColumnPlan(
        name=name,
        kind="nominal",
        domain=Categorical(values=tuple(values)),
        confirmed=True,
        role="protect",
        mechanism=mechanism(kind, epsilon),
    )


def _number(name: str, kind: str = "piecewise", epsilon: str = "3") -> ColumnPlan:
    return ColumnPlan(
        name=name,
        kind="integer",
        domain=Integer(lower=0, upper=20, unit="years"),
        confirmed=True,
        role="protect",
        mechanism=mechanism(kind, epsilon),
    )


def _plan(*columns: ColumnPlan, people: int | None = 6366, **fields: object) -> Plan:
    return Plan(columns=columns, respondents=people, **fields)  # type: ignore[arg-type]


def _error(plan: Plan, text: str) -> float:
    question = JointQuestion.read(text, plan)
    assert question is not None
    return joint_error(plan, question).error_95


def test_that_a_cell_has_the_error_of_the_rule_of_thumb() -> None:
    plan = _plan(_listed("A", "abcde", "grr", "1"), _listed("B", "abcde", "grr", "1"))
    # (e + 4) / (e - 1): n Var* of a share of one in five, and of the product of two.
    growth = np.e
    p, q = growth / (growth + 4), 1 / (growth + 4)
    said = q + (p - q) / 5
    one = said * (1 - said) / (p - q) ** 2
    cell = (one + 1 / 25) ** 2 - 1 / 625
    assert 100 * Z * np.sqrt(one / 6366) == pytest.approx(3.8, abs=0.05)
    assert _error(plan, "A x B") == pytest.approx(100 * Z * np.sqrt(cell / 6366), rel=1e-9)
    assert _error(plan, "A x B") == pytest.approx(6.1, abs=0.05)
    # The same as the warning of a plan for tables.
    told = joint_cell(plan)
    assert told is not None
    assert told.error == pytest.approx(_error(plan, "A x B"))


def test_that_predicted_errors_are_those_of_records(tmp_path: Path) -> None:
    n = 20_000
    columns = (
        _listed("A", "abcd", "grr", "2"),
        _listed("B", "xyz", "grr", "1.5"),
        _number("x"),
        _number("y"),
    )
    plan = _plan(*columns, people=n)
    draw, words = np.random.default_rng(2), SeededWords(2)
    texts = {}
    for column, bound in bind_attributes(plan):
        codes = bound.randomize(draw.integers(bound.size, size=n).astype(np.int32), words)
        texts[column.name] = [bound.outputs[code] for code in codes.tolist()]
    path = tmp_path / "records.csv"
    rows = map(",".join, zip(*texts.values(), strict=True))
    path.write_text("\n".join([",".join(texts), *rows]) + "\n")
    records = ScoredRecords(path, plan)

    def mean_square(errors: np.ndarray) -> float:
        return float(Z * np.sqrt((errors**2).mean()))

    table = mean_square(cross_table(records, ("A", "B")).standard_error)
    assert 100 * table == pytest.approx(_error(plan, "A x B"), rel=0.03)
    means = mean_square(means_by_group(records, "x", ("A",)).standard_error)
    assert means == pytest.approx(_error(plan, "x by A"), rel=0.05)
    shares = mean_square(shares_by_group(records, "B", ("A",)).standard_error)
    assert 100 * shares == pytest.approx(_error(plan, "B by A"), rel=0.05)
    slope = regression(records, "y ~ x")
    assert Z * np.sqrt(slope.covariance[1, 1]) == pytest.approx(_error(plan, "y ~ x"), rel=0.05)
    assert slope.units == ("years", "years per year")
    assert set(regression(records, "B ~ A").units) == {"log odds"}
    mixed = regression(records, "y ~ A + x:A")
    told = dict(zip(mixed.names, mixed.units, strict=True))
    assert (told["A[T.b]"], told["x:A[b]"]) == ("years", "years per year")


@pytest.mark.parametrize(("text", "wanted"), [("A x B", 3.0), ("x by A", 0.9), ("x ~ y", 0.2)])
def test_that_a_target_is_met_by_the_least_total(text: str, wanted: float) -> None:
    plan = _plan(
        _listed("A", "abcde", "grr", "1"),
        _listed("B", "xyz", "grr", "1"),
        _number("x"),
        _number("y", "duchi", "1"),
    )
    question = JointQuestion.read(text, plan)
    assert question is not None
    solved = plan_for_joint_error(plan, question, wanted)
    assert _error(solved, text) <= wanted
    untouched = {column.name for column in plan.columns} - set(question.names)
    assert all(solved.column(name) == plan.column(name) for name in untouched)
    looser = plan_for_joint_error(plan, question, 1.1 * wanted)
    assert total_epsilon(looser) < total_epsilon(solved)


def test_that_a_kept_column_has_no_noise() -> None:
    kept = ColumnPlan(
        name="B",
        kind="nominal",
        domain=Categorical(values=("x", "y")),
        confirmed=True,
        role="keep",
        keep_confirmed=True,
    )
    plan = _plan(_listed("A", "abcde", "grr", "1"), kept)
    both = _plan(_listed("A", "abcde", "grr", "1"), _listed("B", "xy", "grr", "1"))
    assert _error(plan, "A x B") < _error(both, "A x B")
    # One protected column beside kept ones can be told where respondents report one attribute.
    smp = plan.model_copy(update={"strategy": "smp"})
    assert _error(smp, "A x B") > 0


def test_that_what_cannot_be_told_is_refused() -> None:
    columns = (_listed("A", "abc", "grr", "1"), _listed("B", "xy", "grr", "1"), _number("x"))
    plan = _plan(*columns, _number("d", "duchi", "1"))
    for text, told in (
        ("x x A", "plan.no-categories"),
        ("A by x", "plan.no-categories"),
        ("A ~ d", "plan.no-squares"),
    ):
        with refused(told):
            _error(plan, text)
    with refused("plan.column-twice"):
        JointQuestion.read("A x A", plan)
    with refused("plan.not-together"):
        _error(_plan(*columns, strategy="smp"), "A x B")
    assert JointQuestion.read("A x nothing", plan) is None
    question = JointQuestion.read("A x B", plan)
    assert question is not None
    with refused("plan.unreachable"):
        plan_for_joint_error(plan, question, 0.1)
    with pytest.raises(ParameterError, match="above 0"):
        plan_for_joint_error(plan, question, 0)


def test_that_what_is_out_of_reach_is_refused_without_a_ladder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan = _plan(_listed("A", "abc", "grr", "1"), _listed("B", "xy", "grr", "1"), _number("x"))
    tried: list[Decimal] = []
    real = joint_errors.proposed

    def noted(domain: AnyDomain, epsilon: Decimal, *more: Any) -> Any:
        tried.append(epsilon)
        return real(domain, epsilon, *more)

    monkeypatch.setattr(joint_errors, "proposed", noted)
    for text in ("A x B", "x by A", "x ~ A", "A ~ x"):
        question = JointQuestion.read(text, plan)
        assert question is not None
        tried.clear()
        with refused("plan.unreachable"):
            plan_for_joint_error(plan, question, 1e-4)
        assert tried == [Decimal(20), Decimal(20)]


@pytest.mark.parametrize("name", ["A", "x"])
def test_that_a_larger_epsilon_is_never_worse_so_that_the_top_of_a_ladder_decides(
    name: str,
) -> None:
    plan = _plan(_listed("A", "abc", "grr", "1"), _number("x"))
    part = joint_errors._part(plan, name)
    found = [part.at(epsilon, lambda _: True)[0].max() for epsilon in joint_errors.LADDER[::7]]
    top = part.at(joint_errors.LADDER[-1], lambda _: True)[0].max()
    assert all(top <= each * (1 + 1e-9) for each in found)


def test_that_the_error_told_is_the_largest_over_the_cells_and_a_target_holds_for_each() -> None:
    shares = np.array([0.02, 0.18, 0.8])
    weights = tuple(Decimal(str(share)) for share in shares)
    first = _listed("A", "abc", "grr", "2").changed(expected=weights)
    plan = _plan(first, _listed("B", "xy", "grr", "2"))

    v = []
    for of in (shares, np.array([0.5, 0.5])):
        p, q = np.exp(2) / (np.exp(2) + of.size - 1), 1 / (np.exp(2) + of.size - 1)
        said = q + (p - q) * of
        v.append((of, said * (1 - said) / (p - q) ** 2 + of**2))
    (f, s), (g, t) = v
    cells = np.outer(s, t) - np.outer(f, g) ** 2
    largest = 100 * Z * np.sqrt(cells.max() / 6366)
    typical = 100 * Z * np.sqrt(cells.mean() / 6366)
    assert largest > 1.1 * typical
    assert _error(plan, "A x B") == pytest.approx(largest, rel=1e-6)
    question = JointQuestion.read("A x B", plan)
    assert question is not None
    assert _error(plan_for_joint_error(plan, question, 2.0), "A x B") <= 2.0


def test_that_nothing_is_promised_of_a_column_that_is_released_coarser() -> None:
    plan = _plan(_number("age"), _listed("vote", "xyz", "grr", "2"))
    ages = Integer(lower=0, upper=20)
    plan = keep_coarser(plan, {"age": Coarsening.of(by_widths("age", ages, [5]), 1)})
    for text in ("vote x age", "vote by age", "age ~ vote"):
        with refused("plan.released-coarser", name="age"):
            _error(plan, text)


def test_that_a_protected_number_can_be_outcome_and_predictor_of_a_model() -> None:
    plan = _plan(_number("age"), _listed("sex", "fm", "grr", "2"))
    columns = {column.name: column for column in released_columns(plan)}
    assert objection(plan, columns, "age", "outcome", ()) is None
    assert objection(plan, columns, "age", "predictor", ("sex",)) is None
