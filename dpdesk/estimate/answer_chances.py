"""The chances of the answers that respondents gave, for the regression of the hidden answer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs import YesNoDesign
from dpdesk.designs.anchored_crosswise import AnchoredCrosswise
from dpdesk.designs.answer_likelihood import AnswerChances, yes_no_chances
from dpdesk.designs.item_count import ItemCount
from dpdesk.designs.two_groups import TwoGroupDesign
from dpdesk.errors import ParameterError
from dpdesk.estimate.respondent_devices import Devices

Floats = NDArray[np.float64]

_ATTENTIVE = "attentive"


def chances_of_answers(design: YesNoDesign | None, devices: Devices, said: Floats) -> AnswerChances:
    """Returns the chances of each respondent's answer, where it counts.

    Args:
        design: The design; None where each respondent has chances of their own.
        devices: Which device each respondent used.
        said: The number that each answer stands for, shape (n,).

    Raises:
        ParameterError: The design does not tell the chances of an answer.
    """
    if isinstance(design, ItemCount):
        raise ParameterError(
            "A regression of an item count needs a law of the innocent items, which the design "
            "does not tell.",
            remedy="Compare groups of respondents, or save the scores of each list for a package "
            "of list experiments.",
        )
    if isinstance(design, TwoGroupDesign):
        return _with_open_share(design, devices, said)
    if isinstance(design, AnchoredCrosswise):
        return _with_anchor(design, devices, said)
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
    return AnswerChances(
        np.where(devices.direct, said, high), np.where(devices.direct, 1 - said, low)
    )


def _with_open_share(design: TwoGroupDesign, devices: Devices, said: Floats) -> AnswerChances:
    group = np.clip(devices.group, 0, 1)
    yes = [
        np.array([[float(part) for part in (chance.start, chance.slope)] for chance in chances])
        for chances in zip(*design.open_chances, strict=True)
    ]
    found = []
    for carrier, chances in zip((1.0, 0.0), yes, strict=True):
        start = np.where(devices.direct, carrier, chances[group, 0])
        slope = np.where(devices.direct, 0.0, chances[group, 1])
        found.append((np.where(said == 1, start, 1 - start), np.where(said == 1, slope, -slope)))
    (high, high_slope), (low, low_slope) = found
    return AnswerChances(high, low, high_slope, low_slope, design.open_share)


def _with_anchor(design: AnchoredCrosswise, devices: Devices, said: Floats) -> AnswerChances:
    """Of both answers together: who does not attend gives each pair with a chance of 1/4."""
    question, anchor = (
        [[float(chance) for chance in row] for row in item.law] for item in design.asked
    )
    beside = np.where(devices.anchor == 1, anchor[0][0], anchor[0][1])
    found = []
    for carrier, law in zip((1.0, 0.0), question, strict=True):
        attending = beside * np.where(said == 1, law[0], law[1])
        told = np.where(said == 1, carrier, 1 - carrier)
        found.append(
            (
                np.where(devices.direct, told, 0.25),
                np.where(devices.direct, 0.0, attending - 0.25),
            )
        )
    (high, high_slope), (low, low_slope) = found
    return AnswerChances(high, low, high_slope, low_slope, _ATTENTIVE)
