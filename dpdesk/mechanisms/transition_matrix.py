"""Matrices of exact chances: how they are written, what makes one usable, what epsilon it has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import lcm

import numpy as np
from numpy.typing import NDArray

from dpdesk.cost import EPSILON_MAX, EPSILON_MIN, log_upper
from dpdesk.errors import ParameterError

Matrix = tuple[tuple[str, ...], ...]
"""Rows of chances as texts: row x for the true category x, column y for the reported one."""

MATRIX_MAX = 200
"""Most categories: a matrix of 200 by 200 is what somebody may still have written on purpose."""

# Above it an inverse in double precision has too few digits for an estimate.
_CONDITION_MAX = 1e9
_EPSILON_DIGITS = 12
_CHANCE = re.compile(r"[0-9]{1,3}(\.[0-9]{1,30})?|[0-9]{1,30}/[0-9]{1,30}")


def matrix_of(rows: object) -> Matrix:
    """Reads a matrix of chances exactly.

    Args:
        rows: A list of rows, each a list of chances: texts such as "0.25" or "1/3", whole numbers
            or decimals, but not floats.

    Raises:
        ParameterError: It is not square, a chance is not of this form, 0 or negative, or a row
            does not sum to 1; the message names row and column by their position.
    """
    listed = _lists(rows)
    size = len(listed)
    if not 2 <= size <= MATRIX_MAX:
        raise ParameterError(
            f"The matrix has {size} rows.",
            remedy=f"Give one row per category, from 2 to {MATRIX_MAX} of them.",
        )
    for x, row in enumerate(listed, 1):
        if len(row) != size:
            raise ParameterError(
                f"Row {x} of the matrix has {len(row)} chances, but there are {size} rows.",
                remedy="Give as many chances in each row as there are rows: one per category.",
            )
    matrix = tuple(
        tuple(_text_of(chance, x, y) for y, chance in enumerate(row, 1))
        for x, row in enumerate(listed, 1)
    )
    _require_law(matrix)
    return matrix


def _lists(rows: object) -> list[Sequence[object]]:
    if not isinstance(rows, (list, tuple)) or not all(isinstance(r, (list, tuple)) for r in rows):
        raise ParameterError(
            "A matrix is a list of rows, each a list of chances.",
            remedy="Give one row per true category and one chance per reported category.",
        )
    return list(rows)


def _text_of(chance: object, x: int, y: int) -> str:
    text = ""
    if isinstance(chance, (str, Decimal)) or (isinstance(chance, int) and chance is not True):
        text = format(chance, "f") if isinstance(chance, Decimal) else str(chance).strip(" ")
    denominator = text.partition("/")[2]
    if not _CHANCE.fullmatch(text) or (denominator and int(denominator) == 0):
        raise ParameterError(
            f"Row {x}, column {y} of the matrix is not a chance.",
            remedy="Write a chance above 0 and below 1 exactly, such as 0.25 or 1/3.",
        )
    return text


def _require_law(matrix: Matrix) -> None:
    for x, row in enumerate(chances(matrix), 1):
        for y, chance in enumerate(row, 1):
            if chance == 0:
                raise ParameterError(
                    f"Row {x}, column {y} of the matrix is 0: such a report would prove that the "
                    "true category is another, which no epsilon bounds.",
                    remedy="Give every report some chance under every true category.",
                )
        total = sum(row)
        if total != 1:
            raise ParameterError(
                f"Row {x} of the matrix sums to {float(total):.12g}, not to 1.",
                remedy="Correct the row; thirds and the like can be written as 1/3.",
            )


@lru_cache(maxsize=64)
def chances(matrix: Matrix) -> tuple[tuple[Fraction, ...], ...]:
    """Returns the matrix as rationals."""
    return tuple(tuple(map(Fraction, row)) for row in matrix)


def float_matrix(matrix: Matrix) -> NDArray[np.float64]:
    """Returns the matrix in floating point, shape (k, k)."""
    return np.array([[float(chance) for chance in row] for row in chances(matrix)])


def integer_rows(matrix: Matrix) -> list[tuple[list[int], int]]:
    """Returns each row as whole numerators with their sum."""
    rows = []
    for row in chances(matrix):
        common = lcm(*(chance.denominator for chance in row))
        rows.append(([int(chance * common) for chance in row], common))
    return rows


@lru_cache(maxsize=64)
def epsilon_of(matrix: Matrix) -> Decimal:
    """Returns the epsilon of a matrix, rounded up at the 12th digit after the point.

    It is the logarithm of the largest ratio of two chances in one column.

    Raises:
        ParameterError: Nothing could be estimated from the reports, or epsilon is above 40.
    """
    if np.linalg.cond(float_matrix(matrix)) > _CONDITION_MAX:
        raise ParameterError(
            "The matrix has no inverse, or none that double precision can hold: the shares could "
            "not be estimated from the reports.",
            remedy="Make the rows differ, so that no row is a mixture of the others.",
        )
    columns = zip(*chances(matrix), strict=True)
    epsilon = log_upper(max(max(c) / min(c) for c in columns), _EPSILON_DIGITS)
    if not EPSILON_MIN <= epsilon <= EPSILON_MAX:
        raise ParameterError(
            f"The matrix has epsilon {epsilon:f}, outside {EPSILON_MIN} to {EPSILON_MAX}.",
            remedy="Bring the chances of each column nearer together."
            if epsilon > EPSILON_MAX
            else "Let the rows differ more, or the reports say nothing.",
        )
    return epsilon
