"""Speed of the ledger: recognising and comparing a large table, a charge after a thousand releases.

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
from dpdesk.ledgers import Ledger
from dpdesk.ledgers.chain import LedgerKey
from dpdesk.ledgers.fingerprint import cell_digests, coded_table, fingerprint_of
from dpdesk.ledgers.recognise import Comparison, sketch_of

ROWS = 1_000_000
DISTINCT = (2, 3, 5, 10, 20, 50, 100, 1_000, 5, 7)
RELEASES = 1_000
KNOWN = 100


def large(seed: int) -> SurveyTable:
    """A million rows of ten columns."""
    draw = np.random.default_rng(seed)
    columns = tuple(
        TextColumn(
            f"c{i}",
            draw.integers(0, size, ROWS).astype(np.int32),
            pa.array([f"v{j}" for j in range(size)]),
        )
        for i, size in enumerate(DISTINCT)
    )
    return SurveyTable(columns, ROWS)


def main() -> None:
    """Prints the seconds of processor time of each task."""
    key, table = LedgerKey(b"k" * 32), large(0)
    start = time.process_time()
    cells = cell_digests(table, key)
    fingerprint_of(cells, key)
    middle = time.process_time()
    coded = coded_table(table, cells, key, lambda: None)
    kept = sketch_of(coded, lambda: None).to_bytes(key, b"n" * 16)
    print(f"fingerprint of {ROWS:,} x {len(DISTINCT)}: {middle - start:.2f} s")
    print(f"what is kept of it: {time.process_time() - middle:.2f} s, {len(kept):,} bytes")
    new = large(1)
    cells = cell_digests(new, key)
    coded = coded_table(new, cells, key, lambda: None)
    comparison = Comparison(coded, cells, new.columns, key)
    start = time.process_time()
    for number in range(KNOWN):
        found = comparison.likeness(bytes([number]), kept, lambda: None)
        assert found is None
        if number == 0:
            first = time.process_time() - start
    whole = time.process_time() - start
    print(f"compared with one known file: {first:.2f} s, with {KNOWN}: {whole:.2f} s")
    with TemporaryDirectory() as folder:
        path = Path(folder, "ledger.sqlite")
        ledger = Ledger.open(path)
        data = ledger.fingerprint(table_from_texts({"a": ["x", "y"]}))
        cost = (PrivacyCost(Decimal("0.01")),)
        times = []
        for _ in range(RELEASES + 20):
            start = time.process_time()
            ledger.charge(data, cost, plan="{}", title="Survey", kind="statistics")
            times.append(time.process_time() - start)
        start = time.process_time()
        Ledger.open(path)
        opened = time.process_time() - start
        print(f"open with {RELEASES:,} releases: {1_000 * opened:.0f} ms")
        print(f"charge with {RELEASES:,} releases: {1_000 * np.median(times[-20:]):.0f} ms")


if __name__ == "__main__":
    main()
