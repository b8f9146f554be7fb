"""Analyses that a plan names: drafted, checked, chosen by and reported, from one source."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.texts import T as Cli
from dpdesk.data.read_file import load
from dpdesk.data.sample import sample_path
from dpdesk.plan import check, load_plan, save_plan
from dpdesk.plan.given_answers import with_counts_of
from dpdesk.plan.joint_errors import joint_error, wanted_analyses
from dpdesk.plan.joint_question import JointQuestion, asked_of
from dpdesk.plan.release_usefulness import usefulness_of_records

Captured = pytest.CaptureFixture[str]
WANTED = ("religious x educ", "age by religious", "educ ~ age")


@pytest.fixture
def path(tmp_path: Path, capsys: Captured) -> Path:
    """A plan of the sample for tables, which names three analyses."""
    path = tmp_path / "plan.json"
    words = ["draft", str(sample_path()), "--epsilon", "8", "--purpose", "tables"]
    words += [word for text in WANTED for word in ("--analysis", text)]
    assert main([*words, "--confirm-domains", "-o", str(path)]) == 0
    capsys.readouterr()
    return path


def test_that_a_draft_names_what_is_wanted_and_the_file_keeps_it(path: Path) -> None:
    plan = load_plan(path)
    assert plan.analyses == WANTED
    save_plan(plan, path)
    assert load_plan(path) == plan
    save_plan(plan.with_fields(analyses=()), path)
    # A plan that names none is written as before.
    assert "analyses" not in json.loads(path.read_text())


def test_that_a_formula_of_several_predictors_is_named_and_judged_by_its_worst_slope(
    path: Path, tmp_path: Path, capsys: Captured
) -> None:
    more = tmp_path / "more.json"
    words = ["confirm", str(path), "--analysis", "educ ~ age + religious", "-o", str(more)]
    assert main(words) == 0
    plan = load_plan(more)
    assert plan.analyses == (*WANTED, "educ ~ age + religious")
    alone, other, both = (
        joint_error(plan, asked_of(plan, text))
        for text in ("educ ~ age", "educ ~ religious", "educ ~ age + religious")
    )
    assert both.error_95 in (alone.error_95, other.error_95)
    assert both.usefulness.ratio == max(alone.usefulness.ratio, other.usefulness.ratio)
    assert Cli.ANALYSES_ADDED(analyses="educ ~ age + religious") in capsys.readouterr().out
    assert main([*words, "--overwrite", "--analysis", "educ ~ age + nothing"]) == 2
    assert "nothing" in capsys.readouterr().err
    assert main([*words, "--overwrite", "--analysis", "educ ~ age*religious"]) == 2
    assert "educ ~ age*religious" in capsys.readouterr().err


def test_that_nothing_is_named_where_nothing_is_written(path: Path, capsys: Captured) -> None:
    assert main(["confirm", str(path), "--analysis", "age by educ"]) == 2
    assert "--analysis has no effect without -o" in capsys.readouterr().err


def test_that_check_and_choose_tell_the_same_errors(path: Path, capsys: Captured) -> None:
    assert main(["check", str(path), "--json"]) == 0
    records = json.loads(capsys.readouterr().out)["usefulness"]["records"]
    assert main(["choose", str(path), "--json"]) == 0
    chosen = json.loads(capsys.readouterr().out)["together"]
    plan = load_plan(path)
    for checked, expected, text in zip(records["analyses"], chosen, WANTED, strict=True):
        question = JointQuestion.read(text, plan)
        assert question is not None
        assert checked["of"] == text
        assert expected["error_95"] == joint_error(plan, question).error_95
        # Answers are supposed to be equally common: one cell is as far off as another.
        assert checked["error_95"] == pytest.approx(expected["error_95"], rel=1e-9)
        assert checked["error_95_without_protection"] == pytest.approx(expected["unprotected"])
    assert main(["check", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[1].strip() for line in lines if line.startswith("wanted:")] == [*WANTED]


def test_that_each_analysis_that_is_not_useful_is_a_warning_with_a_remedy(path: Path) -> None:
    plan = load_plan(path)
    told = {
        p.message.split("”")[0].removeprefix("“"): p for p in check(plan) if p.path == "analyses"
    }
    for wanted in wanted_analyses(plan):
        assert wanted.error is not None
        verdict = wanted.error.usefulness.verdict
        assert (wanted.text in told) == (verdict != "useful")
        if verdict != "useful":
            assert told[wanted.text].code == verdict
            assert told[wanted.text].remedy.endswith(".")
    worst = max(
        (w.error.usefulness for w in wanted_analyses(plan) if w.error), key=lambda u: u.ratio
    )
    assert usefulness_of_records(plan).tables == worst


def test_that_too_few_respondents_are_no_matter_of_protection(path: Path) -> None:
    plan = load_plan(path).with_fields(analyses=("religious x educ",), respondents=5)
    (told,) = [problem for problem in check(plan) if problem.path == "analyses"]
    assert told.code == "useless"
    assert told.remedy.id == "plan.checks.more-people"


def test_that_what_cannot_be_had_is_a_warning_with_its_reason(path: Path, capsys: Captured) -> None:
    plan = load_plan(path).with_fields(
        strategy="smp", analyses=("religious x educ", "gone x educ", "age x educ")
    )
    save_plan(plan, path, overwrite=True)
    main(["check", str(path), "--json"])
    told = json.loads(capsys.readouterr().out)
    codes = [problem for problem in told["problems"] if problem["path"] == "analyses"]
    assert [problem["code"] for problem in codes] == 3 * ["impossible_analysis"]
    assert all(problem["severity"] == "warning" for problem in codes)
    assert "No record will hold noisy answers" in codes[0]["message"]
    assert "gone x educ” names no columns" in codes[1]["message"]
    refused = [one["refused"] for one in told["usefulness"]["records"]["analyses"]]
    assert all(sentence.endswith(".") for sentence in refused)


def test_that_what_names_no_columns_is_refused_when_it_is_drafted(
    tmp_path: Path, capsys: Captured
) -> None:
    words = [
        "draft",
        str(sample_path()),
        "--analysis",
        "educ x gone",
        "-o",
        str(tmp_path / "p.json"),
    ]
    assert main(words) != 0
    assert "educ x gone” names no columns" in capsys.readouterr().err


def test_that_the_report_tells_what_was_planned_for(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "release"
    words = ["release", str(sample_path()), "--plan", str(path), "--out", str(folder)]
    words += ["--population", "women", "--ledger", str(tmp_path / "ledger.db")]
    plan = load_plan(path)
    details = plan.details.model_copy(update={"title": "Affairs", "curator": "Redbook"})
    save_plan(plan.with_fields(details=details), path, overwrite=True)
    assert main(words) == 0
    report = json.loads((folder / "report.json").read_text())
    assert [one["analysis"] for one in report["analyses"]] == [*WANTED]
    wanted = wanted_analyses(with_counts_of(plan, load(sample_path())))
    for told, own in zip(report["analyses"], wanted, strict=True):
        assert own.error is not None
        # One goes by the file, the other by the released shares.
        assert told["usefulness"] == own.error.usefulness.verdict
    assert wanted[0].error is not None
    assert report["analyses"][0]["error_95"] == pytest.approx(wanted[0].error.error_95, rel=0.15)
    page = (folder / "annex.html").read_text()
    assert "Analyses that were planned for" in page
    assert load_plan(folder / "plan.json").analyses == WANTED
