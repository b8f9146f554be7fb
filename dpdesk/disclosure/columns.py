"""The columns of a survey as codes for questions of disclosure, chosen by name and checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches

import numpy as np

from dpdesk.data.reading import Reading
from dpdesk.data.table import Flags, SurveyTable, TextColumn
from dpdesk.disclosure.classes import CodedColumn
from dpdesk.errors import ParameterError
from dpdesk.numbers.arrays import Mapped

_MOSTLY_NUMBERS = 0.9
_FEW_NUMBERS = 2

OrderOf = Callable[[str], tuple[str, ...] | None]
"""Returns the answers of a column in their order; () if they have none, None if numbers decide."""

MissingOf = Callable[[TextColumn], Flags]
"""Returns which distinct texts of a column mean "no answer"."""


def missing_by(reading: Reading) -> MissingOf:
    """Returns what means "no answer" where there is no plan: blank cells and declared codes."""
    return lambda column: column.blank | column.among(reading.missing)


def coded(
    column: TextColumn,
    reading: Reading,
    missing_of: MissingOf | None = None,
    order: tuple[str, ...] | None = None,
) -> CodedColumn:
    """Returns a column as codes; all of its missing cells have one code.

    The codes of a column of numbers are in their order, missing ones last; those of other texts
    are as they stand in the file, with the missing ones as one of them. A column with missing cells
    is not ordered: these stand nowhere in the order.

    Args:
        column: The column.
        reading: How the file is read.
        missing_of: What means "no answer"; by the reading if None.
        order: Its answers in their order; () if they have none, None if numbers decide.
    """
    missing = (missing_by(reading) if missing_of is None else missing_of)(column)
    numbers = column.numbers(reading.decimal)
    given = (column.counts > 0) & ~missing
    is_number = numbers.is_number & ~missing
    answers = column.rows_with(given)
    in_numbers = column.rows_with(is_number)
    if answers and in_numbers == answers and np.count_nonzero(given) >= _FEW_NUMBERS:
        different, rank = np.unique(numbers.values[is_number], return_inverse=True)
        code_of = np.full(column.distinct_count, len(different), dtype=np.int32)
        code_of[is_number] = rank
        values = np.append(different, np.nan)
    else:
        code_of = np.arange(column.distinct_count, dtype=np.int32)
        first = int(np.flatnonzero(missing)[0]) if missing.any() else -1
        code_of[missing] = first
        values = None
    is_ordered = values is not None and order != ()
    places = {text: place for place, text in enumerate(order or ())}
    if places and all(column.distinct[code] in places for code in np.flatnonzero(given)):
        listed = [places.get(text, len(places)) for text in column.distinct]
        code_of = np.where(missing, len(places), listed).astype(np.int32)
        values, is_ordered = None, True
    found = np.flatnonzero(missing & (column.counts > 0))
    levels = max(int(code_of.max(initial=-1)) + 1, 1)
    return CodedColumn(
        column.name,
        column.codes_by(code_of, levels),
        levels,
        missing=int(code_of[found[0]]) if len(found) else -1,
        numbers=None if values is None else values[:levels],
        is_ordered=is_ordered and not len(found),
    )


def as_released(columns: Iterable[TextColumn]) -> tuple[CodedColumn, ...]:
    """Returns columns with one code per text, as whoever holds a release has them."""
    return tuple(
        CodedColumn(column.name, column.codes, max(column.distinct_count, 1)) for column in columns
    )


def chosen_columns(
    table: SurveyTable,
    names: Iterable[str],
    missing_of: MissingOf | None = None,
    order_of: OrderOf = lambda name: None,
) -> tuple[CodedColumn, ...]:
    """Returns the columns of these names as codes, each once.

    Raises:
        ParameterError: There is no such column, or nobody answered it.
    """
    found = []
    for name in dict.fromkeys(names):
        if name not in table.names:
            raise unknown_column(name, table.names)
        column = coded(table.column(name), table.reading, missing_of, order_of(name))
        if column.missing >= 0 and column.occurring == 1:
            raise ParameterError(
                f"Nobody answered {name}: all of its cells are missing.",
                remedy="Leave the column out.",
            )
        found.append(column)
    return tuple(found)


def unknown_column(name: str, known: Sequence[str]) -> ParameterError:
    """Returns the error of a column that does not exist, with the nearest name."""
    lower = {one.lower(): one for one in reversed(known)}
    near = get_close_matches(name.lower(), list(lower), n=1, cutoff=0.5)
    remedy = (
        f"Did you mean {lower[near[0]]}?"
        if near
        else f"Its columns: {', '.join(known[:8])}{' …' if len(known) > 8 else ''}."
    )
    return ParameterError(f"The data have no column {name}.", remedy=remedy)


def chosen_weights(table: SurveyTable, name: str) -> Mapped[np.float64]:
    """Returns the weight of each record.

    Raises:
        ParameterError: There is no such column, or a weight is missing, no number or not above 0.
    """
    if name not in table.names:
        raise unknown_column(name, table.names)
    column = table.column(name)
    numbers = column.numbers(table.reading.decimal).values
    wrong = column.rows_with(~((numbers > 0) & np.isfinite(numbers)))
    if wrong:
        rows = "1 record has a weight" if wrong == 1 else f"{wrong:,} records have weights"
        raise ParameterError(
            f"In {name} {rows} that {'is' if wrong == 1 else 'are'} missing, not a number or not "
            "above 0.",
            remedy="Correct the weights, or leave them out.",
        )
    return Mapped(numbers, column.codes)
