"""What the workers of a cluster do in its tests: functions that their processes can import."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from dpdesk.data import place
from dpdesk.data.regular_file import FileRefusedError
from dpdesk.errors import InputError
from dpdesk.randomness import SystemWords


def squared(number: int) -> int:
    return number * number


def drawn(number: int) -> tuple[int, int, int]:
    """A part, who did it, and a random word of their own."""
    return number, os.getpid(), int(SystemWords().take(1)[0])


def refused(number: int) -> int:
    if number == 3:
        raise InputError("Line 3 has no answers.", line=3, remedy="Complete it.")
    return number


def failed(text: str) -> int:
    return int(text)


def slow() -> None:
    time.sleep(2)


def limits_of_memory() -> tuple[object, object]:
    from dask import config

    steps = ("target", "spill")
    target, spill = (config.get(f"distributed.worker.memory.{step}") for step in steps)
    return target, spill


@dataclass(frozen=True, slots=True)
class Deadly:
    """A part that kills its worker as long as there are lives in a folder."""

    number: int
    lives: Path


def deadly(part: Deadly) -> tuple[int, int]:
    for life in sorted(part.lives.glob(f"{part.number}-*")):
        life.unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    return part.number, os.getpid()


@dataclass(frozen=True, slots=True)
class Noted:
    """A part whose beginning and end are noted in a folder."""

    number: int
    folder: Path


def noted(part: Noted) -> tuple[int, str]:
    me = f"{part.number}-{os.getpid()}-{time.monotonic_ns()}"
    (part.folder / f"begun-{me}").touch()
    time.sleep(0.05)
    (part.folder / f"ended-{me}").touch()
    return part.number, me


def deny(name: str, reason: str) -> None:
    """Lets this process open every file but those of a name, as a system refuses it."""
    opens = place.open_regular

    def opened(path: Path, most: int) -> object:
        if path.name == name:
            raise FileRefusedError(reason)
        return opens(path, most)

    place.open_regular = opened
