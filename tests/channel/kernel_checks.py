"""Check of the channel's inverse against the integer table, shared with the kill matrix."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np

from dpdesk.channel import GeometricKernel, geometric_weights


def inverse_undoes_the_channel() -> None:
    """sum_y w[x, y] / N phi(y) = target(x), the weights and phi taken as exact rationals."""
    for size, epsilon, within in [
        (2, "1", 1e-14),
        (3, "0.5", 1e-13),
        (5, "40", 1e-13),
        (17, "2", 1e-12),
        (82, "1", 1e-11),
        (40, "0.01", 1e-9),
    ]:
        table = geometric_weights(size, Decimal(epsilon)).tolist()
        kernel = GeometricKernel.at(size, float(epsilon))
        position = np.linspace(0.0, 1.0, size)
        for target in (position, position**2):
            phi = [Fraction(v) for v in kernel.unbiased(target).tolist()]
            for x in range(size):
                expected = sum(w * v for w, v in zip(table[x], phi, strict=True)) / 2**64
                assert abs(float(expected - Fraction(float(target[x])))) < within, (size, x)
