"""Numbers that may be missing: scores by the exact law, published variances, errors, coverage."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import exp

import numpy as np
import pytest
from numpy.typing import NDArray

from dpdesk.domains import Integer, Real
from dpdesk.mechanisms import MECHANISMS, Tally, mechanism_named
from dpdesk.mechanisms.bounded_noise import KernelForecast
from dpdesk.mechanisms.mean import Grid, MeanForecast
from dpdesk.mechanisms.missing_answer import BoundMissing, MissingForecast
from dpdesk.randomness import SystemWords
from tests.mechanisms.exact_moments import weighted_reports

AGES = Integer(lower=-20, upper=30)
KINDS = tuple(kind.model_fields["kind"].default for kind in MECHANISMS if not kind.misfit(AGES))
THREE = "1.098612288668"
"""ln 3, from below: E = 3."""


def _bind(kind: str, domain: Grid, epsilon: str) -> BoundMissing:
    bound = mechanism_named(kind)(kind=kind, epsilon=Decimal(epsilon)).bind(domain)
    assert isinstance(bound, BoundMissing)
    return bound


def _row(bound: BoundMissing, code: int) -> NDArray[np.float64]:
    """Chances of the reports under a code, from the weights of the laws; the last is "none"."""
    law = bound.law
    if code == bound.size - 1:
        none, given = law.none_if_missing, weighted_reports(law.reference, 0)
    else:
        none, given = law.none_if_answered, weighted_reports(law.answered, code)
    rest = 1 - Fraction(none, 2**64)
    row = np.zeros(law.outputs)
    for report, chance in given:
        row[int(report[0])] = float(rest * chance)
    row[-1] = none / 2**64
    return row


def _scores(bound: BoundMissing) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return bound.scores.answered, bound.scores.number


def test_that_every_mechanism_for_numbers_serves_them() -> None:
    assert set(KINDS) == {
        *("bounded_laplace", "bounded_staircase", "laplace", "staircase"),
        *("duchi", "piecewise", "hybrid", "square_wave"),
    }


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("epsilon", ["0.1", "1", "4"])
def test_that_scores_are_unbiased_and_the_loss_is_epsilon(kind: str, epsilon: str) -> None:
    """E[A] = 1 and E[V] = v of an answer, both 0 of a missing one; the ratios reach e^eps."""
    bound = _bind(kind, AGES.with_missing(0.25), epsilon)
    answered, number = _scores(bound)
    rows = [_row(bound, code) for code in range(bound.size)]
    size = np.abs(number).max()
    for code, row in enumerate(rows[:-1]):
        assert row @ answered == pytest.approx(1, abs=1e-9)
        assert row @ number == pytest.approx(code, abs=1e-12 * size + 1e-9)
    assert rows[-1] @ answered == pytest.approx(0, abs=1e-9)
    assert rows[-1] @ number == pytest.approx(0, abs=1e-12 * size + 1e-9)
    law = np.array(rows)
    assert (law.max(axis=0) / law.min(axis=0)).max() == pytest.approx(exp(float(epsilon)), rel=1e-3)
    assert bound.certificate.epsilon_certified <= Decimal(epsilon)


@pytest.mark.parametrize(
    ("answer", "variance"), [(None, 5 / 2), (-1, 4), (1, 4), (Fraction(1, 3), 44 / 9), (0, 5)]
)
def test_that_one_bit_has_the_variances_of_three_symbols(
    answer: Fraction | int | None, variance: float
) -> None:
    """At E = 3, in half-widths of the interval from its middle."""
    bound = _bind("duchi", Integer(lower=-3, upper=3).with_missing(0.25), THREE)
    answered, number = _scores(bound)
    score = (number - 3 * answered) / 3
    row = _row(bound, 7 if answer is None else int(3 * answer) + 3)
    assert row @ score == pytest.approx(float(answer or 0), abs=1e-9)
    assert row @ score**2 - (row @ score) ** 2 == pytest.approx(variance, abs=1e-5)


def test_that_a_missing_answer_costs_27_percent_at_epsilon_1() -> None:
    """5.942 at the middle against 4.683 of Duchi's mechanism where everybody answers."""
    domain = Integer(lower=-1, upper=1)
    duchi = mechanism_named("duchi")(kind="duchi", epsilon=Decimal(1))
    assert duchi.forecast(domain).noise_constant == pytest.approx(4.683, abs=5e-4)
    assert duchi.forecast(domain.with_missing(0.25)).noise_constant == pytest.approx(
        5.942, abs=5e-4
    )


@pytest.mark.parametrize("kind", KINDS)
def test_that_previews_are_the_law_that_is_run(kind: str) -> None:
    domain = Real(lower=Decimal(0), upper=Decimal(10), resolution=Decimal("0.5"), unit="h")
    missing = domain.with_missing(0.3)
    bound = _bind(kind, missing, "1.5")
    forecast = mechanism_named(kind)(kind=kind, epsilon=Decimal("1.5")).forecast(missing)
    assert isinstance(forecast, MissingForecast)
    assert forecast.scores.p == pytest.approx(bound.scores.p, rel=1e-6)
    assert forecast.scores.q == pytest.approx(bound.scores.q, rel=1e-6)
    answered, number = _scores(bound)
    rows = np.array([_row(bound, code) for code in range(bound.size)])
    for code in (0, 7, 20):
        assert forecast.probabilities(code) == pytest.approx(rows[code][:-1], rel=1e-6)
    places = np.linspace(0, 10, 21)
    own = [row @ (number - x * answered) ** 2 for row, x in zip(rows, places, strict=False)]
    assert forecast.noise_variances == pytest.approx(np.array(own), rel=1e-6)
    # The mean of those who answered, spread evenly, of n respondents: to first order.
    shares = np.append(np.full(21, 0.7 / 21), 0.3)
    residual = (number - 5 * answered) / 0.7
    variance = shares @ rows @ residual**2
    found = forecast.accuracy(1000)
    assert found.total**2 * 1000 == pytest.approx(variance, rel=1e-6)
    assert found.sampling**2 * 1000 == pytest.approx(places.var() / 0.7, rel=1e-9)
    assert found.noise**2 + found.sampling**2 == pytest.approx(found.total**2)
    values, chances, truth = forecast.report_law()
    assert truth == 5
    assert chances.sum() == pytest.approx(1)
    assert values @ chances == pytest.approx(5)
    assert chances @ (values - 5) ** 2 == pytest.approx(variance, rel=1e-3)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [2, 3, 13, 40])
@pytest.mark.parametrize("epsilon", ["0.02", "2", "9"])
def test_that_the_largest_chances_are_those_of_all_answers(
    kind: str, size: int, epsilon: str
) -> None:
    domain = Integer(lower=0, upper=size - 1)
    forecast = mechanism_named(kind)(kind=kind, epsilon=Decimal(epsilon)).forecast(domain)
    assert isinstance(forecast, MeanForecast)
    rows = np.array([forecast.probabilities(code) for code in range(size)])
    assert forecast.most_likely == pytest.approx(rows.max(axis=0), rel=1e-9)
    if isinstance(forecast, KernelForecast):
        # Whatever the noise: each row is a law.
        assert rows.sum(axis=1) == pytest.approx(np.ones(size))


def _tally(bound: BoundMissing, codes: list[int], each: float = 1.0) -> Tally:
    """The counts to expect of some respondents."""
    counts = each * sum(_row(bound, code) for code in codes)
    return Tally(round(each * len(codes)), each * len(codes), each * len(codes), np.asarray(counts))


@pytest.mark.parametrize("kind", KINDS)
def test_that_expected_counts_give_the_truth_with_its_error(kind: str) -> None:
    """Four of five answered 2, 2, 7 and 9: a mean of 5, and a share of 80 %."""
    domain = Integer(lower=0, upper=10, unit="points").with_missing(0.2)
    bound = _bind(kind, domain, "2")
    codes, people = [2, 2, 7, 9, 11], 100_000
    estimate = bound.estimate(_tally(bound, codes, people / 5))
    assert estimate.value == pytest.approx(np.array([5.0]), abs=1e-8)
    assert estimate.answered is not None
    assert estimate.answered.value == pytest.approx(np.array([0.8]), abs=1e-8)
    answered, number = _scores(bound)
    mixture = sum(_row(bound, code) for code in codes) / 5
    variance = mixture @ ((number - 5 * answered) / 0.8) ** 2
    assert estimate.total_error[0] ** 2 * people == pytest.approx(variance, rel=1e-9)
    # The variance is that of answers drawn with the respondents: their own spread is part of it.
    within = np.mean([_row(bound, c) @ (number - 5 * answered) ** 2 for c in codes]) / 0.64
    assert variance == pytest.approx(within, rel=1e-9)
    if bound.given.square_worth is None:
        assert np.isnan(estimate.sampling_error[0])
        assert estimate.noise_error[0] == estimate.total_error[0]
    else:
        # The variance of 2, 2, 7 and 9 is 9.5; four of five respondents answered.
        assert estimate.sampling_error[0] ** 2 * people == pytest.approx(9.5 / 0.8, rel=1e-6)
        parts = estimate.noise_error[0] ** 2 + estimate.sampling_error[0] ** 2
        assert parts == pytest.approx(estimate.total_error[0] ** 2)
    half = (estimate.upper - estimate.lower)[0] / 2
    assert half == pytest.approx(1.96 * estimate.total_error[0], rel=0.02)
    spread = mixture @ answered**2 - 0.64
    assert estimate.answered.total_error[0] ** 2 * people == pytest.approx(spread, rel=1e-6)


def test_that_intervals_of_numbers_are_those_of_who_answered() -> None:
    domain = Integer(lower=0, upper=10).with_missing(0.2)
    bound = _bind("square_wave", domain, "2")
    estimate = bound.estimate(_tally(bound, [2, 2, 7, 9, 11], 20_000))
    assert estimate.intervals is not None
    shares = estimate.intervals.shares
    expected = np.zeros(11)
    expected[[2, 7, 9]] = 0.5, 0.25, 0.25
    assert shares.value == pytest.approx(expected, abs=1e-6)
    assert (shares.lower < expected).all()
    assert (shares.upper > expected).all()
    for name in ("simplex", "norm_sub"):
        assert shares.possible[name].sum() == pytest.approx(1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("counts", ["none alone", "one report", "no none"])
def test_that_few_reports_never_look_like_certainty(kind: str, counts: str) -> None:
    domain = Integer(lower=0, upper=100).with_missing(0.2)
    bound = _bind(kind, domain, "1")
    of = np.zeros(bound.law.outputs)
    of[-1 if counts == "none alone" else 1] = 1 if counts == "one report" else 3
    tally = Tally(int(of.sum()), of.sum(), of.sum(), of)
    estimate = bound.estimate(tally)
    assert estimate.upper[0] - estimate.lower[0] >= 100
    assert np.isfinite(estimate.total_error).all()
    assert (estimate.total_error > 0).all()
    assert estimate.answered is not None
    assert estimate.answered.upper[0] - estimate.answered.lower[0] > 0.5
    # Whoever answers, chance alone draws this much: of all reports alike too.
    chances, reports = (bound.scores.p, bound.scores.q), of.sum()
    least = min((p * (1 - p) / reports) ** 0.5 for p in chances) / (chances[0] - chances[1])
    assert estimate.answered.total_error[0] >= least * (1 - 1e-12)


def test_that_weights_count_as_so_many_respondents() -> None:
    bound = _bind("piecewise", Integer(lower=0, upper=10).with_missing(0.2), "1")
    reports = bound.randomize(np.array([1, 5, 9, 11] * 500, dtype=np.int32), SystemWords())
    twice = np.concatenate((reports, reports))
    plain = bound.estimate(bound.tally(twice))
    weighted = bound.estimate(bound.tally(reports, np.full(reports.size, 2.0)))
    assert weighted.value == pytest.approx(plain.value)
    assert weighted.total_error == pytest.approx(plain.total_error * 2**0.5)
    drawn = np.random.default_rng(5).integers(1, 4, reports.size).astype(np.float64)
    repeated = np.repeat(reports, drawn.astype(int))
    assert bound.estimate(bound.tally(reports, drawn)).value == pytest.approx(
        bound.estimate(bound.tally(repeated)).value
    )


@pytest.mark.parametrize("kind", KINDS)
def test_that_the_interval_covers_the_mean_of_who_answered(kind: str) -> None:
    """Incomes, of which the larger ones are missing more often: half of them above 30,000."""
    generator = np.random.default_rng(7)
    domain = Integer(lower=0, upper=100_000, step=1_000)
    incomes = np.clip(generator.lognormal(10, 0.6, 100_000), 0, 100_000)
    missing = generator.random(incomes.size) < np.where(incomes > 30_000, 0.5, 0.1)
    codes = domain.nearest(incomes)
    truth, share = 1_000 * codes[~missing].mean(), (~missing).mean()
    assert 0.2 < 1 - share < 0.3
    codes[missing] = domain.size
    bound = _bind(kind, domain.with_missing(0.2), "2")
    words, trials, covered, named = SystemWords(), 300, 0, 0
    for _ in range(trials):
        reports = bound.randomize(generator.choice(codes, 2_000), words)
        estimate = bound.estimate(bound.tally(reports))
        assert estimate.answered is not None
        covered += bool(estimate.lower[0] <= truth <= estimate.upper[0])
        named += bool(estimate.answered.lower[0] <= share <= estimate.answered.upper[0])
    # At a coverage of 92 % fewer than 246 of 300 happen less often than once in 10^9 runs.
    assert covered >= 246
    assert named >= 246


def test_that_the_interval_of_a_mean_holds_when_rare_reports_are_lacking() -> None:
    """On a fine grid the two ends of bounded Laplace tell nearly all, and few report them."""
    domain = Integer(lower=0, upper=1_000)
    bound = mechanism_named("bounded_laplace")(kind="bounded_laplace", epsilon=Decimal(1)).bind(
        domain
    )
    generator, words, covered = np.random.default_rng(3), SystemWords(), 0
    codes = np.clip(generator.lognormal(5.6, 0.6, 10_000), 0, 1_000).astype(np.int32)
    for _ in range(200):
        reports = bound.randomize(generator.choice(codes, 300), words)
        estimate = bound.estimate(bound.tally(reports))
        covered += bool(estimate.lower[0] <= codes.mean() <= estimate.upper[0])
    assert covered >= 160


def test_that_the_rule_for_readers_gives_the_estimate() -> None:
    """The sentence of the report, followed by hand on the released texts."""
    domain = Integer(lower=10, upper=20).with_missing(0.2)
    bound = _bind("piecewise", domain, "2")
    reports = bound.randomize(np.array([1, 5, 9, 11] * 500, dtype=np.int32), SystemWords())
    texts = [bound.outputs[report] for report in reports.tolist()]
    empty = sum(text == "" for text in texts) / len(texts)
    numbers = [float(text) for text in texts if text]
    p, q = bound.scores.p, bound.scores.q
    answered = (p - empty) / (p - q)
    alone = sum(numbers) / len(numbers)
    rule = bound.estimation_rule("")
    k = float(rule.split("k = ")[1].split(" ")[0])
    assert k == pytest.approx(15)
    mean = ((1 - empty) * alone - (1 - answered) * (1 - p) * k) / ((1 - q) * answered)
    estimate = bound.estimate(bound.tally(reports))
    assert estimate.value[0] == pytest.approx(mean, rel=1e-6)
    assert f"P = {p!r}" in rule
    assert f"Q = {q!r}" in rule


def test_that_a_domain_with_missing_answers_is_another_one() -> None:
    plain = Integer(lower=0, upper=10)
    missing = plain.with_missing(0.2)
    assert missing != plain
    assert missing.with_missing(0.0) == plain
    assert missing.size == plain.size == 11
    assert missing.model_dump() == plain.model_dump()
