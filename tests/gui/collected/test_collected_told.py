"""What is said of collected answers, and what its buttons save."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.data.read_file import load
from dpdesk.data.table import table_from_texts
from dpdesk.designs import design_named
from dpdesk.designs.inference import Adherence, WaldTest
from dpdesk.designs.regression import LogisticFit
from dpdesk.designs.sample_design import Contrast
from dpdesk.gui.document import Document
from dpdesk.gui.pages.collected import CollectedPage
from dpdesk.gui.pages.collected.page import CollectedView
from dpdesk.gui.pages.collected.results import (
    MemoDialog,
    percent,
    share_heads,
    term_heads,
    term_rows,
)
from dpdesk.reports.survey.collected_memo import collected_memo_html
from dpdesk.reports.survey.texts import T

Estimate = Callable[[int], CollectedView]


@pytest.fixture
def estimate(page: CollectedPage, document: Document, tmp_path: Path, qtbot: QtBot) -> Estimate:
    """Estimates from 20 answers of one village, of which so many are "yes"."""

    def from_answers(carriers: int) -> CollectedView:
        view = page.view
        said = "".join(f"{'yes' if i < carriers else 'no'},Moss\n" for i in range(20))
        path = tmp_path / "few.csv"
        path.write_text(f"said,village\n{said}", encoding="utf-8")
        document._set_table(load(path), None)
        view.form.by.setCurrentIndex(view.form.by.findData("village"))
        view.start()
        qtbot.waitUntil(lambda: not view.watch.is_running)
        return view

    return from_answers


def test_that_a_step_of_epsilon_does_not_look_for_the_answers_in_all_columns(
    document: Document, page: CollectedPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = page.view
    document._set_table(table_from_texts({"age": ["21", "34"], "said": ["agree", "refuse"]}), None)
    assert not view.form.answer.currentData()
    looked_at: list[str] = []
    usual = view.form._can_be_answer
    monkeypatch.setattr(
        view.form, "_can_be_answer", lambda name: looked_at.append(name) or usual(name)
    )
    page.card.form.epsilon.valueChanged.emit(1.5)
    page.flush()
    assert page.design().loss.epsilon == pytest.approx(1.5, abs=1e-4)
    assert looked_at == []
    # Other answers are another question.
    view.form.set_design(design_named("kuk").example())
    assert looked_at == ["age", "said"]


def test_that_an_estimate_outside_what_a_share_can_be_is_explained_and_no_other(
    estimate: Estimate,
) -> None:
    for carriers, outside in ((4, True), (6, False), (16, True)):
        view = estimate(carriers)
        assert view.form.yes.currentData() == "yes"
        # Two coins: (share of "yes" - 1/4) / (1/2).
        shown = view.results.shares.rows[0][1]
        assert shown == percent((carriers / 20 - 0.25) * 2)
        assert view.results.heading.text().startswith(f"{shown} of the respondents")
        told = view.results.sentences.text()
        assert ("can lie outside 0 to 100" in told) == outside
        # One group alone is different from none.
        assert "difference" not in told


def test_that_answers_which_fit_no_share_are_not_told_as_results(
    estimate: Estimate, page: CollectedPage
) -> None:
    for carriers in (0, 20):
        view = estimate(carriers)
        result = view.results.result()
        assert result is not None
        assert [name for name, _ in result.impossible] == ["", "Moss"]
        assert view.results.heading.text().startswith("These answers do not fit the design")
        told = view.results.sentences.text()
        assert "lies outside 0 to 100 %" in told
        assert "chance alone hardly" in told
        assert "can lie outside" not in told
        assert view.results.term_table.isHidden()
        memo = collected_memo_html(result)
        assert T.IMPOSSIBLE(percent="95\u00a0%") in memo
        # One group alone that cannot be is enough; a regression is not shown then.
        fine = replace(estimate(6).results.result(), groups=result.groups)
        view.results.show_result(fine)
        assert "of Moss" in view.results.sentences.text()
        assert term_rows(replace(fine, fit=Mock(spec=LogisticFit))) == ()
    heads = share_heads(0.95)
    assert "Standard error" in heads
    assert "Error" not in (*heads, *term_heads(0.95))


def test_that_each_button_saves_its_file_where_one_is_chosen(
    estimate: Estimate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = estimate(6).results
    asked: list[tuple[str, str]] = []
    chosen = ""

    def choose(_parent: object, _title: str, suggested: str, kinds: str) -> tuple[str, str]:
        asked.append((Path(suggested).name, kinds))
        return chosen, kinds

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    results.save_results.click()
    assert len(list(tmp_path.iterdir())) == 1
    results.memo.click()
    dialog = results.findChild(MemoDialog)
    assert dialog is not None
    assert "Results memo" in dialog.preview.toPlainText()
    for button, name, begins in (
        (results.save_results, "a.csv", "kind,"),
        (results.save_scores, "b.csv", "row,score\n1,1.5"),
        (dialog.html, "c.html", "<!doctype html>"),
    ):
        chosen = str(tmp_path / name)
        button.click()
        assert (tmp_path / name).read_text(encoding="utf-8-sig").lower().startswith(begins)
    names = [name for name, _ in asked]
    assert names == ["results.csv", "results.csv", "scores.csv", "results.html"]
    assert ["html" in kinds for _, kinds in asked] == [False, False, False, True]


def test_that_no_p_is_shown_as_0(estimate: Estimate) -> None:
    results = estimate(6).results
    found = results.result()
    assert found is not None
    mean = found.overall
    for p, told in ((0.0, "p < 0.0001"), (3e-200, "p < 0.0001"), (0.000126, "p = 0.000126")):
        results.show_result(
            replace(
                found,
                difference=WaldTest(9.0, 2, None, p),
                contrast=Contrast(mean, mean, mean, p),
                adherence=Adherence("cheaters", "cheaters", 0.1, 0.0, 0.1, 1.0, p),
            )
        )
        # No line ends within.
        shown = results.sentences.text()
        assert shown.count(told.replace(" ", "\N{NO-BREAK SPACE}")) == 3
    sure = LogisticFit(("x",), np.array([99.0]), np.eye(1), 0.0, 0.0, 20, np.zeros((20, 1)))
    results.show_result(replace(found, fit=sure))
    assert results.terms.rows[0][-1] == "< 0.0001"


@pytest.mark.parametrize(
    ("rows", "proposed"),
    [
        (("age,sex,salary", "17,Male,<=50K", "1,Female,>50K", "90,Male,<=50K"), ""),
        (("age,scale,smokes", "17,1,no", "30,2,yes", "44,3,refused"), "smokes"),
        (("age,coin", "17,0", "30,1", "44,-9"), "coin"),
    ],
)
def test_that_only_a_column_that_can_be_an_answer_is_proposed(
    page: CollectedPage,
    document: Document,
    tmp_path: Path,
    rows: tuple[str, ...],
    proposed: str,
) -> None:
    path = tmp_path / "people.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    view = page.view
    document._set_table(load(path), None)
    assert view.form.answer.currentData() == proposed
    assert ("No column of this file holds answers" in view.words.text()) is (not proposed)
    if not proposed:
        assert view.form.yes.count() == 0
        view.start()
        assert "Choose the column" in view.form._refusals["answer"].text()
