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
49. A question with several answers is parted by each of its options, ticked or not, and where there
are few combinations of options by these as well; each of both has half of the chance. Where no
filter is found, either of two is looked for: among those whom one of them did not let in, the other
is a filter by the same criterion; both may be options of one question. Single filters and pairs
have half of the chance each; that of a pair is shared by all pairs of two columns with a third, and
all partings of both. Filters of filters are followed: q3, asked if q2, asked if q1, tells q1 as
well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.table import Flags, SurveyTable, TextColumn
from dpdesk.numbers import exact_number
from dpdesk.numbers.arrays import Mapped, pieces_of
from dpdesk.plan.filter_question import Filter, condition_found
from dpdesk.plan.model import Plan
from dpdesk.plan.open_questions import SuspectedCodes
from dpdesk.plan.routing_columns import (
    EXCEPTIONS,
    LEAST_ANSWERED,
    LEAST_RECORDS,
    Answers,
    Neighbours,
    meaning_of,
)

_FALSE_ALARMS = 0.001
"""Largest chance that a table without routing is said to have one."""
_LEAST_BLANK = 0.1
"""Either of two filters is looked for where at least so many have no answer."""
_PAIRS = 200_000
"""So many pairs of columns are compared at least, to either side: of 400 columns each with each, of
ten thousand each with the 20 before and behind it, where a questionnaire has its filters."""


@dataclass(frozen=True, slots=True)
class _Fit:
    """A pair of columns that coincide: the filter, and the logarithm of the chance of it.

    Attributes:
        filter: The filter.
        log_chance: Logarithm of the chance.
        lists_combinations: Whether it lists which options were ticked together.
        skipped: Answers to the filter of those not asked, as in the file; empty for two filters.
    """

    filter: Filter
    log_chance: float
    lists_combinations: bool = False
    skipped: frozenset[str] = frozenset()


class FilterFinder:
    """Finds filter questions, and caches them until the meaning of a column nearby changes.

    Then the columns near it are looked at again; all records are counted anew of those pairs alone
    of which one has changed, and where either of two is looked for.
    """

    def __init__(self) -> None:
        self._state: tuple[Plan, SurveyTable] | None = None
        self._names: list[str] = []
        self._places: dict[str, int] = {}
        self._known: dict[str, Answers] = {}
        self._current: dict[str, Answers] = {}
        self._direct: dict[str, tuple[Answers, Neighbours, int, tuple[Filter, ...]]] = {}
        self._blocks: dict[int, tuple[list[Answers], Neighbours]] = {}
        self._current_blocks: set[int] = set()
        self._found: dict[tuple[str, str], tuple[Answers, Answers, _Fit | None]] = {}

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
            self._current, self._current_blocks = {}, set()
        found = {one.rule.columns: one for one in self._of(name)}
        for before in (waiting := list(found.values())):
            for column in before.rule.columns:
                for one in self._of(column):
                    if name not in one.rule.columns and one.rule.columns not in found:
                        found[one.rule.columns] = one.behind(column)
                        waiting.append(one)
        return tuple(found.values())

    def _answers(self, name: str) -> Answers:
        """Returns a column as the plan reads it; the same object until that may change."""
        current = self._current.get(name)
        if current is None:
            assert self._state is not None  # noqa: S101 - set before any column is looked at
            plan, table = self._state
            column, texts = plan.column(name), table.column(name)
            current, meaning = self._known.get(name), meaning_of(column, table.reading)
            if current is None or current.texts is not texts or current.meaning != meaning:
                current = self._known[name] = Answers.of(texts, column, table.reading)
            self._current[name] = current
        return current

    def _of(self, name: str) -> tuple[Filter, ...]:
        """Returns the filters of a column itself, the surest first."""
        target, many = self._answers(name), len(self._names)
        if not target.is_routed:
            return ()
        reach = max(_PAIRS // many, 1)
        # Neighbours of neighbouring columns are the same but for a few.
        near = self._neighbours(self._places[name] // (2 * reach), reach)
        known = self._direct.get(name)
        if known is None or known[0] is not target or known[1] is not near or known[2] != many:
            found = tuple(self._filters_of(target, near, min(many, 4 * reach)))
            known = self._direct[name] = (target, near, many, found)
        return known[3]

    def _neighbours(self, block: int, reach: int) -> Neighbours:
        """Returns neighbouring columns; the same object until one of them may have changed."""
        if block not in self._current_blocks:
            first, last = (2 * block - 1) * reach, (2 * block + 3) * reach
            answers = [self._answers(other) for other in self._names[max(first, 0) : last]]
            known = self._blocks.get(block)
            if known is None or known[0] != answers:
                self._blocks[block] = answers, Neighbours(answers)
            self._current_blocks.add(block)
        return self._blocks[block][1]

    def _filters_of(self, target: Answers, near: Neighbours, compared: int) -> Iterator[Filter]:
        # Half of the chance for one filter, half for either of two.
        log_chance = math.log(_FALSE_ALARMS / (2 * len(self._names) * compared))
        likely = near.likely_filters(target, log_chance)
        fits = (self._fit(target, other) for other in likely)
        found = [fit for fit in fits if fit is not None and fit.log_chance <= log_chance]
        found = [fit for fit in found if not self._is_nonresponse(fit)]
        # What lists combinations of options is no rule that can be declared.
        listed = [fit for fit in found if not fit.lists_combinations]
        if not listed and target.blanks >= _LEAST_BLANK * target.texts.rows:
            either = _fit_of_either(target, near, log_chance - math.log(compared))
            found = found if either is None else [either]
        for fit in sorted(found, key=lambda one: one.log_chance):
            yield fit.filter

    def _is_nonresponse(self, fit: _Fit) -> bool:
        """Whether all who were "not asked" gave what looks like a code of no answer.

        They left a block of questions out: nobody decided yet on the code in one of them.
        """
        assert self._state is not None  # noqa: S101 - set before any column is looked at
        plan, table = self._state
        (name,) = fit.filter.rule.columns
        codes = SuspectedCodes.of(plan.column(name), table.column(name), table.reading)
        return codes is not None and fit.skipped.issubset(codes.codes)

    def _fit(self, target: Answers, other: Answers) -> _Fit | None:
        pair = target.texts.name, other.texts.name
        cached = self._found.get(pair)
        if cached is None or cached[0] is not target or cached[1] is not other:
            cached = self._found[pair] = (target, other, _fit(target, other))
        return cached[2]


def _fit(target: Answers, other: Answers) -> _Fit | None:
    """Returns how one column's answers part the blanks of another; None if they do not."""
    return _best(_counts(target, other), other)


def _best(counts: _Counts, other: Answers, ways: float = 0.0) -> _Fit | None:
    """Returns how a column parts blanks; None if it does not.

    Args:
        counts: What is counted of each of its texts.
        other: The column.
        ways: Logarithm of the number of ways in which these records can have been chosen.
    """
    fits = []
    for parting in _partings(counts, other, 0.5):
        asked, skipped = parting.counted(counts)
        chance = _chance(asked, skipped, parting.ways + ways)
        if chance is not None:
            fits.append((chance, skipped, parting))
    if not fits:
        return None
    chance, (records, errors), parting = min(fits, key=lambda fit: fit[0])
    found = replace(parting.filter(), exceptions=errors, skipped=records)
    lists = other.options is not None and any(one.values for one in found.rule.any_of)
    places = np.flatnonzero(parting.is_part & ~parting.is_asked & (counts.times > 0))
    return _Fit(found, chance, lists, frozenset(other.texts.dictionary.take(places).to_pylist()))


def _fit_of_either(target: Answers, near: Neighbours, log_chance: float) -> _Fit | None:
    """Returns the two columns of which either lets respondents in; None where there are none.

    Args:
        target: The column that was not asked of everybody.
        near: The columns that are compared with it.
        log_chance: Logarithm of the largest chance of one pair of columns.
    """
    fits = []
    for first in near.half_filters(target, log_chance):
        counts = _counts(target, first)
        for parting in _partings(counts, first, 1.0):
            asked, _ = parting.counted(counts)
            if asked[0] < LEAST_RECORDS or asked[1] < LEAST_ANSWERED * asked[0]:
                continue
            rest = Mapped(~parting.is_asked & ~first.missing, first.texts.codes)
            for second in near.likely_filters(target, log_chance, rest):
                if second is first and not first.ticked.size:
                    continue  # One question with one answer has one condition.
                fit = _best(_counts(target, second, rest), second, parting.ways)
                if fit is not None and fit.log_chance <= log_chance:
                    fits.append(replace(fit, filter=parting.filter().or_if(fit.filter)))
    return min(fits, key=lambda fit: fit.log_chance, default=None)


@dataclass(frozen=True, slots=True)
class _Counts:
    """How many records have each distinct text of a column, and how many of them an answer."""

    times: NDArray[np.int64]
    answered: NDArray[np.int64]


def _counts(target: Answers, other: Answers, within: Mapped[np.bool_] | None = None) -> _Counts:
    """Counts the answers to one question by those to another, of all records or of some."""
    size, is_given = other.texts.distinct_count, ~target.missing
    times, answered = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    for rows in pieces_of(other.texts.rows, least=size):
        codes, given = other.texts.codes[rows], is_given[target.texts.codes[rows]]
        if within is not None:
            some = within[rows]
            given &= some
            times += np.bincount(codes[some], minlength=size)
        answered += np.bincount(codes[given], minlength=size)
    return _Counts(other.texts.counts if within is None else times, answered)


@dataclass(frozen=True, slots=True)
class _Parting:
    """Those asked and the others, by the answers to a column.

    Attributes:
        filter: Says it in words; made for what is told alone.
        is_asked: Which distinct texts belong to those asked, shape (distinct_count,).
        is_part: Which belong to either, alike.
        ways: Logarithm of the number of partings that were looked at.
    """

    filter: Callable[[], Filter]
    is_asked: Flags
    is_part: Flags
    ways: float

    def counted(self, counts: _Counts) -> tuple[tuple[int, int], tuple[int, int]]:
        """Returns the number of those asked and of those who answered, and of the others."""
        asked, skipped = self.is_asked, self.is_part & ~self.is_asked
        return (
            (int(counts.times[asked].sum()), int(counts.answered[asked].sum())),
            (int(counts.times[skipped].sum()), int(counts.answered[skipped].sum())),
        )


def _partings(counts: _Counts, other: Answers, level: float) -> Iterator[_Parting]:
    """Yields how a column's answers may part those asked from the others.

    Args:
        counts: What is counted of each of its texts.
        other: The column.
        level: Those of an answer were asked if they answered at least so often as everybody does.
    """
    given = ~other.missing
    times, answered = counts.times * given, counts.answered * given
    for place, ticked in enumerate(other.ticked.T):
        parts = [(times[one].sum(), answered[one].sum()) for one in (ticked, given & ~ticked)]
        inside = bool(parts[0][1] * parts[1][0] >= parts[1][1] * parts[0][0])
        # Each option is ticked by those asked or by the others; options have half of the chance.
        ways = math.log(2 * 2 * other.ticked.shape[1])
        made = partial(_of_option, other, place, inside=inside)
        yield _Parting(made, ticked if inside else given & ~ticked, given, ways)
    parting = _parting_of_answers(times[other.order], answered[other.order], other, level)
    if parting is not None:
        yield parting


def _parting_of_answers(
    times: NDArray[np.int64], answered: NDArray[np.int64], other: Answers, level: float
) -> _Parting | None:
    """Returns how the answers or numbers of a column part best; None where there are none.

    Args:
        times: How many have each answer, in the order of the column's.
        answered: How many of them answered the question, alike.
        other: The column.
        level: As of `_partings`.
    """
    if not times.sum():
        return None
    flags = np.zeros((2, other.texts.distinct_count), dtype=np.bool_)
    half = math.log(2) if other.options is not None else 0.0
    if other.is_interval:
        # Numbers that are written in several ways are one.
        starts = np.flatnonzero(np.diff(other.numbers, prepend=-np.inf))
        written = np.diff(starts, append=other.numbers.size)
        answered, times = np.add.reduceat(answered, starts), np.add.reduceat(times, starts)
    leaning = answered - level * answered.sum() / times.sum() * times
    if other.is_interval:
        first, last, inside = _interval(leaning, times)
        is_asked = np.full(times.size, not inside)
        is_asked[first:last] = inside
        made = partial(_of_numbers, other, other.numbers[starts], first, last, inside=inside)
        ways = math.log(times.size * (times.size + 1))
        is_asked = np.repeat(is_asked, written)
    else:
        is_asked = leaning >= 0
        made = partial(_of_answers, other, is_asked)
        ways = times.size * math.log(2)
    flags[0, other.order], flags[1, other.order] = is_asked, True
    return _Parting(made, flags[0], flags[1], ways + half)


def _of_option(other: Answers, place: int, *, inside: bool) -> Filter:
    options = (other.options.listed[place],) if other.options is not None else ()
    name = other.texts.name
    return Filter.of(condition_found(column=name, options=options, negated=not inside))


def _of_answers(other: Answers, is_asked: Flags) -> Filter:
    parts = (_texts(other.texts, other.order[part]) for part in (is_asked, ~is_asked))
    return Filter.of_answers(other.texts.name, *parts)


def _of_numbers(
    other: Answers, numbers: NDArray[np.float64], first: int, last: int, *, inside: bool
) -> Filter:
    lower, upper = (exact_number(f"{numbers[place]:.15g}") for place in (first, last - 1))
    return Filter.of(
        condition_found(
            column=other.texts.name,
            lower=None if first == 0 and inside else lower,
            upper=None if last == numbers.size and inside else upper,
            negated=not inside,
        )
    )


def _chance(asked: tuple[int, int], skipped: tuple[int, int], ways: float) -> float | None:
    """Returns the logarithm of a bound on the chance of a parting; None if it is no routing.

    Args:
        asked: How many were asked by it, and how many of them answered.
        skipped: The same of the others.
        ways: Logarithm of the number of partings that were looked at.
    """
    if min(skipped[0], asked[0]) < LEAST_RECORDS or skipped[1] > EXCEPTIONS * skipped[0]:
        return None
    if asked[1] < LEAST_ANSWERED * asked[0]:
        return None
    of_all = asked[1] + skipped[1]
    return _log_chance_of_so_few(skipped[1], skipped[0], of_all, asked[0] + skipped[0]) + ways


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
    if times[:first].sum() < LEAST_RECORDS:
        first = 0
    if times[last:].sum() < LEAST_RECORDS:
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
