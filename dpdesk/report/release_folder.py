"""The folder of a release: written whole under another name, then renamed, or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dpdesk.data.regular_file import is_folder
from dpdesk.data.whole_file import name_of
from dpdesk.engine.jobs import Tracker
from dpdesk.errors import ReleaseError

MANIFEST_NAME = "manifest.json"
_PIECE = 1 << 20


@contextmanager
def release_folder(target: Path) -> Iterator[Path]:
    """Makes a hidden folder beside a target; it is removed unless `seal` gave it its place.

    Args:
        target: The folder that is to be, an absolute path.

    Yields:
        The hidden folder.

    Raises:
        ReleaseError: The target exists already, or cannot be written.
    """
    part = _make_part(target)
    try:
        yield part
    except OSError as error:
        _remove(part)
        raise _cannot_write(target, error) from None
    except BaseException:
        _remove(part)
        raise


def seal(part: Path, target: Path, release_id: str, tracker: Tracker) -> tuple[str, ...]:
    """Writes the manifest, makes everything durable and gives the folder its name.

    Returns:
        The names of all files, the manifest's last.
    """
    tracker.progress("Sealing the folder", 0.98)
    files = _write_manifest(part, release_id, tracker)
    _sync(part)
    tracker.tick()
    # os.replace puts the folder in the place of an empty one, and of nothing else.
    os.replace(part, target)  # noqa: PTH105 - Path.replace hides that this is one rename
    _sync_folder(target.parent)
    return files


def _make_part(target: Path) -> Path:
    if os.path.lexists(target) and (target.is_symlink() or not is_folder(target)):
        raise ReleaseError(
            f"{target.name} exists already and is not a folder.", remedy="Choose another name."
        )
    try:
        if is_folder(target) and any(target.iterdir()):
            raise ReleaseError(
                f"The folder {name_of(target)} is not empty.",
                remedy="Choose a new folder; a release never overwrites another.",
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        made = tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    except OSError as error:
        raise _cannot_write(target, error) from None
    return Path(made)


def write_text(path: Path, text: str) -> None:
    """Writes a text file as every system reads it."""
    path.write_text(text, encoding="utf-8", newline="\n")


def _write_manifest(folder: Path, release_id: str, tracker: Tracker) -> tuple[str, ...]:
    """Lists every file with its size and SHA-256; returns all names, the manifest's last."""
    names = sorted(path.name for path in folder.iterdir())
    entries = [
        {
            "file": name,
            "bytes": (folder / name).stat().st_size,
            "sha256": _digest(folder / name, tracker),
        }
        for name in names
    ]
    content = {
        "format": "dpdesk-release",
        "version": 1,
        "release_id": release_id,
        "files": entries,
    }
    write_text(folder / MANIFEST_NAME, json.dumps(content, indent=2) + "\n")
    return (*names, MANIFEST_NAME)


def _digest(path: Path, tracker: Tracker) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            tracker.tick()
            digest.update(piece)
    return digest.hexdigest()


def _sync(folder: Path) -> None:
    """Makes the contents durable before the rename makes them visible."""
    for path in folder.iterdir():
        with path.open("rb") as file:
            os.fsync(file.fileno())
    _sync_folder(folder)
    # mkdtemp makes the folder private; a release has the permissions of any new folder.
    mask = os.umask(0)
    os.umask(mask)
    folder.chmod(0o777 & ~mask)


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":  # other systems cannot open a folder
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(part: Path) -> None:
    shutil.rmtree(part, ignore_errors=True)


def _cannot_write(target: Path, error: OSError) -> ReleaseError:
    return ReleaseError(
        f"The folder {name_of(target)} cannot be written: {error.strerror}.",
        remedy="Free space or choose another place; nothing was left behind.",
    )
