"""Combinations of answers that cannot be: typed, checked, told, and counted in the file."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpdesk.data.table import SurveyTable
from dpdesk.errors import ParameterError
from dpdesk.plan.check_reading import too_many_unfit
from dpdesk.plan.encoding import encode_column
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem
from dpdesk.plan.synthesis import IMPOSSIBLE_MOST, Impossible
from dpdesk.plan.synthetic_columns import SyntheticTable, says_who_was_asked, synthetic_table
from dpdesk.queries.phrase_reader import PhraseReader
from dpdesk.synthesis.impossible import cliques_of, held, support
from dpdesk.synthesis.junction_tree import junction_tree
from dpdesk.synthesis.synthesis import CELLS_MAX

PATH = "synthesis.impossible"
_EXAMPLE = "age is at most 14 and status is married"


def read_impossible(plan: Plan, typed: str) -> Impossible:
    """Reads a combination that cannot be, written as the conditions of a query.

    Args:
        plan: The plan; its domains say whether answers, options or numbers are meant.
        typed: What was typed: "age is at most 14 and status is married".

    Raises:
        ParameterError: It is not of this form, or does not suit the columns.
    """
    domains = {
        column.name: domain
        for column in plan.synthetic
        if (domain := column.effective_domain) is not None
    }
    reader = PhraseReader(typed, lambda: (_EXAMPLE,), domains)
    conditions = reader.conditions()
    reader.end()
    if not 2 <= len(conditions) <= 6:
        raise ParameterError(
            "A combination that cannot be has two to six conditions.",
            remedy=f'Join them with "and": {_EXAMPLE}.',
        )
    for condition in conditions:
        if condition.column not in domains:
            raise ParameterError(
                f"No column {condition.column} is among the synthetic rows.",
                remedy="Name columns that the plan protects or keeps, as they are written there.",
            )
        condition.require(domains[condition.column])
    return Impossible(all_of=conditions)


def declare_impossible(plan: Plan, *typed: str) -> Plan:
    """Returns the plan with more combinations that cannot be; one that it has is not repeated.

    Raises:
        ParameterError: One is not of the form, does not suit the columns, or they are too many.
    """
    read = (*plan.synthesis.impossible, *(read_impossible(plan, one) for one in typed))
    every = tuple(dict.fromkeys(read))
    if len(every) > IMPOSSIBLE_MOST:
        raise ParameterError(
            f"At most {IMPOSSIBLE_MOST} combinations can be declared to be impossible.",
            remedy="Join some of them: an answer can be one of several.",
        )
    return plan.with_fields(synthesis=plan.synthesis.with_fields(impossible=every))


def impossible_sentences(plan: Plan) -> tuple[str, ...]:
    """Returns what no synthetic row has by what the plan declares, each as a sentence."""
    declared = (f"{one.description}." for one in plan.synthesis.impossible)
    asked = (
        f"{column.name} has an answer of somebody who was not asked: it was asked only where "
        f"{column.missing.asked.condition()}."
        for column in plan.synthetic
        if column.missing.asked is not None and says_who_was_asked(plan, column)
    )
    return (*declared, *asked)


def check_impossible(plan: Plan) -> Iterator[Problem]:
    """Yields the problems of what is declared to be impossible, as the plan has it."""
    try:
        table = synthetic_table(plan)
    except ParameterError as error:
        yield Problem(PATH, "error", "impossible_misfit", error.message, error.remedy)
        return
    if not table.zeros:
        return
    tree = junction_tree(table.sizes, cliques_of(table.zeros))
    if tree.cells > CELLS_MAX:
        yield Problem(
            PATH,
            "error",
            "impossible_too_large",
            f"Combinations that cannot be, and rules of who was asked, join columns of too many "
            f"answers: {tree.cells:,} cells at once, and {CELLS_MAX:,} can be looked at.",
            "Put numbers into fewer classes, group categories, or drop a column that they name.",
        )
        return
    yield from _check_left(table)


def _check_left(table: SyntheticTable) -> Iterator[Problem]:
    tree = junction_tree(table.sizes, cliques_of(table.zeros))
    possible = support(tree, table.zeros)
    if not all(flags.any() for flags in possible):
        yield Problem(
            PATH,
            "error",
            "impossible_everything",
            "What is declared to be impossible leaves no row that can be.",
            "Take a combination out, or correct who was asked.",
        )
        return
    for at, states in enumerate(table.states):
        home = tree.home((at,))
        left = held(possible[home], tree.cliques[home], (at,))
        if not left.all():
            never = int(np.argmin(left))
            yield Problem(
                PATH,
                "warning",
                "impossible_answer",
                f"By what is declared to be impossible no row can have {states.name}: "
                f"{states.texts[never]}.",
                "Correct the combinations if somebody can give this answer.",
            )


def check_impossible_in(plan: Plan, table: SurveyTable) -> Iterator[Problem]:
    """Yields the problem of rows of the file that have what is declared to be impossible."""
    for one in plan.synthesis.impossible:
        if not set(one.columns) <= set(table.names):
            continue
        rows = np.ones(table.rows, dtype=np.bool_)
        for condition in one.all_of:
            column, texts = plan.column(condition.column), table.column(condition.column)
            domain = column.effective_domain
            if domain is None:
                return
            codes = encode_column(column, texts, table.reading).code_of
            if domain.holds_numbers:
                # A protected missing answer has the code behind the last.
                codes = np.where(codes >= domain.size, -1, codes).astype(np.int32)
            rows &= condition.met(domain, codes)[texts.codes]
        found = int(np.count_nonzero(rows))
        if not found:
            continue
        too_many = too_many_unfit(found, table.rows, plan.allowed_unfit)
        yield Problem(
            PATH,
            "error" if too_many else "warning",
            "impossible_found",
            f"{found:,} of {table.rows:,} rows of the file have what the plan says cannot be: "
            f"{one.description}.",
            "Take the combination out if it can be; else these rows hold errors, and the synthetic "
            "ones will have none of them.",
        )
