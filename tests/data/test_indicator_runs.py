"""Indicators cut out of a file by hand."""

from __future__ import annotations

import pytest

from dpdesk.data.csv_records import cut_indicators
from dpdesk.data.output_fields import BitsField

FIELD = BitsField(("fruit_1", "fruit_2", "fruit_3"), optional=True)


@pytest.mark.parametrize(
    ("header", "records", "rest"),
    [
        # An empty cell alone would be a blank line, which is no record.
        ("seen,{}", (",0,1,0", "x,,,", ",1,1,0"), 'seen\n""\nx\n""\n'),
        ("seen,{},when", (",0,1,0,", "x,,,,5", ",1,1,0,"), "seen,when\n,\nx,5\n,\n"),
        ("{}", ("0,1,0", ",,", "1,1,0"), ""),
    ],
)
def test_that_what_is_left_has_a_line_for_each_record(
    header: str, records: tuple[str, ...], rest: str
) -> None:
    text = "\n".join([header.format(",".join(FIELD.names)), *records]) + "\n"
    found = cut_indicators(text.encode(), [FIELD])
    assert found is not None
    assert found.rows == 3
    assert found.indicators[FIELD.names].tolist() == [[0, 1, 0], [-1, -1, -1], [1, 1, 0]]
    assert found.rest.decode().rstrip("\n") == rest.rstrip("\n")
