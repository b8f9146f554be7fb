from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QGuiApplication,
    QKeyEvent,
    QPalette,
)
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.gui.rail import Rail
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.figure_tile import FigureRow
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.page_header import PageHeader
from dpdesk.gui.widgets.plain_text import (
    ElidedLabel,
    MarkupLabel,
    PlainLabel,
    plain_tooltip,
)
from dpdesk.gui.widgets.problem_list import ProblemLine, ProblemList
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.gui.widgets.steady import SteadyLines
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs

MARKUP = "<img src='x'> & <b>bold</b>"


def problem(
    severity: str = "error",
    path: str = "columns.age.domain",
    message: str = "age has no domain.",
    remedy: str = "Type its bounds.",
) -> SimpleNamespace:
    texts = {"message": message, "remedy": remedy}
    return SimpleNamespace(severity=severity, path=path, is_advised=True, **texts)


@pytest.fixture
def rail(qtbot: QtBot) -> Rail:
    made = Rail()
    qtbot.addWidget(made)
    for key in ("data", "plan", "release"):
        made.add_place(key, key.title(), "table")
    made.show()
    return made


def test_that_the_first_place_is_chosen_at_first(rail: Rail) -> None:
    assert rail.current() == "data"


def test_that_a_place_is_chosen_once_and_told_once(rail: Rail, qtbot: QtBot) -> None:
    with qtbot.waitSignal(rail.currentChanged) as told:
        rail.set_current("release")
    assert told.args == ["release"]
    assert rail.current() == "release"
    with qtbot.assertNotEmitted(rail.currentChanged):
        rail.set_current("release")


def test_that_the_arrows_move_along_the_rail_and_stop_at_its_ends(rail: Rail, qtbot: QtBot) -> None:
    for key, expected in (
        (Qt.Key.Key_Down, "plan"),
        (Qt.Key.Key_End, "release"),
        (Qt.Key.Key_Down, "release"),
        (Qt.Key.Key_Up, "plan"),
        (Qt.Key.Key_Home, "data"),
        (Qt.Key.Key_Up, "data"),
    ):
        qtbot.keyClick(rail, key)
        assert rail.current() == expected


def test_that_a_key_that_leads_nowhere_is_left_to_what_is_around(rail: Rail, qtbot: QtBot) -> None:
    empty = Rail()
    qtbot.addWidget(empty)
    for target, key in ((rail, Qt.Key.Key_A), (rail, Qt.Key.Key_Escape), (empty, Qt.Key.Key_Down)):
        event = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier)
        target.keyPressEvent(event)
        assert not event.isAccepted()
    assert (rail.current(), empty.current()) == ("data", "")


def test_that_places_have_numbered_shortcuts(rail: Rail) -> None:
    shortcuts = [action.shortcut().toString() for action in rail.places()]
    assert shortcuts == ["Ctrl+1", "Ctrl+2", "Ctrl+3"]


def test_that_an_unknown_place_is_refused(rail: Rail) -> None:
    with pytest.raises(KeyError):
        rail.set_current("learn")


def test_that_markup_is_shown_literally(qtbot: QtBot) -> None:
    label = PlainLabel(MARKUP)
    qtbot.addWidget(label)
    assert label.textFormat() == Qt.TextFormat.PlainText
    # A rendered image would have no width; the literal text needs as much as its letters.
    assert label.sizeHint().width() >= label.fontMetrics().horizontalAdvance(MARKUP)


def test_that_a_tooltip_shows_markup_literally() -> None:
    assert plain_tooltip(MARKUP) == (
        "<qt>&lt;img src=&#x27;x&#x27;&gt; &amp; &lt;b&gt;bold&lt;/b&gt;</qt>"
    )
    assert plain_tooltip("") == ""


def test_that_a_label_without_room_ends_in_dots_and_tells_the_rest(qtbot: QtBot) -> None:
    label = ElidedLabel("a very long name of a column that has no room")
    qtbot.addWidget(label)
    label.resize(80, 20)
    label.show()
    assert label.text().endswith("…")
    assert "a very long name" in label.toolTip()
    assert label.accessibleName() == label.full_text()
    label.resize(900, 20)
    assert label.text() == label.full_text()
    assert label.toolTip() == ""


def test_that_a_name_in_joined_letters_is_cut_without_an_escape(qtbot: QtBot) -> None:
    name = "هل سبق لك أن أخذت شيئا لا يخصك خلال السنوات الماضية"
    label = ElidedLabel(f"2 attributes: {name} (± 8.5 pp), region")
    qtbot.addWidget(label)
    label.show()
    widths = range(40, label.fontMetrics().horizontalAdvance(label.full_text()) + 20, 7)
    shown = set()
    for width in widths:
        label.resize(width, 20)
        shown.add(label.text())
    assert len(shown) > 10
    assert not [text for text in shown if "\\x" in text]


def test_that_an_elided_label_does_not_forget_the_room_it_wants(qtbot: QtBot) -> None:
    label = ElidedLabel("a very long name of a column that has no room")
    qtbot.addWidget(label)
    wanted = label.sizeHint().width()
    label.resize(40, 20)
    assert label.sizeHint().width() == wanted
    assert label.minimumWidth() < 40


def test_that_the_title_of_a_page_never_widens_the_window(qtbot: QtBot) -> None:
    header = PageHeader()
    header.set_title("x" * 400)
    header.set_subtitle("y" * 400)
    qtbot.addWidget(header)
    assert header.minimumSizeHint().width() < 200


def test_that_tiles_are_equally_high_and_show_every_line(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    layout = QHBoxLayout(window)
    row = FigureRow(3)
    layout.addWidget(row)
    for tile, caption in zip(row.tiles, ("short", "words " * 12, "short"), strict=True):
        tile.set_figure("± 1.4 pp", caption)
    window.resize(420, 400)
    window.show()
    assert len({tile.height() for tile in row.tiles}) == 1
    for tile in row.tiles:
        caption = tile._caption
        assert caption.height() >= caption.heightForWidth(caption.width())
        bottom = caption.mapTo(tile, caption.rect().bottomLeft()).y()
        assert 0 < tile._value.mapTo(tile, QPoint(0, 0)).y() < bottom < tile.height()


def test_that_a_figure_with_a_split_can_be_reached_by_tab(qtbot: QtBot) -> None:
    row = FigureRow(1)
    qtbot.addWidget(row)
    tile = row.tiles[0]
    tile.set_figure("± 1.4 pp", "95 % error", "noise ± 1.2, sampling ± 0.7")
    assert tile.focusPolicy() == Qt.FocusPolicy.StrongFocus
    assert tile.accessibleName() == "95 % error: ± 1.4 pp"
    assert tile.accessibleDescription() == "noise ± 1.2, sampling ± 0.7"
    tile.set_figure("78.7 %", "answers reported truthfully")
    assert tile.focusPolicy() == Qt.FocusPolicy.NoFocus
    assert (tile.value(), tile.caption()) == ("78.7 %", "answers reported truthfully")


def test_that_problems_are_listed_errors_first(qtbot: QtBot) -> None:
    listed = ProblemList()
    qtbot.addWidget(listed)
    listed.set_problems([problem("warning", "columns.a.role"), problem("error", "budget")])
    assert [line.path() for line in listed.lines()] == ["budget", "columns.a.role"]
    listed.set_problems([])
    assert listed.lines() == []


def test_that_problems_scroll_only_where_they_have_no_room(qtbot: QtBot) -> None:
    card = QWidget()
    qtbot.addWidget(card)
    listed = ProblemList()
    column = QVBoxLayout(card)
    column.addWidget(listed, 100)
    column.addStretch(1)
    long = "Of the answers of a column with quite a long name many had to be moved. " * 4
    listed.set_problems([problem("warning", f"columns.{n}.role", long) for n in "abc"])
    card.resize(360, 900)
    card.show()
    qtbot.waitUntil(lambda: listed.verticalScrollBar().maximum() == 0)
    last = listed.lines()[-1]
    assert last.visibleRegion().boundingRect().height() == last.height()
    # It takes no more than it needs: what is free stays below.
    assert listed.height() < 700
    # What is around a list of usual length scrolls; a longer one scrolls by itself.
    listed.set_problems([problem("warning", f"columns.{n}.role", long) for n in "abcdefgh"])
    qtbot.waitUntil(lambda: listed.verticalScrollBar().maximum() > 0)
    assert listed.height() < 500
    listed.set_problems([problem("warning", "columns.a.role", long)])
    qtbot.waitUntil(lambda: listed.verticalScrollBar().maximum() == 0)
    assert listed.height() < 200


def test_that_a_long_list_of_problems_counts_the_rest(qtbot: QtBot) -> None:
    listed = ProblemList()
    qtbot.addWidget(listed)
    listed.set_problems([problem(path=f"columns.c{i}.role") for i in range(1_250)])
    assert len(listed.lines()) == 100
    assert any("1,150 more" in label.text() for label in listed.findChildren(PlainLabel))


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_that_a_key_goes_to_the_cause_of_a_problem(qtbot: QtBot, key: Qt.Key) -> None:
    line = ProblemLine()
    qtbot.addWidget(line)
    line.set_problem(problem())
    with qtbot.waitSignal(line.activated) as told:
        qtbot.keyClick(line, key)
    assert told.args == ["columns.age.domain"]
    assert line.accessibleName() == "Error: age has no domain."


def test_that_a_click_goes_to_the_cause_of_a_problem(qtbot: QtBot) -> None:
    listed = ProblemList()
    qtbot.addWidget(listed)
    listed.set_problems([problem()])
    listed.show()
    with qtbot.waitSignal(listed.activated) as told:
        qtbot.mouseClick(listed.lines()[0], Qt.MouseButton.LeftButton)
    assert told.args == ["columns.age.domain"]


def test_that_a_problem_without_place_leads_nowhere(qtbot: QtBot) -> None:
    line = ProblemLine()
    qtbot.addWidget(line)
    line.set_problem(problem(path=""))
    assert line.focusPolicy() == Qt.FocusPolicy.NoFocus
    with qtbot.assertNotEmitted(line.activated):
        qtbot.mouseClick(line, Qt.MouseButton.LeftButton)


def test_that_severity_is_told_by_shape_and_word(qtbot: QtBot) -> None:
    mark = SeverityMark()
    qtbot.addWidget(mark)
    shapes = {}
    for severity in ("info", "success", "warning", "error"):
        mark.set_severity(severity)
        image = mark.pixmap().toImage()
        shape = tuple(
            image.pixelColor(x, y).alpha() > 128
            for x in range(image.width())
            for y in range(image.height())
        )
        shapes[severity] = (shape, mark.accessibleName())
    assert len({shape for shape, _ in shapes.values()}) == 4
    assert len({word for _, word in shapes.values()}) == 4


def test_that_a_notice_is_closed_by_its_button_and_by_esc(qtbot: QtBot) -> None:
    bar = NoticeBar()
    qtbot.addWidget(bar)
    assert not bar.isVisible()
    for _ in range(2):
        bar.show_notice("warning", MARKUP, "Undo")
        assert bar.message() == MARKUP
        assert bar.accessibleName() == f"Warning: {MARKUP}"
        assert bar.property("severity") == "warning"
        with qtbot.waitSignal(bar.closed):
            qtbot.keyClick(bar, Qt.Key.Key_Escape)
        assert not bar.isVisible()


def test_that_tabs_are_walked_by_the_arrows(qtbot: QtBot) -> None:
    tabs = UnderlineTabs(("Noise", "Accuracy", "Draws"))
    qtbot.addWidget(tabs)
    tabs.show()
    qtbot.keyClick(tabs, Qt.Key.Key_Right)
    assert tabs.currentIndex() == 1


def test_that_choosing_a_tab_moves_none_of_its_neighbours(qtbot: QtBot) -> None:
    tabs = UnderlineTabs(("Noise", "Accuracy", "Draws"))
    qtbot.addWidget(tabs)
    tabs.show()
    before = [tabs.tabRect(i) for i in range(3)]
    tabs.setCurrentIndex(2)
    assert [tabs.tabRect(i) for i in range(3)] == before


def test_that_a_card_holds_its_content_below_each_other(qtbot: QtBot) -> None:
    card = Card()
    qtbot.addWidget(card)
    card.body.addWidget(PlainLabel("first"))
    card.body.addWidget(PlainLabel("second"))
    assert [label.text() for label in card.findChildren(PlainLabel)] == ["first", "second"]


def test_that_only_another_number_of_lines_moves_what_is_around_a_label(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    lines = SteadyLines(PlainLabel("one", wrap=True), parent=window)
    below = QWidget(window)
    column = QVBoxLayout(window)
    column.addWidget(lines)
    column.addWidget(below, 1)
    window.resize(200, 300)
    window.show()
    QCoreApplication.processEvents()
    places = [below.y()]
    for text in ("two", "a sentence that is much too long for one line of so few pixels", "two"):
        lines.set_text(text)
        QCoreApplication.processEvents()
        places.append(below.y())
        assert lines.height() >= lines.heightForWidth(lines.width())
    assert places[0] == places[1] == places[3] < places[2]


def test_that_tabs_have_a_frame_when_reached_by_key_and_none_when_clicked(qtbot: QtBot) -> None:
    tabs = UnderlineTabs(("One", "Two"))
    qtbot.addWidget(tabs)
    tabs.show()

    def reach(reason: Qt.FocusReason) -> bool:
        QCoreApplication.sendEvent(tabs, QFocusEvent(QEvent.Type.FocusIn, reason))
        return bool(tabs.property("byKey"))

    assert not reach(Qt.FocusReason.MouseFocusReason)
    assert reach(Qt.FocusReason.TabFocusReason)
    assert not reach(Qt.FocusReason.MouseFocusReason)
    assert reach(Qt.FocusReason.BacktabFocusReason)
    assert not reach(Qt.FocusReason.MouseFocusReason)
    qtbot.keyClick(tabs, Qt.Key.Key_Right)
    assert tabs.property("byKey")


def test_that_a_label_with_markup_follows_its_text_its_width_and_its_font(qtbot: QtBot) -> None:
    first, second = MarkupLabel(), MarkupLabel()
    for label in (first, second):
        qtbot.addWidget(label)
    first.resize(300, 60)
    first.setText("At most <b>e<sup>ε</sup> = 2</b> times as likely")
    first.grab()
    larger = QFont(first.font())
    larger.setPointSizeF(1.5 * larger.pointSizeF())
    for change in (
        lambda label: label.setText("At most <b>e<sup>ε</sup> = 54.6</b> times as likely"),
        lambda label: label.resize(120, 60),
        lambda label: label.setFont(larger),
    ):
        before = first.grab().toImage()
        change(first)
        after = first.grab().toImage()
        second.resize(first.size())
        second.setFont(first.font())
        second.setText("")
        second.grab()
        second.setText(first.text())
        assert after != before
        assert after == second.grab().toImage()


def test_that_a_link_in_markup_takes_the_colour_of_another_theme(qtbot: QtBot) -> None:
    label = MarkupLabel()
    qtbot.addWidget(label)
    label.resize(300, 40)
    label.setText('See <a href="x">the report</a>')
    before, palette = label.grab().toImage(), QGuiApplication.palette()
    changed = QPalette(palette)
    changed.setColor(QPalette.ColorRole.Link, QColor("#ff00ff"))
    QGuiApplication.setPalette(changed)
    try:
        assert label.grab().toImage() != before
    finally:
        QGuiApplication.setPalette(palette)
