"""Combinations that cannot be: which cells are left, and that no path leads a row into another."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations, product

import numpy as np
import pytest
from numpy.typing import NDArray

from dpdesk.domains import Categorical, Integer, OptionSet
from dpdesk.queries import PrivacyUnit
from dpdesk.queries.condition import Condition
from dpdesk.queries.noise import CalibratedNoise
from dpdesk.randomness import SystemWords
from dpdesk.synthesis.budget import SynthesisBudget
from dpdesk.synthesis.impossible import Part, Zero, cliques_of, exclusive, support, zeros_of
from dpdesk.synthesis.junction_tree import junction_tree
from dpdesk.synthesis.markov_model import MarkovModel, NoisyTable
from dpdesk.synthesis.states import NO_ANSWER, column_states
from dpdesk.synthesis.synthesis import synthesize
from dpdesk.synthesis.synthetic_rows import counted, draw_rows
from dpdesk.synthesis.trusted_counts import TrustedCounts
from tests.synthesis.test_synthetic_rows import FixedWords

SIZES = (3, 2, 4, 3)


class LowWords(FixedWords):
    """Words that are all 0, the end at which rounding would move a row."""

    def take(self, count: int) -> NDArray[np.uint64]:
        return np.zeros(count, dtype=np.uint64)


def some_zeros(seed: int, count: int) -> list[Zero]:
    generator = np.random.default_rng(seed)
    zeros = []
    for _ in range(count):
        columns = tuple(sorted(generator.choice(len(SIZES), generator.integers(1, 4), False)))
        states = tuple(generator.random(SIZES[c]) < 0.45 for c in columns)
        zeros.append(Zero(tuple(map(int, columns)), states))
    return [zero for zero in zeros if all(flags.any() for flags in zero.states)]


def can_be(row: Sequence[int], zeros: Sequence[Zero]) -> bool:
    return not any(
        all(flags[row[c]] for c, flags in zip(zero.columns, zero.states, strict=True))
        for zero in zeros
    )


def rows_left(zeros: Sequence[Zero]) -> list[tuple[int, ...]]:
    return [row for row in product(*map(range, SIZES)) if can_be(row, zeros)]


@pytest.mark.parametrize("seed", range(40))
def test_that_a_cell_is_possible_exactly_if_a_row_has_it(seed: int) -> None:
    zeros = some_zeros(seed, 1 + seed % 5)
    left = rows_left(zeros)
    tree = junction_tree(SIZES, [*cliques_of(zeros), (0, 1), (1, 3)])
    for clique, flags in zip(tree.cliques, support(tree, zeros), strict=True):
        seen = {tuple(row[c] for c in clique) for row in left}
        assert {tuple(cell) for cell in np.argwhere(flags).tolist()} == seen


def pairs_of(seed: int) -> list[NoisyTable]:
    generator = np.random.default_rng(seed)
    # Much of the noise lies where nothing can be, and some counts are negative.
    return [
        NoisyTable(pair, generator.normal(20, 60, [SIZES[c] for c in pair]), 100.0)
        for pair in combinations(range(len(SIZES)), 2)
    ]


@pytest.mark.parametrize("seed", range(25))
def test_that_no_row_is_drawn_that_cannot_be(seed: int) -> None:
    zeros = some_zeros(seed, 1 + seed % 4)
    if not rows_left(zeros):
        return
    model = MarkovModel(SIZES, zeros)
    tables = [
        NoisyTable((c,), np.random.default_rng(c + seed).normal(40, 90, size), 50.0)
        for c, size in enumerate(SIZES)
    ]
    model.add([*tables, *pairs_of(seed)])
    model.fit(300, 40)
    for table in model.tables:
        cells = {tuple(row[c] for c in table.columns) for row in rows_left(zeros)}
        for cell, count in np.ndenumerate(table.counts):
            assert cell in cells or count == 0
    for words in (FixedWords(seed), LowWords()):
        drawn = np.array(draw_rows(model, 997, words)).T
        assert all(can_be(row, zeros) for row in set(map(tuple, drawn.tolist())))


@pytest.mark.parametrize("seed", range(12))
def test_that_where_all_chances_are_lost_every_row_still_can_be(seed: int) -> None:
    zeros = some_zeros(seed, 2)
    left = rows_left(zeros)
    if not left:
        return
    model = MarkovModel(SIZES, zeros)
    model.add(pairs_of(seed)[:2])
    # As after a fit so extreme that nothing is left of the chances but their sum.
    model._beliefs = [np.zeros_like(belief) for belief in model.beliefs]
    drawn = set(map(tuple, np.array(draw_rows(model, 500, FixedWords(seed))).T.tolist()))
    assert drawn <= set(left)


def test_that_rounding_gives_no_row_to_a_state_without_a_chance() -> None:
    from dpdesk.synthesis.synthetic_rows import _drawn

    chances = np.array([[0.1] * 10 + [0.0]])
    # Ten tenths fall short of one by a rounding: without a guard the last state would get a row.
    assert np.cumsum(chances[0])[-1] < 1
    states = _drawn(chances, np.zeros(7, dtype=np.int64), LowWords())
    assert states.max() < 10


def test_that_a_synthesis_keeps_what_cannot_be_away_though_the_data_have_it() -> None:
    generator = np.random.default_rng(5)
    states = [generator.integers(0, size, 3_000).astype(np.int32) for size in SIZES]
    never = Zero((0, 2), (np.array([True, False, False]), np.array([False, True, True, False])))
    last = Zero((1, 2, 3), tuple(np.eye(SIZES[c], dtype=bool)[-1] for c in (1, 2, 3)))
    budget = SynthesisBudget(Decimal(4), Decimal(0), PrivacyUnit(), len(SIZES))
    made = synthesize(
        TrustedCounts(states, SIZES, budget), SIZES, SystemWords(), zeros=(never, last)
    )
    assert counted(made.states, SIZES, (0, 2))[0, 1:3].sum() == 0
    assert counted(made.states, SIZES, (1, 2, 3))[-1, -1, -1] == 0
    for table in made.tables:
        if table.columns == (0, 2):
            assert table.counts[0, 1] == table.counts[0, 2] == 0
    # The other shares are told as before.
    apart = np.abs(
        np.bincount(made.states[3], minlength=3) / made.states[3].size
        - np.bincount(states[3], minlength=3) / 3_000
    )
    assert apart.max() < 0.05


def test_that_what_cannot_be_costs_nothing_and_changes_no_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[list[int]] = []
    draw = CalibratedNoise.draw

    def noted(own: CalibratedNoise, values: Sequence[int]) -> list[int]:
        asked.append(list(values))
        return draw(own, values)

    monkeypatch.setattr(CalibratedNoise, "draw", noted)
    states = [np.zeros(50, dtype=np.int32) for _ in SIZES]
    budget = SynthesisBudget(Decimal(1), Decimal(0), PrivacyUnit(), len(SIZES))
    zero = Zero((0, 1), (np.array([True, False, False]), np.array([True, False])))
    for zeros in ((), (zero,)):
        asked.clear()
        synthesize(TrustedCounts(states, SIZES, budget), SIZES, SystemWords(), zeros=zeros)
        # The true counts of the shares, zeros or not: what is asked does not depend on them.
        assert asked[0] == [50, 0, 0, 50, 0, 50, 0, 0, 0, 50, 0, 0]


MANY = OptionSet(values=("tv", "web", "radio", "paper", "talk"))
FEW = OptionSet(values=("tv", "web"))
AGE = Integer(lower=0, upper=99)
STATUS = Categorical(values=("single", "married"))


def rows_of(domains: dict[str, object], lacks: tuple[str, ...], *all_of: Part) -> None:
    """Compares the boxes of a combination with its conditions, over every row of codes."""
    states = [
        one
        for name, domain in domains.items()
        for one in column_states(
            name,
            domain,
            lacks_answers=name in lacks,
            conditions=tuple(p.condition for p in all_of if p.condition.column == name),
        )
    ]
    zeros = zeros_of(all_of, states, domains)
    codes = {
        name: np.array(
            [*range(1 << domain.size if domain.is_set else domain.size), *[-1] * (name in lacks)],
            dtype=np.int32,
        )
        for name, domain in domains.items()
    }
    for chosen in product(
        *(range(0, own.size, 1 if own.size < 40 else 7) for own in codes.values())
    ):
        code = {name: own[[at]] for (name, own), at in zip(codes.items(), chosen, strict=True)}
        row = [int(one.of_codes(code[one.column])[0]) for one in states]
        met = all(
            bool(p.condition.met(domains[p.condition.column], code[p.condition.column])[0])
            != p.fails
            for p in all_of
        )
        assert can_be(row, zeros) != met, (code, met)


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("media", [FEW, MANY], ids=["few", "many"])
@pytest.mark.parametrize(
    "condition",
    [
        Condition(column="media", options=("tv", "web")),
        Condition(column="media", options=("web",), negated=True),
        Condition(column="media", answered=True),
        Condition(column="media", answered=False),
    ],
    ids=["any", "none", "answered", "not answered"],
)
@pytest.mark.parametrize("lacks", [(), ("media", "age")], ids=["all answer", "some do not"])
def test_that_boxes_are_the_rows_that_meet_the_conditions(
    fails: bool, media: OptionSet, condition: Condition, lacks: tuple[str, ...]
) -> None:
    domains = {"age": AGE, "media": media, "status": STATUS}
    young = Part(Condition(column="age", upper=Decimal(16)))
    married = Part(Condition(column="status", values=("married",)), fails=fails)
    rows_of(domains, lacks, young, Part(condition, fails=fails), married)


def test_that_classes_are_divided_where_a_condition_ends() -> None:
    conditions = (
        Condition(column="age", upper=Decimal(16)),
        Condition(column="age", lower=Decimal(63), upper=Decimal(64)),
    )
    (states,) = column_states("age", AGE, lacks_answers=False, conditions=conditions, alone=("7",))
    assert [text for text in states.texts if text in {"7", "15 to 16", "17 to 19", "63 to 64"}] == [
        "7",
        "15 to 16",
        "17 to 19",
        "63 to 64",
    ]


@pytest.mark.parametrize("domain", [FEW, MANY], ids=["few", "many"])
@pytest.mark.parametrize("with_category", [False, True])
def test_that_sets_come_back_from_their_states(domain: OptionSet, with_category: bool) -> None:
    own = domain.with_missing_value("(no answer)") if with_category else domain
    states = column_states("media", own, lacks_answers=not with_category)
    missing = 1 << domain.size
    codes = np.array([*range(1 << domain.size), missing if with_category else -1], dtype=np.int32)
    back = sum(one.drawn_codes(one.of_codes(codes), SystemWords()) for one in states)
    assert back.tolist() == [*range(1 << domain.size), missing]
    assert len(states) == (1 if domain is FEW else domain.size + 1)
    if domain is MANY:
        assert states[-1].name == f'media has "{"(no answer)" if with_category else NO_ANSWER}"'
        # Who did not answer ticked nothing.
        assert len(tuple(exclusive(states))) == domain.size


@pytest.mark.parametrize("relation", ["add_remove", "replace"])
def test_that_a_respondent_moves_the_options_by_no_more_than_is_paid_for(relation: str) -> None:
    states = (
        *column_states("media", MANY, lacks_answers=True),
        *column_states("few", FEW, lacks_answers=False),
    )
    rows = [
        np.array([one.of_codes(np.array([code], dtype=np.int32))[0] for one in states[:-1]])
        for code in (*range(1 << MANY.size), -1)
    ]
    sets = np.arange(1 << FEW.size, dtype=np.int32)
    every = [(*row, own) for row in rows for own in states[-1].of_codes(sets)]
    sizes = [one.size for one in states]

    def shares(row: Sequence[int]) -> NDArray[np.int64]:
        own = [np.array([state], dtype=np.int32) for state in row]
        return np.concatenate([counted(own, sizes, (c,)) for c in range(len(sizes))])

    vectors = [shares(row) for row in every]
    others = [np.zeros_like(vectors[0])] if relation == "add_remove" else vectors
    most = max(int(np.abs(one - other).sum()) for one in vectors for other in others)
    budget = SynthesisBudget(Decimal(1), Decimal(0), PrivacyUnit(relation=relation), len(states))
    assert most <= budget.shares_noise(sum(sizes)).sensitivity.l1
