"""Paths on the command line, and `-`, which stands for the standard input and output.

An option that names a file or folder notes what it is to the command, which `file_checks` goes by.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpdesk.cli.texts import T

if TYPE_CHECKING:
    from dpdesk.data.address import Address
    from dpdesk.data.place import Place


FILES_READ, FILES_WRITTEN, FOLDERS_MADE = "files_read", "files_written", "folders_made"
"""What a file or folder is to a command: names under which the options list them."""


@cache
def standard_stream() -> Path:
    """The path that `-` is read as; it is known by its identity, since `./-` is equal to it."""
    return Path("-")


def path_of(text: str) -> Path:
    """Reads the path of a file; an empty one would be the current folder.

    Raises:
        argparse.ArgumentTypeError: It is empty, not valid as a path, or an address.
    """
    if not text.strip() or "\0" in text:
        raise argparse.ArgumentTypeError(T.EMPTY_PATH())
    if "://" not in text:
        return Path(text)
    from dpdesk.data.place import path_named

    path = path_named(text)
    if path is None:
        raise argparse.ArgumentTypeError(T.NO_ADDRESS())
    return path


def path_or_stream(text: str) -> Path:
    """Reads the path of a file, or `-`."""
    return standard_stream() if text == "-" else path_of(text)


def table_of(text: str) -> Path | Address:
    """Reads where a table of answers lies: a path, `-`, or an address that fsspec opens."""
    return _address(text) or path_or_stream(text)


def place_of(text: str) -> Path:
    """Reads the path of what no stream can hold: a folder, a ledger, private diagnostics."""
    if text == "-":
        raise argparse.ArgumentTypeError(T.NO_STREAM())
    return path_of(text)


def _address(text: str) -> Address | None:
    # A word that is none, as nearly all are, costs no import.
    if "://" not in text:
        return None
    from dpdesk.data.place import path_named

    if path_named(text) is not None:
        return None
    from dpdesk.data.address import Address

    return Address(text)


def without_addresses(message: str, words: Sequence[str]) -> str:
    """Returns a message in which addresses stand by their names, which hold no secret.

    Args:
        message: What is to be printed; it may quote words of the command line, or a part of them.
        words: These words; an address may be a part of one, as in `--set name=s3://...`.
    """
    for word in words:
        if "://" not in word:
            continue
        from dpdesk.data.address import Address
        from dpdesk.data.place import address_in

        address = address_in(word)
        if not address:
            continue
        name = Address(address).name
        for quoted in (address, repr(address)[1:-1], *_secrets_of(address)):
            message = message.replace(quoted, name)
    return message


def _secrets_of(address: str) -> Iterator[str]:
    """Yields what stands before the host and behind the path of an address."""
    before, at, _ = address.rpartition("@")
    if at:
        yield before.rpartition("://")[2]
    _, mark, query = address.partition("?")
    if mark and query:
        yield query


def streams_of(options: argparse.Namespace, role: str) -> list[str]:
    """Returns the names of the options that are `-` in the place of a file of a role."""
    noted: dict[str, str] = getattr(options, "streams", {})
    return [
        name
        for name, its_role in noted.items()
        if its_role == role and getattr(options, name) is standard_stream()
    ]


class FileOption(argparse.Action):
    """Stores a value, and adds the files in it to the list of their role.

    Attributes:
        role: What its files are to the command.
    """

    role = ""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Stores a value that was read; argparse calls it."""
        setattr(namespace, self.dest, self.value(namespace, values))
        if values is standard_stream():
            namespace.streams = {**getattr(namespace, "streams", {}), self.dest: self.role}
            return
        known = getattr(namespace, self.role, ())
        setattr(namespace, self.role, (*known, *self.files(values)))

    def value(self, namespace: argparse.Namespace, values: Any) -> Any:
        """Returns what is stored under the option's name."""
        return values

    def files(self, values: Any) -> Sequence[Path]:
        """Returns the files of this computer that a value names: a path, a place, or None."""
        if values is None:
            return ()
        if isinstance(values, Path):
            return (values,)
        place: Place = values
        return place.files


class InputOption(FileOption):
    """Stores a file that is read."""

    role = FILES_READ


class OutputOption(FileOption):
    """Stores a file that is written."""

    role = FILES_WRITTEN


class PlaceOption(FileOption):
    """Stores a folder, or a file with checks of its own."""

    role = "places"


class NewFolderOption(FileOption):
    """Stores a folder that the command makes."""

    role = FOLDERS_MADE


class ReleaseOption(InputOption):
    """Stores the folder or the records of a release; what lies beside the records is read too."""

    def files(self, values: Any) -> Sequence[Path]:
        from dpdesk.releases.verify import files_read_with

        return files_read_with(values) if isinstance(values, Path) else super().files(values)


class SettingOption(InputOption):
    """Stores every setting; a file that a setting names is an input.

    Attributes:
        named: Finds the names of the files in a setting.
    """

    named: Callable[[str], Iterable[str]]

    def value(self, namespace: argparse.Namespace, values: Any) -> Any:
        return [*getattr(namespace, self.dest), values]

    def files(self, values: Any) -> Sequence[Path]:
        return tuple(Path(name) for name in self.named(values))
