from __future__ import annotations

from decimal import Decimal

import pytest

from dpdesk.domains import Integer, Real


@pytest.mark.parametrize(
    "make",
    [
        lambda: Integer(lower=18, upper=99, unit="years"),
        lambda: Real(lower=Decimal(0), upper=Decimal(1), resolution=Decimal("0.25")),
    ],
)
def test_that_domains_stay_equal_after_their_grids_were_asked_for(make):
    first, second = make(), make()
    assert first.values.tolist() == second.values.tolist()
    assert first == second
    assert hash(first) == hash(second)


def test_that_a_grid_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        Integer(lower=0, upper=3).values[0] = 7
