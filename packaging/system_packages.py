"""Packages of the operating system, installed only where that needs no question.

They are installed on Debian and its relatives alone. On Fedora and its relatives the command is
told with their names there.
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


# What Fedora calls the packages of Debian; the others have the same name in both.
FEDORA = {
    "fonts-dejavu-core": "dejavu-sans-fonts",
    "libdbus-1-3": "dbus-libs",
    "libegl1": "libglvnd-egl",
    "libfontconfig1": "fontconfig",
    "libfreetype6": "freetype",
    "libgl1": "libglvnd-glx",
    "libglib2.0-0": "glib2",
    "libwayland-client0": "libwayland-client",
    "libwayland-cursor0": "libwayland-cursor",
    "libx11-6": "libX11",
    "libx11-xcb1": "libX11-xcb",
    "libxcb-cursor0": "xcb-util-cursor",
    "libxcb-icccm4": "xcb-util-wm",
    "libxcb-image0": "xcb-util-image",
    "libxcb-keysyms1": "xcb-util-keysyms",
    "libxcb-randr0": "libxcb",
    "libxcb-render0": "libxcb",
    "libxcb-render-util0": "xcb-util-renderutil",
    "libxcb-shape0": "libxcb",
    "libxcb-shm0": "libxcb",
    "libxcb-sync1": "libxcb",
    "libxcb-util1": "xcb-util",
    "libxcb-xfixes0": "libxcb",
    "libxcb-xkb1": "libxcb",
    "libxcb1": "libxcb",
    "libxkbcommon0": "libxkbcommon",
    "libxkbcommon-x11-0": "libxkbcommon-x11",
}


def command_for(packages: Sequence[str]) -> str:
    """The command that a person types to install these packages.

    Args:
        packages: Their names in Debian.
    """
    if shutil.which("apt-get") is None and shutil.which("dnf") is not None:
        names = sorted({FEDORA.get(name, name) for name in packages})
        return "sudo dnf install " + " ".join(names)
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
