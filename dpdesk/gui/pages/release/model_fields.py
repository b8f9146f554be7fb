"""The formula of a regression: typed, or put together from an outcome and ticked columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QCheckBox, QLabel, QListWidget, QListWidgetItem, QWidget

from dpdesk.data.formula import parse_model
from dpdesk.engine.joint_questions import ModelQuestion
from dpdesk.errors import ParameterError
from dpdesk.estimation.released_columns import ReleasedColumn, objection
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.gui.widgets.offering_line import OfferingLine
from dpdesk.gui.widgets.plain_text import PlainLabel, literal, plain_tooltip
from dpdesk.plan import Plan

_PLAIN_NAME = re.compile(r"[^\W\d]\w*(?:\.\w+)*")
_BEGUN = re.compile(r"(?:`[^`]*|[^\W\d][\w.]*)$")
_MOST_OFFERED = 12
_ROWS_SEEN = 5
_NAME = int(Qt.ItemDataRole.UserRole)


def in_formula(name: str) -> str:
    """Returns a column's name as a formula has it, between backticks where it holds signs."""
    return name if _PLAIN_NAME.fullmatch(name) else f"`{name}`"


def continued(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """Returns what a formula can become when the name that is begun at its end is completed."""
    begun = _BEGUN.search(text)
    if begun is None:
        return ()
    word = begun[0].removeprefix("`").casefold()
    told = [name for name in names if name.casefold().startswith(word) and name != begun[0]]
    return tuple(text[: begun.start()] + in_formula(name) for name in told[:_MOST_OFFERED])


class ModelFields(QWidget):
    """The outcome, the columns that explain it, and the formula that they make.

    Attributes:
        changed: Emitted when another formula or model is asked.
        submitted: Emitted when Enter was pressed in the formula.
    """

    changed = Signal()
    submitted = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plan = Plan()
        self._columns: Mapping[str, ReleasedColumn] = {}
        self.outcome = ChoiceBox(self.tr("Outcome"), parent=self)
        self.outcome_refusal = RefusalLabel(parent=self)
        self.predictors = QListWidget(self)
        self.predictors.setObjectName("predictors")
        self.predictors.setAccessibleName(self.tr("Columns that explain it"))
        self.refusal = RefusalLabel(parent=self)
        self.beyond = PlainLabel("", "caption", wrap=True, parent=self)
        self.together = QCheckBox(self.tr("Also how they act to&gether"), self)
        self.together.setToolTip(self.tr("Interactions of every two of them: a:b in the formula"))
        self.formula = OfferingLine(
            self.tr("Formula"), lambda text: continued(text, tuple(self._columns)), parent=self
        )
        self.formula.setPlaceholderText(self.tr("y ~ a + C(b) + a:b"))
        self.model = ChoiceBox(
            self.tr("Model"),
            (
                (self.tr("as suits the outcome"), None),
                (self.tr("linear"), "linear"),
                (self.tr("logistic"), "logistic"),
                (self.tr("multinomial"), "multinomial"),
            ),
            parent=self,
        )
        lay_column(
            self._label(self.tr("&Outcome"), self.outcome),
            self.outcome,
            self.outcome_refusal,
            self._label(self.tr("&Columns that explain it"), self.predictors),
            self.predictors,
            self.refusal,
            self.together,
            self._label(self.tr("&Formula"), self.formula),
            self.formula,
            self.beyond,
            self._label(self.tr("Mo&del"), self.model),
            self.model,
            spacing=4,
            on=self,
        )
        rows = self.predictors.fontMetrics().height() + 8
        self.predictors.setFixedHeight(_ROWS_SEEN * rows)
        self.outcome.currentIndexChanged.connect(lambda _: self._put_together())
        self.predictors.itemChanged.connect(lambda _: self._put_together())
        self.predictors.currentRowChanged.connect(lambda _: self._tell_reason())
        self.together.toggled.connect(lambda _: self._put_together())
        self.formula.committed.connect(self._take_formula)
        self.formula.textEdited.connect(lambda _: self.changed.emit())
        self.formula.returnPressed.connect(self.submitted)
        self.model.currentIndexChanged.connect(lambda _: self.changed.emit())

    def show_release(self, plan: Plan, columns: Mapping[str, ReleasedColumn]) -> None:
        """Offers the columns of another release."""
        self._plan, self._columns = plan, columns
        self.outcome.blockSignals(True)
        self.outcome.clear()
        for name in columns:
            self.outcome.addItem(name, name)
        self.outcome.blockSignals(False)
        self.predictors.blockSignals(True)
        self.predictors.clear()
        for name in columns:
            item = QListWidgetItem(literal(name))
            item.setData(_NAME, name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Unchecked)
            self.predictors.addItem(item)
        self.predictors.blockSignals(False)
        self._put_together()

    def ask(self, question: ModelQuestion) -> None:
        """Fills the fields with a question."""
        self._take_formula(question.formula)
        self.model.setCurrentIndex(max(self.model.findData(question.model), 0))

    def question(self) -> ModelQuestion | None:
        """The regression; None while there is no formula, or a column cannot be in it."""
        text = self.formula.text().strip()
        if not text or (text == self._made() and self._objections()):
            return None
        return ModelQuestion(text, self.model.currentData())

    def lacking(self) -> str:
        """Why there is no regression to ask for; "" where there is one."""
        if self.question() is not None:
            return ""
        told = next(iter(self._objections()), "")
        return told or self.tr("Tick a column that explains the outcome, or type a formula.")

    def ticked(self) -> tuple[str, ...]:
        """The columns that shall explain the outcome."""
        items = (self.predictors.item(row) for row in range(self.predictors.count()))
        return tuple(
            item.data(_NAME) for item in items if item.checkState() == Qt.CheckState.Checked
        )

    def _label(self, title: str, field: QWidget) -> QLabel:
        label = QLabel(title, self)
        label.setBuddy(field)
        return label

    def _made(self) -> str:
        """The formula of what is chosen; empty without a column that explains."""
        outcome, ticked = self.outcome.currentData(), [in_formula(one) for one in self.ticked()]
        if not outcome or not ticked:
            return ""
        terms = list(ticked)
        if self.together.isChecked():
            terms += [f"{one}:{other}" for one, other in combinations(ticked, 2)]
        return f"{in_formula(outcome)} ~ {' + '.join(terms)}"

    def _objections(self) -> list[str]:
        told = (self._of_outcome(), *self._reasons(self.ticked()).values())
        return [reason for reason in told if reason]

    def _of_outcome(self) -> str:
        """Why the outcome cannot be one; "" where it can."""
        name = str(self.outcome.currentData() or "")
        error = objection(self._plan, self._columns, name, "outcome", ()) if name else None
        return "" if error is None else str(error)

    def _reasons(self, names: Sequence[str]) -> dict[str, str]:
        """Why columns cannot explain the outcome beside the ticked ones; "" where they can."""
        outcome, ticked = str(self.outcome.currentData() or ""), self.ticked()
        found = {}
        for name in names:
            beside = [outcome, *(one for one in ticked if one != name)] if outcome else []
            error = objection(self._plan, self._columns, name, "predictor", beside)
            found[name] = "" if error is None else str(error)
        return found

    def _put_together(self) -> None:
        """Writes the formula, and marks the columns that cannot be in it."""
        self._mark_columns()
        self.formula.set_value(self._made())
        self.beyond.hide()
        self._tell_reason()
        self.changed.emit()

    def _mark_columns(self) -> None:
        self.outcome_refusal.show_sentence(self._of_outcome())
        muted, reasons = QColor(theme_in_force().muted), self._reasons(tuple(self._columns))
        self.predictors.blockSignals(True)
        for row, reason in enumerate(reasons.values()):
            item = self.predictors.item(row)
            item.setData(Qt.ItemDataRole.ForegroundRole, muted if reason else None)
            item.setToolTip(plain_tooltip(reason) if reason else "")
            spoken = f"{item.text()}. {reason}" if reason else None
            item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
        self.predictors.blockSignals(False)
        self.together.setEnabled(len(self.ticked()) > 1)

    def _tell_reason(self) -> None:
        """Says why the current column, or one that is ticked, cannot be in the formula."""
        told = next((reason for reason in self._reasons(self.ticked()).values() if reason), "")
        item = self.predictors.currentItem()
        if not told and item is not None:
            name = item.data(_NAME)
            told = self._reasons((name,))[name]
        self.refusal.show_sentence(told)

    def _take_formula(self, text: str) -> None:
        """Takes a formula that was typed as it is; the outcome and the ticks follow it."""
        self.formula.set_value(text)
        self._follow(text)
        self.changed.emit()

    def _follow(self, text: str) -> None:
        """Shows a formula in the other fields, and says where these cannot show all of it."""
        names = tuple(self._columns)
        try:
            read = parse_model(text, names)
        except ParameterError:
            # Asking says what is wrong with it; the fields show nothing that it does not say.
            self.beyond.setText(self.tr("The fields above do not show this formula."))
            self.beyond.show()
            return
        for field in (self.outcome, self.predictors, self.together):
            field.blockSignals(True)
        self.outcome.setCurrentIndex(self.outcome.findData(read.outcome.name))
        for row, name in enumerate(names):
            ticked = Qt.CheckState.Checked if name in read.names else Qt.CheckState.Unchecked
            self.predictors.item(row).setCheckState(ticked)
        self.together.setChecked(any(len(term) > 1 for term in read.terms))
        for field in (self.outcome, self.predictors, self.together):
            field.blockSignals(False)
        self._mark_columns()
        self._tell_reason()
        made = self._made()
        shown = parse_model(made, names) if made else None
        is_all = shown is not None and (shown.outcome, shown.written) == (
            read.outcome,
            read.written,
        )
        self.beyond.setText(
            self.tr("The formula says more than the ticks; another tick writes it anew.")
        )
        self.beyond.setVisible(not is_all)
