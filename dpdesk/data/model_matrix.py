"""Covariates of a model formula, from the columns of a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.formula import Column, Term, parse_formula
from dpdesk.data.missing_codes import NO_ANSWER
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.data.texts import T
from dpdesk.errors import InputError, ParameterError

Floats = NDArray[np.float64]

COVARIATES_MAX = 1_000
"""Most columns of a matrix: a regression on more of them says nothing."""

_CELLS_MAX = 200_000_000
_MOST_CATEGORIES = 500
_FEW_NUMBERS = 10
"""Most distinct numbers that can be names of categories beside texts."""


class Covariates(NamedTuple):
    """The covariates of a formula on a table.

    Attributes:
        names: Names of the coefficients.
        values: One row for each used row, one column for each coefficient.
        used: Which of all rows are used, shape (n,).
        terms: The formula's terms, each with the positions of its coefficients.
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
    """Evaluates the right side of a formula, such as "age + C(region)".

    Columns whose answers are all numbers are numbers, others are categories with the first one as
    reference. A column of numbers with a few texts is neither. `dpdesk.data.formula` describes the
    language.

    Args:
        table: The data.
        formula: The terms, without a left side.
        rows: The rows to use, shape (n,).
        decimal: Decimal mark of the file.

    Returns:
        The covariates; rows with an empty cell are not used.

    Raises:
        ParameterError: The formula is invalid, or cannot be evaluated on these columns.
        InputError: No row is complete, or a column of numbers also has texts.
    """
    terms = parse_formula(formula, table.names)
    factors = tuple(dict.fromkeys(factor for term in terms for factor in term))
    evaluated, used = factor_values(table, factors, rows, decimal)
    names, matrix, places = _matrix(terms, evaluated, int(used.sum()))
    columns = tuple(dict.fromkeys(factor.name for factor in factors))
    return Covariates(names, matrix, used, places, columns)


def factor_values(
    table: SurveyTable,
    factors: Sequence[Column],
    rows: NDArray[np.bool_],
    decimal: str,
) -> tuple[dict[Column, FactorValues], NDArray[np.bool_]]:
    """Evaluates the factors of a formula's terms.

    Returns:
        The values of each factor for the rows that are used, and which these are: those of `rows`
        without an empty cell.

    Raises:
        ParameterError: A factor cannot be evaluated on these columns.
        InputError: No row is complete, or a column of numbers also has texts.
    """
    used = rows.copy()
    columns: dict[str, _Values] = {}
    for name in dict.fromkeys(factor.name for factor in factors):
        columns[name], present = _values(table.column(name), decimal, name)
        used &= present
    if not used.any():
        raise InputError(T.NOBODY_COMPLETE())
    return {factor: _evaluated(factor, columns[factor.name], used) for factor in factors}, used


@dataclass(frozen=True, slots=True, eq=False)
class _Values:
    """A column: numbers if all answers are numbers, else the distinct texts and each row's code."""

    numbers: Floats | None
    texts: NDArray[np.object_]
    codes: NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class FactorValues:
    """A factor for the rows that are used.

    Attributes:
        factor: The factor.
        names: The name of a number, or the categories.
        are_categories: Whether they are categories.
        numbers: The numbers, shape (n, 1); empty for categories.
        codes: The position of each row's category; empty for numbers.
    """

    factor: Column
    names: tuple[str, ...]
    are_categories: bool
    numbers: Floats
    codes: NDArray[np.intp]

    @classmethod
    def of_numbers(cls, factor: Column, names: tuple[str, ...], numbers: Floats) -> FactorValues:
        """A factor of numbers."""
        return cls(factor, names, False, numbers, np.zeros(0, dtype=np.intp))

    @classmethod
    def of_categories(
        cls, factor: Column, names: tuple[str, ...], codes: NDArray[np.intp]
    ) -> FactorValues:
        """A factor of categories."""
        return cls(factor, names, True, np.zeros((0, 0)), codes)

    def places(self, reduced: bool) -> range:
        """Positions of its columns; of categories, with the reference or (`reduced`) without it."""
        return range(int(reduced and self.are_categories), len(self.names))

    def label(self, place: int, reduced: bool) -> str:
        """The name of a column in a coefficient's."""
        if not self.are_categories:
            return self.names[place]
        mark = "T." if reduced else ""
        return f"{self.factor.text}[{mark}{self.names[place]}]"

    def column(self, place: int) -> Floats:
        """The values of a column, shape (n,): a number, or 1 for one category and 0 elsewhere."""
        if not self.are_categories:
            return np.asarray(self.numbers[:, place])
        return np.asarray(self.codes == place, dtype=np.float64)


def _evaluated(factor: Column, values_of: _Values, used: NDArray[np.bool_]) -> FactorValues:
    if values_of.numbers is None:
        levels, codes = _categories(values_of, used)
    elif factor.as_categories:
        numbers, codes = np.unique(values_of.numbers[used], return_inverse=True)
        _require_few_categories(len(numbers), factor.name)
        levels = [np.format_float_positional(number, trim="-") for number in numbers]
    else:
        numbers = values_of.numbers[used][:, None]
        return FactorValues.of_numbers(factor, (factor.name,), numbers)
    return FactorValues.of_categories(factor, tuple(levels), codes)


def _categories(values: _Values, used: NDArray[np.bool_]) -> tuple[list[str], NDArray[np.intp]]:
    """The texts that occur, in alphabetical order, and the position of each row's text."""
    codes = values.codes[used]
    occurs = np.bincount(codes, minlength=len(values.texts)) > 0
    levels = sorted(set(values.texts[occurs].tolist()))
    place = {text: index for index, text in enumerate(levels)}
    places = np.array([place.get(text, -1) for text in values.texts.tolist()], dtype=np.intp)
    return levels, places[codes]


# A factor of a term; categories with all of them, or without the reference.
_Scoped = tuple[tuple[Column, bool], ...]


class Coefficient(NamedTuple):
    """A column of a matrix.

    Attributes:
        name: Its name.
        parts: The factors whose columns it is the product of, each with the column's position;
            none for the intercept.
    """

    name: str
    parts: tuple[tuple[Column, int], ...]


def coefficients_of(
    terms: Sequence[Term], evaluated: Mapping[Column, FactorValues], rows: int
) -> tuple[tuple[Coefficient, ...], tuple[tuple[str, tuple[int, ...]], ...]]:
    """Decides which columns a formula's terms have.

    Returns:
        The columns, and the terms, each with the positions of its columns.

    Raises:
        ParameterError: There are too many columns, or none.
    """
    scoped = _scoped(terms, evaluated)
    width = sum(
        int(np.prod([float(len(evaluated[f].places(reduced))) for f, reduced in part]))
        for _, parts in scoped
        for part in parts
    )
    if width > COVARIATES_MAX or width * rows > _CELLS_MAX:
        raise ParameterError(T.WIDE_FORMULA(columns=width, rows=rows, most=COVARIATES_MAX))
    found: list[Coefficient] = []
    places: list[tuple[str, tuple[int, ...]]] = []
    for term, parts in scoped:
        first = len(found)
        for part in parts:
            of_factors = [
                [(f, place, evaluated[f].label(place, reduced)) for place in places_of]
                for f, reduced in part
                for places_of in (evaluated[f].places(reduced),)
            ]
            # The columns of the first factor change first.
            for combination in product(*reversed(of_factors)):
                ordered = combination[::-1]
                name = ":".join(label for *_, label in ordered)
                found.append(Coefficient(name, tuple((f, place) for f, place, _ in ordered)))
        text = ":".join(factor.text for factor in term) or "1"
        places.append((text, tuple(range(first, len(found)))))
    if not found:
        raise ParameterError(T.EMPTY_FORMULA())
    return _with_intercept(found), tuple(places)


def _with_intercept(found: Sequence[Coefficient]) -> tuple[Coefficient, ...]:
    """Names the intercept, which has no factors, otherwise than every column of the data."""
    name, taken = "Intercept", {one.name for one in found if one.parts}
    while name in taken:
        name = f"({name})"
    return tuple(one if one.parts else Coefficient(name, ()) for one in found)


def _matrix(
    terms: Sequence[Term], evaluated: Mapping[Column, FactorValues], rows: int
) -> tuple[tuple[str, ...], Floats, tuple[tuple[str, tuple[int, ...]], ...]]:
    coefficients, places = coefficients_of(terms, evaluated, rows)
    columns = [
        reduce(np.multiply, (evaluated[f].column(place) for f, place in parts), np.ones(rows))
        for _, parts in coefficients
    ]
    names = tuple(coefficient.name for coefficient in coefficients)
    return names, np.stack(columns, axis=1), places


def _scoped(
    terms: Sequence[Term], evaluated: Mapping[Column, FactorValues]
) -> list[tuple[Term, list[_Scoped]]]:
    """Decides for each category in each term whether its reference is left out.

    The span of a term is split into parts without references. Parts that an earlier term spans are
    left out; of the others as many as possible are merged again, so that no column is a sum of
    others whatever the data are (as in R and patsy).
    """
    spanned: set[frozenset[tuple[Column, bool]]] = set()
    found: list[tuple[Term, list[_Scoped]]] = []
    for term in terms:
        choices: list[list[_Scoped]] = [
            [((factor, False),)]
            if not evaluated[factor].are_categories
            else [((factor, True),), ()]
            for factor in term
        ]
        parts = [sum(chosen, ()) for chosen in product(*choices)]
        new = [part for part in parts if frozenset(part) not in spanned]
        spanned |= {frozenset(part) for part in new}
        found.append((term, _put_together(new)))
    return found


def _put_together(parts: Iterable[_Scoped]) -> list[_Scoped]:
    """Joins "a" and "a with b but its reference" to "a with all of b", as often as possible."""
    kept: list[_Scoped] = []
    for part in sorted(parts, key=len):
        for other in kept:
            difference = set(part) - set(other)
            if len(part) != len(other) + 1 or len(difference) != 1:
                continue
            (added,) = difference
            if added[1]:
                whole = tuple(
                    (f, False) if (f, reduced) == added else (f, reduced) for f, reduced in part
                )
                kept = _put_together([*(one for one in kept if one != other), whole])
                break
        else:
            kept.append(part)
    return kept


def _values(column: TextColumn, decimal: str, name: str) -> tuple[_Values, NDArray[np.bool_]]:
    """Returns a column as numbers or texts, and which of its cells are not empty."""
    texts = np.array([text.strip() for text in column.distinct], dtype=object)
    filled = np.array([text not in NO_ANSWER for text in texts])
    numbers = np.asarray(column.numbers(decimal).values, dtype=np.float64)
    if np.isfinite(numbers[filled]).all() and filled.any():
        return _Values(numbers[column.codes], texts, column.codes), filled[column.codes]
    if np.isfinite(numbers).sum() > max(_FEW_NUMBERS, (filled & np.isnan(numbers)).sum()):
        raise InputError(T.TEXTS_AMONG_NUMBERS(name=name), column=name)
    _require_few_categories(int(filled.sum()), name)
    return _Values(None, texts, column.codes), filled[column.codes]


def _require_few_categories(count: int, name: str) -> None:
    if count > _MOST_CATEGORIES:
        raise InputError(T.MANY_CATEGORIES(name=name), column=name)
