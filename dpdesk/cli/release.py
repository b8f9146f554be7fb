"""`dpdesk release`: from a survey and a plan to a folder."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dpdesk.cli.end_of_release import end_of_release
from dpdesk.cli.options import (
    add_charge,
    add_choice,
    add_files,
    add_input,
    add_output,
    add_place,
    add_text,
)
from dpdesk.requests.unused import Unused

if TYPE_CHECKING:
    from dpdesk.data.table import SurveyTable
    from dpdesk.engine.cluster import Cluster
    from dpdesk.estimation import Released
    from dpdesk.plan import Plan
    from dpdesk.releases.release import Release
    from dpdesk.reports.public import PublicReport

DESCRIPTION = (
    "Sanitizes a survey by a plan and writes one folder: records, estimates, codebook, plan, "
    "privacy report (also as PDF), manifest. The folder is written whole or not at all."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk release`."""
    survey = "the survey: a file, a folder of its parts, or either at an address that fsspec opens"
    add_input(parser, "data", table=True, metavar="DATA", help=survey)
    add_input(parser, "--plan", required=True, metavar="PLAN.json")
    add_place(parser, "--out", "FOLDER", "a new folder", required=True, is_made=True)
    add_output(
        parser,
        "--private-diagnostics",
        stream=False,
        metavar="FILE",
        help="also compare with the true answers; for the holder of the data ONLY (.html or .json)",
    )
    add_files(parser)
    add_charge(parser)
    workers = parser.add_argument_group("who reads the parts of a folder and draws the reports")
    add_choice(
        workers,
        "--engine",
        ("local", "dask"),
        "this computer (local, the default), or the workers of Dask, on this machine or on many",
        default="local",
    )
    add_text(
        workers,
        "--scheduler",
        "ADDRESS",
        "the scheduler of a running cluster of Dask, such as tls://office:8786 (default: workers "
        "are started on this machine)",
        unused=[Unused(lambda options: options.engine != "dask", "without --engine dask")],
    )


def run(options: argparse.Namespace) -> int:
    """Releases a survey; a progress bar shows on a terminal, Ctrl+C leaves nothing behind."""
    from dpdesk.cli.progress import stoppable

    with stoppable() as is_stopped:
        return _release(options, is_stopped)


def released(
    options: argparse.Namespace, is_stopped: Callable[[], bool]
) -> tuple[SurveyTable, Plan, Release[Released, PublicReport]]:
    """Releases a survey, and returns it with the plan as it was run.

    Args:
        options: The options of the command.
        is_stopped: Whether the user asked to stop.
    """
    from dpdesk.cli.charge_to import charging_to
    from dpdesk.cli.progress import progress_bar
    from dpdesk.cli.reading import hint_of_reading, read_survey
    from dpdesk.plan import load_plan
    from dpdesk.plan.checks.table import require_releasable
    from dpdesk.releases.records import RECORDS
    from dpdesk.releases.release import release

    asked = with_formats(load_plan(options.plan), options)
    with _workers(options) as cluster:
        table, plan = read_survey(options, asked, is_stopped, cluster)
        with hint_of_reading(options, table):
            # Before anybody is asked whose data these are.
            require_releasable(plan, table)
            with charging_to(options, table) as to, progress_bar(is_stopped) as tracker:
                out, paper = options.out, options.paper
                made = release(RECORDS, table, plan, out, tracker, to, paper, cluster)
                return table, plan, made


@contextmanager
def _workers(options: argparse.Namespace) -> Iterator[Cluster | None]:
    """Opens the workers that the options name; None where this computer does all by itself."""
    if options.engine == "local":
        yield None
        return
    from dpdesk.engine.cluster import CONNECT_SECONDS, cluster

    if options.scheduler and not options.quiet:
        # Not behind a progress bar, which shows on a terminal alone: where nobody answers, nothing
        # else is told for all this time.
        told = f"waiting for the scheduler to answer, at most about {CONNECT_SECONDS} seconds"
        print(told, file=sys.stderr, flush=True)
    with cluster(options.scheduler) as workers:
        if not workers.is_private:
            print(
                "warning: What the workers are told, true answers among it, can be read on the "
                "network: the scheduler or a worker has an address without TLS.",
                file=sys.stderr,
            )
        if workers.spills:
            print(
                "warning: Where memory is short a worker writes what it holds, true answers among "
                "it, to its disk: start the workers with distributed.worker.memory.target and "
                "spill set to false.",
                file=sys.stderr,
            )
        yield workers


def with_formats(plan: Plan, options: argparse.Namespace) -> Plan:
    """Returns a plan with the formats that the options name, instead of its own."""
    from dpdesk.data.record_files import known_word, record_files

    if not options.write:
        return plan
    files = record_files(map(known_word, options.write))
    return plan.with_fields(formats=tuple(kind.word() for kind in files if kind.is_asked))


def _release(options: argparse.Namespace, is_stopped: Callable[[], bool]) -> int:
    from dpdesk.cli.private_diagnostics import require_private_place, write_diagnostics
    from dpdesk.releases.private import private_diagnostics

    require_private_place(options)
    table, plan, result = released(options, is_stopped)
    # The release exists from here on: a failure to print must not stop what is left to do.
    failed = write_diagnostics(
        options,
        lambda: private_diagnostics(table, result.released),
        "The release was written to {folder} and is charged, but its private diagnostics were not "
        "written.",
    )
    return end_of_release(options, result, lambda: _tell(plan, result), failed)


def _tell(plan: Plan, result: Release[Released, PublicReport]) -> None:
    from dpdesk.cost import short_epsilon
    from dpdesk.plan import total_epsilon

    total = short_epsilon(total_epsilon(plan))
    told = f"{result.released.rows:,} records released with a total epsilon of {total}"
    print(f"{told}{plan.statistics.unit.rows_words}")
