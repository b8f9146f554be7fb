"""Releases of statistics in forks, each killed at another step; says what stays.

A program of its own. A step is a call or a return in the files that charge, draw and write: every
function of theirs, and every call that they make to the system, to SQLite and to OpenDP.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import platformdirs

from dpdesk.engine import statistics as engine
from dpdesk.engine import untracked
from dpdesk.ledgers import Ledger
from dpdesk.ledgers.charging import ChargeTo
from dpdesk.plan.checks.statistics import bind_queries
from dpdesk.releases.release import release
from dpdesk.releases.statistics import STATISTICS
from dpdesk.reports import pdf
from tests.reports.asked import asked_plan, asked_table
from tests.unset_paper import unset

_WATCHED = (
    "release/release.py",
    "release/statistics.py",
    "release/folder.py",
    "engine/statistics.py",
    "ledgers/charging.py",
    "ledgers/store.py",
    "queries/base.py",
    "queries/noise/calibrated.py",
)
# The search for the half-width of an interval, a hundred thousand steps that change nothing.
_SEARCH = {"tail_beyond", "half_width", "_share"}
_PHRASES = ("count by sex", "mean of age", "most frequent region")


def killer(step: int) -> Callable[[FrameType, str, Any], None]:
    """Returns a profile function that kills the process at the step of a number."""
    left = step

    def watch(frame: FrameType, _event: str, _argument: Any) -> None:
        nonlocal left
        code = frame.f_code
        if code.co_filename.endswith(_WATCHED) and code.co_name not in _SEARCH:
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    return watch


def marked(drawn: Path) -> None:
    """Leaves a mark where the release goes from the charge to the draw."""
    coded = engine.coded_rows

    def marking(*given: Any) -> Any:
        drawn.touch()
        return coded(*given)

    engine.coded_rows = marking


def main(parent: Path, first: int, stride: int) -> None:
    """Kills at the steps first, first + stride, ...; ends with the first release that lives."""
    plan = asked_plan(None, *_PHRASES)
    bind_queries(plan)
    # What a child would import or make anew, most of its time otherwise.
    table = asked_table()
    platformdirs.user_state_path()
    pdf._compiled = unset
    step = first
    while True:
        home = parent / str(step)
        home.mkdir()
        ledger, target, drawn = home / "ledger.sqlite", home / "out", home / "drawn"
        child = os.fork()
        if child == 0:
            marked(drawn)
            sys.setprofile(killer(step))
            release(STATISTICS, table, plan, target, untracked(), ChargeTo(ledger=ledger))
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        populations = Ledger.open(ledger).book().populations()
        outcomes = [release.outcome for p in populations for release in p.releases]
        found = "whole" if target.exists() else "nothing"
        print(step, status, found, int(drawn.exists()), *(outcomes or ["nothing"]), flush=True)
        if status == 0:
            return
        step += stride


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
