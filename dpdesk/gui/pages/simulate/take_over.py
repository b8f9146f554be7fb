"""From a hypothetical survey of any kind of answer to a column of the plan."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from math import isfinite

from PySide6.QtCore import QCoreApplication

from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.several_answers import SeveralDesign
from dpdesk.domains import Categorical, Integer, Real
from dpdesk.errors import ParameterError
from dpdesk.gui.document import Document
from dpdesk.gui.pages.simulate.design_words import tr
from dpdesk.gui.pages.simulate.scenario import MeanScenario, Scenario, ShareScenario, SharesScenario
from dpdesk.mechanisms import Mechanism
from dpdesk.mechanisms.grr import Grr
from dpdesk.mechanisms.laplace import Laplace
from dpdesk.mechanisms.pram import Pram
from dpdesk.mechanisms.warner import Warner
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.report.survey import PlannedQuestions

COLUMN = "sensitive_question"
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


class TakeOver:
    """Makes or changes the column of the sensitive question.

    Args:
        document: Whose plan is edited.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._first = COLUMN

    def path(self) -> str:
        """The path of the first column that was taken over last."""
        return f"columns.{self._first}.mechanism"

    def take(self, scenario: Scenario) -> str:
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
            _tr("Use the simulated survey in the plan"),
            self._with(self._document.plan, (taken.column,), scenario.respondents),
        )
        self._first = COLUMN
        words = _tr(
            "The plan has the column {name}, protected by {mechanism} at ε = {epsilon}. {people}"
        ).format(
            name=COLUMN,
            mechanism=tr(mechanism.title),
            epsilon=format(mechanism.epsilon, "f"),
            people=self._people(scenario.respondents),
        )
        return f"{words} {taken.differs}".strip()

    def take_questions(self, found: PlannedQuestions) -> str:
        """Edits the plan, as one step of undo: a column for each question of a questionnaire.

        Returns:
            What was taken over, as a sentence.

        Raises:
            pydantic.ValidationError: An epsilon is larger than a mechanism can have.
            ParameterError: The plan reports one attribute of each respondent: the epsilons of
                a questionnaire that everybody answers would not add up there.
        """
        plan = self._document.plan
        if plan.strategy != "spl":
            raise ParameterError(
                _tr("In this plan each respondent reports one attribute, not all of them."),
                remedy=_tr("Choose on the Plan page that every attribute is reported."),
            )
        columns = tuple(
            _yes_or_no(f"{COLUMN}_{number}", name, planned.epsilon)
            for number, (name, planned) in enumerate(
                zip(found.names, found.plan.questions, strict=True), start=1
            )
        )
        people = found.plan.respondents
        self._document.edit(
            _tr("Use the questionnaire in the plan"), self._with(plan, columns, people)
        )
        self._first = columns[0].name
        words = _tr("The plan has {count} columns, {first} to {last}. {people}")
        return words.format(
            count=len(columns),
            first=columns[0].name,
            last=columns[-1].name,
            people=self._people(people),
        )

    def _with(self, plan: Plan, taken: tuple[ColumnPlan, ...], respondents: int) -> Plan:
        own = {column.name: column for column in taken}
        names = [known.name for known in plan.columns]
        columns = (
            *(own.get(known.name, known) for known in plan.columns),
            *(column for column in taken if column.name not in names),
        )
        changed = plan.with_columns(columns)
        # The rows of data that are open are counted, not supposed.
        if self._document.table is None:
            changed = changed.with_fields(respondents=respondents)
        return changed

    def _people(self, respondents: int) -> str:
        if self._document.table is not None:
            return _tr(
                "The number of respondents stays that of the data. A release needs answers to "
                "this question, in a column of that name."
            )
        return _tr("It is for {count} respondents.").format(count=f"{respondents:,}")


def _tr(text: str) -> str:
    return QCoreApplication.translate("TakeOver", text)


def _yes_or_no(name: str, question: str, epsilon: float) -> ColumnPlan:
    # Rounded down: the plan promises no more than the design does.
    rounded = Decimal(epsilon * (1 + 1e-12)).quantize(_STEP, ROUND_FLOOR)
    return _protected(name, question, ("yes", "no"), Warner(epsilon=max(rounded, _STEP)))


def _protected(
    name: str, question: str, values: tuple[str, ...], mechanism: Mechanism
) -> ColumnPlan:
    return ColumnPlan(
        name=name,
        label=question,
        kind="binary" if len(values) == 2 else "nominal",
        domain=Categorical(values=values),
        confirmed=True,
        role="protect",
        mechanism=mechanism,
    )


def taken_from(scenario: Scenario) -> Taken:
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
    if isinstance(scenario, ShareScenario):
        return Taken(_yes_or_no(COLUMN, scenario.question, scenario.epsilon), "")
    if isinstance(scenario, SharesScenario):
        return _several(scenario)
    assert isinstance(scenario, MeanScenario)  # noqa: S101 - the kind that is left
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
        mechanism=mechanism,
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
