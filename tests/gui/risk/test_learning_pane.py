from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from dpdesk.domains import Categorical, Integer
from dpdesk.gui.document import Document
from dpdesk.gui.pages.risk.learning_pane import LearningPane
from dpdesk.gui.pages.risk.learning_picture import GUESS, learns_nothing, spread_text
from dpdesk.gui.pages.risk.pane import RiskState
from dpdesk.learning.curve import CurvePoint, Line
from dpdesk.learning.example import example_named
from dpdesk.learning.measures import Measured, Spread
from dpdesk.learning.texts import T
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import ColumnPlan, Plan
from tests.engine.survey import COLOURS, survey

Wait = Callable[[], None]


def protected(name: str, domain: Categorical | Integer, mechanism: str) -> ColumnPlan:
    return ColumnPlan(
        name=name,
        kind=domain.kinds[0],
        domain=domain,
        role="protect",
        mechanism=mechanism_named(mechanism)(epsilon=Decimal(3)),
    )


PLAN = Plan(
    columns=(
        protected("colour", Categorical(values=COLOURS), "grr"),
        protected("fruit", Categorical(values=("apple", "pear")), "grr"),
    )
)


@pytest.fixture
def pane(qtbot: QtBot, document: Document) -> Iterator[LearningPane]:
    """The pane with nothing open."""
    state = RiskState(document)
    shown = LearningPane(state)
    qtbot.addWidget(shown)
    shown.resize(600, 620)
    shown.show()
    yield shown
    shown.shut_down()
    state.watch.shut_down()


@pytest.fixture
def wait(qtbot: QtBot, pane: LearningPane) -> Wait:
    return lambda: qtbot.waitUntil(lambda: not pane.watch.is_running)


def open_survey(document: Document, plan: Plan = PLAN) -> None:
    document._set_table(survey(), None)
    document.reset(plan)


def test_that_without_data_the_example_alone_can_be_run(pane: LearningPane) -> None:
    assert not pane.run.isEnabled()
    assert pane.examples.isEnabled()
    assert "needs no data of yours" in pane.told()
    assert [action.text() for action in pane.examples.menu().actions()] == [
        "Diabetes, bounded Laplace",
        "Diabetes, bounded staircase",
    ]


def test_that_the_example_shows_curves_numbers_and_what_is_not_to_be_imitated(
    pane: LearningPane, wait: Wait
) -> None:
    pane.examples.menu().actions()[1].trigger()
    assert pane.progress.stop.isVisible()
    wait()
    assert pane.result is not None
    assert pane.result.true.accuracy.mean == 0.7857142857142857
    assert "78.6\u00a0% from true data, 69.5\u00a0% by guessing the commonest class" in pane.told()
    assert "which no release may do" in pane.notes()
    assert "noise of the test" not in pane.notes()
    assert pane.whose() == "Published example, not your file: Diabetes, bounded staircase"
    level = pane.plot._guess.getOriginalDataset()[1]
    assert level is not None
    assert level == pytest.approx([100 * pane.result.guess.accuracy.mean] * 2)
    pane.tested.setCurrentIndex(1)
    assert "noise of the test" in pane.notes()
    # Of sanitized answers another share is of the commonest class, at every epsilon its own.
    own = pane.plot._guess.getOriginalDataset()[1]
    guesses = [point.guess for point in pane.result.points[1:]]
    assert own is not None
    assert own == pytest.approx([100 * one.accuracy.mean for one in guesses if one is not None])
    assert own[0] < 60 < own[-1]
    cells = [pane.model.text(row, GUESS) for row in pane.model.rows[1:]]
    assert [cell.split()[0] for cell in cells] == [f"{value:.1f}" for value in own]
    assert "by guessing the commonest class; tested on true answers 78.6" in pane.told()
    assert [row[0] for row in pane.model.table().rows] == [
        "plan (9)",
        "0.1 (0.9)",
        "1 (9)",
        "2 (18)",
        "5 (45)",
        "10 (90)",
    ]
    pane.measure.setCurrentIndex(1)
    assert pane.told().startswith("F1 of predicting Outcome")
    assert "0.637 from true data" in pane.told()
    x, y = pane.plot._curves["corrected"].getOriginalDataset()
    assert x is not None
    assert y is not None
    assert len(x) == 5
    point = pane.result.points[-1].line("corrected", "sanitized")
    assert point is not None
    assert y[-1] == point.f1.mean
    assert pane.plot._true.value() == pane.result.true.f1.mean


def test_that_the_open_data_are_learnt_by_their_plan(
    pane: LearningPane, document: Document, wait: Wait, qtbot: QtBot
) -> None:
    open_survey(document)
    qtbot.waitUntil(lambda: pane.label.count() == 2)
    pane.label.setCurrentIndex(pane.label.findData("fruit"))
    pane.scale.setCurrentIndex(1)
    QAbstractItemModelTester(pane.model)
    qtbot.mouseClick(pane.run, Qt.MouseButton.LeftButton)
    wait()
    result = pane.result
    assert result is not None, pane.refusal.text()
    assert (result.request.label, result.request.scale) == ("fruit", "record")
    assert result.points[0].record_epsilon == 6
    assert "published" not in pane.notes()
    assert "For your eyes only" in pane.notes()
    # What was learnt by another plan is no longer shown.
    document.edit("another epsilon", PLAN.with_column("fruit", label="Fruit"))
    qtbot.waitUntil(lambda: pane.stack.currentIndex() == 0)
    assert pane.result is None
    assert pane.label.currentData() == "fruit"


def test_that_a_cancel_keeps_nothing_and_gives_the_focus_back(
    pane: LearningPane, wait: Wait
) -> None:
    pane.start_example(example_named("pima"))
    assert pane.progress.stop.hasFocus()
    assert pane.cancel()
    wait()
    assert pane.result is None
    assert not pane.progress.stop.isVisible()
    assert not pane.cancel()


def test_that_a_refusal_says_what_to_do(
    pane: LearningPane, document: Document, wait: Wait, qtbot: QtBot
) -> None:
    open_survey(document, PLAN.with_fields(strategy="smp"))
    qtbot.waitUntil(pane.run.isEnabled)
    pane.start()
    wait()
    assert T.ONE_REPORT() in pane.refusal.text()
    assert pane.result is None


def test_that_only_columns_of_a_few_categories_are_offered(
    pane: LearningPane, document: Document, qtbot: QtBot
) -> None:
    plan = PLAN.with_columns(
        (
            *PLAN.columns,
            protected("age", Integer(lower=1, upper=9), "duchi"),
            protected("many", Categorical(values=tuple(map(str, range(60)))), "grr"),
            ColumnPlan(name="kept", kind="nominal", role="drop"),
        )
    )
    open_survey(document, plan)
    qtbot.waitUntil(lambda: pane.label.count() > 0)
    assert [pane.label.itemData(i) for i in range(pane.label.count())] == ["colour", "fruit"]


def test_that_a_standard_deviation_is_named_and_no_error() -> None:
    shown = spread_text(Spread(0.534, 0.152, 0.3, 0.7), "accuracy")
    assert shown.replace("\N{NO-BREAK SPACE}", " ") == "53.4 % (SD 15.2)"
    assert spread_text(Spread(0.534, 0.0211, 0.5, 0.6), "auc") == "0.534 (SD 0.021)"
    # One that rounds to nothing is left out.
    shown = spread_text(Spread(0.656, 0.0003, 0.65, 0.66), "accuracy")
    assert shown.replace("\N{NO-BREAK SPACE}", " ") == "65.6 %"


@pytest.mark.parametrize(("best", "nothing"), [(0.655, True), (0.656, True), (0.7, False)])
def test_that_learning_nothing_is_seen(best: float, nothing: bool) -> None:
    def measured(mean: float) -> Measured:
        return Measured(*(Spread(mean, 0.0, mean, mean) for _ in range(3)))

    lines = (Line("naive", "true", measured(0.653)), Line("corrected", "true", measured(best)))
    point = CurvePoint(1.0, True, 1.0, lines)
    guess = measured(0.656).accuracy
    assert learns_nothing(point, guess, "accuracy", "true") is nothing
    assert not learns_nothing(point, guess, "accuracy", "sanitized")
