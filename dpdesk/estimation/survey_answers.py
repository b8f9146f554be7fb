"""Estimates from yes-no answers that respondents gave through a device, read from a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import erf, sqrt

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.model_matrix import Covariates, model_matrix
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.designs import YesNoDesign
from dpdesk.designs.answer_likelihood import AnswerChances, yes_no_chances
from dpdesk.designs.inference import Adherence, WaldTest, equality_test, quantile
from dpdesk.designs.regression import (
    CovariateGroup,
    LogisticFit,
    PredictedShares,
    logistic_regression,
    predicted_shares,
)
from dpdesk.designs.sample_design import Contrast, ScoreMean, contrast_of, scores
from dpdesk.errors import DpdeskError, InputError, ParameterError
from dpdesk.estimation.answer_sample import (
    AnswerSample,
    Mask,
    SampleColumns,
    SampleFacts,
    distinct_answers,
    numbers_of,
    who_answered,
    who_means,
)
from dpdesk.estimation.respondent_devices import (
    DeviceColumns,
    Devices,
    adherence_of_records,
    anchored_scores,
    devices_of,
    two_group_scores,
)
from dpdesk.estimation.texts import T
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.intervals import wilson_interval

GROUPS_MAX = 20
"""Most distinct answers of a column whose groups are predicted."""


def groups_of_column(
    table: SurveyTable, formula: str, column: str, found: Covariates, decimal: str
) -> tuple[CovariateGroup, ...]:
    """Returns the groups of one column of a formula.

    The formula is evaluated on the used rows and on a copy of them in which everybody has one of
    the answers, so that every term with the column follows.

    Args:
        table: The data.
        formula: The formula.
        column: One of its columns.
        found: The formula's covariates on the table.
        decimal: Decimal mark of the file.

    Returns:
        The groups in the order of their texts; empty if there are more than `GROUPS_MAX`, or if
        a term of the original rows changes with the copy.
    """
    texts = distinct_answers(table, column, found.used)
    if len(texts) > GROUPS_MAX:
        return ()
    rows = int(found.used.sum())
    everybody = np.ones(2 * rows, dtype=np.bool_)
    groups = []
    for text in texts:
        trimmed = [said.strip() for said in table.column(column).distinct]
        own = np.array([said == text for said in trimmed])[table.column(column).codes[found.used]]
        columns = []
        for name in found.columns:
            codes = table.column(name).codes[found.used]
            again = np.full_like(codes, trimmed.index(text)) if name == column else codes
            dictionary = table.column(name).dictionary
            columns.append(TextColumn(name, np.concatenate((codes, again)), dictionary))
        twice = replace(table, columns=tuple(columns), rows=2 * rows)
        try:
            made = model_matrix(twice, formula, everybody, decimal)
        except DpdeskError:
            return ()
        if made.names != found.names or not np.allclose(made.values[:rows], found.values):
            return ()
        groups.append(CovariateGroup(text, int(own.sum()), made.values[rows:]))
    return tuple(groups)


def chances_of_answers(design: YesNoDesign | None, devices: Devices, said: Floats) -> AnswerChances:
    """Returns the chances of each respondent's answer, given their true state.

    Args:
        design: The design; None if each respondent has chances of their own.
        devices: The device of each respondent.
        said: The number that each answer stands for, shape (n,).

    Raises:
        ParameterError: The design does not determine the chances of an answer.
    """
    if design is not None:
        chances = design.chances_of(said, devices.group, devices.anchor)
        if chances is not None:
            return _with_direct(chances, devices.direct, said)
    if design is not None and devices.worth is not None:
        return _of_numbers(design, devices, said)
    # A respondent who does not count may have no device.
    known = devices.group >= 0
    a, b = np.where(known, devices.high, 1.0), np.where(known, devices.low, 0.0)
    return yes_no_chances(said, a, b)


def _of_numbers(design: YesNoDesign, devices: Devices, said: Floats) -> AnswerChances:
    """Chances of answers that are numbers, such as how many red cards were drawn."""
    (group,), worth = design.groups, devices.worth or ()
    place = {number: index for index, number in enumerate(worth)}
    answers = np.array([place.get(int(answer), 0) for answer in said])
    law = np.array([[float(chance) for chance in row] for row in group.law])
    high, low = law[0][answers], law[1][answers]
    return _with_direct(AnswerChances(high, low), devices.direct, said)


def _with_direct(found: AnswerChances, direct: NDArray[np.bool_], said: Floats) -> AnswerChances:
    """Adds the direct answers, which do not depend on an open share."""
    return AnswerChances(
        np.where(direct, said, found.high),
        np.where(direct, 1 - said, found.low),
        None if found.high_slope is None else np.where(direct, 0.0, found.high_slope),
        None if found.low_slope is None else np.where(direct, 0.0, found.low_slope),
        found.open_share,
    )


__all__ = ["DeviceColumns", "SampleColumns", "SurveyAnswers"]


class SurveyAnswers:
    """The answers to one question on a sensitive trait, with the respondents' devices and sample.

    Args:
        table: The data.
        design: The design of the survey; None if each respondent has chances of their own.
        answer: The column of the answers.
        yes: The text that means yes, or an equal number; any other answer means no. Designs whose
            answers are numbers do not need it.
        sample: How respondents were drawn.
        columns: The columns of the device of each respondent.
        missing: Further texts that mean "no answer", such as -9 or "refused".

    Attributes:
        missing: Number of respondents without an answer, or without a device; they are left out.

    Raises:
        InputError: A column is missing, nobody answered yes, there are more than two answers, or
            a weight is not a positive number.
        ParameterError: The design cannot be estimated from one column of answers.
    """

    def __init__(
        self,
        table: SurveyTable,
        design: YesNoDesign | None,
        answer: str,
        yes: str = "1",
        sample: SampleColumns | None = None,
        columns: DeviceColumns | None = None,
        missing: tuple[str, ...] = (),
    ) -> None:
        self._table = table
        own = columns is not None and (columns.a or columns.b)
        # Chances of their own replace the design.
        self._design = None if own else design
        self._devices = devices_of(table, design, columns or DeviceColumns(), yes, missing)
        self._said, answered = _answer_numbers(table, answer, yes, self._devices, missing)
        answered = answered & (self._devices.group >= 0)
        self.missing = int((~answered).sum())
        self._sample = AnswerSample(table, answered, sample or SampleColumns())
        if (sample or SampleColumns()).has_population and not self._is_scored:
            raise ParameterError(T.NO_CORRECTION())

    @property
    def scores(self) -> Floats:
        """The unbiased score of each respondent; NaN without an answer, shape (n,).

        For a design of two groups the scores are linearised: their mean is the estimate, and their
        spread within the groups is its error.
        """
        answered = self._sample.answered
        return np.where(answered, self._scores(answered), np.nan)

    @property
    def design(self) -> YesNoDesign | None:
        """The design, with what the answers show of it; None where each has own chances."""
        found, weights = self._design, self._sample.weights
        if found is None or not found.supposed or found.group_count == 1:
            return found
        used = self._sample.answered & ~self._devices.direct
        groups = [used & (self._devices.group == number) for number in range(found.group_count)]
        if not all(bool(who.any()) for who in groups):
            return found
        return found.with_answers([np.average(self._said[w], weights=weights[w]) for w in groups])

    @property
    def respondents(self) -> int:
        """Number of respondents whose answers count."""
        return int(self._sample.answered.sum())

    @property
    def sample(self) -> SampleFacts:
        """The design of the sample in numbers."""
        facts, apart = self._sample.facts, self._apart
        if facts.freedom is None or apart is None or not self._sample.is_one_by_one:
            return facts
        answered = self._sample.answered
        return replace(
            facts,
            freedom=self._sample.freedom(answered, apart),
            asked_apart=np.unique(apart[answered]).size,
        )

    @property
    def asked_directly(self) -> int:
        """Number of respondents who were asked directly."""
        return int((self._sample.answered & self._devices.direct).sum())

    @property
    def largest_epsilon(self) -> float:
        """The largest loss of a respondent with a device of known chances; 0 without one."""
        used = self._sample.answered & ~self._devices.direct
        high, low = self._devices.high[used], self._devices.low[used]
        if not self._devices.settled or not used.any():
            return 0.0
        with np.errstate(divide="ignore"):
            yes = np.abs(np.log(high) - np.log(low))
            no = np.abs(np.log1p(-high) - np.log1p(-low))
        return float(max(yes.max(), no.max()))

    def overall(self, confidence: float = 0.95) -> ScoreMean:
        """Returns the share of carriers of all respondents who answered.

        Its interval is Wilson's, transformed from the answers, if respondents were drawn one by one
        with equal weights and all answered yes or no through one device; else the normal one.
        """
        return self._mean(self._sample.answered, confidence)

    def by(self, column: str, confidence: float = 0.95) -> Iterator[tuple[str, ScoreMean]]:
        """Yields the share of carriers for each text of a column, in their order."""
        for text, group in self._sample.groups(column):
            yield text, self._mean(group, confidence)

    def difference(self, column: str, confidence: float = 0.95) -> WaldTest | None:
        """Returns the test of whether the groups of a column have one share.

        Returns:
            A chi-square test for a simple random sample, else an F test with the sample's degrees
            of freedom; None if there is one group, or the errors do not allow a test: one is 0, or
            there are too few clusters for the number of groups.
        """
        groups = [group for _, group in self._sample.groups(column)]
        if len(groups) < 2:  # nothing differs
            return None
        means = [self._mean(group, confidence) for group in groups]
        if not all(mean.standard_error > 0 for mean in means):
            return None
        values = np.array([mean.estimate for mean in means])
        covariance = self._covariance_of(groups, means)
        return equality_test(values, covariance, self.sample.freedom)

    def contrast(self, confidence: float = 0.95) -> Contrast | None:
        """Returns the difference of the shares by the device and by direct questions.

        None if nobody was asked directly, or fewer than 2 in one of both ways.
        """
        direct = self._devices.direct & self._sample.answered
        asked = [self._sample.answered & ~direct, direct]
        if any(group.sum() < 2 for group in asked):  # a variance needs two
            return None
        means = [self._mean(group, confidence) for group in asked]
        covariance = self._covariance_of(asked, means)
        across = float(covariance[0, 1])
        return contrast_of(
            means[0], means[1], confidence=confidence, across=across, freedom=self.sample.freedom
        )

    def _covariance_of(self, groups: list[Mask], means: list[ScoreMean]) -> Floats:
        """The covariance of the shares of groups; those drawn one by one are independent."""
        if self._sample.is_one_by_one:
            return np.diag([mean.standard_error**2 for mean in means])
        return self._sample.covariance([(self._scores(group), group) for group in groups])

    def adherence(self) -> Adherence | None:
        """Returns the test of adherence of a design of two groups or with an anchor.

        None for other designs. Its error follows the sample's design.
        """
        design = self._design
        if design is None or design.group_count != 2 or self._devices.worth is not None:
            return None
        return adherence_of_records(design, self._devices, self._said, self._sample)

    def regression(self, formula: str) -> LogisticFit:
        """Returns the logistic regression of the hidden answer on a formula's terms.

        Errors are from the observed information; with weights, strata or clusters they follow the
        sample's design.

        Raises:
            ParameterError: The design does not determine the chances of an answer.
        """
        chances = chances_of_answers(self._design, self._devices, self._said)
        decimal = self._table.reading.decimal
        covariates = model_matrix(self._table, formula, self._sample.answered, decimal)
        used = covariates.used
        freedom = self._sample.freedom(used, self._apart)
        if freedom == 0:
            raise InputError(T.ONE_CLUSTER())
        weights = self._sample.weights[used] if self._sample.weighted else None
        fit = logistic_regression(
            chances.of(used),
            covariates.values,
            covariates.names,
            weights,
            self._sample.spread(used, self._apart),
        )
        return replace(fit, freedom=freedom, terms=covariates.terms)

    def predicted(
        self, formula: str, fit: LogisticFit, confidence: float = 0.95
    ) -> tuple[PredictedShares, ...]:
        """Returns the shares that a regression predicts for the groups of its columns.

        Args:
            formula: The formula of the regression.
            fit: The regression, from `regression`.
            confidence: Coverage of the intervals.

        Returns:
            The shares for each column with few distinct answers; columns with terms that depend on
            all respondents together, such as a centred one, are left out.
        """
        decimal = self._table.reading.decimal
        covariates = model_matrix(self._table, formula, self._sample.answered, decimal)
        weights = self._sample.weights[covariates.used]
        spread = self._sample.spread(covariates.used, self._apart)
        made = []
        for column in covariates.columns:
            groups = groups_of_column(self._table, formula, column, covariates, decimal)
            if len(groups) > 1:
                made.append(predicted_shares(fit, column, groups, weights, spread, confidence))
        return tuple(made)

    @property
    def _is_scored(self) -> bool:
        return self._devices.weights is None and self._devices.anchor is None

    @property
    def _apart(self) -> NDArray[np.int64] | None:
        """The group of each respondent where groups with devices are samples of their own.

        Where the estimate is a mean of scores it is one of a single sample.
        """
        return None if self._is_scored else self._devices.group

    def _mean(self, group: Mask, confidence: float) -> ScoreMean:
        score = self._scores(group)
        mean = self._sample.mean(score, group, confidence, self._apart)
        # Answers that are all alike have no spread, which does not show that there is no error.
        if not (self._devices.settled and (self._sample.is_simple or not mean.standard_error)):
            return mean
        return self._wilson(mean, group, confidence)

    def _wilson(self, found: ScoreMean, group: Mask, confidence: float) -> ScoreMean:
        """With the interval from the counts of yes and no, if all devices have the same scores."""
        used = group & self._sample.answered
        gap = self._devices.high[used] - self._devices.low[used]
        ends = np.sort(
            [-self._devices.low[used] / gap, (1 - self._devices.low[used]) / gap], axis=0
        )
        if not np.allclose(ends, ends[:, :1], rtol=1e-12, atol=1e-12):
            return found
        least, most = ends[:, 0].tolist()
        share = np.array((found.estimate - least) / (most - least))
        weights, freedom = self._sample.weights[used], found.freedom
        people = float(weights.sum() ** 2 / (weights @ weights))
        if freedom is not None:
            # Clusters may be alike throughout.
            people = min(people, freedom + 1.0)
        confidence = erf(quantile(confidence, freedom) / sqrt(2))
        interval = wilson_interval(share, people, confidence)
        lower, upper = (float(least + (most - least) * end) for end in interval)
        return replace(found, lower=lower, upper=upper)

    def _scores(self, group: Mask) -> Floats:
        """Scores whose weighted mean over a group of respondents is its estimate."""
        devices, answered = self._devices, self._sample.answered
        if self._is_scored:
            # A respondent who does not count may have no device.
            gap = np.where(answered, devices.high - devices.low, 1.0)
            low = np.where(answered, devices.low, 0.0)
            return scores(self._said, low + gap, low)
        weight = np.where(group & answered & ~devices.direct, self._sample.weights, 0.0)
        if not weight.any():  # all of the group were asked directly
            return self._said
        if self._design is not None and devices.anchor is not None:
            found = anchored_scores(self._design, self._said, devices.anchor, weight)
        else:
            found = two_group_scores(devices, self._said, weight)
        return np.where(devices.direct, self._said, found)


def _answer_numbers(
    table: SurveyTable, answer: str, yes: str, devices: Devices, missing: tuple[str, ...]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Returns the number that each answer stands for, and which respondents answered."""
    answered = who_answered(table, answer, missing)
    if not answered.any():
        raise InputError(T.NO_ANSWERS(column=answer), column=answer)
    if devices.worth is None:
        said = (who_means(table, answer, yes) & answered).astype(np.float64)
        if not said.any():
            raise InputError(T.NO_YES(column=answer), column=answer)
        if len(distinct_answers(table, answer, answered & (said == 0))) > 1:
            raise InputError(T.MORE_THAN_TWO(column=answer), column=answer)
        return said, answered
    numbers = numbers_of(table, answer)
    if (answered & devices.direct & ~np.isin(numbers, (0.0, 1.0))).any():
        raise InputError(T.NOT_DIRECT(column=answer), column=answer)
    if not np.isin(numbers[answered], devices.worth).all():
        least, largest = min(devices.worth), max(devices.worth)
        foreign = T.NOT_OF_DESIGN(column=answer, least=least, largest=largest)
        raise InputError(foreign, column=answer)
    return np.where(answered, numbers, 0.0), answered
