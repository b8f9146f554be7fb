"""Hypothetical surveys of several answers and of numbers have the moments of theory."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import inf, sqrt

import numpy as np
import pytest

from dpdesk.designs.behaviour import Evasion
from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.number_design import TrueNumbers, report_moments
from dpdesk.designs.scrambling import Additive, BarLev, Multiplicative
from dpdesk.engine.simulate import respondents as respondents_module
from dpdesk.engine.simulate import surveys
from dpdesk.engine.simulate.respondents import (
    CARELESS,
    HIDES,
    UNDERSTATES,
    NumberStream,
    SeveralStream,
    supports_of,
)
from dpdesk.engine.simulate.surveys import (
    _many,
    draws_everybody,
    simulate_numbers,
    simulate_several,
)
from tests.refusals import refused

SHARES = (0.6, 0.25, 0.1, 0.05)
NAMES = ("never", "once", "monthly", "weekly")
EVASION = Evasion(hidden=3, instead=0, deny=0.2, careless=0.05)
FORCED = ForcedCategories(orders=(Fraction(1, 8),) * 4)
KINDS = ("grr", "sue", "oue", "subset_selection", "blh", "olh", "hadamard")
DESIGNS = (
    FORCED,
    *(MechanismShare(mechanism=kind, categories=4, epsilon=Decimal(1)) for kind in KINDS),
)
NUMBERS = (
    Additive(lower=1, upper=100, scale=60),
    Additive(lower=1, upper=100, scale=60, noise="uniform"),
    Multiplicative(lower=1, upper=100, scale=0.2),
    BarLev(lower=1, upper=100, scale=0.5, noise="uniform"),
)
TRUE = TrueNumbers(30.0, 12.0, 1, 100)
REPETITIONS = 4_000
SIX = 6.0
"""Standard errors that a seeded mean may lie off."""


def of(design) -> str:
    return getattr(design, "mechanism", None) or f"{design.kind}-{getattr(design, 'noise', '')}"


@pytest.mark.parametrize("design", DESIGNS, ids=of)
@pytest.mark.parametrize("respondents", [200, 10**9])
def test_that_estimated_shares_have_the_moments_of_theory(design, respondents: int) -> None:
    found = simulate_several(design, SHARES, respondents, REPETITIONS, 7, EVASION)
    off = (found.means - found.theory.means) / found.theory.errors * sqrt(REPETITIONS)
    assert np.abs(off).max() < SIX
    assert found.spreads == pytest.approx(found.theory.errors, rel=0.08)
    again = simulate_several(design, SHARES, respondents, REPETITIONS, 7, EVASION)
    np.testing.assert_array_equal(again.estimates, found.estimates)


@pytest.mark.parametrize("design", DESIGNS, ids=of)
def test_that_intervals_hold_as_often_as_they_say(design) -> None:
    found = simulate_several(design, SHARES, 5_000, REPETITIONS, 3, confidence=0.9)
    assert found.coverage == pytest.approx(0.9, abs=0.03)


def test_that_estimates_of_a_matrix_sum_to_one() -> None:
    found = simulate_several(FORCED, SHARES, 300, 50, 1)
    np.testing.assert_allclose(found.estimates.sum(axis=1), 1.0)
    assert found.negative[3] == pytest.approx((found.estimates[:, 3] < 0).mean())


def test_that_a_survey_that_is_drawn_is_estimated_as_one_that_was_held() -> None:
    respondents = 5
    every = [c for c in product(range(respondents + 1), repeat=4) if sum(c) == respondents]
    found = FORCED.estimates_of_shares(np.array(every), respondents, 0.9)
    held = [FORCED.estimate(list(counts), 0.9) for counts in every]
    for ends, name in zip(found, ("shares", "lower", "upper"), strict=True):
        np.testing.assert_allclose(ends, [getattr(one, name) for one in held], atol=1e-12)


@pytest.mark.parametrize("design", NUMBERS, ids=of)
@pytest.mark.parametrize("respondents", [20, 1_000, 10**9])
def test_that_estimated_means_have_the_moments_of_theory(design, respondents: int) -> None:
    true = TrueNumbers(30.0, 12.0, 1, 100, 0.1)
    found = simulate_numbers(design, true, respondents, REPETITIONS, 5)
    assert draws_everybody(respondents, REPETITIONS) == (respondents == 20)
    off = (found.mean - found.theory.mean) / found.theory.error * sqrt(REPETITIONS)
    assert abs(off) < SIX
    assert found.spread == pytest.approx(found.theory.error, rel=0.08)
    # A tenth claim 1 in place of 30 on the average.
    assert found.theory.mean == pytest.approx(30 - 0.1 * 29)


@pytest.mark.parametrize("design", NUMBERS, ids=of)
def test_that_intervals_of_means_hold_as_often_as_they_say(design) -> None:
    found = simulate_numbers(design, TRUE, 2_000, REPETITIONS, 5, confidence=0.9)
    assert found.coverage == pytest.approx(0.9, abs=0.03)


def test_that_mean_and_variance_of_many_vary_together() -> None:
    design = BarLev(lower=1, upper=100, scale=0.5, noise="uniform")
    said = report_moments(design, TrueNumbers(20.0, 12.0, 1, 100))
    n = 50_000
    means, variances = _many(np.random.Generator(np.random.PCG64(1)), said, n, 40_000)
    joint = np.cov(means, variances)
    assert joint[0, 0] == pytest.approx(said.variance / n, rel=0.05)
    assert joint[0, 1] == pytest.approx(said.third / n, rel=0.05)
    assert joint[1, 1] == pytest.approx((said.fourth - said.variance**2) / n, rel=0.05)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [4, 9])
def test_that_a_report_supports_as_often_as_its_mechanism_does(kind: str, size: int) -> None:
    design = MechanismShare(mechanism=kind, categories=size, epsilon=Decimal(1))
    p, q = map(float, design.chances)
    generator = np.random.Generator(np.random.PCG64(11))
    count = 6_000
    found = (
        sum(supports_of(design.program, size, 2, generator).astype(int) for _ in range(count))
        / count
    )
    expected = np.full(size, q)
    expected[2] = p
    assert np.abs(found - expected).max() < SIX * sqrt(0.25 / count)


def test_that_the_device_and_what_is_said_belong_together() -> None:
    stream = SeveralStream(FORCED, SHARES, NAMES, 3, 1, Evasion(3, 0, 0.5))
    respondents = stream.first(400)
    (picture,) = FORCED.instructions("", NAMES)[0].pictures
    outcomes = picture.draw.outcomes
    assert len(set(outcomes)) == len(NAMES) + 1
    first = respondents[0]
    assert (first.estimate, first.lower, first.upper) == (None, -inf, inf)
    assert respondents[1].estimate is not None
    for found in respondents:
        if found.device == HIDES:
            assert (found.truth, found.spoken) == ("weekly", "“never”")
        elif found.device == outcomes[-1]:
            assert found.spoken == f"“{found.truth}”"
        else:
            assert found.spoken == f"“{NAMES[outcomes.index(found.device)]}”"
    assert any(found.device == HIDES for found in respondents)
    again = SeveralStream(FORCED, SHARES, NAMES, 3, 1, Evasion(3, 0, 0.5))
    assert again.first(400) == respondents


def test_that_the_estimate_of_a_stream_is_that_of_its_counts() -> None:
    respondents = SeveralStream(FORCED, SHARES, NAMES, 1, 5).first(250)
    counts = [sum(found.spoken == f"“{name}”" for found in respondents) for name in NAMES]
    estimate = FORCED.estimate(counts)
    last = respondents[-1]
    assert last.estimate == pytest.approx(estimate.shares[1])
    assert last.lower == pytest.approx(estimate.lower[1])
    assert last.upper == pytest.approx(estimate.upper[1])


def test_that_numbers_are_said_as_the_device_orders() -> None:
    design = Additive(lower=0, upper=100, scale=20)
    respondents = NumberStream(design, TrueNumbers(30.0, 12.0, 0, 100, 0.3), 2).first(300)
    for found in respondents:
        drawn = float(found.device.split(": ")[1].split(";")[0].replace(",", ""))
        acted = 0.0 if UNDERSTATES in found.device else float(found.truth)
        assert float(found.spoken.replace(",", "")) == pytest.approx(acted + drawn, abs=0.2)
    assert any(UNDERSTATES in found.device for found in respondents)
    said = np.array([float(found.spoken.replace(",", "")) for found in respondents])
    assert respondents[-1].estimate == pytest.approx(said.mean(), abs=0.05)
    half = 1.959964 * said.std(ddof=1) / sqrt(300)
    assert respondents[-1].upper - respondents[-1].lower == pytest.approx(2 * half, rel=1e-3)


MULTIPLYING = (
    Multiplicative(lower=1, upper=100, scale=0.2),
    BarLev(lower=1, upper=100, scale=0.5, noise="uniform", truth=Fraction(1, 3)),
)


@pytest.mark.parametrize("design", MULTIPLYING, ids=of)
def test_that_numbers_are_multiplied_unless_the_device_orders_the_truth(design) -> None:
    count, least, understating = 600, 1.0, 0.3
    true = TrueNumbers(30.0, 12.0, least, 100, understating)
    respondents = NumberStream(design, true, 4, 0.9).first(count)
    orders = "the device orders the truth"
    truthful = 0
    for found in respondents:
        device, _, claims = found.device.partition("; ")
        assert claims in ("", UNDERSTATES)
        acted = least if claims else float(found.truth)
        factor = 1.0 if device == orders else float(device.rsplit(maxsplit=1)[1])
        assert float(found.spoken.replace(",", "")) == pytest.approx(acted * factor, rel=2e-3)
        truthful += device == orders
    chance = float(getattr(design, "truth", 0))
    assert abs(truthful - chance * count) <= SIX * sqrt(chance * (1 - chance) * count)
    claimed = sum(UNDERSTATES in found.device for found in respondents)
    assert abs(claimed - understating * count) <= SIX * sqrt(0.21 * count)
    # E e^L of Laplace's law with scale b is 1 / (1 - b^2); that of the uniform one around 1 is 1.
    mean = 1.0 if design.noise == "uniform" else 1 / (1 - design.scale**2)
    said = np.array([float(found.spoken.replace(",", "")) for found in respondents])
    last = respondents[-1]
    factor = chance + (1 - chance) * mean
    assert last.estimate == pytest.approx(said.mean() / factor, rel=1e-3)
    half = 1.644854 * said.std(ddof=1) / factor / sqrt(count)
    assert last.upper - last.estimate == pytest.approx(half, rel=2e-3)
    assert last.estimate - last.lower == pytest.approx(half, rel=2e-3)
    expected = (1 - understating) * 30 + understating * least
    assert abs(last.estimate - expected) < SIX * half
    first = respondents[0]
    assert (first.estimate, first.lower, first.upper) == (None, -inf, inf)
    assert respondents[1].estimate is not None


@pytest.mark.parametrize("kind", KINDS)
def test_that_a_stream_of_reports_is_estimated_from_what_they_support(kind: str) -> None:
    design = MechanismShare(mechanism=kind, categories=4, epsilon=Decimal(1))
    evasion, count = Evasion(hidden=3, instead=0, deny=0.6, careless=0.3), 400
    shares = (0.1, 0.2, 0.2, 0.5)
    respondents = SeveralStream(design, shares, NAMES, 1, 8, evasion).first(count)
    supports = 0
    for found in respondents:
        named = re.findall("“(.*?)”", found.spoken)
        assert set(named) <= set(NAMES)
        assert found.spoken == (
            "report for " + ", ".join(f"“{name}”" for name in named)
            if named
            else "report for no answer"
        )
        supports += NAMES[1] in named
    p, q = map(float, design.chances)
    first, second, *_, last = respondents
    assert (first.estimate, first.lower, first.upper) == (None, -inf, inf)
    assert second.estimate is not None
    share = supports / count
    assert last.estimate == pytest.approx((share - q) / (p - q))
    assert last.lower < last.estimate < last.upper
    guessing = sum("any answer" in found.device for found in respondents) / count
    other = sum("enters another" in found.device for found in respondents) / count
    weekly = sum(found.truth == "weekly" for found in respondents) / count
    for found, chance in ((guessing, 0.3), (other, 0.7 * 0.5 * 0.6), (weekly, 0.5)):
        assert abs(found - chance) < SIX * sqrt(chance * (1 - chance) / count)
    assert all(found.truth == "weekly" for found in respondents if "another" in found.device)
    assert sum("draws a report" in found.device for found in respondents) == count
    assert respondents[0].number == 1
    assert last.number == count


def test_that_a_stream_ends_where_nobody_would_read_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(respondents_module, "MOST", 5)
    stream = NumberStream(NUMBERS[0], TRUE, 1)
    found = stream.first(3)
    assert [one.number for one in found] == [1, 2, 3]
    assert [one.number for one in stream.first(9)] == [1, 2, 3, 4, 5]
    assert stream.first(3) == found


def test_that_who_does_not_read_the_device_says_any_answer() -> None:
    careless = Evasion(hidden=3, instead=0, careless=0.5)
    shares, count = (1.0, 0.0, 0.0, 0.0), 800
    respondents = SeveralStream(FORCED, shares, NAMES, 1, 8, careless).first(count)
    said = [found.spoken for found in respondents if found.device == CARELESS]
    assert {found.truth for found in respondents} == {NAMES[0]}
    assert abs(len(said) - 0.5 * count) < SIX * sqrt(0.25 * count)
    for name in NAMES:
        assert abs(said.count(f"“{name}”") / len(said) - 0.25) < SIX * sqrt(0.1875 / len(said))


@pytest.mark.parametrize(
    ("respondents", "reason"),
    [(1, "few-respondents"), (10**15 + 1, "many-respondents"), (10**16, "many-respondents")],
)
def test_that_surveys_that_cannot_be_held_are_refused(respondents: int, reason: str) -> None:
    with refused(f"designs.{reason}"):
        simulate_several(FORCED, SHARES, respondents, 10, 1)
    with refused(f"designs.{reason}"):
        simulate_numbers(NUMBERS[0], TRUE, respondents, 10, 1)


def test_that_two_respondents_and_as_many_as_can_be_counted_make_a_survey() -> None:
    for respondents in (2, 10**15):
        assert len(simulate_several(FORCED, SHARES, respondents, 2, 1).estimates) == 2
        assert len(simulate_numbers(NUMBERS[0], TRUE, respondents, 2, 1).estimates) == 2


def test_that_one_survey_has_no_spread_and_none_or_too_many_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = simulate_several(FORCED, SHARES, 20, 1, 1)
    assert one.spreads.tolist() == [0.0] * 4
    assert one.means.tolist() == one.estimates[0].tolist()
    assert simulate_numbers(NUMBERS[0], TRUE, 20, 1, 1).spread == 0
    two = simulate_several(FORCED, SHARES, 20, 2, 1).estimates
    assert simulate_several(FORCED, SHARES, 20, 2, 1).spreads == pytest.approx(
        np.abs(two[0] - two[1]) / sqrt(2)
    )
    monkeypatch.setattr(surveys, "REPETITIONS_MAX", 3)
    for held, allowed in ((0, False), (1, True), (3, True), (4, False)):
        for simulate in (
            lambda n: simulate_several(FORCED, SHARES, 20, n, 1),
            lambda n: simulate_numbers(NUMBERS[0], TRUE, 20, n, 1),
        ):
            if allowed:
                assert len(simulate(held).estimates) == held
            else:
                with refused("engine.bad-repetitions", least=1, most=3):
                    simulate(held)
