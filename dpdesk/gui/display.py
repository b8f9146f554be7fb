"""Checks whether a window can be opened, because Qt would end the process if it cannot.

The check runs in a child process and imports nothing of Qt into this one.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from importlib.util import find_spec

from dpdesk.errors import DpdeskError

_PATIENCE = 20.0
"""Seconds to wait for an answer of the display."""

_WINDOWLESS = frozenset({"offscreen", "minimal"})
_NO_QT = 3
BUNDLE_NEEDS = ("libegl1", "libgl1", "libwayland-client0", "libwayland-cursor0", "libxcb1")
"""Packages of Debian whose libraries a bundle leaves to the system, as they go with its display."""

BUNDLE_NEEDS_FEDORA = (
    "libglvnd-egl",
    "libglvnd-glx",
    "libwayland-client",
    "libwayland-cursor",
    "libxcb",
)
"""The same on Fedora."""

_COMMANDS = "Every command works without a window: 'dpdesk --help' lists them."


class DisplayError(DpdeskError):
    """No display can be used for a window."""


class NoDisplayError(DisplayError):
    """No display is named at all, as on a server."""


class NoWindowError(DisplayError):
    """The packages of the window are not installed, as on a server."""


def require_packages() -> None:
    """Looks whether the packages of the window are installed, without importing them.

    Raises:
        NoWindowError: One of them is not.
    """
    missing = [name for name in ("PySide6", "pyqtgraph") if find_spec(name) is None]
    if missing:
        raise NoWindowError(
            f"The window needs {' and '.join(missing)}: pip install 'dpdesk[window]'.",
            remedy=_COMMANDS,
        )


class DisplayProbe:
    """Tries the display in a child process, while this one imports the window.

    Only on Linux and similar systems: Windows and macOS always have a display.

    Raises:
        NoDisplayError: No display is named at all.
    """

    def __init__(self) -> None:
        self._child: int | None = None
        if sys.platform in {"win32", "darwin", "cygwin"} or not hasattr(os, "fork"):
            return
        wanted = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0]
        if wanted in _WINDOWLESS:
            return
        named = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
        if not wanted and not named:
            raise NoDisplayError(
                "There is no display to open a window on: neither DISPLAY nor WAYLAND_DISPLAY is "
                "set.",
                remedy=_COMMANDS,
            )
        self._child = os.fork()
        if self._child == 0:
            _open_and_end()

    def require(self) -> None:
        """Waits for the child.

        Raises:
            DisplayError: The display cannot be opened, or does not answer.
        """
        child, self._child = self._child, None
        if child is None:
            return
        ended, status = os.waitpid(child, os.WNOHANG)
        deadline = time.monotonic() + _PATIENCE
        while not ended:
            if time.monotonic() > deadline:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                raise DisplayError(
                    f"The display {_name()} does not answer.",
                    remedy=f"Name another one in DISPLAY. {_COMMANDS}",
                )
            time.sleep(0.005)
            ended, status = os.waitpid(child, os.WNOHANG)
        code = os.waitstatus_to_exitcode(status)
        if code == _NO_QT:
            raise DisplayError(
                "Qt cannot be loaded: libraries of the system are missing.",
                remedy=f"{_completing()} {_COMMANDS}",
            )
        if code != 0:
            raise DisplayError(
                f"A window cannot be opened on the display {_name()}.",
                remedy="Check that it runs and that you may use it, and that the libraries of Qt "
                f"are complete. {_completing()} {_COMMANDS}",
            )


def _completing() -> str:
    """Says how to get libraries of the system, as somebody can do it with this kind of dpdesk."""
    if not hasattr(sys, "_MEIPASS"):
        return "python3 packaging/start.py in a checkout names missing ones."
    return (
        f"On Debian and Ubuntu: sudo apt-get install {' '.join(BUNDLE_NEEDS)}. "
        f"On Fedora: sudo dnf install {' '.join(BUNDLE_NEEDS_FEDORA)}."
    )


def _name() -> str:
    keys = ("WAYLAND_DISPLAY", "DISPLAY", "QT_QPA_PLATFORM")
    return " or ".join(os.environ[key] for key in keys if os.environ.get(key))


def _open_and_end() -> None:
    """The task of the child: opens the display as the window will, silently, and ends."""
    code = 1
    try:
        import resource

        # Qt aborts if it fails; that must not leave a core dump.
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        silent = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(silent, descriptor)
        try:
            from PySide6.QtGui import QGuiApplication
        except ImportError:
            code = _NO_QT
        else:
            QGuiApplication(["dpdesk"])
            code = 0
    finally:
        os._exit(code)
