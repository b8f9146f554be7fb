"""Edits of one column: functions from a plan to a valid plan, or an error with the reason.

A column that changes its kind gets a domain converted from the old one, read off the data, or a
default.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

import numpy as np

from dpdesk.data.date_texts import dates_of
from dpdesk.data.suggest import options_in
from dpdesk.data.suggested_grid import integer_domain, real_domain
from dpdesk.data.table import Flags, SurveyTable, TextColumn
from dpdesk.domains import (
    AnyDomain,
    Categorical,
    ColumnKind,
    Date,
    Integer,
    ListedDomain,
    OptionSet,
    Real,
    domain_type,
    parse_number,
)
from dpdesk.errors import ParameterError
from dpdesk.plan.column import NAME_MAX, ColumnPlan, Provenance, Role
from dpdesk.plan.encoding import missing_texts
from dpdesk.plan.missing import suited
from dpdesk.plan.model import Plan
from dpdesk.plan.protection import best_mechanism, protect
from dpdesk.plan.texts import T

LISTED_MAX = 1_000
"""Most categories that are listed from numbers or from the data: nobody would check more."""

_START: dict[str, AnyDomain] = {
    "categories": Categorical(values=("yes", "no")),
    "several": OptionSet(values=("option 1", "option 2")),
    "integer": Integer(lower=0, upper=10),
    "real": Real(lower=Decimal(0), upper=Decimal(100), resolution=Decimal("0.1")),
    "date": Date.of("1930-01", "2010-12"),
}


def starting_domain(kind: ColumnKind) -> AnyDomain | None:
    """The default domain of a kind; None for kinds without one."""
    if domain_type(kind) is None:
        return None
    return _START.get(kind, _START["categories"])


def domain_for_kind(
    column: ColumnPlan, kind: ColumnKind, table: SurveyTable | None
) -> tuple[AnyDomain | None, Provenance]:
    """Returns the domain of a column for a new kind, and its provenance.

    Raises:
        ParameterError: A binary column would not have two categories, or the data hold no numbers
            or too many different answers.
    """
    if domain_type(kind) is None:
        return None, column.provenance
    converted = _converted(column.domain, kind, has_data=table is not None)
    if converted is not None:
        domain: AnyDomain | None = converted
        provenance = column.provenance
    elif table is not None and column.name in table.names:
        domain, provenance = domain_in_data(column, kind, table), "suggested"
    else:
        start = starting_domain(kind)
        assert start is not None  # noqa: S101 - the kinds without a domain have left above
        domain, provenance = start, "declared"
    if kind == "binary" and domain is not None and domain.size != 2:
        raise ParameterError(T.NOT_BINARY(name=column.name, categories=domain.size))
    return domain, provenance


def _converted(domain: AnyDomain | None, kind: ColumnKind, *, has_data: bool) -> AnyDomain | None:
    if kind == "integer":
        return _whole(domain) if isinstance(domain, Real) else None
    if kind == "date":
        return domain if isinstance(domain, Date) else None
    if kind == "real":
        if not isinstance(domain, Integer):
            return None
        return Real(
            lower=Decimal(domain.lower),
            upper=Decimal(domain.upper),
            resolution=Decimal(domain.step),
            unit=domain.unit,
            written=domain.written,
        )
    wanted = OptionSet if kind == "several" else Categorical
    if isinstance(domain, wanted):
        return domain
    if has_data or not isinstance(domain, ListedDomain):
        return None
    # Without data nothing says how several answers are written.
    return wanted(values=domain.values, labels=domain.labels)


def _whole(domain: Real) -> Integer:
    return Integer(
        lower=int(domain.lower.to_integral_value(ROUND_FLOOR)),
        upper=int(domain.upper.to_integral_value(ROUND_CEILING)),
        unit=domain.unit,
        written=domain.written,
    )


def domain_in_data(column: ColumnPlan, kind: ColumnKind, table: SurveyTable) -> AnyDomain | None:
    """Returns the domain of this kind that holds all answers of a column.

    None where the curator has to say first how dates are written.

    Raises:
        ParameterError: The answers give no domain of this kind.
    """
    texts, decimal = table.column(column.name), table.reading.decimal
    answered = ~missing_texts(column, texts, table.reading)
    wanted = domain_type(kind)
    if kind == "date":
        return dates_of(texts, answered)
    if wanted is not None and wanted.holds_numbers:
        return _numbers_of(texts, answered, kind, decimal)
    if kind == "several":
        options = options_in(texts, answered)
        if options is None:
            raise ParameterError(T.NO_SEPARATOR(name=column.name))
        return options
    if np.count_nonzero(answered) > LISTED_MAX:
        raise ParameterError(T.TOO_MANY_ANSWERS(name=column.name, answers=texts.distinct_count))
    answers = [texts.distinct[code] for code in np.flatnonzero(answered) if texts.distinct[code]]
    if len(answers) < 2:
        raise ParameterError(T.ONE_ANSWER_ONLY(name=column.name))
    return Categorical(values=tuple(sorted(answers, key=lambda text: _rank(text, decimal))))


def _rank(text: str, decimal: str) -> tuple[bool, float, str]:
    number = parse_number(text, decimal)
    return number is None, number or 0.0, text


def _numbers_of(texts: TextColumn, answered: Flags, kind: ColumnKind, decimal: str) -> AnyDomain:
    numbers = texts.numbers(decimal).take(np.flatnonzero(answered))
    values = numbers.values[numbers.is_number]
    if not len(values) or float(values.min()) == float(values.max()):
        raise ParameterError(T.ONE_NUMBER(name=texts.name))
    lower, upper = float(values.min()), float(values.max())
    if kind == "integer":
        return integer_domain(lower, upper)
    return real_domain(lower, upper, numbers.decimals)


def rename(plan: Plan, name: str, new_name: str) -> Plan:
    """Returns the plan with another name of a column.

    Raises:
        ParameterError: Another column has this name.
        pydantic.ValidationError: The name is empty or too long.
    """
    if new_name != name and any(column.name == new_name for column in plan.columns):
        raise ParameterError(T.NAME_TAKEN(name=new_name))
    index = plan.index_of(name)
    column = plan.columns[index]
    fields = {key: getattr(column, key) for key in ColumnPlan.model_fields}
    renamed = ColumnPlan(**(fields | {"name": new_name}))
    return plan.with_columns((*plan.columns[:index], renamed, *plan.columns[index + 1 :]))


def set_kind(plan: Plan, name: str, kind: ColumnKind, table: SurveyTable | None = None) -> Plan:
    """Returns the plan with another kind of a column, and a domain that fits the kind.

    Raises:
        ParameterError: Neither the old domain nor the data give a domain of this kind.
    """
    column = plan.column(name)
    if kind == column.kind:
        return plan
    domain, provenance = domain_for_kind(column, kind, table)
    changes: dict[str, object] = {"kind": kind, "domain": domain, "provenance": provenance}
    if column.meanings and isinstance(domain, ListedDomain):
        labels = {text: told for text, told in column.meanings.items() if text in domain.values}
        others = {text: told for text, told in column.meanings.items() if text not in labels}
        changes |= {"domain": domain.changed(labels=labels), "meanings": others}
    if domain != column.domain:
        changes["confirmed"] = False
    if domain is None or not domain.picks_one:
        changes["other"] = ""
    changes["missing"] = suited(column.missing, domain)
    if domain is None and column.role == "protect":
        changes |= {"role": "unassigned", "mechanism": None}
    return refitted(plan.with_column(name, **changes), name)


def set_domain(plan: Plan, name: str, domain: AnyDomain) -> Plan:
    """Returns the plan with another domain of a column, which must be confirmed again."""
    column = plan.column(name)
    if domain == column.domain:
        return plan
    kind = column.kind
    if kind == "binary" and domain.size != 2:
        kind = "nominal"
    changed = plan.with_column(
        name, domain=domain, kind=kind, provenance="declared", confirmed=False
    )
    return refitted(changed, name)


def set_options(plan: Plan, name: str, listed: Categorical) -> Plan:
    """Returns the plan with other options of a column with several answers.

    Args:
        plan: The plan.
        name: Name of the column.
        listed: The options and what they mean.

    Raises:
        pydantic.ValidationError: The options cannot be told apart in a cell.
    """
    domain = plan.column(name).domain
    if not isinstance(domain, OptionSet):
        return set_domain(plan, name, OptionSet(values=listed.values, labels=listed.labels))
    return set_domain(plan, name, domain.changed(values=listed.values, labels=listed.labels))


def set_marks(plan: Plan, name: str, **changes: str) -> Plan:
    """Returns the plan with another separator of options, or text for none of them.

    Raises:
        pydantic.ValidationError: The options cannot be told apart in a cell.
    """
    domain = plan.column(name).domain
    assert isinstance(domain, OptionSet)  # noqa: S101 - other columns have no such fields
    changed = domain.changed(**changes)
    missing = suited(plan.column(name).missing, changed)
    return set_domain(plan.with_column(name, missing=missing), name, changed)


def confirm_domains(
    plan: Plan,
    confirmed_by: str = "",
    names: Iterable[str] | None = None,
    *,
    reading: bool = True,
) -> Plan:
    """Returns the plan with domains and the reading confirmed as public knowledge.

    Args:
        plan: The plan.
        confirmed_by: Who confirms; "" leaves the name that the plan has.
        names: The columns; None for all.
        reading: Whether how the file is read is confirmed too.

    Raises:
        ParameterError: The name of the person who confirms is too long for a plan.
    """
    wanted = {column.name for column in plan.columns} if names is None else set(names)
    columns = tuple(
        column.model_copy(update={"confirmed": True})
        if column.domain is not None and column.name in wanted
        else column
        for column in plan.columns
    )
    details = plan.details
    if confirmed_by:
        if len(confirmed_by) > NAME_MAX:
            raise ParameterError(T.CONFIRMED_BY_LONG(most=NAME_MAX))
        details = details.model_copy(update={"confirmed_by": confirmed_by})
    confirmed = plan.reading is not None and (reading or plan.reading_confirmed)
    return plan.with_fields(columns=columns, details=details, reading_confirmed=confirmed)


def set_confirmed_by(plan: Plan, person: str) -> Plan:
    """Returns the plan with the name of the person who confirms its domains."""
    fields = {key: getattr(plan.details, key) for key in type(plan.details).model_fields}
    return plan.with_fields(details=type(plan.details)(**(fields | {"confirmed_by": person})))


def set_role(plan: Plan, name: str, role: Role) -> Plan:
    """Returns the plan with another role of a column; "keep" starts unconfirmed.

    Raises:
        ParameterError: The column cannot be protected as it is declared.
    """
    if role == plan.column(name).role:
        return plan
    plan = plan.with_column(name, keep_confirmed=False, coarsening=None)
    return protect(plan, name) if role == "protect" else plan.with_column(name, role=role)


def keep_as_they_are(plan: Plan, names: Iterable[str]) -> Plan:
    """Returns the plan without the coarser levels of some kept columns; both are to be confirmed.

    Args:
        plan: The plan.
        names: The columns.
    """
    for name in names:
        if plan.column(name).coarsening is not None:
            plan = plan.with_column(name, coarsening=None, keep_confirmed=False)
    return plan


def refitted(plan: Plan, name: str) -> Plan:
    """Replaces a mechanism that no longer fits by that of least error at the same epsilon.

    It is None where none fits.
    """
    column = plan.column(name)
    mechanism, domain = column.mechanism, column.effective_domain
    if mechanism is None or domain is None or mechanism.objection(domain) is None:
        return plan
    only = plan.wanted.answers_only
    best = best_mechanism(column, plan.sampling, mechanism.epsilon, answers_only=only)
    return plan.with_column(name, mechanism=best)
