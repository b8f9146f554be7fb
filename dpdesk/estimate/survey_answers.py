"""Answers that respondents gave through a device, read from a table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.model_matrix import model_matrix
from dpdesk.data.table import SurveyTable
from dpdesk.designs import Count, Design
from dpdesk.designs.adherence import Adherence, adherence_of
from dpdesk.designs.regression import LogisticFit, logistic_regression
from dpdesk.designs.scores import ScoreMean, scores
from dpdesk.errors import InputError, ParameterError
from dpdesk.estimate.answer_sample import (
    AnswerSample,
    Floats,
    Mask,
    SampleColumns,
    numbers_of,
    who_answered,
    who_says,
)
from dpdesk.estimate.respondent_devices import DeviceColumns, Devices, devices_of

__all__ = ["DeviceColumns", "SampleColumns", "SurveyAnswers"]


class SurveyAnswers:
    """The answers of one question on a sensitive trait, with who gave them.

    Args:
        table: The data.
        design: The design that the answers were given through; None where each respondent has
            chances of their own.
        answer: The column of the answers.
        yes: The text that means yes; every other one that is not empty means no. Designs whose
            answers are numbers do not need it.
        sample: How respondents were drawn.
        columns: Which device each respondent used.

    Attributes:
        missing: Number of respondents without an answer, or without a device; they are left out.

    Raises:
        InputError: A column is missing, or nobody answered yes, or a weight is no positive number.
        ParameterError: The design cannot be estimated from one column of answers.
    """

    def __init__(
        self,
        table: SurveyTable,
        design: Design | None,
        answer: str,
        yes: str = "1",
        sample: SampleColumns | None = None,
        columns: DeviceColumns | None = None,
    ) -> None:
        self._table, self._design = table, design
        self._devices = devices_of(table, design, columns or DeviceColumns())
        self._said, answered = _said(table, answer, yes, self._devices)
        answered = answered & (self._devices.group >= 0)
        self.missing = int((~answered).sum())
        self._sample = AnswerSample(table, answered, sample or SampleColumns())
        if (sample or SampleColumns()).population is not None and not self._is_scored:
            raise ParameterError(
                "The correction for a finite population is for designs of one device.",
                remedy="Leave the size of the population out.",
            )

    @property
    def scores(self) -> Floats:
        """The unbiased score of each respondent; NaN without an answer, shape (n,).

        With a design of two groups scores are linearised: their mean is the estimate, and their
        spread within the groups is its error.
        """
        answered = self._sample.answered
        return np.where(answered, self._scores(answered), np.nan)

    @property
    def respondents(self) -> int:
        """Number of respondents who count."""
        return int(self._sample.answered.sum())

    @property
    def asked_directly(self) -> int:
        """Number of them who were asked directly."""
        return int((self._sample.answered & self._devices.direct).sum())

    @property
    def largest_epsilon(self) -> float:
        """The largest loss of the respondents who used a device of known chances; else 0."""
        used = self._sample.answered & ~self._devices.direct
        high, low = self._devices.high[used], self._devices.low[used]
        if not self._devices.settled or not used.any():
            return 0.0
        with np.errstate(divide="ignore"):
            yes = np.abs(np.log(high) - np.log(low))
            no = np.abs(np.log1p(-high) - np.log1p(-low))
        return float(max(yes.max(), no.max()))

    def overall(self, confidence: float = 0.95) -> ScoreMean:
        """Returns the share of carriers of all respondents who answered."""
        return self._mean(self._sample.answered, confidence)

    def by(self, column: str, confidence: float = 0.95) -> Iterator[tuple[str, ScoreMean]]:
        """Yields the share of carriers for each text of a column, in their order."""
        for text, group in self._sample.groups(column):
            yield text, self._mean(group, confidence)

    def adherence(self) -> Adherence | None:
        """Returns the test of adherence of a design of two groups.

        None where the design has none, and where respondents were not drawn one by one with equal
        weights: the test is of counts.
        """
        design, sample = self._design, self._sample
        if design is None or design.group_count != 2 or not sample.is_simple:
            return None
        if self._devices.worth is not None:
            return None
        counts = []
        for number in (0, 1):
            members = sample.answered & (self._devices.group == number)
            counts.append(Count(int(self._said[members].sum()), int(members.sum())))
        return adherence_of(design.estimate(counts))

    def regression(self, formula: str) -> LogisticFit:
        """Returns the logistic regression of the hidden answer on a formula's terms.

        Raises:
            ParameterError: The design leaves chances of yes open, or its answers are numbers.
        """
        if not self._devices.settled:
            raise ParameterError(
                "The regression needs a design with known chances of yes and no.",
                remedy="Use a design of one group with two answers, or the extended crosswise one.",
            )
        decimal = self._table.source.decimal
        names, matrix, used = model_matrix(self._table, formula, self._sample.answered, decimal)
        weights = self._sample.weights[used] if self._sample.weighted else None
        return logistic_regression(
            self._said[used],
            matrix,
            self._devices.high[used],
            self._devices.low[used],
            names,
            weights,
        )

    @property
    def _is_scored(self) -> bool:
        return self._devices.weights is None

    def _mean(self, group: Mask, confidence: float) -> ScoreMean:
        devices = None if self._is_scored else self._devices.group
        return self._sample.mean(self._scores(group), group, confidence, devices)

    def _scores(self, group: Mask) -> Floats:
        """Scores whose weighted mean over a group of respondents is its estimate."""
        devices = self._devices
        if devices.weights is None:
            # Who does not count has no device, perhaps.
            gap = np.where(self._sample.answered, devices.high - devices.low, 1.0)
            low = np.where(self._sample.answered, devices.low, 0.0)
            return scores(self._said, low + gap, low)
        weight = np.where(group, self._sample.weights, 0.0)
        score = np.full(len(weight), devices.constant)
        for number, factor in enumerate(devices.weights):
            members = group & (devices.group == number)
            if members.sum() < 2:  # a variance needs two
                raise InputError(
                    "A group of respondents has fewer than 2 with one of the devices.",
                    remedy="Join it with another group.",
                )
            mine = weight * members
            mean = float(mine @ self._said) / float(mine.sum())
            residual = (self._said - mean) * (float(weight.sum()) / float(mine.sum()))
            score += factor * (mean + np.where(members, residual, 0.0))
        return score


def _said(
    table: SurveyTable, answer: str, yes: str, devices: Devices
) -> tuple[Floats, NDArray[np.bool_]]:
    """Returns what each answer stands for, and who answered."""
    answered = who_answered(table, answer)
    if devices.worth is None:
        said = who_says(table, answer, yes).astype(np.float64)
        if not said.any():
            raise InputError(
                f"No answer of the column {answer} is the one that means yes.",
                column=answer,
                remedy="Say which text means yes; on the command line with --yes.",
            )
        return said, answered
    numbers = numbers_of(table, answer)
    if not np.isin(numbers[answered], devices.worth).all() or not answered.any():
        raise InputError(
            f"The column {answer} has answers that this design does not have.",
            column=answer,
            remedy=f"Its answers are whole numbers from {min(devices.worth)} to "
            f"{max(devices.worth)}.",
        )
    return np.where(answered, numbers, 0.0), answered
