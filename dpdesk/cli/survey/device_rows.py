"""Devices that exist beside the exact parameters of a plan, as they stand in JSON."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

from dpdesk.cli.survey.texts import T
from dpdesk.designs import Design
from dpdesk.designs.devices import (
    ANY_DEVICE,
    AT_HAND,
    SCREEN,
    Device,
    DeviceChoice,
    device_named,
)
from dpdesk.designs.planning import (
    Built,
    QuestionnairePlan,
    Sample,
    built,
    cheapest,
    next_above,
    require_built,
    require_built_with,
    serving,
    why_none,
)
from dpdesk.errors import DpdeskError, ParameterError

Cost = Callable[[Sample], dict[str, object]]
"""What a sample comes to: its respondents, margin or power."""

_COSTS = ("n", "margin", "power")
"""What a sample may come to."""


def with_devices(
    options: argparse.Namespace, sample: Sample, cost: Cost
) -> tuple[Sample, dict[str, object]]:
    """Returns the sample as asked with the chosen device, and the devices near its parameters.

    Args:
        options: The words of `dpdesk survey plan`.
        sample: The sample, with the exact parameters that an epsilon leads to.
        cost: What a sample comes to.

    Returns:
        The sample, whose design is that of the device where one is chosen; and `device` with
        `exact`, or else `devices`, or `no_device` where none serves. Nothing without `--device`
        where the parameters do not follow from an epsilon. Each device says what it costs against
        the exact parameters: `than_exact`, its numbers less those of the exact ones.
    """
    by_epsilon = options.epsilon is not None or (
        options.margin is not None and options.respondents is not None
    )
    if options.device is None:
        return sample, _offered(options, sample, cost) if by_epsilon else {}
    chosen = _chosen(options, sample)
    if chosen is None:
        return sample, {}
    asked = sample.asked_by(chosen.design)
    above = next_above(chosen, sample.design)
    exact = _exact(sample, cost)
    more = None
    if above is not None:
        more = _exact(sample.asked_by(above.design), cost)
        more["than_exact"] = _difference(more, exact)
    device = _row(chosen, asked, cost, exact) | {"rule": list(chosen.rule), "next_above": more}
    return asked, {"device": device, "exact": exact}


def asked_with(
    name: str | None, design: Design, plan_for: Callable[[Device | None], QuestionnairePlan]
) -> tuple[Device | None, QuestionnairePlan]:
    """Returns a questionnaire asked with the device of a name, and this device.

    Args:
        name: The name; "any" for the device with which the fewest respondents will do, among
            those whose outcome only respondents know; None and a screen for the exact chances.
        design: The design.
        plan_for: The plan with a device.
    """
    if name is None or name == SCREEN.word:
        return None, plan_for(None)
    if name != "any":
        device = device_named(name)
        return device, plan_for(device)
    found = []
    for device in serving(type(design)):
        try:
            found.append((device, plan_for(device)))
        except DpdeskError:
            # This device has no chances below some part of the budget.
            continue
    if not found:
        raise ParameterError(T.NO_SMALL_DEVICE(screen=SCREEN.word))
    return min(found, key=lambda one: (one[0].known_to_others, one[1].respondents))


def chosen_device(options: argparse.Namespace, found: Mapping[str, Any]) -> DeviceChoice:
    """Returns the device that was chosen.

    Args:
        options: The words of `dpdesk survey plan`.
        found: What `with_devices` returned of them: nothing where a screen was chosen.
    """
    if options.device == SCREEN.word:
        return DeviceChoice(SCREEN)
    row = found.get("device")
    return ANY_DEVICE if row is None else DeviceChoice(device_named(row["name"]))


def _chosen(options: argparse.Namespace, sample: Sample) -> Built | None:
    """The device that is named or best; None for a screen, which has the exact parameters."""
    if options.device == "any":
        found = built(sample.design, options.epsilon)
        return cheapest(found, sample) or require_built(sample.design, found)
    device = device_named(options.device)
    if device.for_screens:
        return None
    return require_built_with(device, sample.design, options.epsilon)


def _offered(options: argparse.Namespace, sample: Sample, cost: Cost) -> dict[str, object]:
    found = built(sample.design, options.epsilon, AT_HAND)
    if not found:
        return {"no_device": why_none(sample.design)}
    exact = _exact(sample, cost)
    return {"devices": [_row(one, sample.asked_by(one.design), cost, exact) for one in found]}


def _row(one: Built, asked: Sample, cost: Cost, exact: Mapping[str, object]) -> dict[str, object]:
    row = {
        "name": one.device.word,
        "needed": one.tool,
        "design": one.design.model_dump(mode="json"),
        "epsilon": one.epsilon if isfinite(one.epsilon) else None,
        "keeps_epsilon": one.keeps,
        **_possible(cost, asked),
    }
    return row | {"than_exact": _difference(row, exact)}


def _difference(row: Mapping[str, Any], exact: Mapping[str, Any]) -> dict[str, object]:
    """The numbers of a device less those of the exact parameters; those that both have."""
    both = (name for name in ("epsilon", *_COSTS) if name in row and name in exact)
    return {
        name: row[name] - exact[name]
        for name in both
        if row[name] is not None and exact[name] is not None
    }


def _possible(cost: Cost, sample: Sample) -> dict[str, object]:
    """What a sample comes to; nothing where no number of respondents would do with this device."""
    try:
        return cost(sample)
    except DpdeskError:
        return {}


def _exact(sample: Sample, cost: Cost) -> dict[str, object]:
    epsilon = sample.design.loss.epsilon
    return {
        "design": sample.design.model_dump(mode="json"),
        "epsilon": epsilon if isfinite(epsilon) else None,
        **_possible(cost, sample),
    }
