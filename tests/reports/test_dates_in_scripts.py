"""A release of dates, whatever the mechanism: written whole, and its script agrees."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dpdesk.domains import Date
from dpdesk.estimation import estimate_rows, released_from_file
from dpdesk.numbers.calendar import UNITS, date_text
from dpdesk.plan import load_plan
from tests.reports.scripted import KINDS, MISSING, domain_of, plan_of, protected, release_into
from tests.reports.test_analysis_scripts import SECOND, needs_r, told

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
    rows = (row for attribute in released.attributes for row in estimate_rows(attribute))
    means = [row for row in rows if row.quantity == "mean"]
    assert {row.attribute for row in means} == {"born", "asked"}
    for row in means:
        found = said[row.attribute, "mean"]
        assert np.allclose(found, (row.estimate, row.total_standard_error), rtol=1e-9)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of months of birth beside another question."""
    born = protected("born", "laplace", domain=MONTHS)
    return release_into(tmp_path_factory.mktemp("months") / "out", plan_of(born, SECOND))


def test_that_means_of_dates_are_dates_with_the_unit_of_their_errors(folder: Path) -> None:
    (mean, *_) = estimate_rows(
        released_from_file(folder, load_plan(folder / "plan.json")).attributes[0]
    )
    runs: list[tuple[str | Path, ...]] = [(sys.executable, "-I", folder / "analysis.py")]
    if shutil.which("Rscript"):
        runs.append(("Rscript", "--vanilla", folder / "analysis.R"))
    for run in runs:
        found = subprocess.run(run, capture_output=True, encoding="utf-8", check=True).stdout
        assert "born (mean in months since 1970-01)" in found
        assert "mean of born by second (in months since 1970-01)" in found
        line = next(line for line in found.splitlines() if line.split()[:1] == ["mean"])
        assert mean.dates["estimate_date"] in line
        written = subprocess.run([*run, "--csv"], capture_output=True, encoding="utf-8", check=True)
        head, first, *_ = written.stdout.splitlines()
        assert head.endswith(",date")
        assert first.endswith("," + mean.dates["estimate_date"])


NUMBERS = (0.0, -1.0, 0.4, 208.5, 719.49, 20_000.2, -30_000.7, 9_999.0, 3e6, -5e6)
DATES = [date_text(number, unit.words) for unit in UNITS for number in NUMBERS]


def test_that_python_writes_dates_as_dpdesk_does(folder: Path) -> None:
    spec = importlib.util.spec_from_file_location("analysis", folder / "analysis.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    found = []
    for unit in UNITS:
        script.RELEASE["questions"]["born"]["dates"] = [unit.name]
        found += [script.date_text("born", "mean", number) for number in NUMBERS]
    assert found == DATES


@needs_r
def test_that_r_writes_dates_as_dpdesk_does(folder: Path) -> None:
    units = ", ".join(f'"{unit.name}"' for unit in UNITS)
    ask = (
        "invisible(capture.output(source('analysis.R'))); "
        f"for (unit in c({units})) {{ RELEASE$questions$born$dates <- unit; "
        f"cat(date_text('born', c({', '.join(map(repr, NUMBERS))})), sep='\\n'); cat('\\n') }}"
    )
    words = ["Rscript", "--vanilla", "-e", ask]
    run = subprocess.run(words, cwd=folder, capture_output=True, encoding="utf-8", check=True)
    assert run.stdout.split() == DATES
