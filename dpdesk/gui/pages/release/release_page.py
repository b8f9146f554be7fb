"""The Release page: a pane for each kind of release, and the ledger beside them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import ClassVar

from PySide6.QtGui import QAction, QKeyEvent, Qt
from PySide6.QtWidgets import QWidget

from dpdesk.gui.copied_command import data_file, plan_file
from dpdesk.gui.document import Document
from dpdesk.gui.pages.kind_page import KindPage
from dpdesk.gui.pages.release.ledger_view import LedgerDialog
from dpdesk.gui.pages.release.population_field import AccountWatch
from dpdesk.gui.pages.release.records_pane import RecordsPane
from dpdesk.gui.pages.release.release_pane import ReleasePane
from dpdesk.gui.pages.release.statistics_pane import StatisticsPane
from dpdesk.gui.pages.release.synthetic_pane import SyntheticPane
from dpdesk.gui.pages.release.tables_room import TablesRoom
from dpdesk.gui.paper import usual_paper
from dpdesk.gui.save_dialog import asked_path
from dpdesk.gui.widgets.notice_bar import succeeded
from dpdesk.i18n import N_
from dpdesk.plan.checks.formats import FORMATS_PATH
from dpdesk.preview.command_words import CommandWords, Value
from dpdesk.releases.ledger_problems import LEDGER_PATH

_DETAILS = "details."


class ReleasePage(KindPage[ReleasePane]):
    """Shows the pane of the planned kind of release, or tables and models of any release.

    Args:
        document: The document.

    Attributes:
        tables: Tables and models of the release that is open in it.
    """

    key: ClassVar[str] = "release"
    title: ClassVar[str] = N_("Release")
    icon_name: ClassVar[str] = "export-variant"

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self.account = AccountWatch(self)
        self._ledger_dialog: LedgerDialog | None = None
        self.records = RecordsPane(document, self.account, parent=self)
        self.statistics = StatisticsPane(document, self.account, parent=self)
        self.synthetic = SyntheticPane(document, self.account, parent=self)
        panes: tuple[ReleasePane, ...] = (self.records, self.statistics, self.synthetic)
        for pane in panes:
            pane.goTo.connect(self.goTo)
            pane.ledgerAsked.connect(self.show_ledger)
            pane.saveAsked.connect(self._save_plan)
            pane.tablesAsked.connect(self.show_release)
            pane.views.currentChanged.connect(self.actionsChanged)
            pane.empty.release.clicked.connect(lambda *_: document.releaseAsked.emit(None))
        document.tableChanged.connect(self._take_table)
        document.ledgerMoved.connect(self._look_at_other_ledger)
        self.add_panes(*panes)
        self.tables = TablesRoom(parent=self)
        self.tables.closed.connect(self._leave_tables)
        self.tables.openAsked.connect(lambda: document.releaseAsked.emit(None))
        self._stack.addWidget(self.tables)

    def view(self) -> QWidget | None:
        """The current view: empty, before, running, results, or tables and models."""
        return self.tables if self._shows_tables() else self.pane().view()

    def show_release(self, folder: Path) -> None:
        self._stack.setCurrentWidget(self.tables)
        self.tables.open_folder(folder)
        self.actionsChanged.emit()

    def shows_plan(self) -> bool:
        return not self._shows_tables() and self.view() is not self.pane().results

    def panes(self) -> list[QWidget]:
        return self.tables.panes() if self._shows_tables() else super().panes()

    def private_parts(self) -> list[QWidget]:
        return self._marked_private()

    def page_actions(self) -> list[QAction]:
        return self.tables.actions_listed() if self._shows_tables() else super().page_actions()

    def cancel(self) -> bool:
        return self.tables.cancel() if self._shows_tables() else super().cancel()

    def command(self) -> CommandWords | None:
        """The command of the kind of release that is shown, or of the tables and models.

        Raises:
            PlanError: The plan was not saved as it is shown.
        """
        if self._shows_tables():
            return self.tables.command()
        data = data_file(self.document)
        if data is None:
            return None
        before = self.pane().before
        options: dict[str, Value] = {
            "plan": plan_file(self.document),
            "out": str(before.destination.folder()),
        }
        people = before.promise.people.words()
        # The window writes the report on the paper that is usual here, a command on A4.
        paper: dict[str, Value] = {} if usual_paper() == "a4" else {"paper": usual_paper()}
        return CommandWords(self.pane().kind.command, (data,), options | people | paper)

    def show_path(self, path: str) -> None:
        self._leave_tables()
        is_here = path.startswith(_DETAILS) or path in (LEDGER_PATH, FORMATS_PATH)
        self.pane().show_detail(path.removeprefix(_DETAILS) if is_here else "")

    def unfinished_work(self) -> str:
        if not any(pane.watch.is_running for pane in self._panes.values()):
            return ""
        return self.tr(
            "A release is being made. If it is stopped now, nothing of it is written; what was "
            "charged stays charged."
        )

    def shut_down(self) -> None:
        for pane in self._panes.values():
            pane.shut_down()
        self.account.shut_down()
        self.tables.shut_down()

    def show_ledger(self) -> None:
        """Shows the ledger at this population, or at the first."""
        if self._ledger_dialog is None:
            self._ledger_dialog = LedgerDialog(self.window())
            self._ledger_dialog.view.changed.connect(self.account.ask_again)
        people = self.pane().before.promise.people.known()
        self._ledger_dialog.show_ledger("" if people is None else people.name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.cancel():
            return
        super().keyPressEvent(event)

    def _shows_tables(self) -> bool:
        return self._stack.currentWidget() is self.tables

    def _leave_tables(self) -> None:
        """Goes back to the release at hand."""
        if self._shows_tables():
            self.tables.cancel()
            self._show_kind()
            self.actionsChanged.emit()

    def _take_table(self) -> None:
        self.account.look_at(self.document.table)

    def _look_at_other_ledger(self) -> None:
        self.account.ask_again()
        if self._ledger_dialog is not None and self._ledger_dialog.isVisible():
            self._ledger_dialog.show_ledger()

    def _save_plan(self) -> None:
        path, notice = self.document.plan_path, self.pane().notice
        if path is None:
            title, kinds = self.tr("Save the plan"), self.tr("Plans (*.json)")
            path = asked_path(self, title, "plan.json", kinds, (".json",))
            if path is None:
                return
        if succeeded(partial(self.document.save_plan, path), notice.show_notice):
            saved = self.tr("The plan was saved as {name}.").format(name=path.name)
            notice.show_notice("success", saved)
