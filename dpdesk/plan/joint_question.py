"""What is asked of several columns of a plan, and the words for it: "A x B", "X by A", "Y ~ A + B".

The same words stand in a plan's file, on the command line and in the window.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dpdesk.data.formula import ModelFormula, Term, parse_model
from dpdesk.errors import ParameterError
from dpdesk.plan.model import Plan
from dpdesk.plan.texts import T

Quantity = Literal["cell", "group", "slope"]

_SEPARATORS: dict[str, Quantity] = {" x ": "cell", " by ": "group"}


@dataclass(frozen=True, slots=True)
class JointQuestion:
    """What is asked of several columns of a plan.

    Attributes:
        text: As it was asked.
        quantity: A cell of a table, a mean or share in a group, or slopes.
        names: The columns; of a group the number or category first, of slopes the outcome.
    """

    text: str
    quantity: Quantity
    names: tuple[str, ...]

    @classmethod
    def read(cls, text: str, plan: Plan) -> JointQuestion | None:
        """Reads "A x B", "A x B x C", "X by A" or "Y ~ A + B"; None where a column is asked for.

        Args:
            text: The question.
            plan: The plan, whose columns' names may hold these signs.

        Raises:
            ParameterError: A column is named twice, or too many are; or the error of a formula is
                not known before a release.
        """
        known = [column.name for column in plan.columns]
        if text in known:
            return None
        for separator, quantity in _SEPARATORS.items():
            names = tuple(name.strip() for name in text.split(separator))
            if len(names) < 2 or not set(known).issuperset(names):
                continue
            if len(set(names)) < len(names):
                raise ParameterError(T.COLUMN_TWICE(analysis=text))
            if len(names) > (3 if quantity == "cell" else 2):
                raise ParameterError(T.TOO_MANY_NAMES(analysis=text))
            return cls(text, quantity, names)
        if "~" not in text:
            return None
        formula = parse_model(text, known)
        return cls(text, "slope", (formula.outcome.name, *_predictors(formula, text)))


def _predictors(formula: ModelFormula, text: str) -> tuple[str, ...]:
    """The columns of a sum of columns, of whose slopes alone the error is known before a release.

    Raises:
        ParameterError: The formula holds something else.
    """
    names = [_column_of(term) for term in formula.terms if term]
    known = tuple(name for name in names if name is not None)
    if () not in formula.terms or not known or len(known) < len(names):
        raise ParameterError(T.ONLY_SUMS(analysis=text))
    return known


def _column_of(term: Term) -> str | None:
    """The column that a term is; None of anything else."""
    return term[0].name if len(term) == 1 and not term[0].as_categories else None


def asked_of(plan: Plan, text: str) -> JointQuestion:
    """Reads an analysis of several columns.

    Raises:
        ParameterError: It is none of the columns of the plan.
    """
    found = JointQuestion.read(text, plan)
    if found is None:
        raise ParameterError(T.NO_ANALYSIS(analysis=text))
    return found
