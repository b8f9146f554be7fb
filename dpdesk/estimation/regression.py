"""Regression on released records: choice of a model, moments and corrected scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from dpdesk.data.tabular import Tabular
from dpdesk.designs.answer_likelihood import AnswerChances
from dpdesk.designs.regression import CoefficientRow, coefficient_rows, logistic_regression
from dpdesk.errors import InputError, ParameterError
from dpdesk.estimation.answer_cells import AnswerCells, is_positive
from dpdesk.estimation.likelihood_regression import has_likelihood, likelihood_regression
from dpdesk.estimation.predictors import Predictors
from dpdesk.estimation.record_patterns import Patterns
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.estimation.texts import T
from dpdesk.estimation.variable import Numbers, Places, Variable, report_sums
from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.calendar import difference_unit

Model = Literal["linear", "logistic", "multinomial"]
Method = Literal["moments", "likelihood", "scores"]

METHODS: dict[Method, str] = {
    "moments": N_("normal equations of unbiased moments"),
    "likelihood": N_("likelihood of the reports"),
    "scores": N_("corrected scores"),
}
"""How coefficients are found, in words."""

_PRODUCTS = 1 << 21
_ROWS = 1 << 13
"""Records at a time: sums of more wake threads, which wait for each other."""
_LEAST = 1e-9
"""Smallest eigenvalue of the predictors' moments, in units of their mean squares."""

_Function = tuple[Variable, Floats]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Regression(Tabular):
    """The coefficients of a regression.

    Attributes:
        model: The model.
        method: How they were found.
        outcome: Name of the outcome.
        categories: Its categories, the first one is what the others are compared with; none of a
            number.
        names: Names of the coefficients; of several categories with the category's.
        coefficients: Slopes, of categories log odds ratios.
        covariance: Of them: sampling and noise together.
        records: Number of records that were used.
        freedom: Degrees of freedom of the errors; None for the normal law.
        units: Unit of each coefficient, such as "years per kg"; empty for a pure number.
        intercepts: Places of the intercepts, one for each category but the first.
    """

    model: Model
    method: Method
    outcome: str
    categories: tuple[str, ...]
    names: tuple[str, ...]
    coefficients: Floats
    covariance: Floats
    records: int
    freedom: int | None
    units: tuple[str, ...]
    intercepts: frozenset[int]
    drawn = ("value", "lower", "upper")

    def table_rows(self) -> list[dict[str, Any]]:
        return list(map(asdict, self.rows()))

    def rows(self, confidence: float = 0.95) -> tuple[CoefficientRow, ...]:
        """Returns each coefficient with its interval and the test of whether it is 0."""
        errors = np.sqrt(np.diag(self.covariance))
        return coefficient_rows(self.names, self.coefficients, errors, self.freedom, confidence)


def regression(records: ScoredRecords, formula: str, model: Model | None = None) -> Regression:
    """Returns a regression on released records.

    Args:
        records: The records.
        formula: The outcome, a tilde and terms, such as "y ~ a + b" (see `dpdesk.data.formula`).
        model: The model; None for a linear one of numbers, a logistic one of two categories and a
            multinomial one of more.

    Raises:
        ParameterError: The formula is invalid, or reports do not tell of one of its terms.
        InputError: A column is not in the release, or the records tell too little.
    """
    predictors = Predictors.of(records, formula, listed=model in {"logistic", "multinomial"})
    outcome = predictors.outcome
    together = predictors.together
    freedom = together.sample.freedom() if together.designed else None
    if freedom is not None and freedom < 1:
        raise InputError(T.ONE_CLUSTER())
    rows, size = together.records, len(predictors.names)
    if rows <= size:
        raise InputError(T.FEW_RECORDS(records=rows, coefficients=size))
    result = partial(Regression, outcome=outcome.name, records=rows, freedom=freedom)
    if model == "linear" or (model is None and outcome.are_numbers):
        slopes, covariance = linear_regression(predictors)
        return result(
            model="linear",
            method="moments",
            categories=(),
            names=predictors.names,
            coefficients=slopes,
            covariance=covariance,
            units=_units(outcome, predictors),
            intercepts=_intercepts(predictors, len(predictors.names)),
        )
    cells = AnswerCells.of(predictors)
    texts = tuple(cells.outcome.texts[place] for place in cells.of_outcome)
    if len(texts) < 2:
        raise InputError(T.ONE_CATEGORY(column=outcome.name))
    if model == "logistic" and len(texts) > 2:
        raise ParameterError(T.MANY_CATEGORIES(column=outcome.name, categories=len(texts)))
    method: Method = "likelihood"
    if _is_of_two_answers(cells):
        slopes, covariance = _of_two_answers(records, cells)
    elif has_likelihood(cells):
        by_sample = records.designed or records.is_weighted
        slopes, covariance = likelihood_regression(cells, by_sample=by_sample)
    else:
        method = "scores"
        slopes, covariance = score_regression(cells)
    names = predictors.names
    found: Model = "logistic"
    if len(texts) > 2:
        found = "multinomial"
        names = tuple(f"{text}: {name}" for text in texts[1:] for name in predictors.names)
    # Log odds of each category are in the same units.
    units = tuple(T.LOG_ODDS_PER(unit=per) if per else T.LOG_ODDS() for per in predictors.per)
    units *= len(names) // len(units)
    return result(
        model=found,
        method=method,
        categories=texts,
        names=names,
        coefficients=slopes,
        covariance=covariance,
        units=units,
        intercepts=_intercepts(predictors, len(names)),
    )


def _units(outcome: Variable, predictors: Predictors) -> tuple[str, ...]:
    """Units of slopes of a number: its own, per what the columns count."""
    own = outcome.numbers().unit if outcome.are_numbers else ""
    apart = difference_unit(own)
    return tuple(
        own if per is None else T.UNIT_PER(outcome=apart, unit=per).strip() if per else apart
        for per in predictors.per
    )


def _intercepts(predictors: Predictors, coefficients: int) -> frozenset[int]:
    """Places of the intercepts where each category has all columns, one after another."""
    columns = len(predictors.per)
    return frozenset(n for n in range(coefficients) if predictors.per[n % columns] is None)


def _is_of_two_answers(cells: AnswerCells) -> bool:
    """Whether a yes-no answer alone may be protected, of a known law, and none is missing."""
    outcome = cells.outcome
    return (
        not cells.attributes
        and cells.categories == 2
        and outcome.missing is None
        and outcome.chances is not None
    )


def _of_two_answers(records: ScoredRecords, cells: AnswerCells) -> tuple[Floats, Floats]:
    """The regression of collected answers."""
    together, chances = cells.predictors.together, cells.outcome.chances
    assert chances is not None  # noqa: S101 - `_is_of_two_answers`
    whole = together.whole
    found = chances(whole.reports[cells.outcome.name])
    low, high = (found / found.max(axis=1, keepdims=True)).T
    mean_weight = together.weight / together.records
    each = (whole.weights / mean_weight)[:, None]

    def spread(parts: Floats) -> Floats:
        return together.covariance_of_parts(parts / each / mean_weight)

    fit = logistic_regression(
        AnswerChances(high, low),
        cells.predictors.kept[cells.predictors.groups],
        cells.predictors.names,
        whole.weights,
        spread if records.designed or records.is_weighted else None,
        respondents=together.records,
    )
    return fit.coefficients, fit.covariance


def score_regression(cells: AnswerCells) -> tuple[Floats, Floats]:
    """Returns the slopes by corrected scores, and their covariance.

    The derivative of the log-likelihood of true answers is a sum over records of (1[y] - P_y(x)) x.
    As a function of protected answers it has an unbiased score: the sum over all their combinations
    of the product of their scores times the function there (Nakamura 1990, Biometrika 77, 127-137).
    So each record counts in every cell with the weight of its scores, which may be negative; slopes
    where the weighted derivative is 0 are consistent, whatever the predictors have in common. Their
    error is by the spread of the records' parts of it, which holds sampling and noise together.

    Args:
        cells: The rows of the regression.

    Returns:
        Slopes of each category of the outcome but the first, shape ((m - 1) p,), one category's
        after another's.

    Raises:
        InputError: No slopes fit best.
    """
    together = cells.predictors.together
    whole = together.whole
    weights = whole.weights[cells.order]
    counts = np.zeros((*cells.x.shape[:2], cells.categories))
    totals = np.zeros(cells.x.shape[:2])
    step = max(1, _PRODUCTS // (counts[0].size + 1))
    for start in range(0, cells.order.size, step):
        part = slice(start, start + step)
        of_cells, of_outcome, answered = _scores(cells, whole.take(cells.order[part]))
        weighted = of_cells * weights[part, None]
        products = weighted[:, :, None] * of_outcome[:, None, :]
        group = cells.groups[part]
        first = np.flatnonzero(np.diff(group, prepend=-1))
        counts[group[first]] += np.add.reduceat(products, first, axis=0)
        totals[group[first]] += np.add.reduceat(weighted * answered[:, None], first, axis=0)
    slopes = cells.fit(counts, totals)
    bend = cells.information(totals, slopes)
    if not is_positive(bend):
        raise InputError(T.NOT_ESTIMABLE())
    back = np.linalg.inv(bend)
    if together.designed:
        left = _residuals(cells, slopes, np.arange(whole.size), cells.group_of_each, step)
        spread = together.covariance_of_parts(left)
        return slopes.T.ravel(), np.asarray(back @ spread @ back)
    left = _residuals(cells, slopes, cells.order, cells.groups, step)
    spread = (left.T * whole.squares[cells.order]) @ left
    spread *= together.records / max(together.records - 1, 1)
    return slopes.T.ravel(), np.asarray(back @ spread @ back)


def _scores(cells: AnswerCells, rows: Patterns) -> tuple[Floats, Floats, Floats]:
    """The scores of the cells, of the outcome's categories, and of that it is given."""
    tables = tuple(rows.scores(attribute) for attribute in cells.attributes)
    outcome = rows.scores(cells.outcome)[:, cells.of_outcome]
    whole = np.ones(rows.size) if cells.outcome.missing is None else outcome.sum(axis=1)
    return cells.of_predictors(tables, rows.size), outcome, whole


def _residuals(cells: AnswerCells, slopes: Floats, at: Places, groups: Places, step: int) -> Floats:
    """Returns each record's part of the derivative, shape (n, (m - 1) p)."""
    chances = np.exp(cells.log_chances(slopes))
    size = cells.x.shape[2]
    found = np.empty((at.size, (cells.categories - 1) * size))
    for start in range(0, at.size, step):
        part = slice(start, start + step)
        rows = cells.predictors.together.whole.take(at[part])
        of_cells, outcome, whole = _scores(cells, rows)
        own = chances[groups[part]]
        for y in range(1, cells.categories):
            apart = of_cells * (outcome[:, [y]] - whole[:, None] * own[:, :, y])
            place = slice((y - 1) * size, y * size)
            found[part, place] = (apart @ cells.of_cells) * cells.kept[groups[part]]
    return found


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

    With x_j the columns and y the outcome, M_jl = E[x_j x_l] and m_j = E[x_j y] are means over
    records of products of scores: of different attributes the product of their scores, of one
    attribute that is in both columns the score of the product of both functions (an indicator
    squared is itself; a number squared has a score of its own). b = M^-1 m. With q_i = m_i - M_i b
    of record i, b has to first order the error M^-1 mean(q_i), so that M^-1 Var(mean q) M^-1 holds
    sampling and noise together (errors in variables with known error: Fuller 1987, Measurement
    Error Models; Nakamura 1990, Biometrika 77, 127-137). Records without a given answer count 0:
    each product holds the score of "answered" of every attribute that may be missing.

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
    back: Floats = np.linalg.inv(squares).astype(np.float64)
    covariance = np.asarray(back @ spread @ back.T)
    least = _least_noise(predictors, products, back)
    return slopes, covariance + np.diag(np.maximum(least - np.diag(covariance), 0.0))


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


def _least_noise(predictors: Predictors, products: tuple[_Product, ...], back: Floats) -> Floats:
    """Returns the least variances of slopes that reports of the outcome allow, shape (p,)."""
    outcome, together = predictors.outcome, predictors.together
    if not isinstance(outcome, Numbers):
        return np.zeros(len(back))
    columns = tuple(
        replace(one, functions=tuple(f for f in one.functions if f[0] is not outcome))
        for one in products
        if one.column == len(back)
    )
    moments, sums = _Moments(predictors, columns), np.zeros((4, len(back)))
    for part, rows in _blocks(together.whole):
        x = np.zeros((rows.size, len(back)))
        for product, values in moments.of(part, rows):
            x[:, product.row] = values
        squares = rows.squares / together.weight**2
        sums += report_sums(x @ back.T, rows.scores(outcome), squares)
    return outcome.least_variances(sums, together.weight**2 / together.squares)


def _require_told(squares: Floats) -> None:
    """Refuses moments that no predictors have."""
    scale = np.sqrt(np.maximum(np.diag(squares), 0.0))
    if (scale > 0).all() and np.linalg.eigvalsh(squares / np.outer(scale, scale))[0] > _LEAST:
        return
    raise InputError(T.NOT_ESTIMABLE())
