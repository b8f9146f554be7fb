"""Groups of equal records against pandas and, where it is installed, pycanon.

python -m tests.benchmarks.disclosure [rows] [repetitions]

All take turns in one process, on the same made-up table; the best of the repetitions counts.
pandas is given what it groups fastest of: categories, and the same as whole numbers. It counts the
groups; dpdesk counts them, finds k, who is alone and who is in groups below 5, and the average
risk. pycanon finds k alone. The command fails where a ratio misses its bound.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from dpdesk.disclosure import Classes, CodedColumn, RiskQuestion, disclosure_risk, diversity
from dpdesk.disclosure.special_uniques import special_uniques

LEVELS = (74, 16, 5, 2, 6, 7, 41, 14)
"""Numbers of values of the columns: those of Adult."""
SLOWEST, FLOOR = 2.0, 20.0
"""At most so many times the time of pandas; at least so many times as fast as pycanon."""
PEER_ROWS = 20_000


def made_up(rows: int) -> list[CodedColumn]:
    """Columns in which small values are frequent, as in real ones."""
    draw = np.random.default_rng(20_261_123)
    return [
        CodedColumn(
            f"q{place}",
            np.minimum(draw.geometric(3 / (levels + 1), rows) - 1, levels - 1).astype(np.int32),
            levels,
        )
        for place, levels in enumerate(LEVELS)
    ]


def statistics(columns: list[CodedColumn], rows: int) -> tuple[float, ...]:
    """All statistics of the groups."""
    classes = Classes(columns, rows)
    return (
        classes.k,
        classes.count,
        classes.unique_rows,
        classes.rows_below(5),
        (classes.count / rows),
    )


def best_of(repetitions: int, *works: Callable[[], object]) -> list[float]:
    """The shortest time of each, in seconds; they take turns."""
    times = [[0.0] * repetitions for _ in works]
    for turn in range(repetitions):
        for place, work in enumerate(works):
            start = time.perf_counter()
            work()
            times[place][turn] = time.perf_counter() - start
    return [min(own) for own in times]


def main() -> int:
    """Prints the times and compares them."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    repetitions = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    columns = made_up(rows)
    names = [column.name for column in columns]
    numbers = pd.DataFrame({column.name: column.codes for column in columns})
    categories = numbers.astype("category")
    assert len(numbers.groupby(names).size()) == Classes(columns, rows).count
    own, of_numbers, of_categories = best_of(
        repetitions,
        lambda: statistics(columns, rows),
        lambda: numbers.groupby(names, sort=False).size(),
        lambda: categories.groupby(names, sort=False, observed=True).size(),
    )
    peer = min(of_numbers, of_categories)
    print(f"{rows:,} rows, {len(columns)} columns, {Classes(columns, rows).count:,} groups")
    print(f"dpdesk, all statistics of the groups  {own:7.3f} s")
    print(f"pandas, size() of whole numbers       {of_numbers:7.3f} s")
    print(f"pandas, size() of categories          {of_categories:7.3f} s")
    print(f"ratio                                 {own / peer:7.2f}   at most {SLOWEST:g}")
    classes = Classes(columns[:7], rows)
    rest = best_of(
        1,
        lambda: classes.frequency,
        lambda: diversity(classes, columns[7]),
        lambda: disclosure_risk(RiskQuestion(tuple(columns), rows)),
        lambda: special_uniques(columns, rows),
    )
    told = (
        "group of each record",
        "diversity of one column",
        "steps and effects",
        "special uniques",
    )
    for words, seconds in zip(told, rest, strict=True):
        print(f"{words:<36}  {seconds:7.3f} s")
    return max(own / peer > SLOWEST, _against_pycanon(repetitions))


def _against_pycanon(repetitions: int) -> bool:
    try:
        from pycanon import anonymity
    except ImportError:
        print("pycanon is not installed: not compared.")
        return False
    columns = made_up(PEER_ROWS)
    names = [column.name for column in columns]
    texts = pd.DataFrame({column.name: column.codes.astype(str) for column in columns})
    own, peer = best_of(
        repetitions,
        lambda: statistics(columns, PEER_ROWS),
        lambda: anonymity.k_anonymity(texts, names),
    )
    assert anonymity.k_anonymity(texts, names) == Classes(columns, PEER_ROWS).k
    print(
        f"pycanon, k of {PEER_ROWS:,} rows: {peer:.3f} s, dpdesk {own:.4f} s: "
        f"{peer / own:,.0f} times, at least {FLOOR:g}"
    )
    return peer / own < FLOOR


if __name__ == "__main__":
    raise SystemExit(main())
