"""The true answers of a survey as a learner takes them: attributes, a label, and two parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.table import SurveyTable
from dpdesk.disclosure.columns import chosen_weights
from dpdesk.domains import AnyDomain
from dpdesk.engine.simulate.attributes import true_codes
from dpdesk.errors import ParameterError, PlanError
from dpdesk.learning.answered import WhetherAnswered
from dpdesk.learning.texts import T
from dpdesk.learning.traits import Trait, trait_of
from dpdesk.mechanisms import Mechanism
from dpdesk.numbers.arrays import Codes
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.plan.budget import mechanism_at

CLASSES_MAX = 50
"""Most classes of a label: more are too rare to be learnt from a survey."""

CELLS_MAX = 50_000_000
"""Largest product of respondents and what a learner sees of each: eight bytes of memory each."""

_LEAST_ROWS = 10
_NO_ANSWERS = ("weight", "identifier")


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    """One column that takes part.

    Attributes:
        name: Its name.
        domain: Its domain.
        mechanism: What protects it; None where it is released as it is.
        codes: Each respondent's answer, -1 where there is none, shape (n,).
    """

    name: str
    domain: AnyDomain
    mechanism: Mechanism | None
    codes: Codes

    @property
    def trait(self) -> Trait:
        """How a learner sees it."""
        return trait_of(self.domain)

    @property
    def width(self) -> int:
        """Numbers that a learner sees of an answer."""
        return 1 if self.domain.holds_numbers else self.domain.size

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Who answered it, shape (n,)."""
        given = self.codes >= 0
        return given & (self.codes < self.domain.size) if self.domain.holds_numbers else given

    def at(self, epsilon: Decimal) -> Mechanism | None:
        """Returns what protects it at another epsilon, or as near as the mechanism comes."""
        if self.mechanism is None or self.mechanism.adjustable:
            return self.mechanism and mechanism_at(self.mechanism, epsilon)
        return type(self.mechanism).starting(self.domain, epsilon)


@dataclass(frozen=True, slots=True, eq=False)
class LearningSurvey:
    """A survey with a label.

    Attributes:
        label: The column that is predicted.
        attributes: The columns that it is predicted from.
        left_out: Names of columns of the plan that cannot take part, or that nobody answered.
        trained: Rows that are learnt from, shape (rows,).
        tested: The other rows.
        weighted_by: Name of the column of survey weights; empty if there is none.
        weights: How many people each row stands for, 1 on average over the rows that are learnt
            from, shape (n,); None where all count alike.
        states: Whether attributes were answered, of those that only some of these rows answered.
    """

    label: Attribute
    attributes: tuple[Attribute, ...]
    left_out: tuple[str, ...]
    trained: NDArray[np.int64]
    tested: NDArray[np.int64]
    weighted_by: str = ""
    weights: NDArray[np.float64] | None = None
    states: tuple[WhetherAnswered, ...] = ()

    @property
    def classes(self) -> int:
        """Number of classes."""
        return self.label.domain.size

    @property
    def protected(self) -> tuple[Attribute, ...]:
        """The columns that are protected, the label last."""
        return tuple(a for a in (*self.attributes, self.label) if a.mechanism is not None)

    @property
    def epsilon(self) -> Decimal:
        """Loss of a respondent's whole record: the sum over these columns."""
        mechanisms = [a.mechanism for a in self.protected if a.mechanism is not None]
        return sum((mechanism.epsilon for mechanism in mechanisms), Decimal(0))

    @property
    def positive(self) -> int | None:
        """Of two classes the rarer one, which F1 and the curve are about; else None."""
        if self.classes != 2:
            return None
        known = self.label.codes >= 0
        weights = None if self.weights is None else self.weights[known]
        return int(np.bincount(self.label.codes[known], weights=weights, minlength=2).argmin())

    def weights_of(self, rows: NDArray[np.int64]) -> NDArray[np.float64] | None:
        """Returns the weights of some rows, shape (rows,); None where all count alike."""
        return None if self.weights is None else self.weights[rows]


def learning_survey(
    table: SurveyTable, plan: Plan, label: str, split_seed: int, tested: Fraction
) -> LearningSurvey:
    """Reads a survey by its plan and splits it in two parts.

    Args:
        table: The survey.
        plan: Its plan.
        label: Name of the column that is predicted.
        split_seed: Seed of the split, as `random_state` of scikit-learn's `train_test_split`.
        tested: Share of the rows that are tested.

    Raises:
        ParameterError: The label cannot be predicted.
        PlanError: The plan does not suit the data, or leaves nothing to be learnt together.
    """
    column = _label_column(plan, label)
    if plan.strategy != "spl" and len(plan.protected) > 1:
        raise PlanError(T.ONE_REPORT())
    if not plan.protected:
        raise PlanError(T.NOTHING_PROTECTED())
    attributes, left_out = [], []
    for other in plan.columns:
        if other.role not in {"protect", "keep"} or other.name == label:
            continue
        if other.kind == "weight":
            # They say how much a respondent counts, and nothing of the label.
            continue
        if other.effective_domain is None or other.kind in _NO_ANSWERS:
            left_out.append(other.name)
        else:
            attributes.append(_attribute(table, other))
    _require_attributes(attributes, label)
    width = sum(attribute.width for attribute in attributes)
    if table.rows * width > CELLS_MAX:
        raise ParameterError(T.TOO_LARGE(numbers=width, rows=table.rows))
    target = _attribute(table, column)
    rows = np.flatnonzero(target.codes >= 0)
    if rows.size < _LEAST_ROWS:
        raise PlanError(T.FEW_ANSWERED(count=rows.size, column=label))
    if np.unique(target.codes[rows]).size == 1:
        raise PlanError(T.ONE_ANSWER(column=label))
    held = -(-rows.size * tested.numerator // tested.denominator)
    # As scikit-learn's split, so that published accuracies can be had again.
    order = np.random.RandomState(split_seed).permutation(rows.size)
    trained, weights = rows[order[held:]], None
    left_out += [one.name for one in attributes if not one.answered[trained].any()]
    attributes = [one for one in attributes if one.answered[trained].any()]
    _require_attributes(attributes, label)
    if plan.weight_column is not None:
        weights = chosen_weights(table, plan.weight_column.name)[:]
        weights = weights / weights[trained].mean()
    return LearningSurvey(
        target,
        tuple(attributes),
        tuple(left_out),
        trained,
        rows[order[:held]],
        "" if plan.weight_column is None else plan.weight_column.name,
        weights,
        tuple(_states(attributes, trained)),
    )


def _states(
    attributes: Sequence[Attribute], trained: NDArray[np.int64]
) -> Iterator[WhetherAnswered]:
    for place, attribute in enumerate(attributes):
        answered = attribute.answered
        if not answered[trained].all():
            # Without a code it stays blank in the release.
            is_protected = attribute.mechanism is not None and bool((attribute.codes >= 0).all())
            yield WhetherAnswered(place, (~answered).astype(np.int32), is_protected)


def _require_attributes(attributes: list[Attribute], label: str) -> None:
    if not attributes:
        raise PlanError(T.NO_PREDICTORS(column=label))


def can_be_label(column: ColumnPlan) -> bool:
    """Tells whether a column of a plan can be predicted, without the sentence why not."""
    return why_no_label(column) is None


def why_no_label(column: ColumnPlan) -> ParameterError | None:
    """Returns why a column of a plan cannot be predicted; None where it can."""
    label, domain = column.name, column.effective_domain
    if column.role not in {"protect", "keep"} or column.kind in _NO_ANSWERS or domain is None:
        return ParameterError(T.NOT_RELEASED(column=label))
    if domain.holds_numbers:
        return ParameterError(T.HOLDS_NUMBERS(column=label))
    if domain.is_set:
        return ParameterError(T.HOLDS_SETS(column=label))
    if domain.size > CLASSES_MAX:
        return ParameterError(T.MANY_CATEGORIES(column=label, values=domain.size, most=CLASSES_MAX))
    return None


def _label_column(plan: Plan, label: str) -> ColumnPlan:
    if label not in {column.name for column in plan.columns}:
        raise ParameterError(T.NO_COLUMN(column=label))
    column = plan.column(label)
    refusal = why_no_label(column)
    if refusal is not None:
        raise refusal
    return column


def _attribute(table: SurveyTable, column: ColumnPlan) -> Attribute:
    domain = column.effective_domain
    assert domain is not None  # noqa: S101 - callers ask
    mechanism = column.mechanism if column.role == "protect" else None
    if column.role == "protect" and mechanism is None:
        raise PlanError(T.NO_MECHANISM(column=column.name))
    return Attribute(column.name, domain, mechanism, true_codes(table, column, blanks=True))
