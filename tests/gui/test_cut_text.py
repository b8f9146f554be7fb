"""Nothing is cut without a sign: all pages with long names in the smallest window."""

from __future__ import annotations

import csv
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QTabBar,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.pages.simulate.survey_pane import EXPLORE, PLAN
from dpdesk.gui.pages.simulate.survey_tabs import SurveyTabs
from dpdesk.gui.settings import Settings
from dpdesk.gui.widgets.commit_line import CommitLine, limit_length
from dpdesk.gui.widgets.plain_text import whole_tooltip
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.plan import confirm_domains, protect_unassigned
from dpdesk.queries.phrase import parse_query
from dpdesk.releases.statistics import STATISTICS
from dpdesk.releases.synthetic import SYNTHETIC
from tests.gui.cut_text import SMALLEST, cut_texts, settle
from tests.gui.windows import document_of, open_window

QUESTION = (
    "Have you ever, in the twelve months before today, taken something of value from the place at "
    "which you are employed?"
)
ANSWERS = (
    "Never, not even once, neither at home nor anywhere else that I can remember",
    "Once or twice, but under circumstances that would be hard to explain in one line",
    "Regularly: at least once in every month of the year under consideration",
    "I would rather not say, although I know that nobody can find out what I answer",
)


@pytest.fixture
def named(settings: Settings, qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """The smallest window, on data whose names and answers are long, all of them protected."""
    path = tmp_path / "a file whose name is far longer than there is room for in its title.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["age", "sex", "coin answer", QUESTION, "income"])
        for i in range(300):
            sex = ("male", "female")[i % 2]
            rows.writerow([18 + i % 60, sex, ("yes", "no")[i % 3 % 2], ANSWERS[i % 4], 30 * i])
    window = open_window(settings, qtbot, path, size=SMALLEST)
    document = document_of(window)
    plan = protect_unassigned(confirm_domains(document.plan), Decimal(6))
    phrases = ("count by sex", f'share with "{QUESTION}" = "{ANSWERS[3]}"', "median of income")
    queries = [parse_query(phrase, epsilon=Decimal("0.5")) for phrase in phrases]
    document.edit("x", plan.with_fields(statistics=plan.statistics.with_queries(queries)))
    settle(window, qtbot)
    return window


def through_tabs(window: MainWindow, page: QWidget, qtbot: QtBot) -> list[str]:
    """What is cut in any view of a page whose views are tabs."""
    found = cut_texts(window)
    for bar in page.findChildren(QTabBar):
        if bar.isVisible() and bar.objectName() == "underlineTabs" and bar.count() > 3:
            for number in range(bar.count()):
                bar.setCurrentIndex(number)
                settle(window, qtbot)
                found += cut_texts(window)
            bar.setCurrentIndex(0)
    return found


@pytest.mark.parametrize("place", ["data", "plan", "release", "risk"])
def test_that_no_page_cuts_text_without_a_sign(named: MainWindow, qtbot: QtBot, place: str) -> None:
    page, document = named.pages[place], named._document
    named.go_to(place)
    if place == "plan":
        page.select(QUESTION)
    settle(named, qtbot)
    assert through_tabs(named, page, qtbot) == []
    for kind in (STATISTICS, SYNTHETIC):
        document.set_release_kind(kind)
        settle(named, qtbot)
        assert through_tabs(named, page, qtbot) == []


@pytest.mark.parametrize("kind", ["binary", "several", "number"])
def test_that_no_view_of_a_survey_cuts_text_without_a_sign(
    named: MainWindow, qtbot: QtBot, kind: str
) -> None:
    named.go_to("simulate")
    page = named.pages["simulate"]
    page.choose_kind(kind)
    page.pane.card.more.setChecked(True)
    page.pane.seed.fold.setChecked(True)
    page.show_room(PLAN)
    settle(named, qtbot)
    found = cut_texts(named)
    page.show_room(EXPLORE)
    settle(named, qtbot)
    typed = dict(
        zip(("never", "once or twice", "monthly", "weekly or more often"), ANSWERS, strict=True)
    )
    typed["euros"] = "thousand euros a year after tax"
    for field in page.findChildren(CommitLine):
        if field.isVisible() and field.text() in typed:
            field.setText(typed[field.text()])
            field.commit()
    tabs = next(t for t in page.findChildren(SurveyTabs) if t.isVisible())
    for number in range(len(tabs.views())):
        tabs.tabs.setCurrentIndex(number)
        settle(named, qtbot)
        found += cut_texts(named)
    assert found == []


def test_that_the_search_finds_what_is_cut(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    label = QLabel("words that are far wider than their label", window)
    label.setGeometry(0, 0, 60, 20)
    high = QLabel("words that need more lines than their label is high", window)
    high.setWordWrap(True)
    high.setGeometry(0, 30, 90, 20)
    plot = PlotCanvas("plot", parent=window)
    plot.setGeometry(0, 60, 160, 120)
    window.resize(400, 300)
    window.show()
    plot.getPlotItem().getAxis("bottom").setLabel("a title that is far wider than the picture")
    qtbot.wait(30)
    assert [found.split(":")[0] for found in cut_texts(window)] == [
        "QLabel",
        "QLabel",
        "PlotCanvas",
    ]


def test_that_the_whole_stands_once_in_a_tooltip_with_a_meaning() -> None:
    assert whole_tooltip("all words", "all words", "<qt>why</qt>") == "<qt>why</qt>"
    assert whole_tooltip("all words", "all…", "<qt>why</qt>") == "<qt>all words<br>why</qt>"
    assert whole_tooltip("all words", "all…", "<qt>all words: why</qt>").count("all words") == 1
    assert whole_tooltip("a <b>", "a …") == "<qt>a &lt;b&gt;</qt>"


def test_that_the_title_of_an_axis_is_elided_and_stays_in_the_picture(qtbot: QtBot) -> None:
    plot = PlotCanvas("plot")
    qtbot.addWidget(plot)
    plot.resize(300, 200)
    plot.show()
    title = f"Estimated share of “{ANSWERS[3]}” (%)"
    plot.set_axis_titles(title, "y")
    qtbot.wait(20)
    assert plot.axis_title("bottom").endswith("…")
    assert ANSWERS[3][:20] in plot.toolTip()
    assert cut_texts(plot.window()) == [] == list(cut_texts(plot))
    plot.resize(2000, 200)
    assert plot.axis_title("bottom") == title
    assert plot.toolTip() == ""


def test_that_a_line_refuses_what_is_too_long_and_cuts_nothing(qtbot: QtBot) -> None:
    line = CommitLine("answer", longest=20)
    qtbot.addWidget(line)
    told, taken = [], []
    line.refused.connect(told.append)
    line.committed.connect(taken.append)
    line.setText("x" * 21)
    line.commit()
    assert taken == []
    assert "At most 20 characters fit here, not 21" in told[-1]
    assert line.text() == "x" * 21
    line.setText("x" * 20)
    line.commit()
    assert taken == ["x" * 20]


def test_that_a_field_says_when_it_left_out_what_was_pasted(qtbot: QtBot) -> None:
    field = QLineEdit()
    qtbot.addWidget(field)
    limit_length(field, 5)
    field.show()
    qtbot.keyClicks(field, "12345")
    assert QToolTip.text() == ""
    qtbot.keyClicks(field, "6")
    assert "At most 5 characters" in QToolTip.text()
    QToolTip.hideText()


@pytest.mark.parametrize("focused", [False, True])
def test_that_a_line_without_room_ends_in_dots_unless_one_types(
    qtbot: QtBot, focused: bool
) -> None:
    line = CommitLine("answer")
    qtbot.addWidget(line)
    line.resize(120, 26)
    line.show()
    line.set_value("a" * 10)
    short = line.grab().toImage()
    line.set_value("iiii " * 40)
    if focused:
        line.setFocus(Qt.FocusReason.OtherFocusReason)
    assert line.grab().toImage() != short


def test_that_a_cut_line_tells_the_whole_and_its_meaning(qtbot: QtBot) -> None:
    line = CommitLine("matrix")
    qtbot.addWidget(line)
    line.setToolTip("<qt>such as 3/4, 1/4</qt>")
    line.resize(90, 26)
    line.show()
    line.set_value("3/5, 2/15, 2/15, 2/15; 2/15, 3/5")
    line.event(QHelpEvent(QEvent.Type.ToolTip, QPoint(4, 4), line.mapToGlobal(QPoint(4, 4))))
    assert "2/15, 3/5" in QToolTip.text()
    assert "such as" in QToolTip.text()
    QToolTip.hideText()
