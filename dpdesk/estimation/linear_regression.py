"""Linear regression on released records by normal equations of unbiased moments.

With x_j the columns and y the outcome, M_jl = E[x_j x_l] and m_j = E[x_j y] are means over records
of products of scores: of different attributes the product of their scores, of one attribute that is
in both columns the score of the product of both functions (an indicator squared is itself; a number
squared has a score of its own). b = M^-1 m. With q_i = m_i - M_i b of record i, b has to first
order the error M^-1 mean(q_i), so that M^-1 Var(mean q) M^-1 holds sampling and noise together
(errors in variables with known error: Fuller 1987, Measurement Error Models; Nakamura 1990,
Biometrika 77, 127-137). Records without a given answer count 0: each product holds the score of
"answered" of every attribute that may be missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpdesk.errors import InputError, ParameterError
from dpdesk.estimation.predictors import Predictors
from dpdesk.estimation.record_patterns import Patterns
from dpdesk.estimation.texts import T
from dpdesk.estimation.variable import Variable
from dpdesk.numbers.arrays import Floats

_ROWS = 1 << 13
"""Records at a time: sums of more wake threads, which wait for each other."""
_LEAST = 1e-9
"""Smallest eigenvalue of the predictors' moments, in units of their mean squares."""

_Function = tuple[Variable, Floats]


@dataclass(frozen=True, slots=True)
class _Product:
    """One entry of a record's moments: the product of two columns, or of one and the outcome.

    Attributes:
        row, column: Its place; `column` is p for the outcome.
        functions: The functions whose scores are multiplied, beside what was released as it is.
    """

    row: int
    column: int
    functions: tuple[_Function, ...]


def linear_regression(predictors: Predictors) -> tuple[Floats, Floats]:
    """Returns the slopes, shape (p,), and their covariance, (p, p).

    Args:
        predictors: The columns, and an outcome of numbers.

    Raises:
        ParameterError: The outcome is not a number, or reports tell nothing of a product.
        InputError: The reports do not tell the columns apart.
    """
    products = _products(predictors)
    moments = _Moments(predictors, products)
    together, size = predictors.together, len(predictors.names)
    total = np.zeros((size, size + 1))
    for part, rows in _blocks(together.whole):
        for product, values in moments.of(part, rows):
            total[product.row, product.column] += rows.weights @ values
    total /= together.weight
    squares = total[:, :size]
    squares = np.triu(squares) + np.triu(squares, 1).T
    _require_told(squares)
    slopes: Floats = np.linalg.solve(squares, total[:, size]).astype(np.float64)
    if together.designed:
        blocks = _blocks(together.whole)
        left = np.concatenate([moments.residuals(part, rows, slopes) for part, rows in blocks])
        spread = together.covariance_of_parts(left)
    else:
        spread = np.zeros((size, size))
        for part, rows in _blocks(together.whole):
            left = moments.residuals(part, rows, slopes)
            spread += (rows.squares * left.T) @ left
        spread *= together.records / max(together.records - 1, 1)
    spread /= together.weight**2
    back = np.linalg.inv(squares)
    return slopes, np.asarray(back @ spread @ back.T)


def _blocks(whole: Patterns) -> Iterator[tuple[slice, Patterns]]:
    """Yields some of the different records at a time, and which they are."""
    for start in range(0, whole.size, _ROWS):
        part = slice(start, min(start + _ROWS, whole.size))
        yield part, whole.take(part)


def _products(predictors: Predictors) -> tuple[_Product, ...]:
    """Lists the products that are not 0 whatever the answers are, the upper triangle alone."""
    outcome = predictors.outcome
    number = outcome.itself
    if number is None:
        raise ParameterError(T.HOLDS_CATEGORIES(column=outcome.name))
    variables = {variable.name: variable for variable in predictors.protected}
    answered = {name: v.answered for name, v in (*variables.items(), (outcome.name, outcome))}
    variables[outcome.name] = outcome
    columns = [*predictors.functions, {outcome.name: number}]
    found: list[_Product] = []
    for row, first in enumerate(predictors.functions):
        for column in range(row, len(columns)):
            second = columns[column]
            functions: list[_Function] = []
            for name, variable in variables.items():
                held = [f for f in (first.get(name), second.get(name)) if f is not None]
                function = answered[name] if not held else held[0]
                if len(held) > 1:
                    function = variable.product(*held)
                if function is not None:
                    functions.append((variable, function))
            if all(function.any() for _, function in functions):
                found.append(_Product(row, column, tuple(functions)))
    return tuple(found)


class _Moments:
    """The products of each record, made of its scores."""

    def __init__(self, predictors: Predictors, products: tuple[_Product, ...]) -> None:
        self._kept, self._groups = predictors.kept, predictors.groups
        self._products = products
        self._size = len(predictors.names)

    def of(self, part: slice, rows: Patterns) -> Iterator[tuple[_Product, Floats]]:
        """Yields each product with its values in some records.

        Args:
            part: Which they are.
            rows: What they hold.
        """
        kept = self._kept[self._groups[part]].T.copy()
        scores: dict[str, Floats] = {}
        known: dict[tuple[str, bytes], Floats] = {}
        for product in self._products:
            values = kept[product.row]
            if product.column < self._size:
                values = values * kept[product.column]
            for variable, function in product.functions:
                key = variable.name, function.tobytes()
                if key not in known:
                    if variable.name not in scores:
                        scores[variable.name] = rows.scores(variable)
                    known[key] = scores[variable.name] @ function
                values = values * known[key]
            yield product, values

    def residuals(self, part: slice, rows: Patterns, slopes: Floats) -> Floats:
        """Returns m_i - M_i b, shape (n, p)."""
        found = np.zeros((slopes.size, rows.size))
        for product, values in self.of(part, rows):
            row, column = product.row, product.column
            if column == self._size:
                found[row] += values
                continue
            found[row] -= slopes[column] * values
            if row != column:
                found[column] -= slopes[row] * values
        return np.asarray(found.T)


def _require_told(squares: Floats) -> None:
    """Refuses moments that no predictors have."""
    scale = np.sqrt(np.maximum(np.diag(squares), 0.0))
    if (scale > 0).all() and np.linalg.eigvalsh(squares / np.outer(scale, scale))[0] > _LEAST:
        return
    raise InputError(T.NOT_ESTIMABLE())
