"""Respondent by respondent, where the answer is one of several or a number."""

from __future__ import annotations

from math import sqrt

from PySide6.QtWidgets import QWidget

from dpdesk.engine.simulate.further_respondents import FurtherRespondent, FurtherStream
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.simulate.further.scenarios import FurtherScenario, SeveralScenario
from dpdesk.gui.pages.simulate.further.words import error_unit, estimate_axis, value_words
from dpdesk.gui.pages.simulate.played_survey import PlayedSurvey
from dpdesk.gui.pages.simulate.running_plot import RunningAxis
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.preview import error_text
from dpdesk.preview.survey import stepped_up
from dpdesk.preview.survey.running import MOST_SHOWN

_EARLY = 30


class PlayView(PlayedSurvey):
    """Plays a survey of several answers or of numbers.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(theme, self.tr("truth"), parent=parent)
        self._scenario: FurtherScenario | None = None
        self._stream: FurtherStream | None = None

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
        self.show_shown()

    def _most(self) -> int:
        return min(self._scenario.respondents, MOST_SHOWN) if self._scenario is not None else 1

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
            last.said,
            self._estimate_words(scenario, last),
        )
        self.plot.show_run(self._axis(scenario), respondents)
        self.say(scenario.seed, last.number, scenario.respondents, self._most())

    def _axis(self, scenario: FurtherScenario) -> RunningAxis:
        heads = (
            self.tr("Respondents (simulation)"),
            self.tr("Estimate"),
            self.tr("From"),
            self.tr("To"),
        )
        title = estimate_axis(scenario)
        return RunningAxis(title, heads, scenario.truth, _reach(scenario), _scale(scenario))

    def _estimate_words(self, scenario: FurtherScenario, last: FurtherRespondent) -> str:
        if last.estimate is None:
            return self.tr("too few yet")
        scale = _scale(scenario)
        half = scale * (last.upper - last.lower) / 2
        value = value_words(scenario, scale * last.estimate)
        return f"{value}\n{error_text(half, error_unit(scenario))}"


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
