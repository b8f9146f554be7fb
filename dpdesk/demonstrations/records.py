"""Tables that demonstrations look at: the bundled samples, or the presenter's own file.

Of an own file only counts and shares reach a stage: no cell of it is ever shown.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from dpdesk.attacks.target import Target
from dpdesk.data.read_file import load
from dpdesk.data.table import SurveyTable
from dpdesk.demonstrations.scene import Inputs
from dpdesk.errors import ParameterError


@lru_cache(maxsize=4)
def own_table(path: Path) -> SurveyTable:
    """Returns the presenter's file.

    Raises:
        InputError: It cannot be read.
    """
    return load(path)


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
    if column.occurring < 2:
        raise ParameterError(
            f"Everybody gave the same answer to {name}.", remedy="Choose another column."
        )
    return column.occurring
