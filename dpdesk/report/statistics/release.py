"""A whole release of statistics: one folder, written whole or not at all."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from dpdesk.data.table import SurveyTable
from dpdesk.engine.jobs import Tracker
from dpdesk.engine.statistics import release_statistics, statistics_plan
from dpdesk.estimate.released_statistics import ReleasedStatistics
from dpdesk.ledger import Charge
from dpdesk.ledger.charging import ChargeTo, Charging, charging
from dpdesk.plan.check_statistics import bind_queries
from dpdesk.plan.file import plan_to_json
from dpdesk.plan.model import Plan
from dpdesk.report.charged_folders import refuse_missing
from dpdesk.report.earlier_releases import earlier_releases
from dpdesk.report.identity import ReleaseIdentity, new_identity
from dpdesk.report.release_folder import (
    bytes_of_documents,
    release_folder,
    reserved_space,
    seal,
    write_text,
)
from dpdesk.report.statistics.html import statistics_report_html
from dpdesk.report.statistics.public import StatisticsReport, statistics_report
from dpdesk.report.statistics.tables import write_statistics

USUAL = ChargeTo()
"""Charged to the user's own ledger, to the people that the data are known to belong to."""


_REPORT_BYTES, _CELL_BYTES = 200_000, 2_000
"""What a report takes at most, and each number in it, its key and its intervals."""


@dataclass(frozen=True, slots=True)
class StatisticsRelease:
    """A finished release of statistics.

    Attributes:
        folder: Where it was written; None if it was not.
        released: What was released.
        report: The public report.
        files: Names of the files in the folder, in the order of the manifest.
        charge: What the ledger holds of it.
        is_noted: Whether the ledger knows where the folder is.
        is_kept: Whether the ledger keeps the answers.
    """

    folder: Path | None
    released: ReleasedStatistics
    report: StatisticsReport
    files: tuple[str, ...]
    charge: Charge
    is_noted: bool
    is_kept: bool


def write_statistics_release(
    table: SurveyTable, plan: Plan, folder: Path, tracker: Tracker, to: ChargeTo = USUAL
) -> StatisticsRelease:
    """Answers the queries of a plan and writes table, plan and report.

    The release is charged to the ledger after every check and before anything is drawn; what was
    charged stays charged. An error, a cancel or a crash leaves no folder.

    Args:
        table: The trusted file.
        plan: What is asked of it.
        folder: The folder to make; it must not exist, or be empty.
        tracker: Progress and cancel.
        to: Whom it is charged to.

    Raises:
        ReleaseError: The folder exists already, or cannot be written.
        LedgerError: The ledger cannot be trusted, or its cap is reached; nothing was drawn.
        PlanError: The statistics have errors.
        Cancelled: The user cancelled.
    """
    target = folder.absolute()
    refuse_missing(target, to)
    with release_folder(target) as part:
        tracker.progress("Recognising the data", 0.0)
        with charging(table, to, tracker.tick) as account:
            released, report, made, is_kept = _answer(table, plan, tracker, account, part)
            write_statistics(report, part)
            write_text(part / "plan.json", plan_to_json(released.plan))
            write_text(part / "report.json", report.model_dump_json(indent=2) + "\n")
            write_text(part / "report.html", statistics_report_html(report))
            files = seal(part, target, report.identity.release_id, tracker)
        is_noted = account.written(target)
    return StatisticsRelease(target, released, report, files, made, is_noted, is_kept)


def tell_statistics(
    table: SurveyTable, plan: Plan, tracker: Tracker, to: ChargeTo = USUAL
) -> StatisticsRelease:
    """Answers the queries of a plan without writing files; charged like any other release.

    Args and errors: as `write_statistics_release`, but for the folder.
    """
    with charging(table, to, tracker.tick) as account:
        released, report, made, is_kept = _answer(table, plan, tracker, account)
        account.ended("shown")
    return StatisticsRelease(None, released, report, (), made, False, is_kept)


def _answer(
    table: SurveyTable,
    plan: Plan,
    tracker: Tracker,
    account: Charging,
    part: Path | None = None,
) -> tuple[ReleasedStatistics, StatisticsReport, Charge, bool]:
    identity = new_identity(plan, "Statistics of a survey")
    charge = partial(_charge, account, table, plan, identity, part)
    released = release_statistics(table, plan, tracker, charge)
    made = account.made
    assert made is not None  # noqa: S101 - nothing is drawn without a charge
    sealed = identity.model_copy(update={"ledger_seal": made.seal})
    report = statistics_report(released, sealed, earlier_releases(made))
    # Before anybody sees them: what was drawn can be had again, whatever happens now.
    is_kept = account.keep(report.model_dump_json(indent=2) + "\n")
    # Not before: who is told of the progress may cancel.
    tracker.progress("Writing the report", 0.95)
    return released, report, made, is_kept


def _charge(
    account: Charging,
    table: SurveyTable,
    plan: Plan,
    identity: ReleaseIdentity,
    part: Path | None,
) -> None:
    cells = sum(len(bound.keys) for bound in bind_queries(plan))
    size = bytes_of_documents(len(plan.statistics.queries), cells)
    with nullcontext() if part is None else reserved_space(part, size):
        account.charge(
            (plan.statistics.cost,),
            # What the folder publishes: the curator's own plan may list answers of other columns.
            plan=plan_to_json(statistics_plan(plan)),
            title=identity.title or table.name,
            kind="statistics",
            release_id=identity.release_id,
            answers=_REPORT_BYTES + _CELL_BYTES * cells,
        )
