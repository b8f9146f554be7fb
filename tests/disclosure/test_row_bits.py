"""A bit of each row is what flags of the rows would be, however many are looked at together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.numbers import arrays
from dpdesk.numbers.row_bits import RowBits


@given(st.lists(st.booleans(), max_size=40), st.data(), st.sampled_from([1, 7, 8, 16, 1 << 20]))
def test_that_bits_are_the_flags_of_the_rows(
    flags: list[bool], data: st.DataObject, together: int
) -> None:
    rows = st.lists(st.integers(0, max(len(flags) - 1, 0)), max_size=2 * len(flags))
    more = np.array(data.draw(rows), dtype=np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays, "ROWS_TOGETHER", together)
        expected, found = np.array(flags, dtype=np.bool_), RowBits(len(flags))
        for some in found.pieces():
            found.put(some, expected[some])
        assert found.count == expected.sum()
        found.add(more)
        expected[more] = True
        assert found.count == expected.sum()
        assert found.at(np.arange(len(flags))).tolist() == expected.tolist()
        read = np.zeros(len(flags), dtype=np.bool_)
        for some, own in found.flags():
            read[some] = own
        assert read.tolist() == expected.tolist()
