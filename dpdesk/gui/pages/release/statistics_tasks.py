"""The task of releasing statistics: a function of a tracker, run in a thread without a window."""

from __future__ import annotations

from pathlib import Path

from dpdesk.data.table import SurveyTable
from dpdesk.engine import Tracker
from dpdesk.ledger.charging import ChargeTo
from dpdesk.plan import Plan
from dpdesk.report.statistics.release import StatisticsRelease, write_statistics_release


def statistics_task(
    table: SurveyTable, plan: Plan, folder: Path, to: ChargeTo, tracker: Tracker
) -> StatisticsRelease:
    """Answers the queries of a plan, which is frozen: edits in the window cannot reach it."""
    return write_statistics_release(table, plan, folder, tracker, to)
