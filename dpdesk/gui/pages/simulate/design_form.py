"""The design of the survey: which one, what its respondents do, its parameters, its epsilon."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from dpdesk.designs import DESIGNS, Design
from dpdesk.designs.examples import example_of
from dpdesk.designs.of_epsilon import at_epsilon, follows_epsilon
from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.simulate.design_words import design_title, device_words, tr
from dpdesk.gui.pages.simulate.scales import EPSILON, epsilon_words
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.pages.simulate.value_slider import ValueSlider
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel, plain_tooltip

_FIELD_WIDTH = 118


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
        self.kinds = ChoiceBox(self.tr("Design"), parent=self)
        for kind in DESIGNS:
            self.kinds.addItem(design_title(example_of(kind).design))
        self.words = PlainLabel("", "muted", wrap=True, parent=self)
        self.epsilon = ValueSlider(
            self.tr("Privacy ε"),
            EPSILON,
            self.tr("The parameters of the device follow from it."),
            parent=self,
        )
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
        if design != self._design:
            self._design = design
            index = DESIGNS.index(type(design))
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
        self.loss.setVisible(not follows)
        self.loss.setText(self._loss_words(scenario))

    def _loss_words(self, scenario: Scenario) -> str:
        epsilon = epsilon_words(scenario.epsilon)
        if scenario.epsilon == float("inf"):
            return self.tr("Privacy ε = ∞: {caution}").format(
                caution=tr(scenario.design.caution) or self.tr("an answer is a proof.")
            )
        return self.tr("Privacy ε = {epsilon}, by its parameters").format(epsilon=epsilon)

    def _choose(self, index: int) -> None:
        kind = DESIGNS[index]
        if self._design is not None and kind is type(self._design):
            return
        if self._design is not None:
            # The list shows usual devices, except for the design in force.
            before = DESIGNS.index(type(self._design))
            self.kinds.setItemText(before, design_title(example_of(type(self._design)).design))
        self.designChanged.emit(example_of(kind).design)

    def _follow_epsilon(self, epsilon: float) -> None:
        if self._design is None:
            return
        try:
            design = at_epsilon(self._design, epsilon)
        except DpdeskError as error:
            self.epsilon.field.refuse(str(error))
            return
        self.designChanged.emit(design)

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
            label = ElidedLabel(f"{parameter.name}: {words}", "muted", parent=self)
            field = CommitLine(f"{parameter.name}, {words}", parent=self)
            field.setAlignment(Qt.AlignmentFlag.AlignRight)
            field.setFixedWidth(_FIELD_WIDTH)
            field.setToolTip(plain_tooltip(words))
            field.setMaxLength(200)
            field.committed.connect(lambda text, name=parameter.name: self._type(name, text))
            field.refused.connect(self.refusal.show_sentence)
            self._grid.addWidget(label, row, 0)
            self._grid.addWidget(field, row, 1)
            QWidget.setTabOrder(after, field)
            after = field
            self._fields[parameter.name] = field

    def _type(self, name: str, text: str) -> None:
        if self._design is None:
            return
        values = {key: getattr(self._design, key) for key in self._fields}
        typed = text.strip()
        values[name] = tuple(typed.replace(" ", "").split(",")) if "," in typed else typed
        try:
            design = type(self._design)(**values)
            # The law is made here, so that parameters that tell nothing are refused here as well.
            Scenario(design=design).request.theory  # noqa: B018
        except Refused as error:
            self._fields[name].refuse(refusal_of(error))
            return
        self.designChanged.emit(design)


def _typed(value: object) -> str:
    """A parameter as one types it: 3/4, or 1/2, 1/3, 1/6."""
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
