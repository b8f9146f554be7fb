"""Measures the memory of commands against the number of respondents (Linux).

    python -m tests.benchmarks.large_tables [rows]

Two tables of ten columns are written, of a number of rows and of ten times as many. Each command
runs in a process of its own; its largest anonymous memory is sampled, and its largest resident size
is that of the system. The second has the mapped pages of the codes on disk as well, which the
system takes back when somebody else needs the room. The floor is 5 % more of the first, and no fall
of the rate by more than a tenth.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv

GROWTH = 1.05
SLOWER = 1.1
ANSWERS = ("never", "rarely", "sometimes", "often", "always", "every day")
TOGETHER = 1_000_000


def main() -> int:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
    missed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small, large = (write_survey(folder / f"{n}.csv", n) for n in (rows, 10 * rows))
        plan = folder / "plan.json"
        drafted = ["draft", str(small), "-o", str(plan), "--confirm-domains"]
        subprocess.run([*program(), *drafted], check=True, capture_output=True)
        for title, words in commands(plan):
            few, many = (measured(folder, words, path) for path in (small, large))
            growth, rate = many[0] / few[0], many[2] / few[2] / 10
            met = growth <= GROWTH and rate <= SLOWER
            missed += not met
            print(
                f"{title}: {few[0]:.0f} and {many[0]:.0f} MB anonymous, {few[1]:.0f} and "
                f"{many[1]:.0f} MB resident, growth {growth:.2f}; {few[2]:.1f} and {many[2]:.1f} s "
                f"of the processor, {rate:.2f} a row: {'met' if met else 'MISSED'}"
            )
    return int(missed > 0)


def program() -> list[str]:
    return [sys.executable, "-m", "dpdesk"]


def commands(plan: Path) -> list[tuple[str, list[str]]]:
    """The commands, with DATA where the table is named."""
    declared = ["--declare", "age=18..98", "--declare", f"q0={'|'.join(ANSWERS)}"]
    asked = ["--query", "mean of age", "--query", "count by q0", "--epsilon", "0.5"]
    return [
        ("check", ["check", str(plan), "DATA"]),
        ("query", ["query", "DATA", *declared, *asked]),
        ("risk", ["risk", "DATA", "--quasi", "age,region,q0"]),
    ]


def write_survey(path: Path, rows: int) -> Path:
    generator = np.random.default_rng(5)
    answers = pa.array(ANSWERS)
    writer = None
    for start in range(0, rows, TOGETHER):
        count = min(TOGETHER, rows - start)
        table = pa.table(
            {f"q{i}": answers.take(pa.array(generator.integers(0, 6, count))) for i in range(6)}
            | {
                "age": generator.integers(18, 99, count),
                "region": generator.integers(1, 41, count),
                "hours": generator.integers(0, 80, count),
                "income": generator.integers(0, 2000, count) * 50,
            }
        )
        writer = writer or pa.csv.CSVWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()
    return path


def measured(folder: Path, words: list[str], path: Path) -> tuple[float, float, float]:
    """Largest anonymous and resident memory of a command in MB, and its processor seconds."""
    called = [*program(), *(str(path) if word == "DATA" else word for word in words)]
    ledger = {"DPDESK_LEDGER": str(folder / f"{path.stem}-{words[0]}.sqlite")}
    with subprocess.Popen(
        called, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | ledger
    ) as child:
        status, anonymous = Path(f"/proc/{child.pid}/status"), 0
        while (found := re.search(r"RssAnon:\s+(\d+) kB", status.read_text())) is not None:
            anonymous = max(anonymous, int(found[1]))
            time.sleep(0.005)
        # It has ended and was not waited for: its usage is read in one.
        _, status_code, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status_code)
    # 1 is a check that found something.
    if child.returncode > 1:
        raise SystemExit(f"{words[0]} ended with {child.returncode}")
    return anonymous / 1e3, usage.ru_maxrss / 1e3, usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    sys.exit(main())
