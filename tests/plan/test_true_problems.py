"""The numbers in what is said of a plan before it is run, against others computed here."""

from __future__ import annotations

from decimal import Decimal
from itertools import product
from math import exp

import pytest

from dpdesk.plan import Plan, Problem, check
from dpdesk.plan.checks.statistics import check_statistics
from dpdesk.plan.checks.strategy import check_group_size
from dpdesk.plan.statistics import Statistics
from dpdesk.queries import PrivacyUnit
from dpdesk.queries.phrase import parse_query
from tests.reports.asked import asked_plan
from tests.reports.cases import YES_NO, plan_of, protected
from tests.reports.test_true_sentences import CASES, plan_for
from tests.reports.true_numbers import is_rounded_up, losses_of
from tests.strength import strength_by_odds


def of_code(problems: tuple[Problem, ...], code: str) -> list[Problem]:
    return [problem for problem in problems if problem.code == code]


@pytest.mark.parametrize("case", CASES, ids=", ".join)
def test_that_a_budget_is_passed_where_the_enumerated_loss_passes_it(case) -> None:
    record = losses_of(plan_for(*case)).record
    for budget in (record * 0.98, record + 1e-5, 20.0):
        limit = Decimal(f"{budget:.6f}")
        found = of_code(check(plan_for(*case, budget=limit)), "over_budget")
        assert bool(found) == (record > float(limit))
        for problem in found:
            used, stated = (float(problem.message.values[key]) for key in ("used", "budget"))
            assert is_rounded_up(used, record, 2e-6)
            assert stated == float(limit)


@pytest.mark.parametrize("epsilon", ["1", "6.9", "6.91", "9.5", "12"])
def test_that_an_epsilon_is_called_weak_by_its_odds(epsilon: str) -> None:
    plan = plan_of(protected("q", "binary", YES_NO, "warner", epsilon))
    found = of_code(check(plan), "weak")
    assert bool(found) == (strength_by_odds(exp(float(epsilon))) == "very weak")
    for problem in found:
        assert float(problem.message.values["epsilon"]) == float(epsilon)


@pytest.mark.parametrize(
    ("attributes", "rows"), list(product((1, 2, 5, 12), (1, 2, 8, 30, 40, 60, 90, 400)))
)
def test_that_groups_are_called_as_small_as_they_will_be(attributes: int, rows: int) -> None:
    columns = [protected(f"q{i}", "binary", YES_NO, "warner", "1") for i in range(attributes)]
    for strategy in ("spl", "smp", "rsfd"):
        found = tuple(check_group_size(plan_of(*columns, strategy=strategy), rows))
        if strategy != "smp":
            assert found == ()
            continue
        # Of n respondents nobody reports one of d attributes with chance ((d - 1)/d)^n.
        nobody = attributes * ((attributes - 1) / attributes) ** rows
        for problem in of_code(found, "too_few_reports"):
            values = problem.message.values
            assert float(values["left_out"]) == pytest.approx(nobody, rel=0.051)
            assert (values["respondents"], values["variables"]) == (rows, attributes)
        for problem in of_code(found, "few_reports"):
            assert problem.message.values["expected"] == pytest.approx(rows / attributes, abs=0.51)
        # A plan under which attributes are left out is not run; one with rough estimates is.
        assert [problem.severity for problem in found] == [
            "error" if problem.code == "too_few_reports" else "warning" for problem in found
        ]
        codes = [problem.code for problem in found]
        few = rows / attributes < 30
        assert codes == (["too_few_reports"] if nobody >= 0.5 else ["few_reports"] if few else [])


def with_statistics(**fields: object) -> Plan:
    queries = tuple(
        parse_query(phrase, epsilon=Decimal("0.75")) for phrase in ("sum of age", "count by sex")
    )
    return asked_plan().with_fields(statistics=Statistics(queries=queries, **fields))


@pytest.mark.parametrize("budget", [None, "1.4999", "1.5", "3"])
def test_that_statistics_over_their_budget_are_told_with_their_sum(budget: str | None) -> None:
    limit = None if budget is None else Decimal(budget)
    found = of_code(check_statistics(with_statistics(budget=limit)), "over_budget")
    assert bool(found) == (limit is not None and limit < Decimal("1.5"))
    for problem in found:
        assert problem.message.values == {"used": "1.5", "budget": "1.4999"}


@pytest.mark.parametrize(("column", "rows"), list(product(("", "id"), (1, 2))))
def test_that_a_bound_on_rows_is_called_a_promise_where_nothing_enforces_it(
    column: str, rows: int
) -> None:
    unit = PrivacyUnit(respondent_column=column, rows_per_respondent=rows)
    found = of_code(check_statistics(with_statistics(unit=unit)), "rows_promised")
    assert bool(found) == (rows > 1 and not column)
