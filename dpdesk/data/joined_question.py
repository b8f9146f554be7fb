"""Questions held as a column for each option, and people held as several rows.

How the command line declares them (`--together`, `--join-rows`) is written and read here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from dpdesk.data.quotation_marks import parted, quoted, unquoted
from dpdesk.data.texts import T
from dpdesk.domains import OPTIONS_MAX, OptionSet
from dpdesk.errors import ParameterError
from dpdesk.i18n import quoted as quoted_list
from dpdesk.numbers import PlainDigits

CellText = Annotated[str, Field(max_length=1000)]
"""The content of a cell."""


_WORDS = ("none", "missing")
"""What a respondent without any tick says, in a declaration; a column of this name is quoted."""

_BEGINNING = re.compile(r".+ - (?=\S)|(.*[^0-9A-Za-z])(?=[0-9A-Za-z]+\]?$)|(.*[0-9])(?=[A-Za-z]$)")


def beginning_of(name: str) -> str:
    """Returns what comes before " - ", the last sign of another kind, or the letter of q5a."""
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
    return tuple(option_of(name, beginning) for name in columns)


def option_of(name: str, beginning: str) -> str:
    """Returns what is left of a column's name without a beginning, and without brackets around."""
    rest = name.removeprefix(beginning)
    return rest.removesuffix("]") if beginning.endswith("[") else rest


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
    ticked: Annotated[tuple[CellText, ...], Field(min_length=1, max_length=OPTIONS_MAX)] = ("1",)
    unticked: Annotated[tuple[CellText, ...], Field(min_length=1, max_length=20)] = ("0",)
    separator: Annotated[str, Field(min_length=1, max_length=10)] = ";"
    none_column: Annotated[CellText, Field(exclude_if=lambda name: not name)] = ""
    no_tick: Annotated[
        Literal["", "none", "missing"], Field(exclude_if=lambda meaning: not meaning)
    ] = ""

    @model_validator(mode="after")
    def _options_can_be_read(self) -> JoinedColumns:
        if len(set(self.in_file)) != len(self.in_file):
            raise ParameterError(T.COLUMN_TWICE(name=self.name))
        if len(self.columns) != len(self.options):
            raise ParameterError(T.OPTIONS_UNLIKE_COLUMNS(name=self.name))
        if set(self.ticked) & set(self.unticked):
            raise ParameterError(T.TICKED_AND_NOT(name=self.name))
        if self.none_column and self.no_tick:
            raise ParameterError(T.NONE_SAID_TWICE(name=self.name))
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

    def cell_of_code(self, text: str) -> str:
        """Returns the cell of a respondent whose columns all hold a code, such as -9.

        The code 9 beside an option 9 would be read as this option, and is `(code 9)`.
        """
        return f"(code {text})" if text in self.options else text

    @property
    def words(self) -> str:
        """Its name, and what says that no option applies where that is not every missing tick."""
        if self.none_column:
            return T.NONE_COLUMN(name=self.name, column=self.none_column)
        return T.NEEDS_TICK(name=self.name) if self.needs_tick else self.name

    @property
    def written(self) -> str:
        """The question as the command line declares it, and `read` reads it."""
        columns = [marked(name) for name in self.in_file]
        if self.options != common_options(self.columns):
            for place, option in enumerate(self.options):
                columns[place] += f"={marked(option)}"
        ticks = (",".join(map(marked, cells)) for cells in (self.ticked, self.unticked))
        parts = [",".join(columns), *ticks]
        is_word = self.none_column in _WORDS
        parts += [quoted(self.none_column) if is_word else marked(self.none_column)]
        parts[-1] = parts[-1] or self.no_tick
        parts += [marked(self.separator)] if self.separator != ";" else []
        while not parts[-1] and len(parts) > 3:
            parts.pop()
        return f"{marked(self.name)}={':'.join(parts)}"

    @classmethod
    def read(cls, text: str) -> JoinedColumns | None:
        """Reads `NAME=COLUMN[=OPTION],...[:TICKED[:UNTICKED[:NONE[:SEPARATOR]]]]`; None for others.

        None, too, where fewer than two columns are named: they make no question.
        What holds `:`, `,`, `=` or `"` stands in quotation marks, those within doubled; so does a
        column for none of the options that is called `none` or `missing`.

        Raises:
            pydantic.ValidationError: It declares no question that can be read.
        """
        name, *rest = parted(text, "=", 1)
        parts = parted(rest[0], ":") if rest else []
        columns = [parted(column, "=", 1) for column in parted(parts[0], ",")] if parts else []
        if not 1 <= len(parts) <= 5 or text.count('"') % 2 or not all(c[0] for c in columns):
            return None
        said = parts[3] if len(parts) > 3 else ""
        none, names = unquoted(said), [unquoted(column[0]) for column in columns]
        is_word = said in {"", *_WORDS}
        if not is_word and none in names:
            columns.pop(names.index(none))
            names.remove(none)
        if len(names) < 2:
            return None
        options = common_options(names) if len(set(names)) == len(names) else tuple(names)
        fields: dict[str, object] = {"name": unquoted(name), "columns": tuple(names)}
        fields["options"] = tuple(
            unquoted(column[1]) if len(column) > 1 else option
            for column, option in zip(columns, options, strict=True)
        )
        fields |= {"no_tick": said} if is_word else {"none_column": none}
        for field, part in zip(("ticked", "unticked"), parts[1:3], strict=False):
            fields[field] = tuple(map(unquoted, parted(part, ",")))
        if len(parts) > 4:
            fields["separator"] = unquoted(parts[4])
        return cls.model_validate(fields)

    @classmethod
    def suggested(cls, **fields: object) -> JoinedColumns | None:
        """Returns a question from its fields; None where no question can have them."""
        try:
            return cls.model_validate(fields)
        except ValueError:
            return None

    @property
    def domain(self) -> OptionSet:
        """The domain of the question.

        Raises:
            ParameterError: The options cannot be told apart in a cell.
        """
        return OptionSet(values=self.options, separator=self.separator)


def marked(text: str) -> str:
    """Returns a text that stands for itself in a declaration: in quotation marks if need be."""
    return quoted(text) if set(text) & set(':,="') else text


JOINED_MAX = 100
"""Most rows of a person that are joined."""


class JoinedRows(BaseModel):
    """Which rows of a file are one person's, and how many of them become one row.

    Attributes:
        by: The column that names the person of each row.
        most: Most rows of a person that are joined, the first ones of the file.
        same: Columns that a person has once: their first answer counts. Any other column becomes
            one for each row, empty where a person has fewer rows.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    by: Annotated[CellText, Field(min_length=1)]
    most: Annotated[int, Field(ge=2, le=JOINED_MAX), PlainDigits]
    same: Annotated[
        tuple[CellText, ...], Field(max_length=10_000, exclude_if=lambda names: not names)
    ] = ()

    def columns_of(self, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Returns the columns that each of some columns of a file becomes."""
        once, numbers, mark = {self.by, *self.same}, range(1, self.most + 1), "_"
        while any(f"{name}{mark}{n}" in once for name in names for n in numbers):
            mark += "_"
        return {
            name: (name,) if name in once else tuple(f"{name}{mark}{n}" for n in numbers)
            for name in names
        }

    @property
    def words(self) -> str:
        """The declaration for people."""
        if self.same:
            return T.ROWS_JOINED_BUT(most=self.most, by=self.by, names=quoted_list(self.same, 3))
        return T.ROWS_JOINED(most=self.most, by=self.by)

    @property
    def enforcement(self) -> str:
        """How the bound on a respondent's rows is kept, as sentences."""
        return T.FIRST_ROWS_JOINED(by=self.by, most=self.most)

    @property
    def written(self) -> str:
        """The declaration as the command line writes it, and `read` reads it."""
        same = f":{','.join(map(marked, self.same))}" if self.same else ""
        return f"{marked(self.by)}={self.most}{same}"

    @classmethod
    def read(cls, text: str) -> JoinedRows:
        """Reads `PERSON=N[:COLUMN,...]`; a name that holds `:`, `,`, `=` or `"` is quoted.

        Raises:
            ParameterError: It declares no rows that can be joined.
        """
        by, *rest = parted(text, "=", 1)
        most, *same = parted("".join(rest), ":", 1)
        names = tuple(map(unquoted, parted("".join(same), ","))) if same else ()
        try:
            return cls.model_validate({"by": unquoted(by), "most": most, "same": names})
        except ValidationError:
            raise ParameterError(T.BAD_JOINED_ROWS(text=text, most=JOINED_MAX)) from None
