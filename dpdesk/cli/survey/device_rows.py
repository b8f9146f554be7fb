"""Devices that exist beside the exact parameters of a plan, in words and as they stand in JSON."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

from dpdesk.designs.devices import ANY_DEVICE, AT_HAND, SCREEN, DeviceChoice, device_named
from dpdesk.designs.planning import (
    Built,
    Sample,
    built,
    built_with,
    cheapest,
    next_above,
    require_built,
    why_none,
)
from dpdesk.errors import DpdeskError, ParameterError
from dpdesk.numbers import rounded_up

Cost = Callable[[Sample], dict[str, object]]
"""What a sample comes to: its respondents, margin or power."""

_TOLD = 4
"""Devices that are told in words; JSON has them all."""


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
        where the parameters do not follow from an epsilon.

    Raises:
        ParameterError: The chosen device does not exist, or does not serve the design.
    """
    by_epsilon = options.epsilon is not None or (
        options.margin is not None and options.respondents is not None
    )
    if options.device is None:
        return sample, _offered(sample, cost) if by_epsilon else {}
    chosen = _chosen(options, sample)
    if chosen is None:
        return sample, {}
    asked = sample.asked_by(chosen.design)
    above = next_above(chosen, sample.design)
    device = _row(chosen, asked, cost) | {
        "rule": list(chosen.rule),
        "next_above": None if above is None else _exact(sample.asked_by(above.design), cost),
    }
    return asked, {"device": device, "exact": _exact(sample, cost)}


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
        found = built(sample.design)
        return cheapest(found, sample) or require_built(sample.design, found)
    device = device_named(options.device)
    if device.for_screens:
        return None
    one = built_with(device, sample.design)
    if one is not None:
        return one
    others = ", ".join(near.device.word for near in built(sample.design))
    raise ParameterError(
        f"The device {device.word} has no chances that this design could use.",
        remedy=f"Use one of: {others}." if others else why_none(sample.design),
    )


def _offered(sample: Sample, cost: Cost) -> dict[str, object]:
    found = built(sample.design, devices=AT_HAND)
    if not found:
        return {"no_device": why_none(sample.design)}
    return {"devices": [_row(one, sample.asked_by(one.design), cost) for one in found]}


def _row(one: Built, asked: Sample, cost: Cost) -> dict[str, object]:
    return {
        "name": one.device.word,
        "needed": one.tool,
        "design": one.design.model_dump(mode="json"),
        "epsilon": one.epsilon if isfinite(one.epsilon) else None,
        "keeps_epsilon": one.keeps,
        **_possible(cost, asked),
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


def device_lines(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yields the best devices, and the nearest one that exceeds the epsilon."""
    kept = [row for row in rows if row["keeps_epsilon"]]
    over = [row for row in rows if not row["keeps_epsilon"]]
    yield "devices that exist, nearest first (--device NAME takes one):"
    for row in [*kept[:_TOLD], *over[:1]]:
        more = "" if row["keeps_epsilon"] else ", more than was asked for"
        yield f"  {row['name']}: {row['needed']}; {_setting(row['design'])}; {_numbers(row)}{more}"
    left = len(kept[_TOLD:]) + len(over[1:])
    if left:
        yield f"  and {left} more in --json"


def chosen_lines(row: Mapping[str, Any]) -> Iterator[str]:
    """Yields the chosen device and its rule."""
    more = "" if row["keeps_epsilon"] else ", more than was asked for"
    yield f"device: {row['name']}, {row['needed']}; {_numbers(row)}{more}"
    for step in row["rule"]:
        yield f"  {step}"
    above = row["next_above"]
    if above is not None:
        yield f"  its next chances, {_setting(above['design'])}: {_numbers(above)}"


def exact_lines(row: Mapping[str, Any]) -> Iterator[str]:
    """Yields what the exact parameters would come to, which no device has."""
    yield f"  with the exact parameters {_setting(row['design'])}: {_numbers(row)}"


def _numbers(row: Mapping[str, Any]) -> str:
    epsilon = row["epsilon"]
    shown = "infinite" if epsilon is None else rounded_up(epsilon, 4)
    told = [f"epsilon {shown}"]
    if "n" in row:
        told.append(f"{row['n']:,} respondents")
    told += [f"{name} {row[name]:.4g}" for name in ("margin", "power") if name in row]
    return ", ".join(told)


def _setting(design: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in design.items() if name != "kind")
