from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from dpdesk.domains import Categorical, Integer
from dpdesk.errors import ParameterError
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import ColumnPlan, mechanism_at
from dpdesk.preview import (
    RESPONDENTS_ASSUMED,
    PreviewRequest,
    accuracy_view,
    epsilon_for_error,
    figures,
    request_for,
)
from dpdesk.preview.solve import LAST_RUNG, epsilon_at
from tests.preview.preview_requests import AGE, CASES, HAPPY, NAMES, request
from tests.refusals import refused

LARGE_ENOUGH = Categorical(values=tuple(f"job {i}" for i in range(12)))


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


@pytest.mark.parametrize(
    ("size", "compared"),
    [(2, (0, 1)), (3, (0, 1)), (4, (1, 2)), (5, (1, 3)), (9, (2, 6)), (101, (25, 75))],
)
def test_that_numbers_are_compared_at_the_quarters_of_their_grid(
    size: int, compared: tuple[int, int]
):
    assert Integer(lower=1, upper=size).two_answers == compared
    assert Categorical(values=tuple(map(str, range(size)))).two_answers == (0, 1)


def test_that_an_error_below_that_of_no_protection_is_refused_with_its_number():
    with refused("preview.out-of-reach", respondents=10_000, floor="± 0.92 pp"):
        epsilon_for_error(request(HAPPY, "grr"), 0.9)


@pytest.mark.parametrize("wrong", [0.0, -1.0, float("nan")])
def test_that_an_error_that_is_none_is_refused(wrong):
    with refused("preview.bad-error"):
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


def test_that_epsilons_which_other_parameters_rule_out_are_no_solutions_and_no_points():
    # With one hash and this ratio no epsilon above 8 is allowed.
    law = mechanism_named("rappor")(epsilon=Decimal(1), hashes=1, permanent_ratio=Decimal(10))
    asked = replace(request(HAPPY, "grr"), mechanism=law)
    view = accuracy_view(asked)
    allowed = view.epsilons <= 8
    assert np.array_equal(np.isnan(view.chosen.by_epsilon), ~allowed)
    wanted = _error(asked, Decimal("2.5"))
    assert epsilon_for_error(asked, wanted) == Decimal("2.5")
    with pytest.raises(ParameterError):
        epsilon_for_error(asked, _error(asked, Decimal(8)) * 0.999)
    others = {curve.kind for curve in view.others}
    assert "rappor" not in others


def test_that_a_matrix_has_no_epsilon_to_solve_for():
    own = mechanism_named("pram").starting(HAPPY, Decimal(1))
    asked = replace(request(HAPPY, "grr"), mechanism=own)
    with pytest.raises(ParameterError, match="follows from its other parameters"):
        epsilon_for_error(asked, 3.0)


@pytest.mark.parametrize("kind", ["square_wave", "subset_selection"])
def test_that_no_smaller_epsilon_reaches_the_error_where_errors_rise_and_fall(kind):
    domain = AGE if kind == "square_wave" else LARGE_ENOUGH
    asked = request(domain, kind)
    for centre in ("4.47", "1.2"):
        wanted = _error(asked, Decimal(centre))
        solved = epsilon_for_error(asked, wanted)
        below = [e for e in map(epsilon_at, range(LAST_RUNG)) if Decimal("0.8") * solved < e]
        assert all(_error(asked, e) > wanted for e in below if e < solved)
        assert _error(asked, solved) <= wanted
