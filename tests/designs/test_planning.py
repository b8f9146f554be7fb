"""Weights, strata and questionnaires: against formulas and everything else one could do."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import product
from math import ceil, inf, log, sqrt

import pytest

from dpdesk.cli.main import main
from dpdesk.designs import DESIGNS, design_named, loss_of
from dpdesk.designs.planning import (
    Goal,
    Question,
    Sample,
    Share,
    Stratum,
    Wanted,
    allocate,
    epsilon_for_odds,
    kish_effect,
    least_epsilon,
    plan_of_questionnaire,
    plan_of_strata,
    respondents_for_margin,
    respondents_for_strata,
    solve,
)
from dpdesk.designs.warner import WarnerDesign
from dpdesk.errors import ParameterError
from tests.refusals import refused

TWO_COINS = WarnerDesign(p=Fraction(3, 4))
DIRECT = design_named("direct")()
STRATA = (Stratum(0.5, Share(0.02)), Stratum(0.3, Share(0.4)), Stratum(0.2, Share(0.1)))
QUESTIONS = (
    Question(Share(0.1), 0.03),
    Question(Share(0.3), 0.05, 2.0),
    Question(Share(0.02), 0.02),
)


def test_that_weights_multiply_the_respondents_by_one_plus_cv_squared() -> None:
    plain = TWO_COINS.planned_variance(0.1).total * (1.959963984540054 / 0.03) ** 2
    found = respondents_for_margin(Sample(TWO_COINS, Share(0.1), weights_cv=0.5), 0.03)
    assert found.respondents == ceil(1.25 * plain) == 4482
    assert found.margin <= 0.03
    less = Sample(TWO_COINS, Share(0.1), found.respondents - 1, weights_cv=0.5)
    assert less.margin > 0.03
    assert found.design_effect == pytest.approx(1.25 * (1 + 0.75 / 0.09))
    assert kish_effect(0.0) == 1


def test_that_the_epsilon_for_a_margin_goes_back_to_the_margin() -> None:
    for more in ({}, {"population": 5_000}, {"weights_cv": 0.5}):
        epsilon = least_epsilon(Sample(TWO_COINS, Share(0.1), 2_000, **more), 0.03)
        design = WarnerDesign().at_epsilon(epsilon)
        assert Sample(design, Share(0.1), 2_000, **more).margin == pytest.approx(0.03, rel=1e-4)


@pytest.mark.parametrize("cv", [-0.1, inf, float("nan")])
def test_that_weights_without_sense_are_refused(cv: float) -> None:
    with refused("designs.planning.bad-variation"):
        kish_effect(cv)


def test_that_a_weighted_simple_random_sample_is_refused() -> None:
    with refused("designs.planning.weighted-population"):
        respondents_for_margin(
            Sample(TWO_COINS, Share(0.1), population=10_000, weights_cv=0.5), 0.03
        )


def test_that_odds_have_their_logarithm() -> None:
    assert epsilon_for_odds(3) == log(3)
    for odds in (1.0, 0.0, inf, float("nan")):
        with pytest.raises(ParameterError):
            epsilon_for_odds(odds)


@pytest.mark.parametrize("design", [TWO_COINS, DIRECT], ids=["warner", "direct"])
def test_that_strata_have_the_variance_of_the_weighted_sum(design) -> None:
    plan = plan_of_strata(design, STRATA, (100, 50, 40))
    variance = sum(
        s.share**2 * design.planned_variance(s.people.value).total / n
        for s, n in zip(STRATA, (100, 50, 40), strict=True)
    )
    assert plan.margin == pytest.approx(1.959963984540054 * sqrt(variance))
    assert plan.people.value == pytest.approx(0.15)
    assert plan.total == 190
    own = [Sample(design, s.people, n) for s, n in zip(STRATA, (100, 50, 40), strict=True)]
    assert plan.margins == pytest.approx(tuple(o.margin for o in own))


def test_that_neyman_is_the_best_of_all_allocations_but_for_rounding() -> None:
    strata, total = (Stratum(0.6, Share(0.05)), Stratum(0.4, Share(0.4))), 60
    best = min(
        plan_of_strata(DIRECT, strata, (first, total - first)).margin for first in range(2, 59)
    )
    chosen = plan_of_strata(DIRECT, strata, allocate(DIRECT, strata, total, "neyman"))
    proportional = plan_of_strata(DIRECT, strata, allocate(DIRECT, strata, total, "proportional"))
    assert chosen.margin == pytest.approx(best, rel=1e-3)
    assert chosen.margin < proportional.margin
    assert proportional.respondents == (36, 24)


@pytest.mark.parametrize("allocation", ["proportional", "neyman"])
@pytest.mark.parametrize("total", [6, 7, 100, 12_345])
def test_that_allocations_sum_up_and_leave_no_stratum_empty(allocation, total) -> None:
    strata = (Stratum(0.001, Share(0.1)), Stratum(0.5, Share(0.02)), Stratum(0.499, Share(0.4)))
    counts = allocate(DIRECT, strata, total, allocation)
    assert sum(counts) == total
    assert min(counts) >= 2


@pytest.mark.parametrize("allocation", ["proportional", "neyman"])
@pytest.mark.parametrize("margin", [0.02, 0.03, 0.1])
def test_that_strata_get_the_respondents_that_their_margin_needs(allocation, margin) -> None:
    plan = respondents_for_strata(TWO_COINS, STRATA, margin, allocation)
    assert plan.margin <= margin
    # Whole numbers cost a stratum one respondent at most.
    fewer = allocate(TWO_COINS, STRATA, plan.total - len(STRATA), allocation)
    assert plan_of_strata(TWO_COINS, STRATA, fewer).margin > margin
    assert plan.margin <= plan.unstratified_margin


@pytest.mark.parametrize(
    ("strata", "counts"),
    [
        ((), ()),
        ((Stratum(0.5, Share(0.1)), Stratum(0.4, Share(0.1))), (9, 9)),
        ((Stratum(0.0, Share(0.1)), Stratum(1.0, Share(0.1))), (9, 9)),
        ((Stratum(0.5, Share(1.1)), Stratum(0.5, Share(0.1))), (9, 9)),
        ((Stratum(0.5, Share(0.1)), Stratum(0.5, Share(0.1))), (9,)),
        ((Stratum(0.5, Share(0.1)), Stratum(0.5, Share(0.1))), (9, 1)),
    ],
)
def test_that_strata_without_sense_are_refused(strata, counts) -> None:
    with pytest.raises(ParameterError):
        plan_of_strata(TWO_COINS, strata, counts)


@pytest.mark.parametrize("split", ["equal", "weighted", "least"])
def test_that_a_questionnaire_keeps_its_budget_and_meets_every_margin(split) -> None:
    plan = plan_of_questionnaire(TWO_COINS, QUESTIONS, 3.0, split)
    assert 2.999 < plan.epsilon <= 3.0
    for planned in plan.questions:
        assert planned.margin <= planned.question.margin
        assert planned.epsilon == loss_of(planned.design.groups).epsilon
        found = Sample(planned.design, planned.question.people, plan.respondents)
        assert planned.margin == found.margin
    if split != "least":
        parts = [p.epsilon for p in plan.questions]
        wanted = [1.0, 1.0, 1.0] if split == "equal" else [0.75, 1.5, 0.75]
        assert parts == pytest.approx(wanted, abs=1e-4)


def test_that_no_other_split_does_with_fewer_respondents() -> None:
    least = plan_of_questionnaire(TWO_COINS, QUESTIONS, 3.0, "least").respondents
    for first, second in product(range(1, 29), repeat=2):
        if first + second < 30:
            parts = (first / 10, second / 10, (30 - first - second) / 10)
            weighted = [
                Question(q.people, q.margin, weight)
                for q, weight in zip(QUESTIONS, parts, strict=True)
            ]
            found = plan_of_questionnaire(TWO_COINS, weighted, 3.0, "weighted")
            assert found.respondents >= least


def test_that_one_question_alone_gets_the_whole_budget() -> None:
    for split in ("equal", "weighted", "least"):
        plan = plan_of_questionnaire(TWO_COINS, QUESTIONS[:1], log(3) + 1e-9, split)
        assert plan.respondents == 3586


@pytest.mark.parametrize(
    ("questions", "budget"),
    [((), 1.0), (QUESTIONS, 0.0), (QUESTIONS, inf), ((Question(Share(0.1), 0.03, -1.0),), 1.0)],
)
def test_that_questionnaires_without_sense_are_refused(questions, budget) -> None:
    with pytest.raises(ParameterError):
        plan_of_questionnaire(TWO_COINS, questions, budget, "weighted")


def test_that_a_huge_epsilon_is_no_infinite_one() -> None:
    assert loss_of(WarnerDesign().at_epsilon(700.0).groups).epsilon < inf


def shown(capsys, *words: str) -> dict[str, object]:
    assert main(["survey", "plan", *words, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_that_the_command_line_plans_the_same(capsys) -> None:
    one = ["--prevalence", "0.1", "--margin", "0.03"]
    assert shown(capsys, "--epsilon", "1", *one)["n"] == 4314
    assert shown(capsys, "--epsilon", "1", *one, "--population", "5000")["n"] == 4007
    assert shown(capsys, "--design", "warner", *one, "--weights-cv", "0.5")["n"] == 4482
    for design in (["forced"], ["kuk"], ["crosswise", "--set", "p=1/4"]):
        assert shown(capsys, "--design", *design, "--epsilon", "1", *one)["n"] == 4314
    assert shown(capsys, "--odds", "3") == {
        "epsilon_for_odds": log(3),
        "strength": "strong",
    }
    strata = ["--stratum", "0.5:0.02", "--stratum", "0.3:0.4", "--stratum", "0.2:0.1"]
    found = shown(capsys, "--design", "warner", *strata, "--margin", "0.03")
    assert found["n"] == respondents_for_strata(TWO_COINS, STRATA, 0.03, "proportional").total
    assert shown(capsys, "--design", "warner", *strata, "--respondents", "500")["n"] == 500
    given = [f"{word}:100" if index % 2 else word for index, word in enumerate(strata)]
    assert shown(capsys, "--design", "warner", *given)["n"] == 300
    asked = ["--question", "0.1:0.03", "--question", "0.3:0.05:2", "--question", "0.02:0.02"]
    for split in ("equal", "weighted", "least"):
        found = shown(capsys, "--epsilon", "3", *asked, "--split", split)
        plan = plan_of_questionnaire(TWO_COINS, QUESTIONS, 3.0, split)
        assert found["n"] == plan.respondents
    for kind in DESIGNS:
        design = kind.example()
        if design.quantity != "share" or not design.epsilon_decides:
            continue
        found = shown(capsys, "--epsilon", "3", *asked, "--design", kind.tag())
        assert found["n"] == plan_of_questionnaire(design, QUESTIONS, 3.0).respondents
        assert {question["design"]["kind"] for question in found["questions"]} == {kind.tag()}
    assert main(["survey", "plan", "--epsilon", "3", *asked]) == 0
    assert re.search(r"^  3 +0\.02 ", capsys.readouterr().out, re.MULTILINE)
    assert main(["survey", "plan", "--design", "warner", *strata, "--margin", "0.03"]) == 0
    assert re.search(r"^  3 +0\.\d", capsys.readouterr().out, re.MULTILINE)


def test_that_a_margin_of_so_many_respondents_finds_the_epsilon_of_the_named_design(
    capsys,
) -> None:
    asked = ["--prevalence", "0.1", "--margin", "0.03", "--respondents", "4000"]
    least = shown(capsys, *asked)
    assert list(least) == ["epsilon_for_margin", "strength"]
    for design in (["warner"], ["forced"], ["crosswise", "--set", "p=1/4"]):
        found = shown(capsys, "--design", *design, *asked)
        assert found["design"]["kind"] == design[0]
        assert found["epsilon_for_margin"] == pytest.approx(least["epsilon_for_margin"], rel=1e-8)
        assert found["epsilon"] <= found["epsilon_for_margin"]
        assert found["n"] == 4000
        assert found["margin"] <= 0.03
    told = ["survey", "plan", "--design", "forced", *asked]
    assert main(told) == 0
    said = capsys.readouterr().out
    assert re.search(r"^  epsilon +1\.04$", said, re.MULTILINE)
    assert "Warner" not in said
    power = shown(capsys, "--design", "forced", *asked, "--against", "0.05")["power"]
    forced = design_named("forced").example().at_epsilon(found["epsilon_for_margin"])
    found_power = solve(Wanted(Goal.POWER), Sample(forced, Share(0.1), 4000)).power
    assert power == pytest.approx(found_power, rel=1e-8)


@pytest.mark.parametrize(
    "words",
    [
        ["--question", "0.1:0.03"],
        ["--question", "0.1", "--epsilon", "1"],
        ["--question", "a:b", "--epsilon", "1"],
        ["--question", "0.1:nan:1", "--epsilon", "1"],
        ["--question", "0.1:0.03", "--epsilon", "1", "--set", "p=3/4"],
        ["--question", "0.1:0.03", "--epsilon", "1", "--design", "mangat"],
        ["--stratum", "1:0.1"],
        ["--stratum", "1:0.1", "--epsilon", "1"],
        ["--stratum", "0.5:0.1:20", "--stratum", "0.5:0.1", "--epsilon", "1"],
        ["--stratum", "1:0.1:20.5", "--epsilon", "1"],
        ["--stratum", "1:0.1", "--epsilon", "1", "--margin", "0.1", "--weights-cv", "1"],
        ["--epsilon", "1"],
        ["--epsilon", "1", "--design", "mangat", "--prevalence", "0.1", "--margin", "0.1"],
        ["--belief", "0.5"],
    ],
)
def test_that_plans_without_sense_end_with_one_sentence(words, capsys) -> None:
    assert main(["survey", "plan", *words]) == 2
    caught = capsys.readouterr()
    assert caught.out == ""
    assert caught.err.count("\n") == 1


def test_that_a_plan_names_the_margin_that_sums_alone_give(capsys) -> None:
    device = ["--design", "item_count", "--set", "items=4", "--prevalence", "0.1"]
    found = shown(capsys, *device, "--respondents", "3586")
    # n times the variance, of the longer and the shorter list: 2 (1 + .09) + 2.
    assert found["margin"] == pytest.approx(1.959964 * sqrt(4.18 / 3586), rel=1e-4)
    assert main(["survey", "estimate", *device[:4], "--counts", "3765/1793,3586/1793"]) == 0
    told = capsys.readouterr().out.replace("−", "-")
    ((low, high),) = re.findall(r"at the widest +(-?[\d.]+) % to ([\d.]+) %", told)
    assert (float(high) - float(low)) / 200 == pytest.approx(found["margin_from_sums"], rel=5e-3)
    assert main(["survey", "plan", *device, "--respondents", "3586"]) == 0
    assert "only sums of answers are kept  0.147" in capsys.readouterr().out
    assert main(["survey", "simulate", *device, "--respondents", "3586"]) == 0
    assert "widest 95 % intervals with the true value" in capsys.readouterr().out
    plain = shown(capsys, "--design", "warner", "--prevalence", "0.1", "--respondents", "3586")
    assert "margin_from_sums" not in plain
