from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpdesk.domains import Integer
from dpdesk.estimation import estimate_rows
from dpdesk.estimation.released import ReleasedAttribute
from dpdesk.mechanisms import Estimate
from dpdesk.mechanisms.estimates import IntervalShares
from dpdesk.mechanisms.possible_shares import POSSIBLE_KINDS
from dpdesk.reports.results import results
from dpdesk.reports.texts import T
from tests.reports.cases import COLUMNS, counted, plan_of, protected, released_of

NAMES = [kind.name for kind in POSSIBLE_KINDS]


class WithIntervals:
    """A bound mechanism for numbers whose estimate has the shares of two intervals."""

    def __init__(self, attribute: ReleasedAttribute) -> None:
        self._bound = attribute.bound

    def __getattr__(self, name: str) -> object:
        return getattr(self._bound, name)

    def estimate(self, tally: object) -> Estimate:
        whole = self._bound.estimate(tally)
        halves = np.array([0.25, 0.75])
        shares = replace(
            whole,
            quantity="share",
            **dict.fromkeys(("value", "truncated", "lower", "upper"), halves),
            **dict.fromkeys(("noise_error", "sampling_error", "total_error"), halves / 10),
            possible={"smoothed_bayes": halves[::-1]},
        )
        return replace(whole, intervals=IntervalShares(np.array([18.0, 58.5, 98.0]), shares))


def test_that_each_share_has_its_possible_estimates_in_its_row() -> None:
    attribute = released_of(plan_of(*COLUMNS)).attributes[3]
    estimate, rows = attribute.estimate, list(estimate_rows(attribute))
    for name in ("simplex", "norm_sub", "iterative_bayes"):
        shares = [getattr(row, name) for row in rows]
        assert shares == estimate.possible[name].tolist()
        assert sum(shares) == pytest.approx(1)
    assert {row.smoothed_bayes for row in rows} == {row.lasso for row in rows} == {None}
    assert [name for name in rows[0].as_dict() if name in NAMES] == NAMES


def test_that_a_mean_has_no_possible_estimates() -> None:
    attribute = released_of(plan_of(*COLUMNS)).attributes[5]
    (row,) = estimate_rows(attribute)
    assert row.quantity == "mean"
    assert [getattr(row, name) for name in NAMES] == [None] * len(NAMES)


def test_that_the_intervals_of_a_mean_follow_it() -> None:
    released = released_of(plan_of(*COLUMNS))
    attribute = replace(released.attributes[4], bound=WithIntervals(released.attributes[4]))
    mean, first, second = estimate_rows(attribute)
    assert (mean.quantity, mean.unit) == ("mean", "years")
    assert (first.quantity, first.category, first.unit) == ("interval share", "18 to 58.5", "")
    assert (second.label, second.estimate) == ("58.5 to 98 years", 0.75)
    assert (first.smoothed_bayes, first.simplex) == (0.75, None)
    report = results(replace(released, attributes=(attribute,)))
    (result,) = report.attributes
    assert (result.quantity, len(result.estimates), len(result.intervals)) == ("mean", 1, 2)
    assert [kind.name for kind in report.further] == ["smoothed_bayes"]


def test_that_a_report_explains_the_possible_estimates_that_it_shows_and_no_others() -> None:
    shares = results(counted(plan_of(COLUMNS[0]), (200, 800)))
    assert [kind.name for kind in shares.further] == ["simplex", "norm_sub", "iterative_bayes"]
    assert any("are biased" in sentence for sentence in shares.post_processing)
    mean = results(released_of(plan_of(COLUMNS[5])))
    assert mean.further == ()
    assert not any("are biased" in sentence for sentence in mean.post_processing)


def test_that_an_interval_of_one_number_is_named_by_it() -> None:
    domain = Integer(lower=1, upper=3, unit="children")
    column = protected("children", "integer", domain, "square_wave", "2")
    rows = list(estimate_rows(released_of(plan_of(column)).attributes[0]))
    assert [row.category for row in rows] == ["", "1", "2", "3"]
    assert rows[1].label == "1 children"
    assert sum(row.iterative_bayes for row in rows[1:]) == pytest.approx(1)


def test_that_a_report_leaves_out_possible_estimates_that_moved_nothing() -> None:
    # 1,000 respondents, half of whom say yes: every estimate is possible as it is.
    inside = results(counted(plan_of(COLUMNS[0]), (500, 500)))
    assert inside.further == ()
    assert not any("possible" in sentence for sentence in inside.post_processing)
    (result,) = inside.attributes
    assert [e.simplex for e in result.estimates] == [e.estimate for e in result.estimates]
    outside = results(counted(plan_of(COLUMNS[0]), (200, 800)))
    assert "simplex" in [kind.name for kind in outside.further]
    assert T.MOVED_BESIDE() in outside.post_processing
    assert T.MOVED_BESIDE() not in inside.post_processing
