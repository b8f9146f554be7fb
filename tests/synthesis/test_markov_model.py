from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from dpdesk.synthesis.junction_tree import Clique
from dpdesk.synthesis.markov_model import MarkovModel, NoisyTable

SIZES = (2, 3, 2, 4)
LETTERS = "abcd"
ROWS = 1000.0
Floats = NDArray[np.float64]


def some_joint(seed: int = 1) -> Floats:
    joint = np.random.default_rng(seed).dirichlet(np.full(48, 0.7)).reshape(SIZES)
    return np.asarray(joint)


def summed(joint: Floats, columns: Clique) -> Floats:
    return np.einsum(joint, list(range(joint.ndim)), list(columns))


def tables_of(joint: Floats, pairs: tuple[Clique, ...], noise: Floats | None = None) -> list:
    cliques = [*((column,) for column in range(len(SIZES))), *pairs]
    own = [NoisyTable(columns, ROWS * summed(joint, columns), 4.0) for columns in cliques]
    if noise is None:
        return own
    return [
        NoisyTable(t.columns, t.counts + noise[: t.counts.size].reshape(t.counts.shape), 4.0)
        for t in own
    ]


def fitted(tables: list[NoisyTable], steps: int = 4000) -> MarkovModel:
    model = MarkovModel(SIZES)
    model.add(tables)
    model.fit(ROWS, steps)
    return model


def joint_of(model: MarkovModel) -> Floats:
    """The joint distribution that the cliques of a tree stand for: product over separators."""
    joint = np.ones(SIZES)
    tree = model.tree
    for clique, separator, belief in zip(tree.cliques, tree.separators, model.beliefs, strict=True):
        shape = [SIZES[c] if c in clique else 1 for c in range(len(SIZES))]
        joint = joint * belief.reshape(shape)
        if separator:
            axes = tuple(at for at, c in enumerate(clique) if c not in separator)
            over = [SIZES[c] if c in separator else 1 for c in range(len(SIZES))]
            joint = joint / belief.sum(axis=axes).reshape(over)
    return joint


def by_scaling(joint: Floats, pairs: tuple[Clique, ...]) -> Floats:
    """The distribution of largest entropy with these tables, over all cells (iterative scaling)."""
    found = np.full(SIZES, 1 / joint.size)
    for _ in range(4000):
        for pair in pairs:
            now, goal = summed(found, pair), summed(joint, pair)
            shape = [SIZES[c] if c in pair else 1 for c in range(len(SIZES))]
            found = found * (goal / now).reshape(shape)
    return found


STRUCTURES = [
    ((0, 1),),
    ((0, 1), (1, 2), (2, 3)),
    ((0, 1), (1, 2), (0, 2)),
    ((0, 1), (1, 2), (2, 3), (0, 3)),
    tuple(combinations(range(4), 2)),
]


@pytest.mark.parametrize("pairs", STRUCTURES, ids=str)
def test_that_exact_tables_give_the_distribution_of_largest_entropy(
    pairs: tuple[Clique, ...],
) -> None:
    joint = some_joint()
    model = fitted(tables_of(joint, pairs))
    singles = tuple((column,) for column in range(len(SIZES)))
    assert np.abs(joint_of(model) - by_scaling(joint, (*singles, *pairs))).max() < 2e-4


@pytest.mark.parametrize("pairs", STRUCTURES, ids=str)
def test_that_clique_chances_are_those_of_the_product_over_all_cells(
    pairs: tuple[Clique, ...],
) -> None:
    tables = tables_of(some_joint(2), pairs)
    model = fitted(tables, steps=7)
    logarithm = np.zeros(SIZES)
    for table, parameters in zip(model.tables, model._parameters, strict=True):
        shape = [SIZES[c] if c in table.columns else 1 for c in range(len(SIZES))]
        logarithm = logarithm + parameters.reshape(shape)
    whole = np.exp(logarithm - logarithm.max())
    whole /= whole.sum()
    for clique, belief in zip(model.tree.cliques, model.beliefs, strict=True):
        assert np.allclose(belief, summed(whole, clique), atol=1e-12)


def test_that_noisy_tables_are_fitted_as_closely_as_any_distribution_can() -> None:
    from scipy.optimize import minimize

    pairs = ((0, 1), (1, 2), (2, 3), (0, 3))
    noise = np.random.default_rng(3).normal(0, 30, 16)
    tables = tables_of(some_joint(4), pairs, noise)
    model = fitted(tables, steps=20_000)

    def distance(logits: Floats) -> float:
        joint = np.exp(logits - logits.max()).reshape(SIZES)
        joint /= joint.sum()
        return sum(float(((summed(joint, t.columns) - t.counts / ROWS) ** 2).sum()) for t in tables)

    found = joint_of(model)
    own = distance(np.log(np.maximum(found, 1e-30)).ravel())
    best = minimize(distance, np.zeros(found.size), method="L-BFGS-B", options={"maxiter": 5000})
    assert own <= best.fun * 1.02 + 1e-9


def test_that_a_step_never_leaves_the_tables_further_off() -> None:
    model = MarkovModel(SIZES)
    noise = np.random.default_rng(5).normal(0, 40, 16)
    model.add(tables_of(some_joint(6), ((0, 1), (1, 2), (0, 2)), noise))
    distances = [model.fit(ROWS, 1) for _ in range(60)]
    assert all(b <= a * (1 + 1e-12) for a, b in pairwise(distances))
    assert distances[-1] < distances[0]


def test_that_a_table_is_asked_of_a_clique_that_holds_it() -> None:
    joint = some_joint()
    model = fitted(tables_of(joint, ((0, 1), (1, 2))))
    assert np.allclose(model.table((0, 1)), summed(joint, (0, 1)), atol=2e-4)
