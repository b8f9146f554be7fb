"""The margin of error over respondents and epsilon, with lines of equal margin."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, log10, sqrt

import numpy as np

from dpdesk.errors import DpdeskError, ParameterError
from dpdesk.numbers.arrays import Floats
from dpdesk.preview.request import CACHED_VIEWS
from dpdesk.preview.survey.supposed import SupposedSurvey
from dpdesk.preview.texts import T

EPSILON_ENDS = (0.1, 8.0)
RESPONDENTS_ENDS = (100, 1_000_000)
EPSILONS, RESPONDENTS = 101, 81

LEVELS = (0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0)
"""Margins of shares whose lines are drawn, in pp."""
_ROUND = (1.0, 2.0, 5.0)
_RESPONDENTS = 1_000


@dataclass(frozen=True, slots=True, eq=False)
class IsoLine:
    """Everything that reaches one margin.

    Attributes:
        margin: The margin, in pp for shares, in the answers' unit for numbers.
        epsilons: Along the line, shape (p,).
        respondents: Respondents needed at each, not rounded, shape (p,).
    """

    margin: float
    epsilons: Floats
    respondents: Floats


@dataclass(frozen=True, slots=True, eq=False)
class ErrorSurface:
    """Margins of a survey, in pp for shares, in the answers' unit for numbers.

    Attributes:
        survey: The survey.
        of_design: Whether they are those of its design at each epsilon; else those of the best one.
        epsilons: Shape (p,), in equal ratios.
        respondents: Shape (q,), in equal ratios.
        margins: Half-width of the interval, shape (q, p).
        levels: Round margins over their range.
        lines: Lines of equal margin that cross the picture.
    """

    survey: SupposedSurvey
    of_design: bool
    epsilons: Floats
    respondents: Floats
    margins: Floats
    levels: tuple[float, ...]
    lines: tuple[IsoLine, ...]

    def margin_at(self, epsilon: float, respondents: float) -> float:
        """Returns the margin at any point."""
        variance = float(_variances(self.survey, np.array([epsilon]), of_design=self.of_design)[0])
        return self.survey.scale * self.survey.quantile * sqrt(variance / respondents)


def error_surface(
    survey: SupposedSurvey,
    respondents_ends: tuple[int, int] = RESPONDENTS_ENDS,
    *,
    of_design: bool = False,
) -> ErrorSurface:
    """Returns the margins over `EPSILON_ENDS` and a range of respondents, everybody following.

    Of a share they are those of Warner's channel, which no design for one trait undercuts at the
    same epsilon; of other surveys, and where it is asked for, those of the design. The epsilon
    and the respondents of the survey itself do not matter. Epsilons begin where there is a device.

    Raises:
        ParameterError: A number is impossible, the range is empty, or an epsilon does not decide
            the parameters of the design.
    """
    if not 0 < respondents_ends[0] < respondents_ends[1]:
        raise ParameterError(T.BAD_RANGE())
    survey.check()
    # What does not matter must not draw the picture anew.
    alike = survey.changed(respondents=_RESPONDENTS, seed=1, repetitions=1)
    return _surface(alike, respondents_ends, of_design)


@lru_cache(maxsize=CACHED_VIEWS)
def _surface(
    survey: SupposedSurvey,
    respondents_ends: tuple[int, int],
    of_design: bool,
) -> ErrorSurface:
    epsilons = np.geomspace(*EPSILON_ENDS, EPSILONS)
    best = None if of_design else survey.least_variances(epsilons)
    variances = _variances(survey, epsilons, of_design=True) if best is None else best
    known = np.isfinite(variances)
    if not known.any():
        raise ParameterError(T.NO_EPSILON())
    epsilons, variances = epsilons[known], variances[known]
    respondents = np.geomspace(*respondents_ends, RESPONDENTS)
    z = survey.scale * survey.quantile
    margins = z * np.sqrt(variances / respondents[:, np.newaxis])
    levels = LEVELS if survey.scale != 1 else _levels(float(margins.min()), float(margins.max()))
    lines = []
    for level in levels:
        needed = (margins[0] / level) ** 2 * respondents[0]
        inside = (respondents_ends[0] <= needed) & (needed <= respondents_ends[1])
        if inside.sum() > 1:
            lines.append(IsoLine(level, epsilons[inside], needed[inside]))
    return ErrorSurface(survey, best is None, epsilons, respondents, margins, levels, tuple(lines))


def ends_around(respondents: int) -> tuple[int, int]:
    """Returns the usual range, or whole powers of ten that hold a number outside of it."""
    low, high = RESPONDENTS_ENDS
    if respondents < low:
        return 2, high
    if respondents > high:
        return low, int(10 ** ceil(log10(respondents)))
    return low, high


def _levels(lowest: float, highest: float) -> tuple[float, ...]:
    """Round numbers from one to the other, no more than are told apart."""
    decades = range(int(np.floor(np.log10(lowest))), int(np.ceil(np.log10(highest))) + 1)
    steps = [10.0**decade * part for decade in decades for part in _ROUND]
    found = [step for step in steps if lowest <= step <= highest] or [lowest, highest]
    return tuple(found[:: -(-len(found) // len(LEVELS))])


def _variances(survey: SupposedSurvey, epsilons: Floats, *, of_design: bool) -> Floats:
    """N times the variance at every epsilon; not a number where there is no device.

    Raises:
        ParameterError: An epsilon does not decide the design.
    """
    best = None if of_design else survey.least_variances(epsilons)
    if best is not None:
        return best
    if not survey.design.epsilon_decides:
        # Refuses it in its own words.
        survey.at_epsilon(float(epsilons[-1]))
    found = []
    for epsilon in epsilons.tolist():
        try:
            found.append(sum(survey.at_epsilon(epsilon).parts))
        except DpdeskError:
            found.append(np.nan)
    return np.array(found)
