from __future__ import annotations

from itertools import combinations, pairwise
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.synthesis.junction_tree import Clique, JunctionTree, junction_tree

SIZES = (3, 2, 5, 4, 2, 7, 3)
PAIRS = tuple(combinations(range(len(SIZES)), 2))
tables = st.lists(st.sampled_from(PAIRS), unique=True, max_size=10)


def path_to_first(tree: JunctionTree, at: int) -> list[int]:
    path = [at]
    while tree.parents[path[-1]] >= 0:
        path.append(tree.parents[path[-1]])
    return path


def assert_junction_tree(tree: JunctionTree, held: list[Clique]) -> None:
    assert tree.parents[0] == -1
    assert all(0 <= parent < at for at, parent in enumerate(tree.parents) if at)
    assert set().union(*tree.cliques) == set(range(len(SIZES)))
    for one, other in combinations(tree.cliques, 2):
        assert not set(one) <= set(other)
        assert not set(other) <= set(one)
    for table in held:
        assert set(table) <= set(tree.cliques[tree.home(table)])
    # Every column is in the cliques of one connected part of the tree: between any two, too.
    for one, other in combinations(range(len(tree.cliques)), 2):
        ups, downs = path_to_first(tree, one), path_to_first(tree, other)
        meeting = next(at for at in ups if at in downs)
        between = {*ups[: ups.index(meeting) + 1], *downs[: downs.index(meeting) + 1]}
        shared = set(tree.cliques[one]) & set(tree.cliques[other])
        assert all(shared <= set(tree.cliques[at]) for at in between)


@given(tables)
def test_that_every_table_is_in_a_clique_and_every_column_in_connected_ones(
    held: list[Clique],
) -> None:
    assert_junction_tree(junction_tree(SIZES, held), held)


@given(tables, st.sampled_from(PAIRS))
def test_that_a_tree_with_one_more_table_is_no_larger_than_was_said_before(
    held: list[Clique], pair: Clique
) -> None:
    tree = JunctionTree(SIZES, tuple((c,) for c in range(len(SIZES))), (-1, 0, 1, 2, 3, 4, 5))
    known: list[Clique] = []
    for table in [*held, pair]:
        most = tree.cells_with(*table)
        tree = tree.extended(known, *table)
        known.append(table)
        assert tree.cells <= most
        assert_junction_tree(tree, known)


def test_that_a_chain_has_no_clique_of_more_than_two_columns() -> None:
    chain = list(pairwise(range(len(SIZES))))
    tree = junction_tree(SIZES, chain)
    assert sorted(tree.cliques) == chain
    assert tree.cells == sum(prod(SIZES[c] for c in pair) for pair in chain)


def test_that_no_clique_is_found_for_columns_that_share_none() -> None:
    with pytest.raises(ValueError, match="min"):
        junction_tree(SIZES, []).home((0, 1))
