"""The figures and the picture of the page of risks, where there is little room."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.data.table import table_from_texts
from dpdesk.disclosure.texts import T
from dpdesk.engine.jobs import untracked
from dpdesk.gui.pages.risk.risk_figures import show_figures
from dpdesk.gui.pages.risk.stand_out_card import StepPlot
from dpdesk.gui.widgets.figure_tile import FigureRow
from dpdesk.gui.widgets.plot_marks import Label
from dpdesk.plan import Plan
from dpdesk.preview.recognisable import Measured, RiskWish, measured
from tests.texts import values_in


@pytest.fixture
def answer() -> Measured:
    """Forty people in pairs by age, one of whom is alone by sex; and what they earn."""
    rows = range(40)
    table = table_from_texts(
        {
            "age": [str(20 + row // 2) for row in rows],
            "sex": ["f" if row == 7 else "m" for row in rows],
            "colour": ["red" if row % 4 else "blue" for row in rows],
            "monthly_income_of_all": [str(row // 2 % 3) for row in rows],
        }
    )
    wish = RiskWish(("age", "sex", "colour"), ("monthly_income_of_all",))
    return measured(table, Plan(), wish, untracked())


@pytest.mark.parametrize("supposed", [True, False])
def test_that_in_a_small_tile_the_answer_that_follows_has_its_name(
    answer: Measured, qtbot: QtBot, supposed: bool
) -> None:
    row = FigureRow(4)
    qtbot.addWidget(row)
    row.show()
    show_figures(row, answer, supposed=supposed)
    for width in (1200, 800, 560):
        row.resize(width, 90)
        QApplication.processEvents()
        tile = row.tiles[3]
        [said] = values_in(T.FOLLOWS_SUPPOSED if supposed else T.FOLLOWS_OF, tile.caption())
        assert said["column"] == "monthly_income_of_all"
        assert "monthly_income_of_all" in tile.toolTip()


def test_that_every_bar_has_its_share_in_a_small_window(answer: Measured, qtbot: QtBot) -> None:
    plot = StepPlot()
    qtbot.addWidget(plot)
    plot.resize(600, 300)
    plot.show()
    plot.show_risk(answer.risk)
    QApplication.processEvents()
    # Narrow, too, each share stands above its bar; the sign is that of the axis.
    for width in (600, 60):
        plot.resize(width, 300)
        QApplication.processEvents()
        shares = [x.text() for x in plot.getPlotItem().items if isinstance(x, Label)]
        below = [100 * step.groups.rows_below / answer.risk.rows for step in answer.risk.steps]
        assert shares == [f"{share:.0f}" for share in below]
