"""A step of the slider of an attribute: what is computed at it, and what when the slider rests."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan import PlanPage, attribute_panel
from dpdesk.gui.pages.plan.attribute_panel import AttributeFigures
from dpdesk.gui.pages.plan.plan_header import RecordsHeader
from dpdesk.gui.pages.plan.plan_models import PlanModel
from dpdesk.gui.widgets.budget_bar import BudgetBar, BudgetSegment, BudgetTrack
from dpdesk.releases.records import RECORDS

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
    count(AttributeFigures, "show_request")
    count(RecordsHeader, "refresh")
    count(PlanModel, "follow")
    return found


def test_that_a_step_shows_its_numbers_and_its_rest_what_is_said_of_them(
    page: PlanPage, document: Document, calls: Counter[str], qtbot: QtBot
) -> None:
    page.select("happy")
    panel = page.records.panel
    row = [column.name for column in document.plan.columns].index("happy")
    panel.epsilon.slider.setSliderDown(True)
    calls.clear()
    # However slow the machine is, nothing beside the panel follows within these steps.
    page.records._beside._interval = 10**9
    page.records._throttle._interval = 0
    moved = set()
    for step in STEPS:
        panel.epsilon.slider.rungChosen.emit(step)
        assert panel.epsilon.field.text() == f"{step:.2f}"
        moved.add(panel.figures.figures.tiles[0].value())
    assert len(moved) > 1
    assert calls["show_request"] == len(STEPS)
    # What stands beside the panel is that of the first step at most.
    assert calls["refresh"] <= 1
    assert calls["follow"] <= 1
    assert page.records.model.row(row).epsilon != f"{STEPS[-1]:.2f}"
    assert not {"check", "worth_on", "advice_on"} & set(calls)
    assert not document.is_judged
    # What is advised of another epsilon cannot be followed.
    assert not panel.advice.isEnabled()
    qtbot.waitUntil(lambda: document.is_judged)
    assert (calls["check"], calls["worth_on"], calls["advice_on"]) == (1, 1, 1)
    assert calls["refresh"] <= 2
    assert calls["follow"] <= 2
    assert page.records.model.row(row).epsilon == f"{STEPS[-1]:.2f}"
    assert panel.advice.isEnabled()
    panel.epsilon.slider.setSliderDown(False)
    assert calls["check"] == 1


def shown(page: PlanPage) -> tuple[object, ...]:
    """What the page says: head, table and panel."""
    pane = page.records
    rows = [pane.model.row(number) for number in range(pane.model.rowCount())]
    tiles = [(t.value(), t.caption()) for t in pane.panel.figures.figures.tiles]
    head = pane.header.budget.accessibleDescription(), pane.header.strategy.losses()
    return rows, tiles, head, pane.panel.advice.isEnabled(), pane.panel.epsilon.field.text()


def test_that_the_rest_shows_what_a_single_edit_shows(page: PlanPage, document: Document) -> None:
    page.select("happy")
    slider = page.records.panel.epsilon.slider
    slider.setSliderDown(True)
    for step in STEPS:
        slider.rungChosen.emit(step)
    slider.setSliderDown(False)
    dragged, plan = shown(page), document.plan
    document.undo_stack.undo()
    assert shown(page) != dragged
    document.edit("x", plan)
    assert shown(page) == dragged


def test_that_what_has_no_problem_is_advised_on_at_the_rest(
    page: PlanPage, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(RECORDS), "check", lambda *_: ())
    document._refresh_problems()
    page.select("happy")
    page.records._throttle._interval = 0
    slider = page.records.panel.epsilon.slider
    slider.setSliderDown(True)
    slider.rungChosen.emit(Decimal("2.1"))
    assert document.problems == ()
    assert not page.records.panel.advice.isEnabled()
    slider.setSliderDown(False)
    assert page.records.panel.advice.isEnabled()


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
