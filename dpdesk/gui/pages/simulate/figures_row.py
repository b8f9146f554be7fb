"""Four figures of a hypothetical survey: error, sample, what an answer tells, coverage."""

from __future__ import annotations

from math import isfinite
from typing import Any

from PySide6.QtWidgets import QWidget

from dpdesk.gui.pages.simulate.design_words import tr
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.widgets.figure_tile import FigureRow, FigureTile
from dpdesk.preview import error_text, factor_text, share_text, significant
from dpdesk.preview.survey import SurveyFigures, figures_of_survey


class SurveyFigureRow(FigureRow):
    """Error, sample, belief and coverage.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)

    def show_scenario(self, scenario: Scenario[Any]) -> None:
        """Shows the figures of a scenario."""
        found = figures_of_survey(scenario.survey)
        error, sample, told, coverage = self.tiles
        error.set_figure(
            error_text(found.error, scenario.error_unit),
            self.tr("95 % error: sampling {sampling}, privacy {privacy}").format(
                sampling=error_text(found.sampling, ""), privacy=error_text(found.privacy, "")
            ),
            self.tr(
                "Of everybody following the device; together the root of the sum of the squares."
            )
            + " "
            + tr(scenario.beyond_words).format(share=share_text(found.beyond)),
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
        told.set_figure(*scenario.disclosed())
        self._show_coverage(coverage, scenario, found)

    def _show_coverage(
        self, tile: FigureTile, scenario: Scenario[Any], found: SurveyFigures
    ) -> None:
        survey = scenario.survey
        caption = (
            self.tr("of all intervals hold the {what}")
            if survey.is_exact
            else self.tr("of {count} intervals hold the {what}")
        ).format(count=f"{survey.repetitions:,}", what=tr(scenario.quantity_words))
        if survey.all_follow and scenario.design.unbiased:
            detail = self.tr("Everybody follows the device: the estimate is unbiased.")
        elif survey.all_follow:
            detail = self.tr(
                "Everybody follows the device: the estimate is biased a little, less with more "
                "respondents, since it is divided by the share who attend."
            )
        else:
            detail = self.tr(
                "Respondents who do not follow the device move the estimate by {bias}."
            ).format(bias=f"{significant(found.bias, 2)} {scenario.error_unit}".strip())
        words = f"{detail} {scenario.drawn_words}".strip()
        tile.set_figure(f"{100 * found.coverage:.1f} %", caption, words)
