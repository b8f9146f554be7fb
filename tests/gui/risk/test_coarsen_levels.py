"""The rows of levels: what a column of one level can do, and how long names stand in them."""

from __future__ import annotations

import pytest

from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical
from dpdesk.gui.document import Document
from dpdesk.gui.pages.risk import RiskPage
from dpdesk.gui.pages.risk.coarsen_pane import CoarsenPane
from dpdesk.plan import Plan
from dpdesk.plan.column import ColumnPlan
from tests.gui.risk.coarse_people import Wait, qapp_events

TOWN = "town in which the household lived in the {} year"
FIRST, LAST = TOWN.format("first"), TOWN.format("last")


def towns() -> SurveyTable:
    """A hundred people: in the first year in four towns, two of them rare; then in two."""
    first = ["Rome"] * 60 + ["Oslo"] * 36 + ["Bonn"] * 2 + ["Kyiv"] * 2
    return table_from_texts({FIRST: first, LAST: [*["Rome"] * 50, *["Oslo"] * 50]})


@pytest.fixture
def coarse(pane: CoarsenPane, page: RiskPage, document: Document, wait: Wait) -> CoarsenPane:
    """The pane after the best levels of both towns were looked for."""
    values = ("Rome", "Oslo", "Bonn", "Kyiv")
    columns = tuple(
        ColumnPlan(name=name, kind="nominal", domain=Categorical(values=listed), confirmed=True)
        for name, listed in ((FIRST, values), (LAST, values[:2]))
    )
    document._set_table(towns(), None)
    document.reset(Plan(respondents=100, columns=columns))
    wait()
    page.state.choose((FIRST, LAST), ())
    wait()
    pane.form.set_value("suppress", "0")
    pane.best.click()
    wait()
    return pane


def test_that_a_column_of_one_level_says_so_and_merges_its_rare_answers(
    coarse: CoarsenPane, wait: Wait
) -> None:
    rows = coarse.rows
    assert rows.values() == (1, 0)
    told = [row.advice.full_text() for row in rows.rows]
    assert told == [
        "One level: merge rare answers",
        "One level: load a file of levels",
    ]
    merge = [row.menu.menu().actions()[0] for row in rows.rows]
    assert [action.isVisible() for action in merge] == [True, False]
    merge[0].trigger()
    wait()
    answer = coarse.answer
    assert answer is not None
    levels = answer.lattice.columns[0].hierarchy
    assert levels.labels[0] == ("Rome", "Oslo", "other", "other")
    assert answer.from_records == (FIRST,)
    # Bonn and Kyiv together are four: with one record less than k = 5 they stay with the rest.
    coarse.form.set_value("k", 4)
    coarse.best.click()
    wait()
    assert rows.values() == (1, 0)
    assert rows.rows[0].advice.isHidden()
    assert not rows.rows[1].advice.isHidden()
    coarse.undo.click()
    coarse.undo.click()
    assert not rows.rows[0].advice.isHidden()


def test_that_long_names_leave_room_for_examples_and_are_whole_in_their_tooltips(
    coarse: CoarsenPane,
) -> None:
    qapp_events(coarse)
    rows = coarse.rows
    assert all(row.label.width() < 0.4 * rows.width() for row in rows.rows)
    assert all(row.example.width() > 60 for row in rows.rows)
    assert all("year" in row.label.toolTip() for row in rows.rows)
    assert all("…" in row.label.text() for row in rows.rows)
