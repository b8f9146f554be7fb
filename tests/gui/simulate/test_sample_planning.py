from __future__ import annotations

from fractions import Fraction
from math import ceil, exp, floor, log, sqrt

import pytest
from pytestqt.qtbot import QtBot

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
from dpdesk.designs.warner import Mangat, WarnerDesign
from dpdesk.gui.pages.simulate import SimulatePage
from dpdesk.gui.pages.simulate.planning.view import ONE, STRATA, SamplePlanningView
from tests.gui.simulate.planning_steps import (
    DIE,
    TWO_COINS,
    numbers,
    suppose,
    type_into,
    values,
)


def test_that_two_coins_need_3586_respondents_for_three_points(view: SamplePlanningView) -> None:
    assert numbers(view)["respondents"] == "3586"
    assert values(view) == ["3,586", "± 3.0 pp", "9.3 ×", "384"]
    assert view.sentence.text() == (
        "3,586 respondents reach a margin of ± 3.0 pp (95 %) with Warner, two coins."
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
    view.one.set_goal(Goal.POWER)
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
    view.one.set_goal(Goal.POWER)
    type_into(view.one.cells["against"], "10 %", qtbot)
    view.one.sides.setCurrentIndex(1)
    view.one.second.setCurrentIndex(1)
    view.one.second.activated.emit(1)
    # R package rr, forced response (2/3, 1/6, 1/6).
    assert float(numbers(view)["power"]) == pytest.approx(0.79041, abs=5e-6)
    assert "in each of two groups" in view.sentence.text()
    assert "share of the second group" in numbers(view)
    view.one.set_goal(Goal.EPSILON_FOR_POWER)
    assert not view.one.second.isVisibleTo(view)
    assert "share of the null hypothesis" in numbers(view)


def test_that_respondents_for_a_power_are_those_of_the_formula(
    view: SamplePlanningView, qtbot: QtBot
) -> None:
    view.one.set_goal(Goal.RESPONDENTS_FOR_POWER)
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
    view.one.set_goal(Goal.EPSILON_FOR_POWER)
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
    view.one.set_goal(goal)
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
    view.one.set_goal(Goal.EPSILON_FOR_MARGIN)
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
    assert "all weights are equal" in cells["weights_cv"].refusal.text()
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
    view.one.set_goal(Goal.POWER)
    view.one.set_goal(Goal.RESPONDENTS_FOR_MARGIN)
    assert margin.field.text() == "three"
    assert "not a number" in margin.refusal.text()


def test_that_a_share_of_nobody_is_told_and_no_plan_shown(view: SamplePlanningView) -> None:
    suppose(view, prevalence=0.0)
    assert "true share must lie between 0 and 1" in view.refusal.text()
    assert view.outcome() is None
    assert not view.copying.isEnabled()


def test_that_a_design_without_epsilon_is_solved_with_warners(view: SamplePlanningView) -> None:
    suppose(view, design=Mangat(p=Fraction(3, 4)))
    view.one.set_goal(Goal.EPSILON_FOR_MARGIN)
    assert float(numbers(view)["epsilon"]) == pytest.approx(log(3), abs=1e-3)
    assert "this is Warner's" in view.notes.text()
    assert not view.take.isVisibleTo(view)


@pytest.mark.parametrize("goal", list(Goal))
def test_that_the_tiles_of_every_goal_are_those_of_its_device(
    goal: Goal, view: SamplePlanningView
) -> None:
    suppose(view, design=DIE, respondents=900)
    view.one.set_goal(goal)
    told = numbers(view)
    grown, people = exp(float(told["epsilon"])), int(told["respondents"])
    # No and yes are ordered with this chance each; a tenth are carriers.
    forced = 1 / (1 + grown)
    yes = forced + (1 - 2 * forced) * 0.1
    variance = yes * (1 - yes) / (1 - 2 * forced) ** 2
    # The least epsilon is rounded up, the largest under a cap down.
    capped = goal in {Goal.EPSILON_FOR_BELIEF, Goal.EPSILON_FOR_ODDS}
    hundredths = (floor if capped else ceil)(100 * log(grown))
    low, high = 0.1 / (0.1 + 0.9 * grown), 0.1 * grown / (0.1 * grown + 0.9)
    expected = {
        "respondents": f"{people:,}",
        "margin of": f"± {196 * sqrt(variance / people):.1f} pp",
        "design effect": f"{variance / 0.09:.1f} ×",
        "effective n": f"{0.09 / variance * people:.0f}",
        "power": f"{100 * float(told.get('power', 'nan')):.1f} %",
        "false alarms": "5 %",
        "no answer more": f"ε {hundredths / 100:.2f}",
        "what an answer can make": f"{100 * low:.1f} % – {100 * high:.0f} %",
    }
    assert len(view.figures.tiles) == 4
    for tile in view.figures.tiles:
        (value,) = (v for words, v in expected.items() if tile.caption().startswith(words))
        assert tile.value() == value, tile.caption()
    assert float(told["margin"]) == pytest.approx(1.959964 * sqrt(variance / people), rel=1e-6)
