"""The libraries of the system that Qt's window needs on Linux; the wheels do not bring them.

The list is what Qt's modules that the window uses and its platforms xcb, Wayland and offscreen of
PySide6 6.10 and 6.11 are linked against, apart from what every Linux has.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from pathlib import Path

import system_packages
from setup_log import open_log, step

PACKAGE_OF_LIBRARY = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
FONT_PACKAGE = "fonts-dejavu-core"
FONT_FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".fonts",
    Path.home() / ".local/share/fonts",
)


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _has_font() -> bool:
    return any(
        path.suffix.lower() in {".ttf", ".otf", ".ttc"}
        for folder in FONT_FOLDERS
        if folder.is_dir()
        for path in folder.rglob("*")
    )


def missing_packages(
    loads: Callable[[str], bool] = _loads, has_font: Callable[[], bool] = _has_font
) -> list[str]:
    """The packages of Debian that are needed and not there.

    Args:
        loads: Whether a shared library can be loaded.
        has_font: Whether there is a font to write with.

    Returns:
        Names of packages, sorted; always empty on other systems than Linux.
    """
    if not sys.platform.startswith("linux"):
        return []
    missing = {package for library, package in PACKAGE_OF_LIBRARY.items() if not loads(library)}
    if not has_font():
        missing.add(FONT_PACKAGE)
    return sorted(missing)


def ensure() -> bool:
    """Install what is missing where that is allowed; otherwise name it in one line.

    Returns:
        Whether everything is there now.
    """
    missing = missing_packages()
    if not missing:
        return True
    if system_packages.install(missing, open_log()):
        missing = missing_packages()
    if missing:
        step(
            "the window needs libraries that this system lacks; install them with: "
            + system_packages.command_for(missing)
        )
    return not missing
