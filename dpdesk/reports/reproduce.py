"""How to repeat every computation from the files of a release."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.data.record_files import record_files
from dpdesk.estimation.released import Released, ReleasedAttribute
from dpdesk.i18n import in_a_row
from dpdesk.plan.model import Plan, sampled_attribute_name
from dpdesk.reports.section import Named, Section
from dpdesk.reports.texts import T

_BESIDE = (
    ("estimates.csv", "Every estimate with its errors and 95 % interval."),
    ("codebook.csv", "Every released column: what it holds and how to estimate from it."),
    ("analysis.py", "Unbiased shares, a cross-table and means of the records, in plain Python."),
    ("analysis.R", "The same in R, without packages."),
    ("plan.json", "The plan: domains, mechanisms and epsilons."),
    ("report.json", "Report and annex for programs; its schema is published with dpdesk."),
    ("report.html", "The report for people."),
    ("annex.html", "Its annex: exact losses, parameters and checks."),
    ("report.pdf", "The same to print and to archive: tagged, PDF/A-2a and PDF/UA-1."),
    ("registry-entry.yaml", "What public registries of such releases list."),
    ("manifest.json", "Size and SHA-256 of every other file."),
)


class ReleasedFile(Named):
    """One file of the release."""

    content: str
    """What it holds."""


class EstimationRule(Section):
    """How to estimate one attribute from the records."""

    attribute: str
    """Name of the column."""
    rule: str
    """The estimator in words and symbols."""


class Reproduction(Section):
    """How to compute everything again."""

    files: tuple[ReleasedFile, ...]
    """The files of the release."""
    estimate_command: str
    """The command line that computes the estimates from the release alone."""
    release_command: str
    """The command line that made a release of this kind; it draws anew at every run."""
    note: str
    """What can be repeated and what cannot."""
    rules: tuple[EstimationRule, ...]
    """The estimator of each attribute."""


def reproduction(released: Released) -> Reproduction:
    """Returns how to compute a release's estimates again."""
    files = (*((kind.name, kind.content) for kind in record_files(released.plan.formats)), *_BESIDE)
    return Reproduction(
        files=tuple(ReleasedFile(name=name, content=content) for name, content in files),
        estimate_command="dpdesk estimate FOLDER",
        release_command="dpdesk release SURVEY --plan PLAN --out FOLDER",
        note=T.DRAWN_ONCE(),
        rules=tuple(
            EstimationRule(attribute=a.column.name, rule=estimation_rule(a, released.plan))
            for a in released.attributes
        ),
    )


def estimation_rule(attribute: ReleasedAttribute, plan: Plan) -> str:
    """Returns how to estimate an attribute from its released column or columns.

    Args:
        attribute: The attribute.
        plan: The plan of the release, for its weights.
    """
    return in_a_row(_rule(attribute, plan))


def _rule(attribute: ReleasedAttribute, plan: Plan) -> Iterator[str]:
    name, sampled = attribute.column.name, sampled_attribute_name(plan)
    if attribute.column.missing.treatment.stays_blank:
        yield T.RULE_OF_FILLED(name=name)
    elif sampled is not None:
        yield T.RULE_OF_DRAWN(name=name, sampled=sampled)
    weights = "" if plan.weight_column is None else plan.weight_column.name
    yield attribute.bound.estimation_rule(f" {T.WEIGHTED_BY(name=weights)}" if weights else "")
    if weights:
        yield T.WEIGHTED_ERROR(name=weights)
        # Few reports must not look like no error: see `frequency_estimate` and `least_variance`.
        is_mean = attribute.bound.domain.holds_numbers
        yield T.WEIGHTED_ERROR_AT_LEAST() if is_mean else T.WEIGHTED_ERROR_AT_ENDS()
    missing = attribute.missing_category
    if missing is not None:
        yield T.SHARE_OF_ANSWERED(name=attribute.bound.domain.texts[missing])
