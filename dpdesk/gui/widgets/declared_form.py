"""A form made from declared parameters, as many as there are: names above fields or beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QGridLayout, QPushButton, QSizePolicy, QWidget

from dpdesk.gui.theme import ScaledWidth
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel, elided, plain_tooltip

_ABREAST = 4
_SIDES = 22


class WordsButton(QPushButton):
    """Opens a dialog; its words are data, so that an "&" in them is no mnemonic.

    Args:
        name: What is chosen, for screen readers.
    """

    def __init__(self, name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._words = ""
        self.setStyleSheet("text-align: left; padding-left: 8px; padding-right: 8px;")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAutoDefault(False)
        self.setAccessibleName(name)

    def words(self) -> str:
        """What is in force, in full."""
        return self._words

    def set_words(self, words: str) -> None:
        """Shows what is in force."""
        self._words = words
        self.setAccessibleName(f"{self._name}: {words}")
        self.setToolTip(plain_tooltip(words))
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(48, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = max(self.width() - _SIDES, 10)
        shown = elided(" ".join(f"{self._words} …".split()), self.font(), room)
        self.setText(shown.replace("&", "&&"))


@dataclass(frozen=True)
class FormField:
    """One parameter as it is typed or chosen.

    Attributes:
        name: The field of the record.
        title: What stands above it.
        meaning: Its tooltip; may be empty.
        form: A line to type in, a list, a box to tick, or a button that opens a dialog; "words" is
            a button as wide as there is room, which elides what is in force.
        hint: What holds where nothing is typed; the words beside a box to tick.
        spoken: What a screen reader says of it, where that is not its title.
        choices: The words of a list, each with its value.
        read: What a typed text stands for.
        width: Of the field where names stand beside fields, in pixels; 0 has the field stand below
            its name, as wide as the form.
    """

    name: str
    title: str
    meaning: str = ""
    form: Literal["line", "list", "box", "button", "words"] = "line"
    hint: str = ""
    spoken: str = ""
    choices: tuple[tuple[str, object], ...] = ()
    read: Callable[[str], object] = str.strip
    width: int = 0


class DeclaredForm(QWidget):
    """Shows fields and passes on what is typed; it has no height without a field.

    Args:
        replace: Tries another value of a field and returns why it was refused, or "".
        beside: Whether names stand beside their fields, a row each, and not above them.
        tone: Which style of the theme the names take.
        longest: How many characters a line takes.

    Attributes:
        asked: The button of a field was clicked; emitted with its name.
        fields: The widget of each field by its name.
    """

    asked = Signal(str)

    def __init__(
        self,
        replace: Callable[[str, object], str],
        *,
        beside: bool = False,
        tone: str = "caption",
        longest: int = 2_000,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._replace = replace
        self._beside, self._tone, self._longest = beside, tone, longest
        self._built: tuple[object, ...] = ()
        self._before: QWidget | None = None
        self._labels: dict[str, PlainLabel] = {}
        self._values: dict[str, object] = {}
        self.fields: dict[str, QWidget] = {}
        self._refusal = RefusalLabel(parent=self)
        self._column = lay_column(spacing=4, on=self)
        self._grid_of = QWidget(self)
        self._column.addWidget(self._grid_of)
        self._column.addWidget(self._refusal)

    def follow(self, before: QWidget) -> None:
        """Has Tab lead from a widget into the form."""
        self._before = before

    def line(self, name: str) -> CommitLine:
        """The line in which a field is typed.

        Raises:
            KeyError: There is no such field.
        """
        line = self.fields[name]
        assert isinstance(line, CommitLine)  # noqa: S101 - by its declaration
        return line

    def refusal(self) -> str:
        """Why what is typed was refused; empty while it was not."""
        return self._refusal.text()

    def forget_typing(self) -> None:
        """Forgets what was typed and refused: something else is shown from now on."""
        for widget in self.fields.values():
            if isinstance(widget, CommitLine):
                widget.set_value(widget.value())
        self._refusal.show_sentence("")

    def show_fields(
        self, of: object, fields: Sequence[FormField], values: Mapping[str, object]
    ) -> None:
        """Shows values in fields, which are made anew for another thing or where others are needed.

        Args:
            of: What is shown.
            fields: Its fields, in reading order.
            values: The text of a line or of a button, the value of a list, whether a box is ticked.
        """
        built = (of, [(field.name, field.form) for field in fields])
        if built != self._built:
            self._built = built
            self._build(fields)
        self._values = dict(values)
        for field in fields:
            self._labels[field.name].setText(field.title)
            self._show_value(field, values[field.name])

    def _show_value(self, field: FormField, value: object) -> None:
        widget = self.fields[field.name]
        if isinstance(widget, CommitLine):
            widget.set_value(str(value))
            widget.setPlaceholderText(field.hint)
        elif isinstance(widget, QCheckBox):
            widget.setChecked(bool(value))
        elif isinstance(widget, ChoiceBox):
            widget.show_choices(field.choices)
            values = [meant for _, meant in field.choices]
            widget.setCurrentIndex(values.index(value) if value in values else -1)
        elif isinstance(widget, WordsButton):
            widget.set_words(str(value))
        elif isinstance(widget, QPushButton):
            widget.setText(str(value))

    def _build(self, fields: Sequence[FormField]) -> None:
        self._refusal.show_sentence("")
        self._column.removeWidget(self._grid_of)
        self._grid_of.hide()
        self._grid_of.deleteLater()
        self._grid_of = QWidget(self)
        self._column.insertWidget(0, self._grid_of)
        grid = QGridLayout(self._grid_of)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8 if self._beside else 10)
        grid.setVerticalSpacing(4 if self._beside else 2)
        self.fields, self._labels = {}, {}
        abreast = ceil(len(fields) / max(ceil(len(fields) / _ABREAST), 1))
        before = self._before
        for place, field in enumerate(fields):
            # One alone stands beside its field, as wide as its words.
            wrap = self._beside or len(fields) > 1
            label = PlainLabel(field.title, self._tone, wrap=wrap, parent=self._grid_of)
            widget = self._widget_for(field)
            widget.setToolTip(plain_tooltip(field.meaning))
            label.setBuddy(widget)
            if before is not None:
                QWidget.setTabOrder(before, widget)
                before = widget
            if self._beside:
                self._lay_beside(grid, place, field, label, widget)
            elif len(fields) == 1:
                # One alone has room for its name beside it, which saves the plot a line.
                grid.addWidget(label, 0, 0)
                grid.addWidget(widget, 0, 1)
                grid.setColumnStretch(2, 1)
            else:
                row, column = 2 * (place // abreast), place % abreast
                grid.addWidget(label, row, column)
                grid.addWidget(widget, row + 1, column)
                # A list has an arrow beside its words.
                grid.setColumnStretch(column, 6 if isinstance(widget, ChoiceBox) else 5)
                if isinstance(widget, ChoiceBox):
                    widget.setMinimumContentsLength(4)
            self.fields[field.name] = widget
            self._labels[field.name] = label

    def _lay_beside(
        self, grid: QGridLayout, place: int, field: FormField, label: QWidget, widget: QWidget
    ) -> None:
        grid.setColumnStretch(0, 1)
        if isinstance(widget, CommitLine):
            widget.setAlignment(Qt.AlignmentFlag.AlignRight)
        if field.width:
            ScaledWidth(widget, field.width)
            grid.addWidget(label, 2 * place, 0)
            grid.addWidget(widget, 2 * place, 1)
        else:
            grid.addWidget(label, 2 * place, 0, 1, 2)
            grid.addWidget(widget, 2 * place + 1, 0, 1, 2)

    def _widget_for(self, field: FormField) -> QWidget:
        spoken = field.spoken or field.title
        if field.form in ("button", "words"):
            make = WordsButton if field.form == "words" else _plain_button
            button: QPushButton = make(spoken, parent=self._grid_of)
            button.clicked.connect(lambda _=False: self.asked.emit(field.name))
            return button
        if field.form == "box":
            box = QCheckBox(field.hint, self._grid_of)
            box.setAccessibleName(spoken)
            box.clicked.connect(partial(self._take, field.name))
            return box
        if field.form == "list":
            choice = ChoiceBox(spoken, parent=self._grid_of)
            choice.activated.connect(lambda _=0: self._choose(field, choice))
            return choice
        line = CommitLine(spoken, longest=self._longest, parent=self._grid_of)
        line.committed.connect(lambda text: self._take_text(field, line, text))
        line.refused.connect(self._refusal.show_sentence)
        return line

    def _take(self, name: str, value: object) -> None:
        self._refusal.show_sentence(self._replace(name, value))

    def _choose(self, field: FormField, choice: ChoiceBox) -> None:
        self._take(field.name, choice.currentData())
        if self.refusal():
            self._show_value(field, self._values[field.name])

    def _take_text(self, field: FormField, line: CommitLine, text: str) -> None:
        sentence = self._replace(field.name, field.read(text))
        if sentence:
            line.refuse(sentence)
        else:
            # What means the value in force is shown as that one is.
            line.set_value(line.value())


def _plain_button(name: str, *, parent: QWidget) -> QPushButton:
    button = QPushButton(parent)
    button.setAccessibleName(name)
    return button


def bare_type(annotation: Any) -> tuple[Any, bool]:
    """Returns the type below `Annotated` and `| None`, and whether None is allowed."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return bare_type(get_args(annotation)[0])
    if origin in (Union, UnionType):
        parts = [part for part in get_args(annotation) if part is not NoneType]
        if len(parts) == 1:
            return bare_type(parts[0])[0], len(parts) < len(get_args(annotation))
    return annotation, False
