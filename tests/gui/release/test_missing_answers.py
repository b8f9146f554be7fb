"""Results in the window where answers are missing: protected with the number, or left blank."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.data.table import table_from_texts
from dpdesk.domains import Categorical, Integer
from dpdesk.gui.document import Document
from dpdesk.gui.pages.release import ReleasePage
from dpdesk.plan import MissingPolicy
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.filter_question import AskedIf
from dpdesk.plan.persons import set_unit
from dpdesk.queries import PrivacyUnit
from dpdesk.queries.condition import Condition
from tests.reports.cases import plan_of, protected

ROWS, ANSWERED = 2_000, 1_500
AGES = Integer(lower=18, upper=90, unit="years")


def _released(
    page: ReleasePage, document: Document, qtbot: QtBot, wait: Callable[[], None], policy: str
) -> tuple[str, str]:
    """Releases ages of which a quarter is missing; returns the number of reports, and of whom."""
    ages = ["" if row % 4 == 0 else str(18 + row % 73) for row in range(ROWS)]
    document._set_table(table_from_texts({"age": ages}, name="ages.csv"), None)
    missing = MissingPolicy(policy=policy)  # type: ignore[arg-type]
    document.reset(plan_of(protected("age", "integer", AGES, "duchi", "2", missing=missing)))
    qtbot.mouseClick(page.records.start_button, Qt.MouseButton.LeftButton)
    wait()
    assert page.view() is page.records.results
    tile = page.records.results.figures.tiles[-1]
    return tile.value(), tile.caption()


def test_that_blanks_are_told_with_the_number_of_who_answered(
    page: ReleasePage, document: Document, qtbot: QtBot, wait: Callable[[], None]
) -> None:
    reports = _released(page, document, qtbot, wait, "blank")
    assert page.records.before.promise.passed.sentence() == (
        "Who answered is released unprotected: “age”."
    )
    assert reports == (f"{ANSWERED:,}", "reports of those who answered")
    results = page.records.results
    assert [row.quantity for row in results.estimates.estimates.rows] == ["mean"]
    assert results.estimates.estimates.rows[0].reports == ANSWERED
    results.tabs.setCurrentIndex(1)
    wait()
    assert results.private.table.model().rowCount() == 1


def test_that_what_is_protected_has_a_mean_of_who_answered_and_their_share(
    page: ReleasePage, document: Document, qtbot: QtBot, wait: Callable[[], None]
) -> None:
    reports = _released(page, document, qtbot, wait, "protect")
    assert page.records.before.promise.passed.sentence() == ""
    assert reports == (f"{ROWS:,}", "reports of equal weight")
    quantity = page.records.results.quantity
    titles = [quantity.itemText(place) for place in range(quantity.count())]
    assert titles == ["Mean of those who answered", "Share answered"]
    quantity.setCurrentIndex(1)
    quantity.activated.emit(1)
    (row,) = page.records.results.estimates.estimates.rows
    assert row.estimate == pytest.approx(ANSWERED / ROWS, abs=6 * row.noise_standard_error)


def test_that_shares_are_of_all_or_among_those_who_answered(
    page: ReleasePage, document: Document, qtbot: QtBot, wait: Callable[[], None]
) -> None:
    towns = ["" if row % 4 == 0 else ("Bergen" if row % 4 == 1 else "Oslo") for row in range(ROWS)]
    document._set_table(table_from_texts({"town": towns}, name="towns.csv"), None)
    missing = MissingPolicy(policy="category", value="(no answer)")
    domain = Categorical(values=("Bergen", "Oslo"))
    document.reset(plan_of(protected("town", "nominal", domain, "grr", "4", missing=missing)))
    qtbot.mouseClick(page.records.start_button, Qt.MouseButton.LeftButton)
    wait()
    results = page.records.results
    titles = [results.quantity.itemText(place) for place in range(results.quantity.count())]
    assert titles == ["Shares of all respondents", "Shares among those who answered"]
    assert [row.label for row in results.estimates.estimates.rows] == [
        "Bergen",
        "Oslo",
        "(no answer)",
    ]
    results.quantity.setCurrentIndex(1)
    results.quantity.activated.emit(1)
    bergen, oslo = results.estimates.estimates.rows
    assert bergen.estimate + oslo.estimate == pytest.approx(1)
    assert bergen.estimate == pytest.approx(1 / 3, abs=6 * bergen.noise_standard_error)


@pytest.mark.parametrize("most", [1, 3])
def test_that_results_say_what_intervals_of_several_rows_leave_out(
    page: ReleasePage,
    document: Document,
    qtbot: QtBot,
    wait: Callable[[], None],
    most: int,
) -> None:
    people = [f"p{row // 3}" for row in range(ROWS)]
    ages = [str(18 + row % 73) for row in range(ROWS)]
    document._set_table(table_from_texts({"pid": people, "age": ages}, name="ages.csv"), None)
    plan = plan_of(
        ColumnPlan(name="pid", kind="identifier", role="drop"),
        protected("age", "integer", AGES, "duchi", "2"),
    )
    document.reset(set_unit(plan, PrivacyUnit(respondent_column="pid", rows_per_respondent=most)))
    qtbot.mouseClick(page.records.start_button, Qt.MouseButton.LeftButton)
    wait()
    assert page.view() is page.records.results
    note = PrivacyUnit(respondent_column="pid", rows_per_respondent=most).interval_note
    assert page.records.results.notes.text() == note
    assert bool(note) == (most > 1)
    assert page.records.results.notes.isVisible() == (most > 1)


def test_that_results_say_who_was_asked_and_why_a_share_of_them_is_not_told(
    page: ReleasePage, document: Document, qtbot: QtBot, wait: Callable[[], None]
) -> None:
    ages = [str(18 + row % 73) for row in range(ROWS)]
    jobs = [
        "" if int(age) < 30 else ("office" if row % 2 else "shop") for row, age in enumerate(ages)
    ]
    document._set_table(table_from_texts({"age": ages, "job": jobs}, name="jobs.csv"), None)
    missing = MissingPolicy(
        policy="category",
        value="(no answer)",
        asked=AskedIf(any_of=(Condition(column="age", lower=Decimal(30)),)),
    )
    domain = Categorical(values=("office", "shop"))
    columns = (
        protected("age", "integer", AGES, "duchi", "2"),
        protected("job", "nominal", domain, "grr", "4", missing=missing),
    )
    document.reset(plan_of(*columns))
    qtbot.mouseClick(page.records.start_button, Qt.MouseButton.LeftButton)
    wait()
    results = page.records.results
    assert results.notes.isHidden()
    results.entries.setCurrentIndex(results.entries.model().index(1, 0))
    assert results.notes.text() == (
        "Asked only where age is at least 30: who was not asked counts as without an answer, which "
        "is not a refusal. The share answered among those asked is not told: the shares of its "
        "filter question do not tell who was asked."
    )
    assert results.notes.isVisible()
