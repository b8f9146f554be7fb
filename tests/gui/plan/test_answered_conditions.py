"""Conditions on who answered and on options that were ticked, by words and by picking."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.domains import OptionSet
from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan import PlanPage
from dpdesk.gui.pages.plan.plan_models import ERROR
from dpdesk.gui.pages.plan.plan_pane import StatisticsPane
from dpdesk.gui.pages.plan.query_dialogs import ConditionEditor, ConditionsDialog
from dpdesk.plan import ColumnPlan, MissingPolicy, Plan
from dpdesk.queries import Condition
from dpdesk.releases.statistics import STATISTICS
from tests.gui.plan.survey_plans import survey_plan
from tests.gui.test_accessibility import nameless

MEDIA = ColumnPlan(
    name="media",
    kind="several",
    domain=OptionSet(values=("TV", "Web", "Radio")),
    missing=MissingPolicy(policy="category", value="(no answer)"),
    confirmed=True,
)


@pytest.fixture
def view(open_page: Callable[[Plan], PlanPage], document: Document) -> StatisticsPane:
    """The statistics of the survey of the drawing and a question with several answers."""
    plan = survey_plan()
    page = open_page(plan.with_fields(columns=(*plan.columns, MEDIA)))
    document.set_release_kind(STATISTICS)
    return page.statistics


def _where(document: Document) -> tuple[Condition, ...]:
    return document.plan.statistics.queries[0].where


def _answer(editor: ConditionEditor, answered: bool | None) -> None:
    place = editor.answered.findData(answered)
    editor.answered.setCurrentIndex(place)
    editor.answered.activated.emit(place)


def test_that_words_ask_for_options_and_for_who_answered(
    view: StatisticsPane, document: Document, qtbot: QtBot
) -> None:
    for phrase in ("count where media has tv", "share with income is not answered"):
        view.ask.phrase.setFocus()
        qtbot.keyClicks(view.ask.phrase, phrase)
        qtbot.keyClick(view.ask.phrase, Qt.Key.Key_Return)
    first, second = document.plan.statistics.queries
    assert first.description == "count of rows where media has TV"
    assert second.description == "share with income is not answered"
    assert document.problems == ()
    for row in (0, 1):
        assert "±" in str(view.model.index(row, ERROR).data())


def test_that_a_count_by_options_says_how_many_statistics_it_became(
    view: StatisticsPane, document: Document
) -> None:
    assert view.edits.ask("count by media") == ""
    said = [query.description for query in document.plan.statistics.queries]
    assert said[0] == "count of rows where media has TV"
    assert said[-1] == "count of rows where media is not answered"
    assert view.ask.note.text().startswith("One statistic for each group or option: 4 were added")


def test_that_options_and_who_answered_are_picked(view: StatisticsPane, document: Document) -> None:
    assert view.edits.ask("count") == ""
    view.panel.choose_conditions("where")
    dialog = view.window().findChild(ConditionsDialog)
    editor = dialog.choose("media")
    listed = [editor.categories.item(row).text() for row in range(editor.categories.count())]
    # "(no answer)" is no option.
    assert listed == ["TV", "Web", "Radio"]
    for option in ("TV", "Web", "Radio"):
        editor.categories.tick(option)
    _answer(dialog.choose("income"), False)
    assert not dialog.editors["income"].least.isEnabled()
    assert nameless(dialog) == []
    dialog.accept()
    # All options ticked are a condition, too: that any of them was.
    assert _where(document) == (
        Condition(column="income", answered=False),
        Condition(column="media", options=("TV", "Web", "Radio")),
    )


def test_that_a_condition_in_force_is_shown_and_can_be_taken_back(
    view: StatisticsPane, document: Document
) -> None:
    assert view.edits.ask("count where age is answered and media is not answered") == ""
    view.panel.choose_conditions("where")
    dialog = view.window().findChild(ConditionsDialog)
    assert dialog.choose("media").answered.currentData() is False
    age = dialog.choose("age")
    assert age.answered.currentData() is True
    _answer(age, None)
    assert age.least.isEnabled()
    dialog.accept()
    assert _where(document) == (Condition(column="media", answered=False),)


def test_that_a_range_that_is_none_does_not_hold_up_who_answered(
    view: StatisticsPane, document: Document
) -> None:
    assert view.edits.ask("count") == ""
    view.panel.choose_conditions("where")
    dialog = view.window().findChild(ConditionsDialog)
    age = dialog.choose("age")
    age.least.setText("many")
    age.least.textEdited.emit("many")
    assert age.refusal()
    _answer(age, True)
    assert not age.refusal()
    dialog.accept()
    assert _where(document) == (Condition(column="age", answered=True),)


def test_that_a_negated_condition_is_shown_and_stays_one_when_it_is_edited(
    view: StatisticsPane, document: Document
) -> None:
    assert view.edits.ask("count where media does not have TV and age is not from 18 to 64") == ""
    view.panel.choose_conditions("where")
    dialog = view.window().findChild(ConditionsDialog)
    media = dialog.choose("media")
    assert media.answered.currentText() == "another answer than below"
    media.categories.tick("Web")
    age = dialog.choose("age")
    assert age.least.isEnabled()
    _answer(age, None)
    dialog.accept()
    assert _where(document) == (
        Condition(column="age", lower=Decimal(18), upper=Decimal(64)),
        Condition(column="media", options=("TV", "Web"), negated=True),
    )
