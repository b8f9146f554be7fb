"""Measures how fast numbers are drawn whose missing answers are protected with them.

A million ages, a tenth of them missing, in the chunks of a release and with the words of the
operating system. Seconds are those of the processor. A program of its own:

    python -m tests.benchmarks.protected_missing [rows]

Ends with 1 if a mechanism draws fewer than 20 million values a second.
"""

from __future__ import annotations

import sys
import time
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from dpdesk.domains import Integer
from dpdesk.estimation.released import bind_attributes
from dpdesk.mechanisms import BoundMechanism, fitting, kind_of
from dpdesk.plan import ColumnPlan, MissingPolicy, Plan
from dpdesk.randomness import SystemWords

LIMIT = 20e6
"""Values a second: a million respondents with twenty such questions wait for a second."""
CHUNK_ROWS, CHUNK_BYTES = 100_000, 1 << 23
"""Those of a release (`dpdesk.engine.sanitize`)."""
REPETITIONS = 7
MISSING_PART = 10
AGES = Integer(lower=18, upper=99, unit="years")
EPSILON = Decimal(2)


def bound_of(kind: type, policy: str) -> BoundMechanism:
    column = ColumnPlan(
        name="age",
        kind="integer",
        domain=AGES,
        role="protect",
        confirmed=True,
        missing=MissingPolicy(policy=policy),  # type: ignore[arg-type]
        mechanism=kind(epsilon=EPSILON),
    )
    ((_, bound),) = bind_attributes(Plan(columns=(column,)))
    return bound


def rate(bound: BoundMechanism, codes: NDArray[np.int32]) -> float:
    """Values a second of the processor, in the fastest repetition."""
    words, best = SystemWords(), float("inf")
    step = min(CHUNK_ROWS, CHUNK_BYTES // bound.bytes_per_row)
    for _ in range(REPETITIONS):
        begun = time.process_time()
        for start in range(0, codes.size, step):
            bound.randomize(codes[start : start + step], words)
        best = min(best, time.process_time() - begun)
    return codes.size / best


def main() -> int:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    generator = np.random.default_rng(3)
    answers = generator.integers(0, AGES.size, rows, dtype=np.int32)
    with_missing = answers.copy()
    with_missing[generator.random(rows) < 1 / MISSING_PART] = AGES.size
    slow = False
    for kind in fitting(AGES):
        if "epsilon" not in kind.model_fields:
            continue
        protected = rate(bound_of(kind, "protect"), with_missing)
        alone = rate(bound_of(kind, "none"), answers)
        slow |= protected < LIMIT
        print(
            f"{kind_of(kind)}: {protected / 1e6:.1f} million values a second, "
            f"{protected / LIMIT:.2f} of the limit; without missing answers {alone / 1e6:.1f}"
        )
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
