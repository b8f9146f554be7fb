"""The Risk page: what does a plan not protect? Which attribute was real, guessed from reports."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from dpdesk.data.table import SurveyTable
from dpdesk.engine import Job, Tracker
from dpdesk.engine.simulate.attack import AttackRequest, AttackResult, run_attack
from dpdesk.errors import DpdeskError
from dpdesk.gui.document import Document
from dpdesk.gui.help_button import HelpButton
from dpdesk.gui.icons import IconBond
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.pages.page import Page
from dpdesk.gui.pages.risk.attack_form import AttackForm
from dpdesk.gui.pages.risk.results_card import ResultsCard
from dpdesk.gui.strategy_words import is_faked
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.page_header import PageHeader
from dpdesk.i18n import N_
from dpdesk.plan import Plan

_FORM_WIDTH = 300


def attack_task(
    table: SurveyTable, plan: Plan, request: AttackRequest, tracker: Tracker
) -> AttackResult:
    """Attacks the plan's protected columns; the plan is frozen, so that edits do not reach it."""
    return run_attack(table, plan, request, tracker)


class RiskPage(Page):
    """The form of the attack on the left, what came out of it on the right."""

    key = "risk"
    title = N_("Risk")
    icon_name = "shield-search"

    def __init__(
        self, document: Document, theme: ThemeSwitch, parent: QWidget | None = None
    ) -> None:
        super().__init__(document, theme, parent)
        self.watch = JobWatch(self)
        self._strategy = ""
        self.header = PageHeader(parent=self)
        self.run = QPushButton(self.tr("&Run the attack"), self)
        self.run.setProperty("look", "primary")
        IconBond(self.run, theme, "play", "accent_text")
        self.help = HelpButton(
            "attack", self.tr("Help on the attack and how to read it"), theme, parent=self
        )
        self.header.add_widget(self.help)
        self.header.add_widget(self.run)
        self.notice = NoticeBar(theme, parent=self)
        self.form = AttackForm(parent=self)
        self.form.setFixedWidth(_FORM_WIDTH)
        self.results = ResultsCard(theme, parent=self)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.form)
        row.addWidget(self.results, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.header)
        column.addWidget(self.notice)
        column.addLayout(row, 1)
        self._actions = self._make_actions()
        self._connect()
        self._begin_anew()

    def panes(self) -> list[QWidget]:
        """Head, form and results."""
        return [self.header, self.form, self.results]

    def page_actions(self) -> list[QAction]:
        """What the page can do, for the menu."""
        return list(self._actions)

    def show_path(self, path: str) -> None:
        """Goes to the form."""
        self.form.target.setFocus(Qt.FocusReason.OtherFocusReason)

    def cancel(self) -> bool:
        """Cancels the attack that runs."""
        if not self.watch.is_running:
            return False
        self.results.show_cancelling()
        self.watch.cancel()
        return True

    def shut_down(self) -> None:
        """Cancels and joins what runs."""
        self.watch.shut_down()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc cancels."""
        if event.key() == Qt.Key.Key_Escape and self.cancel():
            return
        super().keyPressEvent(event)

    def start(self) -> None:
        """Runs the attack, if there are data and the form is right."""
        table = self.document.table
        if table is None or self.watch.is_running:
            return
        try:
            request = self.form.request()
        except DpdeskError as error:
            self.form.refusal.show_sentence(str(error))
            return
        self.form.refusal.show_sentence("")
        self.notice.clear()
        self.results.show_start()
        task = partial(attack_task, table, self.document.plan, request)
        self.watch.start(Job(self.tr("Attacking"), task))
        self._refresh()

    def _make_actions(self) -> tuple[QAction, ...]:
        run = QAction(self.tr("&Run the attack"), self)
        run.setShortcut(QKeySequence("Ctrl+Return"))
        run.triggered.connect(lambda _checked=False: self.start())
        stop = QAction(self.tr("&Cancel the attack"), self)
        stop.setShortcut(QKeySequence("Ctrl+."))
        stop.triggered.connect(lambda _checked=False: self.cancel())
        shown = QAction(self.tr("&Help on the attack"), self)
        shown.setShortcut(QKeySequence("Ctrl+Shift+F1"))
        shown.triggered.connect(lambda _checked=False: self.help.show_help())
        self.addActions([run, stop, shown])
        return run, stop, shown

    def _connect(self) -> None:
        self.run.clicked.connect(self.start)
        self.results.cancelAsked.connect(self.cancel)
        self.results.dataAsked.connect(lambda: self.goTo.emit("data", ""))
        self.results.planAsked.connect(lambda: self.goTo.emit("plan", "strategy"))
        self.watch.progressed.connect(self.results.show_progress)
        self.watch.finished.connect(self.results.show_result)
        self.watch.failed.connect(self._tell_failure)
        self.watch.stopped.connect(self._show_state)
        self.watch.ended.connect(self._refresh)
        self.document.planChanged.connect(self._take_plan)
        self.document.tableChanged.connect(self._begin_anew)

    def _take_plan(self, old: Plan, new: Plan) -> None:
        if old.strategy != new.strategy and not self.watch.is_running:
            self._begin_anew()
        self._refresh()

    def _begin_anew(self) -> None:
        """Forgets the outcomes: they were of other data or of another strategy."""
        self.form.show_plan(self.document.plan)
        self.results.model.set_result(None)
        if not self.watch.is_running:
            self._show_state()
        self._refresh()

    def _show_state(self) -> None:
        plan = self.document.plan
        if self.document.table is None:
            self.results.show_words(
                self.tr("There are no data to attack"),
                self.tr(
                    "The attack simulates the reports of the respondents in a file and guesses "
                    "which attribute of each was real. Open the answers of a survey first."
                ),
                data=True,
            )
        elif is_faked(plan.strategy):
            self.results.show_words(
                self.tr("Do the fakes hide which attribute was real?"),
                self.tr(
                    "Under the plan each respondent reports one real attribute among made-up ones. "
                    "Run the attack to see how often somebody who sees the reports finds out."
                ),
            )
        else:
            hidden = (
                self.tr("Every answer is reported, so that there is no sampled attribute to find.")
                if plan.strategy == "spl"
                else self.tr("Each report says which attribute it is of: nothing is left to find.")
            )
            self.results.show_words(
                self.tr("Under this plan nothing is hidden that the attack could find"),
                hidden
                + " "
                + self.tr(
                    "Run it on variants of RS+FD, which report fakes beside one real answer, or "
                    "change the strategy of the plan."
                ),
                plan=True,
            )

    def _tell_failure(self, error: DpdeskError) -> None:
        self.notice.show_notice("error", str(error))
        self._show_state()

    def _refresh(self) -> None:
        plan, table = self.document.plan, self.document.table
        source = "" if table is None else table.name
        self.header.set_title(plan.details.title or source or self.tr("Risk"))
        self.header.set_subtitle(
            self.tr("No data are open")
            if table is None
            else self.tr("{rows} respondents · a simulation on the true answers, private").format(
                rows=f"{table.rows:,}"
            )
        )
        running = self.watch.is_running
        self.run.setEnabled(table is not None and not running)
        self.form.setEnabled(not running)
