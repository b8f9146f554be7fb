"""What people will do with the file: purposes, strategies side by side, five simulated rows."""

from __future__ import annotations

from decimal import Decimal

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.data.sample import load_sample, sample_codebook
from dpdesk.domains import OptionSet
from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan import PlanPage
from dpdesk.gui.pages.plan.purpose_dialog import PurposeDialog
from dpdesk.mechanisms import mechanism_named
from dpdesk.mechanisms.choice import candidate
from dpdesk.plan import (
    ColumnPlan,
    Plan,
    confirm_domains,
    draft_table,
    protect_unassigned,
    total_epsilon,
)
from dpdesk.plan.checks.texts import T
from dpdesk.plan.outlook import outlook
from dpdesk.plan.purpose import PURPOSES
from dpdesk.plan.release_usefulness import usefulness_of_records
from dpdesk.releases.statistics import STATISTICS


@pytest.fixture
def page(qtbot: QtBot, document: Document) -> PlanPage:
    """The page with a plan of the sample at a total of 4."""
    plan = protect_unassigned(confirm_domains(draft_table(load_sample(), sample_codebook())))
    document.reset(plan)
    shown = PlanPage(document)
    qtbot.addWidget(shown)
    shown.resize(1260, 790)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


@pytest.fixture
def dialog(page: PlanPage, qtbot: QtBot) -> PurposeDialog:
    """The dialog, opened by the button of the strip, with its rows."""
    qtbot.mouseClick(page.records.header.strategy.purpose, Qt.MouseButton.LeftButton)
    opened = page.findChild(PurposeDialog)
    assert opened is not None
    qtbot.waitUntil(lambda: opened._model.rowCount() == 5)
    return opened


def looked_at(dialog: PurposeDialog, qtbot: QtBot) -> list[str]:
    """The heads of the rows once they are simulated."""
    qtbot.waitUntil(lambda: not dialog._watch.is_running)
    return [head.text for head in dialog._model.heads]


def test_that_curators_who_are_trusted_are_led_to_statistics(
    dialog: PurposeDialog, document: Document, qtbot: QtBot
) -> None:
    before = document.plan
    qtbot.keyClick(dialog.trusted, Qt.Key.Key_Space)
    assert not dialog.isVisible()
    assert document.release_kind is STATISTICS
    assert document.plan == before


def test_that_shares_take_one_answer_and_the_error_of_each_strategy_is_shown(
    dialog: PurposeDialog, page: PlanPage, document: Document, qtbot: QtBot
) -> None:
    before = document.plan
    split, one = (dialog.strategies[key].lines()[0] for key in ("spl", "smp"))
    assert split != one
    dialog.purposes["shares"].button.setChecked(True)
    assert dialog.strategies["smp"].button.isChecked()
    assert "sampled_attribute" in looked_at(dialog, qtbot)
    dialog.accept()
    plan = document.plan
    assert (plan.purpose, plan.strategy) == ("shares", "smp")
    assert total_epsilon(plan) == total_epsilon(before) == Decimal(4)
    assert page.records.header.strategy.purpose.text() == "For shares and means…"
    document.undo_stack.undo()
    assert document.plan == before, "one step of undo"


def test_that_a_file_keeps_its_columns_and_its_answers(
    dialog: PurposeDialog, document: Document, qtbot: QtBot
) -> None:
    dialog.purposes["file"].button.setChecked(True)
    plan = document.plan
    assert looked_at(dialog, qtbot) == [column.name for column in plan.columns]
    for row in dialog._model.rows:
        for column, cell in zip(plan.columns, row, strict=True):
            domain = column.effective_domain
            assert domain is not None
            assert cell in domain.texts, column.name
    dialog.accept()
    for column in document.plan.protected:
        domain, mechanism = column.effective_domain, column.mechanism
        assert domain is not None
        assert mechanism is not None
        assert candidate(mechanism, domain).is_answer


def test_that_tables_keep_every_answer_and_say_what_a_cell_is_worth(
    dialog: PurposeDialog, document: Document
) -> None:
    dialog.purposes["tables"].button.setChecked(True)
    assert dialog.strategies["spl"].button.isChecked()
    assert "A cell of two questions: ±" in " ".join(dialog.strategies["spl"].lines())
    assert "A cell" not in " ".join(dialog.strategies["smp"].lines())
    dialog.accept()
    assert (document.plan.purpose, document.plan.strategy) == ("tables", "spl")
    told = [p for p in document.problems if p.message.startswith(T.TABLES_OF_TWO())]
    assert len(told) == 1


def test_that_a_strategy_that_is_impossible_says_why_and_cannot_be_chosen(
    dialog: PurposeDialog,
) -> None:
    card = dialog.strategies["rsrfd"]
    assert not card.button.isEnabled()
    assert "RS+RFD" in card.lines()[0]


def test_that_nothing_changes_where_nothing_is_chosen(
    dialog: PurposeDialog, document: Document
) -> None:
    before = document.plan
    assert "nothing is spent" in dialog.note.text()
    dialog.accept()
    assert document.plan is before
    assert dialog.refusal() == ""


def test_that_the_strategy_in_force_is_judged_by_the_mechanisms_in_force(
    page: PlanPage, document: Document, qtbot: QtBot
) -> None:
    """As the table of attributes judges them; what would be better is for "Choose best"."""
    name = document.plan.protected[0].name
    poor = mechanism_named("hadamard")(epsilon=document.plan.column(name).mechanism.epsilon)
    changed = document.plan.with_column(name, mechanism=poor)
    opened = PurposeDialog(changed, name, lambda _: "", lambda: None)
    qtbot.addWidget(opened)
    told = usefulness_of_records(changed).by_name[name].told
    assert opened.strategies["spl"].lines()[0].replace("\u00a0", " ") == f"{name} {told}"
    better = outlook(changed, "spl").usefulness.by_name[name]
    assert better.told != told
    # A purpose chooses mechanisms anew.
    opened.purposes["tables"].button.setChecked(True)
    assert better.told in opened.strategies["spl"].lines()[0].replace("\u00a0", " ")


def test_that_the_cards_judge_anew_once_the_file_is_counted(
    dialog: PurposeDialog, document: Document
) -> None:
    before = dialog.strategies["spl"].lines()
    document.planChanged.emit(document.plan, document.plan.with_rows(40))
    assert dialog.strategies["spl"].lines() != before


def test_that_a_file_like_the_old_one_says_that_several_answers_become_columns(
    dialog: PurposeDialog, qtbot: QtBot
) -> None:
    exception = PURPOSES["file"].of_several
    assert exception not in dialog.purposes["file"].lines()[0]
    options = OptionSet(values=("car", "bus"))
    asked = ColumnPlan(name="by", kind="several", domain=options, confirmed=True)
    plan = protect_unassigned(Plan(columns=(asked,))).with_fields(purpose="file")
    other = PurposeDialog(plan, "", lambda _: "", lambda: None)
    qtbot.addWidget(other)
    assert exception in other.purposes["file"].lines()[0]
    # And so it is: the rows below are those of the release.
    assert looked_at(other, qtbot) == ["by=car", "by=bus"]


def test_that_all_five_rows_are_seen_in_the_smallest_dialog(
    dialog: PurposeDialog, qtbot: QtBot
) -> None:
    looked_at(dialog, qtbot)
    dialog.resize(dialog.minimumSizeHint())
    rows = dialog.rows
    qtbot.waitUntil(lambda: rows.rowViewportPosition(4) >= 0)
    assert rows.rowViewportPosition(4) + rows.rowHeight(4) <= rows.viewport().height()
