"""The form of the selected query: names above fields, as many as its kind has."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import ceil

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QVBoxLayout, QWidget

from dpdesk.gui.pages.plan.statistics.query_fields import (
    asks_for_categories,
    field_meaning,
    field_title,
    fields_of,
    shown_text,
    typed_value,
)
from dpdesk.gui.pages.plan.statistics.query_words import noise_kinds_for, noise_name
from dpdesk.gui.pages.plan.statistics.starting import categorical_columns, number_columns
from dpdesk.gui.pages.plan.statistics.words_button import WordsButton
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import ElidedLabel, plain_tooltip
from dpdesk.plan import Plan
from dpdesk.queries import Query

_ABREAST = 4


class QueryForm(QWidget):
    """Edits everything of a query but its epsilon and its name.

    Args:
        replace: Tries another value of a field and returns why it was refused, or "".
        parent: Qt's owner.

    Attributes:
        groupsAsked: The button of the groups was clicked.
        conditionsAsked: The button of conditions was clicked; emitted with "where" or "meeting".
    """

    groupsAsked = Signal()
    conditionsAsked = Signal(str)

    def __init__(
        self, replace: Callable[[str, object], str], *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._replace = replace
        self._built: tuple[object, ...] = ()
        self._shown: tuple[object, ...] = ()
        self.fields: dict[str, QWidget] = {}
        self._refusal = RefusalLabel(parent=self)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._grid_of = QWidget(self)
        self._column.addWidget(self._grid_of)
        self._column.addWidget(self._refusal)

    def refusal(self) -> str:
        """Why what is typed was refused; empty while it was not."""
        return self._refusal.text()

    def show_query(self, plan: Plan, index: int) -> None:
        """Shows a query of a plan; fields are made anew where others are needed."""
        query, unit = plan.statistics.queries[index], plan.statistics.unit
        shown = (index, query.changed(epsilon=1, locked=False, name=""), unit, plan.columns)
        if shown == self._shown:
            return
        self._shown = shown
        names = fields_of(query, unit)
        built = (index, names, query.kind, [c.name for c in plan.columns])
        if built != self._built:
            self._built = built
            self._build(names, query, plan)
        for name in names:
            self._show_value(name, query, plan)

    def forget_typing(self) -> None:
        """Forgets what was typed and refused: another query is shown from now on."""
        for widget in self.fields.values():
            if isinstance(widget, CommitLine):
                widget.set_value(widget.value())
        self._refusal.show_sentence("")

    def _show_value(self, name: str, query: Query, plan: Plan) -> None:
        widget, value = self.fields[name], getattr(query, name)
        if isinstance(widget, CommitLine):
            widget.set_value(shown_text(value))
            widget.setPlaceholderText(self._hint(name, query, plan))
        elif isinstance(widget, QCheckBox):
            widget.setChecked(bool(value))
        elif isinstance(widget, WordsButton):
            if name == "by":
                words = ", ".join(value) or self.tr("all rows together")
            else:
                met = " and ".join(condition.description for condition in value)
                words = met or self.tr("any row")
            widget.set_words(words)
        elif isinstance(widget, ChoiceBox):
            if name == "noise":
                self._list_noise(widget, query, plan)
            widget.setCurrentIndex(widget.findData(value))

    def _list_noise(self, box: ChoiceBox, query: Query, plan: Plan) -> None:
        kinds = noise_kinds_for(plan, query)
        if [box.itemData(row) for row in range(box.count())] != list(kinds):
            box.clear()
            for kind in kinds:
                box.addItem(noise_name(kind), kind)

    def _hint(self, name: str, query: Query, plan: Plan) -> str:
        """What holds where nothing is typed: the ends of the declared grid, even bins."""
        if name == "edges":
            return self.tr("ten even bins")
        if name not in ("lower", "upper"):
            return ""
        column = next((c for c in plan.columns if c.name == getattr(query, "column", "")), None)
        domain = None if column is None else column.effective_domain
        return "" if domain is None else domain.texts[0 if name == "lower" else -1]

    def _build(self, names: tuple[str, ...], query: Query, plan: Plan) -> None:
        self._refusal.show_sentence("")
        self._column.removeWidget(self._grid_of)
        self._grid_of.hide()
        self._grid_of.deleteLater()
        self._grid_of = QWidget(self)
        self._column.insertWidget(0, self._grid_of)
        grid = QGridLayout(self._grid_of)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(2)
        self.fields = {}
        abreast = ceil(len(names) / ceil(len(names) / _ABREAST))
        for place, name in enumerate(names):
            title = field_title(name)
            label = ElidedLabel(title, "caption", parent=self._grid_of)
            widget = self._widget_for(name, title, query, plan)
            meaning = field_meaning(name)
            if meaning:
                widget.setToolTip(plain_tooltip(meaning))
            label.setBuddy(widget)
            row, column = 2 * (place // abreast), place % abreast
            grid.addWidget(label, row, column)
            grid.addWidget(widget, row + 1, column)
            grid.setColumnStretch(column, 1)
            self.fields[name] = widget

    def _widget_for(self, name: str, title: str, query: Query, plan: Plan) -> QWidget:
        if name == "by":
            return self._button(title, self.groupsAsked.emit)
        if name in ("where", "meeting"):
            return self._button(title, partial(self.conditionsAsked.emit, name))
        if name == "complete":
            box = QCheckBox(self.tr("there are none"), self._grid_of)
            box.setAccessibleName(self.tr("Every row has an answer"))
            box.clicked.connect(lambda checked: self._take(name, checked))
            return box
        if name in ("column", "noise", "root"):
            return self._choice(name, title, query, plan)
        line = CommitLine(title, parent=self._grid_of)
        line.committed.connect(lambda text: self._take_text(name, line, text))
        line.refused.connect(self._refusal.show_sentence)
        return line

    def _button(self, title: str, run: Callable[[], None]) -> WordsButton:
        button = WordsButton(title, parent=self._grid_of)
        button.asked.connect(run)
        return button

    def _choice(self, name: str, title: str, query: Query, plan: Plan) -> ChoiceBox:
        box = ChoiceBox(title, parent=self._grid_of)
        box.setMinimumContentsLength(4)
        if name == "column":
            of_categories = asks_for_categories(query.kind)
            columns = categorical_columns(plan) if of_categories else number_columns(plan)
            for column in columns:
                box.addItem(column, column)
        elif name == "root":
            box.addItem(self.tr("Variance"), False)
            box.addItem(self.tr("Standard deviation"), True)
        box.activated.connect(lambda _=0: self._take(name, box.currentData()))
        return box

    def _take(self, name: str, value: object) -> None:
        fields = {"column", "lower", "upper", "edges"} & set(self.fields)
        sentence = self._replace(name, value)
        if name == "column" and not sentence and fields > {"column"}:
            # Bounds belong to the column that they were declared for.
            for bound in ("lower", "upper"):
                if bound in fields:
                    self._replace(bound, None)
        self._refusal.show_sentence(sentence)

    def _take_text(self, name: str, line: CommitLine, text: str) -> None:
        sentence = self._replace(name, typed_value(name, text))
        if sentence:
            line.refuse(sentence)
