from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox
from pytestqt.qtbot import QtBot

from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan import PlanPage
from dpdesk.gui.pages.plan.law_plots import NoisePlot
from dpdesk.gui.pages.plan.words import mechanism_title
from dpdesk.gui.reading_order import tab_stops
from dpdesk.mechanisms import fitting
from dpdesk.plan import ColumnPlan, Plan, total_epsilon
from dpdesk.queries import PrivacyUnit
from tests.gui.plan.survey_plans import mechanism, undecided_plan


def epsilon_of(document: Document, name: str) -> Decimal:
    chosen = document.plan.column(name).mechanism
    assert chosen is not None
    return chosen.epsilon


def kind_of(document: Document, name: str) -> str:
    chosen = document.plan.column(name).mechanism
    assert chosen is not None
    return chosen.kind


def items(box: QComboBox) -> list[str]:
    return [box.itemText(i) for i in range(box.count()) if box.itemText(i)]


def choose(box: QComboBox, text: str) -> None:
    index = next(i for i in range(box.count()) if box.itemText(i).startswith(text))
    box.setCurrentIndex(index)
    box.activated.emit(index)


def type_epsilon(page: PlanPage, qtbot: QtBot, text: str) -> None:
    field = page.records.panel.epsilon.field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_that_only_mechanisms_that_fit_are_offered(page: PlanPage) -> None:
    box = page.records.panel.assignment
    for name in ("happy", "age"):
        page.select(name)
        domain = page.document.plan.column(name).effective_domain
        assert domain is not None
        assert items(box) == [
            *(mechanism_title(kind) for kind in fitting(domain)),
            "Not protected — released as it is",
            "Dropped — not released",
        ]
        assert {"GRR — generalized randomized response", "Duchi's one-bit mechanism"} & {
            *items(box)
        }


def test_that_another_mechanism_keeps_the_epsilon(document: Document, page: PlanPage) -> None:
    choose(page.records.panel.assignment, "OUE")
    assert kind_of(document, "happy") == "oue"
    assert epsilon_of(document, "happy") == 2
    assert document.undo_stack.count() == 1


def test_that_a_typed_epsilon_is_taken_exactly(
    document: Document, page: PlanPage, qtbot: QtBot
) -> None:
    type_epsilon(page, qtbot, "1.2345")
    assert epsilon_of(document, "happy") == Decimal("1.2345")
    assert document.undo_stack.count() == 1


@pytest.mark.parametrize("wrong", ["abc", "0", "41", "1e3", "nan", "1,5"])
def test_that_a_wrong_epsilon_is_refused_in_place(
    document: Document, page: PlanPage, qtbot: QtBot, wrong: str
) -> None:
    type_epsilon(page, qtbot, wrong)
    assert epsilon_of(document, "happy") == 2
    assert page.records.panel.epsilon.error_text()
    assert document.undo_stack.count() == 0


def test_that_a_drag_is_one_step_of_undo(document: Document, page: PlanPage) -> None:
    slider = page.records.panel.epsilon.slider
    slider.setSliderDown(True)
    for position in range(700, 760, 5):
        slider.setSliderPosition(position)
    slider.setSliderDown(False)
    assert epsilon_of(document, "happy") != 2
    assert document.undo_stack.count() == 1
    slider.setSliderDown(True)
    slider.setSliderPosition(500)
    slider.setSliderDown(False)
    assert document.undo_stack.count() == 2
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert epsilon_of(document, "happy") == 2


def test_that_drags_of_two_attributes_are_two_steps(document: Document, page: PlanPage) -> None:
    for name in ("happy", "age"):
        page.select(name)
        slider = page.records.panel.epsilon.slider
        slider.setSliderDown(True)
        slider.setSliderPosition(640)
        slider.setSliderDown(False)
    assert document.undo_stack.count() == 2


def test_that_undo_shows_the_old_epsilon_and_its_figures(
    document: Document, page: PlanPage, qtbot: QtBot
) -> None:
    type_epsilon(page, qtbot, "0.5")
    tile = page.records.panel.figures.figures.tiles[0]
    qtbot.waitUntil(lambda: tile.value() == "± 5.2 pp")
    document.undo_stack.undo()
    qtbot.waitUntil(lambda: tile.value() == "± 1.4 pp")
    assert page.records.panel.epsilon.field.text() == "2.00"


def test_that_a_locked_epsilon_survives_a_new_split(document: Document, page: PlanPage) -> None:
    page.records.panel.lock.click()
    assert document.plan.column("happy").locked
    page.records.header.split.click()
    assert epsilon_of(document, "happy") == 2
    assert total_epsilon(document.plan) == 8
    assert {epsilon_of(document, n) for n in ("affairs", "age", "income", "occupation")} == {
        Decimal("1.5")
    }
    assert document.undo_stack.count() == 2


def test_that_a_split_that_cannot_be_made_says_why(document: Document, page: PlanPage) -> None:
    document.edit("no budget", document.plan.with_fields(budget=None))
    page.records.header.split.click()
    assert "no budget to split" in page.records.notice.message()
    assert total_epsilon(document.plan) == 7


def test_that_choose_best_is_one_step_and_says_why(document: Document, page: PlanPage) -> None:
    document.edit("worse", document.plan.with_column("happy", mechanism=mechanism("sue", "2")))
    page.records.header.best.click()
    assert kind_of(document, "happy") == "grr"
    assert kind_of(document, "age") == "piecewise"
    assert document.undo_stack.count() == 2
    said = page.records.notice.message().replace("\u00a0", " ")
    assert "happy takes GRR (± 1.4 pp) instead of SUE (± 2.1 pp)" in said
    assert "age takes Piecewise (± 0.86 years) instead of Bounded Laplace (± 2.3 years)" in said
    document.undo_stack.undo()
    assert kind_of(document, "happy") == "sue"
    assert kind_of(document, "age") == "bounded_laplace"


def test_that_choose_best_with_nothing_to_do_changes_nothing(
    document: Document, page: PlanPage
) -> None:
    page.records.header.best.click()
    page.records.header.best.click()
    assert document.undo_stack.count() == 1
    assert "Nothing to change" in page.records.notice.message()


def test_that_a_better_mechanism_is_named_and_one_click_away(
    document: Document, page: PlanPage
) -> None:
    assert "least error" in page.records.panel.advice.text()
    page.select("age")
    assert (
        "Piecewise has a smaller error at this ε: ± 0.86 years" in page.records.panel.advice.text()
    )
    page.records.panel.advice.linkClicked.emit()
    assert kind_of(document, "age") == "piecewise"


def test_that_a_typed_error_solves_for_epsilon(
    document: Document, page: PlanPage, qtbot: QtBot
) -> None:
    field = page.records.panel.error.field
    qtbot.keyClicks(field, "± 2.5 pp")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert epsilon_of(document, "happy") == Decimal("1.02")
    tile = page.records.panel.figures.figures.tiles[0]
    qtbot.waitUntil(lambda: tile.value() == "± 2.5 pp")
    assert document.undo_stack.count() == 1


@pytest.mark.parametrize(
    ("typed", "said"), [("0.5", "even without protection"), ("much", "not an error in numbers")]
)
def test_that_an_error_out_of_reach_is_refused_in_place(
    document: Document, page: PlanPage, qtbot: QtBot, typed: str, said: str
) -> None:
    field = page.records.panel.error.field
    qtbot.keyClicks(field, typed)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert said in field.accessibleDescription()
    assert epsilon_of(document, "happy") == 2
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert not field.accessibleDescription()


def test_that_a_note_is_kept_with_its_attribute(
    document: Document, page: PlanPage, qtbot: QtBot
) -> None:
    note = page.records.panel.note
    qtbot.keyClicks(note, "asked of everybody")
    qtbot.keyClick(note, Qt.Key.Key_Return)
    assert document.plan.column("happy").note == "asked of everybody"
    page.select("age")
    assert note.text() == ""
    page.select("happy")
    assert note.text() == "asked of everybody"


def test_that_an_attribute_can_be_dropped_kept_and_protected_again(
    document: Document, page: PlanPage
) -> None:
    choose(page.records.panel.assignment, "Dropped")
    assert document.plan.column("happy").role == "drop"
    assert page.records.panel.unprotected.isVisible()
    assert page.records.panel.unprotected.heading() == "This attribute is dropped."
    page.records.panel.unprotected.keep.click()
    kept = document.plan.column("happy")
    assert (kept.role, kept.keep_confirmed) == ("keep", False)
    page.records.panel.unprotected.keep.click()
    assert document.plan.column("happy").keep_confirmed
    assert not page.records.panel.unprotected.keep.isVisible()
    page.records.panel.unprotected.protect.click()
    assert document.plan.column("happy").role == "protect"
    assert epsilon_of(document, "happy") == 2
    assert page.records.panel.shown.isVisible()


def test_that_an_identifier_cannot_be_protected(page: PlanPage) -> None:
    page.select("respid")
    assert not page.records.panel.unprotected.protect.isEnabled()
    assert items(page.records.panel.assignment) == [
        "Not protected — released as it is",
        "Dropped — not released",
    ]


def test_that_everything_undecided_is_protected_in_one_step(
    document: Document, open_page: Callable[[Plan], PlanPage]
) -> None:
    page = open_page(undecided_plan().with_fields(budget=Decimal(3)))
    assert page.records.panel.assignment.currentText() == "Choose…"
    page.records.panel.unprotected.protect_all.click()
    assert [c.role for c in document.plan.columns] == ["protect", "protect"]
    assert total_epsilon(document.plan) == 3
    assert document.undo_stack.count() == 1


def test_that_only_columns_that_can_be_protected_are_counted_as_to_be_protected(
    open_page: Callable[[Plan], PlanPage],
) -> None:
    plan = undecided_plan()
    weights = ColumnPlan(name="weight", kind="weight")
    page = open_page(plan.with_columns((*plan.columns, weights)))
    protect_all = page.records.panel.unprotected.protect_all
    assert protect_all.text() == "Protect all 2 unassigned attributes"


def test_that_the_budget_is_changed_and_split_in_one_step(
    document: Document, page: PlanPage, qtbot: QtBot
) -> None:
    page.records.header.change_budget.click()
    editor = page.records.header.editor
    assert editor.field.text() == "8.00"
    editor.field.setText("10")
    editor.split.click()
    assert document.plan.budget == 10
    assert total_epsilon(document.plan) == 10
    assert document.undo_stack.count() == 1
    assert not editor.isVisible()


@pytest.mark.parametrize("wrong", ["", "0", "-1", "10000", "8,5", "inf"])
def test_that_a_wrong_budget_is_refused_in_place(
    document: Document, page: PlanPage, qtbot: QtBot, wrong: str
) -> None:
    page.records.header.change_budget.click()
    editor = page.records.header.editor
    editor.field.setText(wrong)
    qtbot.keyClick(editor.field, Qt.Key.Key_Return)
    assert document.plan.budget == 8
    assert "above 0" in editor.error_text()
    editor.close()


def test_that_a_wrong_budget_is_refused_while_it_is_typed_or_when_the_field_is_left(
    page: PlanPage, qtbot: QtBot
) -> None:
    page.records.header.change_budget.click()
    editor = page.records.header.editor
    for wrong in ("abc", "-1"):
        editor.field.clear()
        qtbot.keyClicks(editor.field, wrong)
        assert "above 0" in editor.error_text()
    editor.field.clear()
    # It may become 0.5.
    qtbot.keyClicks(editor.field, "0")
    assert not editor.error_text()
    qtbot.keyClick(editor.field, Qt.Key.Key_Tab)
    assert "above 0" in editor.error_text()
    editor.close()


def test_that_the_button_of_the_purpose_says_why_it_does_not_work(
    document: Document, page: PlanPage
) -> None:
    button = page.records.header.strategy.purpose
    assert "Ctrl+U" in button.toolTip()
    kept = [column.model_copy(update={"role": "drop"}) for column in document.plan.columns]
    document.edit("drop", document.plan.with_columns(kept))
    assert not button.isEnabled()
    assert button.toolTip().startswith("Protect a column first")


def test_that_no_budget_is_no_limit(document: Document, page: PlanPage) -> None:
    page.records.header.change_budget.click()
    page.records.header.editor.none.click()
    assert document.plan.budget is None
    assert "no budget" in page.records.header.budget.accessibleDescription()


def test_that_the_page_can_be_used_by_keyboard_alone(
    document: Document, page: PlanPage, qtbot: QtBot
) -> None:
    page.activateWindow()
    page.records.table.setFocus()
    qtbot.keyClick(page.records.table, Qt.Key.Key_Down)
    qtbot.keyClick(page.records.table, Qt.Key.Key_Return)
    field = page.records.panel.epsilon.field
    assert QApplication.focusWidget() is field
    field.selectAll()
    qtbot.keyClicks(field, "0.8")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert epsilon_of(document, "affairs") == Decimal("0.8")
    control = Qt.KeyboardModifier.ControlModifier
    shift = control | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(page, Qt.Key.Key_L, control)
    assert document.plan.column("affairs").locked
    qtbot.keyClick(page, Qt.Key.Key_R, control)
    assert total_epsilon(document.plan) == 8
    assert epsilon_of(document, "affairs") == Decimal("0.8")
    qtbot.keyClick(page, Qt.Key.Key_D, shift)
    assert document.plan.column("affairs").role == "drop"
    qtbot.keyClick(page, Qt.Key.Key_P, shift)
    assert document.plan.column("affairs").role == "protect"
    with qtbot.waitSignal(page.goTo) as told:
        qtbot.keyClick(page, Qt.Key.Key_Return, control)
    assert told.args == ["release", ""]


def test_that_tab_walks_the_page_in_reading_order(page: PlanPage) -> None:
    # The window follows this order: a view has its place in it however late it is made.
    protected = page.records.panel
    protected.tabs.go_to(NoisePlot)
    wanted = [
        page.records.header.budget,
        page.records.header.best,
        page.records.header.release,
        page.records.table,
        page.records.panel.assignment,
        protected.epsilon.slider,
        protected.tabs.tabs,
        protected.tabs.view(NoisePlot).plot,
        protected.error.field,
        protected.note,
    ]
    stops = tab_stops([page])
    places = [stops.index(widget) for widget in wanted]
    assert places == sorted(places)


def test_that_the_advice_follows_a_drag_and_its_link_never_goes_back_to_an_older_epsilon(
    document: Document, page: PlanPage, qtbot: QtBot
) -> None:
    page.select("age")
    for epsilon in ("2.1", "2.2", "2.3"):
        page.records.edits.set_epsilon("age", Decimal(epsilon))
    last = page.records.panel.advice.text()
    qtbot.waitUntil(lambda: page.records.panel.advice.text() != last)
    page.records.edits.set_epsilon("age", Decimal("2.4"))
    page.records.panel.advice.linkClicked.emit()
    assert kind_of(document, "age") == "piecewise"
    assert epsilon_of(document, "age") == Decimal("2.4")


@pytest.mark.parametrize(("rows", "counted"), [(0, "respondents"), (1, "respondents"), (3, "rows")])
def test_that_rows_of_which_a_respondent_has_several_are_not_called_respondents(
    page: PlanPage, document: Document, rows: int, counted: str
) -> None:
    unit = PrivacyUnit()
    if rows:
        unit = PrivacyUnit(respondent_column="affairs", rows_per_respondent=rows)
    statistics = document.plan.statistics.model_copy(update={"unit": unit})
    document.edit("unit", document.plan.with_fields(statistics=statistics))
    people, _, model = page.records.header._facts(document.plan).split(" · ")
    assert people.endswith(f" {counted}")
    assert ("one row is one respondent" in model) == (not rows)
