"""A folder of files that are one table in parts, as programs for large data write them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import PurePath

import pyarrow as pa

from dpdesk.data.block_columns import BlockColumns
from dpdesk.data.dialect import sniff_decimal
from dpdesk.data.place import Place
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.data.texts import T
from dpdesk.errors import InputError, printable
from dpdesk.numbers.arrays import pieces_of

_BESIDE = (".", "_")
"""What programs write beside the parts begins so: `_SUCCESS`, `.part-0.crc`."""

_PACKED = ".gz"
_NAMED = 3

_TOGETHER = 1 << 17
"""Rows of a part that are appended together."""


def parts_in(folder: Place, endings: Collection[str]) -> tuple[Place, ...]:
    """Returns the parts of a table in the order of their names, numbers by their value.

    Raises:
        InputError: The folder holds something other than tables of one format.
    """
    found = [one for one in folder.within() if not one.name.startswith(_BESIDE)]
    others = [one for one in found if one.is_folder or _ending(one.name) not in endings]
    kinds = {_ending(one.name) for one in found}
    if others or len(kinds) != 1:
        if not found:
            raise InputError(T.EMPTY_FOLDER(folder=folder.name))
        first = [printable(name) for name in sorted(one.name for one in others or found)[:_NAMED]]
        raise InputError(T.NO_PARTS(folder=folder.name, files=first))
    return tuple(sorted(found, key=lambda one: _in_order(one.name)))


def _ending(name: str) -> str:
    path = PurePath(name)
    return path.with_suffix("").suffix.lower() if path.suffix == _PACKED else path.suffix.lower()


def _in_order(name: str) -> tuple[tuple[int, int, str], ...]:
    pieces = re.findall(r"0*([0-9]+)|([^0-9]+)", name)
    # A number of more digits is larger.
    order = ((1, 0, word) if word else (0, len(digits), digits) for digits, word in pieces)
    return (*order, (2, 0, name))


def united(parts: Iterable[SurveyTable], name: str, found: Collection[str]) -> SurveyTable:
    """Returns the table of some parts, one after the other.

    Args:
        parts: The parts, at least one; each is given up before the next one is read.
        name: Name of their folder.
        found: Parts of the reading that were detected.

    Raises:
        InputError: They have other columns, or are written in another way, than the first.
    """
    like: SurveyTable | None = None
    notices: Counter[str] = Counter()
    is_found = False
    with ExitStack() as stack:
        for part in parts:
            if like is None:
                like = replace(part, columns=_without_answers(part), rows=0)
                growing = stack.enter_context(closing(BlockColumns(len(part.names), name)))
            _require_like(like, part, found)
            for block in _blocks(part):
                growing.append(block)
            notices.update(part.notices)
            is_found = is_found or part.is_reading_found
            del part
        if like is None:
            raise ValueError("A table has at least one part.")
        columns = growing.finish(like.names)
    reading = like.reading
    if is_found and "decimal" in found:
        # In a file of fixed width no mark delimits.
        delimiter = ";" if reading.format else reading.delimiter
        decimal = sniff_decimal(columns, delimiter)
        reading = reading.model_copy(update={"decimal": decimal})
    told = (text if n == 1 else T.IN_PARTS(notice=text, parts=n) for text, n in notices.items())
    return replace(
        like,
        columns=columns,
        rows=growing.rows,
        reading=reading,
        name=name,
        is_reading_found=is_found,
        notices=tuple(told),
    )


def _without_answers(table: SurveyTable) -> tuple[TextColumn, ...]:
    return tuple(TextColumn.from_texts(name, ()) for name in table.names)


def _blocks(part: SurveyTable) -> Iterator[list[pa.DictionaryArray]]:
    for rows in pieces_of(part.rows, _TOGETHER):
        yield [column.encoded(rows) for column in part.columns]


def _require_like(first: SurveyTable, part: SurveyTable, found: Collection[str]) -> None:
    """Refuses a part that does not go on where the first one ends.

    Raises:
        InputError: It has other columns, or is written in another way.
    """
    if part.names != first.names:
        raise InputError(T.OTHER_COLUMNS(part=part.name, first=first.name))
    usual = {"decimal": "."} if "decimal" in found else {}
    one, other = (table.reading.model_copy(update=usual) for table in (first, part))
    if one != other:
        raise InputError(T.OTHER_READING(part=part.name, first=first.name, reading=other.words))
