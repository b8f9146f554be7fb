"""The private report on how recognisable respondents are, for the holder of the data only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dpdesk.data.table import SurveyTable
from dpdesk.disclosure.facts import change_facts, risk_facts, special_facts
from dpdesk.preview.recognisable import PROTECTED_AT, Measured
from dpdesk.releases.private import digest_of, write_private
from dpdesk.reports.page import page

MARKING = "PRIVATE: computed from true answers. Never publish, never put beside a release."

RECORDS_LISTED = 50


def private_risk(table: SurveyTable, answer: Measured) -> dict[str, Any]:
    """Returns the content of the report, as JSON has it.

    Args:
        table: The survey.
        answer: What was measured on it.
    """
    content: dict[str, Any] = {
        "marking": MARKING,
        "format": "dpdesk-private-risk",
        "version": 1,
        "input_name": table.name,
        "input_digest": digest_of(table),
        "quasi_identifiers_from": answer.source,
        "weights": answer.weights or None,
    }
    content |= risk_facts(answer.risk).entry()
    # Where a missing cell matches any value, no set of columns has groups.
    content |= (
        {} if answer.special is None else special_facts(answer.special, RECORDS_LISTED).entry()
    )
    found = change_facts((one.change for one in answer.changes), answer.risk.threshold).entry()
    content["changes"] = [
        entry
        | {
            "epsilon": None if one.protected is None else str(PROTECTED_AT),
            "error_95": None if one.protected is None else one.protected.error,
            "error_unit": None if one.protected is None else one.protected.unit,
        }
        for entry, one in zip(found["changes"], answer.changes, strict=True)
    ]
    return content


def write_private_risk(
    table: SurveyTable, answer: Measured, path: Path, *, overwrite: bool = True
) -> None:
    """Writes the report to a file that nobody but the user may read (mode 0600).

    Args:
        table: The survey.
        answer: What was measured on it.
        path: A file ending in `.html` or `.json`; never in the folder of a release.
        overwrite: Whether an earlier file of this name may be replaced.

    Raises:
        ReleaseError: The file would lie in a release, has another ending, or cannot be written.
    """
    content = private_risk(table, answer)
    write_private(
        path,
        lambda: json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False),
        lambda: page("private_risk.html.j2", report=content),
        overwrite=overwrite,
    )
