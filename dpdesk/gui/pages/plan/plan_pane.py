"""One kind of release on the Plan page: a table on the left, the selected row on the right.

Records list the attributes of the survey, statistics the queries to a trusted file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from dpdesk.gui.actions import new_action
from dpdesk.gui.document import Document
from dpdesk.gui.pages.kind_page import KindPane
from dpdesk.gui.pages.plan.add_query import AskBar, KindsView
from dpdesk.gui.pages.plan.advice_line import AdviceLine
from dpdesk.gui.pages.plan.attribute_dialogs import TargetsDialog
from dpdesk.gui.pages.plan.attribute_panel import AttributePanel
from dpdesk.gui.pages.plan.detail_panel import DetailPanel
from dpdesk.gui.pages.plan.edits import Edits, PlanEdits, QueryEdits
from dpdesk.gui.pages.plan.plan_header import PlanHeader, RecordsHeader, StatisticsHeader
from dpdesk.gui.pages.plan.plan_models import AttributeModel, PlanModel, QueryModel
from dpdesk.gui.pages.plan.plan_table import AttributeTable, DroppedFold, PlanTable, QueryTable
from dpdesk.gui.pages.plan.purpose_dialog import PurposeDialog
from dpdesk.gui.pages.plan.query_panel import QueryPanel
from dpdesk.gui.pages.plan.wanted_analyses import worst_sign, worth_words
from dpdesk.gui.pages.plan.words import query_of
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.throttle import BESIDE_INTERVAL, Throttle
from dpdesk.gui.widgets.when_shown import WhenShown
from dpdesk.plan import Problem
from dpdesk.plan.checks.usefulness import ANALYSES_PATH, RECORDS_PATH, STATISTICS_PATH
from dpdesk.plan.joint_errors import wanted_analyses
from dpdesk.plan.persons import UNIT_PATH
from dpdesk.plan.release_usefulness import usefulness_of_records, usefulness_of_statistics
from dpdesk.releases.records import RECORDS
from dpdesk.releases.statistics import STATISTICS

Listed = tuple[str, str, Callable[[], object], str]
"""An action: its words, its keys, what it does, its icon or ""."""

_OF_KEPT = ("role", "keep_confirmed", "coarsening", "epsilon")
"""Fields that the panel of an attribute without protection leads to."""


class PlanPane(KindPane):
    """Header, table and panel, which follow the document together while they are visible.

    A subclass makes the parts, and then calls `_furnish`.

    Args:
        document: What is shown and edited.

    Attributes:
        releaseAsked: The user wants to go on to the release.
        pathAsked: Emitted with the path of a problem that may be mended elsewhere.
        edits: Where edits go.
        header: The survey and its budget.
        model: The rows of the table.
        table: Where one is selected.
        panel: The selected one.
    """

    releaseAsked = Signal()
    pathAsked = Signal(str)

    edits: PlanEdits
    header: PlanHeader
    model: PlanModel
    table: PlanTable
    panel: DetailPanel

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._actions: list[QAction] = []
        self.notice = NoticeBar(parent=self)
        self._problems_shown: tuple[Problem, ...] | None = None
        self._following = WhenShown(self, self._follow)

    def show_path(self, path: str) -> None:
        """Shows what a path in the plan names, and gives it the focus."""
        raise NotImplementedError

    def bring_up_to_date(self) -> None:
        """Shows what was edited while it was hidden."""
        self._following.flush()

    def actions_listed(self) -> list[QAction]:
        return list(self._actions)

    def cancel(self) -> bool:
        return self.notice.dismiss()

    def _listed(self) -> Sequence[Listed]:
        raise NotImplementedError

    def _show_row(self, row: int) -> None:
        """Shows a row in the panel; -1 for none."""
        raise NotImplementedError

    def _row_shown(self) -> int:
        """The row that the panel shows, if it still exists."""
        raise NotImplementedError

    def _chosen(self) -> Any:
        """What edits know the selected row by; None if none is selected."""
        raise NotImplementedError

    def _toggle_lock_of(self, row: int) -> None:
        """Locks the epsilon of a row, or unlocks it."""
        raise NotImplementedError

    def _select_titled(self, title: str) -> None:
        """Selects the row of a segment of the budget."""
        raise NotImplementedError

    def _focus_epsilon(self) -> None:
        """Gives the focus to what is edited first in the panel."""
        raise NotImplementedError

    def _for_selected(self, edit: Callable[[Any], object]) -> Callable[[], None]:
        """An edit of the row that is selected when it is asked for."""

        def run() -> None:
            if self._chosen() is not None:
                edit(self._chosen())

        return run

    def _furnish(self, left: Card) -> None:
        """Lays out the card with the table beside the panel, and connects what was made."""
        panel = self.panel
        self._throttle = Throttle(panel.refresh, self)
        self._beside = Throttle(self._show_beside, self, BESIDE_INTERVAL)
        split = QSplitter(Qt.Orientation.Horizontal, self)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(12)
        split.addWidget(left)
        split.addWidget(panel)
        split.setSizes([614, 614])
        left.setMinimumWidth(330)
        panel.setMinimumWidth(400)
        lay_column(self.header, self.notice, (split, 1), spacing=8, on=self)
        for text, keys, run, icon in self._listed():
            action = new_action(self, text, keys, run, icon)
            self.addAction(action)
            self._actions.append(action)
        self.model.modelReset.connect(self._restore)
        self.table.rowSelected.connect(self._show_row)
        self.table.rowActivated.connect(lambda _row: self._focus_epsilon())
        self.table.lockClicked.connect(self._toggle_lock_of)
        self.header.budget.segmentActivated.connect(self._select_titled)
        panel.problemActivated.connect(self.pathAsked)
        self.edits.refused.connect(lambda text: self.notice.show_notice("error", text))
        self.header.releaseAsked.connect(self.releaseAsked)
        document = self._document
        for signal in (
            document.planChanged,
            document.tableChanged,
            document.releaseKindChanged,
            document.answers.found,
        ):
            signal.connect(self._following.request)
        document.problemsChanged.connect(self._follow_problems)
        document.replaced.connect(self.notice.clear)
        self._restore()

    def _follow_problems(self, problems: tuple[Problem, ...]) -> None:
        """Shows problems that were not yet there when the plan was shown."""
        if problems is not self._problems_shown:
            self._following.request()

    def _follow(self) -> None:
        """Shows an edit at once; of a drag the panel once per frame, the rest less often."""
        # What is said of an edit follows at the rest, be it the same as before or not.
        self._problems_shown = self._document.problems if self._document.is_judged else None
        for part in (self._beside, self._throttle):
            part.flush() if self._document.is_judged else part.request()

    def _show_beside(self) -> None:
        """Shows what the document now says in the head and in the table."""
        self.header.refresh()
        self.model.follow()

    def _restore(self) -> None:
        """Selects what was selected, as far as it is still there."""
        row = min(max(self._row_shown(), 0), self.model.rowCount() - 1)
        self.table.select(row)
        self._show_row(row)


class RecordsPane(PlanPane):
    """Attributes on the left, the selected one on the right, the budget above both."""

    kind = RECORDS

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(document, parent=parent)
        self.edits: Edits = Edits(document, self)
        self.header: RecordsHeader = RecordsHeader(document, self.edits, parent=self)
        self.model = AttributeModel(document, self)
        self.table = AttributeTable(self.model)
        self.panel: AttributePanel = AttributePanel(document, self.edits)
        left = Card(margin=4, parent=self)
        self.dropped = DroppedFold(self.table, self.model, document.settings, parent=self)
        left.body.addWidget(self.table, 1)
        left.body.addLayout(lay_row(self.dropped, STRETCH, margins=(8, 0, 8, 0)))
        self.wanted = AdviceLine(parent=self)
        self.wanted.linkClicked.connect(self.ask_purpose)
        left.body.addLayout(lay_row((self.wanted, 1), margins=(8, 0, 8, 4)))
        self._show_wanted()
        self._furnish(left)
        self.header.errorsAsked.connect(self.ask_errors)
        self.header.strategy.purposeAsked.connect(self.ask_purpose)
        self.edits.explained.connect(lambda text: self.notice.show_notice("success", text))
        self.edits.resplitWanted.connect(self._offer_resplit)
        self.notice.actionTriggered.connect(self._resplit_as_offered)

    def selected(self) -> str:
        """The name of the selected column; empty if there is none."""
        return self.panel.name()

    def select(self, name: str) -> None:
        """Selects a column, if the plan has it."""
        self.bring_up_to_date()
        names = [column.name for column in self._document.plan.columns]
        if name in names:
            self.table.select(names.index(name))

    def panes(self) -> list[QWidget]:
        return [self.header, self.table, self.panel]

    def show_path(self, path: str) -> None:
        if path == "budget":
            self.header.edit_budget()
        elif path == RECORDS_PATH:
            self._show_worst()
        elif path == ANALYSES_PATH:
            self.ask_purpose()
        elif path in ("strategy", "fakes"):
            self.header.strategy.strategy.setFocus(Qt.FocusReason.OtherFocusReason)
        elif path.startswith("columns."):
            name, _, field = path.removeprefix("columns.").rpartition(".")
            if field == "epsilon":
                name = name.removesuffix(".mechanism")
            self.select(name)
            if field == "expected" or field.startswith("expected."):
                self.panel.edit_expected()
            else:
                self._focus_panel(field)
        else:
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_worst(self) -> None:
        """Selects the attribute whose error is the largest against what it estimates."""
        found = usefulness_of_records(self._document.plan).by_name
        if found:
            self.select(max(found, key=lambda name: found[name].ratio))
            self._focus_panel("epsilon")

    def ask_errors(self) -> None:
        """Opens the errors that one can live with, for all protected attributes."""
        if self._document.plan.protected:
            dialog = TargetsDialog(self._document.plan, self.edits.solve_errors, self.window())
            dialog.open()

    def ask_purpose(self) -> None:
        """Opens the choice of what the file is for."""
        plan = self._document.plan
        if plan.protected:
            choose, window = self.edits.choose_purpose, self.window()
            statistics = partial(self._document.set_release_kind, STATISTICS)
            dialog = PurposeDialog(plan, self.selected(), choose, statistics, window)
            self._document.planChanged.connect(dialog.follow)
            dialog.open()

    def _listed(self) -> Sequence[Listed]:
        edits, panel, for_it = self.edits, self.panel, self._for_selected
        return (
            (self.tr("Choose &best"), "Ctrl+B", edits.choose_best, "auto-fix"),
            (
                self.tr("Choose best for this &attribute"),
                "Ctrl+Shift+B",
                for_it(edits.choose_best),
                "",
            ),
            (self.tr("What the &file is for…"), "Ctrl+U", self.ask_purpose, ""),
            (self.tr("&Split the budget"), "Ctrl+R", edits.resplit, "refresh"),
            (self.tr("&Change the budget…"), "Ctrl+Shift+E", self.header.edit_budget, "pencil"),
            (self.tr("&Epsilon for errors…"), "Ctrl+E", self.ask_errors, "flask"),
            (self.tr("E&xpected answers…"), "Ctrl+Shift+X", panel.edit_expected, ""),
            (self.tr("Compare &mechanisms"), "Ctrl+M", panel.compare_mechanisms, ""),
            (self.tr("&Answers to compare…"), "Ctrl+Shift+C", panel.choose_answers, ""),
            (self.tr("&Lock or unlock epsilon"), "Ctrl+L", for_it(self._toggle_lock), "lock"),
            (self.tr("&Protect attribute"), "Ctrl+Shift+P", for_it(edits.protect), ""),
            (self.tr("Protect all &unassigned"), "Ctrl+Shift+A", edits.protect_all, ""),
            (self.tr("&Release attribute as it is"), "Ctrl+Shift+K", for_it(edits.keep), ""),
            (self.tr("&Drop attribute"), "Ctrl+Shift+D", for_it(edits.drop), ""),
            (self.tr("Saniti&ze…"), "Ctrl+Return", self.releaseAsked.emit, "play"),
        )

    def _chosen(self) -> str | None:
        return self.selected() or None

    def _focus_epsilon(self) -> None:
        self._focus_panel("epsilon")

    def _row_shown(self) -> int:
        names = [column.name for column in self._document.plan.columns]
        if self.selected() in names:
            return names.index(self.selected())
        # What is released is looked at first.
        columns = enumerate(self._document.plan.columns)
        return next((row for row, column in columns if column.role != "drop"), 0)

    def _show_beside(self) -> None:
        super()._show_beside()
        self._show_wanted()
        self.dropped.follow()

    def _show_wanted(self) -> None:
        """Shows what the analyses will be worth that the plan names."""
        told = wanted_analyses(self._document.plan)
        if self.wanted.isHidden() == bool(told):
            self.wanted.setVisible(bool(told))
        if told:
            words = " · ".join(map(worth_words, told))
            self.wanted.show_advice(worst_sign(told), words, self.tr("Change…"))

    def _show_row(self, row: int) -> None:
        columns = self._document.plan.columns
        self.panel.show_attribute(columns[row].name if 0 <= row < len(columns) else "")

    def _select_titled(self, title: str) -> None:
        for column in self._document.plan.protected:
            if column.title == title:
                self.select(column.name)
                return

    def _toggle_lock_of(self, row: int) -> None:
        self.edits.toggle_lock(self._document.plan.columns[row].name)

    def _toggle_lock(self, name: str) -> None:
        if self._document.plan.column(name).mechanism is not None:
            self.edits.toggle_lock(name)

    def _focus_panel(self, field: str) -> None:
        if self.panel.shown.isVisible() and field == "epsilon":
            target: QWidget = self.panel.epsilon.field
        elif self.panel.unprotected.isVisible() and field in _OF_KEPT:
            panel = self.panel.unprotected
            target = panel.keep if field == "keep_confirmed" else panel.protect
        else:
            target = self.panel.assignment
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _offer_resplit(self, reason: str) -> None:
        spl = self._document.plan.strategy == "spl"
        action = self.tr("Split the budget") if spl else self.tr("Give each the budget")
        self.notice.show_notice("info", reason, action)

    def _resplit_as_offered(self) -> None:
        self.notice.clear()
        self.edits.resplit()


class StatisticsPane(PlanPane):
    """Queries on the left, the selected one on the right, their budget above both."""

    kind = STATISTICS

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(document, parent=parent)
        self.edits: QueryEdits = QueryEdits(document, self)
        self.header: StatisticsHeader = StatisticsHeader(document, self.edits, parent=self)
        self.model = QueryModel(document, self)
        self.table = QueryTable(self.model)
        self.kinds = KindsView(self.edits, parent=self)
        self.ask = AskBar(self.edits, parent=self)
        self.panel: QueryPanel = QueryPanel(document, self.edits)
        left = Card(margin=4, parent=self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.kinds)
        left.body.addWidget(self._stack, 1)
        left.body.addWidget(self.ask)
        self._furnish(left)
        remove = next(a for a in self._actions if a.shortcut().toString() == "Del")
        # In a line of text, Del deletes a letter.
        remove.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.table.addAction(remove)
        self.header.unit.peopleAsked.connect(lambda: self.pathAsked.emit(UNIT_PATH))
        self.ask.added.connect(self._select_last)
        self.ask.duplicate.clicked.connect(self._for_selected(self.edits.duplicate))
        self.ask.remove.clicked.connect(self._for_selected(self.edits.remove))
        self.kinds.kindChosen.connect(self.ask.start)

    def panes(self) -> list[QWidget]:
        first = self.table if self.model.rowCount() else self.kinds
        return [self.header, first, self.ask, self.panel]

    def show_path(self, path: str) -> None:
        index = query_of(path)
        if index is not None and index < self.model.rowCount():
            self.table.select(index)
            self.panel.focus_field(path.rpartition(".")[2])
        elif path == STATISTICS_PATH:
            found = usefulness_of_statistics(self._document.plan).by_name
            if found:
                self.table.select(max(found, key=lambda index: found[index].ratio))
                self._focus_epsilon()
        elif path == "statistics.budget":
            self.header.edit_budget()
        elif path.startswith(UNIT_PATH):
            self.header.unit.people.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self.model.rowCount():
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.ask.add.setFocus(Qt.FocusReason.OtherFocusReason)

    def _listed(self) -> Sequence[Listed]:
        for_it = self._for_selected
        return (
            (self.tr("&Add a statistic…"), "Ctrl+Shift+A", self.ask.add.showMenu, "plus"),
            (self.tr("Ask in &words"), "Ctrl+K", self._ask, ""),
            (self.tr("D&uplicate statistic"), "Ctrl+D", for_it(self.edits.duplicate), ""),
            (self.tr("&Remove statistic"), "Del", for_it(self.edits.remove), "delete"),
            (self.tr("Move u&p"), "Ctrl+Shift+Up", lambda: self._move(-1), "arrow-up"),
            (self.tr("Move dow&n"), "Ctrl+Shift+Down", lambda: self._move(1), "arrow-down"),
            (self.tr("&Groups…"), "Ctrl+G", self.panel.choose_groups, ""),
            (self.tr("&Conditions…"), "Ctrl+Shift+C", self.panel.choose_conditions, ""),
            (self.tr("&Lock or unlock epsilon"), "Ctrl+L", for_it(self.edits.toggle_lock), ""),
            (self.tr("&Split the budget"), "Ctrl+R", self.edits.resplit, "refresh"),
            (
                self.tr("C&hange the budget…"),
                "Ctrl+Shift+E",
                self.header.edit_budget,
                "pencil",
            ),
            (self.tr("R&elease…"), "Ctrl+Return", self.releaseAsked.emit, "play"),
        )

    def _show_beside(self) -> None:
        self.kinds.refresh()
        super()._show_beside()

    def _show_row(self, row: int) -> None:
        self.panel.show_query(row)

    def _row_shown(self) -> int:
        return self.panel.index()

    def _restore(self) -> None:
        listed = self.model.rowCount() > 0
        self._stack.setCurrentWidget(self.table if listed else self.kinds)
        self.ask.show_selected(listed)
        super()._restore()

    def _chosen(self) -> int | None:
        return self.panel.index() if self.panel.index() >= 0 else None

    def _focus_epsilon(self) -> None:
        self.panel.focus_field("")

    def _toggle_lock_of(self, row: int) -> None:
        self.edits.toggle_lock(row)

    def _ask(self) -> None:
        self.ask.phrase.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _move(self, step: int) -> None:
        index = self.panel.index()
        if index >= 0 and self.edits.move(index, step):
            self.table.select(index + step)

    def _select_last(self) -> None:
        self.table.select(self.model.rowCount() - 1)

    def _select_titled(self, title: str) -> None:
        for index, query in enumerate(self._document.plan.statistics.queries):
            if query.heading == title:
                self.table.select(index)
                return
