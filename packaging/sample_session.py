"""A first session on the sample survey: in the window, or on the command line without one."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import qt_libraries
from setup_log import ROOT, SetupError, step

SAMPLE = ROOT / "resources" / "samples" / "affairs" / "affairs.csv"
CODEBOOK = SAMPLE.with_name("codebook.json")
# The plan that the window opens the sample with (`dpdesk.gui.open_table.sample_plan`).
SAMPLE_PLAN = ("--epsilon", "4", "--strategy", "smp")
TITLE = "Extramarital affairs (Fair 1978), sample"


def has_display(python: Path) -> bool:
    """Whether a window can be opened here; installs the libraries that it needs if it may.

    Args:
        python: The environment's Python.
    """
    if sys.platform.startswith("linux"):
        if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            step("there is no display")
            return False
        if not qt_libraries.ensure():
            return False
    # The variables may name a display that is gone: only opening it tells.
    probe = "from PySide6.QtGui import QGuiApplication; QGuiApplication(['dpdesk'])"
    try:
        opened = subprocess.run(
            [python, "-P", "-c", probe],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )
    except subprocess.TimeoutExpired:
        opened = None
    if opened is None or opened.returncode != 0:
        step("the display cannot be opened")
        return False
    return True


def open_window(python: Path) -> int:
    """Open the window on the sample and wait until it is closed.

    Returns:
        The exit status of dpdesk.
    """
    step("opening the window on the sample survey")
    return subprocess.run([python, "-P", "-m", "dpdesk", "--sample"], check=False).returncode


def release_sample(python: Path) -> int:
    """Draft a plan for the sample and release it, on the command line.

    Returns:
        The exit status: 0, or that of the step that failed.
    """
    folder = _new_folder()
    plan, release = folder / "plan.json", folder / "release"
    step("doing the sample session on the command line")
    table = str(SAMPLE)
    for words in (
        draft_words(plan),
        ["release", table, "--plan", str(plan), "--out", str(release)],
    ):
        done = subprocess.run([python, "-P", "-m", "dpdesk", *words], check=False)
        if done.returncode != 0:
            step(f"'dpdesk {words[0]}' ended with status {done.returncode}")
            with contextlib.suppress(OSError):
                folder.rmdir()  # where nothing was written into it
            return done.returncode
    step(f"the plan is {plan}")
    step(f"the released records and the privacy report are in {release}")
    return 0


def draft_words(plan: Path) -> list[str]:
    """Return the command that drafts the plan of the sample.

    Args:
        plan: Where it is written.
    """
    # The domains are those of the published codebook: public knowledge before any answer is read.
    known = ["--codebook", str(CODEBOOK), "--confirm-domains", "--title", TITLE]
    return ["draft", str(SAMPLE), "-o", str(plan), *SAMPLE_PLAN, *known]


def _new_folder() -> Path:
    name = f"dpdesk-sample-{date.today().isoformat()}"  # noqa: DTZ011 - the day on the user's wall
    for number in range(1, 1000):
        folder = Path.cwd() / (name if number == 1 else f"{name}-{number}")
        try:
            folder.mkdir()
        except FileExistsError:
            continue
        except OSError as error:
            raise SetupError(
                f"The folder {Path.cwd()} cannot be written to ({error.strerror}). "
                "Repeat the command in a folder of your own."
            ) from error
        return folder
    raise SetupError(f"There are too many folders {name} here. Remove some of them.")
