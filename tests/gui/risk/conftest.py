"""The page of risks with its pane of coarser answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.gui.document import Document
from dpdesk.gui.pages.risk import RiskPage
from dpdesk.gui.pages.risk.coarsen_pane import CoarsenPane
from dpdesk.gui.pages.risk.page import PANES
from tests.gui.risk.coarse_people import QUASI, SENSITIVE, Wait, people, plan


@pytest.fixture
def page(qtbot: QtBot, document: Document) -> Iterator[RiskPage]:
    shown = RiskPage(document)
    qtbot.addWidget(shown)
    shown.resize(1280, 760)
    shown.show()
    document._set_table(people(), None)
    document.reset(plan())
    yield shown
    shown.shut_down()


@pytest.fixture
def pane(page: RiskPage) -> CoarsenPane:
    page.tabs.show_pane(CoarsenPane)
    found = page.tabs.panes[PANES.index(CoarsenPane)]
    assert isinstance(found, CoarsenPane)
    return found


@pytest.fixture
def wait(qtbot: QtBot, page: RiskPage, pane: CoarsenPane) -> Wait:
    """Waits until nothing runs."""

    def until_idle() -> None:
        qtbot.waitUntil(lambda: not (page.state.watch.is_running or pane.watch.is_running))

    until_idle()
    page.state.choose(QUASI, SENSITIVE)
    until_idle()
    return until_idle
