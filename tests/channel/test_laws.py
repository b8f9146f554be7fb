from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from dpdesk.channel import DenseLaw, UnaryLaw, geometric_weights
from tests.channel import law_checks
from tests.randomness.word_sources import ShakeWords


def test_that_grr_is_exactly_its_law_on_all_words_of_16_bits() -> None:
    law_checks.grr_is_its_law_on_every_small_word()


def test_that_grr_turns_at_every_threshold_of_64_bits_and_nowhere_beside_it() -> None:
    law_checks.grr_turns_at_every_threshold()


def test_that_grr_draws_every_row_by_itself() -> None:
    law_checks.grr_draws_every_row_by_itself()


def test_that_sue_and_oue_are_exactly_their_laws_on_all_words_of_16_bits() -> None:
    law_checks.unary_is_its_law_on_every_small_word()


def test_that_every_bit_of_sue_and_oue_turns_at_its_threshold_of_64_bits() -> None:
    law_checks.unary_turns_at_both_thresholds()


def test_that_the_weights_of_one_bit_run_evenly_from_end_to_end() -> None:
    law_checks.threshold_weights_are_the_law()


def test_that_one_bit_is_exactly_its_law_on_all_words_of_16_bits() -> None:
    law_checks.threshold_is_its_law_on_every_small_word()


def test_that_one_bit_turns_at_the_weight_of_every_grid_point() -> None:
    law_checks.threshold_turns_at_every_weight()


def test_that_a_table_is_sampled_as_by_the_plain_inverse_at_every_threshold() -> None:
    law_checks.dense_turns_at_every_threshold()


def test_that_a_table_draws_every_row_by_itself() -> None:
    law_checks.dense_draws_every_row_by_itself()


@pytest.mark.parametrize("size", [2, 3, 50, 129])
def test_that_a_guide_leaves_a_draw_at_most_the_thresholds_of_its_own_cell(size: int) -> None:
    law = DenseLaw(geometric_weights(size, Decimal(2)))
    still_open = (law._last - law._first).reshape(size, -1)
    # Each threshold lies in one cell of its row, and there are two cells for each at least.
    assert (still_open.sum(axis=1) <= size - 1).all()
    assert still_open.shape[1] >= 2 * (size - 1)


def test_that_a_table_is_exactly_its_law_on_all_words_of_16_bits() -> None:
    law_checks.dense_is_its_law_on_every_small_word()


def test_that_the_geometric_table_is_the_channel_to_less_than_a_unit() -> None:
    law_checks.geometric_table_is_the_channel()


def test_that_every_sampler_refuses_narrow_words_and_codes_outside_its_domain() -> None:
    law_checks.samplers_refuse_what_is_no_draw()


def test_that_bits_are_drawn_into_the_given_rows_and_nowhere_else() -> None:
    law = UnaryLaw.optimized(3, Decimal(1))
    codes = np.array([2, 0], dtype=np.int32)
    words = ShakeWords("rows of bits").take(6)
    table = np.full((4, 3), 9, dtype=np.uint8)
    law.sample(codes, words, out=table[1:3])
    assert table[1:3].tolist() == law.sample(codes, words).tolist()
    assert table[[0, 3]].tolist() == [[9, 9, 9]] * 2
    for wrong in (table[:1], table[::2], np.asfortranarray(table[:2])):
        with pytest.raises(ValueError, match="contiguous"):
            law.sample(codes, words, out=wrong)
