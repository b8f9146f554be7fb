"""What Checks says of a release's worth, and the question before one that is useless."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.gui.document import Document
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.pages.release import ReleasePage
from dpdesk.gui.settings import Settings
from dpdesk.gui.verdict_words import smaller_than_errors
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.ledger import Cap, Ledger
from dpdesk.plan import Plan, errors_of, resplit, save_plan
from dpdesk.plan.usefulness import verdict_of_all
from dpdesk.release.records import RECORDS
from tests.engine.survey import survey, survey_plan
from tests.ledger.charges import charge, local

Wait = Callable[[], None]


def of(document: Document, total: str, respondents: int = 1_000_000) -> None:
    plan = survey_plan().with_fields(respondents=respondents, budget=None)
    document.edit("budget", resplit(plan, Decimal(total)))


def test_that_checks_say_useful_only_where_it_is(ready: ReleasePage, document: Document) -> None:
    verdict = ready.records.before.checks.verdict
    of(document, "20")
    assert document.worth == "useful"
    of(document, "0.01", 500)
    assert document.worth == "useless"
    assert verdict.sentence() == "Nothing blocks the release, but it would be useless"


def test_that_a_useless_release_asks_first_and_no_means_no(
    ready: ReleasePage, document: Document, wait: Wait
) -> None:
    of(document, "0.01", 500)
    asked: list[tuple[str, str]] = []

    def no(_parent: object, reason: str, remedy: str) -> bool:
        asked.append((reason, remedy))
        return False

    ready.records.ask_useless = no
    ready.records.start()
    assert not ready.records.watch.is_running
    ((reason, remedy),) = asked
    assert "would be useless" in reason
    assert "would give" in remedy
    ready.records.ask_useless = lambda *_: True
    ready.records.start()
    wait()
    assert ready.records.results.result() is not None
    # No green tick stands beside what is useless, and nothing in the foot is about the next one.
    assert ready.records.results.findChild(SeverityMark).accessibleName() == "Error"
    assert ready.records.results._facts.full_text().startswith("Useless by the errors · ε")
    assert not ready.shows_plan()
    ready.records.results.again.click()
    assert ready.shows_plan()


def test_that_a_useful_release_asks_nothing(
    ready: ReleasePage, document: Document, wait: Wait
) -> None:
    of(document, "20")
    ready.records.ask_useless = lambda *_: pytest.fail("nothing is to be asked")
    ready.records.start()
    wait()
    assert ready.records.results.result() is not None
    assert ready.records.results.findChild(SeverityMark).accessibleName() == "Done"
    assert ready.records.results._facts.full_text().startswith("Useful by the errors · ε")


def test_that_results_say_how_many_estimates_are_smaller_than_their_errors(
    ready: ReleasePage, document: Document, wait: Wait
) -> None:
    of(document, "0.01", 500)
    ready.records.ask_useless = lambda *_: True
    ready.records.start()
    wait()
    results = ready.records.results
    for place, attribute in enumerate(results.result().released.attributes):
        results.entries.setCurrentIndex(results.entries.model().index(place, 0))
        shown = [row for row in results._rows if row.quantity == results.quantity.currentData()]
        few = sum(row.error_95 > abs(row.estimate) for row in shown if row.quantity != "mean")
        assert results.useless.isHidden() == (few == 0), attribute
        assert results.useless.text().startswith(f"{few} of {len(shown)} " if few else "")


def test_that_the_count_of_estimates_below_their_errors_is_of_either_sign() -> None:
    assert smaller_than_errors([(0.5, 0.1), (-0.5, 0.1)]) == ""
    told = smaller_than_errors([(0.010, 0.023), (-0.3, 0.1), (0.2, 0.1)])
    assert told.startswith("1 of 3 estimates here is smaller than its error")
    assert smaller_than_errors([(-0.01, 0.02), (0.0, 0.1)]).startswith("2 of 2 estimates")


def test_that_a_file_for_tables_is_worth_no_more_than_their_cells(
    ready: ReleasePage, document: Document, wait: Wait
) -> None:
    of(document, "3", 500)
    document.edit("purpose", document.plan.with_fields(purpose="tables"))
    forecast = RECORDS.usefulness(document.plan)
    own = verdict_of_all([one.verdict for one in forecast.by_name.values()])
    assert (own, forecast.verdict) == ("coarse", "useless")
    ready.records.ask_useless = lambda *_: True
    ready.records.start()
    wait()
    said = ready.records.results._facts.full_text()
    assert said.startswith("Useless by the errors · ε")


def test_that_a_cap_stands_in_the_one_list_of_problems_of_every_place(
    ready: ReleasePage, document: Document, wait: Wait
) -> None:
    charge(Ledger.open(), local("1"), survey(), population="People", cap=Cap(Decimal("1.5")))
    document._set_table(survey(), None)
    wait()
    (error,) = errors_of(document.problems)
    assert (error.path, error.code) == ("ledger", "cap_reached")
    assert error.message.startswith("The budget of People does not allow this release.")
    assert "drawn" not in error.message
    assert ready.records.before.checks.verdict.sentence() == "1 problem blocks the release"
    # It follows an edit that is made on another page.
    ready.hide()
    document.edit("less", resplit(document.plan.with_fields(budget=None), Decimal("0.4")))
    assert errors_of(document.problems) == ()
    document.undo_stack.undo()
    assert errors_of(document.problems) == (error,)
    document.new()
    assert "ledger" not in {problem.path for problem in document.problems}


def test_that_results_belong_to_the_document_that_is_open(
    ready: ReleasePage, document: Document, wait: Wait
) -> None:
    ready.records.start()
    wait()
    assert ready.view() is ready.records.results
    assert document.last_release is not None
    document.reset(survey_plan())
    assert document.last_release is None
    assert ready.records.results.result() is None
    assert ready.view() is ready.records.before
    assert not ready.records.last.isVisible()


def test_that_the_foot_says_at_once_that_another_plan_is_open(
    settings: Settings, document: Document, tmp_path: Path, qtbot: QtBot
) -> None:
    window = MainWindow(settings)
    qtbot.addWidget(window)
    window.furnish(document)
    document.edit("plan", survey_plan())
    document.set_last_release(tmp_path / "release-1")
    assert window.status.saved_text() == "Unsaved changes · last release: release-1"
    save_plan(survey_plan(), tmp_path / "other.json")
    document.open_plan(tmp_path / "other.json")
    assert window.status.saved_text() == "Plan saved · last release: none"
    document.new()
    assert window.status.saved_text() == "last release: none"
    document.reset(Plan(columns=survey_plan().columns))
    assert window.status.saved_text() == "Plan not saved yet · last release: none"
    window.close()
