"""Numbers of survey scenes, against formulas written here and against enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, exp, log, sqrt
from statistics import NormalDist

import pytest

from dpdesk.demonstrations import Tallies, demonstration
from dpdesk.demonstrations.picture import Bars, People, Table
from dpdesk.demonstrations.scene import Given
from dpdesk.numbers.digits import epsilon_up
from tests.demonstrations.scene_numbers import COINS, DIE, mean_over, numbers, shown

Z = NormalDist().inv_cdf(0.975)


def said_by_coins(truth: bool) -> Fraction:
    """The chance of yes, over all tosses: equal sides answer, else the truth."""
    outcomes = list(product("HT", repeat=2))
    yes = sum(truth if first != second else first == "H" for first, second in outcomes)
    return Fraction(yes, len(outcomes))


def said_by_die(truth: bool) -> Fraction:
    return Fraction(sum({1: False, 6: True}.get(side, truth) for side in range(1, 7)), 6)


@pytest.mark.parametrize(
    ("design", "said"), [(COINS, said_by_coins), (DIE, said_by_die)], ids=["coins", "die"]
)
def test_that_a_survey_is_estimated_by_its_device(design, said) -> None:
    a, b = float(said(True)), float(said(False))
    found = numbers("survey", design=design, share=0.3, people=360)
    yes = found["yes"] / 360
    assert found["never"] == pytest.approx(100 * b)
    assert found["gap"] == pytest.approx(100 * (a - b))
    assert found["estimate"] == pytest.approx(100 * (yes - b) / (a - b))
    assert found["margin"] == pytest.approx(100 * Z * sqrt(yes * (1 - yes) / 359) / (a - b))
    likely = 0.3 * a + 0.7 * b
    assert found["planned"] == pytest.approx(
        100 * Z * sqrt(likely * (1 - likely) / 360) / (a - b), rel=1e-9
    )


def test_that_surveys_hit_the_truth_on_average() -> None:
    mean = mean_over(
        400, "estimate", lambda: numbers("survey", design=COINS, share=0.3, people=100)
    )
    assert abs(mean - 30) < 6 * 100 * sqrt(0.4 * 0.6 / 100) / 0.5 / sqrt(400)


def test_that_denials_move_the_mean() -> None:
    found = numbers("survey", design={"kind": "direct"}, share=0.3, people=100, deny=0.4)
    assert found["expected"] == pytest.approx(18)
    assert found["missed"] == pytest.approx(12)


@pytest.mark.parametrize(
    ("design", "said"), [(COINS, said_by_coins), (DIE, said_by_die)], ids=["coins", "die"]
)
def test_that_the_rule_of_a_device_is_the_one_on_the_sheet(design, said) -> None:
    scene = shown("device", design=design)
    table = scene.pictures[0]
    assert isinstance(table, Table)
    for column, name, truth in ((2, "if_did", True), (3, "if_not", False)):
        in_table = sum(Fraction(row[1]) for row in table.rows if row[column] == "yes")
        assert in_table == said(truth)
        assert scene.numbers[name].value == pytest.approx(100 * float(said(truth)))
    odds = scene.numbers["odds"].value
    assert odds == pytest.approx(float(said(True) / said(False)))
    assert scene.numbers["epsilon"].value == pytest.approx(log(odds))
    by_device = 1 - said(True) + said(False)
    assert scene.numbers["by_device"].value == pytest.approx(100 * float(by_device))


def test_that_beliefs_follow_bayes() -> None:
    found = numbers("belief", design=COINS, share=0.3)
    yes, no = (
        Fraction(3, 10) * said / (Fraction(3, 10) * said + Fraction(7, 10) * other)
        for said, other in (
            (said_by_coins(True), said_by_coins(False)),
            (1 - said_by_coins(True), 1 - said_by_coins(False)),
        )
    )
    assert found["after_yes"] == pytest.approx(100 * float(yes))
    assert found["after_no"] == pytest.approx(100 * float(no))


def test_that_so_many_people_and_no_fewer_are_needed() -> None:
    found = numbers("people_needed", design=COINS, share=0.3, margin=0.05)

    def margin(people: float, said: float, gap: float) -> float:
        return Z * sqrt(said * (1 - said) / people) / gap

    for name, said, gap in (("direct", 0.3, 1.0), ("protected", 0.4, 0.5)):
        assert margin(found[name], said, gap) <= 0.05 < margin(found[name] - 1, said, gap)
    assert found["factor"] == found["protected"] / found["direct"]


def test_that_many_surveys_scatter_as_theory_says() -> None:
    found = numbers("many_surveys", design=COINS, share=0.3, people=400, surveys=2000)
    assert found["planned"] == pytest.approx(100 * Z * sqrt(0.4 * 0.6 / 400) / 0.5)
    for name in ("near", "covered"):
        assert abs(found[name] - 95) < 100 * 6 * sqrt(0.95 * 0.05 / 2000)
    assert abs(found["mean"] - 30) < 6 * found["planned"] / Z / sqrt(2000)


def test_that_four_times_the_people_halve_the_error() -> None:
    found = numbers("error_by_people", design=COINS, share=0.3, people=100)
    assert found["margin"] == pytest.approx(100 * Z * sqrt(0.4 * 0.6 / 100) / 0.5)
    assert found["direct"] == pytest.approx(100 * Z * sqrt(0.3 * 0.7 / 100))
    assert found["margin_then"] == pytest.approx(found["margin"] / 2)
    assert found["left"] == pytest.approx(50)
    assert found["factor"] == pytest.approx((0.4 * 0.6 / 0.25) / (0.3 * 0.7))


def test_that_the_room_is_estimated_by_hand() -> None:
    found = numbers("room", Given(tallies=Tallies(11, 24)), design=COINS, share=0.3)
    said = 11 / 24
    assert found["estimate"] == pytest.approx(100 * (said - 0.25) / 0.5)
    # Wilson's interval of the share of yes, carried over.
    centre = (said + Z * Z / 48) / (1 + Z * Z / 24)
    half = Z * sqrt(said * (1 - said) / 24 + Z * Z / (4 * 24**2)) / (1 + Z * Z / 24)
    lower, upper = ((end - 0.25) / 0.5 for end in (centre - half, centre + half))
    assert found["lower"] == pytest.approx(100 * max(lower, 0))
    assert found["upper"] == pytest.approx(100 * min(upper, 1))
    assert found["margin"] == pytest.approx(100 * (upper - lower) / 2)
    assert found["expected"] == pytest.approx(24 * 0.4)
    assert found["scatter"] == pytest.approx(Z * sqrt(24 * 0.4 * 0.6))
    assert found["direct"] == pytest.approx(100 * half_of_wilson((said - 0.25) / 0.5, 24))
    assert found["margin_more"] == pytest.approx(100 * half_of_wilson(said, 96) / 0.5)


def half_of_wilson(share: float, asked: int) -> float:
    """Half the width of Wilson's interval (Wilson 1927)."""
    return Z * sqrt(share * (1 - share) / asked + (Z / 2 / asked) ** 2) / (1 + Z * Z / asked)


@pytest.mark.parametrize(
    ("yes", "asked"),
    [(0, 24), (24, 24), (3, 60), (0, 30), (29, 30), (1, 2), (4_000_000, 10_000_000), (8, 10**9)],
)
@pytest.mark.parametrize("beside", ["direct", "rooms", "simulated"])
def test_that_the_interval_of_a_room_is_one_of_possible_shares(yes, asked, beside) -> None:
    given = Given(tallies=Tallies(yes, asked))
    scene = shown("room", given, design=COINS, share=0.3, beside=beside)
    found = {name: one.value for name, one in scene.numbers.items()}
    assert 0 <= found["lower"] < found["upper"] <= 100
    assert scene.numbers["lower"].text != scene.numbers["upper"].text
    # Wilson's interval of the nearest answers that a truth makes likely, carried over.
    said = min(max(yes / asked, 0.25), 0.75)
    centre, half = (said + Z * Z / 2 / asked) / (1 + Z * Z / asked), half_of_wilson(said, asked)
    ends = [min(max((end - 0.25) / 0.5, 0), 1) for end in (centre - half, centre + half)]
    assert (found["lower"], found["upper"]) == pytest.approx([100 * end for end in ends], abs=1e-6)
    for name in ("direct", "margin", "margin_more"):
        assert found[name] > 0
        assert scene.numbers[name].text.strip("0.")
    people, beside_it = scene.pictures
    assert isinstance(people, People)
    assert len(people.answers) <= 400
    if isinstance(beside_it, Bars):
        assert all(0 <= bar.lower <= bar.value <= bar.upper <= 100 for bar in beside_it.bars)
        assert asked == 2 or len({(bar.lower, bar.upper) for bar in beside_it.bars}) == 2
    else:
        (mark,) = beside_it.marks
        assert beside_it.x.least < mark.x < beside_it.x.largest
        assert len(beside_it.curves[0].x) < 2000


def test_that_the_interval_of_a_room_covers_as_often_as_promised() -> None:
    for truth in (0.0, 0.02, 0.3, 1.0):
        said = 0.25 + 0.5 * truth
        covered = 0.0
        for yes in range(25):
            found = numbers("room", Given(tallies=Tallies(yes, 24)), design=COINS, beside="direct")
            if found["lower"] <= 100 * truth <= found["upper"]:
                covered += comb(24, yes) * said**yes * (1 - said) ** (24 - yes)
        assert covered > 0.93


@pytest.mark.parametrize(("prior", "epsilon", "answers"), [(0.1, 1.0, 1), (0.3, 0.5, 4)])
def test_that_odds_move_by_the_factor(prior: float, epsilon: float, answers: int) -> None:
    found = numbers("odds", epsilon=epsilon, prior=prior, answers=answers)
    factor = exp(epsilon * answers)
    odds = prior / (1 - prior)
    assert found["total"] == pytest.approx(epsilon * answers)
    assert found["odds"] == pytest.approx(factor)
    assert found["odds_for"] / found["odds_against"] == pytest.approx(odds)
    assert found["odds_after"] / found["odds_against"] == pytest.approx(odds * factor)
    assert found["raised"] == pytest.approx(100 * odds * factor / (1 + odds * factor))
    assert found["lowered"] == pytest.approx(100 * odds / factor / (1 + odds / factor))
    assert found["dots_after"] == round(found["raised"])


def test_that_a_name_that_states_a_share_of_truths_is_the_devices() -> None:
    (step,) = (
        step for step in demonstration("two-coins").steps if step.title == "What a yes shows"
    )
    for choice, truthful in ((1, 0.9), (2, 0.99)):
        # Coins that do not order the truth order yes and no alike.
        yes_if_did, yes_if_not = truthful + (1 - truthful) / 2, (1 - truthful) / 2
        after_yes = 0.3 * yes_if_did / (0.3 * yes_if_did + 0.7 * yes_if_not)
        numbers_shown = step.scene(choice=choice).numbers
        assert numbers_shown["truthful"] == pytest.approx(100 * truthful)
        assert numbers_shown["after_yes"] == pytest.approx(100 * after_yes)
        assert f"{100 * truthful:.0f} %" in step.choices[choice]


@pytest.mark.parametrize("kind", ["mechanisms", "error_by_answers", "strategies"])
def test_that_a_picture_of_the_error_of_a_share_names_the_share(kind: str) -> None:
    settings = {"answers": 4, "epsilon": 1.0, "people": 1000, "share": 0.07}
    if kind == "strategies":
        settings["questions"] = 3
    (picture,) = shown(kind, **settings).pictures
    axis = picture.axis if isinstance(picture, Bars) else picture.y
    assert "7 %" in axis.title


def test_that_two_coins_have_one_epsilon_on_every_page() -> None:
    stated = shown("device", design=COINS).numbers["epsilon"].text
    asked = shown("odds", epsilon=1.099, prior=0.1).numbers["epsilon"].text
    assert stated == asked == epsilon_up(log(3)) == "1.099"
