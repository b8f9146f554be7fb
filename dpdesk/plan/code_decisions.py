"""Codes of no answer decided on by code: once for every column in which one is suspected."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from dpdesk.data.missing_codes import TypedCodes, codes_text
from dpdesk.data.table import SurveyTable
from dpdesk.domains import parse_number
from dpdesk.errors import ParameterError
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.model import Plan
from dpdesk.plan.open_question import OpenQuestion
from dpdesk.plan.open_questions import SuspectedCodes
from dpdesk.plan.texts import T

ASKED_ROLES = ("protect", "unassigned")
"""Roles of columns whose answers are encoded, so that it matters which of them are no answer."""


@dataclass(frozen=True, slots=True)
class SuspectedCode:
    """A code that may mean no answer, with the columns in which it does.

    Attributes:
        code: Its text.
        labels: What it means by the labels of these columns, each once; empty where none says it.
        columns: Names of the columns.
        answers: How many answers it is, in all of them.
    """

    code: str
    labels: tuple[str, ...]
    columns: tuple[str, ...]
    answers: int

    @property
    def named(self) -> str:
        """The code as one types it, with what it means."""
        meaning = " / ".join(self.labels)
        return codes_text((self.code,), labels={self.code: meaning} if meaning else {})


def suspected_in(
    plan: Plan, table: SurveyTable, find: Callable[[ColumnPlan], Iterable[OpenQuestion]]
) -> tuple[SuspectedCode, ...]:
    """Returns the codes about which nobody decided, those of most columns first.

    Args:
        plan: The plan.
        table: The data.
        find: Returns the open questions of a column, which may be known already.
    """
    found: dict[str, list[tuple[SuspectedCodes, int]]] = {}
    for column in plan.columns:
        if column.role not in ASKED_ROLES or column.name not in table.names:
            continue
        for question in find(column):
            if isinstance(question, SuspectedCodes):
                texts = table.column(column.name)
                for code in question.codes:
                    found.setdefault(code, []).append(
                        (question, texts.rows_with(texts.among([code])))
                    )
    codes = (
        SuspectedCode(
            code,
            tuple(dict.fromkeys(q.labels[code] for q, _ in asked if code in q.labels)),
            tuple(question.name for question, _ in asked),
            sum(answers for _, answers in asked),
        )
        for code, asked in found.items()
    )
    return tuple(sorted(codes, key=lambda one: (-len(one.columns), one.code)))


def decide_codes(plan: Plan, table: SurveyTable, codes: TypedCodes, *, first: bool) -> Plan:
    """Returns the plan with codes decided on in every column in which they are suspected.

    Args:
        plan: The plan.
        table: The data.
        codes: The codes.
        first: Whether they mean no answer; else they are answers.

    Raises:
        ParameterError: No column has such a code that is open.
    """
    decided = plan
    for column in plan.columns:
        if column.role not in ASKED_ROLES or column.name not in table.names:
            continue
        own = column.labelled_by(table.described.get(column.name))
        question = SuspectedCodes.of(own, table.column(column.name), table.reading)
        chosen = () if question is None else _among(question.codes, codes)
        if question is not None and chosen:
            only = replace(question, codes=chosen)
            decided = only.decided(decided, table, first=first)
    if decided is plan:
        raise ParameterError(T.NO_OPEN_CODE())
    return decided


def _among(suspected: tuple[str, ...], codes: TypedCodes) -> tuple[str, ...]:
    """Those of some codes that are named, by themselves or in a range."""
    numbers = np.array([parse_number(code) for code in suspected], dtype=np.float64)
    named = np.isin(np.array(suspected, dtype=object), codes.tokens)
    named |= np.isin(numbers, [n for code in codes.tokens if (n := parse_number(code)) is not None])
    for one in codes.ranges:
        named |= one.holds(numbers)
    return tuple(code for code, is_named in zip(suspected, named.tolist(), strict=True) if is_named)
