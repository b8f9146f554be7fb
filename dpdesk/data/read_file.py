"""Reads a file of answers of any supported format into a table.

`load` detects how a file seems to be written; the result is a suggestion, and a disclosure.
`load_declared` reads by a `Reading` and detects nothing; a cell that does not fit spoils only
itself. A release uses `load_declared`.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from pydantic import ValidationError

from dpdesk.data.address import table_place
from dpdesk.data.column_description import ColumnDescription
from dpdesk.data.formats.base import FORMAT_PARTS, FileContent, TableFormat, no_answers
from dpdesk.data.formats.packed import unpacked
from dpdesk.data.joined_columns import joined
from dpdesk.data.parts import parts_in, united
from dpdesk.data.place import LocalPlace, Place
from dpdesk.data.read_delimited import DelimitedLoad
from dpdesk.data.reading import Reading
from dpdesk.data.source import HEAD, Memory, Source, no_tick
from dpdesk.data.spool import chunked_values
from dpdesk.data.survey_platforms import NOT_FILLED, platform_named
from dpdesk.data.table import Flags, SurveyTable, TextColumn
from dpdesk.data.table_format import beginning_of, endings, format_of, require_format
from dpdesk.data.texts import T
from dpdesk.data.unused_memory import release_unused
from dpdesk.errors import InputError, ParameterError, invalid_fields
from dpdesk.numbers.arrays import pieces_of

Tick = Callable[[], None]
Progress = Callable[[float], object]
ReadParts = Callable[[Sequence[Place]], Iterable[SurveyTable]]
"""Reads the parts of a table in their order."""

TablePath = str | os.PathLike[str] | Place
"""Where a table lies: a path or an address, or the place that it names."""

_T = TypeVar("_T")


def load(
    path: TablePath,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    quote: str = '"',
    header_rows: int | None = None,
    names_alone: bool = False,
    beginning: bool = False,
    tick: Tick | None = None,
    progress: Progress | None = None,
    **declared: Any,
) -> SurveyTable:
    """Loads a file and detects how it is written, to look at it and draft a plan.

    No answer is interpreted, trimmed or merged. Records without any answer are left out.

    Args:
        path: The file, or a folder of files that are the parts of one table; also at an address,
            such as `s3://bucket/answers/`.
        delimiter: The character between fields; detected if None.
        encoding: Python's name of the encoding; detected if None.
        decimal: The decimal mark of numbers, `.` or `,`; detected if None.
        quote: The quotation mark, `"`, `'` or empty.
        header_rows: Records before the first answer; if None 1, or more where the names of the
            columns stand below a title.
        names_alone: Whether a file may hold the names of its columns and no answers. Its reading
            then depends on no answer.
        beginning: Whether the first lines of a text are enough, to look at them.
        tick: Called between steps; may raise to cancel.
        progress: Called with the share of the file that was read, 0 to 1.
        **declared: Other parts of a reading, such as `sheet`. Without `format` it is detected by
            the first bytes of the file.

    Returns:
        The table, with notices of everything unusual.

    Raises:
        InputError: The file is not a table; the error says where, why, and what to do.
        ParameterError: A part of the reading is invalid.
    """
    marks = {"encoding": encoding, "delimiter": delimiter, "decimal": decimal}
    known = {name: part for name, part in marks.items() if part is not None}
    is_known = declared.get("format") is not None or bool(declared.get("layout"))
    declared = {name: part for name, part in declared.items() if part is not None}
    place = table_place(path)
    rows = 1 if header_rows is None else header_rows
    wanted = reading_of(quote=quote, header_rows=rows, **known, **declared)
    found = frozenset(marks.keys() - known.keys())
    detects_platform = "platform" not in declared

    def work(source: Source) -> SurveyTable:
        kind = format_of(beginning_of(source))
        if is_known:
            kind = require_format(source, wanted.format)
        _refuse_ignored(wanted, kind, source.name)
        return _table(
            kind,
            _first_lines(source, kind) if beginning else source,
            wanted,
            found,
            names_alone=names_alone or place.is_folder,
            detects_platform=detects_platform,
            detects_names=header_rows is None,
        )

    table = _of_parts(place, tick, progress, work, found, first_alone=beginning)
    return _answered(table, wanted, names_alone=names_alone)


def load_declared(
    path: TablePath,
    reading: Reading,
    tick: Tick | None = None,
    progress: Progress | None = None,
    read_parts: ReadParts | None = None,
) -> SurveyTable:
    """Loads a file by a declared reading: how it is read depends on no answer.

    Args:
        path: The file, or a folder of files that are the parts of one table; also at an address,
            such as `s3://bucket/answers/`.
        reading: How it is read.
        tick: Called between steps; may raise to cancel.
        progress: Called with the share of the file that was read, 0 to 1.
        read_parts: Reads the parts of a folder elsewhere, as `load_part` does.

    Returns:
        The table; a cell with bytes that are invalid in the encoding holds `UNREADABLE`.

    Raises:
        InputError: The file does not fit the reading; the error says where and why.
    """
    place = table_place(path)
    work = partial(_declared, reading, is_part=place.is_folder)
    return _answered(_of_parts(place, tick, progress, work, read_parts=read_parts), reading)


def load_part(reading: Reading, place: Place) -> SurveyTable:
    """Loads one of the parts of a table by a declared reading, its columns as they are in the file.

    Raises:
        InputError: The file does not fit the reading; the error says where and why.
    """
    return _loaded(place, None, partial(_declared, reading, is_part=True))


def _declared(reading: Reading, source: Source, *, is_part: bool) -> SurveyTable:
    kind = require_format(source, reading.format)
    _refuse_ignored(reading, kind, source.name)
    return _table(kind, source, reading, names_alone=is_part)


def is_in_parts(path: TablePath) -> bool:
    """Whether a folder holds nothing but files of one format, which may be parts of a table."""
    try:
        return bool(parts_in(table_place(path), endings()))
    except InputError:
        return False


def tables_in(path: TablePath) -> tuple[str, ...]:
    """Returns the names of the tables that a file holds, of which one is read.

    Empty for a file of a format that holds one table.

    Raises:
        InputError: The file cannot be read.
    """

    def listed(source: Source) -> tuple[str, ...]:
        kind = format_of(beginning_of(source))
        # One that is read line by line holds one table, however long it is.
        return () if kind.reads_lines else kind.tables(source.whole, source.name)

    place = table_place(path)
    return _loaded(parts_in(place, endings())[0] if place.is_folder else place, None, listed)


def _table(
    kind: type[TableFormat],
    source: Source,
    reading: Reading,
    found: frozenset[str] = frozenset(),
    *,
    names_alone: bool = False,
    detects_platform: bool = False,
    detects_names: bool = False,
    has_blank_records: bool = False,
) -> SurveyTable:
    text = DelimitedLoad(reading, source.name, found, names_alone, detects_platform, detects_names)
    table = kind.table(
        FileContent(
            source=source,
            reading=reading,
            as_text=text.table,
            found=found,
            detects_platform=detects_platform,
            detects_names=detects_names,
            has_blank_records=has_blank_records,
        )
    )
    return table if has_blank_records else drop_blank_records(table)


def _answered(table: SurveyTable, reading: Reading, *, names_alone: bool = False) -> SurveyTable:
    """Returns a table joined as its reading says; one without answers is refused."""
    if not table.rows and not names_alone:
        raise no_answers(table.name)
    return joined(table, reading.questions, reading.joined_rows)


def _of_parts(
    place: Place,
    tick: Tick | None,
    progress: Progress | None,
    work: Callable[[Source], SurveyTable],
    found: Collection[str] = (),
    *,
    first_alone: bool = False,
    read_parts: ReadParts | None = None,
) -> SurveyTable:
    """Returns the table of a file, or of the parts that a folder holds."""
    if not place.is_folder:
        return _loaded(place, tick, work, progress=progress)
    parts = parts_in(place, endings())
    parts = parts[: 1 if first_alone else None]
    read: Iterable[SurveyTable] = (
        _loaded(part, tick, work, progress=_part_of(progress, number, len(parts)))
        for number, part in enumerate(parts)
    )
    if read_parts is not None:
        read = read_parts(parts)
    return _within_memory(lambda: united(read, place.name, found), place.name)


def _first_lines(source: Source, kind: type[TableFormat]) -> Source:
    """The first lines of a text; another file as it is."""
    head = source.head
    if len(head) < HEAD or not kind.reads_lines:
        return source
    end = head.rfind(b"\n", 0, HEAD - 1) + 1
    # In UTF-16 with the low byte first, the other half of the line end follows.
    lines = head[: end + 1 if head.startswith(codecs.BOM_UTF16_LE) else end]
    return Memory(lines, source.name, source.tick) if lines else source


def _refuse_ignored(reading: Reading, kind: type[TableFormat], name: str) -> None:
    """Refuses parts of a reading that a file's format does not have."""
    usual = Reading()
    for part in FORMAT_PARTS:
        if getattr(reading, part) != getattr(usual, part) and part not in kind.parts:
            words, option = part.replace("_", " "), part.replace("_", "-")
            raise ParameterError(T.UNUSED_PART(file=name, part=words, option=option))


def reading_of(**parts: Any) -> Reading:
    """Makes a reading.

    Raises:
        ParameterError: A part is invalid.
    """
    try:
        return Reading(**parts)
    except ValidationError as error:
        first = invalid_fields(error)[0]
    if first.cause is not None:
        raise first.cause
    if first.place == ("decimal",):
        raise ParameterError(T.BAD_DECIMAL())
    raise ParameterError(T.BAD_READING(part=str(first.place[0]), reason=first.sentence))


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Reads a file whole, as `load` does.

    Raises:
        InputError: It cannot be read, or does not fit into memory.
    """
    return _loaded(LocalPlace(path), None, lambda source: source.whole, unpacks=False)


def load_bytes(raw: bytes, name: str) -> SurveyTable:
    """Loads the bytes of a file that dpdesk wrote: commas, UTF-8, decimal points, a header.

    Raises:
        InputError: The bytes are not a table.
    """
    source = Memory(raw, name, no_tick)
    return _within_memory(
        lambda: DelimitedLoad(Reading(), name, is_written=True).table(source), name
    )


def load_written(raw: bytes, name: str, kind: type[TableFormat]) -> SurveyTable:
    """Loads the bytes of a file that dpdesk wrote for another program.

    Raises:
        InputError: The bytes are not a table.
    """
    source, reading = Memory(raw, name, no_tick), Reading(format=kind.key)
    table = _within_memory(lambda: _table(kind, source, reading, has_blank_records=True), name)
    return _answered(table, reading)


def _loaded(
    place: Place,
    tick: Tick | None,
    work: Callable[[Source], _T],
    *,
    progress: Progress | None = None,
    unpacks: bool = True,
) -> _T:
    def reading() -> _T:
        def step() -> None:
            if tick is not None:
                tick()
            if progress is not None and source.size:
                progress(min(source.done / source.size, 1.0))

        with place.opened(step) as source:
            return work(unpacked(source, endings()) if unpacks else source)

    return _within_memory(reading, place.name)


def _part_of(progress: Progress | None, number: int, parts: int) -> Progress | None:
    return None if progress is None else lambda share: progress((number + share) / parts)


def _within_memory(work: Callable[[], _T], name: str) -> _T:
    try:
        result = work()
    except MemoryError:
        too_large = InputError(T.NO_MEMORY(file=name))
    else:
        release_unused()
        return result
    # Raised out of the handler: what a library says of it may quote the file.
    raise too_large


def drop_blank_records(table: SurveyTable) -> SurveyTable:
    """Returns a table without the records that hold no answer, and says how many there were.

    With a single column of answers, an empty cell is an answer that was not given. A note stays.
    """
    table = _without_blank(_without_unfilled(table))
    last = [column.text(table.rows - 1).strip() for column in table.columns if table.rows]
    is_note = len(last) > 2 and sum(map(bool, last)) == 1 and " " in "".join(last)
    return replace(table, notices=(*table.notices, *[T.NOTE_BELOW()] * is_note))


def _without_blank(table: SurveyTable) -> SurveyTable:
    said, no_said = table.described, ColumnDescription()
    columns = [c for c in table.columns if not said.get(c.name, no_said).is_record]
    # Most files have a column of few texts in which no cell is empty.
    columns.sort(key=lambda column: column.distinct_count)
    if len(columns) < 2 or not all(column.blank.any() for column in columns):
        return table
    blanks = [column.blank for column in columns]
    is_blank = chunked_values(_all_of(columns, blanks, table.rows), np.dtype(np.bool_))
    blank = int(np.count_nonzero(is_blank))
    if not blank:
        return table
    return replace(
        table,
        columns=tuple(_without(column, is_blank) for column in table.columns),
        rows=table.rows - blank,
        notices=(*table.notices, T.BLANK_ROWS(count=blank)),
    )


def _without_unfilled(table: SurveyTable) -> SurveyTable:
    """Returns a table in which boxes of a form that was never filled are no answers, but empty.

    The form is not complete, and nothing is filled or ticked in it.
    """
    if not table.reading.platform:
        return table
    found = {column.name: column for column in table.columns}
    boxes = {name: one.unticked for one in table.declared for name in one.columns}
    forms = 0
    for state, names in platform_named(table.reading.platform).forms(table.names).items():
        own = [found[name] for name in names]
        empty = [column.blank | column.among(boxes.get(column.name, ())) for column in own]
        columns, flags = [found[state], *own], [found[state].among(NOT_FILLED), *empty]
        unfilled = chunked_values(_all_of(columns, flags, table.rows), np.dtype(np.bool_))
        if own and unfilled.any():
            forms += int(np.count_nonzero(unfilled))
            found |= {c.name: _emptied(c, unfilled) for c in own if c.name in boxes}
    if not forms:
        return table
    emptied = tuple(found[name] for name in table.names)
    notices = (*table.notices, T.UNFILLED_FORMS(count=forms))
    return replace(table, columns=emptied, notices=notices)


def _all_of(columns: Sequence[TextColumn], flags: Sequence[Flags], rows: int) -> Iterator[Flags]:
    """Yields of which rows, some after the other, every cell is flagged in its column."""
    for some in pieces_of(rows):
        held = flags[0][columns[0].codes[some]]
        for column, flag in zip(columns[1:], flags[1:], strict=True):
            if not held.any():
                break
            held &= flag[column.codes[some]]
        yield held


def _without(column: TextColumn, left_out: Flags) -> TextColumn:
    kept = (column.codes[some][~left_out[some]] for some in pieces_of(column.rows))
    codes = chunked_values(kept, column.codes.dtype, column.name)
    return TextColumn(column.name, codes, column.dictionary)


def _emptied(column: TextColumn, rows: Flags) -> TextColumn:
    """Returns a column of few texts with empty cells in some rows."""
    texts = [*column.distinct, ""]
    empty = texts.index("")
    codes = column.codes_by(np.arange(len(texts)), len(texts)).copy()
    codes[rows] = empty
    return TextColumn(column.name, codes, pa.array(texts[: max(empty + 1, len(texts) - 1)]))
