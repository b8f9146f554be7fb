from __future__ import annotations

from decimal import Decimal

from pytestqt.qtbot import QtBot

from dpdesk.data.table import table_from_texts
from dpdesk.domains import Categorical, Integer
from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan import PlanPage
from dpdesk.gui.pages.plan.law_plots import LawPlot
from dpdesk.gui.pages.plan.outcome_plot import OutcomePlot
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.preview import request_for


def test_that_the_first_view_shows_the_true_answers_beside_a_simulated_release(
    qtbot: QtBot, document: Document
) -> None:
    domain = Categorical(values=("yes", "no"))
    column = ColumnPlan(
        name="q", kind="binary", domain=domain, confirmed=True, role="protect",
        mechanism=mechanism_named("warner").starting(domain, Decimal(1)),
    )  # fmt: skip
    document.reset(Plan(respondents=400, columns=(column,)))
    page = PlanPage(document)
    qtbot.addWidget(page)
    page.show()
    view = page.records.panel.tabs.views[page.records.panel.tabs.tabs.currentIndex()]
    assert isinstance(view, OutcomePlot)
    rows = view.plot.table_data().rows
    assert [row[:2] for row in rows] == [("yes", "50"), ("no", "50")]
    assert "No data: these are the expected answers." in view.plot.accessibleDescription()
    document._set_table(table_from_texts({"q": ["yes"] * 300 + ["no"] * 100}), None)
    qtbot.waitUntil(lambda: not document.answers.is_counting)
    rows = view.plot.table_data().rows
    assert [row[:2] for row in rows] == [("yes", "75"), ("no", "25")]
    told = view.plot.accessibleDescription()
    assert told.startswith("Simulated: nothing is spent.")
    assert told.endswith("The true answers are shown to you only.")
    view.again.click()
    again = view.plot.table_data().rows
    assert [row[1] for row in again] == ["75", "25"]
    assert [row[2] for row in again] != [row[2] for row in rows]
    assert document.last_release is None


def test_that_the_true_answers_are_weighted_as_the_estimates_are(
    qtbot: QtBot, document: Document
) -> None:
    domain = Categorical(values=("yes", "no"))
    columns = (
        ColumnPlan(
            name="q", kind="binary", domain=domain, confirmed=True, role="protect",
            mechanism=mechanism_named("warner").starting(domain, Decimal(1)),
        ),
        ColumnPlan(name="w", kind="weight", role="keep", keep_confirmed=True),
    )  # fmt: skip
    document.reset(Plan(respondents=400, columns=columns))
    page = PlanPage(document)
    qtbot.addWidget(page)
    page.show()
    view = page.records.panel.tabs.view(OutcomePlot)
    data = {"q": ["yes"] * 300 + ["no"] * 100, "w": ["0.5"] * 300 + ["1.5"] * 100}
    document._set_table(table_from_texts(data), None)
    qtbot.waitUntil(lambda: not document.answers.is_counting)
    assert [row[:2] for row in view.plot.table_data().rows] == [("yes", "50"), ("no", "50")]
    assert "Weighted by w." in view.plot.accessibleDescription()
    document.edit("drop", document.plan.with_column("w", role="drop"))
    qtbot.waitUntil(lambda: not document.answers.is_counting)
    assert [row[:2] for row in view.plot.table_data().rows] == [("yes", "75"), ("no", "25")]
    assert "eight" not in view.plot.accessibleDescription()
    # Weights that the check of the plan refuses weigh nothing.
    data["w"] = ["0.5"] * 399 + ["heavy"]
    document.undo_stack.undo()
    document._set_table(table_from_texts(data), None)
    qtbot.waitUntil(lambda: not document.answers.is_counting)
    assert "Without the weights of w." in view.plot.accessibleDescription()


def test_that_the_bracket_says_how_far_its_ends_are_from_the_first_law(qtbot: QtBot) -> None:
    domain = Categorical(values=("yes", "no", "perhaps"))
    column = ColumnPlan(
        name="q", kind="nominal", domain=domain, role="protect",
        mechanism=mechanism_named("grr").starting(domain, Decimal(1)),
    )  # fmt: skip
    plot = LawPlot()
    qtbot.addWidget(plot)
    plot.show_request(request_for(column, 1_000))
    assert plot._factor.text() == "at most 2.72 ×"
    x, y = plot._band.getOriginalDataset()
    # An upright stroke and two arms, all on one side of it: no error bar has that.
    assert len(x) == 6 * 3
    assert (x[0::6] == x[1::6]).all()
    assert (x[2::6] < x[0::6]).all()
    assert (x[4::6] < x[0::6]).all()
    first = plot._first.opts["height"]
    assert (y[1::6] <= 2.7183 * first).all()
    assert (2.7183 * y[0::6] >= first).all()


def test_that_the_axis_names_the_unit_of_the_attribute_that_is_shown(qtbot: QtBot) -> None:
    view = OutcomePlot()
    qtbot.addWidget(view)
    for unit in ("EUR", "years"):
        ages = Integer(lower=18, upper=99, unit=unit)
        column = ColumnPlan(
            name="q", kind="integer", domain=ages, confirmed=True, role="protect",
            mechanism=mechanism_named("duchi").starting(ages, Decimal(1)),
        )  # fmt: skip
        request = request_for(column, 400)
        assert request is not None
        view.show_request(request)
        assert view.plot._axis_titles["bottom"] == f"Answer ({unit})"
