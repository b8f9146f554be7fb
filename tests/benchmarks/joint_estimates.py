"""Tables and regressions of sanitized records.

python -m tests.benchmarks.joint_estimates [rows] [repetitions]

A cross-table of 16 by 41 categories, both protected, of 1,000,000 records, beside reading them (the
time from a file to numbers, which every other program needs too) and beside pandas, which counts
the reports together and so is biased. Then a linear regression on ten terms of a tenth of as many
records: five protected attributes of four categories, two protected numbers and three kept columns;
and a multinomial one on a protected and a kept column. The best of the repetitions counts; the
command fails where a time misses its limit.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd

from dpdesk.domains import Categorical, Integer
from dpdesk.estimation.joint import cross_table
from dpdesk.estimation.regression import regression
from dpdesk.estimation.released import bind_attributes
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.learning.curve import SeededWords
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import ColumnPlan, Plan

TABLE_LIMIT, FORMULA_LIMIT = 2.0, 5.0
"""Seconds, on a core of its own."""
LINEAR = "y ~ c0 + c1 + c2 + c3 + c4 + x0 + x1 + k0 + k1 + k2"
MULTINOMIAL = "c0 ~ c1 + k0"


def protected(name: str, domain: Categorical | Integer, kind: str, epsilon: str) -> ColumnPlan:
    """A column with a mechanism."""
    of_numbers = isinstance(domain, Integer)
    return ColumnPlan(
        name=name,
        kind="integer" if of_numbers else "nominal",
        domain=domain,
        confirmed=True,
        role="protect",
        mechanism=mechanism_named(kind)(kind=kind, epsilon=Decimal(epsilon)),
    )


def written(folder: Path, plan: Plan, rows: int, kept: dict[str, np.ndarray]) -> Path:
    """Records of random people in a file."""
    draw, words = np.random.default_rng(20_261_123), SeededWords(1)
    columns: dict[str, np.ndarray] = dict(kept)
    for column, bound in bind_attributes(plan):
        codes = draw.integers(bound.size, size=rows).astype(np.int32)
        columns[column.name] = np.array(list(bound.outputs), dtype=object)[
            bound.randomize(codes, words)
        ]
    path = folder / "records.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    return path


def best_of(repetitions: int, work: Callable[[], object]) -> float:
    """The shortest time, in seconds."""
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> int:
    """Prints the times and compares them."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    repetitions = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    texts = [tuple(f"v{place:02}" for place in range(size)) for size in (16, 41, 4)]
    table_plan = Plan(
        columns=(
            protected("a", Categorical(values=texts[0]), "grr", "2"),
            protected("b", Categorical(values=texts[1]), "grr", "3"),
        )
    )
    ages = Integer(lower=0, upper=20)
    kept = [
        ColumnPlan(name=f"k{place}", kind="integer", role="keep", keep_confirmed=True)
        for place in range(3)
    ]
    formula_plan = Plan(
        columns=(
            *(protected(f"c{n}", Categorical(values=texts[2]), "grr", "3") for n in range(5)),
            *(protected(name, ages, "piecewise", "4") for name in ("x0", "x1", "y")),
            *kept,
        )
    )
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), table_plan, rows, {})
        records = ScoredRecords(path, table_plan)
        reading = best_of(repetitions, lambda: records.together(("a", "b")))
        # The records are read anew for each question.
        own = best_of(repetitions, lambda: cross_table(records, ("a", "b")))
        frame = pd.read_csv(path, dtype=str)
        peer = best_of(repetitions, lambda: pd.crosstab(frame["a"], frame["b"]))
        print(f"{rows:,} records, 16 x 41: {own:.2f} s, of which reading {reading:.2f} s; ", end="")
        print(f"pandas.crosstab {peer:.2f} s (biased), {peer / own:.1f} times as long")
        failed |= own > TABLE_LIMIT
        draw = np.random.default_rng(1)
        some = max(rows // 10, 1)
        ages_of = {column.name: draw.integers(20, 90, some) for column in kept}
        path = written(Path(folder), formula_plan, some, ages_of)
        records = ScoredRecords(path, formula_plan)
        for formula in (LINEAR, MULTINOMIAL):
            taken = best_of(repetitions, lambda f=formula: regression(records, f))
            print(f"{some:,} records, {formula}: {taken:.2f} s")
            failed |= taken > FORMULA_LIMIT
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
