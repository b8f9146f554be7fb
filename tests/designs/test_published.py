"""Numbers printed elsewhere, and the equivalences and planning numbers of the field."""

from __future__ import annotations

import json
from fractions import Fraction
from math import exp, inf, log
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from dpdesk.designs import Count, design_named, loss_of
from dpdesk.designs.planning import (
    Contrast,
    Sample,
    Second,
    Share,
    epsilon_for_posterior,
    least_epsilon,
    posterior_range,
    power,
    respondents_for_margin,
    respondents_for_power,
    respondents_to_beat_direct,
)
from dpdesk.designs.warner import WarnerDesign

PUBLISHED = Path(__file__).parents[3] / "shared" / "reference" / "published_rr_estimates.json"
TWO_COINS = WarnerDesign(p=Fraction(3, 4))
FORCED = design_named("forced")(forced_no="1/6", forced_yes="1/6")


def _design(entry):
    a = Fraction(entry["P_yes_carrier"]).limit_denominator(10_000)
    b = Fraction(entry["P_yes_noncarrier"]).limit_denominator(10_000)
    if (a, b) == (1, 0):
        return design_named("direct")()
    return (
        design_named("forced")(forced_no=1 - a, forced_yes=b)
        if a > b
        else (design_named("kuk")(p1=a, p2=b))
    )


@pytest.mark.skipif(not PUBLISHED.exists(), reason="the table of published estimates is not here")
def test_that_published_estimates_are_met_to_every_printed_digit() -> None:
    entries = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    assert len(entries) == 14
    for entry in entries:
        if "published" in entry:
            design = design_named("cheating_detection")(p1="1/4", p2="3/4")
            counts = [Count(entry[f"yes{g}"], entry[f"n{g}"]) for g in "12"]
            found = design.estimate(counts)
            numbers = {"pi": (found.estimate, found.standard_error)}
            numbers["beta"], numbers["gamma"] = (
                found.other_shares["honest_no"],
                found.other_shares["cheaters"],
            )
            for name, (value, error) in numbers.items():
                assert value == pytest.approx(entry["published"][name], abs=1e-12)
                assert error == pytest.approx(entry["published"][f"{name}_se"], abs=1e-12)
            continue
        found = _design(entry).estimate([Count(entry["yes"], entry["n"])])
        digits = len(str(entry["published_est"]).partition(".")[2])
        assert round(found.estimate, digits) == pytest.approx(entry["published_est"], abs=1e-13)
        if "published_se" in entry:
            digits = len(str(entry["published_se"]).partition(".")[2])
            assert round(found.standard_error, digits) == pytest.approx(
                entry["published_se"], abs=1e-13
            )
        loss = loss_of(_design(entry).groups).epsilon
        if "eps" in entry:
            assert loss == (inf if entry["eps_infinite"] else pytest.approx(entry["eps"]))


def test_that_the_survey_in_nigeria_is_met() -> None:
    found = FORCED.estimate([Count(831, 2435)])
    assert round(found.estimate, 8) == 0.26190965
    assert round(found.standard_error, 8) == 0.01441567


def test_that_designs_of_one_epsilon_with_equal_answers_are_the_same_channel() -> None:
    for p in (Fraction(3, 4), Fraction(5, 6)):
        forced = design_named("forced")(forced_no=1 - p, forced_yes=1 - p)
        kuk = design_named("kuk")(p1=p, p2=1 - p)
        unrelated = design_named("unrelated")(p=2 * p - 1, q="1/2")
        crosswise = design_named("crosswise")(p=p)
        law = WarnerDesign(p=p).groups[0].law
        assert crosswise.groups[0].law == law
        assert forced.groups[0].law == law
        assert unrelated.groups[0].law == law
        # Red cards are counted: none, or one.
        assert [row[::-1] for row in kuk.groups[0].law] == list(law)
        assert loss_of(forced.groups).epsilon == pytest.approx(log(p / (1 - p)))


def test_that_an_unrelated_question_of_one_in_six_needs_2_4_times_the_variance() -> None:
    # p such that 1 + p / ((1 - p) q) = 3.
    unrelated = design_named("unrelated")(p="1/4", q="1/6")
    assert loss_of(unrelated.groups).ratio == 3
    ratio = unrelated.planned_variance(0.1).total / TWO_COINS.planned_variance(0.1).total
    assert ratio == pytest.approx(2.4, abs=0.05)


def test_that_the_planning_numbers_are_met() -> None:
    one = WarnerDesign(p=Fraction(exp(1) / (1 + exp(1))).limit_denominator(10**8))
    assert respondents_for_margin(Sample(one, Share(0.1)), 0.03).respondents == 4314
    assert (
        respondents_for_margin(Sample(one, Share(0.1), population=5000), 0.03).respondents == 4007
    )
    assert respondents_for_margin(Sample(TWO_COINS, Share(0.1)), 0.03).respondents == 3586
    assert least_epsilon(Sample(TWO_COINS, Share(0.1), 1000), 0.03) == pytest.approx(
        2.177, abs=5e-4
    )
    assert power(Sample(FORCED, Share(0.1), 200), Contrast(0.0)) == pytest.approx(
        0.7822386414, abs=1e-10
    )
    assert respondents_to_beat_direct(Sample(FORCED, Share(0.1)), 0.5) == 142
    assert respondents_to_beat_direct(Sample(TWO_COINS, Share(0.1)), 0.5) == 317


@pytest.mark.parametrize("margin", [0.01, 0.03, 0.1])
@pytest.mark.parametrize("population", [None, 50_000])
def test_that_one_respondent_less_would_not_do(margin: float, population: int | None) -> None:
    found = respondents_for_margin(Sample(TWO_COINS, Share(0.1), population=population), margin)
    assert found.margin <= margin
    less = Sample(TWO_COINS, Share(0.1), found.respondents - 1, population=population)
    assert less.margin > margin


def test_that_the_respondents_for_a_power_have_it_and_one_less_has_not() -> None:
    needed = respondents_for_power(Sample(FORCED, Share(0.1)), Contrast(0.0), 0.8).respondents
    assert (
        power(Sample(FORCED, Share(0.1), needed), Contrast(0.0))
        >= 0.8
        > power(Sample(FORCED, Share(0.1), needed - 1), Contrast(0.0))
    )
    # A package that stops too early says 205.
    assert needed == 212


def test_that_the_largest_epsilon_under_a_cap_reaches_the_cap() -> None:
    epsilon = epsilon_for_posterior(0.1, 0.25)
    assert epsilon == pytest.approx(log(3))
    assert posterior_range(0.1, epsilon)[1] == pytest.approx(0.25)
    assert posterior_range(0.1, inf) == (0.0, 1.0)


def test_that_the_power_between_two_groups_is_that_of_the_published_formula() -> None:
    # R package rr, power.rr.test: forced response (2/3, 1/6, 1/6), its documented example, and two
    # groups of 2,500 with shares of .15 and .10, both .10 under the null hypothesis.
    assert power(Sample(FORCED, Share(0.2), 200), Contrast(0.0, 0.01)) == pytest.approx(
        0.9868872, abs=5e-8
    )
    found = power(Sample(FORCED, Share(0.15), 2500), Contrast(0.1, two_sided=True, second="device"))
    assert found == pytest.approx(0.79041, abs=5e-6)
    needed = respondents_for_power(
        Sample(FORCED, Share(0.15)), Contrast(0.1, two_sided=True, second="device"), 0.79041
    ).respondents
    assert needed in {2500, 2501}


def test_that_the_power_between_a_device_and_a_direct_question_is_that_of_all_outcomes() -> None:
    first, second, n = 0.3, 0.12, 150
    direct = design_named("direct")()
    yes = np.arange(n + 1)
    shares = [(yes / n - 1 / 6) * 1.5, yes / n]
    laws = [binom.pmf(yes, n, 1 / 6 + 2 / 3 * first), binom.pmf(yes, n, second)]
    under_null = FORCED.planned_variance(second).total + direct.planned_variance(second).total
    ratio = (shares[0][:, None] - shares[1]) / np.sqrt(under_null / n)
    exact = float(laws[0] @ (np.abs(ratio) > 1.959964) @ laws[1])
    found = power(
        Sample(FORCED, Share(first), n), Contrast(second, two_sided=True, second="direct")
    )
    assert found == pytest.approx(exact, abs=0.015)


@pytest.mark.parametrize("second", ["", "device"])
def test_that_a_two_sided_test_without_a_difference_rejects_as_often_as_its_level(
    second: Second,
) -> None:
    assert power(
        Sample(FORCED, Share(0.1), 500), Contrast(0.1, 0.05, two_sided=True, second=second)
    ) == pytest.approx(0.05)
    near = respondents_for_power(
        Sample(FORCED, Share(0.1001)), Contrast(0.1, two_sided=True, second=second), 0.0501
    ).respondents
    reached = [
        power(Sample(FORCED, Share(0.1001), n), Contrast(0.1, two_sided=True, second=second))
        for n in (near, near - 1)
    ]
    assert reached[0] >= 0.0501 * (1 - 1e-9) > reached[1]
