"""The numbers of a scene by its settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpdesk.demonstrations.registry import SCENES
from dpdesk.demonstrations.scene import Given, Shown

COINS = {"kind": "forced", "forced_no": "1/4", "forced_yes": "1/4"}
DIE = {"kind": "forced", "forced_no": "1/6", "forced_yes": "1/6"}


def shown(kind: str, given: Given | None = None, **settings: Any) -> Shown:
    """What a scene shows."""
    (found,) = (one for one in SCENES if one.tag() == kind)
    return found.model_validate(settings).shown(Given() if given is None else given)


def numbers(kind: str, given: Given | None = None, **settings: Any) -> dict[str, float]:
    """Its numbers, as they are."""
    return {name: one.value for name, one in shown(kind, given, **settings).numbers.items()}


def mean_over(draws: int, name: str, draw: Callable[[], dict[str, float]]) -> float:
    """The mean of a number over draws."""
    return sum(draw()[name] for _ in range(draws)) / draws
