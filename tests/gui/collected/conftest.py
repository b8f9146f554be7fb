from __future__ import annotations

from collections.abc import Iterator

import pytest

from dpdesk.gui.document import Document
from dpdesk.gui.pages.collected import CollectedPage
from tests.gui.windows import deleted


@pytest.fixture
def page(document: Document) -> Iterator[CollectedPage]:
    """The page as it is when the window opens."""
    page = CollectedPage(document)
    page.resize(1240, 780)
    with deleted(page):
        yield page
        page.shut_down()
