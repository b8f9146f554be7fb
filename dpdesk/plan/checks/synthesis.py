"""Checks of the synthetic rows of a plan, without and with the data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import numpy as np

from dpdesk.data.table import SurveyTable
from dpdesk.errors import ParameterError
from dpdesk.numbers.arrays import Mapped, pieces_of
from dpdesk.plan.checks.details import check_details
from dpdesk.plan.checks.formats import check_fit
from dpdesk.plan.checks.reading import (
    check_reading,
    check_reading_of,
    check_respondents,
    too_many_unfit,
)
from dpdesk.plan.checks.records import check_alike, check_large, check_missing, unconfirmed
from dpdesk.plan.checks.requirement import Requirement
from dpdesk.plan.checks.routing import check_asked, check_asked_in
from dpdesk.plan.checks.statistics import check_unit
from dpdesk.plan.checks.table import AnswerChecks, column_lacking
from dpdesk.plan.checks.usefulness import check_usefulness_of_synthesis
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.encoding import encode_column
from dpdesk.plan.given_answers import check_rows
from dpdesk.plan.model import Plan
from dpdesk.plan.persons import check_persons
from dpdesk.plan.problem import Problem, errors_first
from dpdesk.plan.record_columns import planned_answers
from dpdesk.plan.synthetic_columns import (
    SyntheticTable,
    TooManyColumnsError,
    fits,
    is_never_met,
    most_rows,
    synthesis_budget,
    synthetic_states,
    synthetic_table,
)
from dpdesk.queries.noise.calibrate import DELTA_MIN
from dpdesk.synthesis.impossible import cliques_of, held, support
from dpdesk.synthesis.junction_tree import CELLS_MAX, junction_tree
from dpdesk.synthesis.states import STATES_MAX

IMPOSSIBLE_PATH = "synthesis.impossible"

_OF_RULES = {"asked_of_none", "asked_misfit"}
"""Problems of who was asked that matter here: that blanks tell an answer is one of records."""


def check_synthesis(plan: Plan) -> tuple[Problem, ...]:
    """Returns every problem of the synthetic rows of a plan, errors first."""
    problems = [*check_usefulness_of_synthesis(plan), *check_details(plan), *check_unit(plan)]
    problems += [*check_reading(plan), *_check_whole(plan)]
    if plan.formats:
        problems += check_fit(plan, [planned_answers(column) for column in plan.synthetic], 0)
    whose = plan.statistics.unit.respondent_column
    for column in plan.columns:
        if column.name != whose:
            problems += _check_column(column)
    return errors_first(problems)


def check_synthesis_table(
    plan: Plan,
    table: SurveyTable,
    tick: Callable[[], None] | None = None,
    answers: AnswerChecks | None = None,
) -> tuple[Problem, ...]:
    """Returns every problem of the synthetic rows on the data; arguments as in `check_table`."""
    answers = AnswerChecks() if answers is None else answers
    problems = [*check_reading_of(plan, table), *_check_impossible_in(plan, table)]
    problems += check_persons(plan, table)
    known, whose = set(table.names), plan.statistics.unit.respondent_column
    if not whose:
        problems += check_rows(plan, table.rows)
    read = [column for column in plan.columns if column.name == whose]
    read += [column for column in plan.synthetic if column.name != whose]
    for column in read:
        if column.name not in known:
            problems.append(column_lacking(column))
            continue
        if tick is not None:
            tick()
        if column.name == whose:
            problems += check_respondents(column, table, plan.allowed_unfit)
        else:
            texts = table.column(column.name)
            labelled = column.labelled_by(table.described.get(column.name))
            # One that the records would release as it is becomes synthetic like the others.
            alike = labelled.model_copy(update={"role": "protect"})
            problems += answers.problems(alike, texts, table.reading, plan.allowed_unfit)
            problems += check_asked_in(plan, column, table)
    if plan.formats:
        with suppress(ParameterError):
            # A loss that is too small is a problem of the plan.
            problems += check_fit(plan, (), most_rows(plan, table.rows))
    return errors_first(problems)


require_synthesizable = Requirement(
    check_synthesis, check_synthesis_table, "No synthetic rows can be made."
)
"""Refuses synthetic rows of a plan with errors."""


def _check_whole(plan: Plan) -> Iterator[Problem]:
    if not plan.synthetic:
        yield Problem(
            "columns",
            "error",
            "no_columns",
            "No column of the plan is left for synthetic rows.",
            "Protect a column that has a domain.",
        )
        return
    wanted = plan.synthesis
    if 0 < wanted.delta < DELTA_MIN:
        yield Problem(
            "synthesis.delta",
            "error",
            "delta_too_small",
            "The delta of synthetic rows is too small to be computed with.",
            "Choose 0, or one such as 0.000001.",
        )
        return
    states = synthetic_states(plan)
    try:
        budget = synthesis_budget(plan, states)
        budget.require_within(sum(each.size for each in states), budget.rounds_most)
    except TooManyColumnsError as error:
        yield Problem("columns", "error", "too_many_columns", error.message, error.remedy)
        return
    except ParameterError as error:
        yield Problem(
            "synthesis.epsilon", "error", "epsilon_too_small", error.message, error.remedy
        )
    wrong = [problem for problem in check_asked(plan) if problem.code in _OF_RULES]
    yield from wrong or _check_impossible(plan)
    yield from check_large(wanted.epsilon, "synthesis.epsilon")


def _check_column(column: ColumnPlan) -> Iterator[Problem]:
    name, domain = column.name, column.effective_domain
    if column.role == "unassigned":
        yield Problem(
            f"columns.{name}.role",
            "error",
            "unassigned",
            f"{name} is not assigned.",
            "Choose: protect or drop.",
            "{count} columns are not assigned: {names}.",
        )
    if column.role not in {"protect", "keep"}:
        return
    if domain is None and column.kind == "weight":
        yield Problem(
            f"columns.{name}.role",
            "warning",
            "weights_left_out",
            f"The survey weights, {name}, are left out: synthetic rows are nobody's, and were "
            "made from rows that count once each.",
            "Read synthetic rows as rows of the file, not of the population.",
        )
    elif domain is None and column.role == "keep":
        yield Problem(
            f"columns.{name}.domain",
            "warning",
            "kept_left_out",
            f"{name} has no domain and is left out: no synthetic row holds anybody's answer.",
            "List its answers or type its bounds, so that they are made up as well.",
            "{count} columns have no domain and are left out: {names}.",
        )
    elif domain is None:
        yield Problem(
            f"columns.{name}.domain",
            "error",
            "no_domain",
            f"{name} has no domain, and synthetic answers are drawn from one.",
            "List its answers or type its bounds, or drop it.",
            "{count} columns have no domain: {names}.",
        )
    elif not domain.holds_numbers and domain.size > STATES_MAX:
        yield Problem(
            f"columns.{name}.domain",
            "error",
            "too_many_states",
            f"{name} has {domain.size:,} categories; synthetic rows can have {STATES_MAX:,}.",
            "Drop it, or group its categories.",
        )
    else:
        if not column.confirmed:
            yield unconfirmed(column)
        yield from check_alike(column)
        yield from check_missing(column)


def _check_impossible(plan: Plan) -> Iterator[Problem]:
    """Yields the problems of what is declared to be impossible, as the plan has it."""
    try:
        table = synthetic_table(plan)
    except ParameterError as error:
        yield Problem(IMPOSSIBLE_PATH, "error", "impossible_misfit", error.message, error.remedy)
        return
    for one in plan.synthesis.impossible:
        if is_never_met(plan, one):
            yield Problem(
                IMPOSSIBLE_PATH,
                "warning",
                "impossible_never",
                f"What is declared to be impossible no row can have in any case: "
                f"{one.description}.",
                "Correct the combination, or take it out.",
            )
    if not table.zeros:
        return
    tree = junction_tree(table.sizes, cliques_of(table.zeros))
    if tree.cells > CELLS_MAX:
        yield Problem(
            IMPOSSIBLE_PATH,
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
            IMPOSSIBLE_PATH,
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
                IMPOSSIBLE_PATH,
                "warning",
                "impossible_answer",
                f"By what is declared to be impossible no row can have {states.name}: "
                f"{states.texts[never]}.",
                "Correct the combinations if somebody can give this answer.",
            )


def _check_impossible_in(plan: Plan, table: SurveyTable) -> Iterator[Problem]:
    """Yields the problem of rows of the file that have what is declared to be impossible."""
    for one in plan.synthesis.impossible:
        if not set(one.columns) <= set(table.names) & {column.name for column in plan.columns}:
            continue
        met: list[Mapped[np.bool_]] = []
        for condition in one.all_of:
            column, texts = plan.column(condition.column), table.column(condition.column)
            domain = column.effective_domain
            if domain is None or not fits(condition, domain):
                # That is a problem of the plan by itself.
                return
            codes = encode_column(column, texts, table.reading).code_of
            if domain.holds_numbers:
                # A protected missing answer has the code behind the last.
                codes = np.where(codes >= domain.size, -1, codes).astype(np.int32)
            met.append(Mapped(condition.met(domain, codes), texts.codes))
        found = sum(
            int(np.count_nonzero(np.logical_and.reduce([one[rows] for one in met])))
            for rows in pieces_of(table.rows)
        )
        if not found:
            continue
        too_many = too_many_unfit(found, table.rows, plan.allowed_unfit)
        yield Problem(
            IMPOSSIBLE_PATH,
            "error" if too_many else "warning",
            "impossible_found",
            f"{found:,} of {table.rows:,} rows of the file have what the plan says cannot be: "
            f"{one.description}.",
            "Take the combination out if it can be; else these rows hold errors, and the synthetic "
            "ones will have none of them.",
        )
