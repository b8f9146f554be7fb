"""The main job on a real table of 45,222 respondents, judged against the truth."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from dpdesk.data.read_file import load
from dpdesk.data.read_records import read_records
from dpdesk.data.table import SurveyTable
from dpdesk.domains import Categorical
from dpdesk.engine import sanitize, untracked
from dpdesk.estimation import (
    EstimateRow,
    Released,
    ReleasedAttribute,
    estimate_rows,
    released_from_records,
)
from dpdesk.mechanisms.direct_encoding import Grr
from dpdesk.plan import (
    ColumnPlan,
    choose_best,
    confirm_domains,
    draft_table,
    encode_column,
    loss_of_one_attribute,
    nominal_epsilon,
    protect_unassigned,
)

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
    judged = _judged(table, released)
    assert len(judged) > 100
    _require_honest_errors(judged)


@pytest.mark.parametrize(
    ("strategy", "fakes"),
    [("smp", "zeros"), ("rsfd", "zeros"), ("rsfd", "random"), ("rsrfd", "zeros")],
)
def test_that_errors_are_honest_under_every_strategy(
    strategy: str, fakes: str, shared_data: Path, tmp_path: Path
) -> None:
    table = load(shared_data / "adult.csv")
    plan = draft_table(table).with_fields(strategy=strategy, fakes=fakes)
    plan = plan.with_columns(tuple(map(_expecting, plan.columns))).with_column("age", role="drop")
    plan = confirm_domains(choose_best(protect_unassigned(plan, Decimal(3))))
    released = sanitize(table, plan, tmp_path, untracked())
    _require_honest_errors(_judged(table, released))
    again = released_from_records(read_records(tmp_path), plan)
    for first, second in zip(released.attributes, again.attributes, strict=True):
        assert first.tally.counts.tolist() == second.tally.counts.tolist()


def _expecting(column: ColumnPlan) -> ColumnPlan:
    domain = column.effective_domain
    size = 0 if domain is None else domain.size
    return column.model_copy(update={"expected": tuple(Decimal(1 + i % 5) for i in range(size))})


def test_that_one_attribute_of_adult_loses_more_than_the_papers_say(shared_data: Path) -> None:
    """Ten attributes, GRR, nominal 1: the whole record 2.90, one attribute 1.558."""
    plan = draft_table(load(shared_data / "adult.csv")).with_fields(strategy="rsfd")
    grr = Grr(epsilon=Decimal("2.900477097889"))
    for column in plan.columns:
        if column.name == "age":
            ages = Categorical(values=tuple(str(age) for age in range(17, 91)))
            plan = plan.with_column("age", kind="ordinal", domain=ages)
        plan = plan.with_column(column.name, role="protect", mechanism=grr)
    assert abs(nominal_epsilon(plan) - 1) < 1e-9
    assert abs(loss_of_one_attribute(plan) - 1.558) < 5e-4


def _judged(table: SurveyTable, released: Released) -> list[tuple[EstimateRow, float]]:
    return [
        pair
        for attribute in released.attributes
        for pair in zip(estimate_rows(attribute), _truth(table, attribute), strict=True)
    ]


def _require_honest_errors(judged: list[tuple[EstimateRow, float]]) -> None:
    for row, truth in judged:
        assert abs(row.estimate - truth) < _FARTHEST * row.noise_standard_error, row.attribute
    covered = sum(row.lower <= truth <= row.upper for row, truth in judged)
    # Far below the 95 % that are expected: a chance below 1e-9 even where estimates are related.
    assert covered > 0.75 * len(judged)
    # Errors that are stated too large would pass the two checks above.
    squares = [((row.estimate - truth) / row.noise_standard_error) ** 2 for row, truth in judged]
    assert 0.35 < float(np.mean(squares)) < 2.5
