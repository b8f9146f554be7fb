"""Packages of the operating system, installed only where that needs no question.

Debian and its relatives alone: elsewhere the names of the packages are not known.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from setup_log import run_logged, step


def privilege() -> list[str] | None:
    """The words before a command that make it run as root without a question; None if none do."""
    if os.name != "posix":
        return None
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") is None:
        return None
    asked = subprocess.run(
        ["sudo", "-n", "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    )
    return ["sudo", "-n"] if asked.returncode == 0 else None


def command_for(packages: Sequence[str]) -> str:
    """The command that a person types to install these packages."""
    return "sudo apt-get install " + " ".join(packages)


def install(packages: Sequence[str], log: Path) -> bool:
    """Install packages with apt-get where that is allowed without a password.

    Args:
        packages: Names of packages of Debian.
        log: File that receives what apt-get says.

    Returns:
        Whether all of them are installed now.
    """
    prefix = privilege()
    if shutil.which("apt-get") is None or prefix is None:
        return False
    step("installing with apt-get: " + " ".join(packages))
    # Setting a variable through `env` survives sudo, which clears the environment.
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y"]
    patient = ["-o", "DPkg::Lock::Timeout=120"]
    # The lists of a fresh system are empty. An update that fails (one source of several is
    # unreachable) says nothing about the packages: the installation decides.
    run_logged([*apt, *patient, "update"], log)
    return run_logged([*apt, *patient, "install", "--no-install-recommends", *packages], log) == 0
