from __future__ import annotations

from collections.abc import Iterator

import pytest

from dpdesk.gui.document import Document
from dpdesk.gui.pages.simulate import SimulatePage
from dpdesk.gui.pages.simulate.planning.view import SamplePlanningView
from dpdesk.gui.pages.simulate.survey_pane import PLAN
from tests.gui.simulate.planning_steps import SUPPOSED
from tests.gui.windows import deleted


@pytest.fixture
def page(document: Document) -> Iterator[SimulatePage]:
    """The page as it is when the window opens."""
    page = SimulatePage(document)
    page.resize(1240, 780)
    with deleted(page):
        yield page
        page.shut_down()


@pytest.fixture
def view() -> Iterator[SamplePlanningView]:
    """The view alone, with two coins, a share of 10 % and n = 3,586."""
    alone = SamplePlanningView(SUPPOSED)
    alone.resize(846, 600)
    with deleted(alone):
        alone.show_scenario(SUPPOSED)
        yield alone


@pytest.fixture
def placed(page: SimulatePage) -> SamplePlanningView:
    """The view on its page, as one finds it."""
    page.show_room(PLAN)
    return page.planning
