from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from pytestqt.qtbot import QtBot

from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.settings import Settings
from dpdesk.gui.tour import STOPS
from tests.gui.hands import Hands

KEY = Qt.Key


@pytest.fixture
def window(started: MainWindow) -> MainWindow:
    started.resize(1024, 700)
    return started


def test_that_the_tour_points_at_real_controls_and_is_short(
    window: MainWindow, qtbot: QtBot
) -> None:
    # A control that got another name would be left out without a word.
    assert [stop.target for stop in STOPS if window.tour._found(stop) is None] == []
    window.take_tour()
    tour = window.tour
    assert 5 <= len(tour.stops()) <= 7
    # Nothing is said of the errors of a plan that has no columns.
    assert "plan" not in [stop.place for stop in tour.stops()]
    seen = []
    for _ in tour.stops():
        target, bubble = tour.target(), tour.bubble.geometry()
        assert target is not None
        assert target.isVisible()
        seen.append(tour.bubble.title.text())
        # The bubble is whole, and neither empty nor over all of the control.
        assert QRect(0, 0, 1024, 700).contains(bubble)
        ring = tour._hole()
        assert not bubble.contains(ring)
        assert tour.bubble.text.text() in tour.accessibleDescription()
        qtbot.keyClick(tour, KEY.Key_Right)
    assert len(set(seen)) == len(seen)
    assert tour.isHidden()
    assert window.rail.current() == "data"


def test_that_it_is_offered_once_and_never_again_when_skipped(
    window: MainWindow, settings: Settings, hands: Hands
) -> None:
    window.offer_tour()
    assert window.tour.isVisible()
    hands.click(window.tour.bubble.skip)
    assert window.tour.isHidden()
    assert settings.was_toured()
    window.offer_tour()
    assert window.tour.isHidden()
    # From the menu it comes as often as it is asked for.
    window.take_tour()
    assert window.tour.isVisible()
    window.tour.end()
