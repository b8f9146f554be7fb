"""Pictures of demonstrations: what an axis says, and what is drawn of it."""

from __future__ import annotations

import re

import pytest

from dpdesk.demonstrations import Demonstration, demonstrations
from dpdesk.demonstrations.drawing import markup
from dpdesk.demonstrations.picture import Axis, Bar, Bars
from dpdesk.errors import ParameterError


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


@pytest.mark.parametrize("played", demonstrations(), ids=lambda one: one.key)
def test_that_no_digit_of_a_picture_lies_beyond_its_ends(played: Demonstration) -> None:
    played.prepare()
    part_before = {"middle": 0.5, "start": 0.0, "end": 1.0}
    text = re.compile(r'<text[^>]* x="(-?[0-9.]+)"[^>]* text-anchor="(\w+)"[^>]*>([^<]*)</text>')
    checked = 0
    for step in played.steps:
        for choice in range(max(len(step.choices), 1)):
            drawn = markup(step.scene(choice=choice).pictures, "told")
            (width,) = re.findall(r'viewBox="0 0 ([0-9.]+)', drawn)
            for x, anchor, words in text.findall(drawn):
                if not re.fullmatch(r"[−0-9.,]+(\u00a0%)?", words):
                    continue
                checked += 1
                long = 5.9 * len(words)
                left = float(x) - part_before[anchor] * long
                assert left >= -0.1, words
                assert left + long <= float(width) + 0.1, words
    assert checked


def test_that_bars_of_own_data_lengthen_their_axis() -> None:
    bars = Bars((Bar("a", 27.3, "27 pp"), Bar("b", 3.0, "3 pp")), Axis("Error", 0, 14), "")
    with pytest.raises(ParameterError):
        bars.check()
    widened = bars.widened()
    widened.check()
    assert (widened.axis.largest, widened.bars) == (28.0, bars.bars)
    assert widened.widened() is widened
