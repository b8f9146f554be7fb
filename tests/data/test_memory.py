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

from tests.data.watched_tasks import PERSONS, QUESTIONS, TASKS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

ROWS = 250_000
ROOT = Path(__file__).resolve().parent.parent.parent


def survey(folder: Path, rows: int, ending: str) -> Path:
    """A table of columns of few answers each, and one in which all differ."""
    place = np.arange(rows)
    columns = {f"q{i}": place * (2 * i + 7) % (29 + i) for i in range(QUESTIONS - 1)}
    # Whoever has one of some answers to either of two others was asked.
    asked = (columns["q5"] < 9) | (columns["q6"] < 11)
    columns["routed"] = pa.array(place % 29, mask=~asked)
    columns |= {"person": place % PERSONS, "weight": (place % 7 + 1) / 2}
    # An odd number, so that all of them differ.
    columns["serial"] = place * 15_485_863 % 2**31
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


def grown(task: str, small: Path, path: Path, rows: int) -> int:
    """Bytes that a task takes beyond those that it takes with a small file."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.data.watched_tasks", task, str(small), str(path)],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=os.environ | {"MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": "0"},
    )
    told = json.loads(done.stdout)
    assert told["rows"] == rows
    return int(told["grown"])


def require_bounded(task: str, folder: Path, ending: str) -> None:
    small = survey(folder, 1000, ending)
    few, many = (
        grown(task, small, survey(folder, rows, ending), rows) for rows in (ROWS, 4 * ROWS)
    )
    # A column of numbers of all respondents would take 6 MB more, and the codes 7 MB.
    assert many - few < 3 << 20, (task, few, many)


@pytest.mark.parametrize("ending", [".csv", ".parquet", "-parts"])
def test_that_memory_does_not_grow_with_the_number_of_respondents(
    tmp_path: Path, ending: str
) -> None:
    require_bounded("counts", tmp_path, ending)


@pytest.mark.parametrize("task", ["cross", *sorted(TASKS.keys() - {"counts"})])
def test_that_no_task_holds_a_number_of_each_respondent(tmp_path: Path, task: str) -> None:
    require_bounded(task, tmp_path, ".csv")
