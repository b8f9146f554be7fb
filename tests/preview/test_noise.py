from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpdesk.mechanisms import mechanism_named
from dpdesk.preview import noise_view
from tests.preview.preview_requests import (
    AGE,
    CASES,
    FINE,
    HAPPY,
    INCOME,
    LARGE,
    NAMES,
    OCCUPATION,
    request,
)

EPSILONS = ("0.1", "1", "2", "8")


def test_that_the_bars_of_happiness_are_those_of_the_picture():
    view = noise_view(request(HAPPY, "grr", "2"))
    assert view.form == "bars"
    assert view.labels == ("very happy", "pretty happy", "not too happy")
    assert view.answers == ("very happy", "pretty happy")
    assert view.first == pytest.approx([0.787, 0.1065, 0.1065], abs=5e-5)
    assert view.second == pytest.approx([0.1065, 0.787, 0.1065], abs=5e-5)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize(("domain", "kind"), CASES, ids=NAMES)
def test_that_no_law_leaves_the_band_that_epsilon_allows(domain, kind, epsilon):
    view = noise_view(request(domain, kind, epsilon))
    assert np.all(view.second >= view.lower * (1 - 1e-9))
    assert np.all(view.second <= view.upper * (1 + 1e-9))


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize(("domain", "kind"), CASES, ids=NAMES)
def test_that_a_law_never_leaves_its_axis_nor_takes_more_than_320_points(domain, kind, epsilon):
    view = noise_view(request(domain, kind, epsilon))
    assert len(view.x) <= 320
    assert max(view.first.max(), view.second.max()) <= view.y_max


@pytest.mark.parametrize("octave", [("0.1", "0.2", "0.25"), ("1.05", "1.5", "2"), ("2.1", "4")])
@pytest.mark.parametrize(("domain", "kind"), CASES, ids=NAMES)
def test_that_the_axis_stays_while_epsilon_does_not_double(domain, kind, octave):
    heights = {noise_view(request(domain, kind, e)).y_max for e in octave}
    assert len(heights) == 1


@pytest.mark.parametrize("epsilon", ["0.26", "0.51", "1.1", "2.1", "4.2", "8.5"])
@pytest.mark.parametrize(("domain", "kind"), CASES, ids=NAMES)
def test_that_a_law_of_numbers_is_no_flat_line_at_the_bottom(domain, kind, epsilon):
    view = noise_view(request(domain, kind, epsilon))
    if view.form == "line":
        assert max(view.first.max(), view.second.max()) > view.y_max / 4


def test_that_grr_reaches_the_band_so_that_epsilon_is_no_overstatement():
    view = noise_view(request(HAPPY, "grr", "2"))
    assert view.second[0] == pytest.approx(view.lower[0])
    assert view.second[1] == pytest.approx(view.upper[1])


def test_that_a_large_domain_shows_two_answers_one_other_and_all_others_together():
    view = noise_view(request(LARGE, "grr", "2"))
    assert view.labels == ("place 0", "place 1")
    assert view.others == 998
    assert len(view.x) == 4
    assert view.first[3] == pytest.approx(998 * view.first[2])
    assert view.first[0] + view.first[1] + view.first[3] == pytest.approx(1)


def test_that_bits_are_not_summed_up_since_several_can_be_set():
    view = noise_view(request(OCCUPATION, "oue"))
    assert view.reports == "bit"
    assert len(view.x) == 3
    assert view.first[0] == 0.5


def test_that_a_line_has_the_numbers_of_the_attribute_and_its_peaks():
    view = noise_view(request(AGE, "bounded_laplace", "2"))
    assert view.form == "line"
    assert (view.x[0], view.x[-1]) == (18, 99)
    assert view.answers == ("38 years", "79 years")
    assert view.x[np.argmax(view.first)] == 38
    assert view.first.sum() == pytest.approx(1)


def test_that_the_range_of_answers_is_marked_where_reports_go_beyond_it():
    assert noise_view(request(AGE, "laplace", "2")).answers_range == (18, 99)
    assert noise_view(request(AGE, "bounded_laplace", "2")).answers_range is None


@pytest.mark.parametrize("unequal", ["neither", "first", "second"])
def test_that_one_answer_with_unequal_others_is_enough_for_bars_that_are_means(unequal):
    asked = request(OCCUPATION, "grr")
    rows = [["0.34" if x == y else "0.044" for y in range(16)] for x in range(16)]
    if unequal != "neither":
        answer = getattr(asked, unequal)
        shown = (asked.first, asked.second)
        more, less = (code for code in range(16) if code not in shown and code in (7, 9))
        rows[answer][more], rows[answer][less] = "0.054", "0.034"
    law = mechanism_named("pram")(matrix=rows)
    assert noise_view(replace(asked, mechanism=law)).averaged is (unequal != "neither")


def test_that_thinning_a_fine_grid_keeps_the_peaks():
    view = noise_view(request(FINE, "bounded_laplace", "8"))
    assert view.x[np.argmax(view.first)] == 250
    assert view.x[np.argmax(view.second)] == 749


def test_that_duchi_has_two_reports_outside_the_range():
    view = noise_view(request(INCOME, "duchi", "1"))
    assert view.labels == ("−145.5 k", "395.5 k")
    assert view.first.sum() == pytest.approx(1)
    assert view.first[1] < view.second[1]
