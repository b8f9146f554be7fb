"""Sums of noisy counts: their exact law, and how often the best guess from them is right."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, exp, sqrt

import numpy as np

from dpdesk.numbers.arrays import Floats
from dpdesk.queries.noise.calibrated import GeometricLaw

_DEVIATIONS = 12
_FALLS = 45
"""e^-45 is below what a floating-point sum of chances can hold."""


def noise_sum(epsilon: float, draws: int = 1) -> Floats:
    """Returns the law of a sum of independent discrete Laplace noises.

    The characteristic function of one is (1 - r)^2 / (1 - 2 r cos t + r^2) with r = e^-epsilon;
    that of the sum is its power, and its Fourier series are the chances.

    Args:
        epsilon: The loss of each answer, a count that a person moves by 1.
        draws: Number of noises.

    Returns:
        The chances of -h .. h, shape (2 h + 1,), with all but about e^-45 of the chance in them.
    """
    deviation = sqrt(draws * GeometricLaw(1 / epsilon).variance)
    half = ceil(_DEVIATIONS * deviation + _FALLS / epsilon) + 1
    if draws == 1:
        return GeometricLaw(1 / epsilon).chances(np.arange(-half, half + 1))
    length = 1 << (2 * half).bit_length()
    turn = 2 * np.pi * np.arange(length) / length
    r = exp(-epsilon)
    # (1 - r)^2 / ((1 - r)^2 + 4 r sin^2(t / 2)) does not subtract equal numbers.
    one = (1 - r) ** 2 / ((1 - r) ** 2 + 4 * r * np.sin(turn / 2) ** 2)
    chances = np.fft.ifft(one**draws).real
    centred = np.concatenate([chances[-half:], chances[: half + 1]])
    return np.asarray(np.maximum(centred, 0.0))


def chance_within(law: Floats, distance: float) -> float:
    """Returns the chance that a sum is nearer to 0 than a distance, a tie counting by half."""
    half = len(law) // 2
    points = np.abs(np.arange(-half, half + 1))
    return float(law[points < distance].sum() + law[points == distance].sum() / 2)


def best_guess(prior: Sequence[float], law: Floats) -> float:
    """Returns how often the most probable count is the true one, given the count with noise.

    With prior w(c) of the counts 0, 1, ... and noise law p, each answer d is followed by the c of
    largest w(c) p(d - c); the chance to be right is the sum over d of that largest product.

    Args:
        prior: Chances of the counts before the answer.
        law: The law of the noise, on -h .. h.
    """
    moved = np.zeros((len(prior), len(law) + len(prior) - 1))
    for count, weight in enumerate(prior):
        moved[count, count : count + len(law)] = weight * law
    return float(moved.max(axis=0).sum())
