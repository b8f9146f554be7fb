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
from dpdesk.designs.planning.sample import Sample, respondents_for_error
from dpdesk.designs.planning.texts import T
from dpdesk.errors import DpdeskError, ParameterError
from dpdesk.i18n import in_a_row, translated

_ROUNDING = 1 + 1e-9
_SAME = 1e-9
_FEW_STEPS = 100
_BAGS, _LEAST_STEP, LARGEST_STEP = 60, 0.05, 5.0
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
        return tool_of(self.device, self.design)

    @property
    def rule(self) -> tuple[str, ...]:
        """What respondents do, as sentences; of several groups each by its name."""
        found = self.design.instructions(choice=DeviceChoice(self.device))
        rule: list[str] = []
        for one in found:
            of_group = T.IN_GROUP(group=one.group.capitalize(), rule=in_a_row(one.steps))
            rule += [of_group] if one.group else one.steps
        return tuple(rule)


def tool_of(device: Device, design: Design) -> str:
    """Returns what respondents of a design need with a device, such as a bag and its beads."""
    found = design.instructions(choice=DeviceChoice(device))
    tools = (instruction.tool for instruction in found)
    return "; ".join(dict.fromkeys(filter(None, tools))) or device.tool


@lru_cache(maxsize=512)
def built_with(
    device: Device,
    design: Design,
    epsilon: float | None = None,
    asked: tuple[str, ...] | None = None,
) -> Built | None:
    """Returns the design nearest to another one that a device has exactly.

    Args:
        device: The device.
        design: The design.
        epsilon: The epsilon to come near to; None for that of the design.
        asked: The facts that the innocent questions are about; None for the proposed ones.

    Returns:
        The design of the largest epsilon that is no larger, or else of the least one; of designs
        that an epsilon does not decide the nearest one that keeps it. None if no parameters of the
        design are those of the device.
    """
    wanted = design.loss.epsilon if epsilon is None else epsilon
    if epsilon is None and wanted > 0 and design.served_by(device, asked):
        # What a device has already is nearest to itself: nobody asked for a smaller bag.
        return Built(device, design, wanted, keeps=True)
    left = [
        Built(device, near, loss, loss <= wanted * _ROUNDING)
        for near, loss in _losses(device, design, asked)
    ]
    # Whether a device has the chances takes longer to find out than which ones are best.
    while left:
        best = _preferred(design, left, wanted)
        if best.design.served_by(device, asked):
            return best
        left.remove(best)
    return None


def require_built_with(
    device: Device,
    design: Design,
    epsilon: float | None = None,
    asked: tuple[str, ...] | None = None,
) -> Built:
    """Returns the design nearest to another one that a device has exactly; see `built_with`.

    Raises:
        ParameterError: There is none; it says why, and which devices serve.
    """
    design.require_rule(device, asked)
    found = built_with(device, design, epsilon, asked)
    if found is None:
        others = ", ".join(near.device.word for near in built(design))
        remedy = T.USE_DEVICES(devices=others) if others else why_none(design)
        raise ParameterError(T.NO_CHANCES(device=device.word), remedy=remedy)
    return found


def _preferred(design: Design, found: Sequence[Built], wanted: float) -> Built:
    """The best of what a device may have, the epsilon being kept if possible."""
    kept = [one for one in found if one.keeps]
    if not kept:
        # Of a chance and its complement, which protect alike, the nearer one.
        return min(found, key=lambda one: (round(one.epsilon, 9), _distance(design, one.design)))
    if not design.epsilon_decides or not isfinite(wanted):
        return min(kept, key=lambda one: _distance(design, one.design))
    best = max(one.epsilon for one in kept)
    enough = [one for one in kept if one.epsilon >= best * _ENOUGH]
    return min(
        enough,
        # Of a chance and its complement, which protect alike, the nearer one.
        key=lambda one: (_effort(one), -round(one.epsilon, 9), _distance(design, one.design)),
    )


def built(
    design: Design, epsilon: float | None = None, devices: Sequence[Device] = AT_HAND
) -> tuple[Built, ...]:
    """Returns for each device the nearest design that it has, the best one first.

    Those that keep the epsilon come first, the largest epsilon before others; then those that
    exceed it, by how little. In both parts those whose outcome others may know come last; of
    equally good ones the first of the catalogue comes first.

    Args:
        design: The design.
        epsilon: The epsilon to come near to; None for that of the design.
        devices: The devices.
    """
    found = [one for device in devices if (one := built_with(device, design, epsilon)) is not None]
    return tuple(
        sorted(
            found,
            key=lambda one: (
                not one.keeps,
                one.device.known_to_others,
                -one.epsilon if one.keeps else one.epsilon,
            ),
        )
    )


def require_built(design: Design, found: Sequence[Built]) -> Built:
    """Returns the first of what was found.

    Raises:
        ParameterError: No device serves; it says why.
    """
    if found:
        return found[0]
    raise ParameterError(why_none(design), remedy=T.TAKE_SCREEN(device=SCREEN.word))


def why_none(design: Design) -> str:
    """Returns why no device serves a design, as a sentence."""
    if design.no_device:
        return translated(design.no_device)
    return T.NEEDS_QUESTION() if design.asked_parameters else T.NONE_IN_CATALOGUE()


def steps_of(design: Design, device: Device) -> tuple[Built, ...]:
    """Returns all designs of one kind that a device has near a design, by their epsilons.

    Of several with the same epsilon the nearest one is returned.
    """
    by_epsilon: dict[float, Built] = {}
    for near, loss in _losses(device, design):
        if not near.served_by(device):
            continue
        key = round(loss, 9)
        known = by_epsilon.get(key)
        if known is None or _distance(design, near) < _distance(design, known.design):
            by_epsilon[key] = Built(device, near, loss, keeps=True)
    return tuple(by_epsilon[key] for key in sorted(by_epsilon))


@lru_cache(maxsize=64)
def serving(kind: type[Design]) -> tuple[Device, ...]:
    """Returns the devices at hand that designs of a kind could use; the list does not change."""
    example = kind.example()
    return tuple(device for device in AT_HAND if built_with(device, example) is not None)


@lru_cache(maxsize=128)
def _steps_from(device: Device, design: Design) -> tuple[Built, ...]:
    if len(device.reachable) <= _FEW_STEPS:
        return steps_of(design, device)
    # Of very many bags one for each of a row of epsilons.
    found: dict[float, Built] = {}
    for part in range(_BAGS):
        epsilon = _LEAST_STEP * (LARGEST_STEP / _LEAST_STEP) ** (part / (_BAGS - 1))
        one = built_with(device, design.at_epsilon(epsilon), epsilon)
        if one is not None and one.keeps:
            found[round(one.epsilon, 9)] = one
    return tuple(found[key] for key in sorted(found))


def epsilon_steps(design: Design, device: Device) -> tuple[Built, ...]:
    """Returns the designs of a kind through which a device steps, by their epsilons.

    They depend on what an epsilon does not decide alone, and not on the epsilon of the design.

    Args:
        design: A design that an epsilon decides.
        device: The device.
    """
    return _steps_from(device, design.at_epsilon(1.0))


def require_at(device: Device, design: Design, epsilon: float) -> Built:
    """Returns the design of a device that stands for a wanted epsilon: see `built_with`.

    Raises:
        ParameterError: The device has no chances that the design could use.
    """
    for step in epsilon_steps(design, device):
        if abs(step.epsilon - epsilon) <= epsilon * _SAME:
            return step
    return require_built_with(device, design.near(epsilon), epsilon)


def people_for_same_margin(sample: Sample, design: Design) -> int:
    """Returns how many more respondents another design needs for the margin of a sample.

    Raises:
        ParameterError: No number of respondents has this margin.
    """
    needed = respondents_for_error(sample.asked_by(design), sample.margin / sample.quantile)
    return needed.respondents - sample.respondents


# A window asks for the same margin at every step of an epsilon that moves.
@lru_cache(maxsize=64)
def reaching(design: Design, epsilon: float, devices: tuple[Device, ...] = AT_HAND) -> Built | None:
    """Returns the device of the least epsilon that is no smaller than a wanted one.

    Args:
        design: A design at about this epsilon.
        epsilon: The least epsilon, as a margin needs it.
        devices: The devices.
    """
    found = [one for device in devices if (one := _reached_by(device, design, epsilon)) is not None]
    return min(found, key=lambda one: (one.device.known_to_others, one.epsilon), default=None)


def _reached_by(device: Device, design: Design, epsilon: float) -> Built | None:
    """The easiest design of an epsilon at most 2 % above the least that reaches the wanted one."""
    enough = [
        Built(device, near, loss, keeps=loss <= epsilon * _ROUNDING)
        for near, loss in _losses(device, design)
        if loss * _ROUNDING >= epsilon
    ]
    enough.sort(key=lambda one: one.epsilon)
    # Whether a device has the chances takes longer to find out than which ones are best.
    served = (one for one in enough if one.design.served_by(device))
    least = next((one.epsilon for one in served), inf)
    close = [one for one in enough if least <= one.epsilon and one.epsilon * _ENOUGH <= least]
    close.sort(key=lambda one: (_effort(one), one.epsilon))
    return next((one for one in close if one.design.served_by(device)), None)


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
    # An outcome that the interviewer may know protects nobody from them.
    kept = [one for one in kept if not one.device.known_to_others] or kept
    return min(kept, key=lambda one: sample.asked_by(one.design).margin, default=None)


def _losses(
    device: Device, design: Design, asked: tuple[str, ...] | None = None
) -> Iterator[tuple[Design, float]]:
    """The designs near another one that a device may have, with their epsilons."""
    if not design.may_use(device, asked):
        return
    own = (design,) if design.served_by(device, asked) else ()
    for near in (*own, *design.buildable(device)):
        try:
            loss = near.loss.epsilon
        except DpdeskError:
            # With these chances the answers would tell nothing.
            continue
        if loss > 0:
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
