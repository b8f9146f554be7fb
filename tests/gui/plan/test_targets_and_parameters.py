from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QDialog, QPushButton
from pytestqt.qtbot import QtBot

from dpdesk.domains import Categorical, Integer
from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan import PlanPage
from dpdesk.gui.pages.plan.attribute_dialogs import MatrixDialog, MatrixModel, TargetsDialog
from dpdesk.gui.pages.plan.plan_forms import parameter_fields
from dpdesk.gui.widgets.commit_line import CommitLine
from dpdesk.gui.widgets.declared_form import bare_type
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip
from dpdesk.mechanisms import MECHANISMS, Mechanism, kind_of, mechanism_named
from dpdesk.plan import Plan
from dpdesk.preview import figures, request_for
from tests.gui.plan.survey_plans import survey_plan
from tests.gui.test_accessibility import nameless, rich_labels

WITH_WHOLE_NUMBERS = [
    (kind_of(kind), field.name)
    for kind in MECHANISMS
    for field in parameter_fields(kind)
    if bare_type(kind.model_fields[field.name].annotation)[0] is int and kind.adjustable
    # No column of this survey is a question with several answers.
    if kind.misfit(Integer(lower=0, upper=9)) is None
    or kind.misfit(Categorical(values=("a", "b", "c"))) is None
]

# Sixteen categories cannot be told apart by three bits or three cohorts.
FITTING = {"bits": 32, "cohorts": 8}


def open_targets(page: PlanPage) -> TargetsDialog:
    page.records.header.errors.click()
    return page.window().findChildren(TargetsDialog)[-1]


def mechanism_of(document: Document, name: str) -> Mechanism:
    chosen = document.plan.column(name).mechanism
    assert chosen is not None
    return chosen


def open_matrix(page: PlanPage) -> MatrixDialog:
    page.records.edits.set_mechanism("happy", "pram")
    button = page.records.panel.parameters.findChild(QPushButton)
    assert button is not None
    button.click()
    return page.window().findChildren(MatrixDialog)[-1]


def test_that_typed_errors_are_met_in_one_step(document: Document, page: PlanPage) -> None:
    dialog = open_targets(page)
    for row, text in enumerate(("1.2", "", "1.5")):
        dialog.model.setData(dialog.model.index(row, 2), text)
    dialog.accept()
    assert document.undo_stack.count() == 1
    for name, target in (("happy", 1.2), ("age", 1.5)):
        request = request_for(document.plan.column(name), document.plan.respondents)
        assert request is not None
        assert figures(request).error <= target
    assert document.plan.column("affairs") == survey_plan().column("affairs")
    assert "errors are met" in page.records.notice.message()


@pytest.mark.parametrize(("typed", "said"), [("0.001", "(≥ ± 0.92 pp)"), ("x", "as a number")])
def test_that_an_error_that_cannot_be_met_stays_in_the_dialog(
    document: Document, page: PlanPage, typed: str, said: str
) -> None:
    dialog = open_targets(page)
    dialog.model.setData(dialog.model.index(0, 2), typed)
    dialog.accept()
    assert dialog.isVisible()
    assert said in dialog.refusal()
    assert document.undo_stack.count() == 0
    dialog.reject()


def test_that_a_mechanism_of_epsilon_alone_shows_no_form(page: PlanPage) -> None:
    assert page.records.panel.parameters.isHidden()


def test_that_every_parameter_of_every_mechanism_has_a_field_with_a_name_and_a_meaning() -> None:
    for kind in MECHANISMS:
        for field in parameter_fields(kind):
            assert field.title != field.name, kind
            assert field.meaning, kind


@pytest.mark.parametrize(("kind", "parameter"), WITH_WHOLE_NUMBERS)
def test_that_a_parameter_is_one_step_and_a_wrong_one_is_refused_beside_it(
    document: Document,
    open_page: Callable[[Plan], PlanPage],
    qtbot: QtBot,
    kind: str,
    parameter: str,
) -> None:
    page = open_page(survey_plan())
    column = "occupation"
    domain = document.plan.column(column).effective_domain
    if domain is None or mechanism_named(kind).misfit(domain) is not None:
        column = "age"
    page.select(column)
    page.records.edits.set_mechanism(column, kind)
    assert document.undo_stack.count() == 1
    before = mechanism_of(document, column)
    field = page.records.panel.parameters.fields[parameter]
    assert isinstance(field, CommitLine)
    (said,) = [told for told in parameter_fields(mechanism_named(kind)) if told.name == parameter]
    labels = page.records.panel.parameters.findChildren(PlainLabel)
    (label,) = [label for label in labels if label.buddy() is field]
    assert field.accessibleName() == label.text() == said.title
    assert field.toolTip() == plain_tooltip(said.meaning)
    field.setText("-3")
    field.commit()
    assert page.records.panel.parameters.refusal()
    assert mechanism_of(document, column) == before
    # A power of two, as the cohorts of RAPPOR must be.
    field.setText("8")
    field.commit()
    assert getattr(mechanism_of(document, column), parameter) == 8
    assert not page.records.panel.parameters.refusal()
    field.setText(" 8 ")
    field.commit()
    assert field.text() == "8"
    assert document.undo_stack.count() == 2
    document.undo_stack.undo()
    assert mechanism_of(document, column) == before
    assert field.text() == field.value()


def test_that_the_epsilon_of_a_matrix_follows_from_it(document: Document, page: PlanPage) -> None:
    dialog = open_matrix(page)
    button = page.records.panel.parameters.findChild(QPushButton)
    assert button.text() == "3 × 3 chances…"
    assert not page.records.panel.epsilon.isEnabled()
    for x in range(3):
        for y in range(3):
            dialog.model.setData(dialog.model.index(x, y), "0.5" if x == y else "0.25")
    assert dialog.epsilon().startswith("ε = 0.693147180")
    dialog.accept()
    assert str(mechanism_of(document, "happy").epsilon).startswith("0.69314718")
    assert document.undo_stack.count() == 2


def test_that_a_matrix_that_is_no_law_stays_in_the_dialog(page: PlanPage) -> None:
    dialog = open_matrix(page)
    dialog.model.setData(dialog.model.index(1, 1), "0.9")
    assert "Row 2" in dialog.refusal()
    assert dialog.epsilon() == ""
    dialog.accept()
    assert dialog.isVisible()
    dialog.reject()


def test_that_a_matrix_is_loaded_from_a_file(page: PlanPage, tmp_path: Path) -> None:
    file = tmp_path / "matrix.csv"
    file.write_text("0.8,0.1,0.1\n1/10,8/10,1/10\n0.1,0.1,0.8\n", encoding="utf-8")
    dialog = open_matrix(page)
    dialog.load_file(file)
    assert dialog.model.rows()[1] == ("1/10", "8/10", "1/10")
    assert dialog.epsilon().startswith("ε = 2.079441")
    file.write_text("1,2\n3,4\n", encoding="utf-8")
    dialog.load_file(file)
    assert "3 rows of 3" in dialog.refusal()
    assert dialog.model.rows()[1] == ("1/10", "8/10", "1/10")
    dialog.reject()


def test_that_the_model_of_a_matrix_keeps_the_rules_of_qt(page: PlanPage) -> None:
    model = MatrixModel(("a", "b"), [["1", "0"]], page)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    model.setData(model.index(1, 0), "0.5")
    model.set_rows([["0.5", "0.5"], ["0.25", "0.75"]])
    assert model.rows() == (("0.5", "0.5"), ("0.25", "0.75"))


def test_that_every_dialog_of_the_page_has_names_and_shows_text_literally(
    page: PlanPage,
) -> None:
    page.records.edits.set_mechanism("happy", "pram")
    for ask in (
        page.records.ask_errors,
        page.records.panel.edit_expected,
        page.records.panel.edit_matrix,
        page.records.panel.choose_answers,
    ):
        ask()
        dialog = page.window().findChildren(QDialog)[-1]
        assert dialog.isVisible()
        assert nameless(dialog) == []
        assert rich_labels(dialog) == []
        dialog.close()
