"""Designs that no other file names work wherever designs do: a design is a file and a word."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from math import log, sqrt
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from dpdesk.cli.main import main
from dpdesk.designs import DESIGNS, AnyDesign, Design, design_named, designs_of
from dpdesk.designs.cases import Cases
from dpdesk.designs.estimator_law import HeldSurvey, estimator_theory, exact_outcomes
from dpdesk.designs.matrix_categories import CategoryDesign
from dpdesk.designs.number_design import (
    NumberDesign,
    TrueNumbers,
)
from dpdesk.designs.planning import Sample, Share, least_epsilon
from dpdesk.designs.yes_no import YesNoDesign
from dpdesk.engine.simulate.respondents import NumberStream, SeveralStream, YesNoStream
from dpdesk.errors import ParameterError
from dpdesk.preview.survey import SupposedShare, figures_of_survey
from tests.kinds.balls import Balls
from tests.kinds.ladder import Ladder
from tests.kinds.registered import registered
from tests.kinds.widened import Widened

WIDENED = ["--design", "widened", "--set", "lower=0", "--set", "upper=9"]
MADE_UP: tuple[type[Design], ...] = (Balls, Ladder, Widened)


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with registered(DESIGNS, *MADE_UP):
        yield


def found(words: list[str], capsys: pytest.CaptureFixture[str]) -> dict:
    assert main(["survey", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def rows(path: Path, answers: Sequence[object]) -> str:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["said"], *[[answer] for answer in answers]])
    return str(path)


@pytest.mark.parametrize("kind", MADE_UP)
def test_that_a_design_of_the_tuple_is_found_by_its_name_and_in_its_family(
    kind: type[Design],
) -> None:
    assert design_named(kind.tag()) is kind
    families = [
        family for family in (YesNoDesign, CategoryDesign, NumberDesign) if issubclass(kind, family)
    ]
    assert [kind in designs_of(family) for family in families] == [True]
    example = kind.example()
    cases = Cases(lambda d: ("share", d), lambda d: ("shares", d), lambda d: ("mean", d))
    told = cases.of(example)
    assert told == (kind.quantity, example)


def test_that_the_command_line_lists_them_with_their_parameters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    listed = {entry["kind"]: entry for entry in found(["designs"], capsys)}
    assert set(listed) == {kind.tag() for kind in (*DESIGNS, *MADE_UP)}
    assert listed["balls"]["caution"] == Balls.caution
    assert listed["ladder"]["parameters"][0]["name"] == "answers"
    assert main(["survey", "designs"]) == 0
    assert "ranges  scale of the noise, in ranges" in capsys.readouterr().out


@pytest.mark.parametrize("kind", [*DESIGNS, *MADE_UP])
@pytest.mark.parametrize("epsilon", [1.0, log(3)])
def test_that_what_an_epsilon_decides_has_it_and_no_more_and_all_else_refuses(
    kind: type[Design], epsilon: float
) -> None:
    design = kind.example()
    if not design.epsilon_decides:
        with pytest.raises(ParameterError) as caught:
            design.at_epsilon(epsilon)
        assert caught.value.remedy
        return
    made = design.at_epsilon(epsilon)
    assert type(made) is kind
    assert epsilon * (1 - 1e-4) < made.loss.epsilon <= epsilon * (1 + 1e-12)


@pytest.mark.parametrize("kind", DESIGNS)
def test_that_a_design_is_read_back_as_the_one_of_its_tag(kind: type[Design]) -> None:
    design = kind.example()
    stored = design.model_dump_json()
    assert TypeAdapter(AnyDesign).validate_json(stored) == design


@pytest.mark.parametrize(
    ("words", "steps"),
    [
        (["--design", "balls", "--set", "red=1/2"], "both coins show heads"),
        (["--design", "ladder", "--answer", "never"], "your true answer is “never”"),
        (WIDENED, "say the sum"),
    ],
)
def test_that_the_instruction_sheet_has_their_steps(
    words: list[str], steps: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "sheet.html"
    assert main(["survey", "sheet", *words, "--question", "Is it so?", "--out", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    assert steps in text
    assert "Is it so?" in text


def test_that_a_made_up_share_is_estimated_from_counts_and_from_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["estimate", "--design", "balls", "--set", "red=1/2"]
    counts = found([*words, "--counts", "40/100"], capsys)
    # Yes with 3/4 of carriers and 1/4 of others.
    assert counts["estimate"] == pytest.approx((0.4 - 0.25) / 0.5)
    assert counts["se"] == pytest.approx(sqrt(0.4 * 0.6 / 99) / 0.5)
    path = rows(tmp_path / "said.csv", [1] * 40 + [0] * 60)
    records = found([*words, "--answer", "said", path], capsys)
    assert records["estimate"] == pytest.approx(counts["estimate"])


def test_that_made_up_shares_are_estimated_from_numbers_and_from_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["estimate", "--design", "ladder", "--set", "answers=3", "--set", "honest=3/5"]
    shares = [
        entry["estimate"] for entry in found([*words, "--answers", "50,30,20"], capsys)["shares"]
    ]
    assert shares == pytest.approx([(part - 0.2) / 0.4 for part in (0.5, 0.3, 0.2)])
    path = rows(tmp_path / "said.csv", ["a"] * 50 + ["b"] * 30 + ["c"] * 20)
    records = found([*words, "--answer", "said", path], capsys)
    assert [entry["estimate"] for entry in records["shares"]] == pytest.approx(shares)


def test_that_a_made_up_mean_is_estimated_from_moments_and_from_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["estimate", "--design", "widened", "--set", "lower=0", "--set", "upper=10"]
    words += ["--set", "ranges=1"]
    moments = ["--mean", "5", "--variance", "250", "--respondents", "100"]
    content = found([*words, *moments], capsys)
    assert (content["estimate"], content["se"]) == (5.0, pytest.approx(sqrt(2.5)))
    assert content["standard_deviation"] == pytest.approx(sqrt(250 - 200))
    path = rows(tmp_path / "said.csv", [1.5, 4.5, 12])
    assert found([*words, "--answer", "said", path], capsys)["estimate"] == pytest.approx(6.0)


@pytest.mark.parametrize(
    "words",
    [
        ["--design", "balls", "--prevalence", "0.1"],
        ["--design", "ladder", "--shares", "0.6,0.3,0.1"],
        [*WIDENED, "--mean", "3", "--deviation", "2"],
    ],
    ids=lambda words: words[1],
)
def test_that_a_survey_is_planned_at_an_epsilon_and_has_a_memo(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    memo = tmp_path / "memo.html"
    wanted = ["--epsilon", "1", "--margin", "0.05", "--memo", str(memo)]
    content = found(["plan", *words, *wanted], capsys)
    assert 0.999 < content["epsilon"] <= 1.0
    assert content["margin"] <= 0.05
    assert design_named(words[1]).title in memo.read_text(encoding="utf-8")


def test_that_a_questionnaire_is_planned_with_a_made_up_design(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ["--question", "0.1:0.05", "--question", "0.3:0.1"]
    for split in ("equal", "least"):
        content = found(
            ["plan", "--design", "balls", *asked, "--epsilon", "3", "--split", split], capsys
        )
        assert 2.999 < content["epsilon"] <= 3.0
        for question, margin in zip(content["questions"], (0.05, 0.1), strict=True):
            assert question["design"]["kind"] == "balls"
            assert question["margin"] <= margin


@pytest.mark.parametrize(
    ("words", "margin"),
    [
        (["--design", "balls", "--prevalence", "0.1"], 0.05),
        (["--design", "ladder", "--shares", "0.6,0.3,0.1"], 0.05),
        ([*WIDENED, "--mean", "3", "--deviation", "2"], 0.2),
    ],
    ids=["balls", "ladder", "widened"],
)
def test_that_the_least_epsilon_of_a_made_up_design_reaches_the_margin_and_less_does_not(
    words: list[str], margin: float, capsys: pytest.CaptureFixture[str]
) -> None:
    people = ["--respondents", "5000"]
    least = found(["plan", *words, *people, "--margin", str(margin)], capsys)["epsilon_for_margin"]
    for factor, reached in ((1 + 1e-9, True), (0.999, False)):
        at = found(["plan", *words, *people, "--epsilon", repr(least * factor)], capsys)
        assert (at["margin"] <= margin) == reached


@pytest.mark.parametrize(
    ("words", "truth"),
    [
        (["--design", "balls", "--set", "red=1/2", "--prevalence", "0.1"], 0.1),
        (["--design", "ladder", "--shares", "0.6,0.3,0.1"], 0.1),
        ([*WIDENED, "--mean", "3", "--deviation", "2"], 3.0),
    ],
    ids=["balls", "ladder", "widened"],
)
def test_that_a_survey_is_simulated_around_the_truth(
    words: list[str], truth: float, capsys: pytest.CaptureFixture[str]
) -> None:
    content = found(["simulate", *words, "--respondents", "2000"], capsys)
    looked = content["answers"][2] if "answers" in content else content
    error = looked["planned_error"] / sqrt(content["repetitions"])
    assert 0 < abs(looked["mean_estimate"] - truth) < 5 * error


def test_that_respondents_of_made_up_designs_play_the_instruction() -> None:
    balls = YesNoStream(Balls.example(), 0.5, 1).first(40)
    assert {answer.answer for one in balls for answer in one.said} == {"yes", "no"}
    ladder = SeveralStream(Ladder(), (0.5, 0.3, 0.2), ("a", "b", "c"), 0, 1).first(40)
    assert {one.spoken for one in ladder} == {"“a”", "“b”", "“c”"}
    numbers = NumberStream(Widened(lower=0, upper=9), TrueNumbers(3, 2, 0, 9), 1).first(3)
    assert all(one.device.startswith("the number to add") for one in numbers)


def test_that_theory_plans_and_pictures_hold_for_a_made_up_design() -> None:
    design = Balls.example()
    outcomes = exact_outcomes(HeldSurvey(design, 0.2, 30))
    assert outcomes.mean == pytest.approx(0.2)
    assert outcomes.spread == pytest.approx(estimator_theory(HeldSurvey(design, 0.2, 30)).error)
    supposed = SupposedShare(design, 0.2, 100)
    figures = figures_of_survey(supposed)
    assert supposed.epsilon == pytest.approx(log(3))
    assert figures.error == pytest.approx(100 * Sample(design, Share(0.2), 100).margin)
    epsilon = least_epsilon(Sample(design, Share(0.1), 5000), 0.03)
    margins = [
        Sample(design.at_epsilon(epsilon * factor), Share(0.1), 5000).margin
        for factor in (1.0001, 0.999)
    ]
    assert margins[0] <= 0.03 < margins[1]
