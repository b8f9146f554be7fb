"""What will be looked at together: named in the first question, judged on the Plan page."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan import PlanPage
from dpdesk.gui.pages.plan.purpose_dialog import PurposeDialog
from dpdesk.gui.pages.plan.wanted_analyses import continued
from dpdesk.plan.joint_errors import wanted_analyses
from dpdesk.plan.verdicts import RATINGS
from tests.gui.hands import Hands
from tests.gui.plan.survey_plans import survey_plan


def opened(qtbot: QtBot, document: Document) -> PlanPage:
    document.reset(survey_plan())
    page = PlanPage(document)
    qtbot.addWidget(page)
    page.resize(1260, 790)
    page.show()
    qtbot.waitExposed(page)
    return page


def dialog_of(page: PlanPage, qtbot: QtBot) -> PurposeDialog:
    page.records.ask_purpose()
    dialog = page.findChild(PurposeDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: not dialog._watch.is_running)
    return dialog


def test_that_what_is_named_is_judged_in_the_dialog_and_on_the_page(
    qtbot: QtBot, document: Document, hands: Hands
) -> None:
    page = opened(qtbot, document)
    wanted = page.records.wanted
    assert not wanted.isVisible()
    mechanisms = [column.mechanism for column in document.plan.columns]
    dialog = dialog_of(page, qtbot)
    hands.type(dialog.wanted.line, "happy x affairs; age by region", enter=False)
    dialog.wanted.line.commit()
    plan = document.plan.with_fields(analyses=("happy x affairs", "age by region"))
    for one in wanted_analyses(plan):
        assert one.error is not None
        told = one.error.text.replace(" ", "\N{NO-BREAK SPACE}")
        rating = RATINGS[one.error.usefulness.verdict]()
        assert f"{one.text}: {told}, {rating}" in dialog.wanted.worth.text()
    dialog.accept()
    assert document.plan.analyses == ("happy x affairs", "age by region")
    # Nothing else was chosen: the mechanisms stay.
    assert [column.mechanism for column in document.plan.columns] == mechanisms
    assert wanted.isVisible()
    assert wanted.text().startswith("happy x affairs: ±")
    document.undo_stack.undo()
    assert document.plan.analyses == ()
    assert not wanted.isVisible()


def test_that_ok_takes_what_is_typed_and_stays_where_it_is_refused(
    qtbot: QtBot, document: Document, hands: Hands
) -> None:
    page = opened(qtbot, document)
    dialog = dialog_of(page, qtbot)
    hands.type(dialog.wanted.line, "happy x nothing", enter=False)
    dialog.accept()
    assert dialog.isVisible()
    assert dialog.refusal()
    hands.type(dialog.wanted.line, "happy x affairs", enter=False)
    dialog.accept()
    assert document.plan.analyses == ("happy x affairs",)


def test_that_the_line_follows_epsilon(qtbot: QtBot, document: Document) -> None:
    page = opened(qtbot, document)
    document.edit("x", document.plan.with_fields(analyses=("happy x affairs",)))
    before = page.records.wanted.text()
    document.edit("x", document.plan.with_column("affairs", **_at("warner", "3")))
    assert page.records.wanted.text() != before
    (told,) = wanted_analyses(document.plan)
    assert told.error is not None
    assert told.error.text.replace(" ", "\N{NO-BREAK SPACE}") in page.records.wanted.text()


def _at(kind: str, epsilon: str) -> dict[str, object]:
    from tests.gui.plan.survey_plans import mechanism

    return {"mechanism": mechanism(kind, epsilon)}


def test_that_what_cannot_be_read_is_refused_and_the_dialog_stays(
    qtbot: QtBot, document: Document, hands: Hands
) -> None:
    page = opened(qtbot, document)
    dialog = dialog_of(page, qtbot)
    hands.type(dialog.wanted.line, "happy x nothing", enter=False)
    dialog.wanted.line.commit()
    assert "happy x nothing" in dialog.wanted.refusal.text()
    dialog.accept()
    assert dialog.isVisible()
    assert document.plan.analyses == ()


def test_that_a_problem_of_an_analysis_leads_to_the_dialog(
    qtbot: QtBot, document: Document
) -> None:
    page = opened(qtbot, document)
    page.show_path("analyses")
    assert page.findChild(PurposeDialog) is not None


def test_that_a_strategy_without_tables_says_how_many_are_lost(
    qtbot: QtBot, document: Document
) -> None:
    page = opened(qtbot, document)
    analyses = ("happy x affairs", "happy x region")
    document.edit("x", document.plan.with_fields(analyses=analyses))
    dialog = dialog_of(page, qtbot)
    told = " ".join(dialog.strategies["smp"].lines())
    assert "1 of 2 that are looked at together cannot be had." in told
    assert "at worst" in " ".join(dialog.strategies["spl"].lines())


def test_that_names_are_completed() -> None:
    names = ("happy", "age", "net income")
    assert continued("ha", names) == ("happy",)
    assert continued("happy", names) == ("happy x ", "happy by ", "happy ~ ")
    assert continued("happy ~ age", names) == ("happy ~ age + ",)
    assert continued("happy ~ age + ne", names) == ("happy ~ age + net income",)
    assert continued("happy x ag", names) == ("happy x age",)
    assert continued("happy x age; net", names) == ("happy x age; net income",)
    assert continued("", names) == ()
