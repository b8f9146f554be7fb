"""From a design to devices that exist: for each device the nearest parameters that it has.

An epsilon leads to a chance such as 731,058 in 1,000,000, which no coin has. Each device of the
catalogue has a few chances near it; the best of them keeps the epsilon, so that nobody is
protected less, and comes as near to it as it can, so that the estimate errs least.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf, isfinite

from dpdesk.designs.base import Design
from dpdesk.designs.devices import AT_HAND, SCREEN, Device, DeviceChoice
from dpdesk.designs.planning.sample import Sample
from dpdesk.errors import DpdeskError, ParameterError

_ROUNDING = 1 + 1e-9
_ENOUGH = 0.98
"""A smaller bag is better if its epsilon is within 2 % of the best one."""


@dataclass(frozen=True, slots=True)
class Built:
    """A design whose chances a device has exactly.

    Attributes:
        device: The device.
        design: The design.
        epsilon: Its epsilon, which may be infinite.
        keeps: Whether the epsilon is no larger than the wanted one.
    """

    device: Device
    design: Design
    epsilon: float
    keeps: bool

    @property
    def tool(self) -> str:
        """What respondents need, such as "a bag with 11 beads (3 red, 8 white)"."""
        found = self.design.instructions(choice=DeviceChoice(self.device))
        tools = (instruction.tool for instruction in found)
        return "; ".join(dict.fromkeys(filter(None, tools))) or self.device.tool

    @property
    def rule(self) -> tuple[str, ...]:
        """What respondents of the first group do, as sentences."""
        return self.design.instructions(choice=DeviceChoice(self.device))[0].steps


@lru_cache(maxsize=512)
def built_with(device: Device, design: Design, epsilon: float | None = None) -> Built | None:
    """Returns the design nearest to another one that a device has exactly.

    Args:
        device: The device.
        design: The design.
        epsilon: The epsilon to come near to; None for that of the design.

    Returns:
        The design of the largest epsilon that is no larger, or else of the least one; of designs
        that an epsilon does not decide the nearest one that keeps it. None if no parameters of the
        design are those of the device.
    """
    wanted = design.loss.epsilon if epsilon is None else epsilon
    found = [
        Built(device, near, loss, loss <= wanted * _ROUNDING)
        for near, loss in _near(device, design)
    ]
    kept = [built for built in found if built.keeps]
    if not kept:
        return min(found, key=lambda built: built.epsilon, default=None)
    if not design.epsilon_decides or not isfinite(wanted):
        return min(kept, key=lambda built: _distance(design, built.design))
    best = max(built.epsilon for built in kept)
    enough = [built for built in kept if built.epsilon >= best * _ENOUGH]
    least = min(_effort(built) for built in enough)
    return min(
        (built for built in enough if _effort(built) == least),
        # Of a chance and its complement, which protect alike, the nearer one.
        key=lambda built: (-round(built.epsilon, 9), _distance(design, built.design)),
    )


def built(
    design: Design, epsilon: float | None = None, devices: Sequence[Device] = AT_HAND
) -> tuple[Built, ...]:
    """Returns for each device the nearest design that it has, the best one first.

    Those that keep the epsilon come first, the largest epsilon before others; then those that
    exceed it, by how little. Of equally good ones the first of the catalogue comes first.

    Args:
        design: The design.
        epsilon: The epsilon to come near to; None for that of the design.
        devices: The devices.
    """
    found = [one for device in devices if (one := built_with(device, design, epsilon)) is not None]
    return tuple(
        sorted(
            found,
            key=lambda one: (not one.keeps, -one.epsilon if one.keeps else one.epsilon),
        )
    )


def require_built(design: Design, found: Sequence[Built]) -> Built:
    """Returns the first of what was found.

    Raises:
        ParameterError: No device serves; it says why.
    """
    if found:
        return found[0]
    raise ParameterError(
        why_none(design), remedy=f"Take --device {SCREEN.word}, or another design."
    )


def why_none(design: Design) -> str:
    """Returns why no device serves a design, as a sentence."""
    if design.no_device:
        return design.no_device
    if design.asked_parameters:
        return (
            "This design needs an innocent question whose share of yes is known, such as one about "
            "a birthday, and no device."
        )
    return "No device of the catalogue, up to a bag of 100 beads, has the chances of this design."


def steps_of(design: Design, device: Device) -> tuple[Built, ...]:
    """Returns all designs of one kind that a device has near a design, by their epsilons.

    Of several with the same epsilon the nearest one is returned.
    """
    by_epsilon: dict[float, Built] = {}
    for near, loss in _near(device, design):
        key = round(loss, 9)
        known = by_epsilon.get(key)
        if known is None or _distance(design, near) < _distance(design, known.design):
            by_epsilon[key] = Built(device, near, loss, keeps=True)
    return tuple(by_epsilon[key] for key in sorted(by_epsilon))


def next_above(one: Built, design: Design) -> Built | None:
    """Returns the design of the next larger epsilon that the device has; None if there is none.

    Args:
        one: What was found for a device.
        design: The design that it was found for.
    """
    return next((step for step in steps_of(design, one.device) if step.epsilon > one.epsilon), None)


def cheapest(found: Sequence[Built], sample: Sample) -> Built | None:
    """Returns what errs least of those that keep the epsilon; None if none does.

    Args:
        found: What was found.
        sample: The sample, whose own design does not matter.
    """
    kept = [one for one in found if one.keeps]
    return min(kept, key=lambda one: sample.asked_by(one.design).margin, default=None)


def _near(device: Device, design: Design) -> Iterator[tuple[Design, float]]:
    if design.no_device:
        return
    if design.served_by(device):
        yield design, design.loss.epsilon
    for near in design.buildable(device):
        try:
            loss = near.loss.epsilon
        except DpdeskError:
            # With these chances the answers would tell nothing.
            continue
        if loss > 0 and near.served_by(device):
            yield near, loss


def _effort(built: Built) -> int:
    return max((built.device.effort(split) for split in built.design.splits), default=0)


def _distance(design: Design, other: Design) -> float:
    """How far apart the chances of two designs of one kind are."""
    names = [*design.device_parameters, *design.asked_parameters]
    own, near = (
        [chance for split in one.splits for chance in split]
        + [getattr(one, name) for name in names if name in one.asked_parameters]
        for one in (design, other)
    )
    if len(own) != len(near):
        return inf
    return float(sum((abs(a - b) for a, b in zip(own, near, strict=True)), Fraction(0)))
