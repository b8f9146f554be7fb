from __future__ import annotations

import json
from decimal import Decimal

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from dpdesk.cli.main import main
from dpdesk.data.read_file import load
from dpdesk.data.suggested_grid import rounder_bounds
from dpdesk.data.table import table_from_texts
from dpdesk.domains import Categorical, Integer, OptionSet, Real
from dpdesk.gui.pages.data.answers_picture import AnswersPicture, answers_words
from dpdesk.gui.pages.data.column_words import origin_words
from dpdesk.gui.pages.data.confirm_dialog import (
    CONFIRM,
    PUBLISHED,
    ROUNDER,
    ConfirmDomains,
    WaitingModel,
    waiting_domains,
)
from dpdesk.gui.pages.data.variable_table import ANSWERS, COLUMN, DetailRole
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.plan import ColumnPlan, Plan, confirm_domains, draft_table, save_plan
from dpdesk.plan.given_answers import GivenAnswers, counted_columns, given_answers


@pytest.fixture
def counted(opened, document, qtbot):
    """The page whose answers are counted."""
    qtbot.waitUntil(lambda: not document.answers.is_counting)
    return opened


def choose(page, *names: str) -> None:
    view = page.variables.view
    view.clearSelection()
    flag = QItemSelectionModel.SelectionFlag
    for name in names:
        index = view.variables().index(view.variables().row_of(name), COLUMN)
        view.selectionModel().select(index, flag.Select | flag.Rows)


def dialog() -> ConfirmDomains:
    shown = [w for w in QApplication.topLevelWidgets() if isinstance(w, ConfirmDomains)]
    return next(w for w in shown if w.isVisible())


def listed(page) -> list[str]:
    view = page.variables.view
    rows = range(view.variables().rowCount())
    return [view.variables().row(row).name for row in rows if not view.isRowHidden(row)]


# Distributions


def test_that_the_counts_of_a_column_are_said_to_who_hovers_and_who_listens(counted):
    model = counted.variables.view.variables()
    index = model.index(model.row_of("smokes"), ANSWERS)
    told = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert told == "no: 60 (50.0 %), yes: 60 (50.0 %)"
    assert "yes: 60 (50.0 %)" in index.data(Qt.ItemDataRole.ToolTipRole)
    nameless = model.index(model.row_of("id"), ANSWERS)
    assert nameless.data() == "120"
    assert nameless.data(DetailRole) == "all answers differ"
    words = "All answers differ: looks like an identifier"
    assert words in nameless.data(Qt.ItemDataRole.ToolTipRole)
    assert words in nameless.data(Qt.ItemDataRole.AccessibleTextRole)


MANY = [str(1000 + number) for number in range(20)]


@pytest.mark.parametrize(
    ("cells", "kind", "words"),
    [
        ([*MANY, "", ""], "identifier", "All answers differ: looks like an identifier"),
        ([*MANY, MANY[0]], "identifier", "20 different texts"),
        (MANY, "weight", "20 different weights"),
        # That few answers differ says nothing.
        ([*MANY[1:], "", ""], "identifier", "20 different texts"),
        (["", "", "", ""], "identifier", "1 different texts"),
    ],
)
def test_that_a_column_in_which_all_answers_differ_is_told_as_an_identifier(cells, kind, words):
    table = table_from_texts({"id": cells})
    given = given_answers(ColumnPlan(name="id", kind=kind), table.column("id"), table.reading)
    assert answers_words(given) == words


def test_that_only_a_column_whose_answers_mean_something_else_is_counted_again(
    counted, document, qtbot
):
    answers = document.answers
    age, city = (answers.of(document.plan.column(name)) for name in ("age", "city"))
    plan = document.plan.with_column("age", domain=Integer(lower=18, upper=50), label="Age")
    document.edit("narrower", plan.with_column("city", label="Home town"))
    assert answers.of(document.plan.column("age")) is None
    assert answers.of(document.plan.column("city")) is city
    qtbot.waitUntil(lambda: not answers.is_counting)
    again = answers.of(document.plan.column("age"))
    assert again is not age
    assert again.outside == 54


def test_that_the_list_of_categories_shows_how_many_gave_each(counted, document):
    counted.variables.view.choose("city")
    model = counted.editor.domain.categories.model
    assert model.columnCount() == 3
    assert [model.index(row, 2).data() for row in range(3)] == ["40 (33.3 %)"] * 3
    document.new()
    assert model.columnCount() == 2


def test_that_missing_answers_do_not_flatten_the_picture_of_the_others(qtbot):
    column = ColumnPlan(name="n", kind="integer", domain=Integer(lower=0, upper=3))
    texts = ["0"] * 5 + ["1"] * 10 + ["2"] * 5 + [""] * 180
    table = table_from_texts({"n": texts})
    given = given_answers(column, table.column("n"), table.reading)
    picture = AnswersPicture()
    qtbot.addWidget(picture)
    picture.resize(320, 150)
    picture.show_answers(given)
    assert picture.scale_words() == ("5.00 %", "90.0 % missing")
    shown = picture.grab().toImage()
    accent = QColor(theme_in_force().accent).rgb()
    # The commonest answer reaches nearly to the top.
    height = sum(shown.pixel(110, y) == accent for y in range(shown.height()))
    assert height > 0.6 * shown.height()


def test_that_the_picture_of_numbers_tells_the_bar_under_the_mouse(counted):
    counted.variables.view.choose("age")
    picture = counted.editor.domain.bounds.picture
    assert picture.isVisible()
    assert picture.words_at(1) == "18–20: 6 (5.0 %)"
    assert picture.accessibleDescription().startswith("18–20: 6 (5.0 %); 21–23: 6")


# Filter


def test_that_the_filter_lists_the_columns_that_hold_every_word(opened, qtbot):
    card = opened.variables
    opened.commands.filter.trigger()
    assert card.filter.hasFocus()
    qtbot.keyClicks(card.filter, "CATEG data")
    assert listed(opened) == ["city", "smokes"]
    assert card.listed_text() == "2 of 4"
    qtbot.keyClicks(card.filter, " binary")
    assert listed(opened) == ["smokes"]
    qtbot.keyClick(card.filter, Qt.Key.Key_Down)
    assert card.view.hasFocus()
    assert opened.selection.name == "smokes"
    card.filter.setFocus()
    qtbot.keyClick(card.filter, Qt.Key.Key_Escape)
    assert len(listed(opened)) == 4
    assert card.listed_text() == ""


def test_that_hidden_columns_are_not_edited(opened, document):
    opened.variables.view.selectAll()
    opened.variables.filter.setText("city")
    opened.commands.several.drop.trigger()
    assert [c.name for c in document.plan.columns if c.role == "drop"] == ["id", "city"]


# Several columns


def test_that_the_chosen_columns_are_edited_together_as_one_step(opened, document):
    choose(opened, "age", "city")
    assert opened.variables.strip.isVisible()
    assert opened.variables.strip.text() == "2 chosen"
    opened.commands.several.protect.trigger()
    assert [c.name for c in document.plan.protected] == ["age", "city"]
    opened.commands.several.keep.trigger()
    assert [c.name for c in document.plan.kept] == ["age", "city"]
    # Keeping an answer as it is stays a decision of its own.
    assert not any(c.keep_confirmed for c in document.plan.kept)
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert not document.plan.protected
    choose(opened, "age")
    assert not opened.variables.strip.isVisible()


def test_that_what_some_columns_refuse_is_told_and_the_others_change(opened, document):
    choose(opened, "id", "age", "city")
    opened.commands.several.protect.trigger()
    assert [c.name for c in document.plan.protected] == ["age", "city"]
    told = opened.notice.message()
    assert told.startswith("id stays as it is: ")
    assert told.endswith("2 columns were changed.")
    choose(opened, "age")
    opened.commands.several.drop.trigger()
    assert not opened.notice.isVisible()


def test_that_the_kind_of_several_columns_is_changed_at_once(opened, document):
    choose(opened, "city", "smokes")
    ordinal = next(a for a in opened.commands.several.kinds if a.text() == "Ordinal")
    ordinal.trigger()
    assert [document.plan.column(name).kind for name in ("city", "smokes")] == ["ordinal"] * 2


def test_that_only_the_chosen_domains_are_confirmed(opened, document):
    choose(opened, "city", "smokes")
    opened.commands.several.confirm.trigger()
    shown = dialog()
    assert {row.column.name for row in shown.view.waiting.rows} == {"city", "smokes"}
    shown.accept()
    assert [c.name for c in document.plan.columns if c.confirmed] == ["city", "smokes"]
    assert not document.plan.reading_confirmed


def test_that_a_dropped_column_waits_for_no_confirmation_anywhere(opened, document, qtbot):
    several = opened.commands.several
    choose(opened, "city", "smokes")
    assert several.confirm.isEnabled()
    several.drop.trigger()
    assert not several.confirm.isEnabled()
    plan = document.plan
    dropped = [column for column in plan.columns if column.name in ("city", "smokes")]
    assert [column.waits for column in dropped] == [False, False]
    assert not any("confirm" in origin_words(column) for column in dropped)
    asked = {row.column.name for row in waiting_domains(plan, {})}
    assert asked == {column.name for column in plan.columns if column.waits}
    assert asked.isdisjoint({"city", "smokes"})
    assert set(counted_columns(plan, document.table)) == asked
    shown = ConfirmDomains(plan, {})
    qtbot.addWidget(shown)
    shown.reading.setChecked(True)
    confirmed = shown.confirmed(plan)
    assert not any(column.waits for column in confirmed.columns)
    assert not confirmed.column("city").confirmed
    document.edit("confirm", confirmed)
    assert not opened.commands.confirm_all.isEnabled()


# Confirming by row


def given_of(document) -> dict[str, GivenAnswers]:
    table = document.table
    return {
        column.name: given_answers(column, table.column(column.name), table.reading)
        for column in document.plan.columns
        if column.name in table.names
    }


def test_that_a_list_with_rare_answers_comes_first_and_is_not_ticked(
    opened, document, qtbot, tmp_path, wait
):
    document.new()
    path = tmp_path / "rare.csv"
    towns = ["Oslo"] * 60 + ["Bergen"] * 57 + ["Røst"] * 3
    rows = "".join(f"{town},{20 + row % 7},{row % 2}\n" for row, town in enumerate(towns))
    path.write_text("town,age,smokes\n" + rows, encoding="utf-8")
    document.open_table(path)
    wait()
    shown = ConfirmDomains(document.plan, given_of(document))
    qtbot.addWidget(shown)
    first = shown.view.waiting.rows[0]
    assert (first.column.name, first.rare, first.confirm) == ("town", (("Røst", 3),), False)
    assert "Røst (3)" in shown.view.waiting.detail(first, PUBLISHED)
    assert all(row.confirm for row in shown.view.waiting.rows[1:])
    plan = shown.confirmed(document.plan)
    assert [c.confirmed for c in plan.columns] == [False, True, True]
    shown.show()
    shown.view.setFocus()
    qtbot.keyClick(shown.view, Qt.Key.Key_Space)
    assert all(c.confirmed for c in shown.confirmed(document.plan).columns)


def test_that_a_list_whose_categories_look_alike_is_not_ticked(qtbot):
    towns = ["North"] * 50 + ["North\u200b"] * 9 + ["South"] * 40
    table = table_from_texts({"region": towns, "smokes": ["yes", "no", "no"] * 33})
    plan = draft_table(table)
    shown = ConfirmDomains(plan, counted_columns(plan, table))
    qtbot.addWidget(shown)
    model = shown.view.waiting
    assert [(row.column.name, row.confirm) for row in model.rows] == [
        ("region", False),
        ("smokes", True),
    ]
    assert model.detail(model.rows[0], PUBLISHED) == "2 look alike, with signs that nobody sees"
    texts = [label.text() for label in shown.findChildren(PlainLabel)]
    assert "1 list holds categories that look alike: it is not ticked." in texts
    assert not any("fewer than" in text for text in texts)


def test_that_window_and_command_line_name_what_a_few_respondents_gave_alike(tmp_path, capsys):
    several = OptionSet(values=("A", "B", "C"))
    words = Categorical(values=("x", "y", "never"), labels={"y": "Why"})
    plan = Plan(
        columns=(
            ColumnPlan(name="one", kind="nominal", domain=words),
            ColumnPlan(name="many", kind="several", domain=several),
            ColumnPlan(name="low", kind="integer", domain=Integer(lower=0, upper=30)),
            ColumnPlan(name="rated", kind="integer", domain=Integer(lower=0, upper=20)),
        )
    )
    lines = [
        f"{'y' if i == 3 else 'x'},{'A;C' if i < 2 else 'A;B'},{i},{i % 2 * 20}" for i in range(30)
    ]
    data, path = tmp_path / "s.csv", tmp_path / "plan.json"
    data.write_text("one,many,low,rated\n" + "\n".join(lines) + "\n", encoding="utf-8")
    save_plan(plan, path)
    assert main(["confirm", str(path), "--data", str(data), "--json"]) == 0
    told = {one["column"]: one for one in json.loads(capsys.readouterr().out)["columns"]}
    assert {name: one.get("rare_values", []) for name, one in told.items()} == {
        "one": ["y"],
        "many": ["C"],
        "low": [],
        "rated": [],
    }
    assert {name: one.get("at_bounds", 0) for name, one in told.items()} == {
        "one": 0,
        "many": 0,
        "low": 1,
        "rated": 0,
    }
    rows = waiting_domains(plan, counted_columns(plan, load(data)))
    assert {row.column.name: (row.rare, row.at_ends) for row in rows} == {
        "one": ((("Why", 1),), 0),
        "many": ((("C", 2),), 0),
        "low": ((), 1),
        "rated": ((), 0),
    }
    assert [row.column.name for row in rows] == ["one", "many", "low", "rated"]
    details = [WaitingModel().detail(row, PUBLISHED) for row in rows]
    assert details[2] == "fewer than 5 respondents gave one of its bounds"
    assert details[3] == "set by hand"


def test_that_bounds_of_few_respondents_are_confirmed_only_by_hand(tmp_path, qtbot):
    path = tmp_path / "income.csv"
    incomes = [4217, *(1000 * (i % 60 + 10) for i in range(600)), 99871]
    path.write_text("\n".join(["income", *map(str, incomes)]) + "\n", encoding="utf-8")
    table = load(path)
    plan = draft_table(table)
    shown = ConfirmDomains(plan, counted_columns(plan, table))
    qtbot.addWidget(shown)
    model = shown.view.waiting
    (row,) = model.rows
    assert row.at_ends
    assert not row.confirm
    texts = [label.text() for label in shown.findChildren(PlainLabel)]
    assert any("fewer than 5 respondents gave: it is not ticked" in text for text in texts)
    # The rounder bounds tell less: taking them confirms them.
    model.toggle(0, ROUNDER)
    assert (model.rows[0].confirm, model.rows[0].round_off) == (True, True)
    model.toggle(0, ROUNDER)
    assert not model.rows[0].confirm
    model.toggle(0, CONFIRM)
    assert model.rows[0].confirm


def test_that_rounder_bounds_are_taken_only_where_they_are_ticked(opened, document, qtbot):
    shown = ConfirmDomains(document.plan, given_of(document))
    qtbot.addWidget(shown)
    model = shown.view.waiting
    row = next(i for i, waiting in enumerate(model.rows) if waiting.column.name == "age")
    assert model.text(model.row(row), ROUNDER) == "10–80, step 1"
    assert shown.confirmed(document.plan).column("age").domain == Integer(lower=18, upper=77)
    model.toggle(row, ROUNDER)
    age = shown.confirmed(document.plan).column("age")
    assert (age.domain, age.confirmed) == (Integer(lower=10, upper=80), True)
    model.toggle(row, CONFIRM)
    # What is not confirmed is not changed either.
    assert shown.confirmed(document.plan).column("age").domain == Integer(lower=18, upper=77)


def test_that_nothing_can_be_confirmed_without_a_tick(opened, document, qtbot):
    shown = ConfirmDomains(document.plan, given_of(document))
    qtbot.addWidget(shown)
    shown.view.waiting.tick_all(False)
    # How the file is read is a confirmation like any other: nobody gave it yet.
    assert not shown.reading.isHidden()
    assert not shown.confirm_button.isEnabled()
    shown.reading.setChecked(True)
    assert shown.confirm_button.isEnabled()
    assert shown.confirmed(document.plan).reading_confirmed


def test_that_tab_goes_through_the_confirmation_as_it_is_read(opened, document, qtbot):
    shown = ConfirmDomains(document.plan, given_of(document))
    qtbot.addWidget(shown)
    with qtbot.waitActive(shown):
        shown.show()
    shown.view.setFocus()
    seen = [shown.focusWidget()]
    for _ in range(4):
        qtbot.keyClick(shown.focusWidget(), Qt.Key.Key_Tab)
        seen.append(shown.focusWidget())
    assert seen[:2] == [shown.view, shown.all_rows]
    assert shown.reading in seen
    heights = [stop.mapTo(shown, stop.rect().topLeft()).y() for stop in seen]
    assert heights == sorted(heights)
    qtbot.keyClick(shown.focusWidget(), Qt.Key.Key_Backtab)
    assert shown.focusWidget() is seen[-2]


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        (Integer(lower=17, upper=90, unit="years"), Integer(lower=10, upper=90, unit="years")),
        (Integer(lower=0, upper=9105, step=5), Integer(lower=0, upper=10_000, step=10)),
        (Integer(lower=0, upper=100), None),
        (Integer(lower=3, upper=17, step=7), None),
        (
            Real(lower=Decimal("5.1"), upper=Decimal("68.7"), resolution=Decimal("0.1")),
            Real(lower=Decimal(0), upper=Decimal(70), resolution=Decimal("0.1")),
        ),
    ],
)
def test_that_rounder_bounds_hold_the_range_and_keep_the_grid_small(domain, expected):
    assert rounder_bounds(domain) == expected


def test_that_a_domain_typed_or_of_a_codebook_says_where_it_comes_from(document, opened, qtbot):
    plan = document.plan.with_column(
        "city", domain=Categorical(values=("Oslo", "Bergen", "Moss")), provenance="declared"
    )
    shown = ConfirmDomains(plan, given_of(document))
    qtbot.addWidget(shown)
    row = next(r for r in shown.view.waiting.rows if r.column.name == "city")
    assert shown.view.waiting.detail(row, PUBLISHED) == "set by hand"


def test_that_confirm_all_lists_kept_columns_too_and_confirms_the_ticked_ones(
    opened, document, qtbot
):
    plan = confirm_domains(document.plan).with_column("city", role="keep", keep_confirmed=False)
    document.edit("keep", plan)
    assert opened.commands.confirm_all.isEnabled()
    shown = ConfirmDomains(document.plan, given_of(document))
    qtbot.addWidget(shown)
    (row,) = shown.view.waiting.rows
    assert (row.column.name, row.confirm) == ("city", False)
    assert not shown.confirm_button.isEnabled()
    shown.view.waiting.toggle(0, 0)
    confirmed = shown.confirmed(document.plan).column("city")
    assert confirmed.keep_confirmed
    assert confirmed.confirmed


@pytest.mark.parametrize(
    ("outside", "words"),
    [
        (["-7"] * 9, {"left": "below the domain: 9 (31.0 %)"}),
        (["8"] * 9, {"right": "above the domain: 9 (31.0 %)"}),
        (["-7"] * 4 + ["8"] * 5, {"left": "below the domain: 4", "right": "above the domain: 5"}),
        # What is no number has no side of its own; it stands with what is missing.
        (["x"] * 9, {"right": "outside the domain: 9 (31.0 %)"}),
    ],
)
def test_that_answers_outside_are_drawn_on_the_side_where_they_lie(qtbot, outside, words):
    column = ColumnPlan(name="n", kind="integer", domain=Integer(lower=0, upper=3))
    table = table_from_texts({"n": ["0", "1", "2", "3"] * 5 + outside})
    given = given_answers(column, table.column("n"), table.reading)
    picture = AnswersPicture()
    qtbot.addWidget(picture)
    picture.resize(320, 150)
    picture.show_answers(given)
    shown, orange = picture.grab().toImage(), QColor(theme_in_force().warning).rgb()
    columns = range(shown.width())
    painted = {x for x in columns if any(shown.pixel(x, y) == orange for y in range(100, 120))}
    sides = {"left": range(16), "right": range(shown.width() - 16, shown.width())}
    assert {side for side, place in sides.items() if painted & set(place)} == set(words)
    assert painted <= {x for side in words for x in sides[side]}
    for said in words.values():
        assert said in picture.words_at(-1)
    # The bars of the domain stay under the mouse where they are drawn.
    middle = shown.width() // 2
    assert picture.words_at(middle - 20).startswith("1:")
    assert picture.words_at(middle + 30).startswith("2:")
