from __future__ import annotations

import re
from math import exp

import numpy as np
import pytest

from dpdesk.domains import Categorical
from dpdesk.mechanisms import mechanism_named
from dpdesk.preview import (
    PreviewRequest,
    accuracy_view,
    choice_view,
    draws_view,
    explain_choice,
    figures,
    noise_view,
)
from dpdesk.preview.texts import T
from tests.preview.every_kind import TELLING, asked
from tests.texts import only_said, values_in

NAMES = ["-".join(case) for case in TELLING]
EPSILONS = ("0.1", "1", "4", "12")

# A whole number inside: the window of the square wave loses 2 of its 3 grid points at once.
RISE_MOST = {"square_wave": 0.35, "piecewise": 0.08, "hybrid": 0.05, "olh": 0.03}


def requests(case: tuple[str, str, str]) -> list[PreviewRequest]:
    kind, domain, strategy = case
    found = [
        asked(mechanism_named(kind), domain, strategy, epsilon, expected=expected)
        for epsilon in EPSILONS
        for expected in (False, True)
    ]
    return list(dict.fromkeys(found))


@pytest.mark.parametrize("case", TELLING, ids=NAMES)
def test_that_no_law_leaves_its_band_its_axis_or_its_points(case):
    for request in requests(case):
        view = noise_view(request)
        # A chance near 1 leaves its complement few digits.
        rounding = 1e-15 * exp(request.mechanism.epsilon)
        assert np.all(view.second >= view.lower * (1 - 1e-9) - rounding)
        assert np.all(view.second <= view.upper * (1 + 1e-9) + rounding)
        assert view.first.shape == view.second.shape == view.x.shape
        assert 2 <= len(view.x) <= 320
        assert np.all(np.diff(view.x) > 0)
        assert min(view.first.min(), view.second.min()) >= 0
        assert max(view.first.max(), view.second.max()) <= view.y_max
        for spike in view.spikes:
            assert spike.lower * (1 - 1e-9) <= spike.second <= spike.upper * (1 + 1e-9)


@pytest.mark.parametrize("case", TELLING, ids=NAMES)
def test_that_chances_of_symbols_sum_to_one_with_what_lies_beyond_the_picture(case):
    for request in requests(case):
        forecast = request.forecast
        if forecast.form != "symbol":
            continue
        for code in (request.first, request.second):
            law = forecast.probabilities(code)
            assert law.sum() == pytest.approx(1, rel=1e-9)
        view = noise_view(request)
        complete = forecast.outputs == len(view.x) + len(view.spikes)
        if complete:
            shown = view.first.sum() + sum(spike.first for spike in view.spikes)
            assert shown == pytest.approx(1 - view.beyond[0], rel=1e-9)


@pytest.mark.parametrize("case", TELLING, ids=NAMES)
def test_that_the_figures_agree_with_the_curves_and_with_the_table(case):
    for request in requests(case):
        found, curves = figures(request), accuracy_view(request)
        assert found.error**2 == pytest.approx(found.noise**2 + found.sampling**2)
        assert curves.error == pytest.approx(found.error)
        assert curves.chosen.kind == request.mechanism.kind
        middle = np.interp(
            np.log(10_000), np.log(curves.respondents), np.log(curves.chosen.by_respondents)
        )
        assert np.exp(middle) == pytest.approx(found.error, rel=1e-6)
        own = [c for c in choice_view(request) if c.mechanism == request.mechanism]
        assert len(own) == 1
        assert own[0].error_95(request.respondents) == pytest.approx(found.error)


@pytest.mark.parametrize("case", TELLING, ids=NAMES)
def test_that_curves_fall_and_stay_above_the_error_without_protection(case):
    curves = accuracy_view(requests(case)[0])
    for curve in (curves.chosen, *curves.others):
        assert curve.kind != "pram" or curve is curves.chosen
        if curve.kind != "pram":
            rise = np.diff(curve.by_epsilon) / curve.by_epsilon[1:]
            assert np.all(rise < RISE_MOST.get(curve.kind, 0))
        assert np.all(curve.by_epsilon >= curves.floor * (1 - 1e-9))
        assert np.all(curve.by_respondents >= curves.unprotected * (1 - 1e-9))


@pytest.mark.parametrize("case", TELLING, ids=NAMES)
def test_that_draws_of_every_kind_lie_around_the_truth_as_the_error_says(case):
    kind, domain, strategy = case
    view = draws_view(asked(mechanism_named(kind), domain, strategy), seed=3)
    deviation = view.error / 1.959964
    count = len(view.estimates)
    assert view.estimates.mean() == pytest.approx(view.truth, abs=4 * deviation / count**0.5)
    assert view.estimates.std() == pytest.approx(deviation, rel=0.3)


@pytest.mark.parametrize("case", TELLING, ids=NAMES)
def test_that_the_best_candidate_has_the_least_figure_and_says_so(case):
    request = requests(case)[0]
    for by, figure in (("total", "half_width"), ("var_star", "noise_constant")):
        found = choice_view(request, by)
        best = getattr(found[0], figure)
        assert all(getattr(judged, figure) >= best * (1 - 1e-8) for judged in found)
        entry = T.LEAST_ERROR if by == "total" else T.LEAST_VARIANCE
        if len(found) > 1:
            (said,) = values_in(entry, explain_choice(request, by))
            assert re.split(", | and ", said["mechanisms"])[0] == found[0].mechanism.short
        assert all(judged.bits_sent > 0 for judged in found)
    # Errors are for answers that somebody supposed: which ones is said.
    supposed = (T.EVENLY_SPREAD, T.OVER_EXPECTED, T.EQUALLY_COMMON)
    is_even = T.OVER_EXPECTED if request.expected else T.EQUALLY_COMMON
    own = T.EVENLY_SPREAD if request.domain.holds_numbers else is_even
    assert only_said(supposed, explain_choice(request)) == [own] * (len(found) > 1)
    assert not only_said(supposed, explain_choice(request, "var_star"))


def test_that_the_error_without_protection_is_that_of_all_respondents_under_every_strategy():
    floors = {
        accuracy_view(asked(mechanism_named("grr"), "small", strategy)).floor
        for strategy in ("every answer", "one of four", "zeros", "random", "realistic")
    }
    assert max(floors) == pytest.approx(min(floors))


def test_that_unequal_categories_are_averaged_and_said_to_be():
    skewed = noise_view(asked(mechanism_named("grr"), "long", "realistic", expected=True))
    even = noise_view(asked(mechanism_named("grr"), "long"))
    assert (skewed.averaged, even.averaged) == (True, False)
    assert skewed.first[[0, 1, 3]].sum() == pytest.approx(1)


def test_that_hybrid_shows_its_two_numbers_beside_its_line():
    view = noise_view(asked(mechanism_named("hybrid"), "age", epsilon="2"))
    first, second = view.spikes
    assert first.x < 18 < 99 < second.x
    assert view.first.sum() < 1 - first.first
    assert view.answers_range == (18, 99)
    total = first.first + second.first
    # Duchi's part is drawn with chance e^(-eps/2).
    assert total == pytest.approx(exp(-1), rel=1e-9)


def test_that_unbounded_noise_says_how_many_reports_the_picture_leaves_out():
    request = asked(mechanism_named("laplace"), "age", epsilon="0.5")
    view = noise_view(request)
    assert isinstance(request.domain, Categorical) is False
    assert view.x[0] == pytest.approx(18 - 2 * 81)
    assert view.x[-1] == pytest.approx(99 + 2 * 81)
    law = request.forecast.probabilities(request.first)
    places = 18 + request.forecast.positions
    outside = law[(places < 18 - 2 * 81 - 0.5) | (places > 99 + 2 * 81 + 0.5)].sum()
    assert view.beyond[0] == pytest.approx(outside)
    assert 0.2 < outside < 0.5
