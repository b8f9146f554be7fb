"""Epsilons for an error of several columns: what the bisection finds is what a walk finds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from dpdesk.domains import Categorical, Integer
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.plan.joint_errors import (
    LADDER,
    Part,
    Z,
    cells_of,
    joint_error,
    readings,
    records_of,
    serving,
    unit_of,
)
from dpdesk.plan.joint_question import JointQuestion, asked_of
from dpdesk.plan.joint_target import least_steps, plan_for_joint_error
from tests.plan.plans import mechanism
from tests.refusals import refused

Steps = tuple[int, ...]


def _column(name: str, domain: Categorical | Integer, kind: str, epsilon: str) -> ColumnPlan:
    return ColumnPlan(
        name=name,
        kind="integer" if isinstance(domain, Integer) else "nominal",
        domain=domain,
        confirmed=True,
        role="protect",
        mechanism=mechanism(kind, epsilon),
    )


PLAN = Plan(
    columns=(
        _column("A", Categorical(values=tuple("abcde")), "grr", "1"),
        _column("B", Categorical(values=tuple("xyz")), "oue", "2"),
        _column("C", Categorical(values=("f", "m")), "warner", "1"),
        _column("age", Integer(lower=18, upper=40, unit="years"), "piecewise", "2"),
        _column("height", Integer(lower=150, upper=200, unit="cm"), "piecewise", "3"),
        ColumnPlan(
            name="kept",
            kind="nominal",
            domain=Categorical(values=("n", "s")),
            confirmed=True,
            role="keep",
            keep_confirmed=True,
        ),
    ),
    respondents=6366,
)


def _walked(ladders: list[tuple[float, ...]], fits: Callable[[Steps], bool]) -> Steps | None:
    """Tries everything."""
    steps = product(*(range(len(ladder)) for ladder in ladders))
    found = (one for one in steps if fits(one))
    return min(found, key=lambda one: (_total(ladders, one), one), default=None)


def _total(ladders: list[tuple[float, ...]], steps: Steps) -> float:
    return sum(ladder[step] for ladder, step in zip(ladders, steps, strict=True))


@pytest.mark.parametrize("sizes", [(40,), (30, 25), (9, 1, 8), (6, 7, 5, 4)])
def test_that_the_steps_of_least_total_are_those_of_a_walk(sizes: tuple[int, ...]) -> None:
    draw = np.random.default_rng(len(sizes))
    for _ in range(40):
        # Ties of totals and flat parts of the errors are frequent.
        ladders = [tuple(np.cumsum(draw.integers(1, 4, size)) / 2.0) for size in sizes]
        errors = [np.sort(draw.integers(1, 9, size))[::-1] for size in sizes]
        wanted = draw.uniform(1, 9 * len(sizes))
        tried = 0

        def fits(steps: Steps, errors=errors, wanted=wanted) -> bool:
            nonlocal tried
            tried += 1
            return sum(error[step] for error, step in zip(errors, steps, strict=True)) <= wanted

        found = least_steps(ladders, fits)
        assert found == _walked(ladders, fits)


def test_that_few_steps_are_looked_at() -> None:
    ladder, looked = tuple(map(float, LADDER)), set[tuple[int, int]]()

    def fits(steps: Steps) -> bool:
        looked.update(enumerate(steps))
        return 1 / ladder[steps[0]] ** 2 + 1 / ladder[steps[1]] ** 2 <= 0.5

    assert least_steps([ladder, ladder], fits) == _walked([ladder, ladder], fits)
    looked.clear()
    least_steps([ladder, ladder], fits)
    assert len(looked) < len(ladder)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("A x B", 3.0), ("age by A", 0.9), ("B by C", 4.0), ("age ~ C", 1.5), ("A x kept", 2.0)],
)
def test_that_a_target_gets_the_plan_of_a_walk(text: str, wanted: float) -> None:
    question = asked_of(PLAN, text)
    (parts,) = readings(question, PLAN)
    scale, _ = unit_of(question, parts)
    most = (wanted / (Z * scale)) ** 2 * records_of(PLAN, question)
    _, _, variances = cells_of(question.quantity, parts)
    tables = [
        [(0.0, part.variances)]
        if part.mechanism is None
        else [(float(e), part.at(e, serving(question, part))[0]) for e in LADDER]
        for part in parts
    ]

    def fits(steps: Steps) -> bool:
        told = [table[step][1] for table, step in zip(tables, steps, strict=True)]
        return bool(variances(told).max() <= most)

    ladders = [tuple(epsilon for epsilon, _ in table) for table in tables]
    steps = _walked(ladders, fits)
    assert steps is not None
    found = plan_for_joint_error(PLAN, question, wanted)
    for part, ladder, step in zip(parts, ladders, steps, strict=True):
        mechanism = found.column(part.column.name).mechanism
        assert (0.0 if mechanism is None else float(mechanism.epsilon)) == ladder[step]
    assert joint_error(found, question).error_95 <= wanted


def test_that_the_error_of_a_formula_is_that_of_its_worst_slope() -> None:
    alone = [joint_error(PLAN, asked_of(PLAN, f"age ~ {name}")) for name in ("A", "C", "height")]
    told = joint_error(PLAN, asked_of(PLAN, "age ~ A + C + height"))
    worst = max(alone, key=lambda one: one.usefulness.ratio)
    assert told.error_95 == pytest.approx(worst.error_95)
    assert told.usefulness.ratio == pytest.approx(worst.usefulness.ratio)
    assert told.what == f"{worst.what}, the worst of 3"


def test_that_a_target_of_a_formula_holds_for_each_slope() -> None:
    question = asked_of(PLAN, "age ~ A + C")
    found = plan_for_joint_error(PLAN, question, 2.0)
    for name in ("A", "C"):
        assert joint_error(found, asked_of(found, f"age ~ {name}")).error_95 <= 2.0
    with refused("plan.different-units"):
        plan_for_joint_error(PLAN, asked_of(PLAN, "age ~ A + height"), 2.0)


@pytest.mark.parametrize("text", ["age ~ A + A:C", "age ~ A*C", "age ~ 0 + A", "age ~ 1"])
def test_that_a_formula_whose_error_is_not_known_is_refused(text: str) -> None:
    with refused("plan.only-sums", analysis=text):
        JointQuestion.read(text, PLAN)


def test_that_columns_of_a_formula_are_named_as_they_stand_or_between_backticks() -> None:
    plan = PLAN.with_fields(columns=(*PLAN.columns[:3], PLAN.column("age").changed(name="net age")))
    for text in ("net age ~ A + B", "`net age` ~ A + B"):
        assert asked_of(plan, text).names == ("net age", "A", "B")
    assert isinstance(readings(asked_of(plan, "A x B"), plan)[0][0], Part)
