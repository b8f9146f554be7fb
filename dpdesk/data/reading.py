"""How a file of answers is read: decided once, public, part of the plan.

A property that a program detects by looking at the whole file depends on every respondent: one cell
can turn a decimal comma into a separator of thousands, and so change everybody's income. So a
release reads by a `Reading` that is fixed beforehand, and detects nothing.
"""

from __future__ import annotations

import codecs
import re
import shlex
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from dpdesk.data.joined_question import JoinedColumns, JoinedRows
from dpdesk.data.missing_codes import codes_text
from dpdesk.data.texts import T
from dpdesk.errors import ParameterError

POSITION_MAX = 1_000_000
"""Last position of a line that a column can have."""


class LayoutField(BaseModel):
    """One column.

    Attributes:
        name: Its name.
        start: Its first position in a line, from 1.
        width: Positions that it takes.
        label: The question, or a longer name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(min_length=1, max_length=1000)]
    start: Annotated[int, Field(ge=1, le=POSITION_MAX, strict=True)]
    width: Annotated[int, Field(ge=1, le=POSITION_MAX, strict=True)]
    label: Annotated[str, Field(max_length=1000, exclude_if=lambda label: not label)] = ""

    @model_validator(mode="after")
    def _ends_in_the_line(self) -> LayoutField:
        if self.end > POSITION_MAX:
            raise ParameterError(T.ENDS_BEHIND(name=self.name, most=POSITION_MAX))
        return self

    @property
    def end(self) -> int:
        """Its last position."""
        return self.start + self.width - 1


DELIMITERS: dict[str, str] = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
"""The delimiters that are recognised, with their names."""

FIXED_WIDTH = "fixed width"
"""The format of files of which a layout says where the columns stand."""

HEADER_ROWS_MAX = 20
_ENCODING_NAMES = {
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16 (big-endian)",
    "utf-32-le": "UTF-32",
    "utf-32-be": "UTF-32 (big-endian)",
    "cp1252": "Windows-1252",
    "iso8859-1": "Latin-1",
    "iso8859-15": "Latin-9",
    "ascii": "ASCII",
}
_SINGLE_BYTE = (
    "ascii cp1006 cp1125 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 cp437 "
    "cp720 cp737 cp775 cp850 cp852 cp855 cp856 cp857 cp858 cp860 cp861 cp862 cp863 cp865 "
    "cp866 cp869 cp874 hp-roman8 iso8859-1 iso8859-10 iso8859-11 iso8859-13 iso8859-14 "
    "iso8859-15 iso8859-16 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 "
    "iso8859-8 iso8859-9 koi8-r koi8-t koi8-u kz1048 mac-arabic mac-croatian mac-cyrillic "
    "mac-farsi mac-greek mac-iceland mac-latin2 mac-roman mac-romanian mac-turkish ptcp154 "
    "tis-620"
)
_SEVERAL_BYTES = (
    "big5 big5hkscs cp932 cp949 cp950 euc_jis_2004 euc_jisx0213 euc_jp euc_kr gb18030 gb2312 "
    "gbk johab shift_jis utf-8"
)
_WIDE = "utf-16 utf-16-be utf-16-le utf-32 utf-32-be utf-32-le"
ENCODINGS = frozenset(f"{_SINGLE_BYTE} {_SEVERAL_BYTES} {_WIDE}".split())
"""Encodings that are read, by Python's names.

In none of them can a line change the meaning of another. Other encodings have escapes that hold
until they are reversed (ISO-2022, HZ, UTF-7), so that one respondent could change everybody's
letters; or escapes for whole line ends (unicode-escape).
"""


class Reading(BaseModel):
    """How the bytes of a file become cells, and cells numbers.

    Attributes:
        encoding: Python's name of the character encoding, such as `utf-8` or `cp1252`.
        delimiter: The character between two cells of a record.
        quote: The mark around a cell that holds a delimiter; empty for none.
        decimal: The decimal mark of numbers.
        header_rows: Records before the first answer; the first one names the columns. With 0 the
            columns are numbered.
        missing: Texts that mean "no answer" in every column, in addition to each column's own.
        questions: Columns that are read as one question with several answers each.
        joined_rows: Which rows are joined into one row of a person; None for none.
        format: The format of the file, as its kind names it; empty for delimited text. Encoding and
            marks count where the format has them.
        sheet: Name of the table that is read, in a file of several; empty for the first.
        layout: Where the columns stand, in a file of fixed width.
        platform: The program on the web whose header stands above the answers; empty for a usual
            header.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    encoding: Annotated[str, Field(max_length=40)] = "utf-8"
    delimiter: str = ","
    quote: Literal['"', "'", ""] = '"'
    decimal: Literal[".", ","] = "."
    header_rows: Annotated[int, Field(ge=0, le=HEADER_ROWS_MAX, strict=True)] = 1
    missing: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=1000)], ...], Field(max_length=100)
    ] = ()
    questions: Annotated[
        tuple[JoinedColumns, ...],
        Field(max_length=1000, exclude_if=lambda questions: not questions),
    ] = ()
    joined_rows: Annotated[JoinedRows | None, Field(exclude_if=lambda joining: joining is None)] = (
        None
    )
    format: Annotated[str, Field(max_length=40, exclude_if=lambda word: not word)] = ""
    sheet: Annotated[str, Field(max_length=1000, exclude_if=lambda name: not name)] = ""
    layout: Annotated[
        tuple[LayoutField, ...], Field(max_length=100_000, exclude_if=lambda fields: not fields)
    ] = ()

    @model_validator(mode="after")
    def _columns_belong_once(self) -> Reading:
        columns = [name for question in self.questions for name in question.in_file]
        if len(set(columns)) != len(columns):
            raise ParameterError(T.TWO_QUESTIONS())
        return self

    @field_validator("encoding")
    @classmethod
    def _encoding_is_known(cls, name: str) -> str:
        return known_encoding(name)

    @field_validator("delimiter")
    @classmethod
    def _delimiter_is_one_mark(cls, mark: str) -> str:
        if len(mark) != 1 or not mark.isascii() or mark in '"\r\n\0':
            raise ParameterError(T.BAD_DELIMITER())
        return mark

    platform: Annotated[str, Field(max_length=40, exclude_if=lambda word: not word)] = ""

    @model_validator(mode="after")
    def _layout_is_of_fixed_width(self) -> Reading:
        if self.layout and self.format != FIXED_WIDTH:
            raise ParameterError(T.NO_FIXED_WIDTH())
        return self

    @model_validator(mode="after")
    def _marks_differ(self) -> Reading:
        if self.delimiter == self.quote:
            raise ParameterError(T.SAME_MARKS())
        return self

    def question_of(self, name: str) -> JoinedColumns | None:
        """Returns the question that a column is made of; None for a column of the file."""
        by_row = "" if self.joined_rows is None else "(_+[0-9]+)?"
        fits = (one for one in self.questions if re.fullmatch(re.escape(one.name) + by_row, name))
        return next(fits, None)

    @property
    def words(self) -> str:
        """The reading for people: "comma-separated, UTF-8, decimal point"."""
        parts = self._words_of_format if self.format else self._words_of_text
        if self.platform:
            parts.append(T.HEADER_OF(platform=self.platform))
        elif self.header_rows != 1:
            rows = self.header_rows
            parts.append(T.HEADER_ROWS(count=rows) if rows else T.NO_HEADER())
        if self.missing:
            parts.append(T.CODES_OF_NO_ANSWER(count=len(self.missing)))
        parts += [T.AS_ONE(count=len(q.in_file), question=q.words) for q in self.questions]
        parts += [] if self.joined_rows is None else [self.joined_rows.words]
        return ", ".join(parts)

    @property
    def _words_of_text(self) -> list[str]:
        separator = DELIMITERS.get(self.delimiter, f"“{self.delimiter}”")
        parts: list[str] = [T.SEPARATED(separator=separator), encoding_name(self.encoding)]
        parts.append(T.DECIMAL_COMMA() if self.decimal == "," else T.DECIMAL_POINT())
        if self.quote != '"':
            parts.append(T.QUOTED_BY(mark=self.quote) if self.quote else T.UNQUOTED())
        return parts

    @property
    def _words_of_format(self) -> list[str]:
        parts: list[str] = [T.FILE_OF(format=self.format)]
        parts += [T.TABLE_OF(name=self.sheet)] if self.sheet else []
        parts += [T.BY_POSITIONS(count=len(self.layout))] if self.layout else []
        parts += [encoding_name(self.encoding)] if self.encoding != "utf-8" else []
        parts += [T.DECIMAL_COMMA()] if self.decimal == "," else []
        return parts

    @property
    def options(self) -> str:
        """The same reading as options of the command line, ready to be pasted."""
        delimiter = {"vertical bar": "bar"}.get(name := DELIMITERS.get(self.delimiter, ""), name)
        words = ["--encoding", self.encoding, "--delimiter", delimiter or self.delimiter]
        words += ["--decimal", self.decimal]
        if self.format:
            words = ["--format", self.format.replace(" ", "-")]
            words += ["--encoding", self.encoding] if self.encoding != "utf-8" else []
            words += ["--decimal", self.decimal] if self.decimal != "." else []
            words += ["--sheet", self.sheet] if self.sheet else []
            words += ["--layout", "LAYOUT.csv"] if self.layout else []
        if self.quote != '"':
            words += ["--quote", {"'": "single", "": "none"}[self.quote]]
        if self.platform:
            words += ["--platform", self.platform.replace(" ", "-")]
        elif self.header_rows != 1:
            words += ["--header-rows", str(self.header_rows)]
        for text in self.missing:
            words.append(f"--missing-code={codes_text([text], between=',')}")
        for question in self.questions:
            words += ["--together", question.written]
        if self.joined_rows is not None:
            words += ["--join-rows", self.joined_rows.written]
        return shlex.join(words)


def known_encoding(name: str) -> str:
    """Returns Python's own name of a character encoding.

    Raises:
        ParameterError: There is no such encoding of text.
    """
    try:
        "".encode(name)
        known = codecs.lookup(name).name
    except (LookupError, ValueError, UnicodeError):
        raise ParameterError(T.UNKNOWN_ENCODING(name=name)) from None
    known = {"utf-8-sig": "utf-8"}.get(known, known)
    if known not in ENCODINGS:
        raise ParameterError(T.UNSAFE_ENCODING(encoding=known))
    return known


def encoding_name(encoding: str) -> str:
    """Returns the common name of an encoding."""
    return _ENCODING_NAMES.get(encoding, encoding)
