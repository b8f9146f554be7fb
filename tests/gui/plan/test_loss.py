from __future__ import annotations

from decimal import Decimal
from math import tanh

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan import PlanPage
from dpdesk.gui.pages.plan.attribute_dialogs import AnswersDialog
from dpdesk.gui.pages.plan.attribute_views import LossPlot
from dpdesk.mechanisms import mechanism_named

LOSS = 6


@pytest.fixture
def loss(page: PlanPage) -> LossPlot:
    """The view, looked at."""
    page.records.panel.tabs.tabs.setCurrentIndex(LOSS)
    return page.records.panel.tabs.view(LossPlot)


def table(loss: LossPlot) -> dict[str, tuple[str, ...]]:
    return {row[0]: row[1:] for row in loss.plots.law.table_data().rows}


def test_that_the_view_shows_the_losses_of_the_attribute(loss: LossPlot) -> None:
    assert loss.isVisible()
    numbers = table(loss)
    assert numbers["largest loss (maximum divergence)"] == ("2", "2", "ε = 2")
    assert numbers["mean loss (Kullback-Leibler)"][2] == f"ε tanh(ε/2) = {2 * tanh(1):.6g}"
    assert numbers["the same, bound of the textbooks"][2] == "2ε² = 8"
    assert numbers["chance of the loss 2"][:2] == ("0.786986", "0.106507")
    assert numbers["chance of a loss of at most 2"][:2] == ("1", "1")


@pytest.mark.parametrize("name", ["happy", "affairs", "age", "income", "occupation"])
def test_that_both_plots_say_and_tabulate_what_they_show(page, loss, name) -> None:
    page.select(name)
    for plot in (loss.plots.law, loss.plots.curve):
        assert plot.accessibleName()
        assert "Kullback-Leibler" in plot.accessibleDescription()
        numbers = plot.table_data()
        assert len(numbers.headers) == 4
        assert all(len(row) == 4 for row in numbers.rows)
        assert numbers.rows[-1][0].startswith("δ at ε = ")


def test_that_the_markers_stand_at_epsilon_and_the_mean(loss: LossPlot) -> None:
    assert [marker.value() for marker in loss.plots._epsilon] == [2, -2]
    assert loss.plots._nominal.value() == 2
    assert loss.plots._bound.value() == pytest.approx(2 * tanh(1))
    assert loss.plots._mean.value() == pytest.approx(1.361, abs=1e-3)


def test_that_the_axes_of_the_loss_stay_while_epsilon_moves(
    document: Document, page: PlanPage, loss: LossPlot, qtbot: QtBot
) -> None:
    boxes = [p.getPlotItem().getViewBox() for p in (loss.plots.law, loss.plots.curve)]
    before = [box.viewRange() for box in boxes]
    changed = mechanism_named("grr")(epsilon=Decimal("3.5"))
    document.edit("x", document.plan.with_column("happy", mechanism=changed))
    qtbot.waitUntil(lambda: loss.plots._nominal.value() == 3.5)
    assert [box.viewRange() for box in boxes] == before


def test_that_the_legend_names_the_answers_and_other_ones_can_be_chosen(
    page: PlanPage, loss: LossPlot
) -> None:
    assert [entry.text for entry in loss.legend.entries()] == [
        "true answer “very happy”",
        "true answer “pretty happy”",
        "mean",
        "most that ε allows",
    ]
    loss.answers.click()
    dialog = page.window().findChildren(AnswersDialog)[-1]
    second = dialog.fields[1]
    second.setCurrentIndex(2)
    second.activated.emit(2)
    assert loss.legend.entries()[1].text == "true answer “not too happy”"
    dialog.close()
