"""Nothing but noisy tables and private choices of the data reaches the synthetic rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dpdesk.queries import PrivacyUnit
from dpdesk.queries.noise import CalibratedNoise
from dpdesk.queries.selection import CalibratedChoice
from dpdesk.synthesis.budget import SynthesisBudget
from dpdesk.synthesis.impossible import Zero
from dpdesk.synthesis.synthesis import Synthesized, synthesize
from dpdesk.synthesis.trusted_counts import TrustedCounts
from tests.refusals import refused
from tests.synthesis.test_synthetic_rows import FixedWords

SIZES = (3, 4, 2, 5)


def some_states(seed: int, rows: int = 900) -> list[NDArray[np.int32]]:
    generator = np.random.default_rng(seed)
    first = generator.integers(0, 3, rows)
    own = [first, (first + generator.integers(0, 2, rows)) % 4]
    own += [first // 2, generator.integers(0, 5, rows)]
    return [column.astype(np.int32) for column in own]


def budget_of(epsilon: str = "2", delta: str = "0", **unit: Any) -> SynthesisBudget:
    return SynthesisBudget(Decimal(epsilon), Decimal(delta), PrivacyUnit(**unit), len(SIZES))


class Meter:
    """Counts what is drawn and what it costs; in place of the data it answers always the same."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.drawn: Counter[str] = Counter()
        self.epsilon = Decimal(0)
        self.draws = 0
        meter = self

        def noise(own: CalibratedNoise, values: Sequence[int]) -> list[int]:
            assert len(values) == own.size
            meter.drawn["noise"] += 1
            meter.epsilon += own.epsilon_run
            meter.draws += 1
            generator = np.random.default_rng(meter.draws)
            return [int(value) for value in generator.integers(0, 300, len(values))]

        def choice(own: CalibratedChoice, scores: NDArray[np.int64]) -> tuple[int, ...]:
            assert scores.shape == (own.options,)
            meter.drawn["choice"] += 1
            meter.epsilon += own.epsilon_run
            return (own.options // 2,)

        monkeypatch.setattr(CalibratedNoise, "draw", noise)
        monkeypatch.setattr(CalibratedChoice, "draw", choice)


def made(states: list[NDArray[np.int32]], budget: SynthesisBudget, **more: Any) -> Synthesized:
    return synthesize(TrustedCounts(states, SIZES, budget), SIZES, FixedWords(7), **more)


NEVER = Zero((0, 1), (np.array([True, False, False]), np.array([False, True, True, False])))


@pytest.mark.parametrize("zeros", [(), (NEVER,)], ids=["all can be", "some cannot be"])
def test_that_the_rows_depend_on_the_data_through_noise_and_choices_alone(
    zeros: tuple[Zero, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = (some_states(1), some_states(2), some_states(3, rows=40), some_states(4, rows=1))
    results = []
    for states in tables:
        Meter(monkeypatch)
        results.append(made(states, budget_of(), zeros=zeros))
    first = results[0]
    assert min(map(len, first.states)) > 0
    for other in results[1:]:
        assert other.pairs == first.pairs
        assert other.measured_rows == first.measured_rows
        for one, two in zip(first.states, other.states, strict=True):
            assert np.array_equal(one, two)


@pytest.mark.parametrize("relation", ["add_remove", "replace"])
def test_that_what_is_drawn_is_what_the_budget_was_asked_for(
    relation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    meter = Meter(monkeypatch)
    budget = budget_of(relation=relation)
    result = made(some_states(1), budget)
    rounds = result.rounds
    assert 1 <= rounds <= budget.rounds_most
    assert meter.drawn == {"noise": 1 + rounds, "choice": rounds}
    assert Decimal("0.99") * budget.epsilon <= meter.epsilon <= budget.epsilon


def test_that_the_data_are_not_asked_more_than_was_paid_for() -> None:
    asked = TrustedCounts(some_states(1), SIZES, budget_of())
    with refused("synthesis.not-charged"):
        asked.measure((0, 1))
    asked.shares()
    with refused("synthesis.not-charged"):
        asked.shares()
    rounds = asked.begin(900)
    with refused("synthesis.not-charged"):
        asked.begin(900)
    for _ in range(rounds):
        asked.measure((0, 1))
    with refused("synthesis.not-charged"):
        asked.measure((0, 2))


def test_that_a_choice_goes_to_the_table_that_is_furthest_off() -> None:
    states = some_states(1)
    asked = TrustedCounts(states, SIZES, budget_of("40"))
    asked.shares()
    asked.begin(900)
    candidates = [(0, 3), (0, 1), (1, 3)]
    expected = [np.full((SIZES[a], SIZES[b]), 900 // (SIZES[a] * SIZES[b])) for a, b in candidates]
    # The first two columns go together; the last is of its own.
    assert asked.choose(candidates, expected) == 1


@pytest.mark.parametrize("delta", ["0", "0.000001"])
def test_that_rows_come_close_to_the_data_where_the_loss_is_large(delta: str) -> None:
    states = some_states(1, rows=20_000)
    result = synthesize(
        TrustedCounts(states, SIZES, budget_of("10", delta)), SIZES, FixedWords(1), rows=20_000
    )
    for first, second in ((0, 1), (0, 2), (1, 2), (0, 3)):
        wide = SIZES[second]
        true, own = (
            np.bincount(each[first] * wide + each[second], minlength=SIZES[first] * wide)
            for each in (states, result.states)
        )
        assert np.abs(true - own).sum() / 40_000 < 0.02
    assert abs(result.measured_rows - 20_000) < 50


def test_that_one_column_alone_has_the_whole_loss() -> None:
    states = some_states(1)[:1]
    budget = SynthesisBudget(Decimal(1), Decimal(0), PrivacyUnit(), 1)
    asked = TrustedCounts(states, (3,), budget)
    result = synthesize(asked, (3,), FixedWords(1))
    assert result.pairs == ()
    assert budget.shares_noise(3).epsilon == 1
    shares = np.bincount(result.states[0], minlength=3) / result.states[0].size
    assert np.abs(shares - np.bincount(states[0], minlength=3) / 900).max() < 0.05


def test_that_public_rows_and_asked_rows_are_kept() -> None:
    result = made(some_states(1), budget_of(relation="replace"), public_rows=900, rows=77)
    assert result.measured_rows == 900
    assert {column.size for column in result.states} == {77}


def test_that_noise_cannot_ask_for_more_rows_than_memory_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("dpdesk.synthesis.synthesis.ROWS_MAX", 1_000)
    monkeypatch.setattr(CalibratedNoise, "draw", lambda own, values: [10_000_000] * len(values))
    result = made(some_states(1, rows=3), budget_of("0.1", rows_per_respondent=1_000_000))
    assert result.measured_rows > 10_000_000
    assert [column.size for column in result.states] == [1_000] * len(SIZES)
