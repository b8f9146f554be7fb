"""The formats that the records of a release are written in, and which of them a release has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dpdesk.data.formats.columnar_writer import FeatherRecords, ParquetRecords
from dpdesk.data.formats.csv_writer import CsvRecords
from dpdesk.data.formats.excel_writer import ExcelRecords
from dpdesk.data.formats.spss_writer import CompressedSpssRecords, SpssRecords
from dpdesk.data.formats.stata_writer import StataRecords
from dpdesk.data.output_fields import OutputField, RecordFile
from dpdesk.data.written_column import WrittenColumn
from dpdesk.errors import ParameterError, ReleaseError
from dpdesk.i18n import Message

RECORD_FILES: tuple[type[RecordFile], ...] = (
    CsvRecords,
    ParquetRecords,
    SpssRecords,
    CompressedSpssRecords,
    StataRecords,
    ExcelRecords,
    FeatherRecords,
)
"""Every format of released records, in the order of lists. Adding one is a class and a word, and
the name of the class where the format is read (`TableFormat.writers`)."""


def record_files(words: Iterable[str] = ()) -> tuple[type[RecordFile], ...]:
    """Returns the formats of a release: those of every one, and those that are asked for.

    Args:
        words: What is asked for, such as "sav".
    """
    asked = set(words)
    return tuple(kind for kind in RECORD_FILES if not kind.is_asked or kind.word() in asked)


def known_word(word: str) -> str:
    """Returns the word of a format of records in small letters, without a point in front.

    Raises:
        ParameterError: There is no such format.
    """
    wanted = word.strip().lower().removeprefix(".")
    if wanted not in (known := [kind.word() for kind in RECORD_FILES]):
        raise ParameterError(
            "Records are not written in a format of this name.", remedy=f"Use: {', '.join(known)}."
        )
    return wanted


def deciding_texts(files: Iterable[type[RecordFile]], column: WrittenColumn) -> Iterator[str]:
    """Yields texts of a copied column by which some formats are written as by all, each once."""
    found = {text for kind in files for text in kind.deciding_texts(column)}
    yield from found


def require_fit(
    files: Iterable[type[RecordFile]], columns: Sequence[WrittenColumn], rows: int
) -> None:
    """Refuses records that do not fit a format, before anything is charged.

    Raises:
        ReleaseError: The sentence names the file, and the column where it is one.
    """
    for refusal in unfit_files(files, columns, rows):
        raise ReleaseError(refusal)


def unfit_files(
    files: Iterable[type[RecordFile]], columns: Sequence[WrittenColumn], rows: int
) -> Iterator[Message]:
    """Yields of each format that cannot hold some records why not.

    Args:
        files: The formats.
        columns: What is said of the columns; texts that are not known yet may be left out.
        rows: Number of records; 0 where it is not known yet.
    """
    for kind in files:
        if (refusal := kind.refusal(columns, rows)) is not None:
            yield refusal


def most_bytes(field: OutputField, rows: int, files: Iterable[type[RecordFile]]) -> int:
    """Returns the most bytes that a field can take in all files of a release together."""
    return sum(kind.most_bytes(field, rows) for kind in files)
