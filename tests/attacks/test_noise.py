from __future__ import annotations

from itertools import product
from math import exp, tanh

import numpy as np
import pytest

from dpdesk.attacks.averaging import Averaging, error_of_average, right_by_average
from dpdesk.attacks.differencing import Differencing
from dpdesk.attacks.noise import best_guess, chance_within, noise_sum
from dpdesk.attacks.target import Target
from dpdesk.data.sample import load_sample
from dpdesk.queries.noise.calibrated import GeometricLaw


def convolved(epsilon: float, draws: int) -> dict[int, float]:
    """The law of a sum by adding noises one after the other, and nothing else."""
    one = {k: tanh(epsilon / 2) * exp(-epsilon * abs(k)) for k in range(-90, 91)}
    law = {0: 1.0}
    for _ in range(draws):
        added: dict[int, float] = {}
        for (a, p), (b, q) in product(law.items(), one.items()):
            added[a + b] = added.get(a + b, 0.0) + p * q
        law = added
    return law


@pytest.mark.parametrize(("epsilon", "draws"), [(0.5, 1), (0.5, 2), (1.0, 3), (2.0, 4)])
def test_that_the_law_of_a_sum_is_the_convolution_of_its_noises(epsilon: float, draws: int) -> None:
    law = noise_sum(epsilon, draws)
    half = len(law) // 2
    expected = convolved(epsilon, draws)
    assert law.sum() == pytest.approx(1, abs=1e-12)
    for k in range(-min(half, 12), min(half, 12) + 1):
        assert law[half + k] == pytest.approx(expected[k], abs=1e-12)


@pytest.mark.parametrize("draws", [1, 7, 400])
def test_that_variances_of_noises_add_up(draws: int) -> None:
    law = noise_sum(0.7, draws)
    points = np.arange(len(law)) - len(law) // 2
    assert law @ points**2 == pytest.approx(draws * GeometricLaw(1 / 0.7).variance, rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_that_one_noisy_count_is_guessed_as_often_as_randomized_response(epsilon: float) -> None:
    assert best_guess((0.5, 0.5), noise_sum(epsilon)) == pytest.approx(
        exp(epsilon) / (1 + exp(epsilon)), abs=1e-12
    )


@pytest.mark.parametrize("prior", [(0.5, 0.5), (0.9, 0.1), (0.2, 0.5, 0.3)])
def test_that_the_best_guess_is_the_best_of_all_rules(prior: tuple[float, ...]) -> None:
    law = convolved(1.0, 2)
    right = sum(
        max(weight * law.get(seen - count, 0.0) for count, weight in enumerate(prior))
        for seen in range(-60, 61)
    )
    assert best_guess(prior, noise_sum(1.0, 2)) == pytest.approx(right, abs=1e-10)
    # No rule is worse than naming the most probable count without looking.
    assert best_guess(prior, noise_sum(1.0, 2)) >= max(prior) - 1e-12


def test_that_exact_counts_tell_every_answer_and_broken_ones_do_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    target = Target(load_sample())
    assert Differencing().run(target).success == 1
    monkeypatch.setattr("dpdesk.attacks.differencing.count", lambda bits, among: int(bits.sum()))
    broken = Differencing().run(target)
    # Everybody is then said not to have given the answer, which most have.
    assert broken.success < 0.5
    assert broken.figures["tried"] == 500


def test_that_the_belief_after_differencing_is_bounded_by_its_posterior() -> None:
    found = Differencing(epsilon=1, belief=0.2).run(Target(load_sample()))
    odds = 0.25 * exp(1)
    assert found.figures["highest_belief"] == pytest.approx(odds / (1 + odds))
    assert found.baseline == 0.8
    # At these odds no answer changes the guess: e < 4.
    assert found.remedies[0].success == pytest.approx(0.8)


def test_that_a_guess_without_counts_goes_by_the_share_of_the_answer() -> None:
    target = Target(load_sample())
    share = target.secret_bit("", "").share
    found = Differencing().run(target)
    assert found.baseline == max(share, 1 - share) > 0.5
    assert found.remedies[0].success == pytest.approx(
        best_guess((1 - share, share), noise_sum(1.0))
    )


@pytest.mark.parametrize(("epsilon", "times"), [(1.0, 1), (1.0, 2), (0.5, 3), (2.0, 4)])
def test_that_the_chance_of_the_rounded_average_is_exact(epsilon: float, times: int) -> None:
    law = convolved(epsilon, times)
    inside = sum(p for k, p in law.items() if 2 * abs(k) < times)
    ties = sum(p for k, p in law.items() if 2 * abs(k) == times)
    assert right_by_average(epsilon, times) == pytest.approx(inside + ties / 2, abs=1e-12)


def test_that_the_error_of_an_average_falls_with_the_root_of_its_answers() -> None:
    law = noise_sum(1.0, 16)
    points = np.arange(len(law)) - len(law) // 2
    assert error_of_average(1.0, 16) == pytest.approx(np.sqrt(law @ points**2) / 16)
    assert error_of_average(1.0, 16) == pytest.approx(error_of_average(1.0, 1) / 4)
    assert chance_within(noise_sum(1.0), 0.5) == pytest.approx(tanh(0.5))


def test_that_averaging_costs_what_the_ledger_adds_up() -> None:
    found = Averaging(epsilon=0.5, times=64).run(Target(load_sample()))
    assert found.figures["ledger_epsilon"] == 32
    assert found.success == pytest.approx(0.8477, abs=1e-4)
    assert found.remedies[0].success == found.baseline
    # Split over all answers, averaging them is worse than asking once.
    split = found.remedies[1].success
    assert split is not None
    assert split < found.baseline


def test_that_drawn_answers_have_the_variance_of_their_law() -> None:
    drawn = Averaging(times=10_000, epsilon=1.0, seed=4).draw(50) - 50
    assert drawn.mean() == pytest.approx(0, abs=0.06)
    assert drawn.var() == pytest.approx(GeometricLaw(1.0).variance, rel=0.08)
    assert (drawn == 0).mean() == pytest.approx(tanh(0.5), abs=0.02)
