from __future__ import annotations

from fractions import Fraction
from math import inf, log, tanh

import numpy as np
import pytest

from dpdesk.composition import (
    divergences,
    hockey_stick,
    max_ratio,
    total_variation,
)
from dpdesk.errors import ParameterError
from tests.composition.enumerated import joint, randomized_response, side_by_side

P = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
Q = [Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)]


def test_that_measures_of_fractions_are_exact() -> None:
    assert max_ratio(P, Q) == 2
    assert max_ratio(Q, P) == 3
    assert total_variation(P, Q) == Fraction(1, 3)
    assert hockey_stick(P, Q, Fraction(3, 2)) == Fraction(1, 8)
    assert hockey_stick(Q, P, 2) == Fraction(1, 6)
    apart = divergences(P, Q)
    assert apart.ratios == (2, 3)
    assert apart.maximum == pytest.approx((log(2), log(3)))
    assert apart.epsilon == pytest.approx(log(3))


def test_that_arrays_give_what_fractions_give() -> None:
    apart = divergences(np.array(P, dtype=float), np.array(Q, dtype=float))
    exact = divergences(P, Q)
    assert apart.kl == pytest.approx(exact.kl)
    assert apart.epsilon == pytest.approx(exact.epsilon)
    assert apart.total_variation == pytest.approx(1 / 3)


def test_that_the_loss_distribution_is_a_law_whose_mean_is_the_divergence() -> None:
    apart = divergences(P, Q)
    loss = apart.forward
    assert loss.x == pytest.approx([-log(3), log(4 / 3), log(2)])
    assert loss.masses == pytest.approx([1 / 6, 1 / 3, 1 / 2])
    assert loss.cumulative == pytest.approx([1 / 6, 1 / 2, 1])
    assert loss.maximum == pytest.approx(log(2))
    assert loss.above(float(loss.x[1])) == pytest.approx(1 / 2)
    assert loss.above(0.0) == pytest.approx(5 / 6)
    by_hand = sum(float(p) * log(p / q) for p, q in zip(P, Q, strict=True))
    assert apart.kl[0] == pytest.approx(by_hand)


def test_that_delta_of_an_epsilon_is_the_hockey_stick_divergence() -> None:
    apart = divergences(P, Q)
    for ratio in (Fraction(1), Fraction(4, 3), Fraction(3, 2), Fraction(2), Fraction(5, 2)):
        x = np.array([log(ratio)])
        assert apart.forward.delta(x)[0] == pytest.approx(float(hockey_stick(P, Q, ratio)))
        assert apart.backward.delta(x)[0] == pytest.approx(float(hockey_stick(Q, P, ratio)))
        worse = max(hockey_stick(P, Q, ratio), hockey_stick(Q, P, ratio))
        assert apart.delta(x)[0] == pytest.approx(float(worse))


def test_that_delta_falls_to_nothing_at_the_maximum_divergence() -> None:
    apart = divergences(P, Q)
    curve = apart.delta(np.linspace(0, 1.5, 200))
    assert np.all(np.diff(curve) <= 1e-15)
    assert apart.delta(np.array([apart.epsilon]))[0] == pytest.approx(0, abs=1e-15)


def test_that_equal_losses_of_several_reports_are_one() -> None:
    (yes, no), k = randomized_response(Fraction(3)), 4
    p, q = side_by_side(joint(*[yes] * k), joint(*[no] * k))
    loss = divergences(p, q).forward
    assert loss.x == pytest.approx([log(3) * x for x in (-4, -2, 0, 2, 4)], abs=1e-12)
    assert loss.masses == pytest.approx(
        [n * 3**m / 4**4 for n, m in zip((1, 4, 6, 4, 1), range(5), strict=True)]
    )


def test_that_an_outcome_which_only_one_law_has_is_a_loss_without_bound() -> None:
    apart = divergences([Fraction(1, 2), Fraction(1, 2), Fraction(0)], [Fraction(1), 0, 0])
    assert apart.forward.infinity == 0.5
    assert apart.ratios == (inf, 2)
    assert apart.maximum == (inf, log(2)) or apart.maximum == (inf, pytest.approx(log(2)))
    assert apart.kl[0] == inf
    assert apart.delta(np.array([50.0]))[0] == pytest.approx(0.5)


def test_that_equal_laws_are_not_told_apart() -> None:
    apart = divergences(P, P)
    assert apart.epsilon == 0
    assert apart.kl == (0, 0)
    assert apart.total_variation == 0


@pytest.mark.parametrize("growth", [Fraction(11, 10), Fraction(2), Fraction(5), Fraction(10**6)])
def test_that_randomized_response_reaches_the_tight_bound_of_kullback_and_leibler(growth) -> None:
    apart = divergences(*side_by_side(*randomized_response(growth)))
    assert apart.kl[0] == pytest.approx(log(growth) * tanh(log(growth) / 2), rel=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_that_no_pair_within_an_epsilon_exceeds_its_bounds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p, q = rng.dirichlet(np.ones(6), 2)
    apart = divergences(p, q)
    assert max(apart.kl) <= apart.epsilon * tanh(apart.epsilon / 2)
    assert apart.total_variation <= tanh(apart.epsilon / 2) * (1 + 1e-12)


@pytest.mark.parametrize(
    ("p", "q"),
    [([], []), ([0.5, 0.5], [1.0]), ([0.5, 0.6], [0.5, 0.5]), ([1.5, -0.5], [0.5, 0.5])],
)
def test_that_what_is_no_law_is_refused(p, q) -> None:
    with pytest.raises(ParameterError):
        divergences(p, q)
