from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from dpdesk.designs import design_named
from dpdesk.designs.planning import Goal, Sample, Share, allocate, respondents_for_margin
from dpdesk.gui.pages.simulate import SimulatePage
from dpdesk.gui.pages.simulate.page import PapersDialog
from dpdesk.gui.pages.simulate.planning.view import ONE, QUESTIONS, STRATA, SamplePlanningView
from dpdesk.gui.pages.simulate.survey_pane import EXPLORE
from dpdesk.reports.survey import ShareMemo
from tests.gui.simulate.planning_steps import (
    DIE,
    TWO_COINS,
    choose,
    suppose,
    type_into,
    values,
    want,
    write,
)
from tests.gui.test_accessibility import nameless, rich_labels
from tests.gui.test_whole_window import mnemonics


@pytest.mark.parametrize("kind", [ONE, STRATA, QUESTIONS])
def test_that_a_plan_is_copied_and_saved(
    kind: int, view: SamplePlanningView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view.set_kind(kind)
    outcome = view.outcome()
    assert outcome is not None
    view.copying.trigger()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith(outcome.sentence)
    assert outcome.table.tab_separated() in copied
    choose(monkeypatch, tmp_path / "plan")
    view.saving.trigger()
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
    view.saving.trigger()
    assert page.notice.message().startswith("plan.csv cannot be written: there is no folder")


def test_that_a_name_is_no_formula_in_a_file(view: SamplePlanningView) -> None:
    view.set_kind(STRATA)
    write(view.strata.table, 0, 0, "=cmd()")
    outcome = view.outcome()
    assert outcome is not None
    assert "\n'=cmd()," in outcome.csv()


@pytest.mark.parametrize("kind", [ONE, STRATA, QUESTIONS])
def test_that_every_stop_has_a_name_and_every_letter_answers_once(
    kind: int, placed: SamplePlanningView, page: SimulatePage
) -> None:
    view = placed
    view.set_kind(kind)
    goals = Goal if kind == ONE else [Goal.POWER]
    for goal in goals:
        want(view, goal)
        assert nameless(view) == []
        assert rich_labels(view) == []
        letters = [*mnemonics(QMainWindow(), page), *"fevh"]
        assert sorted(set(letters)) == sorted(letters)


def test_that_the_view_has_its_own_figures_and_no_seed(
    page: SimulatePage, placed: SamplePlanningView
) -> None:
    view = placed
    assert view.figures.isVisibleTo(page)
    assert not page.pane.figures.isVisibleTo(page)
    assert not page.pane.seed.isVisibleTo(page)
    page.show_room(EXPLORE)
    assert not view.figures.isVisibleTo(page)
    assert page.pane.figures.isVisibleTo(page)


def test_that_every_design_can_be_planned_with(view: SamplePlanningView) -> None:
    suppose(view, design=design_named("direct")())
    assert values(view)[2] == "1.0 ×"


def test_that_the_picture_shows_the_plan(view: SamplePlanningView, qtbot: QtBot) -> None:
    plot = view.one.curves.plot
    assert plot.accessibleDescription() == "3,586 respondents: margin ± 3.0 pp"
    for people, own, direct in plot.table_data().rows:
        count = int(people.replace(",", ""))
        assert float(own) == pytest.approx(100 * Sample(TWO_COINS, Share(0.1), count).margin, 5e-3)
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
    base = ShareMemo(
        question="",
        design=page.scenario().design,
        prevalence=0.1,
        respondents=page.scenario().respondents,
    )
    assert view.add_to_memo(base) == base
    type_into(view.one.cells["population"], "5000", qtbot)
    type_into(view.one.cells["denial"], "50", qtbot)
    planned = view.add_to_memo(base)
    wanted = respondents_for_margin(Sample(TWO_COINS, Share(0.1), population=5000), 0.03)
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
    page.pane.tabs.tabs.setCurrentIndex(0)
    page.pane.change(design=DIE)
    page.pane.flush()
    page.planning.show_scenario(page.scenario())
    base = ShareMemo(
        question="", design=DIE, prevalence=0.1, respondents=page.scenario().respondents
    )
    found = view.add_to_memo(base).strata
    assert found is not None
    assert found.plan.respondents == allocate(DIE, found.strata, 3586, "neyman")
    view.set_kind(ONE)
    page.pane.change(design=TWO_COINS)
    page.pane.flush()
    page.planning.show_scenario(page.scenario())
    found = view.add_to_memo(base).strata
    assert found is not None
    assert found.plan.respondents == allocate(TWO_COINS, found.strata, 3586, "neyman")
