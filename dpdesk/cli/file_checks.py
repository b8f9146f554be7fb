"""Checks the files of a command before it begins: what is read is never written over.

None is written over a file that the command reads, whatever name that has, none into a release, and
none over another file without `--overwrite`. Folders are not made on the way to them.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from dpdesk.cli.paths import FILES_READ, FILES_WRITTEN, FOLDERS_MADE, streams_of
from dpdesk.cli.texts import T
from dpdesk.errors import ParameterError, ReleaseError

if TYPE_CHECKING:
    from pathlib import Path


def check_files(options: argparse.Namespace) -> None:
    """Refuses to begin a command that would write where it must not.

    Raises:
        ReleaseError: A file is read and written, is written twice, or exists already, or would
            lie in a release, or there is no folder for it.
    """
    written, made = (getattr(options, role, ()) for role in (FILES_WRITTEN, FOLDERS_MADE))
    prints = bool(streams_of(options, FILES_WRITTEN))
    if not (written or made or prints):
        return
    from pathlib import Path

    from dpdesk.data.write_file import check_place, require_folder

    read = list(getattr(options, FILES_READ, ()))
    standard_input = Path("/dev/stdin")
    if streams_of(options, FILES_READ) and standard_input.exists():
        read.append(standard_input)
    if prints:
        _refuse_printing_over(read)
    for path in written:
        _refuse_ledger(path, getattr(options, "ledger", None))
        _refuse_release(path, getattr(options, "out", None))
        check_place(path, inputs=read, overwrite=options.overwrite)
        read.append(path)
    # A mistyped folder is not made, and not found missing when the work is done.
    for path in (*written, *made):
        require_folder(path)


def _refuse_printing_over(read: Iterable[Path]) -> None:
    """Refuses a standard output that was redirected to the end of a file that is read."""
    from pathlib import Path

    from dpdesk.data.write_file import is_same_file, name_of

    out = Path("/dev/stdout")
    # A terminal is both streams, and loses nothing.
    for path in read if out.is_file() else ():
        if is_same_file(out, path):
            raise ReleaseError(T.PRINTED_OVER(file=name_of(path)))


def _refuse_ledger(path: Path, named: Path | None) -> None:
    """Refuses to write over any ledger, or over what belongs to the one that is charged."""
    from dpdesk.data.write_file import is_same_file
    from dpdesk.ledgers.place import default_path, files_of, witness_path
    from dpdesk.ledgers.store import shows_a_ledger

    ledgers = [] if named is None else [named]
    with suppress(ParameterError):
        ledgers.append(default_path())
    own = [file for ledger in ledgers for file in (*files_of(ledger), witness_path(ledger))]
    if any(is_same_file(path, file) for file in own) or shows_a_ledger(path):
        raise ReleaseError(T.IS_LEDGER(file=path.name))


def _refuse_release(path: Path, made: Path | None) -> None:
    """Refuses to write into a release, or into the folder that the command is to make."""
    from pathlib import Path

    # Of os.path: that of Path raises for a link to itself.
    folders = {Path(os.path.realpath(path.parent)), Path(os.path.realpath(path)).parent}
    inside = made is not None and Path(os.path.realpath(made)) in folders
    if not inside and any(os.path.lexists(folder / "manifest.json") for folder in folders):
        from dpdesk.releases.verify import is_sealed

        inside = any(map(is_sealed, folders))
    if inside:
        raise ReleaseError(T.IN_RELEASE(file=path.name))
