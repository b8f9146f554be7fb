"""Times the noise of a statistic of many cells, and choices among many options.

    python -m tests.benchmarks.statistics_noise [--cells N]

A part is drawn in one call of OpenDP, which the first line compares with one call per cell; nearly
all of what is left is OpenDP's exact sampler. The command fails where one call is not at least five
times as fast as calls per cell, or where a choice among 10,000 options takes more than 100 ms.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from statistics import median

import numpy as np

from dpdesk.queries.noise import NOISE_KINDS, calibrate
from dpdesk.queries.selection import CHOICE_MECHANISMS, calibrate_choice, calibrate_quantile
from dpdesk.queries.sensitivity import Sensitivity

ONE = Sensitivity.of_number(1)
EPSILON, DELTA = Decimal("0.5"), Decimal("0.000001")
FASTER, OPTIONS, CHOICE_MS = 5, 10_000, 100


def milliseconds(work: Callable[[], object], repetitions: int = 5) -> float:
    taken = []
    for _ in range(repetitions):
        begun = time.perf_counter()
        work()
        taken.append(1000 * (time.perf_counter() - begun))
    return median(taken)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cells", type=int, default=1_000)
    cells = parser.parse_args().cells
    failed = False
    for kind in NOISE_KINDS:
        single = calibrate(kind, ONE, EPSILON, DELTA)
        each = milliseconds(lambda noise=single: [noise.draw([5]) for _ in range(cells)])
        if kind == "staircase":
            print(f"{kind:18} {cells:,} numbers one by one: {each:8.1f} ms")
            continue
        part = calibrate(kind, ONE, EPSILON, DELTA, cells)
        together = milliseconds(lambda noise=part: noise.draw([5] * cells))
        ratio = each / together
        print(
            f"{kind:18} {cells:,} cells: one call {together:8.1f} ms, "
            f"calls per cell {each:8.1f} ms, {ratio:5.1f} times"
        )
        # Real Gaussian noise spends most of its time in the sampler either way.
        failed |= kind == "geometric" and ratio < FASTER
    for mechanism in CHOICE_MECHANISMS:
        choice = calibrate_choice(1, True, EPSILON, OPTIONS, mechanism=mechanism)
        scores = np.arange(OPTIONS, dtype=np.int64)
        taken = milliseconds(lambda choice=choice, scores=scores: choice.draw(scores))
        print(f"{mechanism:18} {OPTIONS:,} options: {taken:8.1f} ms")
        failed |= taken > CHOICE_MS
    quantile = calibrate_quantile(OPTIONS, Fraction(1, 2), 1, "add_remove", EPSILON)
    counts = np.full(OPTIONS, 100, dtype=np.int64)
    print(f"{'median':18} 1,000,000 rows: {milliseconds(lambda: quantile.draw(counts)):8.1f} ms")
    epsilons = iter(range(1, 100))

    def calibrated() -> object:
        return calibrate("discrete_gaussian", ONE, Decimal(next(epsilons)) / 100, DELTA)

    print(f"{'discrete_gaussian':18} one calibration: {milliseconds(calibrated, 20):8.1f} ms")
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
