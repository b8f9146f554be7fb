"""Answers of several kinds, or numbers, that respondents gave through a device."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpdesk.data.table import SurveyTable
from dpdesk.designs.matrix_categories import CategoryDesign
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.sample_design import ScoreMean
from dpdesk.errors import InputError, ParameterError
from dpdesk.estimation import answer_sample
from dpdesk.estimation.texts import T
from dpdesk.numbers.arrays import Floats


class ScoredAnswers:
    """Answers to one question, with their unbiased scores for each quantity that it estimates.

    The mean of a score is its quantity, for any respondents and any sample.

    Args:
        table: The data.
        scores: The scores of each row, whatever they are without an answer; shape (n, quantities).
        answered: Who answered, shape (n,).
        sample: How respondents were drawn.
        names: Texts of the answers whose shares are estimated; none for the mean of numbers.

    Attributes:
        names: The same texts.
        missing: Number of respondents without an answer.
    """

    def __init__(
        self,
        table: SurveyTable,
        scores: Floats,
        answered: answer_sample.Mask,
        sample: answer_sample.SampleColumns,
        names: tuple[str, ...] = (),
    ) -> None:
        self.names = names
        self.missing = int((~answered).sum())
        self._scores = scores
        self._sample = answer_sample.AnswerSample(table, answered, sample)

    @property
    def scores(self) -> Floats:
        """The unbiased scores of each respondent; NaN without an answer, shape (n, quantities)."""
        return np.where(self._sample.answered[:, None], self._scores, np.nan)

    @property
    def sample(self) -> answer_sample.SampleFacts:
        """The design of the sample in numbers."""
        return self._sample.facts

    def overall(self, confidence: float = 0.95) -> tuple[ScoreMean, ...]:
        """Returns every quantity of all who answered."""
        return self._means(self._sample.answered, confidence)

    def by(
        self, column: str, confidence: float = 0.95
    ) -> Iterator[tuple[str, tuple[ScoreMean, ...]]]:
        """Yields every quantity for each text of a column."""
        for text, group in self._sample.groups(column):
            yield text, self._means(group, confidence)

    def _means(self, group: answer_sample.Mask, confidence: float) -> tuple[ScoreMean, ...]:
        return tuple(self._sample.mean(score, group, confidence) for score in self._scores.T)


def category_answers(
    table: SurveyTable,
    design: CategoryDesign,
    answer: str,
    categories: tuple[str, ...] = (),
    sample: answer_sample.SampleColumns | None = None,
    missing: tuple[str, ...] = (),
) -> ScoredAnswers:
    """Reads the answers of a question with several answers.

    A respondent who says answer j has the j-th column of P^-T as scores, one for each true answer.

    Args:
        table: The data.
        design: The design, of m answers.
        answer: The column of the answers.
        categories: Their texts in the order of the design; in their own order if empty.
        sample: How respondents were drawn.
        missing: Other texts that are no answers.

    Raises:
        InputError: A column is missing, or has other answers than the design.
    """
    unmixing = design.unmixing
    answered = answer_sample.who_answered(table, answer, missing)
    found = answer_sample.distinct_answers(table, answer, answered)
    names = categories or tuple(found)
    as_many = len(names) == len(set(names)) == len(unmixing)
    if not as_many or not set(found) <= set(names):
        raise InputError(T.OTHER_ANSWERS(column=answer, answers=len(unmixing)), column=answer)
    said = np.zeros(table.rows, dtype=np.int64)
    for number, text in enumerate(names):
        said[answer_sample.who_says(table, answer, text)] = number
    return ScoredAnswers(
        table, unmixing.T[said], answered, sample or answer_sample.SampleColumns(), names
    )


def number_answers(
    table: SurveyTable,
    design: NumberDesign,
    answer: str,
    sample: answer_sample.SampleColumns | None = None,
    missing: tuple[str, ...] = (),
) -> ScoredAnswers:
    """Reads numbers that were said through a device.

    Args:
        table: The data.
        design: The design.
        answer: The column of the numbers.
        sample: How respondents were drawn.
        missing: Other texts that are no answers.

    Raises:
        InputError: A column is missing, or an answer is no number.
        ParameterError: A correction for a finite population is asked for.
    """
    columns = sample or answer_sample.SampleColumns()
    if columns.has_population:
        raise ParameterError(T.NO_CORRECTION())
    answered = answer_sample.who_answered(table, answer, missing)
    numbers = answer_sample.numbers_of(table, answer)
    if np.isnan(numbers[answered]).any() or not answered.any():
        raise InputError(T.NOT_NUMBERS(column=answer), column=answer)
    scores = design.scores(np.where(answered, numbers, 0.0))
    return ScoredAnswers(table, scores[:, None], answered, columns)
