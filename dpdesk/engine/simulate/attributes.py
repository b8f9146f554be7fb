"""The true answers of a survey as codes: the input of experiments, never of a release."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.table import SurveyTable
from dpdesk.engine.texts import T
from dpdesk.errors import ParameterError, PlanError
from dpdesk.mechanisms import Mechanism
from dpdesk.numbers.arrays import Floats
from dpdesk.plan import ColumnPlan, Plan, encode_column

DISTINCT_MAX = 1_000
"""Most distinct answers of a column that an experiment can use as categories."""


@dataclass(frozen=True, slots=True, eq=False)
class TrueAttribute:
    """One attribute of the survey.

    Attributes:
        name: Name of its column.
        codes: Each respondent's answer, int32 of shape (n,), each in 0..size-1.
        size: Number of categories, at least 2.
        expected: The declared chances of the categories, shape (size,); None if not declared.
        mechanism: Its mechanism in the plan; None without a plan.
    """

    name: str
    codes: NDArray[np.int32]
    size: int
    expected: Floats | None = None
    mechanism: Mechanism | None = None

    @property
    def counts(self) -> NDArray[np.int64]:
        """Number of respondents with each answer, shape (size,)."""
        return np.bincount(self.codes, minlength=self.size)

    @property
    def shares(self) -> Floats:
        """The true share of each answer, shape (size,)."""
        return np.asarray(self.counts / self.codes.size)


def attributes_of_table(
    table: SurveyTable, dropped: Collection[str] = ()
) -> tuple[TrueAttribute, ...]:
    """Returns every column as categories, one for each distinct answer.

    Args:
        table: The survey.
        dropped: Names of columns to leave out.

    Raises:
        ParameterError: A dropped column does not exist, or a column has fewer than 2 or more than
            1,000 distinct answers.
    """
    for name in dropped:
        if name not in table.names:
            raise ParameterError(T.NO_COLUMN(column=name))
    columns = [column for column in table.columns if column.name not in dropped]
    for column in columns:
        if not 2 <= column.distinct_count <= DISTINCT_MAX:
            answers = column.distinct_count
            many = T.NOT_2_TO_MOST(column=column.name, answers=answers, most=DISTINCT_MAX)
            raise ParameterError(many)
    return tuple(
        TrueAttribute(column.name, column.codes.astype(np.int32), column.distinct_count)
        for column in columns
    )


def attributes_of_plan(table: SurveyTable, plan: Plan) -> tuple[TrueAttribute, ...]:
    """Returns the plan's protected columns of categories, encoded by their declared domains.

    Args:
        table: The survey.
        plan: A plan for this survey. Protected columns of numbers are left out.

    Raises:
        PlanError: The table lacks a column, or an answer is not in its domain.
    """
    attributes = []
    for column in plan.protected:
        domain = column.effective_domain
        if domain is not None and domain.picks_one:
            codes = true_codes(table, column)
            attributes.append(
                TrueAttribute(column.name, codes, domain.size, _expected(column), column.mechanism)
            )
    return tuple(attributes)


def true_codes(
    table: SurveyTable, column: ColumnPlan, *, blanks: bool = False
) -> NDArray[np.int32]:
    """Returns each respondent's answer as a code of the column's domain, shape (n,).

    Args:
        table: The survey.
        column: A column of its plan, with a domain.
        blanks: Whether missing answers may be without a code, -1.

    Raises:
        PlanError: The table lacks the column, or an answer has no code.
    """
    if column.name not in table.names:
        raise PlanError(T.NO_COLUMN(column=column.name))
    texts = table.column(column.name)
    encoded = encode_column(column, texts, table.reading)
    if encoded.uncoded:
        raise PlanError(T.NOT_DECLARED(column=column.name, count=encoded.uncoded))
    if column.missing.treatment.stays_blank and encoded.missing and not blanks:
        raise PlanError(T.BLANKS(column=column.name))
    return encoded.code_of[texts.codes]


def _expected(column: ColumnPlan) -> Floats | None:
    weights = np.array([float(weight) for weight in column.expected])
    return weights / weights.sum() if weights.sum() > 0 else None
