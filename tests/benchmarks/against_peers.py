"""Times dpdesk against multi-freq-ldpy and diffprivlib, each in a process of its own.

    python tests/benchmarks/against_peers.py [--peers FOLDER] [--repetitions N]

FOLDER is a virtual environment of the peers; it is made if it is not there. Both processes have
one thread and take turns, so that a busy machine slows both. Each draws with the randomness of a
release: dpdesk with the system's words, the peers with what they use by default. What is timed is
the drawing of all reports, or the estimate from them; laws are built and functions compiled
before. Times are medians of the repetitions.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
import venv
from collections.abc import Callable
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent.parent
PEERS = (
    "multi-freq-ldpy==0.2.5",
    "diffprivlib==0.6.6",
    # The peers do not say that they need these older versions.
    "scikit-learn<1.6",
    "xxhash<4",
)
EPSILON = 1.0
LOWER, UPPER = 18, 99
THREADS = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA", "VECLIB")

# Task: (title, floor of the ratio, categories, rows for the peer, rows for dpdesk). Times are per
# row, so the slow side may have fewer rows.
TASKS: dict[str, tuple[str, float, int, int, int]] = {
    "grr_16": ("GRR, drawing, k = 16", 15, 16, 1_000_000, 1_000_000),
    "oue_16": ("OUE, drawing, k = 16", 10, 16, 200_000, 1_000_000),
    "oue_128": ("OUE, drawing, k = 128", 10, 128, 100_000, 200_000),
    "grr_16_estimate": ("GRR, shares from reports, k = 16", 20, 16, 1_000_000, 1_000_000),
    "oue_16_estimate": ("OUE, shares from reports, k = 16", 20, 16, 200_000, 1_000_000),
    "oue_128_estimate": ("OUE, shares from reports, k = 128", 20, 128, 100_000, 200_000),
    "laplace": ("bounded Laplace, drawing, 18 to 99", 500, 82, 5_000, 1_000_000),
}
Work = Callable[[], object]


def peer_work(task: str, k: int, rows: int) -> Work:
    """The task with the peer, called as its documentation shows: once per respondent."""
    if task == "laplace":
        from diffprivlib.mechanisms import LaplaceBoundedDomain

        ages = [LOWER + row * 7919 % k for row in range(rows)]
        mechanism = LaplaceBoundedDomain(
            epsilon=EPSILON, sensitivity=UPPER - LOWER, lower=LOWER, upper=UPPER
        )
        return lambda: [mechanism.randomise(age) for age in ages]
    from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client
    from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Aggregator_MI, UE_Client

    answers = [row * 7919 % k for row in range(rows)]
    if task.startswith("grr"):

        def draw() -> list[int]:
            return [GRR_Client(answer, k, EPSILON) for answer in answers]

        if not task.endswith("estimate"):
            return draw
        symbols = draw()
        return lambda: GRR_Aggregator_MI(symbols, k, EPSILON)

    def draw_bits() -> list[object]:
        return [UE_Client(answer, k, EPSILON) for answer in answers]

    if not task.endswith("estimate"):
        return draw_bits
    bits = draw_bits()
    return lambda: UE_Aggregator_MI(bits, EPSILON)


def dpdesk_work(task: str, k: int, rows: int) -> Work:
    """The task with dpdesk."""
    import numpy as np

    from dpdesk.domains import Categorical, Integer
    from dpdesk.mechanisms import mechanism_named
    from dpdesk.randomness import SystemWords

    kind = {"grr": "grr", "oue": "oue", "lap": "bounded_laplace"}[task[:3]]
    domain: Categorical | Integer = (
        Integer(lower=LOWER, upper=UPPER)
        if task == "laplace"
        else Categorical(values=tuple(f"v{i}" for i in range(k)))
    )
    bound = mechanism_named(kind)(epsilon="1").bind(domain)
    codes = (np.arange(rows, dtype=np.int64) * 7919 % k).astype(np.int32)
    if not task.endswith("estimate"):
        return lambda: bound.randomize(codes, SystemWords())
    reports = bound.randomize(codes, SystemWords())
    return lambda: bound.estimate(bound.tally(reports))


def serve(side: str) -> None:
    """Does a task for each line that names one, and answers with its seconds per row."""
    ready: dict[str, Work] = {}
    for line in sys.stdin:
        task = line.strip()
        _, _, k, peer_rows, rows = TASKS[task]
        count = peer_rows if side == "peers" else rows
        if task not in ready:
            # Only one task is held in memory; its first run compiles what is compiled.
            ready = {task: (peer_work if side == "peers" else dpdesk_work)(task, k, count)}
            ready[task]()
        begun = time.perf_counter()
        ready[task]()
        print((time.perf_counter() - begun) / count, flush=True)


class Side:
    """A process that does one side's tasks."""

    def __init__(self, python: Path, side: str) -> None:
        surroundings = os.environ | {f"{name}_NUM_THREADS": "1" for name in THREADS}
        surroundings["PYTHONPATH"] = str(ROOT) if side == "dpdesk" else ""
        self._process = subprocess.Popen(
            [str(python), str(Path(__file__).resolve()), "--serve", side],
            env=surroundings,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def seconds(self, task: str) -> float:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(task + "\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def python_of_peers(folder: Path) -> Path:
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        print(f"Making an environment for the peers in {folder}", file=sys.stderr)
        venv.create(folder, with_pip=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PEERS], check=True)
    return python


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", type=Path, default=ROOT / "build" / "peers")
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--serve", choices=["peers", "dpdesk"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
        return 0
    theirs = Side(python_of_peers(options.peers), "peers")
    ours = Side(Path(sys.executable), "dpdesk")
    print("| task | peer, µs a row | dpdesk, µs a row | ratio | floor | |")
    print("|---|---|---|---|---|---|")
    missed = 0
    for task, (title, floor, *_) in TASKS.items():
        pairs = [(theirs.seconds(task), ours.seconds(task)) for _ in range(options.repetitions)]
        peer, own = (median(times) for times in zip(*pairs, strict=True))
        ratio = peer / own
        missed += ratio < floor
        verdict = "met" if ratio >= floor else "MISSED"
        print(
            f"| {title} | {peer * 1e6:.3g} | {own * 1e6:.3g} | {ratio:.0f} | {floor:.0f} | "
            f"{verdict} |",
            flush=True,
        )
    theirs.close()
    ours.close()
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
