"""What several columns of a release have in common: questions and their answers.

A question is asked of the records of a release; its answer says itself as JSON and as a table,
the same in the window and on the command line, and what it is worth.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from dpdesk.data.write_csv import Cell, table_csv, write_table_csv
from dpdesk.designs.inference import WaldTest
from dpdesk.designs.sample_design import Lonely
from dpdesk.engine.jobs import Tracker
from dpdesk.engine.medium_effects import medium_effects, spread_of_column
from dpdesk.errors import ParameterError
from dpdesk.estimate.independence import independence
from dpdesk.estimate.joint import (
    JointCell,
    JointEstimates,
    cross_table,
    means_by_group,
    shares_by_group,
)
from dpdesk.estimate.regression import Model, Regression, regression
from dpdesk.estimate.scored_records import ScoredRecords
from dpdesk.estimate.variable import Floats
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.plan import Plan
from dpdesk.plan.usefulness import (
    Usefulness,
    Verdict,
    usefulness_of_share,
    verdict_of,
    verdict_of_all,
)

_Z = normal_quantile(0.95)


@dataclass(frozen=True, slots=True)
class DrawnBy:
    """How the respondents of a release were drawn: columns that were released as they are.

    Attributes:
        strata, clusters: Names of columns; empty for respondents drawn one by one.
        lonely: How a stratum with a single cluster adds to a variance.
    """

    strata: str = ""
    clusters: str = ""
    lonely: Lonely = "fail"

    def records(self, place: Path, plan: Plan) -> ScoredRecords:
        """Returns the records of a release with it."""
        return ScoredRecords(
            place, plan, strata=self.strata, clusters=self.clusters, lonely=self.lonely
        )

    def told(self, plan: Plan) -> dict[str, str | None]:
        """Returns it with the column of the plan's weights, for JSON."""
        weight = plan.weight_column
        return {
            "weights": None if weight is None else weight.name,
            "strata": self.strata or None,
            "clusters": self.clusters or None,
        }


@dataclass(frozen=True, slots=True)
class Asked:
    """The release that was asked, and how.

    Attributes:
        plan: Its plan.
        drawn: How the respondents were drawn.
        verified: Whether it is the release that its manifest describes.
    """

    plan: Plan
    drawn: DrawnBy = DrawnBy()
    verified: bool = True

    def head(self, key: str) -> dict[str, Any]:
        """Returns what JSON of an answer begins with."""
        return {"verified": self.verified, "question": key}


@dataclass(frozen=True, slots=True)
class Worth:
    """What an answer is worth, by the rule of `dpdesk.plan.usefulness`.

    Attributes:
        verdict: The verdict.
        reason: Why, as a sentence.
    """

    verdict: Verdict
    reason: str


class Answer(ABC):
    """The answer to a question."""

    @property
    @abstractmethod
    def estimates(self) -> JointEstimates | Regression | WaldTest | None:
        """The estimates; None of a test that the records do not allow."""

    @abstractmethod
    def content(self) -> dict[str, Any]:
        """Returns the answer as plain values, for JSON."""

    @abstractmethod
    def table(self) -> tuple[tuple[str, ...], list[list[Cell]]]:
        """Returns heads and rows of the answer, for CSV."""

    @property
    @abstractmethod
    def worth(self) -> Worth | None:
        """What it is worth; None where there is no size to compare its errors with."""

    def csv(self) -> str:
        """Returns the answer as CSV."""
        return table_csv(*self.table())

    def write_csv(self, path: Path, *, overwrite: bool = True) -> None:
        """Writes the answer as CSV.

        Raises:
            ReleaseError: The file cannot be written.
        """
        write_table_csv(path, *self.table(), overwrite=overwrite)


@dataclass(frozen=True, slots=True, eq=False)
class TableAnswer(Answer):
    """A table of shares or means.

    Attributes:
        key: The kind of question.
        asked: The release that was asked.
        found: The estimates.
        spread: For means, the standard deviation of the number; None where nobody knows it.
    """

    key: str
    asked: Asked
    found: JointEstimates
    spread: float | None = None

    @property
    def estimates(self) -> JointEstimates:
        """The table."""
        return self.found

    def content(self) -> dict[str, Any]:
        """The cells, one after another; None for what the reports do not tell."""
        found = self.found
        head = self.asked.head(self.key)
        head |= {"records": found.records, "columns": found.names, "unit": found.unit}
        return head | self.asked.drawn.told(self.asked.plan) | {"cells": self._cells()}

    def table(self) -> tuple[tuple[str, ...], list[list[Cell]]]:
        """One row for each cell."""
        cells = self._cells()
        told = [key for key in cells[0] if key != "categories"]
        rows = [[*cell["categories"], *(cell[key] for key in told)] for cell in cells]
        return (*self.found.names, *told), rows

    @property
    def is_of_all(self) -> bool:
        """Whether it has shares of all respondents, not of groups."""
        return self.found.possible is not None or not np.isnan(self.found.noise_error).all()

    @property
    def worth(self) -> Worth | None:
        """A typical error, the root of the mean square, against an even share or half a spread."""
        found = self.found
        told = ~np.isnan(found.value)
        if 2 * int(told.sum()) <= told.size:
            reason = "The reports do not show how many respondents are in most of the groups."
            return Worth("useless", reason)
        error = _typical(found.standard_error[told])
        if found.quantity == "mean":
            if self.spread is None:
                return None
            size, unit = self.spread / 2, found.unit
            groups = " and ".join(group.name for group in found.groups)
            what = f"a mean of {found.columns.name} in a group of {groups}"
            each = Usefulness(what, _Z * error, size, 0.0, unit)
            return Worth(each.verdict, each.reason)
        names = " and ".join(found.names)
        options = found.columns.categories().texts
        if not self.is_of_all:
            what = f"a share of {found.columns.name} within a group"
            each = usefulness_of_share(what, 1 / len(options), _Z * error, 0.0)
            return Worth(each.verdict, each.reason)
        noise = found.noise_error[told]
        alone = _typical(np.sqrt(np.maximum(found.standard_error[told] ** 2 - noise**2, 0.0)))
        each = usefulness_of_share(
            f"a cell of {names}", 1 / told.size, _Z * error, _Z * alone if noise.any() else 0.0
        )
        return Worth(each.verdict, each.reason)

    def _cells(self) -> list[dict[str, Any]]:
        return [_plain_cell(cell, self.found.quantity) for cell in self.found.cells()]


@dataclass(frozen=True, slots=True, eq=False)
class TestAnswer(Answer):
    """A test of whether two columns are independent.

    Attributes:
        asked: The release that was asked.
        columns: The columns.
        records: Number of records.
        test: The test; None where the records do not allow one.
    """

    __test__ = False

    asked: Asked
    columns: tuple[str, str]
    records: int
    test: WaldTest | None

    @property
    def estimates(self) -> WaldTest | None:
        """The test."""
        return self.test

    def content(self) -> dict[str, Any]:
        """The statistic and its chance."""
        head = self.asked.head("test") | {"records": self.records, "columns": list(self.columns)}
        return head | {"test": self._numbers()}

    def table(self) -> tuple[tuple[str, ...], list[list[Cell]]]:
        """One row with the statistic, or none."""
        told = self._numbers()
        heads = ("statistic", "freedom", "denominator", "p_value")
        return heads, [] if told is None else [[told[head] for head in heads]]

    @property
    def worth(self) -> Worth | None:
        """A chance has no size."""
        return None

    def _numbers(self) -> dict[str, Any] | None:
        return None if self.test is None else asdict(self.test)


@dataclass(frozen=True, slots=True, eq=False)
class ModelAnswer(Answer):
    """A regression.

    Attributes:
        asked: The release that was asked.
        formula: The formula.
        found: The regression.
        mediums: What would be a medium effect of each coefficient: half a standard deviation of
            the outcome between two groups, or between numbers two standard deviations apart; NaN
            where there is no such rule, as of interactions.
    """

    asked: Asked
    formula: str
    found: Regression
    mediums: tuple[float, ...]

    @property
    def estimates(self) -> Regression:
        """The regression."""
        return self.found

    def content(self) -> dict[str, Any]:
        """The coefficients, one after another."""
        found = self.found
        head = self.asked.head("formula") | {
            "records": found.records,
            "formula": self.formula,
            "model": found.model,
            "method": found.method,
            "outcome": found.outcome,
            "categories": found.categories,
            "freedom": found.freedom,
        }
        return head | self.asked.drawn.told(self.asked.plan) | {"coefficients": self._rows()}

    def table(self) -> tuple[tuple[str, ...], list[list[Cell]]]:
        """One row for each coefficient."""
        rows = self._rows()
        return tuple(rows[0]), [list(row.values()) for row in rows]

    @property
    def worth(self) -> Worth | None:
        """The errors of the slopes against medium effects."""
        ratios = [
            (_Z * row.standard_error / medium, row.name)
            for row, medium in zip(self.found.rows(), self.mediums, strict=True)
            if isfinite(medium) and medium > 0
        ]
        if not ratios:
            return None
        ratio, name = max(ratios)
        verdict = verdict_of_all([verdict_of(one, 1.0) for one, _ in ratios])
        reason = (
            f"The 95 % error of a slope is at most {100 * ratio:.0f} % of a medium effect "
            f"(that of {name})."
        )
        return Worth(verdict, reason)

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "name": row.name,
                "estimate": row.value,
                "standard_error": row.standard_error,
                "lower": row.lower,
                "upper": row.upper,
                "p_value": row.p_value,
            }
            for row in self.found.rows()
        ]


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


@dataclass(frozen=True, slots=True)
class CrossQuestion(Question):
    """The share of all respondents that has each combination of answers.

    Attributes:
        columns: Two or three columns; the last one stands across.
    """

    columns: tuple[str, ...]

    def answer(self, records: ScoredRecords, asked: Asked) -> TableAnswer:
        """A table of two or three columns."""
        return TableAnswer("cross", asked, cross_table(records, self.columns))


@dataclass(frozen=True, slots=True)
class MeansQuestion(Question):
    """The mean of a number in each group.

    Attributes:
        number: The column of the number.
        by: One or two columns whose answers are the groups.
    """

    number: str
    by: tuple[str, ...]

    def answer(self, records: ScoredRecords, asked: Asked) -> TableAnswer:
        """Means by group."""
        found = means_by_group(records, self.number, self.by)
        return TableAnswer("mean", asked, found, spread_of_column(records, self.number))


@dataclass(frozen=True, slots=True)
class SharesQuestion(Question):
    """The share of each answer within each group.

    Attributes:
        share: The column whose answers are counted.
        by: One or two columns whose answers are the groups.
    """

    share: str
    by: tuple[str, ...]

    def answer(self, records: ScoredRecords, asked: Asked) -> TableAnswer:
        """Shares by group."""
        return TableAnswer("share", asked, shares_by_group(records, self.share, self.by))


@dataclass(frozen=True, slots=True)
class TestQuestion(Question):
    """Whether two columns are independent.

    Attributes:
        columns: The columns.
    """

    __test__ = False

    columns: tuple[str, ...]

    def answer(self, records: ScoredRecords, asked: Asked) -> TestAnswer:
        """The test."""
        if len(self.columns) != 2:
            raise ParameterError(
                "A test of independence has two columns.", remedy="Name two, as A,B."
            )
        first, second = self.columns
        found = independence(records, first, second)
        return TestAnswer(asked, (first, second), records.rows, found)


@dataclass(frozen=True, slots=True)
class ModelQuestion(Question):
    """A regression of a column.

    Attributes:
        formula: Such as "y ~ a + b".
        model: The model; None for the one that suits the outcome.
    """

    formula: str
    model: Model | None = None

    def answer(self, records: ScoredRecords, asked: Asked) -> ModelAnswer:
        """The regression."""
        found = regression(records, self.formula, self.model)
        return ModelAnswer(asked, self.formula, found, medium_effects(records, found))


def answer_question(
    records: ScoredRecords, asked: Asked, question: Question, tracker: Tracker
) -> Answer:
    """Answers a question of an opened release; what is asked may be stopped at any block."""
    tracker.progress("Estimating from the records", 0.1)
    records.tick = tracker.tick
    return question.answer(records, asked)


def _typical(errors: Floats) -> float:
    return float(np.sqrt(np.mean(errors**2)))


def _plain_cell(cell: JointCell, quantity: str) -> dict[str, Any]:
    """A cell as plain values; None for what the reports do not tell."""
    told: dict[str, Any] = {
        "categories": cell.categories,
        quantity: cell.value,
        "standard_error": cell.standard_error,
        "noise_standard_error": cell.noise_error,
        "lower": cell.lower,
        "upper": cell.upper,
    }
    if cell.possible is not None:
        told["possible"] = cell.possible
    if cell.most_likely is not None:
        told["most_likely"] = cell.most_likely
    return {
        key: value if not isinstance(value, float) or isfinite(value) else None
        for key, value in told.items()
    }
