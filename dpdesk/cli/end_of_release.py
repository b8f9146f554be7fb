"""How a command ends that released something: what it prints, and what it says if it cannot."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.terminal import OutputError, abandon_output, plain, print_json
from dpdesk.cli.texts import T
from dpdesk.errors import ReleaseError

if TYPE_CHECKING:
    from pathlib import Path

    from dpdesk.releases.release import Release


def end_of_release(
    options: argparse.Namespace,
    result: Release[Any, Any],
    tell: Callable[[], None],
    failed: ReleaseError | None = None,
    unprinted: Callable[[], ReleaseError] | None = None,
) -> int:
    """Prints a release: its report as JSON, or a text with its files; with the budget and warnings.

    The release exists from here on and is charged, whatever fails.

    Args:
        options: The options of the command.
        result: The release.
        tell: Prints what is particular to its kind, as text.
        failed: Why the private diagnostics beside it could not be written.
        unprinted: Returns what is said if the output cannot be written; that the folder is there
            if None.

    Raises:
        ReleaseError: Something could not be written.
    """
    try:
        _print(options, result, tell, has_private=failed is None)
        # Of `print`, which leaves out an output that was closed by who started this program.
        print(end="", flush=True)
    except (OutputError, BrokenPipeError) as error:
        abandon_output()
        # A reader that ended early, as `head` does, has lost nothing that lies in a folder.
        is_lost = result.folder is None or not isinstance(error, BrokenPipeError)
        if failed is None and is_lost and unprinted is not None:
            raise unprinted() from None
        if failed is None and is_lost:
            raise ReleaseError(T.NOT_PRINTED(folder=options.out.absolute().name)) from None
    if failed is not None:
        raise failed
    return ExitCode.OK


def _print(
    options: argparse.Namespace,
    result: Release[Any, Any],
    tell: Callable[[], None],
    *,
    has_private: bool,
) -> None:
    from dpdesk.cli.charge_to import budget_line

    # Beside JSON the output holds nothing else.
    beside = sys.stderr if options.json else sys.stdout
    if options.json:
        print_json(result.report.model_dump(mode="json"))
    else:
        tell()
        if result.protection:
            print(result.protection)
    print(plain(budget_line(result.charge)), file=beside)
    if result.folder is not None:
        if not result.is_noted:
            print("warning: the ledger has the release, but not where it is.", file=sys.stderr)
        print_files(result.folder, result.files)
    private = getattr(options, "private_diagnostics", None)
    if private is not None and has_private:
        print(plain(T.PRIVATE_DIAGNOSTICS(file=str(private))), file=beside)


def print_files(folder: Path, names: Iterable[str]) -> None:
    """Prints where files were written."""
    for name in names:
        print(plain(str(folder.absolute() / name)))
