from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.demonstrations import demonstrations, reader
from dpdesk.errors import InputError
from dpdesk.gui.document import Document
from dpdesk.gui.pages.learn import LearnPage
from dpdesk.gui.settings import Settings
from dpdesk.gui.stage.stage import Stage
from tests.gui.hands import Hands

KEY = Qt.Key


@pytest.fixture
def page(document: Document, settings: Settings, qtbot: QtBot) -> Iterator[LearnPage]:
    document.settings = settings
    made = LearnPage(document)
    qtbot.addWidget(made)
    made.resize(920, 640)
    made.show()
    yield made
    made.shut_down()


def played(page: LearnPage, qtbot: QtBot) -> Stage:
    stage = page.stage
    assert stage is not None
    qtbot.waitUntil(lambda: not stage.watch.is_running)
    return stage


def test_that_every_demonstration_is_listed_with_its_time_and_steps(page: LearnPage) -> None:
    assert page.list.count() == len(demonstrations())
    for row, demonstration in enumerate(demonstrations()):
        spoken = page.list.item(row).data(Qt.ItemDataRole.AccessibleTextRole)
        for part in (demonstration.title, demonstration.summary, str(demonstration.minutes)):
            assert part in spoken


def test_that_the_card_shows_a_picture_what_to_bring_and_a_workshop(
    page: LearnPage, qtbot: QtBot
) -> None:
    picture = page.card.picture
    assert "20 minutes" in page.card._workshop.text()
    assert "Two coins" in page.card._workshop.text()
    row = next(i for i, d in enumerate(demonstrations()) if d.key == "the-room-answers")
    page.list.setCurrentRow(row)
    qtbot.waitUntil(lambda: not picture.watch.is_running)
    assert "coin for everybody" in page.card._steps.text()
    first = demonstrations()[row].steps[0].scene()
    assert picture.accessibleDescription() == " ".join(p.caption for p in first.pictures)
    image = picture.grab().toImage()
    places = [(x, y) for x in range(0, image.width(), 5) for y in range(0, image.height(), 5)]
    assert len({image.pixel(*place) for place in places}) > 3


def test_that_it_goes_on_where_it_was_left(page: LearnPage, qtbot: QtBot, hands: Hands) -> None:
    assert page.card.go_on.isHidden()
    hands.click(page.card.start)
    stage = played(page, qtbot)
    for _ in range(2):
        qtbot.keyClick(stage.view, KEY.Key_PageDown)
    qtbot.keyClick(stage.view, KEY.Key_Escape)
    assert page.stage is None
    assert "step 3" in page.card.go_on.text()
    assert "left at step 3" in page.list.item(0).data(Qt.ItemDataRole.AccessibleTextRole)
    hands.click(page.card.go_on)
    stage = played(page, qtbot)
    assert stage.step() == 2
    # Left at its end, it begins anew the next time.
    qtbot.keyClick(stage.view, KEY.Key_End)
    qtbot.keyClick(stage.view, KEY.Key_Escape)
    assert page.card.go_on.isHidden()


def test_that_f5_and_enter_play_and_sizes_are_remembered(
    page: LearnPage, settings: Settings, qtbot: QtBot
) -> None:
    assert page.present()
    stage = played(page, qtbot)
    qtbot.keyClick(stage.view, KEY.Key_Plus)
    assert settings.stage_percent() == 110
    stage.close()
    qtbot.keyClick(page.list, KEY.Key_Return)
    assert played(page, qtbot).step() == 0


def test_that_the_own_question_is_asked_on_the_stage(
    page: LearnPage, hands: Hands, qtbot: QtBot
) -> None:
    row = next(i for i, d in enumerate(demonstrations()) if d.takes_question)
    page.list.setCurrentRow(row)
    hands.type(page.card.question, "Have you ever <b>run</b> a red light?", enter=False)
    hands.click(page.card.start)
    assert "run</b> a red light?" in played(page, qtbot).view.texts().question
    page.stage.close()
    page.list.setCurrentRow(row + 1)
    assert page.card.question.text() == ""
    page.list.setCurrentRow(row)
    assert page.card.question.text() == "Have you ever <b>run</b> a red light?"


def test_that_own_data_are_those_that_are_open(
    page: LearnPage, qtbot: QtBot, tmp_path: Path, hands: Hands
) -> None:
    path = tmp_path / "own.csv"
    path.write_text("q\nDid you?\n" + "yes\nno\n" * 30, encoding="utf-8")
    with qtbot.waitSignal(page.document.tableChanged):
        page.document.open_table(path, header_rows=2)
    row = next(i for i, d in enumerate(demonstrations()) if d.key == "which-mechanism")
    page.list.setCurrentRow(row)
    page.card.own_data.setChecked(True)
    hands.click(page.card.start)
    scenes = [step.scene() for step in played(page, qtbot).demonstration.steps]
    assert {s.numbers["answers"] for s in scenes if "answers" in s.numbers} >= {2}
    assert not any("3 answers" in s.sentence for s in scenes)


def test_that_a_wrong_file_is_told_and_the_others_are_listed(
    document: Document, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.toml").write_text('title = "Mine"\nminutes = \n', encoding="utf-8")
    files = {**reader._files(), "mine": tmp_path / "mine.toml"}
    monkeypatch.setattr(reader, "_files", lambda: files)
    page = LearnPage(document)
    qtbot.addWidget(page)
    page.show()
    assert page.list.count() == len(files) - 1 > 0
    assert "mine.toml" in page.notice.message()
    page.shut_down()
    with pytest.raises(InputError, match="mine"):
        demonstrations()
