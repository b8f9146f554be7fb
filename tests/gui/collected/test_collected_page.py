"""Whose design it is that collected answers are estimated by."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpdesk.data.table import table_from_texts
from dpdesk.designs.warner import WarnerDesign
from dpdesk.gui.document import Document
from dpdesk.gui.pages.collected import CollectedPage
from dpdesk.gui.pages.simulate import SimulatePage
from tests.gui.hands import Hands


@pytest.fixture
def simulate(document: Document) -> SimulatePage:
    """The page where surveys are supposed, which nobody looks at."""
    shown = SimulatePage(document)
    yield shown
    shown.deleteLater()


def suppose(simulate: SimulatePage, p: str) -> WarnerDesign:
    design = WarnerDesign(p=Fraction(p))
    simulate.set_scenario(simulate.scenario().changed(design=design))
    simulate.pane.flush()
    return design


def test_that_the_page_says_whose_answers_it_shows(page: CollectedPage) -> None:
    assert "nothing here is simulated" in page.header._subtitle.full_text()


def test_that_the_design_follows_that_of_simulate_until_it_is_the_fields_own(
    page: CollectedPage, document: Document, simulate: SimulatePage, hands: Hands
) -> None:
    simulate.pane.change(device="die")
    asked = suppose(simulate, "5/6")
    page.flush()
    assert page.design() == asked
    # The same device, and its rule as on the sheet.
    assert page.card.form.devices.currentData() == "die"
    assert "If the die shows 6: say the opposite" in page.card.form.words.text()
    assert not page.card.supposed.isVisible()
    page.card.form.epsilon.valueChanged.emit(2.0)
    own = page.design()
    asked = suppose(simulate, "2/3")
    page.flush()
    assert page.design() == own != asked
    assert "Warner" in page.card.supposed.toolTip()
    hands.click(page.card.supposed)
    page.flush()
    assert page.design() == asked
    assert not page.card.supposed.isVisible()


def test_that_what_was_estimated_keeps_its_design(
    page: CollectedPage, document: Document, simulate: SimulatePage, qtbot
) -> None:
    asked = suppose(simulate, "5/6")
    document._set_table(table_from_texts({"said": ["yes", "no"] * 20}), None)
    page.view.start()
    qtbot.waitUntil(lambda: not page.view.watch.is_running)
    suppose(simulate, "2/3")
    page.flush()
    assert page.design() == asked
    assert not page.view.notice.isVisible()
    assert page.card.supposed.isVisible()


def test_that_a_design_of_simulate_is_known_once_the_page_is_looked_at(
    page: CollectedPage, simulate: SimulatePage
) -> None:
    page.hide()
    asked = suppose(simulate, "5/6")
    page.show()
    page.flush()
    assert page.design() == asked
    assert page.card.form.epsilon.value() == pytest.approx(asked.loss.epsilon)
