"""What Checks says of a release's worth, and the question before one that is useless."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.domains import Categorical, Integer
from dpdesk.gui.document import Document
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.pages.release import ReleasePage
from dpdesk.gui.settings import Settings
from dpdesk.gui.verdict_words import smaller_than_errors
from dpdesk.gui.widgets.problem_list import ProblemCounts
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.ledgers import Cap, Ledger
from dpdesk.mechanisms.direct_encoding import Grr
from dpdesk.mechanisms.unbounded_noise import Laplace
from dpdesk.plan import (
    Plan,
    Problem,
    confirm_domains,
    errors_of,
    protect_unassigned,
    resplit,
    save_plan,
)
from dpdesk.plan.verdicts import RATINGS, verdict_of_all
from dpdesk.releases.records import RECORDS
from tests.engine.survey import COLOURS, survey, survey_plan
from tests.gui.windows import document_of, open_window
from tests.ledgers.charges import charge, local
from tests.strength import strength_in

Wait = Callable[[], None]


def of(document: Document, total: str, respondents: int = 1_000_000) -> None:
    plan = survey_plan().with_fields(respondents=respondents, budget=None)
    # Nobody likes blue: what is 0 would be useless at any epsilon.
    plan = plan.with_column("colour", domain=Categorical(values=COLOURS[:2]))
    # Bits show a common answer with half a chance, however large epsilon is.
    plan = plan.with_column("fruit", mechanism=Grr(epsilon=Decimal(1)))
    document.edit("budget", resplit(plan, Decimal(total)))


def test_that_checks_say_useful_only_where_it_is(ready: ReleasePage, document: Document) -> None:
    verdict = ready.records.before.checks.verdict
    of(document, "20")
    assert document.worth == "useful"
    of(document, "0.01", 500)
    assert document.worth == "useless"
    assert verdict.sentence() == "Nothing blocks the release, but it would be too noisy"


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
    assert reason.values["rating"].id == "plan.too-noisy"
    assert " to get " in remedy
    ready.records.ask_useless = lambda *_: True
    ready.records.start()
    wait()
    assert ready.records.results.result() is not None
    # No green tick stands beside what is useless, and nothing in the foot is about the next one.
    assert ready.records.results.findChild(SeverityMark).accessibleName() == "Warning"
    assert "Too noisy by the errors · ε" in ready.records.results._facts.full_text()
    told = ready.records.results._facts.full_text()
    released = ready.records.results.result()
    assert strength_in(told) == released.report.risk.record.strength
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
    assert "Useful by the errors · ε" in ready.records.results._facts.full_text()
    assert ready.records.results._unfit.isHidden()


def test_that_the_head_of_results_is_no_better_than_its_worst_attribute(
    ready: ReleasePage, document: Document, wait: Wait
) -> None:
    """By declared bounds the error of the mean is small; by where the mean lies it is not."""
    of(document, "25")
    # Laplace's noise is the same wherever the mean lies, so that chance hardly makes it useful.
    noise = Laplace(epsilon=document.plan.column("age").mechanism.epsilon)
    wide = Integer(lower=18, upper=2_000)
    document.edit("wide", document.plan.with_column("age", domain=wide, mechanism=noise))
    assert [one.message for one in document.problems if one.severity == "error"] == []
    ready.records.ask_useless = lambda *_: True
    ready.records.start()
    wait()
    results = ready.records.results
    verdicts = {one.name: one for one in results.result().report.parameters.attributes}
    assert verdicts["colour"].usefulness == verdicts["fruit"].usefulness == "useful"
    # Useless, unless chance moved the estimate some standard errors away from the bound.
    assert verdicts["age"].usefulness != "useful"
    assert "from the bound 18" in verdicts["age"].usefulness_reason
    # A head by the report alone, as where nothing was counted.
    results.show_result(results.result())
    assert results.findChild(SeverityMark).accessibleName() != "Done"
    rating = RATINGS[verdicts["age"].usefulness]()
    word = {"useless": f"In part {rating}", "coarse": rating.capitalize()}
    word_of_age = word[verdicts["age"].usefulness]
    assert f"{word_of_age} by the errors · ε" in results._facts.full_text()
    assert results._unfit.text() == f"{rating.capitalize()}: age."
    assert not results._unfit.isHidden()
    assert results._unfit.toolTip() == ""


def test_that_the_head_of_results_is_no_better_than_the_plan_was_by_the_file(
    ready: ReleasePage, document: Document, wait: Wait, qtbot: QtBot
) -> None:
    """By the bounds, and by what it is away from them, the error of the mean is small."""
    of(document, "25")
    wide = document.plan.with_column("age", domain=Integer(lower=-990, upper=990))
    document.edit("wide", wide)
    qtbot.waitUntil(lambda: not document.answers.is_counting)
    expected = RECORDS.usefulness(document.plan).by_name["age"]
    assert (expected.verdict, expected.of_file) == ("coarse", True)
    ready.records.ask_useless = lambda *_: True
    ready.records.start()
    wait()
    results = ready.records.results
    # What is published says nothing of the file.
    verdicts = {one.name: one.usefulness for one in results.result().report.parameters.attributes}
    assert verdicts["age"] == "useful"
    assert results.findChild(SeverityMark).accessibleName() == "Warning"
    assert "Rough by the errors · ε" in results._facts.full_text()
    assert results._unfit.text().startswith("Rough: ")
    assert "age" in results._unfit.text()
    assert "shown to you only" in results._unfit.toolTip()


def test_that_results_say_how_many_estimates_are_smaller_than_their_errors(
    ready: ReleasePage, document: Document, wait: Wait
) -> None:
    of(document, "0.01", 500)
    ready.records.ask_useless = lambda *_: True
    ready.records.start()
    wait()
    results, counts = ready.records.results, []
    for place, attribute in enumerate(results.result().released.attributes):
        results.entries.setCurrentIndex(results.entries.model().index(place, 0))
        shown = [row for row in results._rows if row.quantity == results.quantity.currentData()]
        few = sum(row.error_95 > abs(row.estimate) for row in shown if row.quantity != "mean")
        counts.append(few)
        assert results.useless.isHidden() == (few == 0), attribute
        assert results.useless.text().startswith(f"{few} of {len(shown)} " if few else "")
    assert max(counts) > 0


def test_that_the_count_of_estimates_below_their_errors_is_of_either_sign() -> None:
    assert smaller_than_errors([(0.5, 0.1), (-0.5, 0.1)]) == ""
    told = smaller_than_errors([(0.010, 0.023), (-0.3, 0.1), (0.2, 0.1)])
    assert told.startswith("1 of 3 estimates is too noisy")
    assert smaller_than_errors([(-0.01, 0.02), (0.0, 0.1)]).startswith("2 of 2 estimates")


def test_that_a_file_for_tables_is_worth_no_more_than_their_cells(
    ready: ReleasePage, document: Document, wait: Wait
) -> None:
    of(document, "2", 500)
    document.edit("purpose", document.plan.with_fields(purpose="tables"))
    forecast = RECORDS.usefulness(document.plan)
    own = verdict_of_all([one.verdict for one in forecast.by_name.values()])
    assert (own, forecast.verdict) == ("coarse", "useless")
    ready.records.ask_useless = lambda *_: True
    ready.records.start()
    wait()
    said = ready.records.results._facts.full_text()
    assert "Too noisy by the errors · ε" in said


def test_that_a_cap_stands_in_the_one_list_of_problems_of_every_place(
    ready: ReleasePage, document: Document, wait: Wait
) -> None:
    charge(Ledger.open(), local("1"), survey(), population="People", cap=Cap(Decimal("1.5")))
    document._set_table(survey(), None)
    wait()
    (error,) = errors_of(document.problems)
    assert (error.path, error.code) == ("ledger", "cap_reached")
    assert error.code == "cap_reached"
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


def test_that_every_page_counts_the_same_problems(
    settings: Settings, tmp_path: Path, qtbot: QtBot
) -> None:
    """What columns share is one problem, and what does not block is told apart."""
    path = tmp_path / "survey.csv"
    path.write_text("\n".join(["smokes,sex,age", *["yes,m,40", "no,f,31"] * 200000]) + "\n")
    window = open_window(settings, qtbot, path, size=(1360, 850))
    document = document_of(window)
    document.edit("Budget", document.plan.with_fields(budget=Decimal(50)))
    window.go_to("plan")
    pages = window.pages
    assert len(errors_of(document.problems)) > 2
    counts = ProblemCounts.of(document.problems)
    assert counts.blocking == 2
    assert counts.to_know > 0
    assert window.status._link.text() == "Show 1 of 2 that block"
    assert window.status._link.toolTip().startswith(f"{counts.words}:")
    assert pages["plan"].records.header.release.toolTip().startswith(f"{counts.words}:")
    window.go_to("release")
    checks = pages["release"].records.before.checks
    assert checks.verdict.sentence() == counts.words == "2 problems block the release"
    assert len(checks.problems.lines()) == counts.blocking + counts.to_know
    document.edit("Protect", protect_unassigned(confirm_domains(document.plan), Decimal(3)))
    counts = ProblemCounts.of(document.problems)
    assert (counts.blocking, counts.words) == (0, "1 thing to know")
    assert window.status._link.text() == "Show"
    assert checks.verdict.sentence() == f"Ready to release, with {counts.words}"


def test_that_a_count_of_problems_says_what_it_counts() -> None:
    def of(severities: str) -> tuple[str, str]:
        names = {"e": "error", "w": "warning"}
        problems = (Problem("", names[each], "X.", str(i)) for i, each in enumerate(severities))
        counts = ProblemCounts.of(problems)
        return counts.words, counts.link

    assert of("") == ("", "Show")
    assert of("w") == ("1 thing to know", "Show")
    assert of("www") == ("3 things to know", "Show 1 of 3 things to know")
    assert of("wewwe") == ("2 problems block the release", "Show 1 of 2 that block")
