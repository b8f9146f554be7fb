from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import log

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from dpdesk.designs import YesNoDesign, designs_of, loss_of
from dpdesk.designs.anchored_crosswise import AnchoredCrosswise
from dpdesk.designs.kuk import Kuk
from dpdesk.designs.texts import T
from dpdesk.designs.unrelated import Unrelated
from dpdesk.designs.warner import Mangat, WarnerDesign
from dpdesk.gui.document import Document
from dpdesk.gui.pages.simulate import SimulatePage
from dpdesk.gui.pages.simulate.results import HEADERS, result_rows
from dpdesk.gui.pages.simulate.survey_tabs import ANSWER_KINDS, BINARY, NUMBER
from dpdesk.gui.pages.simulate.take_over import COLUMN
from dpdesk.gui.widgets.plain_text import ElidedLabel
from dpdesk.preview.survey import BINS, estimates_view
from tests.engine.survey import survey

KINDS = list(designs_of(YesNoDesign))


def type_into(field: QLineEdit, text: str, qtbot: QtBot) -> None:
    """Types a text and leaves the field by Enter."""
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def choose_design(page: SimulatePage, kind: type) -> None:
    index = KINDS.index(kind)
    page.pane.card.design.kinds.setCurrentIndex(index)
    page.pane.card.design.kinds.activated.emit(index)
    page.pane.flush()


def test_that_the_page_opens_with_two_coins_and_their_respondents(page: SimulatePage) -> None:
    scenario = page.scenario()
    assert scenario.design == WarnerDesign(p=Fraction(3, 4))
    assert (scenario.prevalence, scenario.respondents) == (0.1, 3586)
    texts = [answer.text() for answer in page.pane.card.solve.answers]
    assert texts == ["3,586", "1.099", "2.197", "2,109"]
    assert [tile.value() for tile in page.pane.figures.tiles][:3] == [
        "± 3.0 pp",
        "9.3 ×",
        "10 % → 25 %",
    ]
    assert "3.6 %" in page.pane.figures.tiles[2].caption()


def test_that_a_designer_gets_from_a_margin_to_its_respondents(
    page: SimulatePage, qtbot: QtBot
) -> None:
    type_into(page.pane.card.respondents.field, "1000", qtbot)
    page.pane.flush()
    assert page.scenario().respondents == 1000
    type_into(page.pane.card.solve.fields[0], "2", qtbot)
    page.pane.card.solve.answers[0].click()
    # z^2 (pi (1 - pi) + 3/4) / margin^2 = 3.841459 * 0.84 / 0.0004
    assert page.scenario().respondents == 8068
    assert page.pane.card.respondents.field.text() == "8,068" or page.pane.flush() is None
    assert page.pane.card.respondents.field.text() == "8,068"


def test_that_the_bars_are_those_of_the_preview(page: SimulatePage) -> None:
    drawn = page.pane.estimator.plot.view()
    view = estimates_view(page.scenario().survey, drawn.x_range, 2 * BINS)
    shown = page.pane.estimator.plot._bars.opts["height"]
    np.testing.assert_array_equal(shown, view.counts)
    table = page.pane.estimator.plot.table_data()
    assert len(table.rows) == len(view.counts)
    assert "simulation" in table.headers[2]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_that_every_design_can_be_chosen(page: SimulatePage, kind: type) -> None:
    choose_design(page, kind)
    assert page.scenario().design == kind.example()
    assert not page.notice.isVisible()
    assert page.pane.card.design.words.text()
    assert page.pane.figures.tiles[0].value().startswith("±")


def test_that_parameters_follow_the_slider_of_epsilon(page: SimulatePage, qtbot: QtBot) -> None:
    type_into(page.pane.card.design.epsilon.field, "2", qtbot)
    page.pane.flush()
    design = page.scenario().design
    assert isinstance(design, WarnerDesign)
    epsilon = loss_of(design.groups).epsilon
    assert 2 - 1e-4 < epsilon <= 2
    text = page.pane.card.design.form.line("p").text()
    assert len(text) == len("0.880797")
    assert Fraction(text) == design.p
    before = page.pane.card.design.epsilon.slider.value()
    qtbot.keyClick(page.pane.card.design.epsilon.field, Qt.Key.Key_Up)
    page.pane.flush()
    assert page.pane.card.design.epsilon.slider.value() == before + 1
    assert page.scenario().epsilon > epsilon


def test_that_a_fraction_is_taken_as_it_is_typed(page: SimulatePage, qtbot: QtBot) -> None:
    type_into(page.pane.card.design.form.line("p"), "5/6", qtbot)
    page.pane.flush()
    assert page.scenario().design == WarnerDesign(p=Fraction(5, 6))
    assert page.scenario().epsilon == pytest.approx(log(5))


def test_that_a_long_decimal_is_taken_and_shown_with_every_digit(
    page: SimulatePage, qtbot: QtBot
) -> None:
    type_into(page.pane.card.design.form.line("p"), "0.08333333333333333", qtbot)
    page.pane.flush()
    assert page.scenario().design == WarnerDesign(p=Fraction(8333333333333333, 10**17))
    page.pane.card.design.show_scenario(page.scenario())
    assert page.pane.card.design.form.line("p").text() == "0.08333333333333333"
    assert not page.pane.card.design.form.refusal()


@pytest.mark.parametrize("typed", ["1/2", "1.5", "two", "1/0"])
def test_that_a_wrong_parameter_is_refused_beside_its_field(
    page: SimulatePage, qtbot: QtBot, typed: str
) -> None:
    field = page.pane.card.design.form.line("p")
    type_into(field, typed, qtbot)
    page.pane.flush()
    assert page.scenario().design == WarnerDesign(p=Fraction(3, 4))
    assert field.text() == typed
    assert page.pane.card.design.form.refusal()
    assert typed not in page.pane.card.design.form.refusal().replace("1/6", "")


@pytest.mark.parametrize("typed", ["", "-1", "ten", "101 %", "nan"])
def test_that_a_wrong_share_changes_nothing(page: SimulatePage, qtbot: QtBot, typed: str) -> None:
    before = page.scenario()
    field = page.pane.card.prevalence.field
    field.setFocus()
    field.clear()
    qtbot.keyClicks(field, typed) if typed else field.textEdited.emit("")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert page.scenario() == before
    assert page.pane.card.prevalence.refusal.text()


def test_that_an_infinite_epsilon_is_said_with_its_answer(page: SimulatePage) -> None:
    choose_design(page, Mangat)
    assert "∞" in page.pane.card.design.loss.text()
    assert "no" in page.pane.card.design.loss.text()
    assert page.pane.card.design.epsilon.isHidden()


def test_that_rivals_are_compared_at_the_same_epsilon_unless_told(page: SimulatePage) -> None:
    page.pane.card.compare.add("unrelated")
    page.pane.flush()
    (rival,) = page.scenario().shown_rivals
    assert loss_of(rival.groups).epsilon == pytest.approx(log(3), abs=1e-5)
    assert rival.q == Fraction(1, 6)
    assert [entry.text for entry in page.pane.estimator.rivals.entries()] == [
        "Unrelated question, q = 1/6"
    ]
    page.pane.card.compare.equality.setCurrentIndex(1)
    page.pane.card.compare.equality.activated.emit(1)
    page.pane.flush()
    assert page.scenario().shown_rivals == (Unrelated.example(),)


def test_that_a_fourth_rival_has_to_wait(page: SimulatePage) -> None:
    for word in ("direct", "forced", "mangat"):
        page.pane.card.compare.add(word)
        page.pane.flush()
    assert len(page.scenario().rivals) == 3
    assert not page.pane.card.compare.boxes["unrelated"].isEnabled()
    assert not page.pane.card.compare.more.isEnabled()
    page.pane.card.compare.boxes["direct"].click()
    page.pane.flush()
    assert page.pane.card.compare.boxes["unrelated"].isEnabled()


def test_that_a_new_seed_draws_other_surveys_and_an_old_one_the_same(
    page: SimulatePage, qtbot: QtBot
) -> None:
    first = page.pane.estimator.plot._bars.opts["height"].copy()
    page.pane.seed.renew.click()
    page.pane.flush()
    assert page.pane.seed.seed.text() == "2"
    assert (page.pane.estimator.plot._bars.opts["height"] != first).any()
    type_into(page.pane.seed.seed, "1", qtbot)
    page.pane.flush()
    np.testing.assert_array_equal(page.pane.estimator.plot._bars.opts["height"], first)


def test_that_all_outcomes_need_no_seed(page: SimulatePage) -> None:
    page.pane.seed.exact.click()
    page.pane.flush()
    assert not page.pane.seed.renew.isEnabled()
    assert page.pane.estimator.plot._bars.opts["height"].sum() == pytest.approx(1000, abs=1)
    page.pane.card.respondents.valueChanged.emit(1e6)
    page.pane.flush()
    assert page.pane.seed.renew.isEnabled()
    assert not page.pane.seed.exact.isEnabled()


def test_that_deniers_move_the_estimate_by_what_the_page_says(
    page: SimulatePage, qtbot: QtBot
) -> None:
    type_into(page.pane.card.departures["deny"].field, "20 %", qtbot)
    page.pane.flush()
    # A denier always says no: pi u (a - 0) / (a - b) = 0.1 * 0.2 * 0.75 / 0.5 = 3 pp less.
    assert "−3.0" in page.pane.figures.tiles[3].toolTip()


def test_that_the_plan_takes_the_survey_over_in_one_step(
    page: SimulatePage, document: Document
) -> None:
    page.header.use.click()
    column = document.plan.column(COLUMN)
    assert column.label == page.scenario().question
    assert column.mechanism is not None
    assert column.mechanism.kind == "warner"
    assert column.mechanism.epsilon == Decimal("1.0986")
    assert document.plan.respondents == 3586
    assert "ε = 1.099" in page.notice.message()
    assert document.undo_stack.count() == 1
    document.undo_stack.undo()
    assert document.plan.columns == ()


def test_that_a_second_take_over_changes_the_same_column(
    page: SimulatePage, document: Document, qtbot: QtBot
) -> None:
    page.use_in_plan()
    type_into(page.pane.card.design.epsilon.field, "2", qtbot)
    page.use_in_plan()
    assert len(document.plan.columns) == 1
    mechanism = document.plan.column(COLUMN).mechanism
    assert mechanism is not None
    assert Decimal("1.9999") <= mechanism.epsilon <= 2


def test_that_the_respondents_of_data_are_not_supposed(
    page: SimulatePage, document: Document
) -> None:
    document._set_table(survey(), None)
    respondents = document.plan.respondents
    page.use_in_plan()
    assert document.plan.respondents == respondents
    assert "stays" in page.notice.message()


def test_that_a_design_that_proves_is_not_taken_over(
    page: SimulatePage, document: Document
) -> None:
    choose_design(page, Mangat)
    page.use_in_plan()
    assert document.plan.columns == ()
    assert T.PROOF(design="Mangat") in page.notice.message()


def test_that_a_question_is_shown_literally_and_kept(
    page: SimulatePage, document: Document, qtbot: QtBot
) -> None:
    type_into(page.header.question, "<b>Have you?</b>", qtbot)
    assert page.scenario().question == "<b>Have you?</b>"
    page.use_in_plan()
    assert document.plan.column(COLUMN).label == "<b>Have you?</b>"


def test_that_the_tab_that_is_not_looked_at_is_not_drawn(page: SimulatePage) -> None:
    from PySide6.QtWidgets import QWidget

    class Counting(QWidget):
        shown = 0

        def show_scenario(self, scenario: object) -> None:
            self.shown += 1

        def show_table(self) -> None:
            self.shown += 100

    view = Counting()
    page.pane.tabs.add("Counting", view)
    page.pane.flush()
    assert view.shown == 0
    page.pane.tabs.tabs.setCurrentIndex(page.pane.tabs.tabs.count() - 1)
    assert view.shown == 1
    with pytest.raises(TypeError):
        page.pane.tabs.add("Nothing", QWidget())


def test_that_every_view_shows_every_design(page: SimulatePage) -> None:
    for kind in KINDS:
        choose_design(page, kind)
        for number in range(page.pane.tabs.tabs.count()):
            page.pane.tabs.tabs.setCurrentIndex(number)
            page.pane.flush()
            assert not page.notice.isVisible(), (kind, number, page.notice.message())
            assert not page.pane.tabs.reason.isVisible(), (kind, number)


@pytest.mark.parametrize("kind", ANSWER_KINDS)
def test_that_starting_over_shows_the_first_survey_and_gives_mine_back(
    page: SimulatePage, kind: str, qtbot: QtBot
) -> None:
    page.choose_kind(kind)
    place = page.pane
    first, wanted = place.scenario(), place.card.solve.fields[0].text()
    type_into(place.card.respondents.field, "1234", qtbot)
    type_into(place.card.solve.fields[0], "7", qtbot)
    page.header.questionChanged.emit("Did you pay?")
    mine = place.scenario()
    assert (mine.respondents, mine.question) == (1234, "Did you pay?")
    page.start_over()
    assert place.scenario() == first
    assert place.card.solve.fields[0].text() == wanted
    assert page.header.question.text() == first.question
    page.notice.actionTriggered.emit()
    assert place.scenario() == mine
    assert page.header.question.text() == "Did you pay?"
    assert not page.notice.isVisible()


def test_that_mine_is_still_offered_after_a_look_at_another_kind(page: SimulatePage) -> None:
    page.pane.change(respondents=1234)
    mine = page.scenario()
    page.start_over()
    offered = page.notice.message()
    page.choose_kind(NUMBER)
    assert not page.notice.isVisible()
    page.choose_kind(BINARY)
    assert page.notice.message() == offered
    assert page.notice.isVisible()
    page.notice.actionTriggered.emit()
    assert page.scenario() == mine
    page.choose_kind(NUMBER)
    page.choose_kind(BINARY)
    assert not page.notice.isVisible()
    page.start_over()
    page.notice.close_notice()
    page.choose_kind(NUMBER)
    page.choose_kind(BINARY)
    assert not page.notice.isVisible()


def test_that_nothing_of_the_first_cards_is_cut_off(page: SimulatePage) -> None:
    # What a window of 1360 by 850 leaves to the page; a list of answers may be longer.
    page.resize(1240, 784)
    for kind in (BINARY, NUMBER):
        page.choose_kind(kind)
        card = page.pane.card
        QCoreApplication.processEvents()
        assert not card.area.verticalScrollBar().isVisible(), kind
        card.more.setChecked(True)
        QCoreApplication.processEvents()
        for label in card.findChildren(ElidedLabel):
            assert label.text() == label.full_text()


def test_that_the_nearest_device_is_offered_where_there_is_none(
    page: SimulatePage, qtbot: QtBot
) -> None:
    assert page.pane.card.design.device.isHidden()
    type_into(page.pane.card.design.epsilon.field, "1.5", qtbot)
    page.pane.flush()
    assert page.pane.card.design.device.text() == "Nearest: Bag of beads, ε = 1.467"
    page.pane.card.design.device.click()
    page.pane.flush()
    assert page.scenario().design == WarnerDesign(p=Fraction(13, 16))
    assert page.pane.card.design.device.isHidden()


def test_that_a_kept_survey_stays_while_the_other_changes(page: SimulatePage, qtbot: QtBot) -> None:
    page.pane.card.more.setChecked(True)
    page.pane.card.compare.kept.click()
    page.pane.flush()
    type_into(page.pane.card.respondents.field, "10,000", qtbot)
    page.pane.flush()
    assert page.pane.card.compare.kept.text() == "A: Warner, n = 3,586, ε = 1.099"
    assert page.scenario().kept is not None
    assert page.scenario().kept.respondents == 3586
    assert [row[HEADERS.index("respondents")] for row in result_rows(page.scenario())] == [
        "10000",
        "3586",
    ]
    kept = page.pane.estimator.plot._kept.yData
    own = page.pane.estimator.plot._curve.yData
    # Of theory, the peak grows with the root of n.
    assert own.max() / kept.max() == pytest.approx((10_000 / 3586) ** 0.5, rel=1e-3)
    page.pane.card.compare.kept.click()
    page.pane.flush()
    assert page.scenario().kept is None


def test_that_others_who_refuse_to_say_yes_lower_the_estimate(
    page: SimulatePage, qtbot: QtBot
) -> None:
    type_into(page.pane.card.departures["refuse"].field, "10", qtbot)
    page.pane.flush()
    # (1 - pi) r (1 - p) / (2 p - 1) = 0.9 * 0.1 * 0.25 / 0.5 = 4.5 pp less.
    assert "−4.5" in page.pane.figures.tiles[3].toolTip()


def test_that_an_epsilon_beyond_all_mechanisms_is_refused(
    page: SimulatePage, document: Document
) -> None:
    rare = Fraction(1, 10**8)
    page.set_scenario(page.scenario().changed(design=Kuk(p1=1 - rare, p2=rare, draws=3)))
    assert page.scenario().epsilon > 50
    page.use_in_plan()
    assert document.plan.columns == ()
    assert "between 0.0001 and 40" in page.notice.message()


def test_that_an_impossible_survey_is_told_until_it_is_mended(page: SimulatePage) -> None:
    choose_design(page, AnchoredCrosswise)
    page.set_scenario(page.scenario().changed(careless=1.0))
    page.pane.flush()
    assert T.NO_ONE_ATTENDS() in page.notice.message()
    assert page.pane.tabs.reason.isVisible()
    page.set_scenario(page.scenario().changed(careless=0.1))
    page.pane.flush()
    assert not page.notice.isVisible()
    assert page.pane.estimator.isVisible()
