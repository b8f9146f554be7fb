"""What the first rows of a release would look like, with simulated answers.

The answers run evenly through the declared domains and never come from the data, so that nothing is
charged: the rows show the shape of the file.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.formats.csv_writer import CsvRecords
from dpdesk.data.output_fields import Chunk, PartialChunk
from dpdesk.engine.attribute_draw import AttributeDraw
from dpdesk.engine.jobs import Tracker
from dpdesk.estimation.from_records import record_fields
from dpdesk.estimation.released import bind_attributes
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.randomness import SystemWords

ROWS_SHOWN = 5
COLUMNS_LOOKED_AT = 12
"""Only so many protected columns are simulated: the shape of a file shows in a few."""


@dataclass(frozen=True)
class OutputRows:
    """The first rows of a simulated release.

    Attributes:
        names: Names of the released columns.
        rows: The released cells, one tuple for each row.
        columns_left_out: Protected columns that were not simulated.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    columns_left_out: int


def output_rows(plan: Plan, tracker: Tracker) -> OutputRows:
    """Returns simulated rows of a plan's release.

    Args:
        plan: The plan; columns without a fitting mechanism are left out.
        tracker: Cancel.

    Raises:
        CertificateError: A law would exceed its epsilon.
        Cancelled: The user cancelled.
    """
    able = [column for column in plan.protected if _is_ready(plan, column)]
    tried = plan.with_fields(columns=tuple(able[:COLUMNS_LOOKED_AT]), budget=None)
    bound = bind_attributes(tried, tracker.tick)
    words = SystemWords()
    draw = AttributeDraw(tried, ROWS_SHOWN, words)
    chunks: list[Chunk] = []
    for position, (_, mechanism) in enumerate(bound):
        tracker.tick()
        drawn = draw.randomize(position, mechanism, _codes(mechanism.size, position), words)
        present = drawn.present
        chunks.append(drawn.reports if present is None else PartialChunk(drawn.reports, present))
    if draw.released is not None:
        chunks.append(draw.released)
    file = BytesIO()
    writer = CsvRecords(file, record_fields(tried, bound))
    writer.write(chunks, ROWS_SHOWN)
    head, *rows = csv.reader(file.getvalue().decode("utf-8").splitlines())
    left_out = len(plan.protected) - len(tried.columns)
    return OutputRows(tuple(head), tuple(tuple(row) for row in rows), left_out)


def _is_ready(plan: Plan, column: ColumnPlan) -> bool:
    mechanism, domain = column.mechanism, column.effective_domain
    return (
        mechanism is not None
        and domain is not None
        and mechanism.objection(domain) is None
        and plan.sampling.serves(type(mechanism))
        and (plan.strategy != "rsrfd" or all(column.expected_shares or (0.0,)))
    )


def _codes(size: int, position: int) -> NDArray[np.int32]:
    """Answers that run through the domain at a stride of about the golden ratio."""
    stride = max(round(size * 0.618), 1)
    return ((position + 1 + stride * np.arange(ROWS_SHOWN)) % size).astype(np.int32)
