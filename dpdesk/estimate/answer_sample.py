"""Who answered, how they were drawn, and the mean of a score over some of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.number_texts import read_numbers
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.designs.scores import SampleDesign, ScoreMean, covariance_of_sum, mean_score
from dpdesk.domains import parse_number
from dpdesk.errors import InputError, ParameterError

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

MISSING = frozenset({"", "NA", "NaN", "nan"})
"""Texts that are no answer."""


@dataclass(frozen=True, slots=True)
class SampleColumns:
    """Names of the columns that say how respondents were drawn; empty where there are none."""

    weights: str = ""
    strata: str = ""
    clusters: str = ""
    population: int | None = None


class AnswerSample:
    """The respondents who answered, with the design of their sample.

    Args:
        table: The data.
        answered: Who counts, shape (n,).
        columns: How respondents were drawn.

    Attributes:
        answered: Who counts, shape (n,).
        weighted: Whether respondents have weights.
        is_one_by_one: Whether respondents were drawn without strata and clusters, so that groups
            of them are samples of their own.

    Raises:
        InputError: A column is missing or has gaps, or a weight is no positive number.
        ParameterError: A population is given beside weights, strata or clusters.
    """

    def __init__(self, table: SurveyTable, answered: Mask, columns: SampleColumns) -> None:
        if columns.population is not None and (
            columns.weights or columns.strata or columns.clusters
        ):
            raise ParameterError(
                "The size of a population is for simple random samples, without weights, strata "
                "or clusters.",
                remedy="Leave it out, or leave the others out.",
            )
        self._table = table
        self.answered = answered
        self.weighted = bool(columns.weights)
        self.is_one_by_one = not (columns.strata or columns.clusters)
        self._design = SampleDesign(
            weights=self._weights(columns.weights),
            strata=self._labels(columns.strata, np.zeros(table.rows, dtype=np.int64)),
            clusters=self._labels(columns.clusters, np.arange(table.rows, dtype=np.int64)),
            population=columns.population,
        )

    @property
    def weights(self) -> Floats:
        """Weight of each respondent, 1 where there are none; shape (n,)."""
        return self._design.weights

    @property
    def is_simple(self) -> bool:
        """Whether respondents were drawn one by one with equal weights."""
        return self.is_one_by_one and not self.weighted and self._design.population is None

    def mean(
        self,
        score: Floats,
        group: Mask,
        confidence: float,
        devices: NDArray[np.int64] | None = None,
    ) -> ScoreMean:
        """Returns the mean score of a group of those who answered.

        Args:
            score: Score of each respondent, shape (n,).
            group: Who belongs to the group, shape (n,).
            confidence: Coverage of the interval.
            devices: The group whose device each respondent used, where there are several: each is
                a sample of its own.
        """
        kept = self.answered & group if self.is_one_by_one else self.answered
        strata = self._design.strata
        if devices is not None and self.is_one_by_one:
            strata = devices
        sample = SampleDesign(
            self._design.weights[kept],
            strata[kept],
            self._design.clusters[kept],
            self._people(kept),
        )
        return mean_score(score[kept], sample, group[kept], confidence)

    def covariance(
        self, means: Sequence[tuple[Floats, Mask]], devices: NDArray[np.int64] | None = None
    ) -> Floats:
        """Returns the covariance of mean scores over groups of respondents.

        Args:
            means: The scores of all respondents and who belongs to the group, for each group.
            devices: As in `mean`.

        Returns:
            An array of shape (groups, groups).
        """
        residuals = []
        for score, group in means:
            weight = np.where(self.answered & group, self.weights, 0.0) / self.weights[group].sum()
            residuals.append(weight * (score - weight @ score))
        strata = devices if self.is_one_by_one else None
        return self._covariance_of_sum(np.column_stack(residuals), strata)

    def spread(self, used: Mask) -> Callable[[Floats], Floats] | None:
        """Returns how sums over some of those who answered vary.

        Args:
            used: Who adds to the sum, shape (n,).

        Returns:
            From what each of them adds, shape (used, k), the covariance of the sum, (k, k). None
            where respondents were drawn one by one with equal weights.
        """
        if self.is_one_by_one and not self.weighted:
            return None

        def covariance(contributions: Floats) -> Floats:
            everybody = np.zeros((used.size, contributions.shape[1]))
            everybody[used] = contributions
            return self._covariance_of_sum(everybody)

        return covariance

    def _covariance_of_sum(
        self, contributions: Floats, strata: NDArray[np.int64] | None = None
    ) -> Floats:
        kept, design = self.answered, self._design
        strata = design.strata if strata is None else strata
        sample = SampleDesign(design.weights[kept], strata[kept], design.clusters[kept])
        return covariance_of_sum(contributions[kept], sample)

    def _people(self, kept: Mask) -> float | None:
        """How many people those who are kept stand for; None without a population."""
        population = self._design.population
        if population is None:
            return None
        return population * float(kept.sum()) / max(float(self.answered.sum()), 1.0)

    def groups(self, name: str) -> Iterator[tuple[str, Mask]]:
        """Yields each text of a column with who of those who answered has it."""
        for text in texts_said(self._table, name, self.answered):
            yield text, self.answered & who_says(self._table, name, text)

    def _weights(self, name: str) -> Floats:
        if not name:
            return np.ones(self._table.rows)
        weights = numbers_of(self._table, name)
        if not (np.isfinite(weights) & (weights > 0))[self.answered].all():
            raise InputError(
                f"The column {name} has weights that are not positive numbers.",
                column=name,
                remedy="Correct the weights, or leave them out.",
            )
        return np.where(self.answered, weights, 1.0)

    def _labels(self, name: str, default: NDArray[np.int64]) -> NDArray[np.int64]:
        if not name:
            return default
        column = column_of(self._table, name)
        if not who_answered(self._table, name)[self.answered].all():
            raise InputError(
                f"The column {name} has empty cells of respondents who answered.",
                column=name,
                remedy="Fill them: nobody is drawn outside of strata and clusters.",
            )
        _, labels = np.unique([text.strip() for text in column.distinct], return_inverse=True)
        return np.asarray(labels, dtype=np.int64)[column.codes]


def column_of(table: SurveyTable, name: str) -> TextColumn:
    """Returns a column of the data.

    Raises:
        InputError: There is none of this name.
    """
    if name not in table.names:
        raise InputError(
            f"The file has no column {name}.",
            column=name,
            remedy="Write the name exactly as in the file's first line.",
        )
    return table.column(name)


def who_answered(table: SurveyTable, name: str, missing: tuple[str, ...] = ()) -> Mask:
    """Returns whose answer in a column is no missing one, shape (n,).

    Args:
        table: The data.
        name: The column.
        missing: Further texts that are no answers.
    """
    column = column_of(table, name)
    told = [
        text.strip() not in MISSING and not any(means(text, code) for code in missing)
        for text in column.distinct
    ]
    return _of_each(column, told)


def means(text: str, said: str) -> bool:
    """Whether two texts are the same but for blanks around them, or the same number."""
    text, said = text.strip(), said.strip()
    if text == said:
        return True
    number = parse_number(text)
    return number is not None and number == parse_number(said)


def who_means(table: SurveyTable, name: str, said: str) -> Mask:
    """Returns whose answer in a column is a text or the same number; shape (n,)."""
    column = column_of(table, name)
    return _of_each(column, [means(text, said) for text in column.distinct])


def who_says(table: SurveyTable, name: str, said: str) -> Mask:
    """Returns whose answer in a column is a text, but for blanks around it; shape (n,)."""
    column = column_of(table, name)
    return _of_each(column, [text.strip() == said for text in column.distinct])


def texts_said(table: SurveyTable, name: str, by: Mask | None = None) -> list[str]:
    """Returns the distinct answers of some or all respondents but for missing ones, trimmed.

    Numbers come in their order, other texts in that of the alphabet.
    """
    column = column_of(table, name)
    codes = column.codes if by is None else column.codes[by]
    used = np.bincount(codes, minlength=column.distinct_count) > 0
    trimmed = {text.strip() for text, u in zip(column.distinct, used, strict=True) if u}
    found = sorted(trimmed - MISSING)
    numbers = {text: parse_number(text) for text in found}
    if None not in numbers.values():
        found.sort(key=lambda text: numbers[text] or 0.0)
    return found


def _of_each(column: TextColumn, of_distinct: list[bool]) -> Mask:
    return np.array(of_distinct, dtype=np.bool_)[column.codes]


def numbers_of(table: SurveyTable, name: str) -> Floats:
    """Returns the numbers of a column, NaN where a text is none; shape (n,)."""
    column = column_of(table, name)
    found = read_numbers(column.dictionary, table.reading.decimal).values
    return np.asarray(found, dtype=np.float64)[column.codes]
