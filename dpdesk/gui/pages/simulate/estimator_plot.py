"""What hypothetical surveys estimate: bars, the curve of theory, and those of other designs."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtWidgets import QWidget

from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.simulate.design_words import design_title, kept_title, rival_title, tr
from dpdesk.gui.pages.simulate.estimates_canvas import (
    THEORY,
    EstimatesCanvas,
    EstimatesPanel,
    pile_table,
    with_peak,
)
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.legend_row import LegendEntry
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import significant
from dpdesk.preview.survey import EstimatorView, SurveyRequest, estimator_view, theory_curve

_RIVALS = 3


class EstimatorPlot(EstimatesPanel):
    """The picture with its legend.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self.plot = EstimatorCanvas(theme, parent=self)
        self.place(self.plot)

    def show_scenario(self, scenario: Scenario) -> None:
        """Shows the estimates of a scenario."""
        self.plot.show_scenario(scenario)
        others = [
            LegendEntry(rival_title(rival), THEORY + 1 + number, short=tr(rival.title))
            for number, rival in enumerate(scenario.shown_rivals)
        ]
        if scenario.kept is not None:
            others.append(LegendEntry(kept_title(scenario.kept), "text", "dotted", "A"))
        self.show_entries(self._bars_words(scenario), design_title(scenario.design), others)

    def show_table(self) -> None:
        """Shows the numbers as a table."""
        self.plot.show_table()

    def _bars_words(self, scenario: Scenario) -> str:
        words = (
            self.tr("all outcomes, out of {count} surveys")
            if scenario.is_exact
            else self.tr("{count} simulated surveys")
        )
        return str(words.format(count=f"{scenario.repetitions:,}"))


class EstimatorCanvas(EstimatesCanvas):
    """The bars and the curves.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(theme, _RIVALS, parent=parent)
        self._kept = self.line("text", style="dotted")

    def show_scenario(self, scenario: Scenario) -> None:
        """Shows the estimates of a scenario."""
        view = estimator_view(scenario.request)
        self.show_bars(view)
        peaks = [self._draw(self._curve, scenario.request, view)]
        for number, line in enumerate(self._rivals):
            if number < len(scenario.shown_rivals):
                rival = scenario.request_of(scenario.shown_rivals[number])
                peaks.append(self._draw(line, rival, view))
            else:
                line.setData([], [])
        if scenario.kept is None:
            self._kept.setData([], [])
        else:
            peaks.append(self._draw(self._kept, scenario.kept.request, view))
        estimated = self.tr("Estimated share (%)")
        self.show_axes(view, max(peaks), scenario.repetitions, estimated)
        self.set_table_source(lambda: self._table_of(view))
        self.set_description(self._sentence(scenario, view))

    def _draw(self, line: pg.PlotDataItem, request: SurveyRequest, view: EstimatorView) -> float:
        """Draws a curve of theory over the axis and returns its peak."""
        try:
            theory = request.theory
            x = with_peak(view.x, 100 * theory.mean, 100 * theory.error)
            y = theory_curve(request, x, view.width)
        except DpdeskError:
            line.setData([], [])
            return 0.0
        line.setData(x, y)
        return float(y.max())

    def _sentence(self, scenario: Scenario, view: EstimatorView) -> str:
        sentence: str = self.tr(
            "Simulation, seed {seed}: {count} surveys of {people} respondents; the mean estimate "
            "is {mean} %, the true share {truth} %, the standard error {spread} pp."
        ).format(
            seed=scenario.seed,
            count=f"{scenario.repetitions:,}",
            people=f"{scenario.respondents:,}",
            mean=significant(view.mean, 3),
            truth=significant(view.truth, 3),
            spread=significant(view.spread, 3),
        )
        return sentence

    def _table_of(self, view: EstimatorView) -> PlotTable:
        kind = self.tr("Surveys (exact)") if view.exact else self.tr("Surveys (simulation)")
        heads = (self.tr("From (%)"), self.tr("To (%)"), kind)
        return pile_table(view, heads)
