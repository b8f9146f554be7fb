"""The design of the survey: which one, what its respondents do, its parameters, its epsilon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, get_args, get_origin

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesk.composition.strength import protection_words
from dpdesk.designs import Design
from dpdesk.designs.base import Parameter
from dpdesk.designs.devices import AT_HAND, SCREEN
from dpdesk.designs.planning import (
    Built,
    Sample,
    built,
    built_with,
    epsilon_steps,
    next_above,
    people_for_same_margin,
    serving,
    why_none,
)
from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.simulate.design_words import (
    chance_text,
    parameter_label,
    tr,
    typed_value,
    with_unit,
)
from dpdesk.gui.pages.simulate.scales import EPSILON, Scale, steps_between
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.pages.simulate.value_slider import ValueSlider
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.declared_form import DeclaredForm, FormField
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip
from dpdesk.i18n import N_
from dpdesk.numbers import without_groups
from dpdesk.numbers.digits import epsilon_up

_AS_ASKED = 1e-3
"""Epsilons that differ by less, against their size, are written alike."""


class Advice(NamedTuple):
    """What is said of devices beside the design in force.

    Attributes:
        near: The design that the button takes; None where none is offered.
        words: What was asked for, the exact parameters, and what the device costs; may be empty.
        button: What the button takes.
        hint: What the device needs, and the parameters.
    """

    near: Built | None = None
    words: str = ""
    button: str = ""
    hint: str = ""


def advice_on(scenario: Scenario[Any], asked: tuple[float, Design] | None) -> Advice:
    """Returns what to say; all devices are tried, which takes a while.

    Args:
        scenario: The survey.
        asked: The epsilon that was asked for and the design that stands for it; None where the
            design was not found from an epsilon.
    """
    design, chosen = scenario.design, scenario.chosen_device
    if chosen is not None and chosen.for_screens:
        return Advice()
    devices = AT_HAND if chosen is None else (chosen,)
    # A design that can be built needs no other device, also where one has the same epsilon.
    if any(design.served_by(device) for device in devices):
        return Advice() if asked is None or chosen is None else _of_chosen(scenario, asked[0])
    near = built(design, devices=devices)
    if not near:
        return Advice()
    exact = _parameters(design)
    if chosen is None:
        lacking = tr("ε = {asked} needs {exact}, which no device at hand has.").format(
            asked=epsilon_up(scenario.epsilon), exact=exact
        )
    else:
        lacking = tr("{device} does not have the chances of this design, {exact}.").format(
            device=tr(chosen.title), exact=exact
        )
    return _offering(near[0], scenario.survey.sample, tr("Nearest"), lacking)


def _of_chosen(scenario: Scenario[Any], epsilon: float) -> Advice:
    """What the chosen device makes of an epsilon, and what else it has near."""
    device, taken = scenario.chosen_thing, scenario.design
    if device is None or abs(scenario.epsilon - epsilon) <= _AS_ASKED * epsilon:
        return Advice()
    try:
        exact = taken.at_epsilon(epsilon)
    except DpdeskError:
        return Advice()
    sample = scenario.survey.sample.asked_by(exact)
    below = built_with(device, exact, epsilon)
    above = None if below is None or not below.keeps else next_above(below, exact)
    told = tr("{asked}. {device}: ε = {epsilon}, not above it; {people}.")
    if scenario.epsilon > epsilon:
        told = tr("{asked}. {device}: ε = {epsilon}, more than was asked for; {people}.")
    if below is not None and not below.keeps:
        told = tr(
            "{asked}. {device} has none as small: ε = {epsilon} is its least, more than was asked "
            "for; {people}."
        )
    words = told.format(
        asked=tr("Asked for: ε = {epsilon}, that is {exact}").format(
            epsilon=epsilon_up(epsilon), exact=_parameters(exact)
        ),
        device=tr(device.title),
        epsilon=epsilon_up(scenario.epsilon),
        people=_people(sample, taken),
    )
    other = above if below is not None and below.design == taken else below
    if other is None or other.design == taken:
        return Advice(words=words)
    nearer = abs(other.epsilon - epsilon) < abs(scenario.epsilon - epsilon)
    place = tr("Not above it")
    if other.epsilon > epsilon:
        place = tr("Nearest, above it") if nearer else tr("Next above it")
    return _offering(other, sample, place, words)


def _offering(near: Built, sample: Sample, place: str, words: str) -> Advice:
    """A button for a device, with what it costs against the exact parameters."""
    button = tr("{place}: {device}, ε = {epsilon}").format(
        place=place, device=tr(near.device.title), epsilon=epsilon_up(near.epsilon)
    )
    cost = tr("{place}: {people}.").format(place=place, people=_people(sample, near.design))
    return Advice(near, f"{words} {cost}", button, f"{near.tool}; {near.design.setting}")


def _people(sample: Sample, design: Design) -> str:
    """What a design costs in people against a sample with the exact parameters."""
    try:
        more = people_for_same_margin(sample, design)
    except DpdeskError:
        return tr("no number of respondents has the same error")
    if not more:
        return tr("as many respondents for the same error")
    words = tr("{people} more respondents for the same error")
    if more < 0:
        words = tr("{people} fewer respondents for the same error")
    return words.format(people=f"{abs(more):,}")


def _parameters(design: Design) -> str:
    """The chances of a design in a few words, rounded where a fraction says little."""
    names = (*design.device_parameters, *design.asked_parameters)
    told = [f"{name} = {chance_text(getattr(design, name))}" for name in names]
    return ", ".join(told) or design.setting


_FIELD_WIDTHS = {"share": 96, "shares": 118, "mean": 118}
_WIDE = 160
"""A number with its thousands parted: no list of chances looks like it."""
_LAWS = {"laplace": N_("Laplace"), "uniform": N_("uniform")}


class DesignForm(QWidget):
    """A list of designs, the device in words, epsilon as a slider and parameters as they are typed.

    Args:
        offered: The designs of the list.
        elsewhere: Names of parameters that stand elsewhere on the card.

    Attributes:
        edited: Emitted with what changed of the scenario: `design`, `device` or both, by name.
    """

    edited = Signal(object)

    def __init__(
        self,
        offered: Sequence[Design],
        elsewhere: Sequence[str] = (),
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._offered = tuple((design.word, design.list_name) for design in offered)
        self._elsewhere = frozenset((*elsewhere, "kind"))
        self._shown: tuple[Design, str] | None = None
        self._scenario: Scenario[Any] | None = None
        # What is shown follows once per frame; the next edit may come before that.
        self._latest: Design | None = None
        self._near: Built | None = None
        # The epsilon that was asked for, and the design that stands for it.
        self._asked: tuple[float, Design] | None = None
        self._in_full, self._has_fields = True, False
        self.kinds = ChoiceBox(self.tr("Design"), parent=self)
        self.kinds.setWhatsThis(
            self.tr("The rule by which respondents answer: what they toss, draw or count.")
        )
        for word, title in self._offered:
            self.kinds.addItem(title, word)
        self.words = PlainLabel("", "muted", wrap=True, parent=self)
        self.epsilon = ValueSlider(
            self.tr("Privacy ε"),
            EPSILON,
            self.tr("The parameters of the device follow from it."),
            parent=self,
        )
        self.devices = ChoiceBox(self.tr("Device"), parent=self)
        self._device_words = PlainLabel(self.tr("Device"), parent=self)
        self.none_serves = PlainLabel("", "muted", wrap=True, parent=self)
        self.rounded = PlainLabel("", "muted", wrap=True, parent=self)
        self.rounded.hide()
        self.device = QPushButton("", self)
        self.device.setProperty("look", "link")
        self.device.hide()
        self.loss = PlainLabel("", "muted", wrap=True, parent=self)
        self.strength = PlainLabel("", wrap=True, parent=self)
        self.form = DeclaredForm(self._type, beside=True, tone="muted", parent=self)
        self.form.follow(self.kinds)
        lay_column(
            self.kinds,
            self.words,
            self.form,
            self.loss,
            lay_row(self._device_words, (self.devices, 1)),
            self.epsilon,
            self.strength,
            self.none_serves,
            self.rounded,
            (self.device, 0, Qt.AlignmentFlag.AlignLeft),
            spacing=4,
            on=self,
        )
        self.kinds.activated.connect(self._choose)
        self.epsilon.valueChanged.connect(self._follow_epsilon)
        self.device.clicked.connect(self._take_device)
        self.devices.activated.connect(
            lambda index: self._choose_device(str(self.devices.itemData(index)))
        )

    def hold(self, scenario: Scenario[Any]) -> None:
        """Takes a scenario for the next edit; it is shown by `show_scenario`."""
        self._scenario, self._latest = scenario, scenario.design

    def show_scenario(self, scenario: Scenario[Any]) -> None:
        """Shows the design of a scenario; `show_nearest` shows the devices near it."""
        self.hold(scenario)
        design = scenario.design
        if self._asked is not None and self._asked[1] != design:
            self._asked = None
        self._show_design(design, scenario.quantity.value_unit)
        self._show_parameters()
        self.words.setText(scenario.doing_words)
        follows = design.epsilon_decides
        self.epsilon.setVisible(follows)
        if follows:
            self.epsilon.set_scale(self._scale_of(scenario))
            self.epsilon.set_value(scenario.epsilon)
        self._show_devices(scenario)
        self.loss.setVisible(not follows)
        self.loss.setText(scenario.loss_words)
        self.strength.setText(protection_words(scenario.epsilon))

    def _show_design(self, design: Design, unit: str) -> None:
        if (design, unit) == self._shown:
            return
        self._shown = design, unit
        # The list shows usual devices, except for the design in force.
        for index, (word, title) in enumerate(self._offered):
            self.kinds.setItemText(index, design.list_name if word == design.word else title)
        self.kinds.setCurrentIndex(self.kinds.findData(design.word))
        self.kinds.setToolTip(plain_tooltip(tr(design.caution)))
        self.words.setText(design.doing)
        fields = tuple(
            self._field(design, parameter, unit)
            for parameter in design.parameters()
            if parameter.name not in self._elsewhere
        )
        values = {
            field.name: getattr(design, field.name)
            if field.form == "list"
            else typed_value(getattr(design, field.name))
            for field in fields
        }
        self.form.show_fields(type(design), fields, values)
        self._has_fields = bool(fields)
        self._show_parameters()

    def set_in_full(self, shown: bool) -> None:
        """Shows the parameters also where they follow from epsilon, or leaves these out."""
        self._in_full = shown
        self._show_parameters()

    def _show_parameters(self) -> None:
        follows = self._latest is not None and self._latest.epsilon_decides
        self.form.setVisible(self._has_fields and (self._in_full or not follows))

    def _field(self, design: Design, parameter: Parameter, unit: str) -> FormField:
        """Declares how a parameter is typed or chosen."""
        words, shown = tr(parameter.title), parameter_label(parameter)
        annotation = type(design).model_fields[parameter.name].annotation
        listed = get_args(annotation) if get_origin(annotation) is Literal else ()
        many = isinstance(getattr(design, parameter.name), tuple)
        width = _WIDE if many else _FIELD_WIDTHS[design.quantity]
        return FormField(
            parameter.name,
            with_unit(shown, unit) if parameter.name in design.in_unit else shown,
            words,
            "list" if listed else "line",
            spoken=f"{parameter.name}, {words}",
            choices=tuple((tr(_LAWS.get(word, word)), word) for word in listed),
            read=_read,
            # One chance for each answer, or more, needs the whole width.
            width=0 if many and design.quantity == "shares" else width,
        )

    def _scale_of(self, scenario: Scenario[Any]) -> Scale:
        """The epsilons of the chosen device; all of them where none is chosen."""
        device = scenario.chosen_device
        if device is None or device.for_screens:
            return EPSILON
        steps = [one.epsilon for one in epsilon_steps(scenario.design, device)]
        return steps_between(steps, EPSILON) if len(steps) > 1 else EPSILON

    def _show_devices(self, scenario: Scenario[Any]) -> None:
        """Offers the devices that designs of this kind can use, or says why there is none."""
        offered = serving(type(scenario.design))
        self.none_serves.setVisible(not offered)
        if not offered:
            self.none_serves.setText(tr(why_none(scenario.design)))
        for widget in (self.devices, self._device_words):
            widget.setVisible(bool(offered))
        listed = (
            ("", self.tr("Any at hand")),
            *((device.word, tr(device.title)) for device in offered),
            (SCREEN.word, self.tr("Exact parameter, for screens")),
        )
        if tuple(str(self.devices.itemData(k)) for k in range(self.devices.count())) != tuple(
            word for word, _ in listed
        ):
            self.devices.clear()
            for word, title in listed:
                self.devices.addItem(title, word)
        chosen = scenario.chosen_device
        self.devices.setCurrentIndex(self.devices.findData("" if chosen is None else chosen.word))
        self.devices.setToolTip(
            plain_tooltip(
                self.tr("What respondents use; epsilon then moves in steps of its chances")
                if chosen is None
                else tr(chosen.fairness)
            )
        )

    def show_nearest(self) -> None:
        """Offers a thing at hand where the design has chances that none has: tries them all."""
        if self._scenario is None:
            return
        advice = advice_on(self._scenario, self._asked)
        self._near = advice.near
        self.rounded.setText(advice.words)
        self.rounded.setVisible(bool(advice.words))
        self.device.setText(advice.button)
        self.device.setToolTip(plain_tooltip(advice.hint))
        self.device.setVisible(advice.near is not None)

    def _take_device(self) -> None:
        # What stands on the button may be a moment older than epsilon.
        self.show_nearest()
        if self._near is None:
            return
        if self._asked is not None:
            self._asked = self._asked[0], self._near.design
        self._edit(design=self._near.design)

    def _choose(self, index: int) -> None:
        word = str(self.kinds.itemData(index))
        if self._latest is None or word != self._latest.word:
            self._edit(design=self._held.usual_design(word))

    def _choose_device(self, word: str) -> None:
        """Takes a device, with the chances of it for the epsilon that was asked for."""
        held = self._held
        asked = self._asked
        epsilon = held.epsilon if asked is None or asked[1] != held.design else asked[0]
        try:
            found = held.with_device(word, epsilon)
        except DpdeskError as error:
            self.epsilon.field.refuse(str(error))
            return
        self._asked = epsilon, found.design
        self._edit(device=word, **({} if found.design == held.design else {"design": found.design}))

    def _follow_epsilon(self, epsilon: float) -> None:
        if self._scenario is None:
            return
        try:
            design = self._held.at_epsilon(epsilon)
        except DpdeskError as error:
            self.epsilon.field.refuse(str(error))
            return
        self._asked = epsilon, design
        self._edit(design=design)

    @property
    def _held(self) -> Scenario[Any]:
        """The scenario with the latest edit."""
        assert self._scenario is not None  # noqa: S101 - shown
        assert self._latest is not None  # noqa: S101 - likewise
        return self._scenario.changed(design=self._latest)

    def _type(self, name: str, value: object) -> str:
        """Takes a value of a parameter; returns why it was refused, or ""."""
        if self._latest is None or self._scenario is None:
            return ""
        kept = type(self._latest).model_fields
        values = {key: getattr(self._latest, key) for key in kept if key != "kind"}
        values[name] = value
        try:
            design = type(self._latest)(**values)
            self._scenario.refuse_design(design)
        except Refused as error:
            return refusal_of(error)
        self._show_design(design, self._scenario.quantity.value_unit)
        self._edit(design=design)
        return ""

    def _edit(self, **changes: Any) -> None:
        """Tells what changed of the scenario."""
        self._scenario = self._held.changed(**changes)
        self._latest = self._scenario.design
        self.edited.emit(changes)


def _read(text: str) -> Any:
    """A value, a list with commas, or rows of lists with semicolons, as on the command line."""
    bare = without_groups(text.strip())
    if ";" in bare:
        return tuple(tuple(row.replace(" ", "").split(",")) for row in bare.split(";"))
    return tuple(bare.replace(" ", "").split(",")) if "," in bare else bare
