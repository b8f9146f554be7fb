"""Naive Bayes counts what attributes say together once, as far as noise lets it be known."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from scipy.stats import truncnorm

from dpdesk.domains import Integer, OptionSet
from dpdesk.learning.curve import SeededWords
from dpdesk.learning.dependence import CORRELATION, Evidence, power_of_evidence
from dpdesk.learning.learners import BayesModel, without_noise
from dpdesk.learning.measures import Spread
from dpdesk.learning.parts import Normal, Shares
from dpdesk.learning.traits import LabelScores, Reader, trait_of
from dpdesk.mechanisms import MECHANISMS, kind_of, mechanism_named
from tests.mechanisms.estimator_checks import categories

GENERATOR = np.random.default_rng
CHANCES = np.array([[0.6, 0.3, 0.1], [0.2, 0.3, 0.5]])


def drawn(label: np.ndarray, seed: int) -> np.ndarray:
    places = GENERATOR(seed).random(label.size)[:, None]
    return (places > CHANCES[label].cumsum(axis=1)).sum(axis=1).astype(np.int32)


def power(columns: list[np.ndarray], label: np.ndarray, epsilon: str = "") -> float:
    """The power from columns of three categories, as they are or randomized by GRR."""
    domain, scores = categories(3), LabelScores(np.eye(2)[label].T, np.array([0.7, 0.3]))
    bound = mechanism_named("grr")(epsilon=Decimal(epsilon)).bind(domain) if epsilon else None
    readers = [trait_of(domain).reader(bound) for _ in columns]
    reports = [
        codes if bound is None else bound.randomize(codes, SeededWords(7, j))
        for j, codes in enumerate(columns)
    ]
    present = [np.ones(label.size, dtype=np.bool_) for _ in columns]
    parts = [r.learn(d, scores) for r, d in zip(readers, reports, strict=True)]
    return power_of_evidence(Evidence(readers, reports, present, scores), parts)


LABEL = (GENERATOR(1).random(60_000) < 0.3).astype(np.int64)


def test_that_independent_attributes_count_in_full() -> None:
    assert power([drawn(LABEL, seed) for seed in (2, 3, 4)], LABEL) > 0.97


@pytest.mark.parametrize("copies", [2, 3, 5])
def test_that_copies_of_an_attribute_count_once(copies: int) -> None:
    column = drawn(LABEL, 2)
    assert power([column] * copies, LABEL) == pytest.approx(1 / copies, rel=0.03)


def test_that_copies_are_found_through_noise_and_shrunk_where_it_hides_them() -> None:
    column = drawn(LABEL, 2)
    powers = [power([column] * 3, LABEL, epsilon) for epsilon in ("4", "2", "0.05")]
    assert powers[0] == pytest.approx(1 / 3, abs=0.03)
    assert powers[1] == pytest.approx(1 / 3, abs=0.06)
    assert powers[2] > 0.8


def test_that_what_noise_leaves_unknown_is_shrunk_as_a_medium_correlation() -> None:
    # Two equal attributes of variance v: expected 2 r^2 (v + v)^2 / 2, against the known error.
    column = drawn(LABEL[:800], 2)
    clear, noisy = (power([column, column], LABEL[:800], e) for e in ("8", "1"))
    assert clear < 0.56
    assert clear < noisy < 1
    assert CORRELATION == 0.3


def test_that_attributes_that_contradict_each_other_make_nothing_surer() -> None:
    # Both lean to the class, and where one does the other does so more rarely.
    joint = np.array([[0.4, 0.3, 0.3, 0.0], [0.0, 0.3, 0.3, 0.4]])
    places = GENERATOR(3).random(LABEL.size)[:, None]
    cell = (places > joint[LABEL].cumsum(axis=1)[:, :3]).sum(axis=1).astype(np.int32)
    assert power([cell // 2, cell % 2], LABEL) == 1


def test_that_one_attribute_counts_in_full() -> None:
    assert power([drawn(LABEL, 2)], LABEL) == 1


def test_that_the_power_of_copies_gives_back_the_chances_of_one() -> None:
    column = drawn(LABEL, 2)
    scores = LabelScores(np.eye(2)[LABEL].T, np.array([0.7, 0.3]))
    domain = categories(3)
    present = [np.ones(LABEL.size, dtype=np.bool_)] * 4
    readers = [trait_of(domain).reader(None)] * 4
    model = without_noise(Evidence(readers, [column] * 4, present, scores))
    assert isinstance(model, BayesModel)
    seen = np.eye(3)
    odds = np.diff(model([seen] * 4), axis=1)[:, 0]
    true = np.log(0.3 / 0.7) + np.log(CHANCES[1] / CHANCES[0])
    assert odds == pytest.approx(true, abs=0.1)


@pytest.mark.parametrize("kind", [kind_of(mechanism) for mechanism in MECHANISMS])
def test_that_what_a_report_says_is_unbiased_for_what_its_answer_says(kind: str) -> None:
    mechanism = mechanism_named(kind)
    domain = next(
        d
        for d in (
            categories(4),
            OptionSet(values=("a", "b")),
            Integer(lower=0, upper=20),
            categories(2),
        )
        if mechanism.misfit(d) is None
    )
    bound = mechanism.starting(domain, Decimal(2)).bind(domain)
    reader: Reader = trait_of(domain).reader(bound)  # type: ignore[type-arg]
    shares = np.array([0.6, 0.4])
    if domain.holds_numbers:
        part: Normal | Shares = Normal(np.array([0.4, 0.6]), np.array([0.03, 0.03]))
    else:
        size = 2 if domain.is_set else domain.size
        given = np.array([np.linspace(1, 2, size), np.linspace(3, 1, size)])
        part = Shares(given / given.sum(axis=1, keepdims=True), not domain.is_set)
    rows, words = 20_000, SeededWords(5)
    means = []
    codes = (0, domain.size // 2, domain.size - 1)
    for code in codes:
        reports = bound.randomize(np.full(rows, code, dtype=np.int32), words)
        if domain.holds_numbers:
            # Places are centred over the records at hand: both ends are read together.
            means.append(reports)
            continue
        each = reader.evidence(part, reports, shares)
        seen = trait_of(domain).seen(np.array([code], dtype=np.int32))
        assert isinstance(part, Shares)
        true = (seen - shares @ part.shares) @ part.slopes
        error = each.std(axis=0) / rows**0.5 + 1e-12
        assert (np.abs(each.mean(axis=0) - true[0]) < 5 * error).all()
    if domain.holds_numbers:
        each = reader.evidence(part, np.concatenate(means), shares)
        low, _, high = (block.mean(axis=0) for block in np.split(each, 3))
        # More speaks for the second class, less for the first.
        assert low[0] > high[0]
        assert low[1] < high[1]


def test_that_the_evidence_of_a_part_is_that_of_its_law() -> None:
    shares, generator = np.array([0.7, 0.3]), GENERATOR(4)
    label = (generator.random(200_000) < 0.3).astype(np.int64)
    parts: list[tuple[Normal | Shares, np.ndarray]] = [
        (Shares(CHANCES, one=True), np.eye(3)[drawn(label, 5)]),
        (
            Shares(np.array([[0.2, 0.5], [0.6, 0.7]]), one=False),
            (generator.random((label.size, 2)) < np.array([[0.2, 0.5], [0.6, 0.7]])[label]) * 1.0,
        ),
        (
            Normal(np.array([0.4, 0.6]), np.array([0.01, 0.006])),
            generator.normal(np.array([0.4, 0.6])[label], np.sqrt(np.array([0.01, 0.006]))[label])[
                :, None
            ],
        ),
    ]
    for part, seen in parts:
        each = part.log_likelihood(seen)
        each -= each.mean(axis=1, keepdims=True)
        found = part.evidence(shares)
        within = sum(p * each[label == c].var(axis=0).sum() for c, p in enumerate(shares))
        assert found.within == pytest.approx(within, rel=0.05)
        between = [each[label == c].mean(axis=0) - each.mean(axis=0) for c in (0, 1)]
        assert found.between == pytest.approx(np.array(between), abs=0.05)


def truncated_mean(mean: np.ndarray, error: np.ndarray) -> np.ndarray:
    """The mean of normal laws that are cut at 0, and made to sum to 1 in each row."""
    found = truncnorm.mean(-mean / error, np.inf, loc=mean, scale=error)
    return np.asarray(found / found.sum(axis=-1, keepdims=True))


@pytest.mark.parametrize("share", [0.5, 0.2])
def test_that_a_class_is_shrunk_to_everybody_by_its_error_and_a_medium_effect(share: float) -> None:
    generator, rows = GENERATOR(8), 60
    label = (generator.random(rows) < share).astype(np.int64)
    codes = generator.choice(3, rows, p=[0.77, 0.2, 0.03]).astype(np.int32)
    shares = np.array([1 - share, share])
    scores = np.eye(2)[label].T
    part = trait_of(categories(3)).reader(None).learn(codes, LabelScores(scores, shares))
    seen = np.eye(3)[codes]
    value = seen.mean(axis=0)
    variance = value * (1 - value)
    away = scores - scores.mean(axis=1, keepdims=True)
    difference = away @ seen / rows / shares[:, None]
    noise = (away**2).mean(axis=1)[:, None] * variance / rows / shares[:, None] ** 2
    usual = truncated_mean(value, np.sqrt(variance / rows))
    # Half a deviation between classes, and no answer many times as likely in one of them.
    between = (0.5 * (1 - shares[:, None])) ** 2
    expected = between * np.minimum(usual * (1 - usual), (2 * usual) ** 2)
    kept = expected / (expected + noise)
    found = truncated_mean(usual + kept * difference, np.sqrt(kept * noise))
    own = rows * shares[:, None]
    assert part.shares == pytest.approx((own * found + 1) / (own + 3), rel=1e-6)


def test_that_a_spread_is_that_of_nine_of_ten_repetitions() -> None:
    spread = Spread.of(np.arange(101.0))
    assert (spread.mean, spread.lower, spread.upper) == (50, 5, 95)
    assert spread.deviation == pytest.approx(np.arange(101.0).std(ddof=1))
