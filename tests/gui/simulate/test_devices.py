"""Devices that exist: in the form of a design, the rows to solve for, on papers, in a plan."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log

import pytest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from dpdesk.designs.cheating_detection import CheatingDetection, SymmetricCheatingDetection
from dpdesk.designs.kuk import Kuk
from dpdesk.designs.planning import respondents_for_margin
from dpdesk.designs.texts import T
from dpdesk.designs.warner import WarnerDesign
from dpdesk.domains import Categorical
from dpdesk.gui.document import Document
from dpdesk.gui.pages.simulate import SimulatePage
from dpdesk.gui.pages.simulate.page import PapersDialog
from dpdesk.plan import ColumnPlan
from dpdesk.reports.survey.texts import T as PapersT
from tests.texts import values_in


def choose(page: SimulatePage, word: str) -> None:
    form = page.pane.card.design
    index = form.devices.findData(word)
    assert index >= 0
    form.devices.setCurrentIndex(index)
    form.devices.activated.emit(index)
    page.pane.flush()


def type_text(field: QLineEdit, text: str) -> None:
    field.setText(text)
    field.editingFinished.emit()


def type_epsilon(page: SimulatePage, text: str) -> None:
    type_text(page.pane.card.design.epsilon.field, text)
    page.pane.flush()


def design_of(page: SimulatePage) -> WarnerDesign:
    design = page.scenario().design
    assert isinstance(design, WarnerDesign)
    return design


def test_that_epsilon_moves_in_steps_of_a_chosen_device(page: SimulatePage) -> None:
    choose(page, "die")
    slider = page.pane.card.design.epsilon.slider
    assert (slider.minimum(), slider.maximum()) == (0, 1)
    form = page.pane.card.design
    type_epsilon(page, "1.5")
    # As on the command line: nearest to it and not above, with what that costs and the nearest.
    assert page.scenario().epsilon == pytest.approx(log(2))
    assert form.epsilon.field.text() == "0.694"
    form.show_nearest()
    told = form.rounded.text()
    assert told.startswith("Asked for: ε = 1.50, that is p = 0.817574. One die: ε = 0.694, not abo")
    sample = page.scenario().survey.sample
    exact = sample.asked_by(WarnerDesign().at_epsilon(1.5))
    for p, words in ((Fraction(2, 3), "more"), (Fraction(5, 6), "fewer")):
        needed = respondents_for_margin(sample.asked_by(WarnerDesign(p=p)), exact.margin)
        people = abs(needed.respondents - sample.respondents)
        assert f"{people:,} {words} respondents for the same error" in told
    assert form.device.text() == "Nearest, above it: One die, ε = 1.61"
    form.device.click()
    page.pane.flush()
    assert page.scenario().epsilon == pytest.approx(log(5))
    form.show_nearest()
    assert "ε = 1.61, more than was asked for" in form.rounded.text()
    assert form.device.text() == "Not above it: One die, ε = 0.694"
    type_epsilon(page, "0.1")
    form.show_nearest()
    assert "has none as small: ε = 0.694 is its least, more than was" in form.rounded.text()
    for position in (1, 0):
        slider.setValue(position)
        page.pane.flush()
    form.show_nearest()
    assert form.rounded.isHidden()
    assert design_of(page).p == Fraction(2, 3)
    words = page.pane.card.design.words.text()
    assert words.startswith("If the die shows 1 to 4: answer the question truthfully.")
    assert page.scenario().epsilon == pytest.approx(log(2))
    choose(page, "")
    type_epsilon(page, "1.5")
    assert 1.49 < page.scenario().epsilon <= 1.5
    assert slider.maximum() == 400


def test_that_a_screen_keeps_the_exact_parameters(page: SimulatePage, qtbot: QtBot) -> None:
    type_epsilon(page, "1.5")
    dialog = PapersDialog(page.scenario(), page)
    qtbot.addWidget(dialog)
    (said,) = values_in(PapersT.NO_DEVICE_BUT, dialog.words.text())
    assert said["setting"].startswith("p = 0.81")
    assert not dialog.pdf.isEnabled()
    dialog.screens.click()
    assert dialog.pdf.isEnabled()
    assert "=RANDBETWEEN(1,500000)" in dialog.preview.toPlainText()
    choose(page, "screen")
    assert page.pane.card.design.device.isHidden()
    exact = PapersDialog(page.scenario(), page)
    qtbot.addWidget(exact)
    assert exact.screens.isHidden()
    assert "from 1 to 500,000" in exact.preview.toPlainText()


def test_that_rows_to_solve_for_show_the_nearest_device(page: SimulatePage) -> None:
    solve = page.pane.card.solve
    shown = [label.full_text() for label in solve.devices]
    # The margin needs a little less than two coins; they reach it.
    assert shown[1] == "Nearest: Two coins, ε = 1.099"
    assert shown[2].startswith("Nearest: ")
    assert shown[0] == shown[3] == ""
    choose(page, "die")
    assert solve.devices[1].full_text() == "Nearest: One die, ε = 1.61"
    assert solve.devices[2].full_text() == "Nearest: One die, ε = 1.609"


def test_that_the_search_for_devices_holds_up_no_step_of_epsilon(page: SimulatePage) -> None:
    card, pane = page.pane.card, page.pane
    card.more.setChecked(True)
    type_epsilon(page, "1.5")
    near = card.design.device.text()
    # However slow the machine is, the sliders do not rest meanwhile.
    pane._resting.setInterval(600_000)
    numbers, devices = [], []
    for position in (150, 200, 250):
        card.design.epsilon.slider.setValue(position)
        card.respondents.slider.setValue(position)
        pane._throttle.flush()
        pane._beside.flush()
        numbers.append(card.solve.answer(1))
        devices.append(card.solve.devices[1].full_text())
    assert len(set(numbers)) == 3
    assert len(set(devices)) == 1
    assert card.design.device.text() == near
    # The device of this epsilon is taken, and not the one that stands there.
    card.design.device.click()
    assert page.scenario().epsilon == pytest.approx(1.73, abs=0.01)
    pane.flush()
    assert card.solve.devices[1].full_text() not in devices
    assert card.design.device.text() != near
    # What is typed there is answered whole.
    before = card.solve.devices[2].full_text()
    card.solve.fields[2].setText("20 %")
    card.solve.fields[2].editingFinished.emit()
    assert card.solve.devices[2].full_text() != before


def test_that_a_design_without_devices_says_why(page: SimulatePage) -> None:
    form = page.pane.card.design
    direct = form.kinds.findData("item_count")
    form.kinds.setCurrentIndex(direct)
    form.kinds.activated.emit(direct)
    page.pane.flush()
    assert form.devices.isHidden()
    assert "needs no device" in form.none_serves.text()


def test_that_a_device_that_another_design_cannot_use_is_left(page: SimulatePage) -> None:
    choose(page, "die")
    form = page.pane.card.design
    index = form.kinds.findData("crosswise")
    form.kinds.setCurrentIndex(index)
    form.kinds.activated.emit(index)
    page.pane.flush()
    assert page.scenario().chosen_device is None
    assert [form.devices.itemData(k) for k in range(form.devices.count())] == [
        "",
        "birth_month",
        "birth_day",
        "screen",
    ]
    page.pane.change(design=CheatingDetection.example())
    page.pane.flush()
    assert page.scenario().chosen_device is not None


def test_that_use_in_plan_keeps_question_device_and_respondents(
    page: SimulatePage, document: Document
) -> None:
    choose(page, "die")
    page.pane.change(question="Did you ever steal?", respondents=700)
    page.use_in_plan()
    (column,) = document.plan.columns
    assert column.label == "Did you ever steal?"
    assert document.plan.respondents == 700
    assert column.note.startswith("Device: One die; Warner, p = ")


def test_that_use_in_plan_replaces_the_attribute_that_it_came_from(
    page: SimulatePage, document: Document
) -> None:
    known = ColumnPlan(
        name="theft",
        label="Did you ever steal?",
        kind="binary",
        domain=Categorical(values=("never", "ever")),
    )
    other = known.model_copy(update={"name": "age_group", "label": "Adult?"})
    document.edit("Two attributes", document.plan.with_columns((other, known)))
    page.pane.change(question="Did you ever steal?")
    page.use_in_plan()
    assert [column.name for column in document.plan.columns] == ["age_group", "theft"]
    taken = document.plan.columns[1]
    assert taken.domain == known.domain
    assert taken.mechanism is not None
    page.pane.change(question="Did you ever lie?")
    page.use_in_plan()
    page.use_in_plan()
    names = [column.name for column in document.plan.columns]
    assert names == ["age_group", "theft", "sensitive_question"]
    # A column that came from here and was renamed is replaced, too.
    renamed = document.plan.columns[2].model_copy(update={"name": "lies"})
    document.edit("Rename", document.plan.with_columns((*document.plan.columns[:2], renamed)))
    page.pane.change(question="  Did you ever lie? ", respondents=400)
    page.use_in_plan()
    page.pane.change(question=" Did you ever cheat?  ")
    page.use_in_plan()
    assert "The plan has the column lies" in page.notice.message()
    labels = [(column.name, column.label) for column in document.plan.columns]
    assert labels[1:] == [("theft", "Did you ever steal?"), ("lies", "Did you ever cheat?")]


@pytest.mark.parametrize("typed", ["0", "1"])
def test_that_a_certain_report_is_described_without_a_device(
    page: SimulatePage, typed: str
) -> None:
    form = page.pane.card.design
    type_text(form.form.line("p"), typed)
    page.pane.flush()
    assert design_of(page).p == int(typed)
    told = f"The device asks the question itself with chance {typed}, else its opposite."
    assert form.words.text() == told


def test_that_orders_which_leave_less_than_nothing_are_refused_as_they_are_typed(
    page: SimulatePage,
) -> None:
    usual = SymmetricCheatingDetection.example()
    page.set_scenario(page.scenario().changed(design=usual))
    page.pane.flush()
    form = page.pane.card.design.form
    type_text(form.line("yes1"), "1")
    page.pane.flush()
    assert page.scenario().design == usual
    assert T.FORCED_SUM(group="first group") in form.refusal()


def test_that_the_rule_of_two_bags_is_told_whole_with_beads(page: SimulatePage) -> None:
    page.set_scenario(page.scenario().changed(design=Kuk.example()))
    page.pane.flush()
    choose(page, "beads")
    assert page.pane.card.design.words.text() == Kuk.summary


def test_that_nearest_offers_no_other_device_once_one_serves(page: SimulatePage) -> None:
    form = page.pane.card.design
    for epsilon in ("1.5", "0.7", "2.2", "3"):
        type_epsilon(page, epsilon)
        assert not form.device.isHidden()
        form.device.click()
        page.pane.flush()
        taken = design_of(page)
        assert form.device.isHidden()
        form.show_nearest()
        assert form.device.isHidden()
        assert design_of(page) == taken
    # A bag that somebody typed is not talked out of, though a smaller one is nearly as good.
    type_text(form.form.line("p"), "76/93")
    page.pane.flush()
    assert form.device.isHidden()


def test_that_respondents_are_played_with_the_chosen_device(page: SimulatePage) -> None:
    choose(page, "die")
    shown = {one.device for one in page.scenario().stream().first(40)}
    assert all(words.startswith("the die shows") for words in shown)
    choose(page, "beads")
    shown = {one.device for one in page.scenario().stream().first(40)}
    assert shown == {"the bead is red", "the bead is white"}
    # A device that has not the chances plays nobody: any that has them does.
    choose(page, "die")
    type_text(page.pane.card.design.form.line("p"), "3/4")
    page.pane.flush()
    shown = {one.device for one in page.scenario().stream().first(40)}
    assert shown == {"at least one coin shows tails", "both coins show heads"}


@pytest.mark.parametrize("share", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("respondents", [4, 10, 1_000])
def test_that_every_supposed_survey_has_a_device_of_the_same_error(
    page: SimulatePage, share: float, respondents: int
) -> None:
    page.pane.change(prevalence=share, respondents=respondents)
    type_epsilon(page, "3")
    form = page.pane.card.design
    form.show_nearest()
    # The nearest is 18 of 19 beads, whose answers spread more.
    chances = [float(design_of(page).p), 18 / 19]
    spreads = [
        (said := share * p + (1 - share) * (1 - p)) * (1 - said) / (2 * p - 1) ** 2 for p in chances
    ]
    more = ceil(respondents * spreads[1] / spreads[0] * (1 - 1e-9)) - respondents
    assert f"Nearest: {more:,} more respondents for the same error." in form.rounded.text()
