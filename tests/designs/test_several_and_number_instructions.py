"""Instructions for several answers and for numbers."""

from __future__ import annotations

from math import exp, isfinite

import pytest

from dpdesk.designs import design_named, designs_of
from dpdesk.designs.matrix_categories import CategoryDesign
from dpdesk.designs.number_design import NumberDesign
from dpdesk.errors import ParameterError
from dpdesk.reports.survey import sheet_html

CATEGORIES: list[tuple[str, dict[str, object]]] = [
    ("forced_categories", {"orders": ("1/6", "1/6", "1/6")}),
    ("forced_categories", {"orders": ("1/10", "0", "2/5")}),
    ("matrix", {"rows": (("4/5", "1/5"), ("1/3", "2/3"))}),
    ("matrix", {"rows": (("1", "0", "0"), ("1/4", "1/2", "1/4"), ("0", "1/3", "2/3"))}),
]
ENDS = {"lower": "1", "upper": "10"}
NUMBERS: list[tuple[str, dict[str, object]]] = [
    ("additive", {"scale": "5"}),
    ("additive", {"scale": "0.1"}),
    ("additive", {"scale": "5", "noise": "uniform", "center": "2"}),
    ("multiplicative", {"scale": "0.3"}),
    ("multiplicative", {"scale": "0.5", "noise": "uniform"}),
    ("bar_lev", {"scale": "0.3", "truth": "1/3"}),
]


def categories(index: int) -> CategoryDesign:
    kind, settings = CATEGORIES[index]
    made = design_named(kind)(**settings)  # type: ignore[arg-type]
    assert isinstance(made, CategoryDesign)
    return made


def amounts(index: int) -> NumberDesign:
    kind, settings = NUMBERS[index]
    made = design_named(kind)(**ENDS, **settings)  # type: ignore[arg-type]
    assert isinstance(made, NumberDesign)
    return made


def test_that_every_kind_is_among_the_cases() -> None:
    assert {type(categories(i)) for i in range(len(CATEGORIES))} == set(designs_of(CategoryDesign))
    assert {type(amounts(i)) for i in range(len(NUMBERS))} == set(designs_of(NumberDesign))


@pytest.mark.parametrize("index", range(len(CATEGORIES)))
def test_that_who_follows_the_instruction_answers_by_the_matrix(index: int) -> None:
    design = categories(index)
    found = design.instructions("How often?", ("never",))[0]
    assert found.law() == design.law
    for row in found.ways:
        for way in row:
            assert sum(way.outcome in step for step in found.steps) >= 1
    assert "never" in found.questions[0][1]
    assert "answer 2" in found.questions[0][1]


def test_that_one_device_serves_every_true_answer() -> None:
    # Another device for another truth would disclose it.
    found = categories(3).instructions("How often?", ())[0]
    assert found.tool == "a bag with 12 cards, numbered from 1 to 12"
    assert sum("Draw one card" in step for step in found.steps) == 1


@pytest.mark.parametrize("index", range(len(NUMBERS)))
def test_that_numbers_are_promised_what_their_epsilon_allows(index: int) -> None:
    design = amounts(index)
    text = sheet_html(design, "How much?")
    epsilon = design.loss.epsilon
    assert ("cannot be sure" in text) == isfinite(epsilon)
    assert ("can rule out" in text) != isfinite(epsilon)
    if epsilon < 20:
        promised = float(text.split(" is at most ")[1].split(" times")[0].replace(",", ""))
        assert exp(epsilon) <= promised <= exp(epsilon) + 0.011


def test_that_a_device_that_never_decides_has_no_instruction() -> None:
    design = design_named("bar_lev")(**ENDS, scale="0.3", truth="1")  # type: ignore[arg-type]
    assert isinstance(design, NumberDesign)
    with pytest.raises(ParameterError):
        design.instructions("How much?")[0]


def test_that_the_device_of_numbers_is_described_by_its_law() -> None:
    assert "mean 0 and scale 5" in amounts(0).instructions("How much?")[0].tool
    assert "from -3 to 7, equally likely" in amounts(2).instructions("How much?")[0].tool
    assert "from 0.5 to 1.5, equally likely" in amounts(4).instructions("How much?")[0].tool
    steps = amounts(5).instructions("How much?")[0].steps
    assert any("(1 in 3): say your true number" in step for step in steps)
    assert any("(2 in 3): multiply" in step for step in steps)
