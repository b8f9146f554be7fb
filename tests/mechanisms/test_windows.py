from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from dpdesk.domains import Categorical, Integer
from dpdesk.learning.curve import SeededWords
from dpdesk.mechanisms import mechanism_named
from dpdesk.mechanisms.interval_shares import bin_edges, interval_edges, interval_ends
from dpdesk.resources import resource
from tests.mechanisms import window_checks
from tests.mechanisms.estimator_checks import AGES, bind
from tests.randomness.word_sources import ShakeWords


def test_that_means_are_unbiased_with_their_errors() -> None:
    window_checks.means_of_windows_are_unbiased_with_their_errors()


def test_that_means_on_fine_grids_are_unbiased() -> None:
    window_checks.means_of_fine_grids_are_unbiased()


def test_that_the_windows_have_the_published_widths() -> None:
    window_checks.window_mechanisms_have_the_published_widths()


def test_that_the_worst_variances_are_the_published_ones() -> None:
    window_checks.worst_variances_are_the_published_ones()


def test_that_no_mechanism_exceeds_its_epsilon() -> None:
    window_checks.window_certificates_of_mechanisms_hold()


def test_that_forecasts_are_the_law_that_is_run() -> None:
    window_checks.forecasts_of_windows_are_the_law_that_is_run()


def test_that_interval_shares_are_unbiased_with_their_errors() -> None:
    window_checks.interval_shares_are_unbiased_with_their_errors()


def test_that_errors_of_interval_shares_are_those_of_one_report() -> None:
    window_checks.interval_errors_are_those_of_one_report()


def test_that_the_most_likely_shares_of_intervals_find_the_truth() -> None:
    window_checks.most_likely_intervals_find_the_truth()


@pytest.mark.parametrize("size", [2, 5, 20, 21, 22, 82, 100, 101, 998, 10_000])
def test_that_intervals_part_the_grid_evenly(size: int) -> None:
    edges = interval_edges(size)
    points = np.diff(edges)
    assert edges[0] == 0
    assert edges[-1] == size
    assert len(points) == size if size <= 20 else 8 <= len(points) <= 20
    # But for the last one, which holds both of its ends.
    points[-1] -= size > 20
    assert points.min() >= 1
    assert points.max() - points.min() <= 1
    ends = interval_ends(Integer(lower=7, upper=6 + size), edges)
    assert (np.diff(ends) > 0).all()


def test_that_intervals_of_ages_are_nine_years_wide() -> None:
    ends = interval_ends(AGES, interval_edges(AGES.size))
    assert ends.tolist() == [18, 27, 36, 45, 54, 63, 72, 81, 90, 99]
    stars = Integer(lower=1, upper=5)
    assert interval_ends(stars, interval_edges(5)).tolist() == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]


def test_that_bins_hold_every_point_once() -> None:
    assert bin_edges(7, 3).tolist() == [0, 3, 6, 7]
    assert bin_edges(6, 3).tolist() == [0, 3, 6]


def test_that_smoothing_is_left_out_where_neighbours_are_whole_intervals() -> None:
    for size, smoothed in ((20, False), (21, True)):
        bound = bind("square_wave", Integer(lower=1, upper=size), "1")
        codes = np.zeros(50, dtype=np.int32)
        estimate = bound.estimate(bound.tally(bound.randomize(codes, ShakeWords("few"))))
        assert estimate.intervals is not None
        assert ("smoothed_bayes" in estimate.intervals.shares.possible) is smoothed


def test_that_the_smoothed_distribution_comes_closer_as_respondents_are_added() -> None:
    """Half the sum of absolute differences, averaged over four draws of each size."""
    bound = bind("square_wave", AGES, "1")
    place = (np.arange(200_000) + 0.5) / 200_000
    # A triangle with its peak at a quarter of the range.
    answers = np.where(place < 0.25, np.sqrt(place) / 2, 1 - np.sqrt(0.75 * (1 - place)))
    codes = (answers * AGES.size).astype(np.int32)
    distances = []
    for step in (400, 20, 1):
        each = []
        for draw in range(4):
            some = codes[draw * step // 4 :: step]
            words = ShakeWords(f"closer {step} {draw}")
            intervals = bound.estimate(bound.tally(bound.randomize(some, words))).intervals
            assert intervals is not None
            counts = np.add.reduceat(np.bincount(some, minlength=82), interval_edges(82)[:-1])
            found = intervals.shares.possible["smoothed_bayes"]
            each.append(np.abs(found - counts / some.size).sum() / 2)
        distances.append(float(np.mean(each)))
    assert distances[0] > 1.5 * distances[1]
    assert distances[1] > 1.2 * distances[2]
    assert distances[2] < 0.05


def test_that_a_square_wave_reports_numbers_in_the_digits_of_the_grid() -> None:
    ages = bind("square_wave", AGES, "1").outputs
    assert ages == tuple(str(age) for age in range(-2, 120))
    tenths = bind("square_wave", window_checks.TENTHS, "0.5").outputs
    assert tenths == ("-0.3", "-0.2", "-0.1", "0.0", "0.1", "0.2", "0.3")


def test_that_released_numbers_average_to_the_mean_without_correction() -> None:
    for kind in ("piecewise", "hybrid"):
        bound = bind(kind, AGES, "1")
        codes = np.full(4_000, 30, dtype=np.int32)
        reports = bound.randomize(codes, ShakeWords(f"average {kind}"))
        numbers = np.array([float(text) for text in bound.outputs])
        estimate = bound.estimate(bound.tally(reports))
        assert numbers[reports].mean() == pytest.approx(estimate.value[0], abs=1e-7)
        assert abs(estimate.value[0] - 48) < 5 * estimate.total_error[0]


def _rows_of_page(kind: str, cells: int) -> list[list[str]]:
    """The rows of a page's table of so many columns, those that begin with an epsilon."""
    page = resource(f"docs/mechanisms/{kind}.md").read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in page.splitlines()]
    return [row for row in rows if len(row) == cells and row[0][0].isdigit()]


def test_that_the_tables_on_the_pages_are_those_of_the_laws() -> None:
    rows = _rows_of_page("piecewise", 3)
    assert len(rows) == 5
    for epsilon, inside, largest in rows:
        bound = bind("piecewise", AGES, epsilon)
        numbers = bound.parameters()
        assert f"{100 * numbers['p'] * numbers['width']:.0f} %" == inside
        assert (float(bound.outputs[-1]) - 58.5) / 40.5 == pytest.approx(float(largest), rel=3e-3)
    rows = _rows_of_page("square_wave", 3)
    assert len(rows) == 5
    for epsilon, steps, inside in rows:
        numbers = bind("square_wave", AGES, epsilon).parameters()
        assert numbers["reach"] == int(steps)
        assert f"{100 * numbers['p'] * (2 * int(steps) + 1):.0f} %" == inside
    rows = _rows_of_page("hybrid", 2)
    assert [row[1] for row in rows] == ["none", "39 %", "63 %", "86 %"]
    for epsilon, share in rows[1:]:
        numbers = bind("hybrid", AGES, epsilon).parameters()
        assert f"{100 * numbers['piecewise_share']:.0f} %" == share
    rows = _rows_of_page("piecewise", 4)
    assert len(rows) == 4
    for epsilon, *errors in rows:
        for kind, respondents, error in zip(
            ("piecewise", "piecewise", "duchi"), (1_000, 10_000, 10_000), errors, strict=True
        ):
            forecast = bind(kind, AGES, epsilon).mechanism.forecast(AGES)
            found = 1.959964 * forecast.accuracy(respondents).total
            assert f"{found:.1f} years" == error, (kind, epsilon)


@pytest.mark.parametrize("kind", window_checks.KINDS)
def test_that_a_grid_that_is_too_fine_and_categories_are_refused(kind: str) -> None:
    mechanism = mechanism_named(kind)
    assert mechanism.misfit(Integer(lower=1, upper=10_000)) is None
    assert "10,000" in (mechanism.misfit(Integer(lower=0, upper=10_000)) or "")
    assert mechanism.misfit(Categorical(values=("a", "b"))) is not None


def test_that_the_two_numbers_of_duchi_stand_out_of_the_hybrid() -> None:
    forecast = mechanism_named("hybrid")(epsilon=Decimal(1)).forecast(AGES)  # type: ignore[call-arg]
    places = forecast.positions
    assert places is not None
    duchi = mechanism_named("duchi")(epsilon=Decimal(1)).forecast(AGES).positions  # type: ignore[call-arg]
    assert places[list(forecast.atoms)] == pytest.approx(duchi)  # type: ignore[attr-defined]


@pytest.mark.parametrize(("epsilon", "rare"), [("4", False), ("8", True)])
def test_that_intervals_of_interval_shares_hold_the_truth_in_small_surveys(
    epsilon: str, rare: bool
) -> None:
    """Few reports lack those that are rare and worth much: their own spread is no error."""
    bound = mechanism_named("square_wave")(epsilon=Decimal(epsilon)).bind(
        Integer(lower=0, upper=100)
    )
    reader, draw, words = bound.intervals, np.random.default_rng(8), SeededWords(80)
    surveys, people = 400, 200
    weight = np.exp(-(((np.arange(101) - 30) / 8) ** 2) / 2) if rare else np.ones(101)
    law = weight / weight.sum()
    truth = np.add.reduceat(law, reader.edges[:-1])
    held = np.zeros(truth.shape)
    for _ in range(surveys):
        codes = draw.choice(101, people, p=law).astype(np.int32)
        found = reader.read(bound.tally(bound.randomize(codes, words)), 0.95).shares
        held += (found.lower <= truth) & (truth <= found.upper)
    assert held.min() / surveys > 0.90
    assert 0.93 < held.mean() / surveys < 0.985
