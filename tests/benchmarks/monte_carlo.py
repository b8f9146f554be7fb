"""Times repetitions of a survey from its counts against multi-freq-ldpy, respondent by respondent.

    python tests/benchmarks/monte_carlo.py [--peers FOLDER]

FOLDER is a virtual environment of the peers, as in against_peers.py. The peer draws one report per
respondent of 100,000, as its documentation shows, and adds them up; that is timed for a few
repetitions and taken times 100. dpdesk draws 100 repetitions from the counts. The command fails
where the ratio is below 1,000, or where a billion respondents take more than twice the time.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from math import exp
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent.parent
RESPONDENTS, MANY, CATEGORIES, EPSILON, REPETITIONS = 100_000, 10**9, 16, 1.0, 100
FLOOR, GROWTH = 1_000, 2.0
PEER_REPETITIONS, OWN_RUNS = 3, 201
THREADS = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA", "VECLIB")


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def time_the_peer(kind: str) -> None:
    """Prints the seconds of one repetition with the peer, its functions compiled before."""
    import numpy as np
    from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client
    from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Client

    answers = [row * 7919 % CATEGORIES for row in range(RESPONDENTS)]

    def repetition() -> object:
        if kind == "grr":
            reports = [GRR_Client(answer, CATEGORIES, EPSILON) for answer in answers]
            return np.bincount(reports, minlength=CATEGORIES)
        return np.sum([UE_Client(answer, CATEGORIES, EPSILON) for answer in answers], axis=0)

    repetition()
    print(median(seconds(repetition) for _ in range(PEER_REPETITIONS)))


def own_seconds(kind: str, respondents: int) -> float:
    import numpy as np

    from dpdesk.engine.simulate import simulate_counts
    from dpdesk.mechanisms.frequency_oracle import FrequencyForecast

    spread = exp(EPSILON) + CATEGORIES - 1
    forecast = (
        FrequencyForecast(CATEGORIES, exp(EPSILON) / spread, 1 / spread, "symbol")
        if kind == "grr"
        else FrequencyForecast(CATEGORIES, 0.5, 1 / (exp(EPSILON) + 1), "bits")
    )
    counts = np.full((REPETITIONS, CATEGORIES), respondents // CATEGORIES)
    generator = np.random.default_rng(1)
    work = [seconds(lambda: simulate_counts(forecast, counts, generator)) for _ in range(OWN_RUNS)]
    return median(work)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", type=Path, default=ROOT / "build" / "peers")
    parser.add_argument("--peer", choices=["grr", "oue"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        time_the_peer(options.peer)
        return 0
    from against_peers import python_of_peers

    python = python_of_peers(options.peers)
    surroundings = os.environ | {f"{name}_NUM_THREADS": "1" for name in THREADS}
    print("| 100 repetitions, k = 16 | peer | dpdesk | ratio | a billion respondents | |")
    print("|---|---|---|---|---|---|")
    missed = 0
    for kind in ("grr", "oue"):
        command = [str(python), str(Path(__file__).resolve()), "--peer", kind]
        told = subprocess.run(
            command, env=surroundings, check=True, capture_output=True, text=True
        ).stdout
        peer = float(told) * REPETITIONS
        own, many = own_seconds(kind, RESPONDENTS), own_seconds(kind, MANY)
        met = peer / own >= FLOOR and many <= GROWTH * own
        missed += not met
        print(
            f"| {kind.upper()} | {peer:.3g} s | {own * 1e3:.3g} ms | {peer / own:,.0f} | "
            f"{many * 1e3:.3g} ms | {'met' if met else 'MISSED'} |"
        )
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
