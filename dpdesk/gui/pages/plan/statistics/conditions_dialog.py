"""Conditions on rows, built by picking categories or a range."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from dpdesk.domains import Categorical, parse_number
from dpdesk.errors import ParameterError
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.commit_line import RefusalLabel, limit_length
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.plan import ColumnPlan
from dpdesk.queries import Condition
from dpdesk.queries.condition import AnyDomain

_VALUE = Qt.ItemDataRole.UserRole


class ConditionEditor(QWidget):
    """Edits the condition on one column.

    Args:
        name: The column.
        domain: What its answers can be.
        condition: The condition in force, or None.
        parent: Qt's owner.

    Attributes:
        changed: Emitted with the name of the column.
    """

    changed = Signal(str)

    def __init__(
        self,
        name: str,
        domain: AnyDomain,
        condition: Condition | None,
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._name = name
        self._domain = domain
        self._refusal = RefusalLabel(parent=self)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        if isinstance(domain, Categorical):
            self._list_categories(domain, condition)
        else:
            self._add_range(domain, condition)
        self._column.addWidget(self._refusal)

    def condition(self) -> Condition | None:
        """The condition as it is built; None where any answer will do."""
        if isinstance(self._domain, Categorical):
            every = [self.categories.item(row) for row in range(self.categories.count())]
            ticked = [i for i in every if i.checkState() == Qt.CheckState.Checked]
            if not ticked or len(ticked) == len(every):
                return None
            return Condition(column=self._name, values=tuple(i.data(_VALUE) for i in ticked))
        lower, upper = (_number(field.text()) for field in (self.least, self.largest))
        if self.refusal() or (lower is None and upper is None):
            return None
        return Condition(column=self._name, lower=lower, upper=upper)

    def refusal(self) -> str:
        """Why what is typed is no range; empty while it is one."""
        return self._refusal.text()

    def _list_categories(self, domain: Categorical, condition: Condition | None) -> None:
        self.categories = QListWidget(self)
        self.categories.setObjectName("choices")
        self.categories.setAccessibleName(self.tr("Categories that count"))
        chosen = () if condition is None else condition.values
        for code, value in enumerate(domain.texts):
            label = domain.label(code)
            text = value if label == value else f"{label} ({value})"
            item = QListWidgetItem(text, self.categories)
            item.setData(_VALUE, value)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            ticked = value in chosen
            item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
        if self.categories.count():
            self.categories.setCurrentRow(0)
        self.categories.itemChanged.connect(lambda _: self.changed.emit(self._name))
        self._column.addWidget(self.categories, 1)

    def _add_range(self, domain: AnyDomain, condition: Condition | None) -> None:
        self.least, self.largest = QLineEdit(self), QLineEdit(self)
        form = QFormLayout()
        ends = (
            (self.least, self.tr("at &least"), self.tr("Least number"), domain.texts[0]),
            (self.largest, self.tr("at &most"), self.tr("Largest number"), domain.texts[-1]),
        )
        bounds = (None, None) if condition is None else (condition.lower, condition.upper)
        for (field, words, name, end), bound in zip(ends, bounds, strict=True):
            field.setAccessibleName(name)
            limit_length(field, 40)
            field.setPlaceholderText(end)
            field.setText("" if bound is None else format(bound.normalize(), "f"))
            field.textEdited.connect(self._check)
            label = QLabel(words, self)
            label.setBuddy(field)
            form.addRow(label, field)
        self._column.addLayout(form)
        self._column.addStretch(1)

    def _check(self) -> None:
        sentence = ""
        try:
            lower, upper = (_number(field.text()) for field in (self.least, self.largest))
            if lower is not None and upper is not None and lower > upper:
                sentence = self.tr("The least number is above the largest. Exchange them.")
        except ParameterError as error:
            sentence = str(error)
        self._refusal.show_sentence(sentence)
        self.changed.emit(self._name)


def _number(text: str) -> Decimal | None:
    """Reads a number; None for an empty text.

    Raises:
        ParameterError: It is no number.
    """
    typed = text.strip()
    if not typed:
        return None
    number = parse_number(typed)
    if number is None:
        number = parse_number(typed, ",")
    if number is None:
        raise ParameterError("This is not a number.", remedy="Type digits, such as 18 or 2.5.")
    return Decimal(typed.replace(",", "."))


_COLUMN = Qt.ItemDataRole.UserRole


class ConditionsDialog(QDialog):
    """Columns on the left, what the answer must be on the right; all conditions must be met.

    Args:
        title: What the conditions are for.
        columns: Columns with a declared domain.
        conditions: The conditions in force.
        replace: Tries other conditions and returns why they were refused, or "".
        parent: The window it belongs to.
    """

    def __init__(
        self,
        title: str,
        columns: Sequence[ColumnPlan],
        conditions: Sequence[Condition],
        replace: Callable[[tuple[Condition, ...]], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._replace = replace
        self._conditions = {condition.column: condition for condition in conditions}
        self.setWindowTitle(title)
        self.resize(620, 470)
        self.columns = QListWidget(self)
        self.columns.setObjectName("choices")
        self.columns.setAccessibleName(self.tr("Columns"))
        self.editors: dict[str, ConditionEditor] = {}
        self._by_name = {column.name: column for column in columns}
        for column in columns:
            item = QListWidgetItem(column.name, self.columns)
            item.setData(_COLUMN, column.name)
            item.setToolTip("")
        self._place = QVBoxLayout()
        self._heading = PlainLabel("", "strong", wrap=True, parent=self)
        self._summary = PlainLabel("", "muted", wrap=True, parent=self)
        self._refusal = RefusalLabel(parent=self)
        buttons = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(buttons.Ok | buttons.Cancel, parent=self)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        right = lay_column(self._heading, (self._place, 1), spacing=6)
        upper = lay_row((self.columns, 2), (right, 3), spacing=12)
        whole = lay_column(
            PlainLabel(title, "heading", wrap=True, parent=self), spacing=8, margins=None, on=self
        )
        meaning = self.tr(
            "A row counts where every condition is met. A missing answer meets none. Conditions "
            "are declared: they may say nothing that was read from the data."
        )
        whole.addWidget(PlainLabel(meaning, "muted", wrap=True, parent=self))
        whole.addLayout(upper, 1)
        whole.addWidget(self._summary)
        whole.addWidget(self._refusal)
        whole.addWidget(self.buttons)
        self.columns.currentItemChanged.connect(lambda *_: self._show_column())
        first = next((i for i, c in enumerate(columns) if c.name in self._conditions), 0)
        self.columns.setCurrentRow(first if columns else -1)
        self._summarise()

    def conditions(self) -> tuple[Condition, ...]:
        """The conditions as they are built now, in the order of the columns."""
        return tuple(self._conditions[name] for name in self._by_name if name in self._conditions)

    def choose(self, name: str) -> ConditionEditor:
        """Goes to a column and returns what edits its condition."""
        self.columns.setCurrentRow(list(self._by_name).index(name))
        return self.editors[name]

    def accept(self) -> None:
        """Closes if the conditions are taken."""
        refused = next((e.refusal() for e in self.editors.values() if e.refusal()), "")
        sentence = refused or self._replace(self.conditions())
        self._refusal.show_sentence(sentence)
        if not sentence:
            super().accept()

    def _show_column(self) -> None:
        if self.columns.currentRow() < 0:
            return
        name: str = self.columns.currentItem().data(_COLUMN)
        column = self._by_name[name]
        for editor in self.editors.values():
            editor.hide()
        if name not in self.editors:
            domain = column.effective_domain
            assert domain is not None  # noqa: S101 - only columns with a domain are listed
            editor = ConditionEditor(name, domain, self._conditions.get(name), parent=self)
            editor.changed.connect(self._take)
            self.editors[name] = editor
            self._place.addWidget(editor)
        self.editors[name].show()
        named = f"{name}: {column.label}" if column.label else name
        asks = self.tr("{column} is one of") if _has_categories(column) else self.tr("{column} is")
        self._heading.setText(asks.format(column=named))

    def _take(self, name: str) -> None:
        condition = self.editors[name].condition()
        if condition is None:
            self._conditions.pop(name, None)
        else:
            self._conditions[name] = condition
        self._refusal.show_sentence("")
        self._summarise()

    def _summarise(self) -> None:
        words = " and ".join(condition.description for condition in self.conditions())
        self._summary.setText(words or self.tr("No condition: every row counts."))
        for row, name in enumerate(self._by_name):
            font = self.columns.item(row).font()
            font.setBold(name in self._conditions)
            self.columns.item(row).setFont(font)


def _has_categories(column: ColumnPlan) -> bool:
    return isinstance(column.effective_domain, Categorical)
