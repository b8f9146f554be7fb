"""Releases in forks, each killed at another step; says what stays. A program of its own.

A step is a call or a return in the files that make and charge a release: every function of
theirs, and every call that they make to the system (mkdtemp, write, fsync, replace, ...).
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import platformdirs

from dpdesk.engine import untracked
from dpdesk.estimation import bind_attributes
from dpdesk.ledgers import Ledger
from dpdesk.ledgers.charging import ChargeTo
from dpdesk.releases.records import RECORDS
from dpdesk.releases.release import release
from dpdesk.reports import page, pdf
from tests.engine.survey import survey, survey_plan
from tests.unset_paper import unset

_WATCHED = (
    "releases/release.py",
    "releases/records.py",
    "releases/folder.py",
    "engine/attribute_draw.py",
    "engine/sanitize.py",
    "engine/shuffle.py",
    "data/nameless_file.py",
    "data/record_files.py",
    "data/formats/csv_writer.py",
    "data/formats/columnar_writer.py",
    "data/write_file.py",
)


def killer(step: int) -> Callable[[FrameType, str, Any], None]:
    """Returns a profile function that kills the process at the step of a number."""
    left = step
    # Of half a million calls most are in other files: each of their names is read once.
    others: set[str] = set()

    def watch(frame: FrameType, _event: str, _argument: Any) -> None:
        nonlocal left
        file = frame.f_code.co_filename
        if file in others:
            return
        if file.endswith(_WATCHED):
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
        else:
            others.add(file)

    return watch


def main(parent: Path, first: int, stride: int) -> None:
    """Kills at the steps first, first + stride, ...; ends with the first release that lives."""
    # Laws are remembered, so that no child builds them anew. Nothing that starts a thread may run
    # here: a fork beside a thread that holds a lock waits for it for ever.
    bind_attributes(survey_plan())
    # The same for what a child would import or make anew, most of its time otherwise.
    table, plan = survey(60), survey_plan()
    platformdirs.user_state_path()
    pdf._compiled = unset
    for template in ("report.html.j2", "base.html.j2", "sections.html.j2"):
        page._environment().get_template(template)
    step = first
    while True:
        target, ledger = parent / str(step), parent / "ledgers" / str(step) / "ledger.sqlite"
        child = os.fork()
        if child == 0:
            # The files of records are written in threads of their own.
            watch = killer(step)
            threading.setprofile(watch)
            sys.setprofile(watch)
            release(RECORDS, table, plan, target, untracked(), ChargeTo(ledger=ledger))
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        charged = [r.outcome for p in Ledger.open(ledger).book().populations() for r in p.releases]
        print(
            step,
            status,
            "whole" if target.exists() else "nothing",
            "drawn" if target.exists() or any(parent.glob(f".{step}.*.part/*")) else "undrawn",
            *(charged or ["free"]),
            flush=True,
        )
        if status == 0:
            return
        step += stride


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
