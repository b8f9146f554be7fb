"""A step of the slider of an attribute: what is computed at it, and what when the slider rests."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan import PlanPage, attribute_panel
from dpdesk.gui.widgets.budget_bar import BudgetBar, BudgetSegment, BudgetTrack
from dpdesk.release.records import RECORDS

STEPS = [Decimal(tenths) / 10 for tenths in range(21, 31)]


@pytest.fixture
def calls(page: PlanPage, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    found: Counter[str] = Counter()

    def count(owner: Any, name: str) -> None:
        run = getattr(owner, name)

        def counted(*args: object, **more: object) -> object:
            found[name] += 1
            return run(*args, **more)

        monkeypatch.setattr(owner, name, counted)

    count(type(RECORDS), "check")
    count(attribute_panel, "worth_on")
    count(attribute_panel, "advice_on")
    return found


def test_that_a_step_shows_its_numbers_and_its_rest_what_is_said_of_them(
    page: PlanPage, document: Document, calls: Counter[str], qtbot: QtBot
) -> None:
    page.select("happy")
    panel = page.records.panel
    row = [column.name for column in document.plan.columns].index("happy")
    panel.epsilon.slider.setSliderDown(True)
    calls.clear()
    for step in STEPS:
        panel.epsilon.slider.rungChosen.emit(step)
        assert page.records.model.row(row).epsilon == f"{step:.2f}"
    assert not calls
    assert not document.is_judged
    # What is advised of another epsilon cannot be followed.
    assert not panel.advice.isEnabled()
    qtbot.waitUntil(lambda: document.is_judged)
    assert calls == {"check": 1, "worth_on": 1, "advice_on": 1}
    assert panel.advice.isEnabled()
    panel.epsilon.slider.setSliderDown(False)
    assert calls["check"] == 1


def test_that_a_warning_of_the_plan_comes_and_goes_with_the_rest(
    page: PlanPage, document: Document
) -> None:
    page.select("happy")
    slider = page.records.panel.epsilon.slider
    before = document.problems
    slider.setSliderDown(True)
    slider.rungChosen.emit(Decimal("0.01"))
    assert document.problems == before
    slider.setSliderDown(False)
    assert document.problems == tuple(document._finder.find(document.plan, None, RECORDS))
    assert document.problems != before
    document.undo_stack.undo()
    assert document.problems == before


def test_that_an_edit_after_a_step_is_checked_at_once(page: PlanPage, document: Document) -> None:
    page.select("happy")
    page.records.panel.epsilon.slider.rungChosen.emit(Decimal("0.01"))
    assert not document.is_judged
    document.edit("x", document.plan.with_fields(budget=Decimal("0.001")))
    assert document.is_judged
    assert any(problem.path == "budget" for problem in document.problems)


def test_that_a_bar_of_many_parts_finds_its_scale_once_a_paint(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    bar = BudgetBar()
    qtbot.addWidget(bar)
    bar.resize(400, 50)
    parts = [BudgetSegment(f"q{number}", Decimal(1), number) for number in range(200)]
    bar.set_budget(parts, Decimal(1), adds_up=False)
    # Of many parts the first ones are listed in words, with the number of the others.
    assert bar.accessibleDescription().count("ε = 1.00") == 21
    assert "180" in bar.accessibleDescription()
    scales: list[float] = []
    scale = BudgetTrack._scale
    monkeypatch.setattr(BudgetTrack, "_scale", lambda track: scales.append(0) or scale(track))
    bar.grab()
    assert 1 <= len(scales) <= 4
