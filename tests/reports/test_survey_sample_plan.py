"""Strata and questionnaires in the planning memo."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpdesk.designs import loss_of
from dpdesk.designs.forced import Forced
from dpdesk.designs.planning import (
    Question,
    Share,
    Stratum,
    allocate,
    plan_of_questionnaire,
    plan_of_strata,
)
from dpdesk.designs.warner import WarnerDesign
from dpdesk.numbers.digits import epsilon_down, epsilon_up
from dpdesk.reports.survey import (
    PlannedQuestions,
    PlannedStrata,
    ShareMemo,
    memo_html,
)
from dpdesk.reports.survey.sample_plan import questions_section, strata_section

TWO_COINS = WarnerDesign(p=Fraction(3, 4))
PARTS = (Stratum(0.6, Share(0.05)), Stratum(0.4, Share(0.3)))
COUNTS = allocate(TWO_COINS, PARTS, 3586, "neyman")
STRATA = PlannedStrata(
    ("Town", "<b>Country</b>"), PARTS, plan_of_strata(TWO_COINS, PARTS, COUNTS), "neyman", 0.95
)
ASKED = (Question(Share(0.1), 0.03), Question(Share(0.2), 0.04))


def questions(design=TWO_COINS, split="least") -> PlannedQuestions:
    plan = plan_of_questionnaire(design, ASKED, 2.0, split)
    return PlannedQuestions(("Did you?", ""), plan, split, 2.0, 0.95)


def test_that_a_memo_without_a_plan_has_no_section_of_it() -> None:
    assert "Sample plan" not in memo_html(
        ShareMemo(question="Did you?", design=TWO_COINS, prevalence=0.1, respondents=3586)
    )


@pytest.mark.parametrize("paper", [True, False])
def test_that_a_memo_holds_strata_and_questions(paper: bool) -> None:
    request = ShareMemo(
        question="Did you?",
        design=TWO_COINS,
        prevalence=0.1,
        respondents=3586,
        strata=STRATA,
        questions=questions(),
    )
    text = memo_html(request, paper=paper)
    assert "<h2>Sample plan</h2>" in text
    assert "&lt;b&gt;Country" in text
    assert "<b>Country" not in text
    for count in (*COUNTS, questions().plan.respondents):
        assert f"{count:,}" in text


def test_that_the_rows_of_strata_end_with_the_whole() -> None:
    section = strata_section(STRATA)
    assert [row[3] for row in section.rows] == [f"{n:,}" for n in (*COUNTS, sum(COUNTS))]
    assert section.rows[-1][:3] == ("All", "100\u00a0%", "15\u00a0%")
    assert section.rows[-1][4] == "± 3.0\u00a0pp"


@pytest.mark.parametrize("design", [TWO_COINS, Forced.example()], ids=["warner", "forced"])
@pytest.mark.parametrize("split", ["least", "equal"])
def test_that_the_epsilons_of_questions_are_never_printed_too_small(design, split) -> None:
    found = questions(design, split)
    section = questions_section(found)
    for row, planned in zip(section.rows, found.plan.questions, strict=True):
        assert planned.epsilon <= float(row[3]) <= planned.epsilon + 1e-3
        assert planned.epsilon == loss_of(planned.design.groups).epsilon
    assert section.rows[1][0] == "Question 2"


def test_that_an_epsilon_is_rounded_up_but_a_binary_fraction_is_none() -> None:
    assert epsilon_up(0.75) == "0.75"
    assert epsilon_up(0.1 + 0.2) == "0.30"
    assert epsilon_up(1.0986122886681098) == "1.099"
    assert epsilon_up(1.0001) == "1.001"
    assert (epsilon_up(1.5), epsilon_up(0.5), epsilon_up(float("inf"))) == ("1.50", "0.50", "∞")
    assert (epsilon_up(0.000123401), epsilon_down(0.000123401)) == ("0.000124", "0.000123")
    assert epsilon_up(2.001e12) == "2.01 × 10¹²"
    assert epsilon_down(2.009e12) == "2.00 × 10¹²"
