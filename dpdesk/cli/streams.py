"""What a command prints, and `-` in the place of a file that it reads or writes.

With `--json`, `--quiet` or a file that is printed, text is left out: the standard output then holds
what was asked for and nothing else. Notes, warnings and errors go to the standard error stream.

Commands work with files, which are checked, read twice or replaced as a whole. So what comes in is
kept in one for the time of the command, on Linux in memory alone; what goes out is written into a
folder that only the user can read, and printed when the command is done.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, BinaryIO

from dpdesk.cli.paths import FILES_READ, FILES_WRITTEN, streams_of
from dpdesk.cli.terminal import print_bytes, text_left_out
from dpdesk.cli.texts import T
from dpdesk.errors import InputError, ParameterError

if TYPE_CHECKING:
    from pathlib import Path

_PIECE = 1 << 20


@contextmanager
def streams(options: argparse.Namespace) -> Iterator[None]:
    """Gives a command its standard streams; each option that is `-` becomes a file for this time.

    Args:
        options: The options of the command; those that are `-` are changed.

    Raises:
        ParameterError: Two options want the same stream.
        InputError: There is no standard input, or it cannot be read.
        OutputError: The output cannot be written.
    """
    read = _the_one(options, FILES_READ)
    written = _the_one(options, FILES_WRITTEN)
    as_json = getattr(options, "json", False)
    if written and as_json:
        raise ParameterError(T.BOTH_OUTPUT(option=options.given[written]))
    out: Path | None = None
    with ExitStack() as held:
        if read or written:
            from pathlib import Path
            from tempfile import TemporaryDirectory

            folder = Path(held.enter_context(TemporaryDirectory(prefix="dpdesk-")))
            if read:
                setattr(options, read, _kept(folder / "standard input", held))
            if written:
                out = folder / "standard output"
                setattr(options, written, out)
        if out is not None or as_json or getattr(options, "quiet", False):
            held.enter_context(text_left_out())
        yield
        if out is not None and out.exists():
            print_bytes(out.read_bytes())


def _the_one(options: argparse.Namespace, role: str) -> str:
    """Returns the option that is `-` in a role; may be empty."""
    found = streams_of(options, role)
    if len(found) > 1:
        words = [options.given[name] for name in found]
        raise ParameterError(T.ONE_STREAM(options=words))
    return found[0] if found else ""


def _kept(place: Path, held: ExitStack) -> Path:
    """Keeps the standard input in a file, and returns its path."""
    if sys.stdin is None:
        raise InputError(T.NO_INPUT())
    if sys.platform == "linux":
        # Answers that came through a pipe are not left on a disk, whatever ends the program.
        file: BinaryIO = held.enter_context(os.fdopen(os.memfd_create("dpdesk"), "wb"))
        place.symlink_to(f"/proc/self/fd/{file.fileno()}")
    else:
        file = held.enter_context(place.open("wb"))
    _copy(file)
    return place


def _copy(file: BinaryIO) -> None:
    """Writes the standard input to a file, up to one byte more than any reader accepts."""
    from dpdesk.data.regular_file import DATA_MAX

    left = DATA_MAX + 1
    try:
        while left > 0 and (piece := sys.stdin.buffer.read(min(_PIECE, left))):
            file.write(piece)
            left -= len(piece)
        file.flush()
    except OSError as error:
        raise InputError(T.UNREADABLE_INPUT(reason=error.strerror or T.ENDED_EARLY())) from None
