"""Measures drawing, shuffling and writing of a release against Arrow on the same files.

    python -m tests.benchmarks.release_speed [rows ...]

1. GRR on one core against the system's words alone, for 2 to 50 categories.
2. `sanitize` of tables of ten columns (nine by GRR, 2 to 50 categories; one of numbers by bounded
   Laplace), whose codes are mapped from a file as those of a table larger than memory, each in a
   process of its own: rows a second, its memory beside the codes, and the same on one core. Beside
   it Arrow reads and writes the records that were written, as CSV, and as CSV and Parquet.

Fails where GRR draws less than the floor, where a release takes more than twice as long as Arrow
with the CSV file, where the memory of the largest table exceeds that of one of 4 million rows by
more than 5 % and 16 MB, or its rate is less than 0.8 of it. How much faster two cores are than one
is told alone, for Arrow too, since other work on the machine decides it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import numpy as np

ROWS = (1_000_000, 4_000_000, 20_000_000)
SIZES = (2, 3, 4, 5, 6, 8, 12, 20, 50)
AGES = (18, 99)
GRR_FLOOR = 150 / 490
"""150 million values a second where the system's generator gives 490 million words."""
ARROW_FLOOR = 2.0
PLATEAU = 4_000_000
"""Tables of fewer rows do not fill what a release holds in memory."""
ROOT = Path(__file__).resolve().parent.parent.parent


def best(work: Callable[[], object], repetitions: int) -> float:
    """Seconds of the fastest repetition: short ones find moments without other work."""
    found = []
    for _ in range(repetitions):
        begun = time.perf_counter()
        work()
        found.append(time.perf_counter() - begun)
    return min(found)


def grr() -> bool:
    """Values of GRR a second, words included; whether all reach the floor."""
    from dpdesk.channel import GrrLaw
    from dpdesk.randomness import SystemWords

    rows, words, met = 1 << 16, SystemWords(), True
    alone = rows / best(lambda: words.take(rows), 400) / 1e6
    print(f"system words: {alone:.0f} million a second")
    draw = np.random.default_rng(1)
    for size in (*SIZES, 1000):
        law, codes = GrrLaw.at(size, Decimal(1)), draw.integers(0, size, rows).astype(np.int32)
        speed = rows / best(lambda: law.sample(codes, words.take(rows)), 400) / 1e6  # noqa: B023
        met &= speed / alone >= GRR_FLOOR
        print(f"GRR, k = {size}: {speed:.0f} million a second, {speed / alone:.2f} of the words")
    print(f"floor {GRR_FLOOR:.2f}: {'met' if met else 'MISSED'}\n")
    return met


def child(folder: str, rows: int, cores: int) -> None:
    """Writes codes, releases them, and prints what it took as JSON."""
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    from dpdesk.data.table import SurveyTable, TextColumn
    from dpdesk.domains import Categorical, Integer
    from dpdesk.engine import sanitize, untracked
    from dpdesk.mechanisms import mechanism_named
    from dpdesk.plan import ColumnPlan, Plan

    if hasattr(os, "sched_setaffinity") and cores == 1:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    texts = [tuple(f"answer {code}" for code in range(size)) for size in SIZES]
    texts.append(tuple(map(str, range(AGES[0], AGES[1] + 1))))
    domains = [Categorical(values=answers) for answers in texts[:-1]]
    fields = {"role": "protect", "confirmed": True}
    one = Decimal(1)
    columns = [
        ColumnPlan(
            name=f"q{n}",
            kind="nominal",
            domain=domain,
            mechanism=mechanism_named("grr")(epsilon=one),
            **fields,
        )
        for n, domain in enumerate(domains)
    ]
    ages = Integer(lower=AGES[0], upper=AGES[1])
    noise = mechanism_named("bounded_laplace")(epsilon=one)
    columns.append(
        ColumnPlan(name=f"q{len(SIZES)}", kind="integer", domain=ages, mechanism=noise, **fields)
    )
    plan = Plan(columns=tuple(columns))

    def table_of(count: int) -> SurveyTable:
        draw, found = np.random.default_rng(1), []
        for n, answers in enumerate(texts):
            path = Path(folder) / f"{count}-{n}.codes"
            with path.open("wb") as file:
                for start in range(0, count, 1 << 20):
                    size = min(1 << 20, count - start)
                    file.write(draw.integers(0, len(answers), size, dtype=np.uint8).tobytes())
            codes = np.memmap(path, dtype=np.uint8, mode="r")
            found.append(TextColumn(f"q{n}", codes, pa.array(answers)))
        return SurveyTable(tuple(found), count)

    # A small one first, so that what is loaded and built once does not count.
    (Path(folder) / "small").mkdir()
    sanitize(table_of(1000), plan, Path(folder) / "small", untracked())
    table, out = table_of(rows), Path(folder) / "out"
    out.mkdir()
    before, peak = anonymous(), Peak()
    begun, processor = time.perf_counter(), time.process_time()
    sanitize(table, plan, out, untracked())
    found = {"seconds": time.perf_counter() - begun, "processor": time.process_time() - processor}
    found["memory"] = peak.end() - before
    begun, processor = time.perf_counter(), time.process_time()
    records = pyarrow.csv.read_csv(out / "records.csv")
    pyarrow.csv.write_csv(records, out / "arrow.csv")
    found["csv"] = time.perf_counter() - begun
    found["csv_processor"] = time.process_time() - processor
    pyarrow.parquet.write_table(records, out / "arrow.parquet", compression="zstd")
    found["both"] = time.perf_counter() - begun
    found["both_processor"] = time.process_time() - processor
    print(json.dumps(found))


def anonymous() -> int:
    """Resident bytes that belong to no file."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    found = re.search(r"RssAnon:\s+(\d+) kB", status)
    return int(found[1]) * 1024 if found else 0


class Peak:
    """The most anonymous memory from now on, looked at a hundred times a second."""

    def __init__(self) -> None:
        self._most, self._ended = anonymous(), threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def _watch(self) -> None:
        while not self._ended.wait(0.01):
            self._most = max(self._most, anonymous())

    def end(self) -> int:
        """Returns it."""
        self._ended.set()
        self._thread.join()
        return self._most


def figures_of(rows: int, cores: int) -> dict[str, float]:
    """What a child process measured."""
    with tempfile.TemporaryDirectory() as folder:
        call = (
            f"from tests.benchmarks.release_speed import child; child({folder!r}, {rows}, {cores})"
        )
        done = subprocess.run(
            [sys.executable, "-c", call], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
        )
    return json.loads(done.stdout)


def main() -> int:
    rows = tuple(map(int, sys.argv[1:])) or ROWS
    met = grr()
    found = {count: figures_of(count, 2) for count in rows}
    for count, took in found.items():
        ratios = took["seconds"] / took["csv"], took["processor"] / took["csv_processor"]
        met &= min(ratios) <= ARROW_FLOOR
        print(
            f"{count:,} rows: {took['seconds']:.2f} s, {count / took['seconds'] / 1e6:.2f} million "
            f"rows a second; processor {took['processor']:.2f} s; "
            f"{took['memory'] / 1e6:.0f} MB beside the codes"
        )
        print(
            f"  Arrow, CSV: {took['csv']:.2f} s, processor {took['csv_processor']:.2f} s: "
            f"{ratios[0]:.2f} and {ratios[1]:.2f} times that; with Parquet: {took['both']:.2f} s, "
            f"{took['both_processor']:.2f} s: {took['seconds'] / took['both']:.2f} and "
            f"{took['processor'] / took['both_processor']:.2f}",
            flush=True,
        )
    large = [count for count in rows if count >= PLATEAU]
    if len(large) > 1:
        first, last = found[min(large)], found[max(large)]
        met &= last["memory"] <= 1.05 * first["memory"] + 16e6
        rates = [count / found[count]["processor"] for count in (min(large), max(large))]
        met &= rates[1] >= 0.8 * rates[0]
        print(
            f"{max(large):,} against {min(large):,} rows: memory "
            f"{last['memory'] / first['memory']:.2f} times, rows for a second of the processor "
            f"{rates[1] / rates[0]:.2f} times"
        )
    size = min(large, default=max(rows))
    alone, both = figures_of(size, 1), found[size]
    print(
        f"{size:,} rows on one core: {alone['seconds']:.2f} s, "
        f"{alone['seconds'] / both['seconds']:.2f} times as long; Arrow, CSV: "
        f"{alone['csv'] / both['csv']:.2f}, with Parquet: {alone['both'] / both['both']:.2f}"
    )
    print("floors met" if met else "floors MISSED")
    return int(not met)


if __name__ == "__main__":
    sys.exit(main())
