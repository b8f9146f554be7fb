"""From a hypothetical survey to a column of the plan."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Decimal
from math import isfinite

from PySide6.QtCore import QCoreApplication

from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.domains import Categorical
from dpdesk.errors import ParameterError
from dpdesk.gui.document import Document
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.mechanisms import Mechanism, mechanism_named
from dpdesk.mechanisms.warner import Warner
from dpdesk.plan import ColumnPlan, Plan

COLUMN = "sensitive_question"
_STEP = Decimal("0.0001")


class TakeOver:
    """Makes or changes the column of the sensitive question.

    Args:
        document: Whose plan is edited.
    """

    def __init__(self, document: Document) -> None:
        self._document = document

    def path(self) -> str:
        """The path of the column in the plan."""
        return f"columns.{COLUMN}.mechanism"

    def take(self, scenario: Scenario) -> str:
        """Edits the plan, as one step of undo.

        Returns:
            What was taken over, as a sentence.

        Raises:
            pydantic.ValidationError: The epsilon is larger than a mechanism can have.
            ParameterError: The design has no finite epsilon, so that no mechanism is like it.
        """
        if not isfinite(scenario.epsilon):
            raise ParameterError(
                _tr("With this design an answer can be a proof: its epsilon is infinite."),
                remedy=_tr("Choose another design, or other parameters, for the plan."),
            )
        plan = self._document.plan
        column = _column(scenario)
        mechanism = column.mechanism
        assert mechanism is not None  # noqa: S101 - the column is protected
        words = _tr(
            "The plan has the column {name}, protected by {mechanism} at ε = {epsilon}. {people}"
        )
        self._document.edit(
            _tr("Use the simulated survey in the plan"), self._with(plan, column, scenario)
        )
        return words.format(
            name=COLUMN,
            mechanism=mechanism.title,
            epsilon=format(mechanism.epsilon, "f"),
            people=self._people(scenario),
        )

    def _with(self, plan: Plan, column: ColumnPlan, scenario: Scenario) -> Plan:
        names = [known.name for known in plan.columns]
        columns = tuple(column if known.name == COLUMN else known for known in plan.columns)
        if COLUMN not in names:
            columns = (*columns, column)
        changed = plan.with_columns(columns)
        # The rows of data that are open are counted, not supposed.
        if self._document.table is None:
            changed = changed.with_fields(respondents=scenario.respondents)
        return changed

    def _people(self, scenario: Scenario) -> str:
        if self._document.table is not None:
            return _tr(
                "The number of respondents stays that of the data. A release needs answers to "
                "this question, in a column of that name."
            )
        return _tr("It is for {count} respondents.").format(count=f"{scenario.respondents:,}")


def _tr(text: str) -> str:
    return QCoreApplication.translate("TakeOver", text)


def _column(scenario: Scenario) -> ColumnPlan:
    """Yes or no by Warner's mechanism, or several answers by the mechanism that was simulated."""
    design = scenario.design
    # Rounded down: the plan promises no more than the design does.
    epsilon = Decimal(scenario.epsilon * (1 + 1e-12)).quantize(_STEP, ROUND_FLOOR)
    mechanism: Mechanism = Warner(epsilon=max(epsilon, _STEP))
    values: tuple[str, ...] = ("yes", "no")
    if isinstance(design, MechanismShare):
        template = _tr("answer {number}")
        values = tuple(template.format(number=1 + i) for i in range(design.categories))
        mechanism = mechanism_named(design.mechanism).starting(
            Categorical(values=values), design.epsilon
        )
    return ColumnPlan(
        name=COLUMN,
        label=scenario.question,
        kind="binary" if len(values) == 2 else "nominal",
        domain=Categorical(values=values),
        confirmed=True,
        role="protect",
        mechanism=mechanism,  # type: ignore[arg-type]
    )
