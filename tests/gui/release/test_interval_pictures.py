"""Pictures of intervals: axes that a wild row does not flatten, names that stay different."""

from __future__ import annotations

from math import nan

from dpdesk.gui.pages.release.interval_lines import Line, LinesModel
from dpdesk.gui.pages.release.interval_table import PLOT, useful_ends

HEADS = (("group", ""), ("Estimate", ""), ("95 % interval", ""), ("95 % error", ""))
TEXTS = ("39.5", "36.3 to 42.7", "± 3.2")


def line(name: str, estimate: float, half: float, **more: object) -> Line:
    return Line((name,), TEXTS, estimate, estimate, estimate - half, estimate + half, **more)


def test_that_one_wild_interval_does_not_decide_about_the_axis() -> None:
    usual = [(36.0, 43.0), (29.0, 34.0), (30.0, 58.0)]
    ends = useful_ends([*usual, (-900.0, 700.0)], [], (0.0, 120.0))
    assert (min(ends), max(ends)) == (29.0, 58.0)
    # What cannot be true at all is cut, even where all are as wide.
    ends = useful_ends([(-20.0, 3.0), (-9.0, 11.0)], [], (0.0, 1.0))
    assert (min(ends), max(ends)) == (-0.5, 1.5)
    assert useful_ends([], [], (0.0, 1.0)) == []


def test_that_intervals_that_go_on_are_known_and_those_of_models_are_all_shown() -> None:
    rows = [line("a", 40, 3), line("b", 35, 4), line("c", 38, 3), line("wild", 20, 500)]
    model = LinesModel()
    model.show_lines(HEADS, rows, share=False, possible=(0.0, 120.0))
    assert model.scale.upper <= 60
    assert model.goes_on
    model.show_lines(HEADS, rows, share=False)
    assert model.scale.lower <= -480
    assert not model.goes_on
    # An intercept is no slope, and stands beside them.
    level = line("Intercept", 4000, 1, is_beside=True)
    model.show_lines(HEADS, [level, line("slope", 0.3, 0.2)], share=False)
    assert model.scale.upper <= 1
    assert model.goes_on


def test_that_a_row_without_a_drawing_says_why() -> None:
    model = LinesModel()
    empty = Line(("x",), ("–", "–", "–"), nan, nan, 0.0, 1.0, note="−13 ± 130 people")
    model.show_lines(HEADS, [line("a", 40, 3), empty], share=False)
    assert model.drawn(empty) is None
    assert model.untold(empty) == "−13 ± 130 people"
    assert "−13 ± 130 people" in model.tooltip(empty, PLOT)
