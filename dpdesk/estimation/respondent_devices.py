"""The device of each respondent: that of their group, one with chances of their own, or none.

The estimate of designs with two groups or an anchor is not a mean of scores. Their scores are
linearised for some respondents: the weighted mean of the scores is the estimate, and their spread
within the groups of devices is its error (delta method). The test of adherence uses the same
devices for any sample: shares of yes with their covariance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.table import SurveyTable
from dpdesk.designs import Count, Group, YesNoDesign
from dpdesk.designs.behaviour import answer_worth
from dpdesk.designs.inference import Adherence, adherence_from, adherence_of
from dpdesk.designs.sample_groups import mean_and_variance
from dpdesk.errors import InputError, ParameterError
from dpdesk.estimation.answer_sample import (
    AnswerSample,
    Mask,
    distinct_answers,
    numbers_of,
    who_answered,
    who_means,
)
from dpdesk.estimation.texts import T
from dpdesk.numbers.arrays import Floats

_DIRECT = 2
"""Number of the group that was asked directly, beside two groups with devices."""


@dataclass(frozen=True, slots=True)
class DeviceColumns:
    """Names of the columns that say which device a respondent used; empty if all used one.

    Attributes:
        group: The column of the group, for designs of two groups.
        groups: The texts of the first and the second group; if empty, in the order of the texts.
        a, b: The columns of a respondent's own chances of yes, as a carrier and as a non-carrier.
        direct: The column that says who was asked directly.
        direct_text: Its text for those respondents.
        anchor: The column of the answers to the anchor, for crosswise with anchor.
    """

    group: str = ""
    groups: tuple[str, ...] = ()
    a: str = ""
    b: str = ""
    direct: str = ""
    direct_text: str = ""
    anchor: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Devices:
    """The device of each respondent; arrays of shape (n,).

    Attributes:
        high, low: Mean answer of a carrier and of a non-carrier.
        group: Number of the respondent's group, from 0; -1 if the group is unknown, and 2 for
            direct questions beside two groups with devices.
        direct: Which respondents were asked directly.
        constant, weights: The estimate from the mean answers of the groups, if it is not a mean
            of scores; None otherwise.
        worth: The number that each answer stands for, if answers are not yes and no.
        anchor: The answer to the anchor, 1 for yes; None without one.
    """

    high: Floats
    low: Floats
    group: NDArray[np.int64]
    direct: NDArray[np.bool_]
    constant: float = 0.0
    weights: tuple[float, float] | None = None
    worth: tuple[int, ...] | None = None
    anchor: Floats | None = None

    @property
    def settled(self) -> bool:
        """Whether `high` and `low` are the chances of yes."""
        return self.weights is None and self.worth is None and self.anchor is None


def devices_of(
    table: SurveyTable,
    design: YesNoDesign | None,
    columns: DeviceColumns,
    yes: str = "1",
    missing: tuple[str, ...] = (),
) -> Devices:
    """Returns the device of each respondent.

    Args:
        table: The data.
        design: The design; None if respondents have chances of their own.
        columns: The columns that say it.
        yes: The text that means yes, in the answers to an anchor.
        missing: Texts that mean "no answer" to the anchor.

    Raises:
        InputError: A column is missing, or its texts are not groups or chances.
        ParameterError: The design and the columns do not fit together.
    """
    direct = np.zeros(table.rows, dtype=np.bool_)
    if columns.direct:
        direct = who_means(table, columns.direct, columns.direct_text)
    if design is None or columns.a or columns.b:
        return _own_chances(table, columns, direct)
    if columns.anchor and not design.same_respondents:
        raise ParameterError(T.NO_ANCHOR())
    if design.same_respondents:
        return _anchored(table, design, columns, direct, yes, missing)
    group = np.zeros(table.rows, dtype=np.int64)
    if design.group_count > 1:
        group = np.where(direct, _DIRECT, _groups(table, columns, ~direct))
    elif columns.group:
        raise ParameterError(T.NO_GROUPS())
    if design.combination is not None:
        constant, weights = design.combination
        worth = tuple(range(design.largest_answer + 1)) if design.largest_answer > 1 else None
        return _without_chances(group, direct, constant=constant, weights=weights, worth=worth)
    laws = design.groups
    means = [[_mean(law, state) for state in (0, 1)] for law in laws]
    each = np.array(means)[np.clip(group, 0, len(laws) - 1)]
    binary = laws[0].answers == ("yes", "no")
    return Devices(
        high=np.where(direct, 1.0, each[:, 0]),
        low=np.where(direct, 0.0, each[:, 1]),
        group=group,
        direct=direct,
        worth=None if binary else tuple(map(answer_worth, laws[0].answers)),
    )


def _without_chances(group: NDArray[np.int64], direct: NDArray[np.bool_], **more: Any) -> Devices:
    nothing = np.zeros(group.size)
    return Devices(nothing, nothing, group, direct, **more)


def _anchored(
    table: SurveyTable,
    design: YesNoDesign,
    columns: DeviceColumns,
    direct: NDArray[np.bool_],
    yes: str,
    missing: tuple[str, ...],
) -> Devices:
    design.check_device()
    if columns.group:
        raise ParameterError(T.NO_GROUPS())
    if not columns.anchor:
        raise ParameterError(T.NEEDS_ANCHOR())
    answered = who_answered(table, columns.anchor, missing) | direct
    said = who_means(table, columns.anchor, yes)
    if not said.any():
        raise InputError(T.NO_YES(column=columns.anchor), column=columns.anchor)
    return _without_chances(
        np.where(direct, _DIRECT, np.where(answered, 0, -1)),
        direct,
        anchor=said.astype(np.float64),
    )


def _mean(group: Group, state: int) -> float:
    worth = tuple(Fraction(answer_worth(answer)) for answer in group.answers)
    return float(mean_and_variance(group.law[state], worth)[0])


def _own_chances(table: SurveyTable, columns: DeviceColumns, direct: NDArray[np.bool_]) -> Devices:
    if not (columns.a and columns.b):
        raise ParameterError(T.NEEDS_PROBABILITIES())
    if columns.group or columns.anchor:
        raise ParameterError(T.NO_GROUPS() if columns.group else T.NO_ANCHOR())
    chances = [
        np.where(direct, x, numbers_of(table, n)) for n, x in ((columns.a, 1.0), (columns.b, 0.0))
    ]
    for name, values in zip((columns.a, columns.b), chances, strict=True):
        known = ~np.isnan(values)
        answered = who_answered(table, name) & ~direct
        if (
            (answered & ~known).any()
            or not ((values >= 0) & (values <= 1))[known].all()
            or not known.any()
        ):
            raise InputError(T.BAD_PROBABILITIES(column=name), column=name)
    high, low = chances
    if (high == low).any():
        raise ParameterError(T.SAME_PROBABILITIES())
    unknown = np.isnan(high) | np.isnan(low)
    return Devices(high, low, np.where(unknown, -1, 0), direct)


def _groups(
    table: SurveyTable, columns: DeviceColumns, used: NDArray[np.bool_]
) -> NDArray[np.int64]:
    if not columns.group:
        raise ParameterError(T.NEEDS_GROUPS())
    names = columns.groups or tuple(distinct_answers(table, columns.group, used))
    groups = np.full(table.rows, -1, dtype=np.int64)
    for number, name in enumerate(names):
        groups[who_means(table, columns.group, name)] = number
    are_two = len(names) == len(set(names)) == 2
    if not are_two or not all((groups == number).any() for number in (0, 1)):
        raise InputError(T.NOT_TWO_GROUPS(column=columns.group), column=columns.group)
    return groups


def two_group_scores(devices: Devices, said: Floats, weight: Floats) -> Floats:
    """Returns scores of a design of two groups.

    Args:
        devices: The device of each respondent.
        said: The number that each answer stands for, shape (n,).
        weight: Weight of each respondent, 0 to leave one out, shape (n,).

    Raises:
        InputError: Fewer than 2 respondents used one of the devices.
    """
    score = np.full(weight.size, devices.constant)
    for number, factor in enumerate(devices.weights or ()):
        members = (weight > 0) & (devices.group == number)
        if members.sum() < 2:  # a variance needs two
            raise InputError(T.FEW_WITH_DEVICE())
        mine = weight * members
        mean = float(mine @ said) / float(mine.sum())
        residual = (said - mean) * (float(weight.sum()) / float(mine.sum()))
        score += factor * (mean + np.where(members, residual, 0.0))
    return score


def anchored_scores(design: YesNoDesign, said: Floats, anchor: Floats, weight: Floats) -> Floats:
    """Returns scores of a design whose respondents also answer an anchor.

    Args:
        design: The design.
        said: 1 for yes to the question, shape (n,).
        anchor: 1 for yes to the anchor, shape (n,).
        weight: Weight of each respondent, 0 to leave one out, shape (n,).

    Raises:
        InputError: There are fewer than 2 respondents, or nobody seems to attend.
    """
    if (weight > 0).sum() < 2:  # a variance needs two
        raise InputError(T.FEW_WITH_DEVICE())
    shares = [float(weight @ answers) / float(weight.sum()) for answers in (said, anchor)]
    linearised = design.linearised(shares)
    if linearised is None:
        raise InputError(T.RANDOM_ANCHOR())
    estimate, slopes = linearised
    return np.asarray(estimate + slopes[0] * (said - shares[0]) + slopes[1] * (anchor - shares[1]))


_STEP = 1e-6


def adherence_of_records(
    design: YesNoDesign, devices: Devices, said: Floats, sample: AnswerSample
) -> Adherence | None:
    """Returns the test of adherence for two groups or an anchor; None for other designs.

    Args:
        design: The design.
        devices: Which device each respondent used.
        said: 1 for yes, shape (n,).
        sample: How respondents were drawn.
    """
    used = sample.answered & ~devices.direct
    answers: list[tuple[Floats, Mask]]
    if devices.anchor is not None:
        answers = [(said, used), (devices.anchor, used)]
    else:
        answers = [(said, used & (devices.group == number)) for number in (0, 1)]
    if sample.is_simple:
        counts = [Count(int(item[who].sum()), int(who.sum())) for item, who in answers]
        return adherence_of(design.estimate(counts))
    weights = sample.weights
    shares = [float(weights[who] @ item[who] / weights[who].sum()) for item, who in answers]
    tested = design.tested(shares)
    if tested is None:
        return None
    name, value = tested
    covariance = sample.covariance(answers, devices.group, finite=False)
    slopes = np.array([_slope(design, shares, place) for place in (0, 1)])
    error = sqrt(max(float(slopes @ covariance @ slopes), 0.0))
    return adherence_from(name, value, error, sample.freedom(used, devices.group))


def _slope(design: YesNoDesign, shares: Sequence[float], place: int) -> float:
    ends = []
    for step in (_STEP, -_STEP):
        aside = list(shares)
        aside[place] += step
        tested = design.tested(aside)
        ends.append(np.nan if tested is None else tested[1])
    return (ends[0] - ends[1]) / (2 * _STEP)
