from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dpdesk.data.read_records import read_records
from dpdesk.data.table import table_from_texts
from dpdesk.engine import sanitize, untracked
from dpdesk.estimation import estimate_rows, released_by_group, released_from_records
from dpdesk.estimation.from_records import GROUPS_MAX
from dpdesk.plan import ColumnPlan, Plan
from tests.plan.plans import mechanism, small_plan, small_table
from tests.refusals import refused

GRID = ColumnPlan(
    name="age",
    kind="integer",
    domain=small_plan().column("age").domain,
    confirmed=True,
    role="protect",
    mechanism=mechanism("bounded_laplace", "1"),
)


def _weighted(plan: Plan) -> Plan:
    weight = ColumnPlan(name="w", kind="weight", role="keep", keep_confirmed=True)
    return plan.with_columns((*plan.columns, weight))


@pytest.mark.parametrize("weighted", [False, True])
def test_that_records_alone_give_the_estimates_of_the_release(
    tmp_path: Path, weighted: bool
) -> None:
    plan = small_plan().with_column("mood", other="=rest").with_columns(small_plan().columns)
    table = small_table(w=["1", "2.5", "1", "0.5", "3", "1"])
    plan = (
        _weighted(plan)
        if weighted
        else plan.with_columns((*plan.columns, ColumnPlan(name="w", kind="weight", role="drop")))
    )
    released = sanitize(table, plan, tmp_path, untracked())
    again = released_from_records(read_records(tmp_path), plan)
    assert again.rows == released.rows
    for first, second in zip(released.attributes, again.attributes, strict=True):
        assert first.tally.counts == pytest.approx(second.tally.counts, abs=1e-9)
        assert first.tally.weight == pytest.approx(second.tally.weight)
        assert next(estimate_rows(first)).total_standard_error == pytest.approx(
            next(estimate_rows(second)).total_standard_error
        )
    assert released.attributes[0].tally.weight == pytest.approx(9.0 if weighted else 6.0)


def test_that_reports_of_a_grid_and_text_that_looks_like_a_formula_come_back(
    tmp_path: Path,
) -> None:
    formula = ColumnPlan(
        name="=cmd",
        kind="nominal",
        domain={"type": "categorical", "values": ["=1+1", "-2", "plain"]},
        confirmed=True,
        role="protect",
        mechanism=mechanism("grr", "1"),
    )
    unary = formula.model_copy(update={"name": "@many", "mechanism": mechanism("sue", "1")})
    plan = Plan(columns=(GRID, formula, unary))
    rows = 500
    answers = [("=1+1", "-2", "plain")[i % 3] for i in range(rows)]
    table = table_from_texts(
        {"age": [str(18 + i % 82) for i in range(rows)], "=cmd": answers, "@many": answers}
    )
    released = sanitize(table, plan, tmp_path, untracked())
    again = released_from_records(read_records(tmp_path), plan)
    assert len(released.attributes) == 3
    for first, second in zip(released.attributes, again.attributes, strict=True):
        assert np.array_equal(first.tally.counts, second.tally.counts)


def test_that_a_report_that_the_mechanism_cannot_make_is_located_and_not_quoted() -> None:
    records = table_from_texts({"age": ["18", "19", "planted"]})
    with refused("estimation.impossible", record=3, column="age") as caught:
        released_from_records(records, Plan(columns=(GRID,)))
    assert "planted" not in str(caught.value)


def test_that_records_without_a_released_column_are_refused() -> None:
    with refused("estimation.records-lack", column="age"):
        released_from_records(table_from_texts({"x": ["1"]}), Plan(columns=(GRID,)))


def test_that_a_share_has_one_row_per_category_and_a_mean_has_one(tmp_path: Path) -> None:
    plan = small_plan()
    table = small_table()
    released = sanitize(table, plan, tmp_path, untracked())
    rows = [list(estimate_rows(attribute)) for attribute in released.attributes]
    assert [len(r) for r in rows] == [2, 3, 1]
    assert [r.label for r in rows[1]] == ["in low spirits", "middle", "high"]
    assert rows[2][0].unit == "years"
    assert rows[2][0].sampling_standard_error is None
    for row in (*rows[0], *rows[1]):
        assert row.lower <= row.estimate <= row.upper


REGION = ColumnPlan(name="region", kind="nominal", role="keep", keep_confirmed=True)
MOOD = ColumnPlan(
    name="mood",
    kind="nominal",
    domain={"type": "categorical", "values": ["low", "high"]},
    confirmed=True,
    role="protect",
    mechanism=mechanism("sue", "1"),
)


def test_that_a_group_has_the_estimates_of_a_release_of_its_records_alone(tmp_path: Path) -> None:
    """Whatever a record holds besides, bits as symbols, with weights."""
    plan = _weighted(Plan(columns=(REGION, GRID, MOOD)))
    rows = 300
    cells = {
        "region": ["south" if i % 3 else "north" for i in range(rows)],
        "age": [str(18 + i % 82) for i in range(rows)],
        "mood": ["low" if i % 5 else "high" for i in range(rows)],
        "w": [f"{1 + i % 4}.5" for i in range(rows)],
    }
    sanitize(table_from_texts(cells), plan, tmp_path, untracked())
    north, south = released_by_group(tmp_path, plan, "region")
    assert [(g.text, g.records) for g in (north, south)] == [("north", 100), ("south", 200)]
    records = read_records(tmp_path)
    inside = [i for i, text in enumerate(records.column("region").texts()) if text == "north"]
    names = records.names
    alone = {n: [records.column(n).texts()[i] for i in inside] for n in names}
    expected = released_from_records(table_from_texts(alone), plan)
    assert north.released is not None
    assert south.released is not None
    for first, second in zip(north.released.attributes, expected.attributes, strict=True):
        assert [r.as_dict() for r in estimate_rows(first)] == [
            r.as_dict() for r in estimate_rows(second)
        ]
    whole = released_from_records(records, plan)
    parts = zip(north.released.attributes, south.released.attributes, strict=True)
    for (one, other), both in zip(parts, whole.attributes, strict=True):
        assert one.tally.counts + other.tally.counts == pytest.approx(both.tally.counts)


def test_that_a_group_of_which_nobody_reports_an_attribute_says_so(tmp_path: Path) -> None:
    plan = Plan(columns=(REGION, GRID, MOOD), strategy="smp")
    rows = 200
    cells = {
        "region": ["north", *["south"] * (rows - 1)],
        "age": ["30"] * rows,
        "mood": ["low"] * rows,
    }
    sanitize(table_from_texts(cells), plan, tmp_path, untracked())
    north, south = released_by_group(tmp_path, plan, "region")
    assert (north.released, north.records) == (None, 1)
    assert north.refusal.id == "estimation.no-reports"
    assert (south.refusal, south.records) == ("", rows - 1)


@pytest.mark.parametrize("column", ["age", "none"])
def test_that_groups_are_of_a_column_that_was_released_as_it_is(
    tmp_path: Path, column: str
) -> None:
    plan = Plan(columns=(REGION, GRID))
    table = table_from_texts({"region": ["north", "south"], "age": ["20", "30"]})
    sanitize(table, plan, tmp_path, untracked())
    with refused("estimation.not-unprotected", column=column):
        released_by_group(tmp_path, plan, column)


def test_that_a_column_that_tells_respondents_apart_makes_no_groups(tmp_path: Path) -> None:
    plan = Plan(columns=(REGION, GRID))
    rows = GROUPS_MAX + 1
    cells = {"region": [f"r{i}" for i in range(rows)], "age": ["30"] * rows}
    sanitize(table_from_texts(cells), plan, tmp_path, untracked())
    with refused("estimation.many-texts", column="region", most=GROUPS_MAX):
        released_by_group(tmp_path, plan, "region")
