from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from dpdesk.data.sample import load_sample
from dpdesk.domains import Categorical
from dpdesk.gui.pages.data.categories_editor import CategoryModel
from dpdesk.gui.pages.data.confirm_dialog import ConfirmDomains
from dpdesk.gui.pages.data.rows_view import RowsModel
from dpdesk.gui.pages.data.variable_table import (
    COLUMN,
    DOMAIN,
    ROLE,
    DetailRole,
    SignRole,
    VariableModel,
)
from dpdesk.plan import ColumnPlan, Plan, draft_table


def watched(model):
    return QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)


def confirm_dialog() -> ConfirmDomains:
    shown = [w for w in QApplication.topLevelWidgets() if isinstance(w, ConfirmDomains)]
    return next(w for w in shown if w.isVisible())


def test_that_the_variable_model_keeps_the_rules_of_models_through_edits(qapp):
    model = VariableModel()
    tester = watched(model)
    plan = draft_table(load_sample())
    model.set_plan(plan)
    model.set_plan(plan.with_column("age", label="Age"))
    model.set_plan(plan.with_columns(plan.columns[2:]))
    assert model.rowCount() == 7
    assert tester.model() is model


def test_that_the_rows_model_keeps_the_rules_of_models_and_copies_nothing(qapp):
    model = RowsModel()
    tester = watched(model)
    table = load_sample()
    model.set_table(table)
    assert (model.rowCount(), model.columnCount()) == (6366, 9)
    assert model.index(0, 1).data() == table.text(0, 1)
    model.set_table(None)
    assert model.rowCount() == 0
    assert tester.model() is model


def test_that_the_category_model_keeps_the_rules_of_models_through_edits(qapp):
    taken = []
    across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical

    def replace(domain):
        taken.append(domain)
        model.set_domain(domain)
        return ""

    model = CategoryModel(replace)
    tester = watched(model)
    model.set_domain(Categorical(values=("a", "b")))
    assert model.setData(model.begin_category(), "c")
    assert model.move(2, -1) == 1
    model.remove(0)
    model.begin_category()
    model.give_up_category()
    assert taken[-1].values == ("c", "b")
    assert [model.headerData(column, across) for column in (0, 1)] == ["Category", "Meaning"]
    assert model.headerData(0, across, Qt.ItemDataRole.DecorationRole) is None
    # A list that is longer than two has rows without heads.
    assert model.headerData(2, down) is None
    assert tester.model() is model


def test_that_everything_unconfirmed_is_marked_with_a_sign_and_a_word(opened):
    model = opened.variables.view.variables()
    row = model.row_of("city")
    assert model.index(row, DOMAIN).data() == "3 categories"
    assert model.index(row, DOMAIN).data(DetailRole) == "from the data — confirm"
    assert model.index(row, DOMAIN).data(SignRole) == "warning"
    assert model.index(row, ROLE).data() == "Unassigned"
    assert model.index(row, ROLE).data(SignRole) == "warning"
    spoken = model.index(row, DOMAIN).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "3 categories, from the data — confirm"


def test_that_only_what_waits_or_is_done_is_marked(opened, document):
    plan = document.plan
    for name, role in (("id", "drop"), ("age", "keep"), ("smokes", "protect")):
        plan = plan.with_column(name, role=role)
    document.edit("roles", plan.with_column("age", confirmed=True))
    model = opened.variables.view.variables()

    def marked() -> dict[str, list[str]]:
        return {
            column.name: [model.index(row, place).data(SignRole) for place in range(ROLE + 1)]
            for row, column in enumerate(document.plan.columns)
        }

    assert marked() == {
        "id": ["", "", "", "", "", ""],
        "age": ["", "", "", "success", "", "warning"],
        "city": ["", "", "", "warning", "", "warning"],
        "smokes": ["", "", "", "warning", "", ""],
    }
    document.edit("keep", document.plan.with_column("age", keep_confirmed=True))
    assert marked()["age"] == ["", "", "", "success", "", "success"]
    assert model.index(model.row_of("age"), ROLE).data(DetailRole) == "confirmed"


def test_that_domains_are_said_in_short(opened):
    model = opened.variables.view.variables()
    assert model.index(model.row_of("age"), DOMAIN).data() == "18–77, step 1"
    assert model.index(model.row_of("id"), DOMAIN).data() == "–"


def test_that_all_domains_are_confirmed_as_one_step_with_the_name_of_who_did(
    qtbot, opened, document
):
    opened.commands.confirm_all.trigger()
    dialog = confirm_dialog()
    # Telling bounds are confirmed by hand.
    dialog.view.waiting.tick_all(True)
    dialog.reading.setChecked(True)
    qtbot.keyClicks(dialog.person, "Ada Berg")
    qtbot.mouseClick(dialog.confirm_button, Qt.MouseButton.LeftButton)
    assert all(column.confirmed for column in document.plan.columns if column.domain)
    assert document.plan.details.confirmed_by == "Ada Berg"
    model = opened.variables.view.variables()
    assert model.index(model.row_of("city"), DOMAIN).data(SignRole) == "success"
    assert not opened.commands.confirm_all.isEnabled()
    document.undo_stack.undo()
    assert not any(column.confirmed for column in document.plan.columns)
    assert document.plan.details.confirmed_by == ""


def test_that_the_question_for_all_domains_counts_those_read_off_the_data(qtbot, opened):
    opened.confirm_all()
    texts = [label.text() for label in confirm_dialog().findChildren(type(opened.notice._message))]
    assert "3 domains wait for a confirmation." in texts
    assert any(text.startswith("3 of them were read off the data") for text in texts)
    confirm_dialog().reject()


def test_that_all_unassigned_columns_are_protected_as_one_step(opened, document):
    opened.commands.protect_all.trigger()
    assert [c.name for c in document.plan.protected] == ["age", "city", "smokes"]
    assert not opened.commands.protect_all.isEnabled()
    document.undo_stack.undo()
    assert not document.plan.protected


def test_that_from_a_file_to_a_plan_without_domain_errors_it_takes_two_actions(
    qtbot, opened, document
):
    opened.commands.confirm_all.trigger()
    dialog = confirm_dialog()
    dialog.view.waiting.tick_all(True)
    dialog.reading.setChecked(True)
    dialog.accept()
    opened.commands.protect_all.trigger()
    assert not [problem for problem in document.problems if problem.severity == "error"]
    done = "Every domain is confirmed and every column has a role."
    assert opened.variables.state_text() == done


def test_that_weights_without_a_role_are_counted_apart_as_in_the_list_of_problems(opened):
    columns = (ColumnPlan(name="city", kind="nominal"), ColumnPlan(name="w", kind="weight"))
    opened.variables.set_plan(Plan(columns=columns))
    assert opened.variables.state_text().startswith(
        "1 column unassigned · 1 column of weights unassigned"
    )


def test_that_the_chosen_column_is_edited_and_highlighted_in_the_rows(opened):
    opened.variables.view.choose("city")
    assert opened.selection.name == "city"
    assert opened.editor.rows.currentIndex().column() == 2
    opened.editor.rows.columnChosen.emit("smokes")
    assert opened.variables.view.name() == "smokes"


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("columns.city.domain", "public"),
        ("columns.city.missing", "policy"),
        ("columns.city.role", "protect"),
        ("columns.city.label", "label"),
        ("columns.city.kind", "kind"),
    ],
)
def test_that_a_path_of_a_problem_leads_to_its_field(opened, path, field):
    opened.show_path(path)
    editor = opened.editor
    fields = {
        "public": editor.domain.public,
        "policy": editor.missing.policy,
        "protect": editor.role.buttons["protect"],
        "label": editor.identity.label,
        "kind": editor.identity.kind,
    }
    assert opened.selection.name == "city"
    assert fields[field].hasFocus()


def test_that_a_name_with_a_dot_is_found_by_its_path(page, tmp_path, document, wait):
    path = tmp_path / "dots.csv"
    path.write_text("a,a.domain\nx,1\ny,2\n", encoding="utf-8")
    page.open_file(path)
    wait()
    page.show_path("columns.a.domain.role")
    assert page.selection.name == "a.domain"


def test_that_enter_and_f2_go_from_the_list_to_the_editor(qtbot, opened):
    view = opened.variables.view
    for key in (Qt.Key.Key_Return, Qt.Key.Key_F2):
        view.setFocus()
        view.setCurrentIndex(view.variables().index(1, COLUMN))
        qtbot.keyClick(view, key)
        assert opened.editor.identity.label.hasFocus()


def test_that_columns_that_the_plan_lacks_can_be_added_in_the_order_of_the_file(opened, document):
    plan = document.plan
    document.reset(plan.with_columns((plan.columns[3], plan.columns[1])))
    assert opened.commands.add_columns.isVisible()
    opened.commands.add_columns.trigger()
    assert [c.name for c in document.plan.columns] == ["id", "age", "city", "smokes"]
    assert not opened.commands.add_columns.isVisible()


def test_that_a_column_that_the_file_lacks_can_be_removed(opened, document):
    plan = document.plan
    stray = plan.columns[0].model_copy(update={"name": "gone"})
    document.reset(plan.with_columns((*plan.columns, stray)))
    opened.variables.view.choose("gone")
    assert opened.commands.remove.isVisible()
    opened.commands.remove.trigger()
    assert "gone" not in [c.name for c in document.plan.columns]
    assert not opened.commands.remove.isVisible()


def test_that_a_hidden_page_catches_up_when_it_is_shown(opened, document):
    opened.hide()
    document.edit("x", document.plan.with_column("city", label="Home town"))
    opened.show()
    assert opened.variables.view.variables().row(2).label == "Home town"
