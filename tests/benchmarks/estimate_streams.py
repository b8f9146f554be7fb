"""Estimates from records of any size, beside Arrow's reading of the same file (Linux).

python -m tests.benchmarks.estimate_streams [rows] [repetitions]

Records of ten columns (eight categories and a number that are protected, a region that is kept) are
written as CSV and Parquet: as many as are asked for (1,000,000), five and ten times as many. A
process of its own each estimates all attributes, makes a cross-table, and lets Arrow read the whole
file. The best of the repetitions counts. The command fails where an estimate takes longer than
Arrow, where it holds more memory than 1 GB, or where the peak of ten times as many records is more
than 5 % above that of five times as many. (A million are a single group of rows in Parquet, of
which two are held at a time.)
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow.csv
import pyarrow.parquet

from dpdesk.data.formats.columnar_writer import ParquetRecords
from dpdesk.data.formats.csv_writer import CsvRecords
from dpdesk.domains import Categorical, Integer
from dpdesk.estimation import estimate_rows, released_from_file
from dpdesk.estimation.from_records import record_fields
from dpdesk.estimation.joint import cross_table
from dpdesk.estimation.released import bind_attributes
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import ColumnPlan, Plan
from tests.benchmarks.memory_of_release import ROOT, resident

LIMIT, MEMORY, GROWTH = 1.0, 1 << 30, 1.05
SIZES = (2, 3, 4, 5, 6, 8, 12, 16)
WRITTEN_AT_ONCE = 1 << 18


def plan_of_ten() -> Plan:
    """The columns."""
    columns = []
    for place, size in enumerate(SIZES):
        domain = Categorical(values=tuple(f"answer {code}" for code in range(size)))
        columns.append(protected(f"q{place}", "nominal", domain, "grr"))
    columns.append(protected("age", "integer", Integer(lower=18, upper=99), "piecewise"))
    kept = ColumnPlan(name="region", kind="nominal", role="keep", keep_confirmed=True)
    return Plan(columns=(*columns, kept))


def protected(name: str, kind: str, domain: Categorical | Integer, mechanism: str) -> ColumnPlan:
    """A column with a mechanism."""
    made = mechanism_named(mechanism)(epsilon=Decimal(2))
    fields = {"name": name, "kind": kind, "domain": domain, "mechanism": made}
    return ColumnPlan.model_validate(fields | {"role": "protect", "confirmed": True})


def write(folder: Path, plan: Plan, rows: int) -> None:
    """Random reports in both files."""
    bound, draw = bind_attributes(plan), np.random.default_rng(20_261_128)
    fields = record_fields(plan, bound)
    csv, parquet = ((folder / kind.name).open("wb") for kind in (CsvRecords, ParquetRecords))
    with csv, parquet:
        files = CsvRecords(csv, fields), ParquetRecords(parquet, fields)
        for start in range(0, rows, WRITTEN_AT_ONCE):
            some = min(WRITTEN_AT_ONCE, rows - start)
            chunks: list[object] = [
                draw.integers(len(mechanism.outputs), size=some).astype(np.int32)
                for _, mechanism in bound
            ]
            chunks.append([f"region {code}" for code in draw.integers(20, size=some).tolist()])
            for file in files:
                file.write(chunks, some)  # type: ignore[arg-type]
        for file in files:
            file.close()


def estimate(path: Path) -> None:
    """Shares and means of all attributes."""
    released = released_from_file(path, plan_of_ten(), with_kept=False)
    for attribute in released.attributes:
        list(estimate_rows(attribute))


def cross(path: Path) -> None:
    """A table of two protected columns."""
    cross_table(ScoredRecords(path, plan_of_ten()), ("q3", "q6"))


def arrow(path: Path) -> None:
    """The whole file as Arrow reads it by itself, on all cores."""
    read = pyarrow.csv.read_csv if path.suffix == ".csv" else pyarrow.parquet.read_table
    read(path)


TASKS: dict[str, Callable[[Path], None]] = {"arrow": arrow, "estimate": estimate, "cross": cross}


def child(task: str, path: str, repetitions: int) -> None:
    """Prints the best wall clock, the best processor time and the peak of memory."""
    walls, times = [], []
    for _ in range(repetitions):
        wall, busy = time.perf_counter(), time.process_time()
        TASKS[task](Path(path))
        walls.append(time.perf_counter() - wall)
        times.append(time.process_time() - busy)
    print(min(walls), min(times), resident("VmHWM"))


def measured(task: str, path: Path, repetitions: int) -> tuple[float, float, int]:
    """What `child` prints in a process of its own."""
    call = "from tests.benchmarks.estimate_streams import child; "
    call += f"child({task!r}, {str(path)!r}, {repetitions})"
    done = subprocess.run(
        [sys.executable, "-c", call], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    )
    wall, busy, peak = done.stdout.split()
    return float(wall), float(busy), int(peak)


def main() -> int:
    """Prints the times and compares them."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    repetitions = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    missed, peaks = 0, dict[tuple[str, str], int]()
    for count in (rows, 5 * rows, 10 * rows):
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder), plan_of_ten(), count)
            for name in ("records.csv", "records.parquet"):
                path = Path(folder) / name
                limit, of_limit, _ = measured("arrow", path, repetitions)
                size = path.stat().st_size / 1e6
                print(f"{count:,} records, {name} ({size:.0f} MB): Arrow reads it in {limit:.2f} s")
                for task in ("estimate", "cross"):
                    wall, busy, peak = measured(task, path, repetitions)
                    before = peaks.get((task, name), peak) if count > 5 * rows else peak
                    is_met = wall <= LIMIT * limit and peak <= min(MEMORY, GROWTH * before)
                    peaks[task, name] = peak
                    missed += not is_met
                    told = (
                        f"{wall:.2f} s, {wall / limit:.2f} of Arrow",
                        f"{busy / of_limit:.2f} of its processor time",
                        f"{count / wall / 1e6:.1f} million records a second",
                        f"peak {peak >> 20} MB: {'met' if is_met else 'MISSED'}",
                    )
                    print(f"  {task}: {', '.join(told)}")
    return int(missed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
