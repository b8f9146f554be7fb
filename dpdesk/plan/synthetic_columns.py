"""The columns of synthetic rows: their states, which of them exclude each other, and the loss.

Everything here follows from declarations; no answer is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

import numpy as np

from dpdesk.domains import AnyDomain, OptionSet
from dpdesk.errors import ParameterError
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.model import Plan
from dpdesk.plan.synthesis import COLUMNS_MAX, Impossible
from dpdesk.plan.texts import T
from dpdesk.queries.condition import Condition
from dpdesk.synthesis.budget import SynthesisBudget
from dpdesk.synthesis.impossible import Part, Zero, exclusive, zeros_of
from dpdesk.synthesis.released_error import supposed_errors
from dpdesk.synthesis.states import ROWS_MAX, ColumnStates, column_states

_SHARES_MOST = 32
"""Of a column with more states, those about as common are judged alike."""

_DEVIATIONS = 10
"""The file seems to have more rows than its own and so many standard deviations next to never."""


@dataclass(frozen=True, eq=False)
class SyntheticTable:
    """What synthetic rows are made of.

    Attributes:
        states: The states of each column; one entry for each option of a question with many.
        zeros: Which of them cannot meet.
    """

    states: tuple[ColumnStates, ...]
    zeros: tuple[Zero, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of states of each column."""
        return tuple(each.size for each in self.states)


def synthetic_table(plan: Plan) -> SyntheticTable:
    """Returns the states of the synthetic rows of a plan, and which of them cannot meet.

    Raises:
        ParameterError: What is declared to be impossible does not suit the columns.
    """
    return _table(plan.synthetic, plan.synthesis.impossible, plan.synthesis.classes)


def synthetic_states(plan: Plan) -> tuple[ColumnStates, ...]:
    """Returns the states alone; a declaration that does not suit its column is passed over."""
    return _states(plan.synthetic, plan.synthesis.impossible, plan.synthesis.classes)


def judged_shares(plan: Plan, columns: Sequence[ColumnStates]) -> tuple[tuple[float, ...], ...]:
    """Returns the share of each state that verdicts go by: of the file, expected, else even.

    Args:
        plan: The plan.
        columns: The states of some of its columns.
    """
    found = []
    for states in columns:
        known = plan.column(states.column).judged_codes
        shares = np.full(states.size, 1 / states.size)
        if known:
            codes = states.of_codes(np.array([*known], dtype=np.int32))
            shares = np.bincount(codes, [*known.values()], states.size)
            if states.size > _SHARES_MOST:
                for alike in np.array_split(np.argsort(shares), _SHARES_MOST):
                    shares[alike] = shares[alike].mean()
        found.append(tuple(shares.tolist()))
    return tuple(found)


def is_never_met(plan: Plan, combination: Impossible) -> bool:
    """Whether no row can meet all conditions of a combination, whatever else is declared.

    Raises:
        ParameterError: A condition does not suit its column, or has none.
    """
    columns = tuple(c for c in plan.synthetic if c.name in combination.columns)
    states = _states(columns, (combination,), plan.synthesis.classes)
    return not zeros_of([Part(one) for one in combination.all_of], states, _domains(columns))


# A slider of epsilon changes none of them.
@lru_cache(maxsize=64)
def _table(
    columns: tuple[ColumnPlan, ...], impossible: tuple[Impossible, ...], classes: int
) -> SyntheticTable:
    states, domains = _states(columns, impossible, classes), _domains(columns)
    zeros = [*exclusive(states)]
    for one in impossible:
        if missing := [name for name in one.columns if name not in domains]:
            raise ParameterError(T.NOT_SYNTHETIC(name=missing[0]))
        zeros += zeros_of([Part(condition) for condition in one.all_of], states, domains)
    for column in columns:
        for parts in _of_asked(column, domains):
            zeros += zeros_of(parts, states, domains)
    return SyntheticTable(states, tuple(zeros))


@lru_cache(maxsize=64)
def _states(
    columns: tuple[ColumnPlan, ...], impossible: tuple[Impossible, ...], classes: int
) -> tuple[ColumnStates, ...]:
    domains = _domains(columns)
    named = [condition for one in impossible for condition in one.all_of]
    for column in columns:
        named += () if column.missing.asked is None else column.missing.asked.any_of
    states: list[ColumnStates] = []
    for column in columns:
        domain, missing = domains[column.name], column.missing
        treatment = missing.treatment
        lacks = treatment.stays_blank or (
            domain.holds_numbers and treatment.code(domain, missing) >= domain.size
        )
        states += column_states(
            column.name,
            domain,
            lacks_answers=lacks,
            classes=classes,
            conditions=tuple(
                one for one in named if one.column == column.name and fits(one, domain)
            ),
            # Who was not asked has this number and no other one of its class.
            alone=(missing.value,) if missing.asked and treatment.has_value else (),
        )
    return tuple(states)


def _domains(columns: Sequence[ColumnPlan]) -> dict[str, AnyDomain]:
    own = {column.name: column.effective_domain for column in columns}
    return {name: domain for name, domain in own.items() if domain is not None}


def fits(condition: Condition, domain: AnyDomain) -> bool:
    """Tells whether a condition suits the domain of its column."""
    try:
        condition.require(domain)
    except ParameterError:
        return False
    return True


def _of_asked(column: ColumnPlan, domains: dict[str, AnyDomain]) -> Iterator[list[Part]]:
    """Yields what cannot be because the column was not asked of everybody.

    An answer of somebody who was not asked: it is not missing, or not the value that missing
    answers become. A filter question that is not among the rows says nothing there.
    """
    asked, missing = column.missing.asked, column.missing
    if asked is None or missing.policy == "none" or not set(asked.columns) <= set(domains):
        return
    unmet = [Part(condition, fails=True) for condition in asked.any_of]
    if not missing.treatment.has_value or missing.policy == "category":
        yield [Part(Condition(column=column.name, answered=True)), *unmet]
        return
    domain = domains[column.name]
    if isinstance(domain, OptionSet):
        (code,) = domain.encode([missing.value])
        for bit, option in enumerate(domain.listed):
            own = Condition(column=column.name, options=(option,))
            yield [Part(own, fails=bool(code >> bit & 1)), *unmet]
        return
    yield [Part(Condition(column=column.name, values=(missing.value,)), fails=True), *unmet]


def says_who_was_asked(plan: Plan, column: ColumnPlan) -> bool:
    """Tells whether no synthetic row has an answer to a question that was not asked."""
    return any(True for _ in _of_asked(column, _domains(plan.synthetic)))


def most_rows(plan: Plan, rows: int) -> int:
    """Returns how many synthetic rows there are next to never more of.

    Args:
        plan: A plan whose loss suits its columns.
        rows: Number of rows of the file.

    Raises:
        ParameterError: The loss is too small for so many columns.
    """
    if plan.synthesis.rows:
        return plan.synthesis.rows
    states = synthetic_states(plan)
    sizes = tuple(each.size for each in states)
    errors = supposed_errors(synthesis_budget(plan, states), sizes, rows)
    return min(rows + ceil(_DEVIATIONS * errors.rows_deviation), ROWS_MAX)


def synthesis_budget(plan: Plan, columns: Sequence[ColumnStates]) -> SynthesisBudget:
    """Returns the loss of the synthetic rows of a plan, divided.

    Args:
        plan: The plan.
        columns: The states of its columns, at least one.

    Raises:
        ParameterError: The loss is too small for so many columns, or there are too many of them.
    """
    if len(columns) > COLUMNS_MAX:
        raise ParameterError(T.TOO_MANY_SYNTHETIC(columns=len(columns), most=COLUMNS_MAX))
    wanted = plan.synthesis
    return SynthesisBudget(wanted.epsilon, wanted.delta, plan.statistics.unit, len(columns))
