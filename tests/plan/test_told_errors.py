"""Errors as a verdict tells them: within what is possible, and of what is a question."""

from __future__ import annotations

from decimal import Decimal

from dpdesk.domains import Categorical, Integer
from dpdesk.mechanisms import EVERY_ANSWER, mechanism_named
from dpdesk.plan.usefulness import usefulness_of


def test_that_no_error_is_told_beyond_what_is_possible() -> None:
    """Of one respondent the formula gives hundreds of pp, and more than the bounds of a mean."""
    law = mechanism_named("grr")(epsilon=Decimal("0.1"))
    share = usefulness_of(law, Categorical(values=("a", "b", "c")), EVERY_ANSWER, 1)
    numbers = mechanism_named("duchi")(epsilon=Decimal("0.1"))
    mean = usefulness_of(numbers, Integer(lower=0, upper=50_000), EVERY_ANSWER, 1)
    assert share.error > 100
    assert mean.error > 50_000
    assert share.told == "more than ± 100 pp"
    assert mean.told == "more than ± 50,000"
    assert share.reason.startswith("more than ± 100 pp on ")
    assert mean.reason.startswith("more than ± 50,000 on ")
    within = usefulness_of(numbers, Integer(lower=0, upper=50_000), EVERY_ANSWER, 10**6)
    assert within.told.startswith("± ")


def test_that_numbers_that_everybody_gave_are_judged_by_their_mean() -> None:
    """Half a standard deviation of the share answered is next to nothing there."""
    law = mechanism_named("duchi")(epsilon=Decimal(1))
    domain = Integer(lower=18, upper=89)
    for missing in (1e-6, 0.0009):
        found = usefulness_of(law, domain.with_missing(missing), EVERY_ANSWER, 10_000)
        assert found.quantity == "mean"
    assert found.verdict == "useful"
    many = usefulness_of(law, domain.with_missing(0.002), EVERY_ANSWER, 10_000)
    assert many.quantity == "share answered"
