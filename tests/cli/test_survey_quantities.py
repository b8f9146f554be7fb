from __future__ import annotations

import json
import re
from collections.abc import Callable
from math import exp, sqrt
from pathlib import Path
from statistics import NormalDist

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.survey.texts import T as Survey
from dpdesk.designs.planning.texts import T as Plan
from dpdesk.designs.texts import T
from tests.cli.sentences import told_by_label

FORCED = ["--design", "forced_categories", "--set", "orders=1/8,1/8,1/8,1/8"]
SHARES = ["--shares", "0.7,0.18,0.08,0.04"]
ADDITIVE = ["--design", "additive", "--set", "lower=0", "--set", "upper=2000"]
NUMBERS = ["--mean", "400", "--deviation", "350"]
Z = 1.959963985


def found(words: list[str], capsys: pytest.CaptureFixture[str]) -> dict:
    assert main(["survey", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_that_a_survey_of_several_answers_is_simulated(capsys) -> None:
    words = ["simulate", *FORCED, *SHARES, "--respondents", "3000", "--deny", "0.5"]
    content = found(words, capsys)
    assert content["simulation"] is True
    assert content["look"] == 4
    assert [round(entry["share"], 2) for entry in content["answers"]] == [0.7, 0.18, 0.08, 0.04]
    # Half of 4 % say "1" outright: one is said 1/2 + 1/8 less often, the other 7/8 more.
    assert content["answers"][3]["planned_bias"] == pytest.approx(-0.02 * (0.5 + 0.125) / 0.5)
    assert content["reports"][3]["ratio"] == pytest.approx(5.0)
    assert content == found(words, capsys)


def test_that_a_mechanism_is_simulated_for_all_answers(capsys) -> None:
    words = ["simulate", "--design", "mechanism", "--set", "mechanism=oue", *SHARES]
    content = found([*words, "--respondents", "1000"], capsys)
    assert content["design"]["categories"] == 4
    assert len(content["answers"]) == 4
    assert content["reports_are_of_one_answer"] is False


def test_that_a_survey_of_numbers_is_simulated(capsys) -> None:
    words = ["simulate", *ADDITIVE, "--set", "scale=1000", *NUMBERS, "--respondents", "3000"]
    content = found(words, capsys)
    assert (content["epsilon"], content["delta"]) == (2.0, 0.0)
    assert content["planned_error"] == pytest.approx(sqrt((350**2 + 2 * 1000**2) / 3000))
    uniform = found([*words, "--set", "noise=uniform"], capsys)
    assert uniform["epsilon"] is None
    assert uniform["delta"] == 1.0


def told(words: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, list[float]]:
    """The numbers that people read beside each label, in the rows of a table beside its first."""
    assert main(["survey", *words]) == 0
    labelled = told_by_label(capsys.readouterr().out.replace("−", "-"))
    return {
        label: [float(n) for n in re.findall(r"-?\b\d[\d.]*(?![\w.])", text.replace(",", ""))]
        for label, text in labelled.items()
    }


def test_that_people_read_the_numbers_of_a_simulated_mean(capsys) -> None:
    words = ["simulate", *ADDITIVE, "--set", "scale=1000", *NUMBERS, "--respondents", "30"]
    content = found([*words, "--confidence", "0.8"], capsys)
    assert content["bias"] == pytest.approx(content["mean_estimate"] - 400)
    # The error is 264: the mean is 1.5 of them above the lower bound.
    assert content["planned_bias"] == pytest.approx(0)
    assert 0.03 < content["outside_estimates"] < 0.12
    lines = told([*words, "--confidence", "0.8"], capsys)
    assert lines[Survey.TRUE_MEAN()] == [400]
    assert lines[Survey.MEAN_ESTIMATE()] == pytest.approx([content["mean_estimate"]], rel=1e-5)
    for label, key in (
        (Survey.DEVIATION, "standard_deviation"),
        (Survey.BY_THEORY, "planned_error"),
    ):
        assert lines[label()] == pytest.approx([content[key]], rel=1e-3)
    covered = Survey.COVERED_BY(level="80 %")
    for name, key in ((covered, "coverage"), (Survey.OUTSIDE(), "outside_estimates")):
        assert lines[name] == pytest.approx([100 * content[key]], abs=0.0051)


def test_that_people_read_the_numbers_of_simulated_answers(capsys) -> None:
    words = ["simulate", *FORCED, *SHARES, "--respondents", "300", "--deny", "0.5"]
    answers = found(words, capsys)["answers"]
    for entry in answers:
        assert entry["bias"] == pytest.approx(entry["mean_estimate"] - entry["share"])
    names = ("share", "mean_estimate", "standard_deviation", "planned_error", "coverage")
    lines = told(words, capsys)
    for number, entry in enumerate(answers, start=1):
        shown = [100 * entry[name] for name in (*names, "negative_estimates")]
        assert lines[str(number)] == pytest.approx(shown, abs=0.0051)


def test_that_people_read_the_numbers_of_an_estimate(capsys) -> None:
    words = ["estimate", *ADDITIVE, "--set", "noise=laplace", "--set", "center=0"]
    words += ["--set", "scale=1000", "--mean", "400"]
    words += ["--variance", "3000000", "--respondents", "300"]
    error = sqrt(3_000_000 / 300)
    lines = told(words, capsys)
    assert lines[Survey.MEAN()] == [400]
    assert lines[Survey.ERROR()] == pytest.approx([error], rel=1e-3)
    interval = lines[Survey.INTERVAL(level="95 %")]
    assert interval == pytest.approx([400 - Z * error, 400 + Z * error], rel=1e-3)
    # Of what is said, 2 scale^2 is the device's.
    assert lines[Survey.SPREAD()] == pytest.approx([1000], rel=1e-2)


def test_that_people_read_that_it_is_a_simulation(capsys) -> None:
    assert main(["survey", "simulate", *FORCED, *SHARES, "--respondents", "300"]) == 0
    assert capsys.readouterr().out.startswith(Survey.SIMULATION(seed=1, count=1000))


def test_that_respondents_margin_and_epsilon_are_found_from_each_other(capsys) -> None:
    plan = ["plan", *FORCED, *SHARES]
    # z^2 (0.04 * 0.96 + V_R) / M^2, of an order 1/8 and a truth of 1/2.
    said = 0.5 * 0.04 + 0.125
    variance = said * (1 - said) / 0.25
    people = found([*plan, "--margin", "0.03"], capsys)
    assert people["n"] == int((Z / 0.03) ** 2 * variance) + 1
    margin = found([*plan, "--respondents", str(people["n"])], capsys)
    assert margin["margin"] == pytest.approx(Z * sqrt(variance / people["n"]), rel=1e-6)
    epsilon = found([*plan, "--margin", "0.03", "--respondents", "3000"], capsys)
    assert epsilon["margin"] <= 0.03
    assert epsilon["epsilon"] < 1.6094379
    at = found([*plan, "--margin", "0.03", "--epsilon", "2", "--look", "1"], capsys)
    assert at["look"] == 1
    assert at["epsilon"] == pytest.approx(2, abs=1e-4)
    assert len(at["margins"]) == 4


def test_that_respondents_for_a_mean_are_found(capsys) -> None:
    plan = ["plan", *ADDITIVE, "--set", "scale=1000", *NUMBERS, "--margin", "50"]
    needed = (Z / 50) ** 2 * (350**2 + 2 * 1000**2)
    assert found(plan, capsys)["n"] == int(needed) + 1


def test_that_a_memo_is_written(tmp_path: Path, capsys) -> None:
    out = tmp_path / "memo.html"
    words = ["survey", "plan", *FORCED, *SHARES, "--margin", "0.03", "--memo", str(out)]
    assert main([*words, "--wording", "How often?"]) == 0
    text = out.read_text(encoding="utf-8")
    assert "How often?" in text
    assert "answer 4" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["simulate", *FORCED, "--respondents", "100"], Survey.NO_SHARES()),
        (
            ["simulate", *FORCED, *SHARES, "--prevalence", "0.1", "--respondents", "9"],
            Survey.FOR_YES_NO(option="--prevalence"),
        ),
        (
            ["simulate", *FORCED, *SHARES, "--respondents", "9", "--exact"],
            Survey.FOR_YES_NO(option="--exact"),
        ),
        (
            ["simulate", "--design", "warner", "--set", "p=3/4", "--respondents", "9"],
            Survey.NO_SHARE(),
        ),
        (["simulate", *FORCED, "--shares", "0.7,0.3", "--respondents", "9"], "4 answers"),
        (["simulate", *FORCED, "--shares", "a,b", "--respondents", "9"], Survey.BAD_SHARES()),
        (
            ["simulate", *FORCED, *SHARES, "--respondents", "9", "--look", "5"],
            Survey.NO_ANSWER(answer=5, last=4),
        ),
        (["plan", *FORCED, *SHARES], Survey.NOTHING_TO_FIND()),
        (["plan", *FORCED, *SHARES, "--margin", "-1"], "margin must lie between 0 and 1"),
        (["plan", *ADDITIVE, "--set", "scale=9", *NUMBERS, "--margin", "-1"], "lie above 0"),
        (
            ["plan", "--shares", "0.5,0.5", "--margin", "0.1"],
            Survey.NO_DESIGN(other="--prevalence PI"),
        ),
        (
            ["plan", *ADDITIVE, "--set", "scale=9", "--mean", "5", "--margin", "1"],
            Survey.NO_SUPPOSED_MEAN(),
        ),
        (
            [
                *("plan", "--design", "matrix", "--set", "rows=4/5,1/5;1/5,4/5"),
                *("--shares", "0.5,0.5", "--epsilon", "1", "--margin", "0.1"),
            ],
            "does not decide",
        ),
        (
            [
                *("simulate", *ADDITIVE, "--set", "scale=9", *NUMBERS),
                *("--respondents", "9", "--careless", "0.1"),
            ],
            "careless",
        ),
        (
            [*("simulate", *FORCED, *SHARES), *("--respondents", "9", "--refuse", "0.1")],
            "refuse",
        ),
        (
            [
                *("simulate", *ADDITIVE, "--set", "scale=9", *NUMBERS),
                *("--respondents", "9", "--refuse", "0.1"),
            ],
            "refuse",
        ),
        (
            [
                *("simulate", "--design", "direct", "--prevalence", "0.1"),
                *("--respondents", "9", "--refuse", "0.1"),
            ],
            "refuse",
        ),
    ],
)
def test_that_impossible_words_are_refused(words: list[str], said: str, capsys) -> None:
    assert main(["survey", *words]) != 0
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "asked",
    [
        [*FORCED, *SHARES],
        ["--design", "mechanism", "--set", "mechanism=oue", *SHARES],
        [*ADDITIVE, "--set", "scale=1000", *NUMBERS],
        ["--design", "warner", "--prevalence", "0.1"],
    ],
)
@pytest.mark.parametrize("respondents", ["0", "1", "-3"])
def test_that_a_survey_of_nobody_is_refused(respondents: str, asked: list[str], capsys) -> None:
    assert main(["survey", "simulate", *asked, "--respondents", respondents]) != 0
    captured = capsys.readouterr()
    assert not captured.out
    assert "at least 2 respondents" in captured.err


def test_that_the_answer_looked_at_is_counted_from_one(capsys) -> None:
    words = ["simulate", *FORCED, *SHARES, "--respondents", "100", "--deny", "0.1"]
    assert main(["survey", *words, "--look", "0"]) != 0
    assert Survey.NO_ANSWER(answer=0, last=4) in capsys.readouterr().err


def least(reaches: Callable[[int], bool]) -> int:
    """The least number of respondents of whom something holds, by halving alone."""
    low, high = 1, 2
    while not reaches(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


SAID = 0.5 * 0.04 + 0.125
ANSWERS = (0.04 * 0.96, SAID * (1 - SAID) / 0.25 - 0.04 * 0.96)
"""Sampling's and device's part, n times, of an order 1/8 for each answer and a truth of 1/2."""
AMOUNTS = (350.0**2, 2 * 1000.0**2)
KINDS = pytest.mark.parametrize(
    ("asked", "parts", "margin"),
    [
        ([*FORCED, *SHARES], ANSWERS, 0.03),
        ([*ADDITIVE, "--set", "scale=1000", *NUMBERS], AMOUNTS, 50.0),
    ],
    ids=["answers", "numbers"],
)


@KINDS
@pytest.mark.parametrize("population", [20_000, None])
def test_that_populations_and_weights_need_the_respondents_of_a_plain_search(
    asked: list[str], parts: tuple[float, float], margin: float, population: int | None, capsys
) -> None:
    sampling, device = parts

    def error(n: int) -> float:
        if population is None:
            return sqrt(1.25 * (sampling + device) / n)
        return sqrt((sampling * (population - n) / (population - 1) + device) / n)

    extra = ["--weights-cv", "0.5"] if population is None else ["--population", str(population)]
    content = found(["plan", *asked, "--margin", str(margin), *extra], capsys)
    assert content["n"] == least(lambda n: Z * error(n) <= margin)
    assert content["margin"] == pytest.approx(Z * error(content["n"]), rel=1e-6)


@KINDS
@pytest.mark.parametrize("second", [None, "device", "direct"])
def test_that_a_power_needs_the_respondents_of_a_plain_search(
    asked: list[str], parts: tuple[float, float], margin: float, second: str | None, capsys
) -> None:
    # Another share changes the variances; another mean leaves them as they are.
    value, other = (0.04, 0.02) if margin < 1 else (400.0, 300.0)
    null = parts
    if margin < 1:
        said = 0.5 * other + 0.125
        null = (other * (1 - other), said * (1 - said) / 0.25 - other * (1 - other))
    extra = {None: 0.0, "device": sum(null), "direct": null[0]}[second]

    def chance(n: int) -> float:
        shift = (value - other) * sqrt(n) - NormalDist().inv_cdf(0.95) * sqrt(sum(null) + extra)
        return NormalDist().cdf(shift / sqrt(sum(parts) + extra))

    words = ["plan", *asked, "--against", str(other)]
    words += [] if second is None else ["--second-group", second]
    needed = found([*words, "--power", "0.8"], capsys)["n"]
    assert needed == least(lambda n: chance(n) >= 0.8)
    power = found([*words, "--respondents", "3000"], capsys)["power"]
    assert power == pytest.approx(chance(3000), rel=1e-6)


@KINDS
def test_that_strata_have_the_variance_of_the_weighted_sum(
    asked: list[str], parts: tuple[float, float], margin: float, capsys
) -> None:
    words = asked if margin < 1 else [w for w in asked if w not in ("--mean", "400")]
    low, high = (0.02, 0.06) if margin < 1 else (300.0, 500.0)
    strata = ["--stratum", f"0.25:{low}:500", "--stratum", f"0.75:{high}:900"]
    content = found(["plan", *words, *strata], capsys)
    variances = [sum(parts), sum(parts)]
    if margin < 1:
        variances = [(0.5 * v + 0.125) * (1 - 0.5 * v - 0.125) / 0.25 for v in (low, high)]
    exact = 0.0625 * variances[0] / 500 + 0.5625 * variances[1] / 900
    assert content["margin"] == pytest.approx(Z * sqrt(exact), rel=1e-6)
    each = [stratum["margin"] for stratum in content["strata"]]
    wanted = [Z * sqrt(v / n) for v, n in zip(variances, (500, 900), strict=True)]
    assert each == pytest.approx(wanted, rel=1e-6)


def test_that_no_report_passes_the_cap_at_the_epsilon_found(capsys) -> None:
    content = found(["plan", *FORCED, *SHARES, "--belief", "0.3", "--odds", "3"], capsys)
    # Who says "4" holds it with 0.04 e / (0.04 e + 0.96), e being e^epsilon.
    grown = exp(content["epsilon_for_belief"])
    assert 0.04 * grown / (0.04 * grown + 0.96) == pytest.approx(0.3)
    assert exp(content["epsilon_for_odds"]) == pytest.approx(3)


def test_that_a_questionnaire_splits_its_budget_over_questions_of_any_kind(capsys) -> None:
    asked = [*ADDITIVE, "--set", "scale=9", "--deviation", "350", "--epsilon", "3"]
    questions = ["--question", "300:50", "--question", "700:80:2"]
    content = found(["plan", *asked, *questions, "--split", "weighted"], capsys)
    # Of 3 the parts are 1 and 2; the scale is the range over each.
    needed = [(Z / m) ** 2 * (350**2 + 2 * (2000 / e) ** 2) for m, e in ((50, 1), (80, 2))]
    assert content["n"] == pytest.approx(max(needed), abs=1.01)
    assert [question["epsilon"] for question in content["questions"]] == pytest.approx([1, 2])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            [
                "--design",
                "matrix",
                "--set",
                "rows=4/5,1/5;1/5,4/5",
                "--shares",
                "0.5,0.5",
                "--belief",
                "0.7",
            ],
            str(T.NOT_DECIDED(design="Matrix of chances")),
        ),
        ([*ADDITIVE, "--set", "scale=1000", *NUMBERS, "--belief", "0.3"], str(Plan.NO_BELIEF())),
        (
            [*ADDITIVE, "--set", "scale=1000", "--set", "noise=uniform", *NUMBERS, "--odds", "3"],
            "Additive",
        ),
        ([*FORCED, *SHARES, "--margin", "0.03", "--population", "50"], "all 50 people"),
    ],
)
def test_that_a_design_says_where_theory_ends(words: list[str], said: str, capsys) -> None:
    assert main(["survey", "plan", *words]) != 0
    assert said in capsys.readouterr().err


@KINDS
def test_that_the_memo_has_the_numbers_of_the_plan(
    asked: list[str], parts: tuple[float, float], margin: float, tmp_path: Path, capsys
) -> None:
    out = tmp_path / "memo.html"
    words = ["plan", *asked, "--margin", str(margin), "--population", "20000", "--denial", "0.2"]
    content = found([*words, "--memo", str(out)], capsys)
    text = re.sub(r"<[^>]*>", " ", out.read_text(encoding="utf-8")).replace("\xa0", " ")
    assert f"{content['n']:,} respondents." in text
    assert "20,000" in text
    assert f"the design errs less from {content['beats_direct_from']:,} respondents on" in text
    shown = f"± {100 * content['margin']:.1f} pp" if margin < 1 else f"± {content['margin']:.3g}"
    assert shown in text


def test_that_a_plan_prints_no_more_digits_than_it_knows(capsys) -> None:
    words = ["plan", "--epsilon", "1.7", "--prevalence", "0.1", "--margin", "0.03"]
    content = found([*words, "--device", "die"], capsys)
    assert content["effective_n"] == pytest.approx(384.149, abs=1e-3)
    lines = told([*words, "--device", "die"], capsys)
    assert lines[Survey.MARGIN()] == [0.03]
    assert lines[Survey.EFFECTIVE()] == [384]
    assert lines[Survey.DESIGN_EFFECT()] == [4.472]
