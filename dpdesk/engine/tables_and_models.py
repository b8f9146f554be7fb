"""What several columns of a release have in common: the answers to `joint_questions`.

An answer says itself as JSON and as a table, the same in the window and on the command line, and
what it is worth.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from math import inf, isfinite
from pathlib import Path
from typing import Any

import numpy as np

from dpdesk.data.write_csv import Cell, table_csv, write_table_csv
from dpdesk.designs.inference import WaldTest
from dpdesk.designs.sample_design import Lonely
from dpdesk.engine.texts import T
from dpdesk.estimation.independence import Independence
from dpdesk.estimation.joint import JointCell, JointEstimates
from dpdesk.estimation.regression import Regression
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.numbers.digits import significant
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.plan import Plan
from dpdesk.plan.usefulness import (
    usefulness_of_numbers,
    usefulness_of_shares,
)
from dpdesk.plan.verdicts import Verdict, verdict_of, verdict_of_all

_Z = normal_quantile(0.95)
_CHANCE = 0.05
"""A smaller chance of what the reports show is taken as a sign of dependence."""


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
        note = self.plan.statistics.unit.interval_note
        return {"verified": self.verified, "question": key} | ({"notes": [note]} if note else {})


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
        return self.found

    def content(self) -> dict[str, Any]:
        found = self.found
        head = self.asked.head(self.key)
        head |= {"records": found.records, "columns": found.names, "unit": found.unit}
        return head | self.asked.drawn.told(self.asked.plan) | {"cells": self._cells()}

    def table(self) -> tuple[tuple[str, ...], list[list[Cell]]]:
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
        """Each cell or group by its own error and estimate, a mean against half a spread.

        An error is half of the interval, as wide as this is shown.
        """
        found = self.found
        told = ~np.isnan(found.value)
        if 2 * int(told.sum()) <= told.size:
            return Worth("useless", T.UNKNOWN_GROUPS())
        errors = ((found.upper - found.lower) / 2)[told]
        none = np.zeros(errors.shape)
        if found.quantity == "mean":
            if self.spread is None:
                return None
            sizes = np.full(errors.shape, self.spread / 2)
            groups = [group.name for group in found.groups]
            what = T.MEAN_IN_GROUP(column=found.columns.name, groups=groups)
            each = usefulness_of_numbers(what, errors, sizes, none, found.unit, inf)
            return Worth(each.verdict, each.reason)
        value = found.value[told]
        if not self.is_of_all:
            what = T.SHARE_IN_GROUP(column=found.columns.name)
            each = usefulness_of_shares(what, value, errors, none)
            return Worth(each.verdict, each.reason)
        noise = found.noise_error[told]
        drawn = np.maximum(found.standard_error[told] ** 2 - noise**2, 0.0)
        alone = _Z * np.sqrt(drawn) if noise.any() else none
        what = T.SHARE_OF_CELL(columns=found.names)
        each = usefulness_of_shares(what, value, errors, alone)
        return Worth(each.verdict, each.reason)

    def _cells(self) -> list[dict[str, Any]]:
        return [_plain_cell(cell, self.found.quantity) for cell in self.found.cells()]


@dataclass(frozen=True, slots=True, eq=False)
class TestAnswer(Answer):
    """A test of whether two columns are independent.

    Attributes:
        asked: The release that was asked.
        found: The test, and each pair of answers beside what independence expects.
    """

    __test__ = False

    asked: Asked
    found: Independence

    @property
    def records(self) -> int:
        """Number of records that have both answers."""
        return self.found.records

    @property
    def columns(self) -> tuple[str, str]:
        """The columns."""
        return self.found.first.name, self.found.second.name

    @property
    def estimates(self) -> WaldTest | None:
        return self.found.test

    @property
    def verdict(self) -> str:
        """What the test shows, as a sentence, with the pair of answers that tells most."""
        test = self.found.test
        if test is None:
            return self._no_test
        most = self.found.strongest if test.p_value < _CHANCE else None
        if most is None:
            return T.INDEPENDENT()
        named = zip(self.columns, most.labels, strict=True)
        pair = [f"{name} {label or '(empty)'}" for name, label in named]
        share, expected = (f"{100 * one:.1f} %" for one in (most.observed, most.expected))
        return T.DEPENDENT(pair=pair, share=share, expected=expected)

    def content(self) -> dict[str, Any]:
        head = self.asked.head("test") | {"records": self.records, "columns": list(self.columns)}
        cells = [
            {
                "categories": cell.categories,
                "observed": cell.observed,
                "expected": cell.expected,
                "residual": cell.residual if isfinite(cell.residual) else None,
            }
            for cell in self.found.cells()
        ]
        drawn = self.asked.drawn.told(self.asked.plan)
        return head | drawn | {"test": self._numbers(), "cells": cells}

    def table(self) -> tuple[tuple[str, ...], list[list[Cell]]]:
        told = self._numbers()
        heads = ("statistic", "freedom", "denominator", "p_value")
        return heads, [] if told is None else [[told[head] for head in heads]]

    @property
    def worth(self) -> Worth | None:
        return None

    @property
    def _no_test(self) -> str:
        for listed in (self.found.first, self.found.second):
            if len(listed.texts) < 2:
                return T.ONE_CATEGORY(column=listed.name)
        return T.NO_ERRORS()

    def _numbers(self) -> dict[str, Any] | None:
        return None if self.found.test is None else asdict(self.found.test)


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
        return self.found

    def content(self) -> dict[str, Any]:
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
        rows = self._rows()
        return tuple(rows[0]), [list(row.values()) for row in rows]

    @property
    def worth(self) -> Worth | None:
        ratios = [
            (_Z * row.standard_error / medium, row.name)
            for row, medium in zip(self.found.rows(), self.mediums, strict=True)
            if isfinite(medium) and medium > 0
        ]
        if not ratios:
            return None
        ratio, name = max(ratios)
        verdict = verdict_of_all([verdict_of(one, 1.0) for one, _ in ratios])
        return Worth(verdict, T.LARGEST_SLOPE(name=name, times=_times_words(ratio)))

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "name": row.name,
                "estimate": row.value,
                "standard_error": row.standard_error,
                "lower": row.lower,
                "upper": row.upper,
                "p_value": row.p_value,
                "unit": unit,
            }
            for row, unit in zip(self.found.rows(), self.found.units, strict=True)
        ]


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


def _times_words(ratio: float) -> str:
    """Returns a ratio before what it is of: "52 % of" below one, else "5.0 times"."""
    return f"{100 * ratio:.0f} % of" if ratio < 1 else f"{significant(ratio, 2)} times"
