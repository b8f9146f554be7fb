from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from dpdesk.gui.document import Document
from dpdesk.gui.pages.collected import CollectedPage


@pytest.fixture
def page(document: Document) -> Iterator[CollectedPage]:
    """The page as it is when the window opens; gone afterwards, so that no theme dresses it."""
    shown = CollectedPage(document)
    shown.resize(1240, 780)
    shown.show()
    yield shown
    shown.shut_down()
    shown.close()
    shown.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
