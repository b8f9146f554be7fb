"""The groups of a covariate: everybody's covariates as if they were of each of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpdesk.data.model_matrix import Covariates, model_matrix
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.designs.regression import CovariateGroup
from dpdesk.errors import DpdeskError
from dpdesk.estimate.answer_sample import texts_said

GROUPS_MAX = 20
"""The most different answers of a column whose groups are predicted."""


def groups_of_column(
    table: SurveyTable, formula: str, column: str, found: Covariates, decimal: str
) -> tuple[CovariateGroup, ...]:
    """Returns the groups of one column of a formula.

    The formula is evaluated on the used rows twice over, the second time with one answer in the
    place of everybody's own, so that every term that the column enters follows.

    Args:
        table: The data.
        formula: The formula.
        column: One of its columns.
        found: The formula's covariates on the table.
        decimal: Decimal mark of the file.

    Returns:
        The groups in the order of their texts; none where there are more than `GROUPS_MAX`, or
        where a term of the other rows changes with them.
    """
    texts = texts_said(table, column, found.used)
    if len(texts) > GROUPS_MAX:
        return ()
    rows = int(found.used.sum())
    everybody = np.ones(2 * rows, dtype=np.bool_)
    groups = []
    for text in texts:
        trimmed = [said.strip() for said in table.column(column).distinct]
        own = np.array([said == text for said in trimmed])[table.column(column).codes[found.used]]
        columns = []
        for name in found.columns:
            codes = table.column(name).codes[found.used]
            again = np.full_like(codes, trimmed.index(text)) if name == column else codes
            dictionary = table.column(name).dictionary
            columns.append(TextColumn(name, np.concatenate((codes, again)), dictionary))
        twice = replace(table, columns=tuple(columns), rows=2 * rows)
        try:
            made = model_matrix(twice, formula, everybody, decimal)
        except DpdeskError:
            return ()
        if made.names != found.names or not np.allclose(made.values[:rows], found.values):
            return ()
        groups.append(CovariateGroup(text, int(own.sum()), made.values[rows:]))
    return tuple(groups)
