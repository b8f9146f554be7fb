"""Statistics on the Release page: before, while and after they are released."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication
from pytestqt.qtbot import QtBot

from dpdesk.domains import Categorical
from dpdesk.errors import LedgerError
from dpdesk.estimation.released import QueryResult
from dpdesk.gui.document import Document
from dpdesk.gui.pages.release import ReleasePage, release_pane
from dpdesk.gui.pages.release.interval_table import PLOT, ROW_ROLE
from dpdesk.gui.pages.release.statistics_pane import (
    IN_RANGE,
    TOTAL,
    VALUE,
    StatisticsPane,
    StatisticsTable,
)
from dpdesk.gui.pages.release.statistics_rows import result_rows
from dpdesk.ledgers import Ledger
from dpdesk.plan import Plan
from dpdesk.queries import Count, MostCommon, PrivacyUnit, Query, Share
from dpdesk.queries.base import Statistic
from dpdesk.queries.phrase import parse_query
from dpdesk.releases.records import RECORDS
from dpdesk.releases.statistics import STATISTICS
from tests.engine.survey import survey, survey_plan
from tests.gui.release.conftest import HeldTask
from tests.gui.test_accessibility import nameless, rich_labels
from tests.patience import HANG

PHRASES = (
    "count by colour, fruit",
    "share with fruit = apple by colour",
    "mean of age",
    "median of age",
    "most frequent colour",
)

COLOURS = Categorical(values=("red", "blue"), labels={"red": "Rot", "blue": "Blau"})


def asking(*phrases: str, epsilon: str = "1") -> Plan:
    plan = survey_plan()
    queries = [parse_query(phrase, epsilon=Decimal(epsilon)) for phrase in phrases]
    return plan.with_fields(statistics=plan.statistics.with_queries(queries))


@pytest.fixture
def pane(page: ReleasePage, document: Document, tmp_path: Path) -> StatisticsPane:
    """The pane with a survey of which five statistics are asked."""
    document._set_table(survey(), None)
    document.reset(asking(*PHRASES))
    document.set_release_kind(STATISTICS)
    page.statistics.before.destination.set_parent_folder(tmp_path)
    return page.statistics


@pytest.fixture
def finish(qtbot: QtBot, page: ReleasePage, pane: StatisticsPane) -> Callable[[], None]:
    """Waits until nothing runs."""

    def until_idle() -> None:
        watches = (pane.watch, page.account)
        qtbot.waitUntil(lambda: not any(w.is_running for w in watches))

    return until_idle


def test_that_a_release_writes_a_folder_and_shows_every_result(
    pane: StatisticsPane, finish: Callable[[], None], document: Document, qtbot: QtBot
) -> None:
    finish()
    assert pane.view() is pane.before
    assert "149 times" in pane.before.promise.promise()
    qtbot.mouseClick(pane.start_button, Qt.MouseButton.LeftButton)
    finish()
    assert pane.view() is pane.results
    assert pane.results.headline() == "5 statistics released"
    result = pane.results.result()
    assert result is not None
    assert result.folder is not None
    assert document.last_release == result.folder
    with (result.folder / "statistics.csv").open(newline="", encoding="utf-8-sig") as file:
        written = list(csv.DictReader(file))
    shown = []
    for row in range(5):
        pane.results.entries.setCurrentIndex(pane.results.entries.model().index(row, 0))
        assert all(tile.value() for tile in pane.results.figures.tiles)
        shown += pane.results.table.statistics.rows
    assert len(shown) == len(written) == 6 + 3 + 1 + 1 + 1
    numbers = [float(line["value"]) for line in written if line["value"]]
    assert [row.estimate for row in shown if row.is_number] == pytest.approx(numbers)
    assert nameless(pane) == []
    assert rich_labels(pane) == []


def test_that_statistics_by_two_columns_are_a_table_with_the_same_numbers(
    pane: StatisticsPane, finish: Callable[[], None]
) -> None:
    finish()
    pane.start()
    finish()
    results = pane.results
    assert results.tabs.isVisible()
    assert results.cross.isVisible()
    model, listed = results.cross.cross, results.table.statistics
    assert model.heads[0].text == "colour \\ fruit"
    crossed = {
        f"{model.index(row, 0).data()} · {model.heads[column].text}": model.index(
            row, column
        ).data()
        for row in range(model.rowCount())
        for column in range(1, model.columnCount())
    }
    assert crossed == {row.cell: row.value for row in listed.rows}
    told = model.index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert told.startswith(f"{model.rows[0].name}, {model.heads[1].text}: ")
    assert "in the table: " in told
    results.tabs.setCurrentIndex(1)
    assert results.table.isVisible()
    results.entries.setCurrentIndex(results.entries.model().index(1, 0))
    # By one column there is only a list.
    assert not results.tabs.isVisible()
    assert results.table.isVisible()


def test_that_the_ledger_is_charged_what_was_asked(
    pane: StatisticsPane, finish: Callable[[], None]
) -> None:
    finish()
    pane.start()
    finish()
    (population,) = Ledger.open().book().populations()
    assert population.spent("central").epsilon == 5
    assert population.spent("local").epsilon == 0
    pane._show_before()
    pane.start()
    finish()
    (population,) = Ledger.open().book().populations()
    assert population.spent("central").epsilon == 10


def test_that_answers_that_could_not_be_kept_are_shown_and_said(
    pane: StatisticsPane, finish: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise LedgerError("The disk is full.")

    finish()
    monkeypatch.setattr(Ledger, "keep_answers", fails)
    pane.start()
    finish()
    assert pane.view() is pane.results
    assert "could not keep these answers" in pane.notice.message()


def test_that_a_problem_blocks_the_release_and_leads_to_its_query(
    pane: StatisticsPane, document: Document, qtbot: QtBot
) -> None:
    assert pane.start_button.isEnabled()
    document.edit("ask", asking("mean of colour"))
    assert not pane.start_button.isEnabled()
    pane.start()
    assert pane.view() is pane.before
    (line,) = pane.before.checks.problems.lines()
    with qtbot.waitSignal(pane.goTo) as there:
        line.activated.emit(line.path())
    assert there.args == ["plan", "statistics.queries.0"]


def test_that_problems_of_records_do_not_block_statistics(
    pane: StatisticsPane, page: ReleasePage, document: Document
) -> None:
    unassigned = document.plan.with_column("colour", role="unassigned")
    document.edit("unassign", unassigned)
    assert pane.start_button.isEnabled()
    document.set_release_kind(RECORDS)
    document.end_gesture()
    assert page.records.isVisible()
    assert not page.records.start_button.isEnabled()


def test_that_the_switch_is_one_on_all_pages(pane: StatisticsPane, page: ReleasePage) -> None:
    assert page.records.switch.currentIndex() == pane.switch.currentIndex() == 1
    assert page.page_actions() == pane.actions_listed()
    pane.switch.setCurrentIndex(0)
    assert page.records.switch.currentIndex() == 0
    assert page.records.isVisible()
    assert page.page_actions() != pane.actions_listed()


def test_that_a_cancel_before_the_draw_spends_nothing(
    pane: StatisticsPane,
    page: ReleasePage,
    finish: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    finish()
    task = HeldTask()
    monkeypatch.setattr(release_pane, "release_task", task)
    pane.start()
    assert task.reached.wait(HANG)
    assert pane.view() is pane.running
    assert page.cancel()
    finish()
    assert pane.view() is pane.before
    assert "nothing was spent" in pane.notice.message()


def test_that_folder_report_and_path_can_be_had(
    pane: StatisticsPane, finish: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    finish()
    pane.start()
    finish()
    opened: list[str] = []
    monkeypatch.setattr(
        QDesktopServices, "openUrl", lambda url: bool(opened.append(url.toLocalFile())) or True
    )
    pane.results.open_report.click()
    pane.results.open_folder.click()
    pane.results.copy_path.click()
    folder = QGuiApplication.clipboard().text()
    assert opened == [f"{folder}/report.html", folder]
    assert json.loads(Path(folder, "report.json").read_text(encoding="utf-8"))["queries"]


def result_of(query: Query, *statistics: Statistic) -> QueryResult:
    return QueryResult(query.bind({"colour": COLOURS}, PrivacyUnit()), statistics)


def test_that_a_negative_count_is_shown_as_it_is_and_marked(qtbot: QtBot) -> None:
    negative = Statistic(("red",), -4.0, -7.0, -1.0, possible=(0, float("inf")))
    usual = Statistic(("blue",), 1200.0, 1197.0, 1203.0, possible=(0, float("inf")))
    table = StatisticsTable()
    qtbot.addWidget(table)
    table.resize(900, 300)
    table.statistics.show_result(result_of(Count(by=("colour",)), negative, usual))
    model = table.statistics
    texts = [[str(model.index(row, column).data()) for column in range(6)] for row in range(2)]
    assert texts[0] == ["Rot", "", "−4", "0", "−7 to −1", ""]
    assert texts[1] == ["Blau", "", "1,200", "", "1,197 to 1,203", ""]
    assert model.outside == 1
    assert not table.isColumnHidden(IN_RANGE)
    assert table.isColumnHidden(TOTAL)
    assert model.index(0, PLOT).data(ROW_ROLE).truncated == 0
    assert model.scale.lower <= -7
    assert model.scale.upper >= 1203


def test_that_a_number_outside_its_interval_lies_on_the_axis(qtbot: QtBot) -> None:
    # The interval is kept to what is possible, the number is not.
    outside = Statistic(("red",), -57.0, 0.0, 12.0, possible=(0.0, 60.0))
    table = StatisticsTable()
    qtbot.addWidget(table)
    table.resize(560, 200)
    table.show()
    table.statistics.show_result(result_of(Count(by=("colour",)), outside))
    assert table.statistics.scale.at(-57.0) >= 0


def test_that_shares_have_the_digits_of_the_widest_interval() -> None:
    met = parse_query("share with colour = red by colour")
    assert isinstance(met, Share)
    rows = result_rows(
        result_of(
            met,
            Statistic(("red",), 41.2345, 41.03, 41.44, 38.2, 44.3, (0.0, 100.0)),
            Statistic(("blue",), 37.4779, 37.384, 37.572, 35.5, 39.5, (0.0, 100.0)),
        )
    )
    assert [row.value for row in rows] == ["41.23\u00a0%", "37.48\u00a0%"]
    assert rows[0].outer == (38.2, 44.3)
    assert rows[1].total == "35.5 to 39.5\u00a0%"


def test_that_a_chosen_category_has_its_label_and_no_picture(qtbot: QtBot) -> None:
    table = StatisticsTable()
    qtbot.addWidget(table)
    chosen = result_of(MostCommon(column="colour"), Statistic((), None, chosen="red"))
    table.statistics.show_result(chosen)
    assert table.statistics.index(0, VALUE).data() == "Rot (red)"
    assert table.isColumnHidden(PLOT)
