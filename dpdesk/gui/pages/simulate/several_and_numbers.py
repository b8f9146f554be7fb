"""What is supposed of questions with several answers, and of those answered by a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from math import isfinite
from typing import Any, Self

from dpdesk.designs import Design
from dpdesk.designs.additive import Additive
from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.several_answers import SeveralDesign
from dpdesk.domains import Categorical, Integer, Real
from dpdesk.engine.simulate.respondents import NumberStream, RespondentStream, SeveralStream
from dpdesk.engine.simulate.surveys import draws_everybody
from dpdesk.gui.pages.simulate.design_words import belief_words, ratio_words, sentence_text, tr
from dpdesk.gui.pages.simulate.scenario import COLUMN, Scenario, Taken, protected_column
from dpdesk.i18n import N_
from dpdesk.plan import ColumnKind
from dpdesk.preview import at_most
from dpdesk.preview.survey import SupposedMean, SupposedShares, belief_table
from dpdesk.report.survey import MeanMemo, SharesMemo

RESPONDENTS = 3_000
SHARES = (0.7, 0.18, 0.08, 0.04)
ORDERS = (Fraction(1, 8),) * len(SHARES)
"""The truth with chance 1/2, else any answer alike: e^epsilon is 5."""

_FORCED = SupposedShares(ForcedCategories(orders=ORDERS), SHARES, RESPONDENTS, len(SHARES) - 1, 0)
_ADDITIVE = SupposedMean(Additive(lower=0, upper=2_000, scale=1_000), 400.0, 350.0, RESPONDENTS)

_TWO = 2
_PARTS = 1_000
_GRID_MAX = 20_000
_STEPS = (1, 2, 5)


@dataclass(frozen=True)
class SharesScenario(Scenario[SupposedShares]):
    """A hypothetical survey of a question with several answers.

    Attributes:
        names: The words of the answers.
    """

    survey: SupposedShares = _FORCED
    names: tuple[str, ...] = ("1", "2", "3", "4")

    family = SeveralDesign
    departing = {  # noqa: RUF012 - of the class
        "denial": (
            N_("Holders who hide it"),
            N_("Of those whose true answer is looked at: they give the commonest other one."),
        ),
        "carelessness": (
            N_("Careless answers"),
            N_("Respondents of any kind who answer at random."),
        ),
    }

    @property
    def design(self) -> SeveralDesign:
        """The design with its parameters."""
        return self.survey.design

    def changed(self, **changes: Any) -> Self:
        """The same; who hides the answer looked at gives the commonest other one."""
        found = super().changed(**changes)
        survey = found.survey
        others = [index for index in range(len(survey.shares)) if index != survey.looked]
        commonest = max(others, key=lambda index: survey.shares[index])
        if commonest == survey.instead:
            return found
        return replace(found, survey=survey.changed(instead=commonest))

    def _fitted(self, variant: Design) -> Design:
        assert isinstance(variant, SeveralDesign)  # noqa: S101 - of this family
        return variant.usual_for(len(self.names))

    @property
    def estimated(self) -> str:
        """What is estimated, as the title of an axis."""
        name = self.names[self.survey.looked]
        return tr("Estimated share of “{answer}” (%)").format(answer=name)

    @property
    def quantities(self) -> tuple[str, ...]:
        """The answers."""
        return self.names

    def disclosed(self) -> tuple[str, str, str]:
        """The belief in the answer looked at, before any report and after the most telling one."""
        looked, table = self.survey.looked, belief_table(self.design, self.survey.shares)
        highest, lowest = table.raising(looked), table.lowering(looked)
        alone = tr("“{answer}”") if table.alone else tr("a report for “{answer}” alone")
        name = self.names[looked]
        if highest.answer != looked:
            caption = tr("belief in “{looked}” after {yes}").format(
                looked=name, yes=alone.format(answer=self.names[highest.answer])
            )
        elif table.alone:
            caption = tr("belief after “{looked}”").format(looked=name)
        else:
            caption = tr("belief after a report for “{looked}”").format(looked=name)
        detail = tr(
            "What one may believe of a respondent: the true share before, then this; at least "
            "{least}, after {no}."
        ).format(
            least=belief_words(lowest.beliefs[looked]),
            no=alone.format(answer=self.names[lowest.answer]),
        )
        if table.proofs:
            detail = tr("A report can rule true answers out: epsilon is infinite.")
        prior = belief_words(self.survey.truth)
        return f"{prior} → {belief_words(highest.beliefs[looked])}", caption, detail

    def stream(self) -> RespondentStream:
        """Respondents one by one."""
        survey = self.survey
        return SeveralStream(
            survey.design,
            survey.shares,
            self.names,
            survey.looked,
            survey.seed,
            survey.evasion,
            survey.confidence,
        )

    def memo(self, others: Sequence[str]) -> SharesMemo:
        """The planning memo; the words of the answers are known."""
        return SharesMemo(
            question=self.question,
            design=self.design,
            names=self.names,
            shares=self.survey.shares,
            respondents=self.respondents,
        )

    def sheet_words(self, others: Sequence[str]) -> Sequence[str]:
        """The words of the answers."""
        return self.names

    def taken(self) -> Taken:
        """The column of a plan, which expects the supposed shares."""
        mechanism, differs = self.design.in_plan()
        kind: ColumnKind = "nominal" if len(self.names) > _TWO else "binary"
        domain = Categorical(values=self.names)
        column = protected_column(COLUMN, self.question, kind, domain, mechanism)
        expected = tuple(Decimal(f"{share:.6f}") for share in self.survey.shares)
        return Taken(column.model_copy(update={"expected": expected}), tr(differs))


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
    beyond_words = N_("Outside of the bounds: {share} of the estimates.")

    @property
    def design(self) -> NumberDesign:
        """The design with its parameters."""
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
        """The true mean in words."""
        return f"{tr(self.quantity_words)} {self.value_words(self.truth)}"

    def _fitted(self, variant: Design) -> Design:
        assert isinstance(variant, NumberDesign)  # noqa: S101 - of this family
        return variant.between(self.design.lower, self.design.upper)

    @property
    def estimated(self) -> str:
        """What is estimated, as the title of an axis."""
        if self.unit:
            return tr("Estimated mean ({unit})").format(unit=self.unit)
        return tr("Estimated mean")

    @property
    def quantities(self) -> tuple[str, ...]:
        """The mean."""
        return ("mean",)

    @property
    def loss_words(self) -> str:
        """Epsilon and delta."""
        return sentence_text(self.design.loss.sentence)

    def disclosed(self) -> tuple[str, str, str]:
        """The epsilon: how much likelier an answer can be of one number than of another."""
        loss, detail = self.design.loss, self.loss_words
        if isfinite(loss.epsilon):
            caption = tr("no answer is over {ratio} × likelier of one number")
            caption = caption.format(ratio=ratio_words(loss.epsilon))
            return f"ε = {at_most(loss.epsilon)}", caption, detail
        caption = tr("an answer can rule numbers out")
        if loss.delta < 1:
            caption = tr("an answer can rule numbers out; delta {delta}").format(
                delta=at_most(loss.delta)
            )
        return "ε = ∞", caption, detail

    @property
    def drawn_words(self) -> str:
        """Of what law the true numbers are, and whether every respondent is drawn."""
        if draws_everybody(self.respondents, self.survey.repetitions):
            return tr("True numbers follow a beta law; every respondent was drawn.")
        return tr(
            "True numbers follow a beta law; of so many respondents the mean and the variance of "
            "what is said are drawn, from the normal law with their exact moments."
        )

    def stream(self) -> RespondentStream:
        """Respondents one by one."""
        survey = self.survey
        return NumberStream(
            survey.design, survey.true, survey.seed, survey.confidence, unit=self.unit
        )

    def memo(self, others: Sequence[str]) -> MeanMemo:
        """The planning memo."""
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
        """The column of a plan, whose numbers lie on a grid."""
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
