from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.designs.planning import (
    Question,
    Share,
    Stratum,
    allocate,
    plan_of_questionnaire,
    plan_of_strata,
    respondents_for_strata,
)
from dpdesk.gui.document import Document
from dpdesk.gui.pages.simulate import SimulatePage
from dpdesk.gui.pages.simulate.planning.view import QUESTIONS, STRATA, SamplePlanningView
from dpdesk.gui.pages.simulate.take_over import COLUMN
from tests.gui.simulate.planning_steps import (
    TWO_COINS,
    type_into,
    values,
    write,
)


def test_that_strata_follow_the_table(
    page: SimulatePage, placed: SamplePlanningView, qtbot: QtBot
) -> None:
    view = placed
    view.set_kind(STRATA)
    strata = (Stratum(0.6, Share(0.02)), Stratum(0.3, Share(0.4)), Stratum(0.1, Share(0.1)))
    table = view.strata.table
    for row, (people, share) in enumerate((("6,000", "2"), ("3000", "40 %"), ("1000", "10"))):
        write(table, row, 1, people)
        write(table, row, 2, share)
    counts = allocate(TWO_COINS, strata, 3586, "neyman")
    plan = plan_of_strata(TWO_COINS, strata, counts)
    found = view.strata.found()
    assert found is not None
    assert found.plan == plan
    texts = view.strata.model.texts()
    assert [row[3] for row in texts] == [f"{n:,}" for n in counts]
    view.strata.wanted.setCurrentIndex(1)
    view.strata.wanted.activated.emit(1)
    type_into(view.strata.margin, "2", qtbot)
    needed = respondents_for_strata(TWO_COINS, strata, 0.02, "neyman")
    assert values(view)[0] == f"{needed.total:,}"
    view.take.click()
    assert page.scenario().respondents == needed.total


def test_that_respondents_of_strata_can_be_typed(view: SamplePlanningView) -> None:
    view.set_kind(STRATA)
    view.strata.allocation.setCurrentIndex(2)
    view.strata.allocation.activated.emit(2)
    for row, people in enumerate(("500", "1,000", "250")):
        write(view.strata.table, row, 3, people)
    strata = (Stratum(0.5, Share(0.05)), Stratum(0.3, Share(0.1)), Stratum(0.2, Share(0.25)))
    found = view.strata.found()
    assert found is not None
    assert found.plan == plan_of_strata(TWO_COINS, strata, (500, 1000, 250))
    write(view.strata.table, 1, 3, "1")
    assert view.strata.found() is None
    assert "at least 2 respondents" in view.refusal.text()
    assert view.strata.model.texts()[1][3] == "1"


def test_that_a_wrong_cell_is_marked_and_kept(view: SamplePlanningView) -> None:
    view.set_kind(STRATA)
    write(view.strata.table, 1, 2, "none")
    model = view.strata.model
    index = model.index(1, 2)
    assert index.data() == "none"
    refusal = index.data(Qt.ItemDataRole.AccessibleDescriptionRole)
    assert "not a number" in refusal
    assert view.strata.table.refusal.text() == f"Row 2, Share: {refusal}"
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Share: none"
    assert values(view) == ["—"] * 4
    write(view.strata.table, 1, 2, "12")
    assert view.strata.found() is not None
    assert not view.strata.table.refusal.isVisibleTo(view)


def test_that_rows_are_added_and_removed_by_the_keyboard(
    view: SamplePlanningView, qtbot: QtBot
) -> None:
    view.set_kind(STRATA)
    table = view.strata.table
    qtbot.keyClick(table.add, Qt.Key.Key_Space)
    assert table.model.rowCount() == 4
    assert table.view.currentIndex().row() == 3
    found = view.strata.found()
    assert found is not None
    assert len(found.strata) == 4
    qtbot.keyClick(table.remove, Qt.Key.Key_Space)
    assert table.model.rowCount() == 3
    for _ in range(2):
        qtbot.keyClick(table.remove, Qt.Key.Key_Space)
    assert table.model.rowCount() == 1
    assert not table.remove.isEnabled()


@pytest.mark.parametrize("split", ["least", "equal", "weighted"])
def test_that_a_questionnaire_has_the_plan_of_the_formulas(
    split, view: SamplePlanningView, qtbot: QtBot
) -> None:
    view.set_kind(QUESTIONS)
    pane = view.questions
    pane.split.setCurrentIndex(pane.split.findData(split))
    pane.split.activated.emit(0)
    type_into(pane.budget, "3", qtbot)
    write(pane.table, 1, 1, "30 %")
    write(pane.table, 1, 2, "5")
    write(pane.table, 1, 3, "2")
    questions = (
        Question(Share(0.1), 0.03),
        Question(Share(0.3), 0.05, 2.0 if split == "weighted" else 1.0),
    )
    plan = plan_of_questionnaire(TWO_COINS, questions, 3.0, split)
    found = pane.found()
    assert found is not None
    assert found.plan == plan
    assert found.names[0] == "Have you ever had an extramarital affair?"
    assert values(view)[0] == f"{plan.respondents:,}"
    assert pane.table.view.isColumnHidden(3) == (split != "weighted")


def test_that_a_budget_of_nothing_is_told_at_its_field(
    view: SamplePlanningView, qtbot: QtBot
) -> None:
    view.set_kind(QUESTIONS)
    type_into(view.questions.budget, "0", qtbot)
    assert "above 0" in view.questions.budget.refusal.text()
    assert not view.use.isEnabled()


def test_that_all_questions_go_into_the_plan_in_one_step(
    page: SimulatePage, document: Document, placed: SamplePlanningView
) -> None:
    view = placed
    view.set_kind(QUESTIONS)
    found = view.questions.found()
    assert found is not None
    view.use.click()
    columns = document.plan.columns
    assert [column.name for column in columns] == [f"{COLUMN}_1", f"{COLUMN}_2"]
    assert [column.label for column in columns] == list(found.names)
    for column, planned in zip(columns, found.plan.questions, strict=True):
        assert column.mechanism is not None
        assert 0 <= planned.epsilon - float(column.mechanism.epsilon) < 1.0001e-4
    assert document.plan.respondents == found.plan.respondents
    document.undo_stack.undo()
    assert document.plan.columns == ()
    view.questions.table.add.click()
    view.use.click()
    assert page.notice.message() == (
        f"The plan has 3 columns, {COLUMN}_1 to {COLUMN}_3. "
        f"It is for {document.plan.respondents:,} respondents."
    )
    assert len(document.plan.columns) == 3


def test_that_a_plan_of_one_report_each_refuses_a_questionnaire(
    page: SimulatePage, document: Document, placed: SamplePlanningView
) -> None:
    view = placed
    document.edit("Sample", document.plan.with_fields(strategy="smp"))
    view.set_kind(QUESTIONS)
    view.use.click()
    assert document.plan.columns == ()
    assert "reports one attribute" in page.notice.message()
