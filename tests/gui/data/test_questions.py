"""Questions with several answers on the Data page: suggested, made one, edited, taken apart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from dpdesk.data.texts import T
from dpdesk.domains import OptionSet
from dpdesk.gui.pages.data import DataPage
from dpdesk.gui.pages.data.column_editor import MISSING
from dpdesk.plan import ColumnPlan

FILE = "age,media_tv,media_web,media_radio,smokes\n" + "".join(
    f"{18 + row % 60},{row % 2},{row // 2 % 2},{row // 4 % 2},{('yes', 'no')[row % 2]}\n"
    for row in range(120)
)


@pytest.fixture
def asked(page: DataPage, tmp_path: Path, wait: Callable[[], None]) -> DataPage:
    """The page with a survey in which three columns are one question."""
    path = tmp_path / "media.csv"
    path.write_text(FILE, encoding="utf-8")
    page.open_file(path)
    wait()
    return page


def names(page: DataPage) -> tuple[list[str], list[str]]:
    """The columns of the plan and of the table."""
    table = page.document.table
    assert table is not None
    return [column.name for column in page.document.plan.columns], list(table.names)


def press(page: DataPage) -> None:
    page.question.findChild(QPushButton).click()


APART = ["age", "media_tv", "media_web", "media_radio", "smokes"]
TOGETHER = ["age", "media", "smokes"]


def test_that_a_question_is_suggested_and_not_made(asked: DataPage) -> None:
    assert asked.question.isVisible()
    assert "media_tv, media_web, media_radio look like" in asked.question.message()
    assert names(asked) == (APART, APART)
    assert asked.document.undo_stack.count() == 0


def test_that_one_click_makes_it_one_question_and_undo_takes_it_back(asked: DataPage) -> None:
    press(asked)
    assert names(asked) == (TOGETHER, TOGETHER)
    assert asked.document.plan.column("media").kind == "several"
    assert not asked.question.isVisible()
    assert "reading_differs" not in {p.code for p in asked.document.problems}
    asked.document.undo_stack.undo()
    assert names(asked) == (APART, APART)
    assert asked.question.isVisible()
    asked.document.undo_stack.redo()
    assert names(asked) == (TOGETHER, TOGETHER)


def test_that_a_suggestion_that_was_closed_stays_closed_for_these_data(
    asked: DataPage, wait: Callable[[], None], survey: Path
) -> None:
    asked.question.close_notice()
    asked.commands.protect_all.trigger()
    assert not asked.question.isVisible()
    asked.open_file(survey)
    wait()
    assert not asked.question.isVisible()


def test_that_a_question_can_be_taken_apart(asked: DataPage) -> None:
    assert not asked.commands.part.isVisible()
    press(asked)
    asked.variables.view.choose("media")
    assert asked.commands.part.isVisible()
    asked.commands.part.trigger()
    assert names(asked) == (APART, APART)
    asked.document.undo_stack.undo()
    assert names(asked) == (TOGETHER, TOGETHER)


def test_that_a_saved_plan_joins_its_columns_when_its_data_are_opened(
    asked: DataPage, tmp_path: Path, wait: Callable[[], None]
) -> None:
    press(asked)
    plan = tmp_path / "plan.json"
    asked.document.save_plan(plan)
    asked.document.new()
    asked.open_file(plan)
    asked.open_file(tmp_path / "media.csv")
    wait()
    assert names(asked) == (TOGETHER, TOGETHER)
    # The other way round: the data are there when the plan is opened.
    asked.document.new()
    asked.open_file(tmp_path / "media.csv")
    wait()
    assert names(asked) == (APART, APART)
    asked.open_file(plan)
    assert names(asked) == (TOGETHER, TOGETHER)


def question(page: DataPage) -> ColumnPlan:
    return page.document.plan.column("media")


def test_that_options_and_what_cells_hold_can_be_edited(
    page: DataPage, tmp_path: Path, wait: Callable[[], None], qtbot: QtBot
) -> None:
    path = tmp_path / "cells.csv"
    cells = ["TV, Web", "Web", "", "Radio, TV", "TV", "Web, Radio"] * 20
    path.write_text("media\n" + "\n".join(f'"{cell}"' for cell in cells) + "\n")
    page.open_file(path)
    wait()
    page.variables.view.choose("media")
    section = page.editor.domain
    assert section.marks.isVisible()
    assert section.marks.fields["separator"].text() == ","
    # What no option looks like.
    line = section.marks.fields["nothing"]
    line.setText("")
    line.committed.emit("")
    domain = question(page).domain
    assert isinstance(domain, OptionSet)
    assert domain.nothing == ""
    # No missing answers are left, and no option is for them.
    assert question(page).missing.policy == "none"
    # A separator that an option holds is refused, and the sentence says so.
    line = section.marks.fields["separator"]
    line.setText("V")
    line.committed.emit("V")
    assert question(page).domain == domain
    assert "separator" in section.marks._refusal.text()
    # Options, by the list.
    model = section.categories.model
    assert model.setData(model.index(0, 1), "radio or podcast")
    changed = question(page).domain
    assert isinstance(changed, OptionSet)
    assert (changed.separator, changed.nothing) == (",", "")
    assert changed.labels == {"Radio": "radio or podcast"}


@pytest.mark.parametrize(("button", "nothing"), [("are_answers", ""), ("mean_missing", "(none)")])
def test_that_blanks_are_asked_about_and_decided_by_keyboard(
    page: DataPage,
    tmp_path: Path,
    wait: Callable[[], None],
    qtbot: QtBot,
    button: str,
    nothing: str,
) -> None:
    path = tmp_path / "cells.csv"
    cells = ["TV;Web", "Web", "", "Radio;TV", "TV", "Web;Radio"] * 20
    path.write_text("age,media\n" + "".join(f"{18 + i % 60},{c}\n" for i, c in enumerate(cells)))
    page.open_file(path)
    wait()
    page.variables.view.choose("media")
    page.editor.tabs.setCurrentIndex(MISSING)
    section = page.editor.missing
    assert section.suspects.text().startswith("20 respondents left this blank")
    assert section.are_answers.text().replace("&", "") == "They ticked nothing"
    section.focus_missing()
    qtbot.keyClick(getattr(section, button), Qt.Key.Key_Space)
    domain = question(page).domain
    assert isinstance(domain, OptionSet)
    assert domain.nothing == nothing
    assert question(page).missing.policy == ("category" if nothing else "none")
    assert section._asked.isHidden()
    # What was decided is what the page says of an empty cell.
    assert (section.empty.isChecked(), section.empty.isEnabled()) == (bool(nothing),) * 2
    page.document.undo_stack.undo()
    assert not section._asked.isHidden()


@pytest.mark.parametrize(("button", "missing"), [("are_answers", 0), ("mean_missing", 30)])
def test_that_blanks_of_joined_columns_are_decided_for_the_table(
    page: DataPage, tmp_path: Path, wait: Callable[[], None], button: str, missing: int
) -> None:
    path = tmp_path / "marks.csv"
    rows = ["30,x,,\n", "40,x,x,\n", "50,,,\n", "20,,x,x\n"] * 30
    path.write_text("age,media_tv,media_web,media_radio\n" + "".join(rows))
    page.open_file(path)
    wait()
    press(page)
    page.variables.view.choose("media")
    section = page.editor.missing
    assert section.suspects.text().startswith("30 respondents left this blank")
    getattr(section, button).click()
    table = page.document.table
    assert table is not None
    texts = table.column("media")
    assert int(texts.counts[texts.blank].sum()) == missing
    assert section._asked.isHidden()
    assert "reading_differs" not in {p.code for p in page.document.problems}


def test_that_a_column_of_none_is_told_in_words(
    page: DataPage, tmp_path: Path, wait: Callable[[], None]
) -> None:
    path = tmp_path / "none.csv"
    rows = ["30,1,0,0\n", "40,1,1,0\n", "50,0,0,1\n", "20,0,0,0\n"] * 30
    path.write_text("age,media_tv,media_web,media_none\n" + "".join(rows))
    page.open_file(path)
    wait()
    assert "media_tv, media_web, media_none look like" in page.question.message()
    press(page)
    page.variables.view.choose("media")
    told = page.editor.domain.marks._columns.text()
    assert "A tick in media_none says that no option applies" in told
    assert question(page).domain == OptionSet(values=("tv", "web"))
    assert question(page).missing.policy == "category"


def test_that_the_kind_can_be_changed_to_several_answers_and_back(opened: DataPage) -> None:
    opened.variables.view.choose("city")
    place = opened.editor.identity.kind.findData("several")
    opened.editor.identity.kind.setCurrentIndex(place)
    opened.editor.identity.kind.activated.emit(place)
    # No separator stands in its cells, so that the kind stays and a sentence says why.
    assert opened.document.plan.column("city").kind == "nominal"
    assert opened.editor.identity.kind.currentData() == "nominal"


def test_that_a_join_undone_while_the_file_is_read_is_undone_in_the_data(
    asked: DataPage, wait: Callable[[], None]
) -> None:
    press(asked)
    assert names(asked) == (TOGETHER, TOGETHER)
    document = asked.document
    path = document.table_path
    assert path is not None
    document.open_table(path)
    document.undo_stack.undo()
    wait()
    assert names(asked) == (APART, APART)


@pytest.mark.parametrize(("button", "joined"), [("mean_missing", True), ("are_answers", False)])
def test_that_options_that_hold_the_separator_are_asked_about_in_the_window(
    page: DataPage, tmp_path: Path, wait: Callable[[], None], button: str, joined: bool
) -> None:
    path = tmp_path / "t.csv"
    cells = ["Papers, magazines", "Radio", "TV (own, other)", "Papers, magazines, Radio"]
    cells += ["Radio, TV (own, other)", "Web", "Web, Radio"]
    path.write_text(
        "age,media\n" + "".join(f'{18 + i % 60},"{cells[i % 7]}"\n' for i in range(140))
    )
    page.open_file(path)
    wait()
    page.variables.view.choose("media")
    section = page.editor.domain
    assert "“Papers, magazines”" in section.suspects.text()
    getattr(section, button).click()
    domain = question(page).domain
    assert isinstance(domain, OptionSet)
    assert bool(domain.joined_values) == joined
    assert section._asked.isHidden()
    page.document.undo_stack.undo()
    assert not section._asked.isHidden()


def test_that_a_column_without_a_domain_opens_and_its_reason_is_shown(
    page: DataPage, tmp_path: Path, wait: Callable[[], None], qtbot: QtBot
) -> None:
    path = tmp_path / "t.csv"
    rows = (f"{18 + i % 60},2024-03-01 10:00:{i % 60:02}\n" for i in range(120))
    path.write_text("Survey of 2024,\nage,submitted\n" + "".join(rows) + ",\n" * 80)
    page.open_file(path)
    wait()
    table = page.document.table
    assert table is not None
    assert (table.names, table.rows) == (("age", "submitted"), 120)
    assert page.document.plan.column("submitted").domain is None
    page.variables.view.choose("submitted")
    reason = page.editor.domain._reason
    qtbot.waitUntil(lambda: reason.text() == T.SAME_MINUTE())
    assert reason.isVisible()
