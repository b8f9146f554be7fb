"""What a release as a whole will be worth: its records, its statistics, its synthetic rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, reduce
from itertools import combinations
from math import inf, prod
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from dpdesk.errors import ParameterError
from dpdesk.mechanisms import Sampling
from dpdesk.numbers.arrays import Codes, Counts, Floats
from dpdesk.plan.column import ColumnPlan, GroupSizes
from dpdesk.plan.joint_errors import WantedAnalysis, joint_cell, wanted_analyses
from dpdesk.plan.model import Plan
from dpdesk.plan.synthetic_columns import judged_shares, synthesis_budget, synthetic_states
from dpdesk.plan.texts import T
from dpdesk.plan.usefulness import (
    RESPONDENTS_ASSUMED,
    SHARE,
    Usefulness,
    usefulness_of_column,
    usefulness_of_query,
    usefulness_of_shares,
)
from dpdesk.plan.verdicts import VERDICTS, ShareCounts, Verdict, levels_of_counts, verdict_levels
from dpdesk.queries import Query
from dpdesk.queries.bound import sizes_of_shares
from dpdesk.queries.condition import Condition
from dpdesk.synthesis.budget import SynthesisBudget
from dpdesk.synthesis.junction_tree import CELLS_MAX
from dpdesk.synthesis.released_error import ReleasedErrors, supposed_errors
from dpdesk.synthesis.states import ColumnStates

Name = TypeVar("Name", str, int)
"""A column's name, or the position of a statistic."""


@dataclass(frozen=True)
class ReleaseUsefulness(Generic[Name]):
    """What a release as a whole will be worth.

    Attributes:
        by_name: What each number will be worth, by column, or by the position of its statistic.
        respondents: The number that this supposes.
        is_supposed: Whether the plan does not state it.
        tables: What a cell of a table of two columns will be worth, or the worst analysis that the
            plan names; None where the purpose is not tables.
        analyses: What the analyses will be worth that the plan names.
        shares: Of so many numbers, the first ones, all others are made: shares of single columns
            under the tables of two. Where at least half of these are useless, so is everything.
        untold: Number of tables of two columns that are not measured: what they will be worth
            depends on the answers, and nobody can say it.
    """

    by_name: Mapping[Name, Usefulness]
    respondents: int
    is_supposed: bool
    tables: Usefulness | None = None
    shares: int = 0
    untold: int = 0
    analyses: tuple[WantedAnalysis, ...] = ()

    @property
    def verdict(self) -> Verdict | None:
        """Useful where everything is, useless where at least half is; None for nothing.

        Where tables are wanted, it is never better than that of their cells; and it is not useful
        where something is of which nothing can be said.
        """
        if not self.by_name:
            return None
        every = self._levels
        parts = (every, every[: self.shares or None])
        own = max((ShareCounts.of_levels(part).verdict for part in parts), key=VERDICTS.index)
        if self.untold:
            own = max(own, "coarse", key=VERDICTS.index)
        return own if self.tables is None else max(own, self.tables.verdict, key=VERDICTS.index)

    @cached_property
    def counts(self) -> ShareCounts:
        """How many estimates have each verdict: every share and every mean."""
        return ShareCounts(*self._counts.sum(axis=0).tolist())

    def named(self, verdict: Verdict) -> tuple[Name, ...]:
        """Returns what has a verdict, the worst first."""
        (chosen,) = np.nonzero(self._levels == VERDICTS.index(verdict))
        names = tuple(self.by_name)
        order = np.argsort(-self._ratios[chosen], kind="stable")
        return tuple(names[at] for at in chosen[order].tolist())

    @cached_property
    def _ratios(self) -> Floats:
        if isinstance(self.by_name, WorthOfTables):
            return self.by_name.ratios
        return np.array([each.ratio for each in self.by_name.values()], dtype=np.float64)

    @cached_property
    def _counts(self) -> Counts:
        """How many numbers of each estimate have each verdict, shape (n, 3)."""
        if isinstance(self.by_name, WorthOfTables):
            return self.by_name.counts
        each = [found.counts for found in self.by_name.values()]
        return np.array(each, dtype=np.int64).reshape(-1, len(VERDICTS))

    @cached_property
    def _levels(self) -> Codes:
        """Each verdict as its place in `VERDICTS`."""
        return levels_of_counts(self._counts)


def usefulness_of_records(plan: Plan) -> ReleaseUsefulness[str]:
    """Returns what the records of a plan will be worth."""
    found = _of_columns(plan.protected, plan.sampling, plan.judged_respondents)
    names = (column.name for column in plan.protected)
    whole = _of_release(plan, zip(names, found, strict=True))
    if not (plan.wanted.tables or plan.analyses):
        return whole
    return replace(whole, tables=joint_cell(plan), analyses=wanted_analyses(plan))


def _of_columns(
    columns: tuple[ColumnPlan, ...], sampling: Sampling, respondents: int | None
) -> tuple[Usefulness | None, ...]:
    """The worth of each column; columns that the last call had too are not looked at again.

    A step of a slider changes one of thousands, and to hash each takes longer than a frame.
    """
    known = _latest.get((sampling, respondents), ((), ()))
    before = dict(zip(map(id, known[0]), known[1], strict=True))
    found = tuple(
        before[id(column)]
        if id(column) in before
        else usefulness_of_column(column, sampling, respondents)
        for column in columns
    )
    if len(_latest) >= _KEPT:
        _latest.clear()
    # The columns are kept too, so that no other object can have the identity of one of them.
    _latest[sampling, respondents] = columns, found
    return found


_KEPT = 4
_latest: dict[
    tuple[Sampling, int | None], tuple[tuple[ColumnPlan, ...], tuple[Usefulness | None, ...]]
] = {}


def usefulness_of_statistics(plan: Plan) -> ReleaseUsefulness[int]:
    """Returns what the statistics of a plan will be worth."""
    return _of_release(
        plan, ((i, usefulness_of_statistic(plan, i)) for i in range(len(plan.statistics.queries)))
    )


def usefulness_of_synthesis(plan: Plan) -> ReleaseUsefulness[str]:
    """Returns what the tables of one and two columns of synthetic rows will be worth.

    As with records, each cell is judged by its share: in the file, else as expected, else even;
    answers to two questions are taken as independent. What is looked at is what fitting and drawing
    leave of the noise of a cell. Of two columns that is so if their table is one of those measured.
    """
    columns, people = synthetic_states(plan), plan.judged_respondents or RESPONDENTS_ASSUMED
    found = ReleaseUsefulness[str]({}, people, plan.judged_respondents is None)
    if not columns:
        return found
    shares = judged_shares(plan, columns)
    try:
        budget = synthesis_budget(plan, columns)
        of_tables, untold = _of_tables(budget, columns, shares, people, OF_FILE * plan.is_counted)
    except ParameterError:
        return found
    return replace(found, by_name=of_tables, shares=len(columns), untold=untold)


def usefulness_of_table(plan: Plan, name: str) -> Usefulness | None:
    """Returns what `usefulness_of_synthesis` says of one table, without a look at the others."""
    columns = synthetic_states(plan)
    sizes, names = tuple(c.size for c in columns), tuple(c.name for c in columns)
    if name not in (tables := _tables_of(names, sizes, True)):
        return None
    people, own = plan.judged_respondents or RESPONDENTS_ASSUMED, tables[name][1]
    try:
        errors = supposed_errors(synthesis_budget(plan, columns), sizes, people)
    except ParameterError:
        return None
    if len(own) > 1 and not errors.rounds:
        return None
    (error,) = errors.half_widths([tuple(map(names.index, own))]).tolist()
    some = 0 < errors.rounds < len(errors.pair_places)
    known = judged_shares(plan, tuple(columns[names.index(each)] for each in own))
    return usefulness_of_cell(own, known, error, some=some, known=OF_FILE * plan.is_counted)


# Cached: the page, its table and the checks ask for the same at each step of a slider.
@lru_cache(maxsize=8)
def _of_tables(
    budget: SynthesisBudget,
    columns: tuple[ColumnStates, ...],
    shares: tuple[tuple[float, ...], ...],
    people: int,
    known: str,
) -> tuple[Mapping[str, Usefulness], int]:
    """The worth of each table by its name, and how many of two columns are not measured."""
    errors = supposed_errors(budget, tuple(column.size for column in columns), people)
    pairs = len(errors.pair_places)
    names = tuple(column.name for column in columns)
    some = 0 < errors.rounds < pairs
    worth = WorthOfTables(names, shares, errors, some=some, known=known)
    return worth, pairs - errors.rounds if errors.rounds else 0


class WorthOfTables(Mapping[str, Usefulness]):
    """What each table of one column, and of two if any is measured, is worth.

    It is made when it is asked for: of two hundred columns there are twenty thousand tables.

    Args:
        names: The columns.
        shares: Those of their states.
        errors: What is left of the noise.
        words: As for `usefulness_of_cell`.

    Attributes:
        counts: How many cells of each table have each verdict.
        ratios: The error of each table as a multiple of the size of its smallest cell above 0.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        shares: tuple[tuple[float, ...], ...],
        errors: ReleasedErrors,
        **words: Any,
    ) -> None:
        self._shares, self._words = dict(zip(names, shares, strict=True)), words
        self._tables = _tables_of(names, errors.sizes, bool(errors.rounds))
        error = errors.half_widths([(at,) for at in range(len(names))])
        if errors.rounds:
            listed = errors.pair_cells <= CELLS_MAX
            error = np.append(error, errors.half_widths(errors.pair_places)[listed])
        self._errors = error
        sizes, times, starts = _cells_of(shares, bool(errors.rounds))
        of_cell = np.repeat(100 * error, np.diff(starts, append=len(sizes)))
        levels = verdict_levels(of_cell, sizes)
        counts = [np.add.reduceat((levels == at) * times, starts) for at in range(len(VERDICTS))]
        smallest = np.minimum.reduceat(np.where(sizes > 0, sizes, inf), starts)
        # In points, as a single one is told: equal ones stay equal to the last bit.
        ratios = np.where(np.isinf(smallest), inf, 100 * error / smallest)
        places = [at for at, _ in self._tables.values()]
        self.counts: Counts = np.transpose(counts)[places]
        self.ratios: Floats = ratios[places]

    def __getitem__(self, name: str) -> Usefulness:
        at, columns = self._tables[name]
        known = [self._shares[each] for each in columns]
        return usefulness_of_cell(columns, known, float(self._errors[at]), **self._words)

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)


@lru_cache(maxsize=4)
def _tables_of(
    names: tuple[str, ...], sizes: tuple[int, ...], of_pairs: bool
) -> dict[str, tuple[int, tuple[str, ...]]]:
    """The place and the columns of each table by its name; those of too many cells left out."""
    tables = [(name,) for name in names]
    if of_pairs:
        pairs = combinations(zip(names, sizes, strict=True), 2)
        tables += [(one, two) for (one, a), (two, b) in pairs if a * b <= CELLS_MAX]  # type: ignore[misc]
    return {table_name(each): (at, each) for at, each in enumerate(tables)}


# A slider of epsilon changes none of them.
@lru_cache(maxsize=2)
def _cells_of(
    shares: tuple[tuple[float, ...], ...], of_pairs: bool
) -> tuple[Floats, Counts, Counts]:
    """What the error of each cell is compared with, in pp; how many are alike; where tables begin.

    Equal cells of a table stand once. A column's tables with all behind it are one product.
    """
    distinct = [np.unique(each, return_counts=True) for each in shares]
    parts, lengths = [*distinct], [len(cells) for cells, _ in distinct]
    for at, (own, alike) in enumerate(distinct if of_pairs else ()):
        behind = zip(distinct[at + 1 :], shares[at + 1 :], strict=True)
        others = [other for other, each in behind if len(each) * len(shares[at]) <= CELLS_MAX]
        if others:
            cells, times = (np.concatenate(each) for each in zip(*others, strict=True))
            parts.append((_products((cells, own)), _products((times, alike))))
            lengths += [len(cells) * len(own) for cells, _ in others]
    cells, times = (np.concatenate(each) for each in zip(*parts, strict=True))
    return 100 * sizes_of_shares(cells)[0], times, np.cumsum([0, *lengths[:-1]])


def _products(factors: Iterable[Any]) -> NDArray[Any]:
    return np.ravel(reduce(np.multiply.outer, factors))


OF_FILE, RELEASED = "file", "released"
"""Where the shares of a table's cells are known from."""
_KNOWN = {OF_FILE: T.IN_FILE, RELEASED: T.AS_RELEASED, "": T.AS_EXPECTED}


def usefulness_of_cell(
    columns: Sequence[str],
    shares: Sequence[tuple[float, ...]],
    error: float,
    *,
    some: bool = False,
    known: str = "",
) -> Usefulness:
    """Returns what the cells of a table of synthetic rows will be worth, each by its share.

    Args:
        columns: The columns of the table, one or two.
        shares: Those of their states; of two columns every product is one of a cell.
        error: The 95 % error of the share of a cell in the rows.
        some: Whether only some tables of two columns are measured, nobody knows which. One that is
            makes its columns more exact, too; each column is told on average.
        known: `OF_FILE`, `RELEASED`, or "" for expected or even ones.
    """
    cells = _products(map(np.array, shares))
    is_even = bool(np.ptp(cells) == 0 and not known)
    is_one = len(columns) == 1
    what = T.SHARE(share=SHARE)
    if not is_one:
        what = T.CELL(names=columns) if is_even else T.SHARE_IN_CELL(share=SHARE, names=columns)
    # The shares of the cells of two columns are products: expected, not counted.
    what = (T.IF_EVEN if is_even else _KNOWN[known if is_one else ""])(what=what)
    if some:
        what = (T.ON_AVERAGE if is_one else T.IF_MEASURED)(what=what)
    errors = np.full(cells.shape, error)
    # What rows without noise would be off by is nothing: they describe the file.
    return usefulness_of_shares(what, cells, errors, 0 * errors, of_file=known == OF_FILE)


def table_name(columns: Sequence[str]) -> str:
    """Returns what a table of one or two columns is called: "age × sex"."""
    return " × ".join(columns)


def usefulness_of_statistic(plan: Plan, index: int) -> Usefulness | None:
    """Returns what one statistic of a plan will be worth; None if it does not suit the domains."""
    statistics = plan.statistics
    query = statistics.queries[index]
    domains = {
        column.name: domain
        for column in plan.columns
        if column.name in query.columns and (domain := column.effective_domain) is not None
    }
    try:
        bound = query.bind(domains, statistics.unit)
        groups, numbers = groups_of(plan, query), numbers_of(plan, query)
        return usefulness_of_query(
            bound,
            plan.judged_respondents,
            float(statistics.confidence),
            groups,
            numbers,
            share_met(plan, query.where),
            shares_of(plan, query),
        )
    except ParameterError:
        return None


def groups_of(plan: Plan, query: Query) -> GroupSizes | None:
    """Returns the sizes of the groups of an average, where the file that is open tells them."""
    name = query.group_column
    return next((column.groups for column in plan.columns if column.name == name), None)


def shares_of(plan: Plan, query: Query) -> Floats | None:
    """Returns what part of the rows is in each number of a count or share; None if unknown.

    Answers to different columns are taken as independent.
    """
    columns = {column.name: column for column in plan.columns}
    by: tuple[str, ...] = getattr(query, "by", ())
    if meeting := getattr(query, "meeting", ()):
        told = [columns.get(condition.column) for condition in meeting]
        known = all(one is not None and (plan.has_file or one.expected) for one in told)
        met = share_met(plan, meeting) if known else None
        return None if met is None else np.array([met])
    if not query.counts_rows or not all(name in columns for name in by):
        return None
    codes = [columns[name].judged_codes for name in by]
    if not codes or not all(codes):
        return None
    met = share_met(plan, query.where)
    parts = ([share for code, share in each.items() if code >= 0] for each in codes)
    return None if met is None else met * _products(map(np.array, parts))


def share_met(plan: Plan, where: Sequence[Condition]) -> float | None:
    """Returns what part of the rows meets conditions; None where nothing tells.

    Conditions on different columns are taken as independent.
    """
    columns = {column.name: column for column in plan.columns}
    shares = [
        columns[one.column].share_met(one) if one.column in columns else None for one in where
    ]
    known = [share for share in shares if share is not None]
    return prod(known) if len(known) == len(shares) else None


def numbers_of(plan: Plan, query: Query) -> tuple[float, float] | None:
    """Returns mean and spread of what is averaged, where the file that is open tells them."""
    name = query.averaged_column
    return next((column.judged_numbers for column in plan.columns if column.name == name), None)


def _of_release(
    plan: Plan, found: Iterable[tuple[Name, Usefulness | None]]
) -> ReleaseUsefulness[Name]:
    known = {name: each for name, each in found if each is not None}
    return ReleaseUsefulness(
        known, plan.judged_respondents or RESPONDENTS_ASSUMED, plan.judged_respondents is None
    )
