"""The task of releasing statistics: a function of a tracker, run in a thread without a window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dpdesk.data.table import SurveyTable
from dpdesk.engine import Tracker
from dpdesk.ledger.charging import ChargeTo
from dpdesk.plan import Plan
from dpdesk.release.release import Release, release
from dpdesk.release.statistics import STATISTICS


def statistics_task(
    table: SurveyTable, plan: Plan, folder: Path, to: ChargeTo, tracker: Tracker
) -> Release[Any, Any]:
    """Answers the queries of a plan, which is frozen: edits in the window cannot reach it."""
    return release(STATISTICS, table, plan, folder, tracker, to)
