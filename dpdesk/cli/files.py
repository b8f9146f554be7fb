"""The files that a command reads and writes: declared in its words, checked before it begins.

No command writes over a file that it reads, by any name of that file, nor over another one unless
it is told to.
"""

from __future__ import annotations

import argparse
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from dpdesk.errors import ParameterError, ReleaseError

if TYPE_CHECKING:
    from pathlib import Path


class _FileAction(argparse.Action):
    """Keeps a path under the option's name, and in the list of files of its kind."""

    listed = ""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        setattr(namespace, self.dest, values)
        if values is not None:
            known = getattr(namespace, self.listed, ())
            setattr(namespace, self.listed, (*known, values))


class _Setting(argparse.Action):
    """Keeps every setting; a file that one of them names after @ is a file that is read."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        from pathlib import Path

        setattr(namespace, self.dest, [*getattr(namespace, self.dest), values])
        named = (Path(name) for name in re.findall(r"=@([^,]+)", values))
        namespace.files_read = (*getattr(namespace, "files_read", ()), *named)


class _Input(_FileAction):
    listed = "files_read"


class _Output(_FileAction):
    listed = "files_written"


class _Place(_FileAction):
    listed = "places"


def path_of(text: str) -> Path:
    """Reads the path of a file; an empty one would be the folder that the user stands in.

    Raises:
        argparse.ArgumentTypeError: It is empty, or no path at all.
    """
    from pathlib import Path

    if not text.strip() or "\0" in text:
        raise argparse.ArgumentTypeError("a path is empty")
    return Path(text)


def add_input(parser: argparse._ActionsContainer, *names: str, **words: Any) -> None:
    """Adds the option of a file that is read."""
    parser.add_argument(*names, action=_Input, type=path_of, **words)


def add_settings(parser: argparse._ActionsContainer, *names: str, **words: Any) -> None:
    """Adds a repeatable option of settings, whose values may be read from a file: NAME=@FILE."""
    parser.add_argument(*names, action=_Setting, default=[], **words)


def add_output(parser: argparse._ActionsContainer, *names: str, **words: Any) -> None:
    """Adds the option of a file that is written, and with the first one `--overwrite`."""
    parser.add_argument(*names, action=_Output, type=path_of, **words)
    if "--overwrite" not in parser._option_string_actions:
        parser.add_argument(
            "--overwrite",
            action="store_true",
            help="replace an earlier file of the same name; a file that is read never is",
        )


def add_place(parser: argparse._ActionsContainer, *names: str, **words: Any) -> None:
    """Adds the option of a folder, or of a file that has an owner of its own, such as a ledger."""
    parser.add_argument(*names, action=_Place, type=path_of, **words)


def check_files(options: argparse.Namespace) -> None:
    """Refuses to begin a command that would write where it must not.

    Raises:
        ReleaseError: A file is read and written, is written twice, or exists already.
    """
    written = getattr(options, "files_written", ())
    if not written:
        return
    from dpdesk.data.write_file import check_place

    read = list(getattr(options, "files_read", ()))
    for path in written:
        _refuse_ledger(path, getattr(options, "ledger", None))
        check_place(path, inputs=read, overwrite=options.overwrite)
        read.append(path)


def _refuse_ledger(path: Path, named: Path | None) -> None:
    """Refuses to write over any ledger, or over what belongs to the one that is charged."""
    from dpdesk.data.write_file import is_same_file
    from dpdesk.ledger.place import default_path, files_of, witness_path
    from dpdesk.ledger.store import shows_a_ledger

    ledgers = [] if named is None else [named]
    with suppress(ParameterError):
        ledgers.append(default_path())
    own = [file for ledger in ledgers for file in (*files_of(ledger), witness_path(ledger))]
    if any(is_same_file(path, file) for file in own) or shows_a_ledger(path):
        raise ReleaseError(
            f"{path.name} belongs to a ledger of dpdesk and would be destroyed.",
            remedy="Choose another name for the result.",
        )
