from __future__ import annotations

from fractions import Fraction
from math import inf, isclose, log

import pytest

from dpdesk.designs import YesNoDesign
from dpdesk.preview.survey import SupposedShare
from dpdesk.preview.survey.disclosure import disclosure_view
from dpdesk.preview.survey.running import (
    MOST_SHOWN,
    respondents_shown,
    running_axis,
    running_reach,
)
from tests.designs.cases import ALL, NAMES, made

TWO_COINS = made("warner", {"p": "3/4"})


@pytest.mark.parametrize("design", ALL, ids=NAMES)
def test_that_beliefs_are_those_of_bayes_and_average_to_the_prior(design: YesNoDesign) -> None:
    prior = Fraction(1, 10)
    view = disclosure_view(design, float(prior))
    shown = {(answer.group, answer.jeopardy.answer): answer for answer in view.answers}
    for group in design.groups:
        weighted = 0.0
        for answer, a, b in zip(group.answers, group.law[0], group.law[1], strict=True):
            chance = prior * a + (1 - prior) * b
            if not chance:
                continue
            found = shown[group.name, answer]
            assert isclose(found.chance, chance, rel_tol=1e-12)
            assert isclose(found.belief, prior * a / chance, rel_tol=1e-12, abs_tol=1e-15)
            weighted += found.chance * found.belief
        assert isclose(weighted, prior, rel_tol=1e-9)
    assert view.raising.belief == max(answer.belief for answer in view.answers)
    assert view.lowering.belief == min(answer.belief for answer in view.answers)


def test_that_two_coins_make_ten_of_a_hundred_twenty_five_or_four() -> None:
    view = disclosure_view(TWO_COINS, 0.1)
    assert (view.dots, view.raising.dots, view.lowering.dots) == (10, 25, 4)
    assert (view.raising.spoken, view.lowering.spoken) == ("yes", "no")
    assert isclose(view.epsilon, log(3))
    assert view.proofs == ()


def test_that_an_answer_that_is_a_proof_leaves_no_doubt_in_the_dots() -> None:
    view = disclosure_view(made("item_count", {"items": 3}), 0.1)
    assert view.epsilon == inf
    assert [answer.spoken for answer in view.proofs] == ["0", "4"]
    assert (view.raising.dots, view.lowering.dots) == (100, 0)


def test_that_crosswise_answers_are_named_as_they_are_said() -> None:
    view = disclosure_view(made("crosswise", {"p": "1/4"}), 0.1)
    assert view.raising.spoken == "different"


def test_that_the_axes_of_a_running_estimate_hold_what_is_shown() -> None:
    assert [running_axis(n) for n in (1, 20, 21, 430, 5_000)] == [20, 20, 50, 500, 5_000]
    few = SupposedShare(TWO_COINS, 0.1, 300)
    assert respondents_shown(few) == 300
    assert respondents_shown(SupposedShare(TWO_COINS, 0.1, 10**9)) == MOST_SHOWN
    low, high = running_reach(few)
    assert isclose((low + high) / 2, 10)
    # 1.96 standard errors of 30 answers of two coins: sqrt(.84 / 30) = 16.7 pp.
    assert 32.8 < high - 10 < 50
