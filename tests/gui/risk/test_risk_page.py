from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from dpdesk.attacks import ATTACKS
from dpdesk.attacks.sampled_attribute import SampledAttribute
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.disclosure.texts import T
from dpdesk.domains import Categorical, Integer
from dpdesk.engine import Tracker
from dpdesk.gui.document import Document
from dpdesk.gui.pages.risk import RiskPage
from dpdesk.gui.pages.risk import page as risk_page
from dpdesk.gui.pages.risk import pane as risk_pane
from dpdesk.gui.pages.risk.attack_view import AttackView
from dpdesk.gui.pages.risk.attacks_pane import AttacksPane
from dpdesk.gui.pages.risk.columns_pane import EFFECT, KNOWN, NAME, SENSITIVE, ColumnsPane
from dpdesk.gui.pages.risk.page import PANES
from dpdesk.gui.pages.risk.records_pane import RECORD, UNIQUE_ON, RecordsPane
from dpdesk.gui.pages.risk.stand_out_card import ALONE, LOST, WHAT
from dpdesk.gui.widgets.plain_text import ElidedLabel
from dpdesk.numbers.digits import chance_percent
from dpdesk.plan import Plan
from dpdesk.plan.column import ColumnPlan
from dpdesk.releases.private_risk import write_private_risk
from dpdesk.releases.texts import T as ReleasesT

Wait = Callable[[], None]


def people() -> SurveyTable:
    """Forty people in twenty pairs by age, one of whom is alone by sex; and what they earn."""
    rows = range(40)
    return table_from_texts(
        {
            "age": [str(20 + row // 2) for row in rows],
            "sex": ["f" if row == 7 else "m" for row in rows],
            "colour": ["red" if row % 4 else "blue" for row in rows],
            "income": [str(row // 2 % 3) for row in rows],
        }
    )


def plan_of(**roles: str) -> Plan:
    kinds = {
        "age": ("integer", Integer(lower=18, upper=60)),
        "sex": ("binary", Categorical(values=("f", "m"))),
        "colour": ("binary", Categorical(values=("blue", "red"))),
        "income": ("nominal", Categorical(values=("0", "1", "2"))),
    }
    columns = tuple(
        ColumnPlan(name=name, kind=kind, domain=domain, role=roles.get(name, "unassigned"))  # type: ignore[arg-type]
        for name, (kind, domain) in kinds.items()
    )
    return Plan(respondents=40, columns=columns)


@pytest.fixture
def page(qtbot: QtBot, document: Document) -> Iterator[RiskPage]:
    """The page with nothing open."""
    shown = RiskPage(document)
    qtbot.addWidget(shown)
    shown.resize(1280, 760)
    shown.show()
    yield shown
    shown.shut_down()


@pytest.fixture
def wait(qtbot: QtBot, page: RiskPage) -> Wait:
    """Waits until nothing runs."""
    return lambda: qtbot.waitUntil(lambda: not page.state.watch.is_running)


def open_people(document: Document, **roles: str) -> None:
    document._set_table(people(), None)
    document.reset(plan_of(**roles))


def pane_of(page: RiskPage, kind: type) -> object:
    return page.tabs.panes[PANES.index(kind)]


@pytest.fixture
def columns(page: RiskPage) -> ColumnsPane:
    pane = pane_of(page, ColumnsPane)
    assert isinstance(pane, ColumnsPane)
    return pane


def ticked(columns: ColumnsPane, column: int) -> set[str]:
    return {row.name for row in columns.model.rows if columns.model.is_ticked(row, column)}


def test_that_without_data_the_page_offers_a_way_on(page: RiskPage, qtbot: QtBot) -> None:
    assert page.inner.currentWidget() is page.empty
    with qtbot.waitSignal(page.goTo) as told:
        page.open.click()
    assert told.args == ["data", ""]


def test_that_without_kept_columns_a_suggestion_is_shown_as_one(
    page: RiskPage, document: Document, columns: ColumnsPane, wait: Wait
) -> None:
    open_people(document)
    wait()
    assert ticked(columns, KNOWN) == {"age", "sex"}
    assert ticked(columns, SENSITIVE) == {"income"}
    assert "suggestion" in columns.explanation()
    assert page.state.measured is not None
    assert page.state.measured.source == "suggested"
    tiles = [tile.value() for tile in page.figures.tiles]
    # The pair of age 23 is of two sexes; of 19 pairs every one earns the same, and so do the two.
    assert tiles == ["2 (5.0\u00a0%)", "1", "52.5\u00a0%", "40 (100.0\u00a0%)"]


def test_that_the_kept_columns_of_the_plan_are_what_is_known(
    page: RiskPage, document: Document, columns: ColumnsPane, wait: Wait
) -> None:
    open_people(document, age="keep", sex="drop", colour="protect", income="drop")
    wait()
    assert ticked(columns, KNOWN) == {"age"}
    assert "what the plan keeps" in columns.explanation()
    document.edit("x", document.plan.with_column("sex", role="keep"))
    wait()
    assert ticked(columns, KNOWN) == {"age", "sex"}
    assert [tile.value() for tile in page.figures.tiles][:2] == ["2 (5.0\u00a0%)", "1"]


def test_that_a_plan_that_keeps_nothing_is_told_from_the_file_itself(
    page: RiskPage, document: Document, wait: Wait
) -> None:
    open_people(document)
    wait()
    assert "file itself" not in page.header.findChildren(ElidedLabel)[1].full_text()
    plan = document.plan.with_column("age", role="protect").with_column("sex", role="protect")
    document.edit("x", plan)
    wait()
    assert (
        "your plan keeps no answer as it is" in page.header.findChildren(ElidedLabel)[1].full_text()
    )
    assert page.figures.tiles[0].value().startswith("2 (")
    assert not [
        label
        for label in page.figures.findChildren(QLabel)
        if label.property("severity") in {"danger", "warning"}
    ]
    model = page.picture.model
    assert not [row for row in model.rows if model.text(row, WHAT).startswith("protect")]


def test_that_an_edit_that_changes_no_answer_measures_nothing_again(
    page: RiskPage, document: Document, wait: Wait, qtbot: QtBot
) -> None:
    open_people(document, age="keep")
    wait()
    with qtbot.assertNotEmitted(page.state.answered, wait=80):
        document.edit("x", document.plan.with_column("colour", note="why"))


def test_that_columns_are_ticked_and_moved_by_keys_alone(
    page: RiskPage, document: Document, columns: ColumnsPane, wait: Wait, qtbot: QtBot
) -> None:
    open_people(document)
    wait()
    names = [row.name for row in columns.model.rows]
    columns.view.setCurrentIndex(columns.model.index(names.index("colour"), NAME))
    qtbot.keyClick(columns.view, Qt.Key.Key_Space)
    wait()
    assert ticked(columns, KNOWN) == {"age", "sex", "colour"}
    names = [row.name for row in columns.model.rows]
    assert names[:3] == ["age", "sex", "colour"]
    qtbot.keyClick(columns.view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    wait()
    assert [row.name for row in columns.model.rows][:3] == ["age", "colour", "sex"]
    assert page.state.wish.in_order
    assert page.picture.order.currentData() is True
    assert page.state.measured is not None
    assert page.state.measured.risk.quasi_identifiers == ("age", "colour", "sex")
    qtbot.keyClick(columns.view, Qt.Key.Key_S)
    wait()
    assert ticked(columns, SENSITIVE) == {"income", "colour"}
    assert "colour" not in ticked(columns, KNOWN)
    columns.reset.click()
    wait()
    assert ticked(columns, KNOWN) == {"age", "sex"}


def test_that_a_tick_leaves_every_row_in_its_place(
    document: Document, columns: ColumnsPane, wait: Wait, qtbot: QtBot
) -> None:
    open_people(document)
    wait()

    def names() -> list[str]:
        return [row.name for row in columns.model.rows]

    before = names()
    assert before == ["age", "sex", "colour", "income"]
    columns.view.setCurrentIndex(columns.model.index(3, NAME))
    qtbot.keyClick(columns.view, Qt.Key.Key_Space)
    wait()
    columns.view.setCurrentIndex(columns.model.index(0, NAME))
    for known in ({"sex", "income"}, {"age", "sex", "income"}):
        qtbot.keyClick(columns.view, Qt.Key.Key_Space)
        assert names() == before
        wait()
        assert (names(), columns.view.currentIndex().row()) == (before, 0)
        assert ticked(columns, KNOWN) == known
    # What is known is named as it is listed, and moved past what is not known.
    assert columns.state.quasi_identifiers == ("age", "sex", "income")
    columns.view.setCurrentIndex(columns.model.index(3, NAME))
    qtbot.keyClick(columns.view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    wait()
    assert names() == ["age", "income", "colour", "sex"]
    assert columns.view.currentIndex().row() == 1
    assert columns.state.quasi_identifiers == ("age", "income", "sex")


def test_that_another_size_of_small_groups_is_counted_everywhere(
    page: RiskPage, document: Document, columns: ColumnsPane, wait: Wait
) -> None:
    open_people(document)
    wait()
    assert "groups below 5" in page.figures.tiles[1].caption()
    columns.least.setValue(2)
    wait()
    assert page.state.measured is not None
    assert page.state.measured.risk.threshold == 2
    assert "2: 2 (5.0\u00a0%)" in page.figures.tiles[1].caption()
    assert page.picture.model.heads[2].text == "below 2"
    document._set_table(people(), None)
    wait()
    assert page.state.wish.threshold == columns.least.value() == 2


def test_that_missing_answers_can_match_any(
    page: RiskPage, document: Document, columns: ColumnsPane, wait: Wait, tmp_path: Path
) -> None:
    table = table_from_texts(
        {
            "age": ["20", "20", "", "30", "30"],
            "sex": ["f", "m", "f", "m", "m"],
            "pay": list("abaab"),
        }
    )
    document._set_table(table, None)
    page.state.choose(("age", "sex"), ("pay",))
    wait()
    assert page.figures.tiles[0].value().startswith("3 (")
    assert page.figures.tiles[3].value().startswith("3 (")
    columns.missing.setCurrentIndex(1)
    columns.missing.activated.emit(1)
    wait()
    answer = page.state.measured
    assert answer is not None
    # The first and the third are alike now; the second is still alone.
    assert page.figures.tiles[0].value().startswith("1 (")
    assert page.figures.tiles[3].value() == "—"
    assert answer.risk.missing == "any"
    assert (answer.special, answer.risk.sensitive) == (None, ())
    assert ticked(columns, SENSITIVE) == {"pay"}
    records = pane_of(page, RecordsPane)
    assert isinstance(records, RecordsPane)
    assert "matches any" in records.explanation()
    write_private_risk(table, answer, tmp_path / "PRIVATE.html")
    told = (tmp_path / "PRIVATE.html").read_text("utf-8")
    assert "taken as any value" in told
    assert "Which few columns" not in told
    columns.missing.setCurrentIndex(0)
    columns.missing.activated.emit(0)
    wait()
    assert page.figures.tiles[3].value().startswith("3 (")


def test_that_the_search_field_finds_columns_and_keeps_what_is_ticked(
    document: Document, columns: ColumnsPane, wait: Wait
) -> None:
    open_people(document)
    wait()
    columns.search.setText("COL")
    assert [row.name for row in columns.model.rows] == ["colour"]
    columns.view.ticked.emit(0, KNOWN)
    wait()
    columns.search.setText("")
    assert ticked(columns, KNOWN) == {"age", "sex", "colour"}


def test_that_nobody_known_is_a_sentence_and_not_an_answer(
    page: RiskPage, document: Document, columns: ColumnsPane, wait: Wait
) -> None:
    open_people(document)
    wait()
    page.state.choose((), ())
    wait()
    assert T.NO_KNOWN() in page.notice.message()
    assert page.figures.tiles[0].value() == "—"
    page.state.choose(("age",), ())
    wait()
    assert page.notice.isHidden()
    assert page.figures.tiles[3].value() == "—"


def test_that_each_column_has_its_effect_and_each_change_its_loss(
    page: RiskPage, document: Document, columns: ColumnsPane, wait: Wait
) -> None:
    open_people(document)
    wait()
    texts = {row.name: columns.model.text(row, EFFECT) for row in columns.model.rows}
    # Without age the only woman is still alone, without sex everybody has a twin.
    assert texts == {"age": "−1", "sex": "−2", "colour": "", "income": ""}
    model = page.picture.model
    rows = {model.text(row, WHAT): row for row in model.rows}
    assert set(rows) == {
        *("drop age", "drop sex", "protect age at ε = 1", "protect sex at ε = 1"),
        "give age in steps of 2",
    }
    # Both columns are shares; the tooltips count.
    assert model.text(rows["drop sex"], ALONE) == "0.0\u00a0%"
    assert model.tooltip(rows["drop sex"], ALONE) == "0 respondents"
    assert model.text(rows["give age in steps of 2"], LOST) == "known to ± 1"
    assert "mean ±" in model.text(rows["protect age at ε = 1"], LOST)
    assert "shares ±" in model.text(rows["protect sex at ε = 1"], LOST)
    assert "Shares of sex are estimated" in model.tooltip(rows["protect sex at ε = 1"], LOST)


def test_that_the_riskiest_records_are_listed_by_number_with_their_columns(
    page: RiskPage, document: Document, wait: Wait
) -> None:
    open_people(document)
    wait()
    pane = pane_of(page, RecordsPane)
    assert isinstance(pane, RecordsPane)
    told = [
        (pane.model.text(row, RECORD), pane.model.text(row, UNIQUE_ON)) for row in pane.model.rows
    ]
    assert told == [("8", "sex"), ("7", "age + sex")]


def test_that_the_picture_has_its_numbers_as_a_table(
    page: RiskPage, document: Document, wait: Wait
) -> None:
    open_people(document)
    wait()
    assert page.picture.plot.table_data().rows == (("sex", "1", "1"), ("age", "2", "40"))
    assert "2 columns" in page.picture.plot.accessibleDescription()


def test_that_a_comparison_can_be_cancelled_by_escape(
    page: RiskPage, document: Document, qtbot: QtBot, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(_table: object, _plan: object, _wish: object, tracker: Tracker) -> object:
        while True:
            tracker.progress("Comparing", 0.5)

    monkeypatch.setattr(risk_pane, "measured", endless)
    open_people(document)
    qtbot.waitUntil(lambda: not page.progress.stop.isHidden())
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    wait()
    assert page.progress.stop.isHidden()


def test_that_other_data_drop_the_answer_and_what_was_chosen(
    page: RiskPage, document: Document, columns: ColumnsPane, wait: Wait
) -> None:
    open_people(document)
    wait()
    page.state.choose(("colour",), ())
    wait()
    other = table_from_texts({"zip": ["1", "1", "2"], "q": ["a", "b", "a"]})
    document._set_table(other, None)
    wait()
    assert page.state.wish.quasi_identifiers is None
    assert {row.name for row in columns.model.rows} == {"zip", "q"}
    document._set_table(None, None)
    assert page.inner.currentWidget() is page.empty


def test_that_an_attack_takes_the_page_and_gives_it_back(
    page: RiskPage, document: Document, wait: Wait, qtbot: QtBot
) -> None:
    open_people(document)
    wait()
    pane = pane_of(page, AttacksPane)
    assert isinstance(pane, AttacksPane)
    number = ATTACKS.index(SampledAttribute)
    pane.view.setCurrentIndex(pane.model.index(number, 0))
    qtbot.keyClick(pane.view, Qt.Key.Key_Return)
    attack = pane.attack(number)
    assert isinstance(attack, AttackView)
    assert page.rooms.currentWidget() is attack
    qtbot.keyClick(attack, Qt.Key.Key_Escape)
    assert page.rooms.currentWidget() is page.overview
    pane.show_attack(number)
    attack.back.click()
    assert page.rooms.currentWidget() is page.overview
    with qtbot.waitSignal(page.goTo) as told:
        attack.results.plan.click()
    assert told.args == ["plan", "strategy"]


def test_that_the_models_keep_the_rules_of_qt(
    page: RiskPage, document: Document, columns: ColumnsPane, wait: Wait
) -> None:
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    for model in (columns.model, page.picture.model):
        QAbstractItemModelTester(model, mode, page)
    open_people(document)
    wait()
    page.state.choose(("sex", "age", "colour"), ("income",))
    wait()
    assert columns.model.rowCount() == 4


def test_that_real_data_have_the_figures_of_the_design(
    page: RiskPage, document: Document, wait: Wait, shared_data: Path
) -> None:
    from dpdesk.data.read_file import load

    document._set_table(load(shared_data / "adult.csv"), None)
    page.state.choose(("sex", "race", "relationship", "education", "age"), ("occupation",))
    wait()
    tiles = [tile.value() for tile in page.figures.tiles]
    assert tiles == ["3,662 (8.1\u00a0%)", "1", "16.8\u00a0%", "4,526 (10.0\u00a0%)"]
    assert "20.8\u00a0%" in page.figures.tiles[1].caption()


def test_that_the_private_report_is_written_where_the_user_says(
    page: RiskPage,
    document: Document,
    wait: Wait,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert not page.save.isEnabled()
    open_people(document)
    wait()
    path = tmp_path / "PRIVATE.html"
    monkeypatch.setattr(risk_page, "asked_path", lambda *_: path)
    page.save.click()
    assert "for your eyes only" in page.notice.message()
    assert "PRIVATE" in path.read_text("utf-8")
    (tmp_path / "manifest.json").write_text("{}", "utf-8")
    path.unlink()
    page.save_report()
    assert ReleasesT.INTO_RELEASE() in page.notice.message()
    assert not path.exists()


def test_that_what_nobody_chose_is_said_to_be_supposed_with_its_figure(
    page: RiskPage, document: Document, wait: Wait
) -> None:
    open_people(document)
    wait()
    tile = page.figures.tiles[3]
    assert T.FOLLOWS_SUPPOSED(column="income") in tile.accessibleName()
    page.state.choose(("age", "sex"), ("income",))
    wait()
    assert T.FOLLOWS_OF(column="income") in tile.accessibleName()


def test_that_the_picture_leaves_its_room_to_tabs_about_something_else(
    page: RiskPage, document: Document, wait: Wait
) -> None:
    open_people(document)
    wait()
    for pane in PANES:
        page.tabs.show_pane(pane)
        assert page.picture.isVisible() == page.figures.isVisible() == pane.shows_risk_of_file
        assert (page.picture in page.panes()) == page.picture.isVisible()


def test_that_no_chance_that_is_there_is_called_none() -> None:
    assert [chance_percent(share) for share in (0.0, 1 / 3240, 0.0005, 0.58)] == [
        "0.0\u00a0%",
        "< 0.1\u00a0%",
        "0.1\u00a0%",
        "58.0\u00a0%",
    ]
