"""Every page of the window with data: what is private is covered, opaque and out of reach."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QSettings
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.rail import PLACES
from dpdesk.gui.settings import Settings
from dpdesk.gui.theme import ThemeSwitch


@pytest.fixture(scope="module")
def real(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """The window with its own pages and data."""
    ThemeSwitch(qapp, "light")
    folder = tmp_path_factory.mktemp("presented")
    settings = Settings(QSettings(str(folder / "s.ini"), QSettings.Format.IniFormat))
    # All pages laid out at another size of text would take seconds.
    settings.set_presented_percent(100)
    made = MainWindow(settings)
    document = Document(made)
    made.furnish(document)
    made.show()
    path = folder / "answers.csv"
    path.write_text("sex,smokes\n" + "f,yes\nm,no\nf,no\n" * 20, encoding="utf-8")
    made.open(path)
    while document.loading.is_running:
        QTest.qWait(20)
    yield made
    document.undo_stack.setClean()
    assert made.close()


def covered(window: MainWindow) -> list[QWidget]:
    return [cover.covered for cover in window.presented.covers()]


def test_that_private_parts_are_covered_on_every_page(real: MainWindow) -> None:
    window = real
    window.present()
    assert window.isFullScreen()
    for part in (window.rail, window.status, window.menuBar()):
        assert part.isHidden()
    for place in PLACES:
        window.go_to(place.key)
        page = window.pages[place.key]
        assert covered(window) == page.private_parts(), place.key
    for key in ("data", "risk"):
        window.go_to(key)
        assert covered(window) == [window.pages[key]]
    window.presented.end()


def test_that_nothing_of_the_data_can_be_seen_or_reached_below_a_cover(real: MainWindow) -> None:
    window = real
    window.go_to("data")
    window.present()
    page = window.pages["data"]
    cover = window.presented.covers()[0]
    seen = page.grab().toImage()
    alone: QImage = cover.grab().toImage()
    assert seen == alone
    assert not any(window.presented.hides(stop) for stop in window.tab_stops())
    assert page.childAt(QPoint(40, 40)) is cover
    # What appears later lies below as well.
    late = QLabel("yes", page)
    late.show()
    assert page.grab().toImage() == alone
    late.deleteLater()
    window.presented.end()
