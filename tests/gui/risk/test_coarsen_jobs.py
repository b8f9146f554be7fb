"""What runs in the pane of coarser answers answers the question in force, or nothing."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.disclosure.coarsening import Lattice
from dpdesk.engine import Tracker
from dpdesk.gui.document import Document
from dpdesk.gui.pages.risk import RiskPage, coarsen_pane
from dpdesk.gui.pages.risk.coarsen_pane import CoarsenPane
from dpdesk.plan import Plan
from dpdesk.preview.coarser import CoarseAnswer, CoarseWish
from tests.gui.risk.coarse_people import QUASI, Wait, qapp_events


class Held:
    """Coarsens only when it is let go, so that something can happen while it runs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go, self.began = threading.Event(), 0
        self.is_deaf = False
        self._real = coarsen_pane.coarse_answer
        monkeypatch.setattr(coarsen_pane, "coarse_answer", self)

    def __call__(
        self,
        table: SurveyTable,
        plan: Plan,
        wish: CoarseWish,
        lattice: Lattice | None,
        tracker: Tracker,
    ) -> CoarseAnswer:
        self.began += 1
        while not self.go.wait(0.005):
            if not self.is_deaf:
                tracker.tick()
        return self._real(table, plan, wish, lattice, tracker)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    return Held(monkeypatch)


def tracker_of(words: tuple[object, ...]) -> Tracker:
    """The tracker among what a job is given, wherever it stands."""
    return next(word for word in words if isinstance(word, Tracker))


def other_people() -> SurveyTable:
    """Twelve people of whom other things are known."""
    return table_from_texts(
        {name: [str(row % 3) for row in range(12)] for name in ("town", "work", "size", "age")}
    )


def no_answer_of_other_columns(pane: CoarsenPane, page: RiskPage) -> None:
    if pane.answer is not None:
        assert pane.answer.wish.request.quasi == page.state.quasi_identifiers
    assert len(pane.rows.rows) == len(page.state.quasi_identifiers)


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("is_deaf", [False, True])
def test_that_an_answer_for_other_columns_is_never_accepted(
    pane: CoarsenPane, wait: Wait, page: RiskPage, held: Held, times: int, is_deaf: bool
) -> None:
    held.is_deaf = is_deaf
    pane.form.set_value("k", 2)
    for _ in range(times):
        pane.best.click()
    page.state.choose(("age",), ())
    held.go.set()
    wait()
    qapp_events(pane)
    wait()
    no_answer_of_other_columns(pane, page)
    assert pane.answer is None
    assert not pane.keep.isEnabled()


@pytest.mark.parametrize("times", [1, 2])
def test_that_another_file_may_be_opened_while_levels_are_compared(
    pane: CoarsenPane, wait: Wait, page: RiskPage, document: Document, held: Held, times: int
) -> None:
    for _ in range(times):
        pane.best.click()
    document._set_table(other_people(), None)
    document.reset(Plan())
    held.go.set()
    wait()
    qapp_events(pane)
    wait()
    no_answer_of_other_columns(pane, page)
    assert pane.answer is None


def test_that_the_last_question_is_answered_where_several_come(
    pane: CoarsenPane, wait: Wait, held: Held
) -> None:
    for k in (2, 3, 4):
        pane.form.set_value("k", k)
        pane.best.click()
    held.go.set()
    wait()
    assert pane.answer is not None
    assert pane.answer.wish.request.k == 4
    assert not pane.undo.isEnabled()


def test_that_esc_cancels_where_a_question_waits(
    pane: CoarsenPane, wait: Wait, page: RiskPage, held: Held, qtbot: QtBot
) -> None:
    pane.best.click()
    pane.best.click()
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    held.go.set()
    wait()
    assert held.began == 1
    assert not pane.watch.is_running
    assert pane.answer is None


def test_that_no_question_stops_the_writing_of_a_file(
    pane: CoarsenPane,
    wait: Wait,
    page: RiskPage,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    levels = tmp_path / "levels.csv"
    pane.form.set_value("k", 2)
    pane.best.click()
    wait()
    pane.save_levels("age", levels)
    pane.load_levels("age", levels)
    wait()
    go, real = threading.Event(), coarsen_pane.write_coarsened

    def slow(*words: Any) -> tuple[str, ...]:
        while not go.wait(0.005):
            tracker_of(words).tick()
        return real(*words)

    monkeypatch.setattr(coarsen_pane, "write_coarsened", slow)
    pane.write_below(tmp_path)
    assert not pane.rows.isEnabled()
    pane.rows.rows[0].level.setValue(pane.rows.rows[0].level.value() + 1)
    pane.load_levels("age", levels)
    pane.forget_levels("age")
    pane.best.click()
    pane.write_below(tmp_path)
    page.state.choose(("age",), ())
    go.set()
    wait()
    assert (tmp_path / "coarsened-table" / "records.csv").exists()
    assert "was written" in pane.notice.message()
    assert pane.rows.isEnabled()
    no_answer_of_other_columns(pane, page)


def test_that_a_cancelled_writing_is_said(
    pane: CoarsenPane, wait: Wait, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane.form.set_value("k", 2)
    pane.best.click()
    wait()

    def endless(*words: Any) -> None:
        while True:
            tracker_of(words).tick()

    monkeypatch.setattr(coarsen_pane, "write_coarsened", endless)
    pane.write_below(tmp_path)
    assert pane.cancel()
    wait()
    assert "nothing was written" in pane.notice.message()
    assert pane.answer is not None
    assert pane.rows.isEnabled()


def test_that_the_notice_of_the_plan_goes_when_the_plan_no_longer_says_so(
    pane: CoarsenPane, wait: Wait, document: Document
) -> None:
    pane.form.set_value("k", 4)
    pane.best.click()
    wait()
    assert pane.answer is not None
    rest = [name for name, level in zip(QUASI, pane.answer.levels or (), strict=True) if not level]
    pane.keep.click()
    wait()
    told = pane.notice.message()
    assert told.startswith("The plan keeps")
    assert [name for name in QUASI if f"{name}” as they are" in told] == rest
    assert pane.notice.isVisible()
    document.undo_stack.undo()
    wait()
    assert not pane.notice.isVisible()
    document.undo_stack.redo()
    pane.keep.click()
    wait()
    assert pane.notice.isVisible()
    # Confirmed: the notice asks for it.
    for name in QUASI:
        document.edit("Confirm", document.plan.with_column(name, keep_confirmed=True))
    wait()
    assert not pane.notice.isVisible()
