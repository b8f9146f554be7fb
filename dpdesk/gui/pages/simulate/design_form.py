"""The design of the survey: which one, what its respondents do, its parameters, its epsilon."""

from __future__ import annotations

from fractions import Fraction

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QVBoxLayout, QWidget

from dpdesk.designs import Design, loss_of
from dpdesk.designs.examples import example_of
from dpdesk.designs.of_epsilon import at_epsilon, follows_epsilon
from dpdesk.designs.probability import probability_text
from dpdesk.designs.suggest import device_for, nearest_device
from dpdesk.designs.warner import WarnerDesign
from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.simulate.design_words import BINARY_KINDS, design_title, device_words, tr
from dpdesk.gui.pages.simulate.parameter_words import parameter_label
from dpdesk.gui.pages.simulate.scales import EPSILON, epsilon_words
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.pages.simulate.value_slider import ValueSlider
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel, plain_tooltip

_FIELD_WIDTH, _WIDE = 96, 160
_KINDS = BINARY_KINDS


class DesignForm(QWidget):
    """A list of designs, the device in words, epsilon as a slider and parameters as fractions.

    Args:
        parent: Qt's owner.

    Attributes:
        designChanged: Emitted with the `Design` at every change by the user.
    """

    designChanged = Signal(object)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._design: Design | None = None
        self._latest: Design | None = None
        self.kinds = ChoiceBox(self.tr("Design"), parent=self)
        for kind in _KINDS:
            self.kinds.addItem(design_title(example_of(kind).design))
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
        self.device.clicked.connect(self._take_device)
        self.loss = PlainLabel("", "muted", wrap=True, parent=self)
        self._fields: dict[str, CommitLine] = {}
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 1)
        self.refusal = RefusalLabel(parent=self)
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

    def field(self, name: str) -> CommitLine:
        """The field of a parameter.

        Raises:
            KeyError: The design has no such parameter.
        """
        return self._fields[name]

    def show_scenario(self, scenario: Scenario) -> None:
        """Shows the design of a scenario."""
        design = scenario.design
        if self._design is None or type(design) is not type(self._design):
            self._build_fields(design)
        self._latest = design
        if design != self._design:
            self._design = design
            index = _KINDS.index(type(design))
            self.kinds.setCurrentIndex(index)
            self.kinds.setItemText(index, design_title(design))
            self.kinds.setToolTip(plain_tooltip(tr(design.caution)))
            self.words.setText(device_words(design))
            for name, field in self._fields.items():
                field.set_value(_typed(getattr(design, name)))
            self.refusal.show_sentence("")
        follows = follows_epsilon(design)
        self.epsilon.setVisible(follows)
        if follows:
            self.epsilon.set_value(scenario.epsilon)
        self._show_device(scenario)
        self.loss.setVisible(not follows)
        self.loss.setText(self._loss_words(scenario))

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
            device, _ = nearest_device(loss_of(self._latest.groups).epsilon)
            self._tell(WarnerDesign(p=1 - device.chance))

    def _loss_words(self, scenario: Scenario) -> str:
        epsilon = epsilon_words(scenario.epsilon)
        if scenario.epsilon == float("inf"):
            return self.tr("Privacy ε = ∞: {caution}").format(
                caution=tr(scenario.design.caution) or self.tr("an answer is a proof.")
            )
        return self.tr("Privacy ε = {epsilon}, by its parameters").format(epsilon=epsilon)

    def _choose(self, index: int) -> None:
        kind = _KINDS[index]
        if self._design is not None and kind is type(self._design):
            return
        if self._design is not None:
            # The list shows usual devices, except for the design in force.
            before = _KINDS.index(type(self._design))
            self.kinds.setItemText(before, design_title(example_of(type(self._design)).design))
        self._tell(example_of(kind).design)

    def _follow_epsilon(self, epsilon: float) -> None:
        if self._latest is None:
            return
        try:
            design = at_epsilon(self._latest, epsilon)
        except DpdeskError as error:
            self.epsilon.field.refuse(str(error))
            return
        self._tell(design)

    def _build_fields(self, design: Design) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._fields = {}
        after: QWidget = self.kinds
        for row, parameter in enumerate(design.parameters()):
            words = tr(parameter.title)
            label = ElidedLabel(parameter_label(parameter), "muted", parent=self)
            edit = self._line(parameter.name, words)
            several = isinstance(getattr(design, parameter.name), tuple)
            edit.setFixedWidth(_WIDE if several else _FIELD_WIDTH)
            edit.setToolTip(plain_tooltip(words))
            self._grid.addWidget(label, row, 0)
            self._grid.addWidget(edit, row, 1)
            QWidget.setTabOrder(after, edit)
            after = edit

    def _line(self, name: str, words: str) -> CommitLine:
        field = CommitLine(f"{name}, {words}", parent=self)
        field.setAlignment(Qt.AlignmentFlag.AlignRight)
        field.setMaxLength(200)
        field.committed.connect(lambda text: self._type(name, text))
        field.refused.connect(self.refusal.show_sentence)
        self._fields[name] = field
        return field

    def _tell(self, design: Design) -> None:
        # What is shown follows once per frame; the next edit may come before that.
        self._latest = design
        self.designChanged.emit(design)

    def _type(self, name: str, text: str) -> None:
        if self._latest is None:
            return
        values = {key: getattr(self._latest, key) for key in self._fields}
        typed = text.strip()
        values[name] = tuple(typed.replace(" ", "").split(",")) if "," in typed else typed
        try:
            design = type(self._latest)(**values)
            # The law is made here, so that parameters that tell nothing are refused here as well.
            Scenario(design=design).request.theory  # noqa: B018
        except Refused as error:
            self._fields[name].refuse(refusal_of(error))
            return
        self._fields[name].set_value(_typed(getattr(design, name)))
        self._tell(design)


def _typed(value: object) -> str:
    """A parameter as one types it: 3/4, 0.817574, or 1/2, 1/3, 1/6."""
    if isinstance(value, tuple):
        return ", ".join(map(_typed, value))
    return probability_text(value) if isinstance(value, Fraction) else str(value)
