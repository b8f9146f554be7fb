"""What is released of the kept columns: their answers as they are, or on a coarser level.

Whoever judges, counts or writes what a plan keeps reads it here, and never the file itself.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.disclosure.levelled import levelled
from dpdesk.numbers.arrays import pieces_of
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.encoding import missing_texts
from dpdesk.plan.model import Plan


def kept_texts(column: ColumnPlan, texts: TextColumn, reading: Reading) -> TextColumn:
    """Returns the texts that a kept column is released with.

    They are those that `dpdesk coarsen` writes on the same level. A missing cell that the levels do
    not list becomes an empty cell, up to a level that has a single label.

    Args:
        column: The column of the plan.
        texts: Its answers in the file.
        reading: How the file is read.

    Raises:
        ParameterError: It holds values that its levels do not list; none of them is named.
    """
    coarsening = column.kept_coarser
    if coarsening is None:
        return texts
    found = levelled(
        coarsening.hierarchy(column.name),
        texts if column.domain is None else texts.as_declared(column.domain),
        reading.decimal,
        missing_texts(column, texts, reading),
    )
    # Whoever gave an answer is on the level of all who did.
    of_text = np.zeros(texts.distinct_count, dtype=np.int64)
    for rows in pieces_of(texts.rows):
        of_text[texts.codes[rows]] = found.codes[rows]
    codes = found.maps[coarsening.level][of_text] if texts.rows else of_text
    labels = found.labels[coarsening.level]
    label_of = dict(zip(texts.distinct, (labels[code] for code in codes.tolist()), strict=True))
    return texts.mapped(label_of.__getitem__)


def as_kept(table: SurveyTable, plan: Plan | None) -> SurveyTable:
    """Returns a survey with the kept columns of a plan as they are released.

    Raises:
        ParameterError: A column holds values that its levels do not list.
    """
    coarse = {
        column.name: column
        for column in (() if plan is None else plan.kept)
        if column.kept_coarser is not None
    }
    if not coarse.keys() & set(table.names):
        return table
    columns = tuple(
        kept_texts(coarse[texts.name], texts, table.reading) if texts.name in coarse else texts
        for texts in table.columns
    )
    return replace(table, columns=columns)
