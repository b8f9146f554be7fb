from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesk.queries.noise import NOISE_KINDS, NOISE_WORDS, NoiseKind, calibrate
from dpdesk.queries.sensitivity import Sensitivity
from tests.queries import gaussian_checks, noise_checks

epsilons = st.decimals("0.0001", "40", places=12).map(lambda e: e.normalize() + 0)
vectors = st.lists(st.integers(0, 10**6), min_size=1, max_size=4).filter(any)


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    yield
    noise_checks.forget()


def test_that_the_loss_that_is_run_is_at_most_epsilon_and_nearly_all_of_it() -> None:
    noise_checks.the_loss_that_is_run_is_at_most_what_was_asked_and_nearly_all_of_it()


@settings(max_examples=60, deadline=None)
@given(epsilon=epsilons, vector=vectors, kind=st.sampled_from(NOISE_KINDS))
def test_that_no_epsilon_and_no_sensitivity_is_exceeded(
    epsilon: Decimal, vector: list[int], kind: NoiseKind
) -> None:
    sensitivity = Sensitivity(sum(vector), sum(v * v for v in vector), max(vector))
    if kind == "staircase":
        sensitivity = Sensitivity.of_number(sensitivity.linf)
    noise = calibrate(kind, sensitivity, epsilon, Decimal("1e-7"))
    assert noise.epsilon * (1 - Decimal("1e-6")) <= noise.epsilon_run <= noise.epsilon == epsilon


def test_that_exponential_noise_keeps_epsilon_in_exact_arithmetic() -> None:
    noise_checks.exponential_noise_has_a_scale_that_keeps_epsilon_in_exact_arithmetic()


def test_that_gaussian_noise_keeps_rho_and_delta() -> None:
    noise_checks.gaussian_noise_keeps_rho_and_epsilon_at_delta()


def test_that_real_gaussian_noise_has_the_analytic_scale() -> None:
    gaussian_checks.real_gaussian_noise_has_the_analytic_scale()


def test_that_gaussian_noise_keeps_delta_for_every_move_of_several_numbers() -> None:
    gaussian_checks.gaussian_noise_keeps_delta_for_every_move_of_several_numbers()


def test_that_floats_handed_to_opendp_are_rounded_to_the_safe_side() -> None:
    noise_checks.floats_handed_to_opendp_are_rounded_to_the_safe_side()


def test_that_laws_of_whole_numbers_are_those_of_decimals() -> None:
    noise_checks.laws_of_whole_numbers_are_those_of_decimals()


def test_that_the_wide_discrete_gaussian_continues_the_one_that_is_summed() -> None:
    noise_checks.the_wide_discrete_gaussian_continues_the_one_that_is_summed()


def test_that_real_laws_are_integrals_of_their_densities() -> None:
    noise_checks.real_laws_are_integrals_of_their_densities()


def test_that_half_widths_are_the_smallest_that_hold_their_confidence() -> None:
    noise_checks.half_widths_are_the_smallest_that_hold_their_confidence()


def test_that_quantiles_and_cumulative_chances_belong_together() -> None:
    noise_checks.quantiles_and_cumulative_chances_belong_together()


def test_that_simultaneous_half_widths_hold_all_coordinates() -> None:
    noise_checks.simultaneous_half_widths_hold_all_coordinates()


def test_that_discrete_laplace_never_exceeds_its_ratio() -> None:
    noise_checks.discrete_laplace_never_exceeds_its_ratio()


def test_that_the_staircase_never_exceeds_its_ratio() -> None:
    noise_checks.staircase_never_exceeds_its_ratio()


def test_that_the_chances_of_the_staircase_sum_to_one() -> None:
    noise_checks.the_chances_of_the_staircase_sum_to_one_and_its_figures_follow()


def test_that_the_step_of_the_staircase_has_the_least_variance() -> None:
    noise_checks.the_step_of_the_staircase_has_the_least_variance()


def test_that_heads_of_the_staircase_are_as_wide_as_their_chances() -> None:
    noise_checks.heads_of_the_staircase_are_as_wide_as_their_chances()


def test_that_the_staircase_draws_exactly_at_its_thresholds() -> None:
    noise_checks.the_staircase_draws_exactly_at_its_thresholds()


def test_that_parameters_outside_their_bounds_are_refused() -> None:
    noise_checks.parameters_outside_their_bounds_are_refused()


def test_that_answers_too_far_from_zero_are_refused_without_naming_them() -> None:
    noise_checks.answers_too_far_from_zero_are_refused_without_naming_them()


def test_that_numpy_numbers_are_taken_as_they_are() -> None:
    noise_checks.numpy_numbers_are_taken_as_they_are()


def test_that_sensitivities_that_no_vector_has_are_refused() -> None:
    noise_checks.sensitivities_that_no_vector_has_are_refused()


def test_that_two_counts_that_differ_by_one_person_reveal_no_more_than_the_odds() -> None:
    """Differencing, exactly: the best guess who is counted, from even odds."""
    epsilon = 0.5
    noise = calibrate("geometric", Sensitivity.of_number(1), Decimal("0.5"))
    k = np.arange(-300, 301)
    with_person, without = noise.law(k - 1), noise.law(k)
    # Somebody who knows all the others needs no second count, and guesses by the likelier law.
    knowing = np.maximum(with_person, without).sum() / 2
    assert knowing == pytest.approx(exp(epsilon) / (1 + exp(epsilon)), rel=1e-9)
    # Somebody who subtracts a second noisy count has the noise of both.
    second = noise.law(k)
    both = np.maximum(np.convolve(with_person, second), np.convolve(without, second)).sum() / 2
    assert 0.5 < both < knowing - 0.03


def test_that_every_kind_has_words() -> None:
    assert set(NOISE_WORDS) == set(NOISE_KINDS)
    for kind in NOISE_KINDS:
        words = NOISE_WORDS[kind]
        assert words.title
        assert words.reference
        assert words.summary.endswith(".")
        assert words.use.endswith(".")


def test_that_opendp_is_not_imported_before_it_is_needed() -> None:
    program = (
        "import sys, dpdesk.queries.noise, dpdesk.queries.selection; "
        "sys.exit(any(name.partition('.')[0] in ('opendp', 'scipy') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
