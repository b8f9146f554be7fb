"""How to compute everything again from the files of a release."""

from __future__ import annotations

from dpdesk.estimate.released import Released, ReleasedAttribute
from dpdesk.report.section import Section

FILES = (
    ("records.csv", "The sanitized records: one row per respondent."),
    ("records.parquet", "The same records with types."),
    ("estimates.csv", "Every estimate with its errors and 95 % interval."),
    ("codebook.csv", "Every released column: what it holds and how to estimate from it."),
    ("plan.json", "The plan: domains, mechanisms and epsilons."),
    ("report.json", "This report for programs; its schema is published with dpdesk."),
    ("report.html", "This report for people."),
    ("manifest.json", "Size and SHA-256 of every other file."),
)


class ReleasedFile(Section):
    """One file of the release."""

    name: str
    """Its name."""
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
    return Reproduction(
        files=tuple(ReleasedFile(name=name, content=content) for name, content in FILES),
        estimate_command="dpdesk estimate FOLDER",
        release_command="dpdesk release SURVEY --plan PLAN --out FOLDER",
        note="The estimates can be computed again from the release alone. The records cannot be "
        "drawn again: the random words were used once and not kept.",
        rules=tuple(
            EstimationRule(attribute=a.column.name, rule=estimation_rule(a))
            for a in released.attributes
        ),
    )


def estimation_rule(attribute: ReleasedAttribute) -> str:
    """Returns how to estimate an attribute from its released column or columns."""
    numbers = attribute.bound.parameters()
    if attribute.bound.form == "bits":
        seen = "s is the share of 1 in the category's column"
    else:
        seen = "s is the share of reports of the category"
    if not attribute.bound.numeric_outputs:
        return (
            f"share of a category = (s - q) / (p - q), where {seen}, p = {numbers['p']!r} and "
            f"q = {numbers['q']!r}"
        )
    if len(attribute.bound.outputs) == 2:
        return "mean = the average of the reports; each of the two numbers carries the correction"
    return (
        "mean = the average of phi(report), where phi solves P phi = x for the law P of the grid; "
        "the plain average of the reports is biased towards the middle. dpdesk estimate does it"
    )
