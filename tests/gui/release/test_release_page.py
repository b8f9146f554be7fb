from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from dpdesk.data.read_records import read_records
from dpdesk.domains import Categorical
from dpdesk.errors import ReleaseError
from dpdesk.gui.document import Document
from dpdesk.gui.pages.page import place_of_path
from dpdesk.gui.pages.release import ReleasePage, release_pane
from dpdesk.gui.pages.release.results_view import PRIVATE
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.plan import Plan
from dpdesk.queries.phrase import parse_query
from dpdesk.releases.kinds import kind_named
from dpdesk.reports.guarantee import guarantee_of_plan
from tests.engine.survey import survey, survey_plan
from tests.gui.release.conftest import HeldTask
from tests.gui.test_accessibility import nameless, rich_labels
from tests.patience import HANG
from tests.plan.plans import mechanism

Wait = Callable[[], None]


def release(page: ReleasePage, qtbot: QtBot, wait: Wait) -> None:
    qtbot.mouseClick(page.records.start_button, Qt.MouseButton.LeftButton)
    wait()


def test_that_without_data_the_page_says_so_and_offers_a_way_on(
    page: ReleasePage, document: Document, qtbot: QtBot
):
    assert page.view() is page.records.empty
    assert not page.records.start_button.isVisible()
    assert not page.records.empty.save.isVisible()
    document.reset(survey_plan())
    assert "not here" in page.records.empty.reason()
    with qtbot.waitSignal(page.goTo) as there:
        qtbot.mouseClick(page.records.empty.open, Qt.MouseButton.LeftButton)
    assert there.args == ["data", ""]
    with qtbot.waitSignal(page.goTo) as there:
        qtbot.mouseClick(page.records.empty.plan, Qt.MouseButton.LeftButton)
    assert there.args == ["plan", ""]


def test_that_a_questionnaire_can_be_saved_from_the_page(
    page: ReleasePage, document: Document, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    document.reset(survey_plan())
    path = tmp_path / "plan.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    page.records.empty.save.click()
    assert path.is_file()
    assert document.plan_path == path


def test_that_the_promise_is_the_one_of_the_report(ready: ReleasePage, qtbot: QtBot, wait: Wait):
    promised = ready.records.before.promise.promise()
    assert promised == guarantee_of_plan(survey_plan()).sentence
    release(ready, qtbot, wait)
    result = ready.records.results.result()
    assert result is not None
    assert result.report.guarantee.sentence == promised


def test_that_a_column_without_protection_is_a_headline(ready: ReleasePage, document: Document):
    assert ready.records.before.promise.passed.sentence().endswith("“region”.")
    document.edit("drop it", document.plan.with_column("region", role="drop"))
    assert ready.records.before.promise.passed.isHidden()


def test_that_an_error_of_the_plan_blocks_and_leads_to_its_place(
    ready: ReleasePage, document: Document, qtbot: QtBot
):
    assert ready.records.start_button.isEnabled()
    document.edit("unconfirm", document.plan.with_column("age", confirmed=False))
    assert not ready.records.start_button.isEnabled()
    assert "1 problem blocks" in ready.records.before.checks.verdict.sentence()
    ready.records.start()
    assert not ready.records.watch.is_running
    line = ready.records.before.checks.problems.lines()[0]
    with qtbot.waitSignal(ready.goTo) as there:
        line.setFocus()
        qtbot.keyClick(line, Qt.Key.Key_Return)
    assert there.args == ["data", "columns.age.confirmed"]
    document.undo_stack.undo()
    assert ready.records.start_button.isEnabled()


def test_that_a_format_which_cannot_hold_the_records_is_told_with_the_other_problems(
    ready: ReleasePage, document: Document
):
    boxes = ready.records.before.destination.formats
    assert boxes is not None
    boxes.boxes["sav"].click()
    assert ready.records.start_button.isEnabled()
    domain = Categorical(values=("yes", "yes "))
    name = next(column.name for column in document.plan.protected)
    grr = mechanism("grr", "1")
    changed = {"kind": "nominal", "domain": domain, "mechanism": grr, "expected": ()}
    document.edit("look alike", document.plan.with_column(name, **changed))
    assert not ready.records.start_button.isEnabled()
    told = [one for one in document.problems if one.path == "formats"]
    assert [one.code for one in told] == ["format_unfit"]
    assert place_of_path("formats") == "release"
    ready.show_path("formats")
    assert boxes.boxes["sav"].hasFocus()


def test_that_details_are_edited_in_steps_of_undo(
    ready: ReleasePage, document: Document, qtbot: QtBot
):
    details = ready.records.before.details
    curator, why = details.lines["curator"], details.texts["justification"]
    curator.clear()
    qtbot.keyClicks(curator, "Office")
    why.setFocus()
    qtbot.keyClicks(why, "small")
    curator.setFocus()
    assert document.plan.details.curator == "Office"
    assert document.plan.details.justification == "small"
    document.undo_stack.undo()
    assert document.plan.details.justification == ""
    assert why.toPlainText() == ""
    assert document.plan.details.curator == "Office"
    document.undo_stack.undo()
    assert document.plan == survey_plan()
    assert curator.text() == "The fruit office"


def test_that_a_detail_can_be_reached_by_its_path(ready: ReleasePage, qtbot: QtBot):
    ready.activateWindow()
    ready.show_path("details.region")
    region = ready.records.before.details.lines["region"]
    qtbot.waitUntil(region.hasFocus)
    assert ready.window().focusWidget() is region


def test_that_the_name_is_suggested_from_title_and_day_and_never_one_that_is_taken(
    ready: ReleasePage, tmp_path: Path
):
    destination = ready.records.before.destination
    first = destination.name.text()
    assert first.startswith("fruit-survey-records-20")
    (tmp_path / first).mkdir()
    (tmp_path / first / "file").touch()
    destination.suggest()
    assert destination.name.text() == f"{first}-2"


def test_that_a_typed_name_stays_and_a_wrong_one_blocks(
    ready: ReleasePage, document: Document, qtbot: QtBot, tmp_path: Path
):
    name = ready.records.before.destination.name
    (tmp_path / "taken").touch()
    for wrong in ("taken", "a/b", "", "con", ".hidden"):
        name.clear()
        qtbot.keyClicks(name, wrong)
        assert ready.records.before.destination.problem.sentence(), wrong
        assert not ready.records.start_button.isEnabled(), wrong
    name.clear()
    qtbot.keyClicks(name, "mine")
    assert ready.records.start_button.isEnabled()
    details = document.plan.details.model_copy(update={"title": "Another title"})
    document.edit("title", document.plan.with_fields(details=details))
    assert name.text() == "mine"


def test_that_sanitizing_writes_the_folder_and_shows_the_estimates(
    ready: ReleasePage, document: Document, qtbot: QtBot, wait: Wait, tmp_path: Path
):
    folder = ready.records.before.destination.folder()
    release(ready, qtbot, wait)
    assert ready.view() is ready.records.results
    assert document.last_release == folder
    assert read_records(folder).rows == 500
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]
    model = ready.records.results.estimates.estimates
    assert [row.category for row in model.rows] == ["red", "green", "blue"]
    ready.records.results.entries.setFocus()
    qtbot.keyClick(ready.records.results.entries, Qt.Key.Key_End)
    assert [(row.attribute, row.quantity) for row in model.rows] == [("age", "mean")]


def test_that_every_number_that_is_drawn_can_be_read(ready: ReleasePage, qtbot: QtBot, wait: Wait):
    release(ready, qtbot, wait)
    model = ready.records.results.estimates.estimates
    assert model.rowCount() > 1
    for row in range(model.rowCount()):
        spoken = [
            model.data(model.index(row, column), Qt.ItemDataRole.AccessibleTextRole)
            for column in range(model.columnCount())
        ]
        assert all(spoken)
        assert spoken[1].startswith("95 % interval: ")


def test_that_noise_only_and_noise_with_sampling_are_never_one_figure(
    ready: ReleasePage, qtbot: QtBot, wait: Wait
):
    release(ready, qtbot, wait)
    captions = [tile.caption() for tile in ready.records.results.figures.tiles]
    assert [("noise only" in c, "noise and sampling" in c) for c in captions] == [
        (False, False),
        (True, False),
        (False, True),
        (False, False),
    ]


def test_that_the_truth_is_read_only_when_the_private_panel_is_opened(
    ready: ReleasePage, qtbot: QtBot, wait: Wait
):
    release(ready, qtbot, wait)
    panel = ready.records.results.private
    assert panel.diagnostics() is None
    ready.records.results.tabs.setCurrentIndex(PRIVATE)
    wait()
    diagnostics = panel.diagnostics()
    assert diagnostics is not None
    assert panel.table.isVisible()
    truths = [c.truth for c in diagnostics.attributes[0].comparisons]
    texts = survey().column("colour").texts()
    assert truths == pytest.approx([texts.count(c) / 500 for c in ("red", "green", "blue")])


def test_that_the_private_comparison_goes_to_a_file_of_its_own_outside_the_release(
    ready: ReleasePage, qtbot: QtBot, wait: Wait, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    release(ready, qtbot, wait)
    ready.records.results.tabs.setCurrentIndex(PRIVATE)
    wait()
    folder = ready.records.results.result().folder
    before = sorted(path.name for path in folder.iterdir())
    for place, ending in ((folder, "error"), (tmp_path, "success")):
        path = place / "PRIVATE.html"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, p=path: (str(p), ""))
        ready.records.results.private.save.click()
        assert ready.records.notice.property("severity") == ending
    assert (tmp_path / "PRIVATE.html").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in folder.iterdir()) == before


def test_that_closing_the_data_closes_the_private_comparison(
    ready: ReleasePage, document: Document, qtbot: QtBot, wait: Wait
):
    release(ready, qtbot, wait)
    ready.records.results.tabs.setCurrentIndex(PRIVATE)
    wait()
    document._set_table(survey(), None)
    assert ready.records.results.private.diagnostics() is None
    ready.records.results.privateShown.emit()
    assert not ready.records.compare_watch.is_running


def test_that_a_second_release_is_said_to_cost_again(ready: ReleasePage, qtbot: QtBot, wait: Wait):
    people = ready.records.before.promise.people
    wait()
    assert people.budget.isHidden()
    release(ready, qtbot, wait)
    ready.records.results.again.click()
    assert ready.view() is ready.records.before
    warning = people.budget.sentence()
    assert "once" in warning
    assert "ε = 9" in warning
    assert ready.records.before.destination.name.text().endswith("-2")
    release(ready, qtbot, wait)
    ready.records.results.again.click()
    assert "2 times" in people.budget.sentence()


def test_that_escape_cancels_and_leaves_nothing(
    ready: ReleasePage, held: HeldTask, qtbot: QtBot, wait: Wait, tmp_path: Path
):
    ready.records.start_button.click()
    assert held.reached.wait(HANG)
    assert ready.view() is ready.records.running
    qtbot.waitUntil(lambda: ready.records.running.stage() == "Randomizing answers")
    qtbot.keyClick(ready.records.running.cancel, Qt.Key.Key_Escape)
    assert "Cancelling" in ready.records.running.stage()
    wait()
    assert ready.view() is ready.records.before
    assert "cancelled" in ready.records.notice.message()
    assert list(tmp_path.iterdir()) == []
    assert ready.records.before.promise.people.budget.isHidden()


def able(page: ReleasePage) -> set[str]:
    """The actions of the page that can be triggered."""
    return {a.text().replace("&", "") for a in page.page_actions() if a.isEnabled()}


@pytest.mark.parametrize("kind", ["records", "statistics"])
def test_that_what_can_be_done_follows_from_what_is_shown(
    page: ReleasePage,
    document: Document,
    qtbot: QtBot,
    wait: Wait,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
):
    held, real = HeldTask(), release_pane.release_task
    monkeypatch.setattr(release_pane, "release_task", held)
    document.set_release_kind(kind_named(kind))
    shown = page.records if kind == "records" else page.statistics
    start = shown.start_button
    start_words = start.text().replace("&", "")
    files = {"Open folder", "Open report", "Save report as PDF…", "Copy path"}
    files |= {"Tables and models"} if kind == "records" else set()
    assert able(page) == {"Ledger…"}
    plan = survey_plan()
    query = parse_query("mean of age", epsilon=Decimal(1))
    document._set_table(survey(), None)
    document.reset(plan.with_fields(statistics=plan.statistics.with_queries([query])))
    wait()
    before = {start_words, "Choose the place…", "Ledger…"}
    assert able(page) == before
    blocked = document.plan.with_column("age", confirmed=False)
    document.edit("x", blocked.with_fields(statistics=plan.statistics))
    assert able(page) == before - {start_words}
    assert not start.isEnabled()
    assert start.toolTip() == "Blocked: see Checks"
    document.undo_stack.undo()
    start.click()
    assert held.reached.wait(HANG)
    assert shown.view() is shown.running
    assert able(page) == {"Cancel the release", "Ledger…"}
    page.cancel()
    wait()
    qtbot.waitUntil(lambda: not page.statistics.watch.is_running)
    assert able(page) == before
    assert not shown.last.isVisible()
    monkeypatch.setattr(release_pane, "release_task", real)
    start.click()
    wait()
    qtbot.waitUntil(lambda: shown.view() is shown.results)
    wait()
    assert able(page) == {*files, "Release again…", "Ledger…"}
    assert not start.isVisible()
    again = next(a for a in page.page_actions() if a.text() == "Release a&gain…")
    again.trigger()
    assert able(page) == {*before, *files, "Last results"}
    assert shown.last.isVisible()
    shown.last.click()
    assert shown.view() is shown.results


def test_that_edits_during_a_release_do_not_reach_it(
    ready: ReleasePage, document: Document, held: HeldTask
):
    ready.records.start_button.click()
    assert held.reached.wait(HANG)
    document.edit("drop", document.plan.with_column("age", role="drop"))
    assert held.plan == survey_plan()
    assert document.plan != survey_plan()
    assert not ready.records.start_button.isVisible()


def test_that_a_worker_that_dies_leaves_the_window_alive_and_says_what_happened(
    ready: ReleasePage, held: HeldTask, qtbot: QtBot, wait: Wait
):
    held.error = ZeroDivisionError("the answer of respondent 17")
    held.go_on.set()
    ready.records.start_button.click()
    wait()
    assert ready.view() is ready.records.before
    assert "ZeroDivisionError" in ready.records.notice.message()
    assert "respondent 17" not in ready.records.notice.message()
    assert ready.records.start_button.isEnabled()


def test_that_a_failure_is_told_with_its_remedy(ready: ReleasePage, held: HeldTask, wait: Wait):
    held.error = ReleaseError("The disk is full.", remedy="Free space.")
    held.go_on.set()
    ready.records.start_button.click()
    wait()
    assert "The disk is full. Free space." in ready.records.notice.message()


def test_that_a_folder_filled_meanwhile_is_a_failure_in_place(
    ready: ReleasePage, wait: Wait, monkeypatch: pytest.MonkeyPatch
):
    folder = ready.records.before.destination.folder()
    run = release_pane.release_task

    def fill_first(kind, table, plan, target, *rest, **more):
        target.mkdir()
        (target / "notes.txt").touch()
        return run(kind, table, plan, target, *rest, **more)

    monkeypatch.setattr(release_pane, "release_task", fill_first)
    ready.records.start_button.click()
    wait()
    assert "not empty" in ready.records.notice.message()
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]


def test_that_closing_joins_the_release(ready: ReleasePage, held: HeldTask):
    ready.records.start_button.click()
    assert held.reached.wait(HANG)
    job = ready.records.watch._job
    ready.shut_down()
    assert not job.is_running


def test_that_a_cancelled_release_of_other_data_is_not_compared_with_the_last_results(
    ready: ReleasePage, document: Document, qtbot: QtBot, wait: Wait, monkeypatch
):
    release(ready, qtbot, wait)
    document._set_table(survey(400), None)
    task = HeldTask()
    monkeypatch.setattr(release_pane, "release_task", task)
    ready.records.start_button.click()
    assert task.reached.wait(HANG)
    ready.cancel()
    wait()
    ready.records.last.click()
    ready.records.results.tabs.setCurrentIndex(PRIVATE)
    assert not ready.records.compare_watch.is_running


def test_that_path_and_folder_are_handed_on(
    ready: ReleasePage, qtbot: QtBot, wait: Wait, monkeypatch: pytest.MonkeyPatch
):
    release(ready, qtbot, wait)
    opened = []
    monkeypatch.setattr(
        QDesktopServices, "openUrl", lambda url: bool(opened.append(url.toLocalFile())) or True
    )
    folder = ready.records.results.result().folder
    ready.records.results.open_folder.click()
    ready.records.results.open_report.click()
    assert [Path(path) for path in opened] == [folder, folder / "report.html"]
    ready.records.results.copy_path.click()
    assert QGuiApplication.clipboard().text() == str(folder)
    (folder / "report.html").unlink()
    ready.records.results.open_report.click()
    assert "cannot be opened" in ready.records.notice.message()


def test_that_names_of_the_data_are_shown_literally(
    page: ReleasePage, document: Document, qtbot: QtBot, wait: Wait
):
    evil = "<img src=x onerror=alert(1)>"
    columns = survey_plan().columns
    plan = Plan(columns=tuple(c.model_copy(update={"label": evil}) for c in columns))
    details = plan.details.model_copy(update={"title": evil})
    document._set_table(survey(), None)
    document.reset(plan.with_fields(details=details))
    release(page, qtbot, wait)
    assert rich_labels(page) == []
    shown = [label.text() for label in page.findChildren(QLabel) if evil in label.text()]
    assert shown
    tips = [widget.toolTip() for widget in page.findChildren(QLabel)]
    assert not any("<img" in tip for tip in tips)


@pytest.mark.parametrize("state", ["empty", "before", "running", "results", "private"])
def test_that_every_stop_of_every_state_has_a_name(
    state: str, page: ReleasePage, document: Document, qtbot: QtBot, wait: Wait, request
):
    if state != "empty":
        request.getfixturevalue("ready")
    if state == "running":
        task = request.getfixturevalue("held")
        page.records.start_button.click()
        assert task.reached.wait(HANG)
    if state in ("results", "private"):
        release(page, qtbot, wait)
    if state == "private":
        page.records.results.tabs.setCurrentIndex(PRIVATE)
        wait()
    assert nameless(page) == []
    assert rich_labels(page) == []


def test_that_the_theme_recolours_without_a_new_release(
    ready: ReleasePage, qtbot: QtBot, wait: Wait
):
    release(ready, qtbot, wait)
    light = ready.records.results.estimates.grab().toImage()
    ThemeSwitch.instance().set_choice("dark")
    dark = ready.records.results.estimates.grab().toImage()
    ThemeSwitch.instance().set_choice("light")
    assert light != dark
    assert light == ready.records.results.estimates.grab().toImage()
