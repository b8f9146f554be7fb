"""Names of columns that may be the first respondent's answers stop a release until confirmed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.data.header import looks_like_answers, unique_names
from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.gui.pages.data.confirm_dialog import ConfirmDomains
from dpdesk.plan import ColumnPlan, Plan, Problem, check, check_table, load_plan
from dpdesk.plan.checks.statistics import check_statistics, check_statistics_table
from dpdesk.plan.checks.synthesis import check_synthesis, check_synthesis_table
from dpdesk.plan.checks.texts import T
from dpdesk.plan.file import plan_from_json, plan_to_json

RECORD = ("6", "148", "72", "33.6", "0.627", "yes")
CODE = "names_unconfirmed"
HEADLESS = "".join(f"{i % 9},{100 + i % 50},{60 + i % 30},yes\n" for i in range(200))


def plan_of(names: tuple[str, ...], **fields: object) -> Plan:
    columns = tuple(ColumnPlan(name=name, kind="identifier") for name in names)
    known = {"reading": Reading(), "reading_confirmed": True, "columns": columns}
    return Plan(**(known | fields))


def table_of(names: tuple[str, ...]) -> SurveyTable:
    return SurveyTable(tuple(TextColumn.from_texts(name, ("1", "2")) for name in names), 2)


def doubts(*found: tuple[Problem, ...]) -> int:
    return [problem.code for problems in found for problem in problems].count(CODE)


@pytest.mark.parametrize(
    ("header", "doubtful"),
    [
        (RECORD, True),
        (("39", "State-gov", "77516", "Bachelors", "13", "single"), True),
        (("35", "35", "", "yes"), True),
        (("2021-03-04", "m", "low"), True),
        (("-1", ".5", "1e-05"), True),
        (("age", "sex", "income"), False),
        (("q1", "q2", "2020"), True),
        (("id", "sex", "region", "2020"), False),
        (("", ""), False),
    ],
)
def test_which_headers_may_be_answers(header: tuple[str, ...], doubtful: bool) -> None:
    assert looks_like_answers(header) is doubtful
    assert looks_like_answers(unique_names(header)[0]) is doubtful


def test_that_the_window_is_told_of_its_own_ways_alone() -> None:
    (problem,) = (one for one in check(plan_of(RECORD)) if one.code == CODE)
    assert problem.message.command in str(problem)
    assert problem.message.command not in problem.in_window
    assert problem.in_window == f"{problem.message} {problem.remedy}"


def test_that_each_kind_of_release_is_stopped_once_and_goes_on_when_confirmed() -> None:
    plan, table = plan_of(RECORD), table_of(RECORD)
    assert doubts(check(plan), check_table(plan, table)) == 1
    assert doubts(check_statistics(plan), check_statistics_table(plan, table)) == 1
    assert doubts(check_synthesis(plan), check_synthesis_table(plan, table)) == 1
    # A query declares some columns only; the names of the others show it.
    few = plan_of(("yes",))
    assert doubts(check_statistics(few), check_statistics_table(few, table)) == 1
    plan = plan.with_fields(names_confirmed=True)
    assert doubts(check(plan), check_table(plan, table), check_synthesis(plan)) == 0
    assert doubts(check_statistics_table(few.with_fields(names_confirmed=True), table)) == 0


def test_that_only_a_line_of_the_file_can_be_an_answer() -> None:
    headless = Reading(header_rows=0)
    assert not doubts(check(plan_of(("column 1", "column 2"), reading=headless)))
    # These formats have names beside their answers.
    for word in ("SPSS", "JSON"):
        assert not doubts(check(plan_of(RECORD, reading=Reading(format=word))))
    assert doubts(check(plan_of(RECORD, reading=Reading(format="Excel"))))


def test_that_the_sentence_repeats_no_answer() -> None:
    found = next(problem for problem in check(plan_of(RECORD)) if problem.code == CODE)
    assert found.severity == "error"
    assert not any(answer in str(found) for answer in ("148", "72", "33.6", "0.627"))


def test_that_earlier_plans_open_and_a_confirmation_is_kept() -> None:
    plan = plan_of(("age",))
    assert "names_confirmed" not in json.loads(plan_to_json(plan))
    assert not plan_from_json(plan_to_json(plan)).names_confirmed
    kept = plan.with_fields(names_confirmed=True)
    assert plan_from_json(plan_to_json(kept)) == kept


def test_that_the_command_line_publishes_no_answers_as_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, plan = tmp_path / "D.csv", tmp_path / "plan.json"
    data.write_text(HEADLESS, encoding="utf-8")
    query = ["query", str(data), "--declare", "60=60..89", "--query", "mean of 60", "--epsilon"]
    assert main([*query, "1", "--before"]) == 1
    assert T.NAMES_UNCONFIRMED() in capsys.readouterr().err
    assert main([*query, "1", "--before", "--header-rows", "1"]) == 0
    assert main(["draft", str(data), "-o", str(plan)]) == 0
    done = tmp_path / "confirmed.json"
    assert main(["confirm", str(plan), "-o", str(done)]) == 0
    assert "--names confirms they are names" in capsys.readouterr().out
    assert doubts(check(load_plan(done))) == 1
    assert main(["confirm", str(plan), "--names", "-o", str(done), "--overwrite"]) == 0
    assert doubts(check(load_plan(done))) == 0
    assert main(["draft", str(data), "--header-rows", "1", "-o", str(plan), "--overwrite"]) == 0
    assert doubts(check(load_plan(plan))) == 0
    assert main(["draft", str(data), "--no-header", "-o", str(plan), "--overwrite"]) == 0
    assert doubts(check(load_plan(plan))) == 0


def test_that_the_window_confirms_names_only_where_somebody_ticks_it(qtbot) -> None:
    plan = plan_of(RECORD)
    shown = ConfirmDomains(plan, {})
    qtbot.addWidget(shown)
    assert not shown.names.isHidden()
    assert not shown.confirm_button.isEnabled()
    assert not shown.confirmed(plan).names_confirmed
    shown.names.setChecked(True)
    assert shown.confirm_button.isEnabled()
    assert shown.confirmed(plan).names_confirmed
    usual = ConfirmDomains(plan_of(("age", "sex")), {})
    qtbot.addWidget(usual)
    assert usual.names.isHidden()
