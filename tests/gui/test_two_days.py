"""Days with several releases in the window: what was spent is said, a cap holds, files resemble."""

from __future__ import annotations

import csv
import datetime
import json
import re
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.cost import PrivacyCost
from dpdesk.data.sample import sample_path
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.pages.data.confirm_dialog import ConfirmDomains
from dpdesk.gui.pages.release.ledger_view import LedgerDialog
from dpdesk.gui.pages.release.statistics_pane import StatisticsPane
from dpdesk.gui.release_kind_switch import ReleaseKindSwitch
from dpdesk.gui.settings import Settings
from dpdesk.ledgers import Cap, Ledger, people
from dpdesk.ledgers import ledger as ledger_module
from dpdesk.ledgers.texts import T
from dpdesk.plan import errors_of
from dpdesk.plan.checks.texts import T as Checks
from dpdesk.releases.statistics import STATISTICS
from tests.gui import windows
from tests.gui.day_steps import (
    answer_box,
    choose_purpose,
    confirm_all,
    go_to_release,
    let_go,
    name_report,
    open_file,
    pane_shown,
)
from tests.gui.hands import Hands, first_cells, open_dialog
from tests.gui.sample_plans import unplan
from tests.gui.windows import document_of
from tests.survey_files import write_census

PEOPLE = "Redbook 1974"
PHRASES = (
    "count by religious",
    "count where age is at least 30",
    "share with affairs at least 1 by rate_marriage",
    "mean of age",
    "sum of children",
    "standard deviation of yrs_married",
    "median of age",
    "histogram of educ",
    "most frequent occupation",
    "mean of affairs by religious",
)
OpenWindow = Callable[[], MainWindow]


@pytest.fixture
def day(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets the clock of the ledger to a day of March 2031."""

    def set_day(number: int) -> None:
        time = datetime.datetime(2031, 3, number, 9, 30, tzinfo=datetime.UTC).isoformat()
        for module in (people, ledger_module):
            monkeypatch.setattr(module, "now", lambda: time)

    return set_day


@pytest.fixture
def open_window(settings: Settings, qtbot: QtBot) -> OpenWindow:
    """Opens another window on the bundled sample, as a new start of the program does."""

    def opened() -> MainWindow:
        window = windows.open_window(settings, qtbot, "sample")
        unplan(document_of(window))
        return window

    return opened


def close(window: MainWindow) -> None:
    document_of(window).undo_stack.setClean()
    assert window.close()


def confirm(window: MainWindow, qtbot: QtBot) -> None:
    page = window.pages["data"]
    window.go_to("data")
    page.confirm_all()
    (dialog,) = window.findChildren(ConfirmDomains)
    dialog.reading.setChecked(True)
    dialog.person.setText("A. Statistician")
    qtbot.mouseClick(dialog.confirm_button, Qt.MouseButton.LeftButton)


def ask(window: MainWindow, qtbot: QtBot) -> None:
    """Types ten phrases and one total epsilon."""
    window.go_to("plan")
    document_of(window).set_release_kind(STATISTICS)
    view = window.pages["plan"].statistics
    for phrase in PHRASES:
        view.ask.phrase.setText(phrase)
        qtbot.keyClick(view.ask.phrase, Qt.Key.Key_Return)
        assert view.ask.phrase.text() == "", phrase
    editor = view.header.editor
    view.header.edit_budget()
    editor.field.setText("2")
    qtbot.mouseClick(editor.split, Qt.MouseButton.LeftButton)
    statistics = document_of(window).plan.statistics
    assert (len(statistics.queries), statistics.epsilon, statistics.budget) == (10, 2, 2)
    window.go_to("release")
    name_report(window.pages["release"].statistics.before, Hands(qtbot))
    assert not document_of(window).problems


def pane_of(window: MainWindow, qtbot: QtBot, folder: Path) -> StatisticsPane:
    """The Release page, once the ledger was asked."""
    window.go_to("release")
    page = window.pages["release"]
    page.statistics.before.destination.set_parent_folder(folder)
    qtbot.waitUntil(lambda: page.account.account is not None)
    return page.statistics


def release(window: MainWindow, pane: StatisticsPane, qtbot: QtBot) -> None:
    account = window.pages["release"].account
    assert pane.start_button.isEnabled()
    qtbot.mouseClick(pane.start_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not pane.watch.is_running and not account.is_running)
    assert pane.view() is pane.results


def assert_each_is_read_with_its_interval(pane: StatisticsPane) -> None:
    queries, rows = pane.results.entries, pane.results.table.statistics
    assert queries.model().rowCount() == 10
    result = pane.results.result()
    assert result is not None
    for place, facts in enumerate(result.report.queries):
        queries.setCurrentIndex(queries.model().index(place, 0))
        assert len(rows.rows) == len(facts.results)
        for row in rows.rows:
            assert row.value
            assert bool(row.noise) == (facts.noise != "permute_and_flip")
            assert bool(row.total) == (facts.kind in {"share", "mean"})


def ledger_texts(window: MainWindow) -> tuple[str, str, int]:
    """What the ledger shows: spent, left, number of releases."""
    page = window.pages["release"]
    page.show_ledger()
    view = page._ledger_dialog.view
    assert view.population().name == PEOPLE
    tile = view.total
    texts = tile.spent.text(), tile.left.text(), len(view.model.rows)
    page._ledger_dialog.reject()
    return texts


def test_that_the_budget_is_smaller_on_the_next_day_and_blocks_on_the_third(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, day: Callable[[int], None]
) -> None:
    day(1)
    window = open_window()
    confirm(window, qtbot)
    ask(window, qtbot)
    pane = pane_of(window, qtbot, tmp_path)
    name = pane.before.promise.people.name
    name.setText(PEOPLE)
    qtbot.keyClick(name, Qt.Key.Key_Return)
    release(window, pane, qtbot)
    assert_each_is_read_with_its_interval(pane)
    first = pane.results.result().folder
    assert first is not None
    Ledger.open().set_cap(PEOPLE, Cap(Decimal(5)))
    spent, left, count = ledger_texts(window)
    assert (spent, count) == ("Protection: moderate. ε = 2", 1)
    assert left.startswith("ε = 3 of 5 is left: ")
    close(window)

    day(2)
    window = open_window()
    # The plan of the folder asks the same again.
    window.open(first / "plan.json")
    document = document_of(window)
    qtbot.waitUntil(lambda: not document.loading.is_running)
    assert len(document.plan.statistics.queries) == 10
    document.set_release_kind(STATISTICS)
    pane = pane_of(window, qtbot, tmp_path)
    people_row = pane.before.promise.people
    assert people_row.population() == PEOPLE
    qtbot.waitUntil(lambda: "Released once before" in people_row.budget.sentence())
    assert "with this one ε = 4. Then ε = 1 of 5 is left." in people_row.budget.sentence()
    release(window, pane, qtbot)
    assert_each_is_read_with_its_interval(pane)
    spent, left, count = ledger_texts(window)
    assert (spent, count) == ("Protection: weak. ε = 4", 2)
    assert left.startswith("ε = 1 of 5 is left: ")
    report = pane.results.result().report
    assert [str(one.date) for one in report.earlier_releases.releases] == ["2031-03-01"]
    assert report.earlier_releases.central == 4
    assert report.earlier_releases.left == 1
    (known,) = Ledger.open().book().populations()
    assert [f"{one.time:%Y-%m-%d}" for one in known.releases] == ["2031-03-01", "2031-03-02"]

    day(3)
    pane._show_before()
    qtbot.waitUntil(lambda: bool(errors_of(document.problems)))
    assert errors_of(document.problems)[0].message == T.OVER_CAP(
        name=PEOPLE, left="1", cap="5", needed="2"
    )
    assert not pane.start_button.isEnabled()
    assert pane.start_button.toolTip() == "Blocked by the ledger"
    pane.start()
    assert pane.view() is pane.before
    assert ledger_texts(window)[0] == "Protection: weak. ε = 4"
    close(window)


def test_that_a_file_that_lost_rows_is_pointed_out_and_can_be_said_to_be_the_same_people(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window()
    document = document_of(window)
    table = document.table
    assert table is not None
    ledger = Ledger.open()
    cost = PrivacyCost(Decimal(1), model="central")
    data = ledger.fingerprint(table)
    ledger.charge(data, (cost,), plan="{}", title="One", kind="statistics", population=PEOPLE)
    lines = sample_path().read_text(encoding="utf-8").splitlines(keepends=True)
    fewer = tmp_path / "fewer.csv"
    fewer.write_text("".join(lines[:1] + lines[200:]), encoding="utf-8")
    document.undo_stack.setClean()
    with qtbot.waitSignal(document.loading.ended):
        document.open_table(fewer)
    document.set_release_kind(STATISTICS)
    pane = pane_of(window, qtbot, tmp_path)
    row = pane.before.promise.people
    qtbot.waitUntil(lambda: bool(row.similar.sentence()))
    assert f"are in a file of “{PEOPLE}” (6,366 rows" in row.similar.sentence()
    qtbot.mouseClick(row.same, Qt.MouseButton.LeftButton)
    assert row.population() == PEOPLE
    assert row.similar.sentence() == ""
    close(window)


# Records for tables, and statistics, of the same people


ADULTS = "Adults 2031"


def test_a_day_with_two_releases_of_the_same_people(
    started: MainWindow, hands: Hands, qtbot: QtBot, tmp_path: Path
) -> None:
    window = started
    path = tmp_path / "adults.csv"
    rows = write_census(path, respondents=20_000, columns=11)
    open_file(window, qtbot, path)
    hands.press(window.pages["data"].variables, "Protect all unassigned")
    confirm_all(window, hands, "A. Statistician")
    keep_what_tables_need(window, hands, tmp_path)
    hands.type(pane_shown(window).before.promise.people.name, ADULTS)
    records = let_go(window, hands)
    assert json.loads((records / "plan.json").read_text("utf-8"))["purpose"] == "tables"

    ask_statistics(window, hands)
    go_to_release(window, hands, tmp_path)
    people = pane_shown(window).before.promise.people
    assert people.population() == ADULTS
    assert people.budget.sentence() == (
        f"Released once before, at ε = 4; with this one ε = 6.\n{T.DOUBLED()}"
    )
    statistics = let_go(window, hands)
    assert_statistics_are_near(statistics, rows)

    set_cap(window, hands, "7.5")
    press_again(window, hands)
    pane = pane_shown(window)
    qtbot.waitUntil(lambda: not pane.start_button.isEnabled())
    assert pane.before.checks.verdict.sentence() == "1 problem blocks the release"
    line, *_ = pane.before.checks.problems.lines()
    refused = T.OVER_CAP_DOUBLED(name=ADULTS, left="1.5", cap="7.5", needed="2")
    assert refused in line.accessibleName()

    release_nearly_the_same(window, hands, path)


def keep_what_tables_need(window: MainWindow, hands: Hands, folder: Path) -> None:
    """States the purpose, and follows the remedy until Release says that it will be useful."""
    window.go_to("plan")
    cards = choose_purpose(window, hands, "Tables and models across questions")
    assert "A cell of two questions:" in cards["spl"][2]
    assert cards["spl"][2].endswith("too noisy.")
    go_to_release(window, hands, folder)
    before = pane_shown(window).before
    assert (
        before.checks.verdict.sentence() == "Nothing blocks the release, but it would be too noisy"
    )
    said: list[str] = []
    answer_box("Change the plan", said)
    hands.click(pane_shown(window).start_button)
    assert Checks.TABLES_OF_TWO() in said[0]
    assert re.search(r"to make \d+ of \d+ estimates useful", said[0]), said
    window.go_to("plan")
    plan = window.pages["plan"].records
    kept = ("household_earnings", "household_sex")
    for index in list(first_cells(plan.table.model())):
        if index.data() not in kept and "Dropped" not in str(index.siblingAtColumn(2).data()):
            hands.click_at(plan.table, index)
            hands.pick(plan.panel.assignment, "Dropped")
    hands.click(plan.header.split)
    go_to_release(window, hands, folder)
    assert before.checks.verdict.sentence() == "Ready to release, with 1 thing to know"
    name_report(before, hands)
    assert before.checks.verdict.sentence() == "Ready to release, and useful"


def ask_statistics(window: MainWindow, hands: Hands) -> None:
    """Types what is to be counted, and one budget."""
    window.go_to("plan")
    (switch,) = (s for s in window.findChildren(ReleaseKindSwitch) if s.isVisible())
    hands.turn_to(switch, "Statistics")
    pane = window.pages["plan"].statistics
    for phrase in ("count by household_education and household_earnings", "average household_age"):
        hands.type(pane.ask.phrase, phrase)
        assert pane.ask.phrase.text() == "", phrase
    hands.click(pane.header.change_budget)
    hands.type(pane.header.editor.field, "1", enter=False)
    hands.click(pane.header.editor.split)
    # A cell of few people is coarse by the file.
    assert [problem.code for problem in document_of(window).problems] == ["coarse"]


def assert_statistics_are_near(folder: Path, rows: dict[str, list[str]]) -> None:
    """Every number of the folder against the file: the noise at epsilon 0.5 is a few rows."""
    with (folder / "statistics.csv").open(newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    pairs = Counter(zip(rows["household_education"], rows["household_earnings"], strict=True))
    counts = [line for line in lines if line["query"] == "1"]
    assert len(counts) == 32
    ages = [int(cell) for cell in rows["household_age"]]
    for line in counts:
        assert abs(float(line["value"]) - pairs[line["key_1"], line["key_2"]]) < 100
    (mean,) = (line for line in lines if line["query"] == "2")
    assert abs(float(mean["value"]) - sum(ages) / len(ages)) < 0.5


def set_cap(window: MainWindow, hands: Hands, cap: str) -> None:
    """Opens the ledger from the menu's key and types a cap."""
    page = window.pages["release"]
    press_again(window, hands)
    hands.click(pane_shown(window).before.promise.people.ledger)
    view = open_dialog(LedgerDialog).view
    assert view.total.spent.text() == "Protection: weak. ε = 6"
    assert "No cap is set" in view.total.left.text()
    hands.type(view.total.epsilon, cap)
    assert view.total.left.text().startswith("ε = 1.5 of 7.5 is left")
    open_dialog(LedgerDialog).reject()
    hands.qtbot.waitUntil(lambda: not page.account.is_running)


def press_again(window: MainWindow, hands: Hands) -> None:
    """From the results back to what would be released next."""
    pane = pane_shown(window)
    if pane.view() is pane.results:
        hands.press(pane.results, "Release again")


def release_nearly_the_same(window: MainWindow, hands: Hands, path: Path) -> None:
    """A file without a few of the respondents is asked about, and adds to what they lost."""
    lines = path.read_text("utf-8").splitlines(keepends=True)
    fewer = path.with_name("adults corrected.csv")
    fewer.write_text("".join(lines[:1] + lines[300:]), encoding="utf-8")
    document_of(window).undo_stack.setClean()
    open_file(window, hands.qtbot, fewer)
    window.go_to("release")
    (switch,) = (s for s in window.findChildren(ReleaseKindSwitch) if s.isVisible())
    hands.turn_to(switch, "Records")
    go_to_release(window, hands, path.parent)
    pane = pane_shown(window)
    people = pane.before.promise.people
    hands.qtbot.waitUntil(lambda: bool(people.similar.sentence()))
    assert f"are in a file of “{ADULTS}” (20,000 rows" in people.similar.sentence()
    assert people.similar.sentence().endswith("Are these the same people?")
    hands.click(people.same)
    assert people.population() == ADULTS
    # The one cap holds for records as for statistics.
    assert "is ε = 1.5 of 7.5. This release needs ε = 4:" in people.budget.sentence()
    Ledger.open().set_cap(ADULTS, None)
    window.pages["release"].account.ask_again()
    said = "Released 2 times before, at ε = 6 in all; with this one ε = 10."
    hands.qtbot.waitUntil(lambda: people.budget.sentence().startswith(said))
    folder = let_go(window, hands)
    html = (folder / "annex.html").read_text("utf-8")
    assert "ε = 8" in html
    report = json.loads((folder / "report.json").read_text("utf-8"))
    earlier = report["budget"]["earlier_releases"]
    assert [(one["model"], one["epsilon"]) for one in earlier["releases"]] == [
        ("local", "4"),
        ("central", "1"),
    ]
    assert (earlier["local"], earlier["central"], earlier["total"]) == ("8", "1", "10")
