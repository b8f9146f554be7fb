"""Edits of one column: from a plan to a plan, each refused with a reason or valid as a whole."""

from __future__ import annotations

from dpdesk.data.table import SurveyTable
from dpdesk.domains import Categorical, Integer, NumericDomain, Real
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.data.domain_change import domain_for_kind
from dpdesk.mechanisms import ranked
from dpdesk.plan import ColumnKind, ColumnPlan, MissingPolicy, Plan, Role, protect

AnyDomain = Categorical | Integer | Real


def set_label(plan: Plan, name: str, label: str) -> Plan:
    """Returns the plan with another label of a column."""
    return plan.with_column(name, label=label)


def rename(plan: Plan, name: str, new_name: str) -> Plan:
    """Returns the plan with another name of a column.

    Raises:
        ParameterError: Another column has this name.
        pydantic.ValidationError: The name is empty or too long.
    """
    if new_name != name and any(column.name == new_name for column in plan.columns):
        raise ParameterError(
            "Another question has this name already.", remedy="Choose a name of its own."
        )
    index = plan.index_of(name)
    column = plan.columns[index]
    fields = {key: getattr(column, key) for key in ColumnPlan.model_fields}
    renamed = ColumnPlan(**(fields | {"name": new_name}))
    return plan.with_columns((*plan.columns[:index], renamed, *plan.columns[index + 1 :]))


def set_kind(plan: Plan, name: str, kind: ColumnKind, table: SurveyTable | None = None) -> Plan:
    """Returns the plan with another kind of a column, and a domain that suits the kind.

    Raises:
        ParameterError: No domain of this kind can be had from the one before or from the data.
    """
    column = plan.column(name)
    if kind == column.kind:
        return plan
    domain, provenance = domain_for_kind(column, kind, table)
    changes: dict[str, object] = {"kind": kind, "domain": domain, "provenance": provenance}
    if domain != column.domain:
        changes["confirmed"] = False
    if not isinstance(domain, Categorical):
        changes["other"] = ""
        if column.missing.policy == "category":
            changes["missing"] = MissingPolicy(tokens=column.missing.tokens)
    if domain is None and column.role == "protect":
        changes |= {"role": "unassigned", "mechanism": None}
    return _refitted(plan.with_column(name, **changes), name)


def set_domain(plan: Plan, name: str, domain: AnyDomain) -> Plan:
    """Returns the plan with another domain of a column, which has to be confirmed anew."""
    column = plan.column(name)
    if domain == column.domain:
        return plan
    kind = column.kind
    if kind == "binary" and domain.size != 2:
        kind = "nominal"
    changed = plan.with_column(
        name, domain=domain, kind=kind, provenance="declared", confirmed=False
    )
    return _refitted(changed, name)


def set_confirmed(plan: Plan, name: str, confirmed: bool) -> Plan:
    """Returns the plan with the domain of a column confirmed as public knowledge, or not."""
    return plan.with_column(name, confirmed=confirmed)


def set_confirmed_by(plan: Plan, person: str) -> Plan:
    """Returns the plan with the name of who confirms its domains."""
    fields = {key: getattr(plan.details, key) for key in type(plan.details).model_fields}
    return plan.with_fields(details=type(plan.details)(**(fields | {"confirmed_by": person})))


def set_role(plan: Plan, name: str, role: Role) -> Plan:
    """Returns the plan with another role of a column; keeping it is never confirmed by itself.

    Raises:
        ParameterError: The column cannot be protected as it is declared.
    """
    if role == plan.column(name).role:
        return plan
    plan = plan.with_column(name, keep_confirmed=False)
    return protect(plan, name) if role == "protect" else plan.with_column(name, role=role)


def set_keep_confirmed(plan: Plan, name: str, confirmed: bool) -> Plan:
    """Returns the plan with the release of a column as it is confirmed, or not."""
    return plan.with_column(name, keep_confirmed=confirmed)


def set_missing(plan: Plan, name: str, missing: MissingPolicy) -> Plan:
    """Returns the plan with another policy for missing answers of a column.

    Raises:
        ParameterError: The declared value is not in the domain.
    """
    domain = plan.column(name).domain
    if missing.policy == "value" and domain is not None and domain.outside([missing.value])[0]:
        inside = (
            "Type a number between its bounds."
            if isinstance(domain, NumericDomain)
            else "Type one of its categories."
        )
        raise ParameterError("The declared value is not in the domain.", remedy=inside)
    _refuse_category(plan.column(name), missing.value if missing.policy == "category" else "")
    return _refitted(plan.with_column(name, missing=missing), name)


def set_other(plan: Plan, name: str, other: str) -> Plan:
    """Returns the plan with another category for answers outside the list; "" for none.

    Raises:
        ParameterError: The category exists already.
    """
    _refuse_category(plan.column(name), other)
    return _refitted(plan.with_column(name, other=other), name)


def _refuse_category(column: ColumnPlan, category: str) -> None:
    if category and isinstance(column.domain, Categorical) and category in column.domain.values:
        raise ParameterError(
            "The list of answers has a category of this name already.",
            remedy="Give this one another name.",
        )


def _refitted(plan: Plan, name: str) -> Plan:
    """Puts the mechanism of least error, at the same epsilon, where the old one fits no more."""
    column = plan.column(name)
    mechanism, domain = column.mechanism, column.effective_domain
    if mechanism is None or domain is None or mechanism.objection(domain) is None:
        return plan
    expected, sampling = column.expected_shares, plan.sampling
    fitting = ranked(domain, mechanism.epsilon, expected=expected, sampling=sampling)
    return plan.with_column(name, mechanism=fitting[0].mechanism if fitting else None)
