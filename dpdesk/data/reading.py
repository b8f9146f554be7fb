"""How a file of answers is read: decided once, public, part of the plan.

A property that a program detects by looking at the whole file depends on every respondent: one cell
can turn a decimal comma into a separator of thousands, and so change everybody's income. So a
release reads by a `Reading` that is fixed beforehand, and detects nothing.
"""

from __future__ import annotations

import codecs
import re
import shlex
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from dpdesk.data.missing_codes import codes_text
from dpdesk.domains import OPTIONS_MAX, OptionSet
from dpdesk.errors import ParameterError

DELIMITERS: dict[str, str] = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
"""The delimiters that are recognised, with their names."""

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


CellText = Annotated[str, Field(max_length=1000)]
"""The content of a cell."""


_BEGINNING = re.compile(r"(.*[^0-9A-Za-z])(?=[0-9A-Za-z]+$)|(.*[0-9])(?=[A-Za-z]$)")


def beginning_of(name: str) -> str:
    """Returns what comes before the last sign that is no letter or digit, or the letter of q5a."""
    parted = _BEGINNING.match(name)
    return "" if parted is None else parted.group()


def common_options(columns: Sequence[str]) -> tuple[str, ...]:
    """Returns names of options for some columns: what is left without their common beginning.

    Args:
        columns: Names of the columns, all different.
    """
    beginnings = {beginning_of(name) for name in columns}
    if len(beginnings) > 1:
        return tuple(columns)
    beginning = beginnings.pop()
    return tuple(name.removeprefix(beginning) for name in columns)


class JoinedColumns(BaseModel):
    """Columns of a file that are the options of one question with several answers.

    Attributes:
        name: Name of the question: of the column that takes their place.
        columns: Names of the columns in the file.
        options: What each of them stands for, in the same order.
        ticked: Cells that mean that the option was ticked.
        unticked: Cells that mean that it was not.
        separator: What stands between options in a cell of the question.
        none_column: Name of the column that is ticked where none of the options applies; empty
            where the file has none. With it, a respondent without any tick gave no answer.
        no_tick: What a respondent without any tick says where there is no such column: that none
            applies, or nothing at all. Empty where nobody decided; it is then taken for the former.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(min_length=1, max_length=1000)]
    columns: Annotated[tuple[CellText, ...], Field(min_length=2, max_length=OPTIONS_MAX)]
    options: Annotated[tuple[CellText, ...], Field(min_length=2, max_length=OPTIONS_MAX)]
    ticked: Annotated[tuple[CellText, ...], Field(min_length=1, max_length=20)] = ("1",)
    unticked: Annotated[tuple[CellText, ...], Field(min_length=1, max_length=20)] = ("0",)
    separator: Annotated[str, Field(min_length=1, max_length=10)] = ";"
    none_column: Annotated[CellText, Field(exclude_if=lambda name: not name)] = ""
    no_tick: Annotated[
        Literal["", "none", "missing"], Field(exclude_if=lambda meaning: not meaning)
    ] = ""

    @model_validator(mode="after")
    def _options_can_be_read(self) -> JoinedColumns:
        if len(set(self.in_file)) != len(self.in_file):
            raise ParameterError(
                f"A column of {self.name} is listed twice.", remedy="List each column once."
            )
        if len(self.columns) != len(self.options):
            raise ParameterError(
                f"{self.name} has {len(self.columns)} columns and {len(self.options)} options.",
                remedy="Name one option for each column.",
            )
        if set(self.ticked) & set(self.unticked):
            raise ParameterError(
                f"In {self.name} the same cell means ticked and not ticked.",
                remedy="Say what a cell holds where the option was ticked, and where it was not.",
            )
        if self.none_column and self.no_tick:
            raise ParameterError(
                f"{self.name} has a column for none of its options, so that a respondent without "
                "a tick gave no answer.",
                remedy="Leave out what such a respondent says.",
            )
        _ = self.domain
        return self

    @property
    def in_file(self) -> tuple[str, ...]:
        """Names of all columns whose place the question takes."""
        return (*self.columns, *([self.none_column] if self.none_column else []))

    @property
    def needs_tick(self) -> bool:
        """Whether a respondent without any tick gave no answer."""
        return bool(self.none_column) or self.no_tick == "missing"

    @property
    def words(self) -> str:
        """Its name, and what says that no option applies where that is not every missing tick."""
        if self.none_column:
            return f"{self.name} ({self.none_column}: none of them)"
        return f"{self.name} (without a tick: no answer)" if self.needs_tick else self.name

    @property
    def written(self) -> str:
        """The question as the command line declares it, and `read` reads it."""
        columns = [_marked(name) for name in self.in_file]
        if self.options != common_options(self.columns):
            for place, option in enumerate(self.options):
                columns[place] += f"={_marked(option)}"
        ticks = (",".join(map(_marked, cells)) for cells in (self.ticked, self.unticked))
        parts = [",".join(columns), *ticks]
        parts += [_marked(self.none_column) or self.no_tick]
        parts += [_marked(self.separator)] if self.separator != ";" else []
        while not parts[-1] and len(parts) > 3:
            parts.pop()
        return f"{_marked(self.name)}={':'.join(parts)}"

    @classmethod
    def read(cls, text: str) -> JoinedColumns | None:
        """Reads `NAME=COLUMN[=OPTION],...[:TICKED[:UNTICKED[:NONE[:SEPARATOR]]]]`; None for others.

        What holds `:`, `,`, `=` or `"` stands in quotation marks, those within doubled.

        Raises:
            pydantic.ValidationError: It declares no question that can be read.
        """
        name, *rest = _parted(text, "=", 1)
        parts = _parted(rest[0], ":") if rest else []
        columns = [_parted(column, "=", 1) for column in _parted(parts[0], ",")] if parts else []
        if not 1 <= len(parts) <= 5 or text.count('"') % 2 or not all(c[0] for c in columns):
            return None
        said = parts[3] if len(parts) > 3 else ""
        none, names = _bare(said), [_bare(column[0]) for column in columns]
        is_word = said in {"", "none", "missing"} and none not in names
        if not is_word and none in names:
            columns.pop(names.index(none))
            names.remove(none)
        options = common_options(names) if len(set(names)) == len(names) else tuple(names)
        fields: dict[str, object] = {"name": _bare(name), "columns": tuple(names)}
        fields["options"] = tuple(
            _bare(column[1]) if len(column) > 1 else option
            for column, option in zip(columns, options, strict=True)
        )
        fields |= {"no_tick": said} if is_word else {"none_column": none}
        for field, part in zip(("ticked", "unticked"), parts[1:3], strict=False):
            fields[field] = tuple(map(_bare, _parted(part, ",")))
        if len(parts) > 4:
            fields["separator"] = _bare(parts[4])
        return cls.model_validate(fields)

    @property
    def domain(self) -> OptionSet:
        """The domain of the question.

        Raises:
            ParameterError: The options cannot be told apart in a cell.
        """
        return OptionSet(values=self.options, separator=self.separator)


def _marked(text: str) -> str:
    """Returns a text that stands for itself in a declaration: in quotation marks if need be."""
    return '"' + text.replace('"', '""') + '"' if set(text) & set(':,="') else text


def _bare(text: str) -> str:
    is_quoted = len(text) > 1 and text[0] == text[-1] == '"'
    return text[1:-1].replace('""', '"') if is_quoted else text


def _parted(text: str, mark: str, most: int = 0) -> list[str]:
    """Parts a text at a mark that no quotation marks enclose, at most so often if it is said."""
    parts: list[str] = []
    start, is_quoted = 0, False
    for place, sign in enumerate(text):
        is_quoted ^= sign == '"'
        if sign == mark and not is_quoted and (not most or len(parts) < most):
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]]


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

    @model_validator(mode="after")
    def _columns_belong_once(self) -> Reading:
        columns = [name for question in self.questions for name in question.in_file]
        if len(set(columns)) != len(columns):
            raise ParameterError(
                "A column belongs to two questions.", remedy="Leave it out of one of them."
            )
        return self

    @field_validator("encoding")
    @classmethod
    def _encoding_is_known(cls, name: str) -> str:
        return known_encoding(name)

    @field_validator("delimiter")
    @classmethod
    def _delimiter_is_one_mark(cls, mark: str) -> str:
        if len(mark) != 1 or not mark.isascii() or mark in '"\r\n\0':
            raise ParameterError(
                "The delimiter must be one ASCII character other than a quotation mark or a line "
                "end.",
                remedy="Common ones are comma, semicolon, tab and the vertical bar.",
            )
        return mark

    @model_validator(mode="after")
    def _marks_differ(self) -> Reading:
        if self.delimiter == self.quote:
            raise ParameterError(
                "The delimiter and the quotation mark are the same.", remedy="Change one of them."
            )
        return self

    @property
    def words(self) -> str:
        """The reading for people: "comma-separated, UTF-8, decimal point"."""
        separator = DELIMITERS.get(self.delimiter, f"“{self.delimiter}”")
        parts = [f"{separator}-separated", encoding_name(self.encoding)]
        parts.append("decimal comma" if self.decimal == "," else "decimal point")
        if self.quote != '"':
            parts.append("quoted by '" if self.quote else "without quotation marks")
        if self.header_rows != 1:
            parts.append(f"{self.header_rows} header rows" if self.header_rows else "no header")
        if self.missing:
            codes = "1 code" if len(self.missing) == 1 else f"{len(self.missing)} codes"
            parts.append(f"{codes} for no answer")
        parts += [
            f"{len(question.in_file)} columns as one question, {question.words}"
            for question in self.questions
        ]
        return ", ".join(parts)

    @property
    def options(self) -> str:
        """The same reading as options of the command line, ready to be pasted."""
        delimiter = {"vertical bar": "bar"}.get(name := DELIMITERS.get(self.delimiter, ""), name)
        words = ["--encoding", self.encoding, "--delimiter", delimiter or self.delimiter]
        words += ["--decimal", self.decimal]
        if self.quote != '"':
            words += ["--quote", {"'": "single", "": "none"}[self.quote]]
        if self.header_rows != 1:
            words += ["--header-rows", str(self.header_rows)]
        for text in self.missing:
            words.append(f"--missing-code={codes_text([text], between=',')}")
        for question in self.questions:
            words += ["--together", question.written]
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
        raise ParameterError(
            f"There is no character encoding named {name!r}.",
            remedy="Common ones are utf-8, cp1252, latin-1 and utf-16.",
        ) from None
    known = {"utf-8-sig": "utf-8"}.get(known, known)
    if known not in ENCODINGS:
        raise ParameterError(
            f"Files in {known} are not read: in this encoding one answer can change how all others "
            "are read.",
            remedy="Convert the file to UTF-8 with the program that made it.",
        )
    return known


def encoding_name(encoding: str) -> str:
    """Returns the common name of an encoding."""
    return _ENCODING_NAMES.get(encoding, encoding)
