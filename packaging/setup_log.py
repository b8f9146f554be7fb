"""What the set-up says: a line for each step on the terminal, everything else in a file."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOG = ROOT / "build" / "setup.log"


class SetupError(Exception):
    """The set-up cannot go on; the text says why and what to do, in one line."""


def step(text: str) -> None:
    """Say one step."""
    print(f"dpdesk: {text}", flush=True)


def open_log() -> Path:
    """Begin an empty log.

    Returns:
        Its path.

    Raises:
        SetupError: The checkout cannot be written to.
    """
    try:
        LOG.parent.mkdir(exist_ok=True)
        LOG.write_text("", encoding="utf-8")
    except OSError as error:
        raise SetupError(
            f"The folder {ROOT} cannot be written to ({error.strerror}). "
            "Copy it to a place of your own and repeat the command there."
        ) from error
    return LOG


def run_logged(
    command: Sequence[str | Path],
    log: Path,
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> int:
    """Run a command with its output in the log.

    Returns:
        Its exit status; 127 where the program cannot be started.
    """
    words = [str(word) for word in command]
    with log.open("a", encoding="utf-8") as stream:
        stream.write("$ " + " ".join(words) + "\n")
        stream.flush()
        try:
            done = subprocess.run(
                words,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                cwd=cwd,
                env=env,
                check=False,
            )
        except OSError as error:
            stream.write(f"{error}\n")
            return 127
        stream.write("\n")
    return done.returncode


def last_complaint(log: Path) -> str:
    """The last line of the log that reads like a cause, or an empty text."""
    lines = [line.strip() for line in log.read_text(encoding="utf-8", errors="replace").split("\n")]
    for mark in ("ERROR:", "E:", "error:", "Error:"):
        causes = [line for line in lines if line.startswith(mark)]
        if causes:
            return causes[-1]
    return ""
