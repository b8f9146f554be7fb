"""What is asked of a statistic in dialogs: the columns it is grouped by, the rows that count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from math import prod

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QFormLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from dpdesk.domains import AnyDomain, ListedDomain, NumericDomain, parse_typed
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.plan.plan_dialog import PlanDialog
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import RefusalLabel, limit_length
from dpdesk.gui.widgets.plain_text import PlainLabel, literal
from dpdesk.numbers import exact_number
from dpdesk.numbers.calendar import iso_moment
from dpdesk.plan import ColumnPlan
from dpdesk.queries import Condition
from dpdesk.queries.condition import condition_on
from dpdesk.queries.written import in_order

_VALUE = Qt.ItemDataRole.UserRole


class TickList(QListWidget):
    """Texts with boxes to tick.

    Args:
        name: Accessible name.

    Attributes:
        ticked: Emitted with the value of a box and whether it is ticked now.
    """

    ticked = Signal(str, bool)

    def __init__(self, name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("choices")
        self.setAccessibleName(name)
        self.itemChanged.connect(lambda item: self.ticked.emit(item.data(_VALUE), _is_ticked(item)))

    def add(self, text: str, value: str, *, ticked: bool) -> None:
        """Adds a box at the end; the first one is the current one."""
        item = QListWidgetItem(literal(text))
        item.setData(_VALUE, value)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
        self.addItem(item)
        if self.count() == 1:
            self.setCurrentRow(0)

    def ticked_values(self) -> tuple[str, ...]:
        """The values whose boxes are ticked, from the top."""
        items = (self.item(row) for row in range(self.count()))
        return tuple(item.data(_VALUE) for item in items if _is_ticked(item))

    def tick(self, value: str, ticked: bool = True) -> None:
        """Ticks the box of a value, or takes its tick away."""
        for row in range(self.count()):
            if self.item(row).data(_VALUE) == value:
                state = Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked
                self.item(row).setCheckState(state)


def _is_ticked(item: QListWidgetItem) -> bool:
    return item.checkState() == Qt.CheckState.Checked


GROUPS_MAX = 4


class GroupsDialog(PlanDialog):
    """Ticks up to four columns of categories; their order is that of the ticks.

    Args:
        columns: Columns with declared categories.
        by: The columns in force.
        replace: Tries other columns and returns why they were refused, or "".
        parent: The window it belongs to.
    """

    def __init__(
        self,
        columns: Sequence[ColumnPlan],
        by: Sequence[str],
        replace: Callable[[tuple[str, ...]], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(self.tr("Groups"), (430, 430), parent)
        self._replace = replace
        self._by = list(by)
        self._sizes = {
            column.name: column.effective_domain.size
            for column in columns
            if column.effective_domain is not None
        }
        one = self.tr("{column} · {count} categories")
        self.list = TickList(self.tr("Columns to group by"), parent=self)
        for name, size in self._sizes.items():
            self.list.add(one.format(column=name, count=size), name, ticked=name in self._by)
        self.list.ticked.connect(self._take)
        self._summary = PlainLabel("", wrap=True, parent=self)
        meaning = self.tr(
            "One number for every combination of the declared categories, also for those that "
            "nobody has. All of them together cost ε once."
        )
        self._lay_out(self.tr("Groups"), meaning, (self.list, 1), self._summary)
        self._summarise()

    def by(self) -> tuple[str, ...]:
        """The columns that are ticked, in the order of the ticks."""
        return tuple(self._by)

    def attempt(self) -> str:
        if len(self._by) > GROUPS_MAX:
            return self.tr("At most four columns can be crossed. Take a tick away.")
        return self._replace(self.by())

    def _take(self, name: str, ticked: bool) -> None:
        if ticked and name not in self._by:
            self._by.append(name)
        elif not ticked and name in self._by:
            self._by.remove(name)
        self._withdraw_refusal()
        self._summarise()

    def _summarise(self) -> None:
        cells = prod(self._sizes.get(name, 1) for name in self._by)
        if not self._by:
            self._summary.setText(self.tr("No groups: one number."))
            return
        words = self.tr("By {columns}: {count} numbers")
        self._summary.setText(words.format(columns=", ".join(self._by), count=f"{cells:,}"))


_OTHERS = "others"
"""The choice of all answers but those chosen."""


class ConditionEditor(QWidget):
    """Edits the condition on one column.

    Args:
        name: The column.
        domain: What its answers can be.
        condition: The condition in force, or None.

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
        self.answered = ChoiceBox(self.tr("Whether it is answered"), parent=self)
        for words, answered in (
            (self.tr("as chosen below"), None),
            (self.tr("any answer"), True),
            (self.tr("not answered"), False),
            (self.tr("another answer than below"), _OTHERS),
        ):
            self.answered.addItem(words, answered)
        if condition is not None and condition.answered is not None:
            self.answered.setCurrentIndex(1 if condition.answered else 2)
        elif condition is not None and condition.negated:
            self.answered.setCurrentIndex(self.answered.count() - 1)
        self._column.addWidget(self.answered)
        self._below = QWidget(self)
        self._below.setEnabled(self._has_choice)
        inside = lay_column(on=self._below)
        if isinstance(domain, NumericDomain):
            self._add_range(domain, condition, inside)
        else:
            self._list_categories(domain, condition, inside)
        self._column.addWidget(self._below, 1)
        self._column.addWidget(self._refusal)
        self.answered.activated.connect(lambda _: self._choose_answered())

    def condition(self) -> Condition | None:
        """The condition as it is built; None where any answer will do."""
        if not self._has_choice:
            return Condition(column=self._name, answered=self.answered.currentData())
        chosen = self._chosen()
        if chosen is None or self.answered.currentData() is None or chosen.answered is not None:
            return chosen
        return chosen.model_copy(update={"negated": True})

    @property
    def _has_choice(self) -> bool:
        """Whether what is chosen below counts."""
        return self.answered.currentData() in {None, _OTHERS}

    def _chosen(self) -> Condition | None:
        if not self._domain.holds_numbers:
            ticked = self.categories.ticked_values()
            asks_nothing = self._domain.picks_one and len(ticked) == self.categories.count()
            if not ticked or asks_nothing:
                return None
            return condition_on(self._name, self._domain, ticked)
        if self.refusal():
            return None
        lower, upper = (_number(field.text()) for field in (self.least, self.largest))
        if lower is None and upper is None:
            return None
        return Condition(column=self._name, lower=lower, upper=upper)

    def refusal(self) -> str:
        """Why what is typed is no range; empty while it is one."""
        return self._refusal.text() if self._has_choice else ""

    def _choose_answered(self) -> None:
        self._below.setEnabled(self._has_choice)
        self.changed.emit(self._name)

    def _list_categories(
        self, domain: ListedDomain, condition: Condition | None, column: QBoxLayout
    ) -> None:
        several = domain.is_set
        name = (
            self.tr("Options, one of which was ticked")
            if several
            else self.tr("Categories that count")
        )
        self.categories = TickList(name, parent=self)
        chosen = () if condition is None else (*condition.values, *condition.options)
        for code, value in enumerate(domain.texts):
            if several and value == domain.missing_value and value not in chosen:
                # It is no option: "not answered" above says it.
                continue
            label = domain.label(code)
            text = value if label == value else f"{label} ({value})"
            self.categories.add(text, value, ticked=value in chosen)
        self.categories.ticked.connect(lambda *_: self.changed.emit(self._name))
        column.addWidget(self.categories, 1)

    def _add_range(
        self, domain: NumericDomain, condition: Condition | None, column: QBoxLayout
    ) -> None:
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
            field.setText(
                ""
                if bound is None
                else bound
                if isinstance(bound, str)
                else format(bound.normalize(), "f")
            )
            field.textEdited.connect(self._check)
            label = QLabel(words, self)
            label.setBuddy(field)
            form.addRow(label, field)
        column.addLayout(form)
        column.addStretch(1)

    def _check(self) -> None:
        sentence = ""
        try:
            lower, upper = (_number(field.text()) for field in (self.least, self.largest))
            if not in_order(lower, upper):
                sentence = self.tr("The least number is above the largest. Exchange them.")
        except ParameterError as error:
            sentence = str(error)
        self._refusal.show_sentence(sentence)
        self.changed.emit(self._name)


def _number(text: str) -> Decimal | str | None:
    """Reads a number or a date; None for an empty text.

    Raises:
        ParameterError: It is neither.
    """
    typed = text.strip()
    if not typed:
        return None
    if iso_moment(typed) is not None and exact_number(typed) is None:
        return typed
    if parse_typed(typed) is None:
        raise ParameterError("This is not a number.", remedy="Type digits, such as 18 or 2.5.")
    return Decimal(typed.replace(",", "."))


class ConditionsDialog(PlanDialog):
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
        super().__init__(title, (620, 470), parent)
        self._replace = replace
        self._conditions = {condition.column: condition for condition in conditions}
        self.columns = QListWidget(self)
        self.columns.setObjectName("choices")
        self.columns.setAccessibleName(self.tr("Columns"))
        self.editors: dict[str, ConditionEditor] = {}
        self._by_name = {column.name: column for column in columns}
        for column in columns:
            item = QListWidgetItem(literal(column.name), self.columns)
            item.setData(_VALUE, column.name)
        self._place = QVBoxLayout()
        self._heading = PlainLabel("", "strong", wrap=True, parent=self)
        self._summary = PlainLabel("", "muted", wrap=True, parent=self)
        right = lay_column(self._heading, (self._place, 1), spacing=6)
        upper = lay_row((self.columns, 2), (right, 3), spacing=12)
        meaning = self.tr(
            "A row counts where every condition is met. A missing answer meets none but “not "
            "answered”. Conditions are declared: they may say nothing that was read from the data."
        )
        self._lay_out(title, meaning, (upper, 1), self._summary)
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

    def attempt(self) -> str:
        refused = next((e.refusal() for e in self.editors.values() if e.refusal()), "")
        return refused or self._replace(self.conditions())

    def _show_column(self) -> None:
        if self.columns.currentRow() < 0:
            return
        name: str = self.columns.currentItem().data(_VALUE)
        column = self._by_name[name]
        for editor in self.editors.values():
            editor.hide()
        domain = column.effective_domain
        # Only columns that statistics can ask about are listed.
        assert domain is not None  # noqa: S101
        if name not in self.editors:
            editor = ConditionEditor(name, domain, self._conditions.get(name), parent=self)
            editor.changed.connect(self._take)
            self.editors[name] = editor
            self._place.addWidget(editor)
        self.editors[name].show()
        named = f"{name}: {column.label}" if column.label else name
        asks = (
            self.tr("{column} has one of")
            if domain.is_set
            else self.tr("{column} is")
            if domain.holds_numbers
            else self.tr("{column} is one of")
        )
        self._heading.setText(asks.format(column=named))

    def _take(self, name: str) -> None:
        condition = self.editors[name].condition()
        if condition is None:
            self._conditions.pop(name, None)
        else:
            self._conditions[name] = condition
        self._withdraw_refusal()
        self._summarise()

    def _summarise(self) -> None:
        words = " and ".join(condition.description for condition in self.conditions())
        self._summary.setText(words or self.tr("No condition: every row counts."))
        for row, name in enumerate(self._by_name):
            font = self.columns.item(row).font()
            font.setBold(name in self._conditions)
            self.columns.item(row).setFont(font)
