"""What the holder of the data is told of statistics before anything is charged."""

from __future__ import annotations

from decimal import Decimal

import pytest
from pydantic import ValidationError

from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.plan import ColumnPlan, PlanDetails, errors_of
from dpdesk.plan.checks.statistics import check_statistics, check_statistics_table
from dpdesk.queries import PrivacyUnit
from dpdesk.queries.unit import ROWS_PER_RESPONDENT_MAX
from tests.reports.asked import asked_plan

UNIT = PrivacyUnit(respondent_column="id", rows_per_respondent=1)


def table_with(*names: str) -> SurveyTable:
    return table_from_texts({"id": list(names), "sex": ["f"] * len(names)})


def test_that_rows_which_do_not_say_whose_they_are_are_counted_and_told() -> None:
    plan = asked_plan(UNIT, "count by sex").with_fields(allowed_unfit=Decimal("0.5"))
    assert check_statistics_table(plan, table_with("a", "b", "c", "d")) == ()
    (problem,) = check_statistics_table(plan, table_with("a", "", "Jos\ufffd", "d"))
    assert (problem.severity, problem.code) == ("warning", "answers_unfit")
    values = problem.message.values
    assert (values["name"], values["unknown"], values["all"]) == ("id", 2, 4)
    assert values["rows"].values == {"rows": "2 and 3"}


def test_that_many_rows_of_nobody_stop_statistics_before_the_charge() -> None:
    plan = asked_plan(UNIT, "count by sex").with_fields(allowed_unfit=Decimal("0.25"))
    (problem,) = errors_of(check_statistics_table(plan, table_with("a", "", "", "d")))
    assert problem.code == "too_many_unfit"
    assert (problem.message.values["unknown"], problem.message.values["most"]) == (2, "25 %")
    assert errors_of(check_statistics_table(plan, table_with("a", "b", "", "d"))) == ()


def test_that_without_a_column_of_respondents_blank_names_are_nobodys_business() -> None:
    plan = asked_plan(None, "count by sex").with_fields(respondents=4)
    assert check_statistics_table(plan, table_with("", "", "", "")) == ()


def test_that_a_respondent_has_at_most_a_million_rows() -> None:
    assert ROWS_PER_RESPONDENT_MAX == 10**6
    PrivacyUnit(respondent_column="id", rows_per_respondent=10**6)
    with pytest.raises(ValidationError):
        PrivacyUnit(respondent_column="id", rows_per_respondent=10**6 + 1)


def test_that_the_head_of_a_plan_does_not_change_under_its_reader() -> None:
    with pytest.raises(ValidationError):
        PlanDetails(title="a").title = "b"


def test_that_a_column_of_the_data_that_the_plan_lacks_is_a_problem_and_no_crash() -> None:
    plan = asked_plan(None, "count by sex").with_fields(respondents=2)
    lacking = plan.with_fields(columns=tuple(c for c in plan.columns if c.name != "sex"))
    assert check_statistics_table(lacking, table_with("a", "b")) == ()
    (problem,) = errors_of(check_statistics(lacking))
    assert "sex" in problem.message


def test_that_survey_weights_are_said_to_be_unused() -> None:
    plan = asked_plan(None, "count by sex")
    assert "weights_not_used" not in {problem.code for problem in check_statistics(plan)}
    weight = ColumnPlan(name="wt", kind="weight", role="keep", keep_confirmed=True)
    weighted = plan.with_fields(columns=(*plan.columns, weight))
    (problem,) = (p for p in check_statistics(weighted) if p.code == "weights_not_used")
    assert problem.severity == "warning"
    assert problem.message.values == {"name": "wt"}
