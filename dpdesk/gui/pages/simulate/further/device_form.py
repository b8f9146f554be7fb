"""The design of a survey of several answers or of numbers: which one, its epsilon, parameters."""

from __future__ import annotations

from math import isfinite
from typing import Any, Literal, get_args, get_origin

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from dpdesk.designs.further_of_epsilon import FurtherDesign, with_epsilon
from dpdesk.designs.number_design import NumberDesign
from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.simulate.further.scenarios import FurtherScenario
from dpdesk.gui.pages.simulate.further.usual import kind_of
from dpdesk.gui.pages.simulate.further.words import further_words, tr, typed_value
from dpdesk.gui.pages.simulate.parameter_words import parameter_label
from dpdesk.gui.pages.simulate.scales import EPSILON, epsilon_words
from dpdesk.gui.pages.simulate.value_slider import ValueSlider
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel, plain_tooltip
from dpdesk.i18n import N_

_FIELD_WIDTH = 118
_MANY = ("orders", "rows")
_LAWS = {"laplace": N_("Laplace"), "uniform": N_("uniform")}
_ELSEWHERE = ("lower", "upper", "mechanism", "categories", "epsilon")
"""Parameters that stand elsewhere on the card."""


class DeviceForm(QWidget):
    """A list of designs, the device in words, epsilon as a slider and parameters as they are typed.

    Args:
        kinds: Word and name of each design of the list.
        parent: Qt's owner.

    Attributes:
        kindChosen: Emitted with the word of another design.
        designChanged: Emitted with the design at every change of its parameters.
    """

    kindChosen = Signal(str)
    designChanged = Signal(object)

    def __init__(
        self, kinds: tuple[tuple[str, str], ...], *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._scenario: FurtherScenario | None = None
        self._built: tuple[object, ...] = ()
        self._latest: FurtherDesign | None = None
        self.kinds = ChoiceBox(self.tr("Design"), parent=self)
        for word, name in kinds:
            self.kinds.addItem(name, word)
        self.words = PlainLabel("", "muted", wrap=True, parent=self)
        self.epsilon = ValueSlider(
            self.tr("Privacy ε"),
            EPSILON,
            self.tr("The parameters of the device follow from it."),
            parent=self,
        )
        self.loss = PlainLabel("", "muted", wrap=True, parent=self)
        self.refusal = RefusalLabel(parent=self)
        self._fields: dict[str, CommitLine] = {}
        self._choices: dict[str, ChoiceBox] = {}
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.kinds)
        column.addWidget(self.words)
        column.addLayout(self._grid)
        column.addWidget(self.refusal)
        column.addWidget(self.loss)
        column.addWidget(self.epsilon)
        self.kinds.activated.connect(self._choose)
        self.epsilon.valueChanged.connect(self._follow_epsilon)

    def field(self, name: str) -> CommitLine:
        """The field of a parameter.

        Raises:
            KeyError: The design has no such parameter to type.
        """
        return self._fields[name]

    def choice(self, name: str) -> ChoiceBox:
        """The list of a parameter that is a word.

        Raises:
            KeyError: The design has no such parameter.
        """
        return self._choices[name]

    def show_scenario(self, scenario: FurtherScenario) -> None:
        """Shows the design of a scenario."""
        self._scenario = scenario
        design = self._latest = scenario.design
        names = tuple(name for name in type(design).model_fields if name != "kind")
        shape = (type(design), *(name for name in names if name not in _ELSEWHERE))
        if shape != self._built:
            self._build(design)
            self._built = shape
        index = self.kinds.findData(kind_of(design))
        if index != self.kinds.currentIndex():
            self.kinds.setCurrentIndex(index)
        self.words.setText(further_words(design))
        for name, field in self._fields.items():
            text = typed_value(getattr(design, name))
            if field.value() != text:
                field.set_value(text)
        for name, box in self._choices.items():
            box.setCurrentIndex(box.findData(getattr(design, name)))
        follows = scenario.epsilon_decides
        self.epsilon.setVisible(follows)
        self.loss.setVisible(not follows)
        if follows:
            self.epsilon.set_value(scenario.epsilon)
        else:
            self.loss.setText(self._loss_words(scenario))

    def _loss_words(self, scenario: FurtherScenario) -> str:
        design, epsilon = scenario.design, scenario.epsilon
        if isinstance(design, NumberDesign):
            sentence = tr(design.loss.sentence)
            return f"{sentence[0].upper()}{sentence[1:]}."
        if isfinite(epsilon):
            return self.tr("Privacy ε = {epsilon}, by its parameters").format(
                epsilon=epsilon_words(epsilon)
            )
        return self.tr("Privacy ε = ∞: an answer can rule true answers out for certain.")

    def _choose(self, index: int) -> None:
        word = str(self.kinds.itemData(index))
        if self._latest is None or word != kind_of(self._latest):
            self.refusal.show_sentence("")
            self.kindChosen.emit(word)

    def _follow_epsilon(self, epsilon: float) -> None:
        if self._latest is None:
            return
        try:
            design = with_epsilon(self._latest, epsilon)
        except DpdeskError as error:
            self.epsilon.field.refuse(str(error))
            return
        self._tell(design)

    def _build(self, design: FurtherDesign) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._fields, self._choices = {}, {}
        after: QWidget = self.kinds
        parameters = [found for found in design.parameters() if found.name not in _ELSEWHERE]
        for row, parameter in enumerate(parameters):
            words = tr(parameter.title)
            label = ElidedLabel(parameter_label(parameter), "muted", parent=self)
            annotation = type(design).model_fields[parameter.name].annotation
            edit: QWidget
            if get_origin(annotation) is Literal:
                edit = self._choice(parameter.name, words, get_args(annotation))
            else:
                edit = self._line(parameter.name, words)
            edit.setToolTip(plain_tooltip(words))
            if parameter.name in _MANY:
                # One chance for each answer, or more, needs the whole width.
                self._grid.addWidget(label, 2 * row, 0, 1, 2)
                self._grid.addWidget(edit, 2 * row + 1, 0, 1, 2)
            else:
                edit.setFixedWidth(_FIELD_WIDTH)
                self._grid.addWidget(label, 2 * row, 0)
                self._grid.addWidget(edit, 2 * row, 1)
            QWidget.setTabOrder(after, edit)
            after = edit

    def _line(self, name: str, words: str) -> CommitLine:
        field = CommitLine(f"{name}, {words}", parent=self)
        field.setAlignment(Qt.AlignmentFlag.AlignRight)
        field.setMaxLength(2_000)
        field.committed.connect(lambda text: self._type(name, text))
        field.refused.connect(self.refusal.show_sentence)
        self._fields[name] = field
        return field

    def _choice(self, name: str, words: str, offered: tuple[str, ...]) -> ChoiceBox:
        box = ChoiceBox(f"{name}, {words}", parent=self)
        for word in offered:
            box.addItem(tr(_LAWS.get(word, word)), word)
        box.activated.connect(lambda _: self._type(name, str(box.currentData())))
        self._choices[name] = box
        return box

    def _type(self, name: str, text: str) -> None:
        if self._latest is None or self._scenario is None:
            return
        values = {key: getattr(self._latest, key) for key in self._latest.model_fields_set}
        values[name] = _read(text)
        try:
            design = type(self._latest)(**values)
            # The law is made here, so that a device that is none is refused here as well.
            self._scenario.changed(design=design).theory()
        except Refused as error:
            self._refuse(name, refusal_of(error))
            return
        if name in self._fields:
            self._fields[name].set_value(typed_value(getattr(design, name)))
        self._tell(design)

    def _refuse(self, name: str, sentence: str) -> None:
        if name in self._fields:
            self._fields[name].refuse(sentence)
            return
        box = self._choices[name]
        box.setCurrentIndex(box.findData(getattr(self._latest, name)))
        self.refusal.show_sentence(sentence)

    def _tell(self, design: FurtherDesign) -> None:
        # What is shown follows once per frame; the next edit may come before that.
        self._latest = design
        self.designChanged.emit(design)


def _read(text: str) -> Any:
    """A value, a list with commas, or rows of lists with semicolons, as on the command line."""
    bare = text.strip()
    if ";" in bare:
        return tuple(tuple(row.replace(" ", "").split(",")) for row in bare.split(";"))
    return tuple(bare.replace(" ", "").split(",")) if "," in bare else bare
