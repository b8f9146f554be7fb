"""Numbers with arrows: a page that scrolls below the mouse changes none of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.gui.pages.simulate.value_slider import _QuietSlider
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.epsilon_edit import EpsilonField
from dpdesk.gui.widgets.number_box import MARGIN, RealBox, WholeBox


def turn(box: QWidget) -> bool:
    """Turns the wheel by a notch above a box; returns whether the box took it."""
    event = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(0, 0),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(box, event)
    return event.isAccepted()


@pytest.mark.parametrize("kind", [WholeBox, RealBox])
def test_that_the_wheel_turns_only_where_the_focus_is(
    kind: type[WholeBox] | type[RealBox], qtbot: QtBot
) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    box, other = kind(page), kind(page)
    column = QVBoxLayout(page)
    column.addWidget(box)
    column.addWidget(other)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    box.setValue(5)
    other.setFocus()
    assert not turn(box)
    assert box.value() == 5
    assert not box.hasFocus()
    box.setFocus()
    turn(box)
    assert box.value() == 6
    assert box.lineEdit().textMargins().left() == MARGIN


def choices(page: QWidget) -> ChoiceBox:
    return ChoiceBox("choice", (("one", 1), ("two", 2), ("three", 3)), parent=page)


@pytest.mark.parametrize("make", [choices, lambda page: EpsilonField(parent=page), _QuietSlider])
def test_that_a_page_scrolls_over_every_other_field(
    make: Callable[[QWidget], QWidget], qtbot: QtBot
) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    field, other = make(page), WholeBox(page)
    column.addWidget(field)
    column.addWidget(other)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    other.setFocus()
    assert not turn(field)
    field.setFocus()
    assert turn(field)


@pytest.mark.parametrize(
    ("typed", "whole", "real"),
    [("5,5", 5, 5.5), ("0,25", 0, 0.25), ("1,000", 1000, 1000), ("12,345", 12345, 12345)],
)
def test_that_a_comma_is_left_out_between_thousands_alone(
    typed: str, whole: int, real: float, qtbot: QtBot
) -> None:
    for box, value in ((WholeBox(), whole), (RealBox(), real)):
        qtbot.addWidget(box)
        box.setRange(0, 100_000)
        box.setSuffix(" %")
        box.show()
        box.lineEdit().selectAll()
        qtbot.keyClicks(box.lineEdit(), typed)
        qtbot.keyClick(box.lineEdit(), Qt.Key.Key_Return)
        assert box.value() == value
