from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QStandardItemModel
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from dpdesk.domains import Integer
from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan import PlanPage
from dpdesk.gui.pages.plan.plan_models import (
    EPSILON,
    ERROR,
    MECHANISM,
    NAME,
    ROW_ROLE,
    TYPE,
    AttributeModel,
    PlanRow,
)
from dpdesk.gui.pages.plan.plan_table import PlanDelegate, _colour
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.plan import ColumnPlan, MissingPolicy, Plan, protect_unassigned
from dpdesk.plan.checks.texts import T
from dpdesk.plan.usefulness import usefulness_of_column
from tests.gui.plan.survey_plans import categories, mechanism, survey_plan, undecided_plan


def cells(model: AttributeModel, row: int) -> list[str]:
    return [model.index(row, column).data() for column in range(model.columnCount())]


def test_that_the_table_says_what_the_drawing_says(page: PlanPage) -> None:
    assert [cells(page.records.model, row) for row in range(page.records.model.rowCount())] == [
        ["happy", "Ordinal · 3 answers", "GRR", "2.00", "± 1.4 pp"],
        ["affairs", "Binary", "Warner", "1.00", "± 2.1 pp"],
        ["age", "Integer 18–99", "Bounded Laplace", "2.00", "± 2.3 y"],
        ["income", "Real 0–250", "Duchi", "1.00", "± 5.3 k"],
        ["occupation", "Nominal · 16 answers", "OUE", "1.00", "± 3.8 pp"],
        ["region", "Nominal · 9 answers", "Not protected", "—", "exact"],
        ["respid", "Identifier", "Dropped", "—", ""],
    ]


@pytest.mark.parametrize(("supposed", "error"), [("0.02", "± 3.4 pp"), ("0.1", "± 3.3 y")])
def test_that_a_verdict_stands_below_the_number_that_it_is_on(
    document: Document, page: PlanPage, supposed: str, error: str
) -> None:
    # Of numbers that may be missing the mean is estimated and the share who answered: the verdict
    # is on what is known worse.
    missing = MissingPolicy(policy="protect", supposed_share=Decimal(supposed))
    domain = Integer(lower=18, upper=99, unit="years")
    column = ColumnPlan(name="age", kind="integer", domain=domain, missing=missing, confirmed=True)
    plan = protect_unassigned(Plan(columns=(column,), respondents=900), Decimal(2))
    document.edit("other", plan)
    worth = usefulness_of_column(plan.columns[0], plan.sampling, plan.judged_respondents)
    assert worth is not None
    shown: PlanRow = page.records.model.index(0, ERROR).data(ROW_ROLE)
    assert (shown.error.replace("\u00a0", " "), shown.verdict) == (error, worth.verdict)
    assert ("share who answered" in shown.beyond) == error.endswith("pp")


def test_that_the_model_keeps_the_rules_of_qt(
    document: Document, page: PlanPage, qtbot: QtBot
) -> None:
    tester = QAbstractItemModelTester(
        page.records.model, QAbstractItemModelTester.FailureReportingMode.Fatal
    )
    document.edit("drop", document.plan.with_column("happy", role="drop"))
    document.edit("fewer", document.plan.with_columns(document.plan.columns[1:]))
    document.edit("none", Plan())
    document.undo_stack.undo()
    assert page.records.model.rowCount() == 6
    tester.deleteLater()


def test_that_a_change_of_one_attribute_renews_its_row_alone(
    document: Document, page: PlanPage, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(page.records.model.dataChanged) as told:
        changed = mechanism("oue", "1.5")
        document.edit("x", document.plan.with_column("occupation", mechanism=changed))
    assert [index.row() for index in told.args[:2]] == [4, 4]
    assert cells(page.records.model, 4)[EPSILON] == "1.50"


def test_that_other_respondents_renew_every_error(document: Document, page: PlanPage) -> None:
    before = cells(page.records.model, 0)[ERROR]
    document.edit("n", document.plan.with_fields(respondents=100))
    assert cells(page.records.model, 0)[ERROR] != before


def test_that_undecided_attributes_are_marked_by_word_and_sign(
    open_page: Callable[[Plan], PlanPage],
) -> None:
    page = open_page(undecided_plan())
    assert cells(page.records.model, 0)[MECHANISM] == "Unassigned"
    assert page.records.model.row(0).severity == "error"
    assert "not assigned" in page.records.model.row(0).problems


def test_that_neither_tooltip_nor_panel_gives_terminal_commands(
    open_page: Callable[[Plan], PlanPage],
) -> None:
    page = open_page(survey_plan().with_column("happy", confirmed=False))
    said = page.records.model.row(0).problems
    assert T.DOMAIN_UNCONFIRMED(count=1, names="happy") in said
    assert "dpdesk" not in said
    page.select("happy")
    assert page.records.panel.advice.text() == said


def test_that_a_screen_reader_hears_the_label_and_the_lock(
    document: Document, page: PlanPage
) -> None:
    document.edit("lock", document.plan.with_column("happy", locked=True))
    spoken = Qt.ItemDataRole.AccessibleTextRole
    assert page.records.model.index(0, NAME).data(spoken) == "happy, General happiness"
    assert page.records.model.index(0, EPSILON).data(spoken) == "2.00, locked"
    assert page.records.model.index(0, TYPE).data(spoken) == "Ordinal · 3 answers"


def test_that_names_are_never_taken_for_markup(open_page: Callable[[Plan], PlanPage]) -> None:
    name = "<img src='x'>"
    page = open_page(
        Plan(columns=(ColumnPlan(name=name, kind="nominal", domain=categories("a", "b")),))
    )
    assert page.records.model.index(0, 0).data() == name
    assert "<img" not in page.records.model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert page.records.panel.title() == name


@pytest.mark.parametrize("name", ["happy", "income"])
def test_that_a_click_on_the_lock_locks_and_unlocks(
    document: Document, page: PlanPage, qtbot: QtBot, name: str
) -> None:
    page.select(name)
    row = document.plan.index_of(name)
    cell = page.records.table.visualRect(page.records.model.index(row, EPSILON))
    spot = QPoint(cell.left() + 8, cell.center().y())
    for locked in (True, False):
        qtbot.mouseClick(page.records.table.viewport(), Qt.MouseButton.LeftButton, pos=spot)
        assert document.plan.column(name).locked is locked
    assert page.records.selected() == name


def test_that_the_arrows_choose_the_attribute_of_the_panel(page: PlanPage, qtbot: QtBot) -> None:
    page.records.table.setFocus()
    qtbot.keyClick(page.records.table, Qt.Key.Key_Down)
    assert page.records.panel.title() == "Ever"
    qtbot.keyClick(page.records.table, Qt.Key.Key_End)
    assert page.records.selected() == "respid"


def test_that_the_selection_stays_with_its_attribute_when_columns_go(
    document: Document, page: PlanPage
) -> None:
    page.select("income")
    document.edit("fewer", document.plan.with_columns(document.plan.columns[2:]))
    assert page.records.selected() == "income"
    assert page.records.table.currentIndex().row() == 1
    document.edit("gone", document.plan.with_columns(document.plan.columns[2:]))
    assert page.records.selected() == "occupation"


def test_that_an_empty_plan_shows_an_empty_page(open_page: Callable[[Plan], PlanPage]) -> None:
    page = open_page(Plan())
    assert page.records.selected() == ""
    assert not page.records.header.release.isEnabled()
    page.document.edit("some", survey_plan())
    assert page.records.selected() == "happy"
    assert Decimal(7) == sum(
        c.mechanism.epsilon for c in page.document.plan.protected if c.mechanism
    )


def test_that_colours_tell_what_costs_nothing_and_what_is_to_be_decided(
    theme: ThemeSwitch,
) -> None:
    colours = theme.theme
    plain = PlanRow("a", "", "Binary", "GRR", "1.00", "", False, False, True, "", "")
    undecided = replace(plain, mechanism="Not assigned", epsilon="—", lockable=False)
    cases = [
        (plain, MECHANISM, colours.text),
        (plain, EPSILON, colours.text),
        (replace(plain, severity="error"), MECHANISM, colours.text),
        (replace(undecided, severity="error"), MECHANISM, colours.warning),
        (replace(undecided, severity="error"), EPSILON, colours.muted),
        (undecided, MECHANISM, colours.muted),
        (replace(undecided, muted=True, severity="warning"), MECHANISM, colours.muted),
    ]
    for row, column, colour in cases:
        assert _colour(colours, row, column) == colour, (row, column)


@pytest.mark.parametrize("severity", ["", "warning", "error"])
def test_that_only_an_attribute_with_a_problem_has_the_sign_of_it(
    severity: str, theme: ThemeSwitch, page: PlanPage
) -> None:
    row = PlanRow("a", "", "Binary", "GRR", "1.00", "", False, False, True, severity, "")
    model = QStandardItemModel(1, MECHANISM + 1)
    cell = model.index(0, NAME)
    model.setData(cell, row, ROW_ROLE)
    image = QImage(200, 40, QImage.Format.Format_RGB32)
    option = QStyleOptionViewItem()
    option.rect = QRect(0, 0, 200, 40)
    painter = QPainter(image)
    PlanDelegate(page.records.table).paint(painter, option, cell)
    painter.end()
    seen = {image.pixel(x, y) for x in range(160, 200) for y in range(38)}
    colours = {"warning": theme.theme.warning, "error": theme.theme.danger}
    for name, colour in colours.items():
        assert (QColor(colour).rgb() in seen) == (name == severity)
    assert (len(seen) > 1) == bool(severity)


@pytest.fixture
def wide_page(open_page: Callable[[Plan], PlanPage]) -> PlanPage:
    """The page with 30 columns of which all but the first, the second and the last are dropped."""
    first = survey_plan().columns[0]
    columns = [first.model_copy(update={"name": f"q{i}"}) for i in range(30)]
    dropped = [c.model_copy(update={"role": "drop", "mechanism": None}) for c in columns[2:-1]]
    return open_page(Plan(columns=(*columns[:2], *dropped, columns[-1])))


def listed(page: PlanPage) -> list[str]:
    table, model = page.records.table, page.records.model
    return [model.row(r).name for r in range(model.rowCount()) if not table.isRowHidden(r)]


def test_that_many_dropped_columns_are_one_line_that_opens_by_key(
    wide_page: PlanPage, qtbot: QtBot
) -> None:
    pane = wide_page.records
    assert listed(wide_page) == ["q0", "q1", "q29"]
    assert pane.dropped.isVisible()
    assert pane.dropped.text() == "27 dropped columns"
    qtbot.keyClick(pane.dropped, Qt.Key.Key_Space)
    assert len(listed(wide_page)) == 30
    assert wide_page.document.settings.shows_dropped()
    qtbot.keyClick(pane.dropped, Qt.Key.Key_Space)
    assert len(listed(wide_page)) == 3
    qtbot.keyClick(pane.table, Qt.Key.Key_End)
    assert pane.selected() == "q29"
    qtbot.keyClick(pane.table, Qt.Key.Key_Up)
    assert pane.selected() == "q1"


def test_that_a_column_stays_listed_until_another_one_is_selected(
    wide_page: PlanPage, document: Document
) -> None:
    pane = wide_page.records
    pane.select("q1")
    pane.edits.drop("q1")
    pane.bring_up_to_date()
    assert listed(wide_page) == ["q0", "q1", "q29"]
    assert pane.dropped.text() == "28 dropped columns"
    pane.select("q29")
    assert listed(wide_page) == ["q0", "q29"]
    # A problem may lead to a dropped column.
    pane.show_path("columns.q7.role")
    assert listed(wide_page) == ["q0", "q7", "q29"]
    document.edit("fewer", document.plan.with_columns(document.plan.columns[20:]))
    pane.bring_up_to_date()
    assert listed(wide_page) == ["q29"]


def test_that_few_dropped_columns_are_listed(page: PlanPage) -> None:
    assert not page.records.dropped.isVisible()
    assert "respid" in listed(page)


def test_that_an_error_beyond_all_that_is_possible_is_told_as_more_than_that(
    document: Document,
) -> None:
    """The number itself stays in the tooltip, with what it means."""
    plan = survey_plan().with_fields(respondents=3)
    document.reset(plan)
    model = AttributeModel(document)
    row = next(number for number, c in enumerate(plan.columns) if c.role == "protect")
    assert model.row(row).error.startswith("> ± ")
    index = model.index(row, ERROR)
    said = model.data(index, Qt.ItemDataRole.ToolTipRole)
    assert "The formula gives ± " in said
    assert "around the middle is all that is possible" in said
    document.edit("many", plan.with_fields(respondents=10**6))
    model.follow()
    assert model.row(row).error.startswith("± ")
    assert "formula" not in model.data(index, Qt.ItemDataRole.ToolTipRole)


def test_that_the_tooltip_of_a_verdict_names_what_the_error_is_compared_with(
    page: PlanPage,
) -> None:
    model, plan = page.records.model, page.document.plan
    told = {}
    for row, column in enumerate(plan.columns):
        found = usefulness_of_column(column, plan.sampling, plan.judged_respondents)
        if found is None:
            continue
        tooltip = str(model.index(row, ERROR).data(Qt.ItemDataRole.ToolTipRole))
        assert found.reason in tooltip
        first = tooltip.removeprefix("<qt>").partition("<br>")[0]
        assert ("spread evenly between the declared bounds" in first) == found.of_bounds
        assert first.endswith("what is estimated.") == found.is_itself
        told[found.of_bounds] = first
    # A number and a share are among them.
    assert set(told) == {True, False}
