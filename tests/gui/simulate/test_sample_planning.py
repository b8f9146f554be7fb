from __future__ import annotations

import json
from fractions import Fraction
from html import unescape
from math import ceil, exp, floor, log, log10, sqrt
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.cli.main import main
from dpdesk.designs.direct import Direct
from dpdesk.designs.planning import (
    Contrast,
    Goal,
    Sample,
    Share,
    least_epsilon_for_power,
    power,
    respondents_for_margin,
    respondents_for_power,
    respondents_to_beat_direct,
)
from dpdesk.designs.planning.texts import T as Planning
from dpdesk.designs.texts import T
from dpdesk.designs.warner import Mangat, WarnerDesign
from dpdesk.designs.yes_no import YesNoDesign
from dpdesk.gui.document import Document
from dpdesk.gui.pages.simulate import SimulatePage
from dpdesk.gui.pages.simulate.planning.view import ONE, QUESTIONS, STRATA, SamplePlanningView
from dpdesk.gui.pages.simulate.survey_pane import EXPLORE, PLAN
from dpdesk.gui.pages.simulate.survey_tabs import BINARY, NUMBER, SEVERAL
from dpdesk.reports.survey import memo_html
from tests.gui.simulate.planning_steps import (
    DIE,
    TWO_COINS,
    numbers,
    suppose,
    type_into,
    values,
    want,
)


def test_that_two_coins_need_3586_respondents_for_three_points(view: SamplePlanningView) -> None:
    assert numbers(view)["respondents"] == "3586"
    assert values(view) == ["3,586", "± 3.0 pp", "9.3 ×", "384"]
    assert view.sentence.text() == (
        "3,586 respondents reach a margin of ± 3.0 pp (95 %) with Warner, two coins. "
        "Protection: strong."
    )


def test_that_epsilon_one_needs_4314_and_4007_of_5000(
    page: SimulatePage, placed: SamplePlanningView, qtbot: QtBot
) -> None:
    view = placed
    page.pane.change(design=WarnerDesign().at_epsilon(1.0))
    page.pane.flush()
    assert values(view)[0] == "4,314"
    type_into(view.one.cells["population"], "5000", qtbot)
    assert values(view)[0] == "4,007"
    assert "4,007 respondents" in view.sentence.text()
    assert "in a population of 5,000" in view.sentence.text()
    view.take.click()
    assert page.scenario().respondents == 4007
    page.pane.flush()
    assert not view.take.isVisibleTo(view)


def test_that_the_power_is_the_published_one(view: SamplePlanningView, qtbot: QtBot) -> None:
    suppose(view, design=DIE, respondents=200)
    want(view, Goal.POWER)
    type_into(view.one.cells["against"], "0", qtbot)
    assert float(numbers(view)["power"]) == pytest.approx(0.7822386414, abs=1e-9)
    assert power(Sample(DIE, Share(0.1), 200), Contrast(0.0)) == pytest.approx(
        0.7822386414, abs=1e-10
    )
    assert values(view)[1] == "78.2 %"
    view.one.sides.setCurrentIndex(1)
    view.one.sides.activated.emit(1)
    both = power(Sample(DIE, Share(0.1), 200), Contrast(0.0, two_sided=True))
    assert float(numbers(view)["power"]) == pytest.approx(both)


def test_that_the_power_between_two_groups_is_the_published_one(
    view: SamplePlanningView, qtbot: QtBot
) -> None:
    suppose(view, design=DIE, prevalence=0.15, respondents=2500)
    want(view, Goal.POWER)
    type_into(view.one.cells["against"], "10 %", qtbot)
    view.one.sides.setCurrentIndex(1)
    view.one.second.setCurrentIndex(1)
    view.one.second.activated.emit(1)
    # R package rr, forced response (2/3, 1/6, 1/6).
    assert float(numbers(view)["power"]) == pytest.approx(0.79041, abs=5e-6)
    assert "in each of two groups" in view.sentence.text()
    assert "share of the second group" in numbers(view)
    want(view, Goal.EPSILON_FOR_POWER)
    assert not view.one.second.isVisibleTo(view)
    assert "share of the null hypothesis" in numbers(view)


def test_that_respondents_for_a_power_are_those_of_the_formula(
    view: SamplePlanningView, qtbot: QtBot
) -> None:
    want(view, Goal.RESPONDENTS_FOR_POWER)
    type_into(view.one.cells["power"], "90 %", qtbot)
    type_into(view.one.cells["alpha"], "1", qtbot)
    wanted = respondents_for_power(
        Sample(TWO_COINS, Share(0.1)), Contrast(0.05, 0.01), 0.9
    ).respondents
    assert numbers(view)["respondents"] == str(wanted)


def test_that_the_least_epsilon_for_a_power_has_it_and_no_more(
    page: SimulatePage, placed: SamplePlanningView
) -> None:
    view = placed
    want(view, Goal.EPSILON_FOR_POWER)
    outcome = view.outcome()
    assert outcome is not None
    assert outcome.epsilon is not None
    reached = respondents_for_power(
        Sample(TWO_COINS.at_epsilon(outcome.epsilon), Share(0.1)), Contrast(0.05), 0.8
    ).respondents
    assert reached <= 3586
    less = TWO_COINS.at_epsilon(outcome.epsilon - 1e-5)
    assert respondents_for_power(Sample(less, Share(0.1)), Contrast(0.05), 0.8).respondents > 3586
    view.take.click()
    assert page.scenario().epsilon == pytest.approx(outcome.epsilon, abs=1e-5)


def test_that_epsilon_for_a_power_goes_back_to_the_design() -> None:
    chance = power(Sample(DIE, Share(0.1), 200), Contrast(0.0))
    assert least_epsilon_for_power(
        Sample(DIE, Share(0.1), 200), Contrast(0.0), chance
    ) == pytest.approx(log(5), abs=1e-4)


@pytest.mark.parametrize(
    ("goal", "field", "typed", "epsilon"),
    [
        (Goal.EPSILON_FOR_BELIEF, "belief", "50", log(9)),
        (Goal.EPSILON_FOR_ODDS, "odds", "3", log(3)),
    ],
)
def test_that_a_cap_on_beliefs_or_odds_has_its_epsilon(
    goal: Goal, field: str, typed: str, epsilon: float, view: SamplePlanningView, qtbot: QtBot
) -> None:
    want(view, goal)
    type_into(view.one.cells[field], typed, qtbot)
    assert float(numbers(view)["epsilon"]) == pytest.approx(epsilon)
    sample = Sample(TWO_COINS.at_epsilon(epsilon), Share(0.1), 3586)
    assert float(numbers(view)["margin"]) == pytest.approx(sample.margin)
    assert float(numbers(view)["highest belief"]) == pytest.approx(
        0.5 if field == "belief" else 0.25
    )


def test_that_the_epsilon_of_1000_respondents_is_that_of_the_science(
    view: SamplePlanningView,
) -> None:
    suppose(view, respondents=1000)
    want(view, Goal.EPSILON_FOR_MARGIN)
    assert float(numbers(view)["epsilon"]) == pytest.approx(2.177, abs=5e-4)


def test_that_unequal_weights_show_their_design_effect(
    view: SamplePlanningView, qtbot: QtBot
) -> None:
    type_into(view.one.cells["weights_cv"], "50 %", qtbot)
    wanted = respondents_for_margin(Sample(TWO_COINS, Share(0.1), weights_cv=0.5), 0.03)
    found = numbers(view)
    assert found["respondents"] == str(wanted.respondents) == "4482"
    assert float(found["design effect of the weights"]) == 1.25
    assert float(found["design effect"]) == pytest.approx(wanted.design_effect)
    assert float(found["effective respondents"]) == pytest.approx(wanted.effective_respondents)
    assert "1.25 ×" in view.notes.text()


@pytest.mark.parametrize(("design", "least"), [(DIE, 142), (TWO_COINS, 317)])
def test_that_denials_say_from_which_n_the_design_is_better(
    design, least: int, view: SamplePlanningView, qtbot: QtBot
) -> None:
    suppose(view, design=design)
    type_into(view.one.cells["denial"], "50", qtbot)
    assert respondents_to_beat_direct(Sample(design, Share(0.1)), 0.5) == least
    assert f"from n = {least} on the design errs less" in view.notes.text()
    assert "5.0 pp too low at any n" in view.notes.text()
    table = view.one.curves.plot.table_data()
    at = [[float(text.replace(",", "")) for text in row] for row in table.rows]
    for people, own, _, denied in at:
        assert (own <= denied) == (people >= least)


def test_that_what_is_impossible_is_told_at_its_field(
    view: SamplePlanningView, qtbot: QtBot
) -> None:
    cells = view.one.cells
    type_into(cells["margin"], "150", qtbot)
    assert "must lie between 0 and 1" in cells["margin"].refusal.text()
    assert values(view) == ["—"] * 4
    type_into(cells["margin"], "3", qtbot)
    assert not cells["margin"].refusal.isVisibleTo(view)
    type_into(cells["population"], "1000", qtbot)
    assert "Even with all 1,000 people" in cells["margin"].refusal.text()
    type_into(cells["population"], "5000", qtbot)
    type_into(cells["weights_cv"], "0.3", qtbot)
    assert Planning.WEIGHTED_POPULATION() in cells["weights_cv"].refusal.text()
    type_into(cells["population"], "", qtbot)
    assert view.outcome() is not None
    type_into(cells["weights_cv"], "-1", qtbot)
    assert "must be from 0 to 1,000" in cells["weights_cv"].refusal.text()


def test_that_what_is_no_number_stays_as_it_was_typed(
    view: SamplePlanningView, qtbot: QtBot
) -> None:
    margin = view.one.cells["margin"]
    type_into(margin, "three", qtbot)
    assert margin.field.text() == "three"
    assert "not a number" in margin.refusal.text()
    view.set_kind(STRATA)
    view.set_kind(ONE)
    want(view, Goal.POWER)
    want(view, Goal.RESPONDENTS_FOR_MARGIN)
    assert margin.field.text() == "three"
    assert "not a number" in margin.refusal.text()


def test_that_a_share_of_nobody_is_told_and_no_plan_shown(view: SamplePlanningView) -> None:
    suppose(view, prevalence=0.0)
    assert "true share must lie between 0 and 1" in view.refusal.text()
    assert view.outcome() is None
    assert not view.copying.isEnabled()


def test_that_a_design_without_epsilon_is_solved_with_warners(view: SamplePlanningView) -> None:
    suppose(view, design=Mangat(p=Fraction(3, 4)))
    want(view, Goal.EPSILON_FOR_MARGIN)
    assert float(numbers(view)["epsilon"]) == pytest.approx(log(3), abs=1e-3)
    assert T.INSTEAD_WARNER() in view.notes.text()
    assert not view.take.isVisibleTo(view)


STANDS_IN = pytest.mark.parametrize(
    ("design", "words"),
    [
        (Mangat(p=Fraction(3, 4)), ["--design", "mangat", "--set", "p=3/4"]),
        (Direct(), ["--design", "direct"]),
    ],
    ids=["mangat", "direct"],
)


@STANDS_IN
def test_that_window_card_and_command_line_say_the_same_of_warners_in_place_of_a_design(
    design: YesNoDesign, words: list[str], page: SimulatePage, capsys
) -> None:
    view = of_kind(page, BINARY)
    page.pane.change(design=design)
    page.pane.flush()
    want(view, Goal.EPSILON_FOR_MARGIN)
    asked = [*words, "--prevalence", "0.1", "--margin", "0.03"]
    asked += ["--respondents", str(page.scenario().respondents)]
    found = commanded(asked, capsys)
    epsilon = found["epsilon_for_margin"]
    assert float(numbers(view)["epsilon"]) == pytest.approx(epsilon, rel=1e-8)
    assert found["design"] == WarnerDesign().at_epsilon(epsilon).model_dump(mode="json")
    assert T.INSTEAD_WARNER() in found["note"]
    assert found["note"] in view.notes.text()
    page.show_room(EXPLORE)
    solved = page.pane.card.solve
    for row, least in ((1, epsilon), (2, log(9))):
        assert solved.answer(row) == pytest.approx(least, rel=1e-8)
        assert solved.answers[row].accessibleDescription() == found["note"]
        assert not solved.answers[row].isEnabled()
    assert main(["survey", "plan", *asked]) == 0
    assert found["note"] in capsys.readouterr().out
    view.set_kind(QUESTIONS)
    assert found["note"] in view.notes.text()
    view.memo.click()
    memo = memo_html(page.pane.planned(page.scenario().memo(())))
    assert found["note"] in unescape(memo)


@pytest.mark.parametrize("goal", list(Goal))
def test_that_the_tiles_of_every_goal_are_those_of_its_device(
    goal: Goal, view: SamplePlanningView
) -> None:
    suppose(view, design=DIE, respondents=900)
    want(view, goal)
    told = numbers(view)
    grown, people = exp(float(told["epsilon"])), int(told["respondents"])
    # No and yes are ordered with this chance each; a tenth are carriers.
    forced = 1 / (1 + grown)
    yes = forced + (1 - 2 * forced) * 0.1
    variance = yes * (1 - yes) / (1 - 2 * forced) ** 2
    # The least epsilon is rounded up, the largest under a cap down.
    capped = goal in {Goal.EPSILON_FOR_BELIEF, Goal.EPSILON_FOR_ODDS}
    thousandths = (floor if capped else ceil)(1000 * log(grown))
    low, high = 0.1 / (0.1 + 0.9 * grown), 0.1 * grown / (0.1 * grown + 0.9)
    expected = {
        "respondents": f"{people:,}",
        "margin of": f"± {196 * sqrt(variance / people):.1f} pp",
        "design effect": f"{variance / 0.09:.1f} ×",
        "effective n": f"{0.09 / variance * people:.0f}",
        "power": f"{100 * float(told.get('power', 'nan')):.1f} %",
        "false alarms": "5 %",
        "no answer more": f"ε {thousandths / 1000:.3f}".removesuffix("0"),
        "what an answer can make": f"{100 * low:.1f} % – {100 * high:.0f} %",
    }
    assert len(view.figures.tiles) == 4
    for tile in view.figures.tiles:
        (value,) = (v for words, v in expected.items() if tile.caption().startswith(words))
        assert tile.value() == value, tile.caption()
    assert float(told["margin"]) == pytest.approx(1.959964 * sqrt(variance / people), rel=1e-6)


FORCED = ["--design", "forced_categories", "--set", "orders=1/8,1/8,1/8,1/8"]
ANSWERS = [*FORCED, "--shares", "0.7,0.18,0.08,0.04"]
ADDED = ["--design", "additive", "--set", "lower=0", "--set", "upper=2000", "--set", "scale=1000"]
NUMBERS = [*ADDED, "--mean", "400", "--deviation", "350"]
COINS = ["--design", "warner", "--set", "p=3/4", "--prevalence", "0.1"]
KINDS = pytest.mark.parametrize(
    ("kind", "words", "margin"),
    [(BINARY, COINS, "3"), (SEVERAL, ANSWERS, "3"), (NUMBER, NUMBERS, "50")],
)


def of_kind(page: SimulatePage, kind: str) -> SamplePlanningView:
    """The plan of the sample of a kind of answer, as one finds it."""
    page.choose_kind(kind)
    page.show_room(PLAN)
    page.pane.flush()
    return page.planning


def commanded(words: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert main(["survey", "plan", *words, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@KINDS
def test_that_window_command_line_and_memo_plan_the_same(
    page: SimulatePage, kind: str, words: list[str], margin: str, qtbot: QtBot, capsys
) -> None:
    view = of_kind(page, kind)
    typed = margin if kind == NUMBER else str(float(margin) / 100)
    for name, text, option in (
        ("population", "20000", ["--population", "20000"]),
        ("weights_cv", "0.5", ["--weights-cv", "0.5"]),
    ):
        type_into(view.one.cells[name], text, qtbot)
        type_into(view.one.cells["denial"], "20", qtbot)
        found = commanded([*words, "--margin", typed, *option, "--denial", "0.2"], capsys)
        told = numbers(view)
        assert told["respondents"] == str(found["n"])
        assert told.get("expected standard deviation") == ("350" if kind == NUMBER else None)
        assert float(told["margin"]) == pytest.approx(found["margin"], rel=1e-8)
        assert float(told["design effect"]) == pytest.approx(found["design_effect"], rel=1e-8)
        assert told["beats a direct question from"] == str(found["beats_direct_from"])
        for answer, each in enumerate(found.get("margins", ())):
            name_of = page.scenario().names[answer]
            assert float(told[f"margin of {name_of}"]) == pytest.approx(each, rel=1e-8)
        memo = memo_html(page.pane.planned(page.scenario().memo(())))
        said = "Respondents</th><td>{:,}</td>" if kind == BINARY else "{:,} respondents."
        assert said.format(found["n"]) in memo
        assert f"errs less from {found['beats_direct_from']:,} respondents" in memo
        type_into(view.one.cells[name], "", qtbot)
    want(view, Goal.EPSILON_FOR_MARGIN)
    asked = str(page.scenario().respondents)
    found = commanded([*words, "--margin", typed, "--respondents", asked], capsys)
    assert float(numbers(view)["epsilon"]) == pytest.approx(found["epsilon_for_margin"], rel=1e-8)
    legend = [entry.text for entry in view.one.curves.legend.entries()]
    assert legend[0].endswith(f"at ε = {view.outcome().epsilon_said}")
    view.take.click()
    assert page.scenario().epsilon == pytest.approx(found["epsilon"], rel=1e-6)


@KINDS
def test_that_tests_caps_strata_and_questions_are_those_of_the_command_line(
    page: SimulatePage, kind: str, words: list[str], margin: str, qtbot: QtBot, capsys
) -> None:
    view = of_kind(page, kind)
    want(view, Goal.RESPONDENTS_FOR_POWER)
    against = "300" if kind == NUMBER else "0.05"
    found = commanded([*words, "--against", against, "--power", "0.8"], capsys)
    assert numbers(view)["respondents"] == str(found["n"])
    view.one.second.setCurrentIndex(2)
    view.one.second.activated.emit(2)
    second = ["--second-group", "direct"]
    found = commanded([*words, "--against", against, "--power", "0.8", *second], capsys)
    assert numbers(view)["respondents"] == str(found["n"])
    want(view, Goal.EPSILON_FOR_ODDS)
    found = commanded([*words, "--odds", "3"], capsys)
    assert float(numbers(view)["epsilon"]) == pytest.approx(found["epsilon_for_odds"], rel=1e-8)
    goals = [view.one.goal.itemData(row) for row in range(view.one.goal.count())]
    assert (Goal.EPSILON_FOR_BELIEF.name in goals) == (kind != NUMBER)
    # Every stratum and every question has its own share or mean.
    words = [word for word in words if word not in ("--mean", "400", "--prevalence", "0.1")]
    view.set_kind(STRATA)
    first = {BINARY: (0.05, 0.1, 0.25), SEVERAL: (0.02, 0.04, 0.1), NUMBER: (200, 400, 1000)}
    parts = zip((0.5, 0.3, 0.2), first[kind], strict=True)
    strata = [part for share, value in parts for part in ("--stratum", f"{share}:{value}")]
    rule = ["--allocation", "neyman", "--respondents", str(page.scenario().respondents)]
    found = commanded([*words, *strata, *rule], capsys)
    plan = view.strata.found().plan
    assert plan.margin == pytest.approx(found["margin"], rel=1e-9)
    assert list(plan.respondents) == [stratum["n"] for stratum in found["strata"]]
    view.set_kind(QUESTIONS)
    if kind == BINARY:
        words = [word for word in words if word not in ("--set", "p=3/4")]
    asked = {
        BINARY: ("0.1:0.03", "0.2:0.04"),
        SEVERAL: ("0.04:0.03", "0.08:0.04"),
        NUMBER: ("400:50", "800:60"),
    }
    questions = [part for each in asked[kind] for part in ("--question", each)]
    found = commanded([*words, *questions, "--epsilon", "2", "--split", "least"], capsys)
    assert view.questions.found().plan.respondents == found["n"]
    for kept in (STRATA, QUESTIONS):
        view.set_kind(kept)
        view.memo.click()
    memo = memo_html(page.pane.planned(page.scenario().memo(())))
    assert "Supposed mean" in memo if kind == NUMBER else "Supposed share" in memo
    assert f"{found['n']:,} respondents who answer all 2 questions" in memo


def test_that_numbers_are_planned_in_their_unit(page: SimulatePage, qtbot: QtBot) -> None:
    view = of_kind(page, NUMBER)
    page.pane.change(unit="euros")
    page.pane.flush()
    assert view.one.cells["margin"].field.text() == "± 50 euros"
    type_into(view.one.cells["margin"], "60 euros", qtbot)
    assert view.one.cells["margin"].number() == 60
    assert "a margin of ± 60 euros (95 %)" in view.sentence.text()
    assert values(view)[1] == "± 60 euros"
    units = {row[0]: row[2] for row in view.outcome().table.rows}
    assert (units["margin"], units["true mean"]) == ("euros", "euros")


@pytest.mark.parametrize(("kind", "word"), [(SEVERAL, "matrix"), (NUMBER, "bar_lev")])
def test_that_a_design_says_itself_that_no_epsilon_decides_it(
    page: SimulatePage, kind: str, word: str
) -> None:
    view = of_kind(page, kind)
    page.pane.change(design=page.scenario().usual_design(word))
    page.pane.flush()
    assert view.outcome() is not None
    want(view, Goal.EPSILON_FOR_MARGIN)
    assert view.outcome() is None
    assert page.scenario().design.title in view.refusal.text()


@pytest.mark.parametrize("kind", [SEVERAL, NUMBER])
def test_that_questions_of_every_kind_go_into_the_plan(
    page: SimulatePage, document: Document, kind: str
) -> None:
    view = of_kind(page, kind)
    view.set_kind(QUESTIONS)
    view.use.click()
    columns = [c for c in document.plan.columns if c.name.startswith("sensitive_question_")]
    planned = view.questions.found().plan.questions
    # A plan has four decimals of an epsilon, rounded down.
    for column, question in zip(columns, planned, strict=True):
        assert 0 <= question.epsilon - float(column.mechanism.epsilon) < 1.01e-4
    assert columns[0].label == page.scenario().question


@pytest.mark.parametrize("margin", ["90", "40", "10", "1", "0.05"])
def test_that_the_answer_lies_on_its_plot(
    margin: str, view: SamplePlanningView, qtbot: QtBot
) -> None:
    type_into(view.one.cells["margin"], margin, qtbot)
    plot = view.one.curves.plot
    (left, right), (low, high) = plot.getPlotItem().getViewBox().viewRange()
    respondents = int(values(view)[0].replace(",", ""))
    assert plot._upright.value() == pytest.approx(log10(respondents))
    assert left <= plot._upright.value() <= right
    assert low <= plot._level.value() <= high
