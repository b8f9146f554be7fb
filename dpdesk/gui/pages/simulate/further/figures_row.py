"""Four figures of a hypothetical survey of several answers or of numbers."""

from __future__ import annotations

from math import isfinite

from PySide6.QtWidgets import QWidget

from dpdesk.gui.pages.simulate.answers_model import belief_words
from dpdesk.gui.pages.simulate.further.scenarios import (
    FurtherScenario,
    NumberScenario,
    SeveralScenario,
)
from dpdesk.gui.pages.simulate.further.words import error_unit, ratio_words, tr
from dpdesk.gui.widgets.figure_tile import FigureRow, FigureTile
from dpdesk.preview import at_most, error_text, factor_text, share_text, significant
from dpdesk.preview.survey.further import (
    NumberFigures,
    ShareFigures,
    figures_of_number,
    figures_of_share,
)


class FurtherFigureRow(FigureRow):
    """Error, sample, belief and coverage.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(4, parent=parent)

    def show_scenario(self, scenario: FurtherScenario) -> None:
        """Shows the figures of a scenario."""
        error, sample, belief, coverage = self.tiles
        if isinstance(scenario, SeveralScenario):
            shares = figures_of_share(scenario.request)
            beyond = self.tr("Below 0: {share} of the estimates.").format(
                share=share_text(shares.negative)
            )
            self._show_error(error, scenario, shares, beyond)
            self._show_sample(sample, scenario, shares.factor)
            self._show_belief(belief, scenario, shares)
            self._show_coverage(coverage, scenario, shares, self.tr("true share"), "")
            return
        numbers = figures_of_number(scenario.request)
        beyond = self.tr("Outside of the bounds: {share} of the estimates.").format(
            share=share_text(numbers.outside)
        )
        self._show_error(error, scenario, numbers, beyond)
        self._show_sample(sample, scenario, numbers.factor)
        self._show_loss(belief, numbers)
        self._show_coverage(coverage, scenario, numbers, self.tr("true mean"), self._how(numbers))

    def _show_error(
        self,
        tile: FigureTile,
        scenario: FurtherScenario,
        found: ShareFigures | NumberFigures,
        beyond: str,
    ) -> None:
        tile.set_figure(
            error_text(found.error, error_unit(scenario)),
            self.tr("95 % error: sampling {sampling}, privacy {privacy}").format(
                sampling=error_text(found.sampling, ""), privacy=error_text(found.privacy, "")
            ),
            self.tr(
                "Of everybody following the device; together the root of the sum of the squares."
            )
            + f" {beyond}",
        )

    def _show_sample(self, tile: FigureTile, scenario: FurtherScenario, factor: float) -> None:
        tile.set_figure(
            factor_text(factor) if isfinite(factor) else "∞",
            self.tr("sample needed against a direct question"),
            self.tr(
                "{people} respondents tell as much as {direct} direct, truthful answers."
            ).format(
                people=f"{scenario.respondents:,}",
                direct=significant(scenario.respondents / factor, 3),
            ),
        )

    def _show_belief(
        self, tile: FigureTile, scenario: SeveralScenario, found: ShareFigures
    ) -> None:
        looked, table = scenario.looked, found.beliefs
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
        least = belief_words(lowest.beliefs[looked])
        detail = self.tr(
            "What one may believe of a respondent: the true share before, then this; at least "
            "{least}, after {no}."
        ).format(least=least, no=alone.format(answer=scenario.names[lowest.answer]))
        if table.proofs:
            detail = self.tr("A report can rule true answers out: epsilon is infinite.")
        prior = belief_words(scenario.shares[looked])
        tile.set_figure(f"{prior} → {belief_words(highest.beliefs[looked])}", caption, detail)

    def _show_loss(self, tile: FigureTile, found: NumberFigures) -> None:
        sentence = tr(found.sentence)
        detail = f"{sentence[0].upper()}{sentence[1:]}."
        if not isfinite(found.epsilon):
            caption = self.tr("an answer can rule numbers out")
            if found.delta < 1:
                caption = self.tr("an answer can rule numbers out; delta {delta}").format(
                    delta=at_most(found.delta)
                )
            tile.set_figure("ε = ∞", caption, detail)
            return
        ratio = ratio_words(found.epsilon)
        tile.set_figure(
            f"ε = {at_most(found.epsilon)}",
            self.tr("no answer is over {ratio} × likelier of one number").format(ratio=ratio),
            detail,
        )

    def _show_coverage(
        self,
        tile: FigureTile,
        scenario: FurtherScenario,
        found: ShareFigures | NumberFigures,
        what: str,
        how: str,
    ) -> None:
        caption = self.tr("of {count} intervals hold the {what}").format(
            count=f"{scenario.repetitions:,}", what=what
        )
        if _all_follow(scenario):
            detail = self.tr("Everybody follows the device: the estimate is unbiased.")
        else:
            bias = significant(found.bias, 2)
            unit = error_unit(scenario)
            detail = self.tr(
                "Respondents who do not follow the device move the estimate by {bias}."
            ).format(bias=f"{bias} {unit}".strip())
        tile.set_figure(f"{100 * found.coverage:.1f} %", caption, f"{detail} {how}".strip())

    def _how(self, found: NumberFigures) -> str:
        if found.one_by_one:
            return self.tr("True numbers follow a beta law; every respondent was drawn.")
        return self.tr(
            "True numbers follow a beta law; of so many respondents the mean and the variance of "
            "what is said are drawn, from the normal law with their exact moments."
        )


def _all_follow(scenario: FurtherScenario) -> bool:
    if isinstance(scenario, NumberScenario):
        return not scenario.understating
    return not (scenario.deny or scenario.careless)
