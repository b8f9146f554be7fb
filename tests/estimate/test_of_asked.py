"""The share answered among those asked: its errors by enumeration of all answers and reports."""

from __future__ import annotations

from decimal import Decimal
from itertools import product
from math import isclose, sqrt

import numpy as np
import pytest

from dpdesk.estimate.of_asked import SomeShare, answered_of_asked, share_asked
from dpdesk.mechanisms import Estimate
from dpdesk.plan.filter_question import AskedIf
from dpdesk.queries.condition import Condition

REPORTS = 10_000


def variance(asked: float, ratio: float, truth: float, of: tuple[float, float]) -> float:
    """The variance of x A + y F over all answers of one respondent and all reports of both.

    A and F are the unbiased scores of two randomized responses that are true with this chance.
    """
    states = {(0, 0): 1 - asked, (1, 0): asked * (1 - ratio), (1, 1): asked * ratio}
    scores = {report: (report - (1 - truth)) / (2 * truth - 1) for report in (0, 1)}
    mean = square = 0.0
    for ((was_asked, gave), share), a, f in product(states.items(), (0, 1), (0, 1)):
        chance = share
        chance *= truth if a == gave else 1 - truth
        chance *= truth if f == was_asked else 1 - truth
        value = of[0] * scores[a] + of[1] * scores[f]
        mean += chance * value
        square += chance * value**2
    return square - mean**2


@pytest.mark.parametrize("truth", [1.0, 0.9, 0.7])
@pytest.mark.parametrize(("asked", "ratio"), [(0.3, 0.9), (0.6, 0.5), (0.9, 0.99)])
def test_that_the_standard_error_is_that_of_all_answers_and_reports(
    truth: float, asked: float, ratio: float
) -> None:
    noise = sqrt(truth * (1 - truth) / (2 * truth - 1) ** 2 / REPORTS)

    def one(value: float, of: tuple[float, float]) -> SomeShare:
        return SomeShare(value, noise, sqrt(variance(asked, ratio, truth, of) / REPORTS))

    found = answered_of_asked(one(asked * ratio, (1, 0)), one(asked, (0, 1)), REPORTS)
    assert found is not None
    exact = sqrt(variance(asked, ratio, truth, (1, -ratio)) / REPORTS) / asked
    assert isclose(float(found.value[0]), ratio)
    assert isclose(float(found.total_error[0]), exact, rel_tol=1e-9)
    assert found.lower[0] < ratio < found.upper[0]
    if truth == 1:
        assert isclose(exact, sqrt(ratio * (1 - ratio) / (asked * REPORTS)))


def test_that_nothing_is_said_where_the_reports_do_not_show_that_anybody_was_asked() -> None:
    few = SomeShare(0.02, 0.02, 0.02)
    assert answered_of_asked(few, few, REPORTS) is None
    assert answered_of_asked(SomeShare(0.2, 0.2, 0.2), SomeShare(0.5, 0.1, 0.1), REPORTS) is None


def shares(*values: float) -> Estimate:
    value, error = np.array(values), np.full(len(values), 0.01)
    return Estimate(
        "share", value, value, error, error, error, value - 0.02, value + 0.02, REPORTS, REPORTS
    )


LISTED = ("daily", "sometimes", "never", "(no answer)")


@pytest.mark.parametrize(
    ("rule", "value", "summed"),
    [
        (AskedIf(any_of=(Condition(column="q", values=("daily",)),)), 0.3, 1),
        (AskedIf(any_of=(Condition(column="q", values=("daily", "sometimes")),)), 0.5, 2),
        # The three named ones together have the error of the one that is left.
        (AskedIf(any_of=(Condition(column="q", values=("daily", "sometimes", "never")),)), 0.9, 1),
        # Who did not answer the filter was not asked.
        (AskedIf(any_of=(Condition(column="q", values=("never",), negated=True),)), 0.5, 2),
    ],
)
def test_that_the_share_asked_is_that_of_the_named_answers(
    rule: AskedIf, value: float, summed: int
) -> None:
    found = share_asked(shares(0.3, 0.2, 0.4, 0.1), LISTED, 3, rule)
    assert found is not None
    assert (found.value, found.total) == pytest.approx((value, 0.01 * summed))


def test_that_options_together_and_numbers_tell_no_share_of_those_asked() -> None:
    both = AskedIf(any_of=(Condition(column="q", options=("TV", "Web")),))
    assert share_asked(shares(0.3, 0.2), ("TV", "Web"), None, both) is None
    of_one = share_asked(
        shares(0.3, 0.2),
        ("TV", "Web"),
        None,
        AskedIf(any_of=(Condition(column="q", options=("TV",)),)),
    )
    assert of_one is not None
    assert of_one.value == pytest.approx(0.3)
    assert (
        share_asked(
            shares(0.3), (), None, AskedIf(any_of=(Condition(column="q", lower=Decimal(16)),))
        )
        is None
    )
