"""The word for a protection is that of the odds which its loss allows."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from math import exp, inf, log, nextafter

import numpy as np
import pytest

from dpdesk.composition.strength import protection_of, protection_words, strength_of
from dpdesk.cost import PrivacyCost, log_upper
from tests.strength import belief_in, strength_by_odds

BOUNDARIES = {3: ("strong", "moderate"), 20: ("moderate", "weak"), 1_000: ("weak", "very weak")}


@pytest.mark.parametrize("odds", BOUNDARIES)
def test_that_odds_on_a_boundary_are_still_those_of_the_better_word(odds: int) -> None:
    within, beyond = BOUNDARIES[odds]
    exact = [
        log(odds),
        nextafter(log(odds), inf),
        Decimal(odds).ln(),
        # As mechanisms and certificates round a loss.
        log_upper(Fraction(odds)),
        log_upper(Fraction(odds), 12),
    ]
    assert {strength_of(epsilon) for epsilon in exact} == {within}
    assert strength_of(log(odds * (1 - 1e-6))) == within
    assert strength_of(log(odds * (1 + 1e-6))) == beyond


def test_that_every_word_is_that_of_its_odds() -> None:
    drawn = np.random.default_rng(30).uniform(0.0001, 40, 2_000).round(4)
    for epsilon in (*drawn.tolist(), 700.0, 10_000.0):
        assert strength_of(epsilon) == strength_of(Decimal(str(epsilon))), epsilon
        assert strength_of(epsilon) == strength_by_odds(exp(min(epsilon, 700.0))), epsilon
    assert strength_of(inf) == "very weak"


def test_that_an_even_guess_becomes_no_more_than_is_said() -> None:
    for epsilon in (0.1, 1.0, log(3), 2.5, 4.0, 6.9, 9.5, 20.0):
        for said in (protection_words(epsilon), protection_of(PrivacyCost(Decimal(str(epsilon))))):
            assert f"Protection: {strength_of(epsilon)}. A 50–50 guess can become " in said
            exact = 100 / (1 + exp(-epsilon))
            if "more than" in said:
                assert exact > 99.98
            else:
                assert exact - 1e-9 <= belief_in(said) <= exact + 0.1
    assert "An answer can be a proof." in protection_words(inf)


def test_that_a_delta_and_presence_are_said_of_what_they_bound() -> None:
    cost = PrivacyCost(Decimal(2), Decimal("0.000001"), "central", "one row")
    assert "moderate, for ε = 2 at δ = 1e-6." in protection_of(cost)
    joined = PrivacyCost(Decimal(2), relation="add or remove one respondent")
    assert "A 50–50 guess that a person took part can become 88.1 % certain." in protection_of(
        joined
    )
    assert not re.search("took part|δ", protection_of(PrivacyCost(Decimal(2))))
