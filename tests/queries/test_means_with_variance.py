"""A mean released beside the variance of the same answers: its interval for the population."""

from __future__ import annotations

from decimal import Decimal
from math import sqrt

import numpy as np
import pytest

from dpdesk.domains import Categorical, Integer
from dpdesk.queries import BoundQuery, CodedRows, PrivacyUnit, Statistic
from dpdesk.queries.condition import Condition
from dpdesk.queries.mean import Mean
from dpdesk.queries.variance import Variance

SCORE = Integer(lower=0, upper=100)
DOMAINS = {"score": SCORE, "sex": Categorical(values=("f", "m"))}
REPLACED = PrivacyUnit(relation="replace")
ROWS = 600


def informed(
    mean: BoundQuery, found: Statistic, variance: Variance, value: float
) -> tuple[Statistic, str]:
    """A mean beside a released variance, and what is said of its interval."""
    bound = variance.bind(DOMAINS, mean.unit)
    beside = ((bound, (Statistic((), value, possible=(0.0, 2500.0)),)),)
    (known,) = mean.informed((found,), beside, 0.95)
    return known, mean.sampling_note((known,))


def test_that_a_released_variance_narrows_the_interval_of_its_mean() -> None:
    mean = Mean(column="score", epsilon=Decimal(1), complete=True).bind(DOMAINS, REPLACED)
    noise = mean.parts[0].noise.half_width(0.95) / (2 * ROWS)
    found = Statistic((), 40.0, 40 - noise, 40 + noise, 30.0, 50.0, (0.0, 100.0), answers=ROWS)
    variance = Variance(column="score", complete=True)
    known, note = informed(mean, found, variance, 443.4)
    assert known.total_lower is not None
    assert known.total_upper is not None
    half = (known.total_upper - known.total_lower) / 2
    # z sqrt(443.4 / 600 + .236^2) is 1.747; the law of normal and Laplace error together differs.
    assert half == pytest.approx(1.747, abs=0.01)
    assert "variance released" in note
    # The root says the same.
    rooted, _ = informed(mean, found, variance.changed(root=True), sqrt(443.4))  # type: ignore[arg-type]
    assert rooted.total_upper == pytest.approx(known.total_upper)
    # A variance that noise put outside its range is moved into it; the noise alone is not undercut.
    least, _ = informed(mean, found, variance, -50.0)
    assert least.total_upper is not None
    assert noise <= least.total_upper - 40 < 1.1 * noise
    most, _ = informed(mean, found, variance, 1e6)
    assert most.spread == pytest.approx(50)


@pytest.mark.parametrize(
    "other",
    [
        Variance(column="score", upper=Decimal(90)),
        Variance(column="score", where=(Condition(column="sex", values=("f",)),)),
    ],
    ids=["bounds", "condition"],
)
def test_that_a_variance_of_other_answers_tells_nothing_of_a_mean(other: Variance) -> None:
    mean = Mean(column="score", epsilon=Decimal(1)).bind(DOMAINS, REPLACED)
    found = Statistic((), 40.0, 39.0, 41.0, 30.0, 50.0, (0.0, 100.0), answers=ROWS)
    known, note = informed(mean, found, other, 400.0)
    assert known == found
    assert "widest possible" in note


def test_that_intervals_by_a_released_variance_cover_the_population() -> None:
    """Coverage over tables and noise of the public law, seeded; (.919, .979) holds 3 deviations."""
    generator = np.random.default_rng(443)
    alike = Mean(column="score", epsilon=Decimal("0.5"), complete=True).bind(DOMAINS, REPLACED)
    spread = Variance(column="score", epsilon=Decimal("0.5"), complete=True)
    bound = spread.bind(DOMAINS, REPLACED)
    noises = [part.noise for part in (*alike.parts, *bound.parts)]
    population = np.rint(100 * generator.beta(2, 2, 200_000)).astype(np.int32)
    covered, times = 0, 600
    for _ in range(times):
        scores = generator.choice(population, ROWS)
        rows = CodedRows(ROWS, {"score": scores}, DOMAINS)
        drawn = [
            np.array([[noise.quantile(float(u))] for u in generator.random(1)])[0]
            for noise in noises
        ]
        own = alike.statistics([alike.sums(rows)[0] + drawn[0]], ROWS, 0.95)
        sums = [each + one for each, one in zip(bound.sums(rows), drawn[1:], strict=True)]
        (known,) = alike.informed(own, ((bound, bound.statistics(sums, ROWS, 0.95)),), 0.95)
        assert known.total_lower is not None
        assert known.total_upper is not None
        covered += known.total_lower <= population.mean() <= known.total_upper
    assert 0.923 <= covered / times <= 0.977
