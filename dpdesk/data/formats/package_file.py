"""Reads a file of a statistics package, with what it says of its columns.

pyreadstat reads them as lists of Python's own numbers and texts. So a file is read in pieces of
some million cells, each of which is encoded before the next is read.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar, cast

import numpy as np
import pyarrow as pa

from dpdesk.data.column_description import ColumnDescription, Level, codes_of_no_answer
from dpdesk.data.formats.base import (
    CellFormat,
    FileContent,
    FileTable,
    column_of,
    require_columns,
)
from dpdesk.data.formats.number_cells import (
    NumberText,
    encoded_numbers,
    encoded_texts,
    number_text,
    single_text,
)
from dpdesk.data.formats.spss_head import SpssHead
from dpdesk.data.formats.texts import T
from dpdesk.data.joined_question import JoinedColumns, common_options
from dpdesk.data.missing_codes import CodeRange
from dpdesk.data.source import Tick
from dpdesk.errors import DpdeskError, InputError
from dpdesk.i18n import Message, Text, quoted

_CELLS = 1 << 22
"""Cells of a piece: about 130 MB while they are Python's own numbers."""

_UNCOUNTED_ROWS = 100_000
"""Rows that pyreadstat prepares for where a file does not state their number."""

_FARTHEST = 10.0**14
"""Ends of a range of codes beyond here mean no end: SPSS writes LOWEST and HIGHEST so."""


class PackageFile(CellFormat):
    """A file of a statistics package; each kind names its reader and what its numbers mean."""

    reader: ClassVar[str]
    """Name of the function of pyreadstat that reads it."""
    program: ClassVar[str]
    """The program that writes it."""
    tags: ClassVar[str] = ""
    """Letters of the extended missing values that a number of the program can have."""
    parts = frozenset({"encoding"})
    reads_apart = True
    unread: ClassVar[tuple[Text, ...]] = ()
    """What a file may say that is not read."""

    @staticmethod
    @abstractmethod
    def text_of(display: str, /) -> NumberText | None:
        """Returns what writes the numbers of a column with a display format; None for digits."""

    @classmethod
    def head(cls, raw: bytes) -> SpssHead:
        """Returns what pyreadstat does not read of the file's head."""
        return SpssHead()

    @classmethod
    def is_locked(cls, raw: bytes) -> bool:
        """Whether only a password opens a file."""
        return False

    @classmethod
    def mended(cls, raw: bytes, encoding: str) -> bytes:
        """Returns a file whose head does not say what would lose its answers.

        Args:
            raw: The file.
            encoding: The encoding that is declared.
        """
        return raw

    @classmethod
    def is_whole(cls, raw: bytes) -> bool:
        """Whether a file ends as its format does, as far as that can be told."""
        return True

    @classmethod
    def cells(cls, file: FileContent) -> FileTable:
        if cls.is_locked(file.raw):
            raise InputError(T.LOCKED(file=file.name))
        return _Package(cls, file).table(cls.head(file.raw))


@dataclass(frozen=True)
class _Package:
    """One reading of a file."""

    kind: type[PackageFile]
    file: FileContent

    def table(self, head: SpssHead) -> FileTable:
        """Reads the file."""
        if not self.kind.is_whole(self.file.raw):
            raise InputError(T.DAMAGED(file=self.file.name))
        _, meta = self._read(metadataonly=True)
        names = tuple(meta.column_names)
        require_columns(len(names), self.file.name)
        columns = [_Column(self.kind, meta, name) for name in names]
        pieces: list[list[pa.DictionaryArray]] = [[] for _ in names]
        rows = 0
        for piece in self._pieces(meta):
            taken = {len(cells) for cells in piece.values()}
            for place, name in enumerate(names):
                pieces[place].append(columns[place].encoded(piece.pop(name)))
            rows += taken.pop()
        stated = meta.number_rows
        if stated is not None and rows != stated:
            raise InputError(T.DAMAGED(file=self.file.name))
        described = {column.name: column.described(head) for column in columns}
        return FileTable(
            columns=tuple(
                column_of(name, found, self.file.name, place)
                for place, (name, found) in enumerate(zip(names, pieces, strict=True), start=1)
            ),
            rows=rows,
            described=described,
            **self._questions(meta, head, described),
        )

    def _pieces(self, meta: Any) -> Iterator[dict[str, list[Any]]]:
        """Yields the cells of some rows each, by column."""
        names, stated = meta.column_names, meta.number_rows
        if stated is None:
            yield self._uncounted(names)
            return
        step = max(1, _CELLS // len(names))
        for start in range(0, stated, step):
            found, _ = self._read(row_offset=start, row_limit=min(step, stated - start))
            yield found

    def _uncounted(self, names: Sequence[str]) -> dict[str, list[Any]]:
        """Returns all cells of a file that does not state its records; some columns at a time."""
        step = max(1, 2 * _CELLS // _UNCOUNTED_ROWS)
        whole: dict[str, list[Any]] = {}
        for start in range(0, len(names), step):
            found, _ = self._read(usecols=list(names[start : start + step]))
            whole |= found
        return whole

    def _read(self, **wanted: Any) -> tuple[dict[str, list[Any]], Any]:
        import pyreadstat

        self.file.tick()
        encoding = self.file.reading.encoding
        source = _Source(self.kind.mended(self.file.raw, encoding), self.file.tick)
        options = {"output_format": "dict", "disable_datetime_conversion": True} | wanted
        if self.kind.reader not in ("read_por", "read_xport"):
            options["user_missing"] = True
        if "encoding" in self.kind.parts and encoding != "utf-8":
            options["encoding"] = encoding
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                found, meta = getattr(pyreadstat, self.kind.reader)(source, **options)
        except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError) as error:
            refused = self._refusal(str(error))
        except UnicodeDecodeError:
            refused = self._refusal("encoding")
        except (Warning, ValueError, OverflowError):
            refused = T.DAMAGED(file=self.file.name)
        else:
            return cast("dict[str, list[Any]]", found), meta
        # Outside the handler: the library's own error may quote the file.
        raise InputError(refused) if source.stopped is None else source.stopped

    def _refusal(self, reason: str) -> Message:
        """Returns the refusal of a file that pyreadstat does not read."""
        has_encoding = "encoding" in self.kind.parts
        if has_encoding and any(
            word in reason for word in ("encoding", "convert", "character set")
        ):
            return T.WRONG_ENCODING(file=self.file.name)
        if "version" in reason or "not supported" in reason:
            return T.OTHER_VERSION(file=self.file.name, program=self.kind.program)
        return T.DAMAGED(file=self.file.name)

    def _questions(
        self, meta: Any, head: SpssHead, described: dict[str, ColumnDescription]
    ) -> dict[str, Any]:
        """The questions that the file declares, notices of those that are not joined."""
        made: list[JoinedColumns] = []
        left: list[str] = []
        taken: set[str] = set()
        for name, found in meta.mr_sets.items():
            columns = [head.column(short, meta.column_names) for short in found["variable_list"]]
            question = _question(name, found, columns, described)
            if question is None or taken & set(question.in_file) or name in meta.column_names:
                left.append(name)
                continue
            taken |= set(question.in_file)
            described[name] = ColumnDescription(label=found["label"])
            made.append(question)
        notices = (T.SETS_NOT_JOINED(questions=quoted(left)),) if left else ()
        return {
            "questions": tuple(made),
            "notices": (*notices, *(text() for text in self.kind.unread)),
        }


def _question(
    name: str,
    found: Mapping[str, Any],
    columns: Sequence[str | None],
    described: Mapping[str, ColumnDescription],
) -> JoinedColumns | None:
    """A set of ticks as a question with several answers; None for one that cannot be."""
    names = [column for column in columns if column is not None]
    if not found["is_dichotomy"] or found["counted_value"] is None or len(names) < len(columns):
        return None
    ticked = str(found["counted_value"])
    labelled = dict.fromkeys(value for column in names for value in described[column].values)
    codes = {token for column in names for token in described[column].missing.tokens}
    others = tuple(value for value in labelled if value != ticked and value not in codes)
    return JoinedColumns.suggested(
        name=name,
        columns=tuple(names),
        options=common_options(names),
        ticked=(ticked,),
        # A cell without a label is an option that was not ticked: SPSS counts one value.
        unticked=others or tuple(text for text in ("0", "") if text != ticked),
    )


@dataclass(frozen=True)
class _Column:
    """One column of a file."""

    kind: type[PackageFile]
    meta: Any
    name: str

    def encoded(self, cells: list[Any]) -> pa.DictionaryArray:
        """Returns cells as texts."""
        if self._is_text:
            return encoded_texts(["" if cell is None else cell for cell in cells])
        try:
            return encoded_numbers(np.array(cells, dtype=np.float64), self._text)
        except ValueError:
            # A letter is an extended missing value.
            values = [np.nan if isinstance(cell, str) else cell for cell in cells]
            tags = [f".{cell}" if isinstance(cell, str) else "" for cell in cells]
            return encoded_numbers(np.array(values, dtype=np.float64), self._text, tags)

    def described(self, head: SpssHead) -> ColumnDescription:
        """Returns what the file says of the column."""
        labels = self.meta.variable_value_labels.get(self.name, {})
        values = {self._value(value): label.strip() for value, label in labels.items()}
        tokens, ranges = self._missing()
        if not self._is_text:
            tokens += [f".{value}" for value in labels if isinstance(value, str)]
        measure = self.meta.variable_measure.get(self.name, "")
        return ColumnDescription(
            label=(self.meta.column_names_to_labels.get(self.name) or "").strip(),
            values={text: label for text, label in values.items() if text and label},
            missing=codes_of_no_answer(tokens, ranges, values),
            always_missing=() if self._is_text else tuple(f".{tag}" for tag in self.kind.tags),
            level=cast("Level", measure if measure in ("nominal", "ordinal", "scale") else ""),
            is_weight=head.weight == self.name,
        )

    @property
    def _is_text(self) -> bool:
        return bool(self.meta.readstat_variable_types[self.name] == "string")

    @property
    def _text(self) -> NumberText:
        special = self.kind.text_of(self.meta.original_variable_types.get(self.name) or "")
        if special is not None:
            return special
        is_single = self.meta.readstat_variable_types[self.name] == "float"
        return single_text if is_single else number_text

    def _value(self, value: object) -> str:
        """The text of a labelled value in a cell."""
        if isinstance(value, str):
            return value.rstrip() if self._is_text else f".{value}"
        return self._text(float(cast("float", value)))

    def _missing(self) -> tuple[list[str], list[CodeRange]]:
        """Codes and ranges of codes that the file declares to be no answer."""
        tokens: list[str] = []
        ranges: list[CodeRange] = []
        for found in self.meta.missing_ranges.get(self.name, []):
            lower, upper = found["lo"], found["hi"]
            if isinstance(lower, str) or lower == upper:
                tokens.append(self._value(lower))
            else:
                ranges.append(CodeRange(lower=_end(lower), upper=_end(upper)))
        return tokens, ranges


def _end(number: float) -> Decimal | None:
    return Decimal(number_text(number)) if abs(number) < _FARTHEST else None


class _Source:
    """The bytes of a file as pyreadstat reads them.

    Being Python's own code, it lets other threads run, such as that of the window, while the
    library reads.
    """

    def __init__(self, raw: bytes, tick: Tick) -> None:
        self._raw = memoryview(raw)
        self._tick: Callable[[], None] = tick
        self._at = 0
        self.stopped: DpdeskError | None = None
        """What a tick raised; the library takes it for a failure of reading."""

    def read(self, size: int) -> bytes:
        """Returns the next bytes."""
        try:
            self._tick()
        except DpdeskError as error:
            self.stopped = error
            raise
        piece = self._raw[self._at : self._at + size].tobytes()
        self._at += len(piece)
        return piece

    def seek(self, offset: int, whence: int = 0) -> int:
        """Goes to a place, from the beginning, from here or from the end."""
        start = (0, self._at, len(self._raw))[whence]
        self._at = max(0, start + offset)
        return self._at

    def tell(self) -> int:
        """Returns the place."""
        return self._at
