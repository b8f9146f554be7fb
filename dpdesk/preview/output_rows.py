"""What the first rows of a release would look like: simulated answers through the real release.

The answers are drawn evenly from the declared domains, never from the data, and nothing is charged:
the rows show the shape of the file.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from dpdesk.data.reading import Reading
from dpdesk.data.table import table_from_texts
from dpdesk.engine.jobs import Tracker
from dpdesk.engine.sanitize import sanitize
from dpdesk.plan import ColumnPlan, Plan

ROWS_SHOWN = 5
COLUMNS_LOOKED_AT = 12
"""Only so many protected columns are simulated: the shape of a file shows in a few."""


@dataclass(frozen=True)
class OutputRows:
    """The first rows of a simulated release.

    Attributes:
        before: Names and simulated answers, as the file of answers would have them.
        names: Names of the released columns.
        rows: The released cells, one tuple for each row.
        columns_left_out: Protected columns that were not simulated.
    """

    before: tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    columns_left_out: int


def output_rows(plan: Plan, tracker: Tracker) -> OutputRows:
    """Returns simulated rows of a plan's release, and the answers that they were made of.

    Args:
        plan: The plan; columns without a fitting mechanism are left out.
        tracker: Cancel.

    Raises:
        PlanError: Nothing can be released by the plan.
        Cancelled: The user cancelled.
    """
    able = [column for column in plan.protected if _is_ready(plan, column)]
    shown = able[:COLUMNS_LOOKED_AT]
    columns = tuple(column.changed(confirmed=True) for column in shown)
    # Enough that somebody reports each attribute where a respondent reports one of them.
    rows = 20 * max(len(columns), 3)
    tried = plan.with_fields(
        columns=columns, budget=None, shuffle=False, reading=Reading(), reading_confirmed=True
    )
    answers: dict[str, Sequence[str]] = {
        column.name: _answers(column, rows, place) for place, column in enumerate(columns)
    }
    table = table_from_texts(answers)
    with TemporaryDirectory() as name:
        folder = Path(name)
        # Its own progress and warnings, of simulated answers, would only mislead.
        sanitize(table, tried, folder, Tracker(lambda _progress: None, tracker.is_cancelled))
        with (folder / "records.csv").open(encoding="utf-8", newline="") as file:
            head, *released = csv.reader(file)
    first = tuple(zip(*(texts[:ROWS_SHOWN] for texts in answers.values()), strict=True))
    return OutputRows(
        before=(tuple(answers), first),
        names=tuple(head),
        rows=tuple(tuple(row) for row in released[:ROWS_SHOWN]),
        columns_left_out=len(plan.protected) - len(columns),
    )


def _is_ready(plan: Plan, column: ColumnPlan) -> bool:
    mechanism, domain = column.mechanism, column.effective_domain
    return (
        mechanism is not None
        and domain is not None
        and mechanism.objection(domain) is None
        and plan.sampling.serves(type(mechanism))
        and (plan.strategy != "rsrfd" or all(column.expected_shares or (0.0,)))
    )


def _answers(column: ColumnPlan, rows: int, place: int) -> list[str]:
    """Answers that run through the domain at a pace of the column's own."""
    domain = column.domain
    assert domain is not None  # noqa: S101 - only columns with a fitting mechanism are simulated
    texts, size = domain.texts, domain.size
    # A stride of about the golden ratio visits the domain evenly and in no order.
    stride = max(round(size * 0.618), 1)
    return [texts[(place + 1 + row * stride + row // size) % size] for row in range(rows)]
