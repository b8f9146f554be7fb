from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from PySide6.QtWidgets import QPushButton

from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan import PlanPage
from dpdesk.gui.strategy_words import STRATEGY_WORDS
from dpdesk.plan import Plan, total_epsilon
from tests.gui.plan.survey_plans import survey_plan


def choose_strategy(page: PlanPage, strategy: str) -> None:
    box = page.records.header.strategy.strategy
    box.setCurrentIndex(box.findData(strategy))
    box.activated.emit(box.currentIndex())


def test_that_every_strategy_of_a_plan_can_be_chosen(page: PlanPage) -> None:
    box = page.records.header.strategy.strategy
    offered = [box.itemData(i) for i in range(box.count())]
    assert offered == ["spl", "smp", "rsfd", "rsrfd"] == list(STRATEGY_WORDS)


@pytest.mark.parametrize("strategy", ["smp", "rsfd", "rsrfd"])
def test_that_a_strategy_is_one_step_of_undo(
    document: Document, page: PlanPage, strategy: str
) -> None:
    choose_strategy(page, strategy)
    assert document.plan.strategy == strategy
    assert document.undo_stack.count() == 1
    document.undo_stack.undo()
    assert document.plan.strategy == "spl"
    assert page.records.header.strategy.strategy.currentData() == "spl"


def test_that_fakes_are_asked_for_only_where_they_are_made_up_of_bits(
    document: Document, page: PlanPage
) -> None:
    fakes = page.records.header.strategy.fakes
    assert fakes.isHidden()
    choose_strategy(page, "rsfd")
    assert not fakes.isHidden()
    fakes.setCurrentIndex(1)
    fakes.activated.emit(1)
    assert document.plan.fakes == "random"
    choose_strategy(page, "rsrfd")
    assert fakes.isHidden()


def test_that_both_losses_are_told(page: PlanPage) -> None:
    strip = page.records.header.strategy
    assert strip.losses() == "whole record ε = 7.00; one answer alone ε = 2.00"
    choose_strategy(page, "smp")
    assert strip.losses() == "whole record ε = 2.00; one answer alone ε = 2.00"


def test_that_the_budget_can_be_split_anew_where_the_strategy_changes_what_is_lost(
    document: Document, page: PlanPage
) -> None:
    choose_strategy(page, "smp")
    assert total_epsilon(document.plan) == 2
    button = next(b for b in page.records.notice.findChildren(QPushButton) if b.isVisible())
    assert button.text() == "Give each the budget"
    button.click()
    epsilons = {c.mechanism.epsilon for c in document.plan.protected if c.mechanism is not None}
    assert epsilons == {Decimal(8)}
    assert total_epsilon(document.plan) == 8
    assert not page.records.notice.isVisible()


def test_that_the_budget_bar_shows_the_largest_epsilon_under_sampling(
    open_page: Callable[[Plan], PlanPage],
) -> None:
    page = open_page(survey_plan().with_fields(strategy="smp"))
    assert "ε = 2.00 of 8.00" in page.records.header.budget.accessibleDescription()
    assert "whole budget" in page.records.header.split.toolTip()
