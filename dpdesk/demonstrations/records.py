"""Tables that demonstrations look at: the bundled samples, or the presenter's own records.

Of own records only counts and shares reach a stage: no cell of it is ever shown.
"""

from __future__ import annotations

import numpy as np

from dpdesk.attacks.target import Target
from dpdesk.data.table import SurveyTable
from dpdesk.demonstrations.scene import Inputs
from dpdesk.demonstrations.texts import T
from dpdesk.disclosure.classes import CodedColumn
from dpdesk.errors import ParameterError
from dpdesk.numbers.arrays import Counts

_LEAST_ANSWERS = 2


def distinct_answers(inputs: Inputs) -> int | None:
    """Returns how many answers the presenter's first column has; None without own records.

    Raises:
        ParameterError: There is no such column, or all answers are the same.
    """
    if inputs.table is None:
        return None
    table = inputs.table
    name = inputs.columns[0] if inputs.columns else Target(table).supposed_secret
    (column,) = Target(table).columns((name,))
    given = int(np.count_nonzero(answers_given(column)))
    if given < _LEAST_ANSWERS:
        raise ParameterError(T.SAME_ANSWER(column=name))
    return given


def answers_given(column: CodedColumn) -> Counts:
    """Returns how often each answer of a column was given; a missing cell is no answer."""
    counts = column.counts.copy()
    if column.missing >= 0:
        counts[column.missing] = 0
    return counts


def who_answered(table: SurveyTable, name: str) -> SurveyTable:
    """Returns the records that have an answer in a column."""
    (asked,) = Target(table).columns((name,))
    keep = asked.codes != asked.missing
    return table if keep.all() else table.of_records(keep)
