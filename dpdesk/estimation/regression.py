"""Regression on released records: which model and which estimator a formula asks for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from dpdesk.designs.answer_likelihood import AnswerChances
from dpdesk.designs.regression import CoefficientRow, coefficient_rows, logistic_regression
from dpdesk.errors import InputError, ParameterError
from dpdesk.estimation.answer_cells import AnswerCells
from dpdesk.estimation.likelihood_regression import has_likelihood, likelihood_regression
from dpdesk.estimation.linear_regression import linear_regression
from dpdesk.estimation.predictors import Predictors
from dpdesk.estimation.score_regression import score_regression
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.estimation.texts import T
from dpdesk.estimation.variable import Variable
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


@dataclass(frozen=True, slots=True, eq=False)
class Regression:
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
