"""A survey that is not held, played respondent by respondent: what the device hides and leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from dpdesk.engine.simulate.respondents import Respondent, RespondentStream
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.pages.simulate.survey_tabs import PlottedView
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel
from dpdesk.gui.widgets.player import Player, Speed
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import error_text, significant
from dpdesk.preview.survey.running import respondents_shown, running_axis, running_reach

_STRETCHES = (5, 3, 4, 4)
_LINES = 3


class Stage(QWidget):
    """Four captions with what is true of the respondent below, readable from two metres."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.device = PlainLabel("", "heading", wrap=True, parent=self)
        self.truth = PlainLabel("", "muted", wrap=True, parent=self)
        self.answer = PlainLabel("", "stage-accent", wrap=True, parent=self)
        self.estimate = PlainLabel("", "heading", wrap=True, parent=self)
        captions = (self.tr("device"), self.tr("truth"), self.tr("they say"), self.tr("estimate"))
        row = lay_row(spacing=16, margins=(4, 2, 4, 2), on=self)
        values = (self.device, self.truth, self.answer, self.estimate)
        for caption, value, stretch in zip(captions, values, _STRETCHES, strict=True):
            value.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            # The words have no say in the width: nothing moves from respondent to respondent.
            value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
            value.ensurePolished()
            value.setMinimumHeight(_LINES * value.fontMetrics().lineSpacing())
            column = lay_column(PlainLabel(caption, "muted", parent=self), (value, 1), spacing=2)
            row.addLayout(column, stretch)

    def show_words(self, device: str, truth: str, answer: str, estimate: str) -> None:
        """Shows a respondent.

        Args:
            device: What the device shows; hidden as long as the truth is, which it tells together
                with the answer.
            truth: Their true answer; empty while it is hidden.
            answer: What they say.
            estimate: The estimate so far.
        """
        hidden = self.tr("hidden")
        self.device.setText(device if truth else hidden)
        self.truth.setText(truth or hidden)
        for label in (self.device, self.truth):
            label.set_tone("heading" if truth else "muted")
        self.answer.setText(answer)
        self.estimate.setText(estimate)


_ROWS = 200


class Estimated(Protocol):
    """What the survey knows after a respondent."""

    @property
    def number(self) -> int:
        """Number of the respondent, from 1."""

    @property
    def estimate(self) -> float | None:
        """The estimate; None while there are too few respondents for one."""

    @property
    def lower(self) -> float:
        """Lower end of its interval."""

    @property
    def upper(self) -> float:
        """Upper end of its interval."""


@dataclass(frozen=True)
class RunningAxis:
    """The axis of estimates.

    Attributes:
        title: Its title.
        heads: Heads of the table's columns: respondents, estimate, and both ends of its interval.
        truth: The true value on it.
        reach: Its ends.
        scale: What an estimate is multiplied by to stand on it.
    """

    title: str
    heads: tuple[str, str, str, str]
    truth: float
    reach: tuple[float, float]
    scale: float


class RunningPlot(PlotCanvas):
    """The line of the estimate between those of its interval."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        name = QCoreApplication.translate("RunningPlot", "Estimate after each respondent")
        super().__init__(name, parent=parent)
        self._ends = (self.line("muted", style="hairline"), self.line("muted", style="hairline"))
        self._estimate = self.line(0)
        self._truth = self.marker(angle=0)
        self._ranges: tuple[object, ...] = ()

    def show_run(self, axis: RunningAxis, respondents: Sequence[Estimated]) -> None:
        """Shows the estimates after each of these respondents."""
        known = [found for found in respondents if found.estimate is not None]
        numbers = np.array([found.number for found in known], dtype=np.float64)
        self._estimate.setData(numbers, axis.scale * np.array([f.estimate or 0.0 for f in known]))
        for line, ends in zip(
            self._ends,
            ([found.lower for found in known], [found.upper for found in known]),
            strict=True,
        ):
            line.setData(numbers, axis.scale * np.array(ends))
        self._truth.setValue(axis.truth)
        ranges = ((0.0, float(running_axis(len(respondents)))), axis.reach)
        if ranges != self._ranges:
            self._ranges = ranges
            self.set_ranges(*ranges)
        self.set_axis_titles(self.tr("respondents"), axis.title)
        self.set_table_source(lambda: _table_of(axis, known))


def _table_of(axis: RunningAxis, known: Sequence[Estimated]) -> PlotTable:
    step = max(1, len(known) // _ROWS)
    rows = tuple(
        (
            f"{found.number:,}",
            *(
                significant(axis.scale * value, 4)
                for value in (found.estimate or 0.0, found.lower, found.upper)
            ),
        )
        for found in known[::step]
    )
    return PlotTable(axis.heads, rows)


_SPEEDS = ((1, 1_000, 1), (4, 250, 1), (25, 40, 1), (250, 40, 10))
"""Respondents per second, milliseconds between two steps, respondents at each step."""


class PlayedSurvey(PlottedView):
    """Play, pause, step and speed; what the device hides, and the estimate so far."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scenario: Scenario[Any] | None = None
        self._stream: RespondentStream | None = None
        self._reach = (0.0, 1.0)
        self.stage = Stage(parent=self)
        self.plot = RunningPlot(parent=self)
        self.plot.setMinimumHeight(120)
        self.legend = LegendRow(parent=self)
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
            self.tr("Next respondent"),
            self.tr("From the first respondent"),
            tuple(speeds),
            parent=self,
        )
        self.player.step.setWhatsThis(self.tr("Asks one more person."))
        self.player.again.setWhatsThis(self.tr("Asks everybody again."))
        self.truth = QCheckBox(self.tr("Show the &truth"), self)
        self.truth.setToolTip(
            self.tr(
                "What only the respondent knows: what the device shows, and the true answer. A "
                "simulation knows it too."
            )
        )
        self.words = ElidedLabel("", "muted", parent=self)
        self.player.moved.connect(self.show_shown)
        self.truth.toggled.connect(lambda _: self.show_shown())
        self._lay_out()

    def show_scenario(self, scenario: Scenario[Any]) -> None:
        """Shows the survey of a scenario; another one begins with its first respondent."""
        before = self._scenario
        if before is not None and scenario.survey == before.survey:
            if scenario != before:
                # Another name of an answer, or another unit: the same respondents in other words.
                self._scenario, self._stream = scenario, scenario.stream()
                self.show_shown()
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
        # At the first respondent there is nothing to go back to, or to hurry.
        begun = self.player.shown() > 1
        self.player.again.setEnabled(begun)
        self.player.speed.setEnabled(begun)
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

    def _axis(self, scenario: Scenario[Any]) -> RunningAxis:
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

    def _estimate_words(self, scenario: Scenario[Any], last: Respondent) -> str:
        if last.estimate is None:
            return self.tr("too few yet")
        scale = scenario.survey.scale
        half = scale * (last.upper - last.lower) / 2
        value = scenario.value_words(scale * last.estimate)
        return f"{value}\n{error_text(half, scenario.error_unit)}"

    def _say(self, scenario: Scenario[Any], number: int) -> None:
        """Says which respondent of which simulation is shown."""
        played = respondents_shown(scenario.survey)
        words = self.tr("Simulation, seed {seed}: {number} of {count}").format(
            seed=scenario.survey.seed, number=f"{number:,}", count=f"{scenario.respondents:,}"
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
        said = lay_row((self.words, 1), self.legend, spacing=12)
        lay_column(self.stage, said, (self.plot, 1), self.player, spacing=6, on=self)
