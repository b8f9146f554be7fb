"""Where the files that travel with the program are: samples, themes, icons, pages.

The same relative path names a file in a checkout (`<root>/resources`), in an installed wheel
(`dpdesk/resources`, beside this module) and in a frozen bundle (under `sys._MEIPASS`).
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path, PurePosixPath


@cache
def resource_root() -> Path:
    """The folder that holds every resource.

    Returns:
        An existing folder.

    Raises:
        FileNotFoundError: The installation is incomplete.
    """
    candidates = _candidates()
    for candidate in candidates:
        if candidate.is_dir():
            return candidate
    # The folder is named without the place of the installation: the message may be sent on.
    raise FileNotFoundError("The folder 'resources' of dpdesk is missing. Install dpdesk again.")


def resource(relative: str) -> Path:
    """The path of one resource.

    Args:
        relative: Path below the resource folder with forward slashes, such as
            `"samples/affairs/affairs.csv"`.

    Returns:
        An existing file or folder.

    Raises:
        ValueError: `relative` is absolute or leaves the resource folder.
        FileNotFoundError: There is no such resource.
    """
    inner = PurePosixPath(relative)
    if inner.is_absolute() or ".." in inner.parts:
        raise ValueError(f"A resource is named by a path below the resource folder: {relative!r}")
    path = resource_root().joinpath(*inner.parts)
    if not path.exists():
        raise FileNotFoundError(f"dpdesk has no resource {relative!r}. Install dpdesk again.")
    return path


def third_party_licences() -> Path | None:
    """The file with the licences of everything that a bundle holds.

    Returns:
        Its path, beside the program, or among the resources of a program of macOS; None where
        dpdesk is no bundle: each package that was installed brings its own licence then.
    """
    bundle = getattr(sys, "_MEIPASS", None)
    if bundle is None:
        return None
    folders = (Path(sys.executable).resolve().parent, Path(bundle).with_name("Resources"))
    paths = (folder / "THIRD-PARTY-LICENCES" for folder in folders)
    return next((path for path in paths if path.is_file()), None)


def _candidates() -> tuple[Path, ...]:
    package = Path(__file__).resolve().parent
    bundle = getattr(sys, "_MEIPASS", None)
    if bundle is not None:
        return (Path(bundle) / "resources", Path(bundle) / "dpdesk" / "resources")
    # A checkout is asked first: in an editable installation its files are the current ones.
    checkout = package.parent / "resources"
    if (package.parent / "pyproject.toml").is_file():
        return (checkout, package / "resources")
    return (package / "resources",)
