"""Which device each respondent used: their group's, their own chances, or none."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.table import SurveyTable
from dpdesk.designs import Design, Group
from dpdesk.designs.behaviour import answer_worth
from dpdesk.designs.item_count import ItemCount
from dpdesk.designs.scored import mean_and_variance
from dpdesk.designs.two_groups import TwoGroupDesign
from dpdesk.errors import InputError, ParameterError
from dpdesk.estimate.answer_sample import numbers_of, texts_said, who_says

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DeviceColumns:
    """Names of the columns that say which device a respondent used; empty where all used one.

    Attributes:
        group: The column of the group, for designs of two groups.
        groups: The texts of the first and of the second group; in their own order if they
            are not given.
        a, b: The columns of a respondent's own chances of yes, as a carrier and as another.
        direct: The column that says who was asked directly.
        direct_text: Its text for those who were.
    """

    group: str = ""
    groups: tuple[str, ...] = ()
    a: str = ""
    b: str = ""
    direct: str = ""
    direct_text: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Devices:
    """The device of each respondent; arrays of shape (n,).

    Attributes:
        high, low: Mean answer of a carrier and of a non-carrier.
        group: Number of the respondent's group, from 0; -1 where the group is not known.
        direct: Who was asked directly.
        constant, weights: The estimate from the mean answers of the groups, where it is no mean
            of scores; None otherwise.
        worth: The number that each answer stands for, where answers are not yes and no.
        settled: Whether `high` and `low` are known, so that a regression can be made of them.
    """

    high: Floats
    low: Floats
    group: NDArray[np.int64]
    direct: NDArray[np.bool_]
    constant: float = 0.0
    weights: tuple[float, float] | None = None
    worth: tuple[int, ...] | None = None
    settled: bool = True


def devices_of(table: SurveyTable, design: Design | None, columns: DeviceColumns) -> Devices:
    """Returns the device of each respondent.

    Args:
        table: The data.
        design: The design; None where respondents have chances of their own.
        columns: Where the data say it.

    Raises:
        InputError: A column is missing, or holds no groups or no chances.
        ParameterError: The design does not go with the columns.
    """
    direct = np.zeros(table.rows, dtype=np.bool_)
    if columns.direct:
        direct = who_says(table, columns.direct, columns.direct_text)
    if design is None or columns.a or columns.b:
        return _own_chances(table, columns, direct)
    if design.same_respondents:
        raise ParameterError(
            "This design asks every respondent two items, which one column of answers is not.",
            remedy="Count the answers to each item and use --counts.",
        )
    group = np.zeros(table.rows, dtype=np.int64)
    if design.group_count > 1:
        group = _groups(table, columns)
    elif columns.group:
        raise ParameterError(
            "This design has one group of respondents.", remedy="Leave the column of groups out."
        )
    laws = design.groups
    if isinstance(design, (TwoGroupDesign, ItemCount)):
        if direct.any():
            raise ParameterError(
                "People who were asked directly cannot be pooled with a design of two groups.",
                remedy="Choose a design of one group, or leave the column out.",
            )
        item = isinstance(design, ItemCount)
        constant, weights = (
            (0.0, (1.0, -1.0)) if isinstance(design, ItemCount) else design.combination
        )
        nothing = np.zeros(table.rows)
        worth = tuple(range(design.largest_answer + 1)) if item else None
        return Devices(
            nothing, nothing, group, direct, constant, weights, worth=worth, settled=False
        )
    means = [[_mean(law, state) for state in (0, 1)] for law in laws]
    each = np.array(means)[np.maximum(group, 0)]
    binary = laws[0].answers == ("yes", "no")
    return Devices(
        high=np.where(direct, 1.0, each[:, 0]),
        low=np.where(direct, 0.0, each[:, 1]),
        group=group,
        direct=direct,
        worth=None if binary else tuple(map(answer_worth, laws[0].answers)),
        settled=binary,
    )


def _mean(group: Group, state: int) -> float:
    worth = tuple(Fraction(answer_worth(answer)) for answer in group.answers)
    return float(mean_and_variance(group.law[state], worth)[0])


def _own_chances(table: SurveyTable, columns: DeviceColumns, direct: NDArray[np.bool_]) -> Devices:
    if not (columns.a and columns.b):
        raise ParameterError(
            "Chances of each respondent need two columns: of a carrier and of another.",
            remedy="Name both, or choose a design.",
        )
    chances = [
        np.where(direct, x, numbers_of(table, n)) for n, x in ((columns.a, 1.0), (columns.b, 0.0))
    ]
    for name, values in zip((columns.a, columns.b), chances, strict=True):
        known = ~np.isnan(values)
        if not ((values >= 0) & (values <= 1))[known].all() or not known.any():
            raise InputError(
                f"The column {name} has numbers that are no probabilities.",
                column=name,
                remedy="Correct them; they lie from 0 to 1.",
            )
    high, low = chances
    if (high == low).any():
        raise ParameterError(
            "Some respondents have a device under which carriers and others answer alike.",
            remedy="Leave them out, or correct their probabilities.",
        )
    unknown = np.isnan(high) | np.isnan(low)
    return Devices(high, low, np.where(unknown, -1, 0), direct)


def _groups(table: SurveyTable, columns: DeviceColumns) -> NDArray[np.int64]:
    if not columns.group:
        raise ParameterError(
            "This design has two groups with different devices.",
            remedy="Name the column that says the group of each respondent.",
        )
    names = columns.groups or tuple(texts_said(table, columns.group))
    if len(names) != 2 or len(set(names)) != 2:
        raise InputError(
            f"The column {columns.group} does not have two groups.",
            column=columns.group,
            remedy="Name the texts of the first and of the second group.",
        )
    found = np.full(table.rows, -1, dtype=np.int64)
    for number, name in enumerate(names):
        found[who_says(table, columns.group, name)] = number
    if not all((found == number).any() for number in (0, 1)):
        raise InputError(
            f"A group that is named does not occur in the column {columns.group}.",
            column=columns.group,
            remedy="Write the texts of both groups exactly as in the file.",
        )
    return found
