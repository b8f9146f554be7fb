"""What people do to a file before they release it again, and surveys of other people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from dpdesk.data.table import SurveyTable, TextColumn, table_from_texts

Rows = np.ndarray[tuple[int], np.dtype[np.int64]]
Change = Callable[[SurveyTable, np.random.Generator], SurveyTable]


def rows_of(table: SurveyTable, rows: Sequence[int] | Rows) -> SurveyTable:
    """Some rows of a table, in that order."""
    picked = np.asarray(rows, dtype=np.int64)
    columns = tuple(TextColumn(c.name, c.codes[picked], c.dictionary) for c in table.columns)
    return replace(table, columns=columns, rows=picked.size)


def columns_of(table: SurveyTable, names: Sequence[str]) -> SurveyTable:
    """Some columns of a table, in that order."""
    return replace(table, columns=tuple(table.column(name) for name in names), rows=table.rows)


def halves(
    table: SurveyTable, draw: np.random.Generator, rows: int = 0
) -> tuple[SurveyTable, SurveyTable]:
    """Two samples of the same size that share nobody."""
    order, size = draw.permutation(table.rows), rows or table.rows // 2
    return rows_of(table, order[:size]), rows_of(table, order[size : 2 * size])


def dummy_row(table: SurveyTable, _: object = None) -> SurveyTable:
    """One row more, of an answer that occurs in each column."""
    columns = tuple(TextColumn.from_texts(c.name, [*c.texts(), c.text(0)]) for c in table.columns)
    return replace(table, columns=columns, rows=table.rows + 1)


def twice(table: SurveyTable, _: object = None) -> SurveyTable:
    """Every row twice."""
    return rows_of(table, np.repeat(np.arange(table.rows), 2))


def shuffled(table: SurveyTable, draw: np.random.Generator) -> SurveyTable:
    """The rows in another order."""
    return rows_of(table, draw.permutation(table.rows))


def without_columns(table: SurveyTable, draw: np.random.Generator) -> SurveyTable:
    """A third of the columns is gone."""
    kept = draw.permutation(len(table.columns))[: -len(table.columns) // 3]
    return columns_of(table, [table.names[i] for i in sorted(kept)])


def renamed(table: SurveyTable, _: object = None) -> SurveyTable:
    """Other names of all columns."""
    columns = tuple(c.renamed(f"v{i}") for i, c in enumerate(table.columns))
    return replace(table, columns=columns, rows=table.rows)


def tenth(table: SurveyTable, draw: np.random.Generator) -> SurveyTable:
    """One row in ten."""
    return rows_of(table, draw.permutation(table.rows)[: table.rows // 10])


def recoded(table: SurveyTable, _: object = None) -> SurveyTable:
    """Other words for the answers of one column."""
    first, *rest = table.columns
    changed = first.mapped(lambda text: f"code of {text}")
    return replace(table, columns=(changed, *rest), rows=table.rows)


def numbered(table: SurveyTable, _: object = None) -> SurveyTable:
    """A new numbering of the rows."""
    numbers = TextColumn.from_texts("number", [str(n + 1) for n in range(table.rows)])
    return replace(table, columns=(numbers, *table.columns), rows=table.rows)


def with_others(table: SurveyTable, others: SurveyTable, share: float) -> SurveyTable:
    """A table of which a share of the rows are those of others."""
    more = round(table.rows * share / (1 - share))
    columns = tuple(
        TextColumn.from_texts(a.name, [*a.texts(), *b.texts()[:more]])
        for a, b in zip(table.columns, others.columns, strict=True)
    )
    return replace(table, columns=columns, rows=table.rows + more)


def yes_or_no(rows: int, columns: int, draw: np.random.Generator) -> SurveyTable:
    """Questions of yes and no, each with a share of its own."""
    return table_from_texts(
        {
            f"q{i}": [("no", "yes")[int(x)] for x in draw.random(rows) < share]
            for i, share in enumerate(draw.uniform(0.2, 0.8, columns))
        }
    )


def scales(rows: int, columns: int, draw: np.random.Generator) -> SurveyTable:
    """Questions with five answers."""
    weights = (0.1, 0.2, 0.35, 0.2, 0.15)
    return table_from_texts(
        {f"s{i}": [str(x) for x in draw.choice(5, rows, p=weights)] for i in range(columns)}
    )
