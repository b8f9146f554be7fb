"""Measures the memory and the rate of commands against the number of respondents (Linux).

    python -m tests.benchmarks.large_tables [--rows N,N] [--only NAME,NAME] [--folder FOLDER]
        [--keep] [--persons N]

Tables of ten columns and a number of each row are written, and each command runs on each of them as
a process of its own. Of its memory what is anonymous is sampled ("peak"), and the largest resident
size is that of the system. The latter has the mapped pages of what is on disk as well, which the
system takes back when somebody else needs the room.

A command misses the floor where the peak of the largest table is above 1 GB, or more than 5 % above
that of the one before it, or where its rows for each second of the processor are fewer than .8 of
those there. Below some five million rows the buffers of some commands are not full. Of three sizes
the smallest shows where the plateau begins, and nothing is judged by it; of two it is what the
other is judged by, and should be above that. Commands that read what others wrote (estimates)
release the records first, unless they are there.

What is written is deleted, but with --folder and --keep.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv

GROWTH, SLOWER, MEMORY = 1.05, 0.8, 1e9
ROWS = (2_000_000, 8_000_000, 20_000_000)
ANSWERS = ("never", "rarely", "sometimes", "often", "always", "every day")
DECLARED = (
    *(f"q{place}={'|'.join(ANSWERS)}" for place in range(3)),
    "age=18..98",
    "region=1..40",
    "employed=yes|no",
    "hours=0..79",
    "income=0..99950/50",
)
TOGETHER = 1_000_000


@dataclass(frozen=True)
class Files:
    """Where the files of one size are.

    Attributes:
        folder: The folder.
        rows: Number of rows.
        persons: Number of respondents whose rows these are.
    """

    folder: Path
    rows: int
    persons: int

    @property
    def table(self) -> Path:
        """The survey."""
        return self.folder / "survey.csv"

    @property
    def plan(self) -> Path:
        """The plan of a release, which keeps columns and weights and says who was asked."""
        return self.folder / "plan.json"

    @property
    def release(self) -> Path:
        """What is released by it."""
        return self.folder / "released"

    def call(self, words: list[str], new: Path | None = None) -> list[str]:
        """The command with the names of the files, NEW being a further one if not said."""
        named = {"DATA": self.table, "PLAN": self.plan, "RELEASE": self.release}
        named["NEW"] = new or self.folder / "new.json"
        return [sys.executable, "-m", "dpdesk", *(str(named.get(word, word)) for word in words)]

    def environment(self, name: str) -> dict[str, str]:
        """That of a command, with a ledger of its own."""
        state = self.folder / f"state-{name}"
        shutil.rmtree(state, ignore_errors=True)
        return os.environ | {
            "DPDESK_LEDGER": str(state / "ledger.sqlite"),
            "XDG_STATE_HOME": str(state),
            "XDG_DATA_HOME": str(state),
        }


def declared(*names: str) -> list[str]:
    """The options that say what columns can hold."""
    wanted = [one for one in DECLARED if one.split("=")[0] in names]
    return [word for one in wanted for word in ("--declare", one)]


def asked(*phrases: str) -> list[str]:
    """The options of questions."""
    return [word for phrase in phrases for word in ("--query", phrase)]


def query(*phrases: str, columns: tuple[str, ...], more: tuple[str, ...] = ()) -> list[str]:
    """A command that asks for statistics."""
    return ["query", "DATA", *declared(*columns), *asked(*phrases), "--epsilon", ".5", *more]


KNOWN = ("--quasi", "age,region,q0")
DRAFT = [
    *("draft", "DATA", "-o", "NEW", "--overwrite", "--confirm-domains"),
    *declared("q0", "q1", "q2", "age", "income", "employed", "hours"),
    *("--asked", "hours=employed is yes", "--keep", "region", "--weights", "weight"),
    *("--drop", "person", "--drop", "id", "--missing", "hours=:value:0"),
]
COMMANDS: dict[str, list[str]] = {
    "draft": DRAFT,
    "check": ["check", "PLAN", "DATA"],
    "query": query("mean of age", "count by q0", columns=("age", "q0")),
    "query-values": query(
        *("median of income", "mean of age by q0, q1 where region at least 20"),
        *("share with employed is yes", "variance of hours", "most frequent q2"),
        columns=("income", "age", "q0", "q1", "q2", "region", "employed", "hours"),
    ),
    "query-respondents": query(
        *("mean of age", "count by q0"),
        columns=("age", "q0"),
        more=("--respondent", "person", "--rows-per-respondent", "3"),
    ),
    "risk": ["risk", "DATA", *KNOWN],
    "risk-weights": ["risk", "DATA", *KNOWN, "--weights", "weight", "--sensitive", "income"],
    "risk-many": ["risk", "DATA", "--quasi", "age,region,q0,hours,income"],
    "risk-any": ["risk", "DATA", "--quasi", "age,region,hours", "--missing", "any"],
    "release": ["release", "DATA", "--plan", "PLAN", "--out", "RELEASE", "--overwrite"],
    "estimate": ["estimate", "RELEASE", "--by", "region"],
    "cross": ["estimate", "RELEASE", "--cross", "q0,q1"],
    "formula": ["estimate", "RELEASE", "--formula", "income ~ C(region) + q0 + q1"],
}
"""The commands; DATA, PLAN, RELEASE and NEW are files of the table's size."""


def written(files: Files) -> None:
    """Writes the survey, unless it is there."""
    if files.table.exists():
        return
    files.folder.mkdir(parents=True, exist_ok=True)
    generator, answers = np.random.default_rng(5), pa.array(ANSWERS)
    writer = None
    for start in range(0, files.rows, TOGETHER):
        count = min(TOGETHER, files.rows - start)
        works = generator.random(count) < 0.6
        hours = pa.array(generator.integers(0, 80, count), mask=~works)
        table = pa.table(
            {f"q{i}": answers.take(pa.array(generator.integers(0, 6, count))) for i in range(3)}
            | {
                "age": generator.integers(18, 99, count),
                "region": generator.integers(1, 41, count),
                "employed": pa.array(["no", "yes"]).take(pa.array(works.astype(np.int8))),
                "hours": hours,
                "income": generator.integers(0, 2000, count) * 50,
                "weight": generator.integers(50, 250, count) / 100,
                "person": generator.integers(0, files.persons, count),
                # An odd number, so that all of them differ.
                "id": (start + np.arange(count)) * 15_485_863 % 2**40,
            }
        )
        # Under another name, so that what was interrupted is no table.
        writer = writer or pa.csv.CSVWriter(files.folder / "begun.csv", table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()
    (files.folder / "begun.csv").rename(files.table)


def made(files: Files, words: list[str]) -> None:
    """Makes the plan and the release that a command reads, unless they are there."""
    if "PLAN" in words + (COMMANDS["release"] if "RELEASE" in words else []):
        once(files, files.plan, DRAFT)
    if "RELEASE" in words and words[0] != "release":
        once(files, files.release, COMMANDS["release"])


def once(files: Files, path: Path, words: list[str]) -> None:
    """Runs a command, unless what it makes is there."""
    if not path.exists():
        call = files.call(words, new=path)
        done = subprocess.run(call, env=files.environment("made"), capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{words[0]} ended with {done.returncode}: {done.stderr}")


@dataclass(frozen=True)
class Measured:
    """What a command took.

    Attributes:
        peak: Largest anonymous memory, in bytes.
        resident: Largest resident memory, in bytes.
        seconds: On the clock.
        busy: Of the processor.
    """

    peak: int
    resident: int
    seconds: float
    busy: float


def measured(call: list[str], environment: dict[str, str]) -> Measured:
    """Runs a command and samples its memory."""
    began = time.perf_counter()
    with (
        tempfile.TemporaryFile() as told,
        subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=told, env=environment) as child,
    ):
        status, peak = Path(f"/proc/{child.pid}/status"), 0
        while (found := re.search(r"RssAnon:\s+(\d+) kB", status.read_text())) is not None:
            peak = max(peak, int(found[1]) * 1024)
            time.sleep(0.005)
        # It has ended and was not waited for: its usage is read in one.
        _, code, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(code)
        # 1 is a check that found something.
        if child.returncode > 1:
            told.seek(0)
            raise SystemExit(f"{call} ended with {child.returncode}: {told.read().decode()}")
    seconds = time.perf_counter() - began
    return Measured(peak, usage.ru_maxrss * 1024, seconds, usage.ru_utime + usage.ru_stime)


def verdict(rows: list[int], found: list[Measured]) -> list[str]:
    """What a command misses: the last table against the one before it."""
    last = found[-1]
    missed = [f"above {MEMORY / 1e9:g} GB"] if last.peak > MEMORY else []
    if len(found) > 1:
        before = found[-2]
        growth = last.peak / before.peak
        rate = (rows[-1] / last.busy) / (rows[-2] / before.busy)
        print(f"  peak {growth:.3f}, rate {rate:.2f} times that of {rows[-2]:,} rows", end="")
        missed += ["peak"] if growth > GROWTH else []
        missed += ["rate"] if rate < SLOWER else []
    print(f"  {'MISSED: ' + ', '.join(missed) if missed else 'met'}", flush=True)
    return missed


def whole_numbers(text: str) -> list[int]:
    """Reads numbers of rows."""
    return sorted(int(float(one)) for one in text.split(","))


def main() -> int:
    """Runs the commands."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=whole_numbers, default=list(ROWS))
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(COMMANDS))
    parser.add_argument("--folder", type=Path, help="where the files are written")
    parser.add_argument("--persons", type=int, default=100_000, help="whose rows these are")
    parser.add_argument("--keep", action="store_true", help="leave them there for a next time")
    options = parser.parse_args()
    if options.keep and options.folder is None:
        parser.error("--keep needs --folder, where the files are found the next time")
    own = Path(tempfile.mkdtemp()) if options.folder is None else options.folder
    sizes = [Files(own / str(rows), rows, options.persons) for rows in options.rows]
    missed = 0
    try:
        for name in options.only:
            words, found = COMMANDS[name], list[Measured]()
            for files in sizes:
                written(files)
                made(files, words)
                one = measured(files.call(words), files.environment(name))
                found.append(one)
                print(
                    f"{name}, {files.rows:,} rows: peak {one.peak / 1e6:.0f} MB, resident "
                    f"{one.resident / 1e6:.0f} MB, {one.seconds:.1f} s, {one.busy:.1f} s of the "
                    f"processor, {files.rows / one.seconds / 1e6:.2f} million rows a second",
                    flush=True,
                )
            missed += bool(verdict(options.rows, found))
    finally:
        if options.folder is None or not options.keep:
            for files in sizes:
                shutil.rmtree(files.folder, ignore_errors=True)
        if options.folder is None:
            own.rmdir()
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
