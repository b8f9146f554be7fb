"""A survey that is not held, played respondent by respondent: what the device hides and leaves."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.engine.simulate.respondents import Respondent, RespondentStream
from dpdesk.gui.pages.simulate.running_plot import RunningAxis, RunningPlot
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.pages.simulate.stage import Stage
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plain_text import ElidedLabel
from dpdesk.gui.widgets.player import Player, Speed
from dpdesk.preview import error_text
from dpdesk.preview.survey.running import respondents_shown, running_reach

_SPEEDS = ((1, 1_000, 1), (4, 250, 1), (25, 40, 1), (250, 40, 10))
"""Respondents per second, milliseconds between two steps, respondents at each step."""


class PlayedSurvey(QWidget):
    """Play, pause, step and speed; what the device hides, and the estimate so far.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scenario: Scenario | None = None
        self._stream: RespondentStream | None = None
        self._reach = (0.0, 1.0)
        self.stage = Stage(parent=self)
        self.plot = RunningPlot(theme, parent=self)
        self.plot.setMinimumHeight(120)
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
        self.player.moved.connect(self.show_shown)
        self.truth.toggled.connect(lambda _: self.show_shown())
        self._lay_out()

    def show_table(self) -> None:
        """Shows the estimates as a table."""
        self.plot.show_table()

    def show_scenario(self, scenario: Scenario) -> None:
        """Shows the survey of a scenario; another one begins with its first respondent."""
        if self._scenario is not None and scenario.survey == self._scenario.survey:
            return
        self.player.pause()
        # The respondents of the scenario before must not pass for those of this one.
        self._scenario = self._stream = None
        self._reach = running_reach(scenario.survey)
        self._stream = scenario.stream()
        self._scenario = scenario
        self.player.begin(respondents_shown(scenario.survey))
        self.show_shown()

    def show_shown(self) -> None:
        """Shows the respondent whose number the player shows."""
        if self._scenario is None or self._stream is None:
            return
        scenario = self._scenario
        respondents = self._stream.first(self.player.shown())
        last = respondents[-1]
        self.stage.show_words(
            last.device,
            last.truth if self.truth.isChecked() else "",
            last.spoken,
            self._estimate_words(scenario, last),
        )
        self.plot.show_run(self._axis(scenario), respondents)
        self._say(scenario, last.number)

    def _axis(self, scenario: Scenario) -> RunningAxis:
        unit = f" ({scenario.value_unit})" if scenario.value_unit else ""
        heads = (
            self.tr("Respondents (simulation)"),
            self.tr("Estimate") + unit,
            self.tr("From") + unit,
            self.tr("To") + unit,
        )
        return RunningAxis(
            scenario.estimate_axis, heads, scenario.truth, self._reach, scenario.survey.scale
        )

    def _estimate_words(self, scenario: Scenario, last: Respondent) -> str:
        if last.estimate is None:
            return self.tr("too few yet")
        scale = scenario.survey.scale
        half = scale * (last.upper - last.lower) / 2
        value = scenario.value_words(scale * last.estimate)
        return f"{value}\n{error_text(half, scenario.error_unit)}"

    def _say(self, scenario: Scenario, number: int) -> None:
        """Says which respondent of which simulation is shown."""
        played = respondents_shown(scenario.survey)
        words = self.tr("Simulation, seed {seed}: {number} of {count}").format(
            seed=scenario.seed, number=f"{number:,}", count=f"{scenario.respondents:,}"
        )
        if played < scenario.respondents:
            words += self.tr(" (the first {count} are played)").format(count=f"{played:,}")
        self.words.set_text(words)
        self.plot.set_description(
            f"{words} {self.tr('Estimate so far:')} {self.stage.estimate.text()}"
        )

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
