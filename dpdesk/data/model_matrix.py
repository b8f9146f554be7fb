"""Covariates of a model formula, from the columns of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.formula import parse_formula
from dpdesk.data.formula_terms import Column, Factor, Floats, Term
from dpdesk.data.missing_codes import NO_ANSWER
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.errors import InputError, ParameterError

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
    """Evaluates the right side of a formula, such as "age + I(age**2) + region".

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
    used = rows.copy()
    columns: dict[str, _Values] = {}
    for name in dict.fromkeys(n for term in terms for factor in term for n in factor.columns):
        columns[name], present = _values(table.column(name), decimal, name)
        used &= present
    if not used.any():
        raise InputError(
            "No respondent has answers in all columns of the formula.",
            remedy="Take a column out of the formula.",
        )
    evaluated: dict[Factor, _Evaluated] = {}
    with np.errstate(all="ignore"):
        for factor in dict.fromkeys(factor for term in terms for factor in term):
            evaluated[factor] = _evaluated(factor, columns, used)
        names, matrix, places = _matrix(terms, evaluated, int(used.sum()))
    if not np.isfinite(matrix).all():
        raise ParameterError(
            "A term of the formula is not a finite number for every respondent.",
            remedy="Look for a logarithm of 0 or a division by 0 in the formula.",
        )
    return Covariates(names, matrix, used, places, tuple(columns))


@dataclass(frozen=True, slots=True, eq=False)
class _Values:
    """A column: numbers if all answers are numbers, else the distinct texts and each row's code."""

    numbers: Floats | None
    texts: NDArray[np.object_]
    codes: NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class _Evaluated:
    """A factor for the rows that are used.

    Attributes:
        names: Names of a number's columns, or the categories.
        numbers: A number's columns, shape (n, columns); None for categories.
        codes: The position of each row's category.
    """

    factor: Factor
    names: tuple[str, ...]
    numbers: Floats | None
    codes: NDArray[np.intp]

    def width(self, reduced: bool) -> int:
        """Number of columns; of categories, with the reference or (`reduced`) without it."""
        return len(self.names) - (reduced and self.numbers is None)

    def columns(self, reduced: bool) -> list[tuple[str, Floats]]:
        """Names and values of its columns."""
        if self.numbers is not None:
            return [(name, self.numbers[:, i]) for i, name in enumerate(self.names)]
        mark = "T." if reduced else ""
        return [
            (f"{self.factor.text}[{mark}{name}]", (self.codes == code).astype(np.float64))
            for code, name in enumerate(self.names)
            if code or not reduced
        ]


def _evaluated(factor: Factor, columns: dict[str, _Values], used: NDArray[np.bool_]) -> _Evaluated:
    none = np.zeros(0, dtype=np.intp)
    if not isinstance(factor, Column):

        def numbers_of(name: str) -> Floats:
            numbers = columns[name].numbers
            if numbers is None:
                raise ParameterError(
                    f"The formula calculates with {name}, which holds texts.",
                    remedy="Use the column as it is, or take it out of the formula.",
                )
            return numbers[used]

        values = factor.expression.numbers(numbers_of)
        values = np.broadcast_to(values, (int(used.sum()),))
        if factor.degree == 0:
            return _Evaluated(factor, (factor.text,), values[:, None], none)
        names = tuple(f"{factor.text}[{power}]" for power in range(1, factor.degree + 1))
        return _Evaluated(factor, names, _polynomials(values, factor.degree), none)
    values_of = columns[factor.name]
    if values_of.numbers is None:
        levels, codes = _categories(values_of, used)
    elif factor.as_categories:
        numbers, codes = np.unique(values_of.numbers[used], return_inverse=True)
        _require_few_categories(len(numbers), factor.name)
        levels = [str(number) for number in numbers.tolist()]
    else:
        numbers = values_of.numbers[used][:, None]
        return _Evaluated(factor, (factor.name,), numbers, none)
    return _Evaluated(factor, tuple(levels), None, codes)


def _categories(values: _Values, used: NDArray[np.bool_]) -> tuple[list[str], NDArray[np.intp]]:
    """The texts that occur, in alphabetical order, and the position of each row's text."""
    codes = values.codes[used]
    occurs = np.bincount(codes, minlength=len(values.texts)) > 0
    levels = sorted(set(values.texts[occurs].tolist()))
    place = {text: index for index, text in enumerate(levels)}
    places = np.array([place.get(text, -1) for text in values.texts.tolist()], dtype=np.intp)
    return levels, places[codes]


def _polynomials(x: Floats, degree: int) -> Floats:
    """Orthonormal polynomials of degree 1 and more, shape (n, degree).

    By the three-term recurrence of monic polynomials that are orthogonal on these numbers.
    """
    if len(np.unique(x)) <= degree:
        raise ParameterError(
            f"The formula has a polynomial of degree {degree} of fewer than {degree + 1} different "
            "numbers.",
            remedy="Choose a smaller degree.",
        )
    before, now = np.zeros_like(x), np.ones_like(x)
    found: list[Floats] = []
    square_before = 1.0
    for _ in range(degree):
        square = float((now**2).sum())
        shift = float((x * now**2).sum()) / square
        # The first step has no predecessor: zeros are subtracted.
        after = np.asarray((x - shift) * now - square / square_before * before)
        before, now, square_before = now, after, square
        found.append(np.asarray(now / np.sqrt((now**2).sum())))
    return np.stack(found, axis=1)


# A factor of a term; categories with all of them, or without the reference.
_Scoped = tuple[tuple[Factor, bool], ...]


def _matrix(
    terms: Sequence[Term], evaluated: dict[Factor, _Evaluated], rows: int
) -> tuple[tuple[str, ...], Floats, tuple[tuple[str, tuple[int, ...]], ...]]:
    scoped = _scoped(terms, evaluated)
    width = sum(
        int(np.prod([float(evaluated[f].width(reduced)) for f, reduced in part]))
        for _, parts in scoped
        for part in parts
    )
    if width > COVARIATES_MAX or width * rows > _CELLS_MAX:
        raise ParameterError(
            f"The formula makes {width:,} columns of {rows:,} respondents, more than can be used.",
            remedy=f"Take interactions out of it; at most {COVARIATES_MAX:,} columns can be used.",
        )
    names: list[str] = []
    columns: list[Floats] = []
    places: list[tuple[str, tuple[int, ...]]] = []
    for term, parts in scoped:
        first = len(names)
        for part in parts:
            of_factors = [evaluated[factor].columns(reduced) for factor, reduced in part]
            # The columns of the first factor change first.
            for combination in product(*reversed(of_factors)):
                ordered = combination[::-1]
                names.append(":".join(name for name, _ in ordered) or "Intercept")
                values = (values for _, values in ordered)
                columns.append(reduce(np.multiply, values, np.ones(rows)))
        text = ":".join(factor.text for factor in term) or "1"
        places.append((text, tuple(range(first, len(names)))))
    if not columns:
        raise ParameterError(
            "The formula leaves no term on these columns.",
            remedy="Add a term, or take away the 0 that leaves the intercept out.",
        )
    return tuple(names), np.stack(columns, axis=1), tuple(places)


def _scoped(
    terms: Sequence[Term], evaluated: dict[Factor, _Evaluated]
) -> list[tuple[Term, list[_Scoped]]]:
    """Decides for each category in each term whether its reference is left out.

    The span of a term is split into parts without references. Parts that an earlier term spans are
    left out; of the others as many as possible are merged again, so that no column is a sum of
    others whatever the data are (as in R and patsy).
    """
    spanned: set[frozenset[tuple[Factor, bool]]] = set()
    found: list[tuple[Term, list[_Scoped]]] = []
    for term in terms:
        choices: list[list[_Scoped]] = [
            [((factor, False),)]
            if evaluated[factor].numbers is not None
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
        raise InputError(
            f"The column {name} has texts among its numbers.",
            column=name,
            remedy="Empty these cells, for example those that mean “do not know”, or take the "
            "column out of the formula.",
        )
    _require_few_categories(int(filled.sum()), name)
    return _Values(None, texts, column.codes), filled[column.codes]


def _require_few_categories(count: int, name: str) -> None:
    if count > _MOST_CATEGORIES:
        raise InputError(
            f"The column {name} has too many different texts to be categories.",
            column=name,
            remedy="Take it out of the formula, or join its texts to fewer.",
        )
