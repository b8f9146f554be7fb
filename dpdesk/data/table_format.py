"""The formats of files that hold a table of answers, and which of them a file has."""

from __future__ import annotations

from pathlib import PurePath

from dpdesk.data.foreign_format import refuse_foreign_format
from dpdesk.data.formats.base import FileContent, TableFormat
from dpdesk.data.formats.columnar_tables import Feather, Parquet
from dpdesk.data.formats.csv_writer import CsvRecords
from dpdesk.data.formats.fixed_width import FixedWidth
from dpdesk.data.formats.json_records import JsonRecords
from dpdesk.data.formats.packed import SIGNATURE
from dpdesk.data.formats.spreadsheets import Excel, OpenDocument
from dpdesk.data.formats.statistics_packages import Sas, SasTransport, Spss, SpssPortable, Stata
from dpdesk.data.source import Source
from dpdesk.data.table import SurveyTable
from dpdesk.data.texts import T
from dpdesk.errors import InputError, ParameterError
from dpdesk.i18n import N_

DELIMITED = "delimited"
"""The word for delimited text on the command line; a reading has none for it."""


class DelimitedText(TableFormat):
    """CSV, TSV and similar files: their bytes unchanged, read piece by piece."""

    title = N_("Delimited text")
    endings = (".csv", ".tsv", ".tab", ".txt", ".dat")
    writers = (CsvRecords,)
    parts = frozenset({"encoding", "delimiter", "decimal", "quote", "header_rows", "platform"})
    reads_lines = True

    @classmethod
    def recognises(cls, raw: bytes) -> bool:
        return True

    @classmethod
    def table(cls, file: FileContent) -> SurveyTable:
        refuse_foreign_format(file.source)
        return file.as_text(file.source)


TABLE_FORMATS: tuple[type[TableFormat], ...] = (
    DelimitedText,
    FixedWidth,
    Spss,
    SpssPortable,
    Stata,
    Sas,
    SasTransport,
    Excel,
    OpenDocument,
    Parquet,
    Feather,
    JsonRecords,
)
"""Every supported format. A new one needs its file and an entry here; the last that recognises a
file reads it."""


def endings() -> frozenset[str]:
    """Returns what the names of tables end with, in small letters."""
    return frozenset(ending for kind in TABLE_FORMATS for ending in kind.endings)


def beginning_of(source: Source) -> bytes:
    """Returns the bytes that formats are recognised by: all of an archive, whose list is last."""
    return source.whole if source.head.startswith(SIGNATURE) else source.head


def format_of(raw: bytes) -> type[TableFormat]:
    """Returns the format of a file, by its first bytes."""
    return next(kind for kind in reversed(TABLE_FORMATS) if kind.recognises(raw))


def format_by_ending(path: PurePath) -> type[TableFormat]:
    """Returns the format that the ending of a file's name says; delimited text where it says none.

    No answer moves it, so that a release may go by it.
    """
    said = (kind for kind in TABLE_FORMATS if path.suffix.lower() in kind.endings)
    return next(said, format_named(DELIMITED))


def format_named(word: str) -> type[TableFormat]:
    """Returns the format of a word as a reading or the command line has it, in any case.

    Raises:
        ParameterError: There is no such format.
    """
    wanted = word.casefold().replace("-", " ")
    wanted = "" if wanted == DELIMITED else wanted
    for kind in TABLE_FORMATS:
        if kind.key.casefold() == wanted:
            return kind
    raise ParameterError(T.UNKNOWN_FORMAT(known=[*map(word_of, TABLE_FORMATS)]))


def word_of(kind: type[TableFormat]) -> str:
    """Returns the word of a format on the command line."""
    return kind.key.replace(" ", "-") or DELIMITED


def require_format(source: Source, word: str) -> type[TableFormat]:
    """Returns the format that a reading names, unless a file has another.

    Raises:
        InputError: The file is of another format.
        ParameterError: There is no such format.
    """
    wanted, found = format_named(word), format_of(beginning_of(source))
    if wanted.key == found.key:
        return found
    if wanted.reads_any_text and not found.key:
        return wanted
    kinds = word_of(found), word_of(wanted)
    raise InputError(T.OTHER_FORMAT(file=source.name, found=kinds[0], wanted=kinds[1]))


def formats_beside(format_key: str) -> tuple[str, ...]:
    """Returns the words of what somebody wants back who brought a file of a format.

    Args:
        format_key: The format as a reading has it; empty for delimited text.
    """
    own = (kind.writers for kind in TABLE_FORMATS if kind.key == format_key)
    asked = (kind.word() for writers in own for kind in writers if kind.is_asked)
    # A format that is written in several ways, such as .sav and .zsav, has the usual one first.
    return tuple(asked)[:1]
