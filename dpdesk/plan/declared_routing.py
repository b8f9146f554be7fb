"""Who was asked a question, as the curator declares it: typed and edited."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import partial

from pydantic import ValidationError

from dpdesk.data.quotation_marks import parted, unquoted
from dpdesk.domains import OptionSet
from dpdesk.errors import DpdeskError, ParameterError, invalid_fields
from dpdesk.numbers import exact_number
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.column_changes import refitted
from dpdesk.plan.filter_question import CONDITIONS_MOST, AskedIf
from dpdesk.plan.missing import protecting, supposed_share
from dpdesk.plan.model import Plan
from dpdesk.plan.texts import T
from dpdesk.queries.condition import Condition, condition_on
from dpdesk.queries.phrase_reader import PhraseReader
from dpdesk.queries.written import written

_LEAST, _MOST = Decimal("0.01"), Decimal("0.99")
_SIGN = re.compile(r"\s*(!=|>=|<=|=)|\s+(?=(?:is|has|includes|contains|does)\b)", re.IGNORECASE)
"""What stands behind the name of a filter question."""
_OR = re.compile(r"\s*,?\s+or\s+", re.IGNORECASE)


def read_asked(plan: Plan, typed: str) -> AskedIf:
    """Reads who was asked: "smoker is daily or sometimes, or age is at least 60".

    A condition is written as in a query, or in short: "smoker=daily|sometimes", "age=15..49" or
    "often!=never". Names and answers need quotation marks only where they could be misread.

    Args:
        plan: The plan; its domain says whether answers, options or numbers are meant.
        typed: What was typed; blanks around the signs do not matter.

    Raises:
        ParameterError: It is not of this form, or names no column or none of its answers.
    """
    any_of = tuple(_read_condition(*part) for part in _conditions(plan, typed.strip()))
    if len(any_of) > CONDITIONS_MOST:
        raise ParameterError(T.TOO_MANY_CONDITIONS(most=CONDITIONS_MOST))
    try:
        asked = AskedIf(any_of=any_of)
    except ValidationError as error:
        raise _invalid(error) from None
    return asked.changed(suggested_share(plan, asked))


def _conditions(plan: Plan, typed: str) -> Iterator[tuple[ColumnPlan, str, str]]:
    """Yields the column of each condition, the sign behind it ("" for a verb), and what follows."""
    begin: int | None = 0
    while begin is not None:
        found = _named(plan, typed, begin)
        if found is None:
            raise ParameterError(T.NO_FILTER())
        column, sign = found
        end, begin = len(typed), None
        for one in _OR.finditer(typed, sign.end()):
            is_outside = typed.count('"', sign.end(), one.start()) % 2 == 0
            if is_outside and _named(plan, typed, one.end()) is not None:
                end, begin = one.start(), one.end()
                break
        yield column, sign[1] or "", typed[sign.end() : end].strip()


def _named(plan: Plan, typed: str, begin: int) -> tuple[ColumnPlan, re.Match[str]] | None:
    """Returns the column with the longest name by which a condition begins, and the sign."""
    found: list[tuple[int, ColumnPlan, re.Match[str]]] = []
    for column in plan.columns:
        for name in (column.name, written(column.name)):
            sign = _SIGN.match(typed, begin + len(name)) if typed.startswith(name, begin) else None
            if sign is not None:
                found.append((len(name), column, sign))
    return max(found, key=lambda one: one[0])[1:] if found else None


def _read_condition(column: ColumnPlan, sign: str, rest: str) -> Condition:
    """Reads what was answered: in short first behind a sign of equality, else in words first."""
    readers = [partial(_in_words, column, sign, rest)]
    is_equality = sign in {"=", "!="}
    if is_equality:
        readers.insert(0, partial(_in_short, column, rest, negated=sign == "!="))
    else:
        negated = rest.lower().startswith("is not ")
        answers = rest[7 if negated else 3 :] if rest.lower().startswith("is ") else ""
        readers.append(partial(_in_short, column, answers, negated=negated))
    refused: DpdeskError | None = None
    for read in readers:
        try:
            condition = read()
            require_fit(column, condition)
        except ValidationError as error:
            refused = refused or _invalid(error)
        except ParameterError as error:
            refused = refused or error
        else:
            return condition
    raise refused or AssertionError


def _invalid(error: ValidationError) -> DpdeskError:
    field = invalid_fields(error)[0]
    return field.cause or ParameterError(T.BAD_ASKED(reason=field.sentence))


def _in_words(column: ColumnPlan, sign: str, rest: str) -> Condition:
    domain = column.effective_domain
    domains = {} if domain is None else {column.name: domain}
    text = f"{written(column.name)} {sign} {rest}"
    reader = PhraseReader(text, lambda: ("smoker is daily or sometimes",), domains)
    condition = reader.condition()
    reader.end()
    return condition


def _in_short(column: ColumnPlan, answers: str, *, negated: bool) -> Condition:
    lower, dots, upper = answers.partition("..")
    if dots and '"' not in answers:
        ends = [end.strip() or None for end in (lower, upper)]
        if any(end is not None and exact_number(end) is None for end in ends):
            raise ParameterError(T.BAD_INTERVAL())
        fields = {"lower": ends[0], "upper": ends[1]}
        return Condition.model_validate({"column": column.name, "negated": negated, **fields})
    texts = dict.fromkeys(unquoted(part.strip()) for part in parted(answers, "|"))
    condition = condition_on(column.name, column.effective_domain, tuple(texts))
    return Condition.model_validate(condition.model_dump() | {"negated": negated})


def require_fit(column: ColumnPlan, condition: Condition) -> None:
    """Refuses a condition that no answer of a filter question's domain meets.

    Raises:
        ParameterError: It does not suit the domain, or nobody can meet it.
    """
    domain = column.effective_domain
    if domain is None:
        return
    condition.require(domain)
    if not isinstance(domain, OptionSet) and not condition.table(domain).any():
        raise ParameterError(T.NO_ANSWER_MEETS(name=column.name))


def set_asked(plan: Plan, name: str, asked: AskedIf | None) -> Plan:
    """Returns the plan with who was asked declared for a column, or everybody.

    Where no missing answers were expected, they are protected: there must be some.

    Raises:
        ParameterError: A question is asked because of itself.
    """
    column = plan.column(name)
    rules = {**asked_rules(plan), **({} if asked is None else {name: asked})}
    if asked is not None and name in asked_behind(rules, name):
        raise ParameterError(T.ASKED_BY_ITSELF(name=name))
    missing = column.missing.changed(asked=asked)
    if asked is not None and missing.policy == "none":
        missing = protecting(column.domain, missing)
    return refitted(plan.with_column(name, missing=missing), name)


def declare_asked(plan: Plan, name: str, typed: str) -> Plan:
    """Returns the plan with who was asked declared as the command line writes it.

    Args:
        plan: The plan.
        name: Name of the column.
        typed: The rule, with the supposed share of those asked behind it or without:
            "smoker=yes:40%" or "smoker=yes:0.4". An answer that ends so stands in quotes.

    Raises:
        ParameterError: It is not of this form, or does not fit.
    """
    rule, colon, share = typed.rpartition(":")
    supposed = supposed_share(share) if colon else None
    if supposed is None and not (colon and share.endswith("%")):
        return set_asked(plan, name, read_asked(plan, typed))
    if supposed is None:
        raise ParameterError(T.BAD_SHARE_ASKED(name=name))
    return set_asked(plan, name, read_asked(plan, rule).changed(supposed))


def suggested_share(plan: Plan, asked: AskedIf) -> Decimal:
    """Returns the share of those asked to begin with, from the plan alone: 1 % to 99 %.

    It is that of the expected distribution of the filter, else of all its answers alike; an option
    is supposed to be ticked by half. Of several conditions each is met as if by chance.
    """
    known = {column.name: column for column in plan.columns if column.name in asked.columns}
    none = Decimal(1)
    for one in asked.any_of:
        none *= 1 - _share_meeting(known.get(one.column), one)
    return min(max(round(1 - none, 2).normalize(), _LEAST), _MOST)


def _share_meeting(column: ColumnPlan | None, condition: Condition) -> Decimal:
    domain = None if column is None else column.effective_domain
    if column is None or domain is None:
        return Decimal("0.5")
    if not column.expected_shares:
        domain = column.domain or domain
    try:
        share = condition.expected_share(domain, column.expected_shares)
    except ParameterError:  # It names what "other" or missing answers become.
        share = condition.expected_share(column.effective_domain or domain)
    asked = column.missing.asked
    return Decimal(share) * (1 if asked is None else asked.supposed_share)


def asked_rules(plan: Plan) -> dict[str, AskedIf]:
    """Returns who was asked, by the columns that were not asked of everybody."""
    rules = ((column.name, column.missing.asked) for column in plan.columns)
    return {name: asked for name, asked in rules if asked is not None}


def asked_behind(rules: dict[str, AskedIf], name: str) -> dict[str, str]:
    """Returns the filters of a column and their filters, each with the column asked by it."""
    found: dict[str, str] = {}
    waiting = [name]
    for asked in waiting:
        for column in rules[asked].columns if asked in rules else ():
            if column not in found:
                found[column] = asked
                waiting.append(column)
    return found
