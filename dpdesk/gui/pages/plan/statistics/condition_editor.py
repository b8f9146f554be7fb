"""What the answer to one question must be: ticked categories, or a least and a largest number."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
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
from dpdesk.gui.widgets.commit_line import RefusalLabel
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
            field.setMaxLength(40)
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
