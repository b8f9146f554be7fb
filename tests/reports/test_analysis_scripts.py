"""The scripts of a release say what `dpdesk estimate` says."""

from __future__ import annotations

import csv
import importlib.util
import io
import shutil
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest

from dpdesk.domains import Categorical, parse_number
from dpdesk.estimation.from_records import released_from_file
from dpdesk.estimation.joint import cross_table, means_by_group
from dpdesk.estimation.rows import estimate_rows
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.plan import Plan, load_plan
from dpdesk.reports.analysis import facts_of, python_script
from tests.reports.scripted import (
    AGE,
    BLANK,
    BORN,
    CODED,
    GAPS,
    KEPT,
    KINDS,
    MISSING,
    NONE,
    WEIGHT,
    domain_of,
    kept_number,
    plan_of,
    protected,
    release_into,
)

EXPECTED = (Decimal(1), Decimal(2), Decimal(4))
NUMERIC = [kind for kind in KINDS if domain_of(kind).holds_numbers]
NAMED = [kind for kind in KINDS if kind not in NUMERIC]
SECOND = protected("second", "grr")
HOURS = protected("hours", "laplace")

needs_r = pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")


def plans() -> dict[str, Plan]:
    """Plans by what they show."""
    found = {
        kind: plan_of(protected("x", kind), SECOND if kind in NUMERIC else HOURS, KEPT, AGE)
        for kind in KINDS
    }
    found |= {
        f"{kind} weighted": plan_of(protected("x", kind), SECOND, HOURS, WEIGHT)
        for kind in ("grr", "oue", "pram", "rappor", "olh", "set_response", "bounded_laplace")
    }
    for name, policy in (("none", NONE), ("blank", BLANK)):
        found |= {
            f"{kind} {name}": plan_of(protected("x", kind, missing=policy), HOURS, KEPT)
            for kind in ("grr", "sue", "pram")
        }
    found |= {
        f"{kind} {name}": plan_of(protected("x", kind, missing=policy), SECOND, WEIGHT)
        for kind in ("laplace", "square_wave", "duchi")
        for name, policy in (("blank", BLANK), ("missing", MISSING))
    }
    found |= {
        f"{kind} none weighted": plan_of(protected("x", kind, missing=NONE), SECOND, WEIGHT)
        for kind in ("grr", "hadamard", "olh", "rappor", "pram")
    }
    first = protected("x", "grr", missing=NONE)
    found["rsfd none"] = plan_of(first, SECOND, KEPT, strategy="rsfd")
    for strategy in ("smp", "rsfd", "rsrfd"):
        numbers = (HOURS,) if strategy == "smp" else ()
        prior = {"expected": EXPECTED} if strategy == "rsrfd" else {}
        first, bits = protected("x", "grr", **prior), protected("x", "sue", **prior)
        second, other = protected("second", "grr", **prior), protected("y", "oue", **prior)
        kept = (KEPT, AGE)
        found[strategy] = plan_of(first, second, *numbers, *kept, WEIGHT, strategy=strategy)
        found[f"{strategy} bits"] = plan_of(bits, other, *kept, strategy=strategy)
    found["rsfd random"] = plan_of(
        protected("x", "oue"), SECOND, KEPT, strategy="rsfd", fakes="random"
    )
    found |= {
        f"written {example}": plan_of(SECOND, kept_number(example), KEPT)
        for example in ("1.234,5", "1,234.5", "1234.5 kg", "$1,234.5")
    }
    first, kept = (
        column.changed(name=f"{name}\nwith\nlines")
        for name, column in (("x", protected("x", "grr")), ("region", KEPT))
    )
    found["names of several lines"] = plan_of(first, SECOND, HOURS, kept, AGE)
    alike = Categorical(values=("1", "2", "3"), labels={"1": "yes", "2": "yes", "3": "no"})
    # Cells beside the domain, an answer that is a formula, and codes that are written otherwise.
    found["kept with gaps"] = plan_of(protected("x", "grr"), GAPS, CODED)
    found["labels alike"] = plan_of(
        protected("x", "grr", domain=alike), SECOND, KEPT.changed(domain=alike), HOURS
    )
    return found


WITHHELD = (inf, inf)
"""In place of a share and its error that dpdesk does not tell, since its interval is all that is
possible; a script shows both."""


def wanted(folder: Path) -> dict[tuple[str, str], tuple[float, float]]:
    """What dpdesk estimates, by title and label."""
    plan = load_plan(folder / "plan.json")
    released = released_from_file(folder, plan)
    facts = facts_of(released)
    # Of what the error takes more than a script has, as of options, a note says where it is.
    beside = {one.name for one in facts.questions if not one.values.get("missing_place")}
    found = {}
    for attribute in released.attributes:
        for row in estimate_rows(attribute):
            label = {"share": row.label, "mean": "mean", "share answered": "share answered"}
            numbers = row.estimate, row.total_standard_error
            if row.quantity in label:
                found[row.attribute, label[row.quantity]] = numbers
            elif row.quantity == "share among those who answered" and row.attribute not in beside:
                found[f"{row.attribute} among those who answered", row.label] = numbers
        name, missing = attribute.column.name, attribute.missing_category
        if missing is not None and attribute.among_answered is None and name not in beside:
            domain = attribute.bound.domain
            labels = [domain.label(place) for place in range(domain.size) if place != missing]
            found |= {(f"{name} among those who answered", label): WITHHELD for label in labels}
    records = ScoredRecords(folder, plan)
    if facts.cross:
        table = cross_table(records, facts.cross)
        for cell in table.cells():
            found[" x ".join(facts.cross), " x ".join(cell.labels)] = (
                cell.value,
                cell.standard_error,
            )
    if facts.mean:
        number, by = facts.mean
        for cell in means_by_group(records, number, (by,)).cells():
            key = (f"mean of {number} by {by}", " x ".join(cell.labels))
            found[key] = (cell.value, cell.standard_error)
    return found


def told(*command: str | Path) -> dict[tuple[str, str], tuple[float, float]]:
    """What a script says."""
    run = subprocess.run([*map(str, command), "--csv"], capture_output=True, encoding="utf-8")
    assert run.returncode == 0, run.stderr
    rows = csv.reader(io.StringIO(run.stdout))
    assert next(rows)[:4] == ["table", "answer", "estimate", "standard_error"]
    return {
        (table, label): (float(value or nan), float(error or nan))
        for table, label, value, error, *_ in rows
    }


def require_agreement(
    found: dict[tuple[str, str], tuple[float, float]],
    expected: dict[tuple[str, str], tuple[float, float]],
) -> None:
    assert found.keys() == expected.keys()
    for key, numbers in expected.items():
        if numbers == WITHHELD:
            continue
        assert np.allclose(found[key], numbers, rtol=1e-9, atol=1e-9, equal_nan=True), key


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A release of each plan that was asked for; filled by `folder_of`."""
    return {}


def folder_of(name: str, folders: dict[str, Path], factory: pytest.TempPathFactory) -> Path:
    if name not in folders:
        folders[name] = release_into(factory.mktemp("release") / "out", PLANS[name])
    return folders[name]


PLANS = plans()


@pytest.mark.parametrize("name", PLANS)
def test_that_python_says_what_dpdesk_estimates(
    name: str, folders: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = folder_of(name, folders, tmp_path_factory)
    require_agreement(told(sys.executable, "-I", folder / "analysis.py"), wanted(folder))


@needs_r
@pytest.mark.parametrize("name", PLANS)
def test_that_r_says_what_dpdesk_estimates(
    name: str, folders: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = folder_of(name, folders, tmp_path_factory)
    require_agreement(told("Rscript", "--vanilla", folder / "analysis.R"), wanted(folder))


@pytest.mark.parametrize("kind", NUMERIC)
def test_that_a_mean_of_reports_that_are_all_alike_has_the_error_of_its_law(
    kind: str, tmp_path: Path
) -> None:
    plan = plan_of(protected("x", kind, missing=MISSING))
    folder = release_into(tmp_path / "out", plan)
    make_alike(folder, lambda row: row[0] != "")
    (mean,) = (
        row
        for row in estimate_rows(released_from_file(folder, plan).attributes[0])
        if row.quantity == "mean"
    )
    assert mean.total_standard_error > 0
    require_agreement(told(sys.executable, "-I", folder / "analysis.py"), wanted(folder))


def test_that_shares_among_nobody_are_withheld_by_dpdesk_alone(tmp_path: Path) -> None:
    folder = release_into(tmp_path / "out", plan_of(protected("x", "grr", missing=NONE)))
    make_alike(folder, lambda row: row[0] == "(none)")
    assert WITHHELD in wanted(folder).values()
    require_agreement(told(sys.executable, "-I", folder / "analysis.py"), wanted(folder))


def make_alike(folder: Path, is_wanted: Callable[[list[str]], bool]) -> None:
    """Gives all records of a release the first ones' cells that are wanted, and a script anew."""
    path = folder / "records.csv"
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    alike = next(row for row in rows if is_wanted(row))
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *[alike] * len(rows)])
    facts = facts_of(released_from_file(folder, load_plan(folder / "plan.json")))
    (folder / "analysis.py").write_text(python_script(facts), encoding="utf-8")


ODD_NUMBERS = [
    *("1.5", "-.5", "1.", "+2", " 3 ", "1e3", "1,5", "1_0", "nan", "inf", "1e999", "0x1A", "1d5"),
    *("1L", "TRUE", "", "-", "1 2", "\u0661", "1.2.3", "1e1000", "9" * 70),
]


def test_that_scripts_take_for_a_number_what_dpdesk_does(
    folders: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = folder_of("grr", folders, tmp_path_factory)
    wanted = [nan if (n := parse_number(text)) is None else n for text in ODD_NUMBERS]
    spec = importlib.util.spec_from_file_location("analysis", folder / "analysis.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    found = [nan if (n := script.number(text)) is None else n for text in ODD_NUMBERS]
    assert found == pytest.approx(wanted, nan_ok=True)
    if shutil.which("Rscript"):
        texts = ", ".join(f'"{text}"' for text in ODD_NUMBERS)
        ask = f"invisible(capture.output(source('analysis.R'))); cat(number(c({texts})))"
        words = ["Rscript", "--vanilla", "-e", ask]
        run = subprocess.run(words, cwd=folder, capture_output=True, encoding="utf-8", check=True)
        told = [nan if word == "NA" else float(word) for word in run.stdout.split()]
        assert told == pytest.approx(wanted, nan_ok=True)


@pytest.mark.parametrize(
    ("script", "line", "run"),
    [
        ("analysis.py", 'MEAN = "born"', (sys.executable, "-I")),
        pytest.param(
            "analysis.R", 'MEAN <- "born"', ("Rscript", "--vanilla"), marks=needs_r, id="r"
        ),
    ],
)
def test_that_a_mean_of_kept_dates_is_refused_in_words(
    tmp_path: Path, script: str, line: str, run: tuple[str, ...]
) -> None:
    folder = release_into(tmp_path / "out", plan_of(SECOND, BORN, KEPT))
    told = (folder / script).read_text(encoding="utf-8").splitlines()
    (place,) = (n for n, one in enumerate(told) if one.startswith(line.split('"', maxsplit=1)[0]))
    (by,) = (n for n, one in enumerate(told) if one.startswith(("BY = ", "BY <- ")))
    told[place], told[by] = line, line.replace("MEAN", "BY").replace("born", "second")
    (folder / script).write_text("\n".join(told), encoding="utf-8")
    found = subprocess.run([*run, folder / script], capture_output=True, encoding="utf-8")
    assert found.returncode == 1
    assert "born: these scripts have no mean" in found.stderr
    assert "--mean NAME" in found.stderr
    assert "Traceback" not in found.stderr
