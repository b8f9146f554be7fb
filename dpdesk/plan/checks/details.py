"""The check of the head of a report: what it is called, and whom a reader can ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem

_CODE = "report_unnamed"

_SENTENCES = {
    ("title",): "The report has no title.",
    ("curator",): "The report names no curator to ask.",
    ("title", "curator"): "The report has no title, and names no curator to ask.",
}


def check_details(plan: Plan) -> Iterator[Problem]:
    """Yields the warning of a report without a title, or without a curator, or without both.

    Neither is taken from the file: its name may be confidential, and does not say who answers for
    the release.
    """
    given = {"title": plan.details.title, "curator": plan.details.curator}
    lacking = [field for field, text in given.items() if not text.strip()]
    if lacking:
        options = ", ".join(f"--{field}" for field in lacking)
        yield Problem(
            f"details.{lacking[0]}",
            "warning",
            _CODE,
            _SENTENCES[tuple(lacking)],
            f"Type {'it' if len(lacking) == 1 else 'both'} under “Report details” "
            f"(draft {options}).",
        )


def where_no_report_is_written(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Returns problems without that of the head of a report."""
    return tuple(problem for problem in problems if problem.code != _CODE)
