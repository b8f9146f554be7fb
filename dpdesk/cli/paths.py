"""Paths on the command line, and `-`, which stands for the standard input and output."""

from __future__ import annotations

import argparse
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


FILES_READ, FILES_WRITTEN = "files_read", "files_written"
"""What a file is to a command: names under which the options list their files."""


@cache
def standard_stream() -> Path:
    """The path that `-` is read as; it is known by its identity, since `./-` is equal to it."""
    from pathlib import Path

    return Path("-")


def path_of(text: str) -> Path:
    """Reads the path of a file; an empty one would be the current folder.

    Raises:
        argparse.ArgumentTypeError: It is empty, or not valid as a path.
    """
    from pathlib import Path

    if not text.strip() or "\0" in text:
        raise argparse.ArgumentTypeError("a path is empty")
    return Path(text)


def path_or_stream(text: str) -> Path:
    """Reads the path of a file, or `-`.

    Raises:
        argparse.ArgumentTypeError: As for `path_of`.
    """
    return standard_stream() if text == "-" else path_of(text)


def place_of(text: str) -> Path:
    """Reads the path of what no stream can hold: a folder, a ledger, private diagnostics.

    Raises:
        argparse.ArgumentTypeError: It is `-`, or as for `path_of`.
    """
    if text == "-":
        raise argparse.ArgumentTypeError(
            "- stands for the standard input or output, which cannot be used here; name a place, "
            "such as ./- for one that is called so"
        )
    return path_of(text)


def streams_of(options: argparse.Namespace, role: str) -> list[str]:
    """Returns the names of the options that are `-` in the place of a file of a role."""
    noted: dict[str, str] = getattr(options, "streams", {})
    return [
        name
        for name, its_role in noted.items()
        if its_role == role and getattr(options, name) is standard_stream()
    ]
