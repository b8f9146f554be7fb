from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.demonstrations import Demonstration, Tallies, demonstration
from dpdesk.errors import InputError
from dpdesk.gui.stage.stage import Stage
from dpdesk.gui.stage.tallies_field import tallies_of
from dpdesk.gui.theme import TEXT_SIZES, ThemeSwitch

KEY = Qt.Key


@pytest.fixture(scope="module")
def coins() -> Demonstration:
    return demonstration("two-coins")


@pytest.fixture
def mouse() -> list[QPoint]:
    return [QPoint(5, 5)]


@pytest.fixture
def stage(coins: Demonstration, mouse: list[QPoint], qtbot: QtBot) -> Iterator[Stage]:
    made = Stage(coins, where=lambda: mouse[0])
    qtbot.addWidget(made)
    made.resize(1024, 700)
    made.show()
    qtbot.waitUntil(lambda: not made.watch.is_running)
    return made


def press(stage: Stage, qtbot: QtBot, *keys: Qt.Key) -> None:
    for key in keys:
        qtbot.keyClick(stage.focusWidget() or stage, key)


def shown(stage: Stage) -> str:
    return stage.view.texts().title


def test_that_a_narrow_stage_says_how_the_other_picture_is_seen(stage, qtbot) -> None:
    for width, told in ((1024, False), (800, True), (1024, False)):
        stage.resize(width, 700)
        qtbot.wait(10)
        assert ("Tab the other picture" in stage.view.texts().keys) == told
        assert stage.view.shows_all_pictures() != told
    stage.resize(800, 700)
    first = stage.view.step_layout().drawings[0].picture
    press(stage, qtbot, KEY.Key_Tab)
    assert stage.view.step_layout().drawings[0].picture != first


@pytest.mark.parametrize(
    ("forth", "back"),
    [
        (KEY.Key_Right, KEY.Key_Left),
        (KEY.Key_PageDown, KEY.Key_PageUp),
        (KEY.Key_Return, KEY.Key_Backspace),
    ],
)
def test_that_arrows_and_clickers_go_from_step_to_step(stage, qtbot, forth, back) -> None:
    titles = [step.title for step in stage.demonstration.steps]
    press(stage, qtbot, back)
    assert shown(stage) == titles[0]
    seen = []
    for _ in titles:
        seen.append(shown(stage))
        press(stage, qtbot, forth)
    assert seen == titles
    assert shown(stage) == titles[-1]
    press(stage, qtbot, back)
    assert shown(stage) == titles[-2]
    press(stage, qtbot, KEY.Key_Home)
    assert shown(stage) == titles[0]
    press(stage, qtbot, KEY.Key_End)
    assert shown(stage) == titles[-1]


def test_that_a_click_goes_on_and_one_with_the_other_button_back(stage, qtbot) -> None:
    qtbot.mouseClick(stage.view, Qt.MouseButton.LeftButton)
    assert stage.step() == 1
    qtbot.mouseClick(stage.view, Qt.MouseButton.RightButton)
    assert stage.step() == 0


def test_that_space_draws_again_where_the_step_draws(stage, qtbot) -> None:
    assert stage.demonstration.steps[0].draws_again
    before = stage.view.texts().pictures
    press(stage, qtbot, KEY.Key_Space)
    assert stage.view.texts().pictures != before
    assert stage.view.is_moving()
    stage.view.stand_still()
    assert not stage.view.is_moving()


def test_that_down_chooses_and_the_choice_before_stays_as_a_ghost(stage, qtbot) -> None:
    number = next(i for i, s in enumerate(stage.demonstration.steps) if s.choices)
    stage.show_step(number)
    press(stage, qtbot, KEY.Key_Up)
    assert stage.choice() == 0
    press(stage, qtbot, KEY.Key_Down)
    assert stage.choice() == stage.view.texts().choice == 1
    roles = [
        mark.role
        for picture in stage.view.texts().pictures
        for mark in (*getattr(picture, "curves", ()), *getattr(picture, "bars", ()))
    ]
    assert "before" in roles
    press(stage, qtbot, KEY.Key_Right, KEY.Key_Left)
    assert stage.choice() == 1


def test_that_space_plays_through_choices_and_stops_when_nobody_looks(stage, qtbot) -> None:
    steps = stage.demonstration.steps
    number = next(i for i, s in enumerate(steps) if s.choices and not s.draws_again)
    stage.show_step(number)
    press(stage, qtbot, KEY.Key_Space)
    assert stage.is_playing()
    assert stage.choice() == 1
    press(stage, qtbot, KEY.Key_Space)
    assert not stage.is_playing()
    press(stage, qtbot, KEY.Key_Space)
    stage.hide()
    assert not stage.is_playing()
    assert not stage.view.is_moving()
    assert not stage.pointer.follows()


@pytest.mark.parametrize("key", [KEY.Key_B, KEY.Key_Period])
def test_that_the_screen_goes_black_and_any_key_lights_it(stage, qtbot, key) -> None:
    press(stage, qtbot, KEY.Key_Space, key)
    image = stage.grab().toImage()
    assert {image.pixelColor(x, 300).name() for x in range(0, 1024, 31)} == {"#000000"}
    assert not stage.view.is_moving()
    assert not stage.pointer.follows()
    press(stage, qtbot, KEY.Key_Right)
    assert stage.black.isHidden()
    assert stage.step() == 0
    press(stage, qtbot, KEY.Key_Right)
    assert stage.step() == 1


def test_that_the_presenter_has_notes_that_the_room_has_not(stage, qtbot) -> None:
    steps = stage.demonstration.steps
    press(stage, qtbot, KEY.Key_N)
    notes = stage.notes
    assert notes.isWindow()
    assert notes.isVisible()
    assert notes.notes.text() == steps[0].notes
    assert steps[1].title in notes.following.text()
    assert steps[0].notes not in stage.view.accessibleDescription()
    # Keys that land here move the stage.
    qtbot.keyClick(notes, KEY.Key_PageDown)
    assert stage.step() == 1
    assert notes.notes.text() == steps[1].notes
    qtbot.keyClick(notes, KEY.Key_End)
    assert "last" in notes.following.text()
    qtbot.keyClick(notes, KEY.Key_N)
    assert notes.isHidden()


def test_that_letters_grow_and_shrink_and_the_size_is_told(stage, qtbot) -> None:
    told: list[int] = []
    stage.percentChanged.connect(told.append)
    press(stage, qtbot, KEY.Key_Plus, KEY.Key_Equal, KEY.Key_Minus)
    qtbot.keyClick(stage.view, KEY.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    at = TEXT_SIZES.index(100)
    assert told == [TEXT_SIZES[i] for i in (at + 1, at + 2, at + 1, at + 2)]
    press(stage, qtbot, KEY.Key_0)
    assert told[-1] == 100
    for _ in range(12):
        press(stage, qtbot, KEY.Key_Minus)
    assert told[-1] == TEXT_SIZES[0]


def test_that_esc_leaves_and_tells_where(coins, qtbot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    stage = Stage(coins, step=3, parent=parent)
    stage.show()
    qtbot.waitUntil(lambda: not stage.watch.is_running)
    assert stage.step() == 3
    # A clicker sends it at the begin.
    press(stage, qtbot, KEY.Key_F5)
    assert stage.isVisible()
    with qtbot.waitSignal(stage.left) as left:
        press(stage, qtbot, KEY.Key_Escape)
    assert left.args == [3]
    assert not stage.isVisible()


def test_that_the_spot_follows_the_mouse_and_hides_when_it_rests(stage, mouse, qtbot) -> None:
    spot = stage.pointer
    spot.look()
    assert spot.isHidden()
    mouse[0] = stage.mapToGlobal(QPoint(400, 300))
    spot.look()
    assert spot.isVisible()
    assert (spot.geometry().center() - QPoint(400, 300)).manhattanLength() <= 2
    for _ in range(200):
        spot.look()
    assert spot.isHidden()
    mouse[0] = stage.mapToGlobal(QPoint(-50, 300))
    spot.look()
    assert spot.isHidden()


def test_that_a_screen_reader_hears_title_sentence_captions_and_what_to_do(stage) -> None:
    texts = stage.view.texts()
    assert texts.title in stage.view.accessibleName()
    said = stage.view.accessibleDescription()
    for part in (texts.sentence, texts.todo, *(picture.caption for picture in texts.pictures)):
        assert part in said


def test_that_what_is_painted_at_rest_is_the_end_of_the_change(stage, qtbot) -> None:
    press(stage, qtbot, KEY.Key_Space)
    stage.view._change.stop()
    stage.view.set_progress(0.4)
    moving = stage.grab().toImage()
    stage.view.set_progress(1.0)
    assert stage.grab().toImage() != moving
    # What stands still is the same in both.
    head = stage.view.step_layout().texts[1].rect().toAlignedRect()
    still: QImage = stage.grab().toImage().copy(head)
    assert still == moving.copy(head)


@pytest.fixture(scope="module")
def room(qapp: QApplication) -> Iterator[Stage]:
    """The demonstration that takes the answers of the room."""
    ThemeSwitch(qapp, "light")
    made = Stage(demonstration("the-room-answers"), where=lambda: QPoint(-9, -9))
    made.resize(1360, 850)
    made.show()
    while made.watch.is_running:
        QTest.qWait(5)
    yield made
    made.close()


def asking(room: Stage) -> int:
    """Shows the first step that takes answers, as at the beginning."""
    number = next(i for i, s in enumerate(room.demonstration.steps) if s.takes_tallies)
    room.field.set_tallies(None)
    room.field.given.emit(None)
    room.show_step(number)
    return number


def test_that_answers_of_the_room_are_typed_or_pasted_and_estimated_at_once(room, qtbot) -> None:
    stage = room
    asking(stage)
    assert stage.field.isVisible()
    place = stage.view.step_layout().field.toAlignedRect()
    assert stage.field.geometry().topLeft() == place.topLeft()
    # What is wrong with the numbers has room as far as the margin.
    assert stage.field.geometry().contains(place)
    assert stage.field.geometry().right() == stage.width() - place.left()
    before = stage.view.texts()
    qtbot.keyClicks(stage.field.yes, "12")
    qtbot.keyClicks(stage.field.asked, "30")
    assert stage.field.tallies() == Tallies(12, 30)
    typed = stage.view.texts()
    assert typed.sentence != before.sentence
    for impossible, why in (("5", "More people said yes than answered"), ("1", "At least 2")):
        stage.field.asked.clear()
        qtbot.keyClicks(stage.field.asked, impossible)
        # The sentence is that of a step without numbers: nothing is computed from them.
        assert stage.field.tallies() is None
        assert why in stage.field.problem.text()
        assert stage.view.texts().sentence == before.sentence
        stage.field.yes.setText("1")
    for pasted, tallies in (("yes\nno\nno\nyes\nno", Tallies(2, 5)), ("31 of 30", None)):
        QGuiApplication.clipboard().setText(pasted)
        qtbot.keyClick(stage.field.yes, KEY.Key_V, Qt.KeyboardModifier.ControlModifier)
        assert tallies in (stage.field.tallies(), None)
    assert "More people said yes than answered" in stage.field.problem.text()
    qtbot.keyClick(stage.field.yes, KEY.Key_Escape)
    assert stage.view.hasFocus()
    assert stage.isVisible()


def test_that_a_clicker_goes_on_while_the_numbers_have_the_focus(room, qtbot) -> None:
    line = room.field.yes
    for key, by in (
        (KEY.Key_PageDown, 1),
        (KEY.Key_PageUp, -1),
        (KEY.Key_Right, 1),
        (KEY.Key_Left, -1),
    ):
        number = asking(room)
        qtbot.keyClick(room.view, "4")
        assert line.hasFocus()
        if key == KEY.Key_Left:
            # In the number it moves the cursor, before the number it goes back.
            qtbot.keyClick(line, key)
            assert room.step() == number
        qtbot.keyClick(line, key)
        assert room.step() == number + by
        assert room.view.hasFocus()
    for key in (KEY.Key_B, KEY.Key_Period):
        asking(room)
        qtbot.keyClick(room.view, "4")
        qtbot.keyClick(line, key)
        assert room.black.isVisible()
        qtbot.keyClick(room.black, key)
        assert line.hasFocus()
    qtbot.keyClicks(line, "yn x+e5,")
    assert line.text() == "45,"


@pytest.mark.parametrize(
    ("text", "tallies"),
    [
        ("12 30", Tallies(12, 30)),
        ("12 of 30", Tallies(12, 30)),
        ("1,204\t3,000".replace(",", ""), Tallies(1204, 3000)),
        ("yes, no; yes", Tallies(2, 3)),
        ("Y\nN\nn", Tallies(1, 3)),
        ("1 0 1 1", Tallies(3, 4)),
        ("1 0", Tallies(1, 2)),
        ("12 yes 18 no", Tallies(12, 30)),
        ("yes 12\nno 18", Tallies(12, 30)),
        ("No: 18, Yes: 12", Tallies(12, 30)),
        ("3 no and 5 yes", Tallies(5, 8)),
        ("1 of 30", Tallies(1, 30)),
        ("1 25", Tallies(1, 25)),
        ("0 of 30", Tallies(0, 30)),
        ("1,000 of 2,000", Tallies(1000, 2000)),
        ("12/30", Tallies(12, 30)),
        ("12 of 30 people.", Tallies(12, 30)),
        ("12 said yes, 18 said no", Tallies(12, 30)),
        ("answer,count\nyes,12\nno,18", Tallies(12, 30)),
        ("Yes\tNo\n12\t18", Tallies(12, 30)),
        ("Answer\nno\nyes\nyes", Tallies(2, 3)),
        ("Do you smoke?\n0\n1\n1", Tallies(2, 3)),
        ("yes yes no\nno yes no", Tallies(3, 6)),
        ("Yes\n12", None),
        ("maybe\nyes\nno", None),
        ("12 of 30 said no", None),
        ("12 answers, 30 people", None),
        ("1", None),
        ("-5 of 30", None),
        ("12 13 14", None),
        ("5 yes", None),
        ("maybe", None),
        ("", None),
    ],
)
def test_that_pasted_answers_are_counted(text: str, tallies: Tallies | None) -> None:
    assert tallies_of(text) == tallies


@pytest.mark.parametrize("text", ["100,200", "1 1", "0 1", "0\n1"])
def test_that_what_may_be_two_things_is_not_taken_for_one(text: str) -> None:
    with pytest.raises(InputError, match="may be") as refused:
        tallies_of(text)
    assert "of" in refused.value.remedy


@pytest.mark.parametrize("text", ["31 of 30", "0 of 0", "yes", "1 yes 0 no"])
def test_that_impossible_answers_are_refused_with_their_reason(text: str) -> None:
    with pytest.raises(InputError, match=r"than answered|must answer"):
        tallies_of(text)
