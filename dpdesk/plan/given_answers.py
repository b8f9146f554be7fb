"""What was answered: how often each answer of a column was given.

Counts of true answers. They are shown to the holder of the data and never enter a release.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import ceil, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.reading import Reading
from dpdesk.data.suggest import FEW_ANSWERS
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.domains import ListedDomain, NumericDomain
from dpdesk.mechanisms.estimates import Answers
from dpdesk.mechanisms.tally import effective_size
from dpdesk.numbers.arrays import Counts, Flags, Floats, Mapped, OfRows, RowNumbers, pieces_of
from dpdesk.plan.column import ColumnPlan, Counted, GroupSizes
from dpdesk.plan.encoding import encode_column, missing_texts
from dpdesk.plan.model import Plan
from dpdesk.plan.persons import counted_rows_in
from dpdesk.plan.problem import Problem
from dpdesk.plan.texts import T
from dpdesk.queries.condition import Condition

BINS_MAX = 24
"""Most bars that numbers are counted in: as many as a small picture can show."""
RARE = 5
"""What fewer respondents gave is rare: publishing it may disclose one of them."""
PARTS = 2**40
"""So many parts make the whole where weighted shares are added up."""


@dataclass(frozen=True, slots=True, eq=False)
class WeightedAnswers:
    """The answers of one column, weighted.

    Attributes:
        by: Name of the column of survey weights.
        shares: Part of all weight on each code of `GivenAnswers.codes`; they add up to 1.
        effective: Number of unweighted respondents whose mean would vary as much.
    """

    by: str
    shares: Floats
    effective: float


@dataclass(frozen=True, slots=True, eq=False)
class GivenAnswers:
    """The answers of one column, counted by its declared domain.

    Attributes:
        labels: What each bar stands for: a category, or an interval of numbers; empty without a
            domain.
        counts: Number of respondents of each bar, shape (bars,). Those of a question with several
            answers add up to more than all.
        answered: Number of answers inside the domain.
        in_order: Whether the bars have an order of their own, as numbers and scales do.
        missing: Number of missing answers.
        outside: Number of answers outside the domain.
        below, above: Number of those that are numbers below the lower bound, and above the upper.
        distinct: Number of different texts in the file.
        are_weights: Whether they are survey weights and no answers.
        all_differ: Whether no two respondents gave the same, in a column without a domain.
        codes: Codes of the domain of the mechanism that occur, ascending; what cannot be encoded
            is left out.
        code_counts: Number of respondents of each of them.
        ends: Number of respondents who gave the least and the greatest number, or one less than a
            step from it, or a date of its year; () for categories.
        weighted: The same answers with survey weights; None without any.
    """

    labels: tuple[str, ...]
    counts: Counts
    answered: int
    in_order: bool
    missing: int
    outside: int
    distinct: int
    codes: NDArray[np.int64]
    code_counts: Counts
    ends: tuple[int, ...] = ()
    weighted: WeightedAnswers | None = None
    are_weights: bool = False
    below: int = 0
    above: int = 0
    all_differ: bool = False

    @property
    def total(self) -> int:
        """Number of respondents, whatever they answered."""
        return self.answered + self.missing + self.outside

    @property
    def rare_codes(self) -> tuple[int, ...]:
        """Codes of the categories that from 1 to 4 respondents gave, the rarest last.

        What nobody gave tells of nobody. () for numbers, see `at_ends`.
        """
        if self.ends:
            return ()
        below = np.flatnonzero((self.counts > 0) & (self.counts < RARE))
        return tuple(below[np.argsort(-self.counts[below], kind="stable")].tolist())

    @property
    def rare(self) -> tuple[tuple[str, int], ...]:
        """These categories by their labels, and how many gave each."""
        return tuple((self.labels[code], int(self.counts[code])) for code in self.rare_codes)

    @property
    def at_ends(self) -> int:
        """Number of bounds that from 1 to 4 respondents gave or nearly gave; 0 for categories."""
        return sum(0 < count < RARE for count in self.ends)

    def shown_order(self) -> NDArray[np.int64]:
        """Returns the bars in the order in which they are drawn: without one, the largest first."""
        if self.in_order:
            return np.arange(len(self.counts))
        return np.argsort(-self.counts, kind="stable")


def given_answers(
    column: ColumnPlan,
    texts: TextColumn,
    reading: Reading,
    weights: tuple[str, RowNumbers] | None = None,
) -> GivenAnswers:
    """Counts the answers of a column; without weights the work is per distinct text.

    Args:
        column: The column of the plan.
        texts: The column of the table.
        reading: How the file is read.
        weights: Name of the column of survey weights, and the weight of each respondent, above 0.
    """
    is_missing = missing_texts(column, texts, reading)
    domain = column.domain
    missing = texts.rows_with(is_missing)
    if domain is None:
        none = np.zeros(0, dtype=np.int64)
        return GivenAnswers(
            labels=(),
            counts=none,
            answered=0,
            in_order=False,
            missing=missing,
            outside=0,
            distinct=texts.distinct_count,
            codes=none,
            code_counts=none,
            are_weights=column.kind == "weight",
            all_differ=all_differ(texts, is_missing),
        )
    if isinstance(domain, NumericDomain):
        numbers = texts.on_grid(domain, reading.decimal)
        bars = _bars_of_numbers(domain, numbers, texts.counts, is_missing)
    else:
        bars = _bars_of_texts(domain, texts, is_missing)
    code_of = encode_column(column, texts, reading).code_of
    size = int(code_of.max(initial=-1)) + 1
    of_code = np.zeros(size, dtype=np.int64)
    # A real column can have as many different texts as there are rows.
    for some in pieces_of(len(code_of)):
        coded = code_of[some] >= 0
        of_code += _tally(code_of[some][coded], texts.counts[some][coded], size)
    codes = np.flatnonzero(of_code)
    weighted = None
    if weights is not None and len(codes):
        by, each = weights
        sums, squares = weight_on(Mapped(code_of, texts.codes), size, each, texts.rows)
        total = float(sums.sum())
        if total > 0:
            effective = effective_size(total, float(squares.sum()))
            weighted = WeightedAnswers(by, sums[codes] / total, effective)
    return GivenAnswers(
        labels=bars.labels,
        counts=bars.counts,
        answered=bars.answered,
        in_order=column.kind != "nominal",
        missing=missing,
        outside=texts.rows - missing - bars.answered,
        distinct=texts.distinct_count,
        codes=codes,
        code_counts=of_code[codes],
        ends=bars.ends,
        weighted=weighted,
        below=bars.below,
        above=bars.above,
    )


def with_counts(
    plan: Plan,
    of: Callable[[ColumnPlan], GivenAnswers | None],
    rows: int | None,
    before: Plan | None = None,
) -> Plan:
    """Returns a plan whose errors and verdicts are those of the file.

    They go by its number of rows, by the weights that the plan keeps, by the answers of the columns
    that it protects, keeps or averages, and by the sizes of the groups of its statistics.
    What is decided stays, and so does what is written of the plan.

    Args:
        plan: The plan.
        of: Returns the counted answers of a column; None if they are not known.
        rows: Number of rows of the file; None without one.
        before: The result of the last call for the same file. Columns that are the same objects are
            not counted again; None to count all.
    """
    plan = plan.with_rows(rows)
    asked = grouping, averaged, conditions = _asked(plan)
    known: tuple[ColumnPlan, ...] = ()
    if before is not None and before.weight_column is plan.weight_column:
        known = before.columns if _asked(before) == asked else ()
    looked_at: Iterator[tuple[int, ColumnPlan]] = enumerate(plan.columns)
    if len(known) == len(plan.columns):
        # Of a wide survey a step of a slider changes one column.
        looked_at = ((place, column) for place, column in looked_at if column is not known[place])
    changed = {}
    for place, column in looked_at:
        counted = None
        if column.role in {"protect", "keep"} or column.name in averaged:
            given = of(column)
            counted = None if given is None else _counted(column, given)
        # A column that is no longer protected keeps nothing either.
        groups = None
        if column.name in grouping:
            given = of(column)
            groups = None if given is None else _groups(given)
        met = {}
        if column.name in conditions and (given := of(column)) is not None:
            domain = column.effective_domain
            counted_codes = given.codes, given.code_counts, given.total
            if domain is not None:
                met = {c: c.share_in(domain, *counted_codes) for c in conditions[column.name]}
        found = column.with_counts(counted).with_groups(groups).with_conditions(met)
        if found is not column:
            changed[place] = found
    return plan.with_changed(changed) if changed else plan


def _asked(plan: Plan) -> tuple[set[str | None], set[str | None], dict[str, set[Condition]]]:
    """Columns whose groups, whose means or counts, and whose conditions its statistics tell."""
    queries = plan.statistics.queries
    conditions: dict[str, set[Condition]] = {}
    for condition in (c for q in queries for c in (*q.where, *getattr(q, "meeting", ()))):
        conditions.setdefault(condition.column, set()).add(condition)
    grouping, averaged = ({getattr(q, name) for q in queries} for name in _OF_COLUMNS)
    counted = {name for q in queries if q.counts_rows for name in getattr(q, "by", ())}
    return grouping, averaged | counted, conditions


_OF_COLUMNS = "group_column", "averaged_column"


def with_counts_of(plan: Plan, table: SurveyTable) -> Plan:
    """Returns a plan whose errors and verdicts are those of a table."""
    names, weight = set(table.names), plan.weight_column
    weights = None
    if weight is not None and weight.name in names:
        weights = weights_in(table, weight.name)

    def of(column: ColumnPlan) -> GivenAnswers | None:
        if column.name not in names:
            return None
        return given_answers(column, table.column(column.name), table.reading, weights)

    return with_counts(plan, of, counted_rows_in(plan, table))


def counted_columns(plan: Plan, table: SurveyTable | None) -> dict[str, GivenAnswers]:
    """Returns the counted answers of the columns whose domains wait; {} without data."""
    if table is None:
        return {}
    names = set(table.names)
    return {
        column.name: given_answers(column, table.column(column.name), table.reading)
        for column in plan.columns
        if column.name in names and column.waits
    }


def is_confirmed_by_name(column: ColumnPlan, given: GivenAnswers | None) -> bool:
    """Whether it takes its name to confirm a column: few, or nobody knows who, wrote a text."""
    return column.sentences > 0 and (given is None or bool(given.rare_codes))


def without_counts(plan: Plan) -> Plan:
    """Returns the plan judged by itself, as a release publishes it: nothing in it was counted."""
    return with_counts(plan, lambda _: None, None)


def check_rows(plan: Plan, rows: int) -> Iterator[Problem]:
    """Yields a warning if the plan supposes another number of respondents than the file has.

    Args:
        plan: The plan.
        rows: Number of rows of the file.
    """
    if plan.respondents is None or not rows or plan.respondents == rows:
        return
    said = T.RESPONDENTS_DIFFER(supposed=plan.respondents, rows=rows)
    yield Problem("respondents", "warning", said)


def weights_of(texts: TextColumn, reading: Reading) -> Floats:
    """Returns the weight of each respondent, shape (n,); the column must have passed its check."""
    return weight_of_texts(texts, reading)[texts.codes]


def weight_of_texts(texts: TextColumn, reading: Reading) -> Floats:
    """Returns the weight that each distinct text of a column stands for, as `weights_of` has it."""
    return texts.numbers(reading.decimal).values


def weights_in(table: SurveyTable, name: str) -> tuple[str, RowNumbers] | None:
    """The weight of each respondent; None if they are invalid, which the check of the plan says."""
    texts = table.column(name)
    weights = weight_of_texts(texts, table.reading)
    for some in pieces_of(len(weights)):
        given = weights[some][texts.counts[some] > 0]
        if not bool((np.isfinite(given) & (given >= 0)).all()):
            return None
    return name, Mapped(weights, texts.codes)


def weight_on(
    codes: OfRows[np.integer[Any]], size: int, weights: RowNumbers, rows: int
) -> tuple[Floats, Floats]:
    """Returns the sum of the weights of those with each code, and of their squares.

    Args:
        codes: The code of each respondent; those below 0 count as none.
        size: How many codes there are.
        weights: The weight of each respondent.
        rows: Number of respondents.

    Returns:
        Shape (size,) each.
    """
    sums, squares = np.zeros(size), np.zeros(size)
    # Each piece looks at all codes.
    for some in pieces_of(rows, least=size):
        found, own = codes[some], weights[some]
        coded = found >= 0
        found, own = found[coded], own[coded]
        sums += np.bincount(found, own, size)
        squares += np.bincount(found, own**2, size)
    return sums, squares


def _counted(column: ColumnPlan, given: GivenAnswers) -> Counted | None:
    domain, reports = column.effective_domain, int(given.code_counts.sum())
    if domain is None or not reports:
        return None
    weighted = given.weighted
    shares = given.code_counts / reports if weighted is None else weighted.shares
    if column.missing.treatment.stays_blank:
        missing = given.missing / given.total
    else:
        missing = float(shares[given.codes == domain.size].sum())
    worth = 1.0 if weighted is None else weighted.effective / reports
    # As many digits as are shown.
    found = Counted(round(missing, 4), worth)
    if isinstance(domain, ListedDomain):
        # A domain counts in whole numbers.
        parts = domain.count_answers(given.codes, np.rint(shares * PARTS).astype(np.int64))
        of_options = Answers(tuple((parts / PARTS).tolist()))
        sets = () if domain.picks_one else zip(given.codes.tolist(), shares.tolist(), strict=True)
        return replace(found, answers=of_options, sets=tuple(sets))
    answers = given.codes < domain.size
    total = float(shares[answers].sum())
    if not total > 0:
        return found
    codes, shares = given.codes[answers], shares[answers] / total
    numbers = domain.values[codes]
    mean = float(numbers @ shares)
    spread = sqrt(float((numbers - mean) ** 2 @ shares))
    codes, shares = few_answers(codes, shares)
    of_numbers = Answers(tuple(shares.tolist()), tuple(codes.tolist()), mean, spread)
    return replace(found, answers=of_numbers)


def few_answers(codes: Counts, shares: Floats, most: int = 256) -> tuple[Counts, Floats]:
    """Returns a few answers that stand for all: of each run of codes its middle, weighted."""
    if len(codes) <= most:
        return codes, shares
    run = ceil((int(codes[-1]) + 1) / most)
    place, starts = np.unique(codes // run, return_index=True)
    sums = np.add.reduceat(shares, starts)
    middles = np.add.reduceat(codes * shares, starts) / np.maximum(sums, 1e-300)
    return np.clip(np.rint(middles).astype(np.int64), place * run, None), sums


def _groups(given: GivenAnswers) -> GroupSizes | None:
    counts = np.sort(given.counts[given.counts > 0])
    if not counts.size:
        return None
    # Of two the smaller, so that the error is that of a group that there is.
    found = (counts[0], counts[(counts.size - 1) // 2], counts[-1])
    return GroupSizes(*(float(count) / given.total for count in found))


def _tally(places: NDArray[np.integer[Any]], counts: Counts, size: int) -> Counts:
    """The counts added up by place; exact, unlike a sum of floats."""
    total = np.zeros(size, dtype=np.int64)
    np.add.at(total, places, counts)
    return total


def all_differ(texts: TextColumn, is_missing: Flags) -> bool:
    """Returns whether there are many answers, and no text was given twice.

    Args:
        texts: The column.
        is_missing: Which of its distinct texts are no answers, shape (distinct_count,).
    """
    given = 0
    for some in pieces_of(texts.distinct_count):
        times = texts.counts[some][~is_missing[some]]
        if (times > 1).any():
            return False
        given += int(times.sum())
    return given >= FEW_ANSWERS


@dataclass(frozen=True, slots=True, eq=False)
class _Bars:
    """What `GivenAnswers` says of the answers inside the domain."""

    labels: tuple[str, ...]
    counts: Counts
    answered: int
    ends: tuple[int, ...] = ()
    below: int = 0
    above: int = 0


def _bars_of_numbers(
    domain: NumericDomain, numbers: Floats, counts: Counts, is_missing: Flags
) -> _Bars:
    """Counts distinct numbers by intervals of equally many grid points."""
    width = ceil(domain.size / BINS_MAX)
    starts = range(0, domain.size, width)
    total, answered, least, greatest = np.zeros(len(starts), dtype=np.int64), 0, 0, 0
    below, above = 0, 0
    at_lower, at_upper = domain.rounded_ends
    for some in pieces_of(len(numbers)):
        beyond = domain.beyond(numbers[some])
        # What is no number lies on neither side.
        sides = np.where(beyond & ~is_missing[some], numbers[some] - domain.origin, 0)
        below += int(counts[some] @ (sides < 0))
        above += int(counts[some] @ (sides > 0))
        is_given = ~is_missing[some] & ~beyond
        found, times = domain.nearest(numbers[some])[is_given], counts[some][is_given]
        total += _tally(found // width, times, len(starts))
        answered += int(times.sum())
        # A suggested bound is a round number less than a step beyond the outermost answer, or the
        # end of its year.
        own = numbers[some][is_given]
        beside = domain.between_steps(own)
        least += int(times @ ((found < at_lower) | (beside & (own < domain.values[1]))))
        is_last = found >= domain.size - at_upper
        greatest += int(times @ (is_last | (beside & (own > domain.values[-2]))))
    texts = domain.texts
    labels = tuple(
        texts[start]
        if width == 1
        else f"{texts[start]}–{texts[min(start + width, len(texts)) - 1]}"
        for start in starts
    )
    return _Bars(labels, total, answered, (least, greatest), below, above)


def _bars_of_texts(domain: ListedDomain, texts: TextColumn, is_missing: Flags) -> _Bars:
    """Counts distinct texts by the categories or options that they name."""
    total, answered = np.zeros(domain.size, dtype=np.int64), 0
    for some in pieces_of(texts.distinct_count):
        found = domain.encode(texts.distinct_at(some))
        is_given = ~is_missing[some] & (found >= 0)
        times = texts.counts[some][is_given]
        total += domain.count_answers(found[is_given], times)
        answered += int(times.sum())
    return _Bars(tuple(domain.label(code) for code in range(domain.size)), total, answered)
