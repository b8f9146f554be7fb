"""Measures the memory of a whole release against the size of the table (Linux).

    python tests/benchmarks/memory_of_release.py [rows]

A survey of twelve columns is written, loaded and released by a child process. Its largest resident
size is read while it loads and, the mark being reset, while it releases; what the program takes
without any data is subtracted. The size of the table is that of its file.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

FLOOR = 2.0
ROOT = Path(__file__).resolve().parent.parent.parent


def main() -> int:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "survey.csv"
        write_survey(path, rows)
        file_bytes = path.stat().st_size
        found = figures_of(folder)
    idle, held, table = found["idle"], found["held"], found["table"]
    print(f"{rows:,} rows, 12 columns: file {file_bytes / 1e6:.0f} MB, codes {table / 1e6:.0f} MB")
    print(f"without data {idle / 1e6:.0f} MB, between loading and release {held / 1e6:.0f} MB")
    missed = 0
    for step, floor in (("loading", None), ("release", FLOOR)):
        growth = found[step] - idle
        ratio = growth / file_bytes
        verdict = (
            "" if floor is None else f"; floor {floor}: {'met' if ratio <= floor else 'MISSED'}"
        )
        missed += floor is not None and ratio > floor
        print(f"{step}: {growth / 1e6:.0f} MB, {ratio:.2f} times the table{verdict}")
    return int(missed > 0)


def write_survey(path: Path, rows: int) -> None:
    names = ["id", *(f"q{i}" for i in range(9)), "age", "region"]
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(",".join(names) + "\n")
        for row in range(rows):
            answers = ",".join(f"answer {(row * (i + 3) // 7) % 6}" for i in range(9))
            file.write(f"{row:09d},{answers},{18 + row * 7919 % 82},region {row % 40}\n")


def figures_of(folder: str) -> dict[str, int]:
    """Bytes that a child process takes at each step."""
    call = f"from tests.benchmarks.memory_of_release import child; child({folder!r})"
    finished = subprocess.run(
        [sys.executable, "-c", call], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    )
    return json.loads(finished.stdout)


def resident(field: str) -> int:
    """Resident bytes now ("VmRSS") or at most since the last reset ("VmHWM")."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.search(rf"{field}:\s+(\d+) kB", status)[1]) * 1024


def reset_mark() -> None:
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def child(folder: str) -> None:
    from dpdesk.data.read_file import load_declared
    from dpdesk.data.reading import Reading
    from dpdesk.domains import Categorical, Integer
    from dpdesk.engine import untracked
    from dpdesk.mechanisms import mechanism_named
    from dpdesk.plan import ColumnPlan, Plan
    from dpdesk.releases.records import RECORDS
    from dpdesk.releases.release import release

    one = Decimal(1)
    answers = Categorical(values=tuple(f"answer {i}" for i in range(6)))
    regions = Categorical(values=tuple(f"region {i}" for i in range(40)))
    ages = Integer(lower=18, upper=99)
    protected = [
        *((f"q{i}", "nominal", answers, "grr") for i in range(9)),
        ("age", "integer", ages, "bounded_laplace"),
        ("region", "nominal", regions, "oue"),
    ]
    columns = [ColumnPlan.model_validate({"name": "id", "kind": "identifier", "role": "drop"})]
    for name, kind, domain, mechanism in protected:
        made = mechanism_named(mechanism)(epsilon=one)
        fields = {"name": name, "kind": kind, "domain": domain, "mechanism": made}
        fields |= {"role": "protect", "confirmed": True}
        columns.append(ColumnPlan.model_validate(fields))
    reading = Reading()
    plan = Plan(columns=tuple(columns), reading=reading, reading_confirmed=True)
    # A small survey first, so that what is loaded and built once does not count as the table's.
    write_survey(Path(folder) / "small.csv", 1000)
    release(
        RECORDS,
        load_declared(Path(folder) / "small.csv", reading),
        plan,
        Path(folder) / "small",
        untracked(),
    )
    found = {"idle": resident("VmRSS")}
    reset_mark()
    table = load_declared(Path(folder) / "survey.csv", reading)
    found |= {"loading": resident("VmHWM"), "held": resident("VmRSS")}
    found["table"] = sum(column.nbytes for column in table.columns)
    reset_mark()
    release(RECORDS, table, plan, Path(folder) / "released", untracked())
    found["release"] = resident("VmHWM")
    print(json.dumps(found))


if __name__ == "__main__":
    sys.exit(main())
