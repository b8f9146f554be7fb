from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from dpdesk.domains import Integer
from dpdesk.gui.pages.data.column_editor import ROWS
from dpdesk.plan.texts import T


@pytest.fixture
def questionnaire(qtbot, page):
    page.start.respondents.setValue(2500)
    qtbot.mouseClick(page.start.questionnaire_button, Qt.MouseButton.LeftButton)
    return page


def names(page) -> list[str]:
    return [column.name for column in page.document.plan.columns]


def rename(qtbot, line: QLineEdit, text: str) -> None:
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)


def test_that_a_questionnaire_begins_with_a_question_whose_name_is_to_be_typed(questionnaire):
    assert questionnaire.document.plan.respondents == 2500
    assert names(questionnaire) == ["question_1"]
    assert questionnaire.editor.identity.name.hasFocus()
    assert questionnaire.header.facts() == "Questionnaire without data · 1 question"
    assert questionnaire.editor.tabs.isTabVisible(ROWS)
    questionnaire.editor.tabs.setCurrentIndex(ROWS)
    assert questionnaire.editor.open_button.isVisible()
    assert not questionnaire.editor.rows.isVisible()


def test_that_questions_are_added_renamed_moved_and_removed(qtbot, questionnaire):
    page = questionnaire
    rename(qtbot, page.editor.identity.name, "smokes")
    assert names(page) == ["smokes"]
    assert page.selection.name == "smokes"
    page.commands.add.trigger()
    rename(qtbot, page.editor.identity.name, "age")
    assert names(page) == ["smokes", "age"]
    page.commands.move_up.trigger()
    assert names(page) == ["age", "smokes"]
    assert page.selection.name == "age"
    assert not page.commands.move_up.isEnabled()
    page.commands.remove.trigger()
    assert names(page) == ["smokes"]
    assert page.selection.name == "smokes"
    page.document.undo_stack.undo()
    assert names(page) == ["age", "smokes"]


def test_that_undoing_a_new_name_keeps_the_question_chosen(qtbot, questionnaire):
    page = questionnaire
    page.commands.add.trigger()
    rename(qtbot, page.editor.identity.name, "age")
    page.document.undo_stack.undo()
    assert page.selection.name == "question_2"
    assert page.editor.identity.name.text() == "question_2"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "This must not be empty."),
        ("question_1", T.NAME_TAKEN(name="question_1")),
        ("n" * 1001, "This is too long."),
    ],
)
def test_that_a_wrong_name_is_refused_in_place(questionnaire, text, sentence):
    page = questionnaire
    page.commands.add.trigger()
    line = page.editor.identity.name
    line.setText(text)
    line.commit()
    assert names(page) == ["question_1", "question_2"]
    assert page.editor.identity.refusal().startswith(sentence)
    assert line.text() == text


def test_that_kinds_of_a_question_begin_with_a_domain_that_is_not_confirmed(questionnaire):
    page = questionnaire
    kind = page.editor.identity.kind
    kind.setCurrentIndex(kind.findData("integer"))
    kind.activated.emit(kind.currentIndex())
    column = page.document.plan.column("question_1")
    assert column.domain == Integer(lower=0, upper=10)
    assert (column.confirmed, column.provenance) == (False, "declared")
    kind.setCurrentIndex(kind.findData("identifier"))
    kind.activated.emit(kind.currentIndex())
    assert page.document.plan.column("question_1").domain is None


def test_that_steps_of_the_expected_respondents_in_a_row_are_one_step_of_undo(qtbot, questionnaire):
    page = questionnaire
    before = page.document.undo_stack.count()
    page.header.respondents.stepUp()
    page.header.respondents.stepUp()
    assert page.document.plan.respondents == 2700
    assert page.document.undo_stack.count() == before + 1
    page.document.undo_stack.undo()
    assert page.header.respondents.value() == 2500


def test_that_the_last_question_can_be_removed_and_another_added(questionnaire):
    page = questionnaire
    page.commands.remove.trigger()
    assert names(page) == []
    assert page.selection.column is None
    assert not page.commands.remove.isEnabled()
    page.commands.add.trigger()
    assert names(page) == ["question_1"]
    assert page.selection.name == "question_1"


def test_that_a_questionnaire_is_planned_to_the_end_by_hand(questionnaire):
    page = questionnaire
    page.editor.domain.public.click()
    page.editor.role.buttons["protect"].click()
    # How many will say yes is asked; nothing blocks.
    assert [problem.code for problem in page.document.problems] == ["no_prevalence"]
    with_signal = []
    page.goTo.connect(lambda key, path: with_signal.append((key, path)))
    page.header.plan_button.click()
    assert with_signal == [("plan", "")]
