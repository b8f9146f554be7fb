"""Reading in a process of its own, with a limit of its memory: its end is a refusal like others.

A library in Rust or C ends the program where a damaged file leads it astray, or asks it for more
memory than there is. The process gets the bytes of the file and returns what was made of them.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from dpdesk.data.side_thread import SideThread
from dpdesk.data.texts import T
from dpdesk.errors import InputError

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")

WORD = "--read-in-this-process"
"""What the bundle's program is started with, which has no Python to run."""

_SURROUNDINGS = {"ARROW_DEFAULT_MEMORY_POOL": "system", "OPENBLAS_NUM_THREADS": "1"}
"""Without these, libraries take memory long before they need it."""


def run_apart(
    room: int,
    name: str,
    tick: Callable[[], object],
    work: Callable[_Given, _Made],
    *given: _Given.args,
    **named: _Given.kwargs,
) -> _Made:
    """Returns what a function of a module returns in a process of its own.

    Args:
        room: Most bytes of memory that it may take beside those of its libraries.
        name: Name of the file that it reads, for messages.
        tick: Called while it runs; may raise to cancel, which ends the process.
        work: The function.
        given: Its arguments.
        named: Its arguments by their names.

    Raises:
        InputError: The process ended without a result, as of a damaged file, or one that unpacks to
            more than the room.
    """
    side = SideThread("reader", tick)
    frozen = hasattr(sys, "_MEIPASS")
    code = "import sys; sys.path[:] = {!r}; from {} import serve; serve()"
    process = subprocess.Popen(
        [sys.executable, *([WORD] if frozen else ["-c", code.format(sys.path, __name__)])],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # What a library writes of its failure may quote the file.
        stderr=subprocess.DEVNULL,
        env=os.environ | _SURROUNDINGS,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    try:
        made = side.result(side.run(_exchanged, process, (room, work, given, named)))
    finally:
        process.kill()
        side.stop()
        process.wait()
    if made is None:
        raise InputError(T.DAMAGED_OR_LARGE(file=name, size=room >> 20))
    failed, result = made
    if failed:
        raise result
    return result  # type: ignore[no-any-return]


def _exchanged(process: subprocess.Popen[bytes], task: object) -> tuple[bool, Any] | None:
    """Returns whether a task failed, and with what or what it made; None without an answer."""
    assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 - pipes
    with suppress(EOFError, OSError, pickle.UnpicklingError), process.stdout as answer:
        with process.stdin as sent:
            pickle.dump(task, sent, protocol=5)
        return pickle.load(answer)  # type: ignore[no-any-return] # noqa: S301 - our own
    return None


def serve() -> None:
    """Does the task that comes in, and returns what it makes."""
    tasks, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # What a library prints is no answer.
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)
    room, work, given, named = pickle.load(tasks)  # noqa: S301 - our own
    _limit_memory(room)
    failed, result = False, None
    try:
        result = work(*given, **named)
    except MemoryError:
        os._exit(1)
    except Exception as error:  # noqa: BLE001 - raised by who waits
        failed, result = True, error
    pickle.dump((failed, result), answers, protocol=5)
    answers.close()
    # Without waiting for what libraries do at the end.
    os._exit(0)


def _limit_memory(room: int) -> None:
    """Sets a limit where the system has one; elsewhere only what is counted protects."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        taken = pages * resource.getpagesize()
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = taken + room if hard == resource.RLIM_INFINITY else min(taken + room, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
