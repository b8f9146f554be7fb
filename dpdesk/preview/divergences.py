"""What one report discloses: its privacy loss under two true answers or neighbouring tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import exp, tanh

import numpy as np

from dpdesk.composition import Divergences, LossDistribution
from dpdesk.mechanisms.fake_data import FakeDataForecast
from dpdesk.numbers.arrays import Floats
from dpdesk.preview.request import CACHED_VIEWS, PreviewRequest

ATOMS_MAX = 16
"""At most so many losses are shown one by one; more are grouped in bins."""

BINS = 45
DELTA_POINTS = 121

_AXIS_STEPS = (0.25, 1.0, 4.0, 10.0, 40.0)
"""Epsilons that set the width of the axes for all epsilons below."""

_BEYOND = 1.2
_HEADROOM = 1.12


@dataclass(frozen=True, slots=True, eq=False)
class LossView:
    """The privacy loss ln(Pr[report | first] / Pr[report | second]), ready to be drawn.

    Attributes:
        answers: The two true answers, or tables, for people.
        epsilon: The epsilon of the mechanism.
        of_real_reports: Whether reports are mixed with fake ones, which the picture leaves out.
        apart: All measures of the two laws.
        x: Losses in increasing order, in nats: every loss if there are few, else the middles of
            bins.
        first, second: Chance of each under the two answers, same shape.
        binned: Whether `x` are bins.
        width: Width of a bin, or of both bars of a loss beside each other.
        x_max: The axis of losses goes from minus this to this; stays while epsilon moves.
        epsilons: From 0 to `x_max`, shape (121,).
        delta: Least delta at each epsilon for this pair, both ways, same shape.
        allowed: What the mechanism's epsilon allows at the most, same shape.
        delta_max: Upper end of the axis of delta.
    """

    answers: tuple[str, str]
    epsilon: float
    of_real_reports: bool
    apart: Divergences
    x: Floats
    first: Floats
    second: Floats
    binned: bool
    width: float
    x_max: float
    epsilons: Floats
    delta: Floats
    allowed: Floats
    delta_max: float


@lru_cache(maxsize=CACHED_VIEWS)
def loss_view(request: PreviewRequest) -> LossView:
    """Returns the privacy loss of one report of an attribute under the two answers of a request.

    It is that of the mechanism. If a strategy mixes real reports with fake ones, it is the loss of
    a real report.
    """
    domain, epsilon = request.domain, float(request.mechanism.epsilon)
    apart = request.mechanism.divergences(domain, request.first, request.second)
    step = next((step for step in _AXIS_STEPS if epsilon <= step), epsilon)
    x_max = _BEYOND * step
    loss = apart.forward
    binned = loss.x.size > ATOMS_MAX
    x, first, second = _bins(loss, x_max) if binned else (loss.x, loss.masses, _under_q(loss))
    epsilons = np.linspace(0.0, x_max, DELTA_POINTS)
    return LossView(
        answers=(domain.label(request.first), domain.label(request.second)),
        epsilon=epsilon,
        of_real_reports=isinstance(request.forecast, FakeDataForecast),
        apart=apart,
        x=x,
        first=first,
        second=second,
        binned=binned,
        width=2 * x_max / BINS if binned else _bar_width(loss.x, x_max),
        x_max=x_max,
        epsilons=epsilons,
        delta=apart.delta(epsilons),
        # Randomized response at this epsilon: no pair exceeds it.
        allowed=np.maximum(0.0, -np.expm1(epsilons - epsilon)) / (1 + exp(-epsilon)),
        delta_max=_HEADROOM * tanh(step / 2),
    )


def _under_q(loss: LossDistribution) -> Floats:
    """Chance of each loss under the other answer."""
    return np.asarray(loss.masses * np.exp(-loss.x))


def _bins(loss: LossDistribution, x_max: float) -> tuple[Floats, Floats, Floats]:
    width = 2 * x_max / BINS
    place = np.clip((loss.x + x_max) // width, 0, BINS - 1).astype(np.intp)
    middles = np.asarray((np.arange(BINS) + 0.5) * width - x_max, dtype=np.float64)
    return (
        middles,
        np.asarray(np.bincount(place, loss.masses, BINS), dtype=np.float64),
        np.asarray(np.bincount(place, _under_q(loss), BINS), dtype=np.float64),
    )


def _bar_width(x: Floats, x_max: float) -> float:
    """As wide as is easy to see, and narrower if losses lie close together."""
    return float(min(0.12 * x_max, 0.8 * np.diff(x).min(initial=x_max)))
