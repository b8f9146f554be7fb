"""`dpdesk release`: from a survey and a plan to a folder."""

from __future__ import annotations

import argparse
import sys

from dpdesk.cli.charge_to import budget_line, told_of_charges
from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.plain import plain
from dpdesk.cli.progress import progress_bar
from dpdesk.cli.reading import load_survey
from dpdesk.cost import format_epsilon
from dpdesk.plan import check, load_plan, total_epsilon
from dpdesk.report.diagnostics import (
    check_private_path,
    private_diagnostics,
    write_private_diagnostics,
)
from dpdesk.report.release import release as write_release


def release(options: argparse.Namespace) -> int:
    """Releases a survey; a progress bar shows on a terminal, Ctrl+C leaves nothing behind."""
    if options.private_diagnostics is not None:
        # Before anything is drawn: a release cannot be taken back.
        check_private_path(options.private_diagnostics, options.out)
    plan = load_plan(options.plan)
    table = load_survey(options)
    with told_of_charges(options, table) as to, progress_bar() as tracker:
        result = write_release(table, plan, options.out, tracker, to)
    for problem in check(plan):
        print(f"{problem.severity}: {plain(str(problem))}", file=sys.stderr)
    if options.private_diagnostics is not None:
        diagnostics = private_diagnostics(table, result.released)
        write_private_diagnostics(diagnostics, options.private_diagnostics, result.folder)
        print(f"PRIVATE diagnostics, not for publication: {options.private_diagnostics}")
    total = format_epsilon(total_epsilon(plan))
    print(f"{result.released.rows:,} records released with a total epsilon of {total}")
    print(plain(budget_line(result.charge)))
    if not result.is_noted:
        print("warning: the ledger has the release, but not where it is.", file=sys.stderr)
    for name in result.files:
        print(result.folder / name)
    return ExitCode.OK
