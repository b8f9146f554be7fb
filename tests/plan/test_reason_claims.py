"""Reasons beside verdicts, and what is offered, as claims that the test works out by itself."""

from __future__ import annotations

from decimal import Decimal
from math import sqrt

import numpy as np
import pytest

from dpdesk.domains import Integer
from dpdesk.mechanisms import mechanism_named
from dpdesk.mechanisms.sampling import Sampling
from dpdesk.plan import Plan, check, choose_best, resplit
from dpdesk.plan.given_answers import with_counts_of
from dpdesk.plan.joint_errors import wanted_analysis
from dpdesk.plan.outlook import better_strategy
from dpdesk.plan.release_usefulness import usefulness_of_records
from dpdesk.plan.remedies import remedies
from dpdesk.plan.usefulness import ReleasedMean, usefulness_of
from tests.plan.test_verdict_claims import (
    SEEDS,
    Z,
    answers_of,
    chances,
    column,
    of_all,
    size_of,
    surveyed,
    verdict,
)

TOO_FEW = "too few in any case"


@pytest.mark.parametrize("seed", range(30))
def test_that_respondents_are_the_cause_only_where_the_verdict_is_theirs(seed: int) -> None:
    plan, table = surveyed(900 + seed)
    for name, worth in usefulness_of_records(with_counts_of(plan, table)).by_name.items():
        own, texts = plan.column(name), answers_of(table, name)
        p, q = chances(own.mechanism.kind, float(own.mechanism.epsilon), own.domain.size)
        verdicts: dict[bool, list[str]] = {True: [], False: []}
        for value in own.domain.values:
            share = sum(text == value for text in texts) / table.rows
            support = share * p + (1 - share) * q
            for protected, variance in (
                (True, support * (1 - support) / (p - q) ** 2),
                (False, share * (1 - share)),
            ):
                error = Z * sqrt(max(variance, 0) / table.rows)
                verdicts[protected].append(verdict(error, size_of(share)))
        with_protection, alone = (of_all(verdicts[which]) for which in (True, False))
        theirs = with_protection == alone != "useful"
        assert worth.verdict == with_protection
        assert (TOO_FEW in worth.reason) == theirs, worth.reason
        assert "without protection" in worth.reason
        most = len(verdicts[False]) - sum(v != "useful" for v in verdicts[False])
        useful = verdicts[True].count("useful")
        assert worth.is_best_possible == (useful >= most and useful > 0)


def test_that_the_cause_is_looked_for_in_few_and_in_many_respondents() -> None:
    told = set()
    for rows in (40, 2_000, 1_000_000):
        for epsilon in ("0.1", "3"):
            own = column("q", 4, "grr", epsilon)
            worth = usefulness_of_records(Plan(columns=(own,), respondents=rows)).by_name["q"]
            told.add((worth.verdict, TOO_FEW in worth.reason))
    assert ("useful", True) not in told
    assert {("useful", False), ("useless", False)} <= told
    assert any(few for _, few in told)


@pytest.mark.parametrize("seed", SEEDS)
def test_that_a_released_mean_is_judged_by_its_own_errors(seed: int) -> None:
    drawn = np.random.default_rng(seed)
    domain = Integer(lower=0, upper=int(drawn.choice([10, 100])))
    law = mechanism_named("piecewise")(epsilon=Decimal(2))
    mean, error = float(drawn.uniform(0, domain.upper)), float(10 ** drawn.uniform(-2, 1.5))
    alone = error * float(drawn.uniform(0.1, 1))
    released = ReleasedMean(mean, error, alone)
    found = usefulness_of(law, domain, Sampling("spl", 1), 500.0, released=released)
    of_bounds = domain.upper * sqrt((domain.upper + 2) / (12 * domain.upper)) / 2
    size = min(mean, domain.upper - mean, of_bounds)
    assert (found.error, found.unprotected) == (error, alone)
    assert found.size == pytest.approx(size)
    assert found.verdict == verdict(error, size)
    theirs = verdict(error, size) == verdict(alone, size) != "useful"
    assert (TOO_FEW in found.reason) == theirs


@pytest.mark.parametrize("seed", SEEDS)
def test_that_a_table_of_the_file_says_that_its_shares_are_those_of_the_file(seed: int) -> None:
    plan, table = surveyed(1000 + seed)
    for of_file in (True, False):
        judged = with_counts_of(plan, table) if of_file else plan
        found = wanted_analysis(judged, "q0 x q1").error.usefulness
        assert found.of_file == of_file


@pytest.mark.parametrize("seed", SEEDS)
def test_that_whoever_protects_several_is_told_what_fewer_would_give(seed: int) -> None:
    """The most that stay useful at the same total, or the one alone."""
    plan, _ = surveyed(1100 + seed)
    for number in range(1, len(plan.columns) + 1):
        some = resplit(
            Plan(columns=plan.columns[:number], respondents=plan.respondents), Decimal(1)
        )
        offered = {remedy.kind: remedy for remedy in remedies(some, some.protected[0])}
        assert ("fewer" in offered) == (number > 1)


def test_that_no_strategy_is_called_better_that_is_not() -> None:
    """At a large budget the noise is little, and one answer of each person is lost precision."""
    worse = 0
    for seed in range(20):
        plan, _ = surveyed(1200 + seed)
        plan = choose_best(resplit(plan, Decimal(24)))
        sampled = choose_best(resplit(plan.with_fields(strategy="smp"), Decimal(24)))
        now, then = (usefulness_of_records(one).by_name for one in (plan, sampled))
        gains = sorted(then[name].error / now[name].error for name in now)
        if gains[len(gains) // 2] > 1:
            worse += 1
            assert better_strategy(plan) is None
    assert worse > 10


def test_that_of_nothing_no_estimate_is_counted() -> None:
    kept = column("q", 3, "grr", "1").changed(role="keep", mechanism=None, keep_confirmed=True)
    assert tuple(usefulness_of_records(Plan(columns=(kept,))).counts) == (0, 0, 0)
    assert "no_prevalence" not in {problem.code for problem in check(Plan(columns=(kept,)))}
