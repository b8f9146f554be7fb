"""Times dpdesk against multi-freq-ldpy, pure-ldp and diffprivlib, each in a process of its own.

    python tests/benchmarks/against_peers.py [--peers FOLDER] [--repetitions N] [--only KIND]

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
from pathlib import Path
from statistics import median

# Beside this file, which the peers' interpreter runs by its path.
from peer_tasks import TASKS, Work, dpdesk_work, peer_work

ROOT = Path(__file__).resolve().parent.parent.parent
PEERS = (
    "multi-freq-ldpy==0.2.5",
    "pure-ldp==1.2.0",
    "diffprivlib==0.6.6",
    # pure-ldp does not say that it needs this.
    "statsmodels",
    # The peers do not say that they need these older versions.
    "scikit-learn<1.6",
    "xxhash<4",
)
THREADS = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA", "VECLIB")


def serve(side: str) -> None:
    """Does a task for each line that names one, and answers with its seconds per row."""
    ready: dict[str, Work] = {}
    for line in sys.stdin:
        name = line.strip()
        task = TASKS[name]
        count = task.peer_rows if side == "peers" else task.rows
        if name not in ready:
            # Only one task is held in memory; its first run compiles what is compiled.
            ready = {name: (peer_work if side == "peers" else dpdesk_work)(task)}
            ready[name]()
        begun = time.perf_counter()
        ready[name]()
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
    parser.add_argument("--only", default="", help="a mechanism, such as olh")
    parser.add_argument("--serve", choices=["peers", "dpdesk"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
        return 0
    theirs = Side(python_of_peers(options.peers), "peers")
    ours = Side(Path(sys.executable), "dpdesk")
    print("| task | peer | peer, µs a row | dpdesk, µs a row | ratio | floor | |")
    print("|---|---|---|---|---|---|---|")
    missed = 0
    for name, task in TASKS.items():
        if options.only and task.kind != options.only:
            continue
        pairs = [(theirs.seconds(name), ours.seconds(name)) for _ in range(options.repetitions)]
        peer, own = (median(times) for times in zip(*pairs, strict=True))
        ratio = peer / own
        missed += ratio < task.floor
        verdict = "met" if ratio >= task.floor else "MISSED"
        print(
            f"| {task.title} | {task.peer} | {peer * 1e6:.3g} | {own * 1e6:.3g} | {ratio:.0f} | "
            f"{task.floor:.0f} | {verdict} |",
            flush=True,
        )
    theirs.close()
    ours.close()
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
