from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QStyle, QStyleOptionSlider
from pytestqt.qtbot import QtBot

from dpdesk.cost import parse_epsilon
from dpdesk.gui.widgets.epsilon_edit import (
    POSITIONS,
    RUNGS,
    EpsilonEdit,
    neighbour,
    position_of,
    rung_at,
)


@pytest.fixture
def edit(qtbot: QtBot) -> EpsilonEdit:
    made = EpsilonEdit()
    qtbot.addWidget(made)
    made.resize(500, 60)
    made.show()
    made.set_epsilon(Decimal("2"))
    return made


def type_into(qtbot: QtBot, edit: EpsilonEdit, text: str) -> None:
    edit.field.selectAll()
    qtbot.keyClicks(edit.field, text)
    qtbot.keyClick(edit.field, Qt.Key.Key_Return)


def test_that_the_rungs_rise_from_0_01_to_20_and_are_epsilons() -> None:
    assert (RUNGS[0], RUNGS[-1]) == (Decimal("0.01"), Decimal(20))
    assert list(RUNGS) == sorted(set(RUNGS))
    for rung in RUNGS:
        assert parse_epsilon(rung) == rung
        assert len(rung.normalize().as_tuple().digits) <= 3


def test_that_equal_distances_on_the_slider_are_equal_ratios() -> None:
    ratios = [rung_at(start + 100) / rung_at(start) for start in range(200, 900, 100)]
    assert max(ratios) / min(ratios) < Decimal("1.1")


@given(st.integers(0, POSITIONS))
def test_that_a_position_leads_back_to_itself_within_a_rung(position: int) -> None:
    rung = rung_at(position)
    near = {rung, neighbour(rung, 1), neighbour(rung, -1)}
    assert rung_at(position_of(rung)) in near


@given(st.decimals("0.0001", "40", places=4))
def test_that_a_neighbour_is_on_the_right_side(epsilon: Decimal) -> None:
    above, below = neighbour(epsilon, 1), neighbour(epsilon, -1)
    assert above > epsilon or above == RUNGS[-1]
    assert below < epsilon or below == RUNGS[0]


def test_that_setting_an_epsilon_tells_nothing(edit: EpsilonEdit, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(edit.epsilonChanged):
        edit.set_epsilon(Decimal("0.123456"))
    assert edit.epsilon() == Decimal("0.123456")
    assert edit.field.text() == "0.123456"


def test_that_a_typed_epsilon_is_taken_exactly(edit: EpsilonEdit, qtbot: QtBot) -> None:
    with qtbot.waitSignals([edit.epsilonChanged, edit.editingFinished]):
        type_into(qtbot, edit, "1.100000000001")
    assert edit.epsilon() == Decimal("1.100000000001")


@pytest.mark.parametrize("text", ["abc", "nan", "1e3", "0", "-1", "41", "1,5", "", "1_0", "١"])
def test_that_a_wrong_input_is_told_in_place_and_changes_nothing(
    edit: EpsilonEdit, qtbot: QtBot, text: str
) -> None:
    with qtbot.assertNotEmitted(edit.epsilonChanged):
        edit.field.lineEdit().setText(text)
        qtbot.keyClick(edit.field, Qt.Key.Key_Return)
    assert edit.epsilon() == Decimal(2)
    assert edit.field.text() == text
    assert edit.field.has_wrong_input()
    assert "0.0001 to 40" in edit.error_text()
    assert edit.field.accessibleDescription() == edit.error_text()


def test_that_esc_brings_the_old_value_back(edit: EpsilonEdit, qtbot: QtBot) -> None:
    type_into(qtbot, edit, "abc")
    qtbot.keyClick(edit.field, Qt.Key.Key_Escape)
    assert edit.field.text() == "2.00"
    assert not edit.field.has_wrong_input()
    assert edit.error_text() == ""


def test_that_typing_on_takes_the_reproach_away(edit: EpsilonEdit, qtbot: QtBot) -> None:
    type_into(qtbot, edit, "abc")
    edit.field.selectAll()
    qtbot.keyClicks(edit.field, "3")
    assert edit.error_text() == ""
    qtbot.keyClick(edit.field, Qt.Key.Key_Return)
    assert edit.epsilon() == Decimal(3)


def test_that_the_arrows_of_the_field_go_one_rung(edit: EpsilonEdit, qtbot: QtBot) -> None:
    qtbot.keyClick(edit.field, Qt.Key.Key_Up)
    assert edit.epsilon() == Decimal("2.05")
    qtbot.keyClick(edit.field, Qt.Key.Key_Down)
    qtbot.keyClick(edit.field, Qt.Key.Key_Down)
    assert edit.epsilon() == Decimal("1.95")


def test_that_the_field_steps_no_further_than_the_ladder(edit: EpsilonEdit) -> None:
    edit.set_epsilon(Decimal(40))
    up = QAbstractSpinBox.StepEnabledFlag.StepUpEnabled
    assert not edit.field.stepEnabled() & up
    edit.field.stepBy(-1)
    assert edit.epsilon() == Decimal(20)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (Qt.Key.Key_Right, "2.05"),
        (Qt.Key.Key_Left, "1.95"),
        (Qt.Key.Key_PageUp, "2.5"),
        (Qt.Key.Key_PageDown, "1.5"),
        (Qt.Key.Key_Home, "0.01"),
        (Qt.Key.Key_End, "20"),
    ],
)
def test_that_a_key_on_the_slider_is_one_finished_step(
    edit: EpsilonEdit, qtbot: QtBot, key: Qt.Key, expected: str
) -> None:
    with qtbot.waitSignals([edit.epsilonChanged, edit.editingFinished]):
        qtbot.keyClick(edit.slider, key)
    assert edit.epsilon() == Decimal(expected)
    assert edit.field.text() == f"{Decimal(expected):.2f}"


def test_that_a_key_that_moves_nothing_finishes_nothing(edit: EpsilonEdit, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(edit.editingFinished):
        qtbot.keyClick(edit.slider, Qt.Key.Key_Shift)


def test_that_a_drag_is_many_changes_and_one_end(edit: EpsilonEdit, qtbot: QtBot) -> None:
    changes: list[Decimal] = []
    ends: list[str] = []
    edit.epsilonChanged.connect(changes.append)
    edit.sliderReleased.connect(lambda: ends.append("released"))
    edit.editingFinished.connect(lambda: ends.append("finished"))
    slider = edit.slider
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    control, handle = QStyle.ComplexControl.CC_Slider, QStyle.SubControl.SC_SliderHandle
    start = slider.style().subControlRect(control, option, handle, slider).center()
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=start)
    assert edit.slider.isSliderDown()
    for step in range(1, 6):
        qtbot.mouseMove(slider, start + QPoint(10 * step, 0))
    assert not ends
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=start + QPoint(50, 0))
    assert len(changes) == 5
    assert changes == sorted(changes)
    assert all(change in RUNGS for change in changes)
    assert ends == ["released", "finished"]


def test_that_a_click_beside_the_handle_is_one_step(edit: EpsilonEdit, qtbot: QtBot) -> None:
    ends: list[str] = []
    edit.editingFinished.connect(lambda: ends.append("finished"))
    qtbot.mouseClick(edit.slider, Qt.MouseButton.LeftButton, pos=QPoint(4, 10))
    assert edit.epsilon() < Decimal(2)
    assert ends == ["finished"]
