"""The settings: in force at once, remembered, reached and changed by the keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.gui.document import Document
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.open_table import PlanDefaults
from dpdesk.gui.settings import Settings
from dpdesk.gui.settings_dialog import SettingsDialog
from dpdesk.gui.theme import TEXT_SIZES, ScaledWidth, ThemeSwitch
from dpdesk.ledgers import Ledger
from dpdesk.ledgers.place import VARIABLE, choose_folder, data_folder, default_path
from dpdesk.plan import Plan
from tests.gui.test_document import open_table
from tests.gui.test_window import shell, trigger, window
from tests.gui.windows import document_of, open_window
from tests.refusals import refused

__all__ = ["shell", "window"]


@pytest.fixture(autouse=True)
def usual_text(theme: ThemeSwitch) -> Iterator[None]:
    """Text as large as the system's, again for the tests that follow."""
    yield
    theme.set_text_percent(100)


@pytest.fixture
def dialog(settings: Settings, document: Document, qtbot: QtBot) -> SettingsDialog:
    made = SettingsDialog(settings, document, lambda: "")
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of this test, and no ledger named by the environment."""
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_a, **_k: str(tmp_path / "data"))
    return tmp_path / "data"


def restarted(settings: Settings) -> Settings:
    settings._store.sync()
    return Settings(QSettings(settings._store.fileName(), QSettings.Format.IniFormat))


def test_that_all_text_is_scaled_at_once_and_remembered(
    dialog: SettingsDialog, settings: Settings, qtbot: QtBot
) -> None:
    before = QApplication.font().pointSizeF()
    field = QWidget()
    qtbot.addWidget(field)
    ScaledWidth(field, 80)
    dialog.text_size.setFocus()
    for _ in range(TEXT_SIZES.index(125) - TEXT_SIZES.index(100)):
        qtbot.keyClick(dialog.text_size, Qt.Key.Key_Down)
    assert QApplication.font().pointSizeF() == pytest.approx(1.25 * before)
    assert field.width() == 100
    assert restarted(settings).text_percent() == 125


def test_that_keys_change_the_size_of_text_between_its_limits(
    window: MainWindow, settings: Settings, qtbot: QtBot
) -> None:
    for _ in range(len(TEXT_SIZES)):
        qtbot.keyClick(window, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert ThemeSwitch.instance().text_percent == settings.text_percent() == TEXT_SIZES[-1]
    for _ in range(len(TEXT_SIZES)):
        qtbot.keyClick(window, Qt.Key.Key_Minus, Qt.KeyboardModifier.ControlModifier)
    assert ThemeSwitch.instance().text_percent == settings.text_percent() == TEXT_SIZES[0]
    qtbot.keyClick(window, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert ThemeSwitch.instance().text_percent == settings.text_percent() == 100


def test_that_the_menu_shows_the_settings_of_the_window(
    window: MainWindow, shell: Document, settings: Settings
) -> None:
    trigger(window, "Settings…")
    (shown,) = window.findChildren(SettingsDialog)
    assert shown.isVisible()
    shown.close()
    # What runs on a page keeps the ledger where it is.
    window.pages["data"].unfinished_work = lambda: "A release is being made."
    again = window.show_settings()
    again._wanted = data_folder()
    again._change_folder()
    assert again.notice.text() == "A release is being made."
    again.close()
    del window.pages["data"].unfinished_work


def test_that_a_new_plan_begins_with_the_default_budget_and_confidence(
    dialog: SettingsDialog, document: Document, settings: Settings, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog.budget.setFocus()
    dialog.budget.selectAll()
    qtbot.keyClicks(dialog.budget, "2.5")
    qtbot.keyClick(dialog.budget, Qt.Key.Key_Return)
    assert dialog.isVisible()
    dialog.level.setFocus()
    qtbot.keyClick(dialog.level, Qt.Key.Key_Up)
    wanted = PlanDefaults(Decimal("2.5"), Decimal("0.9"))
    assert document.defaults == wanted
    assert restarted(settings).plan_defaults() == wanted
    data = tmp_path / "answers.csv"
    data.write_text("sex,age\nf,31\nm,44\n", encoding="utf-8")
    open_table(document, data, qtbot)
    assert document.plan.budget == Decimal("2.5")
    assert document.plan.statistics.confidence == Decimal("0.9")


@pytest.mark.parametrize("typed", ["", "four", "0", "-1", "nan", "1e9"])
def test_that_a_default_budget_that_no_plan_can_have_is_refused_with_a_sentence(
    dialog: SettingsDialog, document: Document, qtbot: QtBot, typed: str
) -> None:
    dialog.budget.setFocus()
    dialog.budget.selectAll()
    qtbot.keyClick(dialog.budget, Qt.Key.Key_Delete)
    qtbot.keyClicks(dialog.budget, typed)
    qtbot.keyClick(dialog.budget, Qt.Key.Key_Return)
    assert dialog.refusal.isVisible()
    assert dialog.refusal.text().endswith(".")
    assert document.defaults == PlanDefaults()


def test_that_stored_defaults_that_are_invalid_are_left_out() -> None:
    assert PlanDefaults.stored("x", "2") == PlanDefaults()
    assert PlanDefaults.stored("nan", "0.9") == PlanDefaults(confidence=Decimal("0.9"))
    assert PlanDefaults.stored("7", "").of(Plan()).budget == 7


def test_that_every_setting_is_reached_by_tab_and_says_what_it_does(
    dialog: SettingsDialog, qtbot: QtBot
) -> None:
    wanted = [dialog.text_size, dialog.theme, dialog.budget, dialog.level]
    dialog.text_size.setFocus()
    for control in wanted:
        assert QApplication.focusWidget() is control
        assert control.accessibleName()
        assert control.accessibleDescription().endswith(".")
        qtbot.keyClick(control, Qt.Key.Key_Tab)


def test_that_a_ledger_stays_where_it_is_when_another_folder_is_chosen(
    own_data: Path, settings: Settings, document: Document, qtbot: QtBot, tmp_path: Path
) -> None:
    Ledger.open()
    before = {path.name: path.read_bytes() for path in own_data.iterdir()}
    assert before
    made = SettingsDialog(settings, document, lambda: "")
    qtbot.addWidget(made)
    made.show()
    other = tmp_path / "other"
    other.mkdir()
    made.folder_asked = lambda: other
    made.choose.click()
    # The first click only says what would happen.
    assert default_path().parent == own_data
    assert str(own_data) in made.notice.text()
    assert "no earlier release counts in it" in made.notice.text()
    with qtbot.waitSignal(document.ledgerMoved):
        made.change.click()
    assert default_path() == other / "ledger.sqlite"
    assert {name: (own_data / name).read_bytes() for name in before} == before
    Ledger.open()
    made.reset.click()
    assert "holds a ledger" in made.notice.text()
    made.change.click()
    assert default_path().parent == own_data


def test_that_a_chosen_folder_that_is_gone_is_told_and_no_ledger_begins(
    own_data: Path, settings: Settings, document: Document, qtbot: QtBot, tmp_path: Path
) -> None:
    other = tmp_path / "drive"
    other.mkdir()
    choose_folder(other)
    other.rmdir()
    with refused("ledgers.folder-gone", folder=str(other)):
        Ledger.open()
    assert not other.exists()
    made = SettingsDialog(settings, document, lambda: "")
    qtbot.addWidget(made)
    assert str(other) in made.notice.text()
    assert made.choose.isEnabled()


def test_that_a_folder_that_cannot_hold_a_ledger_is_refused(
    own_data: Path, settings: Settings, document: Document, qtbot: QtBot, tmp_path: Path
) -> None:
    made = SettingsDialog(settings, document, lambda: "")
    qtbot.addWidget(made)
    made._prepare(tmp_path / "missing")
    made._change_folder()
    assert "cannot be kept" in made.notice.text()
    assert default_path().parent == own_data


def test_that_a_ledger_named_by_the_environment_cannot_be_changed_here(
    dialog: SettingsDialog,
) -> None:
    assert VARIABLE in dialog.notice.text()
    assert not dialog.choose.isEnabled()
    assert not dialog.reset.isEnabled()


def test_that_every_page_uses_the_settings_of_the_window(
    settings: Settings, qtbot: QtBot, tmp_path: Path
) -> None:
    settings.set_release_parent(tmp_path)
    shown = open_window(settings, qtbot)
    assert document_of(shown).settings is settings
    assert shown.pages["learn"].settings is settings
    assert shown.pages["data"]._settings is settings
    destination = shown.pages["release"].records.before.destination
    assert destination.folder() == tmp_path / destination.name.text()
    (tmp_path / "other").mkdir()
    destination.set_parent_folder(tmp_path / "other")
    assert restarted(settings).release_parent() == tmp_path / "other"
    # What is unfolded is remembered there, and not in the user's own settings.
    pane = shown.pages["simulate"].pane
    pane.card.more.click()
    pane.seed.fold.trigger()
    assert [restarted(settings).is_unfolded(n) for n in ("simulate", "simulate_seed")] == [True] * 2
    assert not any(Settings().is_unfolded(n) for n in ("simulate", "simulate_seed"))
