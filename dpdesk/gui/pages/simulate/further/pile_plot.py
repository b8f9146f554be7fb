"""What hypothetical surveys of several answers or of numbers estimate, against theory."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpdesk.gui.pages.simulate.estimates_canvas import (
    THEORY,
    EstimatesCanvas,
    EstimatesPanel,
    pile_table,
    with_peak,
)
from dpdesk.gui.pages.simulate.further.rivals import rivals_of
from dpdesk.gui.pages.simulate.further.scenarios import FurtherScenario
from dpdesk.gui.pages.simulate.further.words import (
    error_unit,
    estimated_words,
    further_title,
    value_words,
)
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.legend_row import LegendEntry
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import significant
from dpdesk.preview.survey.further import EstimatesPile
from dpdesk.preview.survey.further.pile import normal_curve

_RIVALS = 4


class PileView(EstimatesPanel):
    """The picture with its legend.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self.plot = PileCanvas(theme, parent=self)
        self.place(self.plot)

    def show_scenario(self, scenario: FurtherScenario) -> None:
        """Shows the estimates of a scenario."""
        self.plot.show_scenario(scenario)
        surveys = self.tr("{count} simulated surveys").format(count=f"{scenario.repetitions:,}")
        others = [
            LegendEntry(rival.title, THEORY + 1 + number)
            for number, rival in enumerate(rivals_of(scenario))
        ]
        self.show_entries(surveys, further_title(scenario.design), others)

    def show_table(self) -> None:
        """Shows the numbers as a table."""
        self.plot.show_table()


class PileCanvas(EstimatesCanvas):
    """The bars and the curves.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(theme, _RIVALS, parent=parent)

    def show_scenario(self, scenario: FurtherScenario) -> None:
        """Shows the estimates of a scenario."""
        pile = scenario.pile()
        self.show_bars(pile)
        self._curve.setData(pile.x, pile.y)
        peak = float(pile.y.max())
        rivals = rivals_of(scenario)
        for number, line in enumerate(self._rivals):
            if number >= len(rivals):
                line.setData([], [])
                continue
            theory = rivals[number].theory
            x = with_peak(pile.x, theory.mean, theory.error)
            y = normal_curve(theory, x, pile.width, scenario.repetitions)
            line.setData(x, y)
            peak = max(peak, float(y.max()))
        self.show_axes(pile, peak, scenario.repetitions, estimated_words(scenario))
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
        return pile_table(pile, heads)
