"""The card of a question whose answer is a number."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from dpdesk.domains import parse_number
from dpdesk.gui.pages.simulate.answer_kind import NUMBER
from dpdesk.gui.pages.simulate.further.cards import FurtherCard
from dpdesk.gui.pages.simulate.further.rivals import NUMBER_RIVALS
from dpdesk.gui.pages.simulate.further.scenarios import FurtherScenario, NumberScenario
from dpdesk.gui.pages.simulate.further.usual import NUMBER_KINDS, usual_number
from dpdesk.gui.pages.simulate.further.wanted import NUMBER_QUESTIONS
from dpdesk.gui.pages.simulate.further.words import further_title
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip
from dpdesk.preview.survey.further import NumberRequest

_FIELD_WIDTH = 118
_LONGEST_UNIT = 20
_LARGEST = 1e12


class NumberCard(FurtherCard):
    """The supposed numbers, the design, people.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        designs = tuple(
            (word, further_title(usual_number(word, 1, 2, 1.0))) for word in NUMBER_KINDS
        )
        super().__init__(NUMBER, designs, NUMBER_QUESTIONS, NUMBER_RIVALS, parent=parent)
        inner = self.area.widget()
        self.refusal = RefusalLabel(parent=inner)
        self.fields: dict[str, CommitLine] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        titles = (
            ("mean", self.tr("Supposed mean"), self.tr("Of the true answers.")),
            (
                "deviation",
                self.tr("Standard deviation"),
                self.tr("Of the true answers, which are supposed to follow a beta law."),
            ),
            ("lower", self.tr("Least answer possible"), self.tr("Anybody may know it.")),
            ("upper", self.tr("Largest answer possible"), self.tr("Anybody may know it.")),
            ("unit", self.tr("Unit"), self.tr("Such as euros or hours; may be empty.")),
        )
        for row, (name, title, hint) in enumerate(titles):
            field = CommitLine(title, parent=inner)
            field.setAlignment(Qt.AlignmentFlag.AlignRight)
            field.setFixedWidth(_FIELD_WIDTH)
            field.setMaxLength(_LONGEST_UNIT)
            field.setToolTip(plain_tooltip(hint))
            field.committed.connect(partial(self._type, name))
            field.refused.connect(self.refusal.show_sentence)
            grid.addWidget(PlainLabel(title, parent=inner), row, 0)
            grid.addWidget(field, row, 1)
            self.fields[name] = field
        self.understating = self.share_slider(
            self.tr("Understated answers"),
            self.tr("They act as if the least number possible were their true one."),
        )
        self.add_heading(self.tr("Design"))
        self.column.addWidget(self.device)
        self.add_heading(self.tr("True numbers"))
        self.column.addLayout(grid)
        self.column.addWidget(self.refusal)
        for slider in (self.respondents, self.understating):
            self.column.addWidget(slider)
        self.add_end()
        self.understating.valueChanged.connect(lambda share: self.change(understating=share))

    def show_scenario(self, scenario: FurtherScenario) -> None:
        """Shows a scenario without a signal."""
        assert isinstance(scenario, NumberScenario)  # noqa: S101 - the card of these
        super().show_scenario(scenario)
        values = {
            "mean": scenario.mean,
            "deviation": scenario.deviation,
            "lower": scenario.design.lower,
            "upper": scenario.design.upper,
        }
        for name, value in values.items():
            text = _number_text(value)
            if self.fields[name].value() != text:
                self.fields[name].set_value(text)
        if self.fields["unit"].value() != scenario.unit:
            self.fields["unit"].set_value(scenario.unit)
        if self.understating.value() != scenario.understating:
            self.understating.set_value(scenario.understating)

    def choose_design(self, word: str) -> None:
        """Takes another design of the list, at the epsilon in force where it can be."""
        if isinstance(self._scenario, NumberScenario):
            design = self._scenario.design
            self.change(
                design=usual_number(word, design.lower, design.upper, self._scenario.epsilon)
            )

    def _type(self, name: str, text: str) -> None:
        scenario, field = self._scenario, self.fields[name]
        assert isinstance(scenario, NumberScenario)  # noqa: S101 - the card of these
        if name == "unit":
            field.set_value(text.strip())
            self.change(unit=text.strip())
            return
        number = parse_number(text.replace(",", "").strip())
        if number is None or abs(number) > _LARGEST:
            field.refuse(self.tr("This is not a number: type one such as 400 or 12.5."))
            return
        changes: dict[str, object] = {name: float(number)}
        if name in ("lower", "upper"):
            design = scenario.design
            changes = {"design": type(design)(**{**design.model_dump(), name: float(number)})}
        try:
            changed = scenario.changed(**changes)
            _require(changed.request)
        except Refused as error:
            field.refuse(refusal_of(error))
            return
        field.set_value(_number_text(float(number)))
        self.change(**changes)


def _number_text(number: float) -> str:
    return f"{number:,.9g}"


def _require(request: NumberRequest) -> None:
    """Refuses numbers that no survey can have, and a device that is none."""
    request.theory  # noqa: B018 - raises what is wrong
