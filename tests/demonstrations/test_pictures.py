"""Pictures of demonstrations: what an axis says, and what is drawn of it."""

from __future__ import annotations

import pytest

from dpdesk.demonstrations.picture import Axis


@pytest.mark.parametrize(
    ("axis", "most", "texts"),
    [
        (Axis("", 0, 50, "%"), 7, [f"{n}\u00a0%" for n in range(0, 60, 10)]),
        (Axis("", 0, 1), 6, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (Axis("", -10, 10), 5, ["−10", "−5", "0", "5", "10"]),
        (Axis("", 10, 100000, is_logarithmic=True), 7, ["10", "100", "1,000", "10,000", "100,000"]),
        (Axis("", 0.5, 8, is_logarithmic=True), 7, ["0.5", "1", "2", "5"]),
        (Axis("", 0.1, 5, is_logarithmic=True), 3, ["0.1", "1"]),
        (Axis("", 2, 4, is_logarithmic=True), 1, ["2", "4"]),
        (Axis("", 0, 1), 5, ["0.00", "0.25", "0.50", "0.75", "1.00"]),
    ],
)  # fmt: skip
def test_that_round_numbers_stand_below_an_axis(axis: Axis, most: int, texts: list[str]) -> None:
    ticks = axis.ticks(most)
    assert [axis.text(tick, ticks) for tick in ticks] == texts
    assert axis.share_of(axis.least) == 0
    assert axis.share_of(axis.largest) == 1
