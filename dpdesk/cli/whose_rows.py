"""The options that say which rows are one respondent's, and how many of them count."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from dpdesk.cli.options import add_flag, add_value
from dpdesk.cli.texts import T
from dpdesk.cli.values import whole
from dpdesk.errors import ParameterError, invalid_fields

if TYPE_CHECKING:
    from dpdesk.queries import PrivacyUnit


def add_whose_rows(group: argparse._ActionsContainer) -> None:
    """Adds `--respondent`, `--rows-per-respondent` and `--one-row-each`.

    Args:
        group: A parser or a group of its options.
    """
    add_value(
        group,
        "--respondent",
        "COLUMN",
        "the column that identifies the respondent of each row, where people have several",
    )
    rows = (
        "the most rows of a respondent that count, the first ones of the file; the loss or the "
        "noise grows with their number (default: 1)"
    )
    add_value(group, "--rows-per-respondent", "N", rows, read=whole)
    each = "every row is another respondent, although a column that names people repeats"
    add_flag(group, "--one-row-each", each)


def with_whose_rows(unit: PrivacyUnit, options: argparse.Namespace, **others: str) -> PrivacyUnit:
    """Returns a unit with what the options say.

    Args:
        unit: The unit.
        options: The options of the command.
        **others: Further fields of the unit that the command says.
    """
    from pydantic import ValidationError

    from dpdesk.data.joined_question import JoinedRows
    from dpdesk.queries.unit import ROWS_PER_RESPONDENT_MAX, PrivacyUnit

    most, whose = options.rows_per_respondent, options.respondent
    ways = (options.one_row_each, options.join_rows, whose is not None or most is not None)
    if sum(map(bool, ways)) > 1:
        raise ParameterError(T.WAYS_OF_ROWS())
    if options.join_rows is not None:
        most, whose = 1, JoinedRows.read(options.join_rows).by
    if most is not None and not 1 <= most <= ROWS_PER_RESPONDENT_MAX:
        raise ParameterError(T.BAD_ROWS(most=ROWS_PER_RESPONDENT_MAX))
    said: dict[str, object] = {
        "respondent_column": whose,
        "rows_per_respondent": most,
        "one_row_each": options.one_row_each or None,
    }
    if options.one_row_each:
        said |= {"respondent_column": "", "rows_per_respondent": 1}
    elif whose or most is not None:
        said["one_row_each"] = False
    chosen = {key: value for key, value in said.items() if value is not None}
    try:
        return PrivacyUnit(**(unit.model_dump() | chosen | others))
    except ValidationError as error:
        raise ParameterError(invalid_fields(error)[0].sentence) from None
