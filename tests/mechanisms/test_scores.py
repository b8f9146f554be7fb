"""What each report tells by itself adds up to what all reports tell together."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from dpdesk.domains import AnyDomain
from dpdesk.errors import ParameterError
from dpdesk.learning.curve import SeededWords
from dpdesk.mechanisms import MECHANISMS, BoundMechanism, Sampling, kind_of, mechanism_named
from dpdesk.plan import ColumnPlan
from dpdesk.plan.losses import bind_column
from tests.mechanisms.estimator_checks import categories
from tests.mechanisms.exact_moments import report_law
from tests.mechanisms.test_contract import ENUMERATED, domain_of

LISTED = [kind_of(m) for m in MECHANISMS if not domain_of(kind_of(m)).holds_numbers]
NUMERIC = [kind for kind in ENUMERATED if domain_of(kind).holds_numbers]


def _bound(kind: str, domain: AnyDomain | None = None) -> BoundMechanism:
    domain = domain or domain_of(kind)
    return mechanism_named(kind).starting(domain, Decimal(1)).bind(domain)


def _require_that_scores_are_totals(bound: BoundMechanism) -> None:
    words = SeededWords(3)
    codes = np.arange(300, dtype=np.int32) % bound.size
    reports = bound.randomize(codes, words)
    weights = np.stack((np.ones(300), np.linspace(-1.0, 2.0, 300)))
    scores = bound.report_scores(reports)
    assert scores.shape == (300, bound.size)
    totals = bound.totals(bound.counts(reports, weights), weights.sum(axis=1))
    assert np.allclose(weights @ scores, totals, atol=1e-8)
    # Scores of some reports do not depend on the others.
    assert np.allclose(bound.report_scores(reports[7:9]), scores[7:9])


@pytest.mark.parametrize("kind", LISTED)
def test_that_sums_of_scores_are_totals(kind: str) -> None:
    _require_that_scores_are_totals(_bound(kind))


@pytest.mark.parametrize("kind", ["olh", "hadamard", "rappor", "subset_selection"])
def test_that_sums_of_scores_are_totals_of_many_categories(kind: str) -> None:
    _require_that_scores_are_totals(_bound(kind, categories(37)))


@pytest.mark.parametrize(("kind", "fakes"), [("grr", "zeros"), ("sue", "zeros"), ("oue", "random")])
@pytest.mark.parametrize("strategy", ["rsfd", "rsrfd"])
def test_that_mean_scores_of_reports_that_may_be_fake_are_estimates(
    kind: str, fakes: str, strategy: str
) -> None:
    column = ColumnPlan(
        name="x",
        kind="nominal",
        domain=categories(3),
        role="protect",
        mechanism=mechanism_named(kind)(kind=kind, epsilon=Decimal(1)),
        expected=(1, 2, 3),
    )
    bound = bind_column(Sampling(strategy, 3, fakes), column)  # type: ignore[arg-type]
    reports = bound.randomize(np.arange(600, dtype=np.int32) % 3, SeededWords(4))
    found = bound.estimate(bound.tally(reports)).value
    assert np.allclose(bound.report_scores(reports).mean(axis=0), found)


@pytest.mark.parametrize("kind", NUMERIC)
def test_that_scores_of_numbers_expect_answer_and_square(kind: str) -> None:
    bound = _bound(kind)
    table = bound.number_scores
    assert table is not None
    places = np.linspace(0.0, bound.domain.span, bound.size)
    told = ~np.isnan(table[0])
    for code, place in enumerate(places):
        law = report_law(bound, code)
        mean = sum((float(p) * (np.array(c) @ table) for c, p in law.items()), np.zeros(3))
        assert np.allclose(mean[told], np.array([1.0, place, place**2])[told], rtol=1e-7, atol=1e-6)
    assert told.all() == (kind != "duchi")


def test_that_categories_have_no_numbers_and_numbers_no_categories() -> None:
    assert _bound("grr").number_scores is None
    with pytest.raises(ParameterError, match="numbers"):
        _bound("laplace").report_scores(np.zeros(3, dtype=np.int32))
