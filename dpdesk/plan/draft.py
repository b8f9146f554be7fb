"""A first plan: suggested from the data or from a codebook, never confirmed by itself."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from dpdesk.data.codebook import CodebookEntry
from dpdesk.data.suggest import ColumnSuggestion, suggest
from dpdesk.data.table import SurveyTable
from dpdesk.domains import Categorical
from dpdesk.errors import ParameterError
from dpdesk.mechanisms import Mechanism, Order, ranked
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
    return Plan(
        respondents=table.rows or None,
        reading=table.reading,
        reading_confirmed=not table.is_reading_found,
        columns=columns,
    )


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
        missing=_missing(suggestion.has_missing, suggestion.domain),
    )


def _from_codebook(suggestion: ColumnSuggestion, entry: CodebookEntry) -> ColumnPlan:
    return ColumnPlan(
        name=entry.name,
        label=entry.label,
        kind=entry.kind,
        domain=entry.domain,
        provenance="codebook",
        role="drop" if entry.kind == "identifier" else "unassigned",
        missing=_missing(suggestion.has_missing, entry.domain),
    )


def _missing(has_missing: bool, domain: object) -> MissingPolicy:
    if has_missing and isinstance(domain, Categorical):
        return MissingPolicy(policy="category", value=MISSING_CATEGORY)
    return MissingPolicy()


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
    own = column.mechanism
    if own is not None and own.objection(domain) is None and plan.sampling.serves(type(own)):
        return plan.with_column(name, role="protect")
    best = _best(plan.with_column(name, role="protect"), name, epsilon)
    if best is None:
        raise ParameterError(
            f"No mechanism of this strategy can protect {name}.",
            remedy="Choose another strategy for the plan, or drop the column.",
        )
    return plan.with_column(name, role="protect", mechanism=best)


def protect_unassigned(plan: Plan, total: Decimal | None = None) -> Plan:
    """Returns the plan with every unassigned column protected that can be.

    Args:
        plan: The plan.
        total: Epsilon that all protected columns together use, locked ones included; 1 for each
            newly protected column when None.

    Raises:
        ParameterError: The total is too small or too large for the number of columns.
    """
    undecided = []
    for column in plan.columns:
        if column.role == "unassigned" and column.effective_domain is not None:
            plan = protect(plan, column.name)
            undecided += [column.name] * (column.mechanism is None)
    if total is not None:
        return choose_best(resplit(plan, total))
    if plan.strategy in {"rsfd", "rsrfd"}:
        # What is best among fakes depends on how many attributes there are in the end.
        for name in undecided:
            plan = choose_best(plan, name)
    return plan


def choose_best(plan: Plan, name: str | None = None, by: Order = "total") -> Plan:
    """Returns the plan with the mechanism of least error at each attribute's own epsilon.

    A mechanism without a choice of epsilon was chosen for what it is, and stays unless it is
    named.

    Args:
        plan: The plan.
        name: One column, or None for every protected column that is not locked.
        by: What is compared: the total error over the expected distribution, or n Var*.
    """
    for column in plan.protected:
        mechanism = column.mechanism
        if mechanism is None or column.effective_domain is None:
            continue
        if column.name == name or (name is None and not column.locked and mechanism.adjustable):
            best = _best(plan, column.name, mechanism.epsilon, by)
            if best is not None:
                plan = plan.with_column(column.name, mechanism=best)
    return plan


def _best(plan: Plan, name: str, epsilon: Decimal, by: Order = "total") -> Mechanism | None:
    """The mechanism of least error for a column, or None where none fits it and the strategy."""
    column, sampling = plan.column(name), plan.sampling
    domain = column.effective_domain
    assert domain is not None  # noqa: S101 - callers look for a domain first
    expected = column.expected_shares
    found = ranked(domain, epsilon, expected=expected, by=by, sampling=sampling)
    return found[0].mechanism if found else None


def confirm_domains(plan: Plan, confirmed_by: str = "") -> Plan:
    """Returns the plan with every domain, and how the file is read, confirmed as public."""
    columns = tuple(
        column.model_copy(update={"confirmed": True}) if column.domain is not None else column
        for column in plan.columns
    )
    details = plan.details
    if confirmed_by:
        details = details.model_copy(update={"confirmed_by": confirmed_by})
    return plan.with_fields(
        columns=columns, details=details, reading_confirmed=plan.reading is not None
    )
