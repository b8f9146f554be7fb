"""What a device makes of the epsilon that was asked for: the one below, the nearest, their cost."""

from __future__ import annotations

from typing import Any, NamedTuple

from dpdesk.designs import Design
from dpdesk.designs.devices import AT_HAND
from dpdesk.designs.planning import (
    Built,
    Sample,
    built,
    built_with,
    next_above,
    people_for_same_margin,
)
from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.simulate.design_words import chance_text, tr
from dpdesk.gui.pages.simulate.scenario import Scenario
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
