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
from dpdesk.estimate.predictors import Predictors
from dpdesk.estimate.scored_records import ScoredRecords
from dpdesk.estimate.variable import Places, Variable
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


def linear_regression(records: ScoredRecords, predictors: Predictors) -> tuple[Floats, Floats]:
    """Returns the slopes, shape (p,), and their covariance, (p, p).

    Args:
        records: The records.
        predictors: The columns, and an outcome of numbers.

    Raises:
        ParameterError: The outcome is not a number, or reports tell nothing of a product.
        InputError: The reports do not tell the columns apart.
    """
    products = _products(predictors)
    moments = _Moments(predictors, products)
    together, size = predictors.together, len(predictors.names)
    total = np.zeros((size, size + 1))
    at = np.searchsorted(together.rows, together.different)
    for part, rows in _blocks(at, together.different):
        weight = together.weights[part]
        for product, values in moments.of(at[part], rows):
            total[product.row, product.column] += weight @ values
    total /= together.weight
    squares = total[:, :size]
    squares = np.triu(squares) + np.triu(squares, 1).T
    _require_told(squares)
    slopes: Floats = np.linalg.solve(squares, total[:, size]).astype(np.float64)
    if records.designed:
        spread = _by_design(records, moments, predictors, slopes)
    else:
        spread = np.zeros((size, size))
        for part, rows in _blocks(at, together.different):
            left = moments.residuals(at[part], rows, slopes)
            spread += (together.square_weights[part] * left.T) @ left
        spread /= together.weight**2
        spread *= together.rows.size / max(together.rows.size - 1, 1)
    back = np.linalg.inv(squares)
    return slopes, np.asarray(back @ spread @ back.T)


def _by_design(
    records: ScoredRecords, moments: _Moments, predictors: Predictors, slopes: Floats
) -> Floats:
    """The covariance of the mean residual by the sample's weights, strata and clusters."""
    together = predictors.together
    contributions = np.empty((together.rows.size, slopes.size))
    for part, rows in _blocks(np.arange(together.rows.size), together.rows):
        weight = records.weights[rows] / together.weight
        at = np.arange(part.start, part.start + rows.size)
        contributions[part] = weight[:, None] * moments.residuals(at, rows, slopes)
    return records.sample(together.rows).covariance_of_sum(contributions)


def _blocks(at: Places, rows: Places) -> Iterator[tuple[slice, Places]]:
    for start in range(0, at.size, _ROWS):
        part = slice(start, min(start + _ROWS, at.size))
        yield part, rows[part]


def _products(predictors: Predictors) -> tuple[_Product, ...]:
    """Lists the products that are not 0 whatever the answers are, the upper triangle alone."""
    outcome = predictors.outcome
    number = outcome.itself
    if number is None:
        raise ParameterError(
            f"{outcome.name} has categories, not numbers.",
            remedy="Leave the model open, or ask for a logistic or multinomial one.",
        )
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
        self._kept, self._products = predictors.kept, products
        self._size = len(predictors.names)

    def of(self, at: Places, rows: Places) -> Iterator[tuple[_Product, Floats]]:
        """Yields each product with its values in some records.

        Args:
            at: Their positions among the used records.
            rows: Their positions among all.
        """
        kept = self._kept[at].T.copy()
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
                        scores[variable.name] = variable.scores(rows)
                    known[key] = scores[variable.name] @ function
                values = values * known[key]
            yield product, values

    def residuals(self, at: Places, rows: Places, slopes: Floats) -> Floats:
        """Returns m_i - M_i b, shape (n, p)."""
        found = np.zeros((slopes.size, at.size))
        for product, values in self.of(at, rows):
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
    raise InputError(
        "The records do not tell the terms of the formula apart: they depend on each other, or the "
        "noise is larger than what they vary by.",
        remedy="Take a term out of the formula, or join categories.",
    )
