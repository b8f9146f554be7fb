"""What is learnt with the noise taken out rests on unbiased products of two attributes' scores."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from dpdesk.domains import Integer, OptionSet
from dpdesk.errors import ParameterError
from dpdesk.learning.curve import SeededWords
from dpdesk.learning.measures import measure
from dpdesk.learning.parts import Normal, Shares
from dpdesk.learning.traits import LabelScores, counts_of, trait_of
from dpdesk.mechanisms import BoundMechanism, mechanism_named
from dpdesk.mechanisms.mean import BoundMean
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.plan.losses import bind_column
from tests.mechanisms.estimator_checks import categories
from tests.mechanisms.exact_moments import report_law
from tests.mechanisms.test_contract import ENUMERATED, domain_of

EPSILON = Decimal(1)
LISTED = [kind for kind in ENUMERATED if domain_of(kind).picks_one]
NUMERIC = [kind for kind in ENUMERATED if domain_of(kind).holds_numbers]


def bound_of(kind: str) -> BoundMechanism:
    domain = domain_of(kind)
    return mechanism_named(kind).starting(domain, EPSILON).bind(domain)


@pytest.mark.parametrize("kind", LISTED)
def test_that_products_of_scores_expect_the_true_joint_table(kind: str) -> None:
    label = mechanism_named("grr").starting(categories(3), EPSILON).bind(categories(3))
    bound = bound_of(kind)
    scores = label.totals(np.eye(3), np.ones(3))
    for true_class in range(3):
        of_label = report_law(label, true_class)
        for true in range(bound.size):
            expected = np.zeros((3, bound.size))
            for counted, chance in of_label.items():
                weight = scores[int(np.argmax(counted))]
                for support, other in report_law(bound, true).items():
                    # One record: its counts, weighted by the score of each class.
                    counts = weight[:, None] * np.array(support)
                    expected += float(chance * other) * bound.totals(counts, weight)
            joint = np.zeros((3, bound.size))
            joint[true_class, true] = 1
            assert np.allclose(expected, joint, atol=1e-9)


def test_that_a_table_counted_without_the_scores_is_pulled_to_independence() -> None:
    label, bound = (mechanism_named("grr").starting(categories(2), EPSILON) for _ in range(2))
    laws = [report_law(m.bind(categories(2)), 0) for m in (label, bound)]
    naive = sum(
        float(a * b) for x, a in laws[0].items() for y, b in laws[1].items() if x[0] == y[0] == 1
    )
    assert naive < 0.7


@pytest.mark.parametrize("kind", NUMERIC)
def test_that_scores_of_numbers_expect_the_number_and_its_square(kind: str) -> None:
    bound = bound_of(kind)
    assert isinstance(bound, BoundMean)
    step = bound.domain.span / (bound.size - 1)
    told = [bound.worth] + ([] if bound.square_worth is None else [bound.square_worth])
    table = bound.answer_scores(np.column_stack(told))
    for code in range(bound.size):
        law = report_law(bound, code)
        expected = sum((float(p) * (np.array(c) @ table) for c, p in law.items()), np.zeros(1))
        true = [1.0, code * step, (code * step) ** 2][: 1 + len(told)]
        assert np.allclose(expected, true, rtol=1e-7, atol=1e-6)


@pytest.mark.parametrize("kind", NUMERIC)
def test_that_moments_of_reports_are_those_of_the_law(kind: str) -> None:
    bound = bound_of(kind)
    assert isinstance(bound, BoundMean)
    codes = np.arange(bound.size, dtype=np.int32)
    moments = bound.report_moments(codes)
    for code in range(bound.size):
        law = report_law(bound, code)
        for power in (1, 2):
            found = sum(float(p) * float(np.array(c) @ bound.places**power) for c, p in law.items())
            assert moments[code, power - 1] == pytest.approx(found, rel=1e-6)


@pytest.mark.parametrize("kind", NUMERIC)
def test_that_scores_of_a_protected_missing_answer_expect_nothing(kind: str) -> None:
    domain = domain_of(kind).with_missing(0.2)
    bound = mechanism_named(kind).starting(domain, EPSILON).bind(domain)
    given = bound.given  # type: ignore[attr-defined]
    table = bound.answer_scores(given.places[:, None])  # type: ignore[attr-defined]
    words = SeededWords(5)
    codes = np.full(400_000, domain.size, dtype=np.int32)
    for code, answered in ((domain.size, 0.0), (1, 1.0)):
        drawn = table[bound.randomize(np.full_like(codes, code), words)]
        mean = given.report_moments(np.array([1], dtype=np.int32))[0, 0]
        error = drawn.std(axis=0) / np.sqrt(codes.size)
        assert (np.abs(drawn.mean(axis=0) - [answered, answered * mean]) < 5 * error).all()


def test_that_totals_of_ticked_options_are_unbiased_where_some_are_asked() -> None:
    domain = OptionSet(values=("a", "b", "c", "d"))
    bound = mechanism_named("set_response").starting(domain, EPSILON).bind(domain)
    reports = bound.randomize(np.full(200_000, 0b0101, dtype=np.int32), SeededWords(1))
    each = np.stack([bound.counts(part, None) for part in np.split(reports, 200)])
    totals = bound.totals(each, np.full(200, 1000.0)) / 1000
    error = totals.std(axis=0) / 200**0.5
    assert (np.abs(totals.mean(axis=0) - [1, 0, 1, 0]) < 5 * error).all()


def test_that_totals_of_rappor_are_its_estimates() -> None:
    domain = categories(5)
    bound = mechanism_named("rappor").starting(domain, EPSILON).bind(domain)
    reports = bound.randomize(np.arange(900, dtype=np.int32) % 5, SeededWords(1))
    tally = bound.tally(reports)
    found = bound.totals(tally.counts[None], np.array([900.0]))[0] / 900
    assert np.allclose(found, bound.estimate(tally).value)


def test_that_reports_that_may_be_fake_have_no_joint_totals() -> None:
    columns = tuple(
        ColumnPlan(
            name=name,
            kind="nominal",
            domain=categories(3),
            role="protect",
            mechanism=mechanism_named("grr")(epsilon=Decimal(1)),
        )
        for name in "ab"
    )
    plan = Plan(columns=columns, strategy="rsfd")
    bound = bind_column(plan.sampling, columns[0])
    with pytest.raises(ParameterError):
        bound.totals(np.ones((1, 3)), np.ones(1))


def two_classes(kind: str, epsilon: str) -> tuple[BoundMechanism, NormalOrShares, NormalOrShares]:
    """Attribute and label of 40,000 records sanitized, learnt naively and with the noise out."""
    rows, generator = 40_000, np.random.default_rng(3)
    label = (generator.random(rows) < 0.25).astype(np.int32)
    domain = domain_of(kind) if kind == "grr" else Integer(lower=0, upper=100)
    if kind == "grr":
        chances = np.array([[0.6, 0.3, 0.1], [0.2, 0.3, 0.5]])
        codes = (generator.random(rows)[:, None] > chances[label].cumsum(axis=1)).sum(axis=1)
    else:
        codes = np.clip(generator.normal(35 + 20 * label, 12 + 4 * label), 0, 100).round()
    bound = mechanism_named(kind)(epsilon=Decimal(epsilon)).bind(domain)
    of_label = mechanism_named("grr")(epsilon=Decimal(epsilon)).bind(categories(2))
    words = SeededWords(4)
    reports = bound.randomize(codes.astype(np.int32), words)
    said = of_label.randomize(label, words)
    trait = trait_of(domain)
    reader = trait.reader(bound)
    seen = reader.seen(reports)
    assert seen is not None
    naive = trait.learn(seen, counts_of(said.astype(np.int64), 2))
    scores = of_label.totals(np.eye(2), np.ones(2))[said].T
    shares = scores.mean(axis=1)
    corrected = reader.learn(reports, LabelScores(scores, shares))
    assert abs(shares[1] - 0.25) < 0.03
    return bound, naive, corrected  # type: ignore[return-value]


NormalOrShares = Normal | Shares


def test_that_shares_of_a_class_are_those_of_its_true_answers() -> None:
    _, naive, corrected = two_classes("grr", "1")
    true = np.array([[0.6, 0.3, 0.1], [0.2, 0.3, 0.5]])
    assert isinstance(naive, Shares)
    assert isinstance(corrected, Shares)
    assert np.abs(corrected.shares - true).max() < 0.09
    assert np.abs(naive.shares - true).max() > 0.15


@pytest.mark.parametrize(
    "kind", ["bounded_laplace", "bounded_staircase", "piecewise", "laplace", "square_wave"]
)
def test_that_moments_of_a_class_are_those_of_its_true_answers(kind: str) -> None:
    _, naive, corrected = two_classes(kind, "3")
    assert isinstance(naive, Normal)
    assert isinstance(corrected, Normal)
    assert np.abs(corrected.mean - [0.35, 0.55]).max() < 0.03
    assert np.abs(np.sqrt(corrected.variance) - [0.12, 0.16]).max() < 0.04
    spread = naive.mean[1] - naive.mean[0]
    assert spread < 0.19
    assert (np.sqrt(naive.variance) > 0.18).all()


def test_that_duchis_reports_tell_the_mean_of_a_class() -> None:
    _, _, corrected = two_classes("duchi", "3")
    assert isinstance(corrected, Normal)
    assert np.abs(corrected.mean - [0.35, 0.55]).max() < 0.03


def test_that_of_many_records_without_noise_nothing_is_shrunk() -> None:
    trait = trait_of(Integer(lower=0, upper=10))
    codes = np.array([0, 1, 2, 3, 7, 8, 9, 10] * 5_000, dtype=np.int32)
    label = (codes > 5).astype(np.int64)
    part = trait.reader(None).learn(codes, LabelScores(np.eye(2)[label].T, np.full(2, 0.5)))
    usual = trait.learn(trait.seen(codes), counts_of(label, 2))
    assert isinstance(part, Normal)
    assert isinstance(usual, Normal)
    assert np.allclose(part.mean, usual.mean, atol=1e-3)
    assert np.allclose(part.variance, usual.variance, atol=1e-3)


def test_that_a_class_of_equal_numbers_keeps_a_part_of_the_variance_of_everybody() -> None:
    trait = trait_of(Integer(lower=0, upper=100))
    label = np.arange(20_000) % 2
    spread = np.random.default_rng(2).integers(20, 80, label.size)
    codes = np.where(label == 0, 50, spread).astype(np.int32)
    part = trait.reader(None).learn(codes, LabelScores(np.eye(2)[label].T, np.full(2, 0.5)))
    assert isinstance(part, Normal)
    everybody = (codes / 100).var()
    assert 0.01 * everybody < part.variance[0] < 0.03 * everybody
    assert part.variance[1] == pytest.approx((spread[label == 1] / 100).var(), rel=0.05)


def test_that_measures_are_those_of_scikit_learn() -> None:
    from sklearn.metrics import accuracy_score, f1_score, roc_auc_score

    generator = np.random.default_rng(0)
    for classes in (2, 4):
        true = generator.integers(0, classes, 300)
        likely = np.round(generator.random((300, classes)), 1) + 0.3 * np.eye(classes)[true]
        likely /= likely.sum(axis=1, keepdims=True)
        guessed = likely.argmax(axis=1)
        accuracy, f1, auc = measure(likely, true, 1 if classes == 2 else None)
        assert accuracy == accuracy_score(true, guessed)
        kind = "binary" if classes == 2 else "macro"
        assert f1 == pytest.approx(f1_score(true, guessed, average=kind))
        if classes == 2:
            assert auc == pytest.approx(roc_auc_score(true, likely[:, 1] - likely[:, 0]))


def test_that_the_exact_law_of_the_label_is_a_law() -> None:
    bound = mechanism_named("grr").starting(categories(3), EPSILON).bind(categories(3))
    assert sum(report_law(bound, 0).values()) == Fraction(1)
