"""What hypothetical surveys of several answers or of numbers estimate, against theory."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.designs.estimator_law import EstimatorTheory
from dpdesk.gui.pages.simulate.further.rivals import rivals_of
from dpdesk.gui.pages.simulate.further.scenarios import FurtherScenario
from dpdesk.gui.pages.simulate.further.words import (
    error_unit,
    estimated_words,
    further_title,
    value_words,
)
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import significant
from dpdesk.preview.survey import stepped_up
from dpdesk.preview.survey.further import EstimatesPile
from dpdesk.preview.survey.further.pile import normal_curve

_THEORY = 1
_RIVALS = 4
_NEAR = np.linspace(-4.5, 4.5, 91)
_ROOM = 1.1
_HIGHEST = 4.0
"""How many times as high as its own a design leaves the curves of others room."""


class PileView(QWidget):
    """The picture with its legend.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.legend = LegendRow(theme, parent=self)
        self.rivals = LegendRow(theme, parent=self)
        self.plot = PileCanvas(theme, parent=self)
        self.plot.setMinimumHeight(160)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.legend)
        column.addWidget(self.rivals)
        column.addWidget(self.plot, 1)

    def show_scenario(self, scenario: FurtherScenario) -> None:
        """Shows the estimates of a scenario."""
        self.plot.show_scenario(scenario)
        surveys = self.tr("{count} simulated surveys").format(count=f"{scenario.repetitions:,}")
        theory = self.tr("theory, {design}").format(design=further_title(scenario.design))
        self.legend.set_entries(
            (
                LegendEntry(surveys, 0, "bars", self.tr("surveys")),
                LegendEntry(theory, _THEORY, "solid", self.tr("theory")),
            )
        )
        others = [
            LegendEntry(rival.title, _THEORY + 1 + number)
            for number, rival in enumerate(rivals_of(scenario))
        ]
        self.rivals.setVisible(bool(others))
        self.rivals.set_entries(others)

    def show_table(self) -> None:
        """Shows the numbers as a table."""
        self.plot.show_table()


class PileCanvas(PlotCanvas):
    """The bars and the curves.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        name = QCoreApplication.translate("PileCanvas", "Estimates of hypothetical surveys")
        super().__init__(theme, name, parent=parent)
        # Room for the upper half of the number at the end of the axis.
        self.getPlotItem().setContentsMargins(0, 9, 0, 0)
        self._bars = self.bars(0)
        self._curve = self.line(_THEORY)
        self._rivals = [self.line(_THEORY + 1 + number) for number in range(_RIVALS)]
        self._truth = self.marker()
        self._ranges: tuple[object, ...] = ()

    def show_scenario(self, scenario: FurtherScenario) -> None:
        """Shows the estimates of a scenario."""
        pile = scenario.pile()
        middles = (pile.edges[:-1] + pile.edges[1:]) / 2
        self._bars.setOpts(x=middles, height=pile.counts, width=0.96 * pile.width)
        self._curve.setData(pile.x, pile.y)
        peak = float(pile.y.max())
        rivals = rivals_of(scenario)
        for number, line in enumerate(self._rivals):
            if number >= len(rivals):
                line.setData([], [])
                continue
            x, y = _curve_of(rivals[number].theory, pile, scenario.repetitions)
            line.setData(x, y)
            peak = max(peak, float(y.max()))
        self._truth.setValue(pile.truth)
        own = max(float(pile.counts.max()), float(pile.y.max()))
        wanted = max(pile.y_max, stepped_up(_ROOM * min(peak, _HIGHEST * own)))
        ranges = (pile.x_range, (0.0, min(wanted, stepped_up(_ROOM * scenario.repetitions))))
        if ranges != self._ranges:
            self._ranges = ranges
            self.set_ranges(*ranges)
        surveys = self.tr("Surveys out of {count}").format(count=f"{scenario.repetitions:,}")
        self.set_axis_titles(estimated_words(scenario), surveys)
        self.set_table_source(lambda: self._table_of(pile))
        self.set_description(self._sentence(scenario, pile))

    def _sentence(self, scenario: FurtherScenario, pile: EstimatesPile) -> str:
        sentence: str = self.tr(
            "Simulation, seed {seed}: {count} surveys of {people} respondents; the mean estimate "
            "is {mean}, the truth {truth}, the standard error {spread}."
        ).format(
            seed=scenario.seed,
            count=f"{scenario.repetitions:,}",
            people=f"{scenario.respondents:,}",
            mean=value_words(scenario, pile.mean),
            truth=value_words(scenario, pile.truth),
            spread=f"{significant(pile.spread, 3)} {error_unit(scenario)}".strip(),
        )
        return sentence

    def _table_of(self, pile: EstimatesPile) -> PlotTable:
        heads = (self.tr("From"), self.tr("To"), self.tr("Surveys (simulation)"))
        rows = tuple(
            (significant(low, 4), significant(high, 4), f"{count:,.4g}")
            for low, high, count in zip(pile.edges[:-1], pile.edges[1:], pile.counts, strict=True)
        )
        return PlotTable(heads, rows)


def _curve_of(
    theory: EstimatorTheory, pile: EstimatesPile, repetitions: int
) -> tuple[np.ndarray, np.ndarray]:
    """A curve over the picture; the points of the picture alone would miss a narrow one."""
    near = theory.mean + theory.error * _NEAR
    x = np.union1d(pile.x, near[(pile.x[0] <= near) & (near <= pile.x[-1])])
    return x, normal_curve(theory, x, pile.width, repetitions)
