"""What a format of files says of itself, and the table that it returns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.data.column_description import ColumnDescription
from dpdesk.data.formats.number_cells import ENCODED
from dpdesk.data.formats.packed import most_unpacked
from dpdesk.data.formats.texts import T
from dpdesk.data.header import unique_names
from dpdesk.data.joined_question import JoinedColumns
from dpdesk.data.output_fields import RecordFile
from dpdesk.data.own_process import run_apart
from dpdesk.data.reading import Reading
from dpdesk.data.regular_file import DATA_MAX
from dpdesk.data.source import Memory, Source, Tick, no_tick
from dpdesk.data.structure import COLUMN_LIMIT, FIELD_LIMIT
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.errors import InputError


@dataclass(frozen=True, slots=True)
class FileContent:
    """A file that is to be read.

    Attributes:
        source: Its bytes.
        reading: How it is read; a format looks at the parts that it names.
        as_text: Reads delimited text as the reading says.
        found: Parts of the reading that are detected from the file.
        detects_platform: Whether the header of a program on the web is looked for.
        detects_names: Whether the line of the names is looked for below a title.
        has_blank_records: Whether a blank row is a record, as in a file that dpdesk wrote.
    """

    source: Source
    reading: Reading
    as_text: Callable[[Source], SurveyTable]
    found: frozenset[str] = frozenset()
    detects_platform: bool = False
    detects_names: bool = False
    has_blank_records: bool = False

    @property
    def name(self) -> str:
        """Its name, for messages."""
        return self.source.name

    @property
    def tick(self) -> Tick:
        """Called between steps; may raise to cancel."""
        return self.source.tick

    @property
    def raw(self) -> bytes:
        """Its bytes in memory, for formats that are not read piece by piece."""
        return self.source.whole


@dataclass(frozen=True, slots=True)
class FileTable:
    """The table of a file, as its format returns it.

    Attributes:
        columns: Its columns in the order of the file.
        rows: Number of respondents.
        chosen: Parts of the reading that the format chose where nothing was declared, such as the
            sheet. No answer decides on them.
        notices: Notices about the file, as full sentences without answers.
        described: What the file says of its columns, by their names.
        questions: Questions that the file declares to be made of several columns.
    """

    columns: tuple[TextColumn, ...]
    rows: int
    chosen: Mapping[str, Any] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    described: Mapping[str, ColumnDescription] = field(default_factory=dict)
    questions: tuple[JoinedColumns, ...] = ()


class TableFormat(ABC):
    """One format of files that are read."""

    key: ClassVar[str] = ""
    """Its word in a reading and on the command line; empty for delimited text."""
    title: ClassVar[str]
    """Its name where a file is chosen."""
    endings: ClassVar[tuple[str, ...]]
    """Endings of its files' names, such as ".csv": for the choice alone."""
    marks: ClassVar[tuple[bytes, ...]] = ()
    """What its files begin with, any of them; none where a file must be looked at otherwise."""
    parts: ClassVar[frozenset[str]] = frozenset()
    """Parts of a reading that it looks at, beside codes of no answer and joined questions."""
    reads_lines: ClassVar[bool] = False
    """Whether each line is read by itself, so that the first ones can be looked at alone."""
    writers: ClassVar[tuple[type[RecordFile], ...]] = ()
    """How records of a release are written in it; none for a format that is only read."""
    reads_any_text: ClassVar[bool] = False
    """Whether it can read every text, so that only a reading says that a file is of this format."""

    @classmethod
    def recognises(cls, raw: bytes) -> bool:
        """Whether a file is of this format, by its first bytes: no answer may decide it.

        Args:
            raw: The first bytes; all of a ZIP archive, whose list stands at its end.
        """
        return raw.startswith(cls.marks)

    @classmethod
    @abstractmethod
    def table(cls, file: FileContent) -> SurveyTable:
        """Reads a file.

        Raises:
            InputError: The file is damaged; the error says where and never quotes an answer.
        """

    @classmethod
    def tables(cls, raw: bytes, name: str) -> tuple[str, ...]:
        """Names of the tables that a file holds, of which one is read; empty where it has one.

        Raises:
            InputError: The file is damaged.
        """
        return ()


class CellFormat(TableFormat):
    """A format that says itself where each cell begins and ends."""

    reads_apart: ClassVar[bool] = False
    """Whether its library can end the program, so that it runs in a process of its own."""
    detects: ClassVar[frozenset[str]] = frozenset()
    """Parts of a reading that it detects by looking at all answers, unless they are declared."""

    @classmethod
    def table(cls, file: FileContent) -> SurveyTable:
        found = cls._apart(file) if cls.reads_apart else cls.cells(file)
        require_columns(len(found.columns), file.name)
        given = tuple(column.name for column in found.columns)
        names, notices = unique_names(given, is_written=file.has_blank_records)
        renamed = dict(zip((column.name for column in found.columns), names, strict=True))
        declared = {part: getattr(file.reading, part) for part in ("missing", *cls.parts)}
        reading = Reading(format=cls.key, **{**declared, **found.chosen})
        return SurveyTable(
            tuple(
                column if column.name == name else column.renamed(name)
                for column, name in zip(found.columns, names, strict=True)
            ),
            found.rows,
            reading,
            file.name,
            bool(file.found & cls.detects),
            notices=(*found.notices, *notices),
            described={renamed.get(name, name): told for name, told in found.described.items()},
            declared=found.questions,
        )

    @classmethod
    def _apart(cls, file: FileContent) -> FileTable:
        raw = file.raw
        sent = replace(file, source=Memory(raw, file.name, no_tick))
        return run_apart(most_unpacked(len(raw)), file.name, file.tick, cls.cells, sent)

    @classmethod
    @abstractmethod
    def cells(cls, file: FileContent) -> FileTable:
        """Returns the table and what the file says of it.

        Raises:
            InputError: The file is damaged; the error says where and never quotes an answer.
        """


def column_of(name: str, pieces: Sequence[pa.DictionaryArray], file: str, place: int) -> TextColumn:
    """Returns a column from its pieces, one after the other.

    Args:
        name: Its name.
        pieces: The cells of some rows each, encoded by dictionaries of texts without nulls.
        file: Name of the file, for messages.
        place: Position of the column, from 1.

    Raises:
        InputError: A cell is too long.
    """
    whole = TextColumn.from_chunks(name, pa.chunked_array(pieces, type=ENCODED))
    require_short(whole.dictionary, file, place)
    return whole


def require_short(texts: pa.Array, file: str, place: int) -> None:
    """Refuses texts of a column that are too long.

    Args:
        texts: Distinct texts.
        file: Name of the file, for messages.
        place: Position of the column, from 1.

    Raises:
        InputError: A cell is too long.
    """
    longest = pc.max(pc.utf8_length(texts)).as_py() if len(texts) else 0
    if longest > FIELD_LIMIT:
        raise InputError(T.LONG_CELL(column=place, file=file, most=FIELD_LIMIT))


def require_room(rows: int, columns: int, name: str, size: int = 0) -> None:
    """Refuses a table whose codes alone would not fit into the memory that a table may take.

    Args:
        rows: Its rows.
        columns: Its columns.
        name: Name of the file, for the message.
        size: Bytes of the file, where codes may be on disk: a large file may hold a large table.

    Raises:
        InputError: A small file states more cells than that.
    """
    if _CODE_BYTES * rows * columns > max(DATA_MAX, _CELLS_PER_BYTE * _CODE_BYTES * size):
        raise InputError(T.MANY_CELLS(file=name, rows=rows, columns=columns))


def no_answers(name: str) -> InputError:
    """Returns the refusal of a file without records."""
    return InputError(T.NO_ANSWERS(file=name))


_CODE_BYTES = 4
"""Bytes that a cell takes at least."""

_CELLS_PER_BYTE = 1_000
"""Cells that a byte of a large file may stand for: those of one value take next to none."""

FORMAT_PARTS = (
    "encoding",
    "delimiter",
    "decimal",
    "quote",
    "header_rows",
    "sheet",
    "layout",
    "platform",
)
"""Parts of a reading that some formats have and others do not."""


def require_columns(count: int, name: str) -> None:
    """Refuses a table without columns, or with more than any survey has.

    Raises:
        InputError: There are none, or too many.
    """
    if count == 0:
        raise InputError(T.NO_COLUMNS(file=name))
    if count > COLUMN_LIMIT:
        raise InputError(T.MANY_COLUMNS(file=name, columns=count, most=COLUMN_LIMIT))
