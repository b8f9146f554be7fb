"""Exact means and variances of estimates, by going through every possible set of reports.

The probabilities are those of the integer law that is run, as rationals; the estimates are the
code's own floats, taken as the rationals that they are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np

from dpdesk.channel import DenseLaw, GrrLaw, HybridLaw, ThresholdLaw, UnaryLaw, WindowLaw
from dpdesk.channel.hadamard import HadamardLaw
from dpdesk.channel.hashing import LocalHashLaw
from dpdesk.channel.shift import ShiftLaw
from dpdesk.channel.subset import SubsetLaw, fraction_bits
from dpdesk.mechanisms import BoundMechanism, Tally
from tests.channel.window_checks import weights_of

TOTAL = 2**64
MANY = 10**12
"""So many respondents leave no doubt of a mean, and of the least noise that it has."""
Law = dict[tuple[float, ...], Fraction]
"""Probability of each vector of counts."""


def report_law(bound: Any, code: int) -> Law:
    """Counts that one report adds to the tally, with their exact probabilities."""
    law: Law = defaultdict(Fraction)
    for report, weight in weighted_reports(bound.law, code):
        law[tuple(bound.tally(report).counts.tolist())] += weight
    assert sum(law.values()) == 1
    return dict(law)


def weighted_reports(law: object, code: int) -> Iterable[tuple[Any, Fraction]]:
    """Every report under a true code, with its exact probability."""
    if isinstance(law, UnaryLaw):
        for bits in product((0, 1), repeat=law.size):
            chance = Fraction(1)
            for v, bit in enumerate(bits):
                one = Fraction(law.truth if v == code else law.lie, TOTAL)
                chance *= one if bit else 1 - one
            yield np.array([bits], dtype=np.uint8), chance
        return
    if isinstance(law, LocalHashLaw):
        yield from _hashed_reports(law, code)
        return
    if isinstance(law, SubsetLaw):
        for chosen, chance in subset_law(law, code).items():
            yield np.array([[int(v in chosen) for v in range(law.size)]], np.uint8), chance
        return
    if isinstance(law, HadamardLaw):
        for y in range(law.outputs):
            supports = (y & (code + 1)).bit_count() % 2 == 0
            weight = Fraction(law.truth if supports else law.lie, TOTAL)
            yield np.array([y], dtype=np.int32), weight / (law.outputs // 2)
        return
    if isinstance(law, GrrLaw):
        weights = [law.truth if y == code else law.lie for y in range(law.size)]
    elif isinstance(law, DenseLaw):
        weights = law.weights[code].tolist()
    elif isinstance(law, (WindowLaw, HybridLaw)):
        weights = weights_of(law, code)
    elif isinstance(law, ShiftLaw):
        weights = law.row(code).tolist()
    else:
        assert isinstance(law, ThresholdLaw), type(law)
        high = int(law.weights()[code])
        weights = [TOTAL - high, high]
    for y, weight in enumerate(weights):
        yield np.array([y], dtype=np.int32), Fraction(weight, TOTAL)


def _hashed_reports(law: LocalHashLaw, code: int) -> Iterable[tuple[Any, Fraction]]:
    """Every seed and bucket; of the seeds that hash all values alike, one for all of them."""
    seeds = list(_seeds(law))
    a, b = np.array([seed[:2] for seed in seeds], dtype=np.uint32).T
    own = law.family.bucket_of(a, b, np.full(len(seeds), code, dtype=np.uint32))
    for (first, second, chance), bucket in zip(seeds, own.tolist(), strict=True):
        for y in range(law.family.buckets):
            weight = Fraction(law.answer.truth if y == bucket else law.answer.lie, TOTAL)
            yield np.array([[first, second, y]], dtype=np.int64), chance * weight


def _seeds(law: LocalHashLaw) -> Iterable[tuple[int, int, Fraction]]:
    """Seeds with their chances: see `hashes_of_two_values_are_independent`.

    With w = u + l - 1 bits that count, seeds differ in their w highest bits alone; of two values
    the hashes are any two numbers, and the seeds b and a + b begin with them.
    """
    bits = law.family.hash_bits
    if law.size == 2:
        hashes, shift = 1 << min(bits, 5), 32 - min(bits, 5)
        assert hashes % law.family.buckets == 0 or bits <= 5
        for first, second in product(range(hashes), repeat=2):
            yield (second - first << shift) % 2**32, first << shift, Fraction(1, hashes**2)
        return
    word = (law.size - 1).bit_length() + bits - 1
    for first, second in product(range(1 << word), repeat=2):
        yield first << 32 - word, second << 32 - word, Fraction(1, 1 << 2 * word)


def subset_law(law: SubsetLaw, code: int) -> dict[frozenset[int], Fraction]:
    """The chance of each set: Floyd's algorithm with every number that a word can be."""
    others = [v if v != code else law.size - 1 for v in range(law.size - 1)]
    included = Fraction(law.included, TOTAL)
    result: dict[frozenset[int], Fraction] = defaultdict(Fraction)
    for truth, weight in ((True, included), (False, 1 - included)):
        sets = {frozenset[int](): weight}
        for last in range(law.size - 1 - law.members + truth, law.size - 1):
            step: dict[frozenset[int], Fraction] = defaultdict(Fraction)
            for chosen, chance in sets.items():
                for place, share in enumerate(place_shares(law.size, last + 1)):
                    step[chosen | {last if place in chosen else place}] += chance * share
            sets = step
        for chosen, chance in sets.items():
            result[frozenset(others[i] for i in chosen) | ({code} if truth else set())] += chance
    return dict(result)


def place_shares(size: int, left: int) -> list[Fraction]:
    """The chance of each of `left` places: how many words of `fraction_bits` fall to it."""
    words = 1 << fraction_bits(size)
    ends = [-(-place * words // left) for place in range(left + 1)]
    return [Fraction(b - a, words) for a, b in pairwise(ends)]


def mixture(laws: Sequence[Law], shares: Sequence[Fraction]) -> Law:
    """The law of one report of a respondent who is drawn with these shares."""
    mixed: Law = defaultdict(Fraction)
    for law, share in zip(laws, shares, strict=True):
        for counts, chance in law.items():
            mixed[counts] += share * chance
    return dict(mixed)


def sum_of(laws: Sequence[Law], weights: Sequence[int]) -> Law:
    """The law of the weighted sum of independent reports."""
    total: Law = {(0.0,) * len(next(iter(laws[0]))): Fraction(1)}
    for law, weight in zip(laws, weights, strict=True):
        step: Law = defaultdict(Fraction)
        for before, p in total.items():
            for counts, q in law.items():
                step[tuple(b + weight * c for b, c in zip(before, counts, strict=True))] += p * q
        total = dict(step)
    return total


def moments(
    bound: BoundMechanism, laws: Sequence[Law], weights: Sequence[int] | None = None
) -> tuple[list[float], list[float]]:
    """Exact mean and variance of each estimate when respondent i reports by laws[i]."""
    each = [1] * len(laws) if weights is None else list(weights)
    w, squares = float(sum(each)), float(sum(v * v for v in each))
    first: list[Fraction] = []
    second: list[Fraction] = []
    for counts, chance in sum_of(laws, each).items():
        tally = Tally(len(laws), w, squares, np.array(counts))
        values = [Fraction(v) for v in bound.estimate(tally).value.tolist()]
        if not first:
            first, second = [Fraction(0)] * len(values), [Fraction(0)] * len(values)
        first = [a + chance * v for a, v in zip(first, values, strict=True)]
        second = [a + chance * v * v for a, v in zip(second, values, strict=True)]
    variances = [b - a * a for a, b in zip(first, second, strict=True)]
    return [float(a) for a in first], [float(v) for v in variances]


def expected_tally(laws: Sequence[Law], respondents: int) -> Tally:
    """The tally that holds exactly the counts that are expected of `respondents` reports."""
    outputs = len(next(iter(laws[0])))
    expected = [
        sum(chance * Fraction(counts[y]) for law in laws for counts, chance in law.items())
        for y in range(outputs)
    ]
    counts = np.array([float(e * respondents / len(laws)) for e in expected])
    return Tally(respondents, float(respondents), float(respondents), counts)
