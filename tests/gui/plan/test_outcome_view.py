from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Protocol, TypeVar

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.data.table import table_from_texts
from dpdesk.domains import Categorical, Integer
from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan import PlanPage
from dpdesk.gui.pages.plan.law_plots import LawPlot
from dpdesk.gui.pages.plan.outcome_plot import OutcomePlot
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.preview import PreviewRequest, error_text, figures, request_for
from tests.gui.plan.survey_plans import survey_plan
from tests.strength import strength_in

Shown = TypeVar("Shown", OutcomePlot, LawPlot)

YES_NO = Categorical(values=("yes", "no"))
BINARY = ColumnPlan(
    name="q", kind="binary", domain=YES_NO, confirmed=True, role="protect",
    mechanism=mechanism_named("warner").starting(YES_NO, Decimal(1)),
)  # fmt: skip
WEIGHT = ColumnPlan(name="w", kind="weight", role="keep", keep_confirmed=True)


class Planned(Protocol):
    """Opens the Plan page on columns."""

    def __call__(self, *columns: ColumnPlan, respondents: int = 400) -> PlanPage: ...


@pytest.fixture
def planned(qtbot: QtBot, document: Document) -> Planned:
    """Opens the Plan page on columns, in its first view."""

    def opened(*columns: ColumnPlan, respondents: int = 400) -> PlanPage:
        document.reset(Plan(respondents=respondents, columns=columns))
        page = PlanPage(document)
        qtbot.addWidget(page)
        page.show()
        return page

    return opened


def test_that_the_first_view_shows_the_true_answers_beside_a_simulated_release(
    qtbot: QtBot, document: Document, planned: Planned
) -> None:
    view = planned(BINARY).records.panel.tabs.current()
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


def axis_words(plot: PlotCanvas) -> list[str]:
    """What is written at the ticks along the bottom."""
    return [text for _, text in plot.getPlotItem().getAxis("bottom")._tickLevels[0]]


@pytest.fixture
def place() -> PreviewRequest:
    """An attribute of twelve postcodes, which have no room beside each other."""
    places = Categorical(values=tuple(f"0{code}" for code in range(1067, 1079)))
    column = ColumnPlan(
        name="place", kind="nominal", domain=places, confirmed=True, role="protect",
        mechanism=mechanism_named("grr").starting(places, Decimal(1)),
    )  # fmt: skip
    request = request_for(column, 400)
    assert request is not None
    return request


def shown_later(plot: Shown, request: PreviewRequest, width: int, qtbot: QtBot) -> Shown:
    """A plot that is filled before it is laid out, as on a page that is shown later."""
    qtbot.addWidget(plot)
    plot.show_request(request)
    plot.resize(width, 300)
    plot.show()
    plot.grab()
    return plot


def test_that_the_names_of_the_answers_stand_whole_in_two_lines_from_the_first_moment(
    qtbot: QtBot, place: PreviewRequest
) -> None:
    view = shown_later(OutcomePlot(), place, 460, qtbot)
    names = [row[0] for row in view.plot.table_data().rows]
    assert len(names) == 12
    assert axis_words(view.plot) == ["\n" * (i % 2) + name for i, name in enumerate(names)]
    # More respondents move the upper end, and leave the names their room.
    box = view.plot.getPlotItem().getViewBox()
    before, upright = box.viewRange()
    assert before == [-1.0, 12.0]
    view.show_request(replace(place, respondents=40_000))
    assert box.viewRange()[0] == before
    assert box.viewRange()[1] != upright


def test_that_the_names_below_a_law_of_reports_stand_in_lines_before_they_are_cut(
    qtbot: QtBot, place: PreviewRequest
) -> None:
    plot = shown_later(LawPlot(), place, 400, qtbot)
    words = [word.strip() for word in axis_words(plot)]
    assert words == ["01067", "01068", "any one of 10 others", "all 10 together"]


def test_that_the_true_answers_are_weighted_as_the_estimates_are(
    qtbot: QtBot, document: Document, planned: Planned
) -> None:
    view = planned(BINARY, WEIGHT).records.panel.tabs.view(OutcomePlot)
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


def test_that_a_low_window_keeps_what_must_be_said(open_page, qtbot: QtBot) -> None:
    page = open_page(survey_plan())
    panel = page.records.panel
    panel.tabs.tabs.setCurrentIndex(0)
    page.resize(920, 620)
    QApplication.processEvents()
    assert all(tile.isVisible() for tile in panel.figures.figures.tiles)
    assert panel.figures._sentence.isVisible()
    assert strength_in(panel.figures.sentence())
    assert "e^ε = " in panel.figures.sentence()
    view = panel.tabs.view(OutcomePlot)
    assert view._said.isVisible()
    said = view._said._label.text()
    assert said == "Simulated: nothing is spent. No data: these are the expected answers."
    assert view.plot.height() > 120


def test_that_tile_and_table_go_by_the_weights_of_the_file(
    qtbot: QtBot, document: Document, planned: Planned
) -> None:
    page = planned(BINARY, WEIGHT)
    before = page.records.panel.figures.figures.tiles[0].value()
    texts = {"q": ["yes", "no"] * 200, "w": ["1", "1", "1", "9"] * 100}
    document._set_table(table_from_texts(texts), None)
    qtbot.waitUntil(lambda: not document.answers.is_counting)
    # (1 + 1 + 1 + 81) 4 / 12^2: so many times the variance.
    request = request_for(document.plan.column("q"), 400)
    assert request.respondents == round(400 * 144 / (4 * 84))
    qtbot.waitUntil(lambda: page.records.panel.figures.figures.tiles[0].value() != before)
    shown = page.records.panel.figures.figures.tiles[0].value()
    assert shown == error_text(figures(request).error, "pp")
    # What was counted is no edit.
    assert not document.is_dirty
    assert not document.undo_stack.canUndo()
    document.edit("drop", document.plan.with_column("w", role="drop"))
    qtbot.waitUntil(lambda: document.plan.column("q").worth == 1)


def test_that_nothing_is_estimated_where_nobody_answered(
    qtbot: QtBot, document: Document, planned: Planned
) -> None:
    domain = Integer(lower=0, upper=100)
    column = ColumnPlan(
        name="q", kind="integer", domain=domain, confirmed=True, role="protect",
        mechanism=mechanism_named("laplace").starting(domain, Decimal(1)),
    )  # fmt: skip
    page = planned(column, respondents=1)
    document._set_table(table_from_texts({"q": [""]}), None)
    view = page.records.panel.tabs.current()
    assert isinstance(view, OutcomePlot)
    qtbot.waitUntil(lambda: "Nobody answered" in view.plot.accessibleDescription())
    assert "estimated" not in view.plot.accessibleDescription()
    assert page.records.header._facts(document.plan).startswith("1 respondent ·")
    # The number is that of the file, and so is the word behind it.
    document.edit("n", document.plan.with_fields(respondents=400))
    assert page.records.header._facts(document.plan).startswith("1 respondent ·")
    assert page.statistics.header._facts(document.plan).startswith("1 row ·")
    document._set_table(table_from_texts({"q": ["1", "2"]}), None)
    document.edit("n", document.plan.with_fields(respondents=1))
    assert page.records.header._facts(document.plan).startswith("2 respondents ·")
    assert page.statistics.header._facts(document.plan).startswith("2 rows ·")
