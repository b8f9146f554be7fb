"""Respondent by respondent, where the answer is one of several or a number."""

from __future__ import annotations

from math import sqrt

import numpy as np
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.engine.simulate.further_respondents import FurtherRespondent, FurtherStream
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.simulate.further.scenarios import FurtherScenario, SeveralScenario
from dpdesk.gui.pages.simulate.further.words import error_unit, estimate_axis, value_words
from dpdesk.gui.pages.simulate.stage import Stage
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plain_text import ElidedLabel
from dpdesk.gui.widgets.player import Player, Speed
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import error_text, significant
from dpdesk.preview.survey import stepped_up
from dpdesk.preview.survey.running import MOST_SHOWN, running_axis

_SPEEDS = ((1, 1_000, 1), (4, 250, 1), (25, 40, 1), (250, 40, 10))
"""Respondents per second, milliseconds between two steps, respondents at each step."""
_EARLY = 30
_ROWS = 200


class PlayView(QWidget):
    """Plays a survey that is not held.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scenario: FurtherScenario | None = None
        self._stream: FurtherStream | None = None
        self._ranges: tuple[object, ...] = ()
        self.stage = Stage(parent=self)
        self.plot = PlotCanvas(theme, self.tr("Estimate after each respondent"), parent=self)
        self.plot.getPlotItem().setContentsMargins(0, 9, 0, 0)
        self.plot.setMinimumHeight(120)
        self._ends = tuple(self.plot.line("muted", style="hairline") for _ in range(2))
        self._estimate = self.plot.line(0)
        self._truth = self.plot.marker(angle=0)
        self.legend = LegendRow(theme, parent=self)
        self.legend.set_entries(
            (
                LegendEntry(self.tr("estimate"), 0),
                LegendEntry(self.tr("its 95 % interval"), "muted", "hairline"),
                LegendEntry(self.tr("truth"), "text", "dashed"),
            )
        )
        speeds = (
            Speed(interval, count, self.tr("{count} per second").format(count=rate))
            for rate, interval, count in _SPEEDS
        )
        self.player = Player(
            theme,
            self.tr("Next respondent"),
            self.tr("From the first respondent"),
            tuple(speeds),
            parent=self,
        )
        self.truth = QCheckBox(self.tr("Show the &truth"), self)
        self.truth.setToolTip(self.tr("What only the respondent knows; a simulation knows it too"))
        self.words = ElidedLabel("", "muted", parent=self)
        self.player.moved.connect(self._show)
        self.truth.toggled.connect(lambda _: self._show())
        self._lay_out()

    def show_scenario(self, scenario: FurtherScenario) -> None:
        """Shows the survey of a scenario; another one begins with its first respondent."""
        if scenario == self._scenario:
            return
        self.player.pause()
        # The respondents of the scenario before must not pass for those of this one.
        self._scenario, self._stream = None, None
        scenario.theory()
        self._stream = scenario.stream()
        self._scenario = scenario
        self.player.begin(self._most())
        self._show()

    def show_table(self) -> None:
        """Shows the estimates as a table."""
        self.plot.show_table()

    def _lay_out(self) -> None:
        self.player.add_widget(self.truth)
        self.player.add_stretch()
        said = QHBoxLayout()
        said.setSpacing(12)
        said.addWidget(self.words, 1)
        said.addWidget(self.legend)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.stage)
        column.addLayout(said)
        column.addWidget(self.plot, 1)
        column.addWidget(self.player)

    def _most(self) -> int:
        return min(self._scenario.respondents, MOST_SHOWN) if self._scenario is not None else 1

    def _show(self) -> None:
        if self._scenario is None or self._stream is None:
            return
        respondents = self._stream.first(self.player.shown())
        last = respondents[-1]
        self.stage.show_words(
            last.device,
            last.truth if self.truth.isChecked() else "",
            last.said,
            self._estimate_words(self._scenario, last),
        )
        self._draw(self._scenario, respondents)
        words = self.tr("Simulation, seed {seed}: {number} of {count}").format(
            seed=self._scenario.seed,
            number=f"{last.number:,}",
            count=f"{self._scenario.respondents:,}",
        )
        if self._most() < self._scenario.respondents:
            words += self.tr(" (the first {count} are played)").format(count=f"{self._most():,}")
        self.words.set_text(words)
        self.plot.set_description(
            f"{words} {self.tr('Estimate so far:')} {self.stage.estimate.text()}"
        )

    def _estimate_words(self, scenario: FurtherScenario, last: FurtherRespondent) -> str:
        if last.estimate is None:
            return self.tr("too few yet")
        scale = _scale(scenario)
        half = scale * (last.upper - last.lower) / 2
        value = value_words(scenario, scale * last.estimate)
        return f"{value}\n{error_text(half, error_unit(scenario))}"

    def _draw(self, scenario: FurtherScenario, respondents: tuple[FurtherRespondent, ...]) -> None:
        scale = _scale(scenario)
        known = [found for found in respondents if found.estimate is not None]
        numbers = np.array([found.number for found in known], dtype=np.float64)
        self._estimate.setData(numbers, scale * np.array([f.estimate or 0.0 for f in known]))
        for line, ends in zip(
            self._ends, ([f.lower for f in known], [f.upper for f in known]), strict=True
        ):
            line.setData(numbers, scale * np.array(ends))
        self._truth.setValue(scenario.truth)
        ranges = ((0.0, float(running_axis(len(respondents)))), _reach(scenario))
        if ranges != self._ranges:
            self._ranges = ranges
            self.plot.set_ranges(*ranges)
        self.plot.set_axis_titles(self.tr("respondents"), estimate_axis(scenario))
        self.plot.set_table_source(lambda: self._table_of(scenario, known))

    def _table_of(self, scenario: FurtherScenario, known: list[FurtherRespondent]) -> PlotTable:
        heads = (
            self.tr("Respondents (simulation)"),
            self.tr("Estimate"),
            self.tr("From"),
            self.tr("To"),
        )
        step = max(1, len(known) // _ROWS)
        scale = _scale(scenario)
        return PlotTable(
            heads,
            tuple(
                (
                    f"{found.number:,}",
                    *(
                        significant(scale * value, 4)
                        for value in (found.estimate or 0.0, found.lower, found.upper)
                    ),
                )
                for found in known[::step]
            ),
        )


def _scale(scenario: FurtherScenario) -> float:
    return 100.0 if isinstance(scenario, SeveralScenario) else 1.0


def _reach(scenario: FurtherScenario) -> tuple[float, float]:
    """Ends of the axis of estimates: 95 % of those from 30 respondents."""
    try:
        margin = scenario.curves().margin
    except ParameterError:
        margin = 1.0
    reach = stepped_up(margin * sqrt(scenario.respondents / _EARLY))
    return scenario.truth - reach, scenario.truth + reach
