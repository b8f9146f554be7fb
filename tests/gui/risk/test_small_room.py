"""The figures and the picture of the page of risks, where there is little room."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from dpdesk.data.table import table_from_texts
from dpdesk.engine.jobs import untracked
from dpdesk.gui.pages.risk.risk_figures import show_figures
from dpdesk.gui.pages.risk.stand_out_card import StepPlot
from dpdesk.gui.widgets.figure_tile import FigureRow
from dpdesk.plan import Plan
from dpdesk.preview.recognisable import Measured, RiskWish, measured


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
    captions = []
    for width in (1200, 800, 560):
        row.resize(width, 90)
        QApplication.processEvents()
        labels = row.tiles[3].findChildren(QLabel)
        # A long name may be broken into two lines.
        captions.append(" ".join("".join(label.text().split("\n")) for label in labels))
    assert all("monthly_i" in told and "me_of_all" in told for told in captions), captions
    assert "monthly_i…me_of_all" in captions[-1], captions


def test_that_every_bar_has_its_share_in_a_small_window(answer: Measured, qtbot: QtBot) -> None:
    plot = StepPlot()
    qtbot.addWidget(plot)
    plot.resize(600, 300)
    plot.show()
    plot.show_risk(answer.risk)
    QApplication.processEvents()
    exact = [one.label.text() for one in plot._above]
    assert len(exact) == 3
    assert all(text.endswith("\u00a0%") for text in exact)
    short = exact
    # Step by step narrower, until there is no room for the sign.
    while short == exact and plot.width() > 60:
        plot.resize(plot.width() - 10, 300)
        QApplication.processEvents()
        short = [one.label.text() for one in plot._above]
    assert all(short)
    assert not any("%" in text for text in short)
