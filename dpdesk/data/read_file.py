"""Reads a file of answers of any supported format into a table.

`load` detects how a file seems to be written; the result is a suggestion, and a disclosure.
`load_declared` reads by a `Reading` and detects nothing; a cell that does not fit spoils only
itself. A release uses `load_declared`.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
from pydantic import ValidationError

from dpdesk.data.formats.base import FORMAT_PARTS, FileContent, TableFormat, no_answers
from dpdesk.data.formats.packed import unpacked
from dpdesk.data.joined_columns import joined
from dpdesk.data.read_delimited import DelimitedLoad
from dpdesk.data.reading import Reading
from dpdesk.data.regular_file import DATA_MAX, FileRefusedError, read_regular
from dpdesk.data.table import SurveyTable
from dpdesk.data.table_format import endings, format_of, require_format
from dpdesk.errors import InputError, ParameterError, invalid_fields

Tick = Callable[[], None]
_T = TypeVar("_T")

_BEGINNING = 1 << 17
"""Bytes of a text that are looked at first."""


def load(
    path: str | os.PathLike[str],
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    quote: str = '"',
    header_rows: int = 1,
    names_alone: bool = False,
    beginning: bool = False,
    tick: Tick | None = None,
    **declared: Any,
) -> SurveyTable:
    """Loads a file and detects how it is written, to look at it and draft a plan.

    Nothing is interpreted, trimmed, dropped or merged.

    Args:
        path: The file.
        delimiter: The character between fields; detected if None.
        encoding: Python's name of the encoding; detected if None.
        decimal: The decimal mark of numbers, `.` or `,`; detected if None.
        quote: The quotation mark, `"`, `'` or empty.
        header_rows: Records before the first answer.
        names_alone: Whether a file may hold the names of its columns and no answers. Its reading
            then depends on no answer.
        beginning: Whether the first lines of a text are enough, to look at them.
        tick: Called between steps; may raise to cancel.
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
    wanted = reading_of(quote=quote, header_rows=header_rows, **known, **declared)
    found = frozenset(marks.keys() - known.keys())
    detects_platform = "platform" not in declared

    def work(raw: bytes, name: str, step: Tick) -> SurveyTable:
        kind = require_format(raw, name, wanted.format) if is_known else format_of(raw)
        _refuse_ignored(wanted, kind, name)
        source = _Source(kind, _first_lines(raw) if beginning else raw, name, step)
        return _table(
            source, wanted, found, names_alone=names_alone, detects_platform=detects_platform
        )

    return _loaded(path, tick, work)


def load_declared(
    path: str | os.PathLike[str], reading: Reading, tick: Tick | None = None
) -> SurveyTable:
    """Loads a file by a declared reading: how it is read depends on no answer.

    Args:
        path: The file.
        reading: How it is read.
        tick: Called between steps; may raise to cancel.

    Returns:
        The table; a cell with bytes that are invalid in the encoding holds `UNREADABLE`.

    Raises:
        InputError: The file does not fit the reading; the error says where and why.
    """

    def work(raw: bytes, name: str, step: Tick) -> SurveyTable:
        kind = require_format(raw, name, reading.format)
        _refuse_ignored(reading, kind, name)
        return _table(_Source(kind, raw, name, step), reading)

    return _loaded(path, tick, work)


def tables_in(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Returns the names of the tables that a file holds, of which one is read.

    Empty for a file of a format that holds one table.

    Raises:
        InputError: The file cannot be read.
    """
    place = Path(path)

    def listed() -> tuple[str, ...]:
        raw = unpacked(_read(place, place.name), place.name, endings(), _no_tick)
        return format_of(raw).tables(raw, place.name)

    return _within_memory(listed, place.name)


@dataclass(frozen=True, slots=True)
class _Source:
    """A file with its format."""

    kind: type[TableFormat]
    raw: bytes
    name: str
    step: Tick


def _table(
    source: _Source,
    reading: Reading,
    found: frozenset[str] = frozenset(),
    *,
    names_alone: bool = False,
    detects_platform: bool = False,
    has_blank_records: bool = False,
) -> SurveyTable:
    name, step = source.name, source.step

    def as_text(text: bytes) -> SurveyTable:
        load = DelimitedLoad(reading, name, step, found, names_alone, detects_platform)
        return load.table(text)

    table = source.kind.table(
        FileContent(
            raw=source.raw,
            name=name,
            reading=reading,
            tick=step,
            as_text=as_text,
            found=found,
            detects_platform=detects_platform,
            has_blank_records=has_blank_records,
        )
    )
    if not table.rows and not names_alone:
        raise no_answers(name)
    return joined(table, reading.questions)


def _first_lines(raw: bytes) -> bytes:
    """The first lines of a text; another file as it is."""
    if len(raw) <= _BEGINNING or not format_of(raw).reads_lines:
        return raw
    end = raw.rfind(b"\n", 0, _BEGINNING) + 1
    # In UTF-16 with the low byte first, the other half of the line end follows.
    return raw[: end + 1 if raw.startswith(codecs.BOM_UTF16_LE) else end] or raw


def _refuse_ignored(reading: Reading, kind: type[TableFormat], name: str) -> None:
    """Refuses parts of a reading that a file's format does not have."""
    usual = Reading()
    for part in FORMAT_PARTS:
        if getattr(reading, part) != getattr(usual, part) and part not in kind.parts:
            what = f"A file of the format {kind.key}" if kind.key else "Delimited text"
            raise ParameterError(
                f"{what}, such as {name}, has no {part.replace('_', ' ')} to declare.",
                remedy=f"Leave --{part.replace('_', '-')} out.",
            )


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
        raise ParameterError("The decimal mark must be a point or a comma.")
    raise ParameterError(f"The {first.place[0]} of the reading is not possible: {first.sentence}.")


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Reads a file whole, as `load` does.

    Raises:
        InputError: It cannot be read, or does not fit into memory.
    """
    place = Path(path)
    return _within_memory(lambda: _read(place, place.name), place.name)


def load_bytes(raw: bytes, name: str) -> SurveyTable:
    """Loads the bytes of a file that dpdesk wrote: commas, UTF-8, decimal points, a header.

    Args:
        raw: The bytes.
        name: Name of the file, for messages.

    Raises:
        InputError: The bytes are not a table.
    """
    return _within_memory(lambda: DelimitedLoad(Reading(), name, _no_tick).table(raw), name)


def load_written(raw: bytes, name: str, kind: type[TableFormat]) -> SurveyTable:
    """Loads the bytes of a file that dpdesk wrote for another program.

    Args:
        raw: The bytes.
        name: Name of the file, for messages.
        kind: The format that they have.

    Raises:
        InputError: The bytes are not a table.
    """
    source, reading = _Source(kind, raw, name, _no_tick), Reading(format=kind.key)
    return _within_memory(lambda: _table(source, reading, has_blank_records=True), name)


def _loaded(
    path: str | os.PathLike[str],
    tick: Tick | None,
    work: Callable[[bytes, str, Tick], SurveyTable],
) -> SurveyTable:
    place = Path(path)
    step = tick if tick is not None else _no_tick

    def reading() -> SurveyTable:
        raw = unpacked(_read(place, place.name), place.name, endings(), step)
        step()
        return work(raw, place.name, step)

    return _within_memory(reading, place.name)


def _within_memory(work: Callable[[], _T], name: str) -> _T:
    try:
        result = work()
    except MemoryError:
        too_large = InputError(
            f"{name} does not fit into the memory of this computer.",
            remedy="Close other programs, or split the file.",
        )
    else:
        # Arrow keeps the memory of parsing for later use; a release needs it for something else.
        pa.default_memory_pool().release_unused()
        return result
    # Raised out of the handler: what a library says of it may quote the file.
    raise too_large


def _no_tick() -> None:
    return


def _read(place: Path, name: str) -> bytes:
    try:
        return read_regular(place, DATA_MAX)
    except FileRefusedError as refused:
        reason = str(refused)
    raise InputError(
        f"{name or 'The file'} cannot be read: {reason}.",
        remedy="Choose a file of answers that you may read.",
    )
