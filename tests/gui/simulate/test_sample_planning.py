from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from fractions import Fraction
from math import log
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMainWindow
from pytestqt.qtbot import QtBot

from dpdesk.designs import design_named
from dpdesk.designs.forced import Forced
from dpdesk.designs.mangat import Mangat
from dpdesk.designs.of_epsilon import at_epsilon, least_epsilon_for_power
from dpdesk.designs.planning import (
    Question,
    Stratum,
    allocate,
    plan_of_questionnaire,
    plan_of_sample,
    plan_of_strata,
    power,
    respondents_for_margin,
    respondents_for_power,
    respondents_for_strata,
    respondents_to_beat_direct,
)
from dpdesk.designs.suggest import design_at
from dpdesk.designs.warner import WarnerDesign
from dpdesk.gui.document import Document
from dpdesk.gui.pages.simulate import SimulatePage
from dpdesk.gui.pages.simulate.papers_dialog import PapersDialog
from dpdesk.gui.pages.simulate.planning.cell import NumberCell
from dpdesk.gui.pages.simulate.planning.entry_table import EntryTable
from dpdesk.gui.pages.simulate.planning.outcome import outcome_csv
from dpdesk.gui.pages.simulate.planning.view import ONE, QUESTIONS, STRATA, SamplePlanningView
from dpdesk.gui.pages.simulate.planning.wanted import Goal
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.pages.simulate.take_over import COLUMN
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.report.survey import MemoRequest
from tests.gui.test_accessibility import nameless, rich_labels
from tests.gui.test_whole_window import mnemonics

TWO_COINS = WarnerDesign(p=Fraction(3, 4))
SUPPOSED = Scenario(question="Have you ever had an extramarital affair?")
DIE = Forced(forced_no=Fraction(1, 6), forced_yes=Fraction(1, 6))


@pytest.fixture
def view(theme: ThemeSwitch) -> Iterator[SamplePlanningView]:
    """The view alone, with two coins, a share of 10 % and n = 3,586; gone afterwards."""
    shown = SamplePlanningView(theme)
    shown.resize(846, 600)
    shown.show()
    shown.show_scenario(SUPPOSED)
    yield shown
    shown.close()
    shown.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def placed(page: SimulatePage) -> SamplePlanningView:
    """The view on its page, as one finds it."""
    page.tabs.tabs.setCurrentIndex(page.tabs.views().index(page.planning))
    return page.planning


def suppose(view: SamplePlanningView, **changes: object) -> None:
    """What the left of the page does."""
    view.show_scenario(SUPPOSED.changed(**changes))


def type_into(cell: NumberCell, text: str, qtbot: QtBot) -> None:
    cell.field.setFocus()
    cell.field.selectAll()
    if text:
        qtbot.keyClicks(cell.field, text)
    else:
        qtbot.keyClick(cell.field, Qt.Key.Key_Delete)
    qtbot.keyClick(cell.field, Qt.Key.Key_Return)


def write(table: EntryTable, row: int, column: int, text: str) -> None:
    """What an editor of the cell does."""
    table.model.setData(table.model.index(row, column), text)


def numbers(view: SamplePlanningView) -> dict[str, str]:
    """What a file of the plan of one question says."""
    outcome = view.outcome()
    assert outcome is not None
    return {quantity: value for quantity, value, _ in outcome.table.rows}


def values(view: SamplePlanningView) -> list[str]:
    return [tile.value() for tile in view.figures.tiles]


def test_that_two_coins_need_3586_respondents_for_three_points(view: SamplePlanningView) -> None:
    assert numbers(view)["respondents"] == "3586"
    assert values(view) == ["3,586", "± 3.0 pp", "9.3 ×", "384"]
    assert view.sentence.text() == (
        "3,586 respondents reach a margin of ± 3.0 pp (95 %) with Warner, two coins."
    )


def test_that_epsilon_one_needs_4314_and_4007_of_5000(
    page: SimulatePage, placed: SamplePlanningView, qtbot: QtBot
) -> None:
    view = placed
    page._change(design=design_at(WarnerDesign, 1.0))
    page._throttle.flush()
    assert values(view)[0] == "4,314"
    type_into(view.one.cells["population"], "5000", qtbot)
    assert values(view)[0] == "4,007"
    assert "4,007 respondents" in view.sentence.text()
    assert "in a population of 5,000" in view.sentence.text()
    view.take.click()
    assert page.scenario().respondents == 4007
    page._throttle.flush()
    assert not view.take.isVisibleTo(view)


def test_that_the_power_is_the_published_one(view: SamplePlanningView, qtbot: QtBot) -> None:
    suppose(view, design=DIE, respondents=200)
    view.one.set_goal(Goal.POWER)
    type_into(view.one.cells["against"], "0", qtbot)
    assert float(numbers(view)["power"]) == pytest.approx(0.7822386414, abs=1e-9)
    assert power(DIE, 0.0, 0.1, 200) == pytest.approx(0.7822386414, abs=1e-10)
    assert values(view)[1] == "78.2 %"
    view.one.sides.setCurrentIndex(1)
    view.one.sides.activated.emit(1)
    both = power(DIE, 0.0, 0.1, 200, two_sided=True)
    assert float(numbers(view)["power"]) == pytest.approx(both)


def test_that_respondents_for_a_power_are_those_of_the_formula(
    view: SamplePlanningView, qtbot: QtBot
) -> None:
    view.one.set_goal(Goal.RESPONDENTS_FOR_POWER)
    type_into(view.one.cells["power"], "90 %", qtbot)
    type_into(view.one.cells["alpha"], "1", qtbot)
    wanted = respondents_for_power(TWO_COINS, 0.05, 0.1, 0.9, 0.01)
    assert numbers(view)["respondents"] == str(wanted)


def test_that_the_least_epsilon_for_a_power_has_it_and_no_more(
    page: SimulatePage, placed: SamplePlanningView
) -> None:
    view = placed
    view.one.set_goal(Goal.EPSILON_FOR_POWER)
    outcome = view.outcome()
    assert outcome is not None
    assert outcome.epsilon is not None
    reached = respondents_for_power(at_epsilon(TWO_COINS, outcome.epsilon), 0.05, 0.1, 0.8)
    assert reached <= 3586
    less = at_epsilon(TWO_COINS, outcome.epsilon - 1e-5)
    assert respondents_for_power(less, 0.05, 0.1, 0.8) > 3586
    view.take.click()
    assert page.scenario().epsilon == pytest.approx(outcome.epsilon, abs=1e-5)


def test_that_epsilon_for_a_power_goes_back_to_the_design() -> None:
    chance = power(DIE, 0.0, 0.1, 200)
    assert least_epsilon_for_power(DIE, 0.0, 0.1, chance, 200) == pytest.approx(log(5), abs=1e-4)


@pytest.mark.parametrize(
    ("goal", "field", "typed", "epsilon"),
    [
        (Goal.EPSILON_FOR_BELIEF, "belief", "50", log(9)),
        (Goal.EPSILON_FOR_ODDS, "odds", "3", log(3)),
    ],
)
def test_that_a_cap_on_beliefs_or_odds_has_its_epsilon(
    goal: Goal, field: str, typed: str, epsilon: float, view: SamplePlanningView, qtbot: QtBot
) -> None:
    view.one.set_goal(goal)
    type_into(view.one.cells[field], typed, qtbot)
    assert float(numbers(view)["epsilon"]) == pytest.approx(epsilon)
    sample = plan_of_sample(at_epsilon(TWO_COINS, epsilon), 0.1, 3586)
    assert float(numbers(view)["margin"]) == pytest.approx(sample.margin)
    assert float(numbers(view)["highest belief"]) == pytest.approx(
        0.5 if field == "belief" else 0.25
    )


def test_that_the_epsilon_of_1000_respondents_is_that_of_the_science(
    view: SamplePlanningView,
) -> None:
    suppose(view, respondents=1000)
    view.one.set_goal(Goal.EPSILON_FOR_MARGIN)
    assert float(numbers(view)["epsilon"]) == pytest.approx(2.177, abs=5e-4)


def test_that_unequal_weights_show_their_design_effect(
    view: SamplePlanningView, qtbot: QtBot
) -> None:
    type_into(view.one.cells["weights_cv"], "50 %", qtbot)
    wanted = respondents_for_margin(TWO_COINS, 0.1, 0.03, weights_cv=0.5)
    found = numbers(view)
    assert found["respondents"] == str(wanted.respondents) == "4482"
    assert float(found["design effect of the weights"]) == 1.25
    assert float(found["design effect"]) == pytest.approx(wanted.design_effect)
    assert float(found["effective respondents"]) == pytest.approx(wanted.effective_respondents)
    assert "1.25 ×" in view.notes.text()


@pytest.mark.parametrize(("design", "least"), [(DIE, 142), (TWO_COINS, 317)])
def test_that_denials_say_from_which_n_the_design_is_better(
    design, least: int, view: SamplePlanningView, qtbot: QtBot
) -> None:
    suppose(view, design=design)
    type_into(view.one.cells["denial"], "50", qtbot)
    assert respondents_to_beat_direct(design, 0.1, 0.5) == least
    assert f"from n = {least} on the design errs less" in view.notes.text()
    assert "5.0 pp too low at any n" in view.notes.text()
    table = view.one.curves.plot.table_data()
    at = [[float(text.replace(",", "")) for text in row] for row in table.rows]
    for people, own, _, denied in at:
        assert (own <= denied) == (people >= least)


def test_that_what_is_impossible_is_told_at_its_field(
    view: SamplePlanningView, qtbot: QtBot
) -> None:
    cells = view.one.cells
    type_into(cells["margin"], "150", qtbot)
    assert "must lie between 0 and 1" in cells["margin"].refusal.text()
    assert values(view) == ["—"] * 4
    type_into(cells["margin"], "3", qtbot)
    assert not cells["margin"].refusal.isVisibleTo(view)
    type_into(cells["population"], "1000", qtbot)
    assert "Even with all 1,000 people" in cells["margin"].refusal.text()
    type_into(cells["population"], "5000", qtbot)
    type_into(cells["weights_cv"], "0.3", qtbot)
    assert "all weights are equal" in cells["weights_cv"].refusal.text()
    type_into(cells["population"], "", qtbot)
    assert view.outcome() is not None
    type_into(cells["weights_cv"], "-1", qtbot)
    assert "must be 0 or more" in cells["weights_cv"].refusal.text()


def test_that_what_is_no_number_stays_as_it_was_typed(
    view: SamplePlanningView, qtbot: QtBot
) -> None:
    margin = view.one.cells["margin"]
    type_into(margin, "three", qtbot)
    assert margin.field.text() == "three"
    assert "not a number" in margin.refusal.text()
    view.set_kind(STRATA)
    view.set_kind(ONE)
    view.one.set_goal(Goal.POWER)
    view.one.set_goal(Goal.RESPONDENTS_FOR_MARGIN)
    assert margin.field.text() == "three"
    assert "not a number" in margin.refusal.text()


def test_that_a_share_of_nobody_is_told_and_no_plan_shown(view: SamplePlanningView) -> None:
    suppose(view, prevalence=0.0)
    assert "true share must lie between 0 and 1" in view.refusal.text()
    assert view.outcome() is None
    assert not view.copying.isEnabled()


def test_that_a_design_without_epsilon_is_solved_with_warners(view: SamplePlanningView) -> None:
    suppose(view, design=Mangat(p=Fraction(3, 4)))
    view.one.set_goal(Goal.EPSILON_FOR_MARGIN)
    assert float(numbers(view)["epsilon"]) == pytest.approx(log(3), abs=1e-3)
    assert "this is Warner's" in view.notes.text()
    assert not view.take.isVisibleTo(view)


def test_that_strata_follow_the_table(
    page: SimulatePage, placed: SamplePlanningView, qtbot: QtBot
) -> None:
    view = placed
    view.set_kind(STRATA)
    strata = (Stratum(0.6, 0.02), Stratum(0.3, 0.4), Stratum(0.1, 0.1))
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
    strata = (Stratum(0.5, 0.05), Stratum(0.3, 0.1), Stratum(0.2, 0.25))
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
        Question(0.1, 0.03),
        Question(0.3, 0.05, 2.0 if split == "weighted" else 1.0),
    )
    plan = plan_of_questionnaire(WarnerDesign, questions, 3.0, split)
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
    document: Document, placed: SamplePlanningView
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


def test_that_a_plan_of_one_report_each_refuses_a_questionnaire(
    page: SimulatePage, document: Document, placed: SamplePlanningView
) -> None:
    view = placed
    document.edit("Sample", document.plan.with_fields(strategy="smp"))
    view.set_kind(QUESTIONS)
    view.use.click()
    assert document.plan.columns == ()
    assert "reports one attribute" in page.notice.message()


def choose(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))


@pytest.mark.parametrize("kind", [ONE, STRATA, QUESTIONS])
def test_that_a_plan_is_copied_and_saved(
    kind: int, view: SamplePlanningView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view.set_kind(kind)
    outcome = view.outcome()
    assert outcome is not None
    view.copying.click()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith(outcome.sentence)
    assert outcome.table.tab_separated() in copied
    choose(monkeypatch, tmp_path / "plan")
    view.saving.click()
    saved = (tmp_path / "plan.csv").read_text(encoding="utf-8")
    rows = list(csv.reader(io.StringIO(saved)))
    assert tuple(rows[0]) == outcome.table.headers
    assert [len(row) for row in rows] == [len(rows[0])] * (1 + len(outcome.table.rows))


def test_that_a_plan_that_cannot_be_saved_says_so(
    page: SimulatePage,
    placed: SamplePlanningView,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    view = placed
    choose(monkeypatch, tmp_path / "none" / "plan.csv")
    view.saving.click()
    assert page.notice.message().startswith("The plan cannot be written there.")


def test_that_a_name_is_no_formula_in_a_file(view: SamplePlanningView) -> None:
    view.set_kind(STRATA)
    write(view.strata.table, 0, 0, "=cmd()")
    outcome = view.outcome()
    assert outcome is not None
    assert "\n'=cmd()," in outcome_csv(outcome)


@pytest.mark.parametrize("kind", [ONE, STRATA, QUESTIONS])
def test_that_every_stop_has_a_name_and_every_letter_answers_once(
    kind: int, placed: SamplePlanningView, page: SimulatePage
) -> None:
    view = placed
    view.set_kind(kind)
    goals = Goal if kind == ONE else [Goal.POWER]
    for goal in goals:
        view.one.set_goal(goal)
        assert nameless(view) == []
        assert rich_labels(view) == []
        letters = [*mnemonics(QMainWindow(), page), *"fevh"]
        assert sorted(set(letters)) == sorted(letters)


def test_that_the_view_has_its_own_figures_and_no_seed(
    page: SimulatePage, placed: SamplePlanningView
) -> None:
    view = placed
    assert view.figures.isVisibleTo(page)
    assert not page.figures.isVisibleTo(page)
    assert not page.seed.isVisibleTo(page)
    page.tabs.tabs.setCurrentIndex(0)
    assert not view.figures.isVisibleTo(page)
    assert page.figures.isVisibleTo(page)


def test_that_every_design_can_be_planned_with(view: SamplePlanningView) -> None:
    suppose(view, design=design_named("direct")())
    assert values(view)[2] == "1.0 ×"


def test_that_the_picture_shows_the_plan(view: SamplePlanningView, qtbot: QtBot) -> None:
    plot = view.one.curves.plot
    assert plot.accessibleDescription() == "3,586 respondents: margin ± 3.0 pp"
    for people, own, direct in plot.table_data().rows:
        count = int(people.replace(",", ""))
        assert float(own) == pytest.approx(100 * plan_of_sample(TWO_COINS, 0.1, count).margin, 5e-3)
        assert float(direct) < float(own)
    type_into(view.one.cells["population"], "5000", qtbot)
    assert plot.table_data().rows[-1][0] == "5,000"
    # Who asks everybody directly has no error left; the device's noise stays.
    assert plot.table_data().rows[-1][2] == "0"
    assert float(plot.table_data().rows[-1][1]) > 0


def test_that_the_picture_of_strata_ends_with_all_and_goes_where_there_is_no_room(
    view: SamplePlanningView,
) -> None:
    view.set_kind(STRATA)
    found = view.strata.found()
    assert found is not None
    rows = view.strata.picture.table_data().rows
    assert [row[0] for row in rows] == ["Stratum 1", "Stratum 2", "Stratum 3", "All"]
    assert rows[-1][2] == values(view)[1]
    assert view.strata.picture.isVisibleTo(view)
    view.strata.layout().activate()
    table, picture = view.strata.table.geometry(), view.strata.picture.geometry()
    assert table.height() == view.strata.table.full_height()
    view.strata.table.layout().activate()
    rows_view = view.strata.table.view
    last = rows_view.visualRect(view.strata.model.index(2, 0))
    assert 0 < last.bottom() <= rows_view.viewport().height()
    assert picture.top() - table.bottom() < 20
    for _ in range(12):
        view.strata.table.add_row()
    assert not view.strata.picture.isVisibleTo(view)
    while view.strata.table.remove.isEnabled():
        view.strata.table.remove_row()
    assert view.strata.picture.isVisibleTo(view)


def test_that_the_memo_takes_in_what_was_worked_on(
    page: SimulatePage, placed: SamplePlanningView, qtbot: QtBot
) -> None:
    view = placed
    base = MemoRequest("", page.scenario().design, 0.1, page.scenario().respondents)
    assert view.add_to_memo(base) == base
    type_into(view.one.cells["population"], "5000", qtbot)
    type_into(view.one.cells["denial"], "50", qtbot)
    planned = view.add_to_memo(base)
    wanted = respondents_for_margin(TWO_COINS, 0.1, 0.03, population=5000)
    assert planned.respondents == wanted.respondents
    assert (planned.population, planned.denial) == (5000, 0.5)
    view.set_kind(STRATA)
    write(view.strata.table, 0, 0, "Town")
    view.set_kind(QUESTIONS)
    view.memo.click()
    planned = view.add_to_memo(base)
    assert planned.strata == view.strata.found()
    assert planned.questions == view.questions.found()
    page.show_memo()
    (dialog,) = page.findChildren(PapersDialog)
    text = dialog.preview.toPlainText()
    assert "Sample plan" in text
    assert "Town" in text
    dialog.close()
    view.memo.click()
    assert view.add_to_memo(base).questions is None


def test_that_the_memo_follows_the_survey_on_the_left(
    page: SimulatePage, placed: SamplePlanningView
) -> None:
    view = placed
    view.set_kind(STRATA)
    view.memo.click()
    page.tabs.tabs.setCurrentIndex(0)
    page._change(design=DIE)
    page._throttle.flush()
    page.planning.show_scenario(page.scenario())
    base = MemoRequest("", DIE, 0.1, page.scenario().respondents)
    found = view.add_to_memo(base).strata
    assert found is not None
    assert found.plan.respondents == allocate(DIE, found.strata, 3586, "neyman")
    view.set_kind(ONE)
    page._change(design=TWO_COINS)
    page._throttle.flush()
    page.planning.show_scenario(page.scenario())
    found = view.add_to_memo(base).strata
    assert found is not None
    assert found.plan.respondents == allocate(TWO_COINS, found.strata, 3586, "neyman")
