"""The section on missing answers: what is asked, typed and chosen there, by keyboard too."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from dpdesk.domains import Integer
from dpdesk.gui.pages.data.column_editor import MISSING


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


def test_that_what_looks_like_codes_can_be_answers(asked, document):
    asked.are_answers.click()
    column = document.plan.column("age")
    assert column.missing.tokens == ("",)
    assert column.domain == Integer(lower=-9, upper=999)
    assert asked._asked.isHidden()


def test_that_passing_through_says_that_it_does_not_protect(asked, document, page):
    page.variables.view.choose("many")
    assert "It seems to have been asked only where smoker = yes." in asked.routing.text()
    place = asked.policy.findData("blank")
    assert "not protected" in asked.policy.itemText(place)
    asked.policy.setCurrentIndex(place)
    asked.policy.activated.emit(place)
    assert document.plan.column("many").missing.policy == "blank"
    assert "everybody can see who answered" in asked._meaning.text()
