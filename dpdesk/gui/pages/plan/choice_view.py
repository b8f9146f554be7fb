"""The view that compares the mechanisms that fit, and puts another one in force."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import (
    QHeaderView,
    QLabel,
    QPushButton,
    QWidget,
)

from dpdesk.domains import Categorical
from dpdesk.gui.pages.plan.advice_line import TwoLineLabel
from dpdesk.gui.pages.plan.plan_view import PlanView
from dpdesk.gui.strategy_words import tr_plan
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.plot_table import PlotTable, PlotTableDialog
from dpdesk.gui.widgets.read_table import PADDING, ReadTable
from dpdesk.gui.widgets.row_model import Head, Index, RowModel
from dpdesk.i18n import N_
from dpdesk.mechanisms import Candidate, Mechanism
from dpdesk.preview import PreviewRequest, choice_view, error_text, explain_choice, significant

MECHANISM, ERROR, VAR_STAR, BITS, LOST = range(5)
_IN_FORCE = "✓ "


class ChoiceModel(RowModel[Candidate]):
    """One row per mechanism, the best one first; the one in force is marked.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._request: PreviewRequest | None = None
        variance = self.tr("Noise variance of a rare category, times the number of reports")
        self.heads = (
            Head(self.tr("Mechanism"), self.tr("Enter or a double click puts it in force.")),
            Head(
                self.tr("95 % error"),
                self.tr("Noise and sampling, over the expected answers"),
                number=True,
            ),
            Head(self.tr("n Var*"), variance, number=True),
            Head(self.tr("Bits"), self.tr("Size of one report"), number=True),
            Head(self.tr("Lost"), self.tr("Against reports that look like answers")),
        )

    def show_candidates(
        self, candidates: tuple[Candidate, ...], request: PreviewRequest | None
    ) -> None:
        """Shows other candidates; the rows stay where the mechanisms are the same ones."""
        kinds = [judged.mechanism.kind for judged in candidates]
        same = kinds == [judged.mechanism.kind for judged in self.rows]
        before = self.row_in_force()
        self._request = request
        self.show_rows(candidates, same=same)
        if same and self.row_in_force() != before:
            # Bold type is no text: all cells of two rows look otherwise.
            self.announce(0, len(candidates) - 1)

    def mechanism(self, row: int) -> Mechanism:
        """The mechanism of a row."""
        return self.rows[row].mechanism

    def row_in_force(self) -> int:
        """The row of the mechanism in force; -1 if there is none."""
        return next((i for i, row in enumerate(self.rows) if self._is_in_force(row)), -1)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What every cell has; the mechanism in force is bold."""
        if role == Qt.ItemDataRole.FontRole and self._is_in_force(self.row(index.row())):
            font = QFont()
            font.setBold(True)
            return font
        return super().data(index, role)

    def text(self, row: Candidate, column: int) -> str:
        """The text of a cell; the mechanism in force has a mark."""
        if column == MECHANISM:
            return f"{_IN_FORCE if self._is_in_force(row) else ''}{row.mechanism.short}"
        if column == ERROR:
            request = self._request
            return error_text(row.error_95(request.respondents), request.unit) if request else ""
        if column == VAR_STAR:
            return significant(row.noise_constant, 3)
        if column == BITS:
            return significant(row.bits_sent, 2 if row.bits_sent < 100 else 4)
        return " ".join(tr_plan(loss) for loss in row.losses) or self.tr("nothing")

    def spoken(self, row: Candidate, column: int) -> str:
        """The mark of the mechanism in force, in words."""
        if column == MECHANISM and self._is_in_force(row):
            return self.tr("{mechanism}, in force").format(mechanism=row.mechanism.short)
        return super().spoken(row, column)

    def tooltip(self, row: Candidate, column: int) -> str:
        """The mechanism in full, or all that is lost."""
        if column == MECHANISM:
            return f"{row.mechanism.title}\n{row.mechanism.summary}"
        return self.text(row, column) if column == LOST else ""

    def _is_in_force(self, row: Candidate) -> bool:
        return self._request is not None and row.mechanism == self._request.mechanism


_ROW_HEIGHT = 28


class _CandidateTable(ReadTable):
    """Rows of which Enter and a double click choose one."""

    rowChosen = Signal(int)

    def __init__(self, model: ChoiceModel, name: str, parent: QWidget) -> None:
        super().__init__(model, name, row_height=_ROW_HEIGHT, parent=parent)
        self._candidates = model
        heads = self.horizontalHeader()
        heads.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        heads.setSectionResizeMode(LOST, QHeaderView.ResizeMode.Stretch)
        heads.setMinimumSectionSize(46)
        model.modelReset.connect(self._fit_widths)
        model.dataChanged.connect(self._widen)

    def _fit_widths(self) -> None:
        """Makes the columns as wide as their heads and texts."""
        for column in range(LOST):
            wide = self.horizontalHeader().sectionSizeHint(column)
            self.setColumnWidth(column, max(wide, self._needed(column)))

    def _widen(self, first: Index, last: Index) -> None:
        """Gives a longer text more room; columns that shrink would dance with the slider."""
        for column in range(first.column(), min(last.column() + 1, LOST)):
            needed = self._needed(column)
            if needed > self.columnWidth(column):
                self.setColumnWidth(column, needed)

    def _needed(self, column: int) -> int:
        bold = self.font()
        bold.setBold(True)
        metrics, model = QFontMetrics(bold), self._candidates
        texts = (model.text(row, column) for row in model.rows)
        widest = max((metrics.horizontalAdvance(text) for text in texts), default=0)
        return widest + 2 * PADDING + 2

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.rowChosen.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)


class ChoiceView(PlanView):
    """Why the best mechanism is the best, a table of all, and what the table is sorted by.

    Args:
        parent: Qt's owner.

    Attributes:
        mechanismChosen: Emitted with the `Mechanism` of the row that was chosen.
        expectedAsked: The button of the expected answers was clicked.
    """

    title = N_("Choice")
    mechanismChosen = Signal(object)
    expectedAsked = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._request: PreviewRequest | None = None
        self._in_force = -1
        self._dialog: PlotTableDialog | None = None
        self.reason = TwoLineLabel(parent=self)
        self.by = ChoiceBox(self.tr("What the mechanisms are sorted by"), parent=self)
        self.by.addItem(self.tr("total error"), "total")
        self.by.addItem(self.tr("n Var*: rare categories"), "var_star")
        self.by.setToolTip(
            self.tr(
                "The total error is over the expected answers; n Var* looks at a category that "
                "nearly nobody chooses."
            )
        )
        self.expected = QPushButton(self)
        self.expected.setToolTip(
            self.tr("Declare how the answers are expected to be spread: errors are for these")
        )
        self.expected.clicked.connect(self.expectedAsked)
        label = QLabel(self.tr("So&rted by"), self)
        label.setBuddy(self.by)
        self.model = ChoiceModel(self)
        self.table = _CandidateTable(self.model, self.tr("Mechanisms that fit"), self)
        self.table.setAccessibleDescription(self.tr("Enter puts a mechanism in force."))
        row = lay_row(label, self.by, STRETCH, self.expected, spacing=8)
        lay_column(self.reason, row, (self.table, 1), spacing=6, on=self)
        self.by.activated.connect(lambda _: self._show_again())
        self.table.rowChosen.connect(self._choose)
        self.table.doubleClicked.connect(lambda index: self._choose(index.row()))

    def show_request(self, request: PreviewRequest) -> None:
        """Shows the mechanisms that fit a request, at its epsilon."""
        self._request = request
        self._show_again()

    def show_table(self) -> None:
        """Shows the table in a window of its own, from where it can be copied."""
        if self._dialog is None:
            self._dialog = PlotTableDialog(self.table.accessibleName(), parent=self.window())
        self._dialog.set_table(self.table_data())
        self._dialog.show()
        self._dialog.raise_()

    def table_data(self) -> PlotTable:
        """What the table shows, as texts."""
        return self.model.table()

    def _show_again(self) -> None:
        if self._request is None:
            return
        by = self.by.currentData()
        self.model.show_candidates(choice_view(self._request, by), self._request)
        self._show_expected(self._request)
        self.reason.set_text(explain_choice(self._request, by))
        in_force = self.model.row_in_force()
        if in_force != self._in_force or not self.table.currentIndex().isValid():
            self._in_force = in_force
            self.table.selectRow(max(in_force, 0))

    def _show_expected(self, request: PreviewRequest) -> None:
        self.expected.setVisible(isinstance(request.domain, Categorical))
        words = self.tr("E&xpected answers…") if request.expected else self.tr("E&xpect answers…")
        if words != self.expected.text():
            self.expected.setText(words)

    def _choose(self, row: int) -> None:
        chosen = self.model.mechanism(row)
        if self._request is not None and chosen != self._request.mechanism:
            self.mechanismChosen.emit(chosen)
