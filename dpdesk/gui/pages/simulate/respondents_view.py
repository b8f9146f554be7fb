"""Respondent by respondent: play, pause, step, speed; what the device hides, and what it leaves."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.engine.simulate.respondents import Respondent, RespondentStream
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.simulate.running_plot import RunningPlot
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.pages.simulate.stage import Stage
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plain_text import ElidedLabel
from dpdesk.gui.widgets.player import Player, Speed
from dpdesk.preview import error_text, significant
from dpdesk.preview.survey import SurveyRequest
from dpdesk.preview.survey.running import respondents_shown

_SPEEDS = ((1, 1_000, 1), (4, 250, 1), (25, 40, 1), (250, 40, 10))
"""Respondents per second, milliseconds between two steps, respondents at each step."""


class RespondentsView(QWidget):
    """Plays a survey that is not held.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._request: SurveyRequest | None = None
        self._stream: RespondentStream | None = None
        self.stage = Stage(parent=self)
        self.plot = RunningPlot(theme, parent=self)
        self.plot.setMinimumHeight(120)
        self.legend = LegendRow(theme, parent=self)
        self.legend.set_entries(
            (
                LegendEntry(self.tr("estimate"), 0),
                LegendEntry(self.tr("its 95 % interval"), "muted", "hairline"),
                LegendEntry(self.tr("true share"), "text", "dashed"),
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

    def show_scenario(self, scenario: Scenario) -> None:
        """Shows the survey of a scenario; another one begins with its first respondent."""
        if scenario.request == self._request:
            return
        self._request = scenario.request
        try:
            self._begin()
        except ParameterError:
            # The respondents of the scenario before must not pass for those of this one.
            self._request = None
            raise

    def show_table(self) -> None:
        """Shows the estimates as a table."""
        self.plot.show_table()

    def _begin(self) -> None:
        assert self._request is not None  # noqa: S101 - only called with a request
        request = self._request
        self.player.pause()
        self._stream = RespondentStream(
            request.design,
            request.prevalence,
            request.seed,
            request.behaviour,
            request.confidence,
        )
        self.player.begin(respondents_shown(request))
        self._show()

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

    def _show(self) -> None:
        if self._request is None or self._stream is None:
            return
        respondents = self._stream.first(self.player.shown())
        last = respondents[-1]
        self._show_respondent(last)
        self.plot.show_run(self._request, respondents)
        words = self.tr("Simulation, seed {seed}: {number} of {count}").format(
            seed=self._request.seed,
            number=f"{last.number:,}",
            count=f"{self._request.respondents:,}",
        )
        played = respondents_shown(self._request)
        if played < self._request.respondents:
            words += self.tr(" (the first {count} are played)").format(count=f"{played:,}")
        self.words.set_text(words)
        self.plot.set_description(
            f"{words} {self.tr('Estimate so far:')} {self.stage.estimate.text()}"
        )

    def _show_respondent(self, respondent: Respondent) -> None:
        truth = ""
        if self.truth.isChecked():
            truth = self.tr("yes") if respondent.carrier else self.tr("no")
        self.stage.show_words(
            "; ".join(said.outcome for said in respondent.said),
            truth,
            ", ".join(f"“{said.spoken}”" for said in respondent.said),
            self._estimate_words(respondent),
        )

    def _estimate_words(self, respondent: Respondent) -> str:
        if respondent.estimate is None:
            return self.tr("too few yet")
        half = 50 * (respondent.upper - respondent.lower)
        share = f"{significant(100 * respondent.estimate, 3)} %"
        return f"{share}\n{error_text(half, 'pp')}"
