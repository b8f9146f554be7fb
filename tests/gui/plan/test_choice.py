from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLabel, QStackedWidget, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan import PlanPage
from dpdesk.gui.pages.plan.attribute_dialogs import ExpectedDialog
from dpdesk.gui.pages.plan.best_choice import advice_on
from dpdesk.gui.pages.plan.choice_view import MECHANISM, VAR_STAR, ChoiceModel, ChoiceView
from dpdesk.gui.widgets.boxes import STRETCH, lay_column
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip
from dpdesk.gui.widgets.read_table import PADDING
from dpdesk.gui.widgets.steady import SteadyLines
from dpdesk.gui.widgets.typed_table import TypedModel
from dpdesk.mechanisms import MECHANISMS, Mechanism, kind_of, mechanism_named
from dpdesk.plan import MissingPolicy, Plan
from dpdesk.preview import choice_view, request_for
from tests.gui.plan.survey_plans import mechanism, survey_plan

KINDS = {kind_of(kind) for kind in MECHANISMS}


def rows(model: ChoiceModel) -> list[str]:
    return [str(model.data(model.index(i, MECHANISM))) for i in range(model.rowCount())]


def open_expected(page: PlanPage) -> ExpectedDialog:
    page.records.panel.edit_expected()
    dialog = page.window().findChildren(ExpectedDialog)[-1]
    assert dialog.isVisible()
    return dialog


def type_weights(dialog: ExpectedDialog, *texts: str) -> None:
    for row, text in enumerate(texts):
        dialog.model.setData(dialog.model.index(row, 1), text)
    dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).click()


def test_that_the_mechanisms_that_fit_are_listed_with_the_best_one_first(page: PlanPage) -> None:
    page.records.panel.compare_mechanisms()
    column = survey_plan().column("happy")
    request = request_for(column, 10_000)
    assert request is not None
    found = [judged.mechanism.short for judged in choice_view(request)]
    listed = rows(page.records.panel.tabs.view(ChoiceView).model)
    assert [name.removeprefix("✓ ") for name in listed] == found
    assert [name for name in listed if name.startswith("✓")] == ["✓ GRR"]


@pytest.mark.parametrize("width", [300, 400, 620, 800])
def test_that_a_reason_has_the_height_of_its_lines_when_it_is_first_shown_and_in_another_width(
    qtbot: QtBot, width: int
) -> None:
    host, view = QStackedWidget(), QWidget()
    qtbot.addWidget(host)
    label = PlainLabel("", "caption", wrap=True)
    frame = SteadyLines(label, parent=view)
    lay_column(frame, STRETCH, on=view)
    for page in (QWidget(), view):
        host.addWidget(page)
    host.resize(width, 200)
    host.show()
    frame.set_text("A sentence that has no room on one line of a narrow window; two hold it " * 2)
    host.setCurrentWidget(view)
    for shown in (width, width + 200, width - 100):
        host.resize(shown, 200)
        qtbot.wait(20)
        lines = QLabel.heightForWidth(label, label.width())
        assert abs(frame.height() - lines) <= 2, (shown, label.text())


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, None])
def test_that_enter_and_a_double_click_put_a_mechanism_in_force(
    document: Document, page: PlanPage, qtbot: QtBot, key: Qt.Key | None
) -> None:
    page.records.panel.compare_mechanisms()
    view = page.records.panel.tabs.view(ChoiceView)
    row = next(i for i, name in enumerate(rows(view.model)) if name == "SUE")
    view.table.selectRow(row)
    if key is None:
        view.table.doubleClicked.emit(view.model.index(row, 0))
    else:
        qtbot.keyClick(view.table, key)
    assert document.plan.column("happy").mechanism == mechanism("sue", "2")
    assert document.undo_stack.count() == 1
    assert "✓ SUE" in rows(view.model)


def test_that_the_table_can_be_sorted_by_the_error_of_rare_categories(page: PlanPage) -> None:
    page.records.panel.compare_mechanisms()
    view = page.records.panel.tabs.view(ChoiceView)
    assert "± 1.4 pp (GRR and Subset)" in view.reason.text()
    view.by.setCurrentIndex(1)
    view.by.activated.emit(1)
    assert "n Var*" in view.reason.text()
    # What it is stands in plain words where it is chosen, and above its column.
    assert view.by.currentText() == "Noise on rare answers (n Var*)"
    head = view.model.headerData(VAR_STAR, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert "an answer has that hardly anybody gives" in head


def test_that_another_order_paints_other_texts_alone_and_keeps_the_selected_mechanism(
    page: PlanPage, document: Document
) -> None:
    page.select("occupation")
    page.records.panel.compare_mechanisms()
    view = page.records.panel.tabs.view(ChoiceView)

    def show(epsilon: str) -> tuple[tuple[str, ...], ...]:
        document.edit("x", document.plan.with_column("occupation", mechanism=oue(epsilon)))
        return view.table_data().rows

    def oue(epsilon: str) -> Mechanism:
        return mechanism("oue", epsilon)

    show("0.5")
    before = show("1")
    view.table.selectRow(view.model.row_of("sue"))
    resets: list[object] = []
    announced: set[tuple[int, int]] = set()
    view.model.modelReset.connect(lambda: resets.append(None))
    view.model.dataChanged.connect(
        lambda first, last: announced.update(
            (row, column)
            for row in range(first.row(), last.row() + 1)
            for column in range(first.column(), last.column() + 1)
        )
    )
    after = show("5")
    assert [row[0] for row in before] != [row[0] for row in after]
    assert not resets
    differ = {
        (row, column)
        for row, (old, new) in enumerate(zip(before, after, strict=True))
        for column in range(len(old))
        if old[column] != new[column]
    }
    assert differ <= announced
    assert view.model.mechanism(view.table.currentIndex().row()).kind == "sue"
    document.edit("x", document.plan.with_column("occupation", mechanism=mechanism("grr", "5")))
    assert view.table.currentIndex().row() == view.model.row_in_force() == view.model.row_of("grr")


def test_that_a_step_of_epsilon_is_one_for_numbers_with_missing_answers_as_well(
    open_page: Callable[[Plan], PlanPage], document: Document
) -> None:
    blank = MissingPolicy(policy="protect")
    page = open_page(survey_plan().with_column("age", missing=blank))
    page.select("age")
    page.records.panel.compare_mechanisms()
    resets: list[object] = []
    page.records.panel.tabs.view(ChoiceView).model.modelReset.connect(lambda: resets.append(None))
    changed = mechanism("bounded_laplace", "2.1")
    document.edit("x", document.plan.with_column("age", mechanism=changed))
    assert not resets


def test_that_every_column_has_room_for_its_head_and_its_longest_text(
    page: PlanPage, document: Document
) -> None:
    page.records.panel.compare_mechanisms()
    view = page.records.panel.tabs.view(ChoiceView)
    for name, kind in (("age", "bounded_laplace"), ("happy", "grr"), ("occupation", "oue")):
        page.select(name)
        # From the second to the third the order stays, and a text becomes longer.
        for epsilon in ("9", "0.01", "0.00145"):
            changed = document.plan.with_column(name, mechanism=mechanism(kind, epsilon))
            document.edit("x", changed)
            QApplication.processEvents()
            texts = view.table_data()
            for column in range(view.table.model().columnCount() - 1):
                written = (texts.headers[column], *(row[column] for row in texts.rows))
                needed = max(view.table.fontMetrics().horizontalAdvance(text) for text in written)
                assert view.table.columnWidth(column) >= needed + 2 * PADDING, (name, written)


def test_that_the_heads_of_a_typed_table_stand_above_its_cells_and_at_their_side() -> None:
    model = TypedModel.last_typed(("Answer", "Weight"), [("very happy",), ("happy",)], ["1", ""])
    across = Qt.Orientation.Horizontal
    assert [model.headerData(column, across) for column in (-1, 0, 1, 2)] == [
        None, "Answer", "Weight", None
    ]  # fmt: skip
    assert model.headerData(0, Qt.Orientation.Vertical) is None
    alignment = Qt.ItemDataRole.TextAlignmentRole
    assert model.headerData(0, across, alignment) & Qt.AlignmentFlag.AlignLeft
    assert model.headerData(1, across, alignment) & Qt.AlignmentFlag.AlignRight
    assert model.index(0, 1).data(alignment) & Qt.AlignmentFlag.AlignRight
    assert model.index(0, 0).data(alignment) & Qt.AlignmentFlag.AlignLeft
    tips = [model.index(0, column).data(Qt.ItemDataRole.ToolTipRole) for column in (0, 1)]
    assert tips == ["<qt>very happy</qt>", ""]
    typed = [bool(model.index(0, c).flags() & Qt.ItemFlag.ItemIsEditable) for c in (0, 1)]
    assert typed == [False, True]
    assert not model.setData(model.index(0, 0), "merry")
    assert not model.setData(model.index(0, 1), "9", Qt.ItemDataRole.DisplayRole)
    assert model.typed() == ["1", ""]
    assert model.index(0, 0).data() == "very happy"


def test_that_the_models_keep_the_rules_of_qt(page: PlanPage, document: Document) -> None:
    page.records.panel.compare_mechanisms()
    model = page.records.panel.tabs.view(ChoiceView).model
    tester = QAbstractItemModelTester(
        model, QAbstractItemModelTester.FailureReportingMode.Fatal, page
    )
    document.edit("x", document.plan.with_column("happy", mechanism=mechanism("sue", "1")))
    page.select("age")
    assert tester.model() is model
    expected = TypedModel.last_typed(
        ("Answer", "Weight"), [("a",), ("b",), ("c",)], ["1", "2", ""], page
    )
    QAbstractItemModelTester(
        expected, QAbstractItemModelTester.FailureReportingMode.Fatal, expected
    )
    expected.setData(expected.index(2, 1), " 0 ")
    assert expected.typed() == ["1", "2", "0"]


def test_that_expected_answers_are_one_step_and_change_the_error(
    document: Document, page: PlanPage
) -> None:
    before = page.records.panel.figures.figures.tiles[0].value()
    type_weights(open_expected(page), "98", "1", "")
    assert document.plan.column("happy").expected == (Decimal(98), Decimal(1), Decimal(0))
    assert document.undo_stack.count() == 1
    assert page.records.panel.figures.figures.tiles[0].value() != before
    document.undo_stack.undo()
    assert document.plan.column("happy").expected == ()


def test_that_expecting_nothing_takes_the_weights_away(document: Document, page: PlanPage) -> None:
    type_weights(open_expected(page), "2", "1", "1")
    dialog = open_expected(page)
    assert dialog.model.typed() == ["2", "1", "1"]
    dialog.none.click()
    dialog.accept()
    assert document.plan.column("happy").expected == ()


@pytest.mark.parametrize("wrong", [("-1", "2", "3"), ("zzz", "2", "3"), ("0", "0", "0")])
def test_that_wrong_weights_stay_in_the_dialog(
    document: Document, page: PlanPage, wrong: tuple[str, ...]
) -> None:
    dialog = open_expected(page)
    type_weights(dialog, *wrong)
    assert dialog.isVisible()
    assert dialog.refusal()
    assert wrong[0] == "0" or wrong[0] not in dialog.refusal()
    assert document.undo_stack.count() == 0
    dialog.reject()


def test_that_only_mechanisms_that_the_strategy_can_use_are_offered(
    document: Document, page: PlanPage
) -> None:
    document.edit("x", document.plan.with_fields(strategy="rsfd"))
    box = page.records.panel.assignment
    shown = {str(box.itemData(i)) for i in range(box.count())}
    for i in range(box.count()):
        kind = str(box.itemData(i)).removeprefix("protect:")
        tip = box.itemData(i, Qt.ItemDataRole.ToolTipRole)
        assert tip == (plain_tooltip(mechanism_named(kind).summary) if kind in KINDS else None)
    assert {"protect:grr", "protect:sue", "protect:oue"} <= shown
    assert shown - {"protect:grr", "protect:sue", "protect:oue", "keep", "drop", "None"} == set()


def test_that_a_mechanism_which_the_strategy_cannot_use_is_said_to_be_one(
    open_page: Callable[[Plan], PlanPage],
) -> None:
    plan = survey_plan().with_fields(strategy="rsfd")
    happy = plan.with_column("happy", mechanism=mechanism("olh", "2")).column("happy")
    numbers = next(c for c in plan.protected if c.kind in {"integer", "real"})
    for column, words in ((happy, "cannot use OLH"), (numbers, "No mechanism that fits")):
        request = request_for(column, 10_000, sampling=plan.sampling)
        assert request is not None
        advice = advice_on(request)
        assert words in advice.text
        assert (advice.better is None) == (column is numbers)
        page = open_page(plan.with_columns((column,)))
        page.records.panel.compare_mechanisms()
        assert "OLH" not in "".join(rows(page.records.panel.tabs.view(ChoiceView).model))


def test_that_a_missing_expectation_leads_to_where_it_is_declared(
    document: Document, page: PlanPage
) -> None:
    document.edit("x", document.plan.with_fields(strategy="rsrfd"))
    page.select("happy")
    assert "expected distribution" in page.records.panel.advice.text()
    page.records.panel.advice.linkClicked.emit()
    dialog = page.window().findChildren(ExpectedDialog)[-1]
    type_weights(dialog, "5", "3", "2")
    assert "expected distribution" not in page.records.panel.advice.text()
