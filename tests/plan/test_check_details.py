"""The head of a report: a release without a title or a contact is told so, wherever it is made."""

from __future__ import annotations

import pytest

from dpdesk.plan import PlanDetails, check
from dpdesk.plan.checks.statistics import check_statistics
from tests.plan.plans import small_plan


@pytest.mark.parametrize(
    ("title", "curator", "path", "said"),
    [
        ("", " ", "details.title", ("no title", "no curator", "(draft --title, --curator)")),
        (" ", "An office", "details.title", ("no title", "(draft --title)")),
        ("A survey", "", "details.curator", ("no curator", "(draft --curator)")),
    ],
)
@pytest.mark.parametrize("checked", [check, check_statistics])
def test_that_a_report_without_title_or_curator_is_warned_of_in_one_line(
    checked: object, title: str, curator: str, path: str, said: tuple[str, ...]
) -> None:
    plan = small_plan().with_fields(details=PlanDetails(title=title, curator=curator))
    found = [p for p in checked(plan) if p.path.startswith("details.")]  # type: ignore[operator]
    assert [(p.path, p.severity) for p in found] == [(path, "warning")]
    assert all(part in str(found[0]) for part in (*said, "Report details"))
    assert "(draft --" in found[0].remedy
    assert "draft" not in found[0].remedy_in_window


@pytest.mark.parametrize("checked", [check, check_statistics])
def test_that_a_report_with_title_and_curator_is_not_warned_of(checked: object) -> None:
    assert not [p for p in checked(small_plan()) if p.path.startswith("details.")]  # type: ignore[operator]
