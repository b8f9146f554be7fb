"""Questions that were not asked because of another answer: blanks that tell a filter question.

Who did not smoke is not asked how much. Such a pattern is a disclosure: a blank tells the answer to
the filter. It is found by counting all records, so it is for the curator's eyes only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpdesk.data.table import SurveyTable
from dpdesk.plan.encoding import missing_texts
from dpdesk.plan.model import Plan

_EXPLAINED = 0.9
"""Least share of a column's blanks that the filter's answer has; others are refusals."""
_LEAST_RECORDS = 5


@dataclass(frozen=True, slots=True)
class Filter:
    """The answer to another question whose respondents were not asked.

    Attributes:
        column: Name of the filter question.
        answer: Its answer, as in the file; for the curator's eyes only.
    """

    column: str
    answer: str


def filters_of(plan: Plan, table: SurveyTable, name: str) -> tuple[Filter, ...]:
    """Returns the answers to other columns with which the blanks of a column coincide.

    Everybody with such an answer is blank there, and nearly all blanks are theirs.

    Args:
        plan: The plan; it says what is missing.
        table: The data.
        name: Name of a column of both.
    """
    texts, reading = table.column(name), table.reading
    blank = missing_texts(plan.column(name), texts, reading)[texts.codes]
    blanks = int(blank.sum())
    if blanks < _LEAST_RECORDS or blanks == table.rows:
        return ()
    found = []
    known = set(table.names)
    for other in plan.columns:
        if other.name == name or other.name not in known:
            continue
        answers = table.column(other.name)
        # The counts alone rule out nearly every answer of nearly every column.
        fits = (answers.counts <= blanks) & (answers.counts >= _EXPLAINED * blanks)
        fits &= answers.counts >= _LEAST_RECORDS
        if not fits.any():
            continue
        fits &= ~missing_texts(other, answers, reading)
        for code in np.flatnonzero(fits).tolist():
            if blank[answers.codes == code].all():
                found.append(Filter(other.name, answers.distinct[code]))
    return tuple(found)
