"""What a column can hold, as the command line declares it: `age=17..90/0.5 years`, `sex=F|M`.

A declaration is the curator's word that the domain is public knowledge.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from pydantic import ValidationError

from dpdesk import domains
from dpdesk.cli.column_settings import DECLARATION
from dpdesk.cli.options import DECLARED, WHAT_IS_DECLARED
from dpdesk.cli.texts import T
from dpdesk.errors import ParameterError, invalid_fields
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.plan.missing import suited

if TYPE_CHECKING:
    from dpdesk.data.table import SurveyTable

_NUMBER = r"[+-]?[0-9]{1,16}(?:\.[0-9]{1,9})?"
_SET = re.compile(r"\s*set\s*\(", re.IGNORECASE)
_DATES = re.compile(
    r"(\S+?)\.\.(\S+?)(?: +by +([0-9]* *[A-Za-z]+))?(?: +as +(\S.{0,39}))?", re.IGNORECASE
)
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER})(?:/({_NUMBER}))?(?: +(\S.{{0,99}}))?")


def declared_column(declaration: str) -> ColumnPlan:
    """Reads the declaration of a column: numbers "age=18..90" or categories "sex=Female|Male".

    Raises:
        ParameterError: It is not of this form, or no domain.
    """
    name, equals, content = declaration.partition("=")
    if not name or not equals or not content:
        raise DECLARATION.refused(declaration)
    domain = declared_domain(name, content)
    return ColumnPlan(name=name, kind=domain.kinds[0], domain=domain, confirmed=True)


def declared_domain(name: str, content: str) -> domains.AnyDomain:
    """Reads a domain.

    Numbers are whole if both bounds and the step are; the step is 1, or that of the last digit of
    the bounds.

    Args:
        name: Name of the column, for messages.
        content: Bounds, perhaps a step and a unit; or categories, or options of a set.

    Raises:
        ParameterError: It is neither, or not valid.
    """
    match = _RANGE.fullmatch(content)
    try:
        options = domains.OptionSet.read(content)
        if options is not None:
            return options
        if _SET.match(content):
            raise ParameterError(T.NO_BOUNDS(name=name, form=WHAT_IS_DECLARED))
        plain, _, written = content.rpartition(" as ")
        if plain and any(sign.isdigit() for sign in written):
            numbers = declared_domain(name, plain)
            if not isinstance(numbers, domains.Integer | domains.Real):
                raise ParameterError(T.NO_BOUNDS(name=name, form=DECLARED))
            return type(numbers).model_validate(numbers.model_dump() | {"written": written})
        dates = _DATES.fullmatch(content) if match is None or " by " in content else None
        if dates is not None:
            try:
                return domains.Date.of(dates[1], dates[2], dates[3] or "", dates[4] or "")
            except ParameterError as error:
                reason, is_dates = error.message, dates[3] or dates[4]
                raise ParameterError(
                    T.BAD_DECLARATION(name=name, reason=reason),
                    remedy=error.remedy if is_dates else T.NUMBER_OR_DATE(),
                ) from None
        if match is None:
            values = tuple(content.split("|"))
            if len(values) < 2:
                raise ParameterError(T.NO_BOUNDS(name=name, form=DECLARED))
            return domains.Categorical(values=values)
        lower, upper = Decimal(match[1]), Decimal(match[2])
        digits = min(_exponent(lower), _exponent(upper))
        step = Decimal(match[3]) if match[3] else Decimal(1).scaleb(digits)
        unit = match[4] or ""
        if all(number == number.to_integral_value() for number in (lower, upper, step)):
            return domains.Integer(lower=int(lower), upper=int(upper), step=int(step), unit=unit)
        return domains.Real(lower=lower, upper=upper, resolution=step, unit=unit)
    except ValidationError as error:
        reason = invalid_fields(error)[0].sentence
        raise ParameterError(T.BAD_DECLARATION(name=name, reason=reason)) from None


def with_declared(
    plan: Plan, name: str, content: str, wanted: domains.ColumnKind | None = None
) -> Plan:
    """Returns the plan with the domain of a column declared, and confirmed by that.

    The column keeps the labels of categories that stay, and the codes of missing answers.

    Args:
        plan: The plan.
        name: Name of the column.
        content: Its domain, as `declared_domain` reads it.
        wanted: Its kind; None for the one that the domain suggests.

    Raises:
        ParameterError: It declares no domain, or one of another kind.
    """
    column, domain = plan.column(name), declared_domain(name, content)
    kind: domains.ColumnKind
    if isinstance(domain, domains.Categorical):
        known = column.domain.labels if isinstance(column.domain, domains.Categorical) else {}
        labels = {value: text for value, text in known.items() if value in domain.values}
        domain = domains.Categorical(values=domain.values, labels=labels)
        several: domains.ColumnKind = "ordinal" if column.kind == "ordinal" else "nominal"
        kind = wanted or ("binary" if domain.size == 2 else several)
    elif wanted == "real" and isinstance(domain, domains.Integer):
        kind, step = "real", Decimal(domain.step)
        lower, upper = Decimal(domain.lower), Decimal(domain.upper)
        said = {"unit": domain.unit, "written": domain.written}
        domain = domains.Real.model_validate(
            {"lower": lower, "upper": upper, "resolution": step} | said
        )
    else:
        kind = wanted or domain.kinds[0]
    if not isinstance(domain, domains.domain_type(kind) or ()) or (
        kind == "binary" and domain.size != 2
    ):
        raise ParameterError(T.NOT_OF_KIND(name=name, kind=kind))
    role = "unassigned" if column.role == "drop" else column.role
    return plan.with_column(
        name,
        kind=kind,
        domain=domain,
        provenance="declared",
        confirmed=True,
        missing=suited(column.missing, domain),
        role=role,
    )


def with_kind(plan: Plan, table: SurveyTable | None, name: str, kind: domains.ColumnKind) -> Plan:
    """Returns the plan with a column of another kind, whose domain is read off the answers anew.

    Without answers there is nothing to read: the domain is left to be declared.

    Raises:
        ParameterError: The answers give no domain of this kind.
    """
    from dpdesk.plan.column_changes import set_kind

    column = plan.column(name)
    if kind == column.kind:
        return plan
    if table is not None and table.rows:
        plan = set_kind(plan, name, kind, table)
        column = plan.column(name)
    else:
        column = column.changed(kind=kind, domain=None, missing=suited(column.missing, None))
    if kind == "identifier":
        column = column.changed(role="drop")
    elif column.role == "drop":
        column = column.changed(role="unassigned")
    return plan.with_changed({plan.index_of(name): column})


def _exponent(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0
