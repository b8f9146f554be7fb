"""Runs a program that was built here as those run it who have no checkout."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


def run_outside(
    command: Sequence[str | Path],
    folder: Path,
    surroundings: Mapping[str, str],
    *,
    seconds: float | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command without a display and without what this environment sets.

    An error inside a slot is printed by Qt's binding and the window goes on: a traceback counts
    as a failure whatever the exit status.

    Args:
        command: The program and its words.
        folder: Where it runs.
        surroundings: Further variables of its environment.
        seconds: How long it may take; for ever if None.

    Returns:
        What it printed, and its exit status, which is not 0 where it printed a traceback.

    Raises:
        subprocess.TimeoutExpired: It got stuck.
    """
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "QT_", "VIRTUAL_ENV"))
    }
    done = subprocess.run(
        command,
        cwd=folder,
        env=clean | {"QT_QPA_PLATFORM": "offscreen"} | dict(surroundings),
        timeout=seconds,
        capture_output=True,
        text=True,
        check=False,
    )
    if "Traceback" in done.stderr:
        done.returncode = done.returncode or 1
    return done
