from __future__ import annotations

from decimal import Decimal

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.budget_bar import BudgetBar, BudgetSegment
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.plan import Plan
from dpdesk.plan.statistics import Statistics


def segments(*epsilons: str) -> list[BudgetSegment]:
    return [BudgetSegment(f"q{i}", Decimal(e), i) for i, e in enumerate(epsilons)]


@pytest.fixture
def bar(qtbot: QtBot) -> BudgetBar:
    made = BudgetBar()
    qtbot.addWidget(made)
    made.resize(400, 50)
    made.show()
    return made


def texts(bar: BudgetBar) -> list[str]:
    return [label.text() for label in bar.findChildren(PlainLabel)]


def test_that_the_bar_says_what_is_spent_of_what(bar: BudgetBar) -> None:
    bar.set_budget(segments("2", "1", "4"), Decimal(8))
    assert texts(bar) == ["Protection: very weak", "ε = 7.00", "of 8.00"]
    assert bar.accessibleDescription() == (
        "Protection: very weak. A 50–50 guess can become 99.91 % certain. ε = 7.00 of 8.00. "
        "q0: ε = 2.00, q1: ε = 1.00, q2: ε = 4.00"
    )


def test_that_it_says_whose_the_budget_of_the_plan_is(bar: BudgetBar) -> None:
    """Statistics are a release of their own, which the budget of the records does not limit."""
    plan = Plan(budget=Decimal(4))
    bar.show_statistics(plan)
    assert texts(bar) == ["Budget", "ε = 0.00", "no budget"]
    assert bar.accessibleName() == "Apart from the budget of the records"
    assert "The budget of 4.00 is that of the records." in bar.accessibleDescription()
    bar.show_statistics(plan.with_fields(statistics=Statistics(budget=Decimal(2))))
    assert texts(bar)[2] == "of 2.00"
    assert "records" not in bar.accessibleDescription()
    bar.show_statistics(Plan())
    assert texts(bar)[2] == "no budget"


def test_that_a_sum_of_decimals_is_exact(bar: BudgetBar) -> None:
    bar.set_budget(segments("0.1", "0.1", "0.1"), Decimal("0.3"))
    assert texts(bar)[1:] == ["ε = 0.30", "of 0.30"]


def test_that_an_exceeded_budget_is_told_in_words_and_by_a_sign(bar: BudgetBar) -> None:
    bar.set_budget(segments("4", "3"), Decimal(5))
    assert texts(bar)[0] == "Over by 2.00"
    assert bar.accessibleDescription().startswith("Protection: very weak. ")
    assert bar._mark.isVisible()
    bar.set_budget(segments("4"), Decimal(5))
    assert not bar._mark.isVisible()


def test_that_the_largest_counts_where_a_respondent_reports_one_attribute(bar: BudgetBar) -> None:
    bar.set_budget(segments("2", "5", "4"), Decimal(8), adds_up=False)
    assert texts(bar)[1:] == ["ε = 5.00", "of 8.00"]
    assert bar.accessibleDescription().endswith("so that the largest counts.")
    bar.set_budget(segments("2", "5", "4"), Decimal(4), adds_up=False)
    assert texts(bar)[0] == "Over by 1.00"
    assert bar.accessibleDescription().startswith("Protection: weak. ")


def test_that_a_part_with_a_track_of_its_own_is_as_long_as_its_share_of_the_budget(
    bar: BudgetBar, theme: ThemeSwitch
) -> None:
    bar.set_budget(segments("4", "8"), Decimal(8), adds_up=False)
    image = bar._track.grab().toImage()
    colours = [image.pixelColor(x, 8).name() for x in (50, 150, 250, 390)]
    own = theme.theme
    assert colours == [own.series(0), own.track, own.series(1), own.series(1)]
    # The whole track leads to its attribute, also where nothing is spent of it.
    assert [bar._track.part_at(x) for x in (50, 150, 250)] == [0, 0, 1]


def test_that_the_excess_is_hatched(bar: BudgetBar, theme: ThemeSwitch) -> None:
    bar.set_budget(segments("10"), Decimal(5))
    image = bar._track.grab().toImage()
    right = {image.pixelColor(300, y).name() for y in range(4, 12)}
    left = {image.pixelColor(100, y).name() for y in range(4, 12)}
    assert left == {theme.theme.series(0)}
    assert len(right) > 1


def test_that_the_segments_follow_the_theme(bar: BudgetBar, theme: ThemeSwitch) -> None:
    bar.set_budget(segments("5"), Decimal(5))
    light = bar._track.grab().toImage().pixelColor(100, 8).name()
    theme.set_choice("dark")
    assert light != bar._track.grab().toImage().pixelColor(100, 8).name() == theme.theme.series(0)


def test_that_the_arrows_walk_along_the_segments(bar: BudgetBar, qtbot: QtBot) -> None:
    bar.set_budget(segments("2", "1", "4"), Decimal(8))
    bar.setFocus()
    qtbot.waitUntil(bar.hasFocus)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        qtbot.keyClick(bar, key)
    with qtbot.waitSignal(bar.segmentActivated) as told:
        qtbot.keyClick(bar, Qt.Key.Key_Return)
    assert told.args == ["q1"]
    assert bar.accessibleDescription().startswith("q1: ε = 1.00")


def test_that_a_click_on_a_segment_goes_to_its_attribute(bar: BudgetBar, qtbot: QtBot) -> None:
    bar.set_budget(segments("4", "4"), Decimal(8))
    with qtbot.waitSignal(bar.segmentActivated) as told:
        qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=QPoint(390, 40))
    assert told.args == ["q1"]


def test_that_an_empty_budget_can_be_shown_and_clicked(bar: BudgetBar, qtbot: QtBot) -> None:
    bar.set_budget([], Decimal(0))
    bar.grab()
    with qtbot.assertNotEmitted(bar.segmentActivated):
        qtbot.mouseClick(bar, Qt.MouseButton.LeftButton)
        qtbot.keyClick(bar, Qt.Key.Key_Right)
        qtbot.keyClick(bar, Qt.Key.Key_Return)


def test_that_a_bar_without_parts_is_an_empty_track(bar: BudgetBar, theme: ThemeSwitch) -> None:
    bar.set_budget((), Decimal(8), adds_up=False)
    image = bar._track.grab().toImage()
    assert image.pixelColor(image.width() // 2, image.height() // 2).name() == theme.theme.track
    assert bar._track.part_at(10) == -1
