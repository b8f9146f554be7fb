"""From a hypothetical survey of several answers or of numbers to a column of the plan."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from math import isfinite

from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.several_answers import SeveralDesign
from dpdesk.domains import Categorical, Integer, Real
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.simulate.design_words import tr
from dpdesk.gui.pages.simulate.scenario import ManyValuedScenario, MeanScenario, SharesScenario
from dpdesk.gui.pages.simulate.take_over import COLUMN, TakeOver
from dpdesk.mechanisms import Mechanism
from dpdesk.mechanisms.grr import Grr
from dpdesk.mechanisms.laplace import Laplace
from dpdesk.mechanisms.pram import Pram
from dpdesk.plan import ColumnPlan

_STEP = Decimal("0.0001")
_GRID_MAX = 20_000
_PARTS = 1_000
_STEPS = (1, 2, 5)


@dataclass(frozen=True)
class Taken:
    """A column, and what of the survey it has not.

    Attributes:
        column: The column of the plan.
        differs: What the plan does otherwise than the survey, as a sentence; may be empty.
    """

    column: ColumnPlan
    differs: str


class FurtherTakeOver(TakeOver):
    """Makes or changes the column of the question.

    Args:
        document: Whose plan is edited.
    """

    def take_further(self, scenario: ManyValuedScenario) -> str:
        """Edits the plan, as one step of undo.

        Returns:
            What was taken over, and what could not be, as sentences.

        Raises:
            pydantic.ValidationError: The epsilon is larger than a mechanism can have.
            ParameterError: No mechanism is like the design.
        """
        taken = taken_from(scenario)
        mechanism = taken.column.mechanism
        assert mechanism is not None  # noqa: S101 - the column is protected
        self._document.edit(
            tr("Use the simulated survey in the plan"),
            self._with(self._document.plan, (taken.column,), scenario.respondents),
        )
        self._first = COLUMN
        words = tr(
            "The plan has the column {name}, protected by {mechanism} at ε = {epsilon}. {people}"
        ).format(
            name=COLUMN,
            mechanism=tr(mechanism.title),
            epsilon=format(mechanism.epsilon, "f"),
            people=self._people(scenario.respondents),
        )
        return f"{words} {taken.differs}".strip()


def taken_from(scenario: ManyValuedScenario) -> Taken:
    """Returns the column of a scenario.

    Raises:
        pydantic.ValidationError: The epsilon is larger than a mechanism can have.
        ParameterError: No mechanism is like the design.
    """
    if not isfinite(scenario.epsilon):
        raise ParameterError(
            tr("With this design an answer can be a proof: its epsilon is infinite."),
            remedy=tr("Choose another design, or other parameters, for the plan."),
        )
    if isinstance(scenario, SharesScenario):
        return _several(scenario)
    return _number(scenario)


def _several(scenario: SharesScenario) -> Taken:
    domain = Categorical(values=scenario.names)
    mechanism, differs = _category_mechanism(scenario.design, domain)
    column = ColumnPlan(
        name=COLUMN,
        label=scenario.question,
        kind="nominal" if domain.size > 2 else "binary",
        domain=domain,
        confirmed=True,
        role="protect",
        mechanism=mechanism,  # type: ignore[arg-type]
        expected=tuple(Decimal(f"{share:.6f}") for share in scenario.shares),
    )
    return Taken(column, differs)


def _category_mechanism(design: SeveralDesign, domain: Categorical) -> tuple[Mechanism, str]:
    if design.program is not None:
        return design.program.mechanism, ""
    if isinstance(design, ForcedCategories) and len(set(design.orders)) == 1:
        # Equal orders are the very channel of GRR: the truth, or else any answer alike.
        order = design.orders[0]
        ratio = 1 + (1 - design.orders[0] * len(design.orders)) / order
        return Grr(epsilon=max(_floor(ratio.numerator, ratio.denominator), _STEP)), tr(
            "A program draws what the device would have drawn."
        )
    rows = [[str(chance) for chance in row] for row in design.groups[0].law]
    return Pram.model_validate({"matrix": rows}), tr(
        "The plan holds the device as a matrix of chances; a program draws in its place."
    )


def _floor(numerator: int, denominator: int) -> Decimal:
    """The logarithm of a ratio, rounded down: the plan promises no more than the design does."""
    return (Decimal(numerator) / Decimal(denominator)).ln().quantize(_STEP, ROUND_FLOOR)


def _number(scenario: MeanScenario) -> Taken:
    design = scenario.design
    law = design.drawn_law
    if law.multiplies or law.truth or law.noise != "laplace":
        raise ParameterError(
            tr("No mechanism of a plan multiplies answers, as this design does."),
            remedy=tr("Choose additive scrambling with Laplace's law, or another design."),
        )
    domain = _grid(design.lower, design.upper, scenario.unit)
    epsilon = Decimal(scenario.epsilon * (1 + 1e-9)).quantize(_STEP, ROUND_FLOOR)
    column = ColumnPlan(
        name=COLUMN,
        label=scenario.question,
        kind="integer" if isinstance(domain, Integer) else "real",
        domain=domain,
        confirmed=True,
        role="protect",
        mechanism=Laplace(epsilon=max(epsilon, _STEP)),
    )
    return Taken(
        column,
        tr(
            "A program draws the noise, on a grid in steps of {step}; the supposed mean and "
            "standard deviation are no part of a plan."
        ).format(step=format(domain.grid_step.normalize(), "f")),
    )


def _grid(lower: float, upper: float, unit: str) -> Integer | Real:
    """Whole numbers where both bounds are, else a thousandth of the range as the step."""
    if lower == int(lower) and upper == int(upper):
        first, last = int(lower), int(upper)
        scale = 1
        while True:
            for step in (part * scale for part in _STEPS):
                if (last - first) % step == 0 and (last - first) // step < _GRID_MAX:
                    return Integer(lower=first, upper=last, step=step, unit=unit)
            if scale > last - first:
                break
            scale *= 10
    first_exact, last_exact = Decimal(repr(lower)), Decimal(repr(upper))
    resolution = ((last_exact - first_exact) / _PARTS).quantize(Decimal("0.000001"), ROUND_CEILING)
    steps = int((last_exact - first_exact) / resolution)
    return Real(
        lower=first_exact,
        upper=first_exact + resolution * steps,
        resolution=resolution,
        unit=unit,
    )
