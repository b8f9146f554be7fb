from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from dpdesk.gui.document import Document
from dpdesk.gui.pages.simulate import SimulatePage
from dpdesk.gui.pages.simulate.planning.view import SamplePlanningView
from dpdesk.gui.pages.simulate.survey_pane import PLAN
from tests.gui.simulate.planning_steps import SUPPOSED


@pytest.fixture
def page(document: Document) -> Iterator[SimulatePage]:
    """The page as it is when the window opens; gone afterwards, so that no theme dresses it."""
    shown = SimulatePage(document)
    shown.resize(1240, 780)
    shown.show()
    yield shown
    shown.shut_down()
    shown.close()
    shown.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def view() -> Iterator[SamplePlanningView]:
    """The view alone, with two coins, a share of 10 % and n = 3,586; gone afterwards."""
    shown = SamplePlanningView(SUPPOSED)
    shown.resize(846, 600)
    shown.show()
    shown.show_scenario(SUPPOSED)
    yield shown
    shown.close()
    shown.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def placed(page: SimulatePage) -> SamplePlanningView:
    """The view on its page, as one finds it."""
    page.show_room(PLAN)
    return page.planning
