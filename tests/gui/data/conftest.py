from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.gui.document import Document
from dpdesk.gui.pages.data import DataPage

SURVEY = "id,age,city,smokes\n" + "".join(
    f"r{row},{18 + row % 60},{('Oslo', 'Bergen', 'Moss')[row % 3]},{('yes', 'no')[row % 2]}\n"
    for row in range(120)
)


@pytest.fixture
def page(qtbot: QtBot, document: Document) -> Iterator[DataPage]:
    """The page in a window of its own, with nothing open."""
    shown = DataPage(document)
    qtbot.addWidget(shown)
    shown.resize(1260, 790)
    shown.show()
    qtbot.waitExposed(shown)
    yield shown
    shown.shut_down()


@pytest.fixture
def wait(qtbot: QtBot, document: Document) -> Callable[[], None]:
    """Waits until nothing is being read."""

    def until_read() -> None:
        qtbot.waitUntil(lambda: not document.loading.is_running)

    return until_read


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    """A file of 120 respondents: identifier, integer, three cities, yes and no."""
    path = tmp_path / "survey.csv"
    path.write_text(SURVEY, encoding="utf-8")
    return path


@pytest.fixture
def opened(page: DataPage, survey: Path, wait: Callable[[], None]) -> DataPage:
    """The page with the survey open."""
    page.open_file(survey)
    wait()
    return page
