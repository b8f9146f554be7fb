"""Errors as a verdict tells them: within what is possible, and of what is a question."""

from __future__ import annotations

from decimal import Decimal

import pytest

from dpdesk.domains import Categorical, Integer
from dpdesk.mechanisms import EVERY_ANSWER, mechanism_named
from dpdesk.plan import ColumnPlan
from dpdesk.plan.usefulness import half_range_of_query, usefulness_of, usefulness_of_query
from dpdesk.preview import figures, request_for
from dpdesk.queries import ExpectedError, PrivacyUnit
from dpdesk.queries.phrase import parse_query

SEX = Categorical(values=("f", "m"))


def test_that_no_error_is_told_beyond_what_is_possible() -> None:
    """Of one respondent the formula gives hundreds of pp, and more than the bounds of a mean.

    Whoever guesses the middle without asking anybody is off by half of that at the most.
    """
    law = mechanism_named("grr")(epsilon=Decimal("0.1"))
    share = usefulness_of(law, Categorical(values=("a", "b", "c")), EVERY_ANSWER, 1)
    numbers = mechanism_named("duchi")(epsilon=Decimal("0.1"))
    mean = usefulness_of(numbers, Integer(lower=0, upper=50_000), EVERY_ANSWER, 1)
    assert share.error > 100
    assert mean.error > 50_000
    assert share.told == "more than ± 50 pp"
    assert mean.told == "more than ± 25,000"
    assert share.reason.startswith("more than ± 50 pp on ")
    assert mean.reason.startswith("more than ± 25,000 on ")
    # What is told beside it, and what a program reads, is the number itself.
    column = ColumnPlan(
        name="q",
        kind="nominal",
        domain=Categorical(values=("a", "b", "c")),
        role="protect",
        mechanism=law,
    )
    tile = figures(request_for(column, 1))
    assert tile.told == "> ± 50 pp"
    assert tile.error == pytest.approx(share.error)
    within = usefulness_of(numbers, Integer(lower=0, upper=50_000), EVERY_ANSWER, 10**6)
    assert within.told.startswith("± ")


def test_that_no_count_is_told_to_be_off_by_more_than_there_are_rows() -> None:
    query = parse_query("count by sex").changed(epsilon=Decimal("0.001"))
    bound = query.bind({"sex": SEX}, PrivacyUnit())
    found = usefulness_of_query(bound, 100)
    assert found.error > 1_000
    assert found.told == "more than ± 50 rows"
    assert "without protection" not in found.reason
    # A choice can fall short by all that there is, in one direction.
    assert half_range_of_query(ExpectedError(300, "rows", is_shortfall=True), 100) == 100


def test_that_numbers_that_everybody_gave_are_judged_by_their_mean() -> None:
    """Half a standard deviation of the share answered is next to nothing there."""
    law = mechanism_named("duchi")(epsilon=Decimal(1))
    domain = Integer(lower=18, upper=89)
    for missing in (1e-6, 0.002, 0.009):
        found = usefulness_of(law, domain.with_missing(missing), EVERY_ANSWER, 10_000)
        assert found.quantity == "mean"
    assert found.verdict == "useful"
    many = usefulness_of(law, domain.with_missing(0.02), EVERY_ANSWER, 10_000)
    assert many.quantity == "share answered"
