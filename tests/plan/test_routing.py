"""Blanks that tell a filter question: which are found, what a check says, what is compared anew."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.data.table import table_from_texts
from dpdesk.plan import MissingPolicy, Plan, check_table, draft_table, protect_unassigned
from dpdesk.plan.check_table import AnswerChecks
from dpdesk.plan.routing import Filter, FilterFinder

# Who does not smoke was not asked how many.
SMOKER = ["no", "yes", "no", "yes", "yes"] * 40
MANY = ["" if one == "no" else str(row % 30) for row, one in enumerate(SMOKER)]


def test_that_blanks_that_tell_a_protected_filter_are_not_passed_through(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    many = [MANY[0], "", *MANY[2:]]
    sex = ["f", "m", "m", "f", "m", "f"] * 40
    table = table_from_texts({"smoker": SMOKER, "many": many, "sex": sex[: len(many)]})
    plan = draft_table(table)
    filters_of = FilterFinder().filters_of
    assert filters_of(plan, table, "many") == (Filter("smoker", "no"),)
    assert filters_of(plan, table, "smoker") == filters_of(plan, table, "sex") == ()
    plan = protect_unassigned(plan).with_column("many", missing=MissingPolicy(policy="blank"))

    def found(plan: Plan) -> list[str]:
        problems = check_table(plan, table)
        return [p.severity for p in problems if p.code == "blanks_tell_filter"]

    assert found(plan) == ["error"]
    assert found(plan.with_column("smoker", role="drop")) == ["warning"]
    assert found(plan.with_column("smoker", role="keep")) == []
    assert found(plan.with_column("many", missing=MissingPolicy(policy="protect"))) == []
    survey = tmp_path / "survey.csv"
    rows = "".join(f"{s},{m}\n" for s, m in zip(SMOKER, many, strict=True))
    survey.write_text("smoker,many\n" + rows, encoding="utf-8")
    assert not main(["draft", str(survey), "-o", str(tmp_path / "plan.json")])
    assert "many: Blank where smoker is no: probably not asked." in capsys.readouterr().err


def test_that_blanks_are_compared_anew_only_with_columns_that_were_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = table_from_texts({"smoker": SMOKER, "many": MANY, "sex": ["f", "m"] * 100})
    plan = protect_unassigned(draft_table(table))
    plan = plan.with_column("many", missing=MissingPolicy(policy="blank"))
    compared: list[str] = []
    routing = import_module("dpdesk.plan.routing")
    compare = routing._filters

    def noted(*pair: object) -> object:
        compared.append(pair[3].name)  # type: ignore[attr-defined]
        return compare(*pair)

    monkeypatch.setattr(routing, "_filters", noted)
    answers = AnswerChecks()
    first = check_table(plan, table, answers=answers)
    assert compared == ["smoker", "sex"]
    assert "blanks_tell_filter" in {problem.code for problem in first}
    assert check_table(plan, table, answers=answers) == first
    dropped = plan.with_column("smoker", role="drop")
    assert check_table(dropped, table, answers=answers) == check_table(dropped, table)
    compared.clear()
    smokers = plan.with_column("smoker", missing=MissingPolicy(tokens=("no",)))
    found = check_table(smokers, table, answers=answers)
    assert compared == ["smoker"]
    assert "blanks_tell_filter" not in {problem.code for problem in found}
    assert found == check_table(smokers, table)
    compared.clear()
    other = table_from_texts(
        {"smoker": ["yes", *SMOKER[1:]], "many": MANY, "sex": ["f", "m"] * 100}
    )
    assert check_table(plan, other, answers=answers) == check_table(plan, other)


def test_that_filters_far_away_are_not_looked_for_among_thousands_of_columns() -> None:
    others = {f"c{i}": ["1", "2"] * 100 for i in range(2_000)}
    near = table_from_texts(dict(**others, smoker=SMOKER, many=MANY))
    far = table_from_texts(dict(smoker=SMOKER, **others, many=MANY))
    found = [FilterFinder().filters_of(draft_table(table), table, "many") for table in (near, far)]
    assert found == [(Filter("smoker", "no"),), ()]
