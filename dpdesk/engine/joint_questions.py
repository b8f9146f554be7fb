"""Questions on several columns of a release; `tables_and_models` has their answers.

The same words name them everywhere: in a plan ("A x B", "X by A", "Y ~ A + B"), on the command
line and in the window.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import pi, sqrt

import numpy as np

from dpdesk.data.reading import Reading
from dpdesk.domains import parse_number
from dpdesk.engine.jobs import Tracker
from dpdesk.engine.tables_and_models import Answer, Asked, ModelAnswer, TableAnswer, TestAnswer
from dpdesk.engine.texts import T
from dpdesk.errors import ParameterError
from dpdesk.estimation.independence import independence
from dpdesk.estimation.joint import cross_table, means_by_group, shares_by_group
from dpdesk.estimation.regression import Model, Regression, regression
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.plan import Plan
from dpdesk.plan.joint_question import JointQuestion
from dpdesk.plan.usefulness import spread_of

_MEDIUM_LOG_ODDS = pi / sqrt(3) / 2
"""Half a standard deviation of the logistic law, as a medium difference is of any answer."""


def medium_effects(records: ScoredRecords, found: Regression) -> tuple[float, ...]:
    """Returns a medium effect of each coefficient; NaN where there is none."""
    whole = _MEDIUM_LOG_ODDS
    if found.model == "linear":
        spread = spread_of_column(records, found.outcome)
        whole = float("nan") if spread is None else spread / 2
    known = {column.name for column in (*records.plan.protected, *records.plan.kept)}
    shares = max(len(found.categories) - 1, 1) if found.model == "multinomial" else 1
    size = len(found.names) // shares
    told = []
    for place, name in enumerate(found.names):
        # Of several categories each name begins with the category.
        text = f"{found.categories[1 + place // size]}: " if shares > 1 else ""
        own = name.removeprefix(text)
        if own in known:
            spread = spread_of_column(records, own)
            told.append(whole / (2 * spread) if spread else float("nan"))
        elif "[T." in own and "]:" not in own:
            told.append(whole)
        else:
            told.append(float("nan"))
    return tuple(told)


def spread_of_column(records: ScoredRecords, name: str) -> float | None:
    """Returns the standard deviation of a column's numbers: spread evenly, or as released."""
    column = records.plan.column(name)
    domain = column.effective_domain
    if domain is not None and domain.holds_numbers:
        return spread_of(domain)
    if domain is not None and column.role == "protect":
        values = np.array([parse_number(text, ".") or np.nan for text in domain.texts], float)
    elif column.role == "keep":
        decimal = (records.plan.reading or Reading()).decimal
        values = np.asarray(records.kept_column(name).numbers(decimal).values, dtype=np.float64)
    else:
        return None
    values = values[np.isfinite(values)]
    return float(values.std()) if values.size else None


class Question(ABC):
    """Something asked of several columns together."""

    @abstractmethod
    def answer(self, records: ScoredRecords, asked: Asked) -> Answer:
        """Answers it.

        Args:
            records: The records of the release.
            asked: The release, for the answer to tell.

        Raises:
            DpdeskError: The reports do not tell it, with the reason and what does.
        """

    @abstractmethod
    def options(self) -> dict[str, str | tuple[str, ...]]:
        """Returns the options of `dpdesk estimate` that ask it, by their words."""


@dataclass(frozen=True, slots=True)
class ColumnsQuestion(Question):
    """A question that its columns say.

    Attributes:
        names: The columns, in the order that each question has.
    """

    names: tuple[str, ...]


class CrossQuestion(ColumnsQuestion):
    """The share of all respondents that has each combination of answers.

    Of two or three columns; the last one stands across.
    """

    def options(self) -> dict[str, str | tuple[str, ...]]:
        return {"cross": self.names}

    def answer(self, records: ScoredRecords, asked: Asked) -> TableAnswer:
        return TableAnswer("cross", asked, cross_table(records, self.names))


class MeansQuestion(ColumnsQuestion):
    """The mean of the first column, a number, in each group of one or two others."""

    def options(self) -> dict[str, str | tuple[str, ...]]:
        return {"mean": self.names[0], "by": self.names[1:]}

    def answer(self, records: ScoredRecords, asked: Asked) -> TableAnswer:
        number, *by = self.names
        found = means_by_group(records, number, by)
        return TableAnswer("mean", asked, found, spread_of_column(records, number))


class SharesQuestion(ColumnsQuestion):
    """The share of each answer to the first column within each group of one or two others."""

    def options(self) -> dict[str, str | tuple[str, ...]]:
        return {"share": self.names[0], "by": self.names[1:]}

    def answer(self, records: ScoredRecords, asked: Asked) -> TableAnswer:
        share, *by = self.names
        return TableAnswer("share", asked, shares_by_group(records, share, by))


class TestQuestion(ColumnsQuestion):
    """Whether two columns are independent."""

    __test__ = False

    def options(self) -> dict[str, str | tuple[str, ...]]:
        return {"test": self.names}

    def answer(self, records: ScoredRecords, asked: Asked) -> TestAnswer:
        if len(self.names) != 2:
            raise ParameterError(T.TEST_COLUMNS())
        return TestAnswer(asked, independence(records, *self.names))


@dataclass(frozen=True, slots=True)
class ModelQuestion(Question):
    """A regression of a column.

    Attributes:
        formula: Such as "y ~ a + b".
        model: The model; None for the one that suits the outcome.
    """

    formula: str
    model: Model | None = None

    def options(self) -> dict[str, str | tuple[str, ...]]:
        return {"formula": self.formula, **({} if self.model is None else {"model": self.model})}

    def answer(self, records: ScoredRecords, asked: Asked) -> ModelAnswer:
        found = regression(records, self.formula, self.model)
        return ModelAnswer(asked, self.formula, found, medium_effects(records, found))


def planned_question(plan: Plan, text: str) -> Question | None:
    """Returns the question that a plan names as a wanted analysis; None where it names none.

    Args:
        plan: The plan.
        text: The analysis, such as "A x B".
    """
    try:
        read = JointQuestion.read(text, plan)
    except ParameterError:
        # A formula whose error is not known before a release can be computed from it.
        return ModelQuestion(text) if "~" in text else None
    if read is None:
        return None
    if read.quantity == "slope":
        return ModelQuestion(text)
    if read.quantity == "cell":
        return CrossQuestion(read.names)
    domain = plan.column(read.names[0]).domain
    is_number = domain is not None and domain.holds_numbers
    return (MeansQuestion if is_number else SharesQuestion)(read.names)


def answer_question(
    records: ScoredRecords, asked: Asked, question: Question, tracker: Tracker
) -> Answer:
    """Answers a question of an opened release; what is asked may be stopped at any block."""
    records.tick = tracker.tick

    def heard(part: float) -> None:
        stage = "Reading the records" if part < 1 else "Estimating from the records"
        tracker.progress(stage, 0.1 + 0.7 * part)

    records.heard = heard
    return question.answer(records, asked)
