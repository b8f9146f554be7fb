"""Structural zeros: combinations of answers that cannot be, declared before anybody looks at data.

A zero is a box of cells: in each of some columns it names the states that cannot meet. A condition
on a question with many options is one on several columns, so that a declared combination becomes
one box or several. A model keeps every box at chance 0 (`markov_model`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from dpdesk.domains import AnyDomain
from dpdesk.errors import ParameterError
from dpdesk.numbers.arrays import Flags
from dpdesk.queries.condition import Condition
from dpdesk.synthesis.junction_tree import Clique, JunctionTree, spread
from dpdesk.synthesis.states import ColumnStates, OptionStates
from dpdesk.synthesis.texts import T

BOXES_MAX = 10_000
"""Most boxes: each is looked at whenever a table joins the model."""

Box = dict[int, Flags]
"""The states of a cell's columns, by position; any state of a column that is not in it."""


@dataclass(frozen=True, eq=False)
class Zero:
    """A box of cells that cannot be.

    Attributes:
        columns: Its columns, ascending.
        states: For each of them, which states the box has, shape (states,).
    """

    columns: Clique
    states: tuple[Flags, ...]

    @property
    def possible(self) -> Flags:
        """Which cells of a table of its columns are outside the box, one axis per column."""
        return np.asarray(~reduce(np.logical_and.outer, self.states))


@dataclass(frozen=True)
class Part:
    """One condition of a combination.

    Attributes:
        condition: The condition.
        fails: Whether the combination is that it does not hold, missing answers included.
    """

    condition: Condition
    fails: bool = False


def zeros_of(
    combination: Sequence[Part],
    states: Sequence[ColumnStates],
    domains: Mapping[str, AnyDomain],
) -> tuple[Zero, ...]:
    """Returns the boxes of a combination that cannot be; none where no state meets it.

    Args:
        combination: What cannot hold at once.
        states: The states of all columns, in their order.
        domains: The domain of each column that a condition names.

    Raises:
        ParameterError: A condition does not suit its domain, or there are too many boxes.
    """
    boxes: list[Box] = [{}]
    for part in combination:
        column = part.condition.column
        of_column = {at: own for at, own in enumerate(states) if own.column == column}
        ways = list(_boxes(part, of_column, domains[column]))
        if len(boxes) * len(ways) > BOXES_MAX:
            raise ParameterError(T.MANY_OPTIONS())
        boxes = [_both(box, way) for box in boxes for way in ways]
    return tuple(
        Zero(tuple(sorted(box)), tuple(box[at] for at in sorted(box)))
        for box in (_narrowed(box) for box in boxes)
        if all(flags.any() for flags in box.values())
    )


def exclusive(states: Sequence[ColumnStates]) -> Iterator[Zero]:
    """Yields that who did not answer a question with many options ticked none of them."""
    for missing, own in enumerate(states):
        if not (isinstance(own, OptionStates) and own.is_missing):
            continue
        for at, other in enumerate(states):
            if at != missing and other.column == own.column:
                ticked = np.array([False, True])
                first, second = sorted((at, missing))
                yield Zero((first, second), (ticked, ticked))


def _boxes(part: Part, states: Mapping[int, ColumnStates], domain: AnyDomain) -> Iterator[Box]:
    """The boxes of the states of one column that meet a part of a combination."""
    condition = part.condition
    options = {at: own for at, own in states.items() if isinstance(own, OptionStates)}
    if not options:
        ((at, own),) = states.items()
        yield {at: own.meeting(domain, condition) != part.fails}
        return
    condition.require(domain)
    missing = [at for at, own in options.items() if own.is_missing]
    named = [
        at for at, own in options.items() if own.option in condition.options and not own.is_missing
    ]
    ticked, none = np.array([False, True]), np.array([True, False])
    if condition.answered is not None:
        # Whether the missing answer is what the box has.
        lacks = condition.answered == part.fails
        if missing or not lacks:
            yield dict.fromkeys(missing, ticked if lacks else none)
    elif condition.negated and part.fails:
        # One of the options, or no answer at all.
        yield from ({at: ticked} for at in (*named, *missing))
    elif condition.negated:
        yield dict.fromkeys((*named, *missing), none)
    elif part.fails:
        yield dict.fromkeys(named, none)
    else:
        yield from ({at: ticked} for at in named)


def _both(one: Box, other: Box) -> Box:
    return {
        at: np.asarray(
            one[at] & other[at] if at in one and at in other else one.get(at, other.get(at))
        )
        for at in {*one, *other}
    }


def _narrowed(box: Box) -> Box:
    """The box without columns of which it has every state, but with one column."""
    some = {at: flags for at, flags in box.items() if not flags.all()}
    return some or dict(list(box.items())[:1])


def support(tree: JunctionTree, zeros: Sequence[Zero]) -> tuple[Flags, ...]:
    """Returns which cells of each clique are part of a row that no zero forbids.

    Two passes over a junction tree leave a cell exactly if all columns have states that go with it
    (Lauritzen & Spiegelhalter 1988, with "and" and "or" in the place of products and sums).

    Args:
        tree: A tree in which each zero is within a clique.
        zeros: The zeros.
    """
    found = [np.ones([tree.sizes[c] for c in clique], dtype=np.bool_) for clique in tree.cliques]
    for zero in zeros:
        home = tree.home(zero.columns)
        found[home] &= spread(zero.possible, tree.cliques[home], zero.columns)
    for at in reversed(range(len(found))):
        parent = tree.parents[at]
        if parent >= 0:
            _keep(found, tree, source=at, target=parent, through=tree.separators[at])
    for at, parent in enumerate(tree.parents):
        if parent >= 0:
            _keep(found, tree, source=parent, target=at, through=tree.separators[at])
    return tuple(found)


def _keep(
    found: list[Flags], tree: JunctionTree, *, source: int, target: int, through: Clique
) -> None:
    left = held(found[source], tree.cliques[source], through)
    found[target] &= spread(left, tree.cliques[target], through)


def held(flags: Flags, clique: Clique, columns: Clique) -> Flags:
    """Returns which states of some columns of a clique have any cell left."""
    axes = tuple(axis for axis, column in enumerate(clique) if column not in columns)
    return np.asarray(flags.any(axis=axes)) if axes else flags


def cliques_of(zeros: Sequence[Zero]) -> list[Clique]:
    """Returns the columns of the zeros, each combination once."""
    return list(dict.fromkeys(zero.columns for zero in zeros))
