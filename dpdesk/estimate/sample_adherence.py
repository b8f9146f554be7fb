"""The test of adherence from records of any sample: shares of yes with their covariance."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from dpdesk.designs import Count, YesNoDesign
from dpdesk.designs.inference import Adherence, adherence_from, adherence_of
from dpdesk.estimate.answer_sample import AnswerSample, Floats, Mask
from dpdesk.estimate.respondent_devices import Devices

_STEP = 1e-6


def adherence_of_records(
    design: YesNoDesign, devices: Devices, said: Floats, sample: AnswerSample
) -> Adherence | None:
    """Returns the test of adherence of a design of two groups or with an anchor; None of another.

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
