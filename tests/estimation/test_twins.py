"""The CSV and the Parquet file of a release hold the same reports, and refuse the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpdesk.data import csv_records
from dpdesk.data.csv_records import CutIndicators, cut_indicators
from dpdesk.data.output_fields import BitsField
from dpdesk.data.read_records import read_records
from dpdesk.data.table import table_from_texts
from dpdesk.domains import Categorical, Integer, OptionSet
from dpdesk.engine import sanitize, untracked
from dpdesk.errors import InputError
from dpdesk.estimation import (
    Released,
    estimate_rows,
    released_from_file,
    released_from_records,
)
from dpdesk.mechanisms import Tally
from dpdesk.mechanisms.registry import MECHANISMS, kind_of, mechanism_named
from dpdesk.mechanisms.subset_selection import SubsetSelection
from dpdesk.plan import ColumnPlan, Plan
from tests.plan.plans import mechanism
from tests.refusals import refused

ROWS = 60
MANY = Categorical(values=tuple(f"c{i}, {'=' * (i % 2)}" for i in range(40)))
FEW = Categorical(values=("=1+1", 'say "no"', "plain"))
TWO = Categorical(values=("yes", "no"))
GRID = Integer(lower=0, upper=9)
SET = OptionSet(values=("a", "b", "=c", "d, e"))
"""Domains of a wide report, of texts that need quotation marks, of two texts, of numbers, and of
sets of options."""


def _column(name: str, kind: str) -> ColumnPlan:
    misfit = mechanism_named(kind).misfit
    domain = next(d for d in (MANY, FEW, TWO, GRID, SET) if misfit(d) is None)
    answers = {"categorical": "nominal", "several": "several", "integer": "integer"}
    return ColumnPlan(
        name=name,
        kind=answers[domain.type],  # type: ignore[arg-type]
        domain=domain,
        confirmed=True,
        role="protect",
        mechanism=mechanism(kind, "1"),
    )


def _release(folder: Path, plan: Plan) -> None:
    texts: dict[str, list[str]] = {}
    for column in plan.columns:
        domain = column.domain
        values = ["1", "2.5", "0.3"] if domain is None else domain.texts
        texts[column.name] = [values[row % len(values)] for row in range(ROWS)]
    sanitize(table_from_texts(texts), plan, folder, untracked())


def _numbers(released: Released) -> list[object]:
    return [
        (tuple(row.as_dict().items()), *_sums(attribute.tally))
        for attribute in released.attributes
        for row in estimate_rows(attribute)
    ]


def _sums(tally: Tally) -> tuple[object, object]:
    squared = tally.square_counts
    return tally.counts.tolist(), None if squared is None else squared.tolist()


KINDS = [kind_of(one) for one in MECHANISMS if one.adjustable]
WEIGHT = ColumnPlan(name="w, all", kind="weight", role="keep", keep_confirmed=True)


@pytest.mark.parametrize("weighted", [False, True])
def test_that_both_files_of_a_release_give_the_same_estimates_of_every_mechanism(
    tmp_path: Path, weighted: bool
) -> None:
    columns = tuple(_column(f"{kind}, one", kind) for kind in KINDS)
    plan = Plan(columns=(columns[0], WEIGHT, *columns[1:]) if weighted else columns)
    _release(tmp_path, plan)
    parsed = _numbers(released_from_records(read_records(tmp_path), plan))
    assert _numbers(released_from_file(tmp_path / "records.csv", plan)) == parsed
    assert _numbers(released_from_file(tmp_path / "records.parquet", plan)) == parsed


def test_that_both_files_give_the_same_where_each_respondent_reports_one_attribute(
    tmp_path: Path,
) -> None:
    kinds = ("oue", "grr", "olh", "duchi", "laplace", "subset_selection")
    columns = (*(_column(kind, kind) for kind in kinds), WEIGHT)
    plan = Plan(columns=columns, strategy="smp")
    texts = {
        column.name: [(("1", "2.5") if column.domain is None else column.domain.texts)[i % 2]] * 20
        for i, column in enumerate(columns)
    }
    rows = {name: values * 20 for name, values in texts.items()}
    sanitize(table_from_texts(rows), plan, tmp_path, untracked())
    parsed = _numbers(released_from_records(read_records(tmp_path), plan))
    assert _numbers(released_from_file(tmp_path, plan)) == parsed
    (tmp_path / "records.csv").unlink()
    assert _numbers(released_from_file(tmp_path, plan)) == parsed


def _oue(folder: Path, *others: ColumnPlan) -> tuple[Plan, bytes]:
    plan = Plan(columns=(_column("q", "oue"), *others))
    _release(folder, plan)
    return plan, (folder / "records.csv").read_bytes()


@pytest.fixture
def cuts(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether the indicators of each piece that is read from now on could be cut out."""
    found: list[bool] = []

    def spy(raw: bytes, fields: Sequence[BitsField]) -> CutIndicators | None:
        cut = cut_indicators(raw, fields)
        found.append(cut is not None)
        return cut

    monkeypatch.setattr(csv_records, "cut_indicators", spy)
    return found


@pytest.mark.parametrize(
    ("change", "is_cut"),
    [
        (lambda raw: raw, True),
        (lambda raw: raw.removesuffix(b"\n"), True),
        (lambda raw: raw.replace(b"\n", b"\r\n"), False),
        (lambda raw: b"\xef\xbb\xbf" + raw, False),
        (lambda raw: raw + b"\n\n", False),
    ],
)
def test_that_a_file_is_counted_alike_with_its_indicators_cut_out_and_parsed(
    tmp_path: Path, change: Callable[[bytes], bytes], is_cut: bool, cuts: list[bool]
) -> None:
    plan, raw = _oue(tmp_path, _column("r", "grr"), WEIGHT)
    path = tmp_path / "other.csv"
    path.write_bytes(change(raw))
    parsed = _numbers(released_from_records(read_records(tmp_path), plan))
    assert _numbers(released_from_file(path, plan)) == parsed
    assert set(cuts) == {is_cut}


def test_that_one_other_column_may_be_empty_in_every_record(
    tmp_path: Path, cuts: list[bool]
) -> None:
    other = ColumnPlan(name="note", kind="nominal", role="keep", keep_confirmed=True)
    plan = Plan(columns=(_column("q", "oue"), other))
    answers = {"q": list(MANY.values), "note": [""] * MANY.size}
    sanitize(table_from_texts(answers), plan, tmp_path, untracked())
    again = released_from_file(tmp_path, plan)
    assert set(cuts) == {True}
    assert again.rows == MANY.size
    assert _numbers(again) == _numbers(released_from_records(read_records(tmp_path), plan))


@pytest.mark.parametrize("wrong", [b"2", b"", b"01", b" 1", b"-", b'"planted"', b"1,0"])
def test_that_a_wrong_indicator_is_located_and_not_quoted(tmp_path: Path, wrong: bytes) -> None:
    plan, raw = _oue(tmp_path)
    lines = raw.split(b"\n")
    cells = lines[7].split(b",")
    cells[3] = wrong
    lines[7] = b",".join(cells)
    path = tmp_path / "other.csv"
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(InputError) as caught:
        released_from_file(path, plan)
    assert caught.value.line == 8
    if wrong != b"1,0":
        assert caught.value.column == "q=c3, ="
        assert caught.value.message.values["record"] == 7
    assert "planted" not in str(caught.value)


def _rewritten(folder: Path, name: str, values: pa.Array) -> Path:
    table = pq.read_table(folder / "records.parquet")
    place = table.column_names.index(name)
    path = folder / "other.parquet"
    pq.write_table(table.set_column(place, name, values), path)
    return path


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("bits=c3, =", pa.array([*[0] * 6, 2, *[0] * 53], pa.int8())),
        ("bits=c3, =", pa.array([*[0] * 6, -1, *[0] * 53], pa.int16())),
        ("bits=c3, =", pa.array([*[0] * 6, None, *[0] * 53], pa.int8())),
        ("symbol", pa.array([*["plain"] * 6, "planted", *["plain"] * 53])),
        ("symbol", pa.array([*["plain"] * 6, None, *["plain"] * 53])),
        ("number", pa.array([*[0.0] * 6, float("nan"), *[0.0] * 53])),
        ("hash:seed_a", pa.array([*[5] * 6, 1 << 32, *[5] * 53], pa.int64())),
        ("hash:seed_a", pa.array([*[5] * 6, -1, *[5] * 53], pa.int64())),
        ("hash:seed_a", pa.array([*[5] * 6, None, *[5] * 53], pa.int64())),
        ("hash:seed_a", pa.array([*[5] * 6, (1 << 64) - 1, *[5] * 53], pa.uint64())),
    ],
)
def test_that_a_value_that_no_report_has_is_located_in_parquet(
    tmp_path: Path, name: str, values: pa.Array
) -> None:
    symbol = _column("symbol", "grr").model_copy(update={"domain": FEW})
    columns = (_column("bits", "oue"), symbol, _column("number", "laplace"), _column("hash", "olh"))
    plan = Plan(columns=columns)
    _release(tmp_path, plan)
    if name == "number":
        # One of the numbers that the mechanism reports, so that only the seventh is wrong.
        kept = pq.read_table(tmp_path / "records.parquet").column("number")[0].as_py()
        values = pa.array([kept if value.as_py() == 0 else None for value in values], pa.float64())
        values = values.fill_null(float("nan"))
    with refused("estimation.impossible", record=7) as caught:
        released_from_file(_rewritten(tmp_path, name, values), plan)
    assert caught.value.column == name
    assert "planted" not in str(caught.value)


@pytest.mark.parametrize(
    "values", [pa.array(["1"] * ROWS), pa.array([1.0] * ROWS), pa.array([True] * ROWS)]
)
def test_that_a_column_of_another_type_is_refused_in_parquet(
    tmp_path: Path, values: pa.Array
) -> None:
    plan, _ = _oue(tmp_path)
    with refused("data.other-type"):
        released_from_file(_rewritten(tmp_path, "q=c3, =", values), plan)


def test_that_a_report_of_another_attribute_is_refused_in_both_files(tmp_path: Path) -> None:
    plan = Plan(columns=(_column("a", "oue"), _column("b", "sue")), strategy="smp")
    _release(tmp_path, plan)
    table = pq.read_table(tmp_path / "records.parquet")
    asked = table.column("sampled_attribute").to_pylist()
    row = asked.index("b")
    column = table.column("a=c0, ").to_pylist()
    column[row] = 0
    with refused("estimation.not-its-report", record=row + 1):
        released_from_file(_rewritten(tmp_path, "a=c0, ", pa.array(column, pa.int8())), plan)
    lines = (tmp_path / "records.csv").read_text().splitlines()
    lines[row + 1] = "0" + lines[row + 1]
    (tmp_path / "records.csv").write_text("\n".join(lines))
    with refused("estimation.not-its-report", record=row + 1):
        released_from_file(tmp_path, plan)


@pytest.mark.parametrize("size", [5, 40])
@pytest.mark.parametrize("surplus", [-1, 1])
def test_that_a_set_of_another_size_is_refused_in_both_files(
    tmp_path: Path, size: int, surplus: int
) -> None:
    domain = Categorical(values=tuple(f"c{i}" for i in range(size)))
    subset = SubsetSelection(epsilon=Decimal(1), members=2)
    column = _column("q", "subset_selection")
    plan = Plan(columns=(column.model_copy(update={"domain": domain, "mechanism": subset}),))
    _release(tmp_path, plan)
    released_from_file(tmp_path, plan)
    table = pq.read_table(tmp_path / "records.parquet")
    bits = np.stack([column.to_numpy() for column in table.columns], axis=1)
    bits[16] = [1] * (2 + surplus) + [0] * (size - 2 - surplus)
    pq.write_table(pa.table(list(bits.T), table.column_names), tmp_path / "other.parquet")
    lines = (tmp_path / "records.csv").read_text().splitlines()
    lines[17] = ",".join(map(str, bits[16]))
    (tmp_path / "other.csv").write_text("\n".join(lines) + "\n")
    for name, line in (("other.csv", 18), ("other.parquet", None)):
        with refused("estimation.impossible-by-rule", record=17, column="q") as caught:
            released_from_file(tmp_path / name, plan)
        assert f"exactly 2 of its {size} columns must hold 1" in str(caught.value)
        assert (caught.value.line, caught.value.column) == (line, "q")


def test_that_a_damaged_parquet_file_is_no_table(tmp_path: Path) -> None:
    plan, _ = _oue(tmp_path)
    raw = (tmp_path / "records.parquet").read_bytes()
    path = tmp_path / "other.parquet"
    path.write_bytes(raw[:200] + raw[-12:])
    with pytest.raises(InputError, match="cannot be read as a Parquet file"):
        released_from_file(path, plan)
