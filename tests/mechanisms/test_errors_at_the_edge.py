from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from dpdesk.domains import Categorical, Integer
from dpdesk.mechanisms import Tally, mechanism_named
from dpdesk.mechanisms.mean import BoundMean, MeanForecast
from dpdesk.mechanisms.missing_answer import MissingForecast
from dpdesk.numbers.intervals import least_variance, lower_hull


@pytest.mark.parametrize("kind", ["grr", "sue", "oue"])
@pytest.mark.parametrize("count", [0, 1, 5, 10])
def test_that_noise_and_sampling_make_the_total_and_no_count_looks_like_certainty(
    kind: str, count: int
) -> None:
    domain = Categorical(values=("a", "b", "c"))
    bound = mechanism_named(kind)(kind=kind, epsilon="1").bind(domain)
    tally = Tally(10, 10.0, 10.0, np.array([count, 10 - count, 0], dtype=np.float64))
    estimate = bound.estimate(tally)
    assert estimate.noise_error**2 + estimate.sampling_error**2 == pytest.approx(
        estimate.total_error**2
    )
    assert (estimate.noise_error > 0.2).all()
    assert (estimate.lower <= estimate.value).all()
    assert (estimate.value <= estimate.upper).all()


@pytest.mark.parametrize("kind", ["bounded_laplace", "laplace"])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_that_reports_closer_than_their_noise_do_not_say_that_all_answers_are_alike(
    kind: str, missing: float
) -> None:
    domain = Integer(lower=0, upper=10)
    served = domain.with_missing(missing) if missing else domain
    bound = mechanism_named(kind)(kind=kind, epsilon="1").bind(served)
    counts = np.zeros(len(bound.outputs))
    # The last output of one that may be missing is the empty cell.
    counts[(counts.size - bool(missing)) // 2] = 80.0
    counts[-1] += 20.0 if missing else 0.0
    estimate = bound.estimate(Tally(int(counts.sum()), counts.sum(), counts.sum(), counts))
    assert np.isnan(estimate.sampling_error[0])
    assert estimate.noise_error[0] == estimate.total_error[0] > 0


def test_that_the_least_noise_at_a_mean_is_that_of_two_answers_that_have_it() -> None:
    generator = np.random.default_rng(3)
    for size in (2, 3, 8):
        noise, means = generator.random(size), range(size)
        for mean, least in zip(means, lower_hull(noise), strict=True):
            pairs = [(a, b) for a, b in combinations(means, 2) if a <= mean <= b]
            mixed = [(noise[a] * (b - mean) + noise[b] * (mean - a)) / (b - a) for a, b in pairs]
            assert least == pytest.approx(min(mixed))


def test_that_no_mean_is_given_with_less_noise_than_one_it_cannot_be_told_from() -> None:
    floor = np.array([[0.0, 1, 2, 3], [9, 4, 1, 0], [0, 0, 0, 0]])
    # Of so many reports a mean of 0, 1 and 2 is known to 1.5, 1 and 0.5.
    for value, largest in ((-2.0, 9.0), (1.4, 9.0), (1.6, 4.0), (2.4, 1.0), (2.75, 0.25)):
        assert least_variance(floor, value, 4 * 1.959964**2) == largest


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize(
    ("kind", "upper", "epsilon", "reports"),
    [
        ("bounded_laplace", 2000, "8", 500),
        ("bounded_laplace", 200, "4", 50),
        ("bounded_staircase", 200, "8", 50),
        ("square_wave", 200, "8", 50),
    ],
)
@pytest.mark.parametrize("answers", ["spread", "alike"])
def test_that_intervals_hold_the_mean_where_rare_reports_carry_its_error(
    kind: str, upper: int, epsilon: str, reports: int, missing: float, answers: str
) -> None:
    """Ages from 18 to 77, or 18 alone, between wide bounds: counts drawn from the law."""
    domain = Integer(lower=18, upper=upper).with_missing(missing)
    mechanism = mechanism_named(kind)(kind=kind, epsilon=epsilon)
    bound, forecast = mechanism.bind(domain), mechanism.forecast(domain)
    plain = forecast.given if isinstance(forecast, MissingForecast) else forecast
    assert isinstance(plain, MeanForecast)
    codes = range(60 if answers == "spread" else 1)
    chances = np.mean([plain.probabilities(code) for code in codes], axis=0)
    if isinstance(forecast, MissingForecast):
        scores = forecast.scores
        chances *= (1 - missing) * (1 - scores.q)
        chances += missing * (1 - scores.p) * scores.reference
        chances = np.append(chances, (1 - missing) * scores.q + missing * scores.p)
    generator, trials, covered = np.random.default_rng(8), 300, 0
    for _ in range(trials):
        counts = generator.multinomial(reports, chances / chances.sum()).astype(np.float64)
        estimate = bound.estimate(Tally(reports, float(reports), float(reports), counts))
        covered += bool(estimate.lower[0] <= 18 + np.mean(codes) <= estimate.upper[0])
    # Without the mend it is 97 to 246 of 300.
    assert covered >= 0.92 * trials


def test_that_the_error_of_a_mean_that_is_told_well_is_that_of_its_reports() -> None:
    """The floor is not felt by an ordinary survey."""
    for kind in ("bounded_laplace", "bounded_staircase", "piecewise", "laplace"):
        bound = mechanism_named(kind)(kind=kind, epsilon="1").bind(Integer(lower=18, upper=99))
        assert isinstance(bound, BoundMean)
        spread = bound.noise_variances.mean() + np.linspace(0, bound.domain.span, 82).var()
        assert least_variance(bound.noise_floor, bound.domain.span / 2, 1_000) < spread
