from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.survey.texts import T as Survey
from dpdesk.designs.texts import T
from tests.cli.sentences import told_by_label

SHEET = ["survey", "sheet", "--design"]


def test_that_the_sheet_is_written_with_the_questions_that_were_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "sheet.html"
    words = ["crosswise", "--set", "p=1/4", "--question", "Have you?", "--innocent", "Is it so?"]
    assert main([*SHEET, *words, "-o", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    assert "Have you?" in text
    assert "Is it so?" in text
    assert Survey.PROPOSED(blank="", proposal="") not in capsys.readouterr().out


def test_that_questions_left_to_be_filled_in_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "sheet.html"
    assert main([*SHEET, "unrelated", "--set", "p=3/4", "--set", "q=1/5", "-o", str(out)]) == 0
    assert Survey.TO_FILL_IN(blank="1 in 5 people answer with yes") in capsys.readouterr().out


def test_that_an_innocent_question_in_own_words_is_accepted_beside_a_birthday_and_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "sheet.html"
    birthday = ["unrelated", "--set", "p=361/1461", "--device", "birth_month", "-o", str(out)]
    words = [*SHEET, *birthday, "--set", "q=1/6"]
    assert main(words) != 0
    assert "ask another innocent question" in capsys.readouterr().err
    assert main([*words, "--innocent", "Do you own a red car?"]) == 0
    assert T.OWN_QUESTION(question="Do you own a red car?") in capsys.readouterr().out
    near = ["unrelated", "--epsilon", "1", "--device", "birth_month", "-o", str(out)]
    again = [*SHEET, *near, "--innocent", "Were you born in May?", "--overwrite", "--json"]
    assert main(again) == 0
    (note,) = json.loads(capsys.readouterr().out)["notes"]
    assert note.startswith(T.OWN_QUESTION(question="Were you born in May?"))
    assert note in out.read_text(encoding="utf-8")


def test_that_too_many_innocent_questions_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "sheet.html"
    assert main([*SHEET, "warner", "--innocent", "Is it so?", "-o", str(out)]) != 0
    said = capsys.readouterr().err
    assert Survey.TOO_MANY_TEXTS(option="--innocent", most=0, given=1) in said
    assert main([*SHEET, "warner", "--answer", "never", "-o", str(out)]) != 0
    assert not out.exists()


def test_that_designs_of_several_answers_and_of_numbers_have_a_sheet(tmp_path: Path) -> None:
    out = tmp_path / "sheet.html"
    words = ["forced_categories", "--set", "orders=1/6,1/6", "--answer", "never"]
    assert main([*SHEET, *words, "-o", str(out)]) == 0
    assert "the die shows 1 (1 in 6): say “never”" in out.read_text(encoding="utf-8")
    words = ["additive", "--set", "lower=0", "--set", "upper=10", "--set", "scale=5"]
    assert main([*SHEET, *words, "-o", str(out), "--overwrite"]) == 0
    assert "is at most 7.39 times as likely" in out.read_text(encoding="utf-8")


def test_that_a_plan_writes_its_memo(tmp_path: Path) -> None:
    out = tmp_path / "memo.html"
    words = ["survey", "plan", "--design", "warner", "--set", "p=3/4", "--prevalence", "0.1"]
    more = ["--margin", "0.03", "--memo", str(out), "--wording", "Have you?"]
    assert main([*words, *more]) == 0
    text = out.read_text(encoding="utf-8")
    assert "3,586" in text
    assert "Have you?" in text


@pytest.mark.parametrize(
    ("device", "needed"),
    [("screen", "a device that draws a number from 1 to 4"), ("two_coins", "two coins")],
)
def test_that_a_memo_needs_the_device_that_was_chosen(
    device: str, needed: str, tmp_path: Path
) -> None:
    out = tmp_path / "memo.html"
    words = ["survey", "plan", "--design", "warner", "--set", "p=3/4", "--prevalence", "0.1"]
    assert main([*words, "--margin", "0.03", "--device", device, "--memo", str(out)]) == 0
    assert f"Needed: {needed}" in out.read_text(encoding="utf-8")


def test_that_a_memo_needs_a_survey(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "memo.html"
    words = ["survey", "plan", "--prevalence", "0.1", "--belief", "0.3", "--memo", str(out)]
    assert main(words) != 0
    assert Survey.NO_MEMO() in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize(
    ("sample", "least", "words"),
    [
        ((), 317, "317"),
        (("--weights-cv", "0.8"), 520, "520"),
        (("--population", "400"), 305, "305"),
        (("--population", "60"), None, Survey.NEVER()),
    ],
)
def test_that_denials_are_weighed_in_the_sample_that_is_planned(
    sample: tuple[str, ...], least: int | None, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["survey", "plan", "--design", "warner", "--set", "p=3/4", "--prevalence", "0.1"]
    command += ["--denial", "0.5", *sample]
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["beats_direct_from"] == least
    assert main(command) == 0
    assert told_by_label(capsys.readouterr().out)[Survey.BEATS_DIRECT()] == words


def test_that_a_plan_of_strata_writes_them_into_its_memo(tmp_path: Path) -> None:
    out = tmp_path / "memo.html"
    words = ["survey", "plan", "--design", "warner", "--set", "p=3/4", "--respondents", "900"]
    words += ["--stratum", "0.5:0.1", "--stratum", "0.5:0.3", "--memo", str(out)]
    assert main(words) == 0
    text = " ".join(re.sub(r"<[^>]+>", " ", out.read_text(encoding="utf-8")).split())
    assert re.search(r"Expected share 20.% ", text)
    assert re.search(r"Stratum 2 50.% 30.% 450", text)
    assert "900 respondents in 2 strata" in text


def test_that_a_memo_is_of_one_design(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["survey", "plan", "--question", "0.1:0.05", "--question", "0.3:0.05", "--epsilon", "2"]
    assert main([*words, "--memo", str(tmp_path / "memo.html")]) == 2
    assert Survey.MEMO_OF_QUESTIONS() in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (["--stratum", "0.5:5", "--stratum", "0.5:15", "--respondents", "900"], "Stratum 2: "),
        (["--question", "5:0.5", "--question", "15:0.5", "--epsilon", "2"], "Question 2: "),
    ],
)
def test_that_the_row_of_an_impossible_mean_is_named(
    rows: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--design", "additive", "--set", "scale=2", "--set", "lower=0", "--set", "upper=10"]
    assert main(["survey", "plan", *words, "--deviation", "2", *rows]) == 2
    said = capsys.readouterr().err
    assert f"{told}{T.BAD_MEAN()}" in said


def test_that_shares_that_say_nothing_of_the_others_are_refused_by_that(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["--design", "mechanism", "--set", "mechanism=grr", "--set", "categories=3"]
    words += ["--set", "epsilon=1", "--shares", "1,0,0", "--respondents", "900"]
    assert main(["survey", "plan", *words, "--stratum", "0.5:0.1", "--stratum", "0.5:0.3"]) == 2
    assert f"Stratum 1: {T.ONE_SHARE()}" in capsys.readouterr().err


def test_that_a_memo_says_why_its_design_is_not_the_one_that_was_named(tmp_path: Path) -> None:
    out = tmp_path / "memo.html"
    words = ["survey", "plan", "--design", "mangat", "--prevalence", "0.1", "--margin", "0.05"]
    assert main([*words, "--respondents", "900", "--memo", str(out)]) == 0
    assert T.INSTEAD_WARNER() in out.read_text(encoding="utf-8")
