"""Kept columns on a coarser level: what a plan says of it, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dpdesk.attacks import Target
from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable, TextColumn, table_from_texts
from dpdesk.disclosure.hierarchies import by_widths, in_groups, merged, suggested_hierarchy
from dpdesk.domains import Categorical, Integer, Real
from dpdesk.errors import PlanError
from dpdesk.plan import Plan, check, check_table
from dpdesk.plan.checks.coarsening import keep_coarser
from dpdesk.plan.coarsening import Coarsening
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.column_changes import keep_as_they_are, set_role
from dpdesk.plan.declared_routing import declare_asked
from dpdesk.plan.file import plan_from_json, plan_to_json
from dpdesk.plan.kept_texts import as_kept, kept_texts
from dpdesk.plan.missing import MissingPolicy
from dpdesk.plan.model import public_plan, statistics_plan, synthesis_plan
from dpdesk.plan.recognisable import kept_of
from dpdesk.plan.texts import T
from dpdesk.resources import resource
from tests.plan.plans import mechanism
from tests.refusals import refused

AGES = Integer(lower=18, upper=60)
BANDS = Coarsening.of(by_widths("age", AGES, [5, 10]), 2)


def table(ages: tuple[str, ...] = ("18", "19", "25", "44", "60", "59")) -> SurveyTable:
    sex = ["f", "m"] * (len(ages) // 2)
    return table_from_texts({"age": list(ages), "sex": sex, "vote": ["a", "b"] * (len(ages) // 2)})


def plan(**age: Any) -> Plan:
    """Ages are kept in bands of 10, sexes as they are, and votes protected."""
    kept: dict[str, Any] = {"role": "keep", "keep_confirmed": True, "confirmed": True}
    binary = Categorical(values=("f", "m"))
    votes = Categorical(values=("a", "b"))
    declared = {"kind": "integer", "domain": AGES, "coarsening": BANDS} | kept | age
    return Plan(
        respondents=6,
        columns=(
            ColumnPlan(name="age", **declared),
            ColumnPlan(name="sex", kind="binary", domain=binary, **kept),
            ColumnPlan(
                name="vote",
                kind="binary",
                domain=votes,
                confirmed=True,
                role="protect",
                mechanism=mechanism("warner", "1"),
            ),
        ),
    )


def codes(found: Plan) -> set[str]:
    return {problem.code for problem in check(found) if ".coarsening" in problem.path}


def test_that_a_plan_with_levels_is_read_as_it_was_written() -> None:
    text = plan_to_json(plan())
    assert plan_from_json(text) == plan()
    entry = json.loads(text)["columns"][0]["coarsening"]
    assert (entry["level"], entry["rows"][0]) == (2, ["18", "18 to 19", "18 to 19", "*"])
    # A plan that makes nothing coarser reads as it did.
    assert "coarsening" not in plan_to_json(plan(coarsening=None))


@pytest.mark.parametrize(
    ("coarsening", "said"),
    [
        ({"level": 3, "rows": [["1", "a", "*"]]}, "Level 3 is above the highest one, 2"),
        ({"level": 1, "rows": [["1", "a"], ["2"]]}, T.UNEVEN_LEVELS()),
        ({"level": 1, "rows": [["1"]]}, T.UNEVEN_LEVELS()),
        ({"level": 1, "rows": []}, "rows"),
        ({"level": 0, "rows": [["1", "a"]]}, "level"),
        ({"level": 1, "rows": [["1", "a"], ["1", "b"]]}, "list a value twice"),
        ({"level": 1, "rows": [["1", "a", "x"], ["2", "a", "y"]]}, "separates in row 2"),
    ],
)
def test_that_levels_that_are_no_hierarchy_are_refused(coarsening: Any, said: str) -> None:
    content = json.loads(plan_to_json(plan()))
    content["columns"][0]["coarsening"] = coarsening
    with pytest.raises(PlanError, match=said) as error:
        plan_from_json(json.dumps(content))
    assert "columns.age.coarsening" in str(error.value)


@pytest.mark.parametrize(
    ("coarsening", "words"),
    [
        (BANDS, "merged into "),
        (Coarsening.of(by_widths("age", AGES, [5, 10], 20, 50), 2), "merged into "),
        (
            Coarsening.of(
                suggested_hierarchy("income", Real(lower=0, upper=1000, resolution=1)), 1
            ),
            "merged into ",
        ),
        (Coarsening.of(by_widths("age", AGES, [5]), 2), "as * in every cell"),
        (Coarsening.of(in_groups("d", list("abcdefg"), [3]), 1), "merged into 3 groups (a to c, d"),
        (
            Coarsening.of(merged("city", list("abcd"), {"a": "x", "b": "x"}), 1),
            "merged into 3 groups (x, c, d)",
        ),
        (Coarsening(level=1, rows=(("1", "one"), ("2", "two"))), "with other labels"),
        (
            Coarsening.of(in_groups("a", ["17.5", "22", "27", "32", "37", "42"], [2]), 1),
            "merged into 3 groups (17.5 to 22, 27 to 32, 37 to 42)",
        ),
    ],
)
def test_that_what_it_does_is_said_in_a_clause(coarsening: Coarsening, words: str) -> None:
    assert words in coarsening.words


def test_that_kept_ages_are_released_in_bands_by_definition() -> None:
    texts = TextColumn.from_texts("age", [str(age) for age in (18, 60, 30, 39, 40, 19, 18)])
    found = kept_texts(plan().column("age"), texts, Reading())
    assert found.texts() == [
        *("18 to 19", "60", "30 to 39", "30 to 39", "40 to 49", "18 to 19", "18 to 19")
    ]


def test_that_a_missing_answer_becomes_an_empty_cell_unless_all_cells_are_alike() -> None:
    missing = MissingPolicy(tokens=("", "-9"))
    texts = TextColumn.from_texts("age", ["18", "", "-9", "60"])
    column = plan(missing=missing).column("age")
    assert kept_texts(column, texts, Reading()).texts() == ["18 to 19", "", "", "60"]
    top = column.changed(coarsening=BANDS.model_copy(update={"level": 3}))
    assert kept_texts(top, texts, Reading()).texts() == ["*"] * 4


def test_that_a_file_before_the_plan_keeps_it_is_as_it_was() -> None:
    assert as_kept(table(), None) is not None
    assert as_kept(table(), None).column("age").texts() == table().column("age").texts()
    dropped = plan(role="drop")
    assert as_kept(table(), dropped).column("age").texts() == table().column("age").texts()


def test_that_a_plan_says_that_a_column_is_released_coarser() -> None:
    told = {problem.code: problem for problem in check(plan())}
    assert told["kept_coarser"].message.values["how"] == BANDS.words
    assert "age" not in told["kept"].message
    unconfirmed = {p.code: p for p in check(plan(keep_confirmed=False))}
    assert unconfirmed["keep_unconfirmed"].message.values == {"name": "age"}


def test_that_levels_list_all_that_a_column_can_hold() -> None:
    assert codes(plan()) == {"kept_coarser"}
    wider = plan(domain=Integer(lower=16, upper=61))
    (problem,) = (p for p in check(wider) if p.code == "levels_lack_values")
    assert (problem.severity, problem.message.values["count"]) == ("error", 3)


@pytest.mark.parametrize(
    ("rows", "domain", "lacking"),
    [
        ((("[0, 5)", "low"), ("[5, 10]", "high")), Integer(lower=0, upper=10), 0),
        ((("[0, 5)", "low"), ("[6, 10)", "high")), Integer(lower=0, upper=10), 2),
        ((("[0, 5]", "low"), ("[3, 9]", "high")), Integer(lower=0, upper=10), 1),
        ((("[0, 0.5)", "a"), ("[0.5, 1]", "b")), Real(lower=0, upper=1, resolution="0.1"), 0),
        ((("[0, 0.5)", "a"), ("[0.6, 1]", "b")), Real(lower=0, upper=1, resolution="0.1"), 1),
        ((("1", "a"), ("3", "b")), Integer(lower=1, upper=4), 2),
        ((("1.0", "a"), (" b ", "b")), Categorical(values=("1", "b", "c")), 1),
    ],
)
def test_that_values_without_a_level_are_counted(rows: Any, domain: Any, lacking: int) -> None:
    assert Coarsening(level=1, rows=rows).hierarchy("x").lacks(domain) == lacking


def test_that_answers_without_a_level_stop_a_release_and_are_not_named() -> None:
    found = check_table(plan(domain=None, kind="identifier"), table(("18", "77", "25", "44")))
    (problem,) = (p for p in found if p.code == "answers_without_level")
    assert problem.severity == "error"
    assert problem.message.values == {"name": "age"}
    assert "77" not in str(problem)
    # Whoever stands out is not asked where some answers have no level.
    assert not any(p.code == "recognisable" for p in found)


def test_that_levels_from_the_records_wait_for_a_confirmation() -> None:
    levels = by_widths("age", AGES, [5, 10], from_data=True)
    waiting = plan(coarsening=Coarsening.of(levels, 1))
    assert "levels_unconfirmed" in codes(waiting)
    confirmed = Coarsening.of(levels, 1, confirmed=True, level_from_records=True)
    assert "levels_unconfirmed" not in codes(plan(coarsening=confirmed))
    assert confirmed.origin == (
        "its levels follow from the records and its level was chosen by looking at the records"
    )
    assert BANDS.origin == ""


def test_that_weights_and_questions_that_decide_who_was_asked_stay_as_they_are() -> None:
    assert "weight_coarsened" in codes(plan(kind="weight", domain=None))
    asked = declare_asked(plan(), "vote", "age=30..60")
    (problem,) = (p for p in check(asked) if p.code == "filter_coarsened")
    assert problem.severity == "error"
    values = problem.message.values
    assert (values["other"], values["name"]) == ("vote", "age")
    with refused("plan.checks.filter-coarsened", other="vote"):
        keep_coarser(declare_asked(plan(coarsening=None), "vote", "age=30..60"), {"age": BANDS})
    assert "filter_coarsened" not in codes(
        declare_asked(plan(coarsening=None), "vote", "age=30..60")
    )


def test_that_levels_of_a_column_that_is_not_kept_have_no_effect_and_are_told_of() -> None:
    (problem,) = (p for p in check(plan(role="drop")) if p.code == "coarsening_unused")
    assert problem.severity == "warning"


def test_that_columns_are_kept_on_levels_and_taken_back() -> None:
    bare = plan(coarsening=None, role="unassigned", keep_confirmed=False)
    kept = keep_coarser(bare, {"age": BANDS, "sex": None})
    assert [(c.role, c.coarsening, c.keep_confirmed) for c in kept.columns[:2]] == [
        ("keep", BANDS, False),
        ("keep", None, True),
    ]
    assert keep_coarser(bare, {"age": BANDS}, confirmed=True).column("age").keep_confirmed
    back = keep_as_they_are(kept, ["age", "sex"])
    assert (back.column("age").coarsening, back.column("age").role) == (None, "keep")
    # What is protected or dropped afterwards has no levels left.
    assert set_role(kept, "age", "drop").column("age").coarsening is None
    assert set_role(kept, "age", "protect").column("age").coarsening is None
    with refused("plan.checks.column-unknown", name="nobody"):
        keep_coarser(bare, {"nobody": BANDS})


def test_that_other_releases_of_the_plan_know_nothing_of_levels() -> None:
    assert public_plan(plan()).column("age").coarsening == BANDS
    for other in (statistics_plan(plan()), synthesis_plan(plan())):
        assert all(column.coarsening is None for column in other.columns)
        assert not {p.code for p in check(other)} & {"coarsening_unused"}


def test_that_who_stands_out_is_judged_on_what_is_released() -> None:
    ages = tuple(str(20 + place) for place in range(10)) * 2
    survey, coarse = table(ages), plan()
    raw = plan(coarsening=None)
    found = [kept_of(p, as_kept(survey, p).column, survey.rows) for p in (raw, coarse)]
    assert [(one.unique_rows, one.rows_below) for one in found if one] == [(0, 20), (0, 0)]
    told = [{p.code for p in check_table(p_, survey)} for p_ in (raw, coarse)]
    assert ["recognisable" in codes_ for codes_ in told] == [True, False]


def test_that_the_example_of_the_page_is_a_column_of_a_plan() -> None:
    page = resource("docs/coarsening.md").read_text(encoding="utf-8")
    start = page.index('    {"name"')
    column = ColumnPlan.model_validate_json(page[start : page.index("\n\n", start)])
    assert column.kept_coarser is not None
    assert column.kept_coarser.words == "merged into 2 groups (below 30, 30 or more)"
    texts = TextColumn.from_texts("age", ["18", "29", "30", "60"])
    assert kept_texts(column, texts, Reading()).texts() == [
        *("below 30", "below 30", "30 or more", "30 or more")
    ]
    assert column.domain is not None
    assert column.kept_coarser.hierarchy("age").lacks(column.domain) == 0


def test_that_attacks_begin_with_what_is_released() -> None:
    survey = table(tuple(str(20 + place) for place in range(10)) * 2)
    known = [Target(survey, one).known(()) for one in (plan(coarsening=None), plan())]
    assert [(c.name, c.occurring) for c in known[0]] == [("age", 10), ("sex", 2)]
    assert [(c.name, c.occurring) for c in known[1]] == [("age", 1), ("sex", 2)]


def test_that_blanks_may_not_tell_what_is_released_coarser() -> None:
    found = []
    for coarsening in (BANDS, None):
        asked = declare_asked(plan(coarsening=coarsening), "vote", "age=30..60")
        kept = asked.with_column("vote", role="keep", mechanism=None)
        found.append([p.message for p in check(kept) if p.code == "blanks_tell_filter"])
    assert found[0][0].values == {"name": "vote", "other": "age"}
    assert not found[1]
