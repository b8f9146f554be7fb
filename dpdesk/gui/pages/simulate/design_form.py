"""The design of the survey: which one, what its respondents do, its parameters, its epsilon."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isfinite
from typing import Any, Literal, get_args, get_origin

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QVBoxLayout, QWidget

from dpdesk.designs import Design, Parameter
from dpdesk.designs.instructions import device_for, nearest_device
from dpdesk.designs.warner import WarnerDesign
from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.simulate.design_words import (
    design_title,
    device_words,
    tr,
    typed_value,
)
from dpdesk.gui.pages.simulate.offered_designs import Offered
from dpdesk.gui.pages.simulate.scales import EPSILON, epsilon_words
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.pages.simulate.value_slider import ValueSlider
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel, plain_tooltip
from dpdesk.i18n import N_

_SYMBOL_LENGTH = 2

_SHORT = {
    "chance that the device asks the question itself and not its opposite": N_(
        "chance of the question"
    ),
    "chance that the device asks the question itself": N_("chance of the question"),
    "chance that a respondent has the innocent trait": N_("chance of the innocent trait"),
    "chance that the device asks the sensitive question": N_("chance of the question"),
    "share of yes to the innocent question": N_("share of innocent yes"),
    "share of yes to the innocent question, for planning": N_("share of innocent yes"),
    "chance of the sensitive question in the first group": N_("the question, group 1"),
    "chance of the sensitive question in the second group": N_("the question, group 2"),
    "chance that the device orders no": N_("chance of a forced no"),
    "chance that the device orders yes": N_("chance of a forced yes"),
    "share of red cards in the deck of carriers": N_("red cards, carriers"),
    "share of red cards in the other deck": N_("red cards, others"),
    "number of cards drawn, with replacement": N_("cards drawn"),
    "chance that the first device orders the truth": N_("first device: the truth"),
    "chance that the second device asks the question itself": N_("second: the question"),
    "chance of a forced yes in the first group": N_("forced yes, group 1"),
    "chance of a forced no in the first group": N_("forced no, group 1"),
    "chance of a forced yes in the second group": N_("forced yes, group 2"),
    "chance of a forced no in the second group": N_("forced no, group 2"),
    "chance that the device lets non-carriers be truthful, first group": N_("truth, group 1"),
    "chance that the device lets non-carriers be truthful, second group": N_("truth, group 2"),
    "chance of the innocent trait in the first group": N_("innocent trait, group 1"),
    "chance of the innocent trait beside the question": N_("trait with the question"),
    "chance of the innocent trait beside the anchor": N_("trait with the anchor"),
    "number of innocent items on both lists": N_("innocent items"),
    "law of the drawn number": N_("law of the number"),
    "scale b of Laplace's law, or half the width of the uniform one": N_("scale, or half width"),
    "mean of the drawn number": N_("mean of the number"),
    "law of the multiplier: its logarithm is Laplace's, or it is uniform": N_(
        "law of the multiplier"
    ),
    "scale of the logarithm, less than 1/2; or half the width of the uniform law around 1, "
    "less than 1": N_("scale, or half width"),
    "chance that the true number is said": N_("chance of the truth"),
    "chances of the answers said, one row for each true answer, such as 4/5,1/5;1/5,4/5": N_(
        "chances said, a row per true answer"
    ),
    "chance of each number, from 1 to m": N_("chance per number"),
    "chance of each order, one per answer": N_("chance of each order, one per answer"),
}
"""Full titles of the designs' parameters and their short ones."""


def parameter_label(parameter: Parameter) -> str:
    """What stands beside the field: the symbol, if it has one, and a few words.

    The tooltip and the accessible name have the full title.
    """
    words = QCoreApplication.translate("Design", _SHORT.get(parameter.title, parameter.title))
    if len(parameter.name) <= _SYMBOL_LENGTH:
        return f"{parameter.name}: {words}"
    return f"{words[0].upper()}{words[1:]}"


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
        offered: Sequence[Offered],
        elsewhere: Sequence[str] = (),
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._offered = tuple(offered)
        self._elsewhere = frozenset((*elsewhere, "kind"))
        self._built: tuple[object, ...] = ()
        self._shown: Design | None = None
        self._scenario: Scenario | None = None
        # What is shown follows once per frame; the next edit may come before that.
        self._latest: Design | None = None
        self.kinds = ChoiceBox(self.tr("Design"), parent=self)
        for choice in self._offered:
            self.kinds.addItem(choice.title, choice.word)
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
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.kinds)
        column.addWidget(self.words)
        column.addLayout(self._grid)
        column.addWidget(self.refusal)
        column.addWidget(self.loss)
        column.addWidget(self.epsilon)
        column.addWidget(self.device, 0, Qt.AlignmentFlag.AlignLeft)
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

    def show_scenario(self, scenario: Scenario) -> None:
        """Shows the design of a scenario."""
        self._scenario = scenario
        design = self._latest = scenario.design
        shape = (type(design), *(name for name in type(design).model_fields))
        if shape != self._built:
            self._build(design)
            self._built = shape
        if design != self._shown:
            self._shown = design
            self._show_design(design, scenario.design_word)
        follows = scenario.epsilon_decides
        self.epsilon.setVisible(follows)
        if follows:
            self.epsilon.set_value(scenario.epsilon)
        self._show_device(scenario)
        self.loss.setVisible(not follows)
        self.loss.setText(_loss_words(scenario))

    def _show_design(self, design: Design, word: str) -> None:
        # The list shows usual devices, except for the design in force.
        for index, choice in enumerate(self._offered):
            self.kinds.setItemText(
                index, design_title(design) if choice.word == word else choice.title
            )
        self.kinds.setCurrentIndex(self.kinds.findData(word))
        self.kinds.setToolTip(plain_tooltip(tr(design.caution)))
        self.words.setText(device_words(design))
        for name, field in self._fields.items():
            text = typed_value(getattr(design, name))
            if field.value() != text:
                field.set_value(text)
        for name, box in self._choices.items():
            box.setCurrentIndex(box.findData(getattr(design, name)))
        self.refusal.show_sentence("")

    def _show_device(self, scenario: Scenario) -> None:
        """Offers a device where a Warner's design has chances that no thing at hand has."""
        design = scenario.design
        shown = isinstance(design, WarnerDesign) and device_for(design.p) is None
        self.device.setVisible(shown)
        if shown:
            device, epsilon = nearest_device(scenario.epsilon)
            self.device.setText(
                self.tr("Nearest device: {tool}, ε = {epsilon}").format(
                    tool=tr(device.tool), epsilon=epsilon_words(epsilon)
                )
            )

    def _take_device(self) -> None:
        if self._latest is not None:
            device, _ = nearest_device(self._latest.loss.epsilon)
            self._tell(WarnerDesign(p=1 - device.chance))

    def _choose(self, index: int) -> None:
        word = str(self.kinds.itemData(index))
        if self._scenario is None or word != self._scenario.design_word:
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

    def _build(self, design: Design) -> None:
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
            label = ElidedLabel(parameter_label(parameter), "muted", parent=self)
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


def _loss_words(scenario: Scenario) -> str:
    design, epsilon = scenario.design, scenario.epsilon
    number = design.as_mean
    if number is not None:
        sentence = tr(number.loss.sentence)
        return f"{sentence[0].upper()}{sentence[1:]}."
    if isfinite(epsilon):
        return tr("Privacy ε = {epsilon}, by its parameters").format(epsilon=epsilon_words(epsilon))
    if design.quantity == "shares":
        return tr("Privacy ε = ∞: an answer can rule true answers out for certain.")
    return tr("Privacy ε = ∞: {caution}").format(
        caution=tr(design.caution) or tr("an answer is a proof.")
    )


def _read(text: str) -> Any:
    """A value, a list with commas, or rows of lists with semicolons, as on the command line."""
    bare = text.strip()
    if _THOUSANDS.fullmatch(bare):
        return bare.replace(",", "")
    if ";" in bare:
        return tuple(tuple(row.replace(" ", "").split(",")) for row in bare.split(";"))
    return tuple(bare.replace(" ", "").split(",")) if "," in bare else bare
