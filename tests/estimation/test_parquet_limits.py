"""A Parquet file is looked at before it is read: a few kilobytes can stand for any table."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Generator
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpdesk.data import columnar_records
from dpdesk.data.output_fields import SymbolField
from dpdesk.domains import Categorical
from dpdesk.errors import InputError
from dpdesk.estimation import released_from_file
from dpdesk.estimation.texts import T
from dpdesk.mechanisms.direct_encoding import Grr
from dpdesk.mechanisms.unary_encoding import Oue
from dpdesk.plan import ColumnPlan, Plan, save_plan
from tests.patience import HANG
from tests.refusals import refused

ANSWERS = Categorical(values=("x", "y", "z"))
PLAN = Plan(
    columns=(
        ColumnPlan(
            name="a",
            kind="nominal",
            domain=ANSWERS,
            confirmed=True,
            role="protect",
            mechanism=Grr(epsilon=Decimal(1)),
        ),
        ColumnPlan(
            name="b",
            kind="nominal",
            domain=ANSWERS,
            confirmed=True,
            role="protect",
            mechanism=Oue(epsilon=Decimal(1)),
        ),
        ColumnPlan(name="w", kind="weight", role="keep", keep_confirmed=True),
        ColumnPlan(name="note", kind="nominal", role="keep", keep_confirmed=True),
    )
)

BIG = "x" * 1_000_000


def records(rows: int, **others: pa.Array) -> pa.Table:
    """Records of the plan, each column one value that is repeated."""
    zeros = pa.array(np.zeros(rows, dtype=np.int8))
    same = {name: _repeated(text, rows) for name, text in (("a", "x"), ("w", "1"), ("note", "n"))}
    bits = {f"b={value}": zeros for value in ANSWERS.values}
    return pa.table(same | bits | others)


def _repeated(text: str, rows: int) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, np.int32)), pa.array([text]))


def write(path: Path, *groups: pa.Table, **how: Any) -> Path:
    """A file of these groups of rows."""
    how = {"compression": "zstd", "store_schema": False} | how
    with pq.ParquetWriter(path, groups[0].schema, **how) as writer:
        for group in groups:
            writer.write_table(group, row_group_size=group.num_rows)
    return path


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the columns that are read, as long as the test runs."""
    names: list[str] = []
    usual = pq.ParquetFile.read_row_group

    def spy(file: pq.ParquetFile, group: int, columns: list[str]) -> pa.Table:
        names.extend(columns)
        return usual(file, group, columns=columns)

    monkeypatch.setattr(pq.ParquetFile, "read_row_group", spy)
    for name in ("read", "read_row_groups", "iter_batches"):
        monkeypatch.setattr(pq.ParquetFile, name, lambda *_, **__: pytest.fail("read otherwise"))
    return names


def test_that_the_columns_of_the_plan_alone_are_read(tmp_path: Path, read: list[str]) -> None:
    path = write(tmp_path / "r.parquet", records(50, surplus=_repeated(BIG, 50)))
    assert released_from_file(path, PLAN).rows == 50
    # The kept note, too: how many are alone with what is kept is said.
    assert sorted(read) == ["a", "b=x", "b=y", "b=z", "note", "w"]


def test_that_a_group_of_more_records_than_memory_holds_is_refused_before_any_is_read(
    tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "r.parquet", *[records(1 << 16)] * 2)
    released_from_file(path, PLAN)
    read.clear()
    # 5 bytes of a symbol, 3 of three bits, 48 of the record itself.
    monkeypatch.setattr(columnar_records, "MEMORY_MAX", (1 << 16) * 56)
    released_from_file(path, PLAN)
    read.clear()
    monkeypatch.setattr(columnar_records, "MEMORY_MAX", (1 << 16) * 56 - 1)
    with refused("data.large-group"):
        released_from_file(path, PLAN)
    assert not read


def test_that_pages_which_unfold_beyond_memory_are_refused_before_any_is_read(
    tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = records(200).set_column(0, "a", pa.array([BIG] * 200))
    path = write(tmp_path / "r.parquet", *[wide] * 2, use_dictionary=False)
    assert path.stat().st_size < 50_000
    monkeypatch.setattr(columnar_records, "MEMORY_MAX", 200 * len(BIG))
    with refused("data.large-group"):
        released_from_file(path, PLAN)
    assert not read


def test_that_a_column_of_another_type_is_not_read(tmp_path: Path, read: list[str]) -> None:
    lists = pa.array([[1, 2]] * 9)
    path = write(tmp_path / "r.parquet", records(9).set_column(0, "a", lists))
    with refused("data.other-type", name="a"):
        released_from_file(path, PLAN)
    assert "a" not in read


def test_that_a_description_longer_than_that_of_any_release_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "r.parquet", records(9))
    raw = path.read_bytes()
    monkeypatch.setattr(pq, "ParquetFile", lambda *_, **__: pytest.fail("described"))
    for length in (len(raw) + 1, (1 << 31) - 1):
        path.write_bytes(raw[:-8] + length.to_bytes(4, "little") + b"PAR1")
        with refused("data.bad-records", kind="Parquet"):
            released_from_file(path, PLAN)


def test_that_groups_of_rows_follow_each_other(tmp_path: Path) -> None:
    first, second = records(7), records(5).set_column(0, "a", _repeated("y", 5))
    found = released_from_file(write(tmp_path / "r.parquet", first, second), PLAN)
    assert found.rows == 12
    assert found.attributes[0].tally.counts.tolist() == [7, 5, 0]


def test_that_what_closing_a_file_raises_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "records.parquet"
    pq.write_table(records(30), path, row_group_size=10)
    source = columnar_records.ParquetSource(path, [])
    usual = source._groups

    def groups(names: list[str]) -> Generator[pa.Table, None, None]:
        try:
            yield from usual(names)
        finally:
            raise InputError("It could not be closed.")

    monkeypatch.setattr(source, "_groups", groups)
    reading = source._ahead(["note"], lambda _: None)
    assert next(reading).num_rows == 10
    with pytest.raises(InputError, match="could not be closed"):
        reading.close()


@pytest.mark.skipif(sys.platform != "linux", reason="limits of a process, as Linux keeps them")
def test_that_a_file_of_some_kilobytes_takes_no_gigabytes(tmp_path: Path, root: Path) -> None:
    save_plan(PLAN, tmp_path / "plan.json")
    rows = 1 << 18
    bomb = records(rows).set_column(0, "a", _repeated(BIG, rows))
    path = write(tmp_path / "r.parquet", bomb, bomb)
    assert path.stat().st_size < 50_000
    # As texts, one by one, they are half a terabyte.
    child = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30));"
        "from dpdesk.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            child,
            "estimate",
            path,
            "--plan",
            tmp_path / "plan.json",
            "--unverified",
        ],
        capture_output=True,
        text=True,
        cwd=root,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        timeout=HANG,
    )
    assert done.returncode == 3, done.stderr
    assert T.IMPOSSIBLE(record=1, column="a") in done.stderr


def test_that_the_limit_holds_what_releases_are_made_of() -> None:
    record = columnar_records._BYTES_OF_A_RECORD + 10_000
    assert 100_000 * record < columnar_records.MEMORY_MAX


@pytest.mark.parametrize("wrong", [1, 7, -2])
def test_that_an_index_beyond_its_dictionary_is_damage_and_no_answer(wrong: int) -> None:
    taken = columnar_records._Symbols(SymbolField("a", ANSWERS.values), 3)
    taken.allocate()
    indices = pa.array(np.array([0, wrong, 0], dtype=np.int32))
    damaged = pa.DictionaryArray.from_arrays(indices, pa.array(["x"]), safe=False)
    with pytest.raises(pa.ArrowInvalid, match="index"):
        taken.take(0, 0, damaged)
