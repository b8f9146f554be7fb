"""Which device each respondent used: their group's, their own chances, or none."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.table import SurveyTable
from dpdesk.designs import Group, YesNoDesign
from dpdesk.designs.behaviour import answer_worth
from dpdesk.designs.one_sample import mean_and_variance
from dpdesk.errors import InputError, ParameterError
from dpdesk.estimate.answer_sample import (
    numbers_of,
    texts_said,
    who_answered,
    who_means,
)

Floats = NDArray[np.float64]

_DIRECT = 2
"""Number of the group of who was asked directly, beside two groups with devices."""


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
        group: Number of the respondent's group, from 0; -1 where the group is not known, and
            beside two groups 2 for who was asked directly.
        direct: Who was asked directly.
        constant, weights: The estimate from the mean answers of the groups, where it is no mean
            of scores; None otherwise.
        worth: The number that each answer stands for, where answers are not yes and no.
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
        design: The design; None where respondents have chances of their own.
        columns: Where the data say it.
        yes: The text that means yes, in the answers to an anchor.
        missing: Texts of it that are no answers.

    Raises:
        InputError: A column is missing, or holds no groups or no chances.
        ParameterError: The design does not go with the columns.
    """
    direct = np.zeros(table.rows, dtype=np.bool_)
    if columns.direct:
        direct = who_means(table, columns.direct, columns.direct_text)
    if design is None or columns.a or columns.b:
        return _own_chances(table, columns, direct)
    if columns.anchor and not design.same_respondents:
        raise ParameterError(
            "This design has no anchor.", remedy="Leave the column of the anchor out."
        )
    if design.same_respondents:
        return _anchored(table, design, columns, direct, yes, missing)
    group = np.zeros(table.rows, dtype=np.int64)
    if design.group_count > 1:
        group = np.where(direct, _DIRECT, _groups(table, columns, ~direct))
    elif columns.group:
        raise ParameterError(
            "This design has one group of respondents.", remedy="Leave the column of groups out."
        )
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
        raise ParameterError(
            "Everybody answers the question and the anchor: there are no groups with devices.",
            remedy="Leave the column of groups out.",
        )
    if not columns.anchor:
        raise ParameterError(
            "This design asks every respondent two items, the question and the anchor.",
            remedy="Name the column of the answers to the anchor, on the command line with "
            "--anchor; or count the answers to each item and use --counts.",
        )
    answered = who_answered(table, columns.anchor, missing) | direct
    said = who_means(table, columns.anchor, yes)
    if not said.any():
        raise InputError(
            f"No answer of the column {columns.anchor} is the one that means yes.",
            column=columns.anchor,
            remedy="Write the answers to both items with the same texts.",
        )
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
        raise ParameterError(
            "Chances of each respondent need two columns: of a carrier and of another.",
            remedy="Name both, or choose a design.",
        )
    if columns.group or columns.anchor:
        raise ParameterError(
            "With chances of each respondent there are no groups with devices and no anchor.",
            remedy="Leave their columns out.",
        )
    chances = [
        np.where(direct, x, numbers_of(table, n)) for n, x in ((columns.a, 1.0), (columns.b, 0.0))
    ]
    for name, values in zip((columns.a, columns.b), chances, strict=True):
        known = ~np.isnan(values)
        told = who_answered(table, name) & ~direct
        if (
            (told & ~known).any()
            or not ((values >= 0) & (values <= 1))[known].all()
            or not known.any()
        ):
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


def _groups(
    table: SurveyTable, columns: DeviceColumns, used: NDArray[np.bool_]
) -> NDArray[np.int64]:
    if not columns.group:
        raise ParameterError(
            "This design has two groups with different devices.",
            remedy="Name the column that says the group of each respondent.",
        )
    names = columns.groups or tuple(texts_said(table, columns.group, used))
    if len(names) != 2 or len(set(names)) != 2:
        raise InputError(
            f"The column {columns.group} does not have two groups.",
            column=columns.group,
            remedy="Name the texts of the first and of the second group.",
        )
    found = np.full(table.rows, -1, dtype=np.int64)
    for number, name in enumerate(names):
        found[who_means(table, columns.group, name)] = number
    if not all((found == number).any() for number in (0, 1)):
        raise InputError(
            f"A group that is named does not occur in the column {columns.group}.",
            column=columns.group,
            remedy="Write the texts of both groups exactly as in the file.",
        )
    return found
