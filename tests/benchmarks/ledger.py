"""Speed of the ledger: recognising a large table, and a charge after a thousand releases.

python -m tests.benchmarks.ledger
"""

from __future__ import annotations

import time
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa

from dpdesk.cost import PrivacyCost
from dpdesk.data.table import SurveyTable, TextColumn, table_from_texts
from dpdesk.ledger import Ledger
from dpdesk.ledger.fingerprint import cell_digests, fingerprint_of
from dpdesk.ledger.key import LedgerKey
from dpdesk.ledger.sketch import sketch_of

ROWS = 1_000_000
DISTINCT = (2, 3, 5, 10, 20, 50, 100, 1_000, 5, 7)
RELEASES = 1_000


def large() -> SurveyTable:
    """A million rows of ten columns."""
    numbers = np.arange(ROWS, dtype=np.int64)
    columns = tuple(
        TextColumn(
            f"c{i}",
            (numbers * numbers * (2 * i + 3) // 97 % size).astype(np.int32),
            pa.array([f"v{j}" for j in range(size)]),
        )
        for i, size in enumerate(DISTINCT)
    )
    return SurveyTable(columns, ROWS)


def main() -> None:
    """Prints the seconds of each task."""
    key, table = LedgerKey(b"k" * 32), large()
    start = time.perf_counter()
    cells = cell_digests(table, key)
    fingerprint_of(cells, key)
    middle = time.perf_counter()
    sketch_of(table, cells, lambda: None)
    print(f"fingerprint of {ROWS:,} x {len(DISTINCT)}: {middle - start:.2f} s")
    print(f"sketches of it: {time.perf_counter() - middle:.2f} s")
    with TemporaryDirectory() as folder:
        path = Path(folder, "ledger.sqlite")
        ledger = Ledger.open(path)
        data = ledger.fingerprint(table_from_texts({"a": ["x", "y"]}))
        cost = (PrivacyCost(Decimal("0.01")),)
        times = []
        for _ in range(RELEASES + 20):
            start = time.perf_counter()
            ledger.charge(data, cost, plan="{}", title="Survey", kind="statistics")
            times.append(time.perf_counter() - start)
        start = time.perf_counter()
        Ledger.open(path)
        opened = time.perf_counter() - start
        print(f"open with {RELEASES:,} releases: {1_000 * opened:.0f} ms")
        print(f"charge with {RELEASES:,} releases: {1_000 * np.median(times[-20:]):.0f} ms")


if __name__ == "__main__":
    main()
