"""What is said of released columns follows from the plan and from what is released of them."""

from __future__ import annotations

import io
import random
from functools import partial

import pyarrow as pa
import pytest

from dpdesk.data.formats.columnar_writer import ParquetRecords
from dpdesk.data.output_fields import RecordFile, TextField
from dpdesk.data.record_files import deciding_texts, record_files
from dpdesk.data.table import SurveyTable, TextColumn, table_from_texts
from dpdesk.data.written_column import WrittenColumn
from dpdesk.domains import Categorical
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.plan.record_columns import record_columns

TEXTS: dict[str, tuple[str, list[str]]] = {
    "names": ("identifier", ["P1", "P2", "P3"]),
    "whole": ("integer", ["3", "10", "2", "-1"]),
    "fractions": ("real", ["3.5", "10", "2"]),
    "padded": ("integer", ["3", "010", "2"]),
    "last is a text": ("nominal", ["3", "10", "2", "none"]),
    "with empty cells": ("integer", ["", "3", "2"]),
    "empty": ("nominal", [""]),
    "codes": ("integer", ["-9", "3", "2"]),
    "codes alone": ("integer", ["-9", ""]),
    "weights": ("weight", ["1.5", "2.25"]),
    "large": ("integer", ["3", "9007199254740993"]),
    "refused": ("integer", ["3", "refused", "2"]),
    "refused alone": ("integer", ["refused", ""]),
    "fractions last": ("real", ["10", "2", "5", "0.5"]),
    "padded last": ("weight", ["10", "2", "5", "5.0"]),
    "scientific": ("real", ["1e3", "2"]),
    "days": ("date", ["2024-01-01", "2023-05-17"]),
    "no days": ("date", ["2024-01-01", "soon"]),
}


FORMATS = record_files()


def told(kind: str, table: SurveyTable, *formats: type[RecordFile]) -> WrittenColumn:
    """What is said of a kept column, to some formats or to all."""
    fields = {"name": "kept", "kind": kind, "role": "keep", "keep_confirmed": True}
    fields["missing"] = {"tokens": ("", "-9", "refused"), "policy": "none"}
    plan = Plan(columns=(ColumnPlan.model_validate(fields),))
    (found,) = record_columns(
        plan, (), table, partial(deciding_texts, formats) if formats else None
    )
    return found


def schema(column: WrittenColumn) -> pa.Schema:
    """The types of a file of Parquet, and what it says of them."""
    writer = ParquetRecords(io.BytesIO(), fields=[TextField("kept")], columns=[column])
    writer.abandon()
    return writer._schema


@pytest.mark.parametrize("together", [1, 2, 100])
@pytest.mark.parametrize("name", TEXTS)
def test_that_a_column_has_the_same_types_without_all_of_its_texts(
    name: str, together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpdesk.data.table._TEXTS_TOGETHER", together)
    kind, texts = TEXTS[name]
    table = table_from_texts({"kept": texts})
    whole, short = told(kind, table), told(kind, table, *FORMATS)
    assert short.kind == whole.kind
    assert schema(short).equals(schema(whole), check_metadata=True)


def test_that_a_column_of_texts_is_known_by_one_that_somebody_has() -> None:
    texts = [f"P{place}" for place in range(1_000)]
    column = TextColumn(
        "kept", table_from_texts({"kept": texts}).columns[0].codes[7:], pa.array(texts)
    )
    table = SurveyTable((column,), column.rows)
    assert told("identifier", table, *FORMATS).texts == ("P7",)
    numbers = table_from_texts({"kept": [str(place) for place in range(1_000)]})
    assert told("integer", numbers, *FORMATS).texts == ("0",)
    assert len(told("integer", numbers, *record_files(["sav"])).texts) == 1_000
    assert len(told("identifier", table).texts) == 993


def test_that_texts_are_in_an_order_that_tells_nothing_of_respondents() -> None:
    listed = ("often", "1", "never")
    texts = ["b", "10", "never", "9", "a", "often", "09", "1", "-2"]
    random.Random(4).shuffle(texts)
    column = ColumnPlan(
        name="kept",
        kind="nominal",
        domain=Categorical(values=listed),
        confirmed=True,
        role="keep",
        keep_confirmed=True,
    )
    (found,) = record_columns(Plan(columns=(column,)), (), table_from_texts({"kept": texts}))
    assert found.texts == (*listed, "-2", "09", "9", "10", "a", "b")
