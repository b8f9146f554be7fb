"""Words that are no command, no task and no option: refused with the nearest ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.main import main
from dpdesk.cli.reading_texts import ReadingTexts as Reading
from tests.cli.sentences import one_sentence


def refusal(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The sentence that refuses some words."""
    assert main(words) == ExitCode.USAGE
    said = capsys.readouterr().err
    assert one_sentence(said)
    return said


@pytest.mark.parametrize(
    ("words", "near"),
    [(["draf"], "draft"), (["DRAFT"], "draft"), (["estimates", "x.csv", "-o", "y"], "estimate")],
)
def test_that_a_mistyped_command_is_refused_with_the_nearest_one(
    words: list[str], near: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refusal(words, capsys)
    assert f"Did you mean dpdesk {near}?" in said


@pytest.mark.parametrize(
    ("words", "usage"),
    [
        (["relase"], "dpdesk release DATA --plan PLAN.json --out FOLDER [OPTIONS]."),
        (["draf", "x.csv"], "dpdesk draft [DATA] -o PLAN.json [OPTIONS]."),
        (["lodger", "--json"], "dpdesk ledger [DATA] [OPTIONS]."),
        (["surveys"], "dpdesk survey TASK [OPTIONS]."),
        (["survey", "estimat"], "dpdesk survey estimate [DATA] [OPTIONS]."),
        (["survey", "sheets"], "dpdesk survey sheet -o FILE [OPTIONS]."),
    ],
)
def test_that_a_mistyped_command_is_told_how_the_nearest_one_is_used(
    words: list[str], usage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refusal(words, capsys)
    assert said.endswith(f"Usage: {usage}\n")


def test_that_a_task_like_no_other_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    said = refusal(["survey", "x" * 500], capsys)
    assert len(said) < 200
    assert "dpdesk survey has no task xxx" in said
    assert "dpdesk survey --help lists its tasks" in said


@pytest.mark.parametrize(
    ("words", "mistyped", "near"),
    [
        (["--sampel"], "--sampel", "--sample"),
        (["draft", "x.csv", "-o", "p.json", "--epsilonn", "1"], "--epsilonn", "--epsilon"),
        # Though the option that is meant is missing.
        (["release", "x.csv", "--plam", "p.json", "--out", "o"], "--plam", "--plan"),
        (["draft", "x.csv", "-op.json", "--epsilonn=1"], "--epsilonn", "--epsilon"),
        (["survey", "estimate", "--cuonts=3/9"], "--cuonts", "--counts"),
        (["survey", "plan", "--two-sidet", "--margin", "-1"], "--two-sidet", "--two-sided"),
    ],
)
def test_that_a_mistyped_option_is_refused_with_the_nearest_one(
    words: list[str], mistyped: str, near: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refusal(words, capsys)
    assert f"There is no option {mistyped}. Did you mean {near}?" in said


@pytest.mark.parametrize("words", [["--json"], ["query", "x.csv", "--nonsense"]])
def test_that_no_option_is_offered_for_one_that_is_like_none(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == ExitCode.USAGE
    assert "Did you mean" not in capsys.readouterr().err


def test_that_an_option_may_be_shortened(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["survey", "estimate", "--des=warner", "--set=p=3/4", "--cou=30/90", "--no-such"]
    assert main(words) == ExitCode.USAGE
    assert "There is no option --no-such." in capsys.readouterr().err
    assert main(words[:-1]) == ExitCode.OK


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ["query", "x.csv", "--missing", "age=97..99"],
            "There is no option --missing here, as in dpdesk draft. Did you mean --missing-code?",
        ),
        (["query", "x.csv", "--missing=-9"], "There is no option --missing here"),
        (["release", "x.csv", "--answer", "y"], "There is no option --answer."),
    ],
)
def test_that_a_whole_option_of_another_command_is_no_shortened_one(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # It would be taken for one of another meaning, whose refusal advises the very same word.
    said = refusal(words, capsys)
    assert says in said


def test_that_a_code_of_one_column_is_declared_in_a_plan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "s.csv"
    data.write_text("age\n30\n97\n", encoding="utf-8")
    typed = ["--missing-code", "age=97..99"]
    assert main(["query", str(data), "--query", "count", "--epsilon", "1", *typed]) != 0
    assert "'dpdesk draft --missing income=97..99'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["check", "p.json", "-z"], "There is no option -z. Usage: dpdesk check PLAN.json [DATA]"),
        (["mechanisms", "--domain-size"], "--domain-size: expected one argument"),
        (["mechanisms", "--domain-size", "--epsilonn"], "--domain-size: expected one argument"),
        (["mechanisms", "--domain-size", "x"], Reading.NO_WHOLE_NUMBER()),
        (["mechanisms", "left", "over"], "unrecognized arguments: left over"),
        (["release", "--out", "o"], "are required: DATA, --plan"),
        (["mechanisms", "--", "--epsilonn"], "unrecognized arguments"),
        (["mechanisms", "-7"], "unrecognized arguments: -7"),
        (["mechanisms", "-no option"], "unrecognized arguments: -no option"),
        (["survey", "--json"], "There is no option --json"),
    ],
)
def test_that_other_wrong_words_are_told_as_what_they_are(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refusal(words, capsys)
    assert says in said
    assert said.endswith(" --help' lists the options.\n")
