"""The parameters of a mechanism beyond its epsilon, as a form made from their declaration."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from dpdesk.gui.pages.plan.parameter_fields import (
    ParameterField,
    parameter_fields,
    parameter_text,
)
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import ElidedLabel, plain_tooltip
from dpdesk.mechanisms import Mechanism

_ABREAST = 4


class ParameterForm(QWidget):
    """Names above fields; empty, and without height, where a mechanism has epsilon alone.

    Args:
        replace: Tries another value of a parameter and returns why it was refused, or "".
        parent: Qt's owner.

    Attributes:
        matrixAsked: The button of a parameter that is a table was clicked.
    """

    matrixAsked = Signal()

    def __init__(
        self, replace: Callable[[str, object], str], *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._replace = replace
        self._kind: type[Mechanism] | None = None
        self._mechanism: Mechanism | None = None
        self.fields: dict[str, QWidget] = {}
        self._refusal = RefusalLabel(parent=self)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._grid_of = QWidget(self)
        self._column.addWidget(self._grid_of)
        self._column.addWidget(self._refusal)
        self.hide()

    def refusal(self) -> str:
        """Why what is typed was refused; empty while it was not."""
        return self._refusal.text()

    def show_mechanism(self, mechanism: Mechanism) -> None:
        """Shows the parameters in force; fields are made anew for another kind of mechanism."""
        if mechanism == self._mechanism:
            return
        if type(mechanism) is not self._kind:
            self._build(type(mechanism))
        old, self._mechanism = self._mechanism, mechanism
        for field in parameter_fields(type(mechanism)):
            value = getattr(mechanism, field.name)
            if type(old) is type(mechanism) and getattr(old, field.name) == value:
                continue
            self._show_value(field, value)

    def forget_typing(self) -> None:
        """Forgets what was typed and refused: another attribute is shown from now on."""
        for widget in self.fields.values():
            if isinstance(widget, CommitLine):
                widget.set_value(widget.value())

    def _show_value(self, field: ParameterField, value: object) -> None:
        widget = self.fields[field.name]
        if isinstance(widget, CommitLine):
            widget.set_value(parameter_text(value))
        elif isinstance(widget, ChoiceBox):
            widget.setCurrentIndex(widget.findData("" if value is None else str(value)))
        elif isinstance(widget, QPushButton) and isinstance(value, tuple):
            size = f"{len(value):,}"
            text = self.tr("{count} × {count} chances…").format(count=size)
            widget.setText(text)

    def _build(self, kind: type[Mechanism]) -> None:
        self._kind = kind
        self._mechanism = None
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
        declared = parameter_fields(kind)
        for place, field in enumerate(declared):
            title = QCoreApplication.translate("Mechanism", field.title)
            meaning = QCoreApplication.translate("Mechanism", field.description)
            label = ElidedLabel(title, "caption", parent=self._grid_of)
            if len(declared) == 1:
                label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
            widget = self._widget_for(field, title)
            widget.setToolTip(plain_tooltip(meaning))
            label.setBuddy(widget)
            if len(declared) == 1:
                # One alone has room for its name beside it, which saves the plot a line.
                grid.addWidget(label, 0, 0)
                grid.addWidget(widget, 0, 1)
                grid.setColumnStretch(2, 1)
            else:
                row, column = 2 * (place // _ABREAST), place % _ABREAST
                grid.addWidget(label, row, column)
                grid.addWidget(widget, row + 1, column)
                grid.setColumnStretch(column, 1)
            self.fields[field.name] = widget
        self.setVisible(bool(declared))

    def _widget_for(self, field: ParameterField, title: str) -> QWidget:
        if field.form == "matrix":
            button = QPushButton(parent=self._grid_of)
            button.setAccessibleName(title)
            button.clicked.connect(self.matrixAsked)
            return button
        if field.form == "choice":
            box = ChoiceBox(title, parent=self._grid_of)
            if field.automatic:
                box.addItem(self.tr("automatic"), "")
            for choice in field.choices:
                box.addItem(QCoreApplication.translate("Mechanism", choice), choice)
            box.activated.connect(lambda _=0: self._take_choice(field.name, box))
            return box
        line = CommitLine(title, parent=self._grid_of)
        if field.automatic:
            line.setPlaceholderText(self.tr("automatic"))
        line.committed.connect(lambda text: self._take_text(field, line, text))
        line.refused.connect(self._refusal.show_sentence)
        return line

    def _take_choice(self, name: str, box: ChoiceBox) -> None:
        self._refusal.show_sentence(self._replace(name, box.currentData() or None))

    def _take_text(self, field: ParameterField, line: CommitLine, text: str) -> None:
        typed = text.strip().replace(",", "" if field.form == "integer" else ".")
        sentence = self._replace(field.name, typed if typed or not field.automatic else None)
        if sentence:
            line.refuse(sentence)
        else:
            # What means the value in force is shown as that one is.
            line.set_value(line.value())
