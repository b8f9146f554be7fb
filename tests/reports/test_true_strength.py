"""Every face says the strength of the whole loss of a plan, recomputed from its records."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from math import exp
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.plan import Plan, save_plan
from dpdesk.plan.statistics import Statistics
from dpdesk.plan.texts import T
from dpdesk.queries.phrase import parse_query
from dpdesk.queries.unit import PrivacyUnit
from dpdesk.releases.kinds import KINDS
from dpdesk.reports.public import report_html
from dpdesk.reports.texts import T as ReportT
from tests.reports.cases import KEPT, released_of, report_of
from tests.reports.true_numbers import law_of, losses_of, released_by
from tests.strength import column, random_plans, strength_by_odds, strength_in


def without_markup(text: str) -> str:
    """The text of a page."""
    return re.sub("<[^>]*>", "", text)


@pytest.mark.parametrize("number", range(24))
def test_that_every_face_says_the_strength_of_the_enumerated_records(
    number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = random_plans(24)[number]
    word = strength_by_odds(exp(losses_of(plan).record))
    path = tmp_path / "plan.json"
    save_plan(plan, path)
    for command in ("check", "choose"):
        main([command, str(path)])
        assert strength_in(capsys.readouterr().out) == word, command
    main(["check", str(path), "--json"])
    assert json.loads(capsys.readouterr().out)["protection"]["records"]["strength"] == word
    main(["choose", str(path), "--json"])
    assert json.loads(capsys.readouterr().out)["strength"] == word
    report = report_of(released_by(plan))
    assert report.risk.record.strength == word
    assert strength_in(report.for_respondents.worst[0]) == word
    assert strength_in(without_markup(report_html(report))) == word
    for risk in report.risk.attributes:
        assert risk.strength == strength_by_odds(exp(float(risk.epsilon)))


def test_that_the_plans_of_this_test_need_all_words() -> None:
    words = {strength_by_odds(exp(losses_of(plan).record)) for plan in random_plans(24)}
    assert words == {"strong", "moderate", "weak", "very weak"}


def test_that_a_strong_protection_is_not_said_of_what_has_none() -> None:
    plan = Plan(columns=(column("q", "grr", 2, "1"), KEPT))
    records = next(kind for kind in KINDS if kind.name == "records")
    assert records.protection(plan).endswith(T.LEFT_UNPROTECTED(count=1))
    assert "unprotected" not in records.protection(Plan(columns=plan.columns[:1]))
    assert records.protection(Plan(columns=(KEPT,))) == ""


@pytest.mark.parametrize("relation", ["add_remove", "replace"])
@pytest.mark.parametrize("epsilon", ["0.5", "1", "2.9", "3", "6.9", "7"])
def test_that_queries_say_the_strength_of_all_together(
    relation: str, epsilon: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.csv").write_text("age\n20\n30\n40\n", encoding="utf-8")
    words = ["query", str(tmp_path / "a.csv"), "--query", "mean of age", "--query", "median of age"]
    words += ["--declare", "age=0..100", f"--epsilon={epsilon}"]
    words += [f"--relation={relation.replace('_', '-')}"]
    word = strength_by_odds(exp(float(epsilon)))
    assert main([*words, "--before"]) == 0
    assert strength_in(capsys.readouterr().out) == word
    assert main([*words, "--before", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["strength"] == word
    ledger = ["--ledger", str(tmp_path / "ledger"), "--population", "people"]
    assert main([*words, *ledger]) == 0
    assert strength_in(capsys.readouterr().out) == word
    assert main([*words, *ledger, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["risk"]["strength"] == word
    assert strength_in(report["for_respondents"]["worst"][0]) == word


def test_that_a_plan_of_several_kinds_says_the_strength_of_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    query = parse_query("count", epsilon=Decimal(1), noise="geometric", delta=Decimal(0))
    plan = Plan(
        columns=(column("q", "grr", 2, "5"),),
        statistics=Statistics(queries=(query,), unit=PrivacyUnit()),
    )
    save_plan(plan, tmp_path / "plan.json")
    main(["check", str(tmp_path / "plan.json")])
    lines = capsys.readouterr().out.splitlines()
    said = {line.partition(":")[0]: line for line in lines if "Protection" in line}
    assert {name: strength_in(line) for name, line in said.items()} == {
        "records": "weak",
        "statistics": "strong",
    }


def test_that_a_report_of_an_earlier_version_is_read_and_shows_its_strength() -> None:
    report = report_of(released_of(Plan(columns=(column("q", "grr", 2, "4"),))))
    content = report.model_dump(mode="json")
    del content["risk"]["record"]["strength"]
    for risk in content["risk"]["attributes"]:
        del risk["strength"]
    assert strength_in(without_markup(report_html(type(report).model_validate(content)))) == "weak"


@pytest.mark.parametrize(
    ("words", "odds"),
    [
        (["--design", "warner", "--set", "p=3/4", "--prevalence", "0.1", "--margin", "0.05"], 3),
        (["--design", "warner", "--set", "p=9/10", "--prevalence", "0.1", "--margin", "0.05"], 9),
        (["--odds", "20"], 20),
        (["--odds", "21"], 21),
        (["--epsilon", "8", "--question", "0.1:0.05", "--question", "0.2:0.05"], exp(8)),
        (
            ["--design=forced", "--set=forced_no=1/4", "--set=forced_yes=1/4", "--prevalence=0.1"],
            3,
        ),
    ],
)
def test_that_the_plan_of_a_survey_says_the_strength_of_its_answers(
    words: list[str], odds: float, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["survey", "plan", *words]) == 0
    assert strength_in(capsys.readouterr().out) == strength_by_odds(odds)
    assert main(["survey", "plan", *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["strength"] == strength_by_odds(odds)


@pytest.mark.parametrize("strategy", ["spl", "smp", "rsfd", "rsrfd"])
def test_that_no_report_promises_that_true_answers_are_unseen(strategy: str) -> None:
    columns = (column("q", "grr", 2, "9.5"), column("r", "grr", 2, "9.5"), KEPT)
    plan = Plan(columns=columns, strategy=strategy)
    # Nearly every report of an answer is the answer itself.
    assert law_of(columns[0])[0, 0] > 0.999
    report = report_of(released_by(plan))
    assert report.trust.sees_raw_data.endswith(ReportT.READERS_UNSURE())
    told = " ".join((*report.for_respondents.hidden, report.trust.sees_raw_data))
    assert not re.search(r"\b(sees|see) no\b|\bnobody\b|\bnever\b|is a proof", told.lower())


@pytest.mark.parametrize("p", ["0.52", "0.75", "0.9", "0.97", "0.9995"])
def test_that_a_survey_says_its_strength_before_and_after(
    p: str, capsys: pytest.CaptureFixture[str]
) -> None:
    design = ["--design", "warner", "--set", f"p={p}"]
    word = strength_by_odds(float(p) / (1 - float(p)))
    for words in (
        ["estimate", *design, "--counts", "60/100"],
        ["simulate", *design, "--prevalence", "0.1", "--respondents", "50", "--repetitions", "20"],
    ):
        assert main(["survey", *words]) == 0
        assert strength_in(capsys.readouterr().out) == word, words
        assert main(["survey", *words, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["strength"] == word, words


def test_that_the_ledger_says_the_strength_of_all_that_was_spent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, ledger = tmp_path / "a.csv", ["--ledger", str(tmp_path / "ledger")]
    data.write_text("age\n20\n30\n40\n", encoding="utf-8")
    query = ["query", str(data), "--query", "mean of age", "--declare", "age=0..100"]
    spent = 0.0
    for epsilon, people in (("1", []), ("1.5", []), ("2", []), ("3", [])):
        named = ["--population", "people", *people]
        assert main([*query, f"--epsilon={epsilon}", *named, *ledger]) == 0
        spent += float(epsilon)
        capsys.readouterr()
        assert main(["ledger", *ledger]) == 0
        (told,) = re.findall(r"\(protection: ([a-z ]+)\)", capsys.readouterr().out)
        assert told == strength_by_odds(exp(spent))
        assert main(["ledger", *ledger, "--json"]) == 0
        (population,) = json.loads(capsys.readouterr().out)["populations"]
        assert population["total"]["strength"] == told
