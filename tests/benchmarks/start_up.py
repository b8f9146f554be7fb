"""How soon the command line answers, beside a Python that does nothing.

python -m tests.benchmarks.start_up [--times N]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence

from dpdesk.cli.run import runnable

RATIO_MOST = 5.0
"""Processor time of a help, as a multiple of that of `python -c pass`."""
SECONDS_MOST = 0.5
"""Of the commands that print a few numbers."""

QUICK = (
    "survey estimate --design warner --set p=3/4 --counts 831/2435",
    "survey estimate --design extended_crosswise --set p=1/4 --counts 90/200,110/200",
    "survey estimate --design forced_categories --set orders=1/6,1/6,1/6 --answers 20,16,12",
)


def least(words: Sequence[str], times: int) -> tuple[float, float]:
    """Returns the least processor time and the least time of a Python with these words."""
    spent, waited = [], []
    for _ in range(times):
        before = time.perf_counter()
        child = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        waited.append(time.perf_counter() - before)
        assert status == 0, words
        spent.append(usage.ru_utime + usage.ru_stime)
    return min(spent), min(waited)


def main() -> int:
    """Prints a line for each command; fails where one is slower than it may be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=15, help="runs of each, the least counts")
    times = parser.parse_args().times
    nothing, _ = least(["-c", "pass"], times)
    print(f"python -c pass: {1000 * nothing:.0f} ms of processor time")
    slow = 0
    for words in ("", *(" ".join(command.words) for command in runnable())):
        spent, waited = least(["-m", "dpdesk", *words.split(), "--help"], times)
        slow += spent > RATIO_MOST * nothing
        print(f"{spent / nothing:5.1f} times, {waited:.3f} s  dpdesk {words} --help")
    for words in QUICK:
        spent, waited = least(["-m", "dpdesk", *words.split()], times)
        slow += spent > SECONDS_MOST
        print(f"{spent:5.2f} s, {waited:.3f} s  dpdesk {words}")
    return int(slow > 0)


if __name__ == "__main__":
    sys.exit(main())
