"""Facts are declared once: JSON, lines, tables side by side and printing follow from them."""

from __future__ import annotations

import pytest

from dpdesk.cli.terminal import print_facts
from dpdesk.facts import Fact, Facts, compared, several


def brewed(cups: int, heat: float | None = None) -> Facts:
    guests = {"Ada": Facts((Fact("sugar", cups, "Sugar"), Fact("seat", 1)))}
    steps = (Facts((Fact("step", name, "Step"), Fact("minutes", cups, "Minutes"))) for name in "ab")
    return Facts(
        (
            Fact("cups", cups, "Cups", lambda count: f"{count} cups"),
            Fact("heat", heat, "Heat"),
            Fact("secret", 7),
            Fact("leaves", ["green", "black"], "Leaves", " or ".join),
            Fact("guests", guests, "Guest"),
            Fact("steps", several(steps), "Steps"),
            Fact("pot", Facts((Fact("size", 2.5, "Size"),))),
        )
    )


def test_that_a_fact_is_in_json_lines_and_both_sides_of_a_comparison(
    capsys: pytest.CaptureFixture[str],
) -> None:
    facts = brewed(2)
    assert facts.entry() == {
        "cups": 2,
        "heat": None,
        "secret": 7,
        "leaves": ["green", "black"],
        "guests": {"Ada": {"sugar": 2, "seat": 1}},
        "steps": [{"step": "a", "minutes": 2}, {"step": "b", "minutes": 2}],
        "pot": {"size": 2.5},
    }
    assert list(facts.lines()) == [("Cups", "2 cups"), ("Leaves", "green or black")]
    assert list(compared(facts, brewed(3))) == [
        ("Cups", "2 cups", "3 cups"),
        ("Ada: Sugar", "2", "3"),
    ]
    assert facts["cups"].words == "2 cups"
    assert facts["heat"].words == ""
    print_facts(facts)
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line]
    assert lines == [
        ["Cups", "2", "cups"],
        ["Leaves", "green", "or", "black"],
        ["Guest:", "Ada"],
        ["Sugar", "2"],
        ["Steps"],
        ["Step", "Minutes"],
        ["a", "2"],
        ["b", "2"],
        ["Size", "2.5"],
    ]
