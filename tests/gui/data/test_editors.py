from __future__ import annotations

from decimal import Decimal

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLineEdit

from dpdesk.data.reading import Reading
from dpdesk.data.table import TextColumn
from dpdesk.data.texts import T
from dpdesk.domains import Categorical, Integer, Real
from dpdesk.domains.texts import T as DomainsT
from dpdesk.gui.pages.data.categories_editor import GIVEN, LARGEST_ROLE, CategoriesEditor
from dpdesk.gui.pages.data.category_dialog import CategoryDialog
from dpdesk.gui.pages.data.column_editor import DOMAIN, MISSING
from dpdesk.gui.pages.data.column_words import kind_help
from dpdesk.gui.widgets.read_table import PADDING
from dpdesk.plan import ColumnPlan
from dpdesk.plan.given_answers import given_answers
from dpdesk.plan.texts import T as PlanT


def typed(qtbot, line: QLineEdit, text: str, key: Qt.Key = Qt.Key.Key_Return) -> None:
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, key)


def chosen(page, name: str):
    page.variables.view.choose(name)
    return page.editor


def pick(combo, data) -> None:
    combo.setCurrentIndex(combo.findData(data))
    combo.activated.emit(combo.currentIndex())


def list_dialog() -> CategoryDialog:
    shown = [w for w in QApplication.topLevelWidgets() if isinstance(w, CategoryDialog)]
    return next(w for w in shown if w.isVisible())


def test_that_a_label_is_one_step_of_undo(qtbot, opened, document):
    editor = chosen(opened, "city")
    typed(qtbot, editor.identity.label, "Home town")
    assert document.plan.column("city").label == "Home town"
    assert document.undo_stack.count() == 1
    document.undo_stack.undo()
    assert editor.identity.label.text() == ""
    document.undo_stack.redo()
    assert editor.identity.label.text() == "Home town"


def test_that_a_label_of_a_thousand_and_one_characters_is_refused_in_place(qtbot, opened, document):
    editor = chosen(opened, "city")
    label = editor.identity.label
    label.setText("x" * 1001)
    label.commit()
    assert document.plan.column("city").label == ""
    assert editor.identity.refusal() == "This is too long. Use 1,000 characters at the most."
    assert len(label.text()) == 1001
    qtbot.keyClick(label, Qt.Key.Key_Escape)
    assert label.text() == ""
    assert label.property("wrong") is False


def test_that_what_is_typed_is_taken_when_another_column_is_chosen(qtbot, opened, document):
    label = chosen(opened, "city").identity.label
    label.setFocus()
    qtbot.keyClicks(label, "Town")
    opened.variables.view.choose("age")
    assert document.plan.column("city").label == "Town"
    assert document.plan.column("age").label == ""


def test_that_each_kind_of_answer_is_explained_at_its_item(opened):
    kinds = chosen(opened, "city").identity.kind
    tips = [kinds.itemData(i, Qt.ItemDataRole.ToolTipRole) for i in range(kinds.count())]
    assert tips == [kind_help(kinds.itemData(i)) for i in range(kinds.count())]
    assert len(set(tips)) == kinds.count() == 9
    assert kinds.toolTip() == tips[kinds.currentIndex()] == "Categories without an order."


def test_that_the_name_of_a_column_of_data_cannot_be_typed(opened):
    assert not chosen(opened, "city").identity.name.isVisible()


def test_that_the_reason_of_a_suggestion_stands_below_it(qtbot, opened):
    editor = chosen(opened, "city")
    reason = editor.domain._reason
    qtbot.waitUntil(lambda: reason.text() == T.DIFFERENT_ANSWERS(count=3))
    editor = chosen(opened, "id")
    assert editor.domain._reason.isVisible()


def test_that_kinds_bring_a_domain_from_the_data(opened, document):
    kind = chosen(opened, "age").identity.kind
    pick(kind, "nominal")
    column = document.plan.column("age")
    assert isinstance(column.domain, Categorical)
    assert column.domain.values[:3] == ("18", "19", "20")
    assert (column.provenance, column.confirmed) == ("suggested", False)
    pick(kind, "real")
    assert isinstance(document.plan.column("age").domain, Real)
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.plan.column("age").domain == Integer(lower=18, upper=77)
    assert kind.currentData() == "integer"


def test_that_a_kind_without_a_possible_domain_is_refused_in_place(opened, document):
    editor = chosen(opened, "city")
    pick(editor.identity.kind, "integer")
    assert document.plan.column("city").kind == "nominal"
    assert editor.identity.kind.currentData() == "nominal"
    assert editor.identity.refusal().startswith(PlanT.ONE_NUMBER(name="city"))
    pick(editor.identity.kind, "binary")
    assert editor.identity.refusal().startswith(PlanT.NOT_BINARY(name="city", categories=3))


def test_that_a_kind_without_a_domain_ends_the_protection(opened, document):
    editor = chosen(opened, "city")
    editor.role.buttons["protect"].click()
    pick(editor.identity.kind, "identifier")
    column = document.plan.column("city")
    assert (column.domain, column.role, column.mechanism) == (None, "unassigned", None)


def test_that_every_role_can_be_chosen_and_keeping_asks_for_its_own_confirmation(opened, document):
    role = chosen(opened, "city").role
    role.buttons["protect"].click()
    assert document.plan.column("city").mechanism is not None
    role.buttons["keep"].click()
    assert not document.plan.column("city").keep_confirmed
    assert role.confirm.isVisible()
    role.confirm.click()
    assert document.plan.column("city").keep_confirmed
    role.buttons["drop"].click()
    assert document.plan.column("city").role == "drop"
    role.buttons["keep"].click()
    assert not document.plan.column("city").keep_confirmed
    assert document.undo_stack.count() == 5


def test_that_protecting_what_has_no_domain_is_refused_in_place(opened, document):
    role = chosen(opened, "id").role
    role.buttons["protect"].click()
    assert document.plan.column("id").role == "drop"
    assert role.buttons["drop"].isChecked()
    assert role.refusal().startswith(PlanT.NOT_PROTECTABLE(name="id"))


def test_that_an_unassigned_column_has_no_role_chosen(opened):
    role = chosen(opened, "city").role
    assert not any(button.isChecked() for button in role.buttons.values())


def test_that_a_domain_is_confirmed_and_any_edit_of_it_needs_that_anew(qtbot, opened, document):
    editor = chosen(opened, "age")
    editor.domain.public.click()
    assert document.plan.column("age").confirmed
    typed(qtbot, editor.domain.bounds.fields["lower"], "16")
    column = document.plan.column("age")
    assert column.domain == Integer(lower=16, upper=77)
    assert (column.confirmed, column.provenance) == (False, "declared")
    assert not editor.domain.public.isChecked()
    document.undo_stack.undo()
    assert editor.domain.public.isChecked()


def test_that_the_name_of_who_confirms_is_part_of_the_plan(qtbot, opened, document):
    editor = chosen(opened, "age")
    typed(qtbot, editor.domain.person, "Ada Berg")
    assert document.plan.details.confirmed_by == "Ada Berg"
    assert chosen(opened, "city").domain.person.text() == "Ada Berg"


@pytest.mark.parametrize(
    ("field", "text", "sentence"),
    [
        ("upper", "-5", DomainsT.BOUNDS_SWAPPED()),
        ("step", "7", DomainsT.NOT_WHOLE()),
        ("step", "0", DomainsT.STEP_OF_NOTHING()),
        ("lower", "1.5", "This is not a whole number. Type digits, as in 18."),
        ("lower", "abc", DomainsT.NO_NUMBER()),
        ("upper", "", "A bound is missing. Type a number."),
        ("unit", "u" * 101, "This is too long. Use 100 characters at the most."),
    ],
)
def test_that_wrong_bounds_are_refused_in_place_and_the_old_ones_kept(
    qtbot, opened, document, field, text, sentence
):
    bounds = chosen(opened, "age").domain.bounds
    line = bounds.fields[field]
    before = document.plan
    line.setFocus()
    line.setText(text)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert document.plan == before
    assert bounds.refusal().startswith(sentence)
    assert line.property("wrong") is True
    assert line.text() == text
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    assert line.property("wrong") is False
    assert bounds.refusal() == ""


def test_that_the_refusal_goes_with_what_was_refused(qtbot, opened):
    bounds = chosen(opened, "age").domain.bounds
    line = bounds.fields["lower"]
    in_force = line.text()
    typed(qtbot, line, "100")
    assert bounds.refusal()
    line.selectAll()
    qtbot.keyClicks(line, in_force)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert bounds.refusal() == ""


def test_that_bounds_that_disagree_are_taken_once_they_agree(qtbot, opened, document):
    bounds = chosen(opened, "age").domain.bounds
    typed(qtbot, bounds.fields["lower"], "100")
    assert bounds.refusal()
    typed(qtbot, bounds.fields["upper"], "200")
    assert document.plan.column("age").domain == Integer(lower=100, upper=200)
    assert bounds.refusal() == ""
    assert bounds.fields["lower"].property("wrong") is False


def test_that_a_resolution_is_exactly_what_was_typed(qtbot, opened, document):
    editor = chosen(opened, "age")
    pick(editor.identity.kind, "real")
    typed(qtbot, editor.domain.bounds.fields["step"], "0.1")
    domain = document.plan.column("age").domain
    assert isinstance(domain, Real)
    assert domain.resolution == Decimal("0.1")
    typed(qtbot, editor.domain.bounds.fields["step"], "0.7")
    assert DomainsT.NOT_WHOLE() in editor.domain.bounds.refusal()


def in_place(qtbot, editor, index, text: str, key: Qt.Key = Qt.Key.Key_Return) -> None:
    view = editor.domain.categories.view
    view.setCurrentIndex(index)
    view.edit(index)
    # The editor of the edit before may still wait for its end.
    line = next(line for line in view.findChildren(QLineEdit) if line.isVisible())
    line.setText(text)
    end_edit(qtbot, view, line, key)


def end_edit(qtbot, view, line: QLineEdit, key: Qt.Key = Qt.Key.Key_Return) -> None:
    qtbot.keyClick(line, key)
    # Qt takes what was typed once the events before are done.
    editing = QAbstractItemView.State.EditingState
    qtbot.waitUntil(lambda: view.state() != editing)


def test_that_categories_and_their_meanings_are_edited_in_place(qtbot, opened, document):
    editor = chosen(opened, "city")
    model = editor.domain.categories.model
    in_place(qtbot, editor, model.index(0, 0), "Trondheim")
    in_place(qtbot, editor, model.index(0, 1), "the city of Trondheim")
    domain = document.plan.column("city").domain
    assert domain.values == ("Trondheim", "Moss", "Oslo")
    assert domain.labels == {"Trondheim": "the city of Trondheim"}
    in_place(qtbot, editor, model.index(0, 0), "Bodø")
    assert document.plan.column("city").domain.labels == {"Bodø": "the city of Trondheim"}
    assert document.undo_stack.count() == 3


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Oslo", DomainsT.LISTED_TWICE()),
        ("", "This must not be empty."),
        ("x" * 1001, "This is too long."),
    ],
)
def test_that_a_wrong_category_is_refused_in_place(qtbot, opened, document, text, sentence):
    editor = chosen(opened, "city")
    before = document.plan
    in_place(qtbot, editor, editor.domain.categories.model.index(0, 0), text)
    assert document.plan == before
    assert editor.domain.categories.refusal().startswith(sentence)


def test_that_a_category_is_added_moved_and_removed_by_its_buttons(qtbot, opened, document):
    editor = chosen(opened, "city")
    categories = editor.domain.categories
    categories.add_action.trigger()
    line = categories.view.findChild(QLineEdit)
    qtbot.keyClicks(line, "Molde")
    end_edit(qtbot, categories.view, line)
    assert document.plan.column("city").domain.values == ("Bergen", "Moss", "Oslo", "Molde")
    categories.view.setCurrentIndex(categories.model.index(3, 0))
    categories.up_action.trigger()
    assert document.plan.column("city").domain.values == ("Bergen", "Moss", "Molde", "Oslo")
    assert categories.view.currentIndex().row() == 2
    qtbot.keyClick(categories.view, Qt.Key.Key_Delete)
    assert document.plan.column("city").domain.values == ("Bergen", "Moss", "Oslo")
    assert document.undo_stack.count() == 3


def test_that_an_empty_new_category_leaves_nothing_behind(qtbot, opened, document):
    categories = chosen(opened, "city").domain.categories
    categories.add_action.trigger()
    line = categories.view.findChild(QLineEdit)
    end_edit(qtbot, categories.view, line, Qt.Key.Key_Escape)
    assert categories.model.rowCount() == 3
    assert document.undo_stack.count() == 0


def test_that_the_second_last_category_cannot_be_removed(opened, document):
    categories = chosen(opened, "smokes").domain.categories
    categories.view.setCurrentIndex(categories.model.index(0, 0))
    categories.remove_action.trigger()
    assert document.plan.column("smokes").domain.size == 2
    assert "at least 2 categories" in categories.refusal()


def test_that_a_third_category_makes_a_binary_column_nominal_with_a_fitting_mechanism(
    opened, document
):
    editor = chosen(opened, "smokes")
    editor.role.buttons["protect"].click()
    assert document.plan.column("smokes").mechanism.kind == "warner"
    domain = Categorical(values=("yes", "no", "sometimes"))
    assert editor.domain.categories.model._replace(domain) == ""
    column = document.plan.column("smokes")
    assert column.kind == "nominal"
    assert column.mechanism.misfit(domain) is None
    assert column.mechanism.epsilon == 1


def test_that_a_pasted_list_replaces_the_categories_as_one_step(opened, document):
    categories = chosen(opened, "city").domain.categories
    categories.text_action.trigger()
    dialog = list_dialog()
    assert dialog.text.toPlainText() == "Bergen\nMoss\nOslo"
    dialog.text.setPlainText("1\tnorth\n\n2\tsouth\n")
    dialog.accept()
    domain = document.plan.column("city").domain
    assert domain == Categorical(values=("1", "2"), labels={"1": "north", "2": "south"})
    assert document.undo_stack.count() == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a\nb\n\na", "Line 4 repeats the category of line 1."),
        ("a", "The list has fewer than two categories."),
        ("a\n\tmeaning", "Line 2 has a meaning and no category."),
    ],
)
def test_that_a_wrong_list_stays_in_the_dialog_with_the_line_that_is_wrong(
    opened, document, text, sentence
):
    before = document.plan
    chosen(opened, "city").domain.categories.text_action.trigger()
    dialog = list_dialog()
    dialog.text.setPlainText(text)
    dialog.accept()
    assert dialog.isVisible()
    assert dialog.refusal().startswith(sentence)
    assert document.plan == before
    dialog.reject()


def test_that_a_million_categories_are_counted_and_the_first_thousand_shown(opened, document):
    many = Categorical(values=tuple(str(number) for number in range(1_000_000)))
    document.reset(document.plan.with_column("city", domain=many))
    categories = chosen(opened, "city").domain.categories
    assert categories.model.rowCount() == 1000
    assert categories._count.text().startswith("The first 1,000 of 1,000,000 categories")
    assert not categories.add_action.isEnabled()
    first = categories.model.index(0, 0)
    assert not categories.model.flags(first) & Qt.ItemFlag.ItemIsEditable
    assert categories.text_action.isEnabled()


def test_that_codes_of_no_answer_are_declared_and_their_policy_chosen(qtbot, opened, document):
    editor = chosen(opened, "city")
    editor.tabs.setCurrentIndex(MISSING)
    missing = editor.missing
    typed(qtbot, missing.tokens, 'NA; -9; "a;b"')
    assert document.plan.column("city").missing.tokens == ("", "NA", "-9", "a;b")
    missing.empty.click()
    assert document.plan.column("city").missing.tokens == ("NA", "-9", "a;b")
    pick(missing.policy, "category")
    assert document.plan.column("city").missing.value == "(no answer)"
    typed(qtbot, missing.value, "refused")
    assert document.plan.column("city").effective_domain.values[-1] == "refused"
    pick(missing.policy, "value")
    assert document.plan.column("city").missing.value == "Oslo"
    typed(qtbot, missing.value, "Paris")
    assert missing.refusal(missing.value).startswith(PlanT.VALUE_OUTSIDE(value="Paris"))
    assert document.plan.column("city").missing.value == "Oslo"
    pick(missing.policy, "none")
    assert document.plan.column("city").missing.policy == "none"
    assert document.undo_stack.count() == 6


def test_that_a_declared_code_leaves_the_domain_that_was_suggested(qtbot, opened, document):
    editor = chosen(opened, "city")
    city = document.plan.column("city")
    assert city.provenance == "suggested"
    editor.tabs.setCurrentIndex(MISSING)
    typed(qtbot, editor.missing.tokens, city.domain.values[0])
    assert document.plan.column("city").domain.values == city.domain.values[1:]
    document.undo_stack.undo()
    assert document.plan.column("city") == city


def test_that_an_open_quotation_mark_and_a_repeated_code_are_refused_in_place(
    qtbot, opened, document
):
    editor = chosen(opened, "city")
    editor.tabs.setCurrentIndex(MISSING)
    tokens = editor.missing.tokens
    for text, sentence in (('"NA', "A quotation mark"), ("NA; NA", "A code is listed twice.")):
        typed(qtbot, tokens, text)
        assert editor.missing.refusal(tokens).startswith(sentence)
        assert document.undo_stack.count() == 0


def test_that_other_answers_get_a_category_that_the_list_does_not_have(qtbot, opened, document):
    editor = chosen(opened, "city")
    editor.tabs.setCurrentIndex(MISSING)
    typed(qtbot, editor.missing.other, "Oslo")
    refusal = editor.missing.refusal(editor.missing.other)
    assert refusal.startswith(PlanT.CATEGORY_EXISTS(name="Oslo"))
    typed(qtbot, editor.missing.other, "elsewhere")
    assert document.plan.column("city").other == "elsewhere"
    assert document.plan.column("city").effective_domain.size == 4


def test_that_numbers_offer_no_category_for_missing_answers(opened):
    editor = chosen(opened, "age")
    editor.tabs.setCurrentIndex(MISSING)
    assert editor.missing.policy.findData("category") < 0
    assert not editor.missing.other.isVisible()


def test_that_problems_of_the_data_stand_beside_what_causes_them(opened, document):
    editor = chosen(opened, "city")
    editor.role.buttons["protect"].click()
    model = editor.domain.categories.model
    model._replace(Categorical(values=("Moss", "Oslo")))
    editor.tabs.setCurrentIndex(DOMAIN)
    lines = [line for line in editor.domain._problems._lines if line.isVisible()]
    assert len(lines) == 1
    assert "“city”" in lines[0].accessibleName()
    assert "40 of " in lines[0].accessibleName()


@pytest.mark.parametrize("rows", [999, 123_456])
def test_that_a_count_and_its_share_are_never_cut(qtbot, rows):
    domain = Categorical(values=("low", "high"), labels={"low": "rather low"})
    texts = TextColumn.from_texts("q", ["low"] * (rows - 1) + ["high"])
    editor = CategoriesEditor(lambda _domain: "")
    qtbot.addWidget(editor)
    editor.set_domain(domain)
    editor.resize(340, 300)
    editor.show_given(
        given_answers(ColumnPlan(name="q", kind="nominal", domain=domain), texts, Reading())
    )
    view = editor.view
    for row in range(2):
        words = view.fontMetrics().horizontalAdvance(view.model().index(row, GIVEN).data())
        assert view.columnWidth(GIVEN) >= words + 2 * PADDING
        # Bars of rows are compared, so each has the room beside the longest count.
        largest = view.model().index(0, GIVEN).data()
        assert view.model().index(row, GIVEN).data(LARGEST_ROLE) == largest
