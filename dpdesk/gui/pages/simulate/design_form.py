"""The design of the survey: which one, what its respondents do, its parameters, its epsilon."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, get_args, get_origin

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from dpdesk.designs import Design
from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.simulate.design_words import (
    design_title,
    parameter_label,
    phrase_text,
    tr,
    typed_value,
    with_unit,
)
from dpdesk.gui.pages.simulate.scales import EPSILON, epsilon_words
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.pages.simulate.value_slider import ValueSlider
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel, plain_tooltip
from dpdesk.i18n import N_

_FIELD_WIDTHS = {"share": 96, "shares": 118, "mean": 118}
_WIDE = 160
_LONGEST = 2_000
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?")
"""A number with its thousands parted: no list of chances looks like it."""
_LAWS = {"laplace": N_("Laplace"), "uniform": N_("uniform")}


class DesignForm(QWidget):
    """A list of designs, the device in words, epsilon as a slider and parameters as they are typed.

    Args:
        offered: The designs of the list.
        elsewhere: Names of parameters that stand elsewhere on the card.
        parent: Qt's owner.

    Attributes:
        kindChosen: Emitted with the word of another design of the list.
        designChanged: Emitted with the `Design` at every change of its parameters.
    """

    kindChosen = Signal(str)
    designChanged = Signal(object)

    def __init__(
        self,
        offered: Sequence[Design],
        elsewhere: Sequence[str] = (),
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._offered = tuple((design.word, design_title(design)) for design in offered)
        self._elsewhere = frozenset((*elsewhere, "kind"))
        self._built: tuple[object, ...] = ()
        self._shown: Design | None = None
        self._scenario: Scenario[Any] | None = None
        # What is shown follows once per frame; the next edit may come before that.
        self._latest: Design | None = None
        self.kinds = ChoiceBox(self.tr("Design"), parent=self)
        for word, title in self._offered:
            self.kinds.addItem(title, word)
        self.words = PlainLabel("", "muted", wrap=True, parent=self)
        self.epsilon = ValueSlider(
            self.tr("Privacy ε"),
            EPSILON,
            self.tr("The parameters of the device follow from it."),
            parent=self,
        )
        self.device = QPushButton("", self)
        self.device.setProperty("look", "link")
        self.device.setToolTip(self.tr("Things at hand whose epsilon is no larger than this"))
        self.device.hide()
        self.loss = PlainLabel("", "muted", wrap=True, parent=self)
        self.refusal = RefusalLabel(parent=self)
        self._fields: dict[str, CommitLine] = {}
        self._choices: dict[str, ChoiceBox] = {}
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 1)
        lay_column(
            self.kinds,
            self.words,
            self._grid,
            self.refusal,
            self.loss,
            self.epsilon,
            (self.device, 0, Qt.AlignmentFlag.AlignLeft),
            spacing=6,
            on=self,
        )
        self.kinds.activated.connect(self._choose)
        self.epsilon.valueChanged.connect(self._follow_epsilon)
        self.device.clicked.connect(self._take_device)

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

    def hold(self, scenario: Scenario[Any]) -> None:
        """Takes a scenario for the next edit; it is shown by `show_scenario`."""
        self._scenario, self._latest = scenario, scenario.design

    def show_scenario(self, scenario: Scenario[Any]) -> None:
        """Shows the design of a scenario."""
        self.hold(scenario)
        design = scenario.design
        unit = scenario.quantity.value_unit
        shape = (type(design), unit)
        if shape != self._built:
            self._build(design, unit)
            self._shown = None
            self._built = shape
        if design != self._shown:
            self._shown = design
            self._show_design(design)
        follows = design.epsilon_decides
        self.epsilon.setVisible(follows)
        if follows:
            self.epsilon.set_value(scenario.epsilon)
        self._show_device(design)
        self.loss.setVisible(not follows)
        self.loss.setText(scenario.loss_words)

    def _show_design(self, design: Design) -> None:
        # The list shows usual devices, except for the design in force.
        for index, (word, title) in enumerate(self._offered):
            self.kinds.setItemText(index, design_title(design) if word == design.word else title)
        self.kinds.setCurrentIndex(self.kinds.findData(design.word))
        self.kinds.setToolTip(plain_tooltip(tr(design.caution)))
        self.words.setText(phrase_text(design.doing))
        for name, field in self._fields.items():
            text = typed_value(getattr(design, name))
            field.show_value(text)
        for name, box in self._choices.items():
            box.setCurrentIndex(box.findData(getattr(design, name)))
        self.refusal.show_sentence("")

    def _show_device(self, design: Design) -> None:
        """Offers a thing at hand where the design has chances that none has."""
        near = design.nearest_at_hand
        self.device.setVisible(near is not None)
        if near is not None:
            device, nearest = near
            self.device.setText(
                self.tr("Nearest device: {tool}, ε = {epsilon}").format(
                    tool=tr(device.tool), epsilon=epsilon_words(nearest.loss.epsilon)
                )
            )

    def _take_device(self) -> None:
        if self._latest is not None and self._latest.nearest_at_hand is not None:
            self._tell(self._latest.nearest_at_hand[1])

    def _choose(self, index: int) -> None:
        word = str(self.kinds.itemData(index))
        if self._latest is None or word != self._latest.word:
            self.refusal.show_sentence("")
            self.kindChosen.emit(word)

    def _follow_epsilon(self, epsilon: float) -> None:
        if self._latest is None:
            return
        try:
            design = self._latest.at_epsilon(epsilon)
        except DpdeskError as error:
            self.epsilon.field.refuse(str(error))
            return
        self._tell(design)

    def _build(self, design: Design, unit: str) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._fields, self._choices = {}, {}
        after: QWidget = self.kinds
        parameters = (p for p in design.parameters() if p.name not in self._elsewhere)
        for row, parameter in enumerate(parameters):
            words = tr(parameter.title)
            shown = parameter_label(parameter)
            if parameter.name in design.in_unit:
                shown = with_unit(shown, unit)
            label = ElidedLabel(shown, "muted", parent=self)
            annotation = type(design).model_fields[parameter.name].annotation
            edit: QWidget
            if get_origin(annotation) is Literal:
                edit = self._choice(parameter.name, words, get_args(annotation))
            else:
                edit = self._line(parameter.name, words)
            edit.setToolTip(plain_tooltip(words))
            many = isinstance(getattr(design, parameter.name), tuple)
            if many and design.quantity == "shares":
                # One chance for each answer, or more, needs the whole width.
                self._grid.addWidget(label, 2 * row, 0, 1, 2)
                self._grid.addWidget(edit, 2 * row + 1, 0, 1, 2)
            else:
                edit.setFixedWidth(_WIDE if many else _FIELD_WIDTHS[design.quantity])
                self._grid.addWidget(label, 2 * row, 0)
                self._grid.addWidget(edit, 2 * row, 1)
            QWidget.setTabOrder(after, edit)
            after = edit

    def _line(self, name: str, words: str) -> CommitLine:
        field = CommitLine(f"{name}, {words}", longest=_LONGEST, parent=self)
        field.setAlignment(Qt.AlignmentFlag.AlignRight)
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
        kept = type(self._latest).model_fields
        values = {key: getattr(self._latest, key) for key in kept if key != "kind"}
        values[name] = _read(text)
        try:
            design = type(self._latest)(**values)
            self._scenario.refuse_design(design)
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

    def _tell(self, design: Design) -> None:
        self._latest = design
        self.designChanged.emit(design)


def _read(text: str) -> Any:
    """A value, a list with commas, or rows of lists with semicolons, as on the command line."""
    bare = text.strip()
    if _THOUSANDS.fullmatch(bare):
        return bare.replace(",", "")
    if ";" in bare:
        return tuple(tuple(row.replace(" ", "").split(",")) for row in bare.split(";"))
    return tuple(bare.replace(" ", "").split(",")) if "," in bare else bare
