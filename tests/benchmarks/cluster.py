"""Measures a release by the workers of Dask on this machine: one worker, and two.

    python -m tests.benchmarks.cluster [rows]

A survey of ten columns in sixteen CSV files is read, checked, drawn, shuffled and written. Told are
the seconds of each step that workers do and of the rest, and what follows for more workers: reading
and drawing are divided among them, the rest is not (Amdahl 1967).
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv

from dpdesk.data.read_file import load_declared
from dpdesk.data.reading import Reading
from dpdesk.domains import Categorical
from dpdesk.engine import sanitize, untracked
from dpdesk.engine.cluster import Cluster, cluster
from dpdesk.mechanisms.direct_encoding import Grr
from dpdesk.plan import ColumnPlan, Plan

PARTS = 16
SIZES = (2, 3, 4, 5, 6, 8, 12, 20, 50, 50)
FUTURE = (4, 16, 100)


def written_parts(folder: Path, rows: int) -> None:
    """Writes the survey in parts."""
    draw = np.random.default_rng(1)
    for part in range(PARTS):
        columns = {
            f"q{place}": pa.array([f"a{code}" for code in range(size)]).take(
                pa.array(draw.integers(0, size, rows // PARTS))
            )
            for place, size in enumerate(SIZES)
        }
        pyarrow.csv.write_csv(pa.table(columns), folder / f"part-{part:03}.csv")


def plan_of(rows: int) -> Plan:
    """Protects every column by GRR."""
    columns = tuple(
        ColumnPlan(
            name=f"q{place}",
            kind="nominal",
            domain=Categorical(values=tuple(f"a{code}" for code in range(size))),
            confirmed=True,
            role="protect",
            mechanism=Grr(epsilon=Decimal(1)),
        )
        for place, size in enumerate(SIZES)
    )
    return Plan(respondents=rows, columns=columns, budget=Decimal(len(SIZES)))


@contextmanager
def timed(seconds: dict[str, float], name: str) -> Iterator[None]:
    """Adds the time that something takes."""
    begun = time.perf_counter()
    yield
    seconds[name] = seconds.get(name, 0.0) + time.perf_counter() - begun


def release(folder: Path, rows: int, workers: Cluster | None) -> dict[str, float]:
    """Seconds of reading, and of the rest, of one release."""
    seconds: dict[str, float] = {}
    reader = None if workers is None else workers.parts_reader(Reading(), lambda: None)
    with timed(seconds, "reading"):
        table = load_declared(folder, Reading(), read_parts=reader)
    with tempfile.TemporaryDirectory() as out, timed(seconds, "sanitizing"):
        sanitize(table, plan_of(rows), Path(out), untracked(), cluster=workers)
    return seconds


def main() -> int:
    """Prints the table."""
    rows = int(sys.argv[1]) if sys.argv[1:] else 4_000_000
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        written_parts(folder, rows)
        found: dict[str, dict[str, float]] = {"this computer alone": release(folder, rows, None)}
        for count in (1, 2):
            with cluster(workers=count) as workers:
                # Once for what workers import.
                release_small(workers)
                name = f"{count} worker{'s' if count > 1 else ''}"
                found[name] = release(folder, rows, workers)
    for name, seconds in found.items():
        total = sum(seconds.values())
        told = ", ".join(f"{step} {s:.1f} s" for step, s in seconds.items())
        print(f"{name}: {total:.1f} s ({told}), {rows / total / 1e6:.2f} million rows a second")
    one, two = (sum(found[name].values()) for name in ("1 worker", "2 workers"))
    print(f"two workers are {one / two:.2f} times as fast as one")
    # T(n) = fixed + divided / n, from the two measurements.
    divided = 2 * (one - two)
    fixed = one - divided
    for count in FUTURE:
        print(f"{count} workers by that law: {one / (fixed + divided / count):.1f} times")
    return 0


def release_small(workers: Cluster) -> None:
    """Has every worker import what it needs."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        written_parts(folder, 16_000)
        release(folder, 16_000, workers)


if __name__ == "__main__":
    sys.exit(main())
