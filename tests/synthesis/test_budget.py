"""The loss of synthetic rows: what its parts add up to, and how far one respondent moves each."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations, product

import numpy as np
import pytest
from numpy.typing import NDArray

from dpdesk.composition import rho_within, zcdp_epsilon
from dpdesk.queries import PrivacyUnit
from dpdesk.queries.noise import calibrate_rho
from dpdesk.queries.sensitivity import Sensitivity
from dpdesk.synthesis.budget import SynthesisBudget
from dpdesk.synthesis.synthetic_rows import counted
from tests.refusals import refused

SIZES = (2, 3)
RECORDS = tuple(product(*(range(size) for size in SIZES)))
UNITS = (
    PrivacyUnit(),
    PrivacyUnit(relation="replace"),
    PrivacyUnit(rows_per_respondent=2),
    PrivacyUnit(relation="replace", respondent_column="id", rows_per_respondent=2),
)
each_unit = pytest.mark.parametrize(
    "unit", UNITS, ids=lambda unit: f"{unit.relation}-{unit.rows_per_respondent}"
)


def table(rows: tuple[tuple[int, ...], ...]) -> list[NDArray[np.int32]]:
    return [np.array([row[c] for row in rows], dtype=np.int32) for c in range(len(SIZES))]


def neighbours(unit: PrivacyUnit) -> Iterator[tuple[tuple, tuple]]:
    """Every pair of tables that one respondent's rows tell apart, beside some rows of others."""
    others = ((), ((0, 0),), ((1, 2), (0, 1)))
    most = unit.rows_per_respondent
    own = [rows for k in range(most + 1) for rows in product(RECORDS, repeat=k)]
    for rest in others:
        for mine in own:
            if unit.relation == "add_remove":
                yield (*rest, *mine), rest
                continue
            for other in own:
                if most > 1 or len(mine) == len(other) == 1:
                    yield (*rest, *mine), (*rest, *other)


def shares(rows: tuple[tuple[int, ...], ...]) -> NDArray[np.int64]:
    states = table(rows)
    return np.concatenate([counted(states, SIZES, (c,)) for c in range(len(SIZES))])


@each_unit
def test_that_no_respondent_moves_a_part_by_more_than_its_sensitivity(unit: PrivacyUnit) -> None:
    budget = SynthesisBudget(Decimal(1), Decimal(0), unit, 2)
    pair = budget.table_noise(6, 1).sensitivity
    every = budget.shares_noise(sum(SIZES)).sensitivity
    reached = np.zeros((2, 3))
    for one, other in neighbours(unit):
        moved = counted(table(one), SIZES, (0, 1)) - counted(table(other), SIZES, (0, 1))
        for at, move in enumerate((moved, shares(one) - shares(other))):
            norms = np.abs(move).sum(), (move**2).sum(), np.abs(move).max()
            reached[at] = np.maximum(reached[at], norms)
    assert tuple(reached[0]) == (pair.l1, pair.l2_square, pair.linf)
    assert tuple(reached[1]) == (every.l1, every.l2_square, every.linf)


@each_unit
def test_that_no_respondent_moves_a_score_by_more_than_the_choice_allows(
    unit: PrivacyUnit,
) -> None:
    linf = SynthesisBudget(Decimal(1), Decimal(0), unit, 2).choice(3, 1).linf
    largest = 0
    generator = np.random.default_rng(1)
    for expected in (np.zeros((2, 3), int), *generator.integers(-2, 4, (6, 2, 3))):
        for one, other in neighbours(unit):
            scores = [
                np.abs(counted(table(rows), SIZES, (0, 1)) - expected).sum()
                for rows in (one, other)
            ]
            largest = max(largest, abs(int(scores[0] - scores[1])))
    assert largest == linf


@each_unit
@pytest.mark.parametrize("delta", ["0", "0.000001", "0.01"])
@pytest.mark.parametrize("epsilon", ["0.3", "1", "2.999999999999", "20"])
@pytest.mark.parametrize("columns", [1, 2, 7, 12])
def test_that_the_parts_as_they_are_run_stay_within_the_loss_asked_for(
    unit: PrivacyUnit, delta: str, epsilon: str, columns: int
) -> None:
    if delta == "0.01":
        delta = "0.0099"
    budget = SynthesisBudget(Decimal(epsilon), Decimal(delta), unit, columns)
    for rounds in {min(1, budget.rounds_most), budget.rounds_most // 2, budget.rounds_most}:
        budget.require_within(40, rounds)
        parts = [budget.shares_noise(40)]
        for _ in range(rounds):
            parts += [budget.choice(9, rounds), budget.table_noise(40, rounds)]
        if budget.is_pure:
            total = sum((part.epsilon_run for part in parts), Decimal(0))
        else:
            total = zcdp_epsilon(sum((part.rho for part in parts), Decimal(0)), budget.delta)
        assert total <= budget.epsilon
        # And little of it is given away.
        least = Decimal("0.95") if rounds or columns == 1 else Decimal("0.05")
        assert total >= least * budget.epsilon


@pytest.mark.parametrize("delta", ["0", "0.000001"])
def test_that_parts_beyond_the_loss_are_refused(
    delta: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget = SynthesisBudget(Decimal(1), Decimal(delta), PrivacyUnit(), 3)
    budget.require_within(40, 3)
    real = SynthesisBudget.table_noise
    # Each round spends what one of fewer rounds may: by far less than twice the whole loss.
    monkeypatch.setattr(
        SynthesisBudget, "table_noise", lambda own, cells, rounds: real(own, cells, rounds - 1)
    )
    with refused("synthesis.over-epsilon"):
        budget.require_within(40, 3)


def test_that_a_loss_that_cannot_be_divided_is_refused() -> None:
    with refused("synthesis.small-epsilon", columns=10):
        SynthesisBudget(Decimal("0.0009"), Decimal(0), PrivacyUnit(), 10)


def test_that_fewer_rows_are_asked_fewer_tables() -> None:
    budget = SynthesisBudget(Decimal(1), Decimal(0), PrivacyUnit(), 6)
    sizes = (4, 5, 6, 7, 8, 9)
    rounds = [budget.rounds_for(rows, sizes) for rows in (1, 300, 3000, 30_000, 300_000)]
    assert rounds == sorted(rounds)
    assert rounds[0] == 1
    assert rounds[-1] == budget.rounds_most == 12


def test_that_the_rounds_are_the_most_that_noise_allows() -> None:
    budget = SynthesisBudget(Decimal(1), Decimal(0), PrivacyUnit(), 6)
    sizes = (4, 5, 6, 7, 8, 9)
    cells = sorted(a * b for a, b in combinations(sizes, 2))[7]
    for rows in (700, 1000, 1900):
        rounds = budget.rounds_for(rows, sizes)
        assert 1 < rounds < budget.rounds_most
        assert budget.noise_distance(cells, rounds, rows) <= 0.15
        assert budget.noise_distance(cells, rounds + 1, rows) > 0.15


@pytest.mark.parametrize("epsilon", ["0.05", "0.1", "1", "10"])
@pytest.mark.parametrize("delta", ["1e-12", "0.000001", "0.01"])
def test_that_the_rho_within_a_loss_is_the_largest(epsilon: str, delta: str) -> None:
    rho = rho_within(Decimal(epsilon), Decimal(delta))
    assert zcdp_epsilon(rho, Decimal(delta)) <= Decimal(epsilon)
    assert zcdp_epsilon(rho * Decimal("1.001"), Decimal(delta)) > Decimal(epsilon)


@pytest.mark.parametrize("rho", ["0.0001", "0.02", "1.5"])
def test_that_noise_of_a_rho_has_the_scale_of_its_theorem(rho: str) -> None:
    sensitivity = Sensitivity(2, 2, 1)
    noise = calibrate_rho(sensitivity, Decimal(rho), Decimal("0.000001"), 5)
    assert noise.rho == Decimal(rho)
    assert noise.scale**2 == pytest.approx(2 / (2 * float(rho)), rel=1e-9)
    assert sensitivity.l2_square / (2 * Decimal(noise.scale) ** 2) <= Decimal(rho)
