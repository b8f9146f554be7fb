"""Respondents one by one, what an answer discloses, and the papers of a survey."""

from __future__ import annotations

from collections import defaultdict
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtGui import QPageSize
from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrinterInfo
from PySide6.QtWidgets import QDialog, QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.designs import DESIGNS, Design
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.texts import T
from dpdesk.engine.simulate.respondents import YesNoStream
from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.simulate import SimulatePage
from dpdesk.gui.pages.simulate.disclosure_view import DisclosurePanel
from dpdesk.gui.pages.simulate.number_scenario import MeanScenario
from dpdesk.gui.pages.simulate.page import MEMO, SHEET, PapersDialog
from dpdesk.gui.pages.simulate.played_survey import PlayedSurvey
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.pages.simulate.scenario_kinds import ShareScenario, SharesScenario
from dpdesk.gui.paper import send
from dpdesk.reports.pdf import pdf_of_page
from dpdesk.reports.survey.sheet import sheet_html, sheet_parts
from tests.designs.cases import ALL, NAMES, made

pytestmark = pytest.mark.printed

HOSTILE = "<img src='https://a.example/x'><b>Did you?</b>"


@pytest.fixture
def play(qtbot: QtBot) -> PlayedSurvey:
    view = PlayedSurvey()
    qtbot.addWidget(view)
    view.resize(860, 560)
    view.show()
    view.show_scenario(ShareScenario().changed(respondents=30))
    return view


@pytest.fixture
def disclosure(qtbot: QtBot) -> DisclosurePanel:
    view = DisclosurePanel()
    qtbot.addWidget(view)
    return view


def papers(qtbot: QtBot, scenario: ShareScenario) -> PapersDialog:
    dialog = PapersDialog(scenario)
    qtbot.addWidget(dialog)
    return dialog


def choose(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))


def test_that_each_step_shows_the_next_respondent_of_the_seed(play: PlayedSurvey) -> None:
    scenario = ShareScenario().changed(respondents=30)
    drawn = YesNoStream(scenario.design, scenario.prevalence, scenario.survey.seed).first(3)
    play.truth.click()
    for respondent in drawn:
        assert play.player.shown() == respondent.number
        assert play.stage.device.text() == respondent.said[0].outcome
        assert play.stage.answer.text() == f"“{respondent.said[0].answer}”"
        play.player.step.click()
    assert "seed 1" in play.words.full_text()
    assert "Simulation" in play.words.full_text()
    assert "4 of 30" in play.words.full_text()
    assert "are played" not in play.words.full_text()
    play.show_scenario(ShareScenario().changed(respondents=1_000_000))
    assert "1 of 1,000,000 (the first " in play.words.full_text()
    assert play.plot.accessibleDescription().endswith("Estimate so far: too few yet")


def test_that_the_truth_is_hidden_until_it_is_asked_for(play: PlayedSurvey) -> None:
    assert (play.stage.truth.text(), play.stage.device.text()) == ("hidden", "hidden")
    play.truth.click()
    scenario = ShareScenario().changed(respondents=30)
    drawn = YesNoStream(scenario.design, scenario.prevalence, scenario.survey.seed).first(30)
    assert {respondent.truth for respondent in drawn} == {"yes", "no"}
    for respondent in drawn:
        assert play.stage.truth.text() == respondent.truth
        play.player.step.click()
    play.truth.click()
    assert (play.stage.truth.text(), play.stage.device.text()) == ("hidden", "hidden")


def scenario_of(design: type[Design]) -> Scenario[Any]:
    """A survey by the design's example in which no answer is rare."""
    example = design.example()
    if isinstance(example, NumberDesign):
        bounds = MeanScenario().design
        return MeanScenario().changed(design=example.between(bounds.lower, bounds.upper))
    if issubclass(design, ShareScenario.family):
        return ShareScenario().changed(design=example, prevalence=0.5)
    return SharesScenario().changed(design=example)


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.tag())
def test_that_what_the_room_sees_never_tells_the_true_answer(
    play: PlayedSurvey, monkeypatch: pytest.MonkeyPatch, design: type[Design]
) -> None:
    """Every respondent's visible words, against all truths that could have made them."""
    monkeypatch.setattr(play.plot, "show_run", lambda *_: None)
    scenario = scenario_of(design)
    play.show_scenario(scenario)
    stream = scenario.stream().first(500)
    seen = []
    for respondent in stream:
        play.stage.show_words(respondent.device, "", respondent.spoken, "")
        parts = (play.stage.device, play.stage.truth, play.stage.answer, play.stage.estimate)
        seen.append(" | ".join(part.text() for part in parts))
    if isinstance(scenario.design, NumberDesign):
        possible = [truths_of(scenario.design, respondent.spoken) for respondent in stream]
    else:
        truths = defaultdict(set)
        for words, respondent in zip(seen, stream, strict=True):
            truths[words].add(respondent.truth)
        possible = [len(truths[words]) for words in seen]
    # Only where the design itself has answers that are proofs does one tell the truth.
    assert min(possible) >= 2 or not isfinite(scenario.epsilon)
    # And nothing but the answer changes from respondent to respondent.
    spoken = {respondent.spoken for respondent in stream}
    assert len(set(seen)) == len(spoken)


def truths_of(design: NumberDesign, spoken: str) -> int:
    """How many of a grid of true numbers can have made a number that is said."""
    law = design.drawn_law
    said = float(spoken.split(maxsplit=1)[0].replace(",", ""))
    true = np.linspace(design.lower, design.upper, 501)[1:]
    if law.noise == "laplace":
        return int((said > 0 or not law.multiplies) * true.size)
    drawn = said / true - 1 if law.multiplies else said - true - law.center
    return int((np.abs(drawn) <= law.scale).sum())


def test_that_playing_ends_with_the_last_respondent_and_can_begin_again(
    play: PlayedSurvey, qtbot: QtBot
) -> None:
    play.player.speed.setCurrentIndex(play.player.speed.count() - 1)
    play.player.speed.activated.emit(play.player.speed.currentIndex())
    play.player.play.click()
    assert play.player.is_playing()
    assert play.player.play.text() == "&Pause"
    qtbot.waitUntil(lambda: not play.player.is_playing())
    assert play.player.shown() == 30
    assert play.player.play.text() == "&Play"
    play.player.play.click()
    assert play.player.shown() == 1
    play.player.play.click()
    assert not play.player.is_playing()


def test_that_playing_pauses_where_nobody_looks(play: PlayedSurvey) -> None:
    play.player.play.click()
    play.hide()
    assert not play.player.is_playing()


def test_that_another_survey_begins_with_its_first_respondent(play: PlayedSurvey) -> None:
    play.player.step.click()
    play.show_scenario(ShareScenario().changed(respondents=30))
    assert play.player.shown() == 2
    play.show_scenario(ShareScenario().changed(respondents=30, prevalence=0.4))
    assert play.player.shown() == 1


def test_that_the_numbers_of_the_running_estimate_are_those_of_the_stream(
    play: PlayedSurvey,
) -> None:
    for _ in range(9):
        play.player.step.click()
    scenario = ShareScenario().changed(respondents=30)
    drawn = YesNoStream(scenario.design, scenario.prevalence, scenario.survey.seed).first(10)
    rows = play.plot.table_data().rows
    assert [row[0] for row in rows] == [str(number) for number in range(2, 11)]
    for row, after in zip(rows, drawn[1:], strict=True):
        shown = [float(text.replace("−", "-")) for text in row[1:]]
        truth = [100 * value for value in (after.estimate or 0, after.lower, after.upper)]
        assert shown == pytest.approx(truth, rel=1e-3, abs=0.01)


def test_that_every_design_can_be_played_and_shows_what_it_discloses(
    play: PlayedSurvey, disclosure: DisclosurePanel
) -> None:
    for design in (*ALL, MechanismShare()):
        scenario = ShareScenario().changed(design=design, respondents=50)
        play.show_scenario(scenario)
        for _ in range(5):
            play.player.step.click()
        assert play.player.shown() == 6
        disclosure.show_scenario(scenario)
        assert ("infinite" in disclosure.sentence.text()) == (scenario.epsilon == float("inf"))
        assert design.caution in disclosure.foot.text()


def test_that_cheaters_alone_make_no_answer_a_proof(disclosure: DisclosurePanel) -> None:
    design = made("cheating_detection", {"p1": "1/4", "p2": "3/4"})
    disclosure.show_scenario(ShareScenario().changed(design=design))
    assert disclosure.proofs.text().splitlines() == [
        "“no” (first group) is a proof: no carrier.",
        "“no” (second group) is a proof: no carrier.",
    ]


def test_that_answers_that_are_proofs_are_named(disclosure: DisclosurePanel) -> None:
    disclosure.show_scenario(ShareScenario().changed(design=made("triangular", {"p": "1/4"})))
    assert disclosure.proofs.text() == "“no” is a proof: no carrier."
    disclosure.show_scenario(ShareScenario())
    assert not disclosure.proofs.isVisibleTo(disclosure)


def test_that_the_dots_and_the_table_hold_the_beliefs(disclosure: DisclosurePanel) -> None:
    disclosure.show_scenario(ShareScenario())
    parts = (disclosure.before, disclosure.raised, disclosure.lowered)
    assert [part.dots.full() for part in parts] == [10, 25, 4]
    assert disclosure.model.table().rows == (
        ("“yes”", "30.0 %", "carrier, 3.00 ×", "25 %"),
        ("“no”", "70.0 %", "non-carrier, 3.00 ×", "3.6 %"),
    )
    assert "25 %" in disclosure.foot.text()


@pytest.mark.parametrize("paper", [SHEET, MEMO])
def test_that_papers_show_the_question_literally(paper: int, qtbot: QtBot) -> None:
    dialog = papers(qtbot, ShareScenario(question=HOSTILE))
    dialog.tabs.setCurrentIndex(paper)
    assert HOSTILE in dialog.preview.toPlainText()
    # The picture of the device is the only image on either.
    assert dialog.preview.toPlainText().count("￼") == 1


def test_that_an_innocent_question_appears_as_it_is_typed(qtbot: QtBot) -> None:
    dialog = papers(qtbot, ShareScenario().changed(design=made("crosswise", {"p": "1/4"})))
    assert "between January and March" in dialog.preview.toPlainText()
    assert dialog.notes.isHidden()
    dialog.fields[0].setText("Is it so?")
    assert T.OWN_QUESTION(question="Is it so?") in dialog.notes.text()
    assert "Is it so?" in dialog.preview.toPlainText()
    assert "January" not in dialog.preview.toPlainText()


def test_that_papers_are_saved_as_html_and_pdf(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = papers(qtbot, ShareScenario(question="Did you?"))
    choose(monkeypatch, tmp_path / "sheet")
    dialog.html.click()
    dialog.pdf.click()
    assert "Did you?" in (tmp_path / "sheet.html").read_text(encoding="utf-8")
    assert (tmp_path / "sheet.pdf").read_bytes().startswith(b"%PDF-")
    assert (tmp_path / "sheet.pdf").read_bytes().rstrip().endswith(b"%%EOF")
    assert dialog.words.text() == ""


def test_that_a_computer_without_printers_says_so(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QPrinterInfo, "availablePrinterNames", list)
    dialog = papers(qtbot, ShareScenario())
    dialog.printing.click()
    assert dialog.words.text().startswith("No printer is set up on this computer.")
    assert dialog.printing.isEnabled()


@pytest.mark.parametrize("chosen", [True, False])
def test_that_a_paper_is_printed_where_a_printer_is_chosen(
    chosen: bool, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paper = tmp_path / "printed.pdf"

    def answer(dialog: QPrintDialog) -> int:
        dialog.printer().setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        dialog.printer().setOutputFileName(str(paper))
        return QDialog.DialogCode.Accepted if chosen else QDialog.DialogCode.Rejected

    monkeypatch.setattr(QPrinterInfo, "availablePrinterNames", lambda: ["office"])
    monkeypatch.setattr(QPrintDialog, "exec", answer)
    dialog = papers(qtbot, ShareScenario())
    dialog.printing.click()
    assert paper.exists() == chosen
    assert dialog.words.text() == ""
    if chosen:
        saved = tmp_path / "saved.pdf"
        choose(monkeypatch, saved)
        dialog.pdf.click()
        of_printer = paper.read_bytes().count(b"/Type /Page\n")
        assert of_printer == saved.read_bytes().count(b"/Type/Page/") > 0


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.tag())
def test_that_a_printed_sheet_has_as_many_pages_as_a_saved_one(
    design: type[Design], qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = PapersDialog(scenario_of(design))
    qtbot.addWidget(dialog)
    paper = tmp_path / "printed.pdf"
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(paper))
    send(dialog.page(paper=True), "sheet", printer)
    saved = pdf_of_page(dialog.page(), "a4")
    assert paper.read_bytes().count(b"/Type /Page\n") == saved.count(b"/Type/Page/") > 0


@pytest.mark.parametrize("design", ALL, ids=NAMES)
def test_that_each_sheet_is_printed_on_one_page(design: Design, tmp_path: Path) -> None:
    question, paper = "Have you ever stolen something at work?", tmp_path / "printed.pdf"
    try:
        sheets = len(sheet_parts(design, question))
    except DpdeskError:
        pytest.skip("no device has these chances")
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(paper))
    printer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    send(sheet_html(design, question, paper=True), "sheet", printer)
    # One more is for the person who prepares the survey.
    assert paper.read_bytes().count(b"/Type /Page\n") == sheets + 1


def test_that_a_paper_that_cannot_be_saved_says_so(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = papers(qtbot, ShareScenario())
    choose(monkeypatch, tmp_path / "none" / "sheet")
    for button, name in ((dialog.html, "sheet.html"), (dialog.pdf, "sheet.pdf")):
        button.click()
        assert dialog.words.text().startswith(f"{name} cannot be written")


def test_that_a_memo_of_an_impossible_plan_says_why_and_is_not_saved(qtbot: QtBot) -> None:
    dialog = papers(qtbot, ShareScenario().changed(prevalence=0.0))
    dialog.tabs.setCurrentIndex(MEMO)
    assert "must lie between 0 and 1" in dialog.words.text()
    assert not dialog.pdf.isEnabled()
    dialog.tabs.setCurrentIndex(SHEET)
    assert dialog.pdf.isEnabled()


def test_that_the_page_has_the_views_and_the_sheet(page: SimulatePage) -> None:
    assert page.pane.respondents in page.pane.tabs.views()
    assert any(isinstance(view, DisclosurePanel) for view in page.pane.tabs.views())
    page.header.sheet.click()
    (dialog,) = page.findChildren(PapersDialog)
    assert page.scenario().question in dialog.preview.toPlainText()
    dialog.close()
