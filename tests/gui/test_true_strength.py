"""The window says the strength of a plan's whole loss before anything is released."""

from __future__ import annotations

from decimal import Decimal
from math import exp, inf

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.designs.forced import Forced
from dpdesk.designs.planning import Goal, Wanted
from dpdesk.designs.warner import WarnerDesign
from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan.synthetic_pane import SyntheticPane
from dpdesk.gui.pages.release.population_field import AccountWatch
from dpdesk.gui.pages.release.records_pane import RecordsPromise
from dpdesk.gui.pages.release.statistics_pane import StatisticsPromise
from dpdesk.gui.pages.simulate.design_form import DesignForm
from dpdesk.gui.pages.simulate.planning.words import found
from dpdesk.gui.pages.simulate.scenario_kinds import ShareScenario
from dpdesk.gui.widgets.budget_bar import BudgetBar
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.plan.statistics import Statistics
from dpdesk.plan.synthesis import Synthesis
from dpdesk.queries.phrase import parse_query
from tests.reports.true_numbers import losses_of
from tests.strength import random_plans, strength_by_odds, strength_in


@pytest.mark.parametrize("number", range(0, 24, 3))
def test_that_bar_and_promise_say_the_strength_of_the_enumerated_records(
    qtbot: QtBot, document: Document, number: int
) -> None:
    plan = random_plans(24)[number]
    word = strength_by_odds(exp(losses_of(plan).record))
    bar, card = BudgetBar(), RecordsPromise(document, AccountWatch(document))
    for widget in (bar, card):
        qtbot.addWidget(widget)
    bar.resize(420, 50)
    for budget in (None, Decimal(40), Decimal("0.05")):
        bar.show_attributes(plan.with_fields(budget=budget))
        caption = bar.findChildren(PlainLabel)[0].text()
        # What exceeds the budget stands in place of the strength, which is still spoken.
        if budget == Decimal("0.05"):
            assert caption.startswith("Over by ")
        else:
            assert strength_in(caption) == word
        assert strength_in(bar.accessibleDescription()) == word
    card.show_plan(plan)
    assert strength_in(card.protection.text()) == word
    card.show_plan(plan.with_fields(columns=()))
    assert card.protection.text() == ""


@pytest.mark.parametrize("epsilon", ["0.5", "1.4", "3.4", "9.5"])
def test_that_statistics_and_rows_say_theirs(
    qtbot: QtBot, document: Document, epsilon: str
) -> None:
    queries = [
        parse_query("count", epsilon=Decimal(epsilon), noise="geometric", delta=Decimal(0))
    ] * 2
    plan = random_plans(1)[0].with_fields(
        statistics=Statistics(queries=tuple(queries)),
        synthesis=Synthesis(epsilon=Decimal(epsilon)),
    )
    card, bar, pane = (
        StatisticsPromise(document, AccountWatch(document)),
        BudgetBar(),
        SyntheticPane(document),
    )
    for widget in (card, bar, pane):
        qtbot.addWidget(widget)
    both, one = strength_by_odds(exp(2 * float(epsilon))), strength_by_odds(exp(float(epsilon)))
    bar.show_statistics(plan)
    assert strength_in(bar.accessibleDescription()) == both
    card.show_plan(plan)
    assert strength_in(card.protection.text()) == both
    document.reset(plan)
    pane.bring_up_to_date()
    assert strength_in(pane.protection.text()) == one


@pytest.mark.parametrize(
    ("design", "odds"),
    [
        (WarnerDesign(p="3/4"), 3),
        (WarnerDesign(p="10/13"), 10 / 3),
        (WarnerDesign(p="20/21"), 20),
        (WarnerDesign(p="1000/1001"), 1_000),
        (WarnerDesign(p="9999/10000"), 9_999),
        (Forced(forced_no="0", forced_yes="1/4"), inf),
    ],
)
def test_that_a_design_says_the_strength_of_its_answers(
    qtbot: QtBot, design: WarnerDesign | Forced, odds: float
) -> None:
    scenario = ShareScenario().changed(design=design, respondents=500)
    form = DesignForm(scenario.designs())
    qtbot.addWidget(form)
    form.show_scenario(scenario)
    word = strength_by_odds(odds)
    assert strength_in(form.strength.text()) == word
    assert ("An answer can be a proof" in form.strength.text()) == (odds == inf)
    wanted = Wanted(Goal.MARGIN, margin=0.05)
    planned = found(scenario, wanted)
    assert strength_in(planned.text()) == word
