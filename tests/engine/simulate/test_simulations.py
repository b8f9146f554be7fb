from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from dpdesk.domains import Categorical, Integer
from dpdesk.mechanisms import MECHANISMS, Mechanism
from tests.engine.simulate import simulation_checks as checks
from tests.engine.simulate.bound_tallies import simulate_tally

DOMAINS = (
    Categorical(values=("a", "b")),
    Categorical(values=("a", "b", "c", "d", "e")),
    Integer(lower=0, upper=10),
)
CASES = [
    (mechanism, domain)
    for mechanism in MECHANISMS
    for domain in DOMAINS
    if mechanism.misfit(domain) is None
]


def test_that_counts_of_symbols_have_the_law_of_respondents() -> None:
    checks.symbol_counts_are_those_of_respondents()


def test_that_counts_of_bits_have_the_law_of_respondents() -> None:
    checks.support_counts_are_those_of_respondents()


def test_that_counts_of_any_channel_have_the_law_of_respondents() -> None:
    checks.channel_counts_are_those_of_respondents()


def test_that_counts_with_fakes_have_the_law_of_respondents() -> None:
    checks.fake_data_counts_are_those_of_respondents()


def test_that_counts_of_sampled_attributes_have_the_law_of_respondents() -> None:
    checks.sampled_counts_are_those_of_respondents()


def test_that_shares_from_expected_counts_are_the_true_ones() -> None:
    checks.shares_are_unbiased_for_expected_counts()


@pytest.mark.parametrize(
    ("mechanism", "domain"), CASES, ids=[f"{m.__name__}-{d.size}" for m, d in CASES]
)
def test_that_a_billion_respondents_give_back_the_truth_with_every_mechanism(
    mechanism: type[Mechanism], domain: Categorical | Integer
) -> None:
    bound = mechanism.starting(domain, Decimal(1)).bind(domain)
    counts = np.arange(1, domain.size + 1) * 10**9 // 10
    tally = simulate_tally(bound, counts, np.random.default_rng(5))
    assert tally.reports == counts.sum()
    estimate = bound.estimate(tally)
    shares = counts / counts.sum()
    truth = shares if estimate.quantity == "share" else np.array([shares @ np.arange(domain.size)])
    assert np.all(np.abs(estimate.value - truth) < 6 * estimate.total_error + 1e-9)


@pytest.mark.parametrize(
    ("mechanism", "domain"), CASES, ids=[f"{m.__name__}-{d.size}" for m, d in CASES]
)
def test_that_simulated_estimates_spread_as_their_noise_error_says(
    mechanism: type[Mechanism], domain: Categorical | Integer
) -> None:
    bound = mechanism.starting(domain, Decimal(1)).bind(domain)
    counts = np.arange(1, domain.size + 1) * 10_000
    generator = np.random.default_rng(8)
    estimates = [bound.estimate(simulate_tally(bound, counts, generator)) for _ in range(100)]
    spread = np.var([estimate.value for estimate in estimates], axis=0, ddof=1).sum()
    noise = np.mean([estimate.noise_error**2 for estimate in estimates], axis=0).sum()
    # Where the reports do not identify the noise, its bound is given for it.
    assert spread < 1.6 * noise
    if not np.isnan(estimates[0].sampling_error).any():
        assert spread > 0.6 * noise
