"""A step of the slider of synthetic rows: what is computed at it, and what when it rests."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from functools import wraps
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.gui.document import Document
from dpdesk.gui.pages import synthesis_form
from dpdesk.gui.pages.plan import PlanPage
from dpdesk.gui.pages.release import ReleasePage, synthetic_pane
from dpdesk.gui.pages.release.synthetic_pane import SyntheticPane
from dpdesk.gui.pages.synthesis_form import DISTANCE, WORTH
from dpdesk.gui.widgets.problem_list import ProblemList
from dpdesk.plan import Plan, Problem, release_usefulness
from dpdesk.plan.checks import usefulness as check_usefulness
from dpdesk.plan.release_usefulness import usefulness_of_synthesis
from dpdesk.plan.verdicts import VERDICTS
from dpdesk.releases.kind import ReleaseKind
from dpdesk.releases.synthetic import SYNTHETIC
from tests.engine.survey import survey, survey_plan
from tests.patience import HANG

STEPS = [Decimal(tenths) / 10 for tenths in range(11, 21)]


@pytest.fixture
def pane(page: ReleasePage, document: Document, qtbot: QtBot) -> SyntheticPane:
    document._set_table(survey(), None)
    document.reset(survey_plan())
    document.set_release_kind(SYNTHETIC)
    document.end_gesture()
    # What the ledger and the counted answers say is shown when it is known.
    qtbot.waitUntil(lambda: not (page.account.is_running or document.answers.is_counting))
    return page.synthetic


@pytest.fixture
def calls(pane: SyntheticPane, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each of the expensive works was done."""
    found: Counter[str] = Counter()

    def count(owner: Any, name: str) -> None:
        run = getattr(owner, name)

        @wraps(run)
        def counted(*args: object, **more: object) -> object:
            found[name] += 1
            return run(*args, **more)

        monkeypatch.setattr(owner, name, counted)

    count(type(SYNTHETIC), "check")
    count(synthetic_pane.SyntheticPromise, "show_plan")
    count(synthesis_form, "forecast_of")
    count(release_usefulness, "_of_tables")
    count(check_usefulness, "remedy_of_synthesis")
    return found


def colour(pane: SyntheticPane, column: int) -> object:
    model = pane.before.promise.table.model()
    return model.index(0, column).data(Qt.ItemDataRole.ForegroundRole)


def cells(pane: SyntheticPane) -> list[tuple[str, str]]:
    model = pane.before.promise.table.model()
    rows = range(model.rowCount())
    return [tuple(model.index(row, c).data() for c in (DISTANCE, WORTH)) for row in rows]  # type: ignore[misc]


def test_that_a_step_judges_nothing_and_its_rest_everything_once(
    pane: SyntheticPane, document: Document, calls: Counter[str], qtbot: QtBot
) -> None:
    epsilon, before = pane.before.promise.form.epsilon, cells(pane)
    epsilon.slider.setSliderDown(True)
    calls.clear()
    for step in STEPS:
        epsilon.slider.rungChosen.emit(step)
        assert document.plan.synthesis.epsilon == step
        assert f"ε = {step}" in pane.before.promise.promise()
    # One refresh a step, which shows the loss alone.
    assert calls["show_plan"] == len(STEPS)
    assert not document.is_judged
    assert {name for name in calls if calls[name]} == {"show_plan"}
    assert cells(pane) == before
    assert colour(pane, DISTANCE) == colour(pane, WORTH) is not None
    assert not pane.before.promise.form.expected.isEnabled()
    calls.clear()
    qtbot.waitUntil(lambda: document.is_judged)
    assert calls["check"] == calls["show_plan"] == calls["forecast_of"] == 1
    assert cells(pane) != before
    assert colour(pane, DISTANCE) is None
    assert pane.before.promise.form.expected.isEnabled()
    epsilon.slider.setSliderDown(False)


def test_that_letting_go_judges_at_once_and_says_what_an_edit_without_a_slider_says(
    pane: SyntheticPane, document: Document, calls: Counter[str]
) -> None:
    epsilon = pane.before.promise.form.epsilon
    epsilon.slider.setSliderDown(True)
    epsilon.slider.rungChosen.emit(Decimal(2))
    assert not calls["check"]
    epsilon.slider.setSliderDown(False)
    assert document.is_judged
    assert calls["check"] == 1
    dragged = (document.problems, cells(pane), document.worth)
    document.edit("x", with_epsilon(document.plan, Decimal(1)))
    assert (document.problems, cells(pane)) != dragged[:2]
    document.edit("x", with_epsilon(document.plan, Decimal(2)))
    assert (document.problems, cells(pane), document.worth) == dragged


def test_that_an_edit_by_itself_is_checked_and_shown_once(
    pane: SyntheticPane, document: Document, calls: Counter[str]
) -> None:
    calls.clear()
    document.edit("x", with_epsilon(document.plan, Decimal(2)))
    assert document.is_judged
    assert calls["check"] == calls["show_plan"] == calls["forecast_of"] == 1


def test_that_a_release_goes_by_the_problems_of_the_step_that_was_just_made(
    pane: SyntheticPane, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    epsilon, asked = pane.before.promise.form.epsilon, []
    monkeypatch.setattr(pane, "ask_useless", lambda *words: asked.append(document.is_judged))
    epsilon.slider.setSliderDown(True)
    epsilon.slider.rungChosen.emit(Decimal("0.01"))
    assert not document.is_judged
    pane.start()
    # Either way it is judged before anything is asked or released.
    assert document.is_judged
    assert usefulness_of_synthesis(document.plan).verdict == document.worth
    assert not pane.watch.is_running
    assert all(asked)


def test_that_remedies_are_searched_for_in_the_background_when_the_slider_rests(
    pane: SyntheticPane, document: Document, calls: Counter[str], qtbot: QtBot
) -> None:
    problems, epsilon = pane.before.checks.problems, pane.before.promise.form.epsilon
    qtbot.waitUntil(lambda: not problems.searching.is_running)
    calls.clear()
    epsilon.slider.setSliderDown(True)
    for step in ("0.3", "0.2", "0.1"):
        epsilon.slider.rungChosen.emit(Decimal(step))
    assert not calls["remedy_of_synthesis"]
    epsilon.slider.setSliderDown(False)
    assert problems.searching.is_running
    qtbot.waitUntil(lambda: not problems.searching.is_running)
    searched = [problem for problem in document.problems if not problem.is_advised]
    assert searched
    shown = {line.accessibleDescription() for line in problems.lines()}
    assert {problem.remedy for problem in searched} <= shown
    assert 1 <= calls["remedy_of_synthesis"] <= 2 * len(searched)


def test_that_a_search_leaves_the_thread_of_the_window_and_is_not_repeated(qtbot: QtBot) -> None:
    listed, threads = ProblemList(), []
    qtbot.addWidget(listed)

    def search() -> str:
        threads.append(threading.current_thread())
        return "Raise epsilon."

    problems = (
        Problem("budget", "error", "Over.", "b", "Lower one."),
        Problem("a", "warning", "It would be useless.", "useless", search),
    )
    listed.set_problems(problems)
    told = [line.accessibleDescription() for line in listed.lines()]
    assert told[0] == "Lower one."
    assert told[1] not in ("", "Raise epsilon.")
    qtbot.waitUntil(lambda: not listed.searching.is_running)
    assert [line.accessibleDescription() for line in listed.lines()][1] == "Raise epsilon."
    assert threads
    assert threading.main_thread() not in threads
    searches = len(threads)
    listed.set_problems(problems)
    assert not listed.searching.is_running
    assert listed.lines()[1].accessibleDescription() == "Raise epsilon."
    assert len(threads) == searches


def test_that_what_was_found_for_other_problems_is_not_shown(qtbot: QtBot) -> None:
    listed, goes_on = ProblemList(), threading.Event()
    qtbot.addWidget(listed)
    slow = Problem("a", "warning", "It is useless.", "useless", lambda: str(goes_on.wait(HANG)))
    listed.set_problems([slow])
    listed.set_problems([Problem("b", "warning", "It is coarse.", "coarse", "Do this.")])
    goes_on.set()
    qtbot.wait(100)
    assert [line.accessibleDescription() for line in listed.lines()] == ["Do this."]


def test_that_rows_of_tables_are_made_as_they_are_seen(
    pane: SyntheticPane, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    row_of = synthesis_form.TableRow

    def counted(*args: Any) -> synthesis_form.TableRow:
        made.append(args[0])
        return row_of(*args)

    monkeypatch.setattr(synthesis_form, "TableRow", counted)
    model = synthesis_form.SyntheticTablesModel()
    found, _ = synthesis_form.forecast_of(document.plan)
    model.show_plan(document.plan, found)
    assert not made
    count = model.rowCount()
    assert count == len(document.plan.synthetic)
    texts = [model.index(0, column).data() for column in range(5)]
    assert len(made) == 1
    assert texts[0] == document.plan.synthetic[0].name
    model.show_pairs(True)
    assert model.rowCount() == count * (count - 1) // 2


@pytest.mark.parametrize("kind", [SYNTHETIC])
def test_that_the_plan_page_judges_when_the_slider_rests(
    kind: ReleaseKind[Any, Any],
    document: Document,
    qtbot: QtBot,
    make_calls: Callable[[Any, str], list[Plan]],
) -> None:
    document._set_table(survey(), None)
    document.reset(survey_plan())
    document.set_release_kind(kind)
    page = PlanPage(document)
    qtbot.addWidget(page)
    page.show()
    checks, forecasts = make_calls(type(kind), "check"), make_calls(synthesis_form, "forecast_of")
    epsilon = page.synthetic.form.epsilon
    epsilon.slider.setSliderDown(True)
    for step in STEPS:
        epsilon.slider.rungChosen.emit(step)
        assert SYNTHETIC.protection(document.plan) == page.synthetic.protection.text()
    assert not checks
    assert not forecasts
    epsilon.slider.setSliderDown(False)
    assert len(checks) == 1
    assert len(forecasts) >= 1
    assert forecasts[-1] == document.plan
    worth = usefulness_of_synthesis(document.plan)
    assert worth.verdict in VERDICTS


@pytest.fixture
def make_calls(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any, str], list[Plan]]:
    """Counts the calls of a function by the plans that it is given."""

    def count(owner: Any, name: str) -> list[Plan]:
        run, plans = getattr(owner, name), list[Plan]()

        @wraps(run)
        def counted(*args: Any) -> object:
            plans.append(args[-1])
            return run(*args)

        monkeypatch.setattr(owner, name, counted)
        return plans

    return count


def with_epsilon(plan: Plan, epsilon: Decimal) -> Plan:
    return plan.with_fields(synthesis=plan.synthesis.with_fields(epsilon=epsilon))
