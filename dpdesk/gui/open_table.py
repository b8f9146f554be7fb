"""The task that reads data and drafts a plan for them; it runs in a thread and knows no window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpdesk.data.read_delimited import load
from dpdesk.data.sample import load_sample, sample_codebook
from dpdesk.data.table import SurveyTable
from dpdesk.engine.jobs import Tracker
from dpdesk.i18n import N_
from dpdesk.plan import Plan, draft_table


@dataclass(frozen=True)
class OpenedTable:
    """What reading data gives.

    Attributes:
        table: The data.
        draft: A plan drafted from them.
        path: Their file; None for the bundled sample.
        replaces_plan: Whether the draft is wanted even where the plan in force fits.
    """

    table: SurveyTable
    draft: Plan
    path: Path | None
    replaces_plan: bool = False


def read_table(
    path: Path, choices: Mapping[str, Any], redraft: bool, tracker: Tracker
) -> OpenedTable:
    """Reads a file.

    Args:
        path: The file.
        choices: Choices of `load`.
        redraft: Whether the draft is wanted even where the plan in force fits.
        tracker: Told of the progress.

    Raises:
        InputError: The file is no table.
        Cancelled: The user cancelled.
    """
    tracker.progress(N_("Reading the file"), 0.0)
    table = load(path, tick=tracker.tick, **choices)
    tracker.progress(N_("Looking at the columns"), 0.7)
    return OpenedTable(table, draft_table(table), path, replaces_plan=redraft)


def read_sample(tracker: Tracker) -> OpenedTable:
    """Reads the bundled sample."""
    tracker.progress(N_("Reading the file"), 0.0)
    table = load_sample()
    return OpenedTable(table, draft_table(table, sample_codebook()), None, replaces_plan=True)
