"""People with several rows: which column tells them, and whether it is decided what counts of them.

A guarantee of one row is none of a person with three. So where a column that names people repeats,
nothing is released until it is decided what counts: the first row of each person, all of them
joined into one row, more of them at as many times the loss, or every row, since each is another
person.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from dpdesk.data.column_names import identifies_people
from dpdesk.data.joined_question import JOINED_MAX, JoinedRows, marked
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.plan.draft import read_anew
from dpdesk.plan.encoding import unknown_respondents
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem
from dpdesk.plan.texts import T
from dpdesk.queries import PrivacyUnit

UNIT_PATH = "statistics.unit"
"""The part of a plan that says what of each person counts."""
_FEW = 12
"""Where no more values differ, a name such as `id` or `subject` means groups or kinds of people."""


@dataclass(frozen=True, slots=True)
class RepeatedIdentifier:
    """A column that names people of whom some have several rows.

    Attributes:
        name: Name of the column.
        people: Number of its people.
        rows: Number of their rows.
        most: The most rows of one of them.
    """

    name: str
    people: int
    rows: int
    most: int


_found: WeakKeyDictionary[SurveyTable, RepeatedIdentifier | None] = WeakKeyDictionary()
"""What was found in a table: each step of a plan asks again."""


def repeated_identifier(table: SurveyTable) -> RepeatedIdentifier | None:
    """Returns the column of a table that names people who have several rows; None without one.

    A column whose name may mean groups as well, such as `id`, is none where another one of that
    kind differs in every row.
    """
    if table not in _found:
        _found[table] = _repeated(table)
    return _found[table]


def _repeated(table: SurveyTable) -> RepeatedIdentifier | None:
    certain, possible, is_unique = [], [], False
    for column in table.columns:
        kind = identifies_people(column.name)
        if not kind:
            continue
        counts = column.counts[(column.counts > 0) & ~column.blank]
        if counts.size and counts.max() > 1:
            found = RepeatedIdentifier(
                column.name, int(counts.size), int(counts.sum()), int(counts.max())
            )
            if kind == "surely" or (kind == "people" and found.people > _FEW):
                certain.append(found)
            elif kind == "perhaps" and found.people > _FEW:
                possible.append(found)
        elif kind != "people":
            is_unique |= counts.size == table.rows
    return next(iter(certain if is_unique else [*certain, *possible]), None)


def counted_rows_in(plan: Plan, table: SurveyTable) -> int:
    """Returns how many rows of a table count by the plan's unit."""
    unit = plan.statistics.unit
    whose = unit.respondent_column
    if not whose or whose not in table.names or all(c.name != whose for c in plan.columns):
        return table.rows
    texts: TextColumn = table.column(whose)
    known = ~unknown_respondents(plan.column(whose), texts, table.reading)
    return int(np.minimum(texts.counts, unit.rows_per_respondent)[known].sum())


def set_unit(
    plan: Plan,
    unit: PrivacyUnit,
    table: SurveyTable | None = None,
    joined_rows: JoinedRows | None = None,
) -> Plan:
    """Returns the plan with other people; what tells whose row it is is left out of a release.

    Args:
        plan: The plan.
        unit: Whose rows these are, and how many of them count.
        table: The data, by which the number of respondents follows; None without any.
        joined_rows: Which rows are joined into one row of a person, in the data.

    Raises:
        InputError: The data lack a column by which rows are joined.
    """
    before = None if table is None else counted_rows_in(plan, table)
    changed = plan.with_fields(statistics=plan.statistics.with_fields(unit=unit))
    if table is not None and joined_rows != table.reading.joined_rows:
        reading = table.reading if plan.reading is None else plan.reading
        reading = reading.model_copy(update={"joined_rows": joined_rows})
        # Which columns a person has once was read off the answers.
        is_confirmed = plan.reading_confirmed and joined_rows is None
        changed = changed.with_fields(reading_confirmed=is_confirmed)
        changed, table = read_anew(changed, table, reading)
    whose = unit.respondent_column
    if whose and whose != plan.statistics.unit.respondent_column:
        is_told = any(whose in query.columns for query in plan.statistics.queries)
        told = {} if is_told else {"kind": "identifier", "domain": None, "mechanism": None}
        changed = changed.with_column(whose, role="drop", **told)
    if table is not None and plan.respondents == before:
        changed = changed.with_fields(respondents=counted_rows_in(changed, table) or None)
    return changed


def check_persons(plan: Plan, table: SurveyTable) -> Iterator[Problem]:
    """Yields the problem of people with more rows than the plan's unit says."""
    unit = plan.statistics.unit
    found = repeated_identifier(table)
    if unit.respondent_column or unit.one_row_each or found is None:
        return
    if found.most > unit.rows_per_respondent:
        joined = f"{marked(found.name)}={min(found.most, JOINED_MAX)}"
        said = T.PERSONS_IN_SEVERAL_ROWS(
            name=found.name,
            people=found.people,
            most=found.most,
            unit=unit.description,
            column=shlex.quote(found.name),
            joined=shlex.quote(joined),
        )
        yield Problem(UNIT_PATH, "error", said)
