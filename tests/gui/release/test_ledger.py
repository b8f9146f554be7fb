from __future__ import annotations

import threading
from collections.abc import Callable
from decimal import Decimal
from math import exp
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QInputDialog
from pytestqt.qtbot import QtBot

from dpdesk.errors import LedgerError
from dpdesk.gui.document import Document
from dpdesk.gui.pages.release import ReleasePage
from dpdesk.gui.pages.release.ledger_view import CENTRAL, LOCAL, OUTCOME, TITLE, LedgerView
from dpdesk.gui.pages.release.population_field import look_up
from dpdesk.ledgers import Cap, Ledger
from dpdesk.ledgers.texts import T
from dpdesk.plan import errors_of
from tests.engine.survey import lively_survey, survey
from tests.gui.release.conftest import HeldTask
from tests.gui.test_accessibility import nameless, rich_labels
from tests.ledgers.charges import central, charge, local, one, people
from tests.patience import HANG
from tests.strength import strength_by_odds, strength_in

Wait = Callable[[], None]


@pytest.fixture
def view(qtbot: QtBot) -> LedgerView:
    """A ledger of two populations."""
    ledger = Ledger.open()
    charged = charge(ledger, local("1.5"), population="First", title="Records", kind="records")
    ledger.written(charged, Path("/somewhere/out"))
    charge(ledger, central("0.5", "1e-6"), population="First", title="Ten statistics")
    charge(ledger, local("2"), people(first=60), population="Second")
    shown = LedgerView()
    qtbot.addWidget(shown)
    shown.resize(820, 520)
    shown.show()
    shown.show_ledger("First")
    return shown


def typed(qtbot: QtBot, line, text: str) -> None:
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text) if text else line.clear()
    qtbot.keyClick(line, Qt.Key.Key_Return)


def test_that_a_name_is_charged_and_the_report_lists_the_release_before(
    ready: ReleasePage, qtbot: QtBot, wait: Wait
):
    wait()
    row = ready.records.before.promise.people
    typed(qtbot, row.name, "Fruit  lovers")
    for _ in range(2):
        qtbot.mouseClick(ready.records.start_button, Qt.MouseButton.LeftButton)
        wait()
        ready.records.results.again.click()
    result = ready.records.results.result()
    assert result is not None
    earlier = result.report.budget.earlier_releases
    assert earlier is not None
    assert (earlier.population, len(earlier.releases)) == ("Fruit lovers", 1)
    assert one().releases[1].where == str(result.folder)
    assert row.name.value() == "Fruit lovers"


def test_that_the_next_window_knows_what_was_released(
    ready: ReleasePage, document: Document, wait: Wait
):
    charge(Ledger.open(), local("1"), survey(), population="Fruit lovers")
    document._set_table(survey(), None)
    wait()
    row = ready.records.before.promise.people
    assert row.population() == "Fruit lovers"
    assert "Released once before, at ε = 1; with this one" in row.budget.sentence()


def test_that_a_cap_blocks_before_the_release_and_says_why(
    ready: ReleasePage, document: Document, wait: Wait
):
    charge(Ledger.open(), local("1"), survey(), population="People", cap=Cap(Decimal("1.5")))
    document._set_table(survey(), None)
    wait()
    assert not ready.records.start_button.isEnabled()
    said = ready.records.before.promise.people.budget.sentence()
    assert "ε = 0.5 of 1.5." in said
    ready.records.start()
    assert not ready.records.watch.is_running
    Ledger.open().set_cap("People", Cap(Decimal(100)))
    ready.account.ask_again()
    wait()
    assert ready.records.start_button.isEnabled()


@pytest.fixture
def nearly(document: Document, ready: ReleasePage, wait: Wait) -> ReleasePage:
    """The page with a file that is nearly one of which People were released."""
    charge(Ledger.open(), local("1"), lively_survey(), population="People")
    document._set_table(lively_survey(450), None)
    wait()
    return ready


def test_that_nearly_the_same_file_blocks_until_it_is_said_whose_it_is(
    nearly: ReleasePage, qtbot: QtBot, wait: Wait
):
    row = nearly.records.before.promise.people
    assert "of its rows are in a file of “People” (500 rows" in row.similar.sentence()
    assert "the same people?" in row.similar.sentence()
    assert row.same.isVisible()
    assert row.other.isVisible()
    assert not nearly.records.start_button.isEnabled()
    assert "same people" in nearly.records.start_button.toolTip()
    verdict = nearly.records.before.checks.verdict
    assert verdict.sentence() == "1 problem blocks the release"
    (line, *_) = nearly.records.before.checks.problems.lines()
    assert line.accessibleName().startswith("Error: The data resemble those of People")
    nearly.records.start()
    assert not nearly.records.watch.is_running
    assert row.budget.isHidden()
    qtbot.mouseClick(row.same, Qt.MouseButton.LeftButton)
    assert row.population() == "People"
    assert verdict.sentence().startswith("Ready to release")
    assert row.similar.isHidden()
    assert row.same.isHidden()
    assert "Released once before" in row.budget.sentence()
    qtbot.mouseClick(nearly.records.start_button, Qt.MouseButton.LeftButton)
    wait()
    assert len(one().files) == 2


def test_that_other_people_are_released_by_themselves_and_the_answer_is_kept(
    nearly: ReleasePage, document: Document, qtbot: QtBot, wait: Wait
):
    row = nearly.records.before.promise.people
    qtbot.mouseClick(row.other, Qt.MouseButton.LeftButton)
    assert nearly.records.start_button.isEnabled()
    assert "Other people than People" in row.similar.sentence()
    assert row.other.isHidden()
    # The answer can be taken back before it is kept.
    qtbot.mouseClick(row.same, Qt.MouseButton.LeftButton)
    assert row.population() == "People"
    typed(qtbot, row.name, "Others")
    assert not nearly.records.start_button.isEnabled()
    qtbot.mouseClick(row.other, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(nearly.records.start_button, Qt.MouseButton.LeftButton)
    wait()
    others = Ledger.open().population("Others")
    assert [said.name for said in others.others] == ["People"]
    assert len(others.releases) == 1
    # It is not asked again, in this window or the next one.
    document._set_table(lively_survey(450), None)
    wait()
    assert row.similar.isHidden()
    assert errors_of(document.problems) == ()


def test_that_an_answer_for_one_file_is_none_for_the_next(
    nearly: ReleasePage, document: Document, qtbot: QtBot, wait: Wait
):
    row = nearly.records.before.promise.people
    qtbot.mouseClick(row.other, Qt.MouseButton.LeftButton)
    document._set_table(lively_survey(440), None)
    wait()
    assert "the same people?" in row.similar.sentence()
    assert not nearly.records.start_button.isEnabled()


def test_that_a_release_that_starts_before_the_ledger_was_heard_is_asked_about_all_the_same(
    ready: ReleasePage,
    document: Document,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
    wait: Wait,
):
    wait()
    charge(Ledger.open(), local("1"), lively_survey(), population="People")
    asked, go_on = threading.Event(), threading.Event()

    def slow(*arguments: Any) -> Any:
        asked.set()
        go_on.wait(HANG)
        return look_up(*arguments)

    monkeypatch.setattr("dpdesk.gui.pages.release.population_field.look_up", slow)
    document._set_table(lively_survey(450), None)
    assert asked.wait(HANG)
    with qtbot.waitSignal(ready.records.watch.ended):
        ready.records.start()
    assert "the same people?" in ready.records.notice.message()
    go_on.set()
    wait()
    assert one().spent("local").releases == 1
    assert not ready.records.start_button.isEnabled()


def test_that_local_and_central_losses_are_added(
    ready: ReleasePage, document: Document, wait: Wait
):
    for _ in range(2):
        charge(Ledger.open(), local("4"), survey(), population="People")
    charge(Ledger.open(), central("2"), survey(), population="People", cap=Cap(Decimal(20)))
    document._set_table(survey(), None)
    wait()
    assert ready.records.before.promise.people.budget.sentence() == (
        "Released 3 times before, at ε = 12 in all; with this one ε = 16.5. Then ε = 3.5 of 20 is "
        f"left.\n{T.DOUBLED()}"
    )


def test_that_typing_a_name_declares_people_that_were_recognised(
    ready: ReleasePage, document: Document, qtbot: QtBot, wait: Wait
):
    charge(Ledger.open(), local("1"), survey(), title="Old title")
    document._set_table(survey(), None)
    wait()
    row = ready.records.before.promise.people
    assert "Old title" in row.name.placeholderText()
    typed(qtbot, row.name, "People")
    wait()
    assert (one().name, one().is_declared) == ("People", True)
    typed(qtbot, row.name, "Others")
    assert "belong to People" in row.refusal.text()
    assert one().name == "People"


def test_that_a_damaged_ledger_blocks_on_the_page(
    ready: ReleasePage, document: Document, wait: Wait, ledger_of_this_test: Path
):
    charge(Ledger.open(), local("1"), survey())
    Path(f"{ledger_of_this_test}.key").unlink()
    document._set_table(survey(), None)
    wait()
    assert not ready.records.start_button.isEnabled()
    blocked = ready.records.before.promise.people.budget.sentence()
    assert T.KEY_GONE(file=f"{ledger_of_this_test.name}.key") in blocked


def test_that_what_is_cancelled_after_the_draw_began_is_said_to_stay_charged(
    ready: ReleasePage, held: HeldTask, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, wait: Wait
):
    charged = charge(Ledger.open(), local("1.5"), survey(), population="People")
    ready.records.start_button.click()
    assert held.reached.wait(HANG)
    ready.records._charges.append(charged)
    qtbot.keyClick(ready.records.running.cancel, Qt.Key.Key_Escape)
    wait()
    assert "ε = 1.5 stays charged to People" in ready.records.notice.message()
    assert "nothing was spent" not in ready.records.notice.message()


def test_that_the_ledger_opens_from_the_page_with_its_people(
    ready: ReleasePage, document: Document, wait: Wait
):
    charge(Ledger.open(), local("1"), survey(), population="People")
    charge(Ledger.open(), local("1"), people(), population="Others")
    document._set_table(survey(), None)
    wait()
    ready.records.before.promise.people.ledger.click()
    dialog = ready._ledger_dialog
    assert dialog is not None
    assert dialog.isVisible()
    assert dialog.view.choice.currentText() == "People"
    typed_cap = dialog.view.total.epsilon
    typed_cap.setText("1")
    typed_cap.commit()
    wait()
    assert not ready.records.start_button.isEnabled()
    dialog.close()


def test_that_both_models_have_one_total_and_columns_of_their_own(view: LedgerView):
    # The central 0.5 counts twice beside the local 1.5.
    assert strength_in(view.total.spent.text()) == strength_by_odds(exp(2.5))
    assert "ε = 2.5, δ" in view.total.spent.text()
    assert T.DOUBLED() in view.total.releases.text()
    cells = [[view.model.text(row, c) for c in (TITLE, LOCAL, CENTRAL)] for row in view.model.rows]
    assert cells == [["Ten statistics", "—", "0.5"], ["Records", "1.5", "—"]]
    assert [view.model.text(row, OUTCOME) for row in view.model.rows] == ["not known", "out"]


def test_that_the_chosen_population_is_shown(view: LedgerView):
    view.choice.setCurrentText("Second")
    assert "ε = 2" in view.total.spent.text()
    assert len(view.model.rows) == 1


def test_that_a_cap_is_set_and_says_what_is_left(view: LedgerView, qtbot: QtBot):
    tile = view.total
    with qtbot.waitSignal(view.changed):
        typed(qtbot, tile.epsilon, "4.5")
    assert "ε = 2 of 4.5 is left: 1 more yes-no question" in tile.left.text()
    assert "6 more counts at ± 20" in tile.left.text()
    assert Ledger.open().population("First").cap == Cap(Decimal("4.5"))
    typed(qtbot, tile.delta, "1e-5")
    assert Ledger.open().population("First").cap == Cap(Decimal("4.5"), Decimal("1e-5"))
    typed(qtbot, tile.epsilon, "")
    assert Ledger.open().population("First").cap is None
    assert "No cap is set" in tile.left.text()


@pytest.mark.parametrize("text", ["-1", "x", "1e3", "99999"])
def test_that_a_cap_that_is_no_number_is_refused_in_place(
    view: LedgerView, qtbot: QtBot, text: str
):
    tile = view.total
    typed(qtbot, tile.epsilon, text)
    assert "Type a number" in tile.refusal()
    assert Ledger.open().population("First").cap is None


def test_that_people_are_renamed_and_joined(
    view: LedgerView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: (" Third ", True))
    view.rename.click()
    assert view.choice.currentText() == "Third"
    monkeypatch.setattr(QInputDialog, "getItem", lambda *_, **__: ("Second", True))
    view.join.click()
    assert view.choice.currentText() == "Second"
    assert one().spent("local").epsilon == Decimal("3.5")
    assert not view.join.isEnabled()
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("", True))
    view.rename.click()
    assert one().name == "Second"


def test_that_the_plan_of_a_release_can_be_saved(
    view: LedgerView, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    assert not view.plan.isEnabled()
    view.table.selectRow(0)
    assert view.plan.isEnabled()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "p.json"), ""))
    view.plan.click()
    assert (tmp_path / "p.json").read_text() == '{"a": "plan"}'
    assert "p.json" in view.notice.message()


def test_that_a_damaged_ledger_is_set_aside_from_the_window(
    view: LedgerView, qtbot: QtBot, ledger_of_this_test: Path
):
    Path(f"{ledger_of_this_test}.head").write_text("x")
    view.show_ledger()
    assert "damaged" in view.notice.message()
    assert view.population() is None
    with qtbot.waitSignal(view.changed):
        view.notice.actionTriggered.emit()
    assert "set aside" in view.notice.message()
    assert Ledger.open().book().set_aside


def test_that_a_ledger_in_use_is_not_offered_to_be_set_aside(
    view: LedgerView, monkeypatch: pytest.MonkeyPatch
):
    def busy(*_: object) -> None:
        raise LedgerError("Another program holds the ledger.")

    monkeypatch.setattr(Ledger, "open", busy)
    view.show_ledger()
    assert "holds the ledger" in view.notice.message()
    assert view.notice._action.isHidden()
    view.notice.actionTriggered.emit()


def test_that_an_older_copy_is_gone_on_with_from_the_window(
    view: LedgerView, qtbot: QtBot, ledger_of_this_test: Path
):
    older = {file: file.read_bytes() for file in ledger_of_this_test.parent.iterdir()}
    charge(Ledger.open(), local("1"), population="First", release_id="later")
    for file, content in older.items():
        file.write_bytes(content)
    for suffix in ("-wal", "-shm"):
        Path(f"{ledger_of_this_test}{suffix}").unlink(missing_ok=True)
    view.show_ledger()
    assert "older copy" in view.notice.message()
    with qtbot.waitSignal(view.changed):
        view.notice.actionTriggered.emit()
    assert "missing, as it notes: 1" in view.notice.message()
    assert Ledger.open().book().gaps
    assert "continued from an older copy" in view._begun.text()


def test_that_answers_are_saved_once_more_and_who_is_somebody_else_is_shown(
    view: LedgerView, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    ledger = Ledger.open()
    others = lively_survey(90)
    charge(ledger, local("1"), lively_survey(100), population="Third")
    charged = charge(ledger, central("1"), others, population="Fourth", other_people=True)
    ledger.keep_answers(charged, '{"answers": 1}')
    view.show_ledger("Fourth")
    assert "said to be other people than Third" in view._others.text()
    assert not view.answers.isEnabled()
    view.table.selectRow(0)
    assert view.answers.isEnabled()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "r.json"), ""))
    view.answers.click()
    assert (tmp_path / "r.json").read_text() == '{"answers": 1}'
    view.show_ledger("First")
    view.table.selectRow(0)
    assert not view.answers.isEnabled()
    assert view._others.isHidden()


def test_that_every_control_has_a_name_and_no_text_is_markup(view: LedgerView):
    assert nameless(view) == []
    assert rich_labels(view) == []
