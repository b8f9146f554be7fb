"""Categories that look alike are told: of records, statistics and synthetic rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.plan import Plan, check, load_plan
from dpdesk.plan.checks.statistics import check_statistics
from dpdesk.plan.checks.synthesis import check_synthesis
from dpdesk.plan.checks.texts import T
from dpdesk.plan.problem import Problem
from dpdesk.plan.statistics import Statistics
from dpdesk.queries.phrase import parse_query

ALIKE = T.ANSWERS_ALIKE(count=1, names="region")


def drafted(path: Path, region: str, *options: str) -> Plan:
    survey, plan = path / "survey.csv", path / "plan.json"
    regions = ["North"] * 155 + [region] * 11 + ["South"] * 90
    survey.write_text("\n".join(["region", *regions]) + "\n", encoding="utf-8")
    wanted = ["draft", str(survey), "-o", str(plan), "--overwrite", *options]
    assert main(wanted) == 0
    return load_plan(plan)


def alike(problems: tuple[Problem, ...]) -> list[str]:
    return [problem.path for problem in problems if problem.code == "answers_alike"]


def test_that_a_draft_and_every_check_tell_of_categories_that_look_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = drafted(tmp_path, "North\u200b", "--confirm-domains", "--json")
    told = capsys.readouterr()
    assert ALIKE in told.err
    assert "\u200b" not in told.err
    codes = [problem["code"] for problem in json.loads(told.out)["problems"]]
    assert codes.count("answers_alike") == 1
    asked = Statistics(queries=(parse_query("count by region"),))
    for problems in (
        check(plan),
        check(plan.with_column("region", role="unassigned", mechanism=None)),
        check_statistics(plan.with_fields(statistics=asked)),
        check_synthesis(plan),
    ):
        assert alike(problems) == ["columns.region.domain"]
    (problem,) = (problem for problem in check(plan) if problem.code == "answers_alike")
    # The words of the check name no answer.
    assert problem.severity == "warning"
    assert "North" not in str(problem)
    assert "draft" not in problem.in_window
    main(["check", str(tmp_path / "plan.json"), str(tmp_path / "survey.csv")])
    assert ALIKE in capsys.readouterr().out


def test_that_capitals_and_other_words_are_no_such_thing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not alike(check(drafted(tmp_path, "north")))
    assert "look alike" not in capsys.readouterr().err
    unused = drafted(tmp_path, " North", "--drop", "region")
    assert not alike(check(unused))
