"""A second file in one window: what nobody decided on follows it, what was decided stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from dpdesk.domains import ListedDomain
from dpdesk.gui.document import Document
from dpdesk.gui.file_commands import FileCommands
from dpdesk.gui.messages import Answer
from dpdesk.gui.settings import Settings
from dpdesk.plan import load_plan
from dpdesk.plan.filter_question import AskedIf
from dpdesk.queries.condition import Condition
from dpdesk.queries.count import Count


def open_table(document: Document, path: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(document.loading.ended):
        document.open_table(path)


def listed(document: Document, name: str) -> set[str]:
    domain = document.plan.column(name).domain
    assert isinstance(domain, ListedDomain)
    return set(domain.values)


@pytest.fixture
def first_file(tmp_path: Path) -> Path:
    path = tmp_path / "survey.csv"
    path.write_text("smokes,age\n" + "yes,40\nno,31\n" * 20, encoding="utf-8")
    return path


@pytest.fixture
def second_file(tmp_path: Path) -> Path:
    """A file with the columns of the first and other answers."""
    path = tmp_path / "second.csv"
    path.write_text("smokes,age\n" + "often,70\nnever,52\nno,61\n" * 20, encoding="utf-8")
    return path


def test_that_suggestions_are_those_of_the_file_that_is_open(
    document: Document, first_file: Path, second_file: Path, qtbot: QtBot
) -> None:
    open_table(document, first_file, qtbot)
    assert listed(document, "age") == {"31", "40"}
    open_table(document, second_file, qtbot)
    assert listed(document, "age") == {"52", "61", "70"}
    assert listed(document, "smokes") == {"often", "never", "no"}
    assert document.plan.respondents == 60
    # Nobody decided anything yet: there is nothing to save, and nothing to undo.
    assert not document.is_dirty
    assert not document.undo_stack.canUndo()
    # Nor is the second file's plan kept for a third.
    open_table(document, first_file, qtbot)
    assert listed(document, "age") == {"31", "40"}


def test_that_what_was_decided_stays_for_other_data_and_the_rest_is_suggested_anew(
    document: Document, first_file: Path, second_file: Path, qtbot: QtBot
) -> None:
    open_table(document, first_file, qtbot)
    document.edit("Keep smokes", document.plan.with_column("smokes", role="keep"))
    decided = document.plan
    with qtbot.waitSignal(document.noticeRaised) as told:
        open_table(document, second_file, qtbot)
    assert document.plan.column("smokes") == decided.column("smokes")
    assert listed(document, "age") == {"52", "61", "70"}
    assert told.args == [
        "Suggested anew from second.csv, since nothing was decided on them: age. Undo (Ctrl+Z) "
        "takes it back."
    ]
    document.undo_stack.undo()
    assert document.plan == decided
    document.undo_stack.redo()
    # Nor does what was suggested anew stay for a third file.
    open_table(document, first_file, qtbot)
    assert listed(document, "age") == {"31", "40"}
    assert document.plan.column("smokes") == decided.column("smokes")


def test_that_a_saved_plan_and_one_with_a_statistic_stay_for_other_data(
    document: Document, first_file: Path, second_file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    open_table(document, first_file, qtbot)
    asked = document.plan.statistics.with_fields(queries=(Count(by=("age",), name="ages"),))
    document.edit("Ask", document.plan.with_fields(statistics=asked))
    open_table(document, second_file, qtbot)
    assert listed(document, "age") == {"31", "40"}

    document.new()
    open_table(document, first_file, qtbot)
    document.save_plan(tmp_path / "plan.json")
    saved = document.plan
    told: list[str] = []
    document.noticeRaised.connect(told.append)
    open_table(document, second_file, qtbot)
    assert document.plan == saved
    assert not document.is_dirty
    stays = "The plan stays: its decisions are used for second.csv."
    assert told == [stays]
    # The same file read anew is no other file, and a plan opened before its data is meant for them.
    open_table(document, second_file, qtbot)
    document.new()
    document.open_plan(tmp_path / "plan.json")
    open_table(document, first_file, qtbot)
    assert told == [stays]
    # Nor is it begun anew for data with another column, as a draft is that has no file.
    more = tmp_path / "more.csv"
    more.write_text("smokes,age,sex\n" + "yes,40,f\nno,31,m\n" * 20, encoding="utf-8")
    open_table(document, more, qtbot)
    assert document.plan == saved
    document.new()
    open_table(document, first_file, qtbot)
    open_table(document, more, qtbot)
    assert [column.name for column in document.plan.columns] == ["smokes", "age", "sex"]


def test_that_a_draft_is_read_as_it_was_or_begun_anew(
    document: Document, tmp_path: Path, qtbot: QtBot
) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text("age;pay\n" + "20;1,5\n30;2,25\n" * 9, encoding="utf-8")
    # Read as it seems to be written, it has whole numbers and no decimal comma.
    second.write_text("age;pay\n" + "40;7\n50;8\n" * 9, encoding="utf-8")
    open_table(document, first, qtbot)
    reading = document.plan.reading
    assert reading is not None
    assert reading.decimal == ","
    open_table(document, second, qtbot)
    assert document.plan.reading == reading
    assert listed(document, "pay") == {"7", "8"}
    # A file that cannot be read so has a reading of its own.
    second.write_text("age,pay\n" + "60,9.5\n70,8.5\n" * 9, encoding="utf-8")
    document.new()
    open_table(document, first, qtbot)
    open_table(document, second, qtbot)
    assert document.plan.reading is not None
    assert document.plan.reading.delimiter == ","
    assert document.table is not None
    assert document.table.reading == document.plan.reading


def test_that_a_question_that_decides_who_was_asked_keeps_its_answers(
    document: Document, tmp_path: Path, qtbot: QtBot
) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text("smokes,many\n" + "yes,few\nyes,lots\nno,\n" * 20, encoding="utf-8")
    second.write_text("smokes,many\n" + "often,few\noften,lots\nnever,\n" * 20, encoding="utf-8")
    open_table(document, first, qtbot)
    rule = AskedIf(any_of=(Condition(column="smokes", values=("yes",)),))
    missing = document.plan.column("many").missing.model_copy(update={"asked": rule})
    document.edit("Asked", document.plan.with_column("many", missing=missing))
    open_table(document, second, qtbot)
    assert document.plan.column("many").missing.asked == rule
    assert listed(document, "smokes") == {"no", "yes"}


def test_that_what_undo_brings_back_is_suggested_anew_for_the_next_data(
    document: Document, first_file: Path, second_file: Path, qtbot: QtBot
) -> None:
    open_table(document, first_file, qtbot)
    document.edit("Keep smokes", document.plan.with_column("smokes", role="keep"))
    decided = document.plan.column("smokes")
    open_table(document, second_file, qtbot)
    document.undo_stack.undo()
    open_table(document, first_file, qtbot)
    assert listed(document, "age") == {"31", "40"}
    open_table(document, second_file, qtbot)
    assert listed(document, "age") == {"52", "61", "70"}
    assert document.plan.column("smokes") == decided
    # Here, too, is nothing lost: each step back is the plan as it was.
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert listed(document, "age") == {"31", "40"}
    assert document.plan.column("smokes").role == "unassigned"


def other_file(folder: Path) -> Path:
    path = folder / "other.csv"
    path.write_text("weight,height\n" + "70,180\n60,170\n" * 20, encoding="utf-8")
    return path


@pytest.mark.parametrize("answer", ["save", "discard", "cancel"])
def test_that_an_unsaved_plan_is_asked_about_before_it_gives_way(
    document: Document,
    first_file: Path,
    second_file: Path,
    tmp_path: Path,
    qtbot: QtBot,
    answer: Answer,
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    asked: list[str] = []
    settings = Settings(QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat))
    files = FileCommands(document, settings, window, lambda _, name: asked.append(name) or answer)
    files.open(first_file)
    qtbot.waitUntil(lambda: document.table_path == first_file)
    document.save_plan(tmp_path / "plan.json")
    document.edit("Keep smokes", document.plan.with_column("smokes", role="keep"))
    mine = document.plan
    # A plan that stays is not lost, and not asked about.
    with qtbot.waitSignal(document.loading.ended):
        files.open(second_file)
    assert (asked, document.plan) == ([], mine)

    with qtbot.waitSignal(document.loading.ended):
        files.open(other_file(tmp_path))
    assert asked == ["plan.json"]
    assert document.table is not None
    stays = answer == "cancel"
    assert document.table.names == (("smokes", "age") if stays else ("weight", "height"))
    assert (document.plan == mine) is stays
    assert document.table_path == (second_file if stays else tmp_path / "other.csv")
    assert (load_plan(tmp_path / "plan.json") == mine) is (answer == "save")


def test_that_undo_brings_plan_data_and_file_back_together(
    document: Document, first_file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    open_table(document, first_file, qtbot)
    document.save_plan(tmp_path / "plan.json")
    document.edit("Keep smokes", document.plan.with_column("smokes", role="keep"))
    document.set_last_release(tmp_path)
    mine, data = document.plan, document.table
    open_table(document, other_file(tmp_path), qtbot)
    other = (document.plan, document.table)
    assert (document.table_path, document.plan_path) == (tmp_path / "other.csv", None)
    for _ in range(2):
        document.undo_stack.undo()
        assert (document.plan, document.table) == (mine, data)
        assert (document.table_path, document.plan_path) == (first_file, tmp_path / "plan.json")
        assert document.last_release == tmp_path
        assert document.is_dirty
        document.undo_stack.redo()
        assert (document.plan, document.table) == other
        assert (document.table_path, document.plan_path) == (tmp_path / "other.csv", None)
        assert document.last_release is None
