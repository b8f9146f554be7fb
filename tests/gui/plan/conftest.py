from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan import PlanPage
from dpdesk.plan import Plan
from tests.gui.plan.survey_plans import survey_plan


@pytest.fixture
def open_page(document: Document) -> Iterator[Callable[[Plan], PlanPage]]:
    """Shows the page with a plan; gone after the test, so that no theme dresses it again."""
    opened = []

    def open_with(plan: Plan) -> PlanPage:
        document.reset(plan)
        page = PlanPage(document)
        opened.append(page)
        page.resize(1240, 780)
        page.show()
        # Most tests look at the law; the first view is the outcome.
        page.records.panel.tabs.tabs.setCurrentIndex(1)
        return page

    yield open_with
    for page in opened:
        page.close()
        page.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def page(open_page: Callable[[Plan], PlanPage]) -> PlanPage:
    """The page with the survey of the drawing."""
    return open_page(survey_plan())
