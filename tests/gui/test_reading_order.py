"""Tab goes through every page in the order in which it is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.data.sample import sample_path
from dpdesk.gui.document import Document
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.reading_order import in_reading_order
from dpdesk.gui.settings import Settings
from dpdesk.releases.kinds import KINDS


@pytest.fixture
def window(settings: Settings, qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """The whole window on the sample."""
    window = MainWindow(settings)
    qtbot.addWidget(window)
    document = Document(window)
    window.furnish(document)
    window.show()
    document.open_table(sample_path())
    qtbot.waitUntil(lambda: document.table is not None and not document.loading.is_running)
    qtbot.waitUntil(lambda: not document.answers.is_counting)
    return window


def place_of(stop: QWidget, window: QWidget) -> QRect:
    return QRect(stop.mapTo(window, QPoint(0, 0)), stop.size())


def misplaced(window: MainWindow) -> list[str]:
    """Pairs of stops of which the later one stands above the earlier, or left of it in a row."""
    stops = window.tab_stops()
    placed = [(stop, place_of(stop, window)) for stop in stops]
    found = []
    for number, (one, here) in enumerate(placed):
        for other, there in placed[number + 1 :]:
            if other.parentWidget() is one or one.isAncestorOf(other):
                continue
            in_column = here.left() < there.right() and there.left() < here.right()
            is_above = in_column and there.bottom() <= here.top()
            in_row = here.top() < there.bottom() and there.top() < here.bottom()
            is_left = in_row and there.right() <= here.left()
            if is_above or (is_left and one.parentWidget() is other.parentWidget()):
                found.append(f"{one.accessibleName()} before {other.accessibleName()}")
    return found


def test_that_tab_goes_through_every_page_in_reading_order(window: MainWindow) -> None:
    for key in window.pages:
        for kind in KINDS if key in {"plan", "release"} else KINDS[:1]:
            window._document.set_release_kind(kind)
            window.go_to(key)
            QApplication.processEvents()
            stops = window.tab_stops()
            assert misplaced(window) == [], (key, kind.name)
            rail = [stop for stop in stops if window.rail.isAncestorOf(stop)]
            page = [stop for stop in stops if window.pages[key].isAncestorOf(stop)]
            foot = [stop for stop in stops if window.status.isAncestorOf(stop)]
            assert [*rail, *page, *foot] == stops
            assert len(page) > 1
            # The keys follow it, back as well.
            stops[0].setFocus()
            for stop in stops[1:12]:
                QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
                assert window.focusWidget() is stop, (key, stop.accessibleName())
            QTest.keyClick(window.focusWidget(), Qt.Key.Key_Backtab)
            assert window.focusWidget() is stops[min(11, len(stops) - 1) - 1]


def test_that_columns_are_read_one_after_the_other_below_what_spans_them(qtbot: QtBot) -> None:
    parts = {name: QWidget() for name in ["head", "left", "low", "right", "foot"]}
    for part in parts.values():
        qtbot.addWidget(part)
    places = {
        "foot": QRect(0, 90, 100, 10),
        "right": QRect(52, 12, 48, 76),
        "low": QRect(0, 50, 50, 38),
        "left": QRect(0, 12, 50, 36),
        "head": QRect(0, 0, 100, 10),
    }
    ordered = in_reading_order([(place, [parts[name]]) for name, place in places.items()])
    assert ordered == list(parts.values())
