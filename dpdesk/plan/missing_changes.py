"""Edits of what means "no answer" in a column, and of what becomes of such answers."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from decimal import Decimal

import numpy as np
from pydantic import ValidationError

from dpdesk.data.column_description import ColumnDescription
from dpdesk.data.missing_codes import TypedCodes
from dpdesk.data.reading import Reading
from dpdesk.data.suggest import ColumnSuggestion, suggest_column
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.domains import AnyDomain, Categorical, ColumnKind, parse_number
from dpdesk.errors import ParameterError, invalid_fields
from dpdesk.i18n import any_of
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.column_changes import domain_in_data, refitted
from dpdesk.plan.draft_described import level_of
from dpdesk.plan.encoding import among_codes
from dpdesk.plan.missing import (
    TREATMENTS,
    MissingPolicy,
    protecting,
    suited,
    supposed_share,
)
from dpdesk.plan.model import Plan
from dpdesk.plan.texts import T

_TWO = 2
"""Categories of a question that is answered with yes or no."""


def set_missing(plan: Plan, name: str, missing: MissingPolicy) -> Plan:
    """Returns the plan with another policy for missing answers of a column.

    Raises:
        ParameterError: The declared value is not in the domain.
    """
    domain = plan.column(name).domain
    if missing.policy == "value" and domain is not None and domain.outside([missing.value])[0]:
        raise ParameterError(T.VALUE_OUTSIDE(value=missing.value))
    _refuse_category(plan.column(name), missing.value if missing.policy == "category" else "")
    return refitted(plan.with_column(name, missing=missing), name)


def set_codes(
    plan: Plan, name: str, missing: MissingPolicy, table: SurveyTable | None = None
) -> Plan:
    """Returns the plan with other codes of a column, and nothing else decided.

    A domain that was suggested from the data, and that nobody confirmed, is suggested anew without
    the codes; one of a codebook or of the labels of a file loses the values that are codes now.
    What becomes of missing answers stays where it can.

    Args:
        plan: The plan.
        name: Name of the column.
        missing: Its policy with the codes that mean no answer, and those that are answers.
        table: The data, where there are any.
    """
    column = plan.column(name)
    changed = column.changed(missing=missing)
    read_off = column.provenance == "suggested" and not column.confirmed
    if read_off and table is not None and table.rows and name in table.names:
        kind, domain = _suggested_again(column, changed, table)
        changed = changed.changed(kind=kind, domain=domain, missing=suited(missing, domain))
        if domain is None and changed.role == "protect":
            changed = changed.changed(role="unassigned", mechanism=None)
    elif column.provenance == "codebook" and isinstance(column.domain, Categorical):
        said = None if table is None else table.described.get(name)
        changed = _relisted(column, changed, column.domain, said)
    return refitted(plan.with_changed({plan.index_of(name): changed}), name)


def _relisted(
    column: ColumnPlan, changed: ColumnPlan, domain: Categorical, said: ColumnDescription | None
) -> ColumnPlan:
    """The column with the listed values that are no codes of no answer now; labels go with them.

    Args:
        column: The column before.
        changed: The same with other codes.
        domain: Its domain before.
        said: What the file says of it, if there is one; values that were codes come back by it.
    """
    missing, named = changed.missing, {} if said is None else said.values
    labels = {**domain.labels, **column.missing.labels}
    back = [value for value in column.missing.tokens if value in named and value in labels]
    values = [value for value in dict.fromkeys((*domain.values, *back)) if value]
    if back and set(values) <= named.keys():
        values = [value for value in named if value in values]
    is_code = np.isin(np.array(values, dtype=object), missing.tokens)
    numbers = np.array([parse_number(value) for value in values], dtype=np.float64)
    for one in missing.ranges:
        is_code |= one.holds(numbers)
    kept = tuple(value for value, code in zip(values, is_code.tolist(), strict=True) if not code)
    if not kept or kept == domain.values:
        return changed
    listed = domain.changed(values=kept, labels={v: labels[v] for v in kept if v in labels})
    kind = changed.kind
    if said is not None and kind == level_of(said, domain):
        kind = level_of(said, listed)
    elif kind == "binary" and listed.size > _TWO:
        kind = "nominal"
    told = {code: labels[code] for code in missing.tokens if code in labels}
    missing = suited(missing.changed(labels={**told, **missing.labels}), listed)
    return changed.changed(kind=kind, domain=listed, expected=(), missing=missing)


def _suggested_again(
    column: ColumnPlan, changed: ColumnPlan, table: SurveyTable
) -> tuple[ColumnKind, AnyDomain | None]:
    """The kind and domain that the data suggest once codes changed; a chosen kind stays."""
    found = suggestion_of(changed, table)
    if column.kind in (found.kind, suggestion_of(column, table).kind):
        return found.kind, found.domain
    with suppress(ParameterError):
        return column.kind, domain_in_data(changed, column.kind, table)
    return column.kind, column.domain


def suggestion_of(column: ColumnPlan, table: SurveyTable) -> ColumnSuggestion:
    """Returns what the data suggest of a column, given what is decided on its codes.

    Args:
        column: The column of the plan.
        table: The data, which have the column.
    """
    said = table.described.get(column.name)
    return suggestion_from(column, table.column(column.name), table.reading, said)


def suggestion_from(
    column: ColumnPlan, texts: TextColumn, reading: Reading, said: ColumnDescription | None = None
) -> ColumnSuggestion:
    """Returns the same of the column's answers, how the file is read, and what it says of them."""
    missing, decimal = column.missing, reading.decimal
    codes = among_codes(texts, missing.tokens, missing.ranges, decimal, as_numbers=True)
    answers = among_codes(texts, missing.answers, (), decimal, as_numbers=True)
    said = ColumnDescription() if said is None else said
    said = replace(said, label=column.label, values=column.labels or said.values)
    return suggest_column(texts, reading, codes, answers, said)


def declare_missing(
    plan: Plan,
    table: SurveyTable | None,
    name: str,
    codes: TypedCodes,
    policy: str,
    value: str,
) -> Plan:
    """Returns the plan with codes of no answer declared for a column, and what becomes of them.

    Args:
        plan: The plan.
        table: The data, where the domain is read off them.
        name: Name of the column.
        codes: What means no answer; the empty cell always does.
        policy: One of `TREATMENTS`; "" for the one by which they are protected.
        value: The category or the declared value; "" for the usual one. Where answered or not is
            protected, the share that is supposed to be missing, such as "75%".

    Raises:
        ParameterError: There is no such policy, or it does not fit the column; there are too many
            codes, or one is too long.
    """
    try:
        coded = plan.column(name).missing.with_codes(codes)
    except ValidationError as error:
        sentence = invalid_fields(error)[0].sentence
        raise ParameterError(T.BAD_CODES(name=name, reason=sentence)) from None
    plan = set_codes(plan, name, coded, table)
    column = plan.column(name)
    domain = column.domain
    if domain is None:
        raise ParameterError(T.NO_MISSING_WITHOUT_DOMAIN(name=name))
    chosen = policy or protecting(domain).policy
    treatment = TREATMENTS.get(chosen)
    if treatment is None or not treatment.serves(domain):
        fitting = [key for key, one in TREATMENTS.items() if one.serves(domain)]
        raise ParameterError(T.NO_SUCH_POLICY(name=name, policies=any_of(fitting)))
    if chosen == "category":
        _refuse_category(column, value)
    share = column.missing.supposed_share
    if treatment.supposes_share and value:
        share, value = _supposed(value, name), ""
    try:
        missing = column.missing.changed(
            policy=chosen,
            value=value or treatment.default_value(domain),
            supposed_share=share,
            # Who says what missing answers become takes an empty cell for one.
            empty_decided=domain.is_set,
        )
    except ValidationError:
        raise ParameterError(T.NO_VALUE_TAKEN(policy=chosen)) from None
    return refitted(plan.with_column(name, missing=missing), name)


def _supposed(typed: str, name: str) -> Decimal:
    share = supposed_share(typed)
    if share is None:
        raise ParameterError(T.BAD_SHARE(name=name))
    return share


def set_other(plan: Plan, name: str, other: str) -> Plan:
    """Returns the plan with another category for answers outside the list; "" for none.

    Raises:
        ParameterError: The category exists already.
    """
    _refuse_category(plan.column(name), other)
    return refitted(plan.with_column(name, other=other), name)


def _refuse_category(column: ColumnPlan, category: str) -> None:
    if category and column.domain is not None and category in column.domain.listed:
        raise ParameterError(T.CATEGORY_EXISTS(name=category))
