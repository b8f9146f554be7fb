from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.stats import binomtest

from dpdesk.channel.subset import SUBSET_MAX
from dpdesk.errors import ParameterError
from dpdesk.mechanisms.subset_selection import SubsetSelection
from dpdesk.plan import ColumnPlan, Plan, check
from dpdesk.randomness import SystemWords
from tests.mechanisms import subset_checks
from tests.mechanisms.drawn_checks import ALPHA
from tests.mechanisms.estimator_checks import bind, categories


def test_that_subsets_are_drawn_by_floyds_algorithm() -> None:
    subset_checks.subsets_are_drawn_by_floyds_algorithm()


def test_that_the_loss_of_subsets_is_below_the_certified_bound() -> None:
    subset_checks.the_loss_of_subsets_is_below_the_certified_bound()


def test_that_no_subset_law_exceeds_its_epsilon_and_each_comes_close() -> None:
    subset_checks.subset_certificates_hold()


def test_that_shares_from_subsets_are_unbiased_with_the_variance_of_the_formula() -> None:
    subset_checks.subset_estimates_are_unbiased_with_their_variance()


def test_that_the_number_of_members_left_open_is_that_of_least_noise() -> None:
    subset_checks.the_number_of_members_is_that_of_least_noise()


def test_that_to_round_the_number_of_members_would_cost_a_sixth() -> None:
    subset_checks.to_round_the_number_of_members_costs_a_sixth()


def test_that_the_indicators_are_set_as_often_as_p_and_q_say() -> None:
    rows, size = 100_000, 16
    oracle = bind("subset_selection", categories(size), "1")
    for code in (0, 7, size - 1):
        bits = oracle.randomize(np.full(rows, code, dtype=np.int32), SystemWords())
        assert (bits.sum(axis=1) == 4).all()
        p, q = oracle.parameters()["p"], oracle.parameters()["q"]
        for value, count in enumerate(bits.sum(axis=0, dtype=np.int64).tolist()):
            chance = p if value == code else q
            assert binomtest(count, rows, chance).pvalue > ALPHA / size / 3


def test_that_a_set_has_fewer_members_than_there_are_categories() -> None:
    made = SubsetSelection(epsilon=Decimal(1), members=5)
    assert made.bind(categories(6)).parameters()["members"] == 5
    assert SubsetSelection.misfit(categories(5)) is None
    for use in (made.bind, made.forecast):
        with pytest.raises(ParameterError, match="fewer categories"):
            use(categories(5))
    with pytest.raises(ParameterError, match="2,000"):
        made.bind(categories(SUBSET_MAX + 1))
    with pytest.raises(ValidationError):
        SubsetSelection(epsilon=Decimal(1), members=0)


def test_that_a_plan_with_too_many_members_has_a_problem() -> None:
    column = ColumnPlan(
        name="diet",
        kind="nominal",
        domain=categories(4),
        confirmed=True,
        role="protect",
        mechanism=SubsetSelection(epsilon=Decimal(1), members=4),
    )
    problems = [p for p in check(Plan(columns=(column,))) if p.code == "misfit"]
    assert len(problems) == 1
    assert "fewer categories" in problems[0].message
