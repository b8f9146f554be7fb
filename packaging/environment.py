"""The environment that dpdesk runs in: `.venv` in the checkout, made when it is not there.

What dpdesk needs is installed from the lock (see `lock.py`): one version of every package, each
file by its hash. dpdesk itself is installed in editable form: the checkout is what runs, and only
a change of `pyproject.toml` or of the lock makes an installation necessary. Where the lock has
changed the environment is made anew, so that it never holds what the lock does not name.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import lock
import system_packages
from setup_log import ROOT, SetupError, last_complaint, open_log, run_logged, step
from supported_python import SUPPORTED

VENV = ROOT / ".venv"
STAMP = VENV / "dpdesk-setup.json"
LOCKS = lock.LOCKS


def venv_python() -> Path:
    """The path of the environment's Python, whether or not it exists."""
    inner = Path("Scripts/python.exe") if os.name == "nt" else Path("bin/python")
    return VENV / inner


def ensure(extras: Iterable[str] = ()) -> Path:
    """Make sure that dpdesk and the named extras are installed in `.venv`.

    Args:
        extras: Names from `[project.optional-dependencies]`.

    Returns:
        The path of the environment's Python.

    Raises:
        SetupError: Something is missing that cannot be installed from here.
    """
    python = venv_python()
    stamp, present = _read_stamp(), _state()
    # An extra that pyproject.toml no longer knows has no lock any more.
    installed = {extra for extra in stamp.pop("extras", ()) if (LOCKS / f"{extra}.txt").is_file()}
    usable = stamp.get("lock") == present["lock"] and _is_usable(python)
    if usable and stamp == present and installed.issuperset(extras):
        return python
    together = sorted(installed.union(extras))
    packages = lock.pip_options(together, LOCKS)
    log = open_log()
    if not usable:
        _make_venv(log)
    _install(python, packages, together, log)
    return python


def _is_usable(python: Path) -> bool:
    if not python.exists():
        return False
    question = "import sys, pip; print(*sys.version_info[:2])"
    try:
        answer = subprocess.run(
            [python, "-I", "-c", question], capture_output=True, text=True, check=False
        )
    except OSError:
        return False
    return answer.returncode == 0 and tuple(map(int, answer.stdout.split())) in SUPPORTED


def _make_venv(log: Path) -> None:
    if importlib.util.find_spec("ensurepip") is None:
        package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        if not system_packages.install([package], log):
            raise SetupError(
                "Python cannot make an environment here. Install what it lacks with: "
                + system_packages.command_for([package])
            )
    step("making a new .venv" if VENV.exists() else "making .venv")
    if sys.platform == "win32" and Path(sys.prefix) == VENV:
        raise SetupError(
            "The packages to install have changed, and Windows cannot replace an environment that "
            "is in use. Repeat the command with the Python that .venv was made with."
        )
    # The environment's own Python may be what is running, and is about to be cleared away.
    python = getattr(sys, "_base_executable", sys.executable)
    # --clear: what an interrupted set-up or a removed Python left behind is of no use.
    if run_logged([python, "-m", "venv", "--clear", VENV], log) != 0:
        raise _failure("The environment .venv could not be made.", log)


def _install(python: Path, packages: list[str], extras: list[str], log: Path) -> None:
    step("installing what dpdesk needs into .venv (some minutes the first time)")
    STAMP.unlink(missing_ok=True)
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    if run_logged([*pip, *packages], log, cwd=ROOT) != 0:
        raise SetupError(f"{lock.refusal(log)} Everything pip said is in {log}")
    # Everything is there: nothing may be fetched for dpdesk itself. A dot and not the path: the
    # path may hold characters that mean something to pip.
    alone = ["--no-index", "--no-deps", "--no-build-isolation", "--editable", "."]
    if run_logged([*pip, *alone], log, cwd=ROOT) != 0:
        raise _failure("dpdesk itself could not be installed into .venv.", log)
    STAMP.write_text(json.dumps({**_state(), "extras": extras}), encoding="utf-8")


def _read_stamp() -> dict[str, Any]:
    """What was installed, and from which files; empty where nothing was."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def _state() -> dict[str, str]:
    # The root belongs to it: an editable installation points to where the checkout was.
    digest = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    return {"pyproject": digest, "lock": lock.digest(LOCKS), "root": str(ROOT)}


def _failure(text: str, log: Path) -> SetupError:
    cause = last_complaint(log)
    reason = f" ({cause})" if cause else ""
    return SetupError(f"{text}{reason} Everything it said is in {log}")


def main(extras: list[str]) -> int:
    """Install dpdesk with the named extras.

    Returns:
        The exit status.
    """
    try:
        ensure(extras)
    except SetupError as error:
        print(f"dpdesk: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
