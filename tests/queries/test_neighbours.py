"""No two neighbouring tables move a query further than its sensitivity says, and some do.

Every table of up to three or four rows over a small domain is enumerated, with every neighbour.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from itertools import product

import numpy as np
import pytest

from dpdesk.domains import Categorical, Integer
from dpdesk.queries import (
    CodedRows,
    Condition,
    Count,
    Histogram,
    Mean,
    MeasuredQuery,
    MostCommon,
    PrivacyUnit,
    Quantile,
    Query,
    Share,
    Statistic,
    Sum,
    Variance,
)
from dpdesk.queries.selection import rank_scores
from tests.refusals import refused

SEX, SCORE = Categorical(values=("F", "M")), Integer(lower=-1, upper=2)
DOMAINS = {"sex": SEX, "score": SCORE}
FEMALE = Condition(column="sex", values=("F",))

# A row is the codes of both columns; -1 is a missing answer.
ROWS = tuple(product((-1, 0, 1), (-1, 0, 2, 3)))
COMPLETE_ROWS = tuple(row for row in ROWS if -1 not in row)
Row = tuple[int, int]
Table = tuple[Row, ...]

MEASURED: tuple[Query, ...] = (
    Count(where=(FEMALE,)),
    Count(by=("sex",)),
    Share(meeting=(FEMALE,)),
    Share(meeting=(Condition(column="score", lower=Decimal(0)),), by=("sex",)),
    Sum(column="score"),
    Sum(column="score", by=("sex",)),
    Sum(column="score", lower=Decimal(1)),
    Mean(column="score"),
    Mean(column="score", by=("sex",)),
    Mean(column="score", where=(FEMALE,), upper=Decimal(1)),
    Variance(column="score"),
    Variance(column="score", by=("sex",)),
    Histogram(column="score", edges=(Decimal(-1), Decimal(0), Decimal(2))),
)


def coded(table: Table) -> CodedRows:
    codes = np.asarray(table, dtype=np.int32).reshape(-1, 2)
    columns = {"sex": codes[:, 0], "score": codes[:, 1]}
    return CodedRows(len(table), columns, DOMAINS)


def people(rows: tuple[Row, ...], most: int) -> Iterator[Table]:
    """Every set of rows that one respondent can have, up to their order."""
    if most == 1:
        yield from ((row,) for row in rows)
        return
    yield ()
    yield from ((row,) for row in rows)
    yield from (pair for pair in product(rows, repeat=2) if pair[0] <= pair[1])


def neighbours(unit: PrivacyUnit, rows: tuple[Row, ...]) -> Iterator[tuple[Table, Table]]:
    """Every pair of neighbouring tables of at most four rows, up to the order of rows.

    Sums of rows that both tables have cancel, so that it is enough to look at them with few.
    """
    persons = tuple(people(rows, unit.rows_per_respondent))
    for others in ((), (rows[0],), (rows[-1], rows[-1])):
        if unit.relation == "add_remove":
            yield from ((others, (*others, *person)) for person in persons)
        else:
            yield from (
                ((*others, *first), (*others, *second)) for first in persons for second in persons
            )


@cache
def sums_of(query: Query, unit: PrivacyUnit, table: Table) -> tuple[tuple[int, ...], ...]:
    bound = query.bind(DOMAINS, unit)
    assert isinstance(bound, MeasuredQuery)
    return tuple(tuple(part.reshape(-1).tolist()) for part in bound.sums(coded(table)))


UNITS = (
    PrivacyUnit(),
    PrivacyUnit(relation="replace"),
    PrivacyUnit(respondent_column="id", rows_per_respondent=2),
    PrivacyUnit(relation="replace", respondent_column="id", rows_per_respondent=2),
)


def furthest(query: Query, unit: PrivacyUnit, rows: tuple[Row, ...]) -> list[list[int]]:
    """The largest L1, squared L2 and Linf change of each part over all neighbours."""
    bound = query.bind(DOMAINS, unit)
    assert isinstance(bound, MeasuredQuery)
    found = [[0, 0, 0] for _ in bound.parts]
    for first, second in neighbours(unit, rows):
        one, other = sums_of(query, unit, first), sums_of(query, unit, second)
        for part, (x, y) in enumerate(zip(one, other, strict=True)):
            change = [abs(a - b) for a, b in zip(x, y, strict=True)]
            reached = (sum(change), sum(c * c for c in change), max(change))
            found[part] = [max(a, b) for a, b in zip(found[part], reached, strict=True)]
    return found


@pytest.mark.parametrize("unit", UNITS, ids=lambda u: f"{u.relation}-{u.rows_per_respondent}")
@pytest.mark.parametrize("query", MEASURED, ids=lambda q: q.description)
def test_that_the_sensitivity_is_the_largest_change_over_all_neighbours(
    query: Query, unit: PrivacyUnit
) -> None:
    bound = query.bind(DOMAINS, unit)
    assert isinstance(bound, MeasuredQuery)
    for part, found in zip(bound.parts, furthest(query, unit, ROWS), strict=True):
        stated = part.noise.sensitivity
        assert [stated.l1, stated.l2_square, stated.linf] == found, part.name


@pytest.mark.parametrize(
    "query",
    [
        Share(meeting=(FEMALE,), complete=True),
        Mean(column="score", complete=True),
        Variance(column="score", complete=True),
    ],
    ids=lambda q: q.kind,
)
def test_that_a_public_number_of_rows_saves_noise_and_no_privacy(query: Query) -> None:
    unit = PrivacyUnit(relation="replace")
    bound = query.bind(DOMAINS, unit)
    assert isinstance(bound, MeasuredQuery)
    assert all(part.name != "rows" for part in bound.parts)
    found = furthest(query, unit, COMPLETE_ROWS)
    stated = [part.noise.sensitivity for part in bound.parts]
    assert [[s.l1, s.l2_square, s.linf] for s in stated] == found


@pytest.mark.parametrize("unit", UNITS, ids=lambda u: f"{u.relation}-{u.rows_per_respondent}")
def test_that_scores_of_choices_move_no_further_than_their_sensitivity(unit: PrivacyUnit) -> None:
    common = MostCommon(column="sex").bind(DOMAINS, unit)
    quantile = Quantile(column="score", shares=(Decimal("0.25"),)).bind(DOMAINS, unit)
    most_count = most_rank = 0
    for first, second in neighbours(unit, ROWS):
        one, other = coded(first), coded(second)
        counts = np.abs(one.count(("sex",)) - other.count(("sex",)))
        most_count = max(most_count, int(counts.max()))
        share = quantile.choices[0].alpha
        ranks = rank_scores(one.count(("score",)), share) - rank_scores(
            other.count(("score",)), share
        )
        most_rank = max(most_rank, int(np.abs(ranks).max()))
    assert most_count == common.choice.linf
    assert most_rank <= quantile.choices[0].choice.linf
    assert most_rank >= 3


@pytest.mark.parametrize("unit", UNITS, ids=lambda u: f"{u.relation}-{u.rows_per_respondent}")
def test_that_a_declared_worth_moves_no_further_than_its_sensitivity(unit: PrivacyUnit) -> None:
    bound = MostCommon(column="sex", worth=(5, 2)).bind(DOMAINS, unit)
    worth = np.asarray((5, 2))
    most = max(
        int(np.abs(worth * (coded(a).count(("sex",)) - coded(b).count(("sex",)))).max())
        for a, b in neighbours(unit, ROWS)
    )
    assert most == bound.choice.linf
    table = coded(((0, 0), (1, 0), (1, 0), (1, 2)))
    assert bound.exact(table)[0].chosen == "M"
    assert bound.exact(coded(((0, 0), (1, 0), (1, 0))))[0].chosen == "F"


@pytest.mark.parametrize("worth", [(1,), (1, 2, 3), (0, 0)])
def test_that_a_worth_is_given_to_every_category(worth: tuple[int, ...]) -> None:
    with refused("queries.worth", column="sex", categories=2):
        MostCommon(column="sex", worth=worth).bind(DOMAINS, PrivacyUnit())


@pytest.mark.parametrize(
    ("query", "fitting", "beyond"),
    [
        (Count(by=("a", "b")), (1_000, 100), (9_091, 11)),
        # Of each group those who meet it and those who do not.
        (Share(by=("a", "b"), meeting=(FEMALE,)), (500, 100), (7_143, 7)),
    ],
    ids=["count", "share"],
)
def test_that_a_hundred_thousand_cells_are_released_at_once_and_not_one_more(
    query: Query, fitting: tuple[int, int], beyond: tuple[int, int]
) -> None:
    def bound(sizes: tuple[int, int]) -> MeasuredQuery:
        domains = {
            name: Categorical(values=tuple(map(str, range(size))))
            for name, size in zip("ab", sizes, strict=True)
        }
        found = query.bind({**domains, "sex": SEX}, PrivacyUnit())
        assert isinstance(found, MeasuredQuery)
        return found

    assert [part.cells for part in bound(fitting).parts] == [100_000]
    with refused("queries.too-many-cells", most=100_000):
        bound(beyond)


def test_that_a_number_is_outside_of_what_it_can_be_and_else_of_nothing() -> None:
    assert Statistic((), -1e300).clipped == -1e300
    assert Statistic((), 1e300).clipped == 1e300
    assert not Statistic((), -5.0).is_outside
    for value, clipped in ((-0.5, 0.0), (0.0, 0.0), (1.0, 1.0), (1.5, 1.0)):
        found = Statistic((), value, possible=(0.0, 1.0))
        assert (found.clipped, found.is_outside) == (clipped, value != clipped)
    chosen = Statistic((), None, chosen="F")
    assert (chosen.clipped, chosen.is_outside) == (None, False)


def test_that_the_number_of_rows_is_not_asked_where_it_is_public() -> None:
    with refused("queries.rows-public"):
        Count().bind(DOMAINS, PrivacyUnit(relation="replace"))


class TestCourse:
    """The examples that courses on differential privacy begin with."""

    def test_that_a_count_of_women_has_sensitivity_1(self) -> None:
        bound = Count(where=(FEMALE,)).bind(DOMAINS, PrivacyUnit())
        assert (bound.parts[0].noise.sensitivity.l1, bound.parts[0].noise.scale) == (1, 1.0)

    def test_that_a_total_of_bounded_items_has_the_bound_as_sensitivity(self) -> None:
        domains = {"items": Integer(lower=0, upper=7)}
        bound = Sum(column="items").bind(domains, PrivacyUnit())
        assert bound.parts[0].noise.sensitivity.l1 == 7

    def test_that_a_mean_of_ages_has_bound_over_n_where_n_is_public(self) -> None:
        domains = {"age": Integer(lower=0, upper=100)}
        unit = PrivacyUnit(relation="replace")
        bound = Mean(column="age", complete=True).bind(domains, unit)
        part = bound.parts[0]
        assert part.noise.sensitivity.l1 * part.step == 100
        assert bound.expected_error(500).half_width * 500 == pytest.approx(
            part.half_width(), rel=1e-12
        )

    def test_that_a_histogram_of_any_number_of_cells_costs_epsilon_once(self) -> None:
        domains = {"age": Integer(lower=0, upper=99)}
        for edges in (2, 11, 51):
            cuts = tuple(Decimal(round(x)) for x in np.linspace(0, 99, edges))
            bound = Histogram(column="age", edges=cuts).bind(domains, PrivacyUnit())
            assert bound.parts[0].noise.sensitivity.l1 == 1
            assert bound.cost.epsilon == 1
