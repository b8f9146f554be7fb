"""Records on the Release page: the treatment of every column, and the private comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QWidget

from dpdesk.cost import two_places
from dpdesk.data.table import SurveyTable
from dpdesk.gui.document import Document
from dpdesk.gui.pages.release.comparing_pane import ComparingPane
from dpdesk.gui.pages.release.population_field import AccountWatch
from dpdesk.gui.pages.release.promise_card import PromiseCard
from dpdesk.gui.pages.release.records_results import RecordsResults
from dpdesk.gui.pages.release.release_pane import PaneWords
from dpdesk.gui.strategy_words import strategy_meaning
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.plain_text import counted
from dpdesk.gui.widgets.row_model import Head, Index, RowModel
from dpdesk.i18n import AND_MORE, N_, quoted
from dpdesk.plan import ColumnPlan, Plan, plan_cost, released_names
from dpdesk.plan.losses import protection_of_records
from dpdesk.releases.private import private_diagnostics
from dpdesk.releases.records import RECORDS
from dpdesk.reports.guarantee import guarantee_of_plan

COLUMN, TREATMENT, RELEASED, EPSILON = range(4)

_NAMES_SHOWN = 6
_ORDER = {"unassigned": 0, "keep": 1, "protect": 2, "drop": 3}


class OutlineModel(RowModel[ColumnPlan]):
    """One row per column of the plan; unprotected columns come first."""

    def set_plan(self, plan: Plan) -> None:
        """Shows another plan."""
        columns = tuple(sorted(plan.columns, key=lambda column: _ORDER[column.role]))
        if columns != self.rows:
            self.show_rows(columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._colour(self.row(index.row()), index.column())
        if role == Qt.ItemDataRole.FontRole and index.column() == COLUMN:
            font = QFont()
            font.setBold(self.row(index.row()).role != "drop")
            return font
        return super().data(index, role)

    def text(self, row: ColumnPlan, column: int) -> str:
        if column == COLUMN:
            return row.name
        if column == RELEASED:
            return self._released(row)
        protects = row.role == "protect" and row.mechanism is not None
        if column == EPSILON:
            return two_places(row.mechanism.epsilon) if protects and row.mechanism else "—"
        if protects and row.mechanism:
            return row.mechanism.short
        words = {
            "protect": self.tr("No mechanism yet"),
            "keep": self.tr("Passed through"),
            "drop": self.tr("Dropped"),
            "unassigned": self.tr("Not assigned"),
        }
        return words[row.role]

    def tooltip(self, row: ColumnPlan, column: int) -> str:
        names = ", ".join(released_names(row)[:20])
        return "\n".join(filter(None, (row.title, names)))

    def _released(self, column: ColumnPlan) -> str:
        count = len(released_names(column))
        if not count:
            return "—"
        if column.kept_coarser is not None:
            return column.kept_coarser.words
        if column.role == "keep":
            return self.tr("as it is")
        if count == 1:
            return self.tr("1 column")
        if column.mechanism is not None and column.mechanism.form == "integers":
            return self.tr("{count} columns of whole numbers").format(count=f"{count:,}")
        return self.tr("{count} columns of 0 and 1").format(count=f"{count:,}")

    def _colour(self, column: ColumnPlan, section: int) -> QColor:
        theme = theme_in_force()
        if column.role == "drop":
            return QColor(theme.muted)
        if section == TREATMENT and column.role != "protect":
            return QColor(theme.danger if column.role == "unassigned" else theme.warning)
        return QColor(theme.text)

    def _make_heads(self) -> tuple[Head, ...]:
        return (
            Head(self.tr("Column")),
            Head(self.tr("Treatment")),
            Head(self.tr("Released as")),
            Head("ε", number=True),
        )


class RecordsPromise(PromiseCard):
    """The guarantee as in the report, over the treatment of every column."""

    heading = N_("What this release promises")
    content = N_("Treatment of every column")

    def __init__(
        self, document: Document, account: AccountWatch, *, parent: QWidget | None = None
    ) -> None:
        self._model = OutlineModel()
        super().__init__(self._model, account, parent=parent)
        self.table.setWhatsThis(self.tr("What becomes of each column in the release."))

    def show_plan(self, plan: Plan) -> None:
        nothing = self.tr("Nothing yet: the plan protects no column.")
        sentence = guarantee_of_plan(plan).sentence if plan.protected else nothing
        if plan.protected and plan.strategy != "spl":
            sentence = f"{sentence} {strategy_meaning(plan.strategy)}"
        self._show_promise(protection_of_records(plan), sentence)
        self.passed.show_sentence(self._passed(plan))
        self.people.show_cost(plan_cost(plan))
        self._model.set_plan(plan)

    def path_of(self, row: int) -> str:
        return f"columns.{self._model.row(row).name}.role"

    def _passed(self, plan: Plan) -> str:
        told = []
        exact = [column for column in plan.kept if column.kept_coarser is None]
        coarser = [column for column in plan.kept if column.kept_coarser is not None]
        if exact:
            kept = self.tr("Released unprotected, exactly as in the file: {names}.")
            told.append(kept.format(names=self._names(exact)))
        if coarser:
            kept = self.tr("Released unprotected, true but coarser: {names}.")
            told.append(kept.format(names=self._names(coarser)))
        if plan.left_blank:
            blank = self.tr("Who answered is released unprotected: {names}.")
            told.append(blank.format(names=self._names(plan.left_blank)))
        return " ".join(told)

    def _names(self, columns: Sequence[ColumnPlan]) -> str:
        names = [column.name for column in columns]
        return quoted(names, _NAMES_SHOWN, more=self.tr(AND_MORE))


class RecordsPane(ComparingPane):
    """Sanitizes records and compares them with the truth, for the holder of the data only."""

    kind = RECORDS
    words = PaneWords(
        start=N_("Saniti&ze"),
        tip=N_("Randomize the answers and write the folder (Ctrl+Return)"),
        sentence=N_("Every protected answer gets noise of its own before it is released."),
        job=N_("Sanitizing"),
    )
    promise_type = RecordsPromise
    results_type = RecordsResults
    results: RecordsResults
    compare = staticmethod(private_diagnostics)

    def _facts_of(self, plan: Plan, table: SurveyTable) -> str:
        people = counted(table.rows, self.tr("1 respondent"), self.tr("{count} respondents"))
        protected = counted(
            len(plan.protected),
            self.tr("1 protected attribute"),
            self.tr("{count} protected attributes"),
        )
        return f"{people} · {protected} · {self.tr('local model')}"

    def _running_title(self, plan: Plan, table: SurveyTable) -> str:
        one = self.tr("Sanitizing the answers of 1 respondent")
        return counted(table.rows, one, self.tr("Sanitizing the answers of {count} respondents"))

    def _show_budget(self, plan: Plan) -> None:
        self.budget.show_attributes(plan)
