"""No caption of the program is cut in the smallest window, with usual and with larger letters."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtWidgets import QTabBar
from pytestqt.qtbot import QtBot

from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.pages.data.domain_section import BoundsEditor
from dpdesk.gui.pages.simulate.survey_pane import EXPLORE, PLAN
from dpdesk.gui.pages.simulate.survey_tabs import SurveyTabs
from dpdesk.gui.settings import Settings
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.plain_text import ElidedLabel
from dpdesk.queries.phrase import parse_query
from dpdesk.releases.records import RECORDS
from dpdesk.releases.statistics import STATISTICS
from dpdesk.releases.synthetic import SYNTHETIC
from tests.gui.cut_text import SMALLEST, cut_captions, cut_texts, settle
from tests.gui.windows import document_of, open_window

VIEWS = ("Views of the attribute", "Views of the statistic", "Parts of the risk")
"""The tabs of a page whose every view is looked at."""

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


def cut_in(window: MainWindow, percent: int) -> list[str]:
    """What is cut; with larger letters a caption of ours may end in "…" as well."""
    captions = cut_captions(window) if percent == 100 else []
    return elided_captions(window) + cut_texts(window) + captions


@pytest.fixture
def sample(settings: Settings, qtbot: QtBot) -> Iterator[MainWindow]:
    """The smallest window on the sample, with two statistics."""
    window = open_window(settings, qtbot, "sample", size=SMALLEST)
    document = document_of(window)
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
    kinds = (RECORDS, STATISTICS, SYNTHETIC) if percent == 100 else (RECORDS, STATISTICS)
    # Risk is of the file, whatever is released of it.
    for kind in kinds[:1] if place == "risk" else kinds:
        sample._document.set_release_kind(kind)
        settle(sample, qtbot)
        bars = sample.pages[place].findChildren(QTabBar)
        views = [bar for bar in bars if bar.isVisible() and bar.accessibleName() in VIEWS]
        assert len(views) == (place in ("plan", "risk") and kind is not SYNTHETIC)
        assert cut_in(sample, percent) == []
        for bar in views:
            for number in range(bar.count()):
                bar.setCurrentIndex(number)
                settle(sample, qtbot)
                assert cut_in(sample, percent) == []


def test_that_no_caption_is_cut_beside_dates_and_a_plan_of_other_columns(
    sample: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    document = sample._document
    path = tmp_path / "wave2.csv"
    days = (f"{2020 + n % 4}-{1 + n % 12:02}-{1 + n % 28:02}" for n in range(60))
    rows = (f"{day},{18 + n},{n % 5}" for n, day in enumerate(days))
    path.write_text("\n".join(("day,age,town", *rows)), encoding="utf-8")
    with qtbot.waitSignal(document.loading.ended):
        document.open_table(path, redraft=True)
    document.edit("x", document.plan.with_columns(document.plan.columns[:2]))
    sample.go_to("data")
    sample.pages["data"].show_path("columns.day.domain")
    settle(sample, qtbot)
    bounds = sample.pages["data"].editor.findChild(BoundsEditor)
    for line in bounds.fields.values():
        assert line.fontMetrics().horizontalAdvance(line.text()) < line.width() - 8
    assert cut_captions(sample) + cut_texts(sample) == []


def test_that_no_button_is_cut_where_there_are_no_data_to_release(
    settings: Settings, qtbot: QtBot
) -> None:
    window = open_window(settings, qtbot, size=SMALLEST)
    window.pages["data"].begin_questionnaire(45_000)
    window.go_to("release")
    settle(window, qtbot)
    assert cut_captions(window) == []


@PERCENTS
@pytest.mark.parametrize("kind", ["binary", "several", "number"])
def test_that_no_caption_of_a_survey_is_cut_in_a_small_window(
    sample: MainWindow, qtbot: QtBot, kind: str, percent: int
) -> None:
    ThemeSwitch.instance().set_text_percent(percent)
    sample.go_to("simulate")
    page = sample.pages["simulate"]
    page.choose_kind(kind)
    page.pane.card.more.setChecked(True)
    page.show_room(PLAN)
    settle(sample, qtbot)
    assert cut_in(sample, percent) == []
    page.show_room(EXPLORE)
    settle(sample, qtbot)
    tabs = next(t for t in page.findChildren(SurveyTabs) if t.isVisible())
    for number in range(len(tabs.views())):
        tabs.tabs.setCurrentIndex(number)
        settle(sample, qtbot)
        assert cut_in(sample, percent) == []


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
