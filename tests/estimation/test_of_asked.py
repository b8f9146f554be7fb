"""The share answered among those asked: its errors by enumeration of all answers and reports."""

from __future__ import annotations

from decimal import Decimal
from itertools import product
from math import exp, isclose, sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dpdesk.estimation.of_asked import (
    ANSWERED_UNASKED,
    CONTRADICTED,
    EITHER,
    NOT_AMONG_SHARES,
    SEVERAL_OPTIONS,
    TOO_FEW,
    SomeShare,
    answered_of_asked,
    share_asked,
)
from dpdesk.mechanisms import Estimate
from dpdesk.plan.filter_question import AskedIf
from dpdesk.queries.condition import Condition

REPORTS = 10_000


def some(value: float, noise: float, total: float) -> SomeShare:
    return SomeShare(value, noise, total, REPORTS, REPORTS)


def asked_if(**named: Any) -> AskedIf:
    """The rule of one condition on the filter "q"."""
    return AskedIf(any_of=(Condition(column="q", **named),))


def variance(
    asked: float, ratio: float, truth: float, of: tuple[float, float], unasked: float = 0.0
) -> float:
    """The variance of x A + y F over all answers of one respondent and all reports of both.

    A and F are the unbiased scores of two randomized responses that are true with this chance.
    """
    states = {
        (0, 0): (1 - asked) * (1 - unasked),
        (0, 1): (1 - asked) * unasked,
        (1, 0): asked * (1 - ratio),
        (1, 1): asked * ratio,
    }
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


@pytest.mark.parametrize("unasked", [0.0, 0.02, ANSWERED_UNASKED])
@pytest.mark.parametrize("truth", [1.0, 0.9, 0.7])
@pytest.mark.parametrize(("asked", "ratio"), [(0.3, 0.9), (0.6, 0.5), (0.9, 0.99), (0.9, 1.0)])
def test_that_the_standard_error_is_at_least_that_of_all_answers_and_reports(
    truth: float, asked: float, ratio: float, unasked: float
) -> None:
    noise = sqrt(truth * (1 - truth) / (2 * truth - 1) ** 2 / REPORTS)

    def one(value: float, of: tuple[float, float]) -> SomeShare:
        error = sqrt(variance(asked, ratio, truth, of, unasked) / REPORTS)
        return some(value, noise, error)

    answered = asked * ratio + (1 - asked) * unasked
    found = answered_of_asked(one(answered, (1, 0)), one(asked, (0, 1)))
    if isinstance(found, str):
        assert found == CONTRADICTED
        assert answered > asked
        return
    truly = answered / asked
    exact = sqrt(variance(asked, ratio, truth, (1, -truly), unasked) / REPORTS) / asked
    assert isclose(float(found.value[0]), truly)
    assert found.total_error[0] >= exact * (1 - 1e-9)
    if unasked == ANSWERED_UNASKED and truly <= 1 + unasked * (1 - asked) / asked:
        assert isclose(float(found.total_error[0]), exact, rel_tol=1e-9)
    assert found.lower[0] < truly < found.upper[0]


@pytest.mark.parametrize("unasked", [0.0, 0.04])
@pytest.mark.parametrize("ratio", [0.3, 1.0])
@pytest.mark.parametrize(("asked", "people"), [(0.1, 300), (0.1, 3000), (0.5, 300)])
@pytest.mark.parametrize("epsilon", [1, 4, 12])
def test_that_intervals_hold_their_estimate_and_miss_the_ratio_one_time_in_twenty(
    epsilon: float, asked: float, people: int, ratio: float, unasked: float
) -> None:
    draws = np.random.default_rng(7)
    truth = exp(epsilon) / (exp(epsilon) + 1)

    def reported(yes: NDArray[np.bool_]) -> SomeShare:
        share = np.where(draws.random(people) < truth, yes, ~yes).mean()
        value = (share - (1 - truth)) / (2 * truth - 1)
        noise = sqrt(truth * (1 - truth) / people) / (2 * truth - 1)
        likely = min(max(value, 0.0), 1.0)
        total = sqrt(noise**2 + likely * (1 - likely) / people)
        return SomeShare(value, noise, total, people, people)

    truly = ratio + unasked * (1 - asked) / asked
    missed = 0
    for _ in range(400):
        was_asked = draws.random(people) < asked
        answers = draws.random(people) < np.where(was_asked, ratio, unasked)
        found = answered_of_asked(reported(answers), reported(was_asked))
        if isinstance(found, str):
            # Withheld beyond chance only where more answered than were asked, or too few were.
            continue
        assert found.lower[0] <= found.value[0] <= found.upper[0]
        assert found.upper[0] - found.lower[0] > 0.001
        missed += not found.lower[0] <= truly <= found.upper[0]
    # Of 400 draws 20 are expected to miss; more than 33 have a chance of 1 in 500.
    assert missed <= 33


def test_that_nothing_is_said_where_the_reports_do_not_show_that_anybody_was_asked() -> None:
    few = some(0.02, 0.02, 0.02)
    assert answered_of_asked(few, few) == TOO_FEW
    assert answered_of_asked(some(0.2, 0.2, 0.2), some(0.5, 0.1, 0.1)) == TOO_FEW


def test_that_noise_alone_contradicts_no_rule() -> None:
    """All answered who were asked: every fortieth interval of 95 % lies above 1."""
    clear, noise = some(0.6, 0.003, 0.008), 0.003
    found = answered_of_asked(some(0.615, noise, 0.008), clear)
    assert not isinstance(found, str)
    assert 1 < found.lower[0] < found.value[0] < found.upper[0]
    assert found.truncated[0] == 1
    assert answered_of_asked(some(0.64, noise, 0.008), clear) == CONTRADICTED


def test_that_more_answers_than_respondents_who_were_asked_are_withheld() -> None:
    clear = some(0.4, 0.0, 0.005)
    assert answered_of_asked(some(0.9, 0.0, 0.003), clear) == CONTRADICTED
    noisy = some(0.53, 0.1, 0.1)
    assert answered_of_asked(noisy, clear) == TOO_FEW


def shares(*values: float) -> tuple[Estimate, Estimate]:
    value, error = np.array(values), np.full(len(values), 0.01)
    estimate = Estimate(
        "share", value, value, error, error, error, value - 0.02, value + 0.02, REPORTS, REPORTS
    )
    return estimate, estimate


LISTED = ("daily", "sometimes", "never", "(no answer)")


@pytest.mark.parametrize(
    ("rule", "value", "summed"),
    [
        (asked_if(values=("daily",)), 0.3, 1),
        (asked_if(values=("daily", "sometimes")), 0.5, 2),
        # The three named ones together have the error of the one that is left.
        (asked_if(values=("daily", "sometimes", "never")), 0.9, 1),
        # Who did not answer the filter was not asked.
        (asked_if(values=("never",), negated=True), 0.5, 2),
        # Nor where the rule names it, too: it is taken away once.
        (asked_if(values=("never", "(no answer)"), negated=True), 0.5, 2),
        (asked_if(values=("daily", "(no answer)")), 0.3, 1),
    ],
)
def test_that_the_share_asked_is_that_of_the_named_answers(
    rule: AskedIf, value: float, summed: int
) -> None:
    found = share_asked(shares(0.3, 0.2, 0.4, 0.1), LISTED, 3, rule)
    assert not isinstance(found, str)
    assert (found.value, found.total) == pytest.approx((value, 0.01 * summed))


def test_that_options_together_and_numbers_tell_no_share_of_those_asked() -> None:
    both = asked_if(options=("TV", "Web"))
    assert share_asked(shares(0.3, 0.2), ("TV", "Web"), None, both) == SEVERAL_OPTIONS
    of_one = share_asked(
        shares(0.3, 0.2),
        ("TV", "Web"),
        None,
        asked_if(options=("TV",)),
    )
    assert not isinstance(of_one, str)
    assert of_one.value == pytest.approx(0.3)
    number = asked_if(lower=Decimal(16))
    assert share_asked(shares(0.3), (), None, number) == NOT_AMONG_SHARES
    unanswered = asked_if(values=("(no answer)",))
    assert share_asked(shares(0.3, 0.2, 0.4, 0.1), LISTED, 3, unanswered) == NOT_AMONG_SHARES
    daily, other = (
        Condition(column=name, values=(text,)) for name, text in (("q", "daily"), ("r", "yes"))
    )
    two = AskedIf(any_of=(daily, other))
    assert share_asked(shares(0.3, 0.2, 0.4, 0.1), LISTED, 3, two) == EITHER
