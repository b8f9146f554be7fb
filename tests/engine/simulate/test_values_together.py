"""Report values that are nearly the same are drawn together, and nothing else changes."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from dpdesk.domains import Integer
from dpdesk.engine.simulate.tallies import _together
from dpdesk.mechanisms import MECHANISMS

GRID = Integer(lower=0, upper=999)
KINDS = [kind for kind in MECHANISMS if not kind.misfit(GRID)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.short)
@pytest.mark.parametrize("epsilon", ["0.1", "1", "8"])
def test_that_mean_and_variance_of_a_report_stay(kind: type, epsilon: str) -> None:
    forecast = kind(epsilon=Decimal(epsilon)).forecast(GRID)
    values, chances, truth = forecast.report_law()
    fewer, joint = _together(values, chances)
    assert joint.sum() == pytest.approx(chances.sum())
    assert fewer @ joint == pytest.approx(truth, abs=1e-6 * np.abs(values).max())
    variance = chances @ (values - truth) ** 2
    kept = joint @ (fewer - truth) ** 2
    assert variance * (1 - 1 / 4000) <= kept <= variance * (1 + 1e-9)
    assert fewer.size <= max(values.size, 2)


def test_that_a_thousand_points_become_few_values() -> None:
    piecewise = next(kind for kind in KINDS if kind.short == "Piecewise")
    values, chances, _ = piecewise(epsilon=Decimal(1)).forecast(GRID).report_law()
    assert values.size > 1_500
    assert _together(values, chances)[0].size < 150


def test_that_values_without_a_spread_stay_as_they_are() -> None:
    values, chances = _together(np.full(300, 2.0), np.full(300, 1 / 300))
    assert values @ chances == pytest.approx(2)
