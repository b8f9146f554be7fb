from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from dpdesk.data.output_fields import (
    BitsField,
    Chunk,
    CodedTexts,
    IntegersField,
    OutputField,
    PartialChunk,
    SymbolField,
    TextField,
)
from dpdesk.data.packed_records import RecordLayout

ROWS = 300
TEXTS = {"kept": pa.array([f"text {i}" for i in range(700)])}


def symbols(count: int, *, optional: bool = False) -> SymbolField:
    return SymbolField("q", tuple(map(str, range(count))), "no", optional)


def drawn(field: OutputField) -> Chunk:
    """Reports with the least and the largest value of each field."""
    generator = np.random.default_rng(1)
    if isinstance(field, TextField):
        return CodedTexts(TEXTS["kept"], generator.integers(0, 700, ROWS).astype(np.uint16))
    if isinstance(field, SymbolField):
        reports = generator.integers(0, len(field.texts), ROWS).astype(np.int32)
        reports[:2] = 0, len(field.texts) - 1
    elif isinstance(field, BitsField):
        reports = generator.integers(0, 2, (ROWS, len(field.names))).astype(np.uint8)
    else:
        reports = np.stack([generator.integers(0, k, ROWS) for k in field.limits], axis=1)
        reports[0], reports[1] = 0, np.array(field.limits) - 1
    if not field.optional:
        return reports
    present = generator.random(ROWS) < 0.5
    present[:2] = True
    return PartialChunk(reports, present)


FIELDS = [
    symbols(2), symbols(256), symbols(257), symbols(65_536), symbols(65_537),
    symbols(2, optional=True), symbols(255, optional=True), symbols(256, optional=True),
    TextField("kept"),
    BitsField(("a",)), BitsField(tuple("abcdefgh"), True), BitsField(tuple("abcdefghi")),
    IntegersField(("a", "b", "c"), (3, 2**16 + 1, 2**40)),
    IntegersField(("a", "b"), (2, 2**62), True, True),
]  # fmt: skip


def same(first: Chunk, second: Chunk) -> None:
    if isinstance(first, PartialChunk):
        assert isinstance(second, PartialChunk)
        assert (first.present == second.present).all()
        assert (first.reports[first.present] == second.reports[first.present]).all()
    elif isinstance(first, CodedTexts):
        assert list(first) == list(second)
    else:
        assert np.array_equal(first, second)
        assert first.dtype == second.dtype


@pytest.mark.parametrize("count", [1, len(FIELDS)])
def test_that_packed_records_are_the_same_again(count: int) -> None:
    for start in range(0, len(FIELDS), count):
        fields = FIELDS[start : start + count]
        layout, chunks = RecordLayout(fields, TEXTS), [drawn(field) for field in fields]
        packed = layout.pack(chunks, ROWS)
        assert packed.shape == (ROWS, layout.width)
        for before, after in zip(chunks, layout.unpack(packed), strict=True):
            same(before, after)


def test_that_records_can_be_moved_as_rows() -> None:
    layout, chunks = RecordLayout(FIELDS, TEXTS), [drawn(field) for field in FIELDS]
    order = np.random.default_rng(2).permutation(ROWS)
    moved = layout.unpack(layout.pack(chunks, ROWS)[order])
    assert np.array_equal(moved[0], chunks[0][order])
    assert np.array_equal(moved[9], chunks[9][order])
    assert list(moved[8]) == [list(chunks[8])[row] for row in order]


def test_that_a_record_takes_a_byte_for_each_short_list_and_a_bit_for_each_bit() -> None:
    assert RecordLayout([symbols(50)] * 10, {}).width == 16
    assert RecordLayout([symbols(50)] * 40, {}).width == 40
    assert RecordLayout([BitsField(tuple(map(str, range(1000))))], {}).width == 125


def test_that_nothing_else_of_the_memory_is_in_a_packed_record() -> None:
    layout = RecordLayout([symbols(2)] * 3, {})
    packed = layout.pack([np.ones(ROWS, np.int32)] * 3, ROWS)
    assert packed.tolist() == [[1, 1, 1, 0, 0, 0, 0, 0]] * ROWS


@pytest.mark.parametrize("field", [field for field in FIELDS if getattr(field, "optional", False)])
def test_that_a_report_that_is_not_released_is_not_in_a_packed_record(field: OutputField) -> None:
    layout, chunk = RecordLayout([field], {}), drawn(field)
    assert isinstance(chunk, PartialChunk)
    others = PartialChunk(chunk.reports[::-1].copy(), np.zeros(ROWS, np.bool_))
    none = PartialChunk(chunk.reports, np.zeros(ROWS, np.bool_))
    first, second = layout.pack([none], ROWS), layout.pack([others], ROWS)
    assert np.array_equal(first, second)
    assert len(np.unique(first, axis=0)) == 1
