"""The form of a request, made from its declared record."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, Generic, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine
from dpdesk.gui.widgets.number_box import RealBox, WholeBox
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.i18n import translated
from dpdesk.requests.request import Field, Request, read_names

RequestT = TypeVar("RequestT", bound=Request)
_NUMBER_WIDTH = 96
"""Pixels of a number with its arrows."""
_LARGEST = 2**31 - 1
"""Largest whole number of a box of Qt."""


class RequestForm(QWidget, Generic[RequestT]):
    """A field for each of some declared ones, with its name before it and its meaning behind it.

    A field without effect beside the others is disabled and keeps its value.

    Args:
        kind: The request.
        names: The fields, in reading order.

    Attributes:
        changed: A field was changed; emitted with its name.
        fields: The widget of each field by its name.
    """

    changed = Signal(str)

    def __init__(
        self, kind: type[RequestT], names: Sequence[str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._kind = kind
        self._declared = [kind.declared_field(name) for name in names]
        self.fields: dict[str, QWidget] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(2, 1)
        for row, field in enumerate(self._declared):
            self._lay(grid, row, field)
        for field in self._declared:
            self._show(field, field.default)
        self._show_unused()

    def value(self, name: str) -> Any:
        """Returns the value of a field, as the request has it."""
        widget, field = self.fields[name], self._kind.declared_field(name)
        if isinstance(widget, ChoiceBox):
            return widget.currentData()
        if isinstance(widget, QCheckBox):
            return widget.isChecked()
        if isinstance(widget, WholeBox | RealBox):
            return widget.value()
        assert isinstance(widget, CommitLine)  # noqa: S101 - one of the four
        text = widget.text()
        if not field.is_list:
            return text.strip()
        return field.in_form(tuple(map(field.read, read_names(text))))

    def request(self, **others: Any) -> RequestT:
        """Returns what is asked; a field without effect asks for its default.

        Args:
            **others: Values of fields that are not in the form.

        Raises:
            ParameterError: A value is out of bounds.
        """
        values = {
            field.name: self.value(field.name)
            for field in self._declared
            if self.fields[field.name].isEnabled()
        }
        return self._kind(**values, **others)

    def show_request(self, request: RequestT) -> None:
        """Sets the fields to a request; those without effect in it keep their values."""
        for field in self._declared:
            if not any(case.when(request) for case in field.declared.unused):
                self._show(field, getattr(request, field.name))
        self._show_unused()

    def set_value(self, name: str, value: Any) -> None:
        """Sets a field, as if the user had."""
        self._show(self._kind.declared_field(name), value)
        self._change(name)

    def _show(self, field: Field, value: Any) -> None:
        widget = self.fields[field.name]
        widget.blockSignals(True)
        if isinstance(widget, ChoiceBox):
            widget.setCurrentIndex(widget.findData(value))
        elif isinstance(widget, QCheckBox):
            widget.setChecked(value)
        elif isinstance(widget, WholeBox | RealBox):
            widget.setValue(value)
        elif isinstance(widget, CommitLine):
            # A line holds one of several lists.
            widget.set_value(next(iter(field.words(value)), ""))
        widget.blockSignals(False)

    def _show_unused(self) -> None:
        usual = {field.name: field.default for field in self._kind.declared_fields()}
        values = SimpleNamespace(**usual | {name: self.value(name) for name in self.fields})
        for field in self._declared:
            is_unused = any(case.when(values) for case in field.declared.unused)
            self.fields[field.name].setEnabled(not is_unused)

    def _change(self, name: str) -> None:
        self._show_unused()
        self._explain(self._kind.declared_field(name))
        self.changed.emit(name)

    def _explain(self, field: Field) -> None:
        """Shows in a tooltip what the chosen kind does, or else the field."""
        widget = self.fields[field.name]
        meaning = translated(field.declared.meaning)
        if isinstance(widget, ChoiceBox):
            chosen = field.declared.registry.get(widget.currentData())
            meaning = translated(getattr(chosen, "meaning", meaning))
        widget.setToolTip(meaning)
        widget.setAccessibleDescription(meaning)

    def _lay(self, grid: QGridLayout, row: int, field: Field) -> None:
        widget = self._widget(field)
        self.fields[field.name] = widget
        title = translated(field.declared.title)
        widget.setAccessibleName(title)
        grid.addWidget(PlainLabel(title, buddy=widget, parent=self), row, 0)
        is_number = isinstance(widget, WholeBox | RealBox)
        grid.addWidget(widget, row, 1, 1, 1 if is_number else 2)
        if is_number:
            widget.setFixedWidth(_NUMBER_WIDTH)
            meaning = translated(field.declared.meaning)
            grid.addWidget(PlainLabel(meaning, "muted", wrap=True, parent=self), row, 2)

    def _widget(self, field: Field) -> QWidget:
        declared = field.declared
        title = translated(declared.title)
        if declared.choices and not field.is_list:
            choices = [(translated(text), word) for word, text in declared.choices.items()]
            box = ChoiceBox(title, choices, parent=self)
            box.currentIndexChanged.connect(lambda _=0: self._change(field.name))
            return box
        if field.type is bool:
            tick = QCheckBox(self)
            tick.toggled.connect(lambda _=False: self._change(field.name))
            return tick
        if field.type is int:
            whole = WholeBox(self)
            least, most = max(declared.least, -_LARGEST), min(declared.most, _LARGEST)
            whole.setRange(int(least), int(most))
            whole.valueChanged.connect(lambda _=0: self._change(field.name))
            return whole
        if field.type is float:
            real = RealBox(self)
            real.setRange(max(declared.least, -_LARGEST), min(declared.most, _LARGEST))
            real.setSingleStep(0.05 if not math.isinf(declared.most) else 1.0)
            real.valueChanged.connect(lambda _=0.0: self._change(field.name))
            return real
        line = CommitLine(title, parent=self)
        line.setPlaceholderText(translated(declared.meaning))
        line.committed.connect(lambda _="": self._change(field.name))
        return line
