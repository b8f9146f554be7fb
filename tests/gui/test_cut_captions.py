"""No caption of the program is cut in the smallest window, with usual and with larger letters."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import pytest
from PySide6.QtWidgets import QTabBar
from pytestqt.qtbot import QtBot

from dpdesk.gui.document import Document
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.pages.simulate.survey_tabs import SurveyTabs
from dpdesk.gui.settings import Settings
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.plain_text import ElidedLabel
from dpdesk.queries.phrase import parse_query
from dpdesk.release.records import RECORDS
from dpdesk.release.statistics import STATISTICS
from tests.gui.cut_text import SMALLEST, cut_texts, settle

PERCENTS = pytest.mark.parametrize("percent", [100, 125])

TELL_THE_REST = (
    "PageHeader",
    "AttributePanel",
    "LegendRow",
    "StatusLine",
    "SteadyLines",
    "DestinationCard",
)
"""What shows names of the user or of the data, or sentences: the whole is in their tooltips."""


def elided_captions(window: MainWindow) -> list[str]:
    """Captions of the program that end in "…": each has fewer words that would fit."""
    return [
        f"{type(label.parentWidget()).__name__}: {label.text()}"
        for label in window.findChildren(ElidedLabel)
        if label.isVisible()
        and not label.visibleRegion().isEmpty()
        and label.text().endswith("…")
        and type(label.parentWidget()).__name__ not in TELL_THE_REST
    ]


@pytest.fixture
def sample(settings: Settings, qtbot: QtBot) -> Iterator[MainWindow]:
    """The smallest window on the sample, with two statistics."""
    window = MainWindow(settings)
    document = Document(window)
    qtbot.addWidget(window, before_close_func=lambda _: document.undo_stack.setClean())
    window.furnish(document)
    window.resize(*SMALLEST)
    window.show()
    with qtbot.waitSignal(document.loading.ended, timeout=60_000):
        window.files.open_sample()
    phrases = ("count by occupation", "mean of affairs")
    queries = [parse_query(phrase, epsilon=Decimal("0.5")) for phrase in phrases]
    asked = document.plan.statistics.with_queries(queries)
    document.edit("x", document.plan.with_fields(statistics=asked))
    yield window
    ThemeSwitch.instance().set_text_percent(100)


@PERCENTS
@pytest.mark.parametrize("place", ["data", "plan", "release", "risk"])
def test_that_no_caption_of_a_page_is_cut_in_a_small_window(
    sample: MainWindow, qtbot: QtBot, place: str, percent: int
) -> None:
    ThemeSwitch.instance().set_text_percent(percent)
    sample.go_to(place)
    for kind in (RECORDS, STATISTICS):
        sample._document.set_release_kind(kind)
        settle(sample, qtbot)
        bars = [bar for bar in sample.pages[place].findChildren(QTabBar) if bar.isVisible()]
        longest = max(bars, key=QTabBar.count, default=None)
        for number in range(longest.count() if place == "plan" and longest else 1):
            if longest is not None and place == "plan":
                longest.setCurrentIndex(number)
                settle(sample, qtbot)
            assert elided_captions(sample) + cut_texts(sample) == []


@PERCENTS
@pytest.mark.parametrize("kind", ["binary", "several", "number"])
def test_that_no_caption_of_a_survey_is_cut_in_a_small_window(
    sample: MainWindow, qtbot: QtBot, kind: str, percent: int
) -> None:
    ThemeSwitch.instance().set_text_percent(percent)
    sample.go_to("simulate")
    page = sample.pages["simulate"]
    page.choose_kind(kind)
    settle(sample, qtbot)
    tabs = next(t for t in page.findChildren(SurveyTabs) if t.isVisible())
    for number in range(len(tabs.views())):
        tabs.tabs.setCurrentIndex(number)
        settle(sample, qtbot)
        assert elided_captions(sample) + cut_texts(sample) == []


def test_that_fewer_words_stand_for_a_caption_before_it_is_cut(qtbot: QtBot) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.show()
    long, short = "Privacy budget per respondent", "Budget"
    label.set_text(long, short)
    metrics = label.fontMetrics()
    label.resize(metrics.horizontalAdvance(long) + 4, 20)
    assert label.text() == long
    label.resize(metrics.horizontalAdvance(short) + 4, 20)
    assert label.text() == short
    assert label.full_text() == label.accessibleName() == long
    assert long in label.toolTip()
    label.resize(metrics.horizontalAdvance(short) - 10, 20)
    assert label.text().endswith("…")
