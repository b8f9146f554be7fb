"""The folder of a release: written whole under another name, then renamed, or not at all.

While a folder is being written, its process holds a lock on it. An unfinished folder without a lock
was left by a killed run; the next run beside it removes it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dpdesk.data.record_files import RECORD_FILES
from dpdesk.data.regular_file import is_folder
from dpdesk.data.write_file import (
    ReservedSpace,
    clear_if_left,
    final_name,
    held_anew,
    name_of,
    sync_folder,
    umask,
)
from dpdesk.engine.jobs import Tracker
from dpdesk.errors import Cancelled, DpdeskError, ReleaseError
from dpdesk.releases.texts import T
from dpdesk.reports.pdf import Paper, pdf_of_page
from dpdesk.reports.registry import REGISTRY_NAME

MANIFEST_NAME, PLAN_NAME = "manifest.json", "plan.json"
REPORT_NAME, HTML_NAME, PDF_NAME = "report.json", "report.html", "report.pdf"
ANNEX_NAME = "annex.html"
LEVELS_MOST = 64
"""Most columns of a coarsened file that have levels."""
_PIECE = 1 << 20
_PART = re.compile(r"\..+\.[a-z0-9_]{8}\.part")


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
    clear_left_parts(target.parent)
    with held_anew(lambda: _make_part(target)) as part:
        try:
            yield part
        except OSError as error:
            _remove(part)
            raise _cannot_write(target, error) from None
        except BaseException:
            _remove(part)
            raise


def clear_left_parts(folder: Path) -> None:
    """Removes unfinished hidden folders of ours that killed runs left and no process locks."""
    with suppress(OSError):
        for part in folder.glob(".*.part"):
            if _PART.fullmatch(part.name) and not part.is_symlink() and part.is_dir():
                _clear(part)


def _clear(part: Path) -> None:
    with suppress(OSError):
        if {final_name(path.name) for path in part.iterdir()} <= possible_files():
            clear_if_left(part, _remove)


def possible_files() -> frozenset[str]:
    """Returns every file that a release folder can contain; one with others is not ours."""
    tables = {"codebook.csv", "estimates.csv", "statistics.csv"}
    scripts = {"analysis.py", "analysis.R"}
    documents = {
        ANNEX_NAME,
        HTML_NAME,
        PDF_NAME,
        REGISTRY_NAME,
        MANIFEST_NAME,
        PLAN_NAME,
        REPORT_NAME,
    }
    levels = {levels_name(place) for place in range(LEVELS_MOST)}
    records = {kind.name for kind in RECORD_FILES}
    return frozenset(tables | scripts | documents | levels | records)


def levels_name(place: int) -> str:
    """Returns the name of the file of levels of a coarsened column, by its place from 0 on."""
    return f"levels-{place + 1}.csv"


@contextmanager
def reserved_space(folder: Path, size: int) -> Iterator[None]:
    """Reserves disk space while something is charged, so that the release can then be written.

    Args:
        folder: Where they will be written.
        size: Number of bytes.

    Raises:
        ReleaseError: There is not enough room; nothing was charged.
    """
    try:
        reserved = ReservedSpace(folder, size)
    except OSError as error:
        reason = error.strerror or "the file system refused"
        raise ReleaseError(T.NO_ROOM(size=f"{size / 1e6:,.1f}", reason=reason)) from None
    try:
        yield
    finally:
        reserved.free()


def bytes_of_documents(columns: int, cells: int) -> int:
    """Returns an upper bound on report, estimates and codebook, as measured on large releases.

    Args:
        columns: Number of columns or queries.
        cells: Number of categories, grid points or cells of all of them together.
    """
    return (1 << 20) + (1 << 16) * columns + (1 << 12) * cells


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
    # The release exists from here on: an error now must not say that nothing was released.
    with suppress(OSError):
        sync_folder(target.parent)
    return files


def _make_part(target: Path) -> Path:
    if os.path.lexists(target) and (target.is_symlink() or not is_folder(target)):
        raise ReleaseError(T.NOT_A_FOLDER(name=target.name))
    try:
        if is_folder(target) and any(target.iterdir()):
            raise ReleaseError(T.NOT_EMPTY(name=name_of(target)))
        target.parent.mkdir(parents=True, exist_ok=True)
        made = tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    except OSError as error:
        raise _cannot_write(target, error) from None
    return Path(made)


def write_text(path: Path, text: str) -> None:
    """Writes a text file as every system reads it."""
    path.write_text(text, encoding="utf-8", newline="\n")


def write_pages(part: Path, page: str, paper: Paper, tracker: Tracker) -> None:
    """Writes the report for people: as a page for browsers and as PDF for paper and archives.

    Args:
        part: The folder.
        page: The report.
        paper: The size of the pages of the PDF.
        tracker: Told of what is missing.
    """
    write_text(part / HTML_NAME, page)
    with may_fail(part / PDF_NAME, tracker):
        (part / PDF_NAME).write_bytes(pdf_of_page(page, paper))


@contextmanager
def may_fail(path: Path, tracker: Tracker) -> Iterator[None]:
    """Writes a file that a release can do without.

    The release is charged by then: whatever goes wrong must not lose the records, so that the file
    is left out, with a warning.

    Args:
        path: The file.
        tracker: Told of what is missing.

    Raises:
        Cancelled: The user cancelled.
    """
    try:
        yield
    except Cancelled:
        raise
    except Exception as error:  # noqa: BLE001 - what an unforeseen error is, nobody can list
        with suppress(OSError):
            path.unlink(missing_ok=True)
        # The words of an unforeseen error may hold an answer.
        known = isinstance(error, DpdeskError)
        reason = str(error) if known else T.NOT_MADE(kind=type(error).__name__)
        tracker.warn(T.WITHOUT_FILE(file=path.name, reason=reason))


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
    sync_folder(folder)
    # mkdtemp makes the folder private; a release has the permissions of any new folder.
    folder.chmod(0o777 & ~umask())


def _remove(part: Path) -> None:
    shutil.rmtree(part, ignore_errors=True)


def _cannot_write(target: Path, error: OSError) -> ReleaseError:
    reason = str(error.strerror)
    if isinstance(error, PermissionError):
        return ReleaseError(T.NO_RIGHTS(name=name_of(target.absolute().parent), reason=reason))
    return ReleaseError(T.NOT_WRITTEN(name=name_of(target), reason=reason))
