"""Estimates from several answers, or from numbers, that respondents gave through a device."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpdesk.data.table import SurveyTable
from dpdesk.designs.matrix_categories import CategoryDesign
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.sample_design import ScoreMean
from dpdesk.errors import InputError, ParameterError
from dpdesk.estimate.answer_sample import (
    AnswerSample,
    Floats,
    Mask,
    SampleColumns,
    SampleFacts,
    numbers_of,
    texts_said,
    who_answered,
    who_says,
)


class CategoryAnswers:
    """The answers of a question with several answers, each read from one column.

    A respondent who says answer j has the j-th column of P^-T as scores, one for each true answer:
    the mean of a score estimates the share of that answer, for any respondents and any sample.

    Args:
        table: The data.
        design: The design, of m answers.
        answer: The column of the answers.
        categories: Their texts in the order of the design; in the order of the texts if empty.
        sample: How respondents were drawn.
        missing: Further texts that mean "no answer".

    Attributes:
        categories: The texts of the answers.
        missing: Number of respondents without an answer.

    Raises:
        InputError: A column is missing, or has other answers than the design.
    """

    def __init__(
        self,
        table: SurveyTable,
        design: CategoryDesign,
        answer: str,
        categories: tuple[str, ...] = (),
        sample: SampleColumns | None = None,
        missing: tuple[str, ...] = (),
    ) -> None:
        unmixing = design.unmixing
        answered = who_answered(table, answer, missing)
        found = texts_said(table, answer, answered)
        self.categories = categories or tuple(found)
        if len(set(self.categories)) != len(unmixing) or len(self.categories) != len(unmixing):
            raise InputError(
                f"The column {answer} does not have the {len(unmixing)} answers of the design.",
                column=answer,
                remedy="Name them in the order of the design, with --categories.",
            )
        if not set(found) <= set(self.categories):
            raise InputError(
                f"The column {answer} has answers that are not among those named.",
                column=answer,
                remedy="Name all answers exactly as in the file, one for each of the design.",
            )
        said = np.zeros(table.rows, dtype=np.int64)
        for number, text in enumerate(self.categories):
            said[who_says(table, answer, text)] = number
        self._scores = unmixing.T[said]
        self._sample = AnswerSample(table, answered, sample or SampleColumns())
        self.missing = int((~answered).sum())

    @property
    def scores(self) -> Floats:
        """The unbiased scores of each respondent; NaN without an answer, shape (n, m)."""
        return np.where(self._sample.answered[:, None], self._scores, np.nan)

    @property
    def sample(self) -> SampleFacts:
        """The design of the sample in numbers."""
        return self._sample.facts

    def overall(self, confidence: float = 0.95) -> tuple[ScoreMean, ...]:
        """Returns the share of each answer."""
        return self._means(self._sample.answered, confidence)

    def by(
        self, column: str, confidence: float = 0.95
    ) -> Iterator[tuple[str, tuple[ScoreMean, ...]]]:
        """Yields the shares for each text of a column."""
        for text, group in self._sample.groups(column):
            yield text, self._means(group, confidence)

    def _means(self, group: Mask, confidence: float) -> tuple[ScoreMean, ...]:
        return tuple(self._sample.mean(score, group, confidence) for score in self._scores.T)


class NumberAnswers:
    """Numbers that respondents reported through a device.

    Args:
        table: The data.
        design: The design.
        answer: The column of the numbers.
        sample: How respondents were drawn.
        missing: Further texts that mean "no answer".

    Attributes:
        missing: Number of respondents without an answer.

    Raises:
        InputError: A column is missing, or an answer is not a number.
        ParameterError: A finite population is given.
    """

    def __init__(
        self,
        table: SurveyTable,
        design: NumberDesign,
        answer: str,
        sample: SampleColumns | None = None,
        missing: tuple[str, ...] = (),
    ) -> None:
        columns = sample or SampleColumns()
        if columns.has_population:
            raise ParameterError(
                "The correction for a finite population is for shares.",
                remedy="Leave the size of the population out.",
            )
        answered = who_answered(table, answer, missing)
        numbers = numbers_of(table, answer)
        if np.isnan(numbers[answered]).any() or not answered.any():
            raise InputError(
                f"The column {answer} has answers that are not numbers.",
                column=answer,
                remedy="Correct them, or leave these cells empty.",
            )
        self._scores = design.scores(np.where(answered, numbers, 0.0))
        self._sample = AnswerSample(table, answered, columns)
        self.missing = int((~answered).sum())

    @property
    def scores(self) -> Floats:
        """The unbiased score of each respondent; NaN without an answer, shape (n,)."""
        return np.where(self._sample.answered, self._scores, np.nan)

    @property
    def sample(self) -> SampleFacts:
        """The design of the sample in numbers."""
        return self._sample.facts

    def overall(self, confidence: float = 0.95) -> ScoreMean:
        """Returns the mean of the true answers."""
        return self._sample.mean(self._scores, self._sample.answered, confidence)

    def by(self, column: str, confidence: float = 0.95) -> Iterator[tuple[str, ScoreMean]]:
        """Yields the mean for each text of a column."""
        for text, group in self._sample.groups(column):
            yield text, self._sample.mean(self._scores, group, confidence)
