"""The chances of the answers that respondents gave, for the regression of the hidden answer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs import YesNoDesign
from dpdesk.designs.answer_likelihood import AnswerChances, yes_no_chances
from dpdesk.estimate.respondent_devices import Devices

Floats = NDArray[np.float64]


def chances_of_answers(design: YesNoDesign | None, devices: Devices, said: Floats) -> AnswerChances:
    """Returns the chances of each respondent's answer, where it counts.

    Args:
        design: The design; None where each respondent has chances of their own.
        devices: Which device each respondent used.
        said: The number that each answer stands for, shape (n,).

    Raises:
        ParameterError: The design does not tell the chances of an answer.
    """
    if design is not None:
        found = design.chances_of(said, devices.group, devices.anchor)
        if found is not None:
            return _with_direct(found, devices.direct, said)
    if design is not None and devices.worth is not None:
        return _of_numbers(design, devices, said)
    # Who does not count has no device, perhaps.
    known = devices.group >= 0
    a, b = np.where(known, devices.high, 1.0), np.where(known, devices.low, 0.0)
    return yes_no_chances(said, a, b)


def _of_numbers(design: YesNoDesign, devices: Devices, said: Floats) -> AnswerChances:
    """Of answers that are numbers, such as how many red cards were drawn."""
    (group,), worth = design.groups, devices.worth or ()
    place = {number: index for index, number in enumerate(worth)}
    answers = np.array([place.get(int(answer), 0) for answer in said])
    law = np.array([[float(chance) for chance in row] for row in group.law])
    high, low = law[0][answers], law[1][answers]
    return _with_direct(AnswerChances(high, low), devices.direct, said)


def _with_direct(found: AnswerChances, direct: NDArray[np.bool_], said: Floats) -> AnswerChances:
    """With the answers of who was asked directly, in which no open share has a part."""
    return AnswerChances(
        np.where(direct, said, found.high),
        np.where(direct, 1 - said, found.low),
        None if found.high_slope is None else np.where(direct, 0.0, found.high_slope),
        None if found.low_slope is None else np.where(direct, 0.0, found.low_slope),
        found.open_share,
    )
