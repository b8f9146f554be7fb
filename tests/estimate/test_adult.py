"""The main job on a real table of 45,222 respondents, judged against the truth."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import numpy as np

from dpdesk.data.read_delimited import load
from dpdesk.data.table import SurveyTable
from dpdesk.engine import sanitize, untracked
from dpdesk.estimate import EstimateRow, ReleasedAttribute, estimate_rows
from dpdesk.plan import confirm_domains, draft_table, encode_column, protect_unassigned

# Normal tails beyond 6.8 have a chance of 1e-11; there are some hundred estimates.
_FARTHEST = 6.8


def _truth(table: SurveyTable, attribute: ReleasedAttribute) -> Iterator[float]:
    texts = table.column(attribute.column.name)
    codes = encode_column(attribute.column, texts).code_of[texts.codes]
    domain = attribute.bound.domain
    if attribute.estimate.quantity == "share":
        yield from np.bincount(codes, minlength=domain.size) / table.rows
    else:
        yield float(np.array([float(text) for text in domain.texts])[codes].mean())


def test_that_every_estimate_lies_within_the_errors_that_the_release_states(
    shared_data: Path, tmp_path: Path
) -> None:
    table = load(shared_data / "adult.csv")
    plan = confirm_domains(protect_unassigned(draft_table(table), Decimal(10)))
    assert [str(column.mechanism.epsilon) for column in plan.protected if column.mechanism] == [
        "1"
    ] * 10
    released = sanitize(table, plan, tmp_path, untracked())
    judged: list[tuple[EstimateRow, float]] = [
        pair
        for attribute in released.attributes
        for pair in zip(estimate_rows(attribute), _truth(table, attribute), strict=True)
    ]
    assert len(judged) > 100
    for row, truth in judged:
        assert abs(row.estimate - truth) < _FARTHEST * row.noise_error, row.attribute
    covered = sum(row.lower <= truth <= row.upper for row, truth in judged)
    # Far below the 95 % that are expected: a chance below 1e-9 even where estimates are related.
    assert covered > 0.75 * len(judged)
    # Errors that are stated too large would pass the two checks above.
    squares = [((row.estimate - truth) / row.noise_error) ** 2 for row, truth in judged]
    assert 0.4 < float(np.mean(squares)) < 2.2
