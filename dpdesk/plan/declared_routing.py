"""Who was asked a question, as the curator declares it: typed, edited and checked.

What the data suggest (`routing`) becomes a part of the plan here, once somebody confirms it.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import numpy as np
from pydantic import ValidationError

from dpdesk.data.quotation_marks import parted, unquoted
from dpdesk.data.reading import Reading
from dpdesk.data.table import Flags, SurveyTable, TextColumn
from dpdesk.domains import ListedDomain, OptionSet, domain_type, parse_number
from dpdesk.errors import ParameterError, invalid_fields
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.column_changes import refitted
from dpdesk.plan.encoding import among_codes, missing_texts
from dpdesk.plan.filter_question import CONDITIONS_MOST, AskedIf
from dpdesk.plan.missing import protecting, share_of_percent
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem

_EXAMPLE = "Write, for example, smoker=daily|sometimes, age=16.. or often!=never."
_LEAST, _MOST = Decimal("0.01"), Decimal("0.99")
_WRONG = 0.05
"""Share of those not asked that may have an answer: errors of interviewers."""


def read_asked(plan: Plan, typed: str) -> AskedIf:
    """Reads who was asked, such as "smoker=daily|sometimes", "age=15..49" or "often!=never".

    Args:
        plan: The plan; its domain says whether answers, options or numbers are meant.
        typed: What was typed; blanks around the signs do not matter.

    Several conditions of which any one will do stand with "or" between them.

    Raises:
        ParameterError: It is not of this form, or names no column or none of its answers.
    """
    first, *others = _conditions(plan, typed)
    if len(others) >= CONDITIONS_MOST:
        raise ParameterError(
            "Who was asked is said by too many conditions.",
            remedy=f"Name {CONDITIONS_MOST} of them at most.",
        )
    asked = _read_condition(plan, first)
    if not others:
        return asked
    rest = read_asked(plan, " or ".join(others))
    either = 1 - (1 - asked.supposed_share) * (1 - rest.supposed_share)
    return asked.or_if(rest).changed(min(max(round(either, 2), _LEAST), _MOST))


def _conditions(plan: Plan, typed: str) -> list[str]:
    """Parts a rule at each "or" behind which a column's name and a sign stand."""
    parts: list[str] = []
    for piece in typed.split(" or "):
        is_new = not parts or (parts[-1].count('"') % 2 == 0 and _named(plan, piece))
        parts = [*parts, piece] if is_new else [*parts[:-1], f"{parts[-1]} or {piece}"]
    return parts


def _named(plan: Plan, typed: str) -> list[tuple[ColumnPlan, str]]:
    """Returns the columns by whose name a condition can begin, with the sign and what follows."""
    written = typed.strip()
    found = [
        (c, written[len(c.name) :].lstrip()) for c in plan.columns if written.startswith(c.name)
    ]
    return [(column, rest) for column, rest in found if rest.startswith(("=", "!="))]


def _read_condition(plan: Plan, typed: str) -> AskedIf:
    fitting = _named(plan, typed)
    if not fitting:
        raise ParameterError(
            "Who was asked names no column of the plan, and what was answered there.",
            remedy=_EXAMPLE,
        )
    column, rest = max(fitting, key=lambda found: len(found[0].name))
    sign, said = ("=", rest[1:]) if rest[0] == "=" else ("!=", rest[2:])
    fields: dict[str, object] = {"column": column.name, "inside": sign == "="}
    lower, dots, upper = said.partition("..")
    if dots and '"' not in said:
        fields |= {"lower": lower.strip(), "upper": upper.strip()}
    else:
        texts = tuple(unquoted(part.strip()) for part in parted(said, "|"))
        is_set = column.domain is not None and column.domain.is_set
        fields["options" if is_set else "answers"] = tuple(dict.fromkeys(texts))
    try:
        asked = AskedIf.model_validate(fields)
    except ValidationError as error:
        raise ParameterError(f"Who was asked: {invalid_fields(error)[0].sentence}") from None
    if (problem := _misfit(column, asked)) is not None:
        raise ParameterError(problem, remedy=f"{_EXAMPLE} Declare the domain of {column.name}.")
    return asked.changed(suggested_share(plan, asked))


def set_asked(plan: Plan, name: str, asked: AskedIf | None) -> Plan:
    """Returns the plan with who was asked declared for a column, or everybody.

    Where no missing answers were expected, they are protected: there must be some.

    Raises:
        ParameterError: A question is asked because of itself.
    """
    column = plan.column(name)
    rules = {**_rules(plan), **({} if asked is None else {name: asked})}
    if asked is not None and name in _behind(rules, name):
        raise ParameterError(
            f"{name} cannot be asked because of its own answer.",
            remedy="Name the question before it that decided.",
        )
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
            "smoker=yes:40%".

    Raises:
        ParameterError: It is not of this form, or does not fit.
    """
    rule, colon, share = typed.rpartition(":")
    if not (colon and share.endswith("%")):
        return set_asked(plan, name, read_asked(plan, typed))
    supposed = share_of_percent(share)
    if supposed is None:
        raise ParameterError(
            f"The supposed share of those asked {name} is not one.",
            remedy="Write it in per cent, above 0 % and below 100 %, such as 40%.",
        )
    return set_asked(plan, name, read_asked(plan, rule).changed(supposed))


def suggested_share(plan: Plan, asked: AskedIf) -> Decimal:
    """Returns the share of those asked to begin with, from the plan alone: 1 % to 99 %.

    It is that of the expected distribution of the filter, else of all its answers alike; an option
    is supposed to be ticked by half.
    """
    column = next((c for c in plan.columns if c.name == asked.column), None)
    domain = None if column is None else column.domain
    share = 0.5
    if column is not None and domain is not None and domain.bounds is not None:
        if asked.answers:
            share = len(asked.answers) / domain.size
        else:
            lower, upper, step = map(float, domain.bounds)
            first = max(lower, float(asked.lower)) if asked.lower else lower
            last = min(upper, float(asked.upper)) if asked.upper else upper
            share = (last - first + step) / (upper - lower + step)
    elif column is not None and domain is not None and asked.answers:
        weights = dict(zip(domain.listed, column.expected_shares, strict=False))
        share = sum(weights.get(text, 1 / len(domain.listed)) for text in asked.answers)
    if not asked.inside:
        share = 1 - share
    of_all = Decimal(round(100 * share)) / 100
    if column is not None and column.missing.asked is not None:
        of_all = round(of_all * column.missing.asked.supposed_share, 2)
    return min(max(of_all, _LEAST), _MOST)


def filters_behind(plan: Plan, column: ColumnPlan) -> frozenset[str]:
    """Returns the filter questions that a column's blanks tell by what the plan declares."""
    rules = {} if column.missing.asked is None else _rules(plan)
    return frozenset(_behind(rules, column.name))


def _rules(plan: Plan) -> dict[str, AskedIf]:
    rules = ((column.name, column.missing.asked) for column in plan.columns)
    return {name: asked for name, asked in rules if asked is not None}


def _behind(rules: dict[str, AskedIf], name: str) -> dict[str, str]:
    """Returns the filters of a column and their filters, each with the column asked by it."""
    found: dict[str, str] = {}
    waiting = [name]
    for asked in waiting:
        for column in rules[asked].columns if asked in rules else ():
            if column not in found:
                found[column] = asked
                waiting.append(column)
    return found


def check_asked(plan: Plan) -> Iterator[Problem]:
    """Yields the problems of who was asked, as the plan declares it."""
    rules = _rules(plan)
    known = {column.name: column for column in plan.columns} if rules else {}
    for name, asked in rules.items():
        path, behind = f"columns.{name}.missing", _behind(rules, name)
        unknown = [column for column in asked.columns if column not in known]
        if known[name].role == "drop":
            continue
        if unknown or name in behind:
            yield Problem(
                path,
                "error",
                "asked_of_none",
                f"{name} was asked because of {unknown[0]}, which the plan does not have."
                if unknown
                else f"{name} was asked because of {asked.column}, and that because of it.",
                "Say under Missing answers who was asked (draft --asked).",
            )
            continue
        wrong = (_misfit(known[one.column], one) for one in asked.conditions)
        if (sentence := next(filter(None, wrong), None)) is not None:
            yield Problem(
                path,
                "error",
                "asked_misfit",
                sentence,
                f"Say under Missing answers of {name} who was asked (draft --asked).",
            )
        for column, through in behind.items():
            condition = f"where {rules[through].condition()}"
            if through != name:
                condition = f"because of {through}, and that only {condition}"
            if column in known:
                told = blanks_tell(known[name], known[column], condition)
                yield from () if told is None else (told,)


def blanks_tell(column: ColumnPlan, other: ColumnPlan, condition: str) -> Problem | None:
    """Returns the problem of blanks that show the answer to a filter; None where they do not.

    Args:
        column: The column that was not asked of everybody.
        other: The filter question.
        condition: Where it was asked, as a clause without cells of the data.
    """
    kept = column.role == "keep"
    shows = kept or (column.role == "protect" and column.missing.treatment.stays_blank)
    if not shows or other.role == "keep":
        return None
    return Problem(
        f"columns.{column.name}.{'role' if kept else 'missing'}",
        "error" if other.role == "protect" else "warning",
        "blanks_tell_filter",
        f"{column.name} was asked only {condition}, so that its blanks tell an answer to "
        f"{other.name}; {'kept as they are' if kept else 'passed through as blank'} they would "
        f"show it, and {other.name} is "
        f"{'protected' if other.role == 'protect' else 'not released'}.",
        _remedy_of_kept_blanks(column)
        if kept
        else 'Protect missing answers, or make "not asked" a category.',
    )


def _remedy_of_kept_blanks(column: ColumnPlan) -> str:
    if domain_type(column.kind) is None:
        return "Fill the blanks in, or drop it."
    return f"Protect {column.name} instead of keeping it, or drop it."


def _misfit(column: ColumnPlan, asked: AskedIf) -> str | None:
    """Returns why a rule does not fit the domain of its filter, as a sentence; None if it does."""
    domain = column.domain
    if domain is None:
        return None
    listed = asked.options if domain.is_set else asked.answers
    ends = [end for end in (asked.lower, asked.upper) if end]
    others = {column.other, column.missing.value} - {""}
    if isinstance(domain, ListedDomain):
        fits = bool(listed) and set(listed) <= {*domain.listed, *others}
    else:
        fits = not asked.options and not domain.outside([*asked.answers, *ends]).any()
    if fits:
        return None
    return f"Who was asked is said by answers that the domain of {column.name} does not have."


def check_asked_in(plan: Plan, column: ColumnPlan, table: SurveyTable) -> Iterator[Problem]:
    """Yields the problem of a file in which many have an answer who should not have been asked.

    Args:
        plan: The plan.
        column: One of its columns.
        table: The data.
    """
    asked = column.missing.asked
    if asked is None or not {column.name, *asked.columns} <= set(table.names):
        return
    known = {one.name: one for one in plan.columns if one.name in asked.columns}
    if any(c.column not in known or _misfit(known[c.column], c) for c in asked.conditions):
        return
    texts, skipped = table.column(column.name), np.ones(table.rows, dtype=np.bool_)
    for one in asked.conditions:
        answers = table.column(one.column)
        skipped &= ~_asked_texts(one, answers, known[one.column], table.reading)[answers.codes]
    given = ~missing_texts(column, texts, table.reading)[texts.codes]
    errors, many = int(np.count_nonzero(skipped & given)), int(np.count_nonzero(skipped))
    if errors > _WRONG * many:
        yield Problem(
            f"columns.{column.name}.missing",
            "warning",
            "asked_differs",
            f"The plan says that {column.name} was asked only where {asked.condition()}; in the "
            f"file {errors:,} of {many:,} who should not have been asked have an answer.",
            "Correct who was asked under Missing answers (draft --asked): a report publishes it.",
            "Of {count} columns many have an answer who should not have been asked: {names}.",
        )


def _asked_texts(asked: AskedIf, texts: TextColumn, column: ColumnPlan, reading: Reading) -> Flags:
    """Returns with which distinct answers to a filter question one was asked."""
    given, domain = ~missing_texts(column, texts, reading), column.domain
    if isinstance(domain, OptionSet):
        places = [domain.listed.index(o) for o in asked.options if o in domain.listed]
        found = domain.ticked_in(texts.distinct)[:, places].any(axis=1)
    elif asked.answers:
        as_numbers = domain is not None and domain.holds_numbers
        found = among_codes(texts, asked.answers, (), reading.decimal, as_numbers=as_numbers)
    else:
        read = (parse_number(text, reading.decimal) for text in texts.distinct)
        numbers = np.array([np.nan if one is None else one for one in read], dtype=np.float64)
        lower = float(asked.lower) if asked.lower else -np.inf
        upper = float(asked.upper) if asked.upper else np.inf
        found = (numbers >= lower) & (numbers <= upper)
    return np.asarray((found if asked.inside else ~found) & given)
