"""The view that compares the mechanisms that fit, and puts another one in force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from dpdesk.gui.pages.plan.plan_view import PlanView
from dpdesk.gui.strategy_words import tr_plan
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.gui.widgets.read_table import ReadTable
from dpdesk.gui.widgets.row_model import Head, Index, RowModel
from dpdesk.gui.widgets.steady import SteadyLines
from dpdesk.i18n import N_
from dpdesk.mechanisms import AnyDomain, Candidate, Mechanism
from dpdesk.preview import PreviewRequest, choice_view, error_text, explain_choice, significant

MECHANISM, ERROR, VAR_STAR, BITS, LOST = range(5)
_IN_FORCE = "✓ "


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """A mechanism as the table shows it; its texts are written once, however often they are read.

    Attributes:
        mechanism: With its parameters, at the epsilon of the request.
        texts: One per column, without the mark of the mechanism in force.
        in_force: Whether the attribute has it.
    """

    mechanism: Mechanism
    texts: tuple[str, ...]
    in_force: bool


class ChoiceModel(RowModel[ChoiceRow]):
    """One row per mechanism, the best one first; the one in force is marked."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._domain: AnyDomain | None = None
        variance = self.tr(
            "How much noise an answer has that hardly anybody gives: the variance of its share, "
            "times the number of reports n. The 95 % error of that share is 1.96 √(n Var* / n). Of "
            "a mean it is the largest noise of any number, in half the width of the bounds. Less "
            "is better."
        )
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

    def show_candidates(self, candidates: Sequence[Candidate], request: PreviewRequest) -> None:
        """Shows other candidates; where only their order differs, no more than their texts."""
        rows = [self._row_of(judged, request) for judged in candidates]
        kinds = sorted(row.mechanism.kind for row in rows)
        same = request.domain is self._domain and kinds == sorted(
            row.mechanism.kind for row in self.rows
        )
        self._domain, before = request.domain, self.row_in_force()
        self.show_rows(rows, same=same)
        after = self.row_in_force()
        if same and before != after:
            # Bold type is no text: all cells of two rows look otherwise.
            for row in {before, after} - {-1}:
                self.announce(row, row)

    def mechanism(self, row: int) -> Mechanism:
        """The mechanism of a row."""
        return self.rows[row].mechanism

    def row_of(self, kind: str) -> int:
        """The row of a kind of mechanism; -1 if it is not listed."""
        return next((i for i, row in enumerate(self.rows) if row.mechanism.kind == kind), -1)

    def row_in_force(self) -> int:
        """The row of the mechanism in force; -1 if there is none."""
        return next((i for i, row in enumerate(self.rows) if row.in_force), -1)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.FontRole and self.row(index.row()).in_force:
            font = QFont()
            font.setBold(True)
            return font
        return super().data(index, role)

    def text(self, row: ChoiceRow, column: int) -> str:
        marked = row.in_force and column == MECHANISM
        return f"{_IN_FORCE}{row.texts[column]}" if marked else row.texts[column]

    def spoken(self, row: ChoiceRow, column: int) -> str:
        if column == MECHANISM and row.in_force:
            return self.tr("{mechanism}, in force").format(mechanism=row.mechanism.short)
        return super().spoken(row, column)

    def tooltip(self, row: ChoiceRow, column: int) -> str:
        if column == MECHANISM:
            return f"{row.mechanism.title}\n{row.mechanism.summary}"
        return row.texts[column] if column == LOST else ""

    def _row_of(self, judged: Candidate, request: PreviewRequest) -> ChoiceRow:
        bits = judged.bits_sent
        texts = (
            judged.mechanism.short,
            error_text(judged.error_95(request.respondents), request.unit),
            significant(judged.noise_constant, 3),
            significant(bits, 2 if bits < 100 else 4),
            " ".join(tr_plan(loss) for loss in judged.losses) or self.tr("nothing"),
        )
        return ChoiceRow(judged.mechanism, texts, judged.mechanism == request.mechanism)


_ROW_HEIGHT = 28
_LOST_LEAST = 100
"""Pixels of the words on what is lost; a narrower table scrolls."""


class _CandidateTable(ReadTable):
    """Rows of which Enter and a double click choose one."""

    rowChosen = Signal(int)

    def __init__(self, model: ChoiceModel, name: str, parent: QWidget) -> None:
        super().__init__(model, name, row_height=_ROW_HEIGHT, parent=parent)
        self.wrap()
        self.stretch(LOST, _LOST_LEAST)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.rowChosen.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)


class ChoiceView(PlanView):
    """Why the best mechanism is the best, a table of all, and what the table is sorted by."""

    title = N_("Choice")

    def compose(self) -> None:
        self._request: PreviewRequest | None = None
        self._kind_in_force = ""
        self.reason = PlainLabel("", "caption", wrap=True)
        self.by = ChoiceBox(self.tr("What the mechanisms are sorted by"), parent=self)
        self.by.addItem(self.tr("95 % error"), "total")
        self.by.addItem(self.tr("Noise on rare answers (n Var*)"), "var_star")
        self.by.setToolTip(
            self.tr(
                "The 95 % error is over the expected answers; n Var*, the noise variance times the "
                "number of reports, looks at an answer that hardly anybody gives."
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
        self._lines = SteadyLines(self.reason, parent=self)
        lay_column(self._lines, row, (self.table, 1), spacing=6, on=self)
        self.setFocusProxy(self.table)
        self.by.activated.connect(lambda _: self._show_again())
        self.table.rowChosen.connect(self._choose)
        self.table.doubleClicked.connect(lambda index: self._choose(index.row()))

    def show_request(self, request: PreviewRequest) -> None:
        self._request = request
        self._show_again()

    def table_title(self) -> str:
        return self.table.accessibleName()

    def table_data(self) -> PlotTable:
        return self.model.table()

    def _show_again(self) -> None:
        if self._request is None:
            return
        by, model, row = self.by.currentData(), self.model, self.table.currentIndex().row()
        selected = model.mechanism(row).kind if row >= 0 else ""
        model.show_candidates(choice_view(self._request, by), self._request)
        self._show_expected(self._request)
        self._lines.set_text(explain_choice(self._request, by))
        # The selection stays with its mechanism, until another one is put in force.
        in_force, kind = model.row_in_force(), self._request.mechanism.kind
        stays = kind == self._kind_in_force and self.table.currentIndex().isValid()
        wanted = model.row_of(selected) if stays else -1
        self._kind_in_force = kind
        self._select(wanted if wanted >= 0 else max(in_force, 0))

    def _select(self, row: int) -> None:
        if self.table.currentIndex().row() != row:
            self.table.selectRow(row)

    def _show_expected(self, request: PreviewRequest) -> None:
        self.expected.setVisible(request.domain.picks_one)
        words = self.tr("E&xpected answers…") if request.expected else self.tr("E&xpect answers…")
        if words != self.expected.text():
            self.expected.setText(words)

    def _choose(self, row: int) -> None:
        chosen = self.model.mechanism(row)
        if self._request is not None and chosen != self._request.mechanism:
            self.mechanismChosen.emit(chosen)
