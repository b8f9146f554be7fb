"""`dpdesk release`: from a survey and a plan to a folder."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from dpdesk.cli.charge_to import budget_line, told_of_charges
from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.plain import plain
from dpdesk.cli.progress import progress_bar, stoppable
from dpdesk.cli.reading import hint_of_reading, read_survey
from dpdesk.cli.terminal import OutputError, abandon_output
from dpdesk.cost import format_epsilon
from dpdesk.data.table import SurveyTable
from dpdesk.data.write_file import require_folder
from dpdesk.errors import DpdeskError, ReleaseError
from dpdesk.estimate import Released
from dpdesk.plan import Plan, load_plan, total_epsilon
from dpdesk.release.private import (
    check_private_path,
    private_diagnostics,
    write_private_diagnostics,
)
from dpdesk.release.records import RECORDS
from dpdesk.release.release import Release
from dpdesk.release.release import release as write_release
from dpdesk.report.public import PublicReport


def release(options: argparse.Namespace) -> int:
    """Releases a survey; a progress bar shows on a terminal, Ctrl+C leaves nothing behind."""
    with stoppable() as is_stopped:
        return _release(options, is_stopped)


def _release(options: argparse.Namespace, is_stopped: Callable[[], bool]) -> int:
    if options.private_diagnostics is not None:
        # Before anything is drawn: a release cannot be taken back.
        check_private_path(options.private_diagnostics, options.out)
        require_folder(options.private_diagnostics)
    table, plan = read_survey(options, load_plan(options.plan), is_stopped)
    with hint_of_reading(options, table):
        # Before anybody is asked whose data these are.
        RECORDS.require(plan, table)
        with told_of_charges(options, table) as to, progress_bar(is_stopped) as tracker:
            result = write_release(RECORDS, table, plan, options.out, tracker, to)
    # The release stands from here on, so that nothing that is printed may stop what is still to do.
    folder, failed = options.out.absolute(), _write_private(table, result, options)
    try:
        _print_result(plan, result, options, has_private=failed is None)
    except OutputError:
        abandon_output()
        if failed is None:
            raise ReleaseError(
                f"The release stands in {folder.name} and is charged, but the output could "
                "not be written.",
                remedy="'dpdesk ledger' says what was released.",
            ) from None
    if failed is not None:
        raise failed
    return ExitCode.OK


def _print_result(
    plan: Plan,
    result: Release[Released, PublicReport],
    options: argparse.Namespace,
    *,
    has_private: bool,
) -> None:
    total = format_epsilon(total_epsilon(plan))
    print(f"{result.released.rows:,} records released with a total epsilon of {total}")
    print(plain(budget_line(result.charge)))
    if not result.is_noted:
        print("warning: the ledger has the release, but not where it is.", file=sys.stderr)
    for name in result.files:
        print(options.out.absolute() / name)
    if options.private_diagnostics is not None and has_private:
        print(f"PRIVATE diagnostics, not for publication: {options.private_diagnostics}")
    sys.stdout.flush()


def _write_private(
    table: SurveyTable, result: Release[Released, PublicReport], options: argparse.Namespace
) -> ReleaseError | None:
    """Writes the truth beside the release, which stands whatever happens here.

    Returns:
        Why it could not be written.
    """
    path = options.private_diagnostics
    if path is None:
        return None
    try:
        diagnostics = private_diagnostics(table, result.released)
        write_private_diagnostics(diagnostics, path, options.out, overwrite=options.overwrite)
    except DpdeskError as error:
        return ReleaseError(
            f"The release stands in {options.out.absolute().name} and is charged, but its private "
            f"diagnostics were not written. {error.message}",
            remedy=error.remedy,
        )
    return None
