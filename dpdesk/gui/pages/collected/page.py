"""The Collected page: the design as it was in the field, and what its answers tell."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from dpdesk.designs import YesNoDesign
from dpdesk.engine import Job
from dpdesk.engine.collected import CollectedResult, analyse_collected
from dpdesk.errors import DpdeskError, ParameterError
from dpdesk.gui.document import Document
from dpdesk.gui.help import HelpButton
from dpdesk.gui.icons import IconBond
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.pages.collected.form import CollectedForm
from dpdesk.gui.pages.collected.results import CollectedResults
from dpdesk.gui.pages.page import Page
from dpdesk.gui.pages.simulate.design_form import DesignForm
from dpdesk.gui.pages.simulate.scenario_kinds import ShareScenario
from dpdesk.gui.theme import ScaledWidth
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row, scrolled
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.page_header import PageHeader
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel, plain_tooltip
from dpdesk.gui.widgets.plot_table import NumbersButton, TableWindow
from dpdesk.gui.widgets.progress_line import progress_bar
from dpdesk.gui.widgets.throttle import Rest, Throttle
from dpdesk.gui.widgets.when_shown import WhenShown
from dpdesk.i18n import N_


class CollectedView(QWidget):
    """Columns to choose on top, what the answers tell below.

    Args:
        document: Whose data hold the answers.

    Attributes:
        dataAsked: The user wants to open data.
        estimated: An estimation was begun by the design in force.
    """

    dataAsked = Signal()
    estimated = Signal()

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._design: YesNoDesign | None = None
        self._analysed: YesNoDesign | None = None
        self.table_window = TableWindow(self)
        self.watch = JobWatch(self)
        self.design_words = ElidedLabel("", "muted", parent=self)
        self.notice = NoticeBar(parent=self)
        self.form = CollectedForm(parent=self)
        self.run = QPushButton(self.tr("E&stimate"), self)
        self.run.setProperty("look", "primary")
        self.run.setWhatsThis(
            self.tr("Computes shares, groups and regression from the open answers.")
        )
        IconBond(self.run, "play", "accent_text")
        self.refusal = RefusalLabel(parent=self)
        self.open = QPushButton(self.tr("&Open data…"), self)
        self.open.setWhatsThis(self.tr("Asks for a file of answers."))
        self.words = PlainLabel("", "muted", wrap=True, parent=self)
        self.bar = progress_bar(self.tr("Progress of the estimation"), self, steps=0)
        self.stop = QPushButton(self.tr("&Cancel"), self)
        self.results = CollectedResults(parent=self)
        self._parts: tuple[QWidget, ...] = ()
        self._lay_out()
        self._connect()
        self._take_table()

    def show_design(self, design: YesNoDesign) -> None:
        """Takes the design in force; results of another one are marked as such."""
        if design == self._design:
            return
        self._design = design
        self.form.set_design(design)
        words = self.tr("From the open data, not simulated. Design: {design}")
        self.design_words.set_text(words.format(design=design.list_name))
        if self._analysed is not None and self._analysed != design:
            self.notice.show_notice(
                "info",
                self.tr("The estimates are of the design before. Estimate again for this one."),
            )
        else:
            self.notice.clear()

    def show_table(self) -> None:
        """Shows the estimates as a table to copy."""
        title = self.tr("Estimated shares of carriers")
        self.table_window.show(title, self.results.shares.table())

    def cancel(self) -> bool:
        """Cancels the estimation that runs."""
        if not self.watch.is_running:
            return False
        self.watch.cancel()
        return True

    def shut_down(self) -> None:
        """Cancels and joins what runs."""
        self.watch.shut_down()

    def start(self) -> None:
        """Estimates from the columns that are chosen."""
        table, design = self._document.table, self._design
        if table is None or design is None or self.watch.is_running:
            return
        self.form.show_refusals({})
        self.refusal.show_sentence("")
        self.notice.clear()
        try:
            request = self.form.request()
        except ParameterError as error:
            self.form.show_refusals({"population": str(error)})
            return
        if not request.answer:
            self.form.show_refusals({"answer": self.tr("Choose the column of the answers.")})
            return
        self._analysed = design
        self.estimated.emit()
        task = partial(analyse_collected, table, design, request)
        self.watch.start(Job(self.tr("Estimating"), task))
        self._show_part(1)
        self._refresh()

    def _connect(self) -> None:
        self.run.clicked.connect(self.start)
        self.form.formula.returnPressed.connect(self.start)
        self.stop.clicked.connect(self.cancel)
        self.open.clicked.connect(self.dataAsked)
        self.results.noticeRaised.connect(self.notice.show_notice)
        self.watch.finished.connect(self._show_result)
        self.watch.failed.connect(self._show_failure)
        self.watch.stopped.connect(lambda: self._show_words(self.tr("Nothing was estimated.")))
        self.watch.ended.connect(self._refresh)
        self._document.tableChanged.connect(self._take_table)

    def _take_table(self) -> None:
        table = self._document.table
        self._analysed = None
        self.form.set_table(table)
        self.form.show_refusals({})
        self.refusal.show_sentence("")
        self.notice.clear()
        if table is None:
            self._show_words(
                self.tr(
                    "After the fieldwork, open the file of answers that respondents gave through "
                    "the device: one row each. The share of carriers is estimated from them, for "
                    "groups too, with the errors that the sample's design gives."
                )
            )
        else:
            chosen = self.tr(
                "Choose the column of the answers and the text that means yes; the design is "
                "the one on the left."
            )
            none = self.tr("No column of this file holds answers such as yes and no.")
            self._show_words(chosen if self.form.answer.currentData() else f"{none} {chosen}")
        self._refresh()

    def _show_words(self, words: str) -> None:
        self.words.setText(words)
        self._show_part(0)

    def _show_result(self, result: CollectedResult) -> None:
        self.form.show_refusals({name: str(error) for name, error in result.refusals.items()})
        self.results.show_result(result)
        self._show_part(2)

    def _show_failure(self, error: DpdeskError) -> None:
        self._analysed = None
        self.refusal.show_sentence(self.form.show_error(error))
        self._show_words("")

    def _refresh(self) -> None:
        opened, running = self._document.table is not None, self.watch.is_running
        self.form.setVisible(opened)
        self.form.more.setVisible(opened)
        self.run.setVisible(opened)
        self.open.setVisible(not opened)
        self.form.setEnabled(not running)
        self.form.more.setEnabled(not running)
        self.run.setEnabled(not running)

    def _show_part(self, index: int) -> None:
        """Shows words (0), progress (1) or results (2), and takes room for that alone."""
        for place, part in enumerate(self._parts):
            part.setVisible(place == index)

    def _lay_out(self) -> None:
        inner, told, running = QWidget(self), QWidget(self), QWidget(self)
        column = QVBoxLayout(told)
        column.setContentsMargins(0, 6, 0, 0)
        row = lay_row(self.open, STRETCH)
        column.addWidget(self.words)
        column.addLayout(row)
        column.addStretch(1)
        column = QVBoxLayout(running)
        column.setContentsMargins(0, 6, 0, 0)
        row = lay_row((self.bar, 1), self.stop)
        column.addLayout(row)
        column.addStretch(1)
        self._parts = (told, running, self.results)
        column = lay_column(spacing=8, margins=(0, 0, 8, 0), on=inner)
        for widget in (self.design_words, self.notice, self.form):
            column.addWidget(widget)
        column.addLayout(lay_row(self.form.more, STRETCH, self.run, spacing=8))
        column.addWidget(self.refusal)
        for part in self._parts:
            column.addWidget(part, 1)
        lay_column(scrolled(inner, on_card=True), on=self)
        self._show_part(0)


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
            self.tr("Answers of respondents, from the open data: nothing here is simulated")
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
        self._nearest = Rest(self.form.show_nearest, self)
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
        self._nearest.start()

    def offer(self, supposed: YesNoDesign | None) -> None:
        """Offers the design of Simulate, where it is another one."""
        self.supposed.setVisible(supposed is not None and supposed != self._scenario.design)
        if supposed is None:
            return
        words = self.tr("Take that of Simulate: {design}").format(design=supposed.list_name)
        self.supposed.setText(words)
        self.supposed.setToolTip(plain_tooltip(words))

    def _edit(self, changes: dict[str, Any]) -> None:
        self.take(**changes)
        self.designChanged.emit()
