"""One kind of release on the Release page: before it, while it runs, and its results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication, QKeySequence, QShowEvent
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from dpdesk.cost import format_epsilon
from dpdesk.data.table import SurveyTable
from dpdesk.data.write_file import write_file
from dpdesk.engine import Job, Tracker
from dpdesk.errors import DpdeskError
from dpdesk.gui import messages
from dpdesk.gui.document import Document
from dpdesk.gui.icons import IconBond
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.pages.kind_page import KindPane
from dpdesk.gui.pages.page import place_of_path
from dpdesk.gui.pages.release.before_view import BeforeView
from dpdesk.gui.pages.release.empty_and_running import EmptyView, RunningView
from dpdesk.gui.pages.release.population_field import AccountWatch
from dpdesk.gui.pages.release.promise_card import PromiseCard
from dpdesk.gui.pages.release.results_view import ResultsView
from dpdesk.gui.paper import usual_paper
from dpdesk.gui.release_kind_switch import ReleaseKindSwitch
from dpdesk.gui.save_dialog import asked_path
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.budget_bar import BudgetBar
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.page_header import PageHeader
from dpdesk.gui.widgets.plain_text import ElidedLabel
from dpdesk.ledgers import Charge
from dpdesk.ledgers.charging import ChargeTo
from dpdesk.plan import Plan, Problem, errors_of
from dpdesk.plan.release_usefulness import ReleaseUsefulness
from dpdesk.releases.folder import HTML_NAME
from dpdesk.releases.kind import ReleaseKind
from dpdesk.releases.ledger_problems import LEDGER_PATH
from dpdesk.releases.release import Release, release
from dpdesk.reports.pdf import Paper, pdf_of_page


def release_task(
    kind: ReleaseKind[Any, Any],
    table: SurveyTable,
    plan: Plan,
    folder: Path,
    to: ChargeTo,
    tracker: Tracker,
    paper: Paper = "a4",
) -> Release[Any, Any]:
    """Releases; runs in a thread. The plan is frozen: edits in the window cannot reach it."""
    return release(kind, table, plan, folder, tracker, to, paper)


@dataclass(frozen=True)
class PaneWords:
    """The texts of a kind of release on its pane, marked for translation.

    Attributes:
        start: The button that starts it, with its mnemonic.
        tip: The tooltip of the button.
        sentence: The description of the kind, beside the switch.
        job: The title of the job.
    """

    start: str
    tip: str
    sentence: str
    job: str


ListedAction = tuple[str, str, Callable[[], object], Callable[[], bool]]
"""Text, shortcut and function of an action, and a function that says whether it is possible."""


class ReleasePane(KindPane):
    """Shows a planned release, runs it, and shows its results.

    Args:
        document: The document with the data and the plan.
        account: The ledger's account of the data.

    Attributes:
        words: The texts of the kind of release.
        views: Empty, before, running and results, one of which is shown.
        goTo: Emitted with the key of a page and a path in the plan.
        ledgerAsked: Emitted when the user wants to see the ledger.
        saveAsked: Emitted when the user wants to save the plan.
        tablesAsked: Emitted with the folder of a release to see tables and models of.
    """

    goTo = Signal(str, str)
    ledgerAsked = Signal()
    saveAsked = Signal()
    tablesAsked = Signal(object)

    words: ClassVar[PaneWords]
    promise_type: ClassVar[Callable[..., PromiseCard]]
    """Makes the card of the promise, of document and account."""
    results_type: ClassVar[Callable[..., ResultsView]]
    """Makes the view after a release."""

    def __init__(
        self, document: Document, account: AccountWatch, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.document = document
        # The charges of the running or last release.
        self._charges: list[Charge] = []
        self._known_table: SurveyTable | None = None
        self._running_table: SurveyTable | None = None
        self._forecast: ReleaseUsefulness[Any] | None = None
        self._problems_shown: tuple[Problem, ...] | None = None
        self._account = account
        self.ask_useless = messages.ask_useless
        self.watch = JobWatch(self)
        self.header = PageHeader(parent=self)
        self.budget = BudgetBar(parent=self)
        self.start_button = QPushButton(self.tr(self.words.start), self)
        self.start_button.setProperty("look", "primary")
        IconBond(self.start_button, "play", "accent_text")
        self.last = QPushButton(self.tr("Last &results"), self)
        for widget in (self.budget, self.last, self.start_button):
            self.header.add_widget(widget)
        self.switch = ReleaseKindSwitch(document, parent=self)
        self.notice = NoticeBar(parent=self)
        self.empty = EmptyView(parent=self)
        promise = type(self).promise_type(document, account, parent=self)
        self.before = BeforeView(promise, self.kind, document, parent=self)
        self.running = RunningView(parent=self)
        self.results = type(self).results_type(parent=self)
        self.views = QStackedWidget(self)
        for view in (self.empty, self.before, self.running, self.results):
            self.views.addWidget(view)
        switched = lay_row(
            self.switch,
            (ElidedLabel(self.tr(self.words.sentence), "muted", parent=self), 1),
            spacing=14,
        )
        lay_column(self.header, switched, self.notice, (self.views, 1), spacing=12, on=self)
        self._actions = [self._action(*listed) for listed in self._listed()]
        self._connect()
        self._take_table()

    def _facts_of(self, plan: Plan, table: SurveyTable) -> str:
        """The facts of the release, in a line."""
        raise NotImplementedError

    def _running_title(self, plan: Plan, table: SurveyTable) -> str:
        """The title of the running work."""
        raise NotImplementedError

    def _show_budget(self, plan: Plan) -> None:
        """Shows how a plan spends its budget."""
        raise NotImplementedError

    def _take_released(self, result: Release[Any, Any]) -> None:
        """Called with the result of a successful release."""

    def _data_changed(self) -> None:
        """Called when other data were opened, or the data closed."""

    def view(self) -> QWidget | None:
        """The current view: empty, before, running or results."""
        return self.views.currentWidget()

    def panes(self) -> list[QWidget]:
        if self.view() is self.before:
            view = self.before
            return [self.header, view.promise, view.destination, view.checks, view.details]
        if self.view() is self.results:
            return [self.header, *self.results.panes()]
        return [self.header, self.running if self.view() is self.running else self.empty]

    def actions_listed(self) -> list[QAction]:
        return [action for action, _ in self._actions]

    def show_detail(self, field: str) -> None:
        """Sets the focus on a detail of the report or the formats, else on the button."""
        if field == LEDGER_PATH:
            self.before.promise.people.name.setFocus()
        elif field and self.view() in (self.before, self.results):
            self.views.setCurrentWidget(self.before)
            self.before.focus_field(field)
        else:
            self.start_button.setFocus()
        self._refresh()

    def cancel(self) -> bool:
        if not self.watch.is_running:
            return False
        self.running.show_cancelling()
        self.watch.cancel()
        return True

    def shut_down(self) -> None:
        """Cancels the running release and waits; its thread removes a half-written release."""
        self.watch.shut_down()
        self.before.checks.problems.searching.shut_down()

    def start(self) -> None:
        """Releases the data by the current plan, if nothing blocks it."""
        table = self.document.table
        self.before.destination.look_again()
        self.document.end_gesture()
        if table is None or not self._may_start() or not self._is_wanted():
            return
        self.notice.clear()
        folder, plan = self.before.destination.folder(), self.document.plan
        self._charges, self._running_table = [], table
        self._forecast = self.kind.usefulness(plan)
        to = self.before.promise.people.charge_to(charged=self._charges.append)
        self.views.setCurrentWidget(self.running)
        self.running.start(self._running_title(plan, table), folder.name)
        task = partial(release_task, self.kind, table, plan, folder, to, paper=usual_paper())
        self.watch.start(Job(self.tr(self.words.job), task))
        self._refresh()

    def _is_wanted(self) -> bool:
        """Asks before a release that would be useless: what it spends never comes back."""
        if self.document.worth != "useless":
            return True
        useless = [problem for problem in self.document.problems if problem.code == "useless"]
        if not useless:
            return True
        # That of the tables, if they are wanted, comes after that of the attributes.
        problem = useless[-1]
        return self.ask_useless(self, problem.message, problem.remedy)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()

    def _listed(self) -> list[ListedAction]:
        """Every action."""

        def can_open() -> bool:
            return self.results.result() is not None and not self.watch.is_running

        def can_return() -> bool:
            return can_open() and self.view() is not self.results

        choose = self.before.destination.choose_parent
        open_report = partial(self._open, HTML_NAME)
        return [
            (self.tr(self.words.start), "Ctrl+Return", self.start, self._may_start),
            (self.tr("&Cancel the release"), "Ctrl+.", self.cancel, lambda: self.watch.is_running),
            (
                self.tr("Choose the &place…"),
                "Ctrl+Shift+L",
                choose,
                lambda: self.view() is self.before,
            ),
            (self.tr("Last &results"), "Ctrl+Shift+R", self._show_results, can_return),
            (self.tr("&Open folder"), "Ctrl+Shift+F", partial(self._open, ""), can_open),
            (self.tr("Open repor&t"), "Ctrl+Shift+E", open_report, can_open),
            (self.tr("Save report as P&DF…"), "Ctrl+Alt+P", self._save_pdf, can_open),
            (self.tr("Cop&y path"), "Ctrl+Shift+C", self._copy_path, can_open),
            *self._listed_of_records(can_open),
            (
                self.tr("Release a&gain…"),
                "Ctrl+Shift+G",
                self._show_before,
                lambda: self.view() is self.results,
            ),
            (self.tr("&Ledger…"), "Ctrl+L", self.ledgerAsked.emit, lambda: True),
        ]

    def _listed_of_records(self, can_open: Callable[[], bool]) -> list[ListedAction]:
        """What only records allow."""
        if not self.results.tables_offered:
            return []
        return [(self.tr("&Tables and models"), "Ctrl+Shift+T", self._ask_tables, can_open)]

    def _ask_tables(self) -> None:
        result = self.results.result()
        if result is not None and result.folder is not None:
            self.tablesAsked.emit(result.folder)

    def _action(
        self, text: str, keys: str, run: Callable[[], object], possible: Callable[[], bool]
    ) -> tuple[QAction, Callable[[], bool]]:
        action = QAction(text, self)
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda _checked=False: run())
        return action, possible

    def _connect(self) -> None:
        document, before, results = self.document, self.before, self.results
        changes = document.planChanged, document.releaseKindChanged
        for changed in changes:
            changed.connect(lambda *_: self._refresh())
        document.problemsChanged.connect(self._follow_problems)
        document.tableChanged.connect(self._take_table)
        document.pathChanged.connect(self._refresh)
        document.releaseChanged.connect(self._forget_other_results)
        self.watch.progressed.connect(self.running.show_progress)
        self.watch.finished.connect(self._take_result)
        self.watch.failed.connect(self._tell_failure)
        self.watch.stopped.connect(self._tell_stop)
        self.running.cancel.clicked.connect(self.cancel)
        self.start_button.clicked.connect(self.start)
        self.last.clicked.connect(self._show_results)
        self.empty.open.clicked.connect(lambda: self.goTo.emit("data", ""))
        self.empty.plan.clicked.connect(lambda: self.goTo.emit("plan", ""))
        self.empty.save.clicked.connect(self.saveAsked)
        before.promise.pathActivated.connect(self._go_to_cause)
        before.promise.people.ledgerAsked.connect(self.ledgerAsked)
        for changed in (*changes, document.problemsChanged, before.promise.people.changed):
            changed.connect(lambda *_: self._tell_ledger())
        before.promise.people.changed.connect(self._refresh)
        before.checks.problemActivated.connect(self._go_to_cause)
        before.destination.changed.connect(self._show_start)
        results.againAsked.connect(self._show_before)
        results.open_folder.clicked.connect(lambda: self._open(""))
        results.open_report.clicked.connect(lambda: self._open(HTML_NAME))
        results.copy_path.clicked.connect(self._copy_path)
        results.tables.clicked.connect(self._ask_tables)

    def _take_table(self) -> None:
        table = self.document.table
        if table is not self._known_table:
            self._known_table = table
            self.notice.clear()
        if not self.watch.is_running:
            self._data_changed()
            # The name may be that of the release that was shown until now.
            self.before.destination.suggest_next()
            self.views.setCurrentWidget(self._view_before())
        self._refresh()

    def _forget_other_results(self) -> None:
        """Forgets the results of a document that is open no more."""
        if self.document.last_release is None and self.results.result() is not None:
            self.results.forget()
            if not self.watch.is_running:
                self.views.setCurrentWidget(self._view_before())
                self._refresh()

    def _refresh(self) -> None:
        if not self.isVisible():  # Another page is shown, such as one with a moving slider.
            return
        plan, table = self.document.plan, self.document.table
        name = plan.details.title or ("" if table is None else table.name)
        self.header.set_title(name or self.tr("Release"))
        nothing = self.tr("No data are open")
        self.header.set_subtitle(nothing if table is None else self._facts_of(plan, table))
        self._show_budget(plan)
        self.budget.setVisible(bool(plan.columns))
        self.empty.show_questionnaire(bool(plan.columns))
        self.before.promise.show_plan(plan)
        self.before.destination.set_survey(name)
        judged = self.document.release_kind is self.kind and self.document.is_judged
        self._problems_shown = self.document.problems if judged else None
        if judged:
            self.before.show_problems(self.document.problems, self.document.worth)
        self._show_start()

    def _show_start(self) -> None:
        """Shows what can be done, and why the release may not start."""
        self.start_button.setVisible(self.view() is self.before)
        self.start_button.setEnabled(self._may_start())
        self.start_button.setToolTip(self._tip())
        self.last.setVisible(self.view() is self.before and self.results.result() is not None)
        for action, possible in self._actions:
            action.setEnabled(possible())

    def _follow_problems(self, problems: tuple[Problem, ...]) -> None:
        """Shows problems that were not yet there when the plan was shown."""
        if problems is not self._problems_shown:
            self._refresh()

    def _tell_ledger(self) -> None:
        """Adds what the ledger has against the planned release to the one list of problems."""
        if self.document.release_kind is not self.kind or not self.document.is_judged:
            return
        cost, people = self.kind.cost(self.document.plan), self.before.promise.people
        self.document.set_ledger_problems(people.problems(cost) if cost.epsilon else ())

    def _may_start(self) -> bool:
        return (
            self.document.table is not None
            and self.document.release_kind is self.kind
            and self.view() is self.before
            and not self.watch.is_running
            and not errors_of(self.document.problems)
            and self.before.destination.is_possible()
        )

    def _tip(self) -> str:
        errors = errors_of(self.document.problems)
        if errors and all(error.path == LEDGER_PATH for error in errors):
            return self.before.promise.people.reason()
        if errors:
            return self.tr("Blocked: see Checks")
        if not self.before.destination.is_possible():
            return self.before.destination.problem.sentence()
        return self.tr(self.words.tip)

    def _view_before(self) -> QWidget:
        return self.empty if self.document.table is None else self.before

    def _show_before(self) -> None:
        self.before.destination.suggest_next()
        self._end_without_result()

    def _end_without_result(self) -> None:
        self.views.setCurrentWidget(self._view_before())
        self._refresh()
        self.start_button.setFocus()

    def _show_results(self) -> None:
        if self.results.result() is not None and not self.watch.is_running:
            self.notice.clear()
            self.views.setCurrentWidget(self.results)
            self._refresh()
            self.results.entries.setFocus()

    def _take_result(self, result: Release[Any, Any]) -> None:
        self._account.ask_again()
        # Other data may have been opened while it ran.
        is_of_document = self._running_table is self.document.table
        self.results.show_result(result, self._forecast)
        self._take_released(result)
        if result.folder is not None and is_of_document:
            self.document.set_last_release(result.folder)
        self._show_results()
        if not result.is_kept:
            lost = self.tr("The ledger could not keep these answers; the folder has them.")
            self.notice.show_notice("warning", lost)

    def _tell_failure(self, error: DpdeskError) -> None:
        self._end_without_result()
        what = self.tr("The release failed, and nothing of it is left behind. {error}")
        self.notice.show_notice("error", f"{what.format(error=str(error))}{self._still_charged()}")

    def _tell_stop(self) -> None:
        self._end_without_result()
        if self._charges:
            what = self.tr("The release was cancelled. Nothing was written.")
        else:
            what = self.tr("The release was cancelled. Nothing was written, nothing was spent.")
        self.notice.show_notice("info", f"{what}{self._still_charged()}")

    def _still_charged(self) -> str:
        """A sentence that a charge is not refunded after the draw; empty without a charge."""
        if not self._charges:
            return ""
        self._account.ask_again()
        charge = self._charges[0]
        words = self.tr("The draw had begun, so that ε = {epsilon} stays charged to {name}.")
        cost = sum((cost.epsilon for cost in charge.costs), Decimal(0))
        said = words.format(epsilon=format_epsilon(cost), name=charge.population.name)
        return f" {said}"

    def _go_to_cause(self, path: str) -> None:
        self.goTo.emit(place_of_path(path), path)

    def _open(self, name: str) -> None:
        """Opens the folder of the release, or a file in it."""
        result = self.results.result()
        if result is None or result.folder is None:
            return
        target = result.folder / name
        if not target.exists() or not QDesktopServices.openUrl(QUrl.fromLocalFile(str(target))):
            lost = self.tr("{path} cannot be opened. Look for it with your file manager.")
            self.notice.show_notice("warning", lost.format(path=str(target)))

    def _save_pdf(self) -> None:
        """Asks for a file and writes the report as PDF, on the paper of the user's country."""
        result = self.results.result()
        if result is None:
            return
        title = self.tr("Save the report as PDF")
        name = "report.pdf" if result.folder is None else f"{result.folder.name}.pdf"
        path = asked_path(self, title, name, self.tr("PDF (*.pdf)"), (".pdf",))
        if path is None:
            return
        try:
            write_file(path, pdf_of_page(result.kind.html(result.report), usual_paper()))
        except DpdeskError as error:
            self.notice.show_notice("warning", str(error))
        else:
            saved = self.tr("The report was saved as {name}.").format(name=path.name)
            self.notice.show_notice("info", saved)

    def _copy_path(self) -> None:
        result = self.results.result()
        if result is not None and result.folder is not None:
            QGuiApplication.clipboard().setText(str(result.folder))
            self.notice.show_notice("info", self.tr("The path of the release was copied."))
