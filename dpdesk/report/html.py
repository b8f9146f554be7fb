"""The public report as one page of HTML."""

from __future__ import annotations

from collections import Counter

from dpdesk.mechanisms import normal_quantile
from dpdesk.report.checklist import Answer
from dpdesk.report.interval_plot import WIDTH, axis_of
from dpdesk.report.page import page
from dpdesk.report.parameters import (
    CONFIDENCE,
    AttributeParameters,
    domain_text,
    provenance_text,
)
from dpdesk.report.public import PublicReport
from dpdesk.report.results import further_names

_ANSWERS: tuple[Answer, ...] = ("yes", "no", "not applicable", "unknown")


def report_html(report: PublicReport) -> str:
    """Returns the report as one self-contained page: no script, no network, ready for paper."""
    results = report.results.attributes
    answers = Counter(check.answer for group in report.checklist for check in group.checks)
    return page(
        "report.html.j2",
        report=report,
        plots=[(result, axis_of(result)) for result in results],
        plot_width=WIDTH,
        further_names=further_names,
        largest_share_error=_largest_share_error(report.parameters.attributes),
        domain_text=domain_text,
        provenance_text=provenance_text,
        answers=[(answer, answers[answer]) for answer in _ANSWERS],
        z=normal_quantile(CONFIDENCE),
    )


def _largest_share_error(attributes: tuple[AttributeParameters, ...]) -> float | None:
    errors = [a.error_95 for a in attributes if a.quantity == "share"]
    return max(errors, default=None)
