"""What is in memory does not grow with the number of respondents (Linux)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

ROWS = 250_000
CHILD = """
import json, re, sys, threading, time
from pathlib import Path

def anonymous():
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"RssAnon:\\s+(\\d+) kB", status)[1]) * 1024

import pyarrow as pa
pa.set_cpu_count(1)
pa.set_memory_pool(pa.system_memory_pool())
from dpdesk.data import read_delimited, spool, table
from dpdesk.data.formats import columnar_tables
from dpdesk.disclosure import RiskQuestion, chosen_columns, classes, disclosure_risk
from dpdesk.data.read_file import load

# A small machine, so that a small table is a large one.
spool.MEMORY_MOST = 1 << 18
spool._ONE_COLUMN = 1 << 14
read_delimited.PIECE = 1 << 16
read_delimited.PARSE_BLOCK = 1 << 18
columnar_tables._ROWS = 1 << 13
table.CHUNK_ROWS = classes._TOGETHER = 1 << 14

def work(path):
    found = load(path)
    counts = [int(column.counts.max()) for column in found.columns]
    known = chosen_columns(found, found.names[:3])
    risk = disclosure_risk(RiskQuestion(known, found.rows))
    return [found.rows, counts, risk.unique_rows]

peak = 0
def watch():
    global peak
    while True:
        peak = max(peak, anonymous())
        time.sleep(0.0005)

first = work(sys.argv[1])
threading.Thread(target=watch, daemon=True).start()
idle = anonymous()
found = work(sys.argv[2])
print(json.dumps({"grown": peak - idle, "found": found}))
"""


def survey(folder: Path, rows: int, ending: str) -> Path:
    """A table of ten columns of few answers each."""
    place = np.arange(rows)
    columns = {f"q{i}": place * (2 * i + 7) % (29 + i) for i in range(10)}
    table, path = pa.table(columns), folder / f"{rows}{ending}"
    if ending == ".parquet":
        pq.write_table(table, path, row_group_size=20_000)
    elif ending == ".csv":
        pa.csv.write_csv(table, path)
    else:
        path.mkdir()
        for start in range(0, rows, 50_000):
            pa.csv.write_csv(table.slice(start, 50_000), path / f"part-{start}.csv")
    return path


def grown(small: Path, path: Path, rows: int) -> int:
    """Bytes that reading and judging a file takes beyond those of a small one."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(small), str(path)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": "0"},
    )
    told = json.loads(done.stdout)
    assert told["found"][0] == rows
    return int(told["grown"])


@pytest.mark.parametrize("ending", [".csv", ".parquet", "-parts"])
def test_that_memory_does_not_grow_with_the_number_of_respondents(
    tmp_path: Path, ending: str
) -> None:
    small = survey(tmp_path, 1000, ending)
    few, many = (grown(small, survey(tmp_path, rows, ending), rows) for rows in (ROWS, 4 * ROWS))
    # A column of numbers of all respondents would take 6 MB more, and the codes 7 MB.
    assert many - few < 3 << 20
