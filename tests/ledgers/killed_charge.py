"""Charges in forks, each killed at another step; says what stays. A program of its own.

A step is a call or a return in the files of the ledger: every function of theirs, and every call
that they make to the system and to SQLite.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from dpdesk.ledgers import Ledger
from tests.ledgers.charges import charge, local, people

_WATCHED = "dpdesk/ledgers/"


def killer(step: int) -> Callable[[FrameType, str, Any], None]:
    """Returns a profile function that kills the process at the step of a number."""
    left = step

    def watch(frame: FrameType, _event: str, _argument: Any) -> None:
        nonlocal left
        if _WATCHED in frame.f_code.co_filename:
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    return watch


def main(parent: Path, stride: int) -> None:
    """Kills at every step of a stride, in a new ledger each; ends with the first that lives."""
    table = people(5)
    step = 0
    while True:
        path, drawn = parent / str(step) / "ledger.sqlite", parent / str(step) / "drawn"
        path.parent.mkdir()
        child = os.fork()
        if child == 0:
            sys.setprofile(killer(step))
            ledger = Ledger.open(path)
            charged = charge(ledger, local("1"), table)
            drawn.touch()
            ledger.written(charged, Path("out"))
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        populations = Ledger.open(path).book().populations()
        outcomes = [release.outcome for p in populations for release in p.releases]
        print(step, status, int(drawn.exists()), *(outcomes or ["nothing"]), flush=True)
        if status == 0:
            return
        step += stride


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
