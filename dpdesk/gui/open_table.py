"""The task that reads data and drafts a plan for them; it runs in a thread and knows no window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dpdesk.data.read_delimited import load, load_declared, reading_of
from dpdesk.data.sample import load_sample, sample_codebook
from dpdesk.data.table import SurveyTable
from dpdesk.engine.jobs import Tracker
from dpdesk.errors import InputError
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
        sets_reading: Whether the plan in force is to take over how they were read.
        is_confirmed: Whether that is confirmed to be public knowledge.
    """

    table: SurveyTable
    draft: Plan
    path: Path | None
    replaces_plan: bool = False
    sets_reading: bool = False
    is_confirmed: bool = False


@dataclass(frozen=True)
class ReadingWish:
    """How data are wanted to be read.

    Attributes:
        parts: Parts of the reading that were chosen, None for those to be found out; empty where
            nothing was chosen, so that a plan that fits decides.
        is_confirmed: Whether what results is confirmed to be public knowledge.
        redraft: Whether a draft is wanted even where the plan in force fits.
    """

    parts: Mapping[str, Any]
    is_confirmed: bool = False
    redraft: bool = False


def fits(plan: Plan, table: SurveyTable) -> bool:
    """Whether a plan can be one for these data: they have at least half of its columns."""
    names = set(table.names)
    known = sum(column.name in names for column in plan.columns)
    return known > 0 and 2 * known >= len(plan.columns)


def read_table(path: Path, wish: ReadingWish, plan: Plan, tracker: Tracker) -> OpenedTable:
    """Reads a file: as was chosen, else by the plan in force where it fits, else as it seems.

    Args:
        path: The file.
        wish: How it is wanted to be read.
        plan: The plan in force.
        tracker: Told of the progress.

    Raises:
        InputError: The file is no table.
        Cancelled: The user cancelled.
    """
    tracker.progress(N_("Reading the file"), 0.0)
    table = None if wish.parts else _by_plan(path, plan, tracker)
    if table is None:
        parts = dict(wish.parts)
        missing = parts.pop("missing", ())
        table = load(path, tick=tracker.tick, **parts)
        reading = reading_of(**(table.reading.model_dump() | {"missing": missing}))
        table = replace(table, reading=reading)
    tracker.progress(N_("Looking at the columns"), 0.7)
    draft = draft_table(table).with_fields(reading_confirmed=wish.is_confirmed)
    return OpenedTable(
        table,
        draft,
        path,
        replaces_plan=wish.redraft,
        sets_reading=bool(wish.parts),
        is_confirmed=wish.is_confirmed,
    )


def _by_plan(path: Path, plan: Plan, tracker: Tracker) -> SurveyTable | None:
    """The table as the plan says it is read; None where the plan says nothing or does not fit."""
    if plan.reading is None:
        return None
    try:
        table = load_declared(path, plan.reading, tracker.tick)
    except InputError:
        return None
    return table if fits(plan, table) else None


def read_sample(tracker: Tracker) -> OpenedTable:
    """Reads the bundled sample."""
    tracker.progress(N_("Reading the file"), 0.0)
    table = load_sample()
    return OpenedTable(table, draft_table(table, sample_codebook()), None, replaces_plan=True)
