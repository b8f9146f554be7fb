"""The inverse of a matrix of fractions, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Matrix = tuple[tuple[Fraction, ...], ...]


def inverse(matrix: Sequence[Sequence[Fraction]]) -> Matrix | None:
    """Returns the inverse by elimination of Gauss and Jordan; None where there is none.

    Args:
        matrix: Rows of equal length, as many as columns.
    """
    size = len(matrix)
    rows = [[*row, *(Fraction(int(i == j)) for j in range(size))] for i, row in enumerate(matrix)]
    for column in range(size):
        pivot = next((i for i in range(column, size) if rows[i][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        head = rows[column][column]
        rows[column] = [x / head for x in rows[column]]
        for i in range(size):
            factor = rows[i][column]
            if i != column and factor:
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[column], strict=True)]
    return tuple(tuple(row[size:]) for row in rows)
