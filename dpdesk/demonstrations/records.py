"""Tables that demonstrations look at: the bundled samples, or the presenter's own file.

Of an own file only counts and shares reach a stage: no cell of it is ever shown.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from dpdesk.attacks.target import Target
from dpdesk.data.read_file import load
from dpdesk.data.table import SurveyTable
from dpdesk.demonstrations.scene import Inputs
from dpdesk.disclosure.classes import CodedColumn
from dpdesk.errors import ParameterError
from dpdesk.numbers.arrays import Counts

_LEAST_ANSWERS = 2


def own_table(path: Path) -> SurveyTable:
    """Returns the presenter's file as it is now.

    Raises:
        InputError: It cannot be read.
    """
    return _table(path, stamp_of(path))


@lru_cache(maxsize=4)
def _table(path: Path, stamp: tuple[int, int]) -> SurveyTable:
    return load(path)


def stamp_of(path: Path | None) -> tuple[int, int]:
    """Returns time and size of a file, which differ after it was written again; 0 without one."""
    if path is None or not path.exists():
        return 0, 0
    found = path.stat()
    return found.st_mtime_ns, found.st_size


def distinct_answers(inputs: Inputs) -> int | None:
    """Returns how many answers the presenter's first column has; None without a file.

    Raises:
        InputError: The file cannot be read.
        ParameterError: There is no such column, or all answers are the same.
    """
    if inputs.table is None:
        return None
    table = own_table(inputs.table)
    name = inputs.columns[0] if inputs.columns else Target(table).supposed_secret
    (column,) = Target(table).columns((name,))
    given = int(np.count_nonzero(answers_given(column)))
    if given < _LEAST_ANSWERS:
        raise ParameterError(
            f"Everybody who answered {name} gave the same answer.", remedy="Choose another column."
        )
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
