"""What a report promises of its estimates, over many releases: margins, verdicts, counts."""

from __future__ import annotations

from decimal import Decimal
from math import sqrt

import numpy as np
import pytest

from dpdesk.domains import Categorical
from dpdesk.estimation.released import Released, ReleasedAttribute, bind_attributes
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.reports.parameters import AttributeParameters, parameters
from dpdesk.reports.respondent_page import page_of_records
from tests.randomness.word_sources import ShakeWords

SHARES = np.array([0.6, 0.2, *[0.02] * 10])
ROWS, RELEASES = 1_500, 240


def released(kind: str, epsilon: str, seed: int, generator: np.random.Generator) -> Released:
    """A release of people drawn from a population with `SHARES`."""
    column = ColumnPlan(
        name="q", kind="nominal", domain=Categorical(values=tuple("abcdefghijkl")), confirmed=True,
        role="protect", mechanism=mechanism_named(kind)(epsilon=Decimal(epsilon)),
    )  # fmt: skip
    plan = Plan(columns=(column,))
    ((_, bound),) = bind_attributes(plan)
    codes = generator.choice(len(SHARES), ROWS, p=SHARES).astype(np.int32)
    reports = bound.randomize(codes, ShakeWords(f"{kind} {seed}"))
    return Released(plan, ROWS, (ReleasedAttribute(column, bound, bound.tally(reports)),))


def facts_of(release: Released) -> AttributeParameters:
    (facts,) = parameters(release).attributes
    return facts


@pytest.mark.parametrize("kind", ["grr", "oue"])
def test_that_the_margin_of_a_question_holds_for_common_and_rare_categories(kind: str) -> None:
    """At a large epsilon the error of a common category is twice that of one in twelve."""
    generator = np.random.default_rng(7)
    held = np.zeros(len(SHARES))
    for seed in range(RELEASES):
        release = released(kind, "5", seed, generator)
        (attribute,) = release.attributes
        far = np.abs(attribute.estimate.value - SHARES)
        held += far <= facts_of(release).error_95
    # 0.95 less three standard errors of so many releases; no less, however common.
    assert (held / RELEASES).min() > 0.95 - 3 * sqrt(0.95 * 0.05 / RELEASES)
    # That of the category that decides it is no wider than it need be.
    assert held[0] / RELEASES < 0.995


@pytest.mark.parametrize("epsilon", ["0.5", "2", "6"])
def test_that_published_verdicts_are_those_of_the_released_estimates(epsilon: str) -> None:
    generator = np.random.default_rng(11)
    for seed in range(12):
        release = released("grr", epsilon, 1_000 + seed, generator)
        (attribute,), facts = release.attributes, facts_of(release)
        useful = useless = 0
        estimates = attribute.estimate
        for value, error in zip(
            estimates.value, 1.959963984540054 * estimates.total_error, strict=True
        ):
            share = min(max(value, 0.0), 1.0)
            size = min(share, sqrt(share * (1 - share)) / 2)
            useful += bool(size > 0 and error <= size / 3)
            useless += bool(size <= 0 or error > size)
        assert (facts.estimates_useful, facts.estimates_all) == (useful, len(SHARES))
        whole = "useful" if useful == 12 else "useless" if 2 * useless >= 12 else "coarse"
        assert facts.usefulness == whole
        page = page_of_records(release, (facts,))
        told = next(said for said in page.good_for if "estimates are useful" in said)
        assert f"{useful} of 12 estimates are useful" in told
        smaller = sum(estimates.value < 1.959963984540054 * estimates.total_error)
        assert useful <= 12 - smaller
