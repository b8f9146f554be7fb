"""The head of a report: a release without a title or a contact is told so, wherever it is made."""

from __future__ import annotations

import pytest

from dpdesk.plan import PlanDetails, check
from dpdesk.plan.checks.statistics import check_statistics
from tests.plan.plans import small_plan


@pytest.mark.parametrize(
    ("title", "curator", "path", "options"),
    [
        ("", " ", "details.title", "--title --curator"),
        (" ", "An office", "details.title", "--title"),
        ("A survey", "", "details.curator", "--curator"),
    ],
)
@pytest.mark.parametrize("checked", [check, check_statistics])
def test_that_a_report_without_title_or_curator_is_warned_of_in_one_line(
    checked: object, title: str, curator: str, path: str, options: str
) -> None:
    plan = small_plan().with_fields(details=PlanDetails(title=title, curator=curator))
    found = [p for p in checked(plan) if p.path.startswith("details.")]  # type: ignore[operator]
    assert [(p.path, p.severity) for p in found] == [(path, "warning")]
    assert found[0].message.values["options"] == options
    assert len(found[0].message.values["missing"]) == len(options.split())
    assert f"(draft {options})" in str(found[0])
    assert "draft" not in found[0].in_window


@pytest.mark.parametrize("checked", [check, check_statistics])
def test_that_a_report_with_title_and_curator_is_not_warned_of(checked: object) -> None:
    assert not [p for p in checked(small_plan()) if p.path.startswith("details.")]  # type: ignore[operator]
