"""The files of a release, each with what it is for."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesk.i18n import N_

RELEASE_FILES = (
    ("records.csv", N_("the sanitized answers, one line per respondent")),
    ("records.parquet", N_("the same for statistics software")),
    ("estimates.csv", N_("unbiased estimates with 95 % intervals")),
    ("codebook.csv", N_("what each released column means")),
    ("report.html", N_("the privacy report, to read and to print")),
    ("report.json", N_("the same for programs")),
    ("plan.json", N_("the plan, to repeat or to audit")),
    ("manifest.json", N_("sizes and SHA-256 digests of all files")),
)
"""Names in the order of their use, with a line for people."""

STATISTICS_FILES = (
    ("statistics.csv", N_("every released number with its intervals")),
    ("report.html", N_("the privacy report, to read and to print")),
    ("report.json", N_("the same for programs")),
    ("plan.json", N_("what was asked, to repeat or to audit")),
    ("manifest.json", N_("sizes and SHA-256 digests of all files")),
)
"""The same of a release of statistics."""


def file_line(line: str) -> str:
    """Returns the line for people of a file of a release, in the language of the window."""
    return QCoreApplication.translate("ReleaseFiles", line)
