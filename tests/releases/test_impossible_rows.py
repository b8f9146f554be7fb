"""Released rows: what cannot be, who was not asked, and questions with several answers."""

from __future__ import annotations

import csv
import json
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical, Integer, OptionSet
from dpdesk.engine import untracked
from dpdesk.errors import ParameterError, PlanError
from dpdesk.ledgers import Ledger
from dpdesk.plan import ColumnPlan, MissingPolicy, Plan, load_plan
from dpdesk.plan.checks.synthesis import check_synthesis, check_synthesis_table
from dpdesk.plan.declared_routing import read_asked
from dpdesk.plan.file import plan_to_json
from dpdesk.plan.impossible import declare_impossible
from dpdesk.plan.synthesis import Impossible, Synthesis
from dpdesk.queries.condition import Condition
from dpdesk.queries.phrase_reader import PhraseReader
from dpdesk.releases.release import Release, release
from dpdesk.releases.synthetic import SYNTHETIC
from tests.refusals import refused

ROWS = 2_400
MEDIA = ("tv", "web", "radio", "paper", "talk", "books")
YOUNG = "age is at most 16 and status is married or divorced"


def column(name: str, domain: Any, **fields: Any) -> ColumnPlan:
    kinds = {Categorical: "nominal", Integer: "integer", OptionSet: "several"}
    given = {"name": name, "kind": kinds[type(domain)], "domain": domain, "confirmed": True}
    return ColumnPlan.model_validate(given | {"role": "protect"} | fields)


def a_plan(epsilon: str = "6", **sets: Any) -> Plan:
    policy = {"policy": "category", "value": "not asked"}
    return Plan(
        respondents=ROWS,
        synthesis=Synthesis(epsilon=Decimal(epsilon)),
        columns=(
            column("age", Integer(lower=10, upper=69)),
            column("status", Categorical(values=("single", "married", "divorced"))),
            column("smoker", Categorical(values=("no", "daily", "sometimes"))),
            column("brand", Categorical(values=("a", "b")), missing=MissingPolicy(**policy)),
            column("packs", Integer(lower=0, upper=9), missing=MissingPolicy(policy="protect")),
            column("media", OptionSet(values=MEDIA, separator="|", **sets)),
        ),
    )


def with_rules(plan: Plan) -> Plan:
    """The plan in which brand and packs were asked of smokers, packs of the old as well."""
    for name, rule in (
        ("brand", "smoker is daily or sometimes"),
        ("packs", "smoker is daily, or age is at least 62"),
    ):
        missing = plan.column(name).missing.changed(asked=read_asked(plan, rule))
        plan = plan.with_column(name, missing=missing)
    return plan


def a_table(rows: int = ROWS) -> SurveyTable:
    texts: dict[str, list[str]] = {name: [] for name in a_plan_names()}
    for i in range(rows):
        age, smoker = 10 + i * 7 % 60, ("no", "daily", "sometimes")[i % 5 % 3]
        texts["age"].append(str(age))
        status = "single" if age < 17 else ("single", "married", "divorced")[i // 3 % 3]
        texts["status"].append(status)
        texts["smoker"].append(smoker)
        texts["brand"].append("" if smoker == "no" else "ab"[i // 2 % 2])
        asked = smoker == "daily" or age >= 62
        texts["packs"].append(str(i % 10) if asked else "")
        ticked = [name for at, name in enumerate(MEDIA) if (i // 2 + at) % (at + 2) == 0]
        texts["media"].append("|".join(ticked) or "(none)")
    return table_from_texts(texts, name="people.csv")


def a_plan_names() -> list[str]:
    return [one.name for one in a_plan().columns]


def released(folder: Path, plan: Plan, table: SurveyTable | None = None) -> Release[Any, Any]:
    return release(SYNTHETIC, table or a_table(), plan, folder, untracked())


def lines_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "records.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("epsilon", ["0.05", "6"])
def test_that_no_released_row_has_what_was_declared_to_be_impossible(
    tmp_path: Path, epsilon: str
) -> None:
    never = "status is single and media has tv and media does not have web"
    plan = declare_impossible(with_rules(a_plan(epsilon)), YOUNG)
    # The file has many of these rows, and more than it may have by mistake.
    with pytest.raises(PlanError, match="320 of 2,400"):
        released(tmp_path / "out", declare_impossible(plan, never))
    plan = declare_impossible(plan, never).with_fields(allowed_unfit=Decimal(1))
    plan = plan.with_fields(synthesis=plan.synthesis.with_fields(rows=ROWS))
    released(tmp_path / "out", plan)
    lines = lines_of(tmp_path / "out")
    assert lines
    for line in lines:
        assert int(line["age"]) > 16 or line["status"] == "single"
        ticked = line["media"].split("|")
        assert not (line["status"] == "single" and "tv" in ticked and "web" not in ticked)
        # A blank is the state of those who were not asked.
        assert line["smoker"] != "no" or line["brand"] == "not asked"
        asked = line["smoker"] == "daily" or int(line["age"]) >= 62
        assert asked or line["packs"] == ""


def test_that_without_a_declaration_noise_makes_such_rows_up(tmp_path: Path) -> None:
    # At 0.05 the noise now and then leaves no such row: a whole answer has gone under in it.
    plan = a_plan("0.3")
    released(tmp_path / "out", plan.with_fields(synthesis=plan.synthesis.with_fields(rows=ROWS)))
    assert any(
        (int(line["age"]) <= 16 and line["status"] != "single")
        or (line["smoker"] == "no" and line["brand"] != "not asked")
        for line in lines_of(tmp_path / "out")
    )


def test_that_who_was_not_asked_has_the_declared_value_where_that_takes_its_place(
    tmp_path: Path,
) -> None:
    plan = with_rules(a_plan("0.1"))
    for name, value in (("packs", "3"), ("brand", "b")):
        missing = plan.column(name).missing.changed(policy="value", value=value)
        plan = plan.with_column(name, missing=missing)
    released(tmp_path / "out", plan)
    lines = lines_of(tmp_path / "out")
    assert lines
    for line in lines:
        assert line["smoker"] != "no" or line["brand"] == "b"
        assert line["smoker"] == "daily" or int(line["age"]) >= 62 or line["packs"] == "3"


def test_that_what_cannot_be_is_told_in_the_plan_and_the_report(tmp_path: Path) -> None:
    plan = declare_impossible(with_rules(a_plan()), YOUNG)
    result = released(tmp_path / "out", plan)
    assert load_plan(tmp_path / "out" / "plan.json").synthesis == plan.synthesis
    assert result.report.impossible[0] == f"{YOUNG}."
    assert "it was asked only where smoker is daily or age is at least 62" in (
        result.report.impossible[2].replace(", or", " or")
    )
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert YOUNG in page
    assert "impossible" not in json.loads(plan_to_json(a_plan()))["synthesis"]


@pytest.mark.parametrize(
    ("missing", "nothing", "blank"),
    [
        (MissingPolicy(policy="blank"), "(none)", ""),
        (MissingPolicy(tokens=("-9",), policy="blank"), "", "-9"),
        (MissingPolicy(policy="category", value="no answer given"), "(none)", "no answer given"),
    ],
    ids=["blank", "code", "category"],
)
@pytest.mark.parametrize("options", [3, 6])
def test_that_questions_with_several_answers_are_written_as_the_file_writes_them(
    tmp_path: Path, options: int, missing: MissingPolicy, nothing: str, blank: str
) -> None:
    domain = OptionSet(values=MEDIA[:options], separator="|", nothing=nothing)
    plan = a_plan("20").with_column("media", domain=domain, missing=missing)
    plan = plan.with_columns(plan.columns[:2] + plan.columns[5:])
    table = a_table()
    cells = [
        "|".join(part for part in text.split("|") if part in domain.values) or nothing
        for text in table.column("media").texts()
    ]
    lacking = "-9" if "-9" in missing.tokens else ""
    cells = [lacking if i % 8 == 0 else cell for i, cell in enumerate(cells)]
    texts = {name: table.column(name).texts() for name in ("age", "status")}
    released(tmp_path / "out", plan, table_from_texts(texts | {"media": cells}))
    lines = lines_of(tmp_path / "out")
    counts = Counter(line["media"] for line in lines)
    assert set(counts) <= {blank, nothing, *_sets(domain)}
    assert counts[blank] / len(lines) == pytest.approx(1 / 8, abs=0.03)
    for option in domain.values:
        true = sum(option in cell.split("|") for cell in cells) / ROWS
        own = sum(option in line["media"].split("|") for line in lines) / len(lines)
        assert own == pytest.approx(true, abs=0.04)
    # What goes together within the question does so in the rows.
    true = sum({"tv", "web"} <= set(cell.split("|")) for cell in cells) / ROWS
    made = sum({"tv", "web"} <= set(line["media"].split("|")) for line in lines) / len(lines)
    assert made == pytest.approx(true, abs=0.06)


def _sets(domain: OptionSet) -> set[str]:
    found = {""}
    for option in domain.values:
        found |= {f"{before}{domain.separator if before else ''}{option}" for before in found}
    return found - {""}


@pytest.mark.parametrize(
    ("combinations", "code"),
    [
        (
            (("age", {"lower": 0}), ("status", {"values": ("single", "married", "divorced")})),
            "impossible_everything",
        ),
        (
            (("age", {"lower": 0}), ("income", {"lower": 5})),
            "impossible_misfit",
        ),
        (
            (("age", {"values": ("old",)}), ("status", {"values": ("single",)})),
            "impossible_misfit",
        ),
    ],
)
def test_that_an_impossible_declaration_is_refused_before_the_charge(
    tmp_path: Path, combinations: Any, code: str
) -> None:
    conditions = tuple(Condition(column=name, **fields) for name, fields in combinations)
    wanted = Synthesis(epsilon=Decimal(6), impossible=(Impossible(all_of=conditions),))
    plan = a_plan().with_fields(synthesis=wanted)
    assert code in {problem.code for problem in check_synthesis(plan)}
    with pytest.raises(PlanError):
        released(tmp_path / "out", plan)
    assert Ledger.open().book().populations() == ()
    assert not (tmp_path / "out").exists()


def test_that_a_combination_of_too_many_cells_is_refused_with_a_remedy() -> None:
    wide = [column(f"q{i}", Categorical(values=tuple(map(str, range(40))))) for i in range(3)]
    plan = a_plan().with_columns((*a_plan().columns, *wide))
    plan = declare_impossible(plan, "q0 is 1 and q1 is 2 and q2 is 3")
    (problem,) = (p for p in check_synthesis(plan) if p.severity == "error")
    assert problem.code == "impossible_too_large"
    assert "64,0" in problem.message


def test_that_an_answer_nobody_can_have_is_told() -> None:
    plan = declare_impossible(a_plan(), "age is at least 10 and status is divorced")
    (problem,) = (p for p in check_synthesis(plan) if p.code == "impossible_answer")
    assert problem.message.values == {"name": "status", "answer": "divorced"}


@pytest.mark.parametrize(
    "typed",
    [
        "age is at least 500 and status is single",
        "status is single and status is married",
        "age is at most 20 and age is at least 21",
        "media has tv and media does not have tv",
        "age is not answered and status is single",
        "brand is answered and brand is not answered",
    ],
)
def test_that_a_combination_that_no_row_can_have_is_refused_and_told_of_a_plan(typed: str) -> None:
    with refused("plan.never-met"):
        declare_impossible(a_plan(), typed)
    reader = PhraseReader(typed, tuple, {c.name: c.domain for c in a_plan().columns if c.domain})
    declared = Impossible(all_of=reader.conditions())
    plan = a_plan()
    plan = plan.with_fields(synthesis=plan.synthesis.with_fields(impossible=(declared,)))
    (problem,) = (p for p in check_synthesis(plan) if p.code == "impossible_never")
    assert problem.severity == "warning"
    assert declared.description in problem.message


@pytest.mark.parametrize(
    "typed",
    [
        "age is at most 20 and age is at least 20",
        "media has tv and media does not have web",
        "packs is not answered and brand is answered",
        "brand is not answered and status is single",
    ],
)
def test_that_a_combination_that_a_row_could_have_is_accepted(typed: str) -> None:
    plan = declare_impossible(a_plan(), typed)
    assert "impossible_never" not in {problem.code for problem in check_synthesis(plan)}


def test_that_rows_of_the_file_against_a_declaration_are_counted_and_not_shown() -> None:
    plan = declare_impossible(a_plan(), "age is at most 11 and status is single")
    found = {p.code: p for p in check_synthesis_table(plan, a_table())}
    assert found["impossible_found"].severity == "error"
    assert "80 of 2,400 rows" in found["impossible_found"].message
    few = plan.with_fields(allowed_unfit=Decimal("0.5"))
    found = {p.code: p for p in check_synthesis_table(few, a_table())}
    assert found["impossible_found"].severity == "warning"


def test_that_a_rule_of_the_questionnaire_that_the_file_breaks_is_told() -> None:
    plan = a_plan()
    rule = read_asked(plan, "smoker is daily")
    plan = plan.with_column("brand", missing=plan.column("brand").missing.changed(asked=rule))
    assert "asked_differs" in {p.code for p in check_synthesis_table(plan, a_table())}


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("age is at most 16", "two to six"),
        ("age is at most 16 and income is 3", "income"),
        ("age is at most 16 and status is widowed", "status"),
        ("age is at most 16, status is married", "must end after"),
        ("", "must begin"),
        ("status is single and media is at least 3", "several answers"),
    ],
)
def test_that_what_is_no_combination_is_refused_in_a_sentence(typed: str, told: str) -> None:
    with pytest.raises(ParameterError, match=told):
        declare_impossible(a_plan(), typed)
