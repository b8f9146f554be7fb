from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.data.table import table_from_texts
from dpdesk.disclosure.methods import METHODS
from dpdesk.disclosure.texts import T
from dpdesk.gui.document import Document
from dpdesk.gui.pages.risk import RiskPage
from dpdesk.gui.pages.risk.coarsen_pane import CoarsenPane
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.plan.protection import protect
from tests.gui.day_steps import answer_box
from tests.gui.risk.coarse_people import QUASI, SENSITIVE, Wait, figures, plan, qapp_events


def follows(pane: CoarsenPane) -> tuple[str, str]:
    return figures(pane)[f"income: {T.FOLLOWS()}"]


def test_that_the_best_levels_are_shown_with_the_file_before_and_after(
    pane: CoarsenPane, wait: Wait
) -> None:
    assert not pane.write.isEnabled()
    pane.form.set_value("k", 4)
    pane.form.set_value("suppress", "0")
    pane.best.click()
    wait()
    assert figures(pane)[T.ROWS()] == ("40", "40")
    assert figures(pane)[T.K()][0] == "2"
    assert int(figures(pane)[T.K()][1]) >= 4
    assert "No other levels lose less" in pane.told()
    assert pane.answer is not None
    assert pane.rows.values() == pane.answer.levels
    assert pane.answer.from_records == ()


def test_that_a_level_is_changed_by_hand_and_taken_back(pane: CoarsenPane, wait: Wait) -> None:
    pane.form.set_value("k", 4)
    pane.best.click()
    wait()
    best, told = pane.rows.values(), pane.told()
    assert not pane.undo.isEnabled()
    # On their own ages there are pairs alone: no record would be left, and nothing changes.
    pane.rows.rows[0].level.setValue(0)
    wait()
    assert T.ALL_LEFT_OUT() in pane.notice.message()
    assert pane.rows.values() == best
    pane.form.set_value("k", 2)
    # The second change comes while the first is still looked at.
    pane.rows.rows[1].level.setValue(1)
    pane.rows.rows[0].level.setValue(0)
    wait()
    assert pane.rows.values()[0] == 0
    assert "No other levels lose less" not in pane.told()
    while pane.undo.isEnabled():
        pane.undo.click()
    assert (pane.rows.values(), pane.told(), pane.form.value("k")) == (best, told, 4)


def test_that_what_would_leave_out_more_than_may_be_is_not_written(
    pane: CoarsenPane, wait: Wait, page: RiskPage
) -> None:
    page.state.choose(("age",), ())
    wait()
    pane.form.set_value("k", 3)
    pane.form.set_value("suppress", "0")
    pane.best.click()
    wait()
    assert pane.write.isEnabled()
    # Intervals that begin at multiples: on level 1 the first holds ages 20 and 21 and so on.
    pane.form.set_value("k", 7)
    pane.rows.rows[0].level.setValue(1)
    wait()
    assert pane.answer is not None
    assert pane.write.isEnabled() == (pane.answer.too_many == 0)


def test_that_what_cannot_be_reached_is_said(pane: CoarsenPane, wait: Wait) -> None:
    pane.form.set_value("k", 41)
    pane.best.click()
    wait()
    assert "k = 41 is more than the 40 records" in pane.notice.message()
    assert pane.answer is None


def test_that_other_columns_drop_what_is_shown(
    pane: CoarsenPane, wait: Wait, page: RiskPage
) -> None:
    pane.best.click()
    wait()
    assert pane.answer is not None
    page.state.choose(("age",), ())
    wait()
    assert pane.answer is None
    assert not pane.model.rows
    assert not pane.write.isEnabled()


def test_that_the_file_is_written_into_a_new_folder_each_time(
    pane: CoarsenPane, wait: Wait, tmp_path: Path
) -> None:
    pane.form.set_value("k", 4)
    pane.best.click()
    wait()
    pane.formats.boxes["feather"].click()
    assert pane.document.plan.formats == ("feather",)
    for name in ("coarsened-table", "coarsened-table-2"):
        pane.write_below(tmp_path)
        wait()
        report = json.loads((tmp_path / name / "report.json").read_text(encoding="utf-8"))
        assert report["statement"].startswith("This file is not differentially private")
        with (tmp_path / name / "records.csv").open(encoding="utf-8", newline="") as file:
            head, *rows = list(csv.reader(file))
        assert head == ["age", "sex", "income"]
        assert min(Counter(tuple(row[:2]) for row in rows).values()) >= 4
        assert (tmp_path / name / "records.feather").exists()
        assert not (tmp_path / name / "records.sav").exists()
    assert "not differentially private" in pane.notice.message()


@pytest.mark.parametrize("word", ["Write", "Cancel"])
def test_that_levels_which_follow_from_the_records_are_asked_about(
    pane: CoarsenPane,
    wait: Wait,
    document: Document,
    tmp_path: Path,
    word: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    document.reset(plan(confirmed=False))
    wait()
    pane.best.click()
    wait()
    said: list[str] = []
    answer_box(word, said)
    pane.write.click()
    wait()
    assert ["age, sex" in text for text in said] == [True]
    assert len(list(tmp_path.iterdir())) == (word == "Write")


def test_that_find_best_keeps_the_keyboard_focus(
    pane: CoarsenPane, wait: Wait, qtbot: QtBot
) -> None:
    pane.best.setFocus()
    qtbot.keyClick(pane.best, Qt.Key.Key_Space)
    assert pane.watch.is_running
    assert pane.best.isEnabled()
    wait()
    assert pane.answer is not None
    assert pane.best.hasFocus()


def test_that_levels_are_saved_changed_and_loaded(
    pane: CoarsenPane, wait: Wait, tmp_path: Path
) -> None:
    pane.form.set_value("k", 2)
    pane.best.click()
    wait()
    path = tmp_path / "levels.csv"
    pane.save_levels("age", path)
    assert path.read_text(encoding="utf-8").startswith("18,")
    rows = "".join(f"{age},{'young' if age < 30 else 'old'},*\n" for age in range(18, 61))
    path.write_text(rows, encoding="utf-8")
    pane.load_levels("age", path)
    wait()
    assert pane.answer is not None
    assert pane.answer.lattice.columns[0].labels[1] == ("young", "old")
    pane.rows.rows[0].level.setValue(1)
    wait()
    assert pane.answer.outcome.result.columns[0].labels == ("young", "old")
    # What the file lacks is said, and the levels before stay in force.
    path.write_text("20,a,*\n", encoding="utf-8")
    pane.load_levels("age", path)
    wait()
    assert T.UNLISTED(count=38, column="age") in pane.notice.message()
    assert pane.wish().hierarchies["age"].labels[0][0] == "young"
    path.write_text("20\n", encoding="utf-8")
    pane.load_levels("age", path)
    assert T.NOT_ALL_LABELLED(column="age") in pane.notice.message()
    pane.undo.click()
    assert pane.wish().hierarchies["age"].labels[0][0] == "young"
    pane.forget_levels("age")
    wait()
    assert not pane.wish().hierarchies
    assert pane.answer.lattice.columns[0].labels[1][0] != "young"


def test_that_every_method_is_offered_with_the_fields_that_it_takes(
    pane: CoarsenPane, wait: Wait
) -> None:
    choice = pane.form.fields["method"]
    assert isinstance(choice, ChoiceBox)
    shown = [choice.itemText(index) for index in range(choice.count())]
    assert shown == [method.title for method in METHODS]
    for method in METHODS:
        pane.form.set_value("method", method.word)
        pane.form.set_value("k", 3)
        assert pane.form.fields["suppress"].isEnabled() == ("suppress" in method.takes)
        assert pane.form.fields["t"].isEnabled() == ("beyond_distinct" in method.takes)
        assert pane.form.fields["loss"].isEnabled() == ("loss" in method.takes)
        pane.best.click()
        wait()
        assert pane.answer is not None, pane.notice.message()
        assert pane.answer.wish.method is method
        assert int(figures(pane)[T.K()][1]) >= 3
        assert pane.rows.rows[0].level.isVisibleTo(pane) == ("level" in method.takes)
        assert pane.keep.isEnabled() == (method.word == "lattice")
    assert figures(pane)["cells blanked"][1] != "0"
    pane.undo.click()
    assert pane.form.value("method") == "mondrian-relaxed"


def test_that_the_table_that_the_user_names_has_its_error_and_a_wrong_one_a_sentence(
    pane: CoarsenPane, wait: Wait
) -> None:
    pane.form.set_value("k", 4)
    pane.form.set_value("table", (("age", "income"),))
    pane.best.click()
    wait()
    assert pane.answer is not None
    error = pane.answer.comparison.tables[0][1]
    told = figures(pane)["age × income: records in another cell"]
    assert told == ("0 %", f"{100 * error:.1f} %")
    assert error > 0
    pane.form.set_value("table", (("nobody",),))
    pane.best.click()
    wait()
    assert "no column nobody" in pane.notice.message()


def test_that_who_can_still_be_told_is_counted_with_the_remedy(
    pane: CoarsenPane, wait: Wait, document: Document, page: RiskPage
) -> None:
    texts = {
        "age": [str(20 + row // 10) for row in range(40)],
        "sex": ["f" if row % 2 else "m" for row in range(40)],
        "income": [str(row // 10) if row < 20 else str(row % 3) for row in range(40)],
    }
    document._set_table(table_from_texts(texts), None)
    wait()
    page.state.choose(QUASI, SENSITIVE)
    wait()
    pane.form.set_value("k", 2)
    pane.best.click()
    wait()
    assert [row.split(" ")[0] for row in follows(pane)] == ["20", "20"]
    assert "For 20 people the answer to income still follows" in pane._disclosed.text()
    assert "raise l to 2" in pane._disclosed.text()
    pane.form.set_value("l_distinct", 2)
    pane.best.click()
    wait()
    assert [row.split(" ")[0] for row in follows(pane)] == ["20", "0"]
    assert not pane._disclosed.isVisibleTo(pane)


def test_that_the_columns_are_kept_coarser_in_the_plan_and_taken_back(
    pane: CoarsenPane, wait: Wait, document: Document, page: RiskPage
) -> None:
    before = document.plan
    page.state.follow_plan()
    wait()
    page.state.choose(("age",), ())
    wait()
    pane.form.set_value("k", 4)
    pane.best.click()
    wait()
    assert pane.answer is not None
    (level,) = pane.answer.levels or ()
    pane.keep.click()
    wait()
    column = document.plan.column("age")
    assert column.role == "keep"
    assert column.kept_coarser is not None
    assert (column.kept_coarser.level, column.kept_coarser.level_from_records) == (level, True)
    assert "Confirm in Plan that everybody may read them" in pane.notice.message()
    assert column.kept_coarser.words in pane._in_plan.text()
    # The page judges what the plan releases.
    assert page.state.measured is not None
    assert page.state.measured.risk.k >= 4
    # What is coarsened anew begins with the answers of the file.
    assert figures(pane)[T.K()] == ("2", figures(pane)[T.K()][1])
    pane.take_out.click()
    wait()
    assert document.plan.column("age").kept_coarser is None
    assert page.state.measured.risk.k == 2
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.plan == before


@pytest.mark.parametrize("word", ["Keep", "Cancel"])
def test_that_what_is_protected_is_kept_only_if_the_user_agrees(
    pane: CoarsenPane, wait: Wait, document: Document, word: str
) -> None:
    document.reset(protect(document.plan, "sex"))
    wait()
    pane.form.set_value("k", 4)
    pane.best.click()
    wait()
    said: list[str] = []
    answer_box(word, said)
    pane.keep.click()
    wait()
    assert ["“sex”" in text for text in said] == [True]
    assert document.plan.column("sex").role == ("keep" if word == "Keep" else "protect")


def test_that_no_columns_and_one_respondent_are_said(
    pane: CoarsenPane, wait: Wait, document: Document, page: RiskPage
) -> None:
    page.state.choose((), ())
    wait()
    assert not pane.best.isEnabled()
    document._set_table(table_from_texts({"age": ["20"], "sex": ["f"], "income": ["1"]}), None)
    wait()
    page.state.choose(("age",), ())
    wait()
    pane.best.click()
    wait()
    assert T.FEW_RECORDS() in pane.notice.message()


def test_that_the_pane_scrolls_and_its_buttons_stay_where_there_is_little_room(
    pane: CoarsenPane, wait: Wait, page: RiskPage
) -> None:
    page.resize(920, 640)
    pane.best.click()
    wait()
    qapp_events(pane)
    bar = pane.area.verticalScrollBar()
    assert bar.maximum() > 0
    assert pane.area.horizontalScrollBar().maximum() == 0
    assert pane.best.isVisible()
    assert not pane._verdict.visibleRegion().isEmpty()
