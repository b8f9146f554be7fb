from __future__ import annotations

import pytest

from dpdesk.reports.public import MARGIN, axis_of
from tests.reports.cases import COLUMNS, counted, plan_of, released_of, report_of


@pytest.mark.parametrize("in_detail", [True, False])
@pytest.mark.parametrize("column", COLUMNS, ids=lambda c: c.mechanism.kind)
def test_that_every_interval_lies_on_the_drawing(column, in_detail: bool) -> None:
    (result,) = report_of(released_of(plan_of(column))).results.attributes
    axis = axis_of(result, in_detail=in_detail)
    for estimate in result.estimates:
        mark = axis.mark(estimate)
        assert MARGIN <= mark.left <= mark.centre <= mark.right <= axis.width - MARGIN
        assert MARGIN <= mark.truncated <= axis.width - MARGIN
    assert 2 <= len(axis.ticks) <= 6
    assert all(MARGIN <= tick.x <= axis.width - MARGIN for tick in axis.ticks)


def test_that_places_grow_in_proportion_to_the_estimates() -> None:
    (result,) = report_of(counted(plan_of(COLUMNS[0]), (300, 700))).results.attributes
    axis = axis_of(result)
    yes, no = result.estimates
    middle = (yes.estimate + no.estimate) / 2
    assert axis.x(middle) == pytest.approx(
        (axis.x(yes.estimate) + axis.x(no.estimate)) / 2, abs=0.02
    )


def test_that_the_axis_of_shares_holds_zero_and_is_marked_in_per_cent() -> None:
    (result,) = report_of(counted(plan_of(COLUMNS[0]), (500, 500))).results.attributes
    axis = axis_of(result)
    assert axis.lower <= 0
    assert axis.ticks[0].text == "0\u00a0%"


def test_that_a_release_of_one_record_can_be_drawn() -> None:
    for column in COLUMNS:
        (result,) = report_of(released_of(plan_of(column), rows=1)).results.attributes
        assert axis_of(result).ticks
