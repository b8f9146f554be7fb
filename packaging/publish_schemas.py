"""Writes the published schemas anew: `python packaging/publish_schemas.py`.

They follow from the code; a test compares them.
"""

from __future__ import annotations

import json
from pathlib import Path

from dpdesk.demonstrations.reader import demonstration_schema
from dpdesk.plan import plan_schema
from dpdesk.releases.coarsened import coarsened_schema
from dpdesk.reports.public import report_schema
from dpdesk.reports.statistics.public import statistics_report_schema
from dpdesk.reports.synthetic.public import synthetic_report_schema

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "schema"
SCHEMAS = {
    "plan": plan_schema,
    "report": report_schema,
    "statistics-report": statistics_report_schema,
    "synthetic-report": synthetic_report_schema,
    "coarsened-report": coarsened_schema,
    "demonstration": demonstration_schema,
}


def main() -> None:
    """Writes one file for each."""
    for name, schema in SCHEMAS.items():
        text = json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
        (FOLDER / f"{name}.schema.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
