"""Every page of the window with data: what is private is covered, opaque and out of reach."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, QSettings
from PySide6.QtGui import QHelpEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QWidget

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


def test_that_domains_read_off_the_data_are_private_until_they_are_confirmed(
    real: MainWindow,
) -> None:
    window = real
    document = window._document
    window.present()
    before = document.plan
    for key in ("plan", "release"):
        window.go_to(key)
        assert covered(window) == [window.pages[key]]
    columns = [column.model_copy(update={"confirmed": True}) for column in before.columns]
    document.edit("Confirm", before.with_fields(columns=tuple(columns)))
    for key in ("plan", "release"):
        window.go_to(key)
        assert window.pages[key] not in covered(window)
    # Tooltips of cells list answers; those of buttons say what they do.
    window.go_to("plan")
    table = next(view for view in window.findChildren(QAbstractItemView) if view.isVisible())
    place = QPoint(3, 3)
    tip = QHelpEvent(QEvent.Type.ToolTip, place, table.mapToGlobal(place))
    assert window.presented.eventFilter(table.viewport(), tip)
    assert not window.presented.eventFilter(window.presented.foot.lock, tip)
    window.presented.set_locked(False)
    assert not window.presented.eventFilter(table.viewport(), tip)
    window.presented.end()
    document.undo_stack.undo()


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
    # Neither does a tooltip tell of what lies below.
    assert cover.toolTip() != ""
    # What appears later lies below as well.
    late = QLabel("yes", page)
    late.show()
    assert page.grab().toImage() == alone
    late.deleteLater()
    window.presented.end()
