"""The Collected page: the design as it was in the field, and what its answers tell."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesk.designs import YesNoDesign
from dpdesk.gui.document import Document
from dpdesk.gui.help import HelpButton
from dpdesk.gui.pages.collected.view import CollectedView
from dpdesk.gui.pages.page import Page
from dpdesk.gui.pages.simulate.design_form import DesignForm
from dpdesk.gui.pages.simulate.design_words import design_title
from dpdesk.gui.pages.simulate.scenario_kinds import ShareScenario
from dpdesk.gui.theme import ScaledWidth
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row, scrolled
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.page_header import PageHeader
from dpdesk.gui.widgets.plain_text import PlainLabel, elided, plain_tooltip
from dpdesk.gui.widgets.plot_table import NumbersButton
from dpdesk.gui.widgets.throttle import ADVICE_INTERVAL, Throttle
from dpdesk.gui.widgets.when_shown import WhenShown
from dpdesk.i18n import N_

_CARD_WIDTH = 350
_BESIDE = 24
"""Pixels of a card beside its words."""


class CollectedPage(Page):
    """The design on the left, the columns of the open data and the estimates on the right.

    The design follows that of Simulate until it is changed here, or something was estimated by it:
    what was done in the field does not change with what is supposed.

    Attributes:
        card: The design.
        view: The columns and the estimates.
    """

    key = "collected"
    title = N_("Collected")
    icon_name = "file-import"

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self._own = False
        self.header = PageHeader(parent=self)
        self.header.set_title(self.tr("Collected answers"))
        self.header.set_subtitle(
            self.tr("Answers of respondents, from the open data: nothing here is simulated"),
            self.tr("Answers of the open data"),
        )
        self.help = HelpButton("collected-answers", self.tr("Help on this page"), parent=self)
        self.numbers = NumbersButton(self.tr("The estimates as a table"), parent=self)
        self.numbers.setWhatsThis(self.tr("Every number of the estimates, to read or to copy."))
        for button in (self.numbers, self.help):
            self.header.add_widget(button)
        self.card = FieldDesignCard(ShareScenario(), parent=self)
        self.view = CollectedView(document, parent=self)
        self.views = Card(parent=self)
        self.views.body.addWidget(self.view)
        row = lay_row(self.card, (self.views, 1), spacing=12)
        lay_column(self.header, (row, 1), spacing=10, on=self)
        self._throttle = Throttle(self._show, self)
        # Simulate's sliders move while nobody looks at this page.
        self._when_shown = WhenShown(self, self._throttle.request)
        self.numbers.clicked.connect(self.view.show_table)
        self.view.dataAsked.connect(lambda: self.goTo.emit("data", ""))
        self.view.estimated.connect(self._keep_own)
        self.card.designChanged.connect(self._keep_own)
        self.card.supposedAsked.connect(self._take_supposed)
        document.surveyDesigned.connect(self._follow)
        self._follow()
        self._show()

    def show_path(self, path: str) -> None:
        self.card.form.kinds.setFocus(Qt.FocusReason.OtherFocusReason)

    def shows_plan(self) -> bool:
        return False

    def panes(self) -> list[QWidget]:
        return [self.header, self.card, self.views]

    def cancel(self) -> bool:
        return self.view.cancel()

    def shut_down(self) -> None:
        self.view.shut_down()

    def design(self) -> YesNoDesign:
        """The design by which answers are estimated."""
        return self.card.scenario().design

    def set_design(self, design: YesNoDesign) -> None:
        """Estimates by another design from now on."""
        self.card.take(design=design)
        self.flush()

    def flush(self) -> None:
        """Shows the design in force now."""
        self._throttle.flush()

    def _keep_own(self) -> None:
        """From now on the design is that of the field, not what is supposed."""
        self._own = True
        self._when_shown.request()

    def _take_supposed(self) -> None:
        self._own = False
        self._follow()

    def _follow(self) -> None:
        """Takes the design that Simulate supposes, or offers it where this page has its own."""
        supposed = self.document.survey_design
        if not self._own and supposed is not None:
            self.card.take(design=supposed, device=self.document.survey_device)
        self._when_shown.request()

    def _show(self) -> None:
        self.card.show_design()
        self.card.offer(self.document.survey_design)
        self.view.show_design(self.design())


class FieldDesignCard(Card):
    """The design as it was in the field.

    Args:
        scenario: The design at first, with what a form of designs asks of a survey.

    Attributes:
        designChanged: The user changed the design, or its device.
        supposedAsked: The user wants the design that Simulate supposes.
        form: The design and its parameters.
        supposed: The button that takes the design that Simulate supposes.
    """

    designChanged = Signal()
    supposedAsked = Signal()

    def __init__(self, scenario: ShareScenario, *, parent: QWidget | None = None) -> None:
        super().__init__(margin=4, parent=parent)
        ScaledWidth(self, _CARD_WIDTH, part=0.4)
        self._scenario = scenario
        inner = QWidget(self)
        self.form = DesignForm(scenario.designs(), parent=inner)
        self.supposed = QPushButton("", inner)
        self.supposed.setProperty("look", "link")
        self.supposed.hide()
        lay_column(
            PlainLabel(self.tr("Design in the field"), "heading", parent=inner),
            self.form,
            (self.supposed, 0, Qt.AlignmentFlag.AlignLeft),
            STRETCH,
            spacing=4,
            margins=(12, 8, 12, 4),
            on=inner,
        )
        self.body.addWidget(scrolled(inner, on_card=True))
        self._nearest = Throttle(self.form.show_nearest, self, ADVICE_INTERVAL)
        self.form.edited.connect(self._edit)
        self.supposed.clicked.connect(self.supposedAsked)

    def scenario(self) -> ShareScenario:
        """The design in force, as a survey."""
        return self._scenario

    def take(self, **changes: Any) -> None:
        """Takes another design; it is shown by `show_design`."""
        self._scenario = self._scenario.changed(**changes)
        self.form.hold(self._scenario)

    def show_design(self) -> None:
        """Shows the design in force."""
        self.form.show_scenario(self._scenario)
        self._nearest.request()

    def offer(self, supposed: YesNoDesign | None) -> None:
        """Offers the design of Simulate, where it is another one."""
        self.supposed.setVisible(supposed is not None and supposed != self._scenario.design)
        if supposed is None:
            return
        words = self.tr("Take that of Simulate: {design}").format(design=design_title(supposed))
        self.supposed.setText(elided(words, self.supposed.font(), self.form.width() - _BESIDE))
        self.supposed.setToolTip(plain_tooltip(words))

    def _edit(self, changes: dict[str, Any]) -> None:
        self.take(**changes)
        self.designChanged.emit()
