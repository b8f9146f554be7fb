"""A page on the whole screen: nothing private is seen, and the window is as it was afterwards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from dpdesk.data.table import table_from_texts
from dpdesk.demonstrations import demonstration
from dpdesk.gui.document import Document
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.settings import Settings
from dpdesk.gui.stage.presented_page import PrivateCover
from dpdesk.gui.stage.stage import Stage
from dpdesk.gui.theme import ThemeSwitch
from tests.gui.shell_pages import PAGES

KEY = Qt.Key


@pytest.fixture
def window(settings: Settings, qtbot: QtBot) -> Iterator[MainWindow]:
    """The window with small pages, of which the first is private."""
    made = MainWindow(settings, PAGES)
    qtbot.addWidget(made)
    made.furnish(Document(made))
    made.show()
    page = made.pages["data"]
    page.private_parts = lambda: [page]
    second = made.pages["plan"]
    second.private_parts = lambda: [second]
    yield made
    made.presented.end()


def covered(window: MainWindow) -> list[QWidget]:
    return [cover.covered for cover in window.presented.covers()]


def test_that_only_the_presenter_unlocks_and_each_presentation_begins_locked(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.go_to("data")
    window.present()
    cover = window.presented.covers()[0]
    qtbot.mouseClick(cover.unlock, Qt.MouseButton.LeftButton)
    assert covered(window) == []
    # Only what was unlocked is seen; it stays so.
    window.go_to("plan")
    assert covered(window) == [window.pages["plan"]]
    assert window.presented.is_locked
    window.go_to("data")
    assert covered(window) == []
    qtbot.mouseClick(window.presented.foot.lock, Qt.MouseButton.LeftButton)
    assert covered(window) == [window.pages["data"]]
    window.presented.set_locked(False)
    window.presented.end()
    window.present()
    assert window.presented.is_locked
    assert covered(window) == [window.pages["data"]]


def test_that_other_data_are_covered_again(window: MainWindow) -> None:
    window.go_to("data")
    window.present()
    window.presented.set_locked(False)
    document = window.findChild(Document)
    document._set_table(table_from_texts({"q": ["a", "b"]}), None)
    assert covered(window) == [window.pages["data"]]


def test_that_nothing_moves_while_the_screen_is_black(window: MainWindow, qtbot: QtBot) -> None:
    window.go_to("data")
    field = QLineEdit(window.pages["data"])
    field.show()
    window.present()
    window.presented.set_locked(False)
    field.setFocus()
    window.presented.darken()
    assert window.presented.black.isVisible()
    # What is hidden stops its timers; so does the pointer.
    assert not field.isVisible()
    assert not window.presented._pointer.follows()
    qtbot.keyClick(window.presented.black, KEY.Key_B)
    assert field.hasFocus()
    assert window.presented._pointer.follows()
    window.presented.darken()
    window.presented.end()
    assert field.isVisible()


def test_that_windows_that_open_meanwhile_are_covered(window: MainWindow, qtbot: QtBot) -> None:
    window.present()

    class Words(QDialog):
        shows_nothing_private = True

    def box() -> QMessageBox:
        return QMessageBox(QMessageBox.Icon.Warning, "Discard", "The answers of Ann", parent=window)

    kinds = (lambda: QDialog(window), box, lambda: QFileDialog(window), lambda: Words(window))
    for kind in (*kinds, lambda: QWidget(None), lambda: Stage(demonstration("two-coins"))):
        dialog = kind()
        qtbot.addWidget(dialog)
        dialog.show()
        covers = dialog.findChildren(PrivateCover)
        assert len(covers) == (not getattr(dialog, "shows_nothing_private", False)), dialog
        # Another page leaves it covered, and nothing that it shows is seen or pressed.
        window.go_to("plan")
        for cover in covers:
            assert cover.geometry() == dialog.rect()
            assert dialog.childAt(dialog.rect().center()) in (cover, *cover.findChildren(QWidget))
            assert dialog.focusWidget() is cover.unlock
            qtbot.mouseClick(cover.unlock, Qt.MouseButton.LeftButton)
            # That window alone is shown.
            assert covered(window) == [window.pages["plan"]]
            assert not cover.isVisible()
        dialog.close()


def test_that_what_is_open_before_is_covered_and_menus_are_not(
    window: MainWindow, qtbot: QtBot
) -> None:
    table = QDialog(window)
    table.show()
    native = Qt.ApplicationAttribute.AA_DontUseNativeDialogs
    was = QApplication.testAttribute(native)
    window.present()
    assert table in covered(window)
    # Dialogs of the system cannot be covered: Qt's own stand in for them.
    assert QApplication.testAttribute(native)
    menu = QMenu(window)
    menu.addAction("Copy")
    menu.show()
    assert menu not in covered(window)
    menu.close()
    window.presented.end()
    assert table.findChild(PrivateCover).isHidden()
    assert QApplication.testAttribute(native) == was
    # A message that comes up while a demonstration plays is covered, too.
    stage = Stage(demonstration("two-coins"), parent=window)
    qtbot.addWidget(stage)
    stage.show()
    message = QMessageBox(window)
    message.show()
    assert [cover.covered for cover in stage.windows.covers()] == [table, message]
    stage.close()
    assert stage.windows.covers() == []
    message.close()


def test_that_the_window_is_afterwards_as_it_was(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1100, 720)
    window.rail.setFocus()
    before = (window.windowState(), window.menuBar().isHidden(), window.focusWidget())
    window.present()
    assert ThemeSwitch.instance().text_percent == 125
    window.presented.foot.leave.click()
    assert (window.windowState(), window.menuBar().isHidden(), window.focusWidget()) == before
    assert ThemeSwitch.instance().text_percent == 100
    assert window.rail.isVisible()
    assert window.status.isVisible()
    assert window.presented.foot.isHidden()
    assert window.presented.covers() == []
    assert window.findChildren(PrivateCover, options=Qt.FindDirectChildrenOnly) == []


def test_that_a_clicker_goes_from_page_to_page_and_esc_leaves(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.present()
    window.setFocus()
    qtbot.keyClick(window, KEY.Key_PageDown)
    assert window.rail.current() == "plan"
    qtbot.keyClick(window, KEY.Key_PageUp)
    assert window.rail.current() == "data"
    qtbot.keyClick(window, KEY.Key_Right)
    qtbot.keyClick(window, KEY.Key_Period)
    assert window.presented.black.isVisible()
    qtbot.keyClick(window.presented.black, KEY.Key_PageDown)
    assert window.presented.black.isHidden()
    assert window.rail.current() == "plan"
    qtbot.keyClick(window, KEY.Key_Escape)
    assert not window.presented.is_on


def test_that_sizes_of_text_are_remembered_apart(window: MainWindow, settings: Settings) -> None:
    larger = next(a for a in window.actions() if "Ctrl++" in [k.toString() for k in a.shortcuts()])
    window.present()
    larger.trigger()
    assert (settings.presented_percent(), settings.text_percent()) == (150, 100)
    window.presented.end()
    larger.trigger()
    assert (settings.presented_percent(), settings.text_percent()) == (150, 110)
    ThemeSwitch.instance().set_text_percent(100)
