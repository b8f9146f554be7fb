"""Covariates of a model formula, from the columns of a table."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.number_texts import read_numbers
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.errors import InputError, ParameterError

Floats = NDArray[np.float64]

_MOST_CATEGORIES = 500
_FEW_NUMBERS = 10
"""As many distinct numbers can be names of categories, beside texts."""

_ALIAS = re.compile(r"column_[0-9]+_")


class Covariates(NamedTuple):
    """What a formula makes of a table.

    Attributes:
        names: Names of the coefficients.
        values: One row for each used row, one column for each coefficient.
        used: Which of all rows are used, shape (n,).
        terms: The formula's terms, each with the places of its coefficients.
        columns: Names of the table's columns that the formula uses.
    """

    names: tuple[str, ...]
    values: Floats
    used: NDArray[np.bool_]
    terms: tuple[tuple[str, tuple[int, ...]], ...]
    columns: tuple[str, ...]


def model_matrix(
    table: SurveyTable, formula: str, rows: NDArray[np.bool_], decimal: str
) -> Covariates:
    """Evaluates the right side of a formula, such as "age + I(age**2) + region".

    Columns whose answers are all numbers are numbers, others are categories with the first one as
    reference. Numbers with a few texts among them are neither. Names may stand between backticks:
    `cov.age`.

    Args:
        table: The data.
        formula: A formula of formulaic, without a left side.
        rows: The rows to use, shape (n,).
        decimal: Decimal mark of the file.

    Returns:
        The covariates; rows with an empty cell are not used.

    Raises:
        ParameterError: The formula cannot be evaluated.
        InputError: No row is complete, or a column of numbers has texts as well.
    """
    # Both take long to import, and nothing else needs them.
    import formulaic
    import pandas as pd

    if "~" in formula:
        raise ParameterError(
            "The formula has a left side; the answers are named apart from it.",
            remedy="Write the terms alone, without ~.",
        )
    plain, name_of = _with_plain_names(formula, table.names)
    used = rows.copy()
    columns: dict[str, object] = {}
    for alias, name in name_of.items():
        columns[alias], present = _values(table.column(name), decimal, name)
        used &= present
    if not used.any():
        raise InputError(
            "No respondent has answers in all columns of the formula.",
            remedy="Take a column out of the formula.",
        )
    frame = pd.DataFrame(columns, index=range(table.rows))[used]
    try:
        matrix = formulaic.model_matrix(plain, frame, na_action="raise")
        if not isinstance(matrix, formulaic.ModelMatrix) or not matrix.shape[1]:
            raise ValueError("several parts, or none")
    except Exception:  # noqa: BLE001 - a formula is a small program, which can fail in any way
        raise ParameterError(
            "The formula cannot be evaluated on these columns.",
            remedy="Write terms joined by +, such as age + I(age**2) + region, with names exactly "
            "as in the file's first line.",
        ) from None
    numbers = np.asarray(matrix, dtype=np.float64)
    if not np.isfinite(numbers).all():
        raise ParameterError(
            "A term of the formula is not a finite number for every respondent.",
            remedy="Look for a logarithm of 0 or a division by 0 in the formula.",
        )

    def readable(text: object) -> str:
        return _ALIAS.sub(lambda found: name_of[found[0]], str(text))

    places = matrix.model_spec.term_indices
    return Covariates(
        names=tuple(map(readable, matrix.columns)),
        values=numbers,
        used=used,
        terms=tuple((readable(term), tuple(places[term])) for term in places),
        columns=tuple(dict.fromkeys(name_of.values())),
    )


def _with_plain_names(formula: str, names: tuple[str, ...]) -> tuple[str, dict[str, str]]:
    """Puts a plain name in the place of each column's, such as cov.age, which is no name in Python.

    Returns:
        The formula, and the column of each plain name in it.
    """
    longest_first = sorted(names, key=len, reverse=True)
    any_name = "|".join(re.escape(name) for name in longest_first)
    # Not within a longer word, and not the name of a function.
    column = re.compile(rf"(?<![\w.`])(`?)({any_name})\1(?![\w.`]|\s*\()")
    name_of: dict[str, str] = {}

    def alias(found: re.Match[str]) -> str:
        plain = f"column_{names.index(found[2])}_"
        name_of[plain] = found[2]
        return plain

    return column.sub(alias, formula), name_of


def _values(column: TextColumn, decimal: str, name: str) -> tuple[object, NDArray[np.bool_]]:
    """Returns a column as numbers or texts, and where it is not empty."""
    missing = {"", "NA", "NaN", "nan"}
    filled = np.array([text.strip() not in missing for text in column.distinct])
    numbers = np.asarray(read_numbers(column.dictionary, decimal).values, dtype=np.float64)
    if np.isfinite(numbers[filled]).all() and filled.any():
        return numbers[column.codes], filled[column.codes]
    if np.isfinite(numbers).sum() > max(_FEW_NUMBERS, (filled & np.isnan(numbers)).sum()):
        raise InputError(
            f"The column {name} has texts among its numbers.",
            column=name,
            remedy="Empty these cells, such as those of who does not know, or take the column out "
            "of the formula.",
        )
    if filled.sum() > _MOST_CATEGORIES:
        raise InputError(
            f"The column {name} has too many different texts to be categories.",
            column=name,
            remedy="Take it out of the formula, or join its texts to fewer.",
        )
    texts = np.array([text.strip() for text in column.distinct], dtype=object)
    return texts[column.codes], filled[column.codes]
