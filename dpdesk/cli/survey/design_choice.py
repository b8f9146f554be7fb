"""The design that the words of `dpdesk survey` describe."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from pydantic import ValidationError

from dpdesk.cli.survey.texts import T
from dpdesk.designs import Design, YesNoDesign, design_named
from dpdesk.designs.cases import Cases
from dpdesk.designs.devices import ANY_DEVICE, DeviceChoice, device_named
from dpdesk.designs.planning import (
    built,
    built_with,
    next_above,
    require_built,
    require_built_with,
)
from dpdesk.designs.probability import intended_fraction, probability_text
from dpdesk.designs.warner import WarnerDesign
from dpdesk.errors import DpdeskError, ParameterError, invalid_fields
from dpdesk.numbers.digits import epsilon_up

_ROUNDING = 1e-9


def design_of(options: argparse.Namespace, *, usual: bool = False) -> YesNoDesign:
    """Returns the design for one sensitive trait that the words describe.

    The arguments are those of `any_design_of`.
    """
    return one_share(any_design_of(options, usual=usual))


def one_share(design: Design) -> YesNoDesign:
    """Returns a design as one for one sensitive trait."""

    def refused(_: Design) -> YesNoDesign:
        raise ParameterError(T.NOT_ONE_TRAIT())

    return Cases(lambda found: found, refused, refused).of(design)


def any_design_of(
    options: argparse.Namespace, *, usual: bool = False, held: bool = False
) -> Design:
    """Returns the design that the words describe, whatever the question's answers are.

    Args:
        options: The words.
        usual: Whether parameters that are not given are those of the design's example.
        held: Whether the survey was held, so that every parameter has to be given that its estimate
            depends on: a default makes another estimate of the same answers.
    """
    kind = design_named(options.design)
    names = [parameter.name for parameter in kind.parameters()]
    values: dict[str, Any] = {}
    for setting in options.set:
        name, equals, value = setting.partition("=")
        if not equals or name not in names:
            known = names or (T.NONE(),)
            raise ParameterError(T.NO_PARAMETER(setting=setting, known=known))
        if name in values:
            raise ParameterError(T.PARAMETER_TWICE(name=name))
        values[name] = _value(value)
    missing = [name for name in names if name not in values and name not in kind.supposed]
    if held and missing:
        settings = " ".join(f"--set {name}=VALUE" for name in missing)
        raise ParameterError(T.MISSING_PARAMETERS(names=missing, settings=settings))
    try:
        return kind(**{**(kind.usual if usual else {}), **values})
    except ValidationError as error:
        raise _explained(error) from None


def sheet_design(options: argparse.Namespace) -> Design:
    """Returns the design of a sheet; with `--epsilon` the nearest one that a device has."""
    if options.epsilon is None:
        if options.design is None:
            raise ParameterError(T.NO_DESIGN(other="--epsilon E"))
        return any_design_of(options)
    named = options.design is not None or options.set
    design = any_design_of(options, usual=True) if named else WarnerDesign()
    exact = design.at_epsilon(options.epsilon)
    if options.device in (None, "any"):
        return require_built(exact, built(exact)).design
    device = device_named(options.device)
    if device.for_screens:
        return exact
    return require_built_with(
        device, exact, options.epsilon, exact.facts_asked(options.innocent)
    ).design


def exceeds(options: argparse.Namespace, design: Design) -> bool:
    """Returns whether a design loses more than the epsilon that was asked for."""
    return bool(design.loss.epsilon > options.epsilon * (1 + _ROUNDING))


def next_notes(options: argparse.Namespace, design: Design) -> list[str]:
    """Returns in words what else the named device has near an epsilon; nothing of any other."""
    if exceeds(options, design):
        return [T.NO_SMALLER(asked=f"{options.epsilon:g}")]
    if options.device in (None, "any"):
        return []
    device = device_named(options.device)
    asked = design.facts_asked(options.innocent)
    own = None if device.for_screens else built_with(device, design, asked=asked)
    above = None if own is None else next_above(own, design)
    if above is None:
        return []
    return [T.NEXT(setting=above.design.setting, epsilon=epsilon_up(above.epsilon))]


def device_choice(
    options: argparse.Namespace, design: Design, others: Sequence[str] = ()
) -> DeviceChoice:
    """Returns the device that `--device` names; "any" or no word leaves the choice open.

    Args:
        options: The words.
        design: The design.
        others: The innocent questions; the proposed ones where they are missing.
    """
    if options.device in (None, "any"):
        return ANY_DEVICE
    device = device_named(options.device)
    asked = design.facts_asked(others)
    if not device.for_screens and not design.served_by(device, asked):
        near = require_built_with(device, design, asked=asked)
        setting, other = design.setting, near.design.setting
        raise ParameterError(T.OTHER_CHANCES(device=device.word, setting=setting, near=other))
    return DeviceChoice(device)


def nearly_lines(design: Design) -> list[str]:
    """Returns in words which probabilities are not the fractions that they look like."""
    return [
        T.TAKEN_AS_TYPED(name=parameter.name, typed=probability_text(chance), near=str(near))
        for parameter in design.parameters()
        for chance in _chances(getattr(design, parameter.name))
        if (near := intended_fraction(chance)) is not None
    ]


def _chances(value: object) -> list[Fraction]:
    """The probabilities of a parameter, one by one."""
    if isinstance(value, tuple):
        return [chance for part in value for chance in _chances(part)]
    return [value] if isinstance(value, Fraction) else []


def _value(text: str) -> object:
    """A value, a list of them with commas, or rows of lists with semicolons."""
    if ";" in text:
        return tuple(tuple(row.split(",")) for row in text.split(";"))
    return tuple(text.split(",")) if "," in text else text


def _explained(error: ValidationError) -> DpdeskError:
    first = invalid_fields(error)[0]
    name = str(first.place[0]) if first.place else ""
    if first.cause is not None:
        return ParameterError(T.IN_PARAMETER(name=name, problem=str(first.cause)))
    if first.kind == "missing":
        return ParameterError(T.MISSING_PARAMETERS(names=[name], settings=f"--set {name}=VALUE"))
    return ParameterError(T.IN_PARAMETER(name=name, problem=f"{first.sentence}."))
