"""The columns of a survey as codes for questions of disclosure, chosen by name and checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.number_texts import NumberTexts
from dpdesk.data.reading import Reading
from dpdesk.data.spool import Codes, chunked_values, sorted_distinct
from dpdesk.data.table import Flags, SurveyTable, TextColumn
from dpdesk.disclosure.classes import CodedColumn
from dpdesk.disclosure.texts import T
from dpdesk.errors import ParameterError
from dpdesk.i18n import quoted
from dpdesk.numbers.arrays import Floats, Mapped, pieces_of

_FEW_NUMBERS = 2
_NAMES_MOST = 8
_CODE = np.dtype(np.int32)

OrderOf = Callable[[str], tuple[str, ...] | None]
"""Returns the answers of a column in their order; () if they have none, None if numbers decide."""

MissingOf = Callable[[TextColumn], Flags]
"""Returns which distinct texts of a column mean "no answer"."""


def missing_by(reading: Reading) -> MissingOf:
    """Returns what means "no answer" where there is no plan: blank cells and declared codes."""

    def found(column: TextColumn) -> Flags:
        missing = column.among(reading.missing)
        missing |= column.blank
        return missing

    return found


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
    kinds, answers, given_texts, in_numbers = column.distinct_count, 0, 0, 0
    for some in pieces_of(kinds):
        counts, is_given = column.counts[some], ~missing[some]
        given = counts[is_given]
        answers += int(given.sum())
        given_texts += int(np.count_nonzero(given))
        in_numbers += int(counts[is_given & numbers.is_number_at(some)].sum())
    places = {text: place for place, text in enumerate(order or ())}
    values, is_ordered = None, False
    if places and given_texts <= len(places) and not _has_others(column, missing, places):
        code_of, is_ordered = _as_listed(column, missing, places), True
    elif answers and in_numbers == answers and given_texts >= _FEW_NUMBERS:
        values, code_of = _as_numbers(column.name, numbers, missing)
        is_ordered = order != ()
    else:
        code_of = _as_texts(column, missing)
    lacks = column.rows_with(missing) > 0
    levels = max(int(code_of.max(initial=-1)) + 1, 1)
    return CodedColumn(
        column.name,
        column.codes_by(code_of, levels),
        levels,
        missing=int(code_of[missing.argmax()]) if lacks else -1,
        numbers=None if values is None else values[:levels],
        is_ordered=is_ordered and not lacks,
    )


def _as_listed(column: TextColumn, missing: Flags, places: Mapping[str, int]) -> Codes:
    """Returns the place of each distinct text; behind all where it means "no answer"."""
    behind = len(places)
    listed = (
        np.where(missing[some], behind, [places.get(text, behind) for text in texts.to_pylist()])
        for some, texts in column.distinct_pieces()
    )
    return chunked_values(listed, _CODE, column.name)


def _as_texts(column: TextColumn, missing: Flags) -> Codes:
    """Returns a code of each distinct text, that of the first one where it means "no answer"."""
    first = int(missing.argmax()) if len(missing) else 0
    own = (
        np.where(missing[some], first, np.arange(some.start, some.stop))
        for some in pieces_of(column.distinct_count)
    )
    return chunked_values(own, _CODE, column.name)


def _as_numbers(name: str, numbers: NumberTexts, missing: Flags) -> tuple[Floats, Codes]:
    """Returns the different numbers of some texts, then NaN, and the place of each text in them.

    Args:
        name: Name of the column.
        numbers: The numbers; what is none has the place of NaN.
        missing: Which texts mean "no answer", which have that place as well.
    """
    kinds, values = len(missing), numbers.values
    given = (values[some][numbers.is_number_at(some) & ~missing[some]] for some in pieces_of(kinds))
    different = sorted_distinct(chunked_values(given, values.dtype, name), name)

    def places() -> Iterator[NDArray[np.int64]]:
        for some in pieces_of(kinds):
            # NaN stands behind all numbers.
            yield np.searchsorted(different, np.where(missing[some], np.nan, values[some]))

    parts = (different[some] for some in pieces_of(len(different)))
    with_nan = chunked_values(chain(parts, [np.array([np.nan])]), values.dtype, name)
    return with_nan, chunked_values(places(), _CODE, name)


def _has_others(column: TextColumn, missing: Flags, listed: Iterable[str]) -> bool:
    """Whether somebody gave an answer that is not listed."""
    among = column.among(listed)
    pieces = pieces_of(column.distinct_count)
    return any(column.counts[some][~(among[some] | missing[some])].any() for some in pieces)


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
            raise ParameterError(T.NO_ANSWERS(column=name))
        found.append(column)
    return tuple(found)


def unknown_column(name: str, known: Sequence[str]) -> ParameterError:
    """Returns the error of a column that does not exist, with the nearest name."""
    lower = {one.lower(): one for one in reversed(known)}
    near = get_close_matches(name.lower(), list(lower), n=1, cutoff=0.5)
    if near:
        return ParameterError(T.NO_COLUMN__NEAR(column=name, near=lower[near[0]]))
    return ParameterError(T.NO_COLUMN(column=name, known=quoted(known, _NAMES_MOST)))


def chosen_weights(table: SurveyTable, name: str) -> Mapped[np.float64]:
    """Returns the weight of each record.

    Raises:
        ParameterError: There is no such column, or a weight is missing, no number or not above 0.
    """
    if name not in table.names:
        raise unknown_column(name, table.names)
    column = table.column(name)
    numbers = column.numbers(table.reading.decimal).values
    wrong = sum(
        int(column.counts[some][~((numbers[some] > 0) & np.isfinite(numbers[some]))].sum())
        for some in pieces_of(column.distinct_count)
    )
    if wrong:
        raise ParameterError(T.BAD_WEIGHTS(column=name, count=wrong))
    return Mapped(numbers, column.codes)
