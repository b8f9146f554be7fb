"""Private diagnostics: the truth beside the release, for the holder of the data alone.

Another type than the public report, built from other inputs, written to another place. Nothing of
it may be published: every difference between truth and estimate reveals the truth.
"""

from __future__ import annotations

import os
from pathlib import Path

from dpdesk.data.write_file import write_file
from dpdesk.errors import ReleaseError
from dpdesk.report.comparison import PrivateDiagnostics, private_diagnostics
from dpdesk.report.page import page
from dpdesk.report.release_folder import MANIFEST_NAME

__all__ = ["PrivateDiagnostics", "private_diagnostics", "write_private_diagnostics"]


def write_private_diagnostics(
    diagnostics: PrivateDiagnostics,
    path: Path,
    release_folder: Path | None = None,
    *,
    overwrite: bool = True,
) -> None:
    """Writes private diagnostics to a file that nobody but the user may read (mode 0600).

    Args:
        diagnostics: What to write.
        path: A file ending in `.html` or `.json`.
        release_folder: The folder of the release, which the file must not lie in. A folder with
            the manifest of a release is refused in any case.
        overwrite: Whether an earlier file of this name may be replaced.

    Raises:
        ReleaseError: The file would lie in a release, has another ending, or cannot be written.
    """
    check_private_path(path, release_folder)
    if path.suffix.lower() == ".json":
        text = diagnostics.model_dump_json(indent=2) + "\n"
    else:
        text = page("private.html.j2", diagnostics=diagnostics)
    write_file(path, text, overwrite=overwrite, private=True)


def check_private_path(path: Path, release_folder: Path | None = None) -> None:
    """Refuses a path that private diagnostics must not be written to.

    Raises:
        ReleaseError: The path has another ending than .html or .json, or lies in a release.
    """
    if path.suffix.lower() not in {".html", ".json"}:
        raise ReleaseError(
            "Private diagnostics are written as .html or .json.", remedy="Choose such a name."
        )
    # Of os.path: those of Path raise for a link to itself and for a name that is too long.
    folders = Path(os.path.realpath(path)).parents
    chosen = None if release_folder is None else Path(os.path.realpath(release_folder))
    if any(folder == chosen or os.path.lexists(folder / MANIFEST_NAME) for folder in folders):
        raise ReleaseError(
            "Private diagnostics hold true answers and must not lie in the folder of a release.",
            remedy="Choose a place that is not published.",
        )
