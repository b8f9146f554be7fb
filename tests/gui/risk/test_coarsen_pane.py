from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical, Integer
from dpdesk.gui.document import Document
from dpdesk.gui.pages.risk import RiskPage
from dpdesk.gui.pages.risk.coarsen_pane import CoarsenPane
from dpdesk.gui.pages.risk.page import PANES
from dpdesk.plan import Plan
from dpdesk.plan.column import ColumnPlan

Wait = Callable[[], None]
QUASI, SENSITIVE = ("age", "sex"), ("income",)


def people() -> SurveyTable:
    """Forty people in pairs by age; their incomes differ within a pair."""
    return table_from_texts(
        {
            "age": [str(20 + row // 2) for row in range(40)],
            "sex": ["f" if row % 4 < 2 else "m" for row in range(40)],
            "income": [str(row % 3) for row in range(40)],
        }
    )


def plan(*, confirmed: bool = True) -> Plan:
    columns = (
        ColumnPlan(
            name="age", kind="integer", domain=Integer(lower=18, upper=60), confirmed=confirmed
        ),
        ColumnPlan(
            name="sex", kind="binary", domain=Categorical(values=("f", "m")), confirmed=confirmed
        ),
        ColumnPlan(name="income", kind="nominal", domain=Categorical(values=("0", "1", "2"))),
    )
    return Plan(respondents=40, columns=columns)


@pytest.fixture
def page(qtbot: QtBot, document: Document) -> Iterator[RiskPage]:
    shown = RiskPage(document)
    qtbot.addWidget(shown)
    shown.resize(1280, 760)
    shown.show()
    document._set_table(people(), None)
    document.reset(plan())
    yield shown
    shown.shut_down()


@pytest.fixture
def pane(page: RiskPage) -> CoarsenPane:
    page.tabs.show_pane(CoarsenPane)
    found = page.tabs.panes[PANES.index(CoarsenPane)]
    assert isinstance(found, CoarsenPane)
    return found


@pytest.fixture
def wait(qtbot: QtBot, page: RiskPage, pane: CoarsenPane) -> Wait:
    """Waits until nothing runs."""

    def until_idle() -> None:
        qtbot.waitUntil(
            lambda: not (page.state.watch.is_running or pane.watch.is_running), timeout=60_000
        )

    until_idle()
    page.state.choose(QUASI, SENSITIVE)
    until_idle()
    return until_idle


def figures(pane: CoarsenPane) -> dict[str, tuple[str, str]]:
    return {row.name: (row.before, row.after) for row in pane.model.rows}


def test_that_the_best_levels_are_shown_with_the_file_before_and_after(
    pane: CoarsenPane, wait: Wait
) -> None:
    assert not pane.write.isEnabled()
    pane.form.k.setValue(4)
    pane.form.left_out.setValue(0)
    pane.best.click()
    wait()
    assert figures(pane)["records"] == ("40", "40")
    assert figures(pane)["smallest group (k)"][0] == "2"
    assert int(figures(pane)["smallest group (k)"][1]) >= 4
    assert "No other levels lose less" in pane.told()
    assert pane.answer is not None
    assert pane.rows.values() == pane.answer.levels
    assert pane.answer.from_records == ()


def test_that_a_level_is_changed_by_hand_and_taken_back(pane: CoarsenPane, wait: Wait) -> None:
    pane.form.k.setValue(4)
    pane.best.click()
    wait()
    best, told = pane.rows.values(), pane.told()
    assert not pane.undo.isEnabled()
    # On their own ages there are pairs alone: no record would be left, and nothing changes.
    pane.rows.levels[0].setValue(0)
    wait()
    assert "No records are left" in pane.notice.message()
    assert pane.rows.values() == best
    pane.form.k.setValue(2)
    # The second change comes while the first is still looked at.
    pane.rows.levels[1].setValue(1)
    pane.rows.levels[0].setValue(0)
    wait()
    assert pane.rows.values()[0] == 0
    assert "No other levels lose less" not in pane.told()
    while pane.undo.isEnabled():
        pane.undo.click()
    assert (pane.rows.values(), pane.told(), pane.form.k.value()) == (best, told, 4)


def test_that_what_would_leave_out_more_than_may_be_is_not_written(
    pane: CoarsenPane, wait: Wait, page: RiskPage
) -> None:
    page.state.choose(("age",), ())
    wait()
    pane.form.k.setValue(3)
    pane.form.left_out.setValue(0)
    pane.best.click()
    wait()
    assert pane.write.isEnabled()
    # Intervals that begin at multiples: on level 1 the first holds ages 20 and 21 and so on.
    pane.form.k.setValue(7)
    pane.rows.levels[0].setValue(1)
    wait()
    assert pane.answer is not None
    assert pane.write.isEnabled() == (pane.answer.too_many == 0)


def test_that_what_cannot_be_reached_is_said(pane: CoarsenPane, wait: Wait) -> None:
    pane.form.k.setValue(41)
    pane.best.click()
    wait()
    assert "k = 41 is more than the 40 records" in pane.notice.message()
    assert pane.answer is None


def test_that_other_columns_drop_what_is_shown(
    pane: CoarsenPane, wait: Wait, page: RiskPage
) -> None:
    pane.best.click()
    wait()
    assert pane.answer is not None
    page.state.choose(("age",), ())
    wait()
    assert pane.answer is None
    assert not pane.model.rows
    assert not pane.write.isEnabled()


def test_that_the_file_is_written_into_a_new_folder_each_time(
    pane: CoarsenPane, wait: Wait, tmp_path: Path
) -> None:
    pane.form.k.setValue(4)
    pane.best.click()
    wait()
    for name in ("coarsened-table", "coarsened-table-2"):
        pane.write_below(tmp_path)
        wait()
        report = json.loads((tmp_path / name / "report.json").read_text(encoding="utf-8"))
        assert report["statement"].startswith("This file is not differentially private")
        with (tmp_path / name / "records.csv").open(encoding="utf-8", newline="") as file:
            head, *rows = list(csv.reader(file))
        assert head == ["age", "sex", "income"]
        assert min(Counter(tuple(row[:2]) for row in rows).values()) >= 4
    assert "not differentially private" in pane.notice.message()


def test_that_levels_which_follow_from_the_records_are_asked_about(
    pane: CoarsenPane,
    wait: Wait,
    document: Document,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document.reset(plan(confirmed=False))
    wait()
    pane.best.click()
    wait()
    asked: list[tuple[str, ...]] = []

    def refuse(names: tuple[str, ...]) -> bool:
        asked.append(names)
        return False

    monkeypatch.setattr(pane, "_agreed", refuse)
    pane.write.click()
    assert asked == [("age", "sex")]
