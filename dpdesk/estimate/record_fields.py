"""How the columns of a plan stand in the released records."""

from __future__ import annotations

from collections.abc import Sequence

from dpdesk.data.output_fields import (
    BitsField,
    IntegersField,
    OutputField,
    SymbolField,
    TextField,
)
from dpdesk.data.records import ReportField
from dpdesk.domains import Integer
from dpdesk.mechanisms import BoundMechanism
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.model import Plan
from dpdesk.plan.released_names import released_names, sampled_attribute_name

Bound = Sequence[tuple[ColumnPlan, BoundMechanism]]


def record_fields(plan: Plan, bound: Bound) -> tuple[OutputField, ...]:
    """Returns the fields of the released records, in the plan's order of columns.

    Where each respondent reports one attribute, the last field names it.

    Args:
        plan: The plan.
        bound: Its protected columns with their mechanisms, from `bind_attributes`.
    """
    mechanism_of = {column.name: mechanism for column, mechanism in bound}
    sampled = sampled_attribute_name(plan)
    fields: list[OutputField] = []
    for column in plan.columns:
        if column.role == "keep":
            fields.append(TextField(column.name))
        elif column.role == "protect":
            fields.append(protected_field(column, mechanism_of[column.name], sampled is not None))
    if sampled is not None:
        fields.append(sampled_field(plan, sampled))
    return tuple(fields)


def sampled_field(plan: Plan, name: str) -> SymbolField:
    """Returns the field that names the attribute which a respondent reports."""
    return SymbolField(name, tuple(column.name for column in plan.protected))


def protected_field(column: ColumnPlan, mechanism: BoundMechanism, optional: bool) -> ReportField:
    """Returns the field of a protected column's reports.

    Args:
        column: The column.
        mechanism: Its mechanism on its domain.
        optional: Whether some records have no report of it.
    """
    if mechanism.form == "bits":
        return BitsField(released_names(column), optional)
    if mechanism.form == "integers":
        return IntegersField(released_names(column), mechanism.limits, optional)
    if not mechanism.numeric_outputs:
        return SymbolField(column.name, tuple(mechanism.outputs), "no", optional)
    texts = tuple(mechanism.outputs)
    # Numbers such as Duchi's two are fractions even where the answers are whole.
    whole = isinstance(mechanism.domain, Integer) and not any("." in text for text in texts)
    return SymbolField(column.name, texts, "integer" if whole else "real", optional)
