"""Exact checks of the integer laws, shared by the ordinary tests and the kill matrix.

Each check states the law anew in plain Python integers and compares the code with it. None of them
involves chance: the words are either all words of 16 bits or both sides of every threshold.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from math import ceil
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dpdesk.channel import DenseLaw, GrrLaw, ThresholdLaw, UnaryLaw, geometric_weights
from dpdesk.errors import ReleaseError
from tests.channel.small_words import ALL_SMALL_WORDS, SMALL_TOTAL, small_words
from tests.cost.exact_exponential import exp_bounds
from tests.randomness.word_sources import ShakeWords

TOTAL = 2**64
SMALL_LAWS = [(2, "1"), (2, "0.05"), (3, "0.5"), (4, "2"), (16, "1"), (50, "5"), (128, "3")]
LAWS = [(2, "1"), (2, "40"), (3, "0.0001"), (16, "1"), (128, "36"), (1000, "0.5")]


def _words(values: Sequence[int]) -> NDArray[np.uint64]:
    return np.array(sorted({v for v in values if 0 <= v < TOTAL}), dtype=np.uint64)


def _around(thresholds: Sequence[int]) -> NDArray[np.uint64]:
    """Both sides of every threshold, the first and the last word, and words in between."""
    sides = [t + shift for t in thresholds for shift in (-2, -1, 0, 1)]
    return np.concatenate([_words([*sides, 0, TOTAL - 1]), ShakeWords("between").take(500)])


def _lie_weight(size: int, epsilon: str, total: int) -> int:
    """ceil(total / (e^eps + k - 1)) from the independent bounds on e^eps."""
    low, high = exp_bounds(Fraction(epsilon))
    first, second = ceil(total / (high + size - 1)), ceil(total / (low + size - 1))
    assert first == second, "the independent bounds are too wide"
    return first


def grr_is_its_law_on_every_small_word() -> None:
    """Of 65,536 words exactly `lie` report each lie, the rest the truth; the loss is below eps."""
    with small_words():
        for size, epsilon in SMALL_LAWS:
            law = GrrLaw.at(size, Decimal(epsilon))
            lie = _lie_weight(size, epsilon, SMALL_TOTAL)
            tables = []
            for code in {0, 1, size // 2, size - 1}:
                codes = np.full(SMALL_TOTAL, code, dtype=np.int32)
                counts = np.bincount(law.sample(codes, ALL_SMALL_WORDS), minlength=size)
                expected = np.full(size, lie)
                expected[code] = SMALL_TOTAL - (size - 1) * lie
                assert counts.tolist() == expected.tolist(), (size, epsilon, code)
                tables.append(counts)
            loss = max(
                Fraction(int(a), int(b))
                for column in zip(*tables, strict=True)
                for a in column
                for b in column
            )
            assert loss <= exp_bounds(Fraction(epsilon))[0]
            assert law.certificate(Decimal(epsilon)).likelihood_ratio == loss


def grr_turns_at_every_threshold() -> None:
    """GRR on 64 bits: the words below `truth` tell it; each stretch of `lie` words is one lie."""
    for size, epsilon in LAWS:
        law = GrrLaw.at(size, Decimal(epsilon))
        lie = _lie_weight(size, epsilon, TOTAL)
        truth = TOTAL - (size - 1) * lie
        assert (law.truth, law.lie) == (truth, lie)
        words = _around([truth + i * lie for i in range(size)])
        for code in {0, size // 3, size - 1}:
            others = [v for v in range(size) if v != code]
            expected = [code if u < truth else others[(u - truth) // lie] for u in words.tolist()]
            reports = law.sample(np.full(words.size, code, dtype=np.int32), words)
            assert reports.dtype == np.int32
            assert reports.tolist() == expected, (size, epsilon, code)


def grr_draws_every_row_by_itself() -> None:
    """Row i depends on code i and word i alone, whatever the rows around it hold."""
    law = GrrLaw.at(7, Decimal("0.8"))
    codes = (np.arange(2_000) * 3 % 7).astype(np.int32)
    words = ShakeWords("rows").take(2_000)
    together = law.sample(codes, words)
    alone = [int(law.sample(codes[i : i + 1], words[i : i + 1])[0]) for i in range(2_000)]
    assert together.tolist() == alone


def unary_is_its_law_on_every_small_word() -> None:
    """Each bit of SUE and OUE is set by exactly its weight of the 65,536 words."""
    with small_words():
        for size, epsilon in SMALL_LAWS[:5]:
            for law, truth, lie in _unary_laws(size, epsilon, SMALL_TOTAL):
                code = size - 1
                words = np.repeat(ALL_SMALL_WORDS, size)
                bits = law.sample(np.full(SMALL_TOTAL, code, dtype=np.int32), words)
                expected = [truth if v == code else lie for v in range(size)]
                assert bits.sum(axis=0, dtype=np.int64).tolist() == expected, (size, epsilon)
                certified = law.certificate(Decimal(epsilon)).likelihood_ratio
                ratio = Fraction(truth, lie) * Fraction(SMALL_TOTAL - lie, SMALL_TOTAL - truth)
                assert certified == ratio <= exp_bounds(Fraction(epsilon))[0]


def _unary_laws(size: int, epsilon: str, total: int) -> list[tuple[UnaryLaw, int, int]]:
    sue = _lie_weight(2, str(Decimal(epsilon) / 2), total)
    return [
        (UnaryLaw.symmetric(size, Decimal(epsilon)), total - sue, sue),
        (UnaryLaw.optimized(size, Decimal(epsilon)), total // 2, _lie_weight(2, epsilon, total)),
    ]


def unary_turns_at_both_thresholds() -> None:
    """SUE and OUE on 64 bits: bit v of row i depends on word i k + v alone."""
    for size, epsilon in [(2, "1"), (5, "0.0001"), (9, "40"), (16, "3")]:
        for law, truth, lie in _unary_laws(size, epsilon, TOTAL):
            assert (law.truth, law.lie) == (truth, lie)
            words = _around([truth, lie])
            words = np.resize(words, (words.size // size + 1) * size)
            rows = words.size // size
            codes = (np.arange(rows) % size).astype(np.int32)
            bits = law.sample(codes, words)
            assert bits.shape == (rows, size)
            assert bits.dtype == np.uint8
            expected = [
                [int(u < (truth if v == code else lie)) for v, u in enumerate(row)]
                for code, row in zip(
                    codes.tolist(), words.reshape(rows, size).tolist(), strict=True
                )
            ]
            assert bits.tolist() == expected, (size, epsilon)


def threshold_weights_are_the_law() -> None:
    """The chance of "high" runs from `low` to N - `low` in steps that differ by at most one."""
    for size, epsilon in [(2, "1"), (3, "40"), (82, "1"), (1001, "0.0001")]:
        law = ThresholdLaw.at(size, Decimal(epsilon))
        low = _lie_weight(2, epsilon, TOTAL)
        weights = [int(w) for w in law.weights()]
        assert weights == [low + (TOTAL - 2 * low) * i // (size - 1) for i in range(size)]
        assert (weights[0], weights[-1]) == (low, TOTAL - low)
        high_ratio = Fraction(weights[-1], weights[0])
        low_ratio = Fraction(TOTAL - weights[0], TOTAL - weights[-1])
        worst = max(high_ratio, low_ratio)
        assert law.certificate(Decimal(epsilon)).likelihood_ratio == worst
        assert worst <= exp_bounds(Fraction(epsilon))[0]


def threshold_is_its_law_on_every_small_word() -> None:
    """ "High" is reported on exactly its weight of the 65,536 words, at every grid point."""
    with small_words():
        for size, epsilon in [(2, "1"), (11, "0.05"), (40, "3")]:
            law = ThresholdLaw.at(size, Decimal(epsilon))
            low = _lie_weight(2, epsilon, SMALL_TOTAL)
            for code in range(size):
                codes = np.full(SMALL_TOTAL, code, dtype=np.int32)
                high = int(law.sample(codes, ALL_SMALL_WORDS).sum())
                assert high == low + (SMALL_TOTAL - 2 * low) * code // (size - 1)


def threshold_turns_at_every_weight() -> None:
    """On 64 bits the word below the weight of a grid point reports 1, the weight itself 0."""
    for size, epsilon in [(2, "1"), (3, "40"), (82, "1"), (1001, "0.0001")]:
        law = ThresholdLaw.at(size, Decimal(epsilon))
        weights = law.weights()
        codes = np.arange(size, dtype=np.int32)
        assert law.sample(codes, weights - np.uint64(1)).tolist() == [1] * size
        assert law.sample(codes, weights).tolist() == [0] * size
        assert law.sample(codes, np.zeros(size, np.uint64)).tolist() == [1] * size
        assert law.sample(codes, np.full(size, TOTAL - 1, np.uint64)).tolist() == [0] * size


def _hostile_tables() -> list[list[list[int]]]:
    cell = TOTAL >> 8
    smooth = [geometric_weights(m, Decimal(e)) for m, e in ((2, "1"), (7, "0.01"), (64, "9"))]
    return [
        *(table.tolist() for table in smooth),
        # All thresholds in one cell of the guide, at either end of the range.
        [[1] * 99 + [TOTAL - 99], [TOTAL - 99] + [1] * 99],
        # Thresholds on the borders of the guide's cells, and one word beside them.
        [[cell] * 256, [cell + 1, cell - 1] * 128, [cell - 1, cell + 1] * 128],
        [[TOTAL // 2, TOTAL // 2], [TOTAL - 1, 1], [1, TOTAL - 1]],
    ]


def dense_turns_at_every_threshold() -> None:
    """A table is sampled as by the plain inverse: y = number of interior thresholds <= U."""
    for table in _hostile_tables():
        law = DenseLaw(np.array(table, dtype=np.uint64))
        bits = law._guide_bits
        borders = [i << (64 - bits) for i in range(1 << bits)]
        for code in {0, len(table) // 2, len(table) - 1}:
            thresholds = list(accumulate(table[code][:-1]))
            words = _around(thresholds + borders)
            reports = law.sample(np.full(words.size, code, dtype=np.int32), words)
            expected = [bisect_right(thresholds, u) for u in words.tolist()]
            assert reports.dtype == np.int32
            assert reports.tolist() == expected, (len(table[0]), code)


def dense_draws_every_row_by_itself() -> None:
    """Rows of mixed codes are drawn as each would be alone."""
    law = DenseLaw(geometric_weights(50, Decimal(2)))
    codes = (np.arange(3_000) * 7 % 50).astype(np.int32)
    words = ShakeWords("mixed rows").take(3_000)
    together = law.sample(codes, words)
    table = law.weights.tolist()
    for i, (code, word) in enumerate(zip(codes.tolist(), words.tolist(), strict=True)):
        assert together[i] == bisect_right(list(accumulate(table[code][:-1])), word)


def dense_is_its_law_on_every_small_word() -> None:
    """A table of 2^16 words reports each value as often as its weight says."""
    for size, epsilon in [(2, "1"), (5, "0.2"), (17, "1"), (60, "4")]:
        with small_words():
            weights = geometric_weights(size, Decimal(epsilon))
            law = DenseLaw(weights)
            for code in range(size):
                codes = np.full(SMALL_TOTAL, code, dtype=np.int32)
                counts = np.bincount(law.sample(codes, ALL_SMALL_WORDS), minlength=size)
                assert counts.tolist() == weights[code].tolist(), (size, epsilon, code)
            loss = law.certificate(Decimal(epsilon)).likelihood_ratio
        # The same table in the high bits of 64, so that the guide takes part: the reports are
        # the same for the first and the last word of every block of 2^48.
        wide = DenseLaw(np.array([[w << 48 for w in row] for row in weights.tolist()], np.uint64))
        assert wide.likelihood_ratio() == loss <= exp_bounds(Fraction(epsilon))[0]
        for low_bits in (0, 2**48 - 1):
            words = (ALL_SMALL_WORDS << np.uint64(48)) | np.uint64(low_bits)
            for code in (0, size // 2, size - 1):
                codes = np.full(SMALL_TOTAL, code, dtype=np.int32)
                counts = np.bincount(wide.sample(codes, words), minlength=size)
                assert counts.tolist() == weights[code].tolist(), (size, epsilon, code)


def geometric_table_is_the_channel() -> None:
    """Weights are A p + c, A = N - m c, to less than one unit up or down; rows sum to N."""
    for size, epsilon in [(2, "1"), (5, "40"), (12, "0.0001"), (83, "1"), (120, "7")]:
        table = geometric_weights(size, Decimal(epsilon)).tolist()
        low, _ = exp_bounds(Fraction(epsilon))
        c = ceil((low + 1) / (low - 1))
        for x in {0, 1, size // 2, size - 1}:
            steps = [abs(x - y) for y in range(size)]
            powers = [1 / exp_bounds(Fraction(epsilon) * step / (size - 1))[0] for step in steps]
            row_sum = sum(powers)
            assert sum(table[x]) == TOTAL
            for weight, power in zip(table[x], powers, strict=True):
                p = power / row_sum
                exact = (TOTAL - size * c) * p + c
                assert exact - 1 < weight <= exact + 1, (size, epsilon, x)
                assert weight >= 2


def samplers_refuse_what_is_no_draw() -> None:
    """Signed, narrow, real or too few words and codes outside the domain end in an error."""
    codes = np.zeros(4, dtype=np.int32)
    words = np.zeros(4, dtype=np.uint64)
    laws: list[tuple[int, int, Any]] = [
        (3, 1, GrrLaw.at(3, Decimal(1))),
        (2, 2, UnaryLaw.optimized(2, Decimal(1))),
        (5, 1, DenseLaw(geometric_weights(5, Decimal(1)))),
        (3, 1, ThresholdLaw.at(3, Decimal(1))),
    ]
    for size, words_each, law in laws:
        few = codes[: 4 // words_each]
        law.sample(few, words)
        for kind in (np.int64, np.float64, np.float32, np.uint32):
            with pytest.raises(ReleaseError):
                law.sample(few, words.astype(kind))
        with pytest.raises(ReleaseError):
            law.sample(few, words[:3])
        for wrong in (-1, size, -(2**31), 2**31 - 1):
            spoiled = few.copy()
            spoiled[-1] = wrong
            with pytest.raises(ReleaseError):
                law.sample(spoiled, words)
        with pytest.raises(ReleaseError):
            law.sample(few.astype(np.int64), words)
        assert law.sample(codes[:0], words[:0]).shape[0] == 0
