"""Scores of designs whose estimate is no mean of scores: linearised, for some respondents.

Their weighted mean over the respondents is the estimate, and their spread within the groups of
devices is its error (delta method).
"""

from __future__ import annotations

import numpy as np

from dpdesk.designs import YesNoDesign
from dpdesk.errors import InputError
from dpdesk.estimate.respondent_devices import Devices, Floats


def two_group_scores(devices: Devices, said: Floats, weight: Floats) -> Floats:
    """Returns scores of a design of two groups.

    Args:
        devices: Who used which device.
        said: The number that each answer stands for, shape (n,).
        weight: Weight of each respondent, 0 for who is left out, shape (n,).

    Raises:
        InputError: Fewer than 2 respondents used one of the devices.
    """
    score = np.full(weight.size, devices.constant)
    for number, factor in enumerate(devices.weights or ()):
        members = (weight > 0) & (devices.group == number)
        if members.sum() < 2:  # a variance needs two
            raise InputError(
                "A group of respondents has fewer than 2 with one of the devices.",
                remedy="Join it with another group.",
            )
        mine = weight * members
        mean = float(mine @ said) / float(mine.sum())
        residual = (said - mean) * (float(weight.sum()) / float(mine.sum()))
        score += factor * (mean + np.where(members, residual, 0.0))
    return score


def anchored_scores(design: YesNoDesign, said: Floats, anchor: Floats, weight: Floats) -> Floats:
    """Returns scores of a design whose respondents answer an anchor as well.

    Args:
        design: The design.
        said: 1 for yes to the question, shape (n,).
        anchor: 1 for yes to the anchor, shape (n,).
        weight: Weight of each respondent, 0 for who is left out, shape (n,).

    Raises:
        InputError: There are fewer than 2 respondents, or nobody seems to attend.
    """
    if (weight > 0).sum() < 2:  # a variance needs two
        raise InputError(
            "A group has fewer than 2 respondents with a device.",
            remedy="Join it with another group.",
        )
    shares = [float(weight @ answers) / float(weight.sum()) for answers in (said, anchor)]
    found = design.linearised(shares)
    if found is None:
        raise InputError(
            "The anchor's answers look as if nobody attended, so nothing can be corrected.",
            remedy="Check the column of the anchor, its chance, and the text that means yes.",
        )
    estimate, slopes = found
    return np.asarray(estimate + slopes[0] * (said - shares[0]) + slopes[1] * (anchor - shares[1]))
