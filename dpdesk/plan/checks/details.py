"""The check of the head of a report: what it is called, and whom a reader can ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dpdesk.i18n import in_a_row
from dpdesk.plan.checks.texts import T
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem


def check_details(plan: Plan) -> Iterator[Problem]:
    """Yields the warning of a report without a title, or without a curator, or without both.

    Neither is taken from the file: its name may be confidential, and does not say who answers for
    the release.
    """
    words = {"title": T.A_TITLE(), "curator": T.A_CONTACT()}
    lacking = [field for field in words if not getattr(plan.details, field).strip()]
    if lacking:
        options = in_a_row(f"--{field}" for field in lacking)
        said = T.REPORT_UNNAMED(missing=[words[field] for field in lacking], options=options)
        yield Problem(f"details.{lacking[0]}", "warning", said)


def where_no_report_is_written(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Returns problems without that of the head of a report."""
    return tuple(problem for problem in problems if problem.code != "report_unnamed")
