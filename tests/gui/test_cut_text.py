"""Nothing is cut without a sign: all pages with long names in the smallest window."""

from __future__ import annotations

import csv
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QTabBar,
    QToolTip,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.pages.release.results_view import HeadlineActions
from dpdesk.gui.pages.risk.attack_view import Abreast
from dpdesk.gui.pages.simulate.seed_bar import SeedBar
from dpdesk.gui.pages.simulate.survey_pane import EXPLORE, PLAN
from dpdesk.gui.pages.simulate.survey_tabs import SurveyTabs
from dpdesk.gui.settings import Settings
from dpdesk.gui.widgets.commit_line import CommitLine, limit_length
from dpdesk.gui.widgets.figure_tile import FigureRow
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plain_text import ElidedLabel, elided_lines, whole_tooltip
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


def test_that_the_first_fact_gets_fewer_words_before_it_is_cut(qtbot: QtBot) -> None:
    label = ElidedLabel("", between=" · ")
    qtbot.addWidget(label)
    label.show()
    label.set_text("45,222 respondents · 10 attributes", "n = 45,222")
    wide = label.fontMetrics().horizontalAdvance
    label.resize(wide("45,222 respondents · 10 attr"), 20)
    assert label.text() == "45,222 respondents"
    label.resize(wide("45,222 respo"), 20)
    assert label.text() == "n = 45,222"


def test_that_buttons_lose_words_before_the_headline_of_results_is_cut(qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    headline = ElidedLabel("45,222 records released", "heading")
    buttons = [QPushButton(words, holder) for words in ("&Report", "Cop&y path", "&Open folder")]
    actions = HeadlineActions(headline, buttons, buttons[1:], parent=holder)
    holder.resize(900, 60)
    holder.show()
    actions.setGeometry(0, 0, 900, 40)
    assert [button.text() for button in buttons] == ["&Report", "Cop&y path", "&Open folder"]
    needed = actions.sizeHint().width()
    actions.setGeometry(0, 0, needed - 20, 40)
    assert [button.text() for button in buttons] == ["&Report", "", "&Open folder"]
    assert buttons[1].accessibleName() == buttons[1].toolTip() == "Copy path"
    qtbot.waitUntil(lambda: headline.text() == "45,222 records released")
    actions.setGeometry(0, 0, 900, 40)
    assert buttons[1].text() == "Cop&y path"


def test_that_the_whole_stands_once_in_a_tooltip_with_a_meaning() -> None:
    assert whole_tooltip("all words", "all words", "<qt>why</qt>") == "<qt>why</qt>"
    assert whole_tooltip("all words", "all…", "<qt>why</qt>") == "<qt>all words<br>why</qt>"
    assert whole_tooltip("all words", "all…", "<qt>all words: why</qt>").count("all words") == 1
    assert whole_tooltip("a <b>", "a …") == "<qt>a &lt;b&gt;</qt>"


def test_that_lines_are_elided_at_their_end_and_long_words_are_broken(qtbot: QtBot) -> None:
    label = ElidedLabel("", lines=2)
    qtbot.addWidget(label)
    label.resize(120, 60)
    label.show()
    label.set_text("word " * 40)
    assert label.text().endswith("…")
    assert "word word" in label.toolTip()
    label.set_text("x" * 400)
    assert label.text().count("\n") == 1
    metrics = label.fontMetrics()
    assert all(metrics.horizontalAdvance(line) <= 120 for line in label.text().split("\n"))
    label.set_text("two\nlines")
    assert label.text() == "two\nlines"
    assert label.toolTip() == ""
    assert elided_lines("", label.font(), 100, 2) == ""


def test_that_lines_that_were_cut_get_their_height_back_where_there_is_room(qtbot: QtBot) -> None:
    label = ElidedLabel("word " * 12, lines=3)
    qtbot.addWidget(label)
    one = label.fontMetrics().height()
    label.resize(60, one)
    wide = 2 * label.fontMetrics().horizontalAdvance("word " * 12)
    assert [label.heightForWidth(width) for width in (60, wide)] == [3 * one, one]


def test_that_a_tile_without_room_tells_value_and_caption_in_its_tooltip(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    row = FigureRow(2)
    QVBoxLayout(window).addWidget(row)
    row.tiles[0].set_figure("± 52 thousand euros a year", "words " * 30 + "25 %", "The detail.")
    row.tiles[1].set_figure("5 %", "short", "The detail.")
    window.resize(260, 200)
    window.show()
    value, caption = row.tiles[0].findChildren(ElidedLabel)
    # The unit goes as a whole: a part of it would be read as another one.
    assert value.text() == "± 52"
    assert caption.text().replace("\n", "").startswith("thousand euros a")
    assert caption.text().endswith("…")
    assert row.tiles[0].value() == "± 52 thousand euros a year"
    for part in ("52 thousand euros a year", "25 %", "The detail."):
        assert part in row.tiles[0].toolTip()
    assert row.tiles[1].toolTip() == "<qt>The detail.</qt>"
    assert cut_texts(window) == []


def test_that_a_short_word_of_a_legend_stays_whole_beside_long_ones(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    legend = LegendRow()
    QVBoxLayout(window).addWidget(legend)
    long = "“words that are far longer than there is room for”"
    legend.set_entries((LegendEntry(long, 0), LegendEntry(long, 1), LegendEntry("allowed", 2)))
    window.resize(380, 60)
    window.show()
    shown = [label.text() for label in legend.findChildren(ElidedLabel)]
    assert shown[2] == "allowed"
    assert all(text.endswith("…") and len(text) > 8 for text in shown[:2])


def test_that_a_legend_made_narrow_stands_together_at_the_right(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    legend = LegendRow()
    QVBoxLayout(window).addWidget(legend)
    legend.set_entries(
        (
            LegendEntry("true answer “very poor”", 0, "bars", "“very poor”"),
            LegendEntry("true answer “poor”", 1, "bars", "“poor”"),
        )
    )
    window.resize(600, 60)
    window.show()
    labels = legend.findChildren(ElidedLabel)
    qtbot.waitUntil(lambda: labels[0].text() == "true answer “very poor”")
    window.resize(280, 60)
    qtbot.waitUntil(lambda: labels[1].geometry().right() == legend.width() - 1)
    assert [label.text() for label in labels] == ["“very poor”", "“poor”"]
    assert [label.width() for label in labels] == [label.sizeHint().width() for label in labels]


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


def test_that_the_list_of_views_is_as_wide_as_its_words(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    tabs = SurveyTabs()
    QVBoxLayout(window).addWidget(tabs)
    for title in (
        "Estimator",
        "All answers",
        "Error by n and epsilon",
        "What answers disclose of all",
    ):
        tabs.add(title, _View())
    window.resize(1400, 300)
    window.show()
    qtbot.wait(20)
    window.resize(460, 300)
    qtbot.wait(20)
    assert tabs.titles.isVisible()
    tabs.tabs.setCurrentIndex(3)
    qtbot.wait(20)
    assert tabs.titles.width() >= tabs.titles.sizeHint().width()


class _View(QWidget):
    def show_scenario(self, scenario: object) -> None:
        """Shows nothing."""

    def show_table(self) -> None:
        """Shows nothing."""


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


def test_that_check_boxes_stand_below_each_other_where_two_would_be_cut(qtbot: QtBot) -> None:
    boxes = [QCheckBox(f"a variant of number {n}") for n in range(4)]
    abreast = Abreast(boxes)
    qtbot.addWidget(abreast)
    abreast.resize(3 * boxes[0].sizeHint().width(), 200)
    abreast.show()
    qtbot.waitUntil(lambda: boxes[1].y() == boxes[0].y())
    narrow = boxes[0].sizeHint().width() + 20
    abreast.resize(narrow, 200)
    qtbot.waitUntil(lambda: boxes[1].y() > boxes[0].y())
    assert all(box.width() >= box.sizeHint().width() for box in boxes)


def test_that_the_bar_of_the_seed_leaves_words_out_and_cuts_none(
    settings: Settings, qtbot: QtBot
) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    bar = SeedBar(settings, parent=holder)
    bar.fold.setChecked(True)
    bar.setGeometry(0, 0, 900, 40)
    holder.resize(900, 40)
    holder.show()
    assert bar.renew.text() == "Ne&w seed"
    parts = (bar.exact, bar.surveys, bar.renew)
    least = max(bar.seed.minimumWidth(), bar.seed.minimumSizeHint().width())
    needed = sum(part.minimumSizeHint().width() + 8 for part in parts) + least
    bar.setGeometry(0, 0, needed - 10, 40)
    assert bar.renew.text() == ""
    assert bar.renew.accessibleName() == "New seed"
    qtbot.waitUntil(lambda: bar.exact.width() >= bar.exact.minimumSizeHint().width())
    bar.setGeometry(0, 0, 900, 40)
    assert bar.renew.text() == "Ne&w seed"
