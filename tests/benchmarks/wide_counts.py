"""Times draft and check of many counts with blanks, and how they grow with the columns.

    python -m tests.benchmarks.wide_counts [rows]

Seconds of the processor, in processes of their own, for 159 columns of up to 6,000 different counts
and for a third of them. The command fails where a draft takes more than 4 seconds or a check more
than 3, or where a column takes more than 1.5 times as long among many as among few.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import numpy as np

from tests.benchmarks.wide_plans import RUN, run

FEW, MANY, CEILING = 53, 159, 1.5
LIMITS = {"draft": 4.0, "check": 3.0}


def main() -> int:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 7_240
    with tempfile.TemporaryDirectory() as folder:
        found = {columns: seconds_of(Path(folder), columns, rows) for columns in (3, FEW, MANY)}
    missed = 0
    for step, limit in LIMITS.items():
        idle, few, many = (found[columns][step] for columns in (3, FEW, MANY))
        ratio = (many - idle) / MANY / max((few - idle) / FEW, 0.001)
        fails = many > limit or ratio > CEILING
        missed += fails
        print(f"{step}: {few:.2f} s, {many:.2f} s, per column x {ratio:.2f}{' ABOVE' * fails}")
    return min(missed, 1)


def seconds_of(folder: Path, columns: int, rows: int) -> dict[str, float]:
    """Seconds of the processor that each step takes."""
    data, plan = folder / f"{columns}.csv", folder / f"{columns}.json"
    write_counts(data, columns, rows)
    surroundings = {**os.environ, "DPDESK_LEDGER": str(folder / f"{columns}.sqlite")}
    words = {
        "draft": ["draft", str(data), "-o", str(plan), "--confirm-domains", "--purpose", "file"],
        "check": ["check", str(plan), str(data)],
    }
    return {
        step: float(run([RUN, *own], surroundings, step).splitlines()[-1])
        for step, own in words.items()
    }


def write_counts(path: Path, columns: int, rows: int) -> None:
    generator = np.random.default_rng(1974)
    cells = []
    for _ in range(columns):
        most = int(np.exp(generator.uniform(np.log(30), np.log(6_000))))
        counts = np.minimum(generator.gamma(0.8, most / 4, rows).astype(int), most)
        texts = counts.astype(str).astype(object)
        texts[generator.random(rows) < generator.uniform(0.02, 0.5)] = ""
        cells.append(texts)
    names = [f"count {number}" for number in range(columns)]
    lines = (",".join(line) for line in (names, *zip(*cells, strict=True)))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
