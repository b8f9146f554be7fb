"""The right side of a regression's formula on released records: kept and protected parts.

Each coefficient belongs to a product of columns. What of it was released as it is is a number of
each record; what is protected is a function of the true answer, of which a report tells by scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpdesk.data.formula import Column, Term, parse_model
from dpdesk.data.model_matrix import (
    FactorValues,
    coefficients_of,
    factor_values,
)
from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable
from dpdesk.errors import InputError, ParameterError
from dpdesk.estimation.record_patterns import Mask, Patterns, Together
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.estimation.texts import T
from dpdesk.estimation.variable import Categories, Places, Variable
from dpdesk.i18n import joined
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.calendar import per_unit

_NO_ROWS = np.zeros(0, dtype=np.intp)
_EMPTY = np.zeros((0, 0))


@dataclass(frozen=True, slots=True, eq=False)
class Predictors:
    """The columns of a regression, p of them, and its outcome.

    Attributes:
        names: Names of the coefficients.
        together: The records that tell of all attributes; those without an answer in a column that
            was released as it is are left out.
        outcome: The left side.
        protected: The protected attributes of the right side.
        kept: The part of each column that was released as it is, in each group, shape (groups, p).
        functions: For each column the functions of protected answers whose product the rest of it
            is, by the attribute's name.
        groups: The group of each of the different records, `together.whole`: those are together
            whose answers that were released as they are are equal.
        per: For each coefficient the unit that it is counted per, such as "years"; empty for one
            of categories alone, None for the intercept.
    """

    names: tuple[str, ...]
    together: Together
    outcome: Variable
    protected: tuple[Variable, ...]
    kept: Floats
    functions: tuple[dict[str, Floats], ...]
    groups: Places
    per: tuple[str | None, ...]

    @classmethod
    def of(cls, records: ScoredRecords, formula: str, *, listed: bool = False) -> Predictors:
        """Reads a formula, such as "y ~ a + b".

        Args:
            records: The records.
            formula: The outcome, a tilde, and terms as `dpdesk.data.formula` describes them.
            listed: Whether an outcome of numbers is taken as categories.

        Raises:
            ParameterError: The formula is invalid, or the reports do not tell of one of its terms
                or of the categories that the outcome is taken as.
            InputError: A column is not in the release, or no record is complete.
        """
        read = parse_model(formula, [c.name for c in (*records.plan.protected, *records.plan.kept)])
        outcome, terms = read.outcome, read.terms
        factors = tuple(dict.fromkeys(factor for term in terms for factor in term))
        is_listed = outcome.as_categories or listed
        told = records.together((*read.names, outcome.name), (outcome.name,) if is_listed else ())
        *variables, left = told.variables
        if is_listed:
            # Refuses numbers whose reports do not tell of categories.
            left.categories()
        protected = {v.name: v for v in variables if not v.is_kept}
        of_kept = tuple(f for f in factors if f.name not in protected)
        terms, of_kept = _by_kind(records, told, terms, of_kept)
        used = _answered(left, told.whole)
        values, used = _kept_values(records, told, of_kept, used)
        if not used.any():
            raise InputError(T.NO_COMPLETE_RECORD())
        together = told.among(used)
        rows = together.whole.size
        evaluated, worth = dict(values), dict[Column, list[Floats]]()
        for factor in dict.fromkeys(factor for term in terms for factor in term):
            if factor not in evaluated:
                evaluated[factor], worth[factor] = _of_protected(factor, protected)
        coefficients, _ = coefficients_of(terms, evaluated, rows)
        groups = _groups([v for v in variables if v.is_kept], together.whole)
        first = np.unique(groups, return_index=True)[1]
        kept = np.ones((first.size, len(coefficients)))
        functions: list[dict[str, Floats]] = []
        for place, (_, parts) in enumerate(coefficients):
            of_answers: dict[str, Floats] = {}
            for factor, column in parts:
                if factor in values:
                    kept[:, place] *= values[factor].column(column)[first]
                    continue
                name = factor.name
                new, old = worth[factor][column], of_answers.get(name)
                of_answers[name] = new if old is None else protected[name].product(old, new)
            functions.append(of_answers)
        return cls(
            tuple(coefficient.name for coefficient in coefficients),
            together,
            left,
            tuple(protected.values()),
            kept,
            tuple(functions),
            groups,
            tuple(
                # A column may have the intercept's name, but is the product of something.
                _per([evaluated[f] for f, _ in parts], variables) if parts else None
                for _, parts in coefficients
            ),
        )


def _per(parts: Sequence[FactorValues], variables: Sequence[Variable]) -> str:
    """The unit of a product of numbers."""
    units = {v.name: per_unit(v.numbers().unit) for v in variables if v.are_numbers}
    told = [units.get(part.factor.name, "") for part in parts if not part.are_categories]
    return joined(list(filter(None, told)))


def _by_kind(
    records: ScoredRecords, told: Together, terms: Sequence[Term], of_kept: Sequence[Column]
) -> tuple[tuple[Term, ...], tuple[Column, ...]]:
    """Takes nominal columns that were released as they are as categories, even of numbers."""
    nominal = {
        factor: replace(factor, as_categories=True)
        for factor in of_kept
        if records.plan.column(factor.name).kind == "nominal"
        and np.isfinite(_numbers(records, told, factor.name)).any()
    }

    def of_kind(factor: Column) -> Column:
        return nominal.get(factor, factor)

    return (
        tuple(tuple(map(of_kind, term)) for term in terms),
        tuple(dict.fromkeys(map(of_kind, of_kept))),
    )


def _numbers(records: ScoredRecords, told: Together, name: str) -> Floats:
    decimal = (records.plan.reading or Reading()).decimal
    column = records.kept_column(name, told)
    return np.asarray(column.numbers(decimal).values, dtype=np.float64)


def _answered(outcome: Variable, rows: Patterns) -> Mask:
    """Returns which records have an outcome, where it was released as it is; shape (n,)."""
    if outcome.is_kept and outcome.answered is not None:
        return np.asarray(rows.scores(outcome) @ outcome.answered > 0)
    return np.ones(rows.size, dtype=np.bool_)


def _kept_values(
    records: ScoredRecords,
    told: Together,
    factors: Sequence[Column],
    used: Mask,
) -> tuple[dict[Column, FactorValues], Mask]:
    """Evaluates what was released as it is, and says which records have it all."""
    names = tuple(dict.fromkeys(factor.name for factor in factors))
    if not names:
        return {}, used
    columns = tuple(records.kept_column(name, told) for name in names)
    decimal = (records.plan.reading or Reading()).decimal
    table = SurveyTable(columns, told.whole.size)
    return factor_values(table, factors, used, decimal)


def _of_protected(
    factor: Column, protected: dict[str, Variable]
) -> tuple[FactorValues, list[Floats]]:
    """Returns a factor of a protected attribute, with the function that each of its columns is."""
    variable = protected[factor.name]
    number = variable.itself
    if number is not None and not factor.as_categories:
        return FactorValues.of_numbers(factor, (factor.text,), _EMPTY), [number]
    listed_of = one_of_a_list(variable.categories())
    order = [p for p in _in_order(listed_of) if p != listed_of.missing]
    texts = tuple(listed_of.texts[place] for place in order)
    rows = np.eye(len(listed_of.texts))[order]
    return FactorValues.of_categories(factor, texts, _NO_ROWS), list(rows)


def one_of_a_list(listed: Categories) -> Categories:
    """Returns an attribute of which an answer is one category.

    Raises:
        ParameterError: Answers are several at once.
    """
    if not listed.picks_one:
        raise ParameterError(T.SEVERAL_ANSWERS(column=listed.name))
    return listed


def _in_order(listed: Categories) -> list[int]:
    """Returns the places of the categories by their numbers, or else by their texts."""
    if listed.values is not None:
        numbers = listed.values.tolist()
        return sorted(range(len(numbers)), key=lambda place: numbers[place])
    return sorted(range(len(listed.texts)), key=lambda place: listed.texts[place])


def _groups(kept: Sequence[Variable], rows: Patterns) -> Places:
    """Numbers the combinations of what was released as it is."""
    found = np.zeros(rows.size, dtype=np.int64)
    for variable in kept:
        codes = variable.codes(rows.reports[variable.name])
        found = found * (int(codes.max(initial=0)) + 1) + codes
        found = np.unique(found, return_inverse=True)[1].astype(np.int64)
    return found
