"""Four figures of a hypothetical survey."""

from __future__ import annotations

from math import isfinite

from PySide6.QtWidgets import QWidget

from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.widgets.figure_tile import FigureRow, FigureTile
from dpdesk.preview import belief_text, error_text, factor_text, share_text, significant
from dpdesk.preview.survey import Belief, SurveyFigures, figures_of_survey

_SMALL = 0.1
"""Beliefs below are given with two digits, so that what a "no" does to a small share shows."""


class SurveyFigureRow(FigureRow):
    """Error, sample, belief and coverage.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(4, parent=parent)

    def show_scenario(self, scenario: Scenario) -> None:
        """Shows the figures of a scenario."""
        found = figures_of_survey(scenario.request)
        error, sample, belief, coverage = self.tiles
        error.set_figure(
            error_text(found.error, "pp"),
            self.tr("95 % error: sampling {sampling}, privacy {privacy}").format(
                sampling=error_text(found.sampling, ""), privacy=error_text(found.privacy, "")
            ),
            self.tr(
                "Of everybody following the device; together the root of the sum of the squares. "
                "Below 0: {negative} of the estimates."
            ).format(negative=share_text(found.negative)),
        )
        sample.set_figure(
            factor_text(found.factor) if isfinite(found.factor) else "∞",
            self.tr("sample needed against a direct question"),
            self.tr(
                "{people} respondents tell as much as {direct} direct, truthful answers."
            ).format(
                people=f"{scenario.respondents:,}",
                direct=significant(found.effective_respondents, 3),
            ),
        )
        self._show_belief(belief, found)
        surveys = f"{scenario.repetitions:,}"
        caption = (
            self.tr("of all intervals hold the true share")
            if scenario.is_exact
            else self.tr("of {count} intervals hold the true share").format(count=surveys)
        )
        coverage.set_figure(f"{100 * found.coverage:.1f} %", caption, self._bias(scenario, found))

    def _bias(self, scenario: Scenario, found: SurveyFigures) -> str:
        if not (scenario.deny or scenario.refuse or scenario.careless):
            if scenario.design.unbiased:
                return self.tr("Everybody follows the device: the estimate is unbiased.")
            return self.tr(
                "Everybody follows the device: the estimate is biased a little, less with more "
                "respondents, since it is divided by the share who attend."
            )
        return self.tr(
            "Respondents who do not follow the device move the estimate by {bias} pp."
        ).format(bias=significant(found.bias, 2))

    def _show_belief(self, tile: FigureTile, found: SurveyFigures) -> None:
        highest = max(found.beliefs, key=lambda belief: belief.belief)
        lowest = min(found.beliefs, key=lambda belief: belief.belief)
        prior = _belief(found.prior)
        caption = self.tr("belief after {yes}; after {no} {belief}").format(
            yes=self._said(highest), no=self._said(lowest), belief=_belief(lowest.belief)
        )
        detail = self.tr("What one may believe of a respondent: the true share before, then this.")
        if found.betrays:
            detail = self.tr("An answer can be a proof: epsilon is infinite.")
        tile.set_figure(f"{prior} → {_belief(highest.belief)}", caption, detail)

    def _said(self, belief: Belief) -> str:
        if not belief.group:
            return f"“{belief.answer}”"
        return self.tr("“{answer}” ({group})").format(answer=belief.answer, group=belief.group)


def _belief(belief: float) -> str:
    """A belief with two digits; 0 and 1 are proofs, not rounded beliefs."""
    if belief in (0, 1):
        return f"{100 * belief:.0f} %"
    return f"{significant(100 * belief, 2)} %" if belief < _SMALL else belief_text(belief)
