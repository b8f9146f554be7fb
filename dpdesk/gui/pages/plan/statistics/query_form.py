"""The form of the selected query: names above fields, as many as its kind has."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import ceil
from typing import Any, Literal, get_args, get_origin

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QGridLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from dpdesk.gui.pages.plan.parameter_fields import bare_type
from dpdesk.gui.pages.plan.words import noise_kinds_for, noise_name
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import ElidedLabel, plain_tooltip
from dpdesk.plan import Plan
from dpdesk.plan.check_statistics import statistics_domains
from dpdesk.queries import Condition, PrivacyUnit, Query
from dpdesk.queries.complete import YesNo
from dpdesk.queries.condition import columns_holding
from dpdesk.queries.noise import GAUSSIAN_KINDS

_SIDES = 22


class WordsButton(QPushButton):
    """Opens a dialog; its words are data, so that an "&" in them is no mnemonic.

    Args:
        name: What is chosen, for screen readers.
        parent: Qt's owner.

    Attributes:
        asked: The button was clicked; unlike `clicked` it says nothing more.
    """

    asked = Signal()

    def __init__(self, name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._words = ""
        self.setStyleSheet("text-align: left; padding-left: 8px; padding-right: 8px;")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAutoDefault(False)
        self.setAccessibleName(name)
        self.clicked.connect(self.asked)

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
        """Any width will do: words are elided."""
        return QSize(48, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elides anew."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = max(self.width() - _SIDES, 10)
        one_line = " ".join(f"{self._words} …".split())
        shown = self.fontMetrics().elidedText(one_line, Qt.TextElideMode.ElideRight, room)
        self.setText(shown.replace("&", "&&"))


def fields_of(query: Query, unit: PrivacyUnit) -> tuple[str, ...]:
    """Returns the fields that a query has under a privacy unit.

    A delta is asked for where the noise needs one; that every row has an answer matters only
    where the number of rows is public and nothing splits them.
    """
    found = list(query.form)
    if query.noise in GAUSSIAN_KINDS and "noise" in found:
        found.insert(found.index("noise") + 1, "delta")
    whole = not query.where and not getattr(query, "by", ())
    if "complete" in type(query).model_fields and unit.rows_are_public and whole:
        found.append("complete")
    return tuple(found)


def field_title(kind: type[Query], name: str) -> str:
    """Returns what stands above a field."""
    return _translated(kind.model_fields[name].title or name)


def _translated(text: str) -> str:
    return QCoreApplication.translate("Query", text) if text else ""


def _yes_no(kind: type[Query], name: str) -> YesNo:
    """Returns the words of a field that is true or false."""
    said = (one for one in kind.model_fields[name].metadata if isinstance(one, YesNo))
    return next(said, YesNo(kind.model_fields[name].title or name))


def typed_value(kind: type[Query], name: str, text: str) -> Any:
    """Returns what a typed text stands for; an empty bound or list is the domain's own."""
    typed, (bare, automatic) = text.strip(), bare_type(kind.model_fields[name].annotation)
    if get_origin(bare) is tuple:
        return tuple(part for part in typed.replace(";", " ").replace(",", " ").split() if part)
    if bare is int:
        return typed.replace(",", "")
    return typed.replace(",", ".") or (None if automatic else "")


def shown_text(value: object) -> str:
    """Returns a value of a field as it would be typed."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ", ".join(shown_text(part) for part in value)
    normalize: Callable[[], object] | None = getattr(value, "normalize", None)
    return format(normalize(), "f") if normalize is not None else str(value)


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
            hint = query.placeholder(name, statistics_domains(plan))
            widget.setPlaceholderText(_translated(hint))
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
            title = field_title(type(query), name)
            label = ElidedLabel(title, "caption", parent=self._grid_of)
            widget = self._widget_for(name, title, query, plan)
            meaning = _translated(type(query).model_fields[name].description or "")
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
        kind = type(query)
        bare, _ = bare_type(kind.model_fields[name].annotation)
        if get_args(bare)[:1] == (Condition,):
            return self._button(title, partial(self.conditionsAsked.emit, name))
        said = _yes_no(kind, name)
        if bare is bool and not said.no:
            box = QCheckBox(_translated(said.yes), self._grid_of)
            box.setAccessibleName(_translated(said.spoken) or title)
            box.clicked.connect(lambda checked: self._take(name, checked))
            return box
        if name == "column" or bare is bool or get_origin(bare) is Literal:
            return self._choice(name, title, query, plan)
        line = CommitLine(title, parent=self._grid_of)
        line.committed.connect(lambda text: self._take_text(kind, name, line, text))
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
            for column in columns_holding(statistics_domains(plan), query.column_holds):
                box.addItem(column, column)
        elif name != "noise":
            bare, _ = bare_type(type(query).model_fields[name].annotation)
            said = _yes_no(type(query), name)
            answers = {said.no: False, said.yes: True}
            values = answers if bare is bool else {str(one): one for one in get_args(bare)}
            for word, value in values.items():
                box.addItem(_translated(word), value)
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

    def _take_text(self, kind: type[Query], name: str, line: CommitLine, text: str) -> None:
        sentence = self._replace(name, typed_value(kind, name, text))
        if sentence:
            line.refuse(sentence)
