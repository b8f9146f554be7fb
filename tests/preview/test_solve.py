from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from dpdesk.errors import ParameterError
from dpdesk.plan import ColumnPlan, mechanism_at
from dpdesk.preview import (
    RESPONDENTS_ASSUMED,
    PreviewRequest,
    epsilon_for_error,
    figures,
    request_for,
)
from tests.preview.preview_requests import AGE, CASES, HAPPY, NAMES, request


def _error(asked: PreviewRequest, epsilon: Decimal) -> float:
    return figures(replace(asked, mechanism=mechanism_at(asked.mechanism, epsilon))).error


@pytest.mark.parametrize(("domain", "kind"), CASES, ids=NAMES)
def test_that_the_solved_epsilon_keeps_the_error_and_the_next_smaller_one_does_not(domain, kind):
    asked = request(domain, kind, "1.37")
    wanted = figures(asked).error
    solved = epsilon_for_error(asked, wanted)
    assert solved == Decimal("1.37")
    assert _error(asked, solved) <= wanted
    assert _error(asked, solved - Decimal("0.01")) > wanted


def test_that_the_solved_epsilon_has_three_digits_at_most():
    solved = epsilon_for_error(request(HAPPY, "grr"), 1.5)
    assert len(solved.as_tuple().digits) <= 3
    assert _error(request(HAPPY, "grr"), solved) <= 1.5


def test_that_an_error_below_that_of_no_protection_is_refused_with_its_number():
    with pytest.raises(ParameterError, match=r"10,000 respondents .* ± 0\.92 pp even without"):
        epsilon_for_error(request(HAPPY, "grr"), 0.9)


@pytest.mark.parametrize("wrong", [0.0, -1.0, float("nan")])
def test_that_an_error_that_is_none_is_refused(wrong):
    with pytest.raises(ParameterError, match="above 0"):
        epsilon_for_error(request(HAPPY, "grr"), wrong)


def test_that_a_very_large_error_gives_the_smallest_epsilon():
    assert epsilon_for_error(request(AGE, "duchi"), 1e9) == Decimal("0.0001")


def test_that_only_a_protected_column_with_a_fitting_mechanism_is_previewed():
    column = ColumnPlan(name="happy", kind="ordinal", domain=HAPPY)
    assert request_for(column, 100) is None
    grr = request(HAPPY, "grr").mechanism
    protected = ColumnPlan(
        name="happy", kind="ordinal", domain=HAPPY, role="protect", mechanism=grr
    )
    asked = request_for(protected, None)
    assert asked is not None
    assert asked.respondents == RESPONDENTS_ASSUMED
    duchi = request(AGE, "duchi").mechanism
    misfit = ColumnPlan(name="happy", kind="ordinal", domain=HAPPY, role="protect", mechanism=duchi)
    assert request_for(misfit, 100) is None
