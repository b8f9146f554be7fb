"""A release of dates, whatever the mechanism: written whole, and its script agrees."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from dpdesk.domains import Date
from dpdesk.estimate import estimate_rows, released_from_file
from dpdesk.plan import load_plan
from tests.report.scripted import KINDS, MISSING, domain_of, plan_of, protected, release_into
from tests.report.test_analysis_scripts import told

MONTHS = Date(lower="1990-01", upper="1994-12", by="month")
QUARTERS = Date(lower="08:00", upper="17:45", by="time", step=15)
NUMERIC = [kind for kind in KINDS if domain_of(kind).holds_numbers]


@pytest.mark.parametrize("kind", NUMERIC)
@pytest.mark.parametrize("domain", [MONTHS, QUARTERS], ids=["months", "times of day"])
def test_that_dates_are_released_by_every_mechanism_for_numbers(
    kind: str, domain: Date, tmp_path: Path
) -> None:
    born = protected("born", kind, domain=domain)
    answered = protected("asked", kind, domain=domain, missing=MISSING)
    folder = release_into(tmp_path / "out", plan_of(born, answered))
    released = released_from_file(folder, load_plan(folder / "plan.json"))
    said = told(sys.executable, "-I", folder / "analysis.py")
    for attribute in released.attributes:
        for row in estimate_rows(attribute):
            if row.quantity == "mean":
                found = said[row.attribute, "mean"]
                assert np.allclose(found, (row.estimate, row.total_standard_error), rtol=1e-9)
