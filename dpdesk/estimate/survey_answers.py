"""Answers that respondents gave through a device, read from a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.model_matrix import model_matrix
from dpdesk.data.number_texts import read_numbers
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.designs import Design
from dpdesk.designs.regression import LogisticFit, logistic_regression
from dpdesk.designs.scores import SampleDesign, ScoreMean, mean_score, scores
from dpdesk.errors import InputError, ParameterError

Floats = NDArray[np.float64]

_MISSING = frozenset({"", "NA", "NaN", "nan"})


@dataclass(frozen=True, slots=True)
class SampleColumns:
    """Names of the columns that say how respondents were drawn; empty where there are none."""

    weights: str = ""
    strata: str = ""
    clusters: str = ""
    population: int | None = None


class SurveyAnswers:
    """The answers of one question, with who gave them.

    Args:
        table: The data.
        design: The design that the answers were given through; one group with yes and no.
        answer: The column of the answers.
        yes: The text that means yes; every other one that is not empty means no.
        sample: How respondents were drawn.

    Attributes:
        missing: Number of respondents without an answer; they are left out.

    Raises:
        InputError: A column is missing, or nobody answered yes, or a weight is no positive number.
        ParameterError: The design has several groups or several answers.
    """

    def __init__(
        self,
        table: SurveyTable,
        design: Design,
        answer: str,
        yes: str = "1",
        sample: SampleColumns | None = None,
    ) -> None:
        if len(design.groups) != 1 or design.groups[0].answers != ("yes", "no"):
            raise ParameterError(
                "Records can be estimated for designs with one group and the answers yes and no.",
                remedy="Count the answers of each group and use --counts.",
            )
        columns = sample or SampleColumns()
        self._table = table
        said = _column(table, answer).texts()
        self._answered = np.array([text.strip() not in _MISSING for text in said])
        self._yes = np.array([float(text.strip() == yes) for text in said])
        self.missing = int((~self._answered).sum())
        if not self._yes.any():
            raise InputError(
                f"No answer of the column {answer} is the one that means yes.",
                column=answer,
                remedy="Name it with --yes.",
            )
        law = design.groups[0].law
        self._a = np.full(table.rows, float(law[0][0]))
        self._b = np.full(table.rows, float(law[1][0]))
        self._weighted = bool(columns.weights)
        self._sample = SampleDesign(
            weights=self._weights(columns.weights),
            strata=self._labels(columns.strata, np.zeros(table.rows, dtype=np.int64)),
            clusters=self._labels(columns.clusters, np.arange(table.rows, dtype=np.int64)),
            population=columns.population,
        )

    @property
    def scores(self) -> Floats:
        """The unbiased score of each respondent; NaN without an answer, shape (n,)."""
        score = scores(self._yes, self._a, self._b)
        return np.where(self._answered, score, np.nan)

    def overall(self, confidence: float = 0.95) -> ScoreMean:
        """Returns the share of carriers of all respondents who answered."""
        return self._mean(self._answered, confidence)

    def by(self, column: str, confidence: float = 0.95) -> Iterator[tuple[str, ScoreMean]]:
        """Yields the share of carriers for each text of a column, in their order."""
        texts = np.array([text.strip() for text in _column(self._table, column).texts()])
        for text in sorted(set(texts[self._answered].tolist()) - _MISSING):
            yield text, self._mean(self._answered & (texts == text), confidence)

    def regression(self, formula: str) -> LogisticFit:
        """Returns the logistic regression of the hidden answer on a formula's terms."""
        decimal = self._table.source.decimal
        names, matrix, used = model_matrix(self._table, formula, self._answered, decimal)
        weights = self._sample.weights[used] if self._weighted else None
        return logistic_regression(
            self._yes[used], matrix, self._a[used], self._b[used], names, weights
        )

    def _mean(self, group: NDArray[np.bool_], confidence: float) -> ScoreMean:
        answered = self._answered
        score = scores(self._yes, self._a, self._b)[answered]
        sample = SampleDesign(
            self._sample.weights[answered],
            self._sample.strata[answered],
            self._sample.clusters[answered],
            self._sample.population,
        )
        return mean_score(score, sample, group[answered], confidence)

    def _weights(self, name: str) -> Floats:
        if not name:
            return np.ones(self._table.rows)
        column = _column(self._table, name)
        numbers = np.asarray(
            read_numbers(column.dictionary, self._table.source.decimal).values, dtype=np.float64
        )
        weights = numbers[column.codes]
        if not (np.isfinite(weights) & (weights > 0))[self._answered].all():
            raise InputError(
                f"The column {name} has weights that are not positive numbers.",
                column=name,
                remedy="Correct the weights, or leave them out.",
            )
        return np.where(self._answered, weights, 1.0)

    def _labels(self, name: str, default: NDArray[np.int64]) -> NDArray[np.int64]:
        return _column(self._table, name).codes.astype(np.int64) if name else default


def _column(table: SurveyTable, name: str) -> TextColumn:
    if name not in table.names:
        raise InputError(
            f"The file has no column {name}.",
            column=name,
            remedy="Write the name exactly as in the file's first line.",
        )
    return table.column(name)
