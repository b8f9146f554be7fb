"""The search over levels beside every combination of levels, counted record by record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import exp, log, log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesk.data.reading import Reading
from dpdesk.data.table import TextColumn
from dpdesk.disclosure.classes import CodedColumn
from dpdesk.disclosure.coarsened import before_after, coarsened_at
from dpdesk.disclosure.coarsening import Lattice, search
from dpdesk.disclosure.columns import missing_by
from dpdesk.disclosure.hierarchies import Hierarchy
from dpdesk.disclosure.information_loss import LOSSES, Loss, loss_named
from dpdesk.disclosure.levelled import LevelledColumn, levelled
from dpdesk.disclosure.methods import METHODS, Method, method_named
from dpdesk.disclosure.requirement import Requirement, judged
from dpdesk.errors import ParameterError
from tests.disclosure.brute_force import diversity_of, groups_of
from tests.refusals import refused

VALUES = ("a", "b", "c", "d")
HIERARCHIES = (
    (("*",) * 4,),
    (("ab", "ab", "cd", "cd"), ("*",) * 4),
    (("a", "b", "cd", "cd"), ("a", "bcd", "bcd", "bcd"), ("*",) * 4),
    # Without a top that hides everything: then nothing may fulfil what is asked.
    (("ab", "ab", "cd", "cd"),),
)

Rows = Sequence[tuple[int, ...]]
Problem = tuple[Rows, tuple[int, ...], Requirement, bool]


def column_of(name: str, codes: list[int], labels: tuple[tuple[str, ...], ...]) -> LevelledColumn:
    texts = TextColumn.from_texts(name, [VALUES[code] for code in codes])
    return levelled(Hierarchy(name, VALUES, labels), texts, ".", missing_by(Reading())(texts))


def lattice_of(rows: Rows, shapes: tuple[int, ...], ordered: bool = False) -> Lattice:
    """The last cell of each row is sensitive."""
    columns = tuple(
        column_of(f"q{place}", [row[place] for row in rows], HIERARCHIES[shape])
        for place, shape in enumerate(shapes)
    )
    told = np.array([row[-1] for row in rows], dtype=np.int64)
    return Lattice(columns, (CodedColumn("s", told, 4, is_ordered=ordered),), len(rows))


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    width = draw(st.integers(1, 3))
    cells = st.tuples(*[st.integers(0, 3)] * (width + 1))
    rows = draw(st.lists(cells, min_size=3, max_size=18))
    shapes = tuple(draw(st.lists(st.integers(0, 3), min_size=width, max_size=width)))
    k = draw(st.integers(2, 4))
    most = draw(st.integers(0, len(rows) // 3))
    kinds = len({row[-1] for row in rows})
    requirement = Requirement(
        min(k, len(rows)),
        draw(st.integers(1, min(2, kinds))),
        draw(st.sampled_from([1.0, 1.5])) if kinds > 1 else 1.0,
        draw(st.sampled_from([None, 0.2, 0.4])),
        most,
    )
    return rows, shapes, requirement, draw(st.booleans())


def labels_on(
    rows: Rows, shapes: tuple[int, ...], levels: tuple[int, ...]
) -> list[tuple[str, ...]]:
    """The records as they read on some levels."""
    found = []
    for row in rows:
        cells = []
        for place, (shape, level) in enumerate(zip(shapes, levels, strict=True)):
            code = row[place]
            cells.append(VALUES[code] if level == 0 else HIERARCHIES[shape][level - 1][code])
        found.append(tuple(cells))
    return found


def left_out(
    cells: list[tuple[str, ...]], rows: Rows, wanted: Requirement, ordered: bool
) -> set[int]:
    """The records of classes that break a requirement, by the definitions."""
    groups = groups_of(cells)  # type: ignore[arg-type]
    out: set[int] = set()
    for places in groups.values():
        told = [rows[place][-1] for place in places]
        shares = [told.count(value) / len(told) for value in set(told)]
        bad = len(places) < wanted.k or len(shares) < wanted.l_distinct
        bad |= exp(-sum(p * log(p) for p in shares)) < wanted.l_entropy - 1e-9
        out |= set(places) if bad else set()
    while wanted.t is not None:
        whole = [rows[place][-1] for place in range(len(rows)) if place not in out]
        far: set[int] = set()
        for places in groups.values():
            if places[0] in out:
                continue
            told = [rows[place][-1] for place in places]
            # A class beside the whole: the larger distance of the two files is that of the class.
            if distance(told, whole, ordered) > wanted.t + 1e-9:
                far |= set(places)
        if not far:
            break
        out |= far
    return out


def distance(told: list[int], whole: list[int], ordered: bool) -> float:
    values = sorted(set(whole))
    gaps = [told.count(v) / len(told) - whole.count(v) / len(whole) for v in values]
    if not ordered:
        return sum(map(abs, gaps)) / 2
    if len(values) < 2:
        return 0.0
    return sum(abs(sum(gaps[: i + 1])) for i in range(len(values))) / (len(values) - 1)


def cost_of(
    name: str, rows: Rows, shapes: tuple[int, ...], levels: tuple[int, ...], out: set[int], k: int
) -> float:
    """Each loss by its definition, record by record."""
    cells = labels_on(rows, shapes, levels)
    n = len(rows)
    sizes = [len(g) for g in groups_of(cells).values() if g[0] not in out]  # type: ignore[arg-type]
    if name == "average-class":
        return n / (len(sizes) + bool(out)) / k
    if name == "discernibility":
        return sum(size * size for size in sizes) + len(out) * n
    lost = whole = 0.0
    for record in range(n):
        for place, (shape, level) in enumerate(zip(shapes, levels, strict=True)):
            height = len(HIERARCHIES[shape])
            if name == "precision":
                lost += (1.0 if record in out else level / height) / n / len(shapes)
                whole = 1.0
                continue
            own = sum(row[place] == rows[record][place] for row in rows)
            group = sum(other[place] == cells[record][place] for other in cells)
            lost += log2((n if record in out else group) / own)
            whole += log2(n / own)
    return lost / whole if whole else 0.0


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.word)
@settings(max_examples=60, deadline=None)
@given(problem=problems())
def test_that_the_search_finds_the_least_loss_of_all_nodes(loss: Loss, problem: Problem) -> None:
    rows, shapes, requirement, ordered = problem
    costs = {}
    for levels in product(*(range(len(HIERARCHIES[shape]) + 1) for shape in shapes)):
        out = left_out(labels_on(rows, shapes, levels), rows, requirement, ordered)
        if len(out) <= requirement.suppressed_most and len(out) < len(rows):
            costs[levels] = cost_of(loss.word, rows, shapes, levels, out, requirement.k)
    lattice = lattice_of(rows, shapes, ordered)
    if not costs:
        with pytest.raises(ParameterError, match="reach"):
            search(lattice, requirement, loss)
        return
    found = search(lattice, requirement, loss)
    assert found.loss == pytest.approx(min(costs.values()), abs=1e-9)
    assert costs[found.levels] == pytest.approx(found.loss, abs=1e-9)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.word)
def test_that_no_node_is_skipped_that_loses_a_little_less(loss: Loss) -> None:
    # Among many levels nodes lie close to each other: a bound that is a little too high, which
    # chance finds with the few levels above hardly ever, skips the best of them.
    values = tuple(f"{code:02}" for code in range(24))
    labels = [tuple(f"{code // width}/{width}" for code in range(24)) for width in (2, 4, 8, 24)]
    levels = tuple(product(range(5), repeat=3))
    random = np.random.default_rng(7)
    for _ in range(12):
        codes = random.binomial(23, random.uniform(0.2, 0.8, 3), (90, 3))
        columns = []
        for name, column in zip("abc", codes.T, strict=True):
            texts = TextColumn.from_texts(name, [values[code] for code in column])
            none = missing_by(Reading())(texts)
            columns.append(levelled(Hierarchy(name, values, tuple(labels)), texts, ".", none))
        lattice, wanted = Lattice(tuple(columns), (), 90), Requirement(4, suppressed_most=12)
        costs = []
        for node in levels:
            groups = lattice.classes(node)
            verdict = judged(groups, (), wanted)
            if verdict.suppressed <= 12:
                costs.append(lattice.loss(groups, verdict, loss, 4))
        assert search(lattice, wanted, loss).loss == pytest.approx(min(costs), abs=1e-12)


@pytest.mark.parametrize("name", ["discernibility", "average-class"])
def test_that_a_coarser_node_of_nearly_the_same_classes_is_looked_at(name: str) -> None:
    # Forty of each letter to g, one of each from h on. Level 1 merges k and l, level 2 also h and
    # i: that leaves two records fewer out, and hardly raises what the classes cost.
    values = tuple("abcdefghijkl")
    labels = (tuple("abcdefghijkk"), tuple("abcdefghhjkk"), ("*",) * 12)
    texts = TextColumn.from_texts("q", [*"abcdefg" * 40, *"hijkl"])
    column = levelled(Hierarchy("q", values, labels), texts, ".", missing_by(Reading())(texts))
    lattice = Lattice((column,), (), texts.rows)
    found = search(lattice, Requirement(2, suppressed_most=5), loss_named(name))
    assert (found.levels, found.suppressed) == ((2,), 1)


@settings(max_examples=80, deadline=None)
@given(problem=problems())
def test_that_no_finer_level_leaves_out_fewer_records_for_k_and_distinct_l(
    problem: Problem,
) -> None:
    rows, shapes, requirement, _ = problem
    wanted = Requirement(requirement.k, requirement.l_distinct, suppressed_most=len(rows))
    lattice = lattice_of(rows, shapes)
    nodes = list(product(*(range(len(HIERARCHIES[shape]) + 1) for shape in shapes)))
    out = {
        node: judged(lattice.classes(node), lattice.sensitive, wanted).suppressed for node in nodes
    }
    for one in nodes:
        for other in nodes:
            if all(a <= b for a, b in zip(one, other, strict=True)):
                assert out[one] >= out[other]


@settings(max_examples=60, deadline=None)
@given(problem=problems())
def test_that_the_file_on_some_levels_fulfils_what_is_asked_of_its_own_records(
    problem: Problem,
) -> None:
    rows, shapes, requirement, ordered = problem
    lattice = lattice_of(rows, shapes, ordered)
    for levels in product(*(range(len(HIERARCHIES[shape]) + 1) for shape in shapes)):
        result = coarsened_at(lattice, levels, requirement)
        cells = labels_on(rows, shapes, levels)
        out = left_out(cells, rows, requirement, ordered)
        assert set(np.flatnonzero(~result.kept).tolist()) == out
        if result.rows < 2:
            continue
        told = before_after(result)
        kept = [place for place in range(len(rows)) if place not in out]
        own = diversity_of([cells[p] for p in kept], [rows[p][-1] for p in kept])
        assert told.after.k >= requirement.k
        assert own["l_distinct"] >= requirement.l_distinct  # type: ignore[operator]
        assert own["l_entropy"] >= requirement.l_entropy - 1e-9  # type: ignore[operator]
        if requirement.t is not None:
            assert own["ordered" if ordered else "nominal"] <= requirement.t + 1e-9  # type: ignore[operator]
        k = requirement.k
        for name, value in (
            ("entropy", told.loss.entropy),
            ("discernibility", told.loss.discernibility),
            ("average-class", told.loss.average_class),
            ("precision", 1 - told.loss.precision),  # type: ignore[operator]
        ):
            expected = cost_of(name, rows, shapes, levels, out, k)
            assert value == pytest.approx(expected, abs=1e-9)


def test_that_entropy_l_with_a_limit_rules_out_no_finer_level() -> None:
    # The reason why the search prunes by k and distinct l alone when records may be left out: here
    # the finer level leaves out 3 records and the coarser one all 15.
    rows = [(0, 0)] * 6 + [(0, 1)] * 6 + [(1, 0)] * 3
    lattice = lattice_of(rows, (1,))
    wanted = Requirement(2, l_entropy=1.99, suppressed_most=3)
    fine = judged(lattice.classes((0,)), lattice.sensitive, wanted)
    coarse = judged(lattice.classes((1,)), lattice.sensitive, wanted)
    assert (fine.suppressed, coarse.suppressed) == (3, 15)
    assert search(lattice, wanted, loss_named("entropy")).levels == (0,)


def test_that_a_fixed_level_is_left_as_it_is() -> None:
    rows = [(code % 4, code % 3, code % 2) for code in range(24)]
    lattice = lattice_of(rows, (2, 2))
    found = search(lattice, Requirement(6), loss_named("entropy"), {0: 3})
    assert found.levels[0] == 3


def test_that_what_cannot_be_reached_is_said_with_what_can() -> None:
    rows = [(0, 0), (0, 0), (2, 0), (2, 1), (2, 1)]
    lattice = lattice_of(rows, (3,))
    with refused("disclosure.unreachable", symbol="k", wanted="3", reached="2"):
        search(lattice, Requirement(3), loss_named("entropy"))
    with refused("disclosure.large-k", k=9, rows=5):
        search(lattice, Requirement(9), loss_named("entropy"))
    with refused("disclosure.large-l", column="s", values=2, least=3):
        search(lattice, Requirement(2, 3), loss_named("entropy"))
    with refused("disclosure.unreachable", symbol="l", wanted="2", reached="1"):
        search(lattice, Requirement(2, 2), loss_named("entropy"))


def test_that_the_error_of_a_table_is_that_of_cells_spread_over_their_values() -> None:
    # a a b c: on level ab / cd the shares of a and b are 3/8 each, those of c and d 1/8 each.
    rows = [(0, 0), (0, 0), (1, 0), (2, 1)]
    lattice = lattice_of(rows, (1,))
    result = coarsened_at(lattice, (1,), Requirement(2, suppressed_most=4))
    assert result.rows == 3
    own = lattice.columns[0].at(0)
    told = before_after(result, [[own], [own, lattice.sensitive[0]]])
    # The record of c is left out: a and b have 1/2 each of three records.
    assert told.tables[0][1] == pytest.approx((0 + 0.25 + 0.25) / 2)
    assert told.tables[1][1] == pytest.approx((0 + 0.25 + 0.25) / 2)


@pytest.mark.parametrize(
    ("named", "kind", "words"),
    [
        (loss_named, "loss", [loss.word for loss in LOSSES]),
        (method_named, "method", [method.word for method in METHODS]),
    ],
)
def test_that_a_word_of_no_kind_is_refused_with_those_that_there_are(
    named: Callable[[str], Loss | Method], kind: str, words: list[str]
) -> None:
    assert len({id(named(word)) for word in words}) == len(words)
    with pytest.raises(ParameterError, match=f"no {kind} nothing.*{words[0]}, {words[1]}"):
        named("nothing")
