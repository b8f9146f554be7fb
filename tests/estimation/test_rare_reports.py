"""Means by group and slopes where rare reports, which small surveys lack, carry the error."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dpdesk.domains import Categorical, Integer
from dpdesk.estimation.joint import means_by_group
from dpdesk.estimation.regression import regression
from dpdesk.estimation.released import bind_attributes
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.learning.curve import SeededWords
from dpdesk.plan import ColumnPlan, Plan
from tests.plan.plans import mechanism

SURVEYS, IN_GROUP = 100, 100
GROUP = ColumnPlan(name="A", kind="nominal", role="keep", keep_confirmed=True)
CODES = {
    "bounded_laplace": (np.arange(60), np.arange(30)),
    "piecewise": (np.arange(60), np.arange(30)),
    "duchi": (np.zeros(1), np.zeros(1)),
}
"""Ages from 18, evenly, in either group."""


@pytest.mark.parametrize("kind", CODES)
@pytest.mark.parametrize("role", ["keep", "protect"])
def test_that_intervals_hold_means_and_slopes_of_small_groups(
    kind: str, role: str, tmp_path: Path
) -> None:
    number = ColumnPlan(
        name="X",
        kind="integer",
        domain=Integer(lower=18, upper=2000),
        confirmed=True,
        role="protect",
        mechanism=mechanism(kind, "8"),
    )
    listed = {"domain": Categorical(values=("a", "b")), "confirmed": True, "role": "protect"}
    protected = GROUP.changed(**listed, mechanism=mechanism("grr", "2"))
    plan = Plan(columns=(protected if role == "protect" else GROUP, number))
    bound = {column.name: one for column, one in bind_attributes(plan)}
    draw, words, path = np.random.default_rng(3), SeededWords(3), tmp_path / "records.csv"
    groups = np.repeat(np.arange(2, dtype=np.int32), IN_GROUP)
    means = np.array([18 + codes.mean() for codes in CODES[kind]])
    path.write_text("A,X\na,18\n")
    records, held = ScoredRecords(path, plan), np.zeros((2, 2))
    for _ in range(SURVEYS):
        ages = np.concatenate([draw.choice(codes, IN_GROUP) for codes in CODES[kind]])
        said = groups if role == "keep" else bound["A"].randomize(groups, words)
        reports = bound["X"].randomize(ages.astype(np.int32), words)
        rows = zip(said.tolist(), reports.tolist(), strict=True)
        lines = [f"{'ab'[group]},{bound['X'].outputs[report]}\n" for group, report in rows]
        path.write_text("".join(["A,X\n", *lines]))
        found = means_by_group(records, "X", ("A",))
        held[0] += (found.lower[:, 0] <= means) & (means <= found.upper[:, 0])
        fit = regression(records, "X ~ A")
        half = 1.96 * np.sqrt(np.diag(fit.covariance))
        held[1] += np.abs(fit.coefficients - [means[0], means[1] - means[0]]) <= half
    # By the spread of the reports alone, means are held in 2 to 77 of 100.
    assert held.min() >= 0.92 * SURVEYS
