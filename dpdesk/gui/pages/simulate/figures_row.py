"""Four figures of a hypothetical survey: error, sample, what an answer tells, coverage."""

from __future__ import annotations

from math import isfinite

from PySide6.QtWidgets import QWidget

from dpdesk.engine.simulate.surveys import draws_everybody
from dpdesk.gui.pages.simulate.answers_model import belief_words
from dpdesk.gui.pages.simulate.design_words import ratio_words, tr
from dpdesk.gui.pages.simulate.scenario import (
    MeanScenario,
    Scenario,
    ShareScenario,
    SharesScenario,
)
from dpdesk.gui.widgets.figure_tile import FigureRow, FigureTile
from dpdesk.preview import at_most, belief_text, error_text, factor_text, share_text, significant
from dpdesk.preview.survey import (
    Belief,
    SurveyFigures,
    belief_table,
    beliefs_after,
    figures_of_survey,
)

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
        found = figures_of_survey(scenario.survey)
        error, sample, told, coverage = self.tiles
        self._show_error(error, scenario, found)
        self._show_sample(sample, scenario, found)
        if isinstance(scenario, ShareScenario):
            self._show_belief(told, scenario)
        elif isinstance(scenario, SharesScenario):
            self._show_belief_in_answer(told, scenario)
        elif isinstance(scenario, MeanScenario):
            self._show_loss(told, scenario)
        self._show_coverage(coverage, scenario, found)

    def _show_error(self, tile: FigureTile, scenario: Scenario, found: SurveyFigures) -> None:
        beyond = self.tr("Below 0: {share} of the estimates.")
        if isinstance(scenario, MeanScenario):
            beyond = self.tr("Outside of the bounds: {share} of the estimates.")
        tile.set_figure(
            error_text(found.error, scenario.error_unit),
            self.tr("95 % error: sampling {sampling}, privacy {privacy}").format(
                sampling=error_text(found.sampling, ""), privacy=error_text(found.privacy, "")
            ),
            self.tr(
                "Of everybody following the device; together the root of the sum of the squares."
            )
            + " "
            + beyond.format(share=share_text(found.beyond)),
        )

    def _show_sample(self, tile: FigureTile, scenario: Scenario, found: SurveyFigures) -> None:
        tile.set_figure(
            factor_text(found.factor) if isfinite(found.factor) else "∞",
            self.tr("sample needed against a direct question"),
            self.tr(
                "{people} respondents tell as much as {direct} direct, truthful answers."
            ).format(
                people=f"{scenario.respondents:,}",
                direct=significant(found.effective_respondents, 3),
            ),
        )

    def _show_belief(self, tile: FigureTile, scenario: ShareScenario) -> None:
        beliefs = beliefs_after(scenario.design, scenario.prevalence)
        highest = max(beliefs, key=lambda belief: belief.belief)
        lowest = min(beliefs, key=lambda belief: belief.belief)
        caption = self.tr("belief after {yes}; after {no} {belief}").format(
            yes=self._said(scenario, highest),
            no=self._said(scenario, lowest),
            belief=_belief(lowest.belief),
        )
        detail = self.tr("What one may believe of a respondent: the true share before, then this.")
        if not isfinite(scenario.epsilon):
            detail = self.tr("An answer can be a proof: epsilon is infinite.")
        prior = _belief(scenario.prevalence)
        tile.set_figure(f"{prior} → {_belief(highest.belief)}", caption, detail)

    def _said(self, scenario: ShareScenario, belief: Belief) -> str:
        answer = scenario.design.instructions()[0].say(belief.answer)
        if not belief.group:
            return f"“{answer}”"
        return self.tr("“{answer}” ({group})").format(answer=answer, group=belief.group)

    def _show_belief_in_answer(self, tile: FigureTile, scenario: SharesScenario) -> None:
        looked, table = scenario.looked, belief_table(scenario.design, scenario.shares)
        highest, lowest = table.raising(looked), table.lowering(looked)
        alone = self.tr("“{answer}”") if table.alone else self.tr("a report for “{answer}” alone")
        name = scenario.names[looked]
        if highest.answer != looked:
            caption = self.tr("belief in “{looked}” after {yes}").format(
                looked=name, yes=alone.format(answer=scenario.names[highest.answer])
            )
        elif table.alone:
            caption = self.tr("belief after “{looked}”").format(looked=name)
        else:
            caption = self.tr("belief after a report for “{looked}”").format(looked=name)
        detail = self.tr(
            "What one may believe of a respondent: the true share before, then this; at least "
            "{least}, after {no}."
        ).format(
            least=belief_words(lowest.beliefs[looked]),
            no=alone.format(answer=scenario.names[lowest.answer]),
        )
        if table.proofs:
            detail = self.tr("A report can rule true answers out: epsilon is infinite.")
        prior = belief_words(scenario.shares[looked])
        tile.set_figure(f"{prior} → {belief_words(highest.beliefs[looked])}", caption, detail)

    def _show_loss(self, tile: FigureTile, scenario: MeanScenario) -> None:
        loss = scenario.design.loss
        sentence = tr(loss.sentence)
        detail = f"{sentence[0].upper()}{sentence[1:]}."
        if not isfinite(loss.epsilon):
            caption = self.tr("an answer can rule numbers out")
            if loss.delta < 1:
                caption = self.tr("an answer can rule numbers out; delta {delta}").format(
                    delta=at_most(loss.delta)
                )
            tile.set_figure("ε = ∞", caption, detail)
            return
        tile.set_figure(
            f"ε = {at_most(loss.epsilon)}",
            self.tr("no answer is over {ratio} × likelier of one number").format(
                ratio=ratio_words(loss.epsilon)
            ),
            detail,
        )

    def _show_coverage(self, tile: FigureTile, scenario: Scenario, found: SurveyFigures) -> None:
        is_mean = isinstance(scenario, MeanScenario)
        what = self.tr("true mean") if is_mean else self.tr("true share")
        caption = (
            self.tr("of all intervals hold the {what}")
            if scenario.is_exact
            else self.tr("of {count} intervals hold the {what}")
        ).format(count=f"{scenario.repetitions:,}", what=what)
        if scenario.survey.all_follow and scenario.design.unbiased:
            detail = self.tr("Everybody follows the device: the estimate is unbiased.")
        elif scenario.survey.all_follow:
            detail = self.tr(
                "Everybody follows the device: the estimate is biased a little, less with more "
                "respondents, since it is divided by the share who attend."
            )
        else:
            detail = self.tr(
                "Respondents who do not follow the device move the estimate by {bias}."
            ).format(bias=f"{significant(found.bias, 2)} {scenario.error_unit}".strip())
        how = self._how(scenario) if is_mean else ""
        tile.set_figure(f"{100 * found.coverage:.1f} %", caption, f"{detail} {how}".strip())

    def _how(self, scenario: Scenario) -> str:
        if draws_everybody(scenario.respondents, scenario.repetitions):
            return self.tr("True numbers follow a beta law; every respondent was drawn.")
        return self.tr(
            "True numbers follow a beta law; of so many respondents the mean and the variance of "
            "what is said are drawn, from the normal law with their exact moments."
        )


def _belief(belief: float) -> str:
    """A belief with two digits; 0 and 1 are proofs, not rounded beliefs."""
    if belief in (0, 1):
        return f"{100 * belief:.0f} %"
    return f"{significant(100 * belief, 2)} %" if belief < _SMALL else belief_text(belief)
