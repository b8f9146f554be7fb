from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.gui.document import Document
from dpdesk.gui.pages.release import ReleasePage
from dpdesk.gui.pages.release.records_results import BOTH, NOISE, POSSIBLE, SAMPLING
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import Plan
from tests.engine.survey import survey_plan

Wait = Callable[[], None]


def release(page: ReleasePage, qtbot: QtBot, wait: Wait) -> None:
    qtbot.mouseClick(page.records.start_button, Qt.MouseButton.LeftButton)
    wait()


def with_square_wave(plan: Plan) -> Plan:
    mechanism = mechanism_named("square_wave")(epsilon=Decimal(2))  # type: ignore[call-arg]
    return plan.with_column("age", mechanism=mechanism)


def test_that_possible_estimates_take_the_place_of_the_parts_of_the_error(
    ready: ReleasePage, qtbot: QtBot, wait: Wait
) -> None:
    release(ready, qtbot, wait)
    table = ready.records.results.estimates
    assert not any(table.isColumnHidden(column) for column in (NOISE, SAMPLING, BOTH))
    assert all(table.isColumnHidden(column) for column in POSSIBLE)
    ready.records.results.possible.setChecked(True)
    assert all(table.isColumnHidden(column) for column in (NOISE, SAMPLING, BOTH))
    shown = [column for column in POSSIBLE if not table.isColumnHidden(column)]
    assert shown
    model = table.estimates
    for column in shown:
        total = sum(model.possible(row, column) or 0.0 for row in model.rows)
        assert total == pytest.approx(1.0, abs=1e-6)
        head = model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        assert "Biased" in str(head)
    ready.records.results.possible.setChecked(False)
    assert all(table.isColumnHidden(column) for column in POSSIBLE)


def test_that_shares_of_intervals_stand_beside_the_mean_and_never_on_its_axis(
    ready: ReleasePage, document: Document, qtbot: QtBot, wait: Wait
) -> None:
    document.reset(with_square_wave(survey_plan()))
    release(ready, qtbot, wait)
    assert not ready.records.results.quantity.isVisible()
    qtbot.keyClick(ready.records.results.entries, Qt.Key.Key_End)
    assert ready.records.results.quantity.isVisible()
    model = ready.records.results.estimates.estimates
    assert [row.quantity for row in model.rows] == ["mean"]
    ready.records.results.quantity.setCurrentIndex(1)
    ready.records.results.quantity.activated.emit(1)
    assert {row.quantity for row in model.rows} == {"interval share"}
    assert model.text(model.rows[0], 2).endswith("%")
    assert len(model.rows) > 1


@pytest.mark.parametrize(("strategy", "words"), [("smp", "says which"), ("rsfd", "made-up")])
def test_that_a_strategy_is_promised_charged_and_released(
    ready: ReleasePage, document: Document, qtbot: QtBot, wait: Wait, strategy: str, words: str
) -> None:
    plan = survey_plan().with_fields(strategy=strategy)
    document.reset(plan.with_column("age", role="drop"))
    assert words in ready.records.before.promise.promise()
    assert "ε = 1.50 of 5.00" in ready.records.budget.accessibleDescription()
    release(ready, qtbot, wait)
    assert ready.view() is ready.records.results
    assert "certified ≤ 1.5 " in ready.records.results._facts.full_text()
    assert len(ready.records.results.estimates.estimates.rows) == 3


@pytest.mark.parametrize("strategy", ["smp", "rsfd"])
def test_that_the_private_comparison_serves_every_strategy(
    ready: ReleasePage, document: Document, qtbot: QtBot, wait: Wait, strategy: str
) -> None:
    document.reset(survey_plan().with_fields(strategy=strategy).with_column("age", role="drop"))
    release(ready, qtbot, wait)
    ready.records.results.tabs.setCurrentIndex(1)
    wait()
    assert ready.records.results.private.table.model().rowCount() == 3
