"""Times loading a table against pandas.read_csv(dtype=str) and pyarrow.csv.read_csv.

    python -m tests.benchmarks.load_table [rows]

Three files are written to a temporary folder: short categories, mixed columns with numbers and an
identifier, and the mixed columns with every field in quotation marks. All read in one process.
"""

from __future__ import annotations

import csv
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.csv

from dpdesk.data.read_file import load

COLUMNS = 10
REPETITIONS = 3


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    generator = np.random.default_rng(1974)
    categories = ["never", "rarely", "sometimes", "often", "always", "no answer"]
    plain = {
        f"q{i}": np.array(categories)[generator.integers(0, len(categories), rows)]
        for i in range(COLUMNS)
    }
    mixed: dict[str, object] = {"respondent": np.arange(rows)}
    mixed |= {f"age{i}": generator.integers(18, 99, rows) for i in range(3)}
    mixed |= {f"income{i}": np.round(generator.lognormal(8, 1, rows), 2) for i in range(2)}
    mixed |= {f"q{i}": plain[f"q{i}"] for i in range(4)}
    with tempfile.TemporaryDirectory() as folder:
        for title, table, quoting in (
            ("categories", plain, csv.QUOTE_MINIMAL),
            ("mixed", mixed, csv.QUOTE_MINIMAL),
            ("mixed, quoted", mixed, csv.QUOTE_ALL),
        ):
            path = Path(folder) / "table.csv"
            pd.DataFrame(table).to_csv(path, index=False, quoting=quoting)
            compare(title, path, rows)


def compare(title: str, path: Path, rows: int) -> None:
    ours, theirs, arrow = [], [], []
    for _ in range(REPETITIONS):
        ours.append(seconds(lambda: load(path)))
        theirs.append(
            seconds(lambda: pd.read_csv(path, dtype=str, keep_default_na=False, engine="c"))
        )
        arrow.append(seconds(lambda: pyarrow.csv.read_csv(path)))
    table = load(path)
    megabytes = path.stat().st_size / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(
        f"{title}: {rows:,} rows x {len(table.columns)} columns, {megabytes:.0f} MB; "
        f"dpdesk {min(ours):.2f} s, pandas {min(theirs):.2f} s, "
        f"ratio {min(ours) / min(theirs):.2f}; Arrow {min(arrow):.2f} s, "
        f"ratio {min(ours) / min(arrow):.2f}; table {table.nbytes / 1e6:.0f} MB, "
        f"peak of the process so far {peak:.0f} MB"
    )


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
