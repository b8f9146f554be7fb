from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from dpdesk.data.reading import Reading
from dpdesk.data.table import TextColumn
from dpdesk.domains import Categorical, Integer
from dpdesk.engine.simulate.outcome import simulate_mean, simulate_shares
from dpdesk.mechanisms import EVERY_ANSWER, Sampling, mechanism_named, ranked
from dpdesk.mechanisms.choice import mean_accuracy
from dpdesk.mechanisms.estimates import Answers
from dpdesk.plan import ColumnPlan
from dpdesk.plan.given_answers import GivenAnswers, given_answers
from dpdesk.preview import PreviewRequest, request_for
from dpdesk.preview.outcome import ANSWERS_MAX, SHOWN_MAX, outcome_view
from tests.randomness.word_sources import ShakeWords

FIVE = Categorical(values=tuple("abcde"))
AGES = Integer(lower=18, upper=99, unit="years")
DRAWS = 400


def categories_of(domain: Categorical = FIVE) -> list[str]:
    """Every mechanism for these categories that is offered at epsilon 1."""
    return [c.mechanism.kind for c in ranked(domain, Decimal(1))]


def request_of(domain, kind: str, epsilon: str = "1", respondents: int = 3_000) -> PreviewRequest:
    mechanism = mechanism_named(kind).starting(domain, Decimal(epsilon))
    return PreviewRequest(domain, mechanism, respondents, 0, 1)


def answers(domain, texts: list[str], kind: str = "nominal") -> GivenAnswers:
    column = ColumnPlan(name="q", kind=kind, domain=domain)
    return given_answers(column, TextColumn.from_texts("q", texts), Reading())


@pytest.mark.parametrize("kind", categories_of())
@pytest.mark.parametrize("strategy", ["spl", "smp"])
def test_that_simulated_shares_are_unbiased_and_as_noisy_as_forecast(kind, strategy):
    request = replace(request_of(FIVE, kind), sampling=Sampling(strategy, 3))
    counts = np.array([1_500, 750, 450, 300, 0])
    forecast = request.forecast
    drawn = np.array([simulate_shares(forecast, counts, seed) for seed in range(DRAWS)])
    truth = counts / counts.sum()
    noise = np.array([forecast.accuracy(3_000, share).noise for share in truth.tolist()])
    assert np.abs(drawn.mean(axis=0) - truth).max() < 5 * noise.max() / np.sqrt(DRAWS)
    # The root mean square over the categories, which a matrix gives for all of them together.
    ratio = np.sqrt((drawn.std(axis=0) ** 2).mean() / (noise**2).mean())
    assert 0.88 < ratio < 1.12


@pytest.mark.parametrize("strategy", ["rsfd", "rsrfd"])
def test_that_shares_among_fakes_are_unbiased(strategy):
    counts = np.array([1_500, 750, 450, 300, 0])
    expected = (0.4, 0.3, 0.1, 0.1, 0.1) if strategy == "rsrfd" else ()
    request = replace(request_of(FIVE, "grr"), sampling=Sampling(strategy, 3), expected=expected)
    drawn = [simulate_shares(request.forecast, counts, seed) for seed in range(DRAWS)]
    error = np.std(drawn, axis=0).max() / np.sqrt(DRAWS)
    assert np.abs(np.mean(drawn, axis=0) - counts / 3_000).max() < 5 * error


@pytest.mark.parametrize("kind", [c.mechanism.kind for c in ranked(AGES, Decimal(1))])
def test_that_simulated_means_are_unbiased_and_as_noisy_as_forecast(kind):
    forecast = request_of(AGES, kind).forecast
    codes, counts = np.array([3, 20, 51]), np.array([400, 900, 200])
    edges = np.arange(-41, 124, 4) - 0.5
    truth = float(codes @ counts) / 1_500
    drawn = [simulate_mean(forecast, codes, counts, edges, seed) for seed in range(DRAWS)]
    means = np.array([one.mean for one in drawn])
    given = Answers(tuple(counts / 1_500), tuple(codes))
    noise = mean_accuracy(forecast, given, 1_500).noise
    assert abs(means.mean() - truth) < 5 * noise / np.sqrt(DRAWS)
    assert 0.88 * noise < means.std() < 1.12 * noise
    assert all(one.reports.sum() == pytest.approx(1) for one in drawn)


def test_that_the_outcome_shows_the_true_shares_where_there_are_data():
    texts = ["a"] * 60 + ["b"] * 30 + ["c"] * 10
    view = outcome_view(request_of(FIVE, "grr"), answers(FIVE, texts), seed=1)
    assert view.is_true
    assert view.truth.tolist() == [60.0, 30.0, 10.0, 0.0, 0.0]
    assert view.respondents == 100
    assert view.mean is None


def test_that_without_data_the_expected_distribution_stands_in():
    even = outcome_view(request_of(FIVE, "grr"), None, seed=1)
    assert not even.is_true
    assert even.truth.tolist() == [20.0] * 5
    request = replace(request_of(FIVE, "grr"), expected=(0.5, 0.25, 0.125, 0.125, 0.0))
    assert outcome_view(request, None, seed=1).truth.tolist() == [50.0, 25.0, 12.5, 12.5, 0.0]


def test_that_the_intervals_hold_the_truth_about_as_often_as_they_say():
    texts = ["a"] * 900 + ["b"] * 600 + ["c"] * 300 + ["d"] * 150 + ["e"] * 50
    given, request = answers(FIVE, texts), request_of(FIVE, "grr", respondents=2_000)
    views = [outcome_view(request, given, seed) for seed in range(300)]
    held = sum(view.within for view in views) / sum(view.intervals for view in views)
    # Of these respondents: the intervals are for the population, and a little wider.
    assert 0.94 < held < 0.995


def test_that_of_many_categories_the_most_frequent_are_drawn_in_their_order():
    domain = Categorical(values=tuple(f"v{i:02}" for i in range(40)))
    texts = [f"v{i:02}" for i in range(40) for _ in range(i + 1)]
    view = outcome_view(request_of(domain, "oue"), answers(domain, texts), seed=1)
    assert view.labels == tuple(f"v{i:02}" for i in range(40 - SHOWN_MAX, 40))
    assert (view.others, view.intervals) == (40 - SHOWN_MAX, 40)


def test_that_numbers_stand_on_an_axis_of_answers_and_fill_it():
    texts = [str(18 + (i * i) % 60) for i in range(500)]
    given = answers(AGES, texts, "integer")
    for kind in ("bounded_laplace", "duchi", "laplace"):
        view = outcome_view(request_of(AGES, kind, "0.1"), given, seed=1)
        assert view.truth.sum() == pytest.approx(100)
        # Not a flat line at the bottom, whatever the noise is.
        assert view.truth.max() > 0.3 * view.y_max
        assert view.mean is not None
        true = np.mean([int(text) for text in texts])
        assert view.mean[0] == pytest.approx(true, abs=AGES.span / ANSWERS_MAX / 2)
        span = view.x[-1] - view.x[0] + view.width
        assert span < 2.2 * AGES.span


def test_that_missing_answers_are_left_out_of_the_mean_and_their_reports_are_not_drawn():
    column = ColumnPlan(
        name="q", kind="integer", domain=AGES, role="protect",
        missing={"tokens": ("",), "policy": "protect"},
        mechanism=mechanism_named("bounded_laplace").starting(AGES, Decimal(2)),
    )  # fmt: skip
    texts = TextColumn.from_texts("q", ["30"] * 700 + ["50"] * 100 + [""] * 200)
    request = request_for(column, 1_000)
    assert request is not None
    view = outcome_view(request, given_answers(column, texts, Reading()), seed=1)
    assert view.released is None
    assert view.respondents == 800
    assert view.mean is not None
    assert view.mean[0] == pytest.approx(32.5)


@pytest.mark.parametrize("attributes", [1, 3])
def test_that_the_error_shown_is_that_of_the_true_share_of_missing_answers(attributes):
    column = ColumnPlan(
        name="q", kind="integer", domain=AGES, role="protect",
        missing={"tokens": ("",), "policy": "protect"},
        mechanism=mechanism_named("duchi").starting(AGES, Decimal(2)),
    )  # fmt: skip
    texts = ["30"] * 600 + ["60"] * 400 + [""] * 3_000
    given = given_answers(column, TextColumn.from_texts("q", texts), Reading())
    sampling = Sampling("smp", attributes) if attributes > 1 else EVERY_ANSWER
    request = request_for(column, len(texts), sampling=sampling)
    assert request is not None
    bound = request.mechanism.bind(request.domain)
    truth = np.repeat(given.codes, given.code_counts).astype(np.int32)
    generator, words = np.random.default_rng(1), ShakeWords("missing")
    estimates = []
    for _ in range(200):
        group = truth[generator.random(truth.size) < 1 / attributes]
        estimates.append(bound.estimate(bound.tally(bound.randomize(group, words))).value[0])
    views = [outcome_view(request, given, seed) for seed in range(200)]
    shown = np.array([view.mean for view in views])
    noise = np.sqrt((shown[0, 2] / 1.96) ** 2 - 30**2 * 0.24 / 1_000)
    assert np.std(estimates) == pytest.approx(noise, rel=0.15)
    assert np.std(shown[:, 1]) == pytest.approx(noise, rel=0.15)


def test_that_without_data_the_error_of_a_mean_is_that_of_the_plan():
    column = ColumnPlan(
        name="q", kind="integer", domain=AGES, role="protect",
        missing={"policy": "protect", "supposed_share": "0.5"},
        mechanism=mechanism_named("duchi").starting(AGES, Decimal(2)),
    )  # fmt: skip
    request = request_for(column, 4_000)
    assert request is not None
    view = outcome_view(request, None, seed=1)
    assert (view.respondents, view.mean[2]) == (
        2_000,
        pytest.approx(1.96 * request.accuracy.total, rel=0.02),
    )


def weighted_view(first, second, kind, domain, mechanism):
    """The outcome of two answers: two in five gave the first, with less weight, 28 % of it."""
    texts = [first] * 400 + [second] * 600
    weights = np.array([0.7] * 400 + [1.2] * 600)
    column = ColumnPlan(name="q", kind=kind, domain=domain)
    answers = TextColumn.from_texts("q", texts)
    given = given_answers(column, answers, Reading(), ("w", weights))
    return outcome_view(request_of(domain, mechanism, "20"), given, seed=1)


def test_that_the_truth_is_weighted_where_estimates_are():
    view = weighted_view("a", "b", "nominal", FIVE, "grr")
    assert view.truth == pytest.approx([28, 72, 0, 0, 0])
    assert view.released == pytest.approx([28, 72, 0, 0, 0], abs=0.1)
    assert view.respondents == round(1_000**2 / (400 * 0.49 + 600 * 1.44))


def test_that_a_true_mean_is_weighted_where_the_estimate_is():
    view = weighted_view("20", "60", "integer", AGES, "bounded_laplace")
    assert view.mean is not None
    assert view.mean[0] == pytest.approx(0.28 * 20 + 0.72 * 60, abs=0.03)


@pytest.mark.parametrize("is_weighted", [False, True])
def test_that_the_true_mean_is_that_of_the_file_whatever_the_simulation_rounds(is_weighted):
    generator = np.random.default_rng(5)
    ages = generator.integers(18, 100, 300)
    weights = generator.uniform(0.1, 9, ages.size) if is_weighted else np.ones(ages.size)
    column = ColumnPlan(name="q", kind="integer", domain=AGES)
    texts = TextColumn.from_texts("q", [str(age) for age in ages.tolist()])
    given = given_answers(column, texts, Reading(), ("w", weights) if is_weighted else None)
    request = request_of(AGES, "bounded_laplace")
    means = np.array([outcome_view(request, given, seed).mean for seed in range(200)])
    assert means[0, 0] == pytest.approx(np.average(ages, weights=weights), abs=1e-9)
    # What is released is around it, too.
    assert abs((means[:, 1] - means[:, 0]).mean()) < 4 * means[0, 2] / 1.96 / np.sqrt(200)


def test_that_an_outcome_tells_whether_anybody_answered():
    for domain, kind, answer in ((AGES, "integer", "40"), (FIVE, "nominal", "a")):
        column = ColumnPlan(name="q", kind=kind, domain=domain)
        mechanism = ranked(domain, Decimal(1))[0].mechanism
        request = PreviewRequest(domain, mechanism, 3, 0, 1)
        for texts, answered in ((["", "", ""], False), (["", "", answer], True)):
            given = given_answers(column, TextColumn.from_texts("q", texts), Reading())
            assert outcome_view(request, given, 1).answered is answered
        assert outcome_view(request, None, 1).answered
