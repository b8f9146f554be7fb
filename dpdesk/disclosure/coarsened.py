"""A file whose columns were made coarser, and what it is like beside the file before.

All of it is for the holder of the data, except what can be computed from the records that are
written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpdesk.disclosure.classes import Classes, CodedColumn
from dpdesk.disclosure.coarsening import Lattice, Report
from dpdesk.disclosure.hierarchies import Hierarchy
from dpdesk.disclosure.information_loss import (
    CoarseColumn,
    InformationLoss,
    information_loss,
    table_error,
)
from dpdesk.disclosure.levelled import LevelledColumn
from dpdesk.disclosure.measure import DisclosureRisk, RiskQuestion, disclosure_risk
from dpdesk.disclosure.requirement import Requirement, judged
from dpdesk.disclosure.texts import T
from dpdesk.errors import ParameterError
from dpdesk.numbers.arrays import Flags


@dataclass(frozen=True, eq=False)
class Coarsened:
    """A file after coarsening.

    Attributes:
        columns: The quasi-identifiers as they are written.
        sensitive: The sensitive columns, of all records.
        kept: Which records are written, shape (n,).
        requirement: What the classes fulfil.
        levels: The level of each column; None where cells differ in their level.
        hierarchies: The levels that there are, of columns that have some.
    """

    columns: tuple[CoarseColumn, ...]
    sensitive: tuple[CodedColumn, ...]
    kept: Flags
    requirement: Requirement
    levels: tuple[int, ...] | None
    hierarchies: tuple[Hierarchy, ...] = ()

    @property
    def rows(self) -> int:
        """Number of records that are written."""
        return int(np.count_nonzero(self.kept))

    def released(self, column: CodedColumn) -> CodedColumn:
        """Returns a column of the records that are written."""
        return CodedColumn(
            column.name,
            column.codes[self.kept],
            column.levels,
            column.missing,
            column.numbers,
            column.is_ordered,
        )


def coarsened_at(lattice: Lattice, levels: tuple[int, ...], requirement: Requirement) -> Coarsened:
    """Returns the file on some levels, without the classes that break the requirement.

    Args:
        lattice: The columns with their levels.
        levels: The level of each column.
        requirement: What every class has to fulfil; how much is left out is not judged.
    """
    verdict = judged(
        lattice.classes(levels),
        lattice.sensitive,
        # However many it takes: who asks for these levels sees how many.
        Requirement(
            requirement.k,
            requirement.l_distinct,
            requirement.l_entropy,
            requirement.t,
            lattice.rows,
        ),
    )
    own = [column.at(level) for column, level in zip(lattice.columns, levels, strict=True)]
    kept = ~verdict.left_out[Classes(own, lattice.rows).of_row]
    columns = tuple(map(_coarse, lattice.columns, levels))
    hierarchies = tuple(column.hierarchy for column in lattice.columns)
    return Coarsened(columns, lattice.sensitive, kept, requirement, levels, hierarchies)


def _coarse(column: LevelledColumn, level: int) -> CoarseColumn:
    codes = column.maps[level]
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=len(column.labels[level])))
    return CoarseColumn(
        column.name,
        codes[column.codes],
        column.labels[level],
        tuple(np.split(order, ends[:-1])),
        column.at(0),
        level / max(column.height, 1),
    )


@dataclass(frozen=True)
class BeforeAfter:
    """A file before and after, side by side.

    Attributes:
        before: How recognisable its records were.
        after: How recognisable those are that are written.
        loss: What is lost.
        tables: For each table that somebody asked for its columns, and the total variation
            distance between its shares before and after.
    """

    before: DisclosureRisk
    after: DisclosureRisk
    loss: InformationLoss
    tables: tuple[tuple[tuple[str, ...], float], ...]


def before_after(
    result: Coarsened,
    tables: Sequence[Sequence[CodedColumn]] = (),
    report: Report = lambda stage, done: None,
) -> BeforeAfter:
    """Measures a file before and after.

    Args:
        result: The file after coarsening.
        tables: Tables whose error is wanted: their columns, of all records, as they were.
        report: Receives progress.

    Raises:
        ParameterError: Fewer than two records are left, or a table has too many cells.
    """
    if result.rows < 2:
        raise ParameterError(T.ALL_LEFT_OUT())
    rows, k = len(result.kept), result.requirement.k
    before = disclosure_risk(
        RiskQuestion(
            tuple(column.before for column in result.columns), rows, result.sensitive, threshold=k
        ),
        report=report,
    )
    released = tuple(result.released(column.coded) for column in result.columns)
    after = disclosure_risk(
        RiskQuestion(released, result.rows, tuple(map(result.released, result.sensitive)), None, k),
        report=report,
    )
    coarse = {column.name: column for column in result.columns}
    errors = []
    for table in tables:
        chosen = [coarse.get(column.name, column) for column in table]
        names = tuple(column.name for column in table)
        errors.append((names, table_error(chosen, result.kept)))
    sizes = Classes(released, result.rows).sizes
    lost = information_loss(result.columns, result.kept, sizes, k)
    return BeforeAfter(before, after, lost, tuple(errors))
