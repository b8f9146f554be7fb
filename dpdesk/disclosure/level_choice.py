"""Which levels the columns of a table get: from a file, by hand, or by what they can hold."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from dpdesk.data.output_fields import csv_cell
from dpdesk.data.read_file import load
from dpdesk.data.reading import Reading
from dpdesk.data.suggest import ColumnSuggestion, suggest_column
from dpdesk.data.suggested_grid import rounder_bounds
from dpdesk.data.suspected_codes import suspected_codes
from dpdesk.data.table import Flags, SurveyTable, TextColumn
from dpdesk.data.write_csv import restore
from dpdesk.disclosure.columns import MissingOf, missing_by, unknown_column
from dpdesk.disclosure.hierarchies import Hierarchy, by_widths, suggested_hierarchy
from dpdesk.disclosure.levelled import LevelledColumn, levelled
from dpdesk.disclosure.texts import T
from dpdesk.domains import AnyDomain, NumericDomain
from dpdesk.errors import InputError, ParameterError


@dataclass(frozen=True)
class Widths:
    """Levels of intervals, chosen by hand.

    Attributes:
        widths: Width of the intervals of each level.
        lowest: Numbers below it are one group.
        highest: Numbers from it on are one group.
    """

    widths: tuple[float, ...]
    lowest: float | None = None
    highest: float | None = None


@dataclass(frozen=True)
class LevelChoice:
    """What is known of columns before anybody looks at the records, by their names.

    Attributes:
        hierarchies: Levels that somebody gave.
        widths: Widths that somebody chose.
        domains: What columns can hold.
        ordered: Columns whose categories are listed in their order.
    """

    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    widths: Mapping[str, Widths] = field(default_factory=dict)
    domains: Mapping[str, AnyDomain] = field(default_factory=dict)
    ordered: Collection[str] = ()

    def undeclared(self, names: Sequence[str]) -> tuple[str, ...]:
        """Returns the columns of which nothing is known but the records."""
        return tuple(n for n in names if n not in self.hierarchies and n not in self.domains)


def levelled_columns(
    table: SurveyTable,
    names: Sequence[str],
    choice: LevelChoice,
    missing_of: MissingOf | None = None,
) -> tuple[LevelledColumn, ...]:
    """Returns columns of a table with their levels.

    Where nothing is declared, what a column can hold is read off its records, bounds moved outwards
    to round numbers; its hierarchy says so.

    Args:
        table: The records.
        names: The columns.
        choice: What is known of them.
        missing_of: What means "no answer"; by the reading if None.

    Raises:
        ParameterError: There is no such column, its records hold what its levels do not list, or
            no levels follow from what it holds.
    """
    missing_of = missing_by(table.reading) if missing_of is None else missing_of
    found = []
    for name in dict.fromkeys(names):
        if name not in table.names:
            raise unknown_column(name, table.names)
        column = table.column(name)
        missing = missing_of(column)
        if not (column.counts[~missing] > 0).any():
            raise ParameterError(T.NO_ANSWERS(column=name))
        domain, from_data = choice.domains.get(name), False
        hierarchy = choice.hierarchies.get(name)
        if hierarchy is None:
            suggestion = None if domain is not None else suggest_column(column, table.reading)
            is_ordinal = name in choice.ordered
            if suggestion is not None:
                domain, from_data = _public(suggestion), True
                is_ordinal |= suggestion.kind == "ordinal"
            hierarchy = _by_domain(name, domain, choice, is_ordinal, from_data)
        if domain is not None:
            column = column.as_declared(domain)
        if name in choice.ordered:
            hierarchy = replace(hierarchy, is_ordered=True)
        if from_data:
            _require_decided(column, table.reading, missing)
        found.append(levelled(hierarchy, column, table.reading.decimal, missing))
    return tuple(found)


def _require_decided(column: TextColumn, reading: Reading, missing: Flags) -> None:
    """Refuses what looks like codes of no answer: levels that follow from records lack them."""
    codes = suspected_codes(column, reading.decimal, missing)
    rows = int(column.counts[codes].sum())
    if rows:
        declaration = shlex.quote(f"{column.name}=LOWEST..HIGHEST")
        said = T.SUSPECTED_CODES(count=rows, column=column.name, declaration=declaration)
        raise ParameterError(said)


def _public(suggestion: ColumnSuggestion) -> AnyDomain | None:
    """The domain that was read off the records, with rounder bounds."""
    domain = suggestion.domain
    if isinstance(domain, NumericDomain):
        return rounder_bounds(domain) or domain
    return domain


def _by_domain(
    name: str, domain: AnyDomain | None, choice: LevelChoice, is_ordinal: bool, from_data: bool
) -> Hierarchy:
    if domain is None:
        raise ParameterError(T.NO_LEVELS(column=name))
    by_hand = choice.widths.get(name)
    if by_hand is None:
        return suggested_hierarchy(name, domain, is_ordinal=is_ordinal, from_data=from_data)
    return by_widths(
        name, domain, by_hand.widths, by_hand.lowest, by_hand.highest, from_data=from_data
    )


def read_hierarchy(path: Path, column: str, delimiter: str | None = None) -> Hierarchy:
    """Reads a file of levels.

    Args:
        path: A CSV file: one row per value or interval such as `[20, 25)`, its labels behind it. A
            first row that begins with the name of the column is a header.
        column: Name of the column that the levels are of.
        delimiter: The character between cells; detected if None.

    Raises:
        InputError: The file cannot be read.
        ParameterError: It is no hierarchy.
    """
    try:
        table = load(path, header_rows=0, delimiter=delimiter)
    except InputError as error:
        raise InputError(T.LEVELS_UNUSABLE(column=column, reason=error.message)) from None
    cells = [[restore(text) for text in one.texts()] for one in table.columns]
    if cells[0][0] == column:
        cells = [one[1:] for one in cells]
    return Hierarchy(column, tuple(cells[0]), tuple(map(tuple, cells[1:])))


def hierarchy_text(hierarchy: Hierarchy) -> str:
    """Returns the content of a file of levels, as `read_hierarchy` reads it."""
    rows = zip(hierarchy.keys, *hierarchy.labels, strict=True)
    return "".join(",".join(csv_cell(cell) for cell in row) + "\n" for row in rows)
