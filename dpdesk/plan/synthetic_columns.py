"""The columns of synthetic rows: their states, and the loss divided among them."""

from __future__ import annotations

from collections.abc import Sequence

from dpdesk.plan.model import Plan
from dpdesk.synthesis.budget import SynthesisBudget
from dpdesk.synthesis.states import ColumnStates, column_states


def synthetic_states(plan: Plan) -> tuple[ColumnStates, ...]:
    """Returns the states of each column of synthetic rows, from the declarations alone."""
    states = []
    for column in plan.synthetic:
        domain = column.effective_domain
        assert domain is not None  # noqa: S101 - they have a domain
        treatment = column.missing.treatment
        lacks = treatment.stays_blank or treatment.code(domain, column.missing) >= domain.size
        classes = plan.synthesis.classes
        states.append(column_states(column.name, domain, lacks_answers=lacks, classes=classes))
    return tuple(states)


def synthesis_budget(plan: Plan, columns: Sequence[ColumnStates]) -> SynthesisBudget:
    """Returns the loss of the synthetic rows of a plan, divided.

    Args:
        plan: The plan.
        columns: The states of its columns, at least one.

    Raises:
        ParameterError: The loss is too small for so many columns.
    """
    wanted = plan.synthesis
    return SynthesisBudget(wanted.epsilon, wanted.delta, plan.statistics.unit, len(columns))
