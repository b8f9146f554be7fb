from __future__ import annotations

import numpy as np
import pytest

from dpdesk.mechanisms import fitting, kind_of
from dpdesk.preview import accuracy_view, belief_view, draws_view, figures
from dpdesk.preview.draws import COLUMNS
from tests.preview.preview_requests import AGE, BINARY, CASES, HAPPY, NAMES, request


@pytest.mark.parametrize(("domain", "kind"), CASES, ids=NAMES)
def test_that_the_curves_pass_through_the_current_choice(domain, kind):
    asked = request(domain, kind, "1.5")
    view = accuracy_view(asked)
    assert view.error == pytest.approx(figures(asked).error)
    at_epsilon = np.interp(np.log(1.5), np.log(view.epsilons), np.log(view.chosen.by_epsilon))
    assert np.exp(at_epsilon) == pytest.approx(view.error, rel=0.01)
    at_count = np.interp(
        np.log(10_000), np.log(view.respondents), np.log(view.chosen.by_respondents)
    )
    assert np.exp(at_count) == pytest.approx(view.error, rel=1e-6)


@pytest.mark.parametrize(("domain", "kind"), CASES, ids=NAMES)
def test_that_errors_fall_with_epsilon_and_never_below_those_without_protection(domain, kind):
    view = accuracy_view(request(domain, kind))
    for curve in (view.chosen, *view.others):
        # The square wave rises a little where its window loses its last grid points.
        assert curve.kind == "square_wave" or np.all(np.diff(curve.by_epsilon) < 0)
        assert np.all(curve.by_epsilon >= view.floor * (1 - 1e-12))
        assert np.all(curve.by_respondents >= view.unprotected * (1 - 1e-12))


def test_that_every_other_mechanism_that_could_be_chosen_is_compared():
    for domain, kind in ((BINARY, "grr"), (AGE, "duchi")):
        view = accuracy_view(request(domain, kind))
        kinds = [kind_of(m) for m in fitting(domain) if m.adjustable]
        assert [c.kind for c in view.others] == [other for other in kinds if other != kind]
        assert view.chosen.kind == kind


def test_that_the_axes_stay_while_epsilon_moves():
    views = [accuracy_view(request(HAPPY, "grr", e)) for e in ("0.05", "1", "20")]
    assert len({v.error_range for v in views}) == 1
    assert len({(v.epsilons[0], v.epsilons[-1]) for v in views}) == 1


def test_that_an_epsilon_beyond_the_usual_axis_widens_it():
    view = accuracy_view(request(HAPPY, "grr", "30"))
    assert view.epsilons[0] < 0.05
    assert view.epsilons[-1] == 40


def test_that_a_belief_of_one_half_moves_to_the_odds_of_epsilon():
    view = belief_view(2.0, 0.5)
    assert view.raised / (1 - view.raised) == pytest.approx(np.exp(2))
    assert view.lowered == pytest.approx(1 - view.raised)
    assert (view.dots_before, view.dots_after) == (50, 88)


@pytest.mark.parametrize("epsilon", [0.0001, 1.0, 40.0])
def test_that_certainty_is_moved_by_no_report(epsilon):
    view = belief_view(epsilon, 0.2)
    assert (view.highest[0], view.highest[-1]) == (0, 1)
    assert (view.lowest[0], view.lowest[-1]) == (0, 1)
    assert np.all(view.highest >= view.lowest)


@pytest.mark.parametrize(("domain", "kind"), CASES, ids=NAMES)
def test_that_about_95_percent_of_the_draws_lie_within_the_error(domain, kind):
    view = draws_view(request(domain, kind), seed=1)
    count = len(view.estimates)
    # Four standard deviations of a binomial of 100 draws: 0.95 +- 0.087.
    assert 0.863 * count <= view.within(count) <= count


@pytest.mark.parametrize(("domain", "kind"), CASES, ids=NAMES)
def test_that_the_draws_spread_around_the_truth_as_the_formula_says(domain, kind):
    view = draws_view(request(domain, kind), seed=7)
    deviation = view.error / 1.959964
    count = len(view.estimates)
    assert view.estimates.mean() == pytest.approx(view.truth, abs=4 * deviation / count**0.5)
    assert view.estimates.std() == pytest.approx(deviation, rel=0.28)


def test_that_a_seed_gives_its_draws_again_and_another_gives_others():
    first = draws_view(request(HAPPY, "grr"), seed=1)
    draws_view.cache_clear()
    again, other = draws_view(request(HAPPY, "grr"), seed=1), draws_view(request(HAPPY, "grr"), 2)
    assert np.array_equal(first.estimates, again.estimates)
    assert not np.array_equal(first.estimates, other.estimates)


@pytest.mark.parametrize(("domain", "kind"), CASES, ids=NAMES)
def test_that_each_dot_stands_in_the_column_of_its_estimate(domain, kind):
    view = draws_view(request(domain, kind), seed=7)
    low, high = view.x_range
    assert view.width == pytest.approx((high - low) / COLUMNS)
    inside = (low <= view.estimates) & (view.estimates < high)
    assert inside.mean() > 0.9
    apart = np.abs(view.x - view.estimates)[inside]
    assert (apart <= view.width / 2 * (1 + 1e-9)).all()


def test_that_no_two_dots_lie_on_each_other():
    view = draws_view(request(AGE, "bounded_laplace"), seed=1)
    assert len(set(zip(view.x.tolist(), view.y.tolist(), strict=True))) == len(view.x)


def test_that_the_axis_of_the_draws_moves_in_steps_only():
    ranges = {draws_view(request(HAPPY, "grr", f"1.{i}"), seed=1).x_range for i in range(10)}
    assert len(ranges) <= 3
