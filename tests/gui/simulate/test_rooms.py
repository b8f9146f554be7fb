"""The rooms of Simulate: few controls at first sight, the rest one click away and remembered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.data.table import table_from_texts
from dpdesk.gui.document import Document
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.pages.simulate import SimulatePage
from dpdesk.gui.pages.simulate.survey_pane import EXPLORE, PLAN
from dpdesk.gui.pages.simulate.survey_tabs import ANSWER_KINDS, BINARY
from dpdesk.gui.reading_order import tab_stops
from dpdesk.gui.settings import Settings
from dpdesk.gui.widgets.figure_tile import FigureRow
from tests.gui.hands import Hands

MOST = 20


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path) -> Iterator[None]:
    """What is remembered is that of the test."""
    scope, native = QSettings.Scope.UserScope, QSettings.Format.NativeFormat
    QSettings.setPath(native, scope, str(tmp_path))
    yield
    QSettings("dpdesk", "dpdesk").clear()


@pytest.fixture
def window(settings: Settings, qtbot: QtBot) -> MainWindow:
    """The window as it opens, with answers that were collected."""
    shown = MainWindow(settings)
    document = Document(shown)
    qtbot.addWidget(shown, before_close_func=lambda _: document.undo_stack.setClean())
    shown.furnish(document)
    shown.resize(1360, 850)
    shown.show()
    document._set_table(table_from_texts({"said": ["yes", "no"] * 20, "age": ["30"] * 40}), None)
    return shown


def controls(page: QWidget) -> list[str]:
    """What Tab stops at on a page, by name: what is enabled, visible, and takes the focus."""
    return [stop.accessibleName() or type(stop).__name__ for stop in tab_stops([page])]


def test_that_no_room_shows_more_than_twenty_controls_at_first(
    window: MainWindow, qtbot: QtBot
) -> None:
    page = window.pages["simulate"]
    window.go_to("simulate")
    counted: dict[str, list[str]] = {}
    for kind in ANSWER_KINDS:
        page.choose_kind(kind)
        for room in (PLAN, EXPLORE):
            page.show_room(room)
            qtbot.wait(20)
            counted[f"{kind} {room}"] = controls(page)
        for view in range(1, len(page.pane.tabs.views())):
            page.pane.tabs.tabs.setCurrentIndex(view)
            counted[f"{kind} view {view}"] = controls(page)
    window.go_to("collected")
    qtbot.wait(20)
    counted["collected"] = controls(window.pages["collected"])
    assert {room: names for room, names in counted.items() if len(names) > MOST} == {}
    assert all(len(names) > MOST / 2 for names in counted.values())


def test_that_the_respondents_of_start_arrive_in_simulate(
    window: MainWindow,
) -> None:
    start, page = window.pages["data"].start, window.pages["simulate"]
    page.show_room(PLAN)
    # A letter with Alt presses the button while the field still has the focus.
    start.respondents.setValue(300)
    start.respondents.lineEdit().setText("400")
    start.question_button.click()
    assert window.rail.current() == "simulate"
    assert page.scenario().respondents == 400
    assert page.room() == EXPLORE
    assert window.focusWidget() is page.header.question


def test_that_the_places_of_simulate_and_of_collected_answers_have_keys(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.activateWindow()
    for key, place in (("3", "simulate"), ("4", "collected"), ("5", "release")):
        action = next(a for a in window.rail.places() if a.shortcut().toString() == f"Ctrl+{key}")
        action.trigger()
        assert window.rail.current() == place


def test_that_every_room_is_reached_by_keys_alone(page: SimulatePage, qtbot: QtBot) -> None:
    rooms = page.header.rooms
    assert rooms in tab_stops([page])
    qtbot.keyClick(rooms, Qt.Key.Key_Right)
    assert page.room() == PLAN
    assert page.planning.isVisible()
    assert page.planning.figures.isVisible()
    assert not page.pane.card.isVisible()
    qtbot.keyClick(rooms, Qt.Key.Key_Left)
    assert page.room() == EXPLORE
    assert page.pane.figures.isVisible()


def test_that_the_sample_is_planned_for_what_is_supposed_in_explore(
    page: SimulatePage, hands: Hands
) -> None:
    page.show_room(PLAN)
    line = page.pane.plan.supposed
    assert "true share 10 %" in line.words.full_text()
    page.pane.change(prevalence=0.2)
    page.pane.flush()
    assert "true share 20 %" in line.words.full_text()
    hands.click(line.change)
    assert page.room() == EXPLORE
    assert page.pane.card.prevalence.value() == 0.2
    page.show_room(PLAN)
    page.choose_kind("several")
    assert page.planning.isVisible()
    assert "n = 3,000" in page.pane.plan.supposed.words.full_text()


def test_that_views_wait_while_the_sample_is_planned(page: SimulatePage) -> None:
    page.show_room(PLAN)
    before = page.pane.estimator.plot.view()
    page.pane.change(respondents=500)
    page.pane.flush()
    assert page.pane.estimator.plot.view() is before
    page.show_room(EXPLORE)
    assert page.pane.estimator.plot.view() is not before
    assert page.pane.card.respondents.value() == 500


def test_that_a_survey_stops_playing_when_its_room_is_left(page: SimulatePage) -> None:
    views = page.pane.tabs.views()
    page.pane.tabs.tabs.setCurrentIndex(views.index(page.pane.respondents))
    player = page.pane.respondents.player
    player.toggle()
    assert player.is_playing()
    page.show_room(PLAN)
    assert not player.is_playing()


def test_that_the_fold_opens_all_that_is_behind_it_and_remembers_it(
    page: SimulatePage, document: Document, hands: Hands
) -> None:
    card = page.pane.card
    hidden = (card.design.form, card.departures["deny"], card.solve, card.compare)
    assert not any(part.isVisible() for part in hidden)
    hands.click(card.more)
    assert all(part.isVisible() for part in hidden)
    page.pane.seed.fold.trigger()
    assert page.pane.seed.seed.isVisible()
    # The card of another kind of answer, and that of a new start.
    page.choose_kind("several")
    assert page.pane.card.answers.isVisible()
    again = SimulatePage(document)
    assert again.pane.card.more.isChecked()
    assert again.pane.seed.fold.isChecked()
    again.deleteLater()
    hands.click(page.pane.card.more)
    page.choose_kind(BINARY)
    assert not card.solve.isVisible()


def test_that_parameters_are_shown_where_no_epsilon_decides_them(page: SimulatePage) -> None:
    design = page.pane.card.design
    assert not design.form.isVisible()
    place = design.kinds.findData("mangat")
    design.kinds.setCurrentIndex(place)
    design.kinds.activated.emit(place)
    page.pane.flush()
    assert design.form.isVisible()
    assert not design.epsilon.isVisible()


def test_that_the_true_share_of_an_answer_makes_the_others_give_way(page: SimulatePage) -> None:
    page.choose_kind("several")
    page.pane.card.share.valueChanged.emit(0.52)
    page.pane.flush()
    assert page.scenario().survey.shares == pytest.approx((0.35, 0.09, 0.04, 0.52))
    assert page.pane.card.answers.shares[3].text() == "52 %"


def test_that_a_mean_that_no_numbers_can_have_is_refused_at_its_slider(page: SimulatePage) -> None:
    page.choose_kind("number")
    card = page.pane.card
    before = page.scenario()
    card.mean.field.setText("2500")
    card.mean.field.editingFinished.emit()
    page.pane.flush()
    assert page.scenario() == before
    assert card.mean.refusal.text()
    assert "2500" not in card.mean.refusal.text()
    card.mean.field.setText("500")
    card.mean.field.editingFinished.emit()
    page.pane.flush()
    assert page.scenario().survey.mean == 500


def test_that_a_row_of_figures_is_one_stop_that_arrows_go_through(qtbot: QtBot) -> None:
    row = FigureRow(4)
    qtbot.addWidget(row)
    for place, tile in enumerate(row.tiles):
        tile.set_figure(str(place), "caption", "" if place == 1 else "detail")
    row.show()
    first, mute, third, last = row.tiles
    assert tab_stops([row]) == [first]
    first.setFocus()
    for key, tile in (
        (Qt.Key.Key_Right, third),
        (Qt.Key.Key_Right, last),
        (Qt.Key.Key_Right, last),
        (Qt.Key.Key_Home, first),
        (Qt.Key.Key_End, last),
        (Qt.Key.Key_Left, third),
    ):
        qtbot.keyClick(row.focusWidget() or row, key)
        assert tab_stops([row]) == [tile]
    assert mute.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_that_nothing_is_scrolled_to_in_a_window_that_was_made_smaller(
    window: MainWindow, qtbot: QtBot
) -> None:
    page = window.pages["simulate"]
    window.resize(1360, 850)
    window.go_to("simulate")
    qtbot.wait(60)
    window.resize(1024, 700)
    for room in (EXPLORE, PLAN):
        page.show_room(room)
        views = page.pane.tabs.tabs.count() if room == EXPLORE else 1
        for view in range(views):
            page.pane.tabs.tabs.setCurrentIndex(view)
            qtbot.wait(60)
            shown = [area for area in page.findChildren(QScrollArea) if area.isVisible()]
            assert shown
            assert [area.verticalScrollBar().maximum() for area in shown] == [0] * len(shown)
    page.show_room(EXPLORE)
