"""What is supposed of a question whose answer is a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from math import isfinite, sqrt
from typing import Self

from dpdesk.designs import Design
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.planning import Goal, People
from dpdesk.designs.scrambling import Additive
from dpdesk.domains import ColumnKind, Integer, Real
from dpdesk.engine.simulate.respondents import (
    NumberStream,
    RespondentStream,
)
from dpdesk.engine.simulate.surveys import draws_everybody
from dpdesk.gui.pages.simulate.design_words import (
    ratio_words,
    sentence_text,
    tr,
)
from dpdesk.gui.pages.simulate.scales import Amount
from dpdesk.gui.pages.simulate.scenario import COLUMN, Scenario, Taken, protected_column
from dpdesk.gui.pages.simulate.scenario_kinds import RESPONDENTS
from dpdesk.gui.widgets.figure_tile import Figure
from dpdesk.i18n import N_
from dpdesk.numbers.digits import epsilon_up
from dpdesk.preview import at_most
from dpdesk.preview.survey import (
    SupposedMean,
)
from dpdesk.reports.survey import MeanMemo

_ADDITIVE = SupposedMean(Additive(lower=0, upper=2_000, scale=1_000), 400.0, 350.0, RESPONDENTS)
_PARTS = 1_000
_GRID_MAX = 20_000
_STEPS = (1, 2, 5)


@dataclass(frozen=True)
class MeanScenario(Scenario[SupposedMean]):
    """A hypothetical survey of a question whose answer is a number.

    Attributes:
        unit: The unit of the answers; may be empty.
    """

    survey: SupposedMean = _ADDITIVE
    unit: str = ""

    family = NumberDesign
    departing = {  # noqa: RUF012 - of the class
        "understatement": (
            N_("Understated answers"),
            N_("They act as if the least number possible were their true one."),
        ),
    }
    quantity_words = N_("true mean")
    goals = tuple(goal for goal in Goal if goal is not Goal.EPSILON_FOR_BELIEF)
    cap_sentences = {  # noqa: RUF012 - of the class
        Goal.EPSILON_FOR_ODDS: N_(
            "ε = {epsilon} is the largest at which no answer changes the odds between two true "
            "numbers by more than {odds} times."
        ),
    }
    deniers = N_("of all say the least number to a direct question")
    denying = N_("Share of all who would say the least number to a direct question")
    deniers_word = "respondents"

    @property
    def quantity(self) -> Amount:
        return Amount(self.unit)

    def of_people(self, people: People) -> Self:
        return self.changed(mean=people.value, deviation=sqrt(people.spread))

    beyond_words = N_("Outside of the bounds: {share} of the estimates.")

    @property
    def design(self) -> NumberDesign:
        return self.survey.design

    @property
    def error_unit(self) -> str:  # type: ignore[override]
        """The unit of the answers."""
        return self.unit

    @property
    def value_unit(self) -> str:  # type: ignore[override]
        """The unit of the answers."""
        return self.unit

    @property
    def truth_words(self) -> str:
        return f"{tr(self.quantity_words)} {self.value_words(self.truth)}"

    def _fitted(self, variant: Design) -> Design:
        assert isinstance(variant, NumberDesign)  # noqa: S101 - of this family
        return variant.between(self.design.lower, self.design.upper)

    @property
    def estimated(self) -> str:
        if self.unit:
            return tr("Estimated mean ({unit})").format(unit=self.unit)
        return tr("Estimated mean")

    @property
    def quantities(self) -> tuple[str, ...]:
        return ("mean",)

    @property
    def loss_words(self) -> str:
        return sentence_text(self.design.loss.sentence)

    def disclosed(self) -> Figure:
        loss, detail = self.design.loss, self.loss_words
        if isfinite(loss.epsilon):
            caption = tr("no answer is over {ratio} × likelier of one number")
            caption = caption.format(ratio=ratio_words(loss.epsilon))
            return Figure(f"ε = {epsilon_up(loss.epsilon)}", caption, detail)
        caption = tr("an answer can rule numbers out")
        if loss.delta < 1:
            caption = tr("an answer can rule numbers out; delta {delta}").format(
                delta=at_most(loss.delta)
            )
        return Figure("ε = ∞", caption, detail)

    @property
    def drawn_words(self) -> str:
        if draws_everybody(self.respondents, self.survey.repetitions):
            return tr("True numbers follow a beta law; every respondent was drawn.")
        return tr(
            "True numbers follow a beta law; of so many respondents the mean and the variance of "
            "what is said are drawn, from the normal law with their exact moments."
        )

    def stream(self) -> RespondentStream:
        survey = self.survey
        return NumberStream(
            survey.design, survey.true, survey.seed, survey.confidence, unit=self.unit
        )

    def memo(self, others: Sequence[str]) -> MeanMemo:
        survey = self.survey
        return MeanMemo(
            question=self.question,
            design=survey.design,
            mean=survey.mean,
            deviation=survey.deviation,
            respondents=self.respondents,
            unit=self.unit,
        )

    def taken(self) -> Taken:
        mechanism, _ = self.design.in_plan()
        kind, domain = _grid(self.design.lower, self.design.upper, self.unit)
        column = protected_column(COLUMN, self.question, kind, domain, mechanism)
        words = tr(
            "A program draws the noise, on a grid in steps of {step}; the supposed mean and "
            "standard deviation are no part of a plan."
        )
        return Taken(column, words.format(step=format(domain.grid_step.normalize(), "f")))


def _grid(lower: float, upper: float, unit: str) -> tuple[ColumnKind, Integer | Real]:
    """Whole numbers where both bounds are, else a thousandth of the range as the step."""
    if lower == int(lower) and upper == int(upper):
        first, last = int(lower), int(upper)
        scale = 1
        while True:
            for step in (part * scale for part in _STEPS):
                if (last - first) % step == 0 and (last - first) // step < _GRID_MAX:
                    return "integer", Integer(lower=first, upper=last, step=step, unit=unit)
            if scale > last - first:
                break
            scale *= 10
    first_exact, last_exact = Decimal(repr(lower)), Decimal(repr(upper))
    resolution = ((last_exact - first_exact) / _PARTS).quantize(Decimal("0.000001"), ROUND_CEILING)
    steps = int((last_exact - first_exact) / resolution)
    return "real", Real(
        lower=first_exact,
        upper=first_exact + resolution * steps,
        resolution=resolution,
        unit=unit,
    )
