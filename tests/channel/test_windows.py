from __future__ import annotations

from decimal import Decimal

import numpy as np

from dpdesk.channel import GrrLaw, WindowKernel, WindowLaw
from tests.channel import window_checks
from tests.randomness.word_sources import ShakeWords


def test_that_windows_are_exactly_their_law_on_all_words_of_16_bits() -> None:
    window_checks.windows_are_their_law_on_every_small_word()


def test_that_windows_turn_at_every_threshold_of_64_bits_and_nowhere_beside_it() -> None:
    window_checks.windows_turn_at_every_threshold()


def test_that_windows_draw_every_row_by_itself() -> None:
    window_checks.windows_draw_every_row_by_itself()


def test_that_windows_never_exceed_their_epsilon_and_hardly_lose_any() -> None:
    window_checks.window_certificates_hold()


def test_that_the_kernel_of_a_window_is_its_law() -> None:
    window_checks.window_kernels_are_the_law()


def test_that_what_reports_of_a_window_are_worth_is_unbiased() -> None:
    window_checks.window_reports_are_worth_what_they_should()


def test_that_a_window_of_one_cell_is_generalized_randomized_response() -> None:
    for size, epsilon in ((2, "1"), (16, "0.5"), (82, "5")):
        window = WindowLaw.at(size, 1, Decimal(epsilon))
        grr = GrrLaw.at(size, Decimal(epsilon))
        assert abs(window.lie - grr.lie) <= 1
        same = WindowLaw(size, 1, grr.truth, grr.lie)
        codes = (np.arange(5_000) % size).astype(np.int32)
        words = ShakeWords("one cell").take(5_000)
        assert np.array_equal(same.sample(codes, words), grr.sample(codes, words))


def test_that_the_worth_of_ten_thousand_points_is_found_without_a_matrix() -> None:
    """The telescoped inverse agrees with the law at a few of the rows of a large grid."""
    kernel = WindowKernel.at(10_000, 5_121, 1.0)
    target = (np.arange(10_000) < 500).astype(np.float64)[:, None]
    worth = kernel.unbiased(target)
    for code in (0, 499, 500, 5_000, 9_999):
        assert abs(kernel.row(code) @ worth[:, 0] - target[code, 0]) < 1e-8
