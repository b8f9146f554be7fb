"""What is asked of attributes in dialogs: weights, errors, answers to compare, a matrix."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLabel,
    QTableView,
    QWidget,
)

from dpdesk.data.matrix_file import read_matrix
from dpdesk.domains import Categorical, parse_typed
from dpdesk.errors import InputError
from dpdesk.gui.pages.plan.plan_dialog import PlanDialog
from dpdesk.gui.pages.plan.plan_forms import shown_text
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.widgets.boxes import STRETCH, Button
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine
from dpdesk.gui.widgets.plain_text import PlainLabel, literal, plain_tooltip
from dpdesk.gui.widgets.read_table import PlainHeader
from dpdesk.gui.widgets.typed_table import TypedModel, TypedTable
from dpdesk.mechanisms import AnyDomain
from dpdesk.plan import Plan
from dpdesk.preview import RESPONDENTS_ASSUMED, figures, request_for


class ExpectedDialog(PlanDialog):
    """Declares an expected distribution; wrong weights stay in the dialog to be mended.

    Args:
        title: The attribute.
        domain: The domain that its mechanism sees.
        weights: The weights in force; none where nothing is expected.
        replace: Tries other weights, as typed, and returns why they were refused, or "".
        parent: The window it belongs to.
    """

    def __init__(
        self,
        title: str,
        domain: Categorical,
        weights: Sequence[Decimal],
        replace: Callable[[tuple[str, ...]], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(self.tr("Expected answers"), (460, 480), parent)
        self._replace = replace
        known = len(weights) == domain.size
        self.model = TypedModel.last_typed(
            (self.tr("Answer"), self.tr("Weight")),
            [(domain.label(code),) for code in range(domain.size)],
            [shown_text(w) for w in weights] if known else [""] * domain.size,
            self,
        )
        self.table = TypedTable(self.tr("Weights of the answers"), self.model, parent=self)
        meaning = self.tr(
            "How often do you expect each answer? Any weights will do, such as 60, 30 and 10. "
            "Declare what is known beforehand, never what the data say: the choice of a "
            "mechanism, and realistic fakes, depend on it."
        )
        self._lay_out(title, meaning, (self.table, 1))
        self.none = self.buttons.addButton(
            self.tr("Expect &nothing"), QDialogButtonBox.ButtonRole.ResetRole
        )
        self.none.clicked.connect(self.model.clear)
        self.model.dataChanged.connect(lambda *_: self._withdraw_refusal())

    def attempt(self) -> str:
        texts = tuple(text.replace(",", ".") for text in self.model.typed())
        return self._replace(tuple(text or "0" for text in texts) if any(texts) else ())


class TargetsDialog(PlanDialog):
    """Takes an error for each attribute that has one; the others keep their epsilon.

    Args:
        plan: The plan in force.
        solve: Tries errors by the names of columns, and returns why they cannot be met, or "".
        parent: The window it belongs to.
    """

    def __init__(
        self, plan: Plan, solve: Callable[[Mapping[str, float]], str], parent: QWidget | None = None
    ) -> None:
        super().__init__(self.tr("Epsilon for errors"), (520, 480), parent)
        self._solve = solve
        self._names = [column.name for column in plan.protected]
        self.model = TypedModel.last_typed(
            (self.tr("Attribute"), self.tr("95 % error now"), self.tr("Wanted")),
            [(column.title, _error_now(plan, column.name)) for column in plan.protected],
            [""] * len(self._names),
            self,
        )
        name = self.tr("Errors that are wanted")
        self.table = TypedTable(name, self.model, parent=self)
        self.table.setColumnWidth(1, 130)
        self._lay_out("", self._meaning(plan), (self.table, 1))
        self.buttons.button(Button.Ok).setText(self.tr("&Set the least epsilons"))
        self.model.dataChanged.connect(lambda *_: self._withdraw_refusal())

    def attempt(self) -> str:
        wanted: dict[str, float] = {}
        for name, text in zip(self._names, self.model.typed(), strict=True):
            if not text:
                continue
            number = parse_typed(text)
            if number is None:
                return self.tr("{name}: type the error as a number, such as 2.5.").format(name=name)
            wanted[name] = number
        return self._solve(wanted) if wanted else self.tr("Type an error for an attribute.")

    def _meaning(self, plan: Plan) -> str:
        count = plan.judged_respondents
        people = (
            self.tr("{count} respondents, assumed since the plan states none")
            if count is None
            else self.tr("{count} respondents")
        ).format(count=f"{count or RESPONDENTS_ASSUMED:,}")
        return self.tr(
            "Type the 95 % error that you can live with, in pp or in the attribute's unit, with "
            "{people}. The least total ε that meets them is set, with the best mechanism for "
            "each. Attributes without an error stay as they are."
        ).format(people=people)


def _error_now(plan: Plan, name: str) -> str:
    request = request_for(plan.column(name), plan.judged_respondents, sampling=plan.sampling)
    if request is None:
        return "—"
    return figures(request).told


LISTED_MAX = 2_000
"""Categories that a box lists; an answer out of more of them, and a number, is typed."""


class AnswersDialog(PlanDialog):
    """Two answers, chosen or typed; the plots follow at once.

    Args:
        title: The attribute.
        domain: The domain that its mechanism sees.
        answers: The codes that are compared now.
        parent: The window it belongs to.

    Attributes:
        answersChosen: Emitted with two codes that differ.
    """

    answersChosen = Signal(int, int)

    def __init__(
        self,
        title: str,
        domain: AnyDomain,
        answers: tuple[int, int],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(self.tr("Answers to compare"), (380, 180), parent)
        self._domain = domain
        self._answers = answers
        form = QFormLayout()
        words = (self.tr("&First true answer"), self.tr("&Second true answer"))
        self.fields = []
        for place, text in enumerate(words):
            field = self._field(place, text.replace("&", ""))
            label = QLabel(text, self)
            label.setBuddy(field)
            form.addRow(label, field)
            self.fields.append(field)
        self._lay_out(title, "", form, STRETCH, buttons=Button.Close)

    def _field(self, place: int, name: str) -> QWidget:
        domain, code = self._domain, self._answers[place]
        if isinstance(domain, Categorical) and domain.size <= LISTED_MAX:
            box = ChoiceBox(name, parent=self)
            box.addItems([domain.label(i) for i in range(domain.size)])
            box.setCurrentIndex(code)
            box.activated.connect(lambda chosen: self._take(place, chosen))
            return box
        line = CommitLine(name, parent=self)
        line.set_value(domain.texts[code])
        line.committed.connect(lambda text: self._take_text(place, line, text))
        line.refused.connect(self._refusal.show_sentence)
        return line

    def _take_text(self, place: int, line: CommitLine, text: str) -> None:
        code = int(self._domain.encode([text.strip()])[0])
        if code < 0:
            line.refuse(self.tr("This is no answer of the domain. Type one that is."))
            return
        line.set_value(self._domain.texts[code])
        self._take(place, code)

    def _take(self, place: int, code: int) -> None:
        first, second = self._answers
        chosen = (code, second) if place == 0 else (first, code)
        if chosen[0] == chosen[1]:
            self._refusal.show_sentence(self.tr("Choose two answers that differ."))
            return
        self._withdraw_refusal()
        self._answers = chosen
        self.answersChosen.emit(*chosen)


Index = QModelIndex | QPersistentModelIndex
Rows = Sequence[Sequence[str]]

_NOWHERE = QModelIndex()
_WIDTH = 96
# To measure the cells of a large matrix would cost more than to show it.
_FITTED_MAX = 20


class MatrixModel(QAbstractTableModel):
    """Chances as typed, one row for each true category and one column for each reported one.

    Args:
        labels: The categories.
        rows: The chances at first.
    """

    def __init__(self, labels: Sequence[str], rows: Rows, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._labels = tuple(labels)
        self._rows = self._fitted(rows)

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The chances as they stand."""
        return tuple(tuple(row) for row in self._rows)

    def set_rows(self, rows: Rows) -> None:
        """Puts other chances in place; cells that are missing stay empty."""
        self.beginResetModel()
        self._rows = self._fitted(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._labels)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._labels)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if index.isValid() and role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        self._rows[index.row()][index.column()] = str(value).strip()
        self.dataChanged.emit(index, index)
        return True

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if not 0 <= section < len(self._labels):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return literal(self._labels[section])
        if role == Qt.ItemDataRole.ToolTipRole:
            true = orientation == Qt.Orientation.Vertical
            kind = self.tr("True: {answer}") if true else self.tr("Reported: {answer}")
            return plain_tooltip(kind.format(answer=self._labels[section]))
        return None

    def _fitted(self, rows: Rows) -> list[list[str]]:
        size = len(self._labels)
        padded = [[*row, *([""] * size)][:size] for row in rows][:size]
        return padded + [[""] * size for _ in range(size - len(padded))]


class MatrixDialog(PlanDialog):
    """Edits a matrix and shows the epsilon that follows from it, as long as it has one.

    Args:
        title: The attribute.
        labels: The categories of its effective domain.
        rows: The matrix in force.
        epsilon_of: Returns the epsilon of a matrix as text.
        replace: Tries another matrix and returns why it was refused, or "".
        parent: The window it belongs to.
    """

    def __init__(
        self,
        title: str,
        labels: Sequence[str],
        rows: Rows,
        epsilon_of: Callable[[Rows], str],
        replace: Callable[[tuple[tuple[str, ...], ...]], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(self.tr("Matrix of chances"), (620, 480), parent)
        self._epsilon_of = epsilon_of
        self._replace = replace
        self.model = MatrixModel(labels, rows, self)
        self.table = QTableView(self)
        self.table.setHorizontalHeader(PlainHeader(self.table))
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Chances: rows are true, columns reported answers"))
        self.table.setTabKeyNavigation(False)
        self.table.horizontalHeader().setDefaultSectionSize(_WIDTH)
        self.table.verticalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.table.verticalHeader().setMaximumWidth(2 * _WIDTH)
        meaning = self.tr(
            "Chance of each report (columns) for each true answer (rows), as exact decimals or "
            "fractions such as 0.25 or 1/3. Every row sums to 1."
        )
        self._epsilon = PlainLabel("", "strong", parent=self)
        self._lay_out(title, meaning, (self.table, 1), self._epsilon)
        self.load = self.buttons.addButton(
            self.tr("&Load a CSV file…"), QDialogButtonBox.ButtonRole.ActionRole
        )
        self.load.clicked.connect(self._choose_file)
        self.model.dataChanged.connect(lambda *_: self._try())
        self.model.modelReset.connect(self._try)
        if len(labels) <= _FITTED_MAX:
            self.table.resizeColumnsToContents()
        self._try()

    def epsilon(self) -> str:
        """The epsilon of the matrix as it is said; empty while it has none."""
        return self._epsilon.text()

    def load_file(self, path: Path) -> None:
        """Reads chances from a CSV file without heads, one line per row."""
        try:
            rows = read_matrix(path)
        except InputError as error:
            self._refusal.show_sentence(str(error))
            return
        size = self.model.rowCount()
        if len(rows) != size or any(len(row) != size for row in rows):
            sentence = self.tr("The file must have {count} rows of {count} chances, without heads.")
            self._refusal.show_sentence(sentence.format(count=f"{size:,}"))
            return
        self.model.set_rows(rows)

    def attempt(self) -> str:
        return self._replace(self.model.rows())

    def _choose_file(self) -> None:
        kinds = self.tr("Tables (*.csv *.txt);;All files (*)")
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Load a matrix"), "", kinds)
        if name:
            self.load_file(Path(name))

    def _try(self) -> None:
        try:
            epsilon = self._epsilon_of(self.model.rows())
        except Refused as error:
            self._epsilon.setText("")
            self._refusal.show_sentence(refusal_of(error))
            return
        self._withdraw_refusal()
        text = self.tr("ε = {epsilon} follows from this matrix.")
        self._epsilon.setText(text.format(epsilon=epsilon))
