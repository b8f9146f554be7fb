"""The check of the head of a report: what it is called, and whom a reader can ask."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem

REPORT_UNNAMED = "report_unnamed"
"""Code of the problem."""

_REMEDY = "Type {what} under “Report details” (draft {options})."


def check_details(plan: Plan) -> Iterator[Problem]:
    """Yields the warning of a report without a title, or without a curator, or without both.

    Neither is taken from the file: its name may be confidential, and does not say who answers for
    the release.
    """
    lacks_title = not plan.details.title.strip()
    lacks_curator = not plan.details.curator.strip()
    if lacks_title and lacks_curator:
        yield Problem(
            "details.title",
            "warning",
            REPORT_UNNAMED,
            "The report has no title, and names no curator to ask.",
            _REMEDY.format(what="both", options="--title, --curator"),
        )
    elif lacks_title:
        yield Problem(
            "details.title",
            "warning",
            REPORT_UNNAMED,
            "The report has no title.",
            _REMEDY.format(what="it", options="--title"),
        )
    elif lacks_curator:
        yield Problem(
            "details.curator",
            "warning",
            REPORT_UNNAMED,
            "The report names no curator to ask.",
            _REMEDY.format(what="it", options="--curator"),
        )
