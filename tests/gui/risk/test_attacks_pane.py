from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from dpdesk.attacks import ATTACKS, Attack, Findings, Target, in_words
from dpdesk.attacks.homogeneity import Homogeneity
from dpdesk.attacks.linkage import Linkage
from dpdesk.attacks.sampled_attribute import SampledAttribute
from dpdesk.attacks.swapped_coin import SwappedCoin
from dpdesk.attacks.texts import T
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical
from dpdesk.engine import Tracker
from dpdesk.gui.document import Document
from dpdesk.gui.pages.risk import RiskPage, attack_room, attacks_pane
from dpdesk.gui.pages.risk.attack_room import AttackRoom
from dpdesk.gui.pages.risk.attack_view import AttackView
from dpdesk.gui.pages.risk.attacks_pane import (
    ATTACK,
    FINDING,
    SHOW,
    STOPS,
    AttacksPane,
)
from dpdesk.numbers.digits import share_text
from dpdesk.plan import (
    ColumnPlan,
    MissingPolicy,
    Plan,
    confirm_domains,
    draft_table,
    protect_unassigned,
)

Wait = Callable[[], None]
NUMBER = {kind: number for number, kind in enumerate(ATTACKS)}


def neighbours() -> SurveyTable:
    """120 people in groups by age and region, some of whom are alone."""
    rows = range(120)
    return table_from_texts(
        {
            "age": [str(20 + row % 35) for row in rows],
            "region": ["abc"[row * 5 % 3] for row in rows],
            "income": ["high" if row % 7 < 3 else "low" for row in rows],
        }
    )


@pytest.fixture
def page(qtbot: QtBot, document: Document) -> Iterator[RiskPage]:
    shown = RiskPage(document)
    qtbot.addWidget(shown)
    shown.resize(1280, 760)
    shown.show()
    yield shown
    shown.shut_down()


@pytest.fixture
def pane(page: RiskPage) -> AttacksPane:
    page.tabs.show_pane(AttacksPane)
    found = next(one for one in page.tabs.panes if isinstance(one, AttacksPane))
    assert found.isVisible() or page.document.table is None
    return found


@pytest.fixture
def wait(qtbot: QtBot, page: RiskPage, pane: AttacksPane) -> Wait:
    def idle() -> bool:
        rooms = (pane.attack(number) for number in range(len(ATTACKS)))
        busy = any(room.watch.is_running for room in rooms if isinstance(room, AttackRoom))
        return not (page.state.watch.is_running or pane.watch.is_running or busy)

    return lambda: qtbot.waitUntil(idle)


def room_of(pane: AttacksPane, kind: type) -> AttackRoom:
    pane.show_attack(NUMBER[kind])
    room = pane.attack(NUMBER[kind])
    assert isinstance(room, AttackRoom)
    return room


def test_that_every_attack_is_listed_with_its_finding_on_the_chosen_columns(
    page: RiskPage, pane: AttacksPane, document: Document, wait: Wait
) -> None:
    assert [row.attack.title for row in pane.model.rows] == [kind.title for kind in ATTACKS]
    assert {pane.model.text(row, FINDING) for row in pane.model.rows} == {"not run yet"}
    document._set_table(neighbours(), None)
    wait()
    page.state.choose(("age", "region"), ("income",))
    wait()
    for row in pane.model.rows:
        if isinstance(row.attack, SampledAttribute):
            assert row.outcome is None
            continue
        assert pane.model.text(row, FINDING) not in ("", "not run yet")
        assert pane.model.text(row, STOPS)
        if isinstance(row.outcome, Findings) and not row.attack.is_tale:
            # One measure in both cells: how often the attack is right.
            cell = pane.model.text(row, FINDING).replace("\u00a0", " ")
            assert share_text(row.outcome.success) in cell
            assert share_text(row.outcome.baseline) in cell
            assert "right in" in pane.model.text(row, STOPS)
    linkage = pane.model.rows[NUMBER[Linkage]]
    # In the order of the picture: region does less than age.
    assert linkage.attack == Linkage(columns=("region", "age"))
    assert isinstance(linkage.outcome, Findings)
    assert linkage.outcome == Linkage(columns=("region", "age")).run(
        attack_room.Target(neighbours())
    )
    homogeneity = pane.model.rows[NUMBER[Homogeneity]].attack
    assert homogeneity == Homogeneity(columns=("region", "age"), column="income")
    page.state.choose(("region",), ("income",))
    wait()
    assert "0 %" in pane.model.text(pane.model.rows[NUMBER[Linkage]], FINDING).replace(
        "\u00a0", " "
    )


def test_that_show_and_enter_open_an_attack_with_what_was_found(
    page: RiskPage, pane: AttacksPane, document: Document, wait: Wait, qtbot: QtBot
) -> None:
    document._set_table(neighbours(), None)
    wait()
    place = pane.view.visualRect(pane.model.index(0, SHOW)).center()
    qtbot.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    room = pane.attack(0)
    assert isinstance(room, AttackRoom)
    assert page.rooms.currentWidget() is room
    outcome = pane.model.rows[0].outcome
    assert room.findings is outcome
    assert isinstance(outcome, Findings)
    assert in_words(outcome.sentences[0]) in room.sentences()
    assert len(room.picture.plot.table_data().rows) == len(outcome.picture.x)
    room.back.click()
    assert page.rooms.currentWidget() is page.overview
    place = pane.view.visualRect(pane.model.index(1, ATTACK)).center()
    qtbot.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert page.rooms.currentWidget() is page.overview
    qtbot.keyClick(pane.view, Qt.Key.Key_Return)
    assert page.rooms.currentWidget() is pane.attack(1)


def test_that_an_attack_adds_columns_in_the_order_of_the_picture_beside_the_list(
    page: RiskPage, pane: AttacksPane, document: Document, wait: Wait
) -> None:
    document._set_table(neighbours(), None)
    wait()
    for in_order, names in ((False, ("region", "age")), (True, ("age", "region"))):
        page.return_room()
        page.state.choose(("age", "region"), ("income",), in_order=in_order)
        wait()
        assert [row[0] for row in page.picture.plot.table_data().rows] == list(names)
        for kind in (Linkage, Homogeneity):
            shown = room_of(pane, kind).picture.plot.table_data().rows
            assert [row[0] for row in shown] == [names[0], f"+ {names[1]}"]


def test_that_the_keys_go_through_a_form_and_back_to_its_row(
    page: RiskPage, pane: AttacksPane, document: Document, wait: Wait, qtbot: QtBot
) -> None:
    document._set_table(neighbours(), None)
    wait()
    page.activateWindow()
    room = room_of(pane, Linkage)
    qtbot.waitUntil(room.run.hasFocus)
    assert room.form.fields
    for name in room.form.fields:
        qtbot.keyClick(page.focusWidget(), Qt.Key.Key_Tab)
        assert room.form.fields[name].hasFocus(), name
    room.back.click()
    qtbot.waitUntil(pane.view.hasFocus)


def test_that_a_changed_parameter_changes_the_finding_in_the_list(
    page: RiskPage, pane: AttacksPane, document: Document, wait: Wait
) -> None:
    document._set_table(neighbours(), None)
    wait()
    room = room_of(pane, Linkage)
    line = room.form.line("share")
    line.setText("1")
    line.editingFinished.emit()
    assert room.attack.model_dump()["share"] == 1
    room.run.click()
    wait()
    outcome = pane.model.rows[0].outcome
    assert isinstance(outcome, Findings)
    assert outcome.figures["entries"] == 120


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("share", "2", "less than or equal to 1"),
        ("share", "1_0", "not a number"),
        ("seed", "1.5", "not a whole number"),
    ],
)
def test_that_a_wrong_parameter_is_refused_in_place(
    pane: AttacksPane, document: Document, wait: Wait, name: str, text: str, said: str
) -> None:
    document._set_table(neighbours(), None)
    wait()
    room = room_of(pane, Linkage)
    before = room.attack
    line = room.form.line(name)
    line.setText(text)
    line.editingFinished.emit()
    assert said in room.form.refusal()
    assert room.attack == before


def test_that_a_list_of_the_user_is_compared_and_its_unused_parameters_rest(
    pane: AttacksPane, document: Document, wait: Wait, tmp_path: Path
) -> None:
    register = tmp_path / "names.csv"
    register.write_text("name,age,region\nAnn,20,a\nBob,99,a\n", encoding="utf-8")
    document._set_table(neighbours(), None)
    wait()
    room = room_of(pane, Linkage)
    room.take_register(register)
    wait()
    assert room.findings is not None
    assert room.findings.figures["entries"] == 2
    assert not room.form.fields["share"].isEnabled()
    assert room.form.fields["epsilon"].isEnabled()
    register.write_text("name\nAnn\n", encoding="utf-8")
    room.start()
    wait()
    assert T.LIST_LACKS(columns="“region” and “age”") in room.notice.message()


def test_that_an_attack_can_be_cancelled(
    page: RiskPage,
    pane: AttacksPane,
    document: Document,
    wait: Wait,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def endless(_attack: object, _target: object, _register: object, tracker: Tracker) -> object:
        while True:
            tracker.tick()

    document._set_table(neighbours(), None)
    wait()
    room = room_of(pane, Linkage)
    monkeypatch.setattr(attack_room, "attack_task", endless)
    room.start()
    assert room.progress.stop.isVisible()
    assert not room.run.isEnabled()
    qtbot.keyClick(room, Qt.Key.Key_Escape)
    wait()
    assert page.rooms.currentWidget() is room
    assert room.run.isEnabled()
    qtbot.keyClick(room, Qt.Key.Key_Escape)
    assert page.rooms.currentWidget() is page.overview


def test_that_every_attack_has_a_form_of_all_its_parameters(
    pane: AttacksPane, document: Document, wait: Wait
) -> None:
    document._set_table(neighbours(), None)
    wait()
    for kind in ATTACKS:
        if kind is SampledAttribute:
            continue
        room = room_of(pane, kind)
        assert tuple(room.form.fields) == kind.parameters()
        listing = room.list_button
        assert isinstance(listing, QPushButton)
        assert listing.isHidden() is not bool(kind.outside_file)
        wait()


def test_that_the_attack_on_fakes_stands_in_the_list_once_it_was_run(
    pane: AttacksPane, document: Document, wait: Wait, qtbot: QtBot
) -> None:
    table = neighbours()
    document._set_table(table, None)
    document.reset(protect_unassigned(confirm_domains(draft_table(table))))
    wait()
    number = NUMBER[SampledAttribute]
    assert pane.model.text(pane.model.rows[number], FINDING) == "not run yet"
    pane.show_attack(number)
    view = pane.attack(number)
    assert isinstance(view, AttackView)
    view.form.target.setCurrentIndex(view.form.target.findData("variants"))
    view.start()
    qtbot.waitUntil(lambda: not view.watch.is_running)
    assert "Right in" in pane.model.text(pane.model.rows[number], FINDING)


def test_that_the_bundled_example_leaves_the_list_as_it_is(
    pane: AttacksPane, document: Document, wait: Wait
) -> None:
    document._set_table(neighbours(), None)
    wait()
    room = room_of(pane, Homogeneity)
    before = pane.model.rows[NUMBER[Homogeneity]]
    room.example_button.click()
    wait()
    assert "chest pain" in room.sentences()
    # No column of the open file stands beside what was found in the example.
    assert room.form.line("columns").text() == ""
    assert not room.form.isEnabled()
    assert pane.model.rows[NUMBER[Homogeneity]] == before
    room.run.click()
    wait()
    assert "chest pain" not in room.sentences()
    assert room.form.line("columns").text() == "region, age"
    assert room.form.isEnabled()


def test_that_a_mistake_to_learn_from_needs_no_data(pane: AttacksPane, wait: Wait) -> None:
    room = room_of(pane, SwappedCoin)
    wait()
    assert room.findings is not None
    assert "25.3" in room.sentences()


def test_that_the_model_keeps_the_rules_of_qt(
    pane: AttacksPane, document: Document, wait: Wait
) -> None:
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    QAbstractItemModelTester(pane.model, mode, pane)
    document._set_table(neighbours(), None)
    wait()
    assert pane.model.rowCount() == len(ATTACKS)


def test_that_another_plan_is_attacked_anew_here_and_on_the_page_of_an_attack(
    page: RiskPage,
    pane: AttacksPane,
    document: Document,
    wait: Wait,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attacked: list[Plan | None] = []
    real = attacks_pane.attacks_task

    def noted(attacks: Sequence[Attack], target: Target, tracker: Tracker) -> Any:
        attacked.append(target.plan)
        return real(attacks, target, tracker)

    monkeypatch.setattr(attacks_pane, "attacks_task", noted)
    document._set_table(neighbours(), None)
    values = tuple(sorted(neighbours().column("region").distinct))
    column = ColumnPlan(name="region", kind="nominal", domain=Categorical(values=values))
    document.reset(Plan(columns=(column,)))
    page.state.choose(("age", "region"), ("income",))
    wait()
    assert attacked[-1] == document.plan
    before = len(attacked)
    # A label is no part of what is attacked; a missing answer is.
    document.edit("Label", document.plan.with_column("region", label="Where"))
    wait()
    assert len(attacked) == before
    missing = MissingPolicy(policy="blank", tokens=(values[0],))
    document.edit("Missing", document.plan.with_column("region", missing=missing))
    wait()
    assert attacked[-1] == document.plan
    before = len(attacked)
    room = room_of(pane, Linkage)
    document.undo_stack.undo()
    wait()
    assert len(attacked) > before
    assert attacked[-1] == document.plan
    assert room.findings is pane.model.rows[NUMBER[Linkage]].outcome


def test_that_a_sensitive_column_nobody_chose_is_named_as_supposed(
    pane: AttacksPane, document: Document, qtbot: QtBot
) -> None:
    document._set_table(neighbours(), None)
    qtbot.waitUntil(pane.supposed.isVisible)
    assert "others want to learn “income”" in pane.supposed.text()
    pane.state.choose(("age",), ("region",))
    qtbot.waitUntil(lambda: not pane.supposed.isVisible())
