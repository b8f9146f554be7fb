"""Questions that were not asked because of another answer: blanks that tell a filter question.

Who did not smoke is not asked how much. Such a pattern is a disclosure: a blank tells the answer to
the filter. It is found by counting all records, so it is for the curator's eyes only.

The criterion. Among the records that answer the filter, part its answers in those whose respondents
were asked and those whose respondents were not: an answer belongs to the latter if its respondents
answered less than half as often as everybody. The question is routed if

1. of those not asked at most one in twenty answered (errors of interviewers), and of those asked at
   least one in four did (the others refused, or a second filter stopped them);
2. chance does not do this. If the blanks fell on any records, the number of answers among those not
   asked would be hypergeometric; the chance of so few, times the number of ways in which the
   filter's answers can be parted, times the number of pairs of columns that are compared, is at
   most 1 in 1,000. By the union bound at most one table in a thousand without any routing, whatever
   its columns hold, is said to have one.

A number of more than 12 different values is parted by an interval: asked from 16 on, or from 15 to
49. Filters of filters are followed: q3, asked if q2, asked if q1, tells q1 as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.reading import Reading
from dpdesk.data.table import Flags, SurveyTable, TextColumn
from dpdesk.domains import domain_type
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.encoding import missing_texts
from dpdesk.plan.filter_question import AskedIf, Filter
from dpdesk.plan.model import Plan

_EXCEPTIONS = 0.05
"""Largest share of those not asked who have an answer nevertheless."""
_LEAST_ANSWERED = 0.25
"""Least share of those asked who answered."""
_FALSE_ALARMS = 0.001
"""Largest chance that a table without routing is said to have one."""
_LEAST_RECORDS = 5
_FEW_NUMBERS = 12
"""Numbers of no more values are parted value by value, as codes of answers are."""
_MOST_ANSWERS = 60
"""A filter question of texts has no more answers."""
_MOSTLY_NUMBERS = 0.8
_PAIRS = 200_000
"""So many pairs of columns are compared at least, to either side: of 400 columns each with each, of
ten thousand each with the 20 before and behind it, where a questionnaire has its filters."""
_ROWS = 4_096
"""So many records are looked at to find the pairs of which all are counted."""
_GOLDEN = (math.sqrt(5) - 1) / 2
_CUTS = (0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32)
"""Shares of the records at which numbers are parted for that look, from either end."""


@dataclass(frozen=True, eq=False)
class _Answers:
    """A column, and what of it stays the same until its answers or their meaning change.

    Attributes:
        texts: The column.
        meaning: What its missing answers depend on.
        missing: Which distinct texts mean "no answer".
        blanks: Number of respondents without an answer.
        is_question: Whether respondents answered it; numbers and weights of respondents are none.
        decimal: The decimal mark of numbers.
    """

    texts: TextColumn
    meaning: tuple[object, ...]
    missing: Flags
    blanks: int
    is_question: bool
    decimal: str

    @classmethod
    def of(cls, texts: TextColumn, column: ColumnPlan, reading: Reading) -> _Answers:
        missing = missing_texts(column, texts, reading)
        blanks = int(texts.counts[missing].sum())
        is_question = domain_type(column.kind) is not None
        meaning = _meaning(column, reading)
        return cls(texts, meaning, missing, blanks, is_question, reading.decimal)

    @property
    def is_routed(self) -> bool:
        """Whether enough respondents have an answer and enough have none."""
        return min(self.blanks, self.texts.rows - self.blanks) >= _LEAST_RECORDS

    @property
    def is_interval(self) -> bool:
        """Whether it is parted by an interval, not answer by answer."""
        return self.numbers.size > 0

    @property
    def order(self) -> NDArray[np.intp]:
        """The distinct texts that are answers of a filter question, numbers ascending, shape (k,).

        Empty where the column can be none.
        """
        return self._parts[0]

    @property
    def numbers(self) -> NDArray[np.float64]:
        """Their numbers, shape (k,), where it is parted by an interval; else empty."""
        return self._parts[1]

    @cached_property
    def _parts(self) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        texts, none = self.texts, np.empty(0)
        given = np.flatnonzero((texts.counts > 0) & ~self.missing)
        if not self.is_question:
            return given[:0], none
        if given.size <= _FEW_NUMBERS:
            return (given if given.size > 1 else given[:0]), none
        numbers = texts.numbers(self.decimal).values[given]
        is_number = ~np.isnan(numbers)
        counts = texts.counts[given]
        if counts[is_number].sum() < _MOSTLY_NUMBERS * counts.sum():
            return (given if given.size <= _MOST_ANSWERS else given[:0]), none
        given, numbers = given[is_number], numbers[is_number]
        ascending = np.argsort(numbers, kind="stable")
        return given[ascending], numbers[ascending]

    @cached_property
    def classes(self) -> _Classes | None:
        """Some records by what they answer; None where the column can be no filter question.

        Few answers are a class each; numbers are cut more finely at both ends, where ages of
        children and of old people are.
        """
        class_of = np.full(self.texts.distinct_count, -1, dtype=np.intp)
        if self.is_interval:
            counts = self.texts.counts[self.order]
            middle = (np.cumsum(counts) - counts / 2) / counts.sum()
            cuts = np.array([*_CUTS, *(1 - cut for cut in reversed(_CUTS))])
            found = np.unique(np.searchsorted(cuts, middle), return_inverse=True)[1]
            # One number written in two ways may not fall into two classes.
            class_of[self.order] = found[np.searchsorted(self.numbers, self.numbers)]
        else:
            class_of[self.order] = np.arange(self.order.size)
        count = int(class_of.max(initial=-1)) + 1
        return _Classes(self.packed(class_of, count), self.is_interval) if count > 1 else None

    @property
    def packed_blanks(self) -> NDArray[np.uint64]:
        """Which of the records that are looked at have no answer, one a bit, shape (1, words)."""
        return self.packed(np.where(self.missing, 0, -1), 1)

    def packed(self, class_of: NDArray[np.intp], count: int) -> NDArray[np.uint64]:
        """Returns which of the records that are looked at are in each class, one a bit.

        Args:
            class_of: The class of each distinct text, shape (distinct_count,); -1 for none.
            count: How many classes there are; the shape returned is (count, words).
        """
        found = class_of[self.texts.codes[_some_rows(self.texts.rows)]] == _places(count)
        padded = np.zeros((count, -(-found.shape[1] // 64) * 64), dtype=np.bool_)
        padded[:, : found.shape[1]] = found
        return np.packbits(padded, axis=1).view(np.uint64)


def _places(count: int) -> NDArray[np.intp]:
    return np.arange(count)[:, None]


@lru_cache(maxsize=4)
def _some_rows(rows: int) -> NDArray[np.intp]:
    """Returns the records that are looked at: spread evenly, with jumps that no file repeats.

    A household of three in each three rows is not seen by its first member alone.
    """
    if rows <= _ROWS:
        return np.arange(rows)
    places = np.arange(_ROWS)
    return np.asarray((places + places * _GOLDEN % 1) * (rows / _ROWS)).astype(np.intp)


def _meaning(column: ColumnPlan, reading: Reading) -> tuple[object, ...]:
    return (column.kind, column.domain, column.missing, reading)


class _Classes:
    """Records of a column by what they answer, as bits.

    Args:
        masks: Which records are in each class, one a bit, shape (classes, words).
        is_cut: Whether a class holds several numbers.
    """

    def __init__(self, masks: NDArray[np.uint64], is_cut: bool) -> None:
        self.masks = masks
        self.times = np.bitwise_count(masks).sum(axis=1, dtype=np.int64)
        self.is_cut = is_cut


class _Neighbours:
    """Neighbouring columns, whose records that are looked at are counted at once.

    Args:
        columns: The columns.
    """

    def __init__(self, columns: list[_Answers]) -> None:
        found = [(column, column.classes) for column in columns]
        parts = [(column, classes) for column, classes in found if classes is not None]
        self._columns = [column for column, _ in parts]
        if not parts:
            return
        self._times = np.concatenate([classes.times for _, classes in parts])
        self._masks = np.concatenate([classes.masks for _, classes in parts])
        self._sizes = np.array([classes.times.size for _, classes in parts])
        self._begins = np.cumsum(self._sizes) - self._sizes
        self._all = np.add.reduceat(self._times, self._begins)
        allowed = _EXCEPTIONS * (1 if columns[0].texts.rows <= _ROWS else 2)
        self._slack = np.where([classes.is_cut for _, classes in parts], 1 / 3, allowed)

    def likely_filters(self, target: _Answers, log_chance: float) -> list[_Answers]:
        """Returns the columns that may be filters of another; that itself never is.

        Where all records are looked at, none that is one by the criterion is left out, except
        numbers that are cut within a class.

        Args:
            target: The other column.
            log_chance: Logarithm of the largest chance.
        """
        if not self._columns:
            return []
        blank, times, begins = target.packed_blanks, self._times, self._begins
        given = times - np.bitwise_count(self._masks & blank).sum(axis=1, dtype=np.int64)
        answered = np.add.reduceat(given, begins)
        share = np.divide(answered, self._all, out=np.zeros(begins.shape), where=self._all > 0)
        not_asked = given < np.repeat(share / 2, self._sizes) * times
        skipped = np.add.reduceat(times * not_asked, begins)
        errors = np.add.reduceat(given * not_asked, begins)
        asked = self._all - skipped
        fits = (skipped > 0) & (asked > 0) & (errors <= self._slack * skipped)
        fits &= answered - errors >= 0.8 * _LEAST_ANSWERED * asked
        if not fits.any():
            return []
        # A binomial coefficient is at most exp(n H) and at least that over n + 1.
        information = _information(skipped, errors, asked, answered - errors)
        information += np.log1p(skipped) + np.log1p(asked)
        fits &= information >= -log_chance
        return [self._columns[place] for place in np.flatnonzero(fits).tolist()]


def _information(
    skipped: NDArray[np.int64],
    errors: NDArray[np.int64],
    asked: NDArray[np.int64],
    answered: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Returns n times the mutual information of asked or not and answered or not, in nats."""

    def weigh(count: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(count * np.log(np.maximum(count, 1)))

    cells = weigh(errors) + weigh(skipped - errors) + weigh(answered) + weigh(asked - answered)
    total, given = skipped + asked, errors + answered
    margins = weigh(skipped) + weigh(asked) + weigh(given) + weigh(total - given)
    return np.asarray(cells - margins + weigh(total))


@dataclass(frozen=True, slots=True)
class _Fit:
    """A pair of columns that coincide: the filter, and the logarithm of the chance of it."""

    filter: Filter
    log_chance: float


class FilterFinder:
    """Finds filter questions, and caches what it found by what both columns' blanks depend on.

    An edit of one column compares the others with that column alone.
    """

    def __init__(self) -> None:
        self._state: tuple[Plan, SurveyTable] | None = None
        self._names: list[str] = []
        self._places: dict[str, int] = {}
        self._known: dict[str, _Answers] = {}
        self._current: dict[str, _Answers] = {}
        self._direct: dict[str, tuple[Filter, ...]] = {}
        self._blocks: dict[int, _Neighbours] = {}
        self._found: dict[tuple[str, str], tuple[_Answers, _Answers, _Fit | None]] = {}

    def filters_of(self, plan: Plan, table: SurveyTable, name: str) -> tuple[Filter, ...]:
        """Returns the questions because of which a column was not asked of everybody.

        The surest come first, and filters of filters last. In a table of more than 400 columns
        only near ones are compared.

        Args:
            plan: The plan; it says what is missing.
            table: The data.
            name: Name of a column of both.
        """
        if self._state is None or self._state[0] is not plan or self._state[1] is not table:
            self._state, in_file = (plan, table), set(table.names)
            self._names = [column.name for column in plan.columns if column.name in in_file]
            self._places = {name: place for place, name in enumerate(self._names)}
            self._current, self._direct, self._blocks = {}, {}, {}
        found = {one.column: one for one in self._of(name)}
        for before in (waiting := list(found.values())):
            for one in self._of(before.column):
                if one.column != name and one.column not in found:
                    found[one.column] = one.behind(before.column)
                    waiting.append(one)
        return tuple(found.values())

    def _answers(self, name: str) -> _Answers:
        """Returns a column as the plan reads it; the same object until that may change."""
        current = self._current.get(name)
        if current is None:
            assert self._state is not None  # noqa: S101 - set before any column is looked at
            plan, table = self._state
            column, texts = plan.column(name), table.column(name)
            current, meaning = self._known.get(name), _meaning(column, table.reading)
            if current is None or current.texts is not texts or current.meaning != meaning:
                current = self._known[name] = _Answers.of(texts, column, table.reading)
            self._current[name] = current
        return current

    def _of(self, name: str) -> tuple[Filter, ...]:
        """Returns the filters of a column itself, the surest first."""
        if name not in self._direct:
            self._direct[name] = tuple(self._filters_of(name))
        return self._direct[name]

    def _filters_of(self, name: str) -> Iterator[Filter]:
        target, many = self._answers(name), len(self._names)
        if not target.is_routed:
            return
        reach, place = max(_PAIRS // many, 1), self._places[name]
        log_chance = math.log(_FALSE_ALARMS / (many * min(many, 4 * reach)))
        # Neighbours of neighbouring columns are the same but for a few.
        block = place // (2 * reach)
        if block not in self._blocks:
            first, last = (2 * block - 1) * reach, (2 * block + 3) * reach
            near = self._names[max(first, 0) : last]
            self._blocks[block] = _Neighbours([self._answers(other) for other in near])
        likely = self._blocks[block].likely_filters(target, log_chance)
        fits = (self._fit(target, other) for other in likely)
        found = [fit for fit in fits if fit is not None and fit.log_chance <= log_chance]
        for fit in sorted(found, key=lambda one: one.log_chance):
            yield fit.filter

    def _fit(self, target: _Answers, other: _Answers) -> _Fit | None:
        pair = target.texts.name, other.texts.name
        cached = self._found.get(pair)
        if cached is None or cached[0] is not target or cached[1] is not other:
            cached = self._found[pair] = (target, other, _fit(target, other))
        return cached[2]


def _fit(target: _Answers, other: _Answers) -> _Fit | None:
    """Returns how one column's answers part the blanks of another; None if they do not."""
    given = ~target.missing[target.texts.codes]
    answered = np.bincount(other.texts.codes[given], minlength=other.texts.distinct_count)
    answered, times = answered[other.order], other.texts.counts[other.order]
    if other.is_interval:
        # Numbers that are written in several ways are one.
        starts = np.flatnonzero(np.diff(other.numbers, prepend=-np.inf))
        answered, times = np.add.reduceat(answered, starts), np.add.reduceat(times, starts)
    all_, of_all = int(times.sum()), int(answered.sum())
    leaning = answered - of_all / (2 * all_) * times
    if other.is_interval:
        first, last, inside = _interval(leaning, times)
        is_asked = np.full(times.size, not inside)
        is_asked[first:last] = inside
        ways = math.log(times.size * (times.size + 1))
    else:
        is_asked = leaning >= 0
        ways = times.size * math.log(2)
    skipped, errors = int(times[~is_asked].sum()), int(answered[~is_asked].sum())
    asked = all_ - skipped
    if skipped < _LEAST_RECORDS or asked < _LEAST_RECORDS or errors > _EXCEPTIONS * skipped:
        return None
    if of_all - errors < _LEAST_ANSWERED * asked:
        return None
    chance = _log_chance_of_so_few(errors, skipped, of_all, all_) + ways
    name = other.texts.name
    if other.is_interval:
        numbers = [f"{number:.15g}" for number in other.numbers[starts].tolist()]
        lower = "" if first == 0 and inside else numbers[first]
        upper = "" if last == times.size and inside else numbers[last - 1]
        rule = AskedIf.model_construct(column=name, lower=lower, upper=upper, inside=inside)
        found = Filter(rule)
    else:
        parts = (_texts(other.texts, other.order[part]) for part in (is_asked, ~is_asked))
        found = Filter.of_answers(name, *parts)
    return _Fit(replace(found, exceptions=errors, skipped=skipped), chance)


def _texts(texts: TextColumn, places: NDArray[np.intp]) -> tuple[str, ...]:
    """Returns some answers as in the file: the most frequent first."""
    often = places[np.argsort(-texts.counts[places], kind="stable")]
    return tuple(text.strip() for text in texts.dictionary.take(often).to_pylist())


def _interval(leaning: NDArray[np.float64], times: NDArray[np.int64]) -> tuple[int, int, bool]:
    """Returns the interval of numbers that parts those asked from the others best.

    Args:
        leaning: How far the respondents of each number answered, above 0 for those asked.
        times: How many respondents each number has.

    Returns:
        First number, the one behind the last, and whether those within were asked.
    """
    of_all = leaning.sum()
    runs = []
    for sign in (1, -1):
        sums = np.concatenate(([0.0], np.cumsum(sign * leaning)))
        least = np.minimum.accumulate(sums[:-1])
        last = int(np.argmax(sums[1:] - least)) + 1
        first = int(np.argmin(sums[:last]))
        runs.append((2 * (sums[last] - sums[first]) - sign * of_all, first, last))
    inside = runs[0][0] >= runs[1][0]
    _, first, last = runs[0] if inside else runs[1]
    # A few records beyond an end, such as old people who refused, make no other end.
    if times[:first].sum() < _LEAST_RECORDS:
        first = 0
    if times[last:].sum() < _LEAST_RECORDS:
        last = times.size
    if not inside and first == 0 and last < times.size:
        return last, times.size, True
    if not inside and last == times.size:
        return 0, first, True
    return first, last, inside


def _log_chance_of_so_few(few: int, drawn: int, marked: int, total: int) -> float:
    """Returns the logarithm of a bound on the lower tail of a hypergeometric law.

    The chances below the given one fall at least as fast as its own step, since the law is
    log-concave: their sum is at most that of a geometric series.

    Args:
        few: Marked ones among those drawn.
        drawn: How many are drawn.
        marked: How many are marked.
        total: How many there are.
    """
    if few < max(0, drawn + marked - total):
        return -math.inf

    def choose(many: int, some: int) -> float:
        return math.lgamma(many + 1) - math.lgamma(some + 1) - math.lgamma(many - some + 1)

    own = choose(marked, few) + choose(total - marked, drawn - few) - choose(total, drawn)
    step = few * (total - marked - drawn + few) / ((marked - few + 1) * (drawn - few + 1))
    return 0.0 if step >= 1 else min(0.0, own - math.log1p(-step))
