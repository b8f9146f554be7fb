"""The public report as one page of HTML."""

from __future__ import annotations

from dpdesk.mechanisms import normal_quantile
from dpdesk.report.checklist import answer_counts
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


def report_html(report: PublicReport) -> str:
    """Returns the report as one self-contained page: no script, no network, ready for paper."""
    results = report.results.attributes
    return page(
        "report.html.j2",
        report=report,
        plots=[(result, axis_of(result)) for result in results],
        plot_width=WIDTH,
        further_names=further_names,
        largest_share_error=_largest_share_error(report.parameters.attributes),
        domain_text=domain_text,
        provenance_text=provenance_text,
        answers=answer_counts(report.checklist),
        z=normal_quantile(CONFIDENCE),
    )


def _largest_share_error(attributes: tuple[AttributeParameters, ...]) -> float | None:
    errors = [a.error_95 for a in attributes if a.quantity == "share"]
    return max(errors, default=None)
