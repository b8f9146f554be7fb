"""What respondents with given true numbers say: the density, and the number said with a chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpdesk.designs.number_design import NumberDesign
from dpdesk.numbers.arrays import Floats
from dpdesk.preview.survey.supposed import SupposedMean

_POINTS = 401
_WIDTHS = 3.0
"""How many scales of the device the axis reaches beyond the bounds of true numbers."""
_WIDEST = 3.0
"""How many ranges of true numbers it reaches at most."""


@dataclass(frozen=True, slots=True, eq=False)
class ReportLaw:
    """The law of what is said by a respondent whose true number is known.

    Attributes:
        true: The true number.
        x: Numbers that can be said, shape (p,).
        density: Their density, per unit of the answer, shape (p,).
        atom: Chance that `true` itself is said.
    """

    true: float
    x: Floats
    density: Floats
    atom: float


def report_laws(survey: SupposedMean) -> tuple[ReportLaw, ...]:
    """Returns the laws for the least, the supposed mean and the largest true number.

    Raises:
        ParameterError: The parameters make no device.
    """
    design = survey.design
    design.check()
    x = np.linspace(*_ends(design), _POINTS)
    return tuple(report_law(design, true, x) for true in (design.lower, survey.mean, design.upper))


def report_law(design: NumberDesign, true: float, x: Floats) -> ReportLaw:
    """Returns the law for one true number.

    Args:
        design: The design.
        true: The true number.
        x: Numbers that can be said; the edges of the device's law are added, so that a picture
            has them upright.
    """
    law = design.drawn_law
    if not law.multiplies:
        middle = true + law.center
        if law.noise == "laplace":
            x = np.union1d(x, [middle])
            return ReportLaw(
                true, x, np.exp(-np.abs(x - middle) / law.scale) / (2 * law.scale), 0.0
            )
        return ReportLaw(true, *_even(x, middle - law.scale, middle + law.scale), 0.0)
    if true == 0:
        # Whatever 0 is multiplied by is 0.
        return ReportLaw(true, x, np.zeros_like(x), 1.0)
    if law.noise == "uniform":
        first, second = sorted((true * (1 - law.scale), true * (1 + law.scale)))
        x, density = _even(x, first, second)
    else:
        x = np.union1d(x, [true])
        ratio = x / true
        inside = ratio > 0
        density = np.zeros_like(x)
        # The density of y e^L at z: that of L at ln(z / y), divided by |z|.
        logs = np.log(ratio[inside])
        density[inside] = np.exp(-np.abs(logs) / law.scale) / (2 * law.scale * np.abs(x[inside]))
    return ReportLaw(true, x, (1 - law.truth) * density, law.truth)


def _even(x: Floats, first: float, last: float) -> tuple[Floats, Floats]:
    """An even law from first to last, its edges doubled so that they are drawn upright."""
    inside = x[(first < x) & (x < last)]
    outside_low, outside_high = x[x < first], x[x > last]
    height = 1 / (last - first)
    points = np.concatenate((outside_low, [first, first], inside, [last, last], outside_high))
    density = np.zeros_like(points)
    begin = len(outside_low) + 1
    density[begin : begin + len(inside) + 2] = height
    return points, density


def _ends(design: NumberDesign) -> tuple[float, float]:
    width, law = design.upper - design.lower, design.drawn_law
    if not law.multiplies:
        reach = min(_WIDTHS * law.scale, _WIDEST * width)
        return design.lower + law.center - reach, design.upper + law.center + reach
    factor = 1 + min(_WIDTHS * law.scale, 1.0)
    low = min(design.lower * factor, 0.0) if design.lower < 0 else 0.0
    return low, max(design.upper * factor, 0.0)
