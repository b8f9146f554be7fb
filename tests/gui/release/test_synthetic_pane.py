"""Synthetic rows on the Plan and the Release page: their loss, what to expect, what was made."""

from __future__ import annotations

import csv
from collections.abc import Callable
from decimal import Decimal
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan import PlanPage
from dpdesk.gui.pages.release import ReleasePage
from dpdesk.gui.pages.release.results_view import CAPTION_ROLE, PRIVATE
from dpdesk.gui.pages.release.synthetic_pane import SYNTHETIC_SHARE, SyntheticPane
from dpdesk.gui.pages.synthesis_form import DISTANCE, OTHERWISE, STATES, WORTH
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.ledgers import Ledger
from dpdesk.plan import ColumnPlan, MissingPolicy
from dpdesk.plan.declared_routing import read_asked
from dpdesk.plan.verdicts import RATINGS, worst_of
from dpdesk.releases.kinds import KINDS
from dpdesk.releases.records import RECORDS
from dpdesk.releases.synthetic import SYNTHETIC
from dpdesk.reports.synthetic.public import worth_of_rows
from tests.engine.survey import survey, survey_plan
from tests.gui.test_accessibility import nameless, rich_labels


@pytest.fixture
def pane(page: ReleasePage, document: Document, tmp_path: Path) -> SyntheticPane:
    """The pane with a survey of three columns that become synthetic."""
    document._set_table(survey(), None)
    document.reset(survey_plan())
    document.set_release_kind(SYNTHETIC)
    document.end_gesture()
    page.synthetic.before.destination.set_parent_folder(tmp_path)
    return page.synthetic


@pytest.fixture
def finish(qtbot: QtBot, page: ReleasePage, pane: SyntheticPane) -> Callable[[], None]:
    """Waits until nothing runs."""

    def until_idle() -> None:
        watches = (pane.watch, page.account)
        qtbot.waitUntil(lambda: not any(w.is_running for w in watches))

    return until_idle


def cells(pane: SyntheticPane, column: int) -> list[str]:
    model = pane.before.promise.table.model()
    return [model.index(row, column).data() for row in range(model.rowCount())]


def typed(line: object, text: str) -> None:
    line.setText(text)
    line.commit()


def test_that_rows_are_made_and_every_measured_table_is_shown(
    pane: SyntheticPane, finish: Callable[[], None], document: Document, qtbot: QtBot
) -> None:
    finish()
    assert pane.view() is pane.before
    assert "2.72 times" in pane.before.promise.promise()
    assert "not a sample" in pane.before.promise.promise()
    typed(pane.before.promise.form.rows, "120")
    qtbot.mouseClick(pane.start_button, Qt.MouseButton.LeftButton)
    finish()
    assert pane.view() is pane.results
    assert pane.results.headline() == "120 synthetic rows made"
    result = pane.results.result()
    assert result is not None
    assert result.folder is not None
    assert document.last_release == result.folder
    with (result.folder / "records.csv").open(newline="", encoding="utf-8-sig") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 120
    entries = pane.results.entries.model()
    assert entries.rowCount() == len(result.report.tables)
    # The error of the rows alone is told, and the mark is that of the worst verdict.
    worth = worth_of_rows(result.released)
    worst = worst_of(worth.verdict, *(one.verdict for one in worth.by_name.values()))
    mark = {"useful": "Done", "coarse": "Warning", "useless": "Warning"}[worst]
    assert pane.results.findChild(SeverityMark).accessibleName() == mark
    for row in range(entries.rowCount()):
        own = list(worth.by_name.values())[row]
        told = entries.index(row, 0).data(CAPTION_ROLE)
        assert told.startswith(f"{RATINGS[own.verdict]()} · ")
        assert told.endswith(f" · {own.told}")
        pane.results.entries.setCurrentIndex(entries.index(row, 0))
        assert all(tile.value() for tile in pane.results.figures.tiles)
        assert pane.results.figures.tiles[2].value() == own.told
        assert own.told in pane.results._worth.text()
        shares = pane.results.table.model()
        assert shares.rowCount() == result.report.tables[row].cells
        texts = [shares.index(i, SYNTHETIC_SHARE).data() for i in range(shares.rowCount())]
        total = sum(float(text.split()[0]) for text in texts)
        assert total == pytest.approx(100, abs=3)
        # Classes stand in the order of the domain, not of their shares, and are drawn in pairs.
        columns = [
            result.released.columns[c] for c in result.released.synthesized.tables[row].columns
        ]
        names = [shares.index(i, 0).data() for i in range(shares.rowCount())]
        assert names == [" / ".join(texts) for texts in product(*(c.texts for c in columns))]
        drawn = shares.drawn(shares.rows[0])
        assert drawn.lower < drawn.estimate < drawn.upper
        assert shares.scale.lower <= drawn.truth <= shares.scale.upper
    (entry,) = Ledger.open().book().populations()[0].releases
    assert (entry.kind, entry.costs[0].epsilon) == ("synthetic", 1)
    assert nameless(pane) == []
    assert rich_labels(pane) == []


def test_that_the_plan_says_what_to_do_where_no_column_becomes_synthetic(
    document: Document, qtbot: QtBot
) -> None:
    open_columns = (c.changed(role="unassigned", mechanism=None) for c in survey_plan().columns)
    document.reset(survey_plan().with_columns(tuple(open_columns)))
    plan = PlanPage(document)
    qtbot.addWidget(plan)
    plan.show()
    for kind in KINDS:
        document.set_release_kind(kind)
        # Whatever is released, there is nothing to go on to.
        pane = plan.pane()
        button = pane.release if kind is SYNTHETIC else pane.header.release
        assert not button.isEnabled(), kind.name
    pane = plan.synthetic
    assert not pane.table.isVisible()
    assert "Nothing is decided for any column yet." in pane.nothing.words()
    assert "protect or keep" in pane.nothing.words()
    qtbot.mouseClick(pane.nothing.protect_all, Qt.MouseButton.LeftButton)
    assert pane.table.isVisible()
    assert pane.release.isEnabled()
    document.set_release_kind(RECORDS)
    document.end_gesture()
    assert plan.records.header.release.isEnabled()
    assert nameless(pane) == []


def test_that_columns_show_their_states_and_what_to_expect(pane: SyntheticPane) -> None:
    assert cells(pane, 0) == ["colour", "fruit", "age"]
    assert cells(pane, STATES) == ["3 answers", "2 answers", "14 classes"]
    before = [float(text.split()[0]) for text in cells(pane, DISTANCE)]
    pane.before.promise.form.epsilon.field.epsilonTyped.emit(Decimal(10))
    after = [float(text.split()[0]) for text in cells(pane, DISTANCE)]
    # Noise falls with epsilon; what drawing whole rows adds to 500 of them stays.
    assert all(0.09 * each < now < 0.35 * each for each, now in zip(before, after, strict=True))


def test_that_the_noise_of_the_number_of_rows_is_told_unless_it_is_typed(
    pane: SyntheticPane,
) -> None:
    form = pane.before.promise.form
    assert "About " in form.expected.text()
    assert "will be drawn: their number is noisy" in form.expected.text()
    typed(form.rows, "120")
    assert "will be drawn" not in form.expected.text()


def test_that_an_edit_is_a_step_of_undo_and_is_shown_on_both_pages(
    pane: SyntheticPane, document: Document, qtbot: QtBot
) -> None:
    plan = PlanPage(document)
    qtbot.addWidget(plan)
    plan.show()
    assert plan.pane() is plan.synthetic
    plan.synthetic.form.epsilon.field.epsilonTyped.emit(Decimal("2.5"))
    typed(plan.synthetic.form.delta, "0.000001")
    typed(plan.synthetic.form.rows, "1,000")
    wanted = document.plan.synthesis
    assert (wanted.epsilon, wanted.delta, wanted.rows) == (
        Decimal("2.5"),
        Decimal("0.000001"),
        1000,
    )
    form = pane.before.promise.form
    assert form.epsilon.epsilon() == Decimal("2.5")
    assert (form.delta.text(), form.rows.text()) == ("0.000001", "1000")
    assert "δ = 1e-6" in pane.before.promise.promise()
    typed(form.rows, "")
    assert document.plan.synthesis.rows is None
    for _ in range(4):
        document.undo_stack.undo()
    assert document.plan == survey_plan()
    assert form.epsilon.epsilon() == 1


@pytest.mark.parametrize("text", ["0", "-3", "2.5", "many", "99999999999"])
def test_that_an_impossible_number_of_rows_is_refused_where_it_was_typed(
    pane: SyntheticPane, document: Document, text: str
) -> None:
    line = pane.before.promise.form.rows
    typed(line, text)
    assert "whole number" in line.accessibleDescription()
    assert document.plan.synthesis.rows is None


@pytest.mark.parametrize("text", ["", "1", "0.5", "-1e-6", "small"])
def test_that_an_impossible_delta_is_refused_where_it_was_typed(
    pane: SyntheticPane, document: Document, text: str
) -> None:
    line = pane.before.promise.form.delta
    typed(line, text)
    assert "pure" in line.accessibleDescription()
    assert document.plan.synthesis.delta == 0


def test_that_a_column_is_decided_on_among_the_records(document: Document, qtbot: QtBot) -> None:
    document.reset(survey_plan())
    document.set_release_kind(SYNTHETIC)
    document.end_gesture()
    page = PlanPage(document)
    qtbot.addWidget(page)
    page.show()
    page.synthetic.table.activated.emit(page.synthetic.table.model().index(1, 0))
    assert document.release_kind is RECORDS
    assert page.records.selected() == "fruit"


def test_that_the_path_of_a_problem_leads_to_its_field(document: Document, qtbot: QtBot) -> None:
    document.reset(survey_plan())
    page = PlanPage(document)
    qtbot.addWidget(page)
    page.show()
    page.show_path("synthesis.epsilon")
    assert document.release_kind is SYNTHETIC
    assert page.pane() is page.synthetic


def test_that_a_plan_without_columns_promises_nothing(
    pane: SyntheticPane, document: Document
) -> None:
    document.reset(survey_plan().with_columns((ColumnPlan(name="id", kind="identifier"),)))
    assert "Nothing yet" in pane.before.promise.promise()
    assert not pane.start_button.isEnabled()
    assert nameless(pane) == []


def test_that_what_cannot_be_is_typed_listed_and_taken_out(
    document: Document, qtbot: QtBot
) -> None:
    document.reset(survey_plan())
    document.set_release_kind(SYNTHETIC)
    document.end_gesture()
    page = PlanPage(document)
    qtbot.addWidget(page)
    page.show()
    field = page.synthetic.impossible
    assert not field.table.isVisible()
    typed(field.line, "age is at most 20 and fruit is many")
    assert "fruit" in field.line.accessibleDescription()
    assert document.plan.synthesis.impossible == ()
    typed(field.line, "age is at most 20 and fruit is apple")
    (one,) = document.plan.synthesis.impossible
    assert one.description == "age is at most 20 and fruit is apple"
    assert field.table.isVisible()
    assert field.line.text() == ""
    field.table.selectRow(0)
    assert field.take_out.isEnabled()
    qtbot.mouseClick(field.take_out, Qt.MouseButton.LeftButton)
    assert document.plan.synthesis.impossible == ()
    document.undo_stack.undo()
    assert document.plan.synthesis.impossible == (one,)
    page.show_path("synthesis.impossible")
    assert field.line.hasFocus() or not page.isActiveWindow()
    assert nameless(page.synthetic) == []


def test_that_a_rule_of_the_questionnaire_is_listed_among_what_cannot_be(
    document: Document, qtbot: QtBot
) -> None:
    plan = survey_plan()
    rule = read_asked(plan, "fruit is apple")
    missing = MissingPolicy(policy="protect", asked=rule)
    document.reset(plan.with_column("age", missing=missing))
    document.set_release_kind(SYNTHETIC)
    document.end_gesture()
    page = PlanPage(document)
    qtbot.addWidget(page)
    page.show()
    field = page.synthetic.impossible
    assert "only where fruit is apple" in field.table.model().index(0, 0).data()
    field.table.selectRow(0)
    assert not field.take_out.isVisible()


def test_that_every_table_of_two_columns_is_listed_with_its_verdict(pane: SyntheticPane) -> None:
    promise = pane.before.promise
    assert promise.table.isColumnHidden(OTHERWISE)
    promise.tabs.setCurrentIndex(1)
    assert cells(pane, 0) == ["colour × fruit", "colour × age", "fruit × age"]
    assert cells(pane, STATES) == ["6 cells", "42 cells", "28 cells"]
    assert not promise.table.isColumnHidden(OTHERWISE)
    assert set(cells(pane, WORTH)) <= {"useful", "rough", "too noisy"}
    assert promise.path_of(2) == "columns.fruit.role"
    promise.form.epsilon.field.epsilonTyped.emit(Decimal("0.01"))
    assert set(cells(pane, WORTH)) == {"too noisy"}
    assert "As a whole the rows would be too noisy." in promise.form.expected.text()
    promise.tabs.setCurrentIndex(0)
    assert cells(pane, 0) == ["colour", "fruit", "age"]


def test_that_a_useless_release_is_asked_about_first(
    pane: SyntheticPane, finish: Callable[[], None], document: Document
) -> None:
    pane.before.promise.form.epsilon.field.epsilonTyped.emit(Decimal("0.01"))
    finish()
    asked: list[str] = []
    pane.ask_useless = lambda _parent, reason, _remedy: bool(asked.append(reason))
    pane.start()
    assert pane.view() is pane.before
    assert asked[0].values["rating"].id == "plan.too-noisy"
    assert Ledger.open().book().populations() == ()


def test_that_true_distances_are_read_only_when_the_private_panel_is_opened(
    pane: SyntheticPane,
    finish: Callable[[], None],
    document: Document,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    finish()
    qtbot.mouseClick(pane.start_button, Qt.MouseButton.LeftButton)
    finish()
    panel = pane.results.private
    assert panel.diagnostics() is None
    with qtbot.waitSignal(pane.compare_watch.ended):
        pane.results.tabs.setCurrentIndex(PRIVATE)
    found = panel.diagnostics()
    assert found.marking.startswith("PRIVATE")
    assert panel.table.isVisible()
    model = panel.table.model()
    assert model.rowCount() == 3 + 3
    names = [model.index(row, 0).data() for row in range(3)]
    assert names == ["colour", "fruit", "age"]
    # The table that is chosen in the list is the one that is selected.
    pane.results.entries.setCurrentIndex(pane.results.entries.model().index(2, 0))
    assert [index.row() for index in panel.table.selectionModel().selectedRows()] == [2]
    folder = pane.results.result().folder
    for place, severity in ((folder, "error"), (tmp_path, "success")):
        path = place / "PRIVATE.html"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, p=path: (str(p), ""))
        panel.save.click()
        assert pane.notice.property("severity") == severity
    assert "True distance" in (tmp_path / "PRIVATE.html").read_text(encoding="utf-8")
    assert not (folder / "PRIVATE.html").exists()
    assert nameless(pane) == []
    document._set_table(survey(), None)
    assert panel.diagnostics() is None
    pane.results.privateShown.emit()
    assert not pane.compare_watch.is_running


def test_that_verdicts_suppose_as_many_rows_as_the_distances_beside_them(
    pane: SyntheticPane, document: Document
) -> None:
    """A plan that states no respondents takes those of the file that is open for both."""
    form = pane.before.promise.form
    table = document.table
    assert table is not None
    document.edit("r", document.plan.with_fields(respondents=table.rows))
    stated = (form.expected.text(), cells(pane, WORTH))
    document.edit("r", document.plan.with_fields(respondents=None))
    assert (form.expected.text(), cells(pane, WORTH)) == stated
