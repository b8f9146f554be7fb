"""Statistics on the Plan page: queries in a table, their form, their previews."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from math import log10

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan import PlanPage
from dpdesk.gui.pages.plan.accuracy_plots import CentralAccuracyPlot
from dpdesk.gui.pages.plan.law_plots import ReleaseLawPlot
from dpdesk.gui.pages.plan.plan_models import EPSILON, ERROR, NAME
from dpdesk.gui.pages.plan.plan_pane import StatisticsPane
from dpdesk.gui.pages.plan.query_dialogs import ConditionsDialog, GroupsDialog
from dpdesk.gui.pages.plan.query_views import WhyView
from dpdesk.gui.pages.plan.words import error_words
from dpdesk.plan import Plan
from dpdesk.plan.persons import set_unit
from dpdesk.preview.central import query_request
from dpdesk.queries import QUERIES, Condition, Count, Mean, PrivacyUnit, Query, Share
from dpdesk.queries.phrase import parse_query
from dpdesk.releases.statistics import STATISTICS
from tests.gui.plan.survey_plans import survey_plan
from tests.gui.test_accessibility import nameless, rich_labels

KINDS = [str(kind.model_fields["kind"].default) for kind in QUERIES]
YES = Condition(column="affairs", values=("yes",))


@pytest.fixture
def view(open_page: Callable[[Plan], PlanPage], document: Document) -> StatisticsPane:
    """The statistics of the survey of the drawing; nothing is asked yet."""
    page = open_page(survey_plan())
    document.set_release_kind(STATISTICS)
    assert page.statistics.isVisible()
    return page.statistics


def queries(document: Document) -> tuple[Query, ...]:
    return document.plan.statistics.queries


def ask(view: StatisticsPane, *phrases: str) -> None:
    for phrase in phrases:
        assert view.edits.ask(phrase) == ""


def cell(view: StatisticsPane, row: int, column: int) -> str:
    return str(view.model.index(row, column).data())


@pytest.mark.parametrize("kind", KINDS)
def test_that_every_kind_starts_with_a_query_whose_error_is_shown(
    view: StatisticsPane, document: Document, kind: str
) -> None:
    view.ask.kinds[kind].trigger()
    (query,) = queries(document)
    assert query.kind == kind
    assert document.problems == ()
    assert any(sign in cell(view, 0, ERROR) for sign in "±≤")
    assert view.panel.index() == 0
    for tile in view.panel.figures.figures.tiles:
        assert tile.value()
    for number in range(4):
        view.panel.tabs.tabs.setCurrentIndex(number)
    assert len(view.panel.tabs.view(ReleaseLawPlot).plot.table_data().rows) > 1
    assert len(view.panel.tabs.view(CentralAccuracyPlot).by_epsilon.table_data().rows) > 1
    assert view.panel.tabs.view(WhyView).derivation.text()
    assert nameless(view) == []


def test_that_the_curves_of_the_error_are_drawn_from_end_to_end(view: StatisticsPane) -> None:
    view.ask.kinds["count"].trigger()
    for number in range(4):
        view.panel.tabs.tabs.setCurrentIndex(number)
    for plot in (
        view.panel.tabs.view(CentralAccuracyPlot).by_epsilon,
        view.panel.tabs.view(CentralAccuracyPlot).by_count,
    ):
        across, upwards = plot.getViewBox().viewRange()
        (logs, errors), _ = (curve.getData() for curve in plot.getPlotItem().listDataItems())
        table = plot.table_data().rows
        ends = [log10(float(table[place][0].replace(",", ""))) for place in (0, -1)]
        assert [logs[0], logs[-1]] == pytest.approx(ends, abs=0.01)
        # The curves fill the width; a little more is left for the last mark.
        assert across[0] == pytest.approx(ends[0], abs=0.01)
        assert ends[1] < across[1] < ends[1] + 0.05 * (ends[1] - ends[0])
        here = next(i for i, at in enumerate(logs) if at > (logs[0] + logs[-1]) / 2)
        assert upwards[0] < errors[here] < upwards[1]
        assert 10 ** errors[here] == pytest.approx(float(table[here][1].replace(",", "")), rel=0.01)


def test_that_the_kinds_give_way_to_the_table(view: StatisticsPane, qtbot: QtBot) -> None:
    assert view.kinds.isVisible()
    qtbot.mouseClick(view.kinds.buttons["mean"], Qt.MouseButton.LeftButton)
    assert view.table.isVisible()
    view.edits.remove(0)
    assert view.kinds.isVisible()


def test_that_a_question_in_words_becomes_a_row(
    view: StatisticsPane, document: Document, qtbot: QtBot
) -> None:
    qtbot.keyClicks(view.ask.phrase, "mean of")
    qtbot.keyClick(view.ask.phrase, Qt.Key.Key_Return)
    assert queries(document) == ()
    assert view.ask.phrase.property("wrong")
    view.ask.phrase.clear()
    qtbot.keyClicks(view.ask.phrase, 'mean of age by affairs where happy = "very happy"')
    qtbot.keyClick(view.ask.phrase, Qt.Key.Key_Return)
    (query,) = queries(document)
    assert query.columns == ("age", "affairs", "happy")
    assert view.ask.phrase.text() == ""
    assert cell(view, 0, NAME) == "mean of age"


def test_that_a_drag_of_epsilon_is_one_step_of_undo(
    view: StatisticsPane, document: Document
) -> None:
    ask(view, "count by affairs")
    steps = document.undo_stack.count()
    for epsilon in ("1.1", "1.2", "1.3"):
        view.panel.epsilon.epsilonChanged.emit(Decimal(epsilon))
    view.panel.epsilon.editingFinished.emit()
    assert queries(document)[0].epsilon == Decimal("1.3")
    assert document.undo_stack.count() == steps + 1
    document.undo_stack.undo()
    assert queries(document)[0].epsilon == 1
    assert view.panel.epsilon.epsilon() == 1


def test_that_a_smaller_epsilon_shows_a_larger_error_at_once(view: StatisticsPane) -> None:
    ask(view, "count by affairs")
    before = cell(view, 0, ERROR), view.panel.figures.figures.tiles[0].value()
    view.panel.epsilon.epsilonChanged.emit(Decimal("0.1"))
    view.panel.epsilon.editingFinished.emit()
    after = cell(view, 0, ERROR), view.panel.figures.figures.tiles[0].value()
    assert before == ("± 3 rows", "± 3 rows")
    assert after == ("± 30 rows", "± 30 rows")
    assert cell(view, 0, EPSILON) == "0.10"


def test_that_the_error_that_is_typed_sets_the_least_epsilon(
    view: StatisticsPane, document: Document, qtbot: QtBot
) -> None:
    ask(view, "count by affairs")
    qtbot.keyClicks(view.panel.error.field, "10")
    qtbot.keyClick(view.panel.error.field, Qt.Key.Key_Return)
    assert cell(view, 0, ERROR) == "± 10 rows"
    assert queries(document)[0].epsilon < 1


def test_that_bounds_of_another_column_are_forgotten(
    view: StatisticsPane, document: Document
) -> None:
    ask(view, "mean of age between 20 and 60")
    box = view.panel.form.fields["column"]
    box.setCurrentIndex(box.findData("income"))
    box.activated.emit(box.currentIndex())
    (query,) = queries(document)
    assert isinstance(query, Mean)
    assert (query.column, query.lower, query.upper) == ("income", None, None)


def test_that_a_bound_off_the_grid_is_told_beside_the_query(
    view: StatisticsPane, document: Document, qtbot: QtBot
) -> None:
    ask(view, "mean of age")
    field = view.panel.form.fields["upper"]
    qtbot.keyClicks(field, "60.5")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    (problem,) = document.problems
    assert problem.path == "statistics.queries.0"
    assert "in steps of 1" in view.panel.advice.text()
    assert not view.panel.tabs.isVisible()
    assert "in steps of 1" in view.model.row(0).problems


def test_that_gaussian_noise_brings_a_delta_and_others_take_it_away(
    view: StatisticsPane, document: Document
) -> None:
    ask(view, "count by affairs")
    box = view.panel.form.fields["noise"]
    for kind, delta in (("gaussian", Decimal("0.000001")), ("geometric", Decimal(0))):
        box = view.panel.form.fields["noise"]
        box.setCurrentIndex(box.findData(kind))
        box.activated.emit(box.currentIndex())
        assert queries(document)[0].delta == delta
        assert ("delta" in view.panel.form.fields) == bool(delta)
    assert view.panel.form.fields["noise"].findData("staircase") == -1


def test_that_conditions_are_built_by_picking(
    view: StatisticsPane, document: Document, qtbot: QtBot
) -> None:
    ask(view, "count")
    view.panel.form.fields["where"].click()
    dialog = view.window().findChild(ConditionsDialog)
    editor = dialog.choose("happy")
    for row in (0, 2):
        editor.categories.item(row).setCheckState(Qt.CheckState.Checked)
    ages = dialog.choose("age")
    qtbot.keyClicks(ages.least, "65")
    assert nameless(dialog) == []
    dialog.accept()
    (query,) = queries(document)
    assert query.where == (
        Condition(column="happy", values=("very happy", "not too happy")),
        Condition(column="age", lower=Decimal(65)),
    )
    assert "at least 65" in view.panel.form.fields["where"].words()


def test_that_a_share_of_nothing_is_refused_in_the_dialog(
    view: StatisticsPane, document: Document
) -> None:
    document.edit(
        "ask",
        document.plan.with_fields(
            statistics=document.plan.statistics.with_queries([Share(meeting=(YES,))])
        ),
    )
    view.panel.choose_conditions("meeting")
    dialog = view.window().findChild(ConditionsDialog)
    dialog.choose("affairs").categories.item(0).setCheckState(Qt.CheckState.Unchecked)
    dialog.accept()
    assert dialog.isVisible()
    assert queries(document) == (Share(meeting=(YES,)),)
    dialog.reject()


def test_that_groups_are_taken_in_the_order_of_the_ticks(
    view: StatisticsPane, document: Document
) -> None:
    ask(view, "count")
    view.panel.choose_groups()
    dialog = view.window().findChild(GroupsDialog)
    for name in ("region", "happy"):
        dialog.list.tick(name)
    assert nameless(dialog) == []
    dialog.accept()
    assert queries(document) == (Count(by=("region", "happy")),)
    assert cell(view, 0, 1) == "27 numbers"


def test_that_five_groups_are_refused(view: StatisticsPane, document: Document) -> None:
    ask(view, "count")
    dialog = GroupsDialog([], ("a", "b", "c", "d", "e"), lambda _: "")
    dialog.show()
    dialog.accept()
    assert dialog.result() != QDialog.DialogCode.Accepted
    dialog.deleteLater()


def test_that_an_unconfirmed_column_leads_to_the_data(
    view: StatisticsPane, document: Document, qtbot: QtBot
) -> None:
    document.edit("unconfirm", document.plan.with_column("age", confirmed=False))
    ask(view, "mean of age")
    (problem,) = document.problems
    assert problem.column == "age"
    with qtbot.waitSignal(view.pathAsked) as asked:
        view.panel.advice.linkClicked.emit()
    assert asked.args == ["columns.age.confirmed"]


def test_that_a_path_of_a_query_shows_it_from_the_records(
    open_page: Callable[[Plan], PlanPage], document: Document
) -> None:
    page = open_page(survey_plan())
    ask(page.statistics, "count by affairs", "mean of age")
    assert page.records.isVisible()
    page.show_path("statistics.queries.1")
    assert document.release_kind is STATISTICS
    assert page.statistics.isVisible()
    assert page.statistics.panel.index() == 1
    assert page.page_actions() == page.statistics.actions_listed()


def test_that_both_kinds_keep_their_own_problems(
    open_page: Callable[[Plan], PlanPage], document: Document
) -> None:
    page = open_page(survey_plan())
    records = document.problems
    page.records.header.kind.setCurrentIndex(1)
    document.end_gesture()
    assert [problem.code for problem in document.problems] == ["no_queries"]
    page.statistics.header.kind.setCurrentIndex(0)
    document.end_gesture()
    assert document.problems == records


def test_that_the_budget_is_split_over_the_statistics(
    view: StatisticsPane, document: Document
) -> None:
    ask(view, "count by affairs", "mean of age", "median of income")
    view.edits.toggle_lock(0)
    view.edits.set_budget(Decimal(2), split=True)
    assert [query.epsilon for query in queries(document)] == [1, Decimal("0.5"), Decimal("0.5")]
    view.edits.set_budget(Decimal("0.5"))
    assert "over_budget" in [problem.code for problem in document.problems]
    view.edits.resplit()
    assert view.notice.isVisible()


def test_that_the_order_and_the_copies_are_as_asked(
    view: StatisticsPane, document: Document
) -> None:
    ask(view, "count by affairs", "mean of age")
    view.table.select(0)
    view._move(1)
    assert [query.kind for query in queries(document)] == ["mean", "count"]
    assert view.panel.index() == 1
    view.edits.duplicate(1)
    view.edits.remove(0)
    assert [query.kind for query in queries(document)] == ["count", "count"]


def test_that_another_relation_changes_sensitivities_everywhere(
    view: StatisticsPane, document: Document
) -> None:
    ask(view, "count by affairs")
    before = cell(view, 0, ERROR)
    strip = view.header.unit
    strip.relation.setCurrentIndex(1)
    strip.relation.activated.emit(1)
    assert document.plan.statistics.unit.relation == "replace"
    assert cell(view, 0, ERROR) != before
    asked: list[str] = []
    view.pathAsked.connect(asked.append)
    strip.people.click()
    assert asked == ["statistics.unit"]
    unit = PrivacyUnit(respondent_column="affairs", rows_per_respondent=3)
    document.edit("", set_unit(document.plan, unit, document.table))
    assert strip.people.text() == "3 rows per pers&on…"


def test_that_the_confidence_is_said_wherever_it_counts(view: StatisticsPane) -> None:
    ask(view, "count by affairs")
    strip = view.header.unit
    strip.confidence.setText("99")
    strip.confidence.commit()
    assert view.model.headerData(ERROR, Qt.Orientation.Horizontal) == "99 % error"
    assert "99 %" in view.panel.figures.figures.tiles[0].caption()
    assert "99 %" in view.panel.error.field.accessibleName()


def test_that_markup_in_names_is_text(view: StatisticsPane, document: Document) -> None:
    column = document.plan.column("age").model_copy(update={"name": "<img src=x>"})
    columns = tuple(column if c.name == "age" else c for c in document.plan.columns)
    mean = Mean(column="<img src=x>", name="<b>name</b>")
    statistics = document.plan.statistics.with_queries([mean])
    document.edit("rename", document.plan.with_fields(columns=columns, statistics=statistics))
    # The one label with markup holds no text of the data.
    assert [text for text in rich_labels(view) if "e<sup>ε</sup>" not in text] == []
    assert view.panel.title() == "<b>name</b>"
    assert "&lt;b&gt;" in view.model.index(0, NAME).data(Qt.ItemDataRole.ToolTipRole)


def test_that_the_table_of_statistics_can_be_copied(view: StatisticsPane) -> None:
    ask(view, "count by affairs")
    view.table.setFocus()
    view.table.copy_table.copy()
    assert "count of rows" in QGuiApplication.clipboard().text()


def test_that_the_choice_of_a_release_is_remembered(settings, document: Document) -> None:
    assert settings.release_kind() == "records"
    settings.set_release_kind("statistics")
    assert settings.release_kind() == "statistics"


def test_that_the_error_of_a_quantile_is_said_to_be_one_of_rank() -> None:
    plan = survey_plan()
    queries = [parse_query(f"{what} of age", epsilon=Decimal(1)) for what in ("median", "mean")]
    plan = plan.with_fields(statistics=plan.statistics.with_queries(queries))
    median, mean = (error_words(query_request(plan, index)) for index in range(2))
    assert re.fullmatch(r"± [\d.]+ pp rank", median)
    assert "rank" not in mean


def offered(view: StatisticsPane) -> list[str]:
    return view.ask.phrase.offers.stringList()


def test_that_names_are_completed_while_one_types_and_taken_by_the_keyboard(
    view: StatisticsPane, document: Document, qtbot: QtBot
) -> None:
    line = view.ask.phrase
    line.setFocus()
    qtbot.waitUntil(line.hasFocus)
    qtbot.keyClicks(line, "count by af")
    assert offered(view) == ["count by affairs"]
    popup = line.completer().popup()
    assert popup.isVisible()
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    assert line.text() == "count by affairs"
    assert queries(document) == ()
    qtbot.keyClicks(line, " and occ")
    assert offered(view) == ["count by affairs and occupation"]
    # Esc closes the offers and leaves what was typed.
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    assert not popup.isVisible()
    assert line.text() == "count by affairs and occ"
    # Enter takes what is typed though other words are offered.
    line.clear()
    qtbot.keyClicks(line, "mean of age")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert [query.description for query in queries(document)] == ["mean of age"]


def test_that_a_median_by_groups_becomes_a_row_for_each_and_tells_its_cost(
    view: StatisticsPane, document: Document, qtbot: QtBot
) -> None:
    qtbot.keyClicks(view.ask.phrase, "median age by happy")
    qtbot.keyClick(view.ask.phrase, Qt.Key.Key_Return)
    asked = queries(document)
    assert len(asked) == 3
    assert sum(query.epsilon for query in asked) == 1
    assert "3 were added" in view.ask.note.text()
    assert "together use ε = 1." in view.ask.note.text()
    document.undo_stack.undo()
    assert queries(document) == ()


def test_that_a_phrase_about_no_column_is_refused_with_the_nearest(
    view: StatisticsPane, document: Document
) -> None:
    sentence = view.edits.ask("average agee")
    assert "no column agee" in sentence
    assert "mean of age" in sentence
    assert "mean of age" in view.edits.ask("averge of age")
    assert queries(document) == ()
