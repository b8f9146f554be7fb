"""Shares among those who answered, where "no answer" is a category: the last one."""

from __future__ import annotations

from decimal import Decimal
from itertools import product

import numpy as np
import pytest
from scipy.stats import multinomial

from dpdesk.domains import OptionSet
from dpdesk.mechanisms import BoundMechanism, Tally, mechanism_named
from dpdesk.mechanisms.bloom_filters import noise_variances, score_products
from dpdesk.mechanisms.fake_data import FakeDataOracle
from dpdesk.mechanisms.pram import Pram
from dpdesk.mechanisms.set_response import SetResponse
from dpdesk.numbers.intervals import normal_quantile, wilson_interval
from tests.mechanisms.estimator_checks import bind, categories
from tests.mechanisms.exact_moments import weighted_reports
from tests.randomness.word_sources import ShakeWords

SHARES = np.array([0.15, 0.35, 0.25, 0.25])
MATRIX = (
    ("0.5", "0.2", "0.2", "0.1"),
    ("0.1", "0.6", "0.2", "0.1"),
    ("0.2", "0.1", "0.6", "0.1"),
    ("0.1", "0.3", "0.2", "0.4"),
)
KINDS = ("grr", "sue", "oue", "subset_selection", "hadamard", "olh", "pram")


def _bound(kind: str, size: int = 4) -> BoundMechanism:
    if kind == "pram":
        return Pram.model_validate({"matrix": MATRIX}).bind(categories(4))
    if kind == "subset_selection":
        # Two members: with one it would be randomized response.
        fields = {"kind": kind, "epsilon": Decimal("1.2"), "members": 2}
        return mechanism_named(kind)(**fields).bind(categories(size))
    return bind(kind, categories(size), "1.2")


def _scores(bound: BoundMechanism) -> tuple[np.ndarray, np.ndarray]:
    """The estimates of single reports, (reports, k), and the chance of each, (reports, k)."""
    chances: dict[tuple[float, ...], list[float]] = {}
    for code in range(bound.size):
        for report, chance in weighted_reports(bound.law, code):
            counts = tuple(bound.tally(report).counts.tolist())
            chances.setdefault(counts, [0.0] * bound.size)[code] += float(chance)
    values = [bound.estimate(Tally(1, 1.0, 1.0, np.array(c))).value for c in chances]
    return np.array(values), np.array(list(chances.values()))


def _variance_by_reports(bound: BoundMechanism, shares: np.ndarray) -> np.ndarray:
    """Variance of s_a - r (1 - s_0) over every report, divided by the square of 1 - f_0."""
    scores, chances = _scores(bound)
    law = chances @ shares
    ratios = shares[:-1] / (1 - shares[-1])
    parts = scores[:, :-1] - np.outer(1 - scores[:, -1], ratios)
    assert law @ parts == pytest.approx(np.zeros(ratios.size), abs=1e-9)
    return law @ parts**2 / (1 - shares[-1]) ** 2


def _expected(bound: BoundMechanism, shares: np.ndarray, n: int) -> Tally:
    counts = np.zeros(0)
    for code, share in enumerate(shares):
        for report, chance in weighted_reports(bound.law, code):
            one = bound.tally(report).counts * float(chance) * share * n
            counts = one if not counts.size else counts + one
    return Tally(n, float(n), float(n), counts)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "olh"])
def test_that_the_standard_error_is_that_of_every_possible_report(kind: str) -> None:
    bound, n = _bound(kind), 1_000
    estimate = bound.among_answered(_expected(bound, SHARES, n), 3)
    ratios = SHARES[:-1] / 0.75
    assert estimate.value == pytest.approx(ratios)
    assert estimate.total_error**2 * n == pytest.approx(_variance_by_reports(bound, SHARES))
    drawn = ratios * (1 - ratios) / (0.75 * n)
    assert estimate.sampling_error**2 == pytest.approx(drawn)
    assert estimate.noise_error**2 + drawn == pytest.approx(estimate.total_error**2)


@pytest.mark.parametrize(
    "shares", [[0.5, 0.25, 0.25], [0.05, 0.7, 0.25], [0.1, 0.2, 0.1, 0.4, 0.2]]
)
@pytest.mark.parametrize("epsilon", ["0.5", "1.2", "3"])
def test_that_a_row_that_is_the_product_of_two_enters_their_error(
    shares: list[float], epsilon: str
) -> None:
    """Of Hadamard's rows 1 and 2 the third is the product, and so is that of 1 and 4 the fifth."""
    law, n = np.array(shares), 1_000
    bound, missing = bind("hadamard", categories(law.size), epsilon), law.size - 1
    estimate = bound.among_answered(_expected(bound, law, n), missing)
    assert estimate.total_error**2 * n == pytest.approx(_variance_by_reports(bound, law))


def test_that_the_products_of_rappor_are_those_of_its_square_matrices() -> None:
    bound = bind("rappor", categories(4), "2")
    design, flip = bound.design, bound._flip
    squares, products = score_products(design, flip, SHARES, 3)
    bit = flip * (1 - flip) / (1 - 2 * flip) ** 2
    moved = np.zeros((4, 4))
    for filters in design.filters.astype(float):
        own = design.inverse @ filters @ filters.T
        moved += design.cohorts * own * own[3]
    expected = moved @ SHARES + design.cohorts * bit * design.inverse[3]
    assert products == pytest.approx(expected)
    assert squares[3] == pytest.approx(products[3])
    noise = noise_variances(design, flip, SHARES)
    assert squares == pytest.approx(noise + SHARES)


@pytest.mark.parametrize("fakes", ["zeros", "random"])
@pytest.mark.parametrize("kind", ["grr", "sue"])
def test_that_the_standard_error_counts_fakes(kind: str, fakes: str) -> None:
    mechanism = mechanism_named(kind).starting(categories(4), Decimal("1.5"))
    expected = tuple(map(Decimal, ("1", "2", "3", "4"))) if fakes == "random" else ()
    bound = FakeDataOracle.bind(mechanism, categories(4), 3, fakes, expected)
    n, words = 400_000, ShakeWords(f"{kind} {fakes}")
    codes = np.repeat(np.arange(4, dtype=np.int32), (SHARES * n).astype(int))
    reports = bound.randomize(codes, words)
    estimate = bound.among_answered(bound.tally(reports), 3)
    # The scores of each report, whose joint law the reports show by themselves.
    p, q = bound.chances
    bits = reports if reports.ndim == 2 else np.eye(4)[reports]
    scores = (bits - q) / (p - q)
    parts = scores[:, :-1] - estimate.value * (1 - scores[:, [3]])
    seen = parts.var(axis=0) / estimate_below(scores) ** 2
    assert estimate.total_error**2 * n == pytest.approx(seen, rel=0.015)


def estimate_below(scores: np.ndarray) -> float:
    """The share answered as the scores tell it."""
    return float(1 - scores[:, 3].mean())


@pytest.mark.parametrize("epsilon", ["0.5", "1", "2", "4"])
@pytest.mark.parametrize("ratio", [0.1, 0.3, 0.6])
def test_that_hashes_of_three_values_depend_too_little_to_matter(
    epsilon: str, ratio: float
) -> None:
    """Where all who answered otherwise gave one answer: standard errors move by 3 % at most."""
    bound = bind("olh", categories(5), epsilon)
    g, steps, gone = bound.law.family.buckets, 1 << 14, 0.25
    p, q = bound.p, bound.q
    lie, own = (1 - p) / (g - 1), ratio * (1 - gone)
    angles = (np.arange(steps) + 0.5) / steps

    def variance(share: float) -> float:
        return q * (1 - q) / (p - q) ** 2 + share * (1 - p - q) / (p - q) + share * (1 - share)

    for first, true in ((0, 1), (0, 2), (0, 3), (1, 2), (2, 3), (3, 0), (3, 2)):
        # Hashes lie at a times the value on a circle, which the buckets divide evenly.
        places = [((v - first) * angles + 0.5) % 1 - 0.5 for v in (first, 4, true)]
        extent = np.max(places, axis=0) - np.min(places, axis=0)
        three = float(np.maximum(1 - g * extent, 0).mean())
        stated, found = bound.pair_support()[1], lie / g + (p - lie) * three
        moved = 2 * ratio * (1 - gone - own) * (found - stated) / (p - q) ** 2
        assert abs(moved) / (variance(own) + ratio**2 * variance(gone)) < 0.06


@pytest.mark.parametrize(
    ("epsilon", "n", "least", "average"),
    [("1.5", 100, 0.949, 0.9504), ("3", 30, 0.9508, 0.9541), ("6", 12, 0.9354, 0.9537)],
)
def test_that_intervals_cover_by_every_possible_outcome(
    epsilon: str, n: int, least: float, average: float
) -> None:
    """All counts of three kinds of reports: no chance in it. The page on intervals has them."""
    bound = bind("grr", categories(3), epsilon)
    p, q = bound.p, bound.q
    counts = np.array([(a, b, n - a - b) for a in range(n + 1) for b in range(n + 1 - a)])
    ends = [
        (float(e.lower[0]), float(e.upper[0]))
        for e in (bound.among_answered(Tally(n, n, n, c.astype(float)), 2) for c in counts)
    ]
    lower, upper = np.array(ends).T
    covered = []
    for ratio, missing in product((0.05, 0.3, 0.7), (0.0, 0.25, 0.5)):
        shares = np.array([ratio * (1 - missing), (1 - ratio) * (1 - missing), missing])
        law = multinomial.pmf(counts, n, shares * p + (1 - shares) * q)
        covered.append(float(law[(lower <= ratio) & (ratio <= upper)].sum()))
    assert min(covered) == pytest.approx(least, abs=5e-5)
    assert np.mean(covered) == pytest.approx(average, abs=5e-5)


def test_that_without_missing_answers_and_noise_the_interval_is_wilsons() -> None:
    bound = bind("grr", categories(3), "40")
    counts = np.array([7.0, 23.0, 0.0])
    estimate = bound.among_answered(Tally(30, 30.0, 30.0, counts), 2)
    lower, upper = wilson_interval(counts[:2] / 30, 30)
    assert estimate.lower == pytest.approx(lower, abs=1e-6)
    assert estimate.upper == pytest.approx(upper, abs=1e-6)


@pytest.mark.parametrize("kind", [*KINDS, "rappor"])
def test_that_a_quarter_of_informative_blanks_leaves_the_coverage(kind: str) -> None:
    """Whoever would have answered a is silent three times as often: shares move, cover stays."""
    bound, n, rounds = _bound(kind), 1_500, 300
    words = ShakeWords(f"informative {kind}")
    generator = np.random.default_rng(5)
    would, silent = np.array([0.4, 0.35, 0.25]), np.array([0.42, 0.14, 0.14])
    given = would * (1 - silent)
    assert 0.24 < silent @ would < 0.26
    law, truth = np.append(given, silent @ would), given / given.sum()
    assert abs(truth[0] - would[0]) > 0.08
    covered = np.zeros(3)
    for _ in range(rounds):
        codes = generator.choice(4, n, p=law).astype(np.int32)
        estimate = bound.among_answered(bound.tally(bound.randomize(codes, words)), 3)
        covered += (estimate.lower <= truth) & (truth <= estimate.upper)
    # At a coverage of 93 % fewer than 260 of 300 happen less often than once in 10^4 runs.
    assert covered.min() >= 260, covered


@pytest.mark.parametrize("kind", ["grr", "oue", "pram", "subset_selection"])
def test_that_weights_enter_as_in_a_ratio_of_weighted_scores(kind: str) -> None:
    bound, n = _bound(kind), 200_000
    words, generator = ShakeWords(f"weights {kind}"), np.random.default_rng(8)
    codes = generator.choice(4, n, p=SHARES).astype(np.int32)
    # Weights that go with the answers.
    weights = np.where(codes == 0, 3.0, 1.0) * generator.choice([1.0, 2.0], n)
    reports = bound.randomize(codes, words)
    estimate = bound.among_answered(bound.tally(reports, weights), 3)
    singles = [bound.estimate(bound.tally(reports[i : i + 1])).value for i in range(2_000)]
    assert np.mean(singles, axis=0) == pytest.approx(SHARES, abs=0.25)
    if kind == "pram":
        scores = np.linalg.inv(np.array(MATRIX, dtype=float))[reports]
    else:
        bits = reports if reports.ndim == 2 else np.eye(4)[reports]
        scores = (bits - bound.q) / (bound.p - bound.q)
    means = weights @ scores / weights.sum()
    ratio = means[:-1] / (1 - means[-1])
    assert estimate.value == pytest.approx(ratio)
    parts = scores[:, :-1] - ratio * (1 - scores[:, [3]])
    variance = weights**2 @ parts**2 / (weights.sum() * (1 - means[-1])) ** 2
    half = (estimate.upper - estimate.lower) / 2
    assert half == pytest.approx(normal_quantile(0.95) * np.sqrt(variance), rel=0.02)


def test_that_options_are_divided_by_who_answered() -> None:
    """Of those who answered 60 % ticked the first option and 30 % the second."""
    domain = OptionSet(values=("tv", "web", "none given"), separator=";")
    bound = SetResponse(epsilon=Decimal("2"), asked=2).bind(domain)
    words, generator = ShakeWords("options"), np.random.default_rng(3)
    n, rounds, covered, values = 1_000, 300, np.zeros(2), []
    errors = []
    for _ in range(rounds):
        gone = generator.random(n) < 0.25
        first, second = generator.random(n) < 0.6, generator.random(n) < 0.3
        codes = np.where(gone, 4, first + 2 * second).astype(np.int32)
        estimate = bound.among_answered(bound.tally(bound.randomize(codes, words)), 2)
        covered += (estimate.lower <= [0.6, 0.3]) & (estimate.upper >= [0.6, 0.3])
        values.append(estimate.value)
        errors.append(estimate.total_error)
    assert np.mean(values, axis=0) == pytest.approx([0.6, 0.3], abs=0.02)
    assert np.mean(errors, axis=0) == pytest.approx(np.std(values, axis=0), rel=0.12)
    assert covered.min() >= 270, covered


def test_that_reports_that_do_not_show_an_answer_leave_everything_possible() -> None:
    bound = bind("grr", categories(3), "0.1")
    estimate = bound.among_answered(Tally(40, 40.0, 40.0, np.array([10.0, 10.0, 20.0])), 2)
    assert (estimate.lower.tolist(), estimate.upper.tolist()) == ([0.0, 0.0], [1.0, 1.0])
