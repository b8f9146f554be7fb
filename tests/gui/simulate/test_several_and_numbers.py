"""The page with one of several answers, and with a number."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from fractions import Fraction
from math import isinf, log
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.matrix_categories import MatrixCategories
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.scrambling import BarLev, Multiplicative
from dpdesk.designs.texts import T
from dpdesk.domains import Categorical, Integer
from dpdesk.gui.document import Document
from dpdesk.gui.pages.simulate import SimulatePage
from dpdesk.gui.pages.simulate.beliefs_view import BeliefsModel
from dpdesk.gui.pages.simulate.design_form import _read
from dpdesk.gui.pages.simulate.design_words import typed_value
from dpdesk.gui.pages.simulate.number_scenario import MeanScenario
from dpdesk.gui.pages.simulate.number_view import NumberPrivacyView
from dpdesk.gui.pages.simulate.page import MEMO, SHEET, PapersDialog
from dpdesk.gui.pages.simulate.played_survey import PlayedSurvey
from dpdesk.gui.pages.simulate.results import result_csv, save_results
from dpdesk.gui.pages.simulate.scenario_kinds import SharesScenario
from dpdesk.gui.pages.simulate.survey_pane import SurveyPane
from dpdesk.gui.pages.simulate.survey_tabs import ANSWER_KINDS, BINARY, NUMBER, SEVERAL
from dpdesk.gui.pages.simulate.take_over import COLUMN
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.mechanisms.direct_encoding import Grr
from dpdesk.mechanisms.pram import Pram
from dpdesk.mechanisms.unbounded_noise import Laplace
from dpdesk.preview.survey import BINS, belief_table, estimates_view
from tests.gui.test_accessibility import nameless, rich_labels


def type_into(field: QLineEdit, text: str, qtbot: QtBot) -> None:
    """Types a text and leaves the field by Enter."""
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def pane_of(page: SimulatePage, kind: str) -> SurveyPane:
    page.choose_kind(kind)
    return page.pane


def choose(pane: SurveyPane, word: str) -> None:
    kinds = pane.card.design.kinds
    index = kinds.findData(word)
    kinds.setCurrentIndex(index)
    kinds.activated.emit(index)
    pane.flush()


@pytest.fixture
def several(page: SimulatePage) -> SurveyPane:
    return pane_of(page, SEVERAL)


@pytest.fixture
def number(page: SimulatePage) -> SurveyPane:
    return pane_of(page, NUMBER)


def test_that_the_keyboard_goes_to_every_kind_of_answer_and_back(
    page: SimulatePage, qtbot: QtBot
) -> None:
    assert page.kind() == BINARY
    seen = []
    page.pane.card.kind.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Left):
        card = page.pane.card
        assert card.kind.tabText(card.kind.currentIndex())
        qtbot.keyClick(card.kind, key)
        seen.append(page.header.question.text())
    assert seen[0] == seen[2] != seen[1]
    assert page.kind() == BINARY
    assert seen[3] == page.scenario().question
    assert page.panes()[1] is page.pane.card


def test_that_each_kind_keeps_its_question(page: SimulatePage, qtbot: QtBot) -> None:
    pane = pane_of(page, SEVERAL)
    type_into(page.header.question, "How often?", qtbot)
    assert pane.scenario().question == "How often?"
    page.choose_kind(BINARY)
    assert page.scenario().question != "How often?"
    page.choose_kind(SEVERAL)
    assert page.header.question.text() == "How often?"


@pytest.mark.parametrize("kind", ANSWER_KINDS)
def test_that_every_stop_of_the_page_has_a_name(page: SimulatePage, kind: str) -> None:
    page.choose_kind(kind)
    tabs = page.pane.tabs
    for index in range(1 if kind == BINARY else len(tabs.views())):
        tabs.tabs.setCurrentIndex(index)
        assert nameless(page) == []
        assert rich_labels(page) == []


@pytest.mark.parametrize("word", [design.word for design in SharesScenario.designs()])
def test_that_every_design_for_several_answers_shows_every_view(
    several: SurveyPane, page: SimulatePage, word: str
) -> None:
    choose(several, word)
    assert several.scenario().design.word == word
    for index in range(5):
        several.tabs.tabs.setCurrentIndex(index)
        assert several.tabs.reason.isHidden()
    assert not page.notice.isVisible()
    assert several.figures.tiles[0].value().endswith("pp")


@pytest.mark.parametrize("word", [design.word for design in MeanScenario.designs()])
def test_that_every_design_for_numbers_shows_every_view(
    number: SurveyPane, page: SimulatePage, word: str
) -> None:
    choose(number, word)
    for index in range(4):
        number.tabs.tabs.setCurrentIndex(index)
        assert number.tabs.reason.isHidden()
    assert not page.notice.isVisible()
    assert number.figures.tiles[0].value().endswith("euros")
    infinite = isinf(number.scenario().epsilon)
    assert infinite == (word != "additive")
    assert (number.figures.tiles[2].value() == "ε = ∞") == infinite
    number.tabs.tabs.setCurrentIndex(1)
    drawn = number.errors.second.currentWidget() is number.errors.by_epsilon
    assert drawn != infinite
    assert ("ε is infinite" in number.errors.reason.text()) == infinite


def test_that_the_bars_are_those_of_the_share_looked_at(several: SurveyPane) -> None:
    plot = several.estimator.plot
    shown, axis = plot._bars.opts["height"], plot.view().x_range
    view = estimates_view(several.scenario().survey, axis, 2 * BINS)
    np.testing.assert_array_equal(shown, view.counts)
    several.card.looked.setCurrentIndex(0)
    several.card.looked.activated.emit(0)
    several.flush()
    assert several.scenario().truth == pytest.approx(70)
    again, axis = plot._bars.opts["height"], plot.view().x_range
    view = estimates_view(several.scenario().survey, axis, 2 * BINS)
    np.testing.assert_array_equal(again, view.counts)
    assert not np.array_equal(again, shown)


def test_that_a_share_that_is_typed_makes_the_others_give_way(
    several: SurveyPane, qtbot: QtBot
) -> None:
    type_into(several.card.answers.shares[0], "40", qtbot)
    several.flush()
    shares = several.scenario().survey.shares
    assert shares[0] == 0.4
    assert sum(shares) == pytest.approx(1)
    assert shares[1] / shares[2] == pytest.approx(18 / 8)
    type_into(several.card.answers.shares[0], "140", qtbot)
    assert several.scenario().survey.shares == shares
    assert several.card.answers.refusal.text()


def test_that_answers_are_added_named_and_removed(several: SurveyPane, qtbot: QtBot) -> None:
    rows = several.card.answers
    truth = 1 - sum(several.scenario().design.orders)
    qtbot.mouseClick(rows.more, Qt.MouseButton.LeftButton)
    several.flush()
    assert len(several.scenario().names) == len(several.scenario().design.law) == 5
    assert several.scenario().survey.shares[4] == 0.05
    type_into(rows.names[4], "never", qtbot)
    assert rows.refusal.text()
    type_into(rows.names[4], "daily", qtbot)
    several.flush()
    assert several.scenario().names[4] == several.card.looked.itemText(4) == "daily"
    qtbot.mouseClick(rows.removals[0], Qt.MouseButton.LeftButton)
    several.flush()
    scenario = several.scenario()
    assert "never" not in scenario.names
    assert scenario.names[scenario.survey.looked] == "weekly or more often"
    assert 1 - sum(scenario.design.orders) == truth == Fraction(1, 2)
    assert sum(scenario.survey.shares) == pytest.approx(1)


def test_that_the_keyboard_is_at_what_was_added_and_at_what_follows_what_went(
    several: SurveyPane, page: SimulatePage, qtbot: QtBot
) -> None:
    rows = several.card.answers
    page.activateWindow()
    qtbot.mouseClick(rows.more, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.focusWidget() is rows.names[4])
    assert rows.names[4].selectedText() == "answer 5"
    for removed, place in ((1, 1), (3, 2)):
        qtbot.mouseClick(rows.removals[removed], Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda place=place: page.focusWidget() is rows.names[place])


def test_that_a_long_answer_has_a_short_head_and_its_words_in_the_tooltip() -> None:
    longest, fits = "never in the last twelve months", "every month or"
    model = BeliefsModel()
    scenario = replace(SharesScenario(), names=(longest, fits, "rarely", "never"))
    model.show_beliefs(scenario, belief_table(scenario.design, scenario.survey.shares))
    across = Qt.Orientation.Horizontal
    heads = [model.headerData(column, across) for column in range(1, 5)]
    assert heads == ["never in the\N{HORIZONTAL ELLIPSIS}", fits, "rarely", "never"]
    assert longest in model.headerData(1, across, Qt.ItemDataRole.ToolTipRole)


def test_that_no_answer_can_be_removed_from_two_nor_added_to_ten(several: SurveyPane) -> None:
    rows = several.card.answers
    while rows.more.isEnabled():
        rows.more.click()
    assert len(several.scenario().names) == 10
    while rows.removals[0].isEnabled():
        rows.removals[0].click()
        several.flush()
    assert len(several.scenario().names) == 2


def test_that_parameters_follow_epsilon_and_are_taken_as_typed(
    several: SurveyPane, qtbot: QtBot
) -> None:
    type_into(several.card.design.epsilon.field, "2", qtbot)
    several.flush()
    assert 2 - 1e-4 < several.scenario().epsilon <= 2
    type_into(several.card.design.form.line("orders"), "1/4, 1/8, 1/8, 1/10", qtbot)
    several.flush()
    design = several.scenario().design
    assert isinstance(design, ForcedCategories)
    assert design.orders[3] == Fraction(1, 10)
    field = several.card.design.form.line("orders")
    type_into(field, "1/2, 1/2, 0, 0", qtbot)
    assert several.scenario().design == design
    assert several.card.design.form.refusal()


def test_that_a_matrix_that_rules_an_answer_out_is_said_to_be_a_proof(
    several: SurveyPane, qtbot: QtBot
) -> None:
    choose(several, "matrix")
    rows = "1/2,1/4,1/4,0; 1/4,1/2,1/8,1/8; 1/4,1/4,1/4,1/4; 1/5,1/5,1/5,2/5"
    type_into(several.card.design.form.line("rows"), rows, qtbot)
    several.flush()
    assert isinstance(several.scenario().design, MatrixCategories)
    assert isinf(several.scenario().epsilon)
    several.tabs.tabs.setCurrentIndex(4)
    view = several.tabs.current()
    assert "infinite" in view.sentence.text()
    assert view.proofs.text() == (
        "“weekly or more often” is a proof: whoever says it is not “never”."
    )
    assert view.model.text(view.model.row(4), 6) == "∞: a proof"


def test_that_reports_that_may_be_for_many_say_which_is_shown(several: SurveyPane) -> None:
    choose(several, "oue")
    several.tabs.tabs.setCurrentIndex(4)
    view = several.tabs.current()
    assert view.model.report_name(view.model.row(1)) == "for “never” alone"
    assert "several answers" in view.foot.text()
    assert [head.text for head in view.model.heads][-1] == "Likelier"
    assert len(view.model.heads) == 6


def test_that_who_hides_moves_the_estimate(several: SurveyPane) -> None:
    several.card.departures["deny"].slider.setValue(100)
    several.flush()
    assert several.scenario().survey.deny == 0.5
    # Half of 4 % say "never" outright: the order of theirs is lost as well.
    assert several.scenario().survey.shown_theory.mean == pytest.approx(4 - 2 * (0.5 + 0.125) / 0.5)
    assert "−2.5" in several.figures.tiles[3].accessibleDescription()


def test_that_what_is_solved_for_is_taken(several: SurveyPane, qtbot: QtBot) -> None:
    type_into(several.card.solve.fields[0], "1", qtbot)
    several.card.solve.answers[0].click()
    several.flush()
    assert several.figures.tiles[0].value() == "± 1.0 pp"
    type_into(several.card.solve.fields[1], "2", qtbot)
    several.card.solve.answers[1].click()
    several.flush()
    assert several.figures.tiles[0].value() == "± 2.0 pp"
    assert several.scenario().epsilon < log(5)


def test_that_a_margin_of_numbers_is_in_their_unit(number: SurveyPane, qtbot: QtBot) -> None:
    type_into(number.card.solve.fields[0], "25", qtbot)
    number.card.solve.answers[0].click()
    number.flush()
    assert number.figures.tiles[0].value() == "± 25 euros"
    type_into(number.card.solve.fields[0], "-3", qtbot)
    assert number.card.solve.refusal.text()


@pytest.mark.parametrize(
    ("name", "typed"), [("deviation", "3000"), ("upper", "-1"), ("lower", "x")]
)
def test_that_impossible_numbers_are_refused(
    number: SurveyPane, qtbot: QtBot, name: str, typed: str
) -> None:
    before = number.scenario()
    type_into(number.card.form.line(name), typed, qtbot)
    number.flush()
    assert number.scenario() == before
    assert number.card.form.refusal()
    assert typed not in number.card.form.refusal()


def test_that_respondents_are_played_with_device_and_answer(several: SurveyPane) -> None:
    several.tabs.tabs.setCurrentIndex(3)
    view = several.respondents
    assert view.stage.estimate.text() == "too few yet"
    for _ in range(60):
        view.player.advance()
    assert "61 of 3,000" in view.words.full_text()
    assert view.stage.answer.text().startswith("“")
    view.truth.setChecked(True)
    assert view.stage.truth.text() in several.scenario().names
    assert "pp" in view.stage.estimate.text()
    table = view.plot.table_data()
    assert len(table.rows) == 60
    assert "simulation" in table.headers[0]


def test_that_an_answer_keeps_its_own_name_and_cannot_have_that_of_another(
    several: SurveyPane, qtbot: QtBot
) -> None:
    rows = several.card.answers
    for row, own in enumerate(names := several.scenario().names):
        for other in (*(name for name in names if name != own), ""):
            type_into(rows.names[row], f" {other} ", qtbot)
            assert "words of its own" in rows.refusal.text(), (row, other)
        type_into(rows.names[row], f" {own} ", qtbot)
        assert rows.refusal.text() == "", row
        assert rows.names[row].text() == own
    several.flush()
    assert several.scenario().names == names


def test_that_rivals_are_drawn_beside_the_design(several: SurveyPane, number: SurveyPane) -> None:
    for pane, count in ((several, 3), (number, 1)):
        for box in pane.card.compare.boxes.values():
            if box.isEnabled():
                box.setChecked(True)
        pane.flush()
        assert len(pane.estimator.rivals.entries()) >= count
        assert pane.estimator.rivals.entries()[0].text == "Direct question"


def test_that_a_device_goes_into_the_plan_as_the_mechanism_of_its_chances(
    page: SimulatePage, several: SurveyPane, document: Document
) -> None:
    page.use_in_plan()
    column = next(c for c in document.plan.columns if c.name == COLUMN)
    assert isinstance(column.domain, Categorical)
    assert column.domain.values == several.scenario().names
    assert isinstance(column.mechanism, Grr)
    assert log(5) - 1e-4 < float(column.mechanism.epsilon) <= log(5)
    assert column.expected_shares == pytest.approx(several.scenario().survey.shares)
    choose(several, "matrix")
    page.use_in_plan()
    column = next(c for c in document.plan.columns if c.name == COLUMN)
    assert isinstance(column.mechanism, Pram)
    assert float(column.mechanism.epsilon) == pytest.approx(several.scenario().epsilon)
    assert "matrix of chances" in page.notice.message()
    choose(several, "oue")
    page.use_in_plan()
    column = next(c for c in document.plan.columns if c.name == COLUMN)
    assert isinstance(several.scenario().design, MechanismShare)
    assert column.mechanism is not None
    assert column.mechanism.kind == "oue"


def test_that_added_noise_goes_into_the_plan_and_other_numbers_do_not(
    page: SimulatePage, number: SurveyPane, document: Document
) -> None:
    page.use_in_plan()
    column = next(c for c in document.plan.columns if c.name == COLUMN)
    assert isinstance(column.domain, Integer)
    assert (column.domain.lower, column.domain.upper, column.domain.unit) == (0, 2000, "euros")
    assert isinstance(column.mechanism, Laplace)
    assert column.mechanism.epsilon == 2
    assert "no part of a plan" in page.notice.message()
    choose(number, "bar_lev")
    before = document.plan
    page.use_in_plan()
    assert document.plan == before
    assert T.PROOF(design="Bar-Lev") in page.notice.message()


@pytest.mark.parametrize("kind", [SEVERAL, NUMBER])
def test_that_sheet_and_memo_are_of_what_is_shown(
    page: SimulatePage, qtbot: QtBot, kind: str
) -> None:
    pane = pane_of(page, kind)
    dialog = PapersDialog(pane.scenario(), page)
    qtbot.addWidget(dialog)
    dialog.tabs.setCurrentIndex(SHEET)
    sheet = dialog.preview.toPlainText()
    assert pane.scenario().question in sheet
    dialog.tabs.setCurrentIndex(MEMO)
    memo = dialog.preview.toPlainText()
    assert "3,000 respondents" in memo
    assert dialog.html.isEnabled()
    if kind == SEVERAL:
        assert "weekly or more often" in sheet
        assert "± 2.5 pp" in memo
    else:
        assert "euros" in memo


@pytest.mark.parametrize("kind", [SEVERAL, NUMBER])
def test_that_results_are_saved_as_a_simulation(
    page: SimulatePage, tmp_path: Path, kind: str
) -> None:
    pane = pane_of(page, kind)
    out = tmp_path / "results.csv"
    save_results(pane.scenario(), out)
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == (4 if kind == SEVERAL else 1)
    assert {row["source"] for row in rows} == {"simulation"}
    assert out.read_text(encoding="utf-8") == result_csv(pane.scenario())


def test_that_numbers_carry_their_unit_and_thousands_are_parted(
    number: SurveyPane, qtbot: QtBot
) -> None:
    labels = [label.text() for label in number.card.findChildren(PlainLabel)]
    titles = "Standard deviation|Least answer|n for a margin of|Scale, or half width"
    for title in [*titles.split("|"), "Mean drawn"]:
        assert f"{title} (euros)" in labels
    assert number.card.mean.field.text() == "400 euros"
    stream = number.scenario().stream()
    said = stream.first(1)[0]
    assert said.truth.endswith(" euros")
    assert said.spoken.endswith(" euros")
    assert said.device.endswith(" euros")
    type_into(number.card.form.line("unit"), "hours", qtbot)
    number.flush()
    labels = [label.text() for label in number.card.findChildren(PlainLabel)]
    assert "Scale, or half width (hours)" in labels
    assert number.card.mean.field.text() == "400 hours"
    assert typed_value(1000.0) == number.card.design.form.line("scale").text() == "1,000"
    assert (_read("1,000"), _read("1,000.5")) == ("1000", "1000.5")
    assert (_read("1/2, 1/2"), _read("0,000")) == (("1/2", "1/2"), ("0", "000"))


@pytest.mark.parametrize(
    ("design", "words"),
    [
        (Multiplicative(lower=0, upper=2_000, scale=0.2), "The upright line: 0 euros is always"),
        (Multiplicative(lower=1, upper=2_000, scale=0.2), ""),
        (BarLev(lower=1, upper=2_000, scale=0.2, truth="1/2"), "is said, with chance 50.0 %."),
        (BarLev(lower=0, upper=2_000, scale=0.2, truth="1/2"), "with chance 50.0 % or more."),
    ],
)  # fmt: skip
def test_that_the_foot_says_which_true_numbers_are_said_as_they_are(
    qtbot: QtBot, design: NumberDesign, words: str
) -> None:
    view = NumberPrivacyView()
    qtbot.addWidget(view)
    view.show_scenario(MeanScenario(unit="euros").changed(design=design))
    assert words in view.foot.text()
    assert ("pright" in view.foot.text()) == bool(words)
    assert ">99.99" not in view.foot.text()


def test_that_a_renamed_answer_and_another_unit_are_played_under_their_new_words(
    qtbot: QtBot,
) -> None:
    for scenario, other, word in (
        (SharesScenario(), {"names": ("w", "x", "y", "z")}, "“[wxyz]”"),
        (MeanScenario(unit="euros"), {"unit": "hours"}, ".* hours"),
    ):
        view = PlayedSurvey()
        qtbot.addWidget(view)
        view.show_scenario(scenario)
        view.player.advance()
        shown, before = view.player.shown(), view.stage.answer.text()
        view.show_scenario(replace(scenario, **other))
        assert view.player.shown() == shown
        assert re.fullmatch(word, view.stage.answer.text())
        assert view.stage.answer.text() != before
