"""Questions that were not asked because of another answer: blanks that tell a filter question.

Who did not smoke is not asked how much. Such a pattern is a disclosure: a blank tells the answer to
the filter. It is found by counting all records, so it is for the curator's eyes only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpdesk.data.reading import Reading
from dpdesk.data.table import Flags, SurveyTable, TextColumn
from dpdesk.i18n import N_
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.encoding import missing_texts
from dpdesk.plan.model import Plan

_EXPLAINED = 0.9
"""Least share of a column's blanks that the filter's answer has; others are refusals."""
_LEAST_RECORDS = 5
_PAIRS = 200_000
"""So many pairs of columns are compared at most, to either side: of 400 columns each with each, of
ten thousand each with the 20 before and behind it, where a questionnaire has its filters."""

NOT_ASKED = N_(
    "Blank where {filter} is {answer}: probably not asked. A blank that is passed through tells "
    "this answer."
)
"""What a filter says to the curator."""


@dataclass(frozen=True, slots=True)
class Filter:
    """The answer to another question whose respondents were not asked.

    Attributes:
        column: Name of the filter question.
        answer: Its answer, as in the file; for the curator's eyes only.
    """

    column: str
    answer: str


class FilterFinder:
    """Finds filter questions, and caches what it found by what both columns' blanks depend on.

    An edit of one column compares the others with that column alone.
    """

    def __init__(self) -> None:
        self._blanks: dict[str, tuple[TextColumn, tuple[object, ...], Flags]] = {}
        self._found: dict[tuple[str, str], tuple[Flags, Flags, tuple[Filter, ...]]] = {}

    def filters_of(self, plan: Plan, table: SurveyTable, name: str) -> tuple[Filter, ...]:
        """Returns the answers to other columns with which the blanks of a column coincide.

        Everybody with such an answer is blank there, and nearly all blanks are theirs. In a table
        of more than 400 columns only near ones are compared.

        Args:
            plan: The plan; it says what is missing.
            table: The data.
            name: Name of a column of both.
        """
        texts = table.column(name)
        missing = self._missing(plan.column(name), texts, table.reading)
        blanks = int(texts.counts[missing].sum())
        if blanks < _LEAST_RECORDS or blanks == table.rows:
            return ()
        found: list[Filter] = []
        known, place = set(table.names), plan.index_of(name)
        reach = _PAIRS // len(plan.columns)
        for other in plan.columns[max(place - reach, 0) : place + reach + 1]:
            if other.name == name or other.name not in known:
                continue
            answers = table.column(other.name)
            elsewhere = self._missing(other, answers, table.reading)
            cached = self._found.get((name, other.name))
            # The same flags, not equal ones: they are made anew with the answers or their meaning.
            if cached is None or cached[0] is not missing or cached[1] is not elsewhere:
                filters = tuple(_filters(texts, missing, blanks, answers, elsewhere))
                cached = self._found[name, other.name] = (missing, elsewhere, filters)
            found += cached[2]
        return tuple(found)

    def _missing(self, column: ColumnPlan, texts: TextColumn, reading: Reading) -> Flags:
        """Which distinct texts mean "no answer"; the same object until that may change."""
        meaning = (column.domain, column.missing, reading)
        known = self._blanks.get(column.name)
        if known is None or known[0] is not texts or known[1] != meaning:
            known = (texts, meaning, missing_texts(column, texts, reading))
            self._blanks[column.name] = known
        return known[2]


def _filters(
    texts: TextColumn, missing: Flags, blanks: int, answers: TextColumn, elsewhere: Flags
) -> Iterator[Filter]:
    """Yields the answers of one column with which the blanks of another coincide."""
    # The counts alone rule out nearly every answer of nearly every column.
    fits = (answers.counts <= blanks) & (answers.counts >= _EXPLAINED * blanks)
    fits &= (answers.counts >= _LEAST_RECORDS) & ~elsewhere
    if not fits.any():
        return
    blank = missing[texts.codes]
    for code in np.flatnonzero(fits).tolist():
        if blank[answers.codes == code].all():
            yield Filter(answers.name, answers.distinct[code])
