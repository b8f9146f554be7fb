from __future__ import annotations

from decimal import Decimal
from itertools import combinations, product
from math import exp, log, tanh

import numpy as np
import pytest

from dpdesk.channel.hashing import HashFamily
from dpdesk.composition import divergences
from dpdesk.mechanisms import MECHANISMS, kind_of, mechanism_named
from dpdesk.preview import loss_view
from dpdesk.preview.divergences import ATOMS_MAX
from tests.preview.every_kind import TELLING, asked
from tests.preview.preview_requests import AGE, FINE, HAPPY, OCCUPATION, request

KINDS = {kind_of(kind): kind for kind in MECHANISMS}
IDS = ["-".join(case) for case in TELLING]


@pytest.mark.parametrize("case", TELLING, ids=IDS)
def test_that_no_report_of_any_mechanism_loses_more_than_epsilon(case) -> None:
    kind, domain, strategy = case
    for epsilon in ("0.1", "1", "6"):
        view = loss_view(asked(KINDS[kind], domain, strategy, epsilon))
        assert view.apart.epsilon <= view.epsilon * (1 + 1e-9)
        assert max(view.apart.kl) <= view.epsilon * tanh(view.epsilon / 2) * (1 + 1e-9)
        assert np.all(view.delta <= view.allowed + 1e-12)
        assert view.first.sum() == pytest.approx(1)
        assert view.second.sum() == pytest.approx(1)
        assert np.abs(view.x).max() <= view.x_max


REACHED = ("warner", "grr", "sue", "oue", "subset_selection", "olh", "blh", "hadamard")


@pytest.mark.parametrize("kind", REACHED)
def test_that_randomizers_of_categories_lose_exactly_epsilon_between_any_two(kind) -> None:
    domain = "binary" if kind == "warner" else "small"
    view = loss_view(asked(KINDS[kind], domain, epsilon="1.5"))
    assert view.apart.maximum == pytest.approx((1.5, 1.5))
    assert not view.binned


def test_that_grr_has_three_losses_with_the_chances_of_its_report() -> None:
    view = loss_view(request(HAPPY, "grr", "2"))
    assert view.x == pytest.approx([-2, 0, 2], abs=1e-12)
    assert view.first == pytest.approx([0.1065, 0.1065, 0.7870], abs=5e-5)
    assert view.second == pytest.approx([0.7870, 0.1065, 0.1065], abs=5e-5)


@pytest.mark.parametrize("kind", ["oue", "sue"])
def test_that_reports_of_bits_have_the_loss_of_all_their_bits_together(kind) -> None:
    """Every report of three bits is written down."""
    mechanism = mechanism_named(kind)(epsilon=Decimal("1.2"))
    forecast = mechanism.forecast(HAPPY)
    laws = [
        [
            float(
                np.prod(
                    [chance if bit else 1 - chance for bit, chance in zip(bits, row, strict=True)]
                )
            )
            for bits in product((0, 1), repeat=3)
        ]
        for row in (forecast.probabilities(0), forecast.probabilities(1))
    ]
    whole, ours = divergences(*laws), mechanism.divergences(HAPPY, 0, 1)
    assert ours.forward.x == pytest.approx(whole.forward.x, abs=1e-12)
    assert ours.forward.masses == pytest.approx(whole.forward.masses)


def test_that_subset_selection_has_the_loss_of_every_subset() -> None:
    mechanism = mechanism_named("subset_selection")(epsilon=Decimal("0.7"))
    k = OCCUPATION.size
    members = mechanism.members_of(k)
    subsets = list(combinations(range(k), members))
    laws = [
        np.array([exp(0.7) if code in subset else 1.0 for subset in subsets]) for code in (0, 1)
    ]
    whole = divergences(*(law / law.sum() for law in laws))
    ours = mechanism.divergences(OCCUPATION, 0, 1)
    assert ours.forward.masses == pytest.approx(whole.forward.masses)
    assert ours.kl == pytest.approx(whole.kl)


@pytest.mark.parametrize(("kind", "buckets"), [("blh", 2), ("olh", 4)])
def test_that_hashed_reports_lose_nothing_where_both_answers_share_a_bucket(kind, buckets) -> None:
    mechanism = mechanism_named(kind)(epsilon=Decimal("1.1"))
    collision = float(HashFamily(buckets).collision())
    p = exp(1.1) / (exp(1.1) + buckets - 1)
    apart = mechanism.divergences(OCCUPATION, 0, 1)
    assert apart.forward.masses[-1] == pytest.approx((1 - collision) * p)
    assert apart.forward.masses[0] == pytest.approx((1 - collision) * p * exp(-1.1))


def test_that_rappor_has_the_loss_of_its_bloom_filters() -> None:
    mechanism = mechanism_named("rappor")(epsilon=Decimal("1"), bits=4, hashes=2, cohorts=2)
    filters = mechanism.design(HAPPY).filters
    keep = 1 / (1 + exp(-1 / 4))
    laws = []
    for code in (0, 1):
        laws.append(
            [
                float(np.prod(np.where(filters[cohort, code] == bits, keep, 1 - keep))) / 2
                for cohort in range(2)
                for bits in product((False, True), repeat=4)
            ]
        )
    whole, ours = divergences(*laws), mechanism.divergences(HAPPY, 0, 1)
    assert ours.kl == pytest.approx(whole.kl)
    assert ours.epsilon == pytest.approx(whole.epsilon)
    grid = np.linspace(0, 1, 30)
    assert ours.delta(grid) == pytest.approx(whole.delta(grid))


def test_that_many_losses_are_put_together_without_losing_any_chance() -> None:
    view = loss_view(request(FINE, "bounded_laplace", "1"))
    assert view.apart.forward.x.size > ATOMS_MAX
    assert view.binned
    # Measures are of the law itself, not of its bins.
    laws = [view.apart.forward.masses, view.apart.forward.x]
    assert view.apart.kl[0] == pytest.approx(float(laws[0] @ laws[1]))
    assert view.first.sum() == pytest.approx(1)


@pytest.mark.parametrize(("domain", "kind"), [(HAPPY, "grr"), (AGE, "bounded_laplace")])
def test_that_the_axes_stay_while_epsilon_moves(domain, kind) -> None:
    views = [loss_view(request(domain, kind, e)) for e in ("1.01", "2", "3.95", "4")]
    assert {(view.x_max, view.delta_max) for view in views} == {(4.8, 1.12 * tanh(2))}
    assert all(view.delta.max() <= view.delta_max for view in views)
    assert loss_view(request(domain, kind, "40")).x_max == 48


def test_that_made_up_reports_are_named_and_left_out() -> None:
    mixed, alone = (
        loss_view(asked(KINDS["grr"], "small", strategy)) for strategy in ("zeros", "every answer")
    )
    assert mixed.of_real_reports
    assert not alone.of_real_reports
    assert mixed.apart.epsilon == pytest.approx(mixed.epsilon)


def test_that_randomized_response_is_as_bad_as_epsilon_allows() -> None:
    view = loss_view(asked(KINDS["warner"], "binary", epsilon="0.8"))
    assert view.delta == pytest.approx(view.allowed, abs=1e-12)
    assert view.apart.kl[0] == pytest.approx(0.8 * tanh(0.4))
    assert log(float(view.apart.ratios[0])) == pytest.approx(0.8)
