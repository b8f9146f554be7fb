"""Private diagnostics of synthetic rows: how far their tables are from the true ones.

Nothing in them may be published: a distance from the truth depends on every answer.
"""

from __future__ import annotations

from itertools import combinations
from typing import Literal

import numpy as np

from dpdesk.data.table import SurveyTable
from dpdesk.engine.jobs import untracked
from dpdesk.engine.synthesize import coded_states
from dpdesk.estimation.released import SyntheticRows
from dpdesk.releases.private import PrivateSection, digest_of
from dpdesk.reports.section import Section
from dpdesk.synthesis.forecast import forecast
from dpdesk.synthesis.synthetic_rows import counted

PRIVATE_DISTANCES = "private_distances.html.j2"
"""The page that shows them."""


class TrueDistance(Section):
    """How far a table of the synthetic rows is from that of the file."""

    columns: tuple[str, ...]
    """Its columns."""
    measured: bool
    """Whether it is one of those that were measured."""
    expected: float
    """The distance to expect, as the report tells it: from noise, after fitting; of a table that
    was not measured, as if its columns had nothing to do with each other."""
    distance: float
    """Total variation of the shares: half the sum of their absolute differences, 0 to 1."""


class PrivateDistances(PrivateSection):
    """True distances of synthetic rows."""

    format: Literal["dpdesk-private-distances"] = "dpdesk-private-distances"
    """Tag of the file format."""
    columns: tuple[TrueDistance, ...]
    """The shares of each column."""
    pairs: tuple[TrueDistance, ...]
    """Every table of two columns, the one furthest off first."""
    mean_of_pairs: float | None
    """Mean distance of all tables of two columns; null without any."""


def private_distances(table: SurveyTable, released: SyntheticRows) -> PrivateDistances:
    """Compares synthetic rows with the file that they were made from.

    Args:
        table: The trusted file.
        released: Its synthetic rows.
    """
    true = coded_states(table, released.plan, untracked())
    made, sizes = released.synthesized, released.sizes
    measured = {each.columns for each in made.tables}
    follow = {pair.columns: pair.independent for pair in forecast(released.errors).by_pair}

    def expected(columns: tuple[int, ...]) -> float:
        return released.expected_distance(columns) if columns in measured else follow[columns]

    def distance(columns: tuple[int, ...]) -> TrueDistance:
        shares = [
            counted(states, sizes, columns) / max(states[0].size, 1)
            for states in (true, made.states)
        ]
        return TrueDistance(
            columns=tuple(released.columns[column].name for column in columns),
            measured=columns in measured,
            expected=expected(columns),
            distance=float(np.abs(shares[0] - shares[1]).sum() / 2),
        )

    pairs = [distance(pair) for pair in combinations(range(len(sizes)), 2)]
    pairs.sort(key=lambda each: -each.distance)
    return PrivateDistances(
        input_name=table.name,
        input_rows=table.rows,
        input_digest=digest_of(table),
        columns=tuple(distance((column,)) for column in range(len(sizes))),
        pairs=tuple(pairs),
        mean_of_pairs=float(np.mean([each.distance for each in pairs])) if pairs else None,
    )
