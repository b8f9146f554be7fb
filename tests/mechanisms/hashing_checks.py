"""Exact checks of local hashing, shared with the kill matrix.

The hash is proved pairwise independent by going through every seed of small words: seeds that are
multiples of 2^(32 - w) make the 32-bit hash the w-bit one, by the same code.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import combinations, product
from math import exp, floor, isclose

import numpy as np

from dpdesk.channel import GrrLaw
from dpdesk.channel.hashing import BUCKETS_MAX, HASHED_MAX, HashFamily, LocalHashLaw
from dpdesk.mechanisms.local_hashing import HashingOracle, Olh, least_noise_buckets
from tests.channel.certificate_checks import TIGHT_UP_TO
from tests.cost.cost_checks import EPSILONS
from tests.cost.exact_exponential import exp_bounds
from tests.mechanisms.estimator_checks import categories
from tests.mechanisms.exact_moments import moments, report_law
from tests.randomness.word_sources import ShakeWords

TOTAL = 2**64


def bucket(a: int, b: int, value: int, buckets: int, hash_bits: int = 17) -> int:
    """The bucket of a value, by the definition."""
    return ((a * value + b) % 2**32 >> 32 - hash_bits) * buckets >> hash_bits


def _joint(value_bits: int, hash_bits: int, word_bits: int) -> list[np.ndarray]:
    """How often each pair of hashes occurs among all seeds, for each pair of values."""
    seeds = np.arange(1 << word_bits, dtype=np.uint32) << np.uint32(32 - word_bits)
    a, b = (side.ravel() for side in np.meshgrid(seeds, seeds))
    family, hashes = HashFamily(1 << hash_bits, hash_bits), 1 << hash_bits
    of = [
        family.bucket_of(a, b, np.full(a.size, value, dtype=np.uint32))
        for value in range(1 << value_bits)
    ]
    return [np.bincount(x * hashes + y, minlength=hashes**2) for x, y in combinations(of, 2)]


def hashes_of_two_values_are_independent() -> None:
    """Among all seeds each pair of hashes is as frequent as any other, if w = u + l - 1.

    With one bit of hash more this fails, so nothing of the words is wasted.
    """
    for value_bits, hash_bits in [(1, 5), (2, 3), (3, 3), (4, 2), (2, 5)]:
        word_bits = value_bits + hash_bits - 1
        for counts in _joint(value_bits, hash_bits, word_bits):
            assert (counts == 1 << 2 * (word_bits - hash_bits)).all(), (value_bits, hash_bits)
        assert any(np.ptp(c) for c in _joint(value_bits, hash_bits + 1, word_bits))
    assert 1 << (32 + 1 - HashFamily(2).hash_bits) == HASHED_MAX


def a_report_supports_the_values_of_its_bucket() -> None:
    """Support is counted as the definition says: many reports or many values, with weights."""
    many_reports = [(2, 2, 40), (37, 3, 300), (5, 7, 10_000), (90, BUCKETS_MAX, 200)]
    many_values = [(600, 2, 520), (300, 3, 9), (40, BUCKETS_MAX, 39)]
    for size, buckets, rows in many_reports + many_values:
        law = LocalHashLaw.at(size, buckets, Decimal(1))
        codes = (np.arange(rows) % size).astype(np.int32)
        reports = law.sample(codes, ShakeWords("support").take(2 * rows))
        weights = 1.0 + np.arange(rows) % 3
        plain, weighted = [0] * size, [0.0] * size
        for (a, b, y), weight in zip(reports.tolist(), weights.tolist(), strict=True):
            for value in range(size):
                if bucket(a, b, value, buckets) == y:
                    plain[value] += 1
                    weighted[value] += weight
        assert law.family.support(reports, size, None).tolist() == plain
        assert law.family.support(reports, size, weights).tolist() == weighted


def a_report_is_two_seeds_and_a_randomized_bucket() -> None:
    """The first word is the seeds, a in its low half; the second draws by GRR on the bucket."""
    rows = 3_000
    for size, buckets in [(2, 2), (1_000, 5), (HASHED_MAX, 4_000)]:
        law = LocalHashLaw.at(size, buckets, Decimal("1.5"))
        codes = (np.arange(rows) * 7919 % size).astype(np.int32)
        words = ShakeWords("hash").take(2 * rows)
        truth, lie = law.answer.truth, law.answer.lie
        for row, report in enumerate(law.sample(codes, words).tolist()):
            seed, word = int(words[2 * row]), int(words[2 * row + 1])
            a, b = seed % 2**32, seed >> 32
            own = bucket(a, b, int(codes[row]), buckets)
            others = [y for y in range(buckets) if y != own] if word >= truth else []
            assert report == [a, b, others[(word - truth) // lie] if others else own]


def the_chance_to_collide_is_that_of_the_buckets() -> None:
    """The sum of squared bucket shares, counted hash by hash; no bucket is 4 % off its share."""
    for buckets in (2, 3, 4, 7, 1_000, BUCKETS_MAX - 1, BUCKETS_MAX):
        counts = [0] * buckets
        for hashed in range(1 << 17):
            counts[hashed * buckets >> 17] += 1
        assert HashFamily(buckets).collision() == Fraction(sum(c * c for c in counts), 1 << 34)
        assert 0.96 < min(counts) * buckets / 2**17 <= max(counts) * buckets / 2**17 < 1.04


def _small_oracles(epsilon: str) -> list[HashingOracle]:
    """Oracles whose every seed can be tried; buckets of unequal size among them."""
    made = []
    for size, buckets, hash_bits in [(2, 2, 2), (2, 3, 3), (3, 3, 3), (4, 2, 3), (4, 5, 3)]:
        mechanism = Olh(epsilon=Decimal(epsilon), buckets=buckets)
        answer = GrrLaw.at(buckets, Decimal(epsilon))
        law = LocalHashLaw(size, HashFamily(buckets, hash_bits), answer)
        made.append(HashingOracle(mechanism, categories(size), law))
    return made


def hashed_estimates_are_unbiased_with_their_variance() -> None:
    """E = f and the variance of the formula with the exact q, over every seed; n = 1 and 2."""
    for epsilon in ("0.5", "2"):
        for oracle in _small_oracles(epsilon):
            size, g = oracle.size, oracle.law.family.buckets
            hashes = 1 << oracle.law.family.hash_bits
            shares = [sum(h * g // hashes == r for h in range(hashes)) / hashes for r in range(g)]
            p = exp(float(epsilon)) / (exp(float(epsilon)) + g - 1)
            q = sum(s * (s * p + (1 - s) * (1 - p) / (g - 1)) for s in shares)
            laws = [report_law(oracle, code) for code in range(size)]
            for codes in ((0,), (size - 1,), (0, size - 1)):
                means, variances = moments(oracle, [laws[c] for c in codes])
                for v in range(size):
                    f = codes.count(v) / len(codes)
                    noise = q * (1 - q) / (p - q) ** 2 + f * (1 - p - q) / (p - q)
                    assert isclose(means[v], f, abs_tol=1e-9)
                    assert isclose(variances[v], noise / len(codes), rel_tol=1e-9)


def the_loss_of_hashing_is_that_of_its_buckets() -> None:
    """Over every seed and bucket the worst ratio of two answers is the certified one."""
    for oracle in _small_oracles("1"):
        law, answer = oracle.law, oracle.law.answer
        word = (law.size - 1).bit_length() + law.family.hash_bits - 1
        worst = Fraction(1)
        for first, second in product(range(1 << word), repeat=2):
            a, b = first << 32 - word, second << 32 - word
            owns = {bucket(a, b, v, answer.size, law.family.hash_bits) for v in range(law.size)}
            if len(owns) > 1:
                worst = max(worst, Fraction(answer.truth, answer.lie))
        assert oracle.certificate.likelihood_ratio == worst <= exp_bounds(Fraction(1))[0]


def hashing_certificates_hold() -> None:
    """The ratio never exceeds e^eps, and is tight up to eps = 19, for 2 to 4,096 buckets."""
    for epsilon in EPSILONS:
        for buckets in (2, 3, 4, 9, 100, BUCKETS_MAX):
            law = LocalHashLaw.at(1_000, buckets, epsilon)
            certificate = law.certificate(epsilon)
            assert certificate.likelihood_ratio == Fraction(law.answer.truth, law.answer.lie)
            assert certificate.likelihood_ratio <= exp_bounds(Fraction(epsilon))[0]
            if epsilon <= TIGHT_UP_TO:
                assert float(epsilon - certificate.epsilon_certified) <= 1e-9


def the_number_of_buckets_is_that_of_least_noise() -> None:
    """Left open, g is the best of all from 2 to 4,096 by the published variance."""
    for epsilon in (
        "0.0001",
        "0.1",
        "0.5",
        "0.9",
        "1",
        "1.3",
        "2",
        "2.7",
        "3",
        "5",
        "8",
        "20",
        "40",
    ):
        growth = exp_bounds(Fraction(epsilon))[0]
        if growth + 1 >= BUCKETS_MAX:
            best = BUCKETS_MAX
        else:
            near = range(max(2, floor(growth) - 3), floor(growth) + 6)
            best = min(near, key=lambda g: (growth - 1 + g) ** 2 / (g - 1))
        assert least_noise_buckets(Decimal(epsilon)) == best
        assert Olh(epsilon=Decimal(epsilon)).chosen_buckets == best
        assert Olh(epsilon=Decimal(epsilon), buckets=17).chosen_buckets == 17
