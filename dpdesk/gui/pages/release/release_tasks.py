"""The tasks of the Release page: functions of a tracker, run in threads that know no window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dpdesk.data.table import SurveyTable
from dpdesk.engine import Tracker
from dpdesk.estimate import Released
from dpdesk.ledger.charging import ChargeTo
from dpdesk.plan import Plan
from dpdesk.release.private import PrivateDiagnostics, private_diagnostics
from dpdesk.release.records import RECORDS
from dpdesk.release.release import Release, release


def release_task(
    table: SurveyTable, plan: Plan, folder: Path, to: ChargeTo, tracker: Tracker
) -> Release[Any, Any]:
    """Releases a survey; the plan is frozen, so that edits in the window cannot reach it."""
    return release(RECORDS, table, plan, folder, tracker, to)


def compare_task(table: SurveyTable, released: Released, tracker: Tracker) -> PrivateDiagnostics:
    """Compares a release with the answers that it was made from."""
    tracker.tick()
    return private_diagnostics(table, released)
