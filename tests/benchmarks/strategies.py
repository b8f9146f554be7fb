"""Times strategies over several attributes against multi-freq-ldpy, on the shape of Adult.

    python tests/benchmarks/strategies.py [--peers FOLDER] [--repetitions N]

Ten attributes of 74, 7, 16, 7, 14, 6, 5, 2, 41 and 2 categories; GRR at a nominal epsilon of 1.
What is timed is the drawing of all reports, with the system's words for dpdesk; the peer is called
as its documentation shows, once per respondent. Both run on one thread, in processes of their own
that take turns. The command fails where dpdesk is not 20 times as fast.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

# Beside this file, which the peers' interpreter runs by its path.
from against_peers import ROOT, THREADS, python_of_peers

SIZES = (74, 7, 16, 7, 14, 6, 5, 2, 41, 2)
STRATEGIES = {"smp": "SMP[GRR]", "rsfd": "RS+FD[GRR]"}
EPSILON = 1.0
FLOOR = 20
PEER_ROWS = 20_000
ROWS = 200_000


def peer_seconds(strategy: str) -> float:
    """Seconds per respondent of the peer."""
    from multi_freq_ldpy.mdim_freq_est import RSpFD_solution, SMP_solution

    client = SMP_solution.SMP_GRR_Client if strategy == "smp" else RSpFD_solution.RSpFD_GRR_Client
    answers = [tuple(row * 7919 % k for k in SIZES) for row in range(PEER_ROWS)]
    client(answers[0], list(SIZES), len(SIZES), EPSILON)
    begun = time.perf_counter()
    for answer in answers:
        client(answer, list(SIZES), len(SIZES), EPSILON)
    return (time.perf_counter() - begun) / PEER_ROWS


def dpdesk_seconds(strategy: str) -> float:
    """Seconds per respondent of dpdesk."""
    import numpy as np

    from dpdesk.domains import Categorical
    from dpdesk.engine.attribute_draw import AttributeDraw
    from dpdesk.estimation import bind_attributes
    from dpdesk.mechanisms.direct_encoding import Grr
    from dpdesk.mechanisms.fake_data import record_epsilon
    from dpdesk.plan import ColumnPlan, Plan
    from dpdesk.randomness import SystemWords

    epsilon = EPSILON if strategy == "smp" else round(record_epsilon(EPSILON, len(SIZES)), 12)
    plan = Plan(
        strategy=strategy,
        columns=tuple(
            ColumnPlan(
                name=f"a{j}",
                kind="nominal",
                domain=Categorical(values=tuple(f"v{i}" for i in range(k))),
                role="protect",
                mechanism=Grr(epsilon=str(epsilon)),
            )
            for j, k in enumerate(SIZES)
        ),
    )
    bound = bind_attributes(plan)
    step = 50_000
    codes = [(np.arange(step) * 7919 % k).astype(np.int32) for k in SIZES]
    begun = time.perf_counter()
    for _ in range(0, ROWS, step):
        words = SystemWords()
        draw = AttributeDraw(plan, step, words)
        for position, (_, mechanism) in enumerate(bound):
            draw.randomize(position, mechanism, codes[position], words)
    return (time.perf_counter() - begun) / ROWS


def _served(python: Path, side: str, strategy: str) -> float:
    surroundings = os.environ | {f"{name}_NUM_THREADS": "1" for name in THREADS}
    surroundings["PYTHONPATH"] = str(ROOT) if side == "dpdesk" else ""
    command = [str(python), str(Path(__file__).resolve()), "--serve", side, "--strategy", strategy]
    done = subprocess.run(command, env=surroundings, capture_output=True, text=True, check=True)
    return float(done.stdout)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", type=Path, default=ROOT / "build" / "peers")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--serve", choices=["peers", "dpdesk"], help=argparse.SUPPRESS)
    parser.add_argument("--strategy", choices=STRATEGIES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        timed = peer_seconds if options.serve == "peers" else dpdesk_seconds
        print(timed(options.strategy))
        return 0
    theirs = python_of_peers(options.peers)
    print("| strategy | peer, µs a respondent | dpdesk, µs a respondent | ratio | floor |")
    print("|---|---|---|---|---|")
    missed = 0
    for strategy, title in STRATEGIES.items():
        pairs = [
            (_served(theirs, "peers", strategy), _served(Path(sys.executable), "dpdesk", strategy))
            for _ in range(options.repetitions)
        ]
        peer, own = (median(times) for times in zip(*pairs, strict=True))
        missed += peer / own < FLOOR
        print(
            f"| {title} | {peer * 1e6:.3g} | {own * 1e6:.3g} | {peer / own:.0f} | {FLOOR} |",
            flush=True,
        )
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
