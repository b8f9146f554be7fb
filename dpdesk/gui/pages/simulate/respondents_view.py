"""Respondent by respondent: play, pause, step, speed; what the device hides, and what it leaves."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpdesk.engine.simulate.respondents import Respondent, RespondentStream
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.simulate.played_survey import PlayedSurvey
from dpdesk.gui.pages.simulate.running_plot import RunningAxis
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.preview import error_text, significant
from dpdesk.preview.survey import SurveyRequest
from dpdesk.preview.survey.running import respondents_shown, running_reach


class RespondentsView(PlayedSurvey):
    """Plays a survey of yes and no.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(theme, self.tr("true share"), parent=parent)
        self._request: SurveyRequest | None = None
        self._stream: RespondentStream | None = None

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
        self.show_shown()

    def show_shown(self) -> None:
        """Shows the respondent whose number the player shows."""
        if self._request is None or self._stream is None:
            return
        request = self._request
        respondents = self._stream.first(self.player.shown())
        last = respondents[-1]
        self._show_respondent(last)
        self.plot.show_run(self._axis(request), respondents)
        self.say(request.seed, last.number, request.respondents, respondents_shown(request))

    def _axis(self, request: SurveyRequest) -> RunningAxis:
        heads = (
            self.tr("Respondents (simulation)"),
            self.tr("Estimate (%)"),
            self.tr("From (%)"),
            self.tr("To (%)"),
        )
        title, truth = self.tr("estimated share (%)"), 100 * request.prevalence
        return RunningAxis(title, heads, truth, running_reach(request), 100.0)

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
