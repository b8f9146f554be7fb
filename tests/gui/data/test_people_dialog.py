"""People in several rows: the window asks what of each counts, and records follow."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdesk.gui.pages.data.people_dialog import PeopleDialog
from dpdesk.plan.losses import plan_cost


@pytest.fixture
def dialog(page, wait, tmp_path: Path) -> PeopleDialog:
    """The question about a file of 40 people with three rows each."""
    rows = [f"{row % 40},{row % 2},{row % 7}" for row in range(120)]
    path = tmp_path / "panel.csv"
    path.write_text("\n".join(["person_id,smoke,mood", *rows]) + "\n", "utf-8")
    page.open_file(path)
    wait()
    assert page.commands.people.isVisible()
    page.show_path("statistics.unit")
    (shown,) = page.window().findChildren(PeopleDialog)
    return shown


def _codes(document) -> set[str]:
    return {problem.code for problem in document.problems}


def test_that_a_repeated_identifier_is_a_problem_until_one_row_of_each_counts(dialog, document):
    assert "persons_in_several_rows" in _codes(document)
    dialog.first.setChecked(True)
    dialog.accept()
    unit = document.plan.statistics.unit
    assert (unit.respondent_column, unit.rows_per_respondent) == ("person_id", 1)
    assert "persons_in_several_rows" not in _codes(document)
    assert (document.plan.respondents, document.plan.judged_respondents) == (40, 40)
    document.undo_stack.undo()
    assert "persons_in_several_rows" in _codes(document)


def test_that_several_rows_multiply_the_loss(dialog, document, page):
    page.commands.protect_all.trigger()
    before = plan_cost(document.plan).epsilon
    dialog.several.setChecked(True)
    assert dialog.rows.value() == 3
    dialog.accept()
    cost = plan_cost(document.plan)
    assert (cost.epsilon, cost.unit) == (3 * before, "one respondent, at most 3 rows")
    assert "persons_in_several_rows" not in _codes(document)
    assert "over_budget" in _codes(document)


def test_that_every_row_can_be_another_person(dialog, document):
    dialog.each.setChecked(True)
    dialog.accept()
    assert document.plan.statistics.unit.one_row_each
    assert "persons_in_several_rows" not in _codes(document)
    assert document.plan.judged_respondents == 120


def test_that_rows_are_joined_and_taken_apart(dialog, document, page):
    before = document.plan
    dialog.joined.setChecked(True)
    assert dialog.rows.value() == 3
    dialog.accept()
    joining = document.plan.reading.joined_rows
    # The parity of a person's number is that of each row of theirs; the mood is that of the row.
    assert (joining.by, joining.most, joining.same) == ("person_id", 3, ("smoke",))
    names = ["person_id", "smoke", "mood_1", "mood_2", "mood_3"]
    assert [column.name for column in document.plan.columns] == names
    assert document.table.names == tuple(names)
    assert (document.table.rows, document.plan.respondents) == (40, 40)
    assert plan_cost(document.plan).unit == "one respondent, one row"
    assert not _codes(document) & {"persons_in_several_rows", "reading_differs"}
    # Which columns a person has once was read off the answers.
    assert "reading_unconfirmed" in _codes(document)
    page.show_path("statistics.unit")
    again = page.window().findChildren(PeopleDialog)[-1]
    assert (again.joined.isChecked(), again.rows.value()) == (True, 3)
    again.each.setChecked(True)
    again.accept()
    assert document.table.names == ("person_id", "smoke", "mood")
    assert (document.table.rows, document.plan.respondents) == (120, 120)
    for _ in range(2):
        document.undo_stack.undo()
    assert document.plan == before
    assert (document.table.rows, document.table.names) == (120, ("person_id", "smoke", "mood"))
    document.undo_stack.redo()
    assert document.table.rows == document.plan.judged_respondents == 40


def test_that_a_joined_file_that_is_read_again_stays_joined(dialog, document, page, wait):
    dialog.joined.setChecked(True)
    dialog.accept()
    joined = document.plan.columns
    document.open_table(document.table_path, decimal=".")
    wait()
    assert document.table.rows == 40
    assert document.plan.columns == joined


def test_that_ok_alone_declares_no_column_as_people(page, wait, document, tmp_path: Path):
    path = tmp_path / "moods.csv"
    path.write_text("\n".join(["smoke,mood", *(f"{i % 2},{i % 7}" for i in range(120))]), "utf-8")
    page.open_file(path)
    wait()
    respondents = document.plan.respondents
    page.show_path("statistics.unit")
    (shown,) = page.window().findChildren(PeopleDialog)
    shown.accept()
    assert document.plan.statistics.unit.respondent_column == ""
    assert document.plan.respondents == respondents
    assert [column.role for column in document.plan.columns].count("drop") == 0
