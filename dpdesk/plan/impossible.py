"""Combinations of answers that cannot be: as they are typed, and as a report tells them."""

from __future__ import annotations

from pydantic import ValidationError

from dpdesk.errors import ParameterError, invalid_fields
from dpdesk.plan.model import Plan
from dpdesk.plan.synthesis import IMPOSSIBLE_MOST, Impossible
from dpdesk.plan.synthetic_columns import is_never_met, says_who_was_asked
from dpdesk.plan.texts import T
from dpdesk.queries.phrase_reader import PhraseReader

_EXAMPLE = "age is at most 14 and status is married"


def read_impossible(plan: Plan, typed: str) -> Impossible:
    """Reads a combination that cannot be, written as the conditions of a query.

    Args:
        plan: The plan; its domains say whether answers, options or numbers are meant.
        typed: What was typed: "age is at most 14 and status is married".

    Raises:
        ParameterError: It is not of this form, does not suit the columns, or no row can have it
            in any case.
    """
    domains = {
        column.name: domain
        for column in plan.synthetic
        if (domain := column.effective_domain) is not None
    }
    reader = PhraseReader(typed, lambda: (_EXAMPLE,), domains)
    try:
        conditions = reader.conditions()
    except ValidationError as error:
        field = invalid_fields(error)[0]
        raise field.cause or ParameterError(T.BAD_COMBINATION(reason=field.sentence)) from None
    reader.end()
    if not 2 <= len(conditions) <= 6:
        raise ParameterError(T.FEW_CONDITIONS(example=_EXAMPLE))
    for condition in conditions:
        if condition.column not in domains:
            raise ParameterError(T.NOT_SYNTHETIC(name=condition.column))
        condition.require(domains[condition.column])
    combination = Impossible(all_of=conditions)
    if is_never_met(plan, combination):
        raise ParameterError(T.NEVER_MET(combination=combination.description))
    return combination


def declare_impossible(plan: Plan, *typed: str) -> Plan:
    """Returns the plan with more combinations that cannot be; one that it has is not repeated.

    Raises:
        ParameterError: One is not of the form, does not suit the columns, or they are too many.
    """
    read = (*plan.synthesis.impossible, *(read_impossible(plan, one) for one in typed))
    every = tuple(dict.fromkeys(read))
    if len(every) > IMPOSSIBLE_MOST:
        raise ParameterError(T.TOO_MANY_COMBINATIONS(most=IMPOSSIBLE_MOST))
    return plan.with_fields(synthesis=plan.synthesis.with_fields(impossible=every))


def impossible_sentences(plan: Plan) -> tuple[str, ...]:
    """Returns what no synthetic row has by what the plan declares, each as a sentence."""
    declared = (f"{one.description}." for one in plan.synthesis.impossible)
    asked = (
        T.UNASKED_ANSWER(name=column.name, condition=column.missing.asked.condition())
        for column in plan.synthetic
        if column.missing.asked is not None and says_who_was_asked(plan, column)
    )
    return (*declared, *asked)
