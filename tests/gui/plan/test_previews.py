from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from statistics import median

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.domains import Integer
from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan import PlanPage
from dpdesk.gui.pages.plan.accuracy_plots import AccuracyPlot
from dpdesk.gui.pages.plan.attribute_dialogs import AnswersDialog
from dpdesk.gui.pages.plan.attribute_views import DrawsPlot
from dpdesk.gui.pages.plan.belief_plot import BeliefPlot
from dpdesk.gui.pages.plan.law_plots import LawPlot, NoisePlot
from dpdesk.gui.theme import ThemeSwitch, load_theme
from dpdesk.gui.widgets.commit_line import CommitLine
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.throttle import BESIDE_INTERVAL
from dpdesk.mechanisms import fitting
from dpdesk.plan import Plan
from dpdesk.plan.checks.texts import T
from dpdesk.preview import request_for
from tests.gui.contrast import contrast
from tests.gui.plan.survey_plans import mechanism, survey_plan, undecided_plan
from tests.gui.test_accessibility import nameless

_, NOISE, ACCURACY, BELIEF, DRAWS = range(5)


def figures(page: PlanPage) -> list[str]:
    return [tile.value() for tile in page.records.panel.figures.figures.tiles]


def test_that_the_figures_are_those_of_the_drawing(page: PlanPage) -> None:
    assert figures(page) == ["± 1.4 pp", "2.2 ×", "50 → 88.1 %", "78.7 %"]
    captions = [tile.caption() for tile in page.records.panel.figures.figures.tiles]
    assert captions[0] == "95 % error of a share of ⅓"
    assert page.records.panel.figures.sentence() == (
        "Protection: moderate. A report is at most e^ε = 7.39 times as "
        "likely under one answer as under another."
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("age", ["± 2.3 years", "24 ×", "50 → 88.1 %", "2.19 %"]),
        ("income", ["± 5.3 k", "14 ×", "50 → 73.2 %", "none"]),
        ("occupation", ["± 3.8 pp", "65 ×", "50 → 73.2 %", "16 bits"]),
    ],
)
def test_that_every_attribute_has_its_figures_in_its_own_unit(
    page: PlanPage, name: str, shown: list[str]
) -> None:
    page.select(name)
    assert figures(page) == shown


def test_that_the_error_is_split_where_one_asks(page: PlanPage) -> None:
    tile = page.records.panel.figures.figures.tiles[0]
    assert "Noise ± 0.99 pp, sampling ± 0.92 pp, with 10,000 respondents" in (
        tile.accessibleDescription()
    )
    assert tile.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_that_the_plot_follows_the_slider_while_it_is_held(page: PlanPage, qtbot: QtBot) -> None:
    slider = page.records.panel.epsilon.slider
    slider.setSliderDown(True)
    slider.setSliderPosition(900)
    tile = page.records.panel.figures.figures.tiles[2]
    qtbot.waitUntil(lambda: tile.value() == "50 → >99.99 %")
    assert page.records.panel.tabs.view(NoisePlot).plot.table_data().rows[0][1] == "0.9998"
    slider.setSliderDown(False)


def test_that_the_axes_of_the_noise_stay_while_epsilon_moves(
    document: Document, page: PlanPage, qtbot: QtBot
) -> None:
    view = page.records.panel.tabs.view(NoisePlot).plot.getPlotItem().getViewBox()
    before = view.viewRange()
    changed = mechanism("grr", "0.1")
    document.edit("x", document.plan.with_column("happy", mechanism=changed))
    qtbot.waitUntil(lambda: figures(page)[2] == "50 → 52.5 %")
    assert view.viewRange() == before


@pytest.mark.parametrize("view", range(6))
def test_that_a_step_of_the_slider_does_not_lay_the_page_out_anew(
    page: PlanPage, qtbot: QtBot, view: int
) -> None:
    tabs = page.records.panel.tabs
    tabs.tabs.setCurrentIndex(view)
    slider = page.records.panel.epsilon.slider
    # So near to each other that the legends keep their words.
    for epsilon in ("1.5", "1.54"):
        slider.rungChosen.emit(Decimal(epsilon))
        # Until the advice, which follows a moment later, stands too.
        qtbot.wait(BESIDE_INTERVAL + 50)
        QApplication.processEvents()
    laid_out: list[str] = []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
            if event.type() == QEvent.Type.LayoutRequest:
                laid_out.append(type(watched).__name__)
            return False

    watch = Watch()
    panel = page.records.panel
    around = (page, page.records, panel, panel.shown, panel.figures, tabs, tabs.current())
    for widget in around:
        widget.installEventFilter(watch)
    slider.rungChosen.emit(Decimal("1.58"))
    QApplication.processEvents()
    assert laid_out == []


def test_that_only_the_view_that_is_looked_at_is_drawn(page: PlanPage) -> None:
    tabs = page.records.panel.tabs
    assert tabs.view(AccuracyPlot).by_epsilon.table_data().rows == ()
    tabs.tabs.setCurrentIndex(ACCURACY)
    assert len(tabs.view(AccuracyPlot).by_epsilon.table_data().rows) > 20
    assert tabs.view(AccuracyPlot).isVisible()
    assert not tabs.view(NoisePlot).isVisible()


@pytest.mark.parametrize("name", ["happy", "affairs", "age", "income", "occupation"])
@pytest.mark.parametrize("view", [NOISE, ACCURACY, BELIEF, DRAWS])
def test_that_every_plot_has_a_name_a_description_and_a_table(
    page: PlanPage, name: str, view: int
) -> None:
    page.select(name)
    page.records.panel.tabs.tabs.setCurrentIndex(view)
    plots = [p for p in page.findChildren(PlotCanvas) if p.isVisible()]
    assert plots
    for plot in plots:
        assert plot.accessibleName()
        assert plot.accessibleDescription()
        table = plot.table_data()
        assert table.rows
        assert all(len(row) == len(table.headers) for row in table.rows)


def test_that_the_button_shows_the_numbers_of_the_plot(page: PlanPage) -> None:
    tabs = page.records.panel.tabs
    tabs.numbers.click()
    dialog = tabs.view(NoisePlot).plot.table_window.dialog
    assert dialog is not None
    assert dialog.isVisible()
    dialog.close()


def test_that_the_cross_hair_stands_at_the_current_choice(page: PlanPage) -> None:
    tabs = page.records.panel.tabs
    tabs.tabs.setCurrentIndex(ACCURACY)
    assert tabs.view(AccuracyPlot).by_epsilon._upright.value() == pytest.approx(np.log10(2))
    assert tabs.view(AccuracyPlot).by_count._upright.value() == pytest.approx(4)
    assert 10 ** tabs.view(AccuracyPlot).by_epsilon._level.value() == pytest.approx(
        1.358, abs=0.001
    )
    domain = survey_plan().column("happy").effective_domain
    assert domain is not None
    unnamed = sum(kind.adjustable for kind in fitting(domain)) - 4
    assert [entry.text for entry in tabs.view(AccuracyPlot).legend.entries()] == [
        "GRR",
        "Subset, SUE, OLH",
        f"{unnamed} others: point at them",
        "no protection",
    ]


def test_that_a_curve_goes_through_the_cross_hair_wherever_epsilon_is(
    page: PlanPage, document: Document, qtbot: QtBot
) -> None:
    tabs = page.records.panel.tabs
    tabs.tabs.setCurrentIndex(ACCURACY)
    for epsilon in ("2", "0.5", "4"):
        document.edit("x", document.plan.with_column("happy", mechanism=mechanism("oue", epsilon)))
        for plot in (tabs.view(AccuracyPlot).by_epsilon, tabs.view(AccuracyPlot).by_count):
            here, level = plot._upright.value(), plot._level.value()
            curves = [item.getOriginalDataset() for item in plot.getPlotItem().listDataItems()]
            # Against n, those of other mechanisms are drawn by their ends alone.
            heights = [np.interp(here, *curve) for curve in curves if len(curve[0]) > 20]
            assert min(abs(height - level) for height in heights) < 0.01, (epsilon, plot)


def test_that_axes_and_heads_of_estimates_and_errors_name_their_unit(
    page: PlanPage, document: Document
) -> None:
    def titles() -> list[tuple[str, str]]:
        found = []
        for index in (ACCURACY, DRAWS):
            page.records.panel.tabs.tabs.setCurrentIndex(index)
            plot = next(p for p in page.findChildren(PlotCanvas) if p.isVisible())
            axis = plot.getPlotItem().getAxis("left" if index == ACCURACY else "bottom")
            found.append((axis.labelText, plot.table_data().headers[1]))
        return found

    for name, unit, of_error in (
        ("happy", "%", "pp"), ("age", "years", "years"), ("income", "k", "k")
    ):  # fmt: skip
        page.select(name)
        (error, error_head), (estimate, head) = titles()
        assert (estimate, head) == (f"estimate ({unit})", f"Estimate ({unit})")
        assert error == f"95 % error ({of_error})"
        assert error_head.endswith(f", 95 % error ({of_error})")
    document.edit("x", document.plan.with_column("age", domain=Integer(lower=18, upper=99)))
    page.select("age")
    assert not any("(" in text for texts in titles() for text in texts)


def test_that_the_dots_are_the_belief_before_and_after(page: PlanPage) -> None:
    tabs = page.records.panel.tabs
    tabs.tabs.setCurrentIndex(BELIEF)
    assert (tabs.view(BeliefPlot)._before.full(), tabs.view(BeliefPlot)._after.full()) == (50, 88)
    tabs.view(BeliefPlot).prior.setValue(10)
    assert (tabs.view(BeliefPlot)._before.full(), tabs.view(BeliefPlot)._after.full()) == (10, 45)
    assert tabs.view(BeliefPlot)._after.accessibleName() == "45 of 100 dots"


def test_that_draws_play_pause_and_start_again_with_others(page: PlanPage) -> None:
    tabs = page.records.panel.tabs
    tabs.tabs.setCurrentIndex(DRAWS)
    draws = tabs.view(DrawsPlot)
    draws.player.step.click()
    draws.player.step.click()
    assert draws.player.shown() == 3
    first = draws.plot.table_data().rows
    draws.player.play.click()
    assert draws.player.is_playing()
    draws.player.play.click()
    assert not draws.player.is_playing()
    draws.player.again.click()
    assert draws.player.shown() == 1
    assert draws.plot.table_data().rows[0] != first[0]
    assert "Simulated, seed 2" in draws.plot.accessibleDescription()


def test_that_the_draws_within_the_error_are_counted_as_their_table_tells_them(
    page: PlanPage,
) -> None:
    tabs = page.records.panel.tabs
    tabs.tabs.setCurrentIndex(DRAWS)
    draws = tabs.view(DrawsPlot)
    for _ in range(99):
        draws.player.step.click()
    truth, ends = draws._truth.value(), [marker.value() for marker in draws._ends]
    assert ends[1] - truth == pytest.approx(truth - ends[0])
    rows = draws.plot.table_data().rows
    assert [row[0] for row in rows] == [str(number) for number in range(1, 101)]
    inside = sum(ends[0] <= float(row[1]) <= ends[1] for row in rows)
    assert 85 < inside < 100
    words = draws.plot.accessibleDescription()
    assert words.endswith(f"{inside} of 100 hypothetical surveys lie within ± 1.4 pp of the truth.")
    assert figures(page)[0] == "± 1.4 pp"
    assert ends[1] - truth == pytest.approx(1.4, abs=0.05)


def test_that_draws_pause_when_nobody_looks(page: PlanPage) -> None:
    tabs = page.records.panel.tabs
    tabs.tabs.setCurrentIndex(DRAWS)
    tabs.view(DrawsPlot).player.play.click()
    tabs.tabs.setCurrentIndex(NOISE)
    assert not tabs.view(DrawsPlot).player.is_playing()


def test_that_draws_end_with_the_last_and_play_from_the_first_again(page: PlanPage) -> None:
    tabs = page.records.panel.tabs
    tabs.tabs.setCurrentIndex(DRAWS)
    for _ in range(120):
        tabs.view(DrawsPlot).player.advance()
    assert tabs.view(DrawsPlot).player.shown() == 100
    tabs.view(DrawsPlot).player.play.click()
    assert tabs.view(DrawsPlot).player.shown() == 1
    tabs.view(DrawsPlot).player.play.click()


def test_that_a_theme_recolours_the_page_while_it_is_open(
    page: PlanPage, theme: ThemeSwitch
) -> None:
    def usual_lightness() -> float:
        picture = page.grab().toImage()
        across, down = range(5, picture.width(), 40), range(5, picture.height(), 40)
        return median(picture.pixelColor(x, y).lightness() for x in across for y in down)

    assert usual_lightness() > 200
    theme.set_choice("dark")
    assert usual_lightness() < 60


def test_that_a_problem_stands_beside_its_attribute_with_a_way_to_its_cause(
    document: Document, page: PlanPage, qtbot: QtBot
) -> None:
    document.edit("x", document.plan.with_column("age", confirmed=False))
    page.select("age")
    assert T.DOMAIN_UNCONFIRMED(names="age", count=1) in page.records.panel.advice.text()
    with qtbot.waitSignal(page.goTo) as told:
        page.records.panel.advice.linkClicked.emit()
    assert told.args == ["data", "columns.age.confirmed"]


def test_that_a_path_leads_to_its_attribute_and_field(page: PlanPage, qtbot: QtBot) -> None:
    page.show_path("columns.age.mechanism.epsilon")
    assert page.records.selected() == "age"
    page.show_path("columns.region.role")
    assert page.records.selected() == "region"
    page.show_path("budget")
    assert page.records.header.editor.isVisible()
    page.records.header.editor.close()


def test_that_a_segment_of_the_budget_leads_to_its_attribute(page: PlanPage) -> None:
    page.records.header.budget.segmentActivated.emit("Household income")
    assert page.records.selected() == "income"


def test_that_the_price_of_protection_is_told_before_it_is_paid(
    open_page: Callable[[Plan], PlanPage],
) -> None:
    page = open_page(undecided_plan())
    words = [label.text().replace("\u00a0", " ") for label in page.findChildren(QLabel)]
    assert any("Protected by GRR at ε = 1" in text and "± 11 pp" in text for text in words)


def test_that_the_page_has_no_focus_stop_without_a_name(page: PlanPage) -> None:
    for name in ("happy", "region"):
        page.select(name)
        for view in range(4):
            page.records.panel.tabs.tabs.setCurrentIndex(view)
            assert nameless(page) == []


@pytest.mark.parametrize("size", [(1240, 780), (904, 620)])
def test_that_nothing_on_the_page_reaches_over_its_edge(
    open_page: Callable[[Plan], PlanPage], size: tuple[int, int]
) -> None:
    page = open_page(survey_plan())
    page.resize(*size)
    page.grab()
    for widget in page.findChildren(QWidget):
        if widget.isVisible() and widget.window() is page.window():
            corner = widget.mapTo(page, widget.rect().bottomRight())
            assert corner.x() <= page.width(), type(widget).__name__
            assert corner.y() <= page.height(), type(widget).__name__


def test_that_a_mechanism_that_no_longer_fits_is_named_and_replaced(
    document: Document, page: PlanPage
) -> None:
    misfit = mechanism("duchi", "1")
    document.edit("x", document.plan.with_column("happy", mechanism=misfit))
    assert "does not fit" in page.records.panel.advice.text()
    assert not page.records.panel.tabs.isVisible()
    page.records.panel.assignment.mechanismChosen.emit("grr")
    assert page.records.panel.tabs.isVisible()
    assert document.plan.column("happy").mechanism == mechanism("grr", "1")
    assert document.plan.budget == Decimal(8)


def test_that_a_curve_under_the_pointer_is_named(page: PlanPage) -> None:
    tabs = page.records.panel.tabs
    tabs.tabs.setCurrentIndex(ACCURACY)
    plot = tabs.view(AccuracyPlot).by_epsilon
    here, error = np.log10(2), plot._level.value()
    assert plot.curve_at(here, error, 0.01).split(", ")[0] == "GRR"
    assert plot.curve_at(here, error - 3, 1e-6) == ""


def test_that_the_pointer_names_a_curve_that_it_is_at_and_no_other(
    page: PlanPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    tabs = page.records.panel.tabs
    tabs.tabs.setCurrentIndex(ACCURACY)
    plot = tabs.view(AccuracyPlot).by_epsilon
    page.grab()
    told: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _place, text, _plot: told.append(text))
    monkeypatch.setattr(QToolTip, "hideText", lambda: told.append(""))
    box = plot.getPlotItem().getViewBox()
    x, y = plot._upright.value(), plot._level.value()
    (_, high), (bottom, top) = box.viewRange()
    part = (top - bottom) / 100
    for at in ((x, y), (x, y + part), (x, y + 6 * part), (x, top - part), (high + 1, y)):
        place = QPointF(plot.mapFromScene(box.mapViewToScene(QPointF(*at))))
        none = Qt.MouseButton.NoButton
        plot.mouseMoveEvent(
            QMouseEvent(
                QEvent.Type.MouseMove, place, place, none, none, Qt.KeyboardModifier.NoModifier
            )
        )
    assert [("GRR" in text, text != "") for text in (told[0], told[1])] == [(True, True)] * 2
    assert "GRR" not in told[2]
    assert told[3:] == ["", ""]


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        ("grr", "Probability of the report"),
        ("oue", "Chance of a set bit"),
        ("olh", "Chance of support"),
    ],
)
def test_that_the_axis_says_what_the_heights_are_chances_of(
    page: PlanPage, kind: str, title: str
) -> None:
    page.records.edits.set_mechanism("happy", kind)
    axis = page.records.panel.tabs.view(NoisePlot).plot.getPlotItem().getAxis("left")
    assert axis.labelText == title


def test_that_single_likely_reports_stand_out_and_are_in_the_table(page: PlanPage) -> None:
    page.select("age")
    page.records.edits.set_mechanism("age", "hybrid")
    noise = page.records.panel.tabs.view(NoisePlot)
    first, _ = noise.plot._spikes
    assert len(first.getData()[0]) == 4
    assert [entry.text for entry in noise.legend.entries()][-1] == "ends of the range"
    chances = [float(row[1]) for row in noise.plot.table_data().rows]
    assert sum(chances) == pytest.approx(1.0, abs=0.01)
    page.records.edits.set_mechanism("age", "duchi")
    assert noise.plot.table_data().rows


def test_that_other_answers_can_be_compared_and_stay_with_their_attribute(page: PlanPage) -> None:
    noise = page.records.panel.tabs.view(NoisePlot)
    page.records.panel.choose_answers()
    dialog = page.window().findChildren(AnswersDialog)[-1]
    second = dialog.fields[1]
    assert isinstance(second, QComboBox)
    second.setCurrentIndex(2)
    second.activated.emit(2)
    assert "“not too happy”" in noise.legend.entries()[1].text
    second.activated.emit(0)
    assert "differ" in dialog.refusal()
    dialog.close()
    page.select("age")
    assert "years" in noise.legend.entries()[1].text
    page.select("happy")
    assert "“not too happy”" in noise.legend.entries()[1].text


def test_that_a_number_to_compare_is_typed_and_must_be_one(page: PlanPage) -> None:
    page.select("age")
    page.records.panel.tabs.view(NoisePlot).answers.click()
    dialog = page.window().findChildren(AnswersDialog)[-1]
    first = dialog.fields[0]
    assert isinstance(first, CommitLine)
    first.setText("old")
    first.commit()
    assert "no answer" in dialog.refusal()
    first.setText("20")
    first.commit()
    assert "“20 years”" in page.records.panel.tabs.view(NoisePlot).legend.entries()[0].text
    dialog.close()


@pytest.mark.parametrize("choice", ["light", "dark"])
def test_that_what_epsilon_allows_is_seen_beside_the_bars(qtbot: QtBot, choice: str) -> None:
    theme = load_theme(choice)
    ThemeSwitch.instance().set_choice(choice)
    plan = survey_plan()
    column = next(c for c in plan.protected if c.effective_domain.size == 3)
    plot = LawPlot()
    qtbot.addWidget(plot)
    plot.show_request(request_for(column, 10_000))
    assert contrast(plot._band.opts["pen"].color().name(), theme.surface) >= 4.5
    # Beside the bars of its own answer and of the next one, on the ground alone.
    x, _ = plot._band.getOriginalDataset()
    for bars in (plot._first, plot._second):
        for middle in bars.opts["x"]:
            half = bars.opts["width"] / 2
            assert not ((x > middle - half) & (x < middle + half)).any()
