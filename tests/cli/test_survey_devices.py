"""`dpdesk survey` with devices that exist: what they cost, whom they serve, and a sheet at once."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from math import log
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.survey.texts import T as Survey
from dpdesk.designs.devices import device_named
from dpdesk.designs.planning import Question, Share, plan_of_questionnaire
from dpdesk.designs.warner import WarnerDesign
from dpdesk.numbers.digits import epsilon_up
from dpdesk.reports.survey import PlannedQuestions
from dpdesk.reports.survey.sample_plan import questions_section
from dpdesk.reports.survey.texts import T
from tests.designs.cases import made
from tests.texts import is_said

ASKED = ["--prevalence", "0.1", "--epsilon", "1.5"]
QUESTIONS = ["--question", "0.1:0.03", "--question", "0.3:0.05"]
STRATA = ["--stratum", "0.4:0.1", "--stratum", "0.6:0.2"]


def found(words: list[str], capsys: pytest.CaptureFixture[str]) -> dict:
    assert main(["survey", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def refusal(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["survey", *words]) != 0
    return capsys.readouterr().err


def test_that_each_device_says_what_it_costs_against_the_exact_parameters(capsys) -> None:
    content = found(["plan", *ASKED, "--respondents", "2000"], capsys)
    assert {row["name"] for row in content["devices"]} >= {"two_coins", "die", "beads", "spinner"}
    for row in content["devices"]:
        costs = row["than_exact"]
        assert costs["epsilon"] == pytest.approx(row["epsilon"] - content["epsilon"])
        assert costs["margin"] == pytest.approx(row["margin"] - content["margin"])
        # Less is lost with a wider margin, and never both.
        assert (costs["epsilon"] < 0) == (costs["margin"] > 0)
    (die,) = [row for row in content["devices"] if row["name"] == "die"]
    assert die["epsilon"] == pytest.approx(log(2))
    chosen = found(["plan", *ASKED, "--respondents", "2000", "--device", "die"], capsys)
    assert chosen["device"]["than_exact"] == pytest.approx(die["than_exact"])
    words = ["plan", *ASKED, "--margin", "0.03", "--device", "die"]
    content = found(words, capsys)
    assert main(["survey", *words]) == 0
    text = capsys.readouterr().out
    die = content["device"]
    for row in (die, die["next_above"], content["exact"]):
        (line,) = (x for x in text.splitlines() if f"p = {row['design']['p']}  " in x)
        assert f"  {epsilon_up(row['epsilon'])}  " in line
        assert f"  {row['n']:,}  " in line


def test_that_every_question_is_asked_with_the_device_below_its_part_of_the_budget(capsys) -> None:
    content = found(["plan", "--epsilon", "3", *QUESTIONS, "--device", "die"], capsys)
    assert [q["design"]["p"] for q in content["questions"]] == ["2/3", "2/3"]
    assert [q["needed"] for q in content["questions"]] == ["a die", "a die"]
    assert content["epsilon"] == pytest.approx(2 * log(2))
    for question, margin in zip(content["questions"], (0.03, 0.05), strict=True):
        assert question["epsilon"] <= 1.5
        assert question["margin"] <= margin
    least = ["plan", "--epsilon", "3", *QUESTIONS, "--split", "least", "--device"]
    exact = found([*least, "screen"], capsys)
    beads = found([*least, "any"], capsys)
    assert exact["n"] <= beads["n"] < content["n"]
    assert all("needed" not in question for question in exact["questions"])
    assert all("beads" in question["needed"] for question in beads["questions"])
    assert sum(question["epsilon"] for question in beads["questions"]) <= 3


def test_that_a_device_above_a_part_of_the_budget_is_refused_with_its_least(capsys) -> None:
    words = ["plan", "--epsilon", "1", *QUESTIONS, "--device", "die"]
    text = refusal(words, capsys)
    assert "Question 1: ε = 0.5" in text
    assert "0.694" in text


def test_that_strata_are_planned_with_the_chosen_device(capsys) -> None:
    words = ["plan", "--epsilon", "1.5", *STRATA, "--margin", "0.04"]
    die = found([*words, "--device", "die"], capsys)
    same = found(
        ["plan", "--design", "warner", "--set", "p=2/3", *STRATA, "--margin", "0.04"], capsys
    )
    assert die["device"]["design"]["p"] == "2/3"
    assert (die["n"], die["strata"]) == (same["n"], same["strata"])
    assert "device" not in found(words, capsys)


def test_that_answers_through_a_device_without_the_chances_are_refused(capsys) -> None:
    quarter = ["--design", "crosswise", "--set", "p=1/4", "--counts", "300/1000"]
    text = refusal(["estimate", *quarter, "--device", "birth_month"], capsys)
    assert "Its nearest parameters are p = 3" in text
    exact = ["--design", "crosswise", "--set", "p=361/1461", "--counts", "300/1000"]
    content = found(["estimate", *exact, "--device", "birth_month"], capsys)
    assert content["device"]["name"] == "birth_month"
    assert "Real births vary" in content["device"]["fairness"]
    assert "device" not in found(["estimate", *exact], capsys)
    played = ["simulate", "--design", "warner", "--prevalence", "0.1", "--respondents", "50"]
    assert "p = 2/3" in refusal([*played, "--set", "p=3/4", "--device", "die"], capsys)
    content = found([*played, "--set", "p=2/3", "--device", "die", "--repetitions", "10"], capsys)
    assert content["device"]["needed"] == "a die"
    assert Survey.ANY_DEVICE() in refusal([*played, "--set", "p=2/3", "--device", "any"], capsys)


def test_that_a_question_becomes_a_sheet_with_one_command(tmp_path: Path, capsys) -> None:
    out = tmp_path / "sheet.html"
    words = ["sheet", "--epsilon", "1.7", "--device", "die", "--question", "Did you?"]
    assert main(["survey", *words, "-o", str(out)]) == 0
    assert "p = 5/6: epsilon 1.61" in capsys.readouterr().out
    assert "If the die shows 6 (1 in 6): say no if" in out.read_text(encoding="utf-8")
    # Nothing is exceeded without a word, and the truth is likelier than its opposite.
    least = ["sheet", "--epsilon", "0.1", "--device", "die", "-o", str(out), "--overwrite"]
    assert main(["survey", *least]) == 0
    text = capsys.readouterr().out
    assert "p = 2/3: epsilon 0.694" in text
    assert Survey.NO_SMALLER(asked="0.1") in text
    assert "Use one of: beads" in refusal([*least[:3], "--device", "coin", *least[5:]], capsys)
    any_at_hand = ["sheet", "--epsilon", "1.7", "-o", str(out), "--overwrite"]
    content = found(any_at_hand, capsys)
    assert content["epsilon"] <= 1.7
    text = out.read_text(encoding="utf-8")
    assert "RANDBETWEEN" not in text
    assert re.search(r"You need:</b> a (bag|die|coin|pack)", text)
    assert Survey.NO_DESIGN(other="--epsilon E") in refusal(
        ["sheet", "-o", str(out), "--overwrite"], capsys
    )


def test_that_a_sheet_for_screens_tells_its_rule(tmp_path: Path, capsys) -> None:
    out = tmp_path / "sheet.html"
    words = ["sheet", "--design", "forced", "--epsilon", "1.5", "--device", "screen"]
    content = found([*words, "-o", str(out)], capsys)
    (rule,) = content["screen"]
    assert rule["spreadsheet"]["A1"] == "=RANDBETWEEN(1,500000)"
    assert rule["platforms"]["LimeSurvey"] == "{rand(1,500000)}"
    # The script is on the page as well.
    page = out.read_text(encoding="utf-8")
    assert "crypto.getRandomValues(word)" in page
    forced = made("forced", {name: content["design"][name] for name in ("forced_no", "forced_yes")})
    assert forced.forced_yes.denominator == 500_000  # type: ignore[attr-defined]
    assert f"n &lt;= {int(forced.forced_yes * 500_000)} ?" in page  # type: ignore[attr-defined]


def test_that_chances_no_bag_has_are_refused_unless_a_screen_is_said(
    tmp_path: Path, capsys
) -> None:
    out = tmp_path / "sheet.html"
    words = ["sheet", "--design", "warner", "--set", "p=76/101", "-o", str(out)]
    text = refusal(words, capsys)
    assert is_said(T.NO_DEVICE_BUT, text)
    assert "“screen”" in text
    assert not out.exists()
    assert main(["survey", *words, "--device", "screen"]) == 0
    at_most = ["sheet", "--design", "warner", "--set", "p=76/93", "-o", str(tmp_path / "bag.html")]
    assert main(["survey", *at_most]) == 0
    assert "a bag with 93 beads (17 red, 76 white)" in (tmp_path / "bag.html").read_text("utf-8")
    assert Fraction(76, 93).denominator <= 100


def test_that_the_memo_of_questions_names_the_device() -> None:
    questions = [Question(Share(0.1), 0.03), Question(Share(0.3), 0.05)]
    die = device_named("die")
    for split in ("equal", "least"):
        plan = plan_of_questionnaire(WarnerDesign(), questions, 3.0, split, device=die)  # type: ignore[arg-type]
        assert plan.device is die
        told = questions_section(PlannedQuestions(("", ""), plan, "equal", 3.0, 0.95))
        assert any("Respondents use: one die." in sentence for sentence in told.sentences)
        assert {row[4] for row in told.rows} <= {"p = 2/3", "p = 5/6"}


@pytest.mark.parametrize("epsilon", [0.1, 0.3, 0.694, 1.0, 1.62, 1.7, 2.0])
@pytest.mark.parametrize("device", ["beads", "die", "spinner"])
def test_that_a_device_above_the_epsilon_is_said_to_be_and_next_chances_are_named(
    epsilon: float, device: str, tmp_path: Path, capsys
) -> None:
    words = ["plan", "--epsilon", str(epsilon), "--device", device, "--prevalence", "0.1"]
    words += ["--respondents", "900"]
    row = found(words, capsys)["device"]
    assert main(["survey", *words]) == 0
    plan = capsys.readouterr().out
    sheet = ["sheet", *words[1:5], "-o", str(tmp_path / "sheet.html")]
    assert found(sheet, capsys)["keeps_epsilon"] == (row["epsilon"] <= epsilon)
    assert main(["survey", *sheet, "--overwrite"]) == 0
    paper, above = capsys.readouterr().out, row["next_above"]
    exceeds = row["epsilon"] > epsilon
    assert (Survey.EXCEEDS() in plan) == exceeds
    assert (Survey.NO_SMALLER(asked=f"{epsilon:g}") in paper) == exceeds
    assert (Survey.NEXT_CHANCES() in plan) == (above is not None)
    if above is not None and not exceeds:
        following = epsilon_up(above["epsilon"])
        assert Survey.NEXT(setting=f"p = {above['design']['p']}", epsilon=following) in paper
