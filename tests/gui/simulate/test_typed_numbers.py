"""Numbers that are typed into the plan of a sample: commas, and margins that two people reach."""

from __future__ import annotations

from math import log10

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.gui.pages.simulate import SimulatePage
from dpdesk.gui.pages.simulate.planning.view import SamplePlanningView
from dpdesk.gui.pages.simulate.survey_pane import PLAN
from dpdesk.gui.pages.simulate.survey_tabs import NUMBER
from tests.gui.simulate.planning_steps import numbers, type_into


def test_that_a_margin_that_two_people_reach_is_planned_and_drawn(
    page: SimulatePage, qtbot: QtBot
) -> None:
    page.choose_kind(NUMBER)
    page.show_room(PLAN)
    page.pane.flush()
    view = page.planning
    type_into(view.one.cells["margin"], "50000", qtbot)
    assert numbers(view)["respondents"] == "2"
    assert view.one.curves.plot._upright.value() == pytest.approx(log10(2))


def test_that_a_comma_is_a_decimal_mark_unless_it_stands_between_thousands(
    view: SamplePlanningView, qtbot: QtBot
) -> None:
    cells = view.one.cells
    for text, number in (("5,5", 0.055), ("5.5 pp", 0.055), ("5,25 %", 0.0525)):
        type_into(cells["margin"], text, qtbot)
        assert cells["margin"].number() == pytest.approx(number)
    for text, number in (("50,000", 50_000), ("50000", 50_000), ("1,250,000", 1_250_000)):
        type_into(cells["population"], text, qtbot)
        assert cells["population"].number() == number
    # No population has half a person, and none of 55 was typed.
    type_into(cells["population"], "5,5", qtbot)
    assert cells["population"].field.text() == "5,5"
    assert cells["population"].number() == 1_250_000
