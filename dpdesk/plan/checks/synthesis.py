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
from dpdesk.plan.checks.texts import T
from dpdesk.plan.checks.usefulness import check_usefulness_of_synthesis
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.encoding import encode_column
from dpdesk.plan.given_answers import check_rows
from dpdesk.plan.model import Plan
from dpdesk.plan.persons import check_persons
from dpdesk.plan.problem import Problem, errors_first
from dpdesk.plan.record_columns import planned_answers
from dpdesk.plan.synthesis import COLUMNS_MAX
from dpdesk.plan.synthetic_columns import (
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


require_synthesizable = Requirement(check_synthesis, check_synthesis_table)
"""Refuses synthetic rows of a plan with errors."""


def _check_whole(plan: Plan) -> Iterator[Problem]:
    if not plan.synthetic:
        yield Problem("columns", "error", T.NO_COLUMNS__SYNTHETIC())
        return
    wanted = plan.synthesis
    if 0 < wanted.delta < DELTA_MIN:
        yield Problem("synthesis.delta", "error", T.DELTA_TOO_SMALL())
        return
    states = synthetic_states(plan)
    try:
        budget = synthesis_budget(plan, states)
        budget.require_within(sum(each.size for each in states), budget.rounds_most)
    except ParameterError as error:
        if len(states) > COLUMNS_MAX:
            yield Problem.of_error(error, "columns", "too_many_columns")
            return
        yield Problem.of_error(error, "synthesis.epsilon", "epsilon_too_small")
    wrong = [problem for problem in check_asked(plan) if problem.code in _OF_RULES]
    yield from wrong or _check_impossible(plan)
    yield from check_large(wanted.epsilon, "synthesis.epsilon")


def _check_column(column: ColumnPlan) -> Iterator[Problem]:
    name, domain = column.name, column.effective_domain
    path = f"columns.{name}"
    if column.role == "unassigned":
        yield Problem(f"{path}.role", "error", T.UNASSIGNED(count=1, names=name))
    if column.role not in {"protect", "keep"}:
        return
    if domain is None and column.kind == "weight":
        yield Problem(f"{path}.role", "warning", T.WEIGHTS_LEFT_OUT(name=name))
    elif domain is None and column.role == "keep":
        yield Problem(f"{path}.domain", "warning", T.KEPT_LEFT_OUT(count=1, names=name))
    elif domain is None:
        yield Problem(f"{path}.domain", "error", T.NO_DOMAIN(count=1, names=name))
    elif not domain.holds_numbers and domain.size > STATES_MAX:
        said = T.TOO_MANY_STATES(name=name, categories=domain.size, most=STATES_MAX)
        yield Problem(f"{path}.domain", "error", said)
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
        yield Problem.of_error(error, IMPOSSIBLE_PATH, "impossible_misfit")
        return
    for one in plan.synthesis.impossible:
        if is_never_met(plan, one):
            said = T.IMPOSSIBLE_NEVER(combination=one.description)
            yield Problem(IMPOSSIBLE_PATH, "warning", said)
    if not table.zeros:
        return
    tree = junction_tree(table.sizes, cliques_of(table.zeros))
    if tree.cells > CELLS_MAX:
        said = T.IMPOSSIBLE_TOO_LARGE(cells=tree.cells, most=CELLS_MAX)
        yield Problem(IMPOSSIBLE_PATH, "error", said)
        return
    possible = support(tree, table.zeros)
    if not all(flags.any() for flags in possible):
        yield Problem(IMPOSSIBLE_PATH, "error", T.IMPOSSIBLE_EVERYTHING())
        return
    for at, states in enumerate(table.states):
        home = tree.home((at,))
        left = held(possible[home], tree.cliques[home], (at,))
        if not left.all():
            answer = states.texts[int(np.argmin(left))]
            said = T.IMPOSSIBLE_ANSWER(name=states.name, answer=answer)
            yield Problem(IMPOSSIBLE_PATH, "warning", said)


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
        said = T.IMPOSSIBLE_FOUND(met=found, rows=table.rows, combination=one.description)
        yield Problem(IMPOSSIBLE_PATH, "error" if too_many else "warning", said)
