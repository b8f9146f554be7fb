"""Times what can still be learnt after protection, in processor seconds.

    python tests/benchmarks/learning.py

The published experiment at seven epsilons and the plan's own, thirty repetitions each, by naive
Bayes as it is and with the noise taken out. The command fails above its limit.
"""

from __future__ import annotations

import sys
import time

LIMIT = 20.0
EPSILONS = (0.1, 0.5, 1.0, 2.0, 5.0, 7.0, 10.0)


def main() -> int:
    from dpdesk.engine.jobs import untracked
    from dpdesk.learning.curve import run_learning
    from dpdesk.learning.example import EXAMPLES, LABEL
    from dpdesk.requests.simulations import LearningRequest

    failed = False
    for example in EXAMPLES:
        begun = time.process_time()
        table, plan = example.load()
        run_learning(table, plan, LearningRequest(LABEL, epsilons=EPSILONS), untracked())
        taken = time.process_time() - begun
        print(f"{example.name}: {taken:.1f} s of at most {LIMIT:.0f} s")
        failed |= taken > LIMIT
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
