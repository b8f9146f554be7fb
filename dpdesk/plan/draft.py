"""A first plan: suggested from the data or from a codebook, never confirmed by itself."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from dpdesk.data.codebook import CodebookEntry
from dpdesk.data.suggest import ColumnSuggestion, suggest
from dpdesk.data.table import SurveyTable
from dpdesk.domains import Categorical
from dpdesk.errors import ParameterError
from dpdesk.mechanisms import ranked
from dpdesk.plan.budget import resplit
from dpdesk.plan.column import ColumnPlan, MissingPolicy, domain_type
from dpdesk.plan.model import Plan, PlanDetails

DEFAULT_EPSILON = Decimal(1)
MISSING_CATEGORY = "(no answer)"


def draft_table(table: SurveyTable, codebook: Mapping[str, CodebookEntry] | None = None) -> Plan:
    """Drafts a plan for a table: kinds and domains suggested, nothing confirmed or assigned.

    Identifiers are proposed for dropping.

    Args:
        table: The data.
        codebook: What is known of columns from documentation; it goes before the data.
    """
    known = codebook or {}
    columns = tuple(
        _from_codebook(suggestion, known[suggestion.name])
        if suggestion.name in known
        else _from_suggestion(suggestion)
        for suggestion in suggest(table)
    )
    # No title: the file's name may say what nobody should read in a report.
    return Plan(respondents=table.rows or None, columns=columns)


def draft_questionnaire(respondents: int) -> Plan:
    """Returns an empty plan for a survey that is still to be held.

    Args:
        respondents: Expected number of respondents.
    """
    return Plan(details=PlanDetails(title="New questionnaire"), respondents=respondents)


def _from_suggestion(suggestion: ColumnSuggestion) -> ColumnPlan:
    return ColumnPlan(
        name=suggestion.name,
        kind=suggestion.kind,
        domain=suggestion.domain,
        provenance="suggested",
        role="drop" if suggestion.kind == "identifier" else "unassigned",
        missing=_missing(suggestion.has_missing, suggestion.missing_tokens, suggestion.domain),
    )


def _from_codebook(suggestion: ColumnSuggestion, entry: CodebookEntry) -> ColumnPlan:
    return ColumnPlan(
        name=entry.name,
        label=entry.label,
        kind=entry.kind,
        domain=entry.domain,
        provenance="codebook",
        role="drop" if entry.kind == "identifier" else "unassigned",
        missing=_missing(suggestion.has_missing, suggestion.missing_tokens, entry.domain),
    )


def _missing(has_missing: bool, tokens: tuple[str, ...], domain: object) -> MissingPolicy:
    with_empty = tuple(dict.fromkeys(("", *tokens)))
    if has_missing and isinstance(domain, Categorical):
        return MissingPolicy(tokens=with_empty, policy="category", value=MISSING_CATEGORY)
    return MissingPolicy(tokens=with_empty)


def protect(plan: Plan, name: str, epsilon: Decimal = DEFAULT_EPSILON) -> Plan:
    """Returns the plan with a column protected by the mechanism of least error.

    A column that already has a fitting mechanism keeps it, with its epsilon.

    Raises:
        ParameterError: No mechanism can protect the column as it is declared.
    """
    column = plan.column(name)
    domain = column.effective_domain
    if domain_type(column.kind) is None or domain is None:
        raise ParameterError(
            f"{name} has no domain that a mechanism could protect.",
            remedy="Declare its answers or its bounds, or drop it.",
        )
    if column.mechanism is not None and column.mechanism.objection(domain) is None:
        return plan.with_column(name, role="protect")
    return plan.with_column(name, role="protect", mechanism=ranked(domain, epsilon)[0].mechanism)


def protect_unassigned(plan: Plan, total: Decimal | None = None) -> Plan:
    """Returns the plan with every unassigned column protected that can be.

    Args:
        plan: The plan.
        total: Epsilon that all protected columns together use, locked ones included; 1 for each
            newly protected column when None.

    Raises:
        ParameterError: The total is too small or too large for the number of columns.
    """
    for column in plan.columns:
        if column.role == "unassigned" and column.effective_domain is not None:
            plan = protect(plan, column.name)
    return plan if total is None else choose_best(resplit(plan, total))


def choose_best(plan: Plan, name: str | None = None) -> Plan:
    """Returns the plan with the mechanism of least error at each attribute's own epsilon.

    Args:
        plan: The plan.
        name: One column, or None for every protected column that is not locked.
    """
    for column in plan.protected:
        domain = column.effective_domain
        if column.mechanism is None or domain is None:
            continue
        if column.name == name or (name is None and not column.locked):
            best = ranked(domain, column.mechanism.epsilon)[0].mechanism
            plan = plan.with_column(column.name, mechanism=best)
    return plan


def confirm_domains(plan: Plan, confirmed_by: str = "") -> Plan:
    """Returns the plan with every domain confirmed as public knowledge."""
    columns = tuple(
        column.model_copy(update={"confirmed": True}) if column.domain is not None else column
        for column in plan.columns
    )
    details = plan.details
    if confirmed_by:
        details = details.model_copy(update={"confirmed_by": confirmed_by})
    return plan.with_fields(columns=columns, details=details)
