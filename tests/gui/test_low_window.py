"""In a window of 1024 x 700 every control is within reach, with large type as well."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QLineEdit,
    QScrollBar,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.pages.simulate.survey_tabs import AnswerKindTabs
from dpdesk.gui.release_kind_switch import ReleaseKindSwitch
from dpdesk.gui.settings import Settings
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.plan import Plan, confirm_domains, protect_unassigned
from dpdesk.queries.phrase import parse_query
from dpdesk.releases.statistics import STATISTICS
from tests.gui.cut_text import settle
from tests.gui.windows import document_of, open_window

SIZE = (1024, 700)
SWITCHES = (ReleaseKindSwitch, AnswerKindTabs)
PLACES_ONCE = ("simulate", "collected", "release", "risk", "learn")
NO_STATISTICS = Plan().statistics


@pytest.fixture
def window(settings: Settings, qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """A low window, with every column protected and a statistic of each form."""
    path = tmp_path / "survey.csv"
    rows = [f"{18 + i % 60},{('male', 'female')[i % 2]},{30 * i}" for i in range(300)]
    path.write_text("\n".join(["age,sex,income", *rows]), encoding="utf-8")
    shown = open_window(settings, qtbot, path, size=SIZE)
    document = document_of(shown)
    plan = protect_unassigned(confirm_domains(document.plan), Decimal(3))
    # A mean in groups has the most fields.
    query = parse_query("mean of age by sex", epsilon=Decimal("0.5"))
    document.edit("x", plan.with_fields(statistics=plan.statistics.with_queries([query])))
    settle(shown, qtbot)
    return shown


def tabs_of(page: QWidget) -> list[QTabBar]:
    """The tabs of views that a page shows now; not the switches between pages of one place."""
    bars = page.findChildren(QTabBar)
    return [bar for bar in bars if bar.isVisible() and not isinstance(bar, SWITCHES)]


def out_of_reach(page: QWidget) -> list[str]:
    """Buttons and fields of which a part is beyond an edge, where nothing scrolls to it."""
    kinds = (QAbstractButton, QLineEdit, QComboBox)
    shown = [each for each in page.findChildren(QWidget) if each.isVisible()]
    return [
        f"{type(each).__name__} {each.accessibleName() or each.property('text')}: {beyond} pixels"
        for each in shown
        if isinstance(each, kinds) and not each.objectName().startswith("qt_")
        if not isinstance(each.parentWidget(), (QTabBar, QComboBox, QScrollBar))
        if (beyond := _beyond(each)) > 2
    ]


def _beyond(widget: QWidget) -> int:
    """Pixels of a widget beyond an edge; of an area that scrolls so far, those of the area."""
    seen, room = QRect(widget.rect()), widget
    while not room.isWindow():
        seen, room = QRect(room.mapToParent(seen.topLeft()), seen.size()), room.parentWidget()
        sides = (-seen.left(), seen.right() - room.width())
        ends = (-seen.top(), seen.bottom() - room.height())
        area = room.parentWidget()
        if isinstance(area, QAbstractScrollArea) and room is area.viewport():
            policies = (area.horizontalScrollBarPolicy(), area.verticalScrollBarPolicy())
            for beyond, policy in zip((sides, ends), policies, strict=True):
                # Without a bar there is a range all the same, which nobody can scroll.
                if policy == Qt.ScrollBarPolicy.ScrollBarAlwaysOff and max(beyond) > 2:
                    return max(beyond)
            seen = QRect(room.rect())
        elif max(*sides, *ends) > 2:
            return max(*sides, *ends)
    return 0


@pytest.mark.parametrize("place", ["data", "plan", "statistics", *PLACES_ONCE])
def test_that_no_button_is_out_of_reach_at_large_type(
    window: MainWindow, qtbot: QtBot, place: str
) -> None:
    ThemeSwitch.instance().set_text_percent(150)
    try:
        document = document_of(window)
        if place == "statistics":
            document.set_release_kind(STATISTICS)
        page = window.pages["plan" if place == "statistics" else place]
        window.go_to(page.key)
        settle(window, qtbot)
        found = {"": out_of_reach(page)}
        for bar in reversed(tabs_of(page)):
            for number in range(bar.count()):
                bar.setCurrentIndex(number)
                settle(window, qtbot)
                found[bar.tabText(number)] = out_of_reach(page)
        if place == "statistics":
            document.edit("x", document.plan.with_fields(statistics=NO_STATISTICS))
            settle(window, qtbot)
            found["none"] = out_of_reach(page)
        assert {where: those for where, those in found.items() if those} == {}
    finally:
        ThemeSwitch.instance().set_text_percent(100)


@pytest.mark.parametrize("percent", [125, 150, 200])
def test_that_an_empty_window_bears_large_type(
    settings: Settings, qtbot: QtBot, percent: int
) -> None:
    made = open_window(settings, qtbot, size=SIZE)
    try:
        ThemeSwitch.instance().set_text_percent(percent)
        for name in ("simulate", *made.pages):
            made.go_to(name)
            settle(made, qtbot)
    finally:
        ThemeSwitch.instance().set_text_percent(100)
