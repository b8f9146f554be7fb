"""The table of a survey: text as it was read, dictionary-encoded, nothing interpreted.

A column stores each distinct answer once and one code per respondent, in as few bytes as that
needs. What is larger than memory is on disk, codes (`Spool`) as well as distinct answers
(`ManyTexts`): whoever would make an array of all of them goes over `chunks` or `distinct_pieces`.
Everything that depends on an answer's text (suggestions, encoding by a declared domain) works on
the distinct answers and is then mapped through the codes, so that its cost grows with them and not
with the number of respondents.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.data.column_description import ColumnDescription
from dpdesk.data.joined_question import JoinedColumns
from dpdesk.data.number_texts import NumberTexts, read_numbers
from dpdesk.data.reading import Reading
from dpdesk.data.spool import Codes, chunked_values, code_type, counted_codes, scratch
from dpdesk.data.tabular import Tabular, distinct_values
from dpdesk.domains import AnyDomain, NumericDomain
from dpdesk.numbers.arrays import pieces_of

Counts = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_CODE_TYPES = frozenset(code_type(most) for most in (1 << 8, 1 << 16, 1 << 31))

_KEPT_NUMBERS = 10_000
"""Numbers of so many distinct answers are cached; of a longer column they double its memory."""

SAMPLE_ROWS = 1 << 20
"""Of more different answers, a sample of so many rows tells what kind a column holds."""

_RUNS = 64
"""Runs of rows, spread over a file, that a sample consists of."""

_ENDS_SHARE = 256
"""One of so many rows of a sample is one of the least numbers, and one of the largest."""

_TEXTS_TOGETHER = 1 << 16
"""Distinct answers that are looked at together where all would take much memory."""


class TextColumn:
    """One question: its name and every respondent's answer as text.

    Args:
        name: Name of the column, unique within its table.
        codes: Position of each respondent's answer in `dictionary`; shape (n,), no negatives;
            uint8, uint16 or int32, which may stand on disk. Reckoning with them needs a wider type.
        dictionary: The distinct answers, a pyarrow array of text without nulls or repetitions.
    """

    def __init__(self, name: str, codes: Codes, dictionary: pa.Array) -> None:
        self.name = name
        # A view, so that freezing it leaves the array of the caller as it was.
        kind: npt.DTypeLike = codes.dtype if codes.dtype in _CODE_TYPES else np.int32
        self.codes: Codes = np.ascontiguousarray(codes, dtype=kind).view()
        self.codes.flags.writeable = False
        self._dictionary = dictionary
        self._numbers: dict[str, NumberTexts] = {}
        self._on_grid: dict[Hashable, npt.NDArray[np.float64]] = {}
        self._among: dict[tuple[str, ...], Flags] = {}
        self._samples: dict[str, tuple[TextColumn, npt.NDArray[np.int64]]] = {}

    @classmethod
    def from_texts(cls, name: str, texts: Iterable[str]) -> TextColumn:
        """A column from one text per respondent."""
        return cls.from_arrow(name, pa.array(list(texts), type=pa.string()).dictionary_encode())

    @classmethod
    def from_arrow(cls, name: str, encoded: pa.DictionaryArray) -> TextColumn:
        """A column from a dictionary-encoded pyarrow array without nulls."""
        codes = encoded.indices.to_numpy(zero_copy_only=False)
        return cls(name, codes.astype(code_type(len(encoded.dictionary))), encoded.dictionary)

    @classmethod
    def from_chunks(cls, name: str, chunks: pa.ChunkedArray) -> TextColumn:
        """A column from dictionary-encoded pieces without nulls, one after the other."""
        unified = chunks.unify_dictionaries()
        dictionary = (
            unified.chunk(0).dictionary if unified.num_chunks else pa.array([], pa.string())
        )
        codes = np.empty(len(unified), dtype=code_type(len(dictionary)))
        filled = 0
        for chunk in unified.chunks:
            codes[filled : filled + len(chunk)] = chunk.indices.to_numpy(zero_copy_only=False)
            filled += len(chunk)
        return cls(name, codes, dictionary)

    def chunks(self) -> Iterator[Codes]:
        """Yields the codes of some respondents after the other, in their order."""
        for rows in pieces_of(self.rows):
            yield self.codes[rows]

    def encoded(self, rows: slice) -> pa.DictionaryArray:
        """Returns the answers of some respondents; of a long dictionary only those that occur."""
        codes = pa.array(self.codes[rows])
        if self.distinct_count <= len(codes):
            return pa.DictionaryArray.from_arrays(codes, self._dictionary)
        return self._answers_of(codes.dictionary_encode())

    def _answers_of(self, encoded: pa.DictionaryArray) -> pa.DictionaryArray:
        """The answers of which these are the codes, each distinct one once."""
        texts = self._dictionary.take(encoded.dictionary)
        return pa.DictionaryArray.from_arrays(encoded.indices, texts)

    @property
    def rows(self) -> int:
        """Number of respondents."""
        return len(self.codes)

    @cached_property
    def distinct(self) -> list[str]:
        """The distinct answers; the code of an answer is its position. Do not modify."""
        texts: list[str] = self._dictionary.to_pylist()
        return texts

    def distinct_at(self, places: slice) -> list[str]:
        """Some of the distinct answers; unlike `distinct` it holds no others."""
        if places.start == 0 and places.stop >= self.distinct_count:
            return self.distinct
        texts: list[str] = self._dictionary[places].to_pylist()
        return texts

    def each_distinct(self) -> Iterator[str]:
        """Yields the distinct answers; unlike `distinct` it holds some of them alone."""
        for _, texts in self.distinct_pieces():
            yield from texts.to_pylist()

    def distinct_pieces(self) -> Iterator[tuple[slice, pa.Array]]:
        """Yields the distinct answers some at a time, in their order: their places, and texts."""
        for some in pieces_of(self.distinct_count, _TEXTS_TOGETHER):
            yield some, self._dictionary[some]

    @property
    def dictionary(self) -> pa.Array:
        """The distinct answers as pyarrow holds them, in the order of `distinct`."""
        return self._dictionary

    @property
    def distinct_count(self) -> int:
        """Number of distinct answers, without building their list."""
        return len(self._dictionary)

    @cached_property
    def counts(self) -> Counts:
        """Number of respondents for each distinct answer; int64, shape (distinct_count,)."""
        return counted_codes(self.chunks(), self.distinct_count, self.name)

    def rows_with(self, flags: Flags) -> int:
        """Returns how many respondents gave one of the distinct answers that are flagged."""
        return sum(int(self.counts[some] @ flags[some]) for some in pieces_of(len(flags)))

    def first_rows(self, flags: Flags, most: int) -> list[int]:
        """Returns the first respondents who gave some answers, the first of all being 0.

        Args:
            flags: Which distinct answers these are, shape (distinct_count,).
            most: How many are asked for.
        """
        found: list[int] = []
        for some in pieces_of(self.rows):
            places = np.flatnonzero(flags[self.codes[some]])[: most - len(found)]
            found += (places + some.start).tolist()
            if len(found) >= most:
                break
        return found

    def of_records(self, flags: Flags) -> TextColumn:
        """Returns the answers of some records, with the answers that occur among them alone.

        Args:
            flags: Which records these are, shape (n,).
        """
        kept = pa.array(self.codes[flags]).dictionary_encode()
        return TextColumn.from_arrow(self.name, self._answers_of(kept))

    def sample_of_rows(self, decimal: str) -> tuple[TextColumn, npt.NDArray[np.int64] | slice]:
        """Returns the rows by which it is judged what kind of answers these are.

        These are all of them, the column itself. Of one with more than a million different answers
        it is a sample of a million rows, in runs from all parts of the file, with some of the least
        and of the largest numbers of all (the outermost can be codes of no answer), and an empty
        cell if there is one.

        Args:
            decimal: Decimal mark of the numbers.

        Returns:
            The sample as a column, and the place of each of its distinct answers among those of
            this one.
        """
        if self.distinct_count <= SAMPLE_ROWS:
            return self, slice(None)
        if decimal not in self._samples:
            blank = np.flatnonzero(self.blank)
            more = np.concatenate([blank[self.counts[blank] > 0][:1], self._ends(decimal)])
            some = self.codes[_in_runs(self.rows, SAMPLE_ROWS - more.size)]
            codes = np.concatenate([some, more[~np.isin(more, some)]])
            kept = pa.array(codes).dictionary_encode()
            places = kept.dictionary.to_numpy(zero_copy_only=False).astype(np.int64)
            rows = TextColumn.from_arrow(self.name, self._answers_of(kept))
            self._samples[decimal] = rows, places
        return self._samples[decimal]

    def _ends(self, decimal: str) -> npt.NDArray[np.int64]:
        """The codes of the least and the largest numbers; none where there are no numbers."""
        most = max(1, SAMPLE_ROWS // _ENDS_SHARE)
        values, codes = np.empty(0), np.empty(0, dtype=np.int64)
        for some, texts in self.distinct_pieces():
            numbers = read_numbers(texts, decimal)
            places = np.flatnonzero(numbers.is_number & (self.counts[some] > 0))
            values = np.concatenate([values, numbers.values[places]])
            codes = np.concatenate([codes, places + some.start])
            order = np.argsort(values, kind="stable")
            if order.size > 2 * most:
                order = np.concatenate([order[:most], order[-most:]])
            values, codes = values[order], codes[order]
        return codes

    def emptied(self, flags: Flags) -> TextColumn:
        """Returns the column with empty cells in place of some of its answers.

        Args:
            flags: Which distinct answers these are, shape (distinct_count,).
        """
        if not flags.any():
            return self
        stays = [bool(t) and not f for t, f in zip(self.distinct, flags.tolist(), strict=True)]
        kept = [text for text, stay in zip(self.distinct, stays, strict=True) if stay]
        place = np.where(stays, np.cumsum(stays) - 1, len(kept)).astype(np.int32)
        return self._recoded(place, pa.array([*kept, ""], type=pa.string()))

    def among(self, texts: Iterable[str]) -> Flags:
        """Which distinct answers are among some texts; bool, shape (distinct_count,)."""
        wanted = tuple(texts)
        if wanted in self._among:
            return self._among[wanted].copy()
        values = pa.array(wanted, type=self._dictionary.type)
        found = self._flags(lambda some: pc.is_in(some, value_set=values))
        if self.distinct_count <= _KEPT_NUMBERS:
            self._among[wanted] = found.copy()
        return found

    def holding(self, piece: str) -> Flags:
        """Which distinct answers hold a text; bool, shape (distinct_count,)."""
        return self._flags(lambda some: pc.match_substring(some, piece))

    def matching(self, pattern: str) -> Flags:
        """Which distinct answers fit a regular expression; bool, shape (distinct_count,)."""
        return self._flags(lambda some: pc.match_substring_regex(some, pattern))

    @cached_property
    def blank(self) -> Flags:
        """Which distinct answers are empty or only blanks; bool, shape (distinct_count,)."""
        found = self._flags(lambda some: pc.or_(pc.equal(some, ""), pc.utf8_is_space(some)))
        found.flags.writeable = False
        return found

    def numbers(self, decimal: str) -> NumberTexts:
        """The distinct answers as numbers with this decimal mark."""
        found = self._numbers.get(decimal)
        if found is None:
            found = read_numbers(self._dictionary, decimal)
            if self.distinct_count <= _KEPT_NUMBERS:
                self._numbers[decimal] = found
        return found

    def on_grid(self, domain: NumericDomain, decimal: str) -> npt.NDArray[np.float64]:
        """The distinct answers on the scale of a grid of numbers or dates, NaN for no such answer.

        Args:
            domain: The grid.
            decimal: Decimal mark of plain numbers.

        Returns:
            float64, shape (distinct_count,).
        """
        how = domain.how_cells_are_read
        if how is None:
            return self.numbers(decimal).values
        found = self._on_grid.get(how)
        if found is None:
            pieces = self.distinct_pieces()
            numbers = (domain.numbers_in(texts.to_pylist(), decimal) for _, texts in pieces)
            found = chunked_values(numbers, np.dtype(np.float64), self.name)
            found.flags.writeable = False
            if self.distinct_count <= _KEPT_NUMBERS:
                self._on_grid[how] = found
        return found

    def in_digits(self, domain: NumericDomain, decimal: str) -> TextColumn:
        """The column with dates and marked numbers as numbers of their unit; others as they are.

        Args:
            domain: The grid that its cells are read by.
            decimal: Decimal mark of the numbers.
        """
        if domain.how_cells_are_read is None:
            return self
        told = zip(self.distinct, self.on_grid(domain, decimal).tolist(), strict=True)
        number_of = {
            text: text if number != number else f"{number:.15g}".replace(".", decimal)
            for text, number in told
        }
        return self.mapped(number_of.__getitem__)

    def as_declared(self, domain: AnyDomain) -> TextColumn:
        """The column with each distinct answer as its domain writes it; none of them is merged."""
        cells = domain.canonical(self.distinct)
        if cells is self.distinct:
            return self
        return TextColumn(self.name, self.codes, pa.array(cells, type=self._dictionary.type))

    def text(self, row: int) -> str:
        """The answer of one respondent, exactly as in the file."""
        answer: str = self._dictionary[int(self.codes[row])].as_py()
        return answer

    def texts(self) -> list[str]:
        """All answers in the order of the file; one string object per respondent."""
        texts: list[str] = pc.take(self._dictionary, pa.array(self.codes)).to_pylist()
        return texts

    def renamed(self, name: str) -> TextColumn:
        """Returns the column under another name."""
        return TextColumn(name, self.codes, self._dictionary)

    def mapped(self, change: Callable[[str], str]) -> TextColumn:
        """The column with `change` applied to each distinct answer.

        Answers that become equal share a code afterwards.
        """
        changed = [change(text) for text in self.distinct]
        if changed == self.distinct:
            return self
        merged = pa.array(changed, type=self._dictionary.type).dictionary_encode()
        recode = merged.indices.to_numpy(zero_copy_only=False)
        return self._recoded(recode, merged.dictionary)

    def _recoded(self, place: npt.NDArray[np.int32], dictionary: pa.Array) -> TextColumn:
        """The column with each distinct answer at its place in another dictionary."""
        return TextColumn(self.name, self.codes_by(place, len(dictionary)), dictionary)

    def codes_by(self, code_of: npt.NDArray[np.integer[Any]], codes: int) -> Codes:
        """Returns a code of each respondent, on disk where they take much room.

        Args:
            code_of: The code of each distinct answer, shape (distinct_count,); none is below 0.
            codes: How many codes there are.
        """
        pieces = (code_of[chunk] for chunk in self.chunks())
        return chunked_values(pieces, code_type(codes), self.name)

    def _flags(self, holds: Callable[[pa.Array], pa.Array]) -> Flags:
        """Of which distinct answers something holds; they may be written."""
        found: Flags = scratch(self.distinct_count, np.dtype(np.bool_), self.name)
        for some, texts in self.distinct_pieces():
            found[some] = holds(texts).to_numpy(zero_copy_only=False)
        return found

    @property
    def text_bytes(self) -> int:
        """Bytes of all answers in UTF-8, one after the other."""
        return sum(
            int(pc.binary_length(texts).to_numpy().astype(np.int64) @ self.counts[some])
            for some, texts in self.distinct_pieces()
        )

    @property
    def longest_text_bytes(self) -> int:
        """Bytes of the longest distinct answer in UTF-8."""
        pieces = (texts for _, texts in self.distinct_pieces())
        return max((pc.max(pc.binary_length(texts)).as_py() for texts in pieces), default=0)

    @property
    def nbytes(self) -> int:
        """Memory held by the codes and the distinct answers, in bytes."""
        return int(self.codes.nbytes) + int(self._dictionary.nbytes)

    def __repr__(self) -> str:
        # Without any answer: a representation ends up in tracebacks and logs.
        return f"TextColumn({self.name!r}, rows={self.rows}, distinct={self.distinct_count})"


def _in_runs(rows: int, most: int) -> npt.NDArray[np.int64]:
    """Returns so many rows in runs that are spread evenly: files are sorted, or filled in part."""
    # There may be more texts than rows.
    most = min(most, rows)
    length = max(1, most // _RUNS)
    gap = (rows - most) // max(1, -(-most // length))
    place = np.arange(most)
    return place + place // length * gap


@dataclass(frozen=True, eq=False, repr=False)
class SurveyTable(Tabular):
    """The answers of a survey: one row per respondent, one column per question.

    Attributes:
        columns: The columns in the order of the file; at least one, names unique.
        rows: Number of respondents, the length of every column.
        reading: How the file was read.
        name: Name of the file, without its folder.
        is_reading_found: Whether part of the reading was detected from the file, so that it
            depends on every answer in it; a release needs a declared one.
        notices: Notices about the reading, as full sentences without answers.
        source: The table as the file has it, where columns were joined to questions; else None.
        described: What the file says of its columns, by their names.
        declared: Questions that the file declares to be made of several columns.
    """

    columns: tuple[TextColumn, ...]
    rows: int
    reading: Reading = field(default_factory=Reading)
    name: str = "table"
    is_reading_found: bool = False
    notices: tuple[str, ...] = ()
    source: SurveyTable | None = None
    described: Mapping[str, ColumnDescription] = field(default_factory=dict)
    declared: tuple[JoinedColumns, ...] = ()

    def __post_init__(self) -> None:
        if not self.columns:
            raise ValueError("A table needs at least one column.")
        if len(set(self.names)) != len(self.columns):
            raise ValueError("The names of a table's columns must differ.")
        if any(column.rows != self.rows for column in self.columns):
            raise ValueError("The columns of a table must have one answer per respondent.")

    @property
    def in_file(self) -> SurveyTable:
        """The table with the columns of the file, none of them joined."""
        return self if self.source is None else self.source

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the columns in the order of the file."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: position for position, name in enumerate(self.names)}

    def to_arrow(self) -> pa.Table:
        mark = self.reading.decimal
        listed = ((c, distinct_values(c.numbers(mark), c.blank)) for c in self.columns)
        return pa.table({c.name: values.take(pa.array(c.codes)) for c, values in listed})

    def displayed(self) -> pa.Table:
        # Without any answer: this ends up in tracebacks and logs.
        counts = [column.distinct_count for column in self.columns]
        return pa.table({"column": self.names, "different_answers": counts})

    def column(self, name: str) -> TextColumn:
        """The column of that name.

        Raises:
            KeyError: There is no such column.
        """
        return self.columns[self._positions[name]]

    def of_records(self, flags: Flags) -> SurveyTable:
        """Returns the table of some records, as if no other had been in the file.

        Args:
            flags: Which records these are, shape (n,).
        """
        columns = tuple(column.of_records(flags) for column in self.columns)
        return replace(self, columns=columns, rows=int(np.count_nonzero(flags)), source=None)

    def text(self, row: int, column_index: int) -> str:
        """The answer of one respondent to one question, exactly as in the file."""
        return self.columns[column_index].text(row)

    @property
    def nbytes(self) -> int:
        """Memory held by all columns, in bytes."""
        return sum(column.nbytes for column in self.columns)


def table_from_texts(
    columns: dict[str, Sequence[str]], *, decimal: Literal[".", ","] = ".", name: str = "table"
) -> SurveyTable:
    """A table from the texts of each column, all of one length, that are already in memory."""
    encoded = tuple(TextColumn.from_texts(key, texts) for key, texts in columns.items())
    rows = encoded[0].rows if encoded else 0
    return SurveyTable(encoded, rows, Reading(decimal=decimal), name)
