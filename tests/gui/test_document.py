from __future__ import annotations

import os
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.data.reading import Reading
from dpdesk.domains import Categorical
from dpdesk.errors import InputError, PlanError
from dpdesk.gui.document import Document
from dpdesk.gui.plan_problems import PlanProblems
from dpdesk.plan import ColumnPlan, Plan, protect, save_plan
from dpdesk.plan.checks.texts import T
from dpdesk.plan.problem import grouped
from dpdesk.plan.release_usefulness import usefulness_of_records


def question(name: str = "smokes") -> ColumnPlan:
    domain = Categorical(values=("no", "yes"))
    return ColumnPlan(name=name, kind="binary", domain=domain, confirmed=True)


def protected(epsilon: str = "1") -> Plan:
    return protect(Plan(columns=(question(),)), "smokes", Decimal(epsilon))


def with_epsilon(plan: Plan, epsilon: str) -> Plan:
    mechanism = plan.column("smokes").mechanism
    assert mechanism is not None
    changed = mechanism.model_copy(update={"epsilon": Decimal(epsilon)})
    return plan.with_column("smokes", mechanism=changed)


@pytest.fixture
def table_file(tmp_path: Path) -> Path:
    path = tmp_path / "survey.csv"
    path.write_text("smokes,age\n" + "yes,40\nno,31\n" * 20, encoding="utf-8")
    return path


def open_table(document: Document, path: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(document.loading.ended):
        document.open_table(path)


def test_that_an_edit_is_told_with_the_old_and_the_new_plan(
    document: Document, qtbot: QtBot
) -> None:
    old, new = document.plan, protected()
    with qtbot.waitSignals([document.planChanged, document.dirtyChanged, document.problemsChanged]):
        document.edit("Protect smokes", new)
    assert document.plan == new
    assert document.is_dirty
    with qtbot.waitSignal(document.planChanged) as told:
        document.undo_stack.undo()
    assert told.args == [new, old]
    assert not document.is_dirty


def test_that_the_problems_of_a_plan_are_known_to_who_is_told_of_it(document: Document) -> None:
    new, seen, before = protected(), [], document.problems
    document.planChanged.connect(lambda _old, _new: seen.append(document.problems))
    document.edit("Protect smokes", new)
    assert seen == [document.problems]
    assert document.problems != before


def test_that_an_equal_plan_is_no_step(document: Document, qtbot: QtBot) -> None:
    document.edit("Protect", protected())
    with qtbot.assertNotEmitted(document.planChanged):
        document.edit("Protect", protected())
    assert document.undo_stack.count() == 1


def test_that_undo_and_redo_go_through_every_edit(document: Document) -> None:
    plans = [document.plan]
    for number in range(1, 201):
        plans.append(Plan(respondents=number))
        document.edit("Respondents", plans[-1])
    for plan in reversed(plans[:-1]):
        document.undo_stack.undo()
        assert document.plan == plan
    for plan in plans[1:]:
        document.undo_stack.redo()
        assert document.plan == plan


def test_that_no_step_outlives_its_document(document: Document, qtbot: QtBot) -> None:
    """Steps that are collected together with their document would be deleted twice."""
    document.edit("Protect", protected())
    document.edit("Protect less", protected("2"))
    plan = document.plan
    with qtbot.assertNotEmitted(document.dirtyChanged):
        document.shut_down()
    assert document.undo_stack.count() == 0
    assert document.plan is plan


def test_that_a_drag_is_one_step(document: Document) -> None:
    start = protected("1")
    document.reset(start)
    for epsilon in ("1.05", "1.1", "1.5", "2"):
        document.edit("Change ε", with_epsilon(start, epsilon), merge_key="epsilon:smokes")
    document.end_gesture()
    assert document.undo_stack.count() == 1
    document.undo_stack.undo()
    assert document.plan == start
    document.undo_stack.redo()
    assert document.plan == with_epsilon(start, "2")


def test_that_the_end_of_a_gesture_begins_another_step(document: Document) -> None:
    start = protected("1")
    document.reset(start)
    document.edit("Change ε", with_epsilon(start, "2"), merge_key="epsilon:smokes")
    document.end_gesture()
    document.edit("Change ε", with_epsilon(start, "3"), merge_key="epsilon:smokes")
    assert document.undo_stack.count() == 2


def test_that_another_key_or_no_key_is_another_step(document: Document) -> None:
    start = protected("1")
    document.reset(start)
    document.edit("Change ε", with_epsilon(start, "2"), merge_key="epsilon:smokes")
    document.edit("Change ε", with_epsilon(start, "3"), merge_key="epsilon:age")
    document.edit("Change ε", with_epsilon(start, "4"))
    document.edit("Change ε", with_epsilon(start, "5"))
    assert document.undo_stack.count() == 4


def test_that_a_drag_back_to_its_start_leaves_no_step(document: Document) -> None:
    start = protected("1")
    document.reset(start)
    document.edit("Change ε", with_epsilon(start, "2"), merge_key="epsilon:smokes")
    document.edit("Change ε", start, merge_key="epsilon:smokes")
    assert document.undo_stack.count() == 0
    assert not document.is_dirty


def test_that_a_saved_plan_is_clean_until_the_next_edit(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    document.edit("Protect", protected())
    document.save_plan(path)
    assert document.plan_path == path
    assert not document.is_dirty
    document.edit("Change ε", with_epsilon(document.plan, "2"))
    assert document.is_dirty
    document.undo_stack.undo()
    assert not document.is_dirty
    other = Document()
    other.open_plan(path)
    assert other.plan == document.plan
    assert not other.is_dirty


def test_that_a_plan_without_a_file_needs_a_path(document: Document) -> None:
    with pytest.raises(ValueError, match="needs a path"):
        document.save_plan()


def test_that_a_file_that_is_no_plan_changes_nothing(document: Document, tmp_path: Path) -> None:
    document.edit("Protect", protected())
    before = document.plan
    path = tmp_path / "no-plan.json"
    path.write_text('{"format": "other"}', encoding="utf-8")
    with pytest.raises(PlanError):
        document.open_plan(path)
    assert document.plan == before
    assert document.undo_stack.count() == 1


def test_that_data_draft_a_plan_of_their_columns(
    document: Document, table_file: Path, qtbot: QtBot
) -> None:
    open_table(document, table_file, qtbot)
    assert document.table is not None
    assert document.table_path == table_file
    assert [column.name for column in document.plan.columns] == ["smokes", "age"]
    assert not document.is_dirty


def test_that_a_plan_that_fits_the_data_stays(
    document: Document, table_file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "plan.json"
    save_plan(protected(), path)
    document.open_plan(path)
    open_table(document, table_file, qtbot)
    assert document.plan == protected().with_fields(reading=Reading())
    assert document.plan_path == path
    codes = {problem.code for problem in document.problems}
    assert codes >= {"column_not_in_plan", "reading_unconfirmed"}
    # That the plan says now how the file is read is a step like any other.
    document.undo_stack.undo()
    assert document.plan == protected()
    assert "reading_missing" in {problem.code for problem in document.problems}


@pytest.mark.parametrize("stated", [2_000, None])
def test_that_verdicts_are_about_the_rows_of_the_open_file(
    document: Document, table_file: Path, qtbot: QtBot, stated: int | None
) -> None:
    age = ColumnPlan(name="age", kind="identifier", role="drop")
    plan = protected().with_fields(respondents=stated)
    document.edit("Protect", plan.with_columns((*plan.columns, age)))
    assert document.plan.judged_respondents == stated
    open_table(document, table_file, qtbot)
    assert document.plan.respondents == stated
    assert document.plan.judged_respondents == 40
    assert usefulness_of_records(document.plan).respondents == 40
    told = [problem for problem in document.problems if problem.code == "respondents_differ"]
    assert len(told) == (stated is not None)
    document.new()
    assert document.plan.judged_respondents is None


def wave(path: Path, heads: str) -> Path:
    """A file with other columns."""
    path.write_text(heads + "\n" + "yes,4,1\nno,3,2\n" * 20, encoding="utf-8")
    return path


def test_that_a_plan_that_stays_for_other_columns_says_which_they_are(
    document: Document, table_file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    told: list[str] = []
    document.planKept.connect(told.append)
    open_table(document, table_file, qtbot)
    document.edit("Drop age", document.plan.with_column("age", role="drop", domain=None))
    document.edit("Keep age", document.plan.with_column("age", role="keep"))
    assert told == []
    open_table(document, wave(tmp_path / "wave2.csv", "smokes,drinks,sleeps"), qtbot)
    assert [column.name for column in document.plan.columns] == ["smokes", "age"]
    assert told == [
        "The plan stays: wave2.csv has 1 of its 2 columns. "
        f"{T.COLUMN_NOT_IN_DATA(count=1, names='age')} "
        f"{T.COLUMN_NOT_IN_PLAN(count=2, names='drinks, sleeps')}"
    ]
    # In the words of the check of the command line.
    said = "\n".join(one.message for one in grouped(document.problems))
    for words in ("The data have no column “age”.", "2 columns of the data: drinks, sleeps."):
        assert words in said


def test_that_a_plan_of_its_own_can_be_begun_for_data_of_other_columns(
    document: Document, table_file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    open_table(document, table_file, qtbot)
    document.edit("Drop age", document.plan.with_column("age", role="drop", domain=None))
    saved = tmp_path / "plan.json"
    document.save_plan(saved)
    before = saved.read_bytes()
    open_table(document, wave(tmp_path / "wave2.csv", "smokes,drinks,sleeps"), qtbot)
    with qtbot.waitSignal(document.loading.ended):
        document.begin_plan()
    assert [column.name for column in document.plan.columns] == ["smokes", "drinks", "sleeps"]
    # What is saved next is another file: the one before stays what it is.
    assert document.plan_path is None
    assert saved.read_bytes() == before


def test_that_a_plan_nobody_decided_on_gives_way_to_data_of_other_columns(
    document: Document, table_file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    told: list[str] = []
    document.planKept.connect(told.append)
    open_table(document, table_file, qtbot)
    open_table(document, wave(tmp_path / "wave2.csv", "smokes,drinks,sleeps"), qtbot)
    assert [column.name for column in document.plan.columns] == ["smokes", "drinks", "sleeps"]
    assert told == []
    assert not document.is_dirty


def test_that_data_are_read_as_the_plan_in_force_says(
    document: Document, tmp_path: Path, qtbot: QtBot
) -> None:
    # Read as it seems to be written, this file has decimal points.
    path = tmp_path / "wave2.csv"
    path.write_text("age;pay\n20;1,5\n30;2.5\n", encoding="utf-8")
    reading = Reading(delimiter=";", decimal=",", missing=("-9",))
    columns = tuple(question(name) for name in ("age", "pay"))
    document.reset(Plan(reading=reading, reading_confirmed=True, columns=columns))
    open_table(document, path, qtbot)
    assert document.table is not None
    assert document.table.reading == document.plan.reading == reading
    assert not document.is_dirty


def test_that_a_reading_of_another_file_is_not_forced_on_data(
    document: Document, table_file: Path, qtbot: QtBot
) -> None:
    reading = Reading(delimiter=";", decimal=",")
    document.reset(Plan(reading=reading, reading_confirmed=True, columns=(question("drinks"),)))
    open_table(document, table_file, qtbot)
    assert [column.name for column in document.plan.columns] == ["smokes", "age"]
    assert document.plan.reading == Reading()
    assert not document.plan.reading_confirmed


def test_that_unsaved_work_can_be_had_back_after_other_data(
    document: Document, table_file: Path, qtbot: QtBot
) -> None:
    work = Plan(columns=(question("drinks"),))
    document.edit("Add a question", work)
    open_table(document, table_file, qtbot)
    assert [column.name for column in document.plan.columns] == ["smokes", "age"]
    document.undo_stack.undo()
    assert document.plan == work


def test_that_it_is_said_what_became_of_a_plan_that_gave_way(
    document: Document, table_file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    """Data with less than half of its columns begin another plan; how to have it back is said."""
    document.edit("x", Plan(columns=(question("drinks"), question("sleeps"), question())))
    with qtbot.waitSignal(document.noticeRaised) as told:
        open_table(document, table_file, qtbot)
    (sentence,) = told.args
    assert sentence.startswith("survey.csv has 1 of the 3 columns of the plan, less than half")
    assert sentence.endswith("Undo (Ctrl+Z) brings the plan before it back.")
    document.undo_stack.undo()
    assert [column.name for column in document.plan.columns] == ["drinks", "sleeps", "smokes"]

    saved = tmp_path / "other.json"
    save_plan(document.plan, saved)
    document.open_plan(saved)
    other = tmp_path / "other.csv"
    other.write_text("age\n" + "40\n31\n" * 20, encoding="utf-8")
    with qtbot.waitSignal(document.noticeRaised) as told:
        open_table(document, other, qtbot)
    assert told.args[0].endswith("The plan before it is saved: open other.json to have it back.")
    # Of a plan that nobody decided on nothing is said.
    with qtbot.assertNotEmitted(document.noticeRaised):
        open_table(document, wave(tmp_path / "third.csv", "walks,runs"), qtbot)


def test_that_data_that_cannot_be_read_are_told_and_change_nothing(
    document: Document, tmp_path: Path, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(document.failed) as told:
        document.open_table(tmp_path / "missing.csv")
    assert isinstance(told.args[0], InputError)
    assert document.table is None


@pytest.mark.skipif(sys.platform == "win32", reason="pipes that POSIX alone has")
def test_that_a_pipe_is_refused_instead_of_waited_for(
    document: Document, tmp_path: Path, qtbot: QtBot
) -> None:
    # As it is dropped on the window, chosen, or named by the list of recent files.
    for ending in ("csv", "json"):
        os.mkfifo(tmp_path / f"pipe.{ending}")
    with qtbot.waitSignal(document.failed) as told:
        document.open_table(tmp_path / "pipe.csv")
    assert "not a regular file" in str(told.args[0])
    with pytest.raises(PlanError, match="not a regular file"):
        document.open_plan(tmp_path / "pipe.json")
    assert document.table is None


def test_that_a_table_which_no_plan_can_hold_is_told_and_changes_nothing(
    document: Document, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "survey.csv"
    path.write_text("x" * 1001 + ",b\n1,2\n3,4\n", encoding="utf-8")
    with qtbot.waitSignal(document.failed) as told:
        document.open_table(path)
    assert isinstance(told.args[0], InputError)
    assert document.table is None


def test_that_reading_can_be_cancelled(document: Document, table_file: Path, qtbot: QtBot) -> None:
    document.open_table(table_file)
    document.loading.cancel()
    qtbot.waitUntil(lambda: not document.loading.is_running)
    # The file may have been read before the cancel was seen; then it is there as a whole.
    assert document.table is None or document.table.rows == 40


def test_that_the_file_asked_for_last_is_the_one_that_is_opened(
    document: Document, table_file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
    document.open_table(table_file)
    open_table(document, other, qtbot)
    assert document.table_path == other


def test_that_the_sample_opens_with_its_codebook(document: Document, qtbot: QtBot) -> None:
    with qtbot.waitSignal(document.loading.ended):
        document.open_sample()
    assert document.table is not None
    assert document.table_path is None
    assert all(column.provenance == "codebook" for column in document.plan.columns)


def test_that_new_leaves_neither_plan_nor_data(
    document: Document, table_file: Path, qtbot: QtBot
) -> None:
    open_table(document, table_file, qtbot)
    document.new()
    assert document.table is None
    assert document.plan == Plan()
    assert not document.undo_stack.canUndo()


def test_that_a_drag_of_epsilon_does_not_read_the_data_again(
    document: Document, table_file: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_table(document, table_file, qtbot)
    assert document.table is not None
    asked: list[Plan] = []
    monkeypatch.setattr(
        "dpdesk.releases.records.check_table",
        lambda plan, table, answers: asked.append(plan) or (),
    )
    finder, plan = PlanProblems(), protected()
    finder.find(plan, document.table)
    finder.find(with_epsilon(plan, "3"), document.table)
    assert len(asked) == 1
    finder.find(plan.with_column("smokes", role="drop"), document.table)
    assert len(asked) == 2


def test_that_a_release_is_noted(document: Document, tmp_path: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(document.releaseChanged):
        document.set_last_release(tmp_path / "release")
    assert document.last_release == tmp_path / "release"
