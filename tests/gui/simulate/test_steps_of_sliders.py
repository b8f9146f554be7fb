"""A step of a slider of Simulate: what follows it, and what follows when it rests."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from dpdesk.designs import estimator_law
from dpdesk.gui.pages.simulate import SimulatePage
from dpdesk.gui.pages.simulate.design_form import DesignForm
from dpdesk.gui.pages.simulate.estimator_plot import EstimatorPlot
from dpdesk.gui.pages.simulate.survey_pane import SurveyFigureRow
from dpdesk.gui.pages.simulate.value_slider import ValueSlider
from dpdesk.preview.survey import supposed

SLIDERS = ("epsilon", "respondents", "prevalence")


def slider_of(page: SimulatePage, name: str) -> ValueSlider:
    card = page.pane.card
    found = card.design.epsilon if name == "epsilon" else getattr(card, name)
    assert isinstance(found, ValueSlider)
    return found


@pytest.fixture
def calls(page: SimulatePage, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    found: Counter[str] = Counter()

    def count(owner: Any, name: str) -> None:
        run = getattr(owner, name)

        def counted(*args: object, **more: object) -> object:
            found[f"{owner.__name__}.{name}"] += 1
            return run(*args, **more)

        monkeypatch.setattr(owner, name, counted)

    count(EstimatorPlot, "show_scenario")
    count(SurveyFigureRow, "show_scenario")
    count(DesignForm, "show_scenario")
    count(DesignForm, "show_nearest")
    monkeypatch.setattr(supposed, "estimator_theory", _counting(found, "theory"))
    return found


def _counting(found: Counter[str], name: str) -> Any:
    def counted(*args: Any) -> Any:
        found[name] += 1
        return estimator_law.estimator_theory(*args)

    return counted


def shown(page: SimulatePage) -> tuple[object, ...]:
    """What the page says: figures, form, sliders and advice."""
    form = page.pane.card.design
    tiles = [(tile.value(), tile.caption()) for tile in page.pane.figures.tiles]
    fields = [slider_of(page, name).field.text() for name in SLIDERS]
    words = form.words.text(), form.strength.text(), form.rounded.text(), form.device.text()
    return tiles, fields, words, page.pane.seed.isHidden()


@pytest.mark.parametrize("name", SLIDERS)
def test_that_a_step_moves_the_view_and_its_rest_all_else(
    page: SimulatePage, calls: Counter[str], name: str
) -> None:
    pane, slider = page.pane, slider_of(page, name).slider
    pane.flush()
    # However slow the machine is, the slider neither rests nor are five steps a fifth of a second.
    pane._resting.setInterval(600_000)
    pane._throttle._interval, pane._beside._interval = 0, 10**9
    calls.clear()
    texts = set()
    for step in range(5):
        slider.setValue(slider.maximum() // 2 + 3 * step)
        texts.add(slider_of(page, name).field.text())
        assert calls["EstimatorPlot.show_scenario"] == step + 1
    assert len(texts) == 5
    assert calls["SurveyFigureRow.show_scenario"] == 0
    assert calls["DesignForm.show_scenario"] == 0
    assert calls["DesignForm.show_nearest"] == 0
    # The theory of each survey is worked out once.
    assert calls["theory"] <= 5
    pane._resting.flush()
    assert calls["SurveyFigureRow.show_scenario"] == 1
    assert calls["DesignForm.show_scenario"] == 1
    assert calls["DesignForm.show_nearest"] == 1
    rested, scenario = shown(page), page.scenario()
    pane.start_over()
    assert shown(page) != rested
    page.set_scenario(scenario)
    pane.flush()
    assert shown(page) == rested
