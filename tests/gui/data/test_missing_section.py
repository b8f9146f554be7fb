"""The section on missing answers: what is asked, typed and chosen there, by keyboard too."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.data.texts import T
from dpdesk.domains import Integer
from dpdesk.gui.pages.data import variable_table as table
from dpdesk.gui.pages.data.column_editor import MISSING
from dpdesk.gui.settings import Settings
from dpdesk.plan import ColumnPlan
from dpdesk.plan.open_question import OpenQuestion
from dpdesk.plan.open_questions import open_questions
from dpdesk.queries.texts import T as QUERIES
from tests.gui.cut_text import SMALLEST, settle
from tests.gui.windows import open_window
from tests.texts import values_in


@pytest.fixture
def asked(page, wait, tmp_path: Path):
    """The section, of a file whose ages have codes and whose second question has a filter."""
    path = tmp_path / "ages.csv"
    rows = [
        f"{18 + row % 73},{'no' if row % 3 else 'yes'},{'' if row % 3 else row % 30}"
        for row in range(300)
    ]
    path.write_text("\n".join(["age,smoker,many", *rows, "999,no,", "-9,no,"]) + "\n", "utf-8")
    page.open_file(path)
    wait()
    page.variables.view.choose("age")
    page.editor.tabs.setCurrentIndex(MISSING)
    return page.editor.missing


def test_that_codes_are_asked_about_and_declared_by_keyboard(qtbot, asked, document):
    assert not asked.suspects.isHidden()
    assert "999; -9" in asked.suspects.text()
    assert document.plan.column("age").missing.tokens == ("",)
    asked.focus_missing()
    qtbot.keyClick(asked.mean_missing, Qt.Key.Key_Space)
    column = document.plan.column("age")
    assert set(column.missing.tokens) == {"", "999", "-9"}
    assert column.missing.policy == "protect"
    assert column.domain == Integer(lower=18, upper=90)
    assert asked._asked.isHidden()
    document.undo_stack.undo()
    assert not asked._asked.isHidden()


def test_that_the_reason_of_a_domain_follows_what_is_decided_on_codes(qtbot, asked, page, document):
    shown = page.editor.domain._reason
    qtbot.waitUntil(lambda: T.SUSPECTED(count=2) in shown.text())
    asked.mean_missing.click()
    qtbot.waitUntil(lambda: shown.text() == T.DIFFERENT_ANSWERS(count=73))
    document.undo_stack.undo()
    assert T.SUSPECTED(count=2) in shown.text()
    asked.are_answers.click()
    qtbot.waitUntil(lambda: shown.text() == T.DIFFERENT_ANSWERS(count=75))


def test_that_what_looks_like_codes_can_be_answers(asked, document):
    asked.are_answers.click()
    column = document.plan.column("age")
    assert column.missing.tokens == ("",)
    assert column.domain == Integer(lower=-9, upper=999)
    assert asked._asked.isHidden()


def test_that_passing_through_says_that_it_does_not_protect(asked, document, page):
    page.variables.view.choose("many")
    place = asked.policy.findData("blank")
    assert "not protected" in asked.policy.itemText(place)
    asked.policy.setCurrentIndex(place)
    asked.policy.activated.emit(place)
    assert document.plan.column("many").missing.policy == "blank"
    assert "everybody can see who answered" in asked._meaning.text()


def test_that_who_was_asked_is_typed_by_keyboard(qtbot, asked, document, page):
    page.variables.view.choose("many")
    place = asked.policy.findData("blank")
    asked.policy.setCurrentIndex(place)
    asked.policy.activated.emit(place)
    assert asked.share_asked.isHidden()
    asked.asked.setText("smoker is yes")
    qtbot.keyClick(asked.asked, Qt.Key.Key_Return)
    missing = document.plan.column("many").missing
    assert missing.asked is not None
    assert (missing.asked.written, str(missing.asked.supposed_share)) == ("smoker is yes", "0.5")
    assert not asked.share_asked.isHidden()
    asked.share_asked.setText("35 %")
    qtbot.keyClick(asked.share_asked, Qt.Key.Key_Return)
    assert document.plan.column("many").missing.supposed_text == "68.5 %"
    asked.asked.setText("smoker is never")
    qtbot.keyClick(asked.asked, Qt.Key.Key_Return)
    [undeclared] = values_in(QUERIES.NOT_DECLARED, asked.refusal(asked.asked))
    assert undeclared["column"] == "smoker"
    asked.asked.setText("")
    qtbot.keyClick(asked.asked, Qt.Key.Key_Return)
    assert document.plan.column("many").missing.asked is None


def cell(page, name, place=table.COLUMN):
    model = page.variables.view.variables()
    return model.index(model.row_of(name), place)


@pytest.fixture
def counted(qtbot, asked, page, document):
    """The page once the answers of its columns are counted."""
    qtbot.waitUntil(lambda: not document.answers.is_counting)
    return page


def test_that_the_list_marks_a_column_whose_codes_nobody_decided_about(qtbot, counted, document):
    page, tooltip = counted, Qt.ItemDataRole.ToolTipRole
    assert cell(page, "age").data(table.AskedRole)
    assert not cell(page, "smoker").data(table.AskedRole)
    assert "codes of no answer" in cell(page, "age").data(tooltip)
    assert "codes of no answer" in cell(page, "age").data(Qt.ItemDataRole.AccessibleTextRole)
    assert "999" not in cell(page, "age").data(tooltip)
    assert cell(page, "age", table.MISSING).data(table.SignRole) == "warning"
    assert not page.variables.decide.isHidden()
    page.editor.missing.mean_missing.click()
    qtbot.waitUntil(lambda: not document.answers.is_counting)
    assert not cell(page, "age").data(table.AskedRole)
    assert "code" not in cell(page, "age").data(tooltip)
    assert page.variables.decide.isHidden()


def test_that_dropped_columns_are_not_asked_about(counted, document):
    plan = document.plan.with_column("age", role="drop")
    document.edit("Drop", plan)
    assert not cell(counted, "age").data(table.AskedRole)
    assert counted.variables.decide.isHidden()


def test_that_the_card_leads_to_what_is_asked_by_keyboard(qtbot, counted):
    page = counted
    page.variables.view.choose("smoker")
    page.editor.tabs.setCurrentIndex(0)
    page.variables.decide.setFocus()
    qtbot.keyClick(page.variables.decide, Qt.Key.Key_Space)
    assert page.variables.view.name() == "age"
    assert page.editor.tabs.currentIndex() == MISSING
    assert page.editor.missing.mean_missing.hasFocus()


def test_that_the_list_marks_a_question_with_several_answers_that_was_left_blank(
    qtbot, page, wait, document, tmp_path: Path
):
    path = tmp_path / "media.csv"
    said = ("TV;web", "TV", "web;radio", "radio", "")
    path.write_text("media\n" + "\n".join(f'"{said[r % 5]}"' for r in range(100)) + "\n", "utf-8")
    page.open_file(path)
    wait()
    qtbot.waitUntil(lambda: not document.answers.is_counting)
    assert document.plan.column("media").kind == "several"
    assert "Blanks of “media”" in cell(page, "media").data(Qt.ItemDataRole.ToolTipRole)


def test_that_what_is_to_be_decided_is_found_once_for_the_section_and_the_list(
    qtbot, page, asked, document, monkeypatch: pytest.MonkeyPatch
):
    def counted() -> None:
        qtbot.waitUntil(lambda: not document.answers.is_counting)

    found: list[str] = []

    def find(column: ColumnPlan, *data: object) -> tuple[OpenQuestion, ...]:
        found.append(column.name)
        return open_questions(column, *data)

    counted()
    monkeypatch.setattr("dpdesk.gui.answers_watch.open_questions", find)
    # Declared otherwise, it is looked at before the background comes to it.
    asked.are_answers.click()
    assert found == ["age"]
    page.variables.view.choose("smoker")
    page.variables.view.choose("age")
    counted()
    assert found == ["age"]
    assert not document.answers.open_of(document.plan.column("age"))
    document.undo_stack.undo()
    assert "999; -9" in asked.suspects.text()
    assert document.answers.open_of(document.plan.column("age"))


def test_that_the_section_asks_about_the_data_that_are_open_now(page, wait, asked, tmp_path: Path):
    rows = "\n".join(f"{18 + row % 73},no,1" for row in range(300))
    path = tmp_path / "clean.csv"
    path.write_text(f"age,smoker,many\n{rows}\n", "utf-8")
    assert not asked._asked.isHidden()
    page.open_file(path)
    wait()
    page.variables.view.choose("age")
    assert asked._asked.isHidden()


def test_that_a_small_window_shows_what_is_suggested_without_scrolling(
    settings: Settings, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "codes.csv"
    rows = [
        f"{'daily' if row % 3 else 'never'},{row % 30 if row % 3 else ''},{row % 2},{row % 5 // 4}"
        f",{row % 4 // 3}"
        for row in range(300)
    ]
    head = "smoker,many,q_a,q_b,q_c"
    path.write_text("\n".join([head, *rows, *["daily,-9,1,0,0"] * 9]) + "\n", "utf-8")
    window = open_window(settings, qtbot, path, size=SMALLEST)
    page = window.pages["data"]
    page.variables.view.choose("many")
    page.editor.tabs.setCurrentIndex(MISSING)
    settle(window, qtbot)
    section = page.editor.missing
    assert page.question.isVisible(), "the notice takes room, too"
    for shown in (section.suspects, section.mean_missing):
        assert shown.visibleRegion().boundingRect() == shown.rect()
