from __future__ import annotations

from dpdesk.plan import PlanDetails
from dpdesk.reports.checklist import checklist
from dpdesk.reports.checklist.texts import T
from tests.reports.cases import COLUMNS, KEPT, plan_of, released_of


def answers(plan) -> dict[str, str]:
    groups = checklist(released_of(plan, rows=20))
    return {check.question: check.answer for group in groups for check in group.checks}


def test_that_a_column_passed_through_is_a_no() -> None:
    question = T.ASKS_EVERY_COLUMN()
    assert answers(plan_of(COLUMNS[0]))[question] == "yes"
    assert answers(plan_of(COLUMNS[0], KEPT))[question] == "no"


def test_that_a_domain_read_off_the_data_is_a_no_even_when_confirmed() -> None:
    question = T.ASKS_DOMAINS()
    assert answers(plan_of(COLUMNS[0]))[question] == "yes"
    assert answers(plan_of(COLUMNS[4]))[question] == "no"


def test_that_rows_in_the_order_of_the_survey_are_a_no() -> None:
    question = T.ASKS_ORDER()
    assert answers(plan_of(COLUMNS[0]))[question] == "yes"
    assert answers(plan_of(COLUMNS[0], shuffle=False))[question] == "no"


def test_that_a_choice_is_justified_by_a_whole_reason_or_by_one_for_each_attribute() -> None:
    question = T.ASKS_REASONS()
    assert answers(plan_of(COLUMNS[0]))[question] == "yes"
    assert answers(plan_of(*COLUMNS[:2]))[question] == "no"
    details = PlanDetails(justification="An office's rule.")
    assert answers(plan_of(*COLUMNS[:2], details=details))[question] == "yes"


def test_that_what_dpdesk_cannot_know_is_unknown() -> None:
    unknown = {q for q, answer in answers(plan_of(*COLUMNS)).items() if answer == "unknown"}
    assert {T.ASKS_EARLIER(), T.ASKS_ENFORCED(), T.ASKS_LOOKED()} <= unknown


def test_that_the_groups_are_the_levels_of_the_pyramid() -> None:
    titles = [group.title for group in checklist(released_of(plan_of(COLUMNS[0]), rows=20))]
    assert titles == ["Direct measures", "What can undermine them", "What they rest on"]
