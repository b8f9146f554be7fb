"""How close synthetic rows come to a made-up population, against what was said beforehand."""

from __future__ import annotations

from decimal import Decimal
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from dpdesk.numbers.intervals import normal_quantile
from dpdesk.queries import PrivacyUnit
from dpdesk.randomness import SystemWords
from dpdesk.synthesis.budget import SynthesisBudget
from dpdesk.synthesis.forecast import forecast
from dpdesk.synthesis.released_error import ReleasedErrors, supposed_errors
from dpdesk.synthesis.synthesis import Synthesized, synthesize
from dpdesk.synthesis.synthetic_rows import counted
from dpdesk.synthesis.trusted_counts import TrustedCounts

SIZES = (2, 6, 8, 5, 3, 12, 4)
ROWS = 20_000
PAIRS = tuple(combinations(range(len(SIZES)), 2))


def people() -> list[NDArray[np.int32]]:
    """Answers in a web: each goes with two others, so that no tree of tables tells them all."""
    generator = np.random.default_rng(11)
    wealth, age = generator.normal(size=ROWS), generator.normal(size=ROWS)
    told = (
        wealth + age > 0.5,
        np.clip(3 + 1.2 * wealth, 0, 5.9),
        np.clip(4 + 1.5 * age, 0, 7.9),
        np.clip(2.5 + wealth - age, 0, 4.9),
        generator.integers(0, 3, ROWS),
        np.clip(6 + 1.5 * wealth + 1.5 * generator.normal(size=ROWS), 0, 11.9),
        np.clip(2 + 0.8 * age + 0.5 * generator.normal(size=ROWS), 0, 3.9),
    )
    return [np.asarray(column).astype(np.int32) for column in told]


def distances(
    true: list[NDArray[np.int32]], made: Synthesized, tables: tuple[tuple[int, ...], ...]
) -> list[float]:
    return [
        float(
            np.abs(
                counted(true, SIZES, columns) / ROWS
                - counted(made.states, SIZES, columns) / made.states[0].size
            ).sum()
            / 2
        )
        for columns in tables
    ]


def apart(true: list[NDArray[np.int32]]) -> float:
    """The mean distance of rows whose columns are drawn each by itself."""
    found = []
    for a, b in PAIRS:
        joint = counted(true, SIZES, (a, b)) / ROWS
        found.append(np.abs(joint - np.outer(joint.sum(1), joint.sum(0))).sum() / 2)
    return float(np.mean(found))


@pytest.mark.parametrize(
    ("epsilon", "delta", "most"), [("1", "0", 0.035), ("1", "1e-6", 0.03), ("10", "0", 0.022)]
)
def test_that_two_way_tables_are_close_where_the_loss_allows(
    epsilon: str, delta: str, most: float
) -> None:
    true = people()
    budget = SynthesisBudget(Decimal(epsilon), Decimal(delta), PrivacyUnit(), len(SIZES))
    made = synthesize(TrustedCounts(true, SIZES, budget), SIZES, SystemWords())
    found = distances(true, made, PAIRS)
    assert np.mean(found) < most
    assert np.mean(found) < apart(true) / 4


def test_that_shares_are_as_far_off_as_was_said_beforehand() -> None:
    true = people()
    budget = SynthesisBudget(Decimal("0.5"), Decimal(0), PrivacyUnit(), len(SIZES))
    said = forecast(supposed_errors(budget, SIZES, ROWS))
    made = synthesize(TrustedCounts(true, SIZES, budget), SIZES, SystemWords())
    columns = tuple((column,) for column in range(len(SIZES)))
    assert made.rounds == said.rounds
    assert 0.5 < np.mean(distances(true, made, columns)) / np.mean(said.one_way) < 1.5
    assert said.two_way is not None
    assert said.two_way_most is not None
    assert said.two_way < said.two_way_most


def test_that_the_error_of_the_number_of_rows_is_that_of_the_noise() -> None:
    budget = SynthesisBudget(Decimal(1), Decimal(0), PrivacyUnit(), len(SIZES))
    noise, ends = budget.shares_noise(sum(SIZES)), np.cumsum((0, *SIZES))
    drawn = np.array([noise.draw([0] * sum(SIZES)) for _ in range(2_000)])
    sums = np.add.reduceat(drawn, ends[:-1], axis=1)
    seen = np.average(sums, axis=1, weights=[1 / size for size in SIZES])
    alone = ReleasedErrors(budget, SIZES, ROWS, 0, ())
    assert seen.std() == pytest.approx(alone.rows_deviation, rel=0.15)
    # Measured tables of two columns tell it better.
    errors = supposed_errors(budget, SIZES, ROWS)
    assert 0 < errors.rows_deviation < alone.rows_deviation / 2
    said = forecast(errors)
    assert said.rows_error == pytest.approx(normal_quantile(0.95) * errors.rows_deviation)
    public = SynthesisBudget(Decimal(1), Decimal(0), PrivacyUnit(relation="replace"), len(SIZES))
    assert forecast(supposed_errors(public, SIZES, ROWS)).rows_text == f"{ROWS:,} rows"
    wide = SynthesisBudget(Decimal("0.1"), Decimal(0), PrivacyUnit(rows_per_respondent=10**6), 5)
    assert forecast(supposed_errors(wide, SIZES, ROWS)).rows_text.endswith(
        " rows, at most 10,000,000,"
    )
