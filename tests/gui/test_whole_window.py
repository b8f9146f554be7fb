"""The window with its real pages on the bundled sample."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QLabel, QTabBar, QTableView, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.domains import Categorical, OptionSet
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.pages.data.variable_table import VariableView
from dpdesk.gui.rail import PLACES
from dpdesk.gui.self_test import run
from dpdesk.gui.settings import Settings
from dpdesk.plan import ColumnPlan, MissingPolicy, Plan, confirm_domains, protect_unassigned
from dpdesk.plan.filter_question import AskedIf, Condition
from dpdesk.releases.kinds import KINDS
from dpdesk.releases.statistics import STATISTICS
from dpdesk.resources import resource_root
from tests.gui.day_steps import open_file
from tests.gui.sample_plans import unplan
from tests.gui.test_accessibility import nameless, rich_labels
from tests.gui.test_window import menu_actions
from tests.gui.windows import document_of, open_window
from tests.survey_files import write_health


@pytest.fixture
def whole(settings: Settings, qtbot: QtBot) -> MainWindow:
    window = open_window(settings, qtbot, "sample")
    unplan(document_of(window))
    return window


def protect_all(window: MainWindow) -> None:
    """Fills the panels that say nothing of a column without role."""
    document = document_of(window)
    plan = protect_unassigned(confirm_domains(document.plan), Decimal(8))
    document.edit("Protect all", plan)


def test_that_a_place_and_its_page_agree(whole: MainWindow) -> None:
    for place in PLACES:
        page = whole.pages[place.key]
        assert (page.key, page.title, page.icon_name) == (place.key, place.title, place.icon_name)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.key)
def test_that_every_stop_of_a_page_has_a_name(whole: MainWindow, place) -> None:
    whole.go_to(place.key)
    assert nameless(whole.pages[place.key]) == []
    protect_all(whole)
    assert nameless(whole.pages[place.key]) == []


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.key)
def test_that_no_label_of_a_page_takes_text_for_markup_by_guess(whole: MainWindow, place) -> None:
    whole.go_to(place.key)
    # The one label with markup of its own: a number, no word of the user's.
    own = re.compile(r"Protection: [a-z ]+\. A report is at most <b>e<sup>ε</sup>")
    labels = rich_labels(whole.pages[place.key])
    assert [text for text in labels if not own.match(text)] == []


def test_that_every_action_has_words_and_keys_of_its_own_and_every_table_heads(
    whole: MainWindow,
) -> None:
    document = whole._document
    assert document is not None
    for place in PLACES:
        whole.go_to(place.key)
        keys = [key.toString() for action in menu_actions(whole) for key in action.shortcuts()]
        assert len(keys) == len(set(keys)), place.key
    protect_all(whole)
    actions, tables = set(), 0
    for place, kind in product(PLACES, KINDS):
        document.set_release_kind(kind)
        whole.go_to(place.key)
        page = whole.pages[place.key]
        for action in page.page_actions():
            words, keys = action.text(), action.shortcut()
            assert re.fullmatch(r"[\w&’', -]+\??…?", words), words
            assert words.count("&") <= 1
            assert keys.count(), words
            assert Qt.Key.Key_unknown not in [keys[i].key() for i in range(keys.count())], words
            assert keys == QKeySequence.fromString(keys.toString()), words
            actions.add(words)
        for table in page.findChildren(QTableView):
            model = table.model()
            if model is not None and not table.horizontalHeader().isHidden():
                columns = range(model.columnCount())
                heads = [model.headerData(c, Qt.Orientation.Horizontal) for c in columns]
                assert all(isinstance(head, str) and head.strip() for head in heads), heads
                tables += bool(heads)
    assert len(actions) > 50
    assert tables > 5


def test_that_every_key_of_the_help_is_the_shortcut_of_an_action(whole: MainWindow) -> None:
    text = (resource_root() / "docs" / "help.md").read_text(encoding="utf-8")
    keys, checked = re.compile(r"(?:Ctrl|Shift)(?:\+\w+)+|\bF\d\b"), set()
    plan = next(place for place in PLACES if place.key == "plan")
    for row in re.findall(r"^\| (.+?) \| (.+?) \|$", text, re.MULTILINE):
        place = next((p for p in PLACES if row[1].startswith(f"on {p.title}:")), plan)
        whole.go_to(place.key)
        actions = [*whole.findChildren(QAction), *whole.pages[place.key].page_actions()]
        offered = {key.toString() for action in actions for key in action.shortcuts()}
        shortcuts = {shortcut.key().toString() for shortcut in whole.findChildren(QShortcut)}
        for key in keys.findall(row[0]):
            assert key in offered | shortcuts, (key, row[1])
            checked.add(key)
    assert {"Ctrl+E", "Ctrl+B", "Ctrl+R", "F1"} <= checked


def test_that_every_page_leads_the_focus_to_each_of_its_panes(whole: MainWindow) -> None:
    from dpdesk.gui.main_window import first_stop

    for place in PLACES:
        whole.go_to(place.key)
        panes = whole.pages[place.key].panes()
        assert panes, place.key
        visible = [pane for pane in panes if pane.isVisible()]
        assert visible, place.key
        assert any(first_stop(pane) is not None for pane in visible), place.key


def test_that_an_installation_finds_itself_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0, capsys.readouterr().out
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "dpdesk works"
    assert all(line.startswith("ok ") for line in lines[:-1])


def mnemonics(window: MainWindow, page: QWidget) -> list[str]:
    """The letters that answer to Alt while a page is shown, with those of the bar of menus."""
    texts = [action.text() for action in window.menuBar().actions()]
    for widget in page.findChildren(QWidget):
        if widget.isVisibleTo(page) and isinstance(widget, (QLabel, QAbstractButton)):
            texts.append(widget.text())
        elif widget.isVisibleTo(page) and isinstance(widget, QTabBar):
            texts += [widget.tabText(index) for index in range(widget.count())]
    marked = (re.search(r"&([^&\s])", text.replace("&&", "")) for text in texts)
    return [mark.group(1).lower() for mark in marked if mark]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.key)
def test_that_no_letter_answers_twice_to_alt(whole: MainWindow, place) -> None:
    protect_all(whole)
    whole.go_to(place.key)
    page = whole.pages[place.key]
    for column in ("rate_marriage", "affairs"):
        if place.key != "release":
            page.show_path(f"columns.{column}.domain")
        letters = mnemonics(whole, page)
        assert sorted(set(letters)) == sorted(letters)


def tabs_of(page: QWidget, known: frozenset[QTabBar]) -> Iterator[tuple[str, ...]]:
    """Opens every tab that is shown, and those that show themselves then, and names where it is."""
    yield ()
    shown = [bar for bar in page.findChildren(QTabBar) if bar.isVisibleTo(page)]
    for bar in set(shown) - known:
        before = bar.currentIndex()
        for index in range(bar.count()):
            bar.setCurrentIndex(index)
            for rest in tabs_of(page, known.union(shown)):
                yield (bar.tabText(index), *rest)
        bar.setCurrentIndex(before)


def doubled(window: MainWindow, page: QWidget) -> dict[tuple[str, ...], set[str]]:
    """The letters that several things answer to, by the tabs that are open."""
    found = {where: mnemonics(window, page) for where in tabs_of(page, frozenset())}
    twice = {
        where: {one for one in letters if letters.count(one) > 1}
        for where, letters in found.items()
    }
    return {where: letters for where, letters in twice.items() if letters}


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.key)
def test_that_no_letter_answers_twice_in_any_tab(whole: MainWindow, place) -> None:
    whole.go_to(place.key)
    page = whole.pages[place.key]
    if place.key == "plan":
        protect_all(whole)
    seen = []
    for kind in KINDS if place.key in {"plan", "release"} else KINDS[:1]:
        document_of(whole).set_release_kind(kind)
        assert doubled(whole, page) == {}
        seen += list(tabs_of(page, frozenset()))
    assert (len(seen) > 1) == (place.key not in {"collected", "learn"}), "there are tabs"


def test_that_no_letter_answers_twice_for_columns_of_any_kind(whole: MainWindow) -> None:
    """On the page of the data: of one column, of many, and of a question without data."""
    whole.go_to("data")
    page, document = whole.pages["data"], document_of(whole)
    (view,) = page.findChildren(VariableView)
    for columns in (["affairs"], ["rate_marriage"], ["age", "educ"]):
        page.show_path(f"columns.{columns[0]}.domain")
        if len(columns) > 1:
            view.selectAll()
        for role in ("protect", "keep", "drop"):
            document.edit("Role", document.plan.with_column(columns[0], role=role))
            assert doubled(whole, page) == {}, (columns, role)


def test_that_no_letter_answers_twice_while_the_reading_is_to_be_confirmed(
    settings: Settings, qtbot: QtBot, tmp_path: Path
) -> None:
    whole = open_window(settings, qtbot)
    survey = write_health(tmp_path / "health.csv", 200)
    open_file(whole, qtbot, survey.path)
    page = whole.pages["data"]
    assert "&Reading options…" in [
        one.text() for one in page.findChildren(QAbstractButton) if one.isVisibleTo(page)
    ]
    assert doubled(whole, page) == {}


def test_that_no_letter_answers_twice_for_a_question_without_data(
    settings: Settings, qtbot: QtBot
) -> None:
    whole = open_window(settings, qtbot)
    whole.go_to("data")
    page, document = whole.pages["data"], document_of(whole)
    assert doubled(whole, page) == {}, "the start"
    yes_no = Categorical(values=("yes", "no"))
    smoker = AskedIf(any_of=(Condition(column="smoker", values=("yes",)),))
    options = OptionSet(values=("a", "b", "c"))
    for policy in ("protect", "category", "value"):
        value = {"protect": "", "category": "none", "value": "no"}[policy]
        asked = MissingPolicy(policy=policy, value=value, asked=smoker)
        columns = (
            ColumnPlan(name="smoker", kind="binary", domain=yes_no, confirmed=True),
            ColumnPlan(name="stopped", kind="nominal", domain=yes_no, missing=asked),
            ColumnPlan(name="which", kind="several", domain=options),
        )
        document.edit("Ask", Plan(columns=columns))
        for column in columns:
            page.show_path(f"columns.{column.name}.domain")
            assert doubled(whole, page) == {}, (policy, column.name)


@pytest.mark.parametrize("place", ["plan", "release"])
def test_that_the_pages_of_statistics_are_reached_by_keys_alone(whole: MainWindow, place) -> None:
    document = whole._document
    assert document is not None
    document.reset(confirm_domains(document.plan))
    document.set_release_kind(STATISTICS)
    page = whole.pages[place]
    for phrase in ("", "mean of affairs by occupation where age = 27"):
        whole.pages["plan"].statistics.edits.ask(phrase)
        whole.go_to(place)
        letters = mnemonics(whole, page)
        assert sorted(set(letters)) == sorted(letters)
        keys = [key.toString() for action in menu_actions(whole) for key in action.shortcuts()]
        assert len(keys) == len(set(keys))
        assert nameless(page) == []
        assert all(pane.isVisible() for pane in page.panes())


def test_that_an_error_in_a_slot_is_no_order(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[object] = []

    def show_title(self: MainWindow, *_: object) -> None:
        shown.append(self)
        if len(shown) > 1:  # the first time is no slot
            raise RuntimeError

    monkeypatch.setattr(MainWindow, "_show_title", show_title)
    assert run() == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith("FAIL  raised while")


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.key)
def test_that_tab_goes_from_the_rail_over_the_page_to_the_foot(
    whole: MainWindow, qtbot: QtBot, place
) -> None:
    whole.go_to(place.key)
    qtbot.wait(20)
    first = whole.tab_stops()[0]
    assert whole.rail.isAncestorOf(first)
    first.setFocus()
    parts = ["rail"]
    for _ in range(len(whole.tab_stops())):
        qtbot.keyClick(whole.focusWidget(), Qt.Key.Key_Tab)
        stop = whole.focusWidget()
        if stop is first:
            break
        owner = (
            "rail" if whole.rail.isAncestorOf(stop)
            else "foot" if whole.status.isAncestorOf(stop) else "page"
        )  # fmt: skip
        parts += [owner] * (parts[-1] != owner)
    # The ring is closed, and went through all of it.
    assert whole.focusWidget() is first
    # The foot links to what is wrong with the plan, where the plan is shown.
    shows_plan = whole.pages[place.key].shows_plan()
    assert shows_plan == (place.key in {"data", "plan", "release"})
    assert parts == ["rail", "page", *["foot"] * shows_plan]
